/**
 * Pointer and keys for items of one kind, the same in every tool: a click selects, a drag moves over the level, arrow keys
 * nudge by a cell, Ctrl+click selects several, Delete deletes, Escape deselects. A placing tool handles clicks on free ground.
 */
import { Vector3 } from 'three';
import { NOUNS, itemBounds } from './items.js';
import { canTurn, pivotOf, roundPoint, snapOffset, subtract, turn } from './shapes.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./items.js').ItemKind} ItemKind */
/** @typedef {import('./shapes.js').Point} Point */
/** @typedef {import('../view/picking.js').LevelHit} LevelHit */

/** Rotation per key press, radians. */
const TURN = Math.PI / 12;
/** Surfaces whose normal has a smaller y count as walls. */
const STEEP = 0.4;
/** Cells per nudge with Shift. */
const FAR = 10;

/** Screen directions of the arrow keys: right, and away from the camera. */
const ARROWS = /** @type {Record<string, [number, number]>} */ ({ ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] });

export class Editor {
  #app;
  #kind;
  /**
   * The dragged item before the drag, and the point of the level under the pointer.
   * @type {{ base: any, bases: import('./edits.js').SelectedItem[], from: Point, last: number, lift: number, isMoved: boolean } | null}
   */
  #drag = null;
  /** Number of the current run of nudges; each run is one undo step. */
  #nudges = 0;

  /** @param {App} app @param {ItemKind} kind */
  constructor(app, kind) {
    this.#app = app;
    this.#kind = kind;
  }

  /** True if an item is under the pointer. @param {PointerEvent} event */
  isOver(event) {
    return this.#app.edits.drawing.pick(this.#kind, event) !== null;
  }

  /**
   * Selects the item under the pointer and begins a drag.
   * @param {PointerEvent} event @returns {boolean} true if there is an item
   */
  pointerdown(event) {
    const { edits } = this.#app;
    const picked = edits.drawing.pick(this.#kind, event);
    if (!picked) return false;
    if (event.ctrlKey || event.metaKey) {
      edits.toggle(picked);
      return true;
    }
    if (!edits.isSelected(picked)) edits.select(picked);
    else edits.lead(picked);
    const base = edits.selected;
    if (this.#kind === 'connection') return true;
    // The drag holds the ground below the item, so that the item stays on the ground.
    const [x, , z] = pivotOf(base.shape);
    const height = this.#surfaceBelow(base);
    const foot = { ...this.#project([x, height, z]), height };
    const lift = foot.y - event.clientY;
    const from = this.#spot({ clientX: event.clientX, clientY: event.clientY + lift }, foot.height);
    this.#drag = from && { base, bases: edits.allSelected(), from, last: from[1], lift, isMoved: false };
    return true;
  }

  /** @param {PointerEvent} event @returns {boolean} true if an item moves */
  pointermove(event) {
    const drag = this.#drag;
    if (!drag) return false;
    const { edits } = this.#app;
    const spot = { clientX: event.clientX, clientY: event.clientY + drag.lift };
    const to = event.shiftKey ? this.#app.picking.plane(spot, drag.last)?.point : this.#spot(spot, drag.last);
    if (!to || !edits.selection) return true;
    drag.last = to[1];
    drag.isMoved = true;
    edits.isDragging = true;
    const by = snapOffset(pivotOf(drag.base.shape), roundPoint(subtract(to, drag.from)), this.#gridOf(event));
    edits.moveAll(drag.bases, by, 'drag');
    return true;
  }

  /** @returns {boolean} true if an item moved */
  pointerup() {
    const isMoved = this.#drag?.isMoved ?? false;
    this.#drag = null;
    this.#app.edits.isDragging = false;
    this.#app.store.commit();
    return isMoved;
  }

  /** @param {KeyboardEvent} event @returns {boolean} true if the key was handled */
  key(event) {
    const { edits, store } = this.#app;
    const { selection, selected } = edits;
    if (selection?.kind !== this.#kind || !selected || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === 'Escape') {
      edits.select(null);
      return true;
    }
    const by = this.#nudge(event);
    if (by) {
      edits.move(by, `nudge ${this.#nudges}`);
      return true;
    }
    if ((event.key === ',' || event.key === '.') && this.#kind !== 'connection' && canTurn(selected.shape)) {
      edits.change(selection, `turn ${NOUNS[this.#kind]}`, (item) => ({ ...item, shape: turn(item.shape, event.key === ',' ? TURN : -TURN) }), 'turn');
      return true;
    }
    this.#nudges++;
    store.commit();
    return false;
  }

  /**
   * Offset of a nudge: one cell along the world axis nearest to the key's direction on the screen.
   * @param {KeyboardEvent} event @returns {Point | null}
   */
  #nudge({ key, shiftKey }) {
    const { cellSize, cellHeight } = this.#app.store.state.document.config;
    const count = shiftKey ? FAR : 1;
    if (key === 'PageUp' || key === 'PageDown') return [0, (key === 'PageUp' ? 1 : -1) * count * cellHeight, 0];
    const arrow = ARROWS[key];
    if (!arrow) return null;
    const right = new Vector3().setFromMatrixColumn(this.#app.viewport.camera.matrixWorld, 0);
    const [x, z] = [right.x * arrow[0] + right.z * arrow[1], right.z * arrow[0] - right.x * arrow[1]];
    const step = count * cellSize;
    return Math.abs(x) >= Math.abs(z) ? [Math.sign(x) * step, 0, 0] : [0, 0, Math.sign(z) * step];
  }

  /** Grid of a drag: as chosen; while Ctrl is held, the other way round, with a cell. @param {PointerEvent} event */
  #gridOf({ ctrlKey }) {
    const { view: { snap }, document: { config } } = this.#app.store.state;
    if (!ctrlKey) return snap;
    return snap > 0 ? 0 : config.cellSize;
  }

  /** Height of the ground below an item: the level under its centre, or the item's base. @param {any} item */
  #surfaceBelow(item) {
    const { min, max } = itemBounds(this.#kind, item);
    const [x, , z] = pivotOf(item.shape);
    return this.#app.picking.below([x, max[1], z], max[1] - min[1] + 1) ?? min[1];
  }

  /** @param {Point} point */
  #project(point) {
    const { camera, canvas } = this.#app.viewport;
    const box = canvas.getBoundingClientRect();
    const { x, y } = new Vector3(...point).project(camera);
    return { x: box.left + (x + 1) / 2 * box.width, y: box.top + (1 - y) / 2 * box.height };
  }

  /**
   * Ground under the pointer; over walls and outside the level, a horizontal plane.
   * @param {{ clientX: number, clientY: number }} event @param {number} height @returns {Point | null}
   */
  #spot(event, height) {
    const hit = this.#app.picking.level(event);
    const isGround = hit !== null && Math.abs(hit.normal[1]) > STEEP;
    return (isGround ? hit : this.#app.picking.plane(event, height))?.point ?? null;
  }
}
