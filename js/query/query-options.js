/** Options that several queries share. */
import { NO_OPTIONS, requireOptions } from '../runtime/arguments.js';
import { nameSet } from '../runtime/option-names.js';

/** @typedef {import('./filter.js').Filter} Filter */
/** @typedef {import('./filter.js').FilterOptions} FilterOptions */
/** @template T @typedef {import('../runtime/option-names.js').Names<T>} Names */

/**
 * @typedef {object} FilterOption
 * @property {Filter | FilterOptions} [filter]
 */

/**
 * @typedef {object} LimitOption
 * @property {number} [maxPolygons] default 0: no limit
 */

export const FILTER_OPTION = nameSet(/** @satisfies {Names<FilterOption>} */ ({ filter: 1 }));
export const FILTER_AND_LIMIT = nameSet(/** @satisfies {Names<FilterOption & LimitOption>} */ (
  { filter: 1, maxPolygons: 1 }));
export const MOVE_NAMES = nameSet({ filter: 1, onSurface: 1 });

/** The maximum of counts in C. */
export const COUNT_LIMIT = 0xffffffff;

/**
 * Checks the names of options. Rays, moves, nearest points and paths run thousands of times a frame, mostly with the same object, and
 * checking the names takes up to a fifth of a query: they store the result, and check only other objects. Options with a filter or
 * islands are not stored, which would keep these alive.
 * @template T @param {T} options @param {import('../runtime/option-names.js').NameSet} names @returns {object} options that need no further check
 */
export function checkNames(options, names) {
  const { filter, islands } = /** @type {{ filter?: unknown, islands?: unknown }} */ (requireOptions(options, names));
  return filter === undefined && islands === undefined ? /** @type {object} */ (options) : NO_OPTIONS;
}
