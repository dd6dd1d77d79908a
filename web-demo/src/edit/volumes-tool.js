/** Area volumes: they give the ground an area in the bake; a change bakes the level again. */
import { html, nothing } from 'lit';
import { icon } from '../ui/icon.js';
import { areasTable } from './areas-table.js';
import { areaOf, areasOf } from './areas.js';
import { Editor } from './editor.js';
import { areaField, chooser, itemButtons, itemError, itemList, shapeFields, shapeOptions } from './item-panels.js';
import { outlineKey } from './obstacles-tool.js';
import { Outline } from './outline.js';
import { Ghost, shapeAt, sizesFor } from './place.js';
import { boundsOf, makePrism } from './shapes.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../tools/tools.js').Tool} Tool */
/** @typedef {import('./shapes.js').Kind} Kind */

const SHAPES = /** @type {const} */ (['prism', 'box', 'rotatedBox', 'cylinder']);
/** How deep below the ground and how high above it volumes reach, world units, so that they take in all of an uneven ground. */
const [DEPTH, HEIGHT] = [1, 2];

/** @type {import('../tools/tools.js').ToolKind} */
export const volumesTool = {
  id: 'volumes', label: 'Areas', icon: 'shapes', shortcut: 'v', group: 'edit',
  hint: 'Click the corners of an area on the ground, the first one again to close it. Click an area to select it, drag to move it.',
  create: (app) => new VolumesTool(app),
};

/** @implements {Tool} */
class VolumesTool {
  #app;
  /** @type {Kind | ''} */
  #armed = 'prism';
  #area = 1;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.editor = new Editor(app, 'volume');
    this.ghost = new Ghost(app);
    this.outline = new Outline(app, (points) => this.#add(makePrism(points, { height: HEIGHT, sink: DEPTH })));
  }

  activate() {}

  deactivate() {
    this.ghost.hide();
    this.outline.cancel();
  }

  /** @param {any} shape */
  #add(shape) {
    this.#app.edits.add('volume', { shape, area: this.#area });
  }

  /** @param {import('../view/picking.js').LevelHit | null} _hit @param {PointerEvent} event */
  pointerdown(_hit, event) {
    if (this.outline.isDrawing || event.shiftKey) return false;
    this.ghost.hide();
    return this.editor.pointerdown(event);
  }

  /** @param {import('../view/picking.js').LevelHit | null} hit @param {PointerEvent} event */
  pointermove(hit, event) {
    if (this.editor.pointermove(event)) return true;
    this.outline.move(hit);
    const isOver = !this.outline.isDrawing && !event.shiftKey && this.editor.isOver(event);
    if (!this.#app.handles.at(event)) this.#app.viewport.canvas.style.cursor = isOver ? 'move' : this.#armed ? 'crosshair' : '';
    const { color } = areaOf(areasOf(this.#app.store.state.document), this.#area);
    if (this.#armed && this.#armed !== 'prism' && !isOver) this.ghost.show(this.#armed, hit, color);
    else this.ghost.hide();
    return false;
  }

  pointerup() {
    this.editor.pointerup();
  }

  /** @param {import('../view/picking.js').LevelHit | null} hit @param {PointerEvent} event */
  click(hit, event) {
    const isOver = !this.outline.isDrawing && !event.shiftKey && this.editor.isOver(event);
    if (isOver) return;
    if (this.#armed === 'prism') this.outline.click(hit, event);
    else if (this.#armed && hit) this.#add(this.#enlarge(shapeAt(this.#app, this.#armed, hit)));
    else this.#app.edits.select(null);
    this.ghost.hide();
  }

  /** Areas are wider than obstacles, and deeper. @param {any} shape */
  #enlarge(shape) {
    const { radius } = sizesFor(this.#app.store.state.document.config);
    const { min, max } = boundsOf(shape);
    const [low, high] = [min[1] - DEPTH, max[1] + 1];
    if (shape.kind === 'cylinder') {
      const { base: [x, , z] } = shape;
      return { ...shape, radius: shape.radius + radius, base: [x, low, z], height: high - low };
    }
    if (shape.kind === 'box') {
      return { ...shape, min: [min[0] - radius, low, min[2] - radius], max: [max[0] + radius, high, max[2] + radius] };
    }
    const { centre: [x, , z], halfExtents: [width, , depth] } = shape;
    return { ...shape, centre: [x, (low + high) / 2, z], halfExtents: [width + radius, (high - low) / 2, depth + radius] };
  }

  doubleclick() {
    if (this.outline.isDrawing) this.outline.close();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.outline.isDrawing && outlineKey(this.outline, event)) return true;
    if (this.editor.key(event)) return true;
    if (event.key !== 'Escape' || !this.#armed) return false;
    this.#arm('');
    return true;
  }

  /** @param {string} kind */
  #arm(kind) {
    this.#armed = /** @type {Kind | ''} */ (kind);
    this.ghost.hide();
    this.outline.cancel();
    this.#app.panels.refresh();
  }

  /** @param {import('../state/document.js').State} state */
  panel(state) {
    const { edits, bakes } = this.#app;
    const { selection, selected } = edits;
    const isMine = selection?.kind === 'volume';
    return html`
      ${chooser({ label: 'Place', options: shapeOptions(SHAPES), value: this.#armed, choose: (kind) => this.#arm(kind) })}
      <p class="hint">${this.#hint()}</p>
      ${areaField(state.document, {
        label: 'Area', value: isMine ? selected.area : this.#area, blocked: 'Not walkable', change: (value) => {
          this.#area = value;
          if (isMine) edits.change(selection, 'change area', (item) => ({ ...item, area: value }));
          this.#app.panels.refresh();
        },
      })}
      ${isMine ? html`${itemError(state, selection)}${shapeFields(this.#app, selection, selected.shape)}${itemButtons(this.#app)}` : nothing}
      ${itemList(this.#app, state, 'volume', (item) => (item.area === 0 ? 'Not walkable' : areaOf(areasOf(state.document), item.area).name))}
      ${state.view.autoBake ? nothing : html`
        <wa-button size="s" appearance="outlined" @click=${() => bakes.bake()}>${icon('play', 'start')}Bake with these areas</wa-button>`}
      <h3>What areas mean</h3>
      ${areasTable(this.#app, state)}`;
  }

  #hint() {
    if (this.outline.isDrawing) return 'Click its corners; click the first one, press Enter or double-click to close it. Backspace takes a corner back.';
    if (this.#armed === 'prism') return 'Click the corners of the area one after the other. The level is baked again with it.';
    if (this.#armed) return 'Click the ground to place it. Shift-click places it on top of another.';
    return 'Click an area to select it. The level is baked again when it changes.';
  }
}
