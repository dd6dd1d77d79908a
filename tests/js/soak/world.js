/** The parts that all chores of a soak share: an instance, random levels, cancellation, and freeing objects in any order. */
import * as api from '../../../js/index.js';
import { toInput } from '../live/ours.js';
import { Random } from '../live/random.js';
import { makeCase } from '../live/scenes.js';
import { describeQuestions, makeQuestioner } from '../questions.js';
import { buildTown, makeTown, townConfig } from '../town.js';

/** Levels are made from this number of seeds, so that the largest memory use is reached early. */
const LEVELS = 40;
/** Cells of a tile, for levels of towns. */
const TILE_SIZES = [16, 24, 32, 48];

/** Cycles after which no object may still be referenced: engines retain some for a while in compiled code. */
const OLD = 5;

/** Waits. @param {number} milliseconds */
export const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/**
 * Returns the result of a call; undefined if it fails with an expected NavError, one that is not a defect of the package.
 * @template T @param {() => T} call @returns {T | undefined}
 */
export function attempt(call) {
  try {
    return call();
  } catch (error) {
    requireNavError(error);
    return undefined;
  }
}

/** @template T @param {Promise<T>} promise @returns {Promise<T | undefined>} */
export const attemptAsync = (promise) => promise.catch((error) => { requireNavError(error); return undefined; });

/** @param {unknown} error */
function requireNavError(error) {
  if (!(error instanceof api.NavError) || error.code === 'internal') throw error;
}

export class World {
  /** Objects that must be collected once a cycle is over. @type {{ ref: WeakRef<object>, of: string, age: number }[]} */
  #watched = [];
  /** The current chore. */
  chore = '';

  /** @param {{ seed: number, makeCache: () => Promise<any>, workers: number }} options */
  constructor({ seed, makeCache, workers }) {
    this.random = new Random(seed);
    this.makeCache = makeCache;
    this.workers = workers;
    this.api = api;
  }

  /** @param {boolean} simd */
  async open(simd) {
    this.walkmesh = await api.load({ simd, leakWarnings: false });
    this.pool = this.walkmesh.createWorkerPool({ workers: this.workers });
    await this.pool.ready();
  }

  /** Geometry and configuration of a random level of any kind. @returns {[any, any]} */
  level() {
    const [geometry, config] = toInput(makeCase(this.random.integer(1, LEVELS)));
    return [geometry, config];
  }

  /** A square with props, baked in tiles. @returns {[any, any]} */
  town() {
    const { geometry, config } = this.propTown();
    return [geometry, config];
  }

  /** The same, together with the list of props. */
  propTown() {
    const { random } = this;
    const town = makeTown({ seed: random.integer(1, LEVELS), side: random.pick([15, 20, 30]), props: random.integer(0, 20) });
    const config = { ...townConfig(town.side), tileSize: random.pick(TILE_SIZES), partition: random.pick(['watershed', 'monotone', 'layers', 'chunky']) };
    return { geometry: /** @type {any} */ (buildTown(town)), config: /** @type {any} */ (config), town };
  }

  /** A level baked in tiles. @returns {[any, any]} */
  tiledLevel() {
    const [geometry, config] = this.random.chance(0.5) ? this.level() : this.town();
    return [geometry, { ...config, tileSize: config.tileSize || this.random.pick([24, 32, 48]) }];
  }

  /** Records that an object must be collected once the cycle is over. @template T @param {T} object @returns {T} */
  watch(object) {
    if (typeof object === 'object' && object !== null) this.#watched.push({ ref: new WeakRef(object), of: this.chore, age: 0 });
    return object;
  }

  /** The chores whose objects are still referenced some cycles after a garbage collection. */
  takeRetained() {
    this.#watched = this.#watched.filter(({ ref }) => ref.deref() !== undefined);
    return this.#watched.filter((watched) => watched.age++ >= OLD).map(({ of }) => of);
  }

  /** Frees objects in any order; some are freed only through the objects they depend on. @param {...any} objects */
  free(...objects) {
    for (const object of this.shuffle(objects)) {
      this.watch(object);
      if (!object.isFreed) object.free();
    }
  }

  /** @template T @param {T[]} list @returns {T[]} */
  shuffle(list) {
    const result = [...list];
    for (let i = result.length - 1; i > 0; i--) {
      const j = this.random.integer(0, i);
      [result[i], result[j]] = [result[j], result[i]];
    }
    return result;
  }

  /** Two points on a mesh, or undefined if it has no polygons. @param {any} navMesh */
  places(navMesh) {
    if (navMesh.totals.polygons === 0) return undefined;
    const random = new api.Random(this.random.integer(1, 1000));
    const places = [0, 1].map(() => attempt(() => navMesh.randomPoint({ random })));
    return places.every(Boolean) ? places : undefined;
  }

  /** A point within a mesh's bounds, or slightly outside. @param {any} navMesh */
  spot(navMesh) {
    const { boundsMin, boundsMax } = navMesh.totals;
    return boundsMin.map((/** @type {number} */ low, /** @type {number} */ axis) =>
      low + (boundsMax[axis] - low) * this.random.between(-0.1, 1.1));
  }

  /** Runs random queries of all kinds on a mesh. @param {any} navMesh @param {number} [most] */
  ask(navMesh, most = 12) {
    const places = this.places(navMesh);
    if (!places) return;
    const made = makeQuestioner(navMesh, places[0], places[1], this.random.integer(1, 1000));
    const questions = Object.values(describeQuestions(made));
    for (let i = this.random.integer(1, most); i > 0; i--) {
      const ask = this.random.pick(questions);
      const answer = this.watch(attempt(() => ask()));
      if (typeof answer === 'object' && this.random.chance(0.5)) attempt(() => ask(answer));
    }
    if (this.random.chance(0.5)) this.free(made.filter, made.islands, made.search, made.agent, made.crowd);
  }

  /**
   * Options that may end a bake early: a signal that is aborted at a random time, a listener that throws.
   * @returns {{ signal?: AbortSignal, onTile?: (tile: any) => void, onProgress?: (progress: any) => void, sliceMilliseconds?: number }}
   */
  interruption() {
    const { random } = this;
    const controller = new AbortController();
    const options = { signal: controller.signal, sliceMilliseconds: random.pick([0.5, 2, 6]) };
    let left = random.integer(0, 12);
    switch (random.integer(0, 7)) {
      case 0:
        controller.abort();
        return options;
      case 1:
        setTimeout(() => controller.abort(), random.between(0, 40));
        return options;
      case 2:
        return { ...options, onTile: () => { if (left-- <= 0) controller.abort(new Error('enough')); } };
      case 3:
        return { ...options, onProgress: () => { if (left-- <= 0) throw new api.NavError('state', 'thrown by a listener'); } };
      case 4:
        return { ...options, onTile: (/** @type {any} */ tile) => { this.watch(tile); } };
      default:
        return options;
    }
  }

  /** Asserts that a mesh has the bytes of a plain bake. @param {any} navMesh @param {any} geometry @param {any} config */
  compare(navMesh, geometry, config) {
    const { navMesh: plain } = this.walkmesh.bake(geometry, config);
    const [ours, theirs] = [navMesh, plain].map((mesh) => this.walkmesh.hash(mesh.save()));
    plain.free();
    if (ours !== theirs) throw new Error(`${this.chore}: the mesh has the bytes ${ours}, a plain bake ${theirs}`);
  }
}
