/** The options of a whole crowd. */
import { requireAmount, requireCount, requireOptions, writePoint } from '../runtime/arguments.js';
import { nameSet } from '../runtime/option-names.js';
import { WmCrowdOptions } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/session.js').Session} Session */

const COUNT_LIMIT = 0xffffffff;

/**
 * @typedef {object} CrowdOptions
 * @property {number} [searchBudget] polygons that all searches of a step may take up together, 1 and above; default 8192.
 *   Requests that find no room wait for the next steps, the oldest first
 * @property {number} [maxSearchNodes] polygons that one search may take up; default 0: no limit
 * @property {number} [maxStep] longer steps are divided into equal ones, seconds, above 0; default 0.05
 * @property {number} [maxSubsteps] into so many at most, 1 to 64; what is longer still is not simulated; default 8
 * @property {Point} [placeExtents] how far from the mesh agents and targets may be; default 2, 4, 2
 * @property {number} [focusRadius] agents farther than this from all points of setFocus think less often, world units, above 0;
 *   default 30
 * @property {number} [maxFields] searches that are shared by agents with about the same goal and kept for others until the mesh
 *   changes, 0 to 64; 0: every agent searches by itself; default 8
 * @property {number} [neighbourRange] how far agents look for others at most, world units, above 0; default 6
 */

const CROWD_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<CrowdOptions>} */ ({
  searchBudget: 1, maxSearchNodes: 1, maxStep: 1, maxSubsteps: 1, placeExtents: 1, focusRadius: 1, neighbourRange: 1,
  maxFields: 1 }));

/** Words of a WmCrowdOptions. */
const { searchBudget: SEARCH_BUDGET_AT, maxSearchNodes: MAX_SEARCH_NODES_AT, maxStep: MAX_STEP_AT, maxSubsteps: MAX_SUBSTEPS_AT,
  placeExtents: PLACE_EXTENTS_AT, focusRadius: FOCUS_RADIUS_AT, neighbourRange: NEIGHBOUR_RANGE_AT, maxFields: MAX_FIELDS_AT } = WmCrowdOptions;

/** Writes those that are given over those that stand in the inputs. @param {Session} session @param {CrowdOptions} options */
export function writeCrowdOptions(session, options) {
  const { searchBudget, maxSearchNodes, maxStep, maxSubsteps, placeExtents, focusRadius, neighbourRange, maxFields } = requireOptions(options, CROWD_NAMES);
  const { f32, u32, inputs } = session;
  if (searchBudget !== undefined) u32[inputs + SEARCH_BUDGET_AT] = requireCount(searchBudget, 'searchBudget', COUNT_LIMIT);
  if (maxSearchNodes !== undefined) u32[inputs + MAX_SEARCH_NODES_AT] = requireCount(maxSearchNodes, 'maxSearchNodes', COUNT_LIMIT);
  if (maxStep !== undefined) f32[inputs + MAX_STEP_AT] = requireAmount(maxStep, 'maxStep');
  if (maxSubsteps !== undefined) u32[inputs + MAX_SUBSTEPS_AT] = requireCount(maxSubsteps, 'maxSubsteps', COUNT_LIMIT);
  if (placeExtents !== undefined) writePoint(session, PLACE_EXTENTS_AT, placeExtents, 'placeExtents');
  if (focusRadius !== undefined) f32[inputs + FOCUS_RADIUS_AT] = requireAmount(focusRadius, 'focusRadius');
  if (maxFields !== undefined) u32[inputs + MAX_FIELDS_AT] = requireCount(maxFields, 'maxFields', COUNT_LIMIT);
  if (neighbourRange !== undefined) f32[inputs + NEIGHBOUR_RANGE_AT] = requireAmount(neighbourRange, 'neighbourRange');
}

/** Those that stand in the inputs. @param {Session} session @returns {Required<CrowdOptions> & { placeExtents: [number, number, number] }} */
export function readCrowdOptions({ f32, u32, inputs }) {
  const at = inputs + PLACE_EXTENTS_AT;
  return {
    searchBudget: u32[inputs + SEARCH_BUDGET_AT], maxSearchNodes: u32[inputs + MAX_SEARCH_NODES_AT], maxStep: f32[inputs + MAX_STEP_AT],
    maxSubsteps: u32[inputs + MAX_SUBSTEPS_AT], placeExtents: [f32[at], f32[at + 1], f32[at + 2]], focusRadius: f32[inputs + FOCUS_RADIUS_AT],
    neighbourRange: f32[inputs + NEIGHBOUR_RANGE_AT], maxFields: u32[inputs + MAX_FIELDS_AT],
  };
}
