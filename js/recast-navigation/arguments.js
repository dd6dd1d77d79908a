/** Checks of arguments of functions that have no status to report them by: they throw a NavError, as all of Walkmesh does. */
import { isRecord } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { isOfKind } from '../runtime/foreign.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';

/** @param {unknown} value @param {string} field */
export function requireNumber(value, field) {
  if (typeof value === 'number') return value;
  throw invalidArgument(field, `is ${describe(value)}: must be a number`, value);
}

/** @template {object} T @param {T} value @param {string} field @returns {T} */
export function requireObject(value, field) {
  if (isRecord(value)) return value;
  throw invalidArgument(field, `must be an object, not ${describe(value)}`, value);
}

/** A point, whose coordinates are read once. @param {any} vector @param {string} field @returns {import('./vectors.js').Vector3} */
export function requireVector(vector, field) {
  const { x, y, z } = requireObject(vector, field);
  if (typeof x === 'number' && typeof y === 'number' && typeof z === 'number') return { x, y, z };
  throw invalidArgument(field, `must be { x, y, z }, not ${describe(vector)}`, vector);
}

/** @param {boolean} isOne of the class @param {unknown} value @param {string} field @param {string} noun */
export function requireOne(isOne, value, field, noun) {
  if (!isOne) throw invalidArgument(field, `must be a ${noun} of walkmesh/recast-navigation, not ${describe(value)}`, value);
}

/** A material of three.js. @template T @param {T} material undefined: none @param {string} field @returns {T} */
export function requireMaterial(material, field) {
  if (material === undefined || (isRecord(material) && /** @type {any} */ (material).isMaterial)) return material;
  throw invalidArgument(field, `must be a Material, not ${describe(material)}`, material);
}

/** Walkmesh's own mesh of a mesh of recast-navigation. @param {any} navMesh @returns {import('../mesh/mesh.js').NavMesh} */
export function rawOf(navMesh) {
  const raw = navMesh?.raw;
  if (isOfKind(raw, NAV_MESH)) return raw;
  throw invalidArgument('navMesh', `must be a NavMesh of walkmesh/recast-navigation, not ${describe(navMesh)}`, navMesh);
}
