/** The handles of what is selected, while its tool is active: for sizes, turning, ends, and the way of what moves. */
import { Vector3 } from 'three';
import { ACCENT, END, SELECTED, START } from '../view/colors.js';
import { NOUNS, itemBounds } from './items.js';
import { dragKnob, knobsOf } from './knobs.js';
import { roundPoint } from './shapes.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./items.js').Selection} Selection */
/** @typedef {import('../view/handles.js').Handle} Handle */
/** @typedef {import('./shapes.js').Point} Point */
/** @typedef {import('../view/handles.js').HandleOptions} HandleOptions */
/**
 * @typedef {object} Grip
 * @property {string} id
 * @property {string} label
 * @property {Point} point
 * @property {number} color
 * @property {NonNullable<HandleOptions['snap']>} snap
 * @property {NonNullable<HandleOptions['look']>} look
 * @property {(item: any, point: Point, event: PointerEvent) => any} drag gives another item, of the one as it was
 */

/** Radians that turning snaps to while Shift is held. */
const TURN_STEP = Math.PI / 12;
/** Below so many pixels an item is too small for handles of its sizes. */
const LEAST_PIXELS = 44;

/** The tool of each kind. */
export const TOOL_OF = /** @type {const} */ ({ obstacle: 'obstacles', volume: 'volumes', connection: 'connections', door: 'doors' });

export class Gizmo {
  #app;
  /** @type {Map<string, Handle>} */
  #handles = new Map();
  /** Whose they are. */
  #owner = '';
  /** The item as it was when a handle was taken. @type {any} */
  #base = null;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  start() {
    const { store, viewport } = this.#app;
    store.subscribe((state, previous) => {
      if (state.document !== previous.document || state.session.selection !== previous.session.selection
        || state.view.tool !== previous.view.tool) this.update();
    });
    viewport.controls.addEventListener('change', () => this.#hideCrowded());
    this.update();
  }

  /** Handles for what is selected now. */
  update() {
    const { edits, store } = this.#app;
    const { selection, selected } = edits;
    const isActive = selection && selected && store.state.view.tool === TOOL_OF[selection.kind];
    const grips = isActive ? gripsOf(selection, selected) : [];
    const owner = isActive ? `${selection.kind} ${selection.id} ${grips.map(({ id }) => id).join()}` : '';
    if (owner !== this.#owner) this.#clear();
    this.#owner = owner;
    for (const grip of grips) this.#place(/** @type {Selection} */ (selection), grip);
    this.#hideCrowded();
  }

  #clear() {
    for (const handle of this.#handles.values()) handle.dispose();
    this.#handles.clear();
    this.#base = null;
  }

  /** @param {Selection} selection @param {Grip} grip */
  #place(selection, grip) {
    const known = this.#handles.get(grip.id);
    if (known) {
      known.setPosition(grip.point);
      return;
    }
    const { id, label, color, point, snap, look } = grip;
    const { edits, handles } = this.#app;
    this.#handles.set(id, handles.create({
      id: `edit ${id}`, label, color, snap, look, position: point,
      onDrag: (to, _hit, event) => {
        this.#base ??= edits.selected;
        edits.isDragging = true;
        const base = this.#base;
        const noun = NOUNS[selection.kind];
        edits.change(selection, id === 'turn' ? `turn ${noun}` : `reshape ${noun}`, () => grip.drag(base, to, event), `handle ${id}`);
      },
      onDragEnd: () => {
        this.#base = null;
        edits.isDragging = false;
      },
    }));
  }

  /** Handles of sizes would lie on top of each other from afar: then there are none, and the item itself can be taken. */
  #hideCrowded() {
    const { selection, selected } = this.#app.edits;
    if (this.#handles.size === 0 || !selection || !selected) return;
    const { min, max } = itemBounds(selection.kind, selected);
    const { camera, canvas } = this.#app.viewport;
    const middle = new Vector3(...min).add(new Vector3(...max)).multiplyScalar(0.5);
    const size = new Vector3(...max).sub(new Vector3(...min)).length();
    const pixels = size * canvas.clientHeight / (2 * Math.tan(camera.fov * Math.PI / 360) * Math.max(camera.position.distanceTo(middle), 1e-3));
    for (const handle of this.#handles.values()) {
      handle.object.visible = handle.options.look !== 'knob' || pixels >= LEAST_PIXELS;
    }
    this.#app.viewport.invalidate();
  }
}

/** @param {Selection} selection @param {any} item @returns {Grip[]} */
function gripsOf({ kind }, item) {
  if (kind === 'connection') return endGrips(item);
  const sizes = knobsOf(item.shape).map(({ id, label, along, point, turns }) => /** @type {Grip} */ ({
    id, label, point, color: turns ? ACCENT : SELECTED, snap: along, look: 'knob',
    drag: (base, to, event) => ({ ...base, shape: dragKnob(base.shape, id, roundPoint(to), { step: event.shiftKey ? TURN_STEP : 0 }) }),
  }));
  return [...sizes, ...wayGrips(item)];
}

/** @param {any} connection @returns {Grip[]} */
function endGrips(connection) {
  return /** @type {const} */ (['start', 'end']).map((end) => ({
    id: end, label: end === 'start' ? 'Start of the connection' : 'End of the connection', point: connection[end],
    color: end === 'start' ? START : END, snap: 'level', look: 'pin', drag: (base, to) => ({ ...base, [end]: roundPoint(to) }),
  }));
}

/** Of an obstacle that moves. @param {any} obstacle @returns {Grip[]} */
function wayGrips({ moving }) {
  if (!moving) return [];
  const name = moving.path === 'line' ? 'to' : 'centre';
  return [{
    id: 'way', label: name === 'to' ? 'End of its way' : 'Middle of its circle', point: moving[name], color: 0xffd23f,
    snap: name === 'to' ? 'level' : 'plane', look: 'pin', drag: (base, to) => ({ ...base, moving: { ...base.moving, [name]: roundPoint(to) } }),
  }];
}
