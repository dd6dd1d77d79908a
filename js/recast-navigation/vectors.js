/** Points as `{ x, y, z }`, and recast-navigation's helpers for them. */

/** @typedef {{ x: number, y: number, z: number }} Vector3 */

/** @param {ArrayLike<number>} numbers @param {number} [at] @returns {Vector3} */
export const toVector = (numbers, at = 0) => ({ x: numbers[at], y: numbers[at + 1], z: numbers[at + 2] });

/** @returns {Vector3} */
export const zero = () => ({ x: 0, y: 0, z: 0 });

/** @param {Vector3} source @param {Vector3} [out] */
const copy = ({ x, y, z }, out = zero()) => {
  Object.assign(out, { x, y, z });
};

/** Like theirs; a "raw" vector is a plain object, as there is none of the module. */
export const vec3 = Object.freeze({
  /** @param {Vector3} vector @param {Vector3} [existing] @returns {Vector3} */
  toRaw: ({ x, y, z }, existing = zero()) => Object.assign(existing, { x, y, z }),
  /** @param {Vector3} vector @returns {Vector3} */
  fromRaw: ({ x, y, z }) => ({ x, y, z }),
  /** @param {ArrayLike<number>} numbers */
  fromArray: (numbers) => toVector(numbers),
  /** @param {Vector3} vector @returns {[number, number, number]} */
  toArray: ({ x, y, z }) => [x, y, z],
  /** @param {Vector3} a @param {Vector3} b @param {number} t @param {Vector3} [out] */
  lerp: (a, b, t, out) => copy({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t, z: a.z + (b.z - a.z) * t }, out),
  copy,
});

/** @template T @param {(index: number) => T} getter @param {number} count @returns {T[]} */
export const array = (getter, count) => Array.from({ length: count }, (_, i) => getter(i));
