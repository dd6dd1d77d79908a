/** Arrays of numbers with the methods of recast-navigation's. Their memory is JavaScript's: destroy does nothing. */

import { requireNumbers } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { isNumberArray, lengthOf, makeArray, viewOf } from '../runtime/typed-arrays.js';
import { requireNumber } from './arguments.js';

/** @typedef {Float32Array | Float64Array | Int32Array | Uint32Array | Uint8Array | Uint16Array} Numbers */

/**
 * Results contain it directly; users create one of the classes below.
 * @template {Numbers} T
 */
export class NumberArray {
  #numbers;

  /** @param {T} numbers */
  constructor(numbers) {
    if (!isNumberArray(numbers)) throw invalidArgument('raw', `must be a typed array, not ${describe(numbers)}`, numbers);
    this.#numbers = numbers;
  }

  /** True for an array of one of these classes: not for a proxy of one. @internal @param {unknown} value @returns {value is NumberArray<any>} */
  static isOne(value) {
    return typeof value === 'object' && value !== null && #numbers in value;
  }

  /** An array of these numbers themselves. @template {Numbers} R @template {NumberArray<R>} A @this {new (raw: R) => A} @param {R} raw @returns {A} */
  static fromRaw(raw) {
    return new this(raw);
  }

  /** The numbers themselves: there is no object of the module. @returns {T} */
  get raw() {
    return this.#numbers;
  }

  get size() {
    return lengthOf(this.#numbers);
  }

  /** @param {number} i @returns {number} */
  get(i) {
    return this.#numbers[requireNumber(i, 'i')];
  }

  /** @param {number} i @param {number} value */
  set(i, value) {
    this.#numbers[requireNumber(i, 'i')] = requireNumber(value, 'value');
  }

  /** Sets the length; all numbers are 0 afterwards, as in theirs. @param {number} size */
  resize(size) {
    this.#numbers = makeArray(/** @type {any} */ (viewOf(this.#numbers, 0).constructor), size, 'size');
  }

  /** Replaces all numbers. @param {ArrayLike<number>} data */
  copy(data) {
    const numbers = requireNumbers(data, 'data');
    this.resize(numbers.length);
    this.#numbers.set(numbers);
  }

  /** The numbers themselves. @returns {T} */
  getHeapView() {
    return this.#numbers;
  }

  /** A copy. @returns {T} */
  toTypedArray() {
    return /** @type {T} */ (viewOf(this.#numbers).slice());
  }

  destroy() {}
}

/** @extends {NumberArray<Int32Array>} */
export class IntArray extends NumberArray {
  /** @param {Int32Array} [raw] */
  constructor(raw = new Int32Array(0)) {
    super(raw);
  }
}

/** @extends {NumberArray<Uint32Array>} */
export class UnsignedIntArray extends NumberArray {
  /** @param {Uint32Array} [raw] */
  constructor(raw = new Uint32Array(0)) {
    super(raw);
  }
}

/** @extends {NumberArray<Uint8Array>} */
export class UnsignedCharArray extends NumberArray {
  /** @param {Uint8Array} [raw] */
  constructor(raw = new Uint8Array(0)) {
    super(raw);
  }
}

/** @extends {NumberArray<Uint16Array>} */
export class UnsignedShortArray extends NumberArray {
  /** @param {Uint16Array} [raw] */
  constructor(raw = new Uint16Array(0)) {
    super(raw);
  }
}

/** @extends {NumberArray<Float32Array>} */
export class FloatArray extends NumberArray {
  /** @param {Float32Array} [raw] */
  constructor(raw = new Float32Array(0)) {
    super(raw);
  }
}
