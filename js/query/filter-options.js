/** Filters as plain objects, which are written into the module for each query. */
import { AREA_COUNT, isRecord, requireByArea, requireCount } from '../runtime/arguments.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { nameSet, requireNames } from '../runtime/option-names.js';
import { WmFilter } from '../runtime/layout.js';

/** @typedef {import('../runtime/session.js').Session} Session */

/**
 * A filter as a plain object. If it and its areaCosts are frozen, it is written once for consecutive queries.
 * @typedef {object} FilterOptions
 * @property {number} [includeFlags] polygons must have at least one of these flags; default 0xffff
 * @property {number} [excludeFlags] polygons must have none of these flags; default 0
 * @property {ArrayLike<number> | Readonly<Record<number, number>>} [areaCosts] the cost of a world unit by area, finite, 0 or
 *   more: 64 numbers, or those of some areas, as { 3: 20 }; default 1 each
 */

const FILTER_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<FilterOptions>} */ ({ includeFlags: 1, excludeFlags: 1, areaCosts: 1 }));

/** Word of a WmFilter. */
export const AREA_COSTS_AT = WmFilter.areaCosts;

/** @param {unknown} cost @param {string} field @param {number} [index] in the array of the field */
export function requireCost(cost, field, index) {
  if (typeof cost === 'number' && cost >= 0 && Math.fround(cost) < Infinity) return cost;
  const name = index === undefined ? field : `${field}[${index}]`;
  throw new NavError('invalid-argument', `${name} is ${describe(cost)}: must be finite, 0 or more`, { field, value: cost });
}

/** @param {Session} session @param {number} at word of a filter @param {FilterOptions['areaCosts']} areaCosts */
export function writeAreaCosts(session, at, areaCosts) {
  const costs = requireByArea(areaCosts, 'filter.areaCosts', 1);
  const { f32 } = session;
  for (let i = 0; i < AREA_COUNT; i++) f32[at + AREA_COSTS_AT + i] = requireCost(costs[i], 'filter.areaCosts', i);
}

/**
 * Writes the filter of one query.
 * @param {Session} session @param {FilterOptions} filter
 * @returns {number} its address
 */
export function writeFilter(session, filter) {
  const at = session.filter;
  if (filter === session.frozenFilter) return 4 * at;
  if (!isRecord(filter)) {
    throw invalidArgument('filter', `must be a Filter or an object of filter options, not ${describe(filter)}`, filter);
  }
  const { includeFlags = 0xffff, excludeFlags = 0, areaCosts } = filter;
  if ('polygonCosts' in filter) {
    throw invalidArgument('filter.polygonCosts', 'needs a filter made by NavMesh.createFilter', filter.polygonCosts);
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
