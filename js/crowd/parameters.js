/** The parameters of an agent: JavaScript objects, and their WmAgentParameters in C. */
import { requireAmount, requireBoolean, requireCount, requireName, requireOptions } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { nameSet } from '../runtime/option-names.js';
import { AVOIDANCE } from './agent-states.js';
import { WmAgentParameters } from '../runtime/layout.js';

/** @typedef {import('./agent-states.js').Avoidance} Avoidance */
/** @typedef {import('../runtime/session.js').Session} Session */

/**
 * Defaults equal those of Unity's NavMeshAgent where it has the parameter. Lengths are world units, times seconds.
 * @typedef {object} AgentParameters
 * @property {number} radius above 0; default 0.5
 * @property {number} height above 0; default 2: agents can pass over and under one another
 * @property {number} maxSpeed world units per second; default 3.5
 * @property {number} maxAcceleration world units per second squared; default 8
 * @property {number} turningSpeed of its heading, degrees per second; default 120. Its velocity doesn't wait for the heading
 * @property {number} stoppingDistance the distance to its target at which it stops; default 0
 * @property {number} separation how strongly it stays away from others beyond touching them; default 0, 1 is strong
 * @property {number} horizon it avoids collisions that are up to this time ahead, above 0; default 1.2
 * @property {Avoidance} avoidance default `medium`
 * @property {number} priority 0 to 99: of two agents the one with the higher number yields; default 50
 * @property {number} group bits of the groups that it belongs to; default 1
 * @property {number} avoids bits of the groups that it yields to and is pushed by; default all
 * @property {number} filter the number of its filter, 0 to 255: see setFilter; default 0
 * @property {number} type the number of its mesh: see addMesh; default 0
 * @property {number} wallDistance its path keeps this distance from walls, beyond the agent radius of the mesh, where there is
 *   room, and passes narrower places in their middle; default 0
 * @property {number} wallCost ground within wallDistance of walls costs more for it, as in paths; default 0
 * @property {number} climbSpeed straight up and down on segment links (climbing, vaulting), world units per second; default 0: half of
 *   maxSpeed
 * @property {boolean} autoBraking true: it slows down before its target; false: it overshoots; default true
 * @property {boolean} autoConnections true: it traverses off-mesh connections and segment links by itself; default true
 * @property {boolean} anticipateTurns true: it turns before corners, in arcs beside its path; false: at the corners; default false
 * @property {boolean} shortest true: it follows exact shortest paths (see findPath), from where it was when it asked; searched for it
 *   alone, and again for each new target; default false
 * @property {number} userData any number of the caller; default 0
 */

const PARAMETER_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<AgentParameters>} */ ({
  radius: 1, height: 1, maxSpeed: 1, maxAcceleration: 1, turningSpeed: 1, stoppingDistance: 1, separation: 1, horizon: 1, avoidance: 1, priority: 1,
  group: 1, avoids: 1, filter: 1, type: 1, wallDistance: 1, wallCost: 1, climbSpeed: 1, autoBraking: 1, autoConnections: 1, anticipateTurns: 1, shortest: 1, userData: 1 }));

/** Words of a WmAgentParameters: amounts in the first, whole numbers with their limits from AVOIDANCE_AT on. */
const AMOUNTS = /** @type {const} */ (['radius', 'height', 'maxSpeed', 'maxAcceleration', 'turningSpeed', 'stoppingDistance', 'separation', 'horizon']);
const { avoidance: AVOIDANCE_AT, priority: COUNTS_AT, wallDistance: WALL_DISTANCE_AT, wallCost: WALL_COST_AT, climbSpeed: CLIMB_SPEED_AT, autoBraking: SWITCHES_AT, userData: USER_DATA_AT } = WmAgentParameters;
const COUNTS = /** @type {const} */ (['priority', 'group', 'avoids', 'filter', 'type']);
const COUNT_LIMIT = 0xffffffff;
export const PARAMETER_WORDS = WmAgentParameters.words;

/** @param {unknown} value @param {string} field */
function requireNumber(value, field) {
  if (typeof value === 'number') return value;
  throw invalidArgument(field, `is ${describe(value)}: must be a number`, value);
}

/**
 * Overwrites the parameters at a word with the fields that are present.
 * @param {Session} session @param {number} at @param {Partial<AgentParameters>} parameters
 */
export function writeParameters(session, at, parameters) {
  const given = requireOptions(parameters, PARAMETER_NAMES);
  const { f32, u32, f64 } = session;
  for (let i = 0; i < AMOUNTS.length; i++) {
    const value = given[AMOUNTS[i]];
    if (value !== undefined) f32[at + i] = requireAmount(value, AMOUNTS[i]);
  }
  for (let i = 0; i < COUNTS.length; i++) {
    const value = given[COUNTS[i]];
    if (value !== undefined) u32[at + COUNTS_AT + i] = requireCount(value, COUNTS[i], COUNT_LIMIT);
  }
  const { avoidance, wallDistance, wallCost, climbSpeed, autoBraking, autoConnections, anticipateTurns, shortest, userData } = given;
  if (wallDistance !== undefined) f32[at + WALL_DISTANCE_AT] = requireAmount(wallDistance, 'wallDistance');
  if (wallCost !== undefined) f32[at + WALL_COST_AT] = requireAmount(wallCost, 'wallCost');
  if (climbSpeed !== undefined) f32[at + CLIMB_SPEED_AT] = requireAmount(climbSpeed, 'climbSpeed');
  if (avoidance !== undefined) u32[at + AVOIDANCE_AT] = requireName(AVOIDANCE, avoidance, 'avoidance');
  if (autoBraking !== undefined) setSwitch(u32, at, 0, requireBoolean(autoBraking, 'autoBraking'));
  if (autoConnections !== undefined) setSwitch(u32, at, 8, requireBoolean(autoConnections, 'autoConnections'));
  if (anticipateTurns !== undefined) setSwitch(u32, at, 16, requireBoolean(anticipateTurns, 'anticipateTurns'));
  if (shortest !== undefined) setSwitch(u32, at, 24, requireBoolean(shortest, 'shortest'));
  if (userData !== undefined) f64[(at + USER_DATA_AT) >>> 1] = requireNumber(userData, 'userData');
}

/** @param {Uint32Array} u32 @param {number} at @param {number} shift bits below the switch's byte @param {boolean} isOn */
function setSwitch(u32, at, shift, isOn) {
  const others = u32[at + SWITCHES_AT] & ~(0xff << shift);
  u32[at + SWITCHES_AT] = others | ((isOn ? 1 : 0) << shift);
}

/** Reads the parameters at a word. @param {Session} session @param {number} at @returns {AgentParameters} */
export function readParameters({ f32, u32, f64 }, at) {
  const parameters = /** @type {any} */ ({});
  for (let i = 0; i < AMOUNTS.length; i++) parameters[AMOUNTS[i]] = f32[at + i];
  parameters.avoidance = AVOIDANCE[u32[at + AVOIDANCE_AT]];
  for (let i = 0; i < COUNTS.length; i++) parameters[COUNTS[i]] = u32[at + COUNTS_AT + i];
  parameters.wallDistance = f32[at + WALL_DISTANCE_AT];
  parameters.wallCost = f32[at + WALL_COST_AT];
  parameters.climbSpeed = f32[at + CLIMB_SPEED_AT];
  parameters.autoBraking = (u32[at + SWITCHES_AT] & 0xff) !== 0;
  parameters.autoConnections = (u32[at + SWITCHES_AT] & 0xff00) !== 0;
  parameters.anticipateTurns = (u32[at + SWITCHES_AT] & 0xff0000) !== 0;
  parameters.shortest = u32[at + SWITCHES_AT] >>> 24 !== 0;
  parameters.userData = f64[(at + USER_DATA_AT) >>> 1];
  return parameters;
}
