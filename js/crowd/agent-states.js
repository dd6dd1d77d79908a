/** The words of crowds: states of agents, reasons for them, qualities of avoidance. */

/** In the order of WmAgentState in src/crowd/crowd.h. */
export const AGENT_STATES = /** @type {const} */ (['no-target', 'planning', 'following', 'waiting', 'on-connection', 'arrived',
  'unreachable', 'off-mesh']);

/** In the order of WmAgentReason. */
export const AGENT_REASONS = /** @type {const} */ ([null, 'paused', 'connection', 'blocked', 'velocity', 'target-off-mesh',
  'target-excluded', 'target-not-connected', 'crowded', 'mesh-changed', 'no-ground', 'search-limit']);

/** In the order of WmAvoidance. */
export const AVOIDANCE = /** @type {const} */ (['none', 'low', 'medium', 'high', 'sampling']);

/**
 * - `no-target` stands, and gives way
 * - `planning` its request waits in the queue; it goes on as it went before
 * - `following` walks to its target, or at its velocity
 * - `waiting` stands for a while: see the reason
 * - `on-connection` on an off-mesh connection
 * - `arrived` at its target, or as near as others with the same target let it
 * - `unreachable` stands at the reachable place nearest to its target
 * - `off-mesh` there is no ground where it is: it stands until there is, or it is warped
 * @typedef {typeof AGENT_STATES[number]} AgentState
 */

/**
 * - `paused`, `connection` (it stands before one that is the game's to traverse), `blocked` (it has hardly come forward for
 *   some time): of `waiting`
 * - `velocity` of `following`: it has no place to go to, but a velocity
 * - `target-off-mesh` there is no ground near the target; `target-excluded` its filter keeps out of there;
 *   `target-not-connected` there is no way; `search-limit` maxSearchNodes was reached: of `unreachable`, and of `following` on
 *   the way to the nearest place
 * - `crowded` of `arrived`: others with the same target fill the space up to it
 * - `mesh-changed` of `planning`: its way was lost with its ground
 * - `no-ground` of `off-mesh`
 * @typedef {NonNullable<typeof AGENT_REASONS[number]>} AgentReason
 */

/**
 * How an agent keeps clear of others: `none`: it is only pushed apart; `low`: reciprocal velocity obstacles of the nearest few;
 * `medium`, `high`: of more of them, and walls; `sampling`: sampled velocities, as DetourCrowd: more to compute, less smooth.
 * @typedef {typeof AVOIDANCE[number]} Avoidance
 */
