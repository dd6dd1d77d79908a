/** Which polygons may be used, and how dear they are: a plain object, written anew for each question. */
import { AREA_COUNT, isRecord, requireAmount, requireByArea, requireCount } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { nameSet, requireNames } from '../runtime/names.js';
import { WmFilter } from '../runtime/layout.js';

/** @typedef {import('../runtime/session.js').Session} Session */

/**
 * A filter as a plain object. One that is frozen, with areaCosts frozen too, is written once as long as it is used again
 * and again.
 * @typedef {object} FilterOptions
 * @property {number} [includeFlags] at least one of these is needed; default 0xffff
 * @property {number} [excludeFlags] none of these may be set; default 0
 * @property {ArrayLike<number> | Readonly<Record<number, number>>} [areaCosts] the cost of a world unit by area, finite, not
 *   negative: 64 numbers, or those of some areas, as { 3: 20 }; default 1 each
 */

const FILTER_NAMES = nameSet(/** @satisfies {import('../runtime/names.js').Names<FilterOptions>} */ ({ includeFlags: 1, excludeFlags: 1, areaCosts: 1 }));

/** Word of a WmFilter. */
export const AREA_COSTS_AT = WmFilter.areaCosts;

/** @param {unknown} cost @param {string} field */
export function requireCost(cost, field) {
  const number = Math.fround(requireAmount(cost, field));
  if (number === Infinity) throw invalidArgument(field, `is ${cost}: must be finite`, cost);
  return number;
}

/** @param {Session} session @param {number} at word of a filter @param {FilterOptions['areaCosts']} areaCosts */
export function writeAreaCosts(session, at, areaCosts) {
  const costs = requireByArea(areaCosts, 'filter.areaCosts', 1);
  const { f32 } = session;
  for (let i = 0; i < AREA_COUNT; i++) f32[at + AREA_COSTS_AT + i] = requireCost(costs[i], 'filter.areaCosts');
}

/**
 * Writes the filter of one question.
 * @param {Session} session @param {FilterOptions} filter
 * @returns {number} its address
 */
export function writeFilter(session, filter) {
  const at = session.filter;
  if (filter === session.frozenFilter) return 4 * at;
  if (!isRecord(filter)) {
    throw invalidArgument('filter', `must be a filter, not ${describe(filter)}`, filter);
  }
  const { includeFlags = 0xffff, excludeFlags = 0, areaCosts } = filter;
  if ('polygonCosts' in filter) {
    throw invalidArgument('filter.polygonCosts', 'needs a filter made by createFilter', filter.polygonCosts);
  }
  requireNames(filter, FILTER_NAMES, 'filter.');
  requireCount(includeFlags, 'filter.includeFlags', 0xffff);
  requireCount(excludeFlags, 'filter.excludeFlags', 0xffff);
  session.frozenFilter = undefined;
  session.u32[at] = includeFlags | (excludeFlags << 16);
  if (areaCosts !== undefined) {
    session.hasFilterCosts = true;
    writeAreaCosts(session, at, areaCosts);
    if (Object.isFrozen(filter) && Object.isFrozen(areaCosts)) session.frozenFilter = filter;
  } else if (session.hasFilterCosts) {
    session.f32.fill(1, at + AREA_COSTS_AT, at + AREA_COSTS_AT + AREA_COUNT);
    session.hasFilterCosts = false;
  }
  return 4 * at;
}
