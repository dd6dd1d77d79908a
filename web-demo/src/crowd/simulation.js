/**
 * The crowd of the tool: a Crowd of the library on the mesh that stands, and what is to be kept when another mesh takes its
 * place: where agents are and began, where they were sent, who is selected.
 *
 * begin(navMesh), then add, send, advance ...; end() before the mesh is freed, and begin again on the next one.
 */
import { AGENT_STATES, FixedStep } from 'walkmesh';
import { StepTimes } from './step-times.js';

/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('walkmesh').AgentParameters} AgentParameters */
/** @typedef {import('walkmesh').AgentState} AgentState */
/** @typedef {import('walkmesh').Crowd} Crowd */
/** @typedef {import('walkmesh').DynamicNavMesh} DynamicNavMesh */
/** @typedef {import('walkmesh').FilterOptions} FilterOptions */
/** @typedef {import('walkmesh').NavMesh} NavMesh */

/** What the tool knows of an agent beside what the crowd knows. @typedef {{ home: Point, target: Point | null }} Note */
/** @typedef {{ position: Point, note: Note, isSelected: boolean }} Kept */

/** Seconds of a step. */
export const STEP = 1 / 60;
/** Most steps of a frame. */
const MAX_STEPS = 4;
/** Slower than this an agent stands, world units a second. */
const STANDING = 0.02;
/** Steps after which a crowd in which nobody moves is left alone. */
const STEPS_TO_REST = 20;
/** States in which an agent is about to do something. */
const BUSY = new Set(['planning', 'following', 'on-connection'].map((name) => AGENT_STATES.indexOf(/** @type {AgentState} */ (name))));

export class Simulation {
  /** @type {Crowd | null} */
  crowd = null;
  times = new StepTimes();
  isPaused = false;
  /** Agents that orders go to; all where it is empty. @type {Set<number>} */
  selected = new Set();
  /** Steps since the crowd began. */
  steps = 0;
  /** The mesh that it walks on. @type {NavMesh | null} */
  navMesh = null;
  /** @type {DynamicNavMesh | null} */
  #dynamic = null;
  /** @type {import('walkmesh').MovingObstacles | undefined} */
  #obstacles;
  /** @type {FixedStep | null} */
  #clock = null;
  /** @type {Map<number, Note>} */
  #notes = new Map();
  /** Of a crowd whose mesh has gone. @type {Kept[]} */
  #kept = [];
  #parameters;
  #filter;
  #restingSteps = 0;

  /** @param {Partial<AgentParameters>} parameters of all agents @param {FilterOptions} filter of all agents */
  constructor(parameters, filter) {
    this.#parameters = parameters;
    this.#filter = filter;
  }

  get count() {
    return this.crowd ? this.crowd.count : this.#kept.length;
  }

  // ---- The mesh ----------------------------------------------------------------------------------------------

  /** On a mesh, with the agents that were kept. @param {NavMesh} navMesh @param {DynamicNavMesh | null} dynamic whose obstacles are avoided */
  begin(navMesh, dynamic) {
    if (this.crowd) this.end();
    this.navMesh = navMesh;
    this.#dynamic = dynamic;
    this.#makeCrowd();
  }

  #makeCrowd() {
    const kept = this.#kept;
    this.#kept = [];
    const crowd = this.crowd = /** @type {NavMesh} */ (this.navMesh).createCrowd();
    this.#clock = new FixedStep(crowd, { step: STEP, maxSteps: MAX_STEPS });
    crowd.setFilter(0, this.#filter);
    if (kept.length === 0) return;
    const agents = crowd.addAgents(kept.map(({ position }) => position), this.#parameters);
    kept.forEach(({ note, isSelected }, i) => {
      this.#notes.set(agents[i], note);
      if (isSelected) this.selected.add(agents[i]);
    });
    this.#sendAgain(agents);
    this.wake();
  }

  /** Before the mesh is freed: the agents are kept for the next one. */
  end() {
    if (!this.crowd) return;
    const { agents, positions } = this.crowd;
    this.#kept = Array.from(agents, (agent, i) => ({
      position: [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]],
      note: this.#noteOf(agent), isSelected: this.selected.has(agent),
    }));
    this.crowd.free();
    this.#drop();
  }

  /** Nobody is left, and nobody is kept: another level comes. */
  clear() {
    this.crowd?.free();
    this.#drop();
    this.#kept = [];
    this.times.clear();
    if (this.navMesh && !this.navMesh.isFreed) this.#makeCrowd();
  }

  #drop() {
    this.crowd = this.#clock = null;
    this.#obstacles = undefined;
    this.#notes.clear();
    this.selected.clear();
  }

  /** @param {number} agent @returns {Note} */
  #noteOf(agent) {
    return /** @type {Note} */ (this.#notes.get(agent));
  }

  /** Agents that go to the same place get one order: they share its search. @param {ArrayLike<number>} agents */
  #sendAgain(agents) {
    /** @type {Map<string, { target: Point, agents: number[] }>} */
    const groups = new Map();
    for (const agent of Array.from(agents)) {
      const { target } = this.#noteOf(agent);
      if (!target) continue;
      const key = String(target);
      const group = groups.get(key) ?? { target, agents: [] };
      group.agents.push(agent);
      groups.set(key, group);
    }
    for (const { target, agents: group } of groups.values()) this.crowd?.setTarget(group, target);
  }

  // ---- Agents ------------------------------------------------------------------------------------------------

  /** @param {ArrayLike<number>} points [n][3] @returns {Float64Array} the agents */
  add(points) {
    if (!this.crowd || points.length < 3) return new Float64Array(0);
    // Three numbers are one point, and more are many; of one the answer is a list, too.
    const agents = this.crowd.addAgents(Float32Array.from(points), this.#parameters);
    agents.forEach((agent, i) => {
      const home = /** @type {Point} */ ([points[3 * i], points[3 * i + 1], points[3 * i + 2]]);
      this.#notes.set(agent, { home, target: null });
    });
    this.wake();
    return agents;
  }

  /** Those that orders go to: the selected ones, or all. @returns {Float64Array} */
  chosen() {
    if (!this.crowd) return new Float64Array(0);
    return this.selected.size > 0 ? Float64Array.from(this.selected) : this.crowd.agents;
  }

  /** @param {ArrayLike<number>} agents */
  remove(agents) {
    if (!this.crowd || agents.length === 0) return;
    this.crowd.remove(agents);
    for (const agent of Array.from(agents)) {
      this.#notes.delete(agent);
      this.selected.delete(agent);
    }
    this.wake();
  }

  /** The chosen go there. @param {Point} target @returns {number} how many */
  send(target) {
    const agents = this.chosen();
    if (!this.crowd || agents.length === 0) return 0;
    this.crowd.setTarget(agents, target);
    for (const agent of agents) this.#noteOf(agent).target = target;
    this.wake();
    return agents.length;
  }

  /** The chosen stop, and forget where they were going. */
  stop() {
    const agents = this.chosen();
    if (!this.crowd || agents.length === 0) return;
    this.crowd.stop(agents);
    for (const agent of agents) this.#noteOf(agent).target = null;
    this.wake();
  }

  /** All are back where they began, and stand. */
  reset() {
    const { crowd } = this;
    if (!crowd || crowd.count === 0) return;
    const { agents } = crowd;
    crowd.stop(agents);
    crowd.warp(agents, Float32Array.from(Array.from(agents, (agent) => this.#noteOf(agent).home).flat()));
    for (const agent of agents) this.#noteOf(agent).target = null;
    this.times.clear();
    this.wake();
  }

  /** Where agents were sent, each place once. @returns {Point[]} */
  targets() {
    /** @type {Map<string, Point>} */
    const places = new Map();
    for (const { target } of this.#notes.values()) if (target) places.set(String(target), target);
    return [...places.values()];
  }

  /** How many agents are in each state. @returns {{ state: AgentState, count: number }[]} those there are, in the order of AGENT_STATES */
  countStates() {
    const counts = new Uint32Array(AGENT_STATES.length);
    if (this.crowd) for (const state of this.crowd.states) counts[state]++;
    return AGENT_STATES.map((state, i) => ({ state, count: counts[i] })).filter(({ count }) => count > 0);
  }

  /** @param {Partial<AgentParameters>} parameters of all agents, those to come too */
  setParameters(parameters) {
    this.#parameters = parameters;
    if (this.crowd && this.crowd.count > 0) this.crowd.setParameters(this.crowd.agents, parameters);
    this.wake();
  }

  /** @param {FilterOptions} filter of all agents */
  setFilter(filter) {
    if (filter === this.#filter) return;
    this.#filter = filter;
    this.crowd?.setFilter(0, filter);
    this.wake();
  }

  // ---- Time --------------------------------------------------------------------------------------------------

  /** Something has changed: agents may have to move. */
  wake() {
    this.#restingSteps = 0;
  }

  /** Whether a frame would change anything. */
  get isAwake() {
    return !this.isPaused && this.count > 0 && this.crowd !== null && this.#restingSteps < STEPS_TO_REST;
  }

  /** Wakes up where obstacles move that agents would have to avoid. */
  lookAround() {
    if (this.isPaused || this.isAwake || this.count === 0) return;
    this.#seeObstacles();
    if (this.#isMoving()) this.wake();
  }

  /** @param {number} seconds since the last frame @returns {number} steps that were done */
  advance(seconds) {
    if (!this.isAwake || !this.#clock) return 0;
    this.#seeObstacles();
    const begin = performance.now();
    const steps = this.#clock.advance(seconds);
    this.#note(steps, performance.now() - begin);
    return steps;
  }

  /** One step, also while paused. */
  stepOnce() {
    if (!this.crowd || this.count === 0) return;
    this.#seeObstacles();
    const begin = performance.now();
    this.crowd.step(STEP);
    this.#note(1, performance.now() - begin);
  }

  /** Obstacles that do not carve are avoided. */
  #seeObstacles() {
    if (!this.#dynamic || !this.crowd) return;
    this.#obstacles = this.#dynamic.movingObstacles(this.#obstacles);
    this.crowd.setObstacles(this.#obstacles.count > 0 ? this.#obstacles : null);
  }

  /** @param {number} steps @param {number} milliseconds of all */
  #note(steps, milliseconds) {
    this.steps += steps;
    for (let i = 0; i < steps; i++) this.times.add(milliseconds / steps);
    if (steps > 0) this.#restingSteps = this.#isMoving() ? 0 : this.#restingSteps + steps;
  }

  #isMoving() {
    const { states, velocities, count } = /** @type {Crowd} */ (this.crowd);
    const obstacles = this.#obstacles;
    if (obstacles) for (let i = 0; i < 3 * obstacles.count; i++) if (obstacles.velocities[i] !== 0) return true;
    for (let i = 0; i < count; i++) {
      if (BUSY.has(states[i])) return true;
      if (Math.hypot(velocities[3 * i], velocities[3 * i + 2]) > STANDING) return true;
    }
    return false;
  }

  /** Where agents are drawn: between the last two steps, or where they stand. @param {Float32Array} [out] [count][3] or longer */
  positions(out = undefined) {
    if (!this.crowd || !this.#clock) return new Float32Array(0);
    const places = out && out.length >= 3 * this.crowd.count ? out : new Float32Array(Math.ceil(4.5 * this.crowd.count) + 3);
    return this.isAwake ? this.#clock.positions(places) : this.crowd.interpolate(1, places);
  }
}
