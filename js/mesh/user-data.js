/** Data of the application, as JSON stores it. What JSON would change without a word is refused. */
import { NavError, describe, invalidArgument } from '../runtime/errors.js';

/** Why JSON can't store a value as it is; null: it can. @param {unknown} value @param {boolean} isItem of an array */
function problemOf(value, isItem) {
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'JSON has no such number';
  if (typeof value === 'function' || typeof value === 'symbol') return 'it has no JSON';
  if (value === undefined) return isItem ? 'in an array, JSON makes it null' : null;
  if (ArrayBuffer.isView(value)) return 'JSON makes it an object: use Array.from, or text';
  return value instanceof ArrayBuffer || value instanceof Map || value instanceof Set ? 'JSON makes it an object: use an array' : null;
}

/**
 * The text of a value. Values with a toJSON, as dates, are stored as what it returns.
 * @param {unknown} data @returns {string | undefined} undefined: there is none
 */
export function toJson(data) {
  /** Where each object and array is. @type {Map<object, string>} */
  const places = new Map();
  /** @this {any} @param {string} key @param {unknown} value */
  function check(key, value) {
    const owner = places.get(this), isItem = Array.isArray(this);
    const place = owner === undefined ? 'userData' : isItem ? `${owner}[${key}]` : `${owner}.${key}`;
    const problem = problemOf(value, isItem);
    if (problem) throw invalidArgument(place, `is ${describe(value)}: ${problem}`, value);
    if (typeof value === 'object' && value !== null) places.set(value, place);
    return value;
  }
  try {
    return JSON.stringify(data, check);
  } catch (error) {
    if (error instanceof NavError) throw error;
    throw invalidArgument('userData', 'must be what JSON can store', data);
  }
}
