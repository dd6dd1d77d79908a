/** The tool for area volumes: they assign an area to the ground in the bake; every change bakes the level again. */
import { html, nothing } from 'lit';
import { icon } from '../ui/icon.js';
import { areasTable } from './areas-table.js';
import { areaOf, areasOf } from './areas.js';
import { chooser, itemButtons, itemError, itemList, placeAsField, selectedArea, shapeFields, shapeOptions, snapField } from './item-panels.js';
import { shapeAt, sizesFor } from './place-shape.js';
import { PlacingTool } from './placing-tool.js';
import { boundsOf, makePrism } from './shapes.js';
import { say } from '../ui/touch.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../tools/tools.js').Tool} Tool */

const SHAPES = /** @type {const} */ (['prism', 'box', 'rotatedBox', 'cylinder']);
/** Depth below and height above the ground of a volume, world units, so that it covers uneven ground. */
const [DEPTH, HEIGHT] = [1, 2];

/** @type {import('../tools/tools.js').ToolKind} */
export const volumesTool = {
  id: 'volumes', label: 'Area volumes', icon: 'shapes', shortcut: 'v', group: 'edit',
  hint: 'Click the ground to place it, or its corners. Drag a volume to move it.',
  create: (app) => new VolumesTool(app),
};

/** @implements {Tool} */
class VolumesTool extends PlacingTool {
  /** @param {App} app */
  constructor(app) {
    super(app, 'volume', 'prism', 1);
  }

  /** @override @param {import('./shapes.js').Point[]} points */
  addOutline(points) {
    this.#add(makePrism(points, { height: HEIGHT, sink: DEPTH }));
  }

  /** @param {any} shape */
  #add(shape) {
    this.app.edits.add('volume', { shape, area: this.area });
  }

  /** @param {import('../view/picking.js').LevelHit | null} hit @param {PointerEvent} event */
  click(hit, event) {
    const isOver = !this.outline.isDrawing && !event.shiftKey && this.editor.isOver(event);
    if (isOver) return;
    if (this.armed === 'prism') this.outline.click(hit, event);
    else if (this.armed && hit) this.#add(this.#enlarge(shapeAt(this.app, this.armed, hit)));
    else this.app.edits.select(null);
    this.ghost.hide();
  }

  /** Area volumes are wider and deeper than obstacles. @param {any} shape */
  #enlarge(shape) {
    const { radius } = sizesFor(this.app.store.state.document.config);
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

  /** @param {import('../state/document.js').State} state */
  panel(state) {
    const { edits, bakes } = this.app;
    const { selection, selected } = edits;
    const isMine = selection?.kind === 'volume';
    return html`
      ${chooser({ label: 'Place', options: shapeOptions(SHAPES), value: this.armed, choose: (kind) => this.arm(kind) })}
      <p class="hint">${say(this.#hint())}</p>
      ${placeAsField(this, state, 'Not walkable')}
      ${isMine ? html`
        ${selectedArea(this.app, state, { selection, item: selected, blocked: 'Not walkable', step: 'change area' })}
        ${itemError(state, selection)}${shapeFields(this.app, selection, selected.shape)}${itemButtons(this.app)}` : nothing}
      ${snapField(this.app, state)}
      ${itemList(this.app, state, 'volume', (item) => (item.area === 0 ? 'Not walkable' : areaOf(areasOf(state.document), item.area).name))}
      ${state.view.autoBake ? nothing : html`
        <wa-button size="s" appearance="outlined" @click=${() => bakes.bake()}>${icon('play', 'start')}Bake now</wa-button>`}
      <h3>Area types</h3>
      ${areasTable(this.app, state)}`;
  }

  #hint() {
    if (this.outline.isDrawing) return 'Click corners. Enter, a double click or the first corner closes it; Backspace undoes.';
    if (this.armed === 'prism') return 'Click the corners of the volume in order. The level is baked again.';
    if (this.armed) return 'Click the ground to place it. Shift+click places it on another volume.';
    return 'Click a volume to select it. Changes bake the level again.';
  }
}
