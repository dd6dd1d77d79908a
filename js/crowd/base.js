/// <reference lib="esnext.disposable" preserve="true" />
/** A crowd in the module's memory: making and freeing it, its agents, and their arrays. */
import { readReference, readReferences } from '../runtime/answers.js';
import { requireCount } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { Filter } from '../mesh/filter.js';
import { CROWD, NAV_MESH } from '../runtime/handle-kinds.js';
import { Owned, addressOf, requireMaker } from '../runtime/owned.js';
import { readCrowdOptions, writeCrowdOptions } from './options.js';
import { PARAMETER_WORDS, readParameters, writeParameters } from './parameters.js';
import { countAgents, countPoints, requireAgent, writeAgents, writePoints } from './agent-rows.js';
import { CrowdView } from './agent-arrays.js';

/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/arguments.js').Points} Points */
/** @typedef {import('../mesh/filter.js').FilterOptions} FilterOptions */
/** @typedef {import('../mesh/mesh-base.js').NavMeshBase} NavMeshBase */
/** @typedef {import('./options.js').CrowdOptions} CrowdOptions */
/** @typedef {import('./parameters.js').AgentParameters} AgentParameters */
/** @typedef {import('./agent-rows.js').Agents} Agents */

/** Filters have numbers below this. */
const FILTER_LIMIT = 256;
const NO_PARAMETERS = Object.freeze({});

/**
 * The address of what a method is called on; throws where that is no crowd, and where it or what it depends on was freed. The
 * views are good after it.
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

/** The arrays. @param {CrowdBase} crowd */
function viewOf(crowd) {
  const address = addressOf(crowd, CROWD);
  return crowd.view.of(address);
}

/** Throws where a filter that agents have was freed. @param {Filter} filter */
function checkFilter(filter) {
  filter.handle.check();
}

/** @param {unknown} parameters @param {number} count */
const notParameters = (parameters, count) =>
  invalidArgument('parameters', `must be one object, or ${count}, not ${describe(parameters)}`, parameters);

/**
 * Adds agents; in memory lie their handles, the parameters, which hold f64, and the positions.
 * @param {CrowdBase} crowd @param {Point | Points} positions @param {number} count @param {any} parameters
 * @returns {number} the address of the handles
 */
function addAgents(crowd, positions, count, parameters) {
  const address = useCrowd(crowd);
  const { session, view } = crowd;
  const isEach = Array.isArray(parameters);
  const each = isEach ? parameters.length : 1;
  if (isEach && each !== count) throw notParameters(parameters, count);
  const room = session.room(8 * count + 4 * PARAMETER_WORDS * each + 12 * count);
  const parametersAt = room + 8 * count, positionsAt = parametersAt + 4 * PARAMETER_WORDS * each;
  session.wasm.crowd_default_parameters(session.handle);
  const { u32, inputs } = session;
  for (let i = 0; i < each; i++) {
    const at = (parametersAt >>> 2) + PARAMETER_WORDS * i;
    u32.copyWithin(at, inputs, inputs + PARAMETER_WORDS);
    writeParameters(session, at, isEach ? parameters[i] : parameters);
  }
  writePoints(session, positionsAt, positions, count, 'positions');
  session.check(session.wasm.crowd_add_agents(address, count, positionsAt, parametersAt, each, room));
  view.forget();
  return room;
}

/** An array with room for so many numbers: the one that is given, or a new one. @param {Float32Array | undefined} out @param {number} count */
function requireRoom(out, count) {
  if (out === undefined) return new Float32Array(count);
  if (out instanceof Float32Array && out.length >= count) return out;
  throw invalidArgument('out', `must be a Float32Array of ${count} numbers or more, not ${describe(out)}`, out);
}

/** Copies without making a view. @param {import('../runtime/session.js').Session} session @param {number} address @param {Float32Array} out @param {number} count */
function readRows({ f32 }, address, out, count) {
  for (let i = 0, at = address >>> 2; i < count; i++) out[i] = f32[at + i];
  return out;
}

export class CrowdBase extends Owned {
  /** The meshes by type. @internal @type {NavMeshBase[]} */
  meshes;
  /** Filters kept in memory, by number: their costs are read from where they are. @internal @type {Map<number, Filter>} */
  filters = new Map();
  /** @internal @type {CrowdView} */
  view;

  /** @internal @param {NavMeshBase} mesh @param {CrowdOptions} options */
  constructor(mesh, options) {
    const session = requireMaker(mesh?.session, CROWD);
    const { wasm } = session;
    const meshAddress = addressOf(mesh, NAV_MESH);
    wasm.crowd_default_options(session.handle);
    session.refresh();
    writeCrowdOptions(session, options);
    session.check(wasm.crowd_create(meshAddress));
    super(session, CROWD, session.u32[session.answer], (crowd) => wasm.crowd_destroy(crowd), mesh.handle);
    this.meshes = [mesh];
    this.view = new CrowdView(session);
  }

  // ---- The whole ---------------------------------------------------------------------------------------------

  /** The options in force. */
  get options() {
    const address = addressOf(this, CROWD);
    this.session.wasm.crowd_options(this.session.handle, address);
    this.session.refresh();
    return readCrowdOptions(this.session);
  }

  /** Changes the options that are given. @param {CrowdOptions} options */
  setOptions(options) {
    const address = useCrowd(this);
    const { session } = this;
    session.wasm.crowd_options(session.handle, address);
    writeCrowdOptions(session, options);
    session.check(session.wasm.crowd_set_options(session.handle, address));
  }

  /**
   * Another mesh, for agents of another size or kind: those with this `type` walk on it. All agents avoid each other wherever
   * they walk. It must not be freed before the crowd.
   * @param {NavMeshBase} navMesh of the same instance
   * @returns {number} the type: 1, 2, ...; that of the first mesh is 0
   */
  addMesh(navMesh) {
    const address = useCrowd(this);
    const { session } = this;
    const meshAddress = addressOf(navMesh, NAV_MESH);
    if (navMesh.session !== session) throw invalidArgument('navMesh', 'belongs to another instance of the module', navMesh);
    session.check(session.wasm.crowd_add_mesh(session.handle, address, meshAddress));
    this.meshes.push(navMesh);
    return session.u32[session.answer];
  }

  /**
   * The filter of a number, which agents name in their parameters; at first all numbers have the default filter. Agents with it
   * plan anew. One kept in memory must not be freed before the crowd; where it changes, set it again.
   * @param {number} number 0 to 255 @param {Filter | FilterOptions} filter
   */
  setFilter(number, filter) {
    const address = useCrowd(this);
    const { session } = this;
    requireCount(number, 'number', FILTER_LIMIT - 1);
    const mesh = this.meshes.find((one) => filter instanceof Filter && filter.isFor(one)) ?? this.meshes[0];
    const filterAddress = mesh.filterAddress(filter);
    session.check(session.wasm.crowd_set_filter(address, number, filterAddress));
    if (filter instanceof Filter) this.filters.set(number, filter);
    else this.filters.delete(number);
  }

  /** A hash of all there is to know of all agents: equal hashes, equal crowds. For tests; 16 hexadecimal digits. */
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
   * Adds an agent at the nearest place of its mesh; where there is none within placeExtents it is `off-mesh`.
   * @param {Point} position @param {Partial<AgentParameters>} [parameters]
   * @returns {number} the agent: a handle, which stays until it is removed and is never used again
   */
  addAgent(position, parameters = NO_PARAMETERS) {
    const handle = addAgents(this, position, 1, parameters);
    return readReference(this.session.u32, handle >>> 2);
  }

  /**
   * Adds many at once, or none.
   * @param {Points} positions @param {Partial<AgentParameters> | readonly Partial<AgentParameters>[]} [parameters] one for all,
   *   or one each
   * @returns {Float64Array} the agents
   */
  addAgents(positions, parameters = NO_PARAMETERS) {
    useCrowd(this);
    const count = countPoints(positions, 'positions');
    const handles = addAgents(this, positions, count, parameters);
    return readReferences(this.session, handles, count, undefined);
  }

  /** Removes an agent, or many at once: all or, where one is not there, none. @param {Agents} agents */
  remove(agents) {
    const address = useCrowd(this);
    const { session } = this;
    const count = countAgents(agents);
    const room = session.room(8 * count);
    writeAgents(session, room, agents);
    session.check(session.wasm.crowd_remove_agents(address, count, room));
    this.view.forget();
  }

  /** Whether an agent is there; false once it was removed. @param {number} agent */
  has(agent) {
    const address = addressOf(this, CROWD);
    return this.session.wasm.crowd_index(this.session.handle, address, requireAgent(agent, 'agent')) === 0;
  }

  /** Where an agent stands in the arrays, until agents are removed. @param {number} agent @returns {number} */
  indexOf(agent) {
    const address = addressOf(this, CROWD);
    const { session } = this;
    session.check(session.wasm.crowd_index(session.handle, address, requireAgent(agent, 'agent')));
    return session.u32[session.answer];
  }

  /** The parameters of an agent: a copy. @param {number} agent @returns {AgentParameters} */
  parameters(agent) {
    const address = addressOf(this, CROWD);
    const { session } = this;
    session.check(session.wasm.crowd_parameters(session.handle, address, requireAgent(agent, 'agent')));
    return readParameters(session, session.inputs);
  }

  /**
   * Changes the parameters that are given; targets stay. Many at once: all or, where something is wrong, none.
   * @param {Agents} agents @param {Partial<AgentParameters> | readonly Partial<AgentParameters>[]} parameters the same for all, or one
   *   each
   */
  setParameters(agents, parameters) {
    const address = useCrowd(this);
    const { session } = this;
    const count = countAgents(agents);
    const isEach = Array.isArray(parameters);
    if (isEach && parameters.length !== count) throw notParameters(parameters, count);
    const room = session.room(8 * count + 4 * PARAMETER_WORDS * count), parametersAt = room + 8 * count;
    writeAgents(session, room, agents);
    const { u32, inputs } = session;
    for (let i = 0; i < count; i++) {
      const at = (parametersAt >>> 2) + PARAMETER_WORDS * i;
      session.check(session.wasm.crowd_parameters(session.handle, address, typeof agents === 'number' ? agents : agents[i]));
      u32.copyWithin(at, inputs, inputs + PARAMETER_WORDS);
      writeParameters(session, at, isEach ? parameters[i] : parameters);
    }
    session.check(session.wasm.crowd_set_parameters(address, count, room, parametersAt));
  }

  // ---- All agents as arrays ----------------------------------------------------------------------------------
  //
  // Views of the module's memory, not copies: read them, and get them anew in every frame, for they end where memory grows.

  /** How many agents there are. @type {number} */
  get count() {
    return viewOf(this).count;
  }

  /** [count][3] where they are, on the surface. @type {Float32Array} */
  get positions() {
    return viewOf(this).positions;
  }

  /** [count][3] where they were before the last step. @type {Float32Array} */
  get previousPositions() {
    return viewOf(this).previousPositions;
  }

  /** [count][3] world units a second. @type {Float32Array} */
  get velocities() {
    return viewOf(this).velocities;
  }

  /** [count][2] where they look: x and z of a unit vector. @type {Float32Array} */
  get headings() {
    return viewOf(this).headings;
  }

  /** [count] numbers, whose names are in AGENT_STATES. @type {Uint8Array} */
  get states() {
    return viewOf(this).states;
  }

  /** [count] numbers, whose names are in AGENT_REASONS. @type {Uint8Array} */
  get reasons() {
    return viewOf(this).reasons;
  }

  /** [count] the agents themselves: a copy, which stays as it is. @type {Float64Array} */
  get agents() {
    return viewOf(this).agents;
  }

  /**
   * Positions between the last two steps, for drawing.
   * @param {number} part 0: before the last step, to 1: after it @param {Float32Array} [out] [count][3] or longer
   * @returns {Float32Array}
   */
  interpolate(part, out = undefined) {
    const address = addressOf(this, CROWD);
    const { session } = this;
    const { count } = this.view.of(address);
    if (typeof part !== 'number' || !(part >= 0 && part <= 1)) throw invalidArgument('part', `is ${describe(part)}: must be 0 to 1`, part);
    const positions = requireRoom(out, 3 * count);
    const room = session.room(12 * count);
    session.wasm.crowd_interpolate(address, part, room);
    return readRows(session, room, positions, 3 * count);
  }

  /**
   * Radius and height of all agents, for drawing.
   * @param {Float32Array} [out] [count][2] or longer
   * @returns {Float32Array}
   */
  sizes(out = undefined) {
    const address = addressOf(this, CROWD);
    const { session } = this;
    const { count } = this.view.of(address);
    const sizes = requireRoom(out, 2 * count);
    const room = session.room(8 * count);
    session.wasm.crowd_sizes(address, room);
    return readRows(session, room, sizes, 2 * count);
  }
}
