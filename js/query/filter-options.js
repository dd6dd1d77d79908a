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
 *   more: 64 numbers, or those of some areas, as { 3: 20 }; default 1 each. Unmarked ground of a mesh has area 0 (during the bake, 63)
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

/** The costs that are being read: one array, since filters are written for every query. */
const read = new Float32Array(AREA_COUNT);

/**
 * @param {Session} session @param {number} calls session.calls, from before anything of the filter was read
 * @param {number} at word of a filter @param {FilterOptions['areaCosts']} areaCosts
 */
export function writeAreaCosts(session, calls, at, areaCosts) {
  const costs = requireByArea(areaCosts, 'filter.areaCosts', 1);
  for (let i = 0; i < AREA_COUNT; i++) read[i] = requireCost(costs[i], 'filter.areaCosts', i);
  session.requireNoCallSince(calls);
  session.f32.set(read, at + AREA_COSTS_AT);
}

/**
 * Writes the filter of one query.
 * @param {Session} session @param {FilterOptions} filter
 * @returns {number} its address
 */
export function writeFilter(session, filter) {
  const { filter: at, calls } = session;
  if (filter === session.frozenFilter) return 4 * at;
  if (!isRecord(filter)) {
    throw invalidArgument('filter', `must be a Filter or an object of filter options, not ${describe(filter)}`, filter);
  }
  const { includeFlags = 0xffff, excludeFlags = 0, areaCosts } = filter;
  if ('polygonCosts' in filter) {
    throw invalidArgument('filter.polygonCosts', 'needs a filter made by NavMesh.createFilter', filter.polygonCosts);
  }
  requireNames(filter, FILTER_NAMES, 'filter.');
  const flags = requireCount(includeFlags, 'filter.includeFlags', 0xffff) | (requireCount(excludeFlags, 'filter.excludeFlags', 0xffff) << 16);
  const isFrozen = areaCosts !== undefined && Object.isFrozen(filter) && Object.isFrozen(areaCosts);
  session.frozenFilter = undefined;
  if (areaCosts !== undefined) {
    session.hasFilterCosts = true;
    writeAreaCosts(session, calls, at, areaCosts);
    if (isFrozen) session.frozenFilter = filter;
  } else if (session.hasFilterCosts) {
    session.f32.fill(1, at + AREA_COSTS_AT, at + AREA_COSTS_AT + AREA_COUNT);
    session.hasFilterCosts = false;
  }
  session.u32[at] = flags;
  return 4 * at;
}
