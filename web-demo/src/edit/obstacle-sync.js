/**
 * Keeps the obstacles of a dynamic mesh equal to those of the document. It compares them, so that undo, redo and opened addresses need no
 * extra code. The ground in doors is included: obstacles with an area of their own.
 *
 * Where obstacles overlap and differ in area, a tile depends on the order in which they were added. Such obstacles keep the order of
 * the document, so that the mesh equals a bake with them.
 */
import { boundsOf } from './shapes.js';

/** @typedef {import('walkmesh').DynamicNavMesh} DynamicNavMesh */

/** An obstacle that the mesh must have. @typedef {{ key: string, obstacle: any }} Wanted obstacle: argument of addObstacle */

/**
 * @typedef {object} Entry
 * @property {number} handle 0: adding it failed
 * @property {number} order of addition
 * @property {any} obstacle
 * @property {string} text JSON of the obstacle, for comparison
 * @property {string | null} error reason it is not in the mesh
 */

/**
 * True if two obstacles give the same result in either order.
 * @param {any} a @param {any} b @param {number} margin world units around each
 */
export function commute(a, b, margin) {
  if ((a.area ?? 0) === (b.area ?? 0)) return true;
  const [here, there] = [boundsOf(a), boundsOf(b)];
  return [0, 2].some((axis) => here.min[axis] > there.max[axis] + margin || there.min[axis] > here.max[axis] + margin);
}

/** The exact value of an obstacle, the same for the document's form and the mesh's form. @param {any} obstacle */
function fingerprint({ isCarving: _, moveThreshold: __, timeToRest: ___, area = 0, beforeErosion = area === 0, carving = 'always', ...shape }) {
  const toBits = (/** @type {any} */ value) => (
    typeof value === 'number' ? Math.fround(value) : typeof value === 'string' ? value : Array.from(value, Math.fround));
  const fields = Object.keys(shape).sort().map((name) => [name, toBits(shape[name])]);
  return JSON.stringify([area, beforeErosion, carving, fields]);
}

export class ObstacleSync {
  /** @type {Map<string, Entry>} in the order of the document */
  #entries = new Map();
  /**
   * Obstacles that the mesh had when it was opened; equal obstacles of the document reuse them.
   * @type {Map<string, number[]>}
   */
  #found = new Map();
  #dynamic;
  #margin;
  #added = 0;

  /** @param {DynamicNavMesh} dynamic */
  constructor(dynamic) {
    this.#dynamic = dynamic;
    const { agentRadius, cellSize } = dynamic.navMesh.parameters;
    this.#margin = 2 * agentRadius + 4 * cellSize;
    for (const handle of dynamic.obstacles()) {
      const print = fingerprint(dynamic.obstacle(handle));
      this.#found.set(print, [...this.#found.get(print) ?? [], handle]);
    }
  }

  /** @param {string} key @returns {number} the handle; 0: not in the mesh */
  handle(key) {
    return this.#entries.get(key)?.handle ?? 0;
  }

  /** Messages of obstacles that are not in the mesh, by key. @returns {Record<string, string>} */
  get errors() {
    return Object.fromEntries([...this.#entries].flatMap(([key, { error }]) => (error === null ? [] : [[key, error]])));
  }

  /** @param {readonly Wanted[]} wanted each key once @returns {boolean} true if the mesh changed */
  update(wanted) {
    const keys = new Set(wanted.map(({ key }) => key));
    let isChanged = false;
    for (const [key, { handle }] of this.#entries) {
      if (keys.has(key)) continue;
      if (handle !== 0) this.#dynamic.removeObstacle(handle);
      this.#entries.delete(key);
      isChanged = true;
    }
    const before = this.#entries;
    this.#entries = new Map();
    let last = 0;
    for (const { key, obstacle } of wanted) {
      const known = before.get(key);
      const entry = this.#bring(known, obstacle, last);
      isChanged ||= entry !== known;
      last = Math.max(last, entry.order);
      this.#entries.set(key, entry);
    }
    return isChanged;
  }

  /** Notes that an obstacle has moved away from its position in the document; the next update moves it back. @param {string} key */
  moved(key) {
    const entry = this.#entries.get(key);
    if (entry) this.#entries.set(key, { ...entry, text: '' });
  }

  /**
   * @param {Entry | undefined} known @param {any} obstacle @param {number} last highest order of the preceding obstacles
   * @returns {Entry}
   */
  #bring(known, obstacle, last) {
    const text = JSON.stringify(obstacle);
    if (!known || known.handle === 0) return known?.text === text ? known : this.#add(obstacle, text);
    if (known.order < last && this.#isOvertaken(known.order, obstacle)) {
      this.#dynamic.removeObstacle(known.handle);
      return this.#add(obstacle, text);
    }
    return known.text === text ? known : this.#change(known, obstacle, text);
  }

  /**
   * True if an obstacle that precedes it in the document, and overlaps it, was added later.
   * @param {number} order @param {any} obstacle
   */
  #isOvertaken(order, obstacle) {
    for (const other of this.#entries.values()) {
      if (other.handle !== 0 && other.order > order && !commute(other.obstacle, obstacle, this.#margin)) return true;
    }
    return false;
  }

  /** The message of an obstacle that changes nothing; null: it lies in the level. @param {number} handle */
  #describeParked(handle) {
    return this.#dynamic.isOutside(handle) ? 'Outside the level: blocks nothing' : null;
  }

  /** @param {any} obstacle @param {string} text @returns {Entry} */
  #add(obstacle, text) {
    const order = ++this.#added;
    try {
      const found = this.#found.size > 0 ? this.#found.get(fingerprint(obstacle))?.shift() : undefined;
      const handle = found ?? this.#dynamic.addObstacle(obstacle);
      return { handle, order, obstacle, text, error: this.#describeParked(handle) };
    } catch (error) {
      return { handle: 0, order, obstacle, text, error: /** @type {Error} */ (error).message };
    }
  }

  /** @param {Entry} known @param {any} obstacle @param {string} text @returns {Entry} */
  #change(known, obstacle, text) {
    try {
      this.#dynamic.changeObstacle(known.handle, obstacle);
      return { ...known, obstacle, text, error: this.#describeParked(known.handle) };
    } catch (error) {
      // It left its old position, and the new one is invalid.
      this.#dynamic.removeObstacle(known.handle);
      return { ...known, handle: 0, obstacle, text, error: /** @type {Error} */ (error).message };
    }
  }
}
