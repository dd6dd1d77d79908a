/**
 * Keeps the switches of a navigation mesh equal to the doors and the areas that are not walkable in the document. Both are
 * switches over polygons and need no rebuild.
 */
import { DOOR } from './areas.js';
import { boundsOf, subtract, add } from './shapes.js';

/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('walkmesh').SwitchOptions} SwitchOptions */
/** @typedef {import('./areas.js').Area} Area */
/** @typedef {import('../state/document.js').Document['doors'][number]} Door */
/** @typedef {{ number: number, text: string, isOn: boolean, error: string | null }} Entry number 0: adding it failed */
/** @typedef {{ key: string, isOn: boolean, options: SwitchOptions }} Wanted */

/** Flags that every filter needs. */
const ALL_FLAGS = 0xffff;

/** Margin around a door's box for its polygons, world units: covers the rounding to cells. */
const MARGIN = 0.5;

/** Enlarges a volume. @param {any} shape a box or a rotatedBox @param {number} margin */
export function widen(shape, margin) {
  const by = [margin, margin, margin];
  if (shape.kind === 'rotatedBox') return { ...shape, halfExtents: add(shape.halfExtents, by) };
  const { min, max } = boundsOf(shape);
  return { kind: 'box', min: subtract(min, by), max: add(max, by) };
}

/**
 * The switches of doors. Where polygons end at doors (a dynamic mesh), a switch blocks only polygons of the door's own area;
 * elsewhere all polygons its box touches.
 * @param {readonly Door[]} doors @param {{ isExact: boolean, cellSize: number }} options @returns {Wanted[]}
 */
export function doorSwitches(doors, { isExact, cellSize }) {
  const names = new Set();
  return doors.map(({ id, name, shape, open }) => {
    const unique = name && !names.has(name) ? name : `${name || 'Door'} (${id})`;
    names.add(unique);
    const cover = isExact ? { volume: widen(shape, Math.max(MARGIN, 2 * cellSize)), area: DOOR } : { volume: shape };
    return { key: `door ${id}`, isOn: !open, options: { ...cover, name: unique, clearFlags: ALL_FLAGS } };
  });
}

/**
 * The switches of areas that are not walkable: one over the whole level for each.
 * @param {readonly Area[]} areas @param {import('./shapes.js').Box} bounds of the mesh @returns {Wanted[]}
 */
export function areaSwitches(areas, bounds) {
  return areas.filter(({ walkable }) => !walkable).map(({ id }) => ({
    key: `area ${id}`, isOn: true, options: { volume: /** @type {const} */ ({ kind: 'box', ...bounds }), area: id, clearFlags: ALL_FLAGS },
  }));
}

export class SwitchSync {
  #switches;
  /** @type {Map<string, Entry>} */
  #entries = new Map();

  /** @param {NavMesh} navMesh */
  constructor(navMesh) {
    this.#switches = navMesh.createSwitches();
  }

  /** Errors of doors that are not in the mesh, by key. @returns {Record<string, string>} */
  get errors() {
    return Object.fromEntries([...this.#entries].flatMap(([key, { error }]) => (error === null ? [] : [[key, error]])));
  }

  /** The handle of a switch. @param {string} key @returns {number} 0: not in the mesh */
  number(key) {
    return this.#entries.get(key)?.number ?? 0;
  }

  /** The polygons of a switch. @param {string} key @returns {Float64Array} */
  polygons(key) {
    const { number = 0 } = this.#entries.get(key) ?? {};
    return number === 0 ? new Float64Array(0) : this.#switches.polygons(number);
  }

  /** Tiles were added by code other than the dynamic mesh. */
  followTiles() {
    this.#switches.update();
  }

  /** @param {readonly Wanted[]} wanted each key once @returns {boolean} true if the mesh changed */
  update(wanted) {
    const keys = new Set(wanted.map(({ key }) => key));
    let isChanged = false;
    // Removes and changes switches first, so that their names are free.
    const texts = new Map(wanted.map(({ key, options }) => [key, JSON.stringify(options)]));
    for (const [key, { number, text }] of this.#entries) {
      if (keys.has(key) && texts.get(key) === text) continue;
      if (number !== 0) this.#switches.remove(number);
      this.#entries.delete(key);
      isChanged = true;
    }
    for (const { key, isOn, options } of wanted) {
      const known = this.#entries.get(key);
      if (known?.isOn === isOn) continue;
      isChanged = true;
      if (!known) this.#entries.set(key, this.#add(options, isOn, /** @type {string} */ (texts.get(key))));
      else {
        if (known.number !== 0) this.#switches.set(known.number, isOn);
        this.#entries.set(key, { ...known, isOn });
      }
    }
    return isChanged;
  }

  /** @param {SwitchOptions} options @param {boolean} isOn @param {string} text @returns {Entry} */
  #add(options, isOn, text) {
    try {
      return { number: this.#switches.add({ ...options, isOn }), text, isOn, error: null };
    } catch (error) {
      return { number: 0, text, isOn, error: /** @type {Error} */ (error).message };
    }
  }
}
