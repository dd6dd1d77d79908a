/** What tools have in common that place shapes on the ground: by a click, or an outline corner by corner. */
import { areaOf, areasOf } from './areas.js';
import { Editor } from './editor.js';
import { Outline } from './outline.js';
import { Ghost } from './place.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../view/picking.js').LevelHit} LevelHit */
/** @typedef {import('./shapes.js').Kind} Kind */

/**
 * Keys while an outline is drawn.
 * @param {Outline} outline @param {KeyboardEvent} event @returns {boolean} whether it was one
 */
function outlineKey(outline, { key }) {
  if (key === 'Enter') outline.close();
  else if (key === 'Escape') outline.cancel();
  else if (key === 'Backspace') outline.back();
  else return false;
  return true;
}

/** A tool of which one shape is armed: what the next click places. */
export class PlacingTool {
  /** What a click places; '': nothing. @type {Kind | ''} */
  armed;
  /** Of what is placed. */
  area;

  /**
   * @param {App} app @param {'obstacle' | 'volume'} item what it edits @param {Kind} armed @param {number} area
   */
  constructor(app, item, armed, area) {
    this.app = app;
    this.armed = armed;
    this.area = area;
    this.editor = new Editor(app, item);
    this.ghost = new Ghost(app);
    this.outline = new Outline(app, (points) => this.addOutline(points));
  }

  /** An outline was closed. @param {import('./shapes.js').Point[]} _points */
  addOutline(_points) {}

  activate() {}

  deactivate() {
    this.ghost.hide();
    this.outline.cancel();
  }

  /** Whether a ghost shows what a click would place. */
  get showsGhost() {
    return true;
  }

  /** Of what would be placed. */
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
