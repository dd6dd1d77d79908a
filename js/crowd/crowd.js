/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Crowds: thousands of agents that walk on a mesh, around each other and around what moves. The class is put together from
 * base.js (agents, arrays), orders.js (what they are to do) and this file (what is known of one, connections, the step).
 */
import { readFloats, readReferences } from '../runtime/answers.js';
import { requireAmount } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { CROWD } from '../runtime/handle-kinds.js';
import { addressOf } from '../runtime/owned.js';
import { useCrowd } from './base.js';
import { readInfo } from './info.js';
import { AGENT_REASONS, AGENT_STATES } from './agent-states.js';
import { CrowdOrders } from './orders.js';
import { requireAgent } from './agent-rows.js';
import { ConnectionEvents } from './connection-events.js';

/** @typedef {import('./info.js').AgentInfo} AgentInfo */
/** @typedef {import('./agent-states.js').AgentReason} AgentReason */
/** @typedef {import('./agent-states.js').AgentState} AgentState */
/** @typedef {import('./connection-events.js').ConnectionListener} ConnectionListener */

/**
 * What a step did.
 * @typedef {object} CrowdStep
 * @property {number} simulated seconds: less than asked for where maxSubsteps was reached
 * @property {number} substeps
 * @property {number} searched polygons that searches took up
 * @property {number} waitingSearches agents whose request waits
 * @property {number} searches finished in this step
 * @property {number} arrived agents that arrived in this step
 */

/**
 * In an answer that was filled in anew the arrays may be longer than the counts.
 * @typedef {object} AgentDetails
 * @property {number} cornerCount
 * @property {Float32Array} corners [cornerCount][3] the next ones on its way
 * @property {number} neighbourCount
 * @property {Float64Array} neighbours [neighbourCount] agents that it heeds
 * @property {number} wallCount
 * @property {Float32Array} walls [wallCount][2][3] that it knows
 */

/** @param {Float32Array} points @param {number} index @param {[number, number, number]} out */
function readRow(points, index, out) {
  if (typeof out !== 'object' || out === null) throw invalidArgument('out', `must be an array of three numbers, not ${describe(out)}`, out);
  for (let i = 0; i < 3; i++) out[i] = points[3 * index + i];
  return out;
}

/**
 * Usual order: navMesh.createCrowd; addAgent or addAgents; setTarget at any time; in every frame step, then positions, velocities
 * and states as arrays; free. The mesh may change between steps: agents mend their ways by themselves.
 *
 * Agents are handles, numbers that stay. In the arrays they lie without gaps; where one is removed the last takes its place.
 *
 * Every method throws a NavError where it cannot do what is asked, and then nothing has changed: `invalid-argument` with the
 * `field` at fault, `stale-reference` for an agent that was removed, `state` after free(), `out-of-memory`.
 */
export class Crowd extends CrowdOrders {
  /** @type {CrowdStep} */
  #lastStep = { simulated: 0.5, substeps: 0, searched: 0, waitingSearches: 0, searches: 0, arrived: 0 };
  /** @type {ConnectionEvents | undefined} */
  #watch;
  /** @type {ConnectionListener | null} */
  #listener = null;

  // ---- The step ----------------------------------------------------------------------------------------------

  /**
   * Moves everybody on.
   * @param {number} deltaTime seconds; 0 plans without moving
   * @returns {CrowdStep} the same object every time
   */
  step(deltaTime) {
    const address = useCrowd(this);
    const { session } = this;
    if (requireAmount(deltaTime, 'deltaTime') === Infinity) throw invalidArgument('deltaTime', 'is Infinity: must be finite', deltaTime);
    session.check(session.wasm.crowd_step(session.handle, address, deltaTime));
    const { f32, u32, answer } = session;
    const done = this.#lastStep;
    done.simulated = f32[answer];
    done.substeps = u32[answer + 1];
    done.searched = u32[answer + 2];
    done.waitingSearches = u32[answer + 3];
    done.searches = u32[answer + 4];
    done.arrived = u32[answer + 5];
    this.#watch?.observe(this);
    return done;
  }

  // ---- One agent ---------------------------------------------------------------------------------------------

  /** @param {number} agent @returns {AgentState} */
  state(agent) {
    useCrowd(this);
    return AGENT_STATES[this.states[this.indexOf(agent)]];
  }

  /** Why it is in its state. @param {number} agent @returns {AgentReason | null} */
  reason(agent) {
    useCrowd(this);
    return AGENT_REASONS[this.reasons[this.indexOf(agent)]];
  }

  /** Where an agent is. @param {number} agent @param {[number, number, number]} [out] to be filled in @returns {[number, number, number]} */
  position(agent, out = [0, 0, 0]) {
    useCrowd(this);
    return readRow(this.positions, this.indexOf(agent), out);
  }

  /** How fast it goes where. @param {number} agent @param {[number, number, number]} [out] to be filled in @returns {[number, number, number]} */
  velocity(agent, out = [0, 0, 0]) {
    useCrowd(this);
    return readRow(this.velocities, this.indexOf(agent), out);
  }

  /**
   * All that is known of an agent.
   * @param {number} agent @param {AgentInfo} [out] an earlier answer, to be filled in anew
   * @returns {AgentInfo}
   */
  info(agent, out = undefined) {
    const address = addressOf(this, CROWD);
    const { session } = this;
    session.check(session.wasm.crowd_info(session.handle, address, requireAgent(agent, 'agent')));
    return readInfo(session, out);
  }

  /**
   * The next corners of an agent's way, whom it heeds, and which walls it knows: for drawing.
   * @param {number} agent @param {AgentDetails} [out] an earlier answer, to be filled in anew
   * @returns {AgentDetails}
   */
  details(agent, out = undefined) {
    const address = addressOf(this, CROWD);
    const { session } = this;
    const { wasm } = session;
    session.check(wasm.crowd_info(session.handle, address, requireAgent(agent, 'agent')));
    const [neighbourCount, wallCount, cornerCount] = session.u32.subarray(session.answer + 27, session.answer + 30);
    const most = Math.max(neighbourCount, wallCount, cornerCount);
    const neighbours = session.room(44 * most), walls = neighbours + 8 * most, corners = walls + 24 * most;
    session.check(wasm.crowd_details(address, agent, most, corners, neighbours, walls));
    return Object.assign(out ?? /** @type {AgentDetails} */ ({}), {
      cornerCount, corners: readFloats(session, corners, 3 * cornerCount, out?.corners),
      neighbourCount, neighbours: readReferences(session, neighbours, neighbourCount, out?.neighbours),
      wallCount, walls: readFloats(session, walls, 6 * wallCount, out?.walls),
    });
  }

  /**
   * The corridor of an agent: the polygons that it walks through, from the one it is in to the last of its way; of no length
   * where it has none.
   * @param {number} agent @returns {Float64Array} references
   */
  corridor(agent) {
    const address = addressOf(this, CROWD);
    const { session } = this;
    const { wasm } = session;
    session.check(wasm.crowd_corridor(session.handle, address, requireAgent(agent, 'agent'), 0, 0));
    const count = session.u32[session.answer];
    const room = session.room(8 * count);
    session.check(wasm.crowd_corridor(session.handle, address, agent, count, room));
    return readReferences(session, room, count, undefined);
  }

  // ---- Off-mesh connections ----------------------------------------------------------------------------------

  /**
   * Who is told, after each step, of agents that wait before off-mesh connections, are on them, or have left them. Agents with
   * autoConnections go over by themselves; for others the game calls beginConnection, moveOverConnection and endConnection.
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

  /** The agent leaves the ground for the connection it stands before; `state` where it stands before none. @param {number} agent */
  beginConnection(agent) {
    const address = useCrowd(this);
    const { session } = this;
    session.check(session.wasm.crowd_begin_connection(address, requireAgent(agent, 'agent')));
  }

  /** Puts the agent between the ends of the connection it is on. @param {number} agent @param {number} progress 0 to 1, which does not end it */
  moveOverConnection(agent, progress) {
    const address = useCrowd(this);
    const { session } = this;
    requireAgent(agent, 'agent');
    if (typeof progress !== 'number') throw invalidArgument('progress', `is ${describe(progress)}: must be 0 to 1`, progress);
    session.check(session.wasm.crowd_set_connection_progress(address, agent, progress));
  }

  /** The agent is at the other end, and goes on. @param {number} agent */
  endConnection(agent) {
    const address = useCrowd(this);
    const { session } = this;
    session.check(session.wasm.crowd_complete_connection(address, requireAgent(agent, 'agent')));
  }
}
