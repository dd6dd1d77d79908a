/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Orders to agents. Every order takes one agent or several, and its points as one for all or one for each; if one of them is
 * wrong, no agent gets the order.
 */
import { requireCount } from '../runtime/arguments.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { CrowdBase, useCrowd } from './base.js';
import { countAgents, countPoints, reserveAgents, writeColumn, writePoints } from './agent-rows.js';

/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/arguments.js').Points} Points */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('./agent-rows.js').Agents} Agents */

/**
 * Upright cylinders that don't yield to agents. movingObstacles of a dynamic mesh returns this shape.
 * @typedef {object} CrowdObstacles
 * @property {number} [count] the number of obstacles, if the arrays are longer; default: all positions
 * @property {Points} positions [count][3] of their bases
 * @property {number | ArrayLike<number>} radii [count] above 0, or one for all
 * @property {Points} [velocities] [count][3] at which they move in each step until they are set again; default: 0
 * @property {number | ArrayLike<number>} [heights] [count] above 0, or one for all; default 2
 */

const COUNT_LIMIT = 0xffffffff;

/** The names of the points of orders, and their names in an order to a single agent. @type {Record<string, string>} */
const NAME_OF_ONE = { targets: 'target', velocities: 'velocity', positions: 'position', displacements: 'displacement' };

/**
 * Writes agents and points to the memory of one call.
 * @param {Session} session @param {Agents} agents @param {Point | Points} points @param {string} many name of the points
 */
function writeRows(session, agents, points, many) {
  const { calls } = session, field = typeof agents === 'number' ? NAME_OF_ONE[many] : many;
  const count = countAgents(agents);
  const room = reserveAgents(session, calls, agents, count, 20, 12), pointsAt = room + 8 * count;
  rows.shared = writePoints(session, calls, pointsAt, points, count, field) !== count ? 1 : 0;
  rows.count = count;
  rows.agents = room;
  rows.points = pointsAt;
  return rows;
}

/** The result of writeRows: one object, reused because it is written every frame. */
const rows = { count: 0, agents: 0, points: 0, shared: 0 };

/**
 * Throws if C refused an order; about a single agent, the error names a single point.
 * @param {Session} session @param {number} status @param {Agents} agents
 */
function checkOrder(session, status, agents) {
  if (status === 0) return session.refresh();
  const error = session.lastError(), { code, message, field = '', value } = error;
  const name = typeof agents === 'number' ? NAME_OF_ONE[field] : undefined;
  throw name === undefined ? error : new NavError(code, message.startsWith(field) ? name + message.slice(field.length) : message, { field: name, value });
}

/** @param {CrowdOrders} crowd @param {Agents} agents @param {number} isPaused */
function setPaused(crowd, agents, isPaused) {
  const address = useCrowd(crowd);
  const { session } = crowd, { calls } = session;
  const count = countAgents(agents);
  const handles = reserveAgents(session, calls, agents, count, 8);
  session.check(session.wasm.crowd_pause(address, count, handles, isPaused));
}

export class CrowdOrders extends CrowdBase {
  /**
   * Sets a target: the nearest point of the mesh within placeExtents that the agent's filter allows. A target over ground that it excludes, with no
   * other ground within the agent's radius, stays there: the agent goes as near as it can. Agents with the same target share one search, and fill the
   * space around it. It may be set in every frame: the same target again changes nothing, and around one that trembles within an agent's radius,
   * agents at rest stay so. One that moves a little is followed without a new search.
   * @param {Agents} agents @param {Point | Points} targets
   */
  setTarget(agents, targets) {
    const address = useCrowd(this);
    const { session } = this;
    const { count, agents: handles, points, shared } = writeRows(session, agents, targets, 'targets');
    checkOrder(session, session.wasm.crowd_set_targets(address, count, handles, points, shared), agents);
  }

  /**
   * Moves agents at a velocity, sliding along walls, until the next order.
   * @param {Agents} agents @param {Point | Points} velocities world units per second; y is ignored
   */
  setVelocity(agents, velocities) {
    const address = useCrowd(this);
    const { session } = this;
    const { count, agents: handles, points, shared } = writeRows(session, agents, velocities, 'velocities');
    checkOrder(session, session.wasm.crowd_set_velocities(address, count, handles, points, shared), agents);
  }

  /** Removes the target; agents brake with their acceleration. @param {Agents} agents */
  stop(agents) {
    const address = useCrowd(this);
    const { session } = this, { calls } = session;
    const count = countAgents(agents);
    const handles = reserveAgents(session, calls, agents, count, 8);
    session.check(session.wasm.crowd_stop(address, count, handles));
  }

  /** Pauses agents; target and corridor stay. @param {Agents} agents */
  pause(agents) {
    setPaused(this, agents, 1);
  }

  /** Continues after pause. @param {Agents} agents */
  resume(agents) {
    setPaused(this, agents, 0);
  }

  /**
   * Moves agents immediately to the nearest point of the mesh within placeExtents; if there is none, they are off the mesh. The
   * target stays, the velocity becomes 0.
   * @param {Agents} agents @param {Point | Points} positions
   */
  warp(agents, positions) {
    const address = useCrowd(this);
    const { session } = this;
    const { count, agents: handles, points, shared } = writeRows(session, agents, positions, 'positions');
    checkOrder(session, session.wasm.crowd_warp(address, count, handles, points, shared), agents);
  }

  /**
   * Moves agents along the surface, sliding along walls, in addition to the step: root motion, physics.
   * @param {Agents} agents @param {Point | Points} displacements
   */
  move(agents, displacements) {
    const address = useCrowd(this);
    const { session } = this;
    const { count, agents: handles, points, shared } = writeRows(session, agents, displacements, 'displacements');
    checkOrder(session, session.wasm.crowd_move(address, count, handles, points, shared), agents);
  }

  /**
   * Replaces the moving obstacles: agents avoid them, and are pushed out of them.
   * @param {CrowdObstacles | null} obstacles null: none
   */
  setObstacles(obstacles) {
    const address = useCrowd(this);
    const { session } = this, { calls } = session;
    if (obstacles === null) {
      session.check(session.wasm.crowd_set_obstacles(address, 0, 0, 0, 0, 0));
      return;
    }
    if (typeof obstacles !== 'object') throw invalidArgument('obstacles', `must be an object or null, not ${describe(obstacles)}`, obstacles);
    const { count: given, positions, radii, velocities, heights = 2 } = obstacles;
    const count = given === undefined ? countPoints(positions, 'obstacles.positions') : requireCount(given, 'obstacles.count', COUNT_LIMIT);
    session.requireNoCallSince(calls);
    const room = session.reserve(32 * count);
    const velocitiesAt = room + 12 * count, radiiAt = velocitiesAt + 12 * count, heightsAt = radiiAt + 4 * count;
    writePoints(session, calls, room, positions, count, 'obstacles.positions', true);
    if (velocities !== undefined && writePoints(session, calls, velocitiesAt, velocities, count, 'obstacles.velocities', true) !== count) {
      throw invalidArgument('obstacles.velocities', `must be ${count} velocities, not one`, velocities);
    }
    writeColumn(session, calls, radiiAt, radii, count, 'obstacles.radii');
    writeColumn(session, calls, heightsAt, heights, count, 'obstacles.heights');
    session.check(session.wasm.crowd_set_obstacles(address, count, room, velocities === undefined ? 0 : velocitiesAt, radiiAt, heightsAt));
  }

  /**
   * Sets the points where the players look: agents farther than focusRadius from all of them plan and avoid less often.
   * @param {Point | Points | null} points null: all agents are near
   */
  setFocus(points) {
    const address = useCrowd(this);
    const { session } = this, { calls } = session;
    const count = points === null ? 0 : countPoints(points, 'points');
    session.requireNoCallSince(calls);
    const room = session.reserve(12 * count);
    if (points !== null) writePoints(session, calls, room, points, count, 'points');
    session.check(session.wasm.crowd_set_focus(address, count, room));
  }
}
