/** The names of the states of agents, their reasons, their place before narrow passages, and the qualities of avoidance. */

/** In the order of WmAgentState in src/crowd/crowd.h. */
export const AGENT_STATES = /** @type {const} */ (['no-target', 'planning', 'following', 'waiting', 'on-connection', 'arrived',
  'unreachable', 'off-mesh', 'crowded']);

/** In the order of WmAgentReason. */
export const AGENT_REASONS = /** @type {const} */ ([null, 'paused', 'connection', 'blocked', 'velocity', 'target-off-mesh',
  'target-excluded', 'target-not-connected', 'crowded', 'mesh-changed', 'no-ground', 'search-limit', 'passing', 'right-of-way']);

/** In the order of WmPassageState. */
export const PASSAGE_STATES = /** @type {const} */ ([null, 'waits', 'holds']);

/** In the order of WmAvoidance. */
export const AVOIDANCE = /** @type {const} */ (['none', 'low', 'medium', 'high', 'sampling']);

/**
 * - `no-target` stands, and yields to others
 * - `planning` its path request waits in the queue; until then it continues its former movement
 * - `following` walks to its target, or at its velocity
 * - `waiting` stands for a while: see the reason
 * - `on-connection` traverses an off-mesh connection or a segment link
 * - `arrived` at its target
 * - `unreachable` stands at the reachable point nearest to its target
 * - `off-mesh` no ground polygon is near it: it stands until one is, or until it is warped
 * - `crowded` rests as near to its target as others allow that rest before it on its way with the same target, or on the target;
 *   moves up once they leave
 * @typedef {typeof AGENT_STATES[number]} AgentState
 */

/**
 * - `paused`, `connection` (it stands before a connection that the game must begin), `blocked` (it has made little progress for
 *   some time), `right-of-way` (it stands before a narrow passage until others have come out, or have entered before it): of `waiting`
 * - `velocity` of `following`: it has no target, but a velocity
 * - `passing` of `following`: it was blocked for longer than the crowd's `patience`, and passes through others softly
 * - `target-off-mesh` no ground polygon is near the target; `target-excluded` the target lies over ground that its filter excludes, and no other
 *   ground is within its radius;
 *   `target-not-connected` no corridor leads there; `search-limit` maxSearchNodes was reached: of `unreachable`, and of
 *   `following` while it walks to the nearest reachable point
 * - `crowded` of `crowded`
 * - `mesh-changed` of `planning`: a change of the mesh removed its corridor
 * - `no-ground` of `off-mesh`
 * @typedef {NonNullable<typeof AGENT_REASONS[number]>} AgentReason
 */

/**
 * How an agent avoids others. `none`: agents are only pushed apart on contact; `low`, `medium`,
 * `high`: reciprocal velocity obstacles of the 4, 8 or 12 nearest, and walls; `sampling`: sampled velocities, as DetourCrowd: costs more, less smooth.
 * @typedef {typeof AVOIDANCE[number]} Avoidance
 */
