/**
 * Brings doors and areas that nobody may enter into a navigation mesh, and keeps them there as the document changes. Both are
 * switches over polygons: nothing is built for them.
 */
import { DOOR } from './areas.js';
import { boundsOf, subtract, add } from './shapes.js';

/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('walkmesh').SwitchOptions} SwitchOptions */
/** @typedef {import('./areas.js').Area} Area */
/** @typedef {import('../state/document.js').Document['doors'][number]} Door */
/** @typedef {{ number: number, text: string, isOn: boolean, error: string | null }} Entry number 0: it could not be added */
/** @typedef {{ key: string, isOn: boolean, options: SwitchOptions }} Wanted */

/** Flags that no filter misses. */
const ALL_FLAGS = 0xffff;

/** How much larger than the box of a door the volume is whose polygons it closes, world units: rounding to cells leaves none out. */
const MARGIN = 0.5;

/** A volume with room around it. @param {any} shape a box or a rotatedBox @param {number} margin */
export function widen(shape, margin) {
  const by = [margin, margin, margin];
  if (shape.kind === 'rotatedBox') return { ...shape, halfExtents: add(shape.halfExtents, by) };
  const { min, max } = boundsOf(shape);
  return { kind: 'box', min: subtract(min, by), max: add(max, by) };
}

/**
 * What the library is to be told of doors. Where polygons end at doors (a dynamic mesh), only those of the door's own area are
 * closed; elsewhere all that its box touches.
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
 * Of areas that are not walkable: one over the whole level each.
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

  /** Why doors are not in the mesh, by key. @returns {Record<string, string>} */
  get errors() {
    return Object.fromEntries([...this.#entries].flatMap(([key, { error }]) => (error === null ? [] : [[key, error]])));
  }

  /** The polygons under a switch. @param {string} key @returns {Float64Array} */
  polygons(key) {
    const { number = 0 } = this.#entries.get(key) ?? {};
    return number === 0 ? new Float64Array(0) : this.#switches.polygons(number);
  }

  /** After tiles have come from elsewhere than a dynamic mesh. */
  followTiles() {
    this.#switches.update();
  }

  /** @param {readonly Wanted[]} wanted each key once @returns {boolean} whether anything was changed */
  update(wanted) {
    const keys = new Set(wanted.map(({ key }) => key));
    let isChanged = false;
    // First those that go or become others: names are free then.
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
