/** The options of a whole crowd. */
import { requireAmount, requireCount, requireOptions, writePoint } from '../runtime/arguments.js';
import { nameSet } from '../runtime/option-names.js';
import { WmCrowdOptions } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/session.js').Session} Session */

const COUNT_LIMIT = 0xffffffff;

/**
 * @typedef {object} CrowdOptions
 * @property {number} [searchBudget] polygons that all searches of a step may visit together, 1 or more; default 8192. Further path
 *   requests wait for the next steps: the oldest first, and of those of one step, those to near targets
 * @property {number} [maxSearchNodes] polygons that one search may visit; default 0: no limit
 * @property {number} [maxStep] seconds, above 0; longer steps are divided into equal substeps; default 0.05
 * @property {number} [maxSubsteps] substeps of one step at most, 1 to 64; time beyond them isn't simulated; default 8
 * @property {Point} [placeExtents] half extents of the box around a position in which agents and targets snap to the mesh, world
 *   units; default 2, 4, 2
 * @property {number} [focusRadius] agents farther than this from all points of setFocus plan and avoid less often, world units,
 *   above 0; default 30
 * @property {number} [maxFields] searches that agents with nearly the same target share and that stay cached until the mesh
 *   changes, 0 to 64; 0: every agent searches by itself; default 8
 * @property {number} [neighbourRange] the distance up to which agents look for neighbours, world units, above 0; default 6
 * @property {number} [patience] seconds without getting nearer to its target after which an agent passes through others softly
 *   (reason `passing`); time in which it queues counts two fifths; 0: never; default 5
 * @property {number} [gravity] acceleration of agents that drop or jump over segment links, world units per second squared, above 0;
 *   default 9.81: that of metres
 */

const CROWD_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<CrowdOptions>} */ ({
  searchBudget: 1, maxSearchNodes: 1, maxStep: 1, maxSubsteps: 1, placeExtents: 1, focusRadius: 1, neighbourRange: 1,
  maxFields: 1, patience: 1, gravity: 1 }));

/** Words of a WmCrowdOptions. */
const { searchBudget: SEARCH_BUDGET_AT, maxSearchNodes: MAX_SEARCH_NODES_AT, maxStep: MAX_STEP_AT, maxSubsteps: MAX_SUBSTEPS_AT,
  placeExtents: PLACE_EXTENTS_AT, focusRadius: FOCUS_RADIUS_AT, neighbourRange: NEIGHBOUR_RANGE_AT, maxFields: MAX_FIELDS_AT,
  patience: PATIENCE_AT, gravity: GRAVITY_AT } = WmCrowdOptions;

/** Overwrites the options in the inputs with the fields that are present. @param {Session} session @param {CrowdOptions} options */
export function writeCrowdOptions(session, options) {
  const { searchBudget, maxSearchNodes, maxStep, maxSubsteps, placeExtents, focusRadius, neighbourRange, maxFields,
    patience, gravity } = requireOptions(options, CROWD_NAMES);
  const { f32, u32, inputs } = session;
  if (searchBudget !== undefined) u32[inputs + SEARCH_BUDGET_AT] = requireCount(searchBudget, 'searchBudget', COUNT_LIMIT);
  if (maxSearchNodes !== undefined) u32[inputs + MAX_SEARCH_NODES_AT] = requireCount(maxSearchNodes, 'maxSearchNodes', COUNT_LIMIT);
  if (maxStep !== undefined) f32[inputs + MAX_STEP_AT] = requireAmount(maxStep, 'maxStep');
  if (maxSubsteps !== undefined) u32[inputs + MAX_SUBSTEPS_AT] = requireCount(maxSubsteps, 'maxSubsteps', COUNT_LIMIT);
  if (placeExtents !== undefined) writePoint(session, PLACE_EXTENTS_AT, placeExtents, 'placeExtents');
  if (focusRadius !== undefined) f32[inputs + FOCUS_RADIUS_AT] = requireAmount(focusRadius, 'focusRadius');
  if (maxFields !== undefined) u32[inputs + MAX_FIELDS_AT] = requireCount(maxFields, 'maxFields', COUNT_LIMIT);
  if (neighbourRange !== undefined) f32[inputs + NEIGHBOUR_RANGE_AT] = requireAmount(neighbourRange, 'neighbourRange');
  if (patience !== undefined) f32[inputs + PATIENCE_AT] = requireAmount(patience, 'patience');
  if (gravity !== undefined) f32[inputs + GRAVITY_AT] = requireAmount(gravity, 'gravity');
}

/**
 * Reads the options from the inputs.
 * @param {Session} session @returns {Required<CrowdOptions> & { placeExtents: [number, number, number] }}
 */
export function readCrowdOptions({ f32, u32, inputs }) {
  const at = inputs + PLACE_EXTENTS_AT;
  return {
    searchBudget: u32[inputs + SEARCH_BUDGET_AT], maxSearchNodes: u32[inputs + MAX_SEARCH_NODES_AT], maxStep: f32[inputs + MAX_STEP_AT],
    maxSubsteps: u32[inputs + MAX_SUBSTEPS_AT], placeExtents: [f32[at], f32[at + 1], f32[at + 2]], focusRadius: f32[inputs + FOCUS_RADIUS_AT],
    neighbourRange: f32[inputs + NEIGHBOUR_RANGE_AT], maxFields: u32[inputs + MAX_FIELDS_AT],
    patience: f32[inputs + PATIENCE_AT], gravity: f32[inputs + GRAVITY_AT],
  };
}
