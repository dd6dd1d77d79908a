/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Crowds: thousands of agents that walk on a mesh, around each other and around moving obstacles. The class consists of
 * base.js (agents, arrays), orders.js (targets, velocities, obstacles) and this file (info about one agent, connections, the step).
 */
import { outError, readFloats, readReferences, requireOut } from '../runtime/results.js';
import { requireAmount } from '../runtime/arguments.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { CROWD } from '../runtime/handle-kinds.js';
import { addressOf } from '../runtime/handle.js';
import { useCrowd } from './base.js';
import { readInfo } from './info.js';
import { AGENT_REASONS, AGENT_STATES } from './agent-states.js';
import { WmAgentInfo } from '../runtime/layout.js';
import { CrowdOrders } from './orders.js';
import { requireAgent } from './agent-rows.js';
import { ConnectionEvents } from './connection-events.js';

/** Longer steps are probably in milliseconds; seconds. */
const LONG_STEP = 1;

/** @typedef {import('../runtime/arguments.js').AgentHandle} AgentHandle */
/** @typedef {import('../runtime/arguments.js').AgentHandles} AgentHandles */
/** @typedef {import('../runtime/arguments.js').PolygonRefs} PolygonRefs */
/** @typedef {import('./info.js').AgentInfo} AgentInfo */
/** @typedef {import('./agent-states.js').AgentReason} AgentReason */
/** @typedef {import('./agent-states.js').AgentState} AgentState */
/** @typedef {import('./connection-events.js').ConnectionListener} ConnectionListener */

/**
 * The figures of one step.
 * @typedef {object} CrowdStep
 * @property {number} simulated seconds; less than deltaTime if maxSubsteps was reached
 * @property {number} substeps
 * @property {number} searched polygons that all searches visited
 * @property {number} waitingSearches agents whose path request still waits
 * @property {number} searches searches that finished in this step
 * @property {number} arrived agents that arrived in this step
 * @property {number} crowded agents that came to rest before their target in this step: state `crowded`
 */

/**
 * If `out` was reused, its arrays may be longer than the counts.
 * @typedef {object} AgentDetails
 * @property {number} cornerCount
 * @property {Float32Array} corners [cornerCount][3] the next corners of its path
 * @property {number} neighbourCount
 * @property {AgentHandles} neighbours [neighbourCount] agents that it avoids
 * @property {number} wallCount
 * @property {Float32Array} walls [wallCount][2][3] walls that it avoids, or stands beside
 */

/** @param {ArrayLike<number>} points @param {number} index @param {[number, number, number]} out */
function readRow(points, index, out) {
  if (typeof out !== 'object' || out === null) throw invalidArgument('out', `must be an array of three numbers, not ${describe(out)}`, out);
  try {
    for (let i = 0; i < 3; i++) out[i] = points[3 * index + i];
  } catch (error) {
    throw outError(error, out);
  }
  return out;
}

/**
 * Usual order: navMesh.createCrowd; addAgent or addAgents; setTarget at any time; in every frame `step`, then the arrays positions,
 * velocities and states; free. The mesh may change between steps: agents repair their corridors.
 *
 * Agents are handles: stable numbers. The arrays have no gaps: when an agent is removed, the last agent moves to its index.
 *
 * A method that can't do its work throws a NavError and changes nothing: `invalid-argument` with the wrong `field`,
 * `stale-reference` for an agent that was removed, `state` after free(), `out-of-memory`.
 */
export class Crowd extends CrowdOrders {
  /** @type {CrowdStep} */
  #lastStep = { simulated: 0.5, substeps: 0, searched: 0, waitingSearches: 0, searches: 0, arrived: 0, crowded: 0 };
  /** @type {ConnectionEvents | undefined} */
  #watch;
  /** @type {ConnectionListener | null} */
  #listener = null;
  #isObserving = false;
  #hasWarned = false;

  // ---- The step ----------------------------------------------------------------------------------------------

  /**
   * Advances all agents.
   * @param {number} deltaTime seconds, finite, 0 or more; 0 plans without moving
   * @returns {CrowdStep} the same object in every step
   */
  step(deltaTime) {
    const address = useCrowd(this);
    const { session } = this;
    if (this.#isObserving) throw new NavError('state', 'step was called by onConnection, which step calls: call it after that');
    if (requireAmount(deltaTime, 'deltaTime') === Infinity) throw invalidArgument('deltaTime', 'is Infinity: must be finite', deltaTime);
    if (deltaTime > LONG_STEP && session.leaks.warned) this.#warnOfStep(deltaTime);
    session.check(session.wasm.crowd_step(session.handle, address, deltaTime));
    const { f32, u32, answer } = session;
    const done = this.#lastStep;
    done.simulated = f32[answer];
    done.substeps = u32[answer + 1];
    done.searched = u32[answer + 2];
    done.waitingSearches = u32[answer + 3];
    done.searches = u32[answer + 4];
    done.arrived = u32[answer + 5];
    done.crowded = u32[answer + 6];
    if (this.#watch) this.#observe(this.#watch);
    return done;
  }

  /** Warns once. @param {number} deltaTime */
  #warnOfStep(deltaTime) {
    if (!this.#hasWarned) console.warn(`walkmesh: a crowd was stepped by ${deltaTime} seconds: deltaTime is in seconds, not in milliseconds`);
    this.#hasWarned = true;
  }

  /** Calls onConnection. @param {ConnectionEvents} watch */
  #observe(watch) {
    this.#isObserving = true;
    try {
      watch.observe(this);
    } finally {
      this.#isObserving = false;
    }
  }

  // ---- One agent ---------------------------------------------------------------------------------------------

  /** @param {AgentHandle} agent @returns {AgentState} */
  state(agent) {
    useCrowd(this);
    return AGENT_STATES[this.states[this.indexOf(agent)]];
  }

  /** The reason of its state. @param {AgentHandle} agent @returns {AgentReason | null} */
  reason(agent) {
    useCrowd(this);
    return AGENT_REASONS[this.reasons[this.indexOf(agent)]];
  }

  /**
   * The position of an agent.
   * @param {AgentHandle} agent @param {[number, number, number]} [out] receives the result @returns {[number, number, number]}
   */
  position(agent, out = [0, 0, 0]) {
    useCrowd(this);
    return readRow(this.positions, this.indexOf(agent), out);
  }

  /**
   * The velocity of an agent, world units per second.
   * @param {AgentHandle} agent @param {[number, number, number]} [out] receives the result @returns {[number, number, number]}
   */
  velocity(agent, out = [0, 0, 0]) {
    useCrowd(this);
    return readRow(this.velocities, this.indexOf(agent), out);
  }

  /**
   * Everything about an agent.
   * @param {AgentHandle} agent @param {AgentInfo} [out] an earlier result to overwrite
   * @returns {AgentInfo}
   */
  info(agent, out = undefined) {
    const address = addressOf(this, CROWD);
    const { session } = this;
    session.check(session.wasm.crowd_info(session.handle, address, requireAgent(agent, 'agent')));
    return readInfo(session, out);
  }

  /**
   * The next corners of an agent's path, and the neighbours and walls that it avoids: for drawing.
   * @param {AgentHandle} agent @param {AgentDetails} [out] an earlier result to overwrite
   * @returns {AgentDetails}
   */
  details(agent, out = undefined) {
    const address = addressOf(this, CROWD);
    const { session } = this, { wasm, calls } = session;
    session.check(wasm.crowd_info(session.handle, address, requireAgent(agent, 'agent')));
    const [neighbourCount, wallCount, cornerCount] = [WmAgentInfo.neighbourCount, WmAgentInfo.wallCount, WmAgentInfo.cornerCount].map((word) => session.u32[session.answer + word]);
    const most = Math.max(neighbourCount, wallCount, cornerCount);
    const neighbours = session.reserve(44 * most), walls = neighbours + 8 * most, corners = walls + 24 * most;
    session.check(wasm.crowd_details(address, agent, most, corners, neighbours, walls));
    const given = requireOut(out), details = {
      cornerCount, corners: readFloats(session, corners, 3 * cornerCount, given?.corners),
      neighbourCount, neighbours: readReferences(session, neighbours, neighbourCount, given?.neighbours),
      wallCount, walls: readFloats(session, walls, 6 * wallCount, given?.walls),
    };
    session.requireNoCallSince(calls);
    return Object.assign(given ?? /** @type {AgentDetails} */ ({}), details);
  }

  /**
   * The corridor of an agent: the polygons from the one it stands on to the one of its destination; empty if it has no corridor.
   * @param {AgentHandle} agent @returns {PolygonRefs} references
   */
  corridor(agent) {
    const address = addressOf(this, CROWD);
    const { session } = this;
    const { wasm } = session;
    session.check(wasm.crowd_corridor(session.handle, address, requireAgent(agent, 'agent'), 0, 0));
    const count = session.u32[session.answer];
    const room = session.reserve(8 * count);
    session.check(wasm.crowd_corridor(session.handle, address, agent, count, room));
    return readReferences(session, room, count, undefined);
  }

  // ---- Off-mesh connections ----------------------------------------------------------------------------------

  /**
   * A function that is called after each step for every agent that waits before an off-mesh connection or segment link, is on one, or
   * has left one. Agents with autoConnections traverse them by themselves; for others the game calls beginConnection,
   * moveOverConnection and endConnection.
   * @type {ConnectionListener | null}
   */
  get onConnection() {
    addressOf(this, CROWD);
    return this.#listener;
  }

  set onConnection(listener) {
    addressOf(this, CROWD);
    if (listener !== null && typeof listener !== 'function') {
      throw invalidArgument('onConnection', `must be a function or null, not ${describe(listener)}`, listener);
    }
    this.#listener = listener;
    this.#watch = listener === null ? undefined : new ConnectionEvents(listener);
  }

  /** Starts the connection before which the agent waits; throws `state` if it waits before none. @param {AgentHandle} agent */
  beginConnection(agent) {
    const address = useCrowd(this);
    const { session } = this;
    session.check(session.wasm.crowd_begin_connection(address, requireAgent(agent, 'agent')));
  }

  /** Moves the agent along its connection, or along the trajectory over its segment link. @param {AgentHandle} agent @param {number} progress 0 to 1; 1 doesn't end the connection */
  moveOverConnection(agent, progress) {
    const address = useCrowd(this);
    const { session } = this;
    requireAgent(agent, 'agent');
    if (typeof progress !== 'number') throw invalidArgument('progress', `is ${describe(progress)}: must be 0 to 1`, progress);
    session.check(session.wasm.crowd_set_connection_progress(address, agent, progress));
  }

  /** Ends the agent's connection: the agent continues from its end. @param {AgentHandle} agent */
  endConnection(agent) {
    const address = useCrowd(this);
    const { session } = this;
    session.check(session.wasm.crowd_complete_connection(address, requireAgent(agent, 'agent')));
  }
}
