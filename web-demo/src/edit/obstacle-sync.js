/**
 * Brings the obstacles of a document into a dynamic mesh, and keeps them there as the document changes: by comparing, so that undo,
 * redo and other addresses just work. The ground in doors is among them: obstacles that give it an area of its own.
 *
 * A tile depends on the order in which obstacles were added where they overlap and differ in area: of such the order in the
 * document is kept, so that the mesh is what a bake with the document's obstacles would be.
 */
import { boundsOf } from './shapes.js';

/** @typedef {import('walkmesh').DynamicNavMesh} DynamicNavMesh */

/** What shall be in the mesh. @typedef {{ key: string, obstacle: any }} Wanted obstacle: as addObstacle takes it */

/**
 * @typedef {object} Entry
 * @property {number} handle 0: it could not be added
 * @property {number} order in which it was added
 * @property {any} obstacle
 * @property {string} text of the obstacle, to compare
 * @property {string | null} error why it is not in the mesh
 */

/**
 * Whether two obstacles have the same effect in either order.
 * @param {any} a @param {any} b @param {number} margin world units around each
 */
export function commute(a, b, margin) {
  if ((a.area ?? 0) === (b.area ?? 0)) return true;
  const [here, there] = [boundsOf(a), boundsOf(b)];
  return [0, 2].some((axis) => here.min[axis] > there.max[axis] + margin || there.min[axis] > here.max[axis] + margin);
}

/** What an obstacle is to the last bit, whether it is as it was given or as the mesh has it. @param {any} obstacle */
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
   * Obstacles that the mesh came with, out of a file: they are taken for those of the document that are alike.
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

  /** @param {string} key @returns {number} the handle; 0 where it is not in the mesh */
  handle(key) {
    return this.#entries.get(key)?.handle ?? 0;
  }

  /** Why obstacles are not in the mesh, by key. @returns {Record<string, string>} */
  get errors() {
    return Object.fromEntries([...this.#entries].flatMap(([key, { error }]) => (error === null ? [] : [[key, error]])));
  }

  /** @param {readonly Wanted[]} wanted each key once @returns {boolean} whether anything was changed */
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

  /** Says that an obstacle is elsewhere now than the document has it: the next update puts it back. @param {string} key */
  moved(key) {
    const entry = this.#entries.get(key);
    if (entry) this.#entries.set(key, { ...entry, text: '' });
  }

  /**
   * @param {Entry | undefined} known @param {any} obstacle @param {number} last the highest order of those before it
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
   * Whether one that comes before it in the document, and matters to it, was added later.
   * @param {number} order @param {any} obstacle
   */
  #isOvertaken(order, obstacle) {
    for (const other of this.#entries.values()) {
      if (other.handle !== 0 && other.order > order && !commute(other.obstacle, obstacle, this.#margin)) return true;
    }
    return false;
  }

  /** @param {any} obstacle @param {string} text @returns {Entry} */
  #add(obstacle, text) {
    const order = ++this.#added;
    try {
      const found = this.#found.size > 0 ? this.#found.get(fingerprint(obstacle))?.shift() : undefined;
      return { handle: found ?? this.#dynamic.addObstacle(obstacle), order, obstacle, text, error: null };
    } catch (error) {
      return { handle: 0, order, obstacle, text, error: /** @type {Error} */ (error).message };
    }
  }

  /** @param {Entry} known @param {any} obstacle @param {string} text @returns {Entry} */
  #change(known, obstacle, text) {
    try {
      this.#dynamic.changeObstacle(known.handle, obstacle);
      return { ...known, obstacle, text };
    } catch (error) {
      // Where it was it is no longer, and where it is to be it cannot be.
      this.#dynamic.removeObstacle(known.handle);
      return { ...known, handle: 0, obstacle, text, error: /** @type {Error} */ (error).message };
    }
  }
}
