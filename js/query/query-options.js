/** Options that several queries share. */
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
