/** Points as `{ x, y, z }`, and recast-navigation's helpers for them. */

import { requireCount, requireNumbers } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { requireNumber, requireObject, requireVector } from './arguments.js';

/** @typedef {{ x: number, y: number, z: number }} Vector3 */

/** @param {ArrayLike<number>} numbers @param {number} [at] @returns {Vector3} */
export const toVector = (numbers, at = 0) => ({ x: numbers[at], y: numbers[at + 1], z: numbers[at + 2] });

/** @returns {Vector3} */
export const zero = () => ({ x: 0, y: 0, z: 0 });

/** @param {Vector3} source @param {Vector3} [out] */
const copy = (source, out = zero()) => {
  Object.assign(requireObject(out, 'out'), requireVector(source, 'source'));
};

/** The most items of array(). */
const MOST_ITEMS = 2 ** 24;

/** Like theirs; a "raw" vector is a plain object, as there is none of the module. */
export const vec3 = Object.freeze({
  /** @param {Vector3} vector @param {Vector3} [existing] @returns {Vector3} */
  toRaw: (vector, existing = zero()) => Object.assign(requireObject(existing, 'existing'), requireVector(vector, 'vector')),
  /** @param {Vector3} vector @returns {Vector3} */
  fromRaw: (vector) => requireVector(vector, 'vector'),
  /** @param {ArrayLike<number>} numbers */
  fromArray: (numbers) => toVector(requireNumbers(numbers, 'numbers')),
  /** @param {Vector3} vector @returns {[number, number, number]} */
  toArray(vector) {
    const { x, y, z } = requireVector(vector, 'vector');
    return [x, y, z];
  },
  /** @param {Vector3} a @param {Vector3} b @param {number} t @param {Vector3} [out] */
  lerp(a, b, t, out) {
    const [from, to, share] = [requireVector(a, 'a'), requireVector(b, 'b'), requireNumber(t, 't')];
    copy({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share, z: from.z + (to.z - from.z) * share }, out);
  },
  copy,
});

/** @template T @param {(index: number) => T} getter @param {number} count @returns {T[]} */
export function array(getter, count) {
  if (typeof getter !== 'function') throw invalidArgument('getter', `must be a function, not ${describe(getter)}`, getter);
  return Array.from({ length: requireCount(count, 'count', MOST_ITEMS) }, (_, i) => getter(i));
}
