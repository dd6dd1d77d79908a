/**
 * The way in for typed arrays of callers. Their type, length and numbers are read by the language's own getters, once: a class
 * derived from Float32Array, or a single array, may define others (`length`, `subarray`, `Symbol.species`) that say anything.
 *
 * Three things are safe with any array that has a type here: lengthOf, reading a number by its index, and passing the array to
 * `set` of an array of ours. Everything else needs viewOf.
 */
import { NavError, describe, invalidArgument } from './errors.js';

/** @typedef {Float32Array | Float64Array | Int8Array | Int16Array | Int32Array | Uint8Array | Uint8ClampedArray | Uint16Array | Uint32Array} NumberArray */

/** The prototype of the prototypes of all typed arrays. */
export const TYPED_ARRAY = Object.getPrototypeOf(Uint8Array.prototype);

/**
 * A getter of the language, as a function. It throws a TypeError for objects that are not of the prototype's kind.
 * @param {object} prototype @param {PropertyKey} name @returns {(owner: unknown) => any} returns undefined where the engine lacks the getter
 */
export function getterOf(prototype, name) {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
  return get ? Function.prototype.call.bind(get) : () => undefined;
}

/** The name of a typed array's type, as 'Float32Array'; undefined for all other values, a proxy of a typed array among them. @type {(value: unknown) => string | undefined} */
export const typeOf = getterOf(TYPED_ARRAY, Symbol.toStringTag);

/** The length of a typed array; 0 if its buffer was transferred. @type {(array: NumberArray) => number} */
export const lengthOf = getterOf(TYPED_ARRAY, 'length');

const bufferOf = getterOf(TYPED_ARRAY, 'buffer');
const offsetOf = getterOf(TYPED_ARRAY, 'byteOffset');

/** Engines may lack Float16Array. @type {Readonly<Record<string, any>>} */
const NUMBER_TYPES = Object.fromEntries(['Float16Array', 'Float32Array', 'Float64Array', 'Int8Array', 'Int16Array', 'Int32Array', 'Uint8Array',
  'Uint8ClampedArray', 'Uint16Array', 'Uint32Array'].map((name) => [name, /** @type {any} */ (globalThis)[name]]));

/** True for a typed array of numbers: not of bigints. @param {unknown} value @returns {value is NumberArray} */
export function isNumberArray(value) {
  const type = typeOf(value);
  return type !== undefined && type in NUMBER_TYPES;
}

/**
 * A view of a typed array's numbers that has only the language's own properties.
 * @template {NumberArray} T @param {T} array @param {number} [count] of the first numbers; default: all @returns {T}
 */
export function viewOf(array, count = lengthOf(array)) {
  const Type = NUMBER_TYPES[/** @type {string} */ (typeOf(array))];
  return count === 0 ? new Type(0) : new Type(bufferOf(array), offsetOf(array), count); // a transferred buffer allows no views
}

/**
 * A new array for numbers that a caller counted.
 * @template T @param {new (count: number) => T} Type @param {unknown} count @param {string} field @returns {T}
 */
export function makeArray(Type, count, field) {
  if (!(Number.isSafeInteger(count) && /** @type {number} */ (count) >= 0)) throw invalidArgument(field, `has the length ${describe(count)}: must be a whole number`, count);
  try {
    return new Type(/** @type {number} */ (count));
  } catch (cause) {
    throw new NavError('out-of-memory', `out of memory for ${field}, which has ${count} numbers`, { field, cause });
  }
}
