/** Points as `{ x, y, z }`, and the array types that recast-navigation returns. */

/** @typedef {{ x: number, y: number, z: number }} Vector3 */

/** @param {ArrayLike<number>} numbers @param {number} [at] @returns {Vector3} */
export const toVector = (numbers, at = 0) => ({ x: numbers[at], y: numbers[at + 1], z: numbers[at + 2] });

/** @returns {Vector3} */
export const zero = () => ({ x: 0, y: 0, z: 0 });

/**
 * An array of numbers with the methods of recast-navigation's. Its memory is JavaScript's: destroy does nothing.
 * @template {Float32Array | Float64Array | Uint8Array | Uint16Array} T
 */
export class NumberArray {
  #numbers;

  /** @param {T} numbers */
  constructor(numbers) {
    this.#numbers = numbers;
  }

  get size() {
    return this.#numbers.length;
  }

  /** @param {number} i @returns {number} */
  get(i) {
    return this.#numbers[i];
  }

  /** @param {number} i @param {number} value */
  set(i, value) {
    this.#numbers[i] = value;
  }

  /** The numbers themselves. @returns {T} */
  getHeapView() {
    return this.#numbers;
  }

  /** A copy. @returns {T} */
  toTypedArray() {
    return /** @type {T} */ (this.#numbers.slice());
  }

  destroy() {}
}
