/**
 * The crowd of the tool: a library Crowd on the current mesh. When the mesh changes it saves and restores the agents:
 * position, home, destination and selection.
 *
 * Call begin(navMesh), then add, send, advance ...; end() before the mesh is freed, then begin() on the next mesh.
 */
import { AGENT_REASONS, AGENT_STATES, FixedStep } from 'walkmesh';
import { countActivities } from './activity.js';
import { Routines } from './routines.js';
import { StepTimes } from './step-times.js';

/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('walkmesh').AgentParameters} AgentParameters */
/** @typedef {import('walkmesh').AgentReason} AgentReason */
/** @typedef {import('walkmesh').AgentState} AgentState */
/** @typedef {import('walkmesh').Crowd} Crowd */
/** @typedef {import('walkmesh').CrowdOptions} CrowdOptions */
/** @typedef {import('walkmesh').DynamicNavMesh} DynamicNavMesh */
/** @typedef {import('walkmesh').FilterOptions} FilterOptions */
/** @typedef {import('walkmesh').NavMesh} NavMesh */

/** Data about an agent that the crowd doesn't store; key: its number for undo, also in later crowds. @typedef {{ key: number, home: Point, target: Point | null }} Note */
/** @typedef {{ position: Point, note: Note, routine: import('./routines.js').Routine | null, isSelected: boolean }} SavedAgent */

/** Seconds per step. */
export const STEP = 1 / 60;
/** Most steps per frame. */
const MAX_STEPS = 4;
/** Agents below this speed count as standing, world units per second. */
const STANDING = 0.02;
/** Steps without motion after which the crowd is no longer stepped. */
const STEPS_TO_REST = 20;
/** States in which an agent is active. */
const BUSY = new Set(['planning', 'following', 'on-connection'].map((name) => AGENT_STATES.indexOf(/** @type {AgentState} */ (name))));
/** Reasons for which an agent stands now and walks on later, without an order. */
const BUSY_REASONS = new Set(['blocked', 'right-of-way'].map((name) => AGENT_REASONS.indexOf(/** @type {AgentReason} */ (name))));

export class Simulation {
  /** @type {Crowd | null} */
  crowd = null;
  times = new StepTimes();
  isPaused = false;
  /** Selected agents; orders go to all agents if it is empty. @type {Set<number>} */
  selected = new Set();
  /** Steps since the crowd was created. */
  steps = 0;
  /** Orders that go on by themselves. */
  routines = new Routines();
  /** The mesh of the crowd. @type {NavMesh | null} */
  navMesh = null;
  /** @type {DynamicNavMesh | null} */
  #dynamic = null;
  /** @type {import('walkmesh').MovingObstacles | undefined} */
  #obstacles;
  /** @type {FixedStep | null} */
  #clock = null;
  /** @type {Map<number, Note>} */
  #notes = new Map();
  /** Agents saved while there is no mesh. @type {SavedAgent[]} */
  #saved = [];
  #parameters;
  #filter;
  #options;
  #restingSteps = 0;
  #nextKey = 1;

  /** @param {Partial<AgentParameters>} parameters of all agents @param {FilterOptions} filter of all agents @param {CrowdOptions} [options] */
  constructor(parameters, filter, options = {}) {
    this.#options = options;
    this.#parameters = parameters;
    this.#filter = filter;
  }

  get count() {
    return this.crowd ? this.crowd.count : this.#saved.length;
  }

  // ---- The mesh ----------------------------------------------------------------------------------------------

  /** Creates the crowd on a mesh and restores the saved agents. @param {NavMesh} navMesh @param {DynamicNavMesh | null} dynamic source of moving obstacles */
  begin(navMesh, dynamic) {
    if (this.crowd) this.end();
    this.navMesh = navMesh;
    this.#dynamic = dynamic;
    this.#makeCrowd();
  }

  #makeCrowd() {
    const saved = this.#saved;
    this.#saved = [];
    const crowd = this.crowd = /** @type {NavMesh} */ (this.navMesh).createCrowd(this.#options);
    this.#clock = new FixedStep(crowd, { step: STEP, maxSteps: MAX_STEPS });
    crowd.setFilter(0, this.#filter);
    this.restore(saved);
  }

  /** Adds agents as they were saved. @param {readonly SavedAgent[]} saved */
  restore(saved) {
    if (saved.length === 0) return;
    if (!this.crowd) {
      this.#saved = [...this.#saved, ...saved];
      return;
    }
    const agents = this.crowd.addAgents(saved.map(({ position }) => position), this.#parameters);
    saved.forEach(({ note, routine, isSelected }, i) => {
      this.#notes.set(agents[i], { ...note });
      this.routines.set(agents[i], routine);
      if (isSelected) this.selected.add(agents[i]);
    });
    this.#sendAgain(agents);
    this.wake();
  }

  /** Agents as they are now, to add them again later. @param {ArrayLike<number>} agents @returns {SavedAgent[]} */
  save(agents) {
    const { crowd } = this;
    if (!crowd) return [];
    const { positions } = crowd;
    const places = new Map(Array.from(crowd.agents, (agent, i) => [agent, i]));
    return Array.from(agents, (agent) => {
      const at = 3 * /** @type {number} */ (places.get(agent));
      const position = /** @type {Point} */ ([0, 1, 2].map((axis) => positions[at + axis]));
      return { position, note: this.#noteOf(agent), routine: this.routines.of(agent), isSelected: this.selected.has(agent) };
    });
  }

  /** Removes the agents with these numbers that are still there. @param {readonly number[]} keys @returns {SavedAgent[]} for restore */
  removeKeys(keys) {
    const wanted = new Set(keys);
    if (!this.crowd) {
      const gone = this.#saved.filter(({ note }) => wanted.has(note.key));
      this.#saved = this.#saved.filter((agent) => !gone.includes(agent));
      return gone;
    }
    const agents = this.crowd.agents.filter((agent) => wanted.has(this.#noteOf(agent).key));
    const saved = this.save(agents);
    this.remove(agents);
    return saved;
  }

  /** Saves the agents; call it before the mesh is freed. */
  end() {
    if (!this.crowd) return;
    this.#saved = this.save(this.crowd.agents);
    this.crowd.free();
    this.#drop();
  }

  /** Deletes all agents, saved ones too: the level changes. */
  clear() {
    this.crowd?.free();
    this.#drop();
    this.#saved = [];
    this.times.clear();
    if (this.navMesh && !this.navMesh.isFreed) this.#makeCrowd();
  }

  #drop() {
    this.crowd = this.#clock = null;
    this.#obstacles = undefined;
    this.#notes.clear();
    this.routines.clear();
    this.selected.clear();
  }

  /** @param {number} agent @returns {Note} */
  #noteOf(agent) {
    return /** @type {Note} */ (this.#notes.get(agent));
  }

  /** Agents with the same destination get one request, so that they share its search. @param {ArrayLike<number>} agents */
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

  /** @param {ArrayLike<number>} points [n][3] @returns {Float64Array} agents */
  add(points) {
    if (!this.crowd || points.length < 3) return new Float64Array(0);
    // A Float32Array always counts as a list, so that one point also returns an array.
    const agents = this.crowd.addAgents(Float32Array.from(points), this.#parameters);
    agents.forEach((agent, i) => {
      const home = /** @type {Point} */ ([points[3 * i], points[3 * i + 1], points[3 * i + 2]]);
      this.#notes.set(agent, { key: this.#nextKey++, home, target: null });
    });
    this.wake();
    return agents;
  }

  /** Agents that orders go to: the selected ones, or all. @returns {Float64Array} */
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
      this.routines.set(agent, null);
      this.selected.delete(agent);
    }
    this.wake();
  }

  /** Sends the selected agents, or all. @param {Point} target @returns {number} number of agents */
  send(target) {
    return this.#sendAll(this.chosen(), target);
  }

  /** Sends all agents to one point, also those that are not selected. @param {Point} target @returns {number} number of agents */
  rally(target) {
    return this.#sendAll(this.crowd?.agents ?? new Float64Array(0), target);
  }

  /** @param {Float64Array} agents @param {Point} target */
  #sendAll(agents, target) {
    if (!this.crowd || agents.length === 0) return 0;
    this.crowd.setTarget(agents, target);
    for (const agent of agents) {
      this.#noteOf(agent).target = target;
      this.routines.set(agent, null);
    }
    this.wake();
    return agents.length;
  }

  /** The selected agents, or all, walk to random points they can reach, one after the other. @returns {number} number of agents */
  wander() {
    return this.#begin(() => ({ kind: 'wander' }));
  }

  /** The selected agents, or all, walk from point to point and back to the first. @param {Point[]} points at least two @returns {number} number of agents */
  patrol(points) {
    return points.length < 2 ? 0 : this.#begin(() => ({ kind: 'patrol', points, next: points.length - 1 }));
  }

  /** Gives the selected agents, or all, a routine, which begins at once. @param {() => import('./routines.js').Routine} make */
  #begin(make) {
    const agents = this.chosen();
    if (!this.crowd || agents.length === 0) return 0;
    for (const agent of agents) this.routines.set(agent, make(), true);
    this.#goOn(0);
    this.wake();
    return agents.length;
  }

  /** Sends agents with a routine that rest to their next destinations. @param {number} steps since the last call */
  #goOn(steps) {
    if (!this.crowd || !this.navMesh) return;
    const orders = this.routines.advance(this.crowd, this.navMesh, this.#filter, steps);
    for (const { agent, target } of orders) this.#noteOf(agent).target = target;
    this.#sendAgain(orders.map(({ agent }) => agent));
  }

  /** Stops the selected agents, or all, and clears their orders. */
  stop() {
    const agents = this.chosen();
    if (!this.crowd || agents.length === 0) return;
    this.crowd.stop(agents);
    this.#forget(agents);
    this.wake();
  }

  /** Clears the orders of agents. @param {Float64Array} agents */
  #forget(agents) {
    for (const agent of agents) {
      this.#noteOf(agent).target = null;
      this.routines.set(agent, null);
    }
  }

  /** Moves all agents back to where they were added, and stops them. */
  reset() {
    const { crowd } = this;
    if (!crowd || crowd.count === 0) return;
    const { agents } = crowd;
    crowd.stop(agents);
    crowd.warp(agents, Float32Array.from(Array.from(agents, (agent) => this.#noteOf(agent).home).flat()));
    this.#forget(agents);
    this.times.clear();
    this.wake();
  }

  /** The distinct destinations. @returns {Point[]} */
  targets() {
    /** @type {Map<string, Point>} */
    const places = new Map();
    for (const { target } of this.#notes.values()) if (target) places.set(String(target), target);
    return [...places.values()];
  }

  /** Counts the agents by what they do. */
  countStates() {
    return this.crowd ? countActivities(this.crowd) : [];
  }

  /** @param {Partial<AgentParameters>} parameters of all agents, also of later ones */
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

  /** @param {CrowdOptions} options of the crowd */
  setOptions(options) {
    this.#options = options;
    this.crowd?.setOptions(options);
    this.wake();
  }

  // ---- Time --------------------------------------------------------------------------------------------------

  /** Something changed that may move agents. */
  wake() {
    this.#restingSteps = 0;
  }

  /** True if a frame would change anything. */
  get isAwake() {
    return !this.isPaused && this.count > 0 && this.crowd !== null && this.#restingSteps < STEPS_TO_REST;
  }

  /** Wakes up if an obstacle moves that agents must avoid. */
  lookAround() {
    if (this.isPaused || this.isAwake || this.count === 0) return;
    this.#seeObstacles();
    if (this.#isMoving()) this.wake();
  }

  /** @param {number} seconds since the last frame @returns {number} steps made */
  advance(seconds) {
    if (!this.isAwake || !this.#clock) return 0;
    this.#seeObstacles();
    const begin = performance.now();
    const steps = this.#clock.advance(seconds);
    this.#note(steps, performance.now() - begin);
    return steps;
  }

  /** Makes one step, also while paused. */
  stepOnce() {
    if (!this.crowd || this.count === 0) return;
    this.#seeObstacles();
    const begin = performance.now();
    this.crowd.step(STEP);
    this.#note(1, performance.now() - begin);
  }

  /** Passes the obstacles that don't carve to the crowd, which avoids them. */
  #seeObstacles() {
    if (!this.#dynamic || !this.crowd) return;
    this.#obstacles = this.#dynamic.movingObstacles(this.#obstacles);
    this.crowd.setObstacles(this.#obstacles.count > 0 ? this.#obstacles : null);
  }

  /** @param {number} steps @param {number} milliseconds of all steps */
  #note(steps, milliseconds) {
    this.steps += steps;
    for (let i = 0; i < steps; i++) this.times.add(milliseconds / steps);
    this.#goOn(steps);
    if (steps > 0) this.#restingSteps = this.#isMoving() ? 0 : this.#restingSteps + steps;
  }

  #isMoving() {
    const { states, reasons, velocities, count } = /** @type {Crowd} */ (this.crowd);
    const obstacles = this.#obstacles;
    if (this.routines.count > 0) return true;
    if (obstacles) for (let i = 0; i < 3 * obstacles.count; i++) if (obstacles.velocities[i] !== 0) return true;
    for (let i = 0; i < count; i++) {
      if (BUSY.has(states[i]) || BUSY_REASONS.has(reasons[i])) return true;
      if (Math.hypot(velocities[3 * i], velocities[3 * i + 2]) > STANDING) return true;
    }
    return false;
  }

  /** Positions to draw: interpolated between the last two steps, or at rest. @param {Float32Array} [out] [count][3] or longer */
  positions(out = undefined) {
    if (!this.crowd || !this.#clock) return new Float32Array(0);
    const places = out && out.length >= 3 * this.crowd.count ? out : new Float32Array(Math.ceil(4.5 * this.crowd.count) + 3);
    return this.isAwake ? this.#clock.positions(places) : this.crowd.interpolate(1, places);
  }
}
