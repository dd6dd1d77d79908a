/// <reference lib="esnext.disposable" preserve="true" />
/** A crowd in the module's memory: creates and frees it, adds and removes agents, and exposes their arrays. */
import { readReference, readReferences } from '../runtime/results.js';
import { requireCount } from '../runtime/arguments.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { Filter } from '../query/filter.js';
import { CROWD, NAV_MESH } from '../runtime/handle-kinds.js';
import { HandleOwner, addressOf, lookUp, requireMaker } from '../runtime/handle.js';
import { readCrowdOptions, writeCrowdOptions } from './options.js';
import { PARAMETER_WORDS, readParameters, writeParameters } from './parameters.js';
import { countAgents, countPoints, requireAgent, reserveAgents, writePoints } from './agent-rows.js';
import { CrowdView } from './agent-arrays.js';
import { loadSavedCrowd } from './saved-crowd.js';
import { lengthOf, typeOf } from '../runtime/typed-arrays.js';

/** @typedef {import('../runtime/arguments.js').AgentHandle} AgentHandle */
/** @typedef {import('../runtime/arguments.js').AgentHandles} AgentHandles */
/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/arguments.js').PointArgument} PointArgument */
/** @typedef {import('../runtime/arguments.js').Points} Points */
/** @typedef {import('../query/filter.js').FilterOptions} FilterOptions */
/** @typedef {import('../query/mesh-base.js').NavMeshBase} NavMeshBase */
/** @typedef {import('./options.js').CrowdOptions} CrowdOptions */
/** @typedef {import('./parameters.js').AgentParameters} AgentParameters */
/** @typedef {import('./agent-rows.js').Agents} Agents */

/** Filters have numbers below this. */
const FILTER_LIMIT = 256;
const NO_PARAMETERS = Object.freeze({});

/**
 * Returns the address of a crowd. Throws if `crowd` isn't a crowd, or if it, a mesh or a filter that it uses was freed.
 * Afterwards the session's views are valid.
 * @param {CrowdBase} crowd
 */
export function useCrowd(crowd) {
  const address = addressOf(crowd, CROWD);
  const { meshes, filters, session } = crowd;
  for (let i = 1; i < meshes.length; i++) addressOf(meshes[i], NAV_MESH);
  if (filters.size > 0) filters.forEach(checkFilter);
  session.refresh();
  return address;
}

/** Returns the current arrays. @param {CrowdBase} crowd */
function viewOf(crowd) {
  const address = addressOf(crowd, CROWD);
  return crowd.view.of(address);
}

/** Throws if a filter of the crowd was freed. @param {Filter} filter @param {number} number */
function checkFilter(filter, number) {
  if (filter.handle.isFreed) throw new NavError('state', `filter ${number} of this crowd was freed: it must outlive the crowd, or be replaced by setFilter`);
}

/** @param {unknown} parameters @param {number} count */
const notParameters = (parameters, count) =>
  invalidArgument('parameters', `must be one object, or ${count}, not ${describe(parameters)}`, parameters);

/** The number of parameters in an array, one for each agent. @param {unknown[]} parameters @param {number} count */
function requireEach(parameters, count) {
  if (parameters.length === count) return count;
  throw notParameters(parameters, count);
}

/**
 * Changes the parameters in the inputs to those that are present, and copies them into the memory of one call.
 * @param {import('../runtime/session.js').Session} session @param {number} calls session.calls, from before anything was read
 * @param {number} at word @param {Partial<AgentParameters>} parameters
 */
function copyParameters(session, calls, at, parameters) {
  writeParameters(session, session.inputs, parameters);
  session.requireNoCallSince(calls);
  session.u32.copyWithin(at, session.inputs, session.inputs + PARAMETER_WORDS);
}

/**
 * Adds agents. The memory of the call holds their handles, then the parameters (aligned to 8 bytes: they hold f64), then the positions.
 * @param {CrowdBase} crowd @param {Point | Points} positions @param {number} count @param {any} parameters
 * @returns {number} the address of the handles
 */
function addAgents(crowd, positions, count, parameters) {
  const address = useCrowd(crowd);
  const { session, view } = crowd, { calls } = session;
  const isEach = Array.isArray(parameters);
  const each = isEach ? requireEach(parameters, count) : 1;
  session.requireNoCallSince(calls);
  const room = session.reserve(8 * count + 4 * PARAMETER_WORDS * each + 12 * count);
  const parametersAt = room + 8 * count, positionsAt = parametersAt + 4 * PARAMETER_WORDS * each;
  for (let i = 0; i < each; i++) {
    session.wasm.crowd_default_parameters(session.handle);
    copyParameters(session, calls, (parametersAt >>> 2) + PARAMETER_WORDS * i, isEach ? parameters[i] : parameters);
  }
  writePoints(session, calls, positionsAt, positions, count, 'positions');
  const status = session.wasm.crowd_add_agents(address, count, positionsAt, parametersAt, each, room);
  session.refresh();
  if (status !== 0) throw nameBadPosition(session, positionsAt, count);
  view.forget();
  return room;
}

/** The error of C about agents; if it is about a position, with its index. @param {import('../runtime/session.js').Session} session @param {number} at address @param {number} count */
function nameBadPosition(session, at, count) {
  const error = session.lastError();
  const numbers = Array.from(session.f32.subarray(at >>> 2, (at >>> 2) + 3 * count)), bad = numbers.findIndex((number) => !Number.isFinite(number));
  if (error.code !== 'invalid-argument' || error.field !== 'positions' || bad < 0 || count === 1) return error;
  const index = Math.floor(bad / 3);
  return invalidArgument('positions', `has a point ${index}, (${numbers.slice(3 * index, 3 * index + 3).join(', ')}): must be finite`, numbers[bad]);
}

/** Returns `out`, or a new array of `count` numbers. @param {Float32Array | undefined} out @param {number} count */
export function requireRoom(out, count) {
  if (out === undefined) return new Float32Array(count);
  if (typeOf(out) === 'Float32Array' && lengthOf(out) >= count) return out;
  throw invalidArgument('out', `must be a Float32Array of ${count} numbers or more, not ${describe(out)}`, out);
}

/**
 * Copies `count` numbers without creating a view.
 * @param {import('../runtime/session.js').Session} session @param {number} address @param {Float32Array} out
 * @param {number} count
 */
function readRows({ f32 }, address, out, count) {
  for (let i = 0, at = address >>> 2; i < count; i++) out[i] = f32[at + i];
  return out;
}

/** Creates a crowd; its address is then in the answer. @param {NavMeshBase} mesh @param {CrowdOptions} options */
function createCrowd(mesh, options) {
  const { session } = mesh, { wasm } = session;
  const meshAddress = lookUp(mesh, NAV_MESH), { calls } = session;
  wasm.crowd_default_options(session.handle);
  session.refresh();
  writeCrowdOptions(session, options);
  session.requireNoCallSince(calls);
  session.check(wasm.crowd_create(meshAddress));
}

export class CrowdBase extends HandleOwner {
  /** The meshes; the index is the agent's `type`. @internal @type {NavMeshBase[]} */
  meshes;
  /** Filter objects by number: the crowd reads their costs from their own memory. @internal @type {Map<number, Filter>} */
  filters = new Map();
  /** @internal @type {CrowdView} */
  view;

  /**
   * @internal @param {NavMeshBase} mesh @param {CrowdOptions} options
   * @param {import('./saved-crowd.js').SavedCrowd} [saved] its contents, instead of the options
   */
  constructor(mesh, options, saved = undefined) {
    const session = requireMaker(mesh?.session, CROWD);
    const { wasm } = session;
    if (saved) loadSavedCrowd(session, saved);
    else createCrowd(mesh, options);
    super(session, CROWD, session.u32[session.answer], (crowd) => wasm.crowd_destroy(crowd), mesh.handle);
    this.meshes = saved ? saved.meshes : [mesh];
    this.view = new CrowdView(session);
  }

  // ---- The crowd ---------------------------------------------------------------------------------------------

  /** The current options: a copy. */
  get options() {
    const address = addressOf(this, CROWD);
    this.session.wasm.crowd_options(this.session.handle, address);
    this.session.refresh();
    return readCrowdOptions(this.session);
  }

  /** Changes only the options that are present. @param {CrowdOptions} options */
  setOptions(options) {
    const address = useCrowd(this);
    const { session } = this, { calls } = session;
    session.wasm.crowd_options(session.handle, address);
    writeCrowdOptions(session, options);
    session.requireNoCallSince(calls);
    session.check(session.wasm.crowd_set_options(session.handle, address));
  }

  /**
   * Adds a mesh for agents of another size or kind: agents with this `type` walk on it. All agents avoid each other, also across
   * meshes. Don't free the mesh before the crowd.
   * @param {NavMeshBase} navMesh of the same instance of the module
   * @returns {number} the type: 1, 2, ...; the first mesh has type 0
   */
  addMesh(navMesh) {
    const address = useCrowd(this);
    const { session } = this, { calls } = session;
    const meshAddress = lookUp(navMesh, NAV_MESH);
    session.requireNoCallSince(calls);
    if (navMesh.session !== session) throw invalidArgument('navMesh', 'belongs to another instance of the module', navMesh);
    session.check(session.wasm.crowd_add_mesh(session.handle, address, meshAddress));
    this.meshes.push(navMesh);
    return session.u32[session.answer];
  }

  /**
   * Sets the filter of a number, which agents name in their `filter` parameter; initially every number has the default filter.
   * Agents that use the number search again, unless it is the same as before. Don't free a Filter object before the crowd; after changing its contents, set it again.
   * @param {number} number 0 to 255 @param {Filter | FilterOptions} filter
   */
  setFilter(number, filter) {
    addressOf(this, CROWD);
    const former = this.filters.get(number);
    this.filters.delete(number); // it may be freed already
    try {
      const address = useCrowd(this);
      const { session } = this, { calls } = session;
      requireCount(number, 'number', FILTER_LIMIT - 1);
      const mesh = this.meshes.find((one) => filter instanceof Filter && filter.isFor(one)) ?? this.meshes[0];
      const filterAddress = mesh.filterAddress(filter);
      session.requireNoCallSince(calls);
      session.check(session.wasm.crowd_set_filter(address, number, filterAddress));
    } catch (error) {
      if (former) this.filters.set(number, former);
      throw error;
    }
    if (filter instanceof Filter) this.filters.set(number, filter);
  }

  /**
   * The whole crowd as bytes for loadCrowd of its mesh: agents with their paths and orders, searches, obstacles, filters and options.
   * It changes nothing. A loaded crowd goes on exactly as this one.
   * @returns {Uint8Array}
   */
  save() {
    const address = useCrowd(this);
    const { session } = this;
    session.check(session.guard(() => session.wasm.crowd_save(session.handle, address)));
    const written = session.u32[session.answer];
    const bytes = session.copyReturnedBytes();
    session.wasm.memory_free(session.handle, written);
    return bytes;
  }

  /** A hash of all agents: equal hashes, equal crowds, also on another mesh with the same tiles, as a loaded one. For tests; 16 hexadecimal digits. */
  hash() {
    const address = addressOf(this, CROWD);
    const { session } = this;
    session.wasm.crowd_hash(session.handle, address);
    session.refresh();
    const { u32, answer } = session;
    return [u32[answer + 1], u32[answer]].map((word) => word.toString(16).padStart(8, '0')).join('');
  }

  // ---- Agents ------------------------------------------------------------------------------------------------

  /**
   * Adds an agent at the nearest point of its mesh; if none lies within placeExtents, the agent is `off-mesh`.
   * @param {PointArgument} position @param {Partial<AgentParameters>} [parameters]
   * @returns {AgentHandle} the agent: a handle that is valid until the agent is removed and is never reused
   */
  addAgent(position, parameters = NO_PARAMETERS) {
    const handle = addAgents(this, position, 1, parameters);
    return readReference(this.session.u32, handle >>> 2);
  }

  /**
   * Adds several agents in one call; on an error adds none.
   * @param {Points} positions @param {Partial<AgentParameters> | readonly Partial<AgentParameters>[]} [parameters] one for all,
   *   or one for each
   * @returns {AgentHandles} the handles of the agents: a Float64Array, whose `map` makes numbers only; `Array.from(handles, make)` makes
   *   objects
   */
  addAgents(positions, parameters = NO_PARAMETERS) {
    useCrowd(this);
    const count = countPoints(positions, 'positions');
    const handles = addAgents(this, positions, count, parameters);
    return readReferences(this.session, handles, count, undefined);
  }

  /** Removes one agent or several; if one doesn't exist, removes none. @param {Agents} agents */
  remove(agents) {
    const address = useCrowd(this);
    const { session } = this, { calls } = session;
    const count = countAgents(agents);
    const room = reserveAgents(session, calls, agents, count, 8);
    session.check(session.wasm.crowd_remove_agents(address, count, room));
    this.view.forget();
  }

  /** True if an agent exists; false after it was removed. @param {AgentHandle} agent */
  has(agent) {
    const address = addressOf(this, CROWD);
    return this.session.wasm.crowd_index(this.session.handle, address, requireAgent(agent, 'agent')) === 0;
  }

  /** The index of an agent in the arrays; removing agents can change it. @param {AgentHandle} agent @returns {number} */
  indexOf(agent) {
    const address = addressOf(this, CROWD);
    const { session } = this;
    session.check(session.wasm.crowd_index(session.handle, address, requireAgent(agent, 'agent')));
    return session.u32[session.answer];
  }

  /** The parameters of an agent: a copy. @param {AgentHandle} agent @returns {AgentParameters} */
  parameters(agent) {
    const address = addressOf(this, CROWD);
    const { session } = this;
    session.check(session.wasm.crowd_parameters(session.handle, address, requireAgent(agent, 'agent')));
    return readParameters(session, session.inputs);
  }

  /**
   * Changes only the parameters that are present; targets stay. On an error changes no agent.
   * @param {Agents} agents @param {Partial<AgentParameters> | readonly Partial<AgentParameters>[]} parameters the same for all, or one
   *   for each
   */
  setParameters(agents, parameters) {
    const address = useCrowd(this);
    const { session } = this, { calls } = session;
    const count = countAgents(agents);
    const isEach = Array.isArray(parameters);
    if (isEach) requireEach(parameters, count);
    const room = reserveAgents(session, calls, agents, count, 8 + 4 * PARAMETER_WORDS), parametersAt = room + 8 * count;
    for (let i = 0; i < count; i++) {
      const agent = readReference(session.u32, (room >>> 2) + 2 * i);
      session.check(session.wasm.crowd_parameters(session.handle, address, agent));
      copyParameters(session, calls, (parametersAt >>> 2) + PARAMETER_WORDS * i, isEach ? parameters[i] : parameters);
    }
    session.check(session.wasm.crowd_set_parameters(address, count, room, parametersAt));
  }

  // ---- All agents as arrays ----------------------------------------------------------------------------------
  //
  // Views of the module's memory, not copies: read them, and get them again in every frame; they become invalid when memory grows.

  /** The number of agents. @type {number} */
  get count() {
    return viewOf(this).count;
  }

  /** [count][3] positions on the surface, world units. @type {import('../runtime/arguments.js').ReadonlyArrayView<Float32Array>} */
  get positions() {
    return viewOf(this).positions;
  }

  /** [count][3] positions before the last step, world units. @type {import('../runtime/arguments.js').ReadonlyArrayView<Float32Array>} */
  get previousPositions() {
    return viewOf(this).previousPositions;
  }

  /** [count][3] velocities, world units per second. @type {import('../runtime/arguments.js').ReadonlyArrayView<Float32Array>} */
  get velocities() {
    return viewOf(this).velocities;
  }

  /** [count][2] headings: x and z of a unit vector. @type {import('../runtime/arguments.js').ReadonlyArrayView<Float32Array>} */
  get headings() {
    return viewOf(this).headings;
  }

  /** [count] states: indices into AGENT_STATES. @type {import('../runtime/arguments.js').ReadonlyArrayView<Uint8Array>} */
  get states() {
    return viewOf(this).states;
  }

  /** [count] reasons: indices into AGENT_REASONS. @type {import('../runtime/arguments.js').ReadonlyArrayView<Uint8Array>} */
  get reasons() {
    return viewOf(this).reasons;
  }

  /** [count] handles of the agents: a copy that stays valid. @type {AgentHandles} */
  get agents() {
    return viewOf(this).agents;
  }

  /**
   * Interpolates positions between the last two steps, for drawing.
   * @param {number} part 0 (before the last step) to 1 (after it) @param {Float32Array} [out] [count][3] or longer
   * @returns {Float32Array}
   */
  interpolate(part, out = undefined) {
    const address = addressOf(this, CROWD);
    const { session } = this;
    const { count } = this.view.of(address);
    if (typeof part !== 'number' || !(part >= 0 && part <= 1)) throw invalidArgument('part', `is ${describe(part)}: must be 0 to 1`, part);
    const positions = requireRoom(out, 3 * count);
    const room = session.reserve(12 * count);
    session.wasm.crowd_interpolate(address, part, room);
    return readRows(session, room, positions, 3 * count);
  }

  /**
   * The radius and height of each agent, world units, for drawing.
   * @param {Float32Array} [out] [count][2] or longer
   * @returns {Float32Array}
   */
  sizes(out = undefined) {
    const address = addressOf(this, CROWD);
    const { session } = this;
    const { count } = this.view.of(address);
    const sizes = requireRoom(out, 2 * count);
    const room = session.reserve(8 * count);
    session.wasm.crowd_sizes(address, room);
    return readRows(session, room, sizes, 2 * count);
  }
}
