/**
 * Runs a crowd for a long time on a level that changes, through the package; tests/c/crowd_soak.h does the same natively. Carved
 * obstacles are added, moved and removed, cylinders move, tiles are removed and restored, doors open and close, connections are
 * made and removed, agents are added and removed and get orders of all kinds. `npm run soak -- --crowd` runs the full length.
 */
import assert from 'node:assert/strict';
import { AGENT_STATES } from '../../js/index.js';
import { makeRandom } from './random.js';

const [STEP, SIDE, TILES] = [1 / 30, 76, 8];
const [CARVED, MOVING, GONE, CONNECTIONS] = [12, 8, 3, 4];
const [ARRIVED, CROWDED, ON_CONNECTION, OFF_MESH] = ['arrived', 'crowded', 'on-connection', 'off-mesh'].map((state) => AGENT_STATES.indexOf(/** @type {any} */ (state)));

/** @typedef {{ steps: number, stuck: number, offMesh: number, bytes: number, wasmBytes: number, heapBytes: number }} SoakReport */

export class CrowdSoak {
  #random;
  #count;
  #carved = /** @type {number[]} */ ([]);
  #gone = /** @type {({ x: number, z: number, bytes: Uint8Array } | undefined)[]} */ (Array(GONE).fill(undefined));
  #tiles = /** @type {Map<string, Uint8Array>} */ (new Map());
  #moving = { positions: new Float32Array(3 * MOVING), velocities: new Float32Array(3 * MOVING), radii: Float32Array.from({ length: MOVING }, (_, i) => 0.5 + 0.2 * i) };
  steps = 0;
  stuck = 0;
  offMesh = 0;
  heard = 0;

  /** @param {any} walkmesh @param {{ agents?: number, seed?: number }} [options] */
  constructor(walkmesh, { agents = 500, seed = 1 } = {}) {
    this.walkmesh = walkmesh;
    this.#random = makeRandom(seed);
    this.#count = agents;
    const ground = { positions: Float32Array.of(0, 0, 0, 0, 0, SIDE, SIDE, 0, SIDE, SIDE, 0, 0), indices: Uint32Array.of(0, 1, 2, 0, 2, 3) };
    ({ navMesh: this.navMesh, dynamic: this.dynamic } = walkmesh.bakeDynamic(ground, { cellSize: 0.4, cellHeight: 0.2, tileSize: 24 }));
    this.dynamic.limitCache(0);
    this.switches = this.navMesh.createSwitches();
    this.doors = [1, 2, 3, 4].map((i) => this.switches.addDoor({ volume: { kind: 'box', min: [15 * i, -1, 10], max: [15 * i + 2, 2, 30] } }));
    this.crowd = this.navMesh.createCrowd();
    this.crowd.onConnection = () => this.heard++;
    /** @type {number[]} */
    this.agents = [...this.#add(agents)];
    for (let i = 0; i < MOVING; i++) {
      this.#moving.positions.set(this.#place(), 3 * i);
      this.#moving.velocities.set([this.#random.between(-2, 2), 0, this.#random.between(-2, 2)], 3 * i);
    }
  }

  #place() {
    return [this.#random.between(1, SIDE - 1), 0, this.#random.between(1, SIDE - 1)];
  }

  #someone() {
    return this.agents[this.#random.below(this.#count)];
  }

  /** @param {number} count */
  #add(count) {
    const { below, between } = this.#random;
    const avoidance = /** @type {const} */ (['none', 'low', 'medium', 'high', 'sampling']);
    return this.crowd.addAgents(Array.from({ length: count }, () => this.#place()), Array.from({ length: count }, () => ({
      radius: between(0.2, 0.6), maxSpeed: between(1, 5), avoidance: avoidance[below(5)], priority: below(100) })));
  }

  // ---- Events --------------------------------------------------------------------------------------------------

  #order() {
    const agent = this.#someone(), { crowd } = this, { below, between } = this.#random;
    const place = this.#place(), velocity = [between(-3, 3), 0, between(-3, 3)];
    const what = below(16);
    if (what === 0) crowd.stop(agent);
    else if (what === 1) crowd.pause(agent);
    else if (what === 2) crowd.warp(agent, place);
    else if (what === 3) crowd.setVelocity(agent, velocity);
    else if (what === 4) crowd.move(agent, velocity);
    else if (what === 5) crowd.setParameters(agent, { maxSpeed: between(1, 5), userData: this.steps });
    else {
      crowd.resume(agent);
      crowd.setTarget(agent, place);
    }
  }

  #churn() {
    const i = this.#random.below(this.#count);
    this.crowd.remove(this.agents[i]);
    [this.agents[i]] = this.#add(1);
  }

  #carve() {
    const what = this.#random.below(3), place = this.#place(), carved = this.#carved;
    if (what === 0 && carved.length < CARVED) {
      carved.push(this.dynamic.addObstacle({ kind: 'cylinder', base: place, radius: this.#random.between(0.5, 3), height: 1 }));
    } else if (what === 1 && carved.length > 0) {
      this.dynamic.removeObstacle(carved.splice(this.#random.below(carved.length), 1)[0]);
    } else if (carved.length > 0) this.dynamic.moveObstacle(carved[0], place);
  }

  /** @param {number} i */
  #bringBack(i) {
    const tile = this.#gone[i];
    if (tile) this.dynamic.keepTile(tile.x, tile.z, tile.bytes);
    this.#gone[i] = undefined;
  }

  #swapTile() {
    const { below } = this.#random, i = below(GONE), x = below(TILES), z = below(TILES);
    this.#bringBack(i);
    if (this.#gone.some((tile) => tile?.x === x && tile?.z === z)) return;
    const name = `${x} ${z}`;
    const bytes = this.#tiles.get(name) ?? this.dynamic.keptTile(x, z);
    if (!bytes) return;
    this.#tiles.set(name, bytes);
    this.#gone[i] = { x, z, bytes };
    this.dynamic.dropTile(x, z);
  }

  #connect() {
    const { navMesh } = this, all = navMesh.connections();
    if (all.length >= CONNECTIONS) navMesh.removeConnection(all[0]);
    navMesh.addConnection({ start: this.#place(), end: this.#place(), radius: 2, costFactor: 0.5 });
  }

  #moveObstacles() {
    const { positions, velocities } = this.#moving;
    for (let i = 0; i < positions.length; i++) {
      positions[i] += velocities[i] * STEP;
      if (i % 3 !== 1 && (positions[i] < 2 || positions[i] > SIDE - 2)) velocities[i] = Math.abs(velocities[i]) * (positions[i] < 2 ? 1 : -1);
    }
    this.crowd.setObstacles(this.#moving);
  }

  /** Runs the events between two steps. */
  disturb() {
    const { below } = this.#random;
    if (below(2) === 0) this.#order();
    if (below(15) === 0) this.#churn();
    if (below(20) === 0) this.#carve();
    if (below(80) === 0) this.#swapTile();
    if (below(100) === 0) this.doors[below(4)][below(2) ? 'open' : 'close']();
    if (below(200) === 0) this.#connect();
    this.#moveObstacles();
  }

  // ---- Invariants ----------------------------------------------------------------------------------------------

  step() {
    this.dynamic.update({ tiles: 1 });
    this.crowd.step(STEP);
    this.steps++;
    if (this.steps % 16 === 0) this.#check();
  }

  #check() {
    const { crowd, navMesh } = this;
    const { positions, velocities, headings, states, agents, options: { placeExtents } } = crowd;
    assert.equal(agents.length, this.#count);
    for (const numbers of [positions, velocities, headings]) assert.ok(numbers.every(Number.isFinite), `a number is none, step ${this.steps}`);
    for (let i = 0; i < agents.length; i++) {
      const place = [...positions.subarray(3 * i, 3 * i + 3)];
      if (states[i] === ON_CONNECTION) continue;
      if (states[i] === OFF_MESH) {
        this.offMesh++;
        assert.equal(navMesh.nearestPoint(place, { halfExtents: placeExtents })?.polygon ?? 0, 0, `there is ground near ${place}, step ${this.steps}`);
        continue;
      }
      const { polygon } = crowd.info(agents[i]);
      const { point } = navMesh.closestPoint(polygon, place);
      assert.ok(Math.hypot(...point.map((x, axis) => x - place[axis])) < 0.02, `${place} is not on polygon ${polygon}, step ${this.steps}`);
    }
  }

  /**
   * Restores everything, gives each agent a target and time to arrive, then measures memory.
   * @param {number} seconds @returns {SoakReport}
   */
  calm(seconds) {
    const { crowd, dynamic, navMesh, walkmesh } = this;
    for (let i = 0; i < GONE; i++) this.#bringBack(i);
    for (const obstacle of this.#carved.splice(0)) dynamic.removeObstacle(obstacle);
    for (const door of this.doors) door.open();
    while (dynamic.update({ tiles: 8 }).dirtyTiles > 0);
    crowd.setObstacles(null);
    crowd.resume(this.agents);
    crowd.setTarget(this.agents, this.agents.map(() => this.#place()));
    for (let i = 0; i < seconds / STEP; i++) this.step();
    crowd.states.forEach((state, i) => {
      if (state === ARRIVED || state === CROWDED) return;
      const { target } = crowd.info(crowd.agents[i]);
      if (state === OFF_MESH || navMesh.findPath([...crowd.positions.subarray(3 * i, 3 * i + 3)], target).status === 'complete') this.stuck++;
    });
    /** @type {any} */ (globalThis).gc?.();
    walkmesh.trimMemory();
    const { bytes, wasmBytes } = walkmesh.memory();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    return { steps: this.steps, stuck: this.stuck, offMesh: this.offMesh, bytes, wasmBytes, heapBytes: heapUsed + external + arrayBuffers - wasmBytes };
  }

  free() {
    this.navMesh.free();
  }
}
