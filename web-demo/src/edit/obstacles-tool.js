/** The tool for obstacles of all shapes, at rest or moving; the tiles they touch are rebuilt immediately. */
import { html, nothing } from 'lit';
import { choiceField, numberField, pointField } from '../ui/fields.js';
import { say } from '../ui/touch.js';
import { icon } from '../ui/icon.js';
import { chooser, itemButtons, itemError, itemList, placeAsField, selectedArea, shapeFields, shapeOptions, snapField, tilesNeeded, updateNote } from './item-panels.js';
import { makeMotion } from './motion.js';
import { shapeAt, sizesFor } from './place-shape.js';
import { PlacingTool } from './placing-tool.js';
import { boundsOf, makePrism } from './shapes.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../tools/tools.js').Tool} Tool */

const SHAPES = /** @type {const} */ (['cylinder', 'box', 'rotatedBox', 'prism', 'capsule', 'sphere']);

/** @type {import('../tools/tools.js').ToolKind} */
export const obstaclesTool = {
  id: 'obstacles', label: 'Obstacles', icon: 'box', shortcut: 'o', group: 'edit',
  hint: 'Click to place the shape. Drag an obstacle to move it; Delete deletes it.',
  create: (app) => new ObstaclesTool(app),
};

/** @implements {Tool} */
class ObstaclesTool extends PlacingTool {
  /** @param {App} app */
  constructor(app) {
    super(app, 'obstacle', 'cylinder', 0); // area 0: blocks
  }

  /** @override @param {import('./shapes.js').Point[]} points */
  addOutline(points) {
    this.app.edits.add('obstacle', { shape: makePrism(points, sizesFor(this.app.store.state.document.config)), area: this.area });
  }

  /** @override */
  get showsGhost() {
    return this.app.edits.live.canCarve;
  }

  /** @override */
  get color() {
    return this.area === 0 ? '#e8604c' : super.color;
  }

  /** @param {import('../view/picking.js').LevelHit | null} hit @param {PointerEvent} event */
  click(hit, event) {
    const { edits } = this.app;
    if (this.armed === 'prism' && (this.outline.isDrawing || event.shiftKey || !this.editor.isOver(event))) this.outline.click(hit, event);
    else if (!event.shiftKey && this.editor.isOver(event)) return;
    else if (this.armed && hit) edits.add('obstacle', { shape: shapeAt(this.app, this.armed, hit), area: this.area });
    else edits.select(null);
    this.ghost.hide();
  }

  /** @param {import('../state/document.js').State} state */
  panel(state) {
    const { edits } = this.app;
    const { selection, selected } = edits;
    const isMine = selection?.kind === 'obstacle';
    return html`
      ${tilesNeeded(this.app, state, 'Obstacles')}
      ${chooser({ label: 'Place', options: shapeOptions(SHAPES), value: this.armed, choose: (kind) => this.arm(kind) })}
      <p class="hint">${say(this.#hint())}</p>
      ${placeAsField(this, state, 'Blocked')}
      ${isMine ? html`
        ${selectedArea(this.app, state, { selection, item: selected, blocked: 'Blocked', step: 'change area of obstacle' })}
        ${itemError(state, selection)}${shapeFields(this.app, selection, selected.shape)}${this.#motionFields(selected)}
        ${itemButtons(this.app)}` : nothing}
      ${snapField(this.app, state)}
      ${itemList(this.app, state, 'obstacle')}
      ${this.#player(state)}
      ${updateNote(state)}`;
  }

  #hint() {
    if (this.outline.isDrawing) return 'Click corners. Enter, a double click or the first corner closes it; Backspace undoes.';
    if (this.armed === 'prism') return 'Click the corners of the outline in order.';
    if (this.armed) return 'Click the ground to place it. Shift+click places it on another obstacle.';
    return 'Click an obstacle to select it. , and . rotate; Page Up and Page Down raise and lower.';
  }

  /** @param {any} item */
  #motionFields({ shape, moving }) {
    const { edits } = this.app;
    const selection = /** @type {import('./items.js').Selection} */ (edits.selection);
    const set = (/** @type {any} */ next, /** @type {string} */ merge) => edits.change(selection, 'change motion', (item) => {
      const { moving: _, ...rest } = item;
      return next ? { ...rest, moving: next } : rest;
    }, merge);
    const { min, max } = boundsOf(shape);
    const size = Math.max(4, 2 * Math.max(max[0] - min[0], max[2] - min[2]));
    return html`
      ${choiceField({
        label: 'Motion', value: moving?.path ?? 'not',
        options: [{ value: 'not', label: 'None' }, { value: 'line', label: 'Back and forth' }, { value: 'circle', label: 'Circle' }],
        change: (path) => set(path === 'not' ? null : makeMotion(shape, /** @type {'line' | 'circle'} */ (path), size), 'path'),
      })}
      ${moving ? html`
        ${numberField({
          label: 'Speed', value: moving.speed, unit: 'm/s', min: 0, max: 100, step: 0.5,
          change: (speed) => set({ ...moving, speed: Math.max(0, speed) }, 'speed'),
        })}
        ${moving.path === 'line' ? html`
          ${numberField({
            label: 'Rest time', value: moving.rest, unit: 's', min: 0, max: 60, step: 0.5,
            change: (rest) => set({ ...moving, rest: Math.max(0, rest) }, 'rest'),
          })}
          ${pointField({ label: 'Path end', value: moving.to, change: (to) => set({ ...moving, to }, 'to') })}`
        : pointField({ label: 'Circle centre', value: moving.centre, change: (centre) => set({ ...moving, centre }, 'centre') })}` : nothing}`;
  }

  /** @param {import('../state/document.js').State} state */
  #player({ document, session }) {
    if (!document.obstacles.some(({ moving }) => moving)) return nothing;
    const { live } = this.app.edits;
    const isPlaying = session.edits?.playing ?? false;
    return html`
      <div class="buttons">
        <wa-button size="s" variant=${isPlaying ? 'neutral' : 'brand'} @click=${() => live.play(!isPlaying)}>
          ${icon(isPlaying ? 'pause' : 'play', 'start')}${isPlaying ? 'Pause' : 'Play'}</wa-button>
        <wa-button size="s" appearance="outlined" @click=${() => live.rewind()}>${icon('rotate-ccw', 'start')}Rewind</wa-button>
      </div>
      <p class="hint">Agents avoid moving obstacles. Obstacles carve after 0.5 s at rest.</p>`;
  }
}
