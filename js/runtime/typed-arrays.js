/**
 * The way in for typed arrays of callers. Their type, length and numbers are read by the language's own getters, once: a class
 * derived from Float32Array, or a single array, may define others (`length`, `subarray`, `Symbol.species`) that say anything.
 *
 * Three things are safe with any array that has a type here: lengthOf, reading a number by its index, and passing the array to
 * `set` of an array of ours. Everything else needs viewOf.
 */
import { NavError, invalidArgument } from './errors.js';

/** @typedef {Float32Array | Float64Array | Int8Array | Int16Array | Int32Array | Uint8Array | Uint8ClampedArray | Uint16Array | Uint32Array} NumberArray */

const PROTOTYPE = Object.getPrototypeOf(Uint8Array.prototype);

/** @param {PropertyKey} name @returns {(array: unknown) => any} throws a TypeError unless it is a typed array, except for the type */
const getterOf = (name) => Function.prototype.call.bind(/** @type {any} */ (Object.getOwnPropertyDescriptor(PROTOTYPE, name)).get);

/** The name of a typed array's type, as 'Float32Array'; undefined for all other values, a proxy of a typed array among them. @type {(value: unknown) => string | undefined} */
export const typeOf = getterOf(Symbol.toStringTag);

/** The length of a typed array; 0 if its buffer was transferred. @type {(array: NumberArray) => number} */
export const lengthOf = getterOf('length');

const bufferOf = getterOf('buffer');
const offsetOf = getterOf('byteOffset');

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
  if (!(Number.isSafeInteger(count) && /** @type {number} */ (count) >= 0)) throw invalidArgument(field, `has the length ${String(count)}: must be a whole number`, count);
  try {
    return new Type(/** @type {number} */ (count));
  } catch (cause) {
    throw new NavError('out-of-memory', `out of memory for ${field}, which has ${count} numbers`, { field, cause });
  }
}
