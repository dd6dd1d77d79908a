/** Base class of tools that place shapes on the ground: by a click, or as an outline. */
import { areaOf, areasOf } from './areas.js';
import { Editor } from './editor.js';
import { Outline } from './outline.js';
import { Ghost } from './place-shape.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../view/picking.js').LevelHit} LevelHit */
/** @typedef {import('./shapes.js').Kind} Kind */

/**
 * Handles the keys of an outline being drawn.
 * @param {Outline} outline @param {KeyboardEvent} event @returns {boolean} true if the key was handled
 */
function outlineKey(outline, { key }) {
  if (key === 'Enter') outline.close();
  else if (key === 'Escape') outline.cancel();
  else if (key === 'Backspace') outline.back();
  else return false;
  return true;
}

/** A tool whose next click places the armed shape. */
export class PlacingTool {
  /** The shape that a click places; '': none. @type {Kind | ''} */
  armed;
  /** Area of placed shapes. */
  area;

  /**
   * @param {App} app @param {'obstacle' | 'volume'} item kind of item it edits @param {Kind} armed @param {number} area
   */
  constructor(app, item, armed, area) {
    this.app = app;
    this.armed = armed;
    this.area = area;
    this.editor = new Editor(app, item);
    this.ghost = new Ghost(app);
    this.outline = new Outline(app, (points) => this.addOutline(points));
  }

  /** Called with a closed outline. @param {import('./shapes.js').Point[]} _points */
  addOutline(_points) {}

  activate() {}

  deactivate() {
    this.ghost.hide();
    this.outline.cancel();
  }

  /** True if a preview shows the shape under the pointer. */
  get showsGhost() {
    return true;
  }

  /** Colour of the preview. */
  get color() {
    return areaOf(areasOf(this.app.store.state.document), this.area).color;
  }

  /** @param {LevelHit | null} _hit @param {PointerEvent} event */
  pointerdown(_hit, event) {
    if (this.outline.isDrawing || event.shiftKey) return false;
    this.ghost.hide();
    return this.editor.pointerdown(event);
  }

  /** @param {LevelHit | null} hit @param {PointerEvent} event */
  pointermove(hit, event) {
    if (this.editor.pointermove(event)) return true;
    this.outline.move(hit);
    const isOver = !this.outline.isDrawing && !event.shiftKey && this.editor.isOver(event);
    const { handles, viewport } = this.app;
    if (!handles.at(event)) viewport.canvas.style.cursor = isOver ? 'move' : this.armed ? 'crosshair' : '';
    if (this.armed && this.armed !== 'prism' && !isOver && this.showsGhost) this.ghost.show(this.armed, hit, this.color);
    else this.ghost.hide();
    return false;
  }

  pointerup() {
    this.editor.pointerup();
  }

  doubleclick() {
    if (this.outline.isDrawing) this.outline.close();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.outline.isDrawing && outlineKey(this.outline, event)) return true;
    if (this.editor.key(event)) return true;
    if (event.key !== 'Escape' || !this.armed) return false;
    this.arm('');
    return true;
  }

  /** @param {string} kind */
  arm(kind) {
    this.armed = /** @type {Kind | ''} */ (kind);
    this.ghost.hide();
    this.outline.cancel();
    this.app.panels.refresh();
  }
}
