/** Handles of the selected item while its tool is active: for sizes, rotation, ends and motion. */
import { Vector3 } from 'three';
import { ACCENT, END, SELECTED, START } from '../view/colors.js';
import { NOUNS, itemBounds } from './items.js';
import { dragHandle, handlesOf } from './shape-handles.js';
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
 * @property {(item: any, point: Point, event: PointerEvent) => any} drag returns the changed item; `item` is the item before the drag
 */

/** Rotation snaps to this angle while Shift is held, radians. */
const TURN_STEP = Math.PI / 12;
/** Items smaller than this on the screen get no size handles, pixels. */
const MIN_PIXELS = 44;

/** The tool of each item kind. */
export const TOOL_OF = /** @type {const} */ ({ obstacle: 'obstacles', volume: 'volumes', connection: 'connections', door: 'doors' });

export class Gizmo {
  #app;
  /** @type {Map<string, Handle>} */
  #handles = new Map();
  /** Key of the item that the handles belong to. */
  #owner = '';
  /** The item before the drag. @type {any} */
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

  /** Creates the handles of the selected item. */
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

  /** Hides the size handles of small items: they would overlap and cover the item. */
  #hideCrowded() {
    const { selection, selected } = this.#app.edits;
    if (this.#handles.size === 0 || !selection || !selected) return;
    const { min, max } = itemBounds(selection.kind, selected);
    const { camera, canvas } = this.#app.viewport;
    const middle = new Vector3(...min).add(new Vector3(...max)).multiplyScalar(0.5);
    const size = new Vector3(...max).sub(new Vector3(...min)).length();
    const pixels = size * canvas.clientHeight / (2 * Math.tan(camera.fov * Math.PI / 360) * Math.max(camera.position.distanceTo(middle), 1e-3));
    for (const handle of this.#handles.values()) {
      handle.object.visible = handle.options.look !== 'knob' || pixels >= MIN_PIXELS;
    }
    this.#app.viewport.invalidate();
  }
}

/** @param {Selection} selection @param {any} item @returns {Grip[]} */
function gripsOf({ kind }, item) {
  if (kind === 'connection') return endGrips(item);
  const sizes = handlesOf(item.shape).map(({ id, label, along, point, turns }) => /** @type {Grip} */ ({
    id, label, point, color: turns ? ACCENT : SELECTED, snap: along, look: 'knob',
    drag: (base, to, event) => ({ ...base, shape: dragHandle(base.shape, id, roundPoint(to), { step: event.shiftKey ? TURN_STEP : 0 }) }),
  }));
  return [...sizes, ...pathHandles(item)];
}

/** @param {any} connection @returns {Grip[]} */
function endGrips(connection) {
  return /** @type {const} */ (['start', 'end']).map((end) => ({
    id: end, label: end === 'start' ? 'Connection start' : 'Connection end', point: connection[end],
    color: end === 'start' ? START : END, snap: 'level', look: 'pin', drag: (base, to) => ({ ...base, [end]: roundPoint(to) }),
  }));
}

/** Handle for the motion of an obstacle. @param {any} obstacle @returns {Grip[]} */
function pathHandles({ moving }) {
  if (!moving) return [];
  const name = moving.path === 'line' ? 'to' : 'centre';
  return [{
    id: 'path', label: name === 'to' ? 'Path end' : 'Circle centre', point: moving[name], color: 0xffd23f,
    snap: name === 'to' ? 'level' : 'plane', look: 'pin', drag: (base, to) => ({ ...base, moving: { ...base.moving, [name]: roundPoint(to) } }),
  }];
}
