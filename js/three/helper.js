/**
 * The base class of drawing helpers: bakes and ray casts ignore it, it is never culled (its arrays change without new bounds),
 * and dispose() frees everything that it has on the GPU.
 */
import { Object3D } from 'three';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { isRecord, requireNumbers } from '../runtime/arguments.js';
import { isOfKind } from '../runtime/foreign.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { unknownName } from '../runtime/option-names.js';
import { isNumberArray, lengthOf } from '../runtime/typed-arrays.js';

/** Draw order of transparent parts on the surface: lower first. */
export const RENDER_ORDER = { surface: 1, edges: 2, links: 3, contours: 4, ghosts: 5, solids: 6 };

export class Helper extends Object3D {
  /** @type {Set<{ dispose: () => void }>} */
  #owned = new Set();
  #isDisposed = false;

  constructor() {
    super();
    this.userData.walkmesh = { ignore: true };
  }

  /**
   * Adds a part that is drawn. @internal
   * @template {Object3D} T
   * @param {T} part @param {number} order of RENDER_ORDER
   */
  addPart(part, order) {
    part.renderOrder = order;
    part.frustumCulled = false;
    part.raycast = () => {};
    this.add(part);
    return part;
  }

  /** Registers a resource for dispose(). @internal @template {{ dispose: () => void }} T @param {T} resource @returns {T} */
  own(resource) {
    this.#owned.add(resource);
    return resource;
  }

  /** Throws after dispose(). @internal */
  check() {
    if (this.#isDisposed) throw new NavError('state', `this ${this.type} was disposed of: make another one (in React, in the effect whose cleanup disposes of it)`);
  }

  /** Frees geometries and materials, and leaves the scene. Later calls throw, except another dispose(). */
  dispose() {
    this.#isDisposed = true;
    this.removeFromParent();
    this.clear();
    for (const resource of this.#owned) resource.dispose();
    this.#owned.clear();
  }
}

/** @param {import('../mesh/mesh.js').NavMesh} navMesh */
export function requireNavMesh(navMesh) {
  if (isOfKind(navMesh, NAV_MESH)) return navMesh;
  throw invalidArgument('navMesh', `must be a NavMesh, not ${describe(navMesh)}`, navMesh);
}

/** Throws if options are no object. @template {object} T @param {T} options @returns {T} */
export function requireObject(options) {
  if (isRecord(options)) return options;
  throw invalidArgument('options', `must be an object, not ${describe(options)}`, options);
}

/**
 * Numbers of the user: a typed array itself, so that no frame allocates, or a copy of another array, whose elements are checked.
 * @param {unknown} numbers @param {string} field @param {number} least length @returns {ArrayLike<number>}
 */
export function readNumbers(numbers, field, least) {
  const list = isNumberArray(numbers) ? numbers : requireNumbers(numbers, field);
  if (lengthOf(list) >= least) return list;
  throw new NavError('invalid-argument', `${field} has ${lengthOf(list)} numbers: must have ${least}`, { field });
}

/** Throws unless the first numbers of a list are finite. @param {ArrayLike<number>} list @param {number} count @param {string} field */
export function requireFinite(list, count, field) {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += list[i] * 0;
  if (sum === 0) return;
  let at = 0;
  while (Number.isFinite(list[at])) at++;
  throw invalidArgument(`${field}[${at}]`, `is ${list[at]}: must be finite`, list[at]);
}

/** The target of a colour. @param {import('three').Color} target */
export function requireColor(target) {
  if (typeof target === 'object' && target?.isColor) return target;
  throw invalidArgument('target', `must be a Color, not ${describe(target)}`, target);
}

/** Lengths and times, which aren't negative. */
const AMOUNTS = ['radius', 'height', 'lineRadius', 'arrowSize', 'seconds'];

/** @param {string} name of an option @param {number} value */
function requireInRange(name, value) {
  if (name === 'opacity' && !(value >= 0 && value <= 1)) throw invalidArgument(name, `is ${value}: must be 0 to 1`, value);
  if (AMOUNTS.includes(name) && value < 0) throw invalidArgument(name, `is ${value}: must be 0 or more`, value);
}

/**
 * Fills in defaults for missing options, and checks the types of the others.
 * @template {Record<string, unknown>} T
 * @param {object | undefined} options @param {T} defaults
 * @returns {T}
 */
export function readOptions(options, defaults) {
  if (options !== undefined) requireObject(options);
  const result = { ...defaults };
  for (const [name, value] of Object.entries(options ?? {})) {
    if (!Object.hasOwn(defaults, name)) {
      throw unknownName(name, Object.keys(defaults), value);
    }
    if (value === undefined) continue;
    const standard = defaults[name];
    const mustBeNumber = typeof standard === 'number' && name !== 'color';
    if (mustBeNumber) {
      if (!(typeof value === 'number' && Number.isFinite(value))) throw invalidArgument(name, `is ${describe(value)}: must be a number`, value);
      requireInRange(name, value);
    }
    if (typeof standard === 'function' && typeof value !== 'function') throw invalidArgument(name, `must be a function, not ${describe(value)}`, value);
    if (typeof standard === 'boolean' && typeof value !== 'boolean') {
      throw invalidArgument(name, `is ${describe(value)}: must be true or false`, value);
    }
    /** @type {any} */ (result)[name] = value;
  }
  return result;
}
