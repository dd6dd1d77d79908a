/**
 * Crowd and CrowdAgent of recast-navigation, over a crowd of Walkmesh. Agents reach the same targets on other paths: they avoid each
 * other by reciprocal velocity obstacles. docs/migration.md lists the meaning of the parameters.
 */
import { NavError } from '../runtime/errors.js';
import { rawOf, requireNumber, requireObject } from './arguments.js';
import { NavMeshQuery, QueryFilter } from './query.js';
import { toVector, zero } from './vectors.js';

/** @typedef {import('../crowd/crowd.js').Crowd} WalkmeshCrowd */
/** @typedef {import('../crowd/parameters.js').AgentParameters} AgentParameters */
/** @typedef {import('./nav-mesh.js').NavMesh} NavMesh */
/** @typedef {import('./vectors.js').Vector3} Vector3 */

/**
 * @typedef {object} CrowdAgentParams
 * @property {number} radius default 0.5
 * @property {number} height default 1
 * @property {number} maxAcceleration default 20
 * @property {number} maxSpeed default 6
 * @property {number} collisionQueryRange ignored: neighbours are searched as far as speeds require; default 2.5
 * @property {number} pathOptimizationRange ignored: paths are always pulled tight; default 0
 * @property {number} separationWeight default 0
 * @property {number} updateFlags 1: anticipates turns; 2: avoids others; 4: stays away from others by separationWeight; other bits are ignored; default 7
 * @property {number} obstacleAvoidanceType 0 to 3: low to high quality; default 0
 * @property {number} queryFilterType default 0
 * @property {unknown} userData default 0
 */

/** @typedef {{ maxAgents: number, maxAgentRadius: number }} CrowdParams ignored: neither has a limit */

/** @type {Readonly<CrowdAgentParams>} */
export const crowdAgentParamsDefaults = Object.freeze({
  radius: 0.5, height: 1, maxAcceleration: 20, maxSpeed: 6, collisionQueryRange: 2.5, pathOptimizationRange: 0, separationWeight: 0,
  updateFlags: 7, obstacleAvoidanceType: 0, queryFilterType: 0, userData: 0,
});

/** Bits of updateFlags. */
const [ANTICIPATES, AVOIDS, SEPARATES] = [1, 2, 4];
/** Avoidance by obstacleAvoidanceType. */
const QUALITIES = /** @type {const} */ (['low', 'medium', 'medium', 'high']);
/** Values of state(). */
const [INVALID, WALKING, ON_CONNECTION] = [0, 1, 2];
const FILTERS = 16;

/** @param {CrowdAgentParams} params @returns {Partial<AgentParameters>} */
function toParameters({ radius, height, maxAcceleration, maxSpeed, separationWeight, updateFlags, obstacleAvoidanceType, queryFilterType }) {
  for (const [name, value] of Object.entries({ separationWeight, updateFlags, obstacleAvoidanceType, queryFilterType })) requireNumber(value, name);
  return {
    radius, height, maxAcceleration, maxSpeed, filter: queryFilterType,
    anticipateTurns: (updateFlags & ANTICIPATES) !== 0,
    separation: updateFlags & SEPARATES ? separationWeight / 2 : 0,
    avoidance: updateFlags & AVOIDS ? QUALITIES[Math.min(3, Math.max(0, Math.trunc(obstacleAvoidanceType)))] : 'none',
  };
}

export class CrowdAgent {
  #params;
  /** Position between the last two steps, if update was called with the time since its last call. @type {Vector3} */
  interpolatedPosition = zero();

  /**
   * @internal Made by Crowd.addAgent. @param {Crowd} crowd @param {number} agentIndex @param {number} raw
   * @param {CrowdAgentParams} params
   */
  constructor(crowd, agentIndex, raw, params) {
    this.crowd = crowd;
    this.agentIndex = agentIndex;
    /** Its handle in crowd.raw. */
    this.raw = raw;
    this.#params = params;
    this.interpolatedPosition = this.position();
  }

  /** The handle, for a call of crowd.raw. */
  get #handle() {
    const { crowd: { raw }, agentIndex } = this;
    if (raw.isFreed || raw.has(this.raw)) return this.raw;
    throw new NavError('stale-reference', `agent ${agentIndex} was removed: this CrowdAgent can't be used`, { field: 'agentIndex', value: agentIndex });
  }

  /** @param {Vector3} position @returns {boolean} false if no mesh is near */
  requestMoveTarget(position) {
    const { navMeshQuery } = this.crowd, handle = this.#handle;
    const { nearestRef, nearestPoint } = navMeshQuery.findNearestPoly(position, { filter: this.crowd.getFilter(this.queryFilterType) });
    if (nearestRef === 0) return false;
    this.crowd.raw.setTarget(handle, nearestPoint);
    return true;
  }

  /** @param {Vector3} velocity @returns {boolean} */
  requestMoveVelocity(velocity) {
    this.crowd.raw.setVelocity(this.#handle, velocity);
    return true;
  }

  resetMoveTarget() {
    this.crowd.raw.stop(this.#handle);
  }

  /** @param {Vector3} position snapped to the nearest point of the mesh; removes the target */
  teleport(position) {
    this.crowd.raw.warp(this.#handle, position);
    this.crowd.raw.stop(this.#handle);
    this.interpolatedPosition = this.position();
  }

  position() {
    return toVector(this.crowd.raw.position(this.#handle));
  }

  velocity() {
    return toVector(this.crowd.raw.velocity(this.#handle));
  }

  desiredVelocity() {
    return toVector(this.#info.desiredVelocity);
  }

  /** The agent's velocity: it follows the velocity of avoidance within its acceleration. */
  desiredVelocityObstacleAdjusted() {
    return this.velocity();
  }

  /** 0: off the mesh; 1: walks or stands; 2: on an off-mesh connection. @returns {number} */
  state() {
    const state = this.crowd.raw.state(this.#handle);
    return state === 'off-mesh' ? INVALID : state === 'on-connection' ? ON_CONNECTION : WALKING;
  }

  get #info() {
    return this.crowd.raw.info(this.#handle);
  }

  /** Its target; without one, its position. */
  target() {
    const { hasTarget, target } = this.#info;
    return hasTarget ? toVector(target) : this.position();
  }

  /** The next corner of its path. */
  nextTargetInPath() {
    const [first] = this.corners();
    return first ?? this.target();
  }

  corners() {
    const { corners, cornerCount } = this.crowd.raw.details(this.#handle);
    return Array.from({ length: cornerCount }, (_, i) => toVector(corners, 3 * i));
  }

  overOffMeshConnection() {
    const { state, reason } = this.#info;
    return state === 'on-connection' || (state === 'waiting' && reason === 'connection');
  }

  /** @returns {CrowdAgentParams} */
  parameters() {
    return { ...this.#params };
  }

  /** @param {Partial<CrowdAgentParams>} crowdAgentParams missing parameters stay */
  updateParameters(crowdAgentParams) {
    this.#write({ ...this.#params, ...crowdAgentParams });
  }

  /** @param {Partial<CrowdAgentParams>} crowdAgentParams missing parameters get their defaults */
  setParameters(crowdAgentParams) {
    this.#write({ ...crowdAgentParamsDefaults, ...crowdAgentParams });
  }

  /** @param {CrowdAgentParams} params */
  #write(params) {
    this.crowd.raw.setParameters(this.#handle, toParameters(params));
    this.#params = params;
  }

  // ---- Parameters by name -----------------------------------------------------------------------------------

  /** @type {number} */
  get radius() {
    return this.#params.radius;
  }

  set radius(value) {
    this.updateParameters({ radius: value });
  }

  /** @type {number} */
  get height() {
    return this.#params.height;
  }

  set height(value) {
    this.updateParameters({ height: value });
  }

  /** @type {number} */
  get maxAcceleration() {
    return this.#params.maxAcceleration;
  }

  set maxAcceleration(value) {
    this.updateParameters({ maxAcceleration: value });
  }

  /** @type {number} */
  get maxSpeed() {
    return this.#params.maxSpeed;
  }

  set maxSpeed(value) {
    this.updateParameters({ maxSpeed: value });
  }

  /** @type {number} */
  get collisionQueryRange() {
    return this.#params.collisionQueryRange;
  }

  set collisionQueryRange(value) {
    this.updateParameters({ collisionQueryRange: value });
  }

  /** @type {number} */
  get pathOptimizationRange() {
    return this.#params.pathOptimizationRange;
  }

  set pathOptimizationRange(value) {
    this.updateParameters({ pathOptimizationRange: value });
  }

  /** @type {number} */
  get separationWeight() {
    return this.#params.separationWeight;
  }

  set separationWeight(value) {
    this.updateParameters({ separationWeight: value });
  }

  /** @type {number} */
  get updateFlags() {
    return this.#params.updateFlags;
  }

  set updateFlags(value) {
    this.updateParameters({ updateFlags: value });
  }

  /** @type {number} */
  get obstacleAvoidanceType() {
    return this.#params.obstacleAvoidanceType;
  }

  set obstacleAvoidanceType(value) {
    this.updateParameters({ obstacleAvoidanceType: value });
  }

  /** @type {number} */
  get queryFilterType() {
    return this.#params.queryFilterType;
  }

  set queryFilterType(value) {
    this.updateParameters({ queryFilterType: value });
  }

  /** @type {unknown} */
  get userData() {
    return this.#params.userData;
  }

  set userData(value) {
    this.updateParameters({ userData: value });
  }
}

export class Crowd {
  /** @type {(QueryFilter | undefined)[]} */
  #filters = [];
  /** Filters as they were last set in the crowd, as JSON. @type {string[]} */
  #told = [];
  #accumulator = 0;
  #maxAgents;

  /** @param {NavMesh} navMesh @param {CrowdParams} params */
  constructor(navMesh, params = /** @type {any} */ ({})) {
    const { maxAgents } = requireObject(params, 'params');
    /** Walkmesh's own crowd, with all its features. @type {WalkmeshCrowd} */
    this.raw = rawOf(navMesh).createCrowd();
    this.navMesh = navMesh;
    this.navMeshQuery = new NavMeshQuery(navMesh);
    /** By index. @type {Record<string, CrowdAgent>} */
    this.agents = {};
    this.#maxAgents = maxAgents;
  }

  /** True for a crowd of this class: not for a proxy of one. @internal @param {unknown} value */
  static isOne(value) {
    return typeof value === 'object' && value !== null && #told in value;
  }

  /**
   * One step; or, with the time since the last call, all steps of dt that fit, and the interpolatedPosition of every agent.
   * @param {number} dt seconds @param {number} [timeSinceLastCalled] @param {number} [maxSubSteps] default 10
   */
  update(dt, timeSinceLastCalled, maxSubSteps = 10) {
    this.#tellFilters();
    if (timeSinceLastCalled === undefined) {
      this.raw.step(dt);
      return;
    }
    for (const [name, value] of Object.entries({ dt, timeSinceLastCalled, maxSubSteps })) requireNumber(value, name);
    this.#accumulator += timeSinceLastCalled;
    let steps = 0;
    for (; this.#accumulator >= dt && steps < maxSubSteps; steps++) {
      this.raw.step(dt);
      this.#accumulator -= dt;
    }
    // Longer times are dropped, so that a slow frame isn't followed by slower ones.
    this.#accumulator = Math.min(this.#accumulator, dt);
    const points = this.raw.interpolate(Math.min(1, this.#accumulator / dt));
    for (const agent of this.getAgents()) agent.interpolatedPosition = toVector(points, 3 * this.raw.indexOf(agent.raw));
  }

  #tellFilters() {
    this.#filters.forEach((filter, i) => {
      if (!filter) return;
      const { options } = filter, now = JSON.stringify({ ...options, areaCosts: options.areaCosts && Array.from(/** @type {any} */ (options.areaCosts)) });
      if (now === this.#told[i]) return;
      this.raw.setFilter(i, options);
      this.#told[i] = now;
    });
  }

  /** @param {Vector3} position @param {Partial<CrowdAgentParams>} [crowdAgentParams] @returns {CrowdAgent} */
  addAgent(position, crowdAgentParams = {}) {
    const params = { ...crowdAgentParamsDefaults, ...crowdAgentParams };
    const parameters = toParameters(params);
    if (params.queryFilterType > 0) this.getFilter(params.queryFilterType);
    this.#tellFilters();
    const raw = this.raw.addAgent(position, parameters);
    let index = 0;
    while (this.agents[index]) index++;
    return this.agents[index] = new CrowdAgent(this, index, raw, params);
  }

  /** @param {number} agentIndex @returns {CrowdAgent | null} */
  getAgent(agentIndex) {
    return this.agents[requireNumber(agentIndex, 'agentIndex')] ?? null;
  }

  /** @param {number | CrowdAgent} agent */
  removeAgent(agent) {
    const index = typeof agent === 'number' ? agent : requireNumber(requireObject(agent, 'agent').agentIndex, 'agent');
    const known = this.agents[index];
    if (!known || (typeof agent !== 'number' && known !== agent)) return;
    this.raw.remove(known.raw);
    delete this.agents[index];
  }

  /** The number that the crowd was created with; it may have more agents. @returns {number} */
  getAgentCount() {
    return this.#maxAgents;
  }

  getActiveAgentCount() {
    return this.raw.count;
  }

  getAgents() {
    return Object.values(this.agents);
  }

  /** The filter of agents with this queryFilterType: changes of it apply from the next step on. @param {number} filterIndex 0 to 15 */
  getFilter(filterIndex) {
    if (!(Number.isInteger(filterIndex) && filterIndex >= 0 && filterIndex < FILTERS)) return new QueryFilter();
    return this.#filters[filterIndex] ??= new QueryFilter();
  }

  /** Frees the crowd; also after its mesh was destroyed. */
  destroy() {
    this.raw[Symbol.dispose]();
    this.agents = {};
  }
}

