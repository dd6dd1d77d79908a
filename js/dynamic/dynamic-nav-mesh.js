/// <reference lib="esnext.disposable" preserve="true" />
/** A mesh of a level that changes: obstacles come, move and go, and the tiles they touch are built again. */
import { readReference } from '../runtime/answers.js';
import { NO_OPTIONS, requireAmount, requireBytes, requireCount, requireOptions, writePoints } from '../runtime/arguments.js';
import { requirePlace } from '../bake/bake-steps.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { DYNAMIC } from '../runtime/handle-kinds.js';
import { nameSet } from '../runtime/names.js';
import { addressOf, requireMaker } from '../runtime/owned.js';
import { Slices, throwIfAborted, untilAborted } from '../runtime/slices.js';
import { WorkerPool } from '../workers/pool.js';
import { BackgroundUpdate, updateHere } from './background-update.js';
import { DynamicBuilders, takeJob } from './worker-builders.js';
import { ObstacleSet } from './obstacle-set.js';
import { WmTileChange } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').Points} Points */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('./background-update.js').Target} Target */
/** @typedef {import('./worker-builders.js').Job} Job */

/**
 * A tile that is another now.
 * @typedef {object} TileChange
 * @property {number} x its place in the grid
 * @property {number} z
 * @property {number} before the reference of the tile that was there, which is stale now; 0: there was none
 * @property {number} after that of the tile that is there; 0: there is none
 */

/**
 * How much an update may do; whatever comes first ends it. Without milliseconds and tiles it builds all that is dirty.
 * @typedef {object} UpdateOptions
 * @property {number} [milliseconds] looked at between tiles: the last one may take longer. 0: no tile
 * @property {number} [tiles] how many
 * @property {number} [deltaTime] seconds that have passed since the last update, for obstacles that carve at rest; default 0
 */

/**
 * What an update did.
 * @typedef {object} DynamicUpdate
 * @property {number} built tiles that were built, each once, whatever has changed in it
 * @property {TileChange[]} changed those of them that are others now
 * @property {number} dirtyTiles how many are left to be built
 */

/**
 * @typedef {object} UpdateAsyncOptions
 * @property {WorkerPool} [workers] a pool (Walkmesh.createWorkerPool), which stays the caller's and may be used for other things as
 *   well. Its workers remember tiles from one update to the next. Default: this thread, in slices
 * @property {AbortSignal} [signal] aborting it ends the update with a NavError `cancelled`; what is not built yet stays dirty
 * @property {number} [deltaTime] as of update
 * @property {number} [sliceMilliseconds] how long this thread may work before it rests; default 6. With workers all it does is to
 *   hand tiles out and put them in, a fraction of a millisecond each
 */

const ASYNC_NAMES = nameSet(/** @satisfies {import('../runtime/names.js').Names<UpdateAsyncOptions>} */ (
  { workers: 1, signal: 1, deltaTime: 1, sliceMilliseconds: 1 }));
const UPDATE_NAMES = nameSet(/** @satisfies {import('../runtime/names.js').Names<UpdateOptions>} */ (
  { milliseconds: 1, tiles: 1, deltaTime: 1 }));

const NO_BYTES = new Uint8Array(0);

/** Words of a WmTileChange. */
const { before: BEFORE_AT, after: AFTER_AT } = WmTileChange;

/** @param {unknown} value @param {string} field */
function requireSeconds(value, field) {
  if (typeof value === 'number' && value >= 0 && Number.isFinite(Math.fround(value))) return value;
  throw invalidArgument(field, `is ${describe(value)}: must be seconds, finite and not negative`, value);
}

/**
 * Changes a navigation mesh, which is asked as any other. Make it with Walkmesh.bakeDynamic.
 *
 * Obstacles come, move and go at once; the mesh follows with update(), tile by tile, and is valid in between. A tile becomes
 * what a bake of the level with these obstacles, in the order of their addition, would make of it, however they came to be
 * where they are. References into tiles that come out as they were stay valid; others are stale afterwards (NavMesh.isStale).
 *
 * Handles of obstacles are plain numbers, never 0; that of a removed obstacle stays invalid. Methods throw as those of a
 * NavMesh do, and then change nothing: an obstacle that is not finite, of no size, further than 1e8 from the origin, or that
 * lies outside the level (below it, too) is `invalid-argument`, one that was removed `stale-reference`.
 *
 * free() ends it; the mesh stays as it is then. It goes with its mesh, too.
 */
export class DynamicNavMesh extends ObstacleSet {
  #navMesh;
  /** @type {Set<(change: TileChange) => void>} */
  #listeners = new Set();
  /** The workers that build its tiles, where there are any: freed with it. @type {{ lanes?: DynamicBuilders }} */
  #workers;
  /** @type {BackgroundUpdate | undefined} */
  #background;
  #isUpdating = false;
  /** Of C, made once. */
  #stepCall = () => this.session.check(this.session.wasm.dynamic_step(addressOf(this, DYNAMIC)));

  /** @internal @param {NavMesh} navMesh @param {number} address */
  constructor(navMesh, address) {
    const session = requireMaker(navMesh?.session, DYNAMIC);
    const { wasm } = session;
    /** @type {{ lanes?: DynamicBuilders }} */
    const workers = {};
    super(session, DYNAMIC, address, (dynamic) => {
      wasm.dynamic_destroy(dynamic);
      workers.lanes?.release();
    }, navMesh.handle);
    this.#workers = workers;
    this.#navMesh = navMesh;
    navMesh.changedBy = this;
  }

  /** The mesh that it changes. */
  get navMesh() {
    addressOf(this, DYNAMIC);
    return this.#navMesh;
  }

  // ---- Updates ---------------------------------------------------------------------------------------------

  /** How many tiles are to be built. */
  get dirtyTiles() {
    const address = addressOf(this, DYNAMIC);
    return this.session.wasm.dynamic_dirty_count(address) >>> 0;
  }

  /**
   * Tiles nearest to these points are built first: where the player is, where agents are. Without points, in rows of the grid.
   * @param {Points} points their y is of no account
   */
  setFocus(points) {
    const address = addressOf(this, DYNAMIC);
    const { session } = this;
    const { room, count } = writePoints(session, points, 'points');
    session.check(session.wasm.dynamic_set_focus(address, room, count));
  }

  /**
   * Calls a listener after each tile that is another now. What it throws ends the update, which the next one goes on with.
   * @param {(change: TileChange) => void} listener
   * @returns {() => void} ends that
   */
  onTileChanged(listener) {
    addressOf(this, DYNAMIC);
    if (typeof listener !== 'function') {
      throw invalidArgument('listener', `must be a function, not ${describe(listener)}`, listener);
    }
    const own = (/** @type {TileChange} */ change) => listener(change);
    this.#listeners.add(own);
    return () => { this.#listeners.delete(own); };
  }

  /**
   * Lets time pass, and builds dirty tiles, the nearest to the focus first, as many as it may.
   * @param {number | UpdateOptions} [options] milliseconds, or more; without it everything is built
   * @returns {DynamicUpdate}
   */
  update(options = NO_OPTIONS) {
    addressOf(this, DYNAMIC);
    const start = options === NO_OPTIONS ? 0 : performance.now();
    const { milliseconds = Infinity, tiles = Infinity, deltaTime = 0 } = typeof options === 'number' ? { milliseconds: options }
      : requireOptions(options, UPDATE_NAMES);
    requireAmount(milliseconds, 'milliseconds');
    const most = tiles === Infinity ? Infinity : requireCount(tiles, 'tiles', Number.MAX_SAFE_INTEGER);
    this.#advance(requireSeconds(deltaTime, 'deltaTime'));
    // All that is dirty: also what workers have in hand.
    if (most === Infinity && milliseconds === Infinity) this.#background?.recall();
    /** @type {TileChange[]} */
    const changed = [];
    let built = 0;
    try {
      while (built < most && (milliseconds === Infinity || performance.now() - start < milliseconds)) {
        const change = this.#step();
        if (!change) break;
        built++;
        this.#tell(change, changed, this.#isTouched(change));
      }
    } finally {
      if (changed.length > 0 && !this.isFreed) this.#navMesh.updateSwitches();
    }
    return { built, changed, dirtyTiles: this.dirtyTiles };
  }

  /**
   * As update without a budget, without blocking: dirty tiles are built in workers, from what is kept of them, and put into the
   * mesh between frames, nearest to the focus first. It ends when none is dirty any more, also of those that get dirty
   * meanwhile: obstacles come, move and go as ever. The mesh ends up as update() would have made it, to the last byte, whatever
   * the number of workers. One at a time: see isUpdating.
   *
   * update() goes on to work meanwhile: with `deltaTime` it lets time pass; with a budget it builds tiles that no worker has in
   * hand; without one it builds them all.
   * @param {UpdateAsyncOptions} [options]
   * @returns {Promise<DynamicUpdate>} rejected where a tile cannot be built (the message names it), the signal is aborted, a worker
   *   dies or this mesh is freed; but for the last, all that is not built stays dirty, and another update goes on with it
   */
  async updateAsync(options = NO_OPTIONS) {
    addressOf(this, DYNAMIC);
    const { workers, signal, deltaTime = 0, sliceMilliseconds } = requireOptions(options, ASYNC_NAMES);
    if (workers !== undefined && !(workers instanceof WorkerPool)) {
      throw invalidArgument('workers', `must be a WorkerPool (createWorkerPool), not ${describe(workers)}: it stays from one update to the next`,
        workers);
    }
    if (signal !== undefined && !(typeof signal === 'object' && signal !== null && 'aborted' in signal)) {
      throw invalidArgument('signal', `must be an AbortSignal, not ${describe(signal)}`, signal);
    }
    const slices = new Slices(sliceMilliseconds, signal);
    requireSeconds(deltaTime, 'deltaTime');
    throwIfAborted(signal);
    if (this.#isUpdating) throw new NavError('state', 'an updateAsync of this dynamic mesh has not ended yet: it builds what gets dirty meanwhile, too');
    this.#advance(deltaTime);
    this.#isUpdating = true;
    /** @type {TileChange[]} */
    const changed = [];
    const target = this.#makeTarget(changed);
    try {
      if (workers) await this.#updateInWorkers(target, workers, slices, signal);
      else await updateHere(target, slices, signal);
    } finally {
      this.#isUpdating = false;
      this.#background = undefined;
    }
    return { built: target.built, changed, dirtyTiles: this.dirtyTiles };
  }

  /** Whether an updateAsync has not ended yet. */
  get isUpdating() {
    addressOf(this, DYNAMIC);
    return this.#isUpdating;
  }

  /** @param {Target & { built: number }} target @param {WorkerPool} pool @param {Slices} slices @param {AbortSignal} [signal] */
  async #updateInWorkers(target, pool, slices, signal) {
    if (this.dirtyTiles === 0) return;
    if (this.#workers.lanes?.pool !== pool) {
      this.#workers.lanes?.release();
      this.#workers.lanes = new DynamicBuilders(pool);
    }
    const { lanes } = this.#workers;
    await untilAborted(lanes.open(() => this.#writeHelper()), signal);
    addressOf(this, DYNAMIC);
    this.#background = new BackgroundUpdate(target, lanes, slices, signal);
    await this.#background.run();
  }

  /** What a background update does with this mesh. @param {TileChange[]} changed */
  #makeTarget(changed) {
    let told = 0;
    const target = {
      built: 0,
      isDirty: () => this.dirtyTiles > 0,
      step: () => {
        const change = this.#step();
        if (change) target.note(change, this.#isTouched(change));
        return change !== undefined;
      },
      take: () => takeJob(this.session, addressOf(this, DYNAMIC)),
      readKept: (/** @type {Job} */ { x, z }) => /** @type {Uint8Array} */ (this.keptTile(x, z)),
      finish: (/** @type {Job} */ job, /** @type {Uint8Array | null} */ bytes) => {
        const change = this.#finish(job, bytes);
        // The first word of obstacles is their count.
        if (change) target.note(change, job.obstacles.some((byte, i) => i < 4 && byte !== 0));
      },
      giveUp: (/** @type {Job} */ { x, z, ticket }) => {
        if (!this.isFreed) this.session.wasm.dynamic_give_up_job(addressOf(this, DYNAMIC), x, z, ticket);
      },
      settle: () => {
        if (changed.length > told && !this.isFreed) this.#navMesh.updateSwitches();
        told = changed.length;
      },
      note: (/** @type {TileChange} */ change, /** @type {boolean} */ isTouched) => {
        target.built++;
        this.#tell(change, changed, isTouched);
      },
    };
    return target;
  }

  /** @returns {Uint8Array} of which workers make helpers */
  #writeHelper() {
    const address = addressOf(this, DYNAMIC);
    this.session.check(this.session.wasm.dynamic_write_helper(address));
    return this.#takeBytes();
  }

  /** A copy of the bytes of the answer, which are freed. */
  #takeBytes() {
    const { session } = this;
    const written = session.u32[session.answer];
    const bytes = session.copyReturnedBytes();
    session.wasm.memory_free(session.handle, written);
    return bytes;
  }

  /** Puts in a tile that was built elsewhere; undefined: nobody waits for it any more. @param {Job} job @param {Uint8Array | null} bytes */
  #finish({ x, z, ticket }, bytes) {
    const address = addressOf(this, DYNAMIC);
    const { session } = this, array = bytes ?? NO_BYTES;
    session.lend(array, (copy) => session.wasm.dynamic_finish_job(address, x, z, ticket, copy, array.length));
    return this.#readChange();
  }

  /** Whether obstacles touch a tile now. @param {TileChange} change */
  #isTouched({ x, z }) {
    const address = addressOf(this, DYNAMIC);
    return this.session.wasm.dynamic_is_touched(address, x, z) !== 0;
  }

  /** Of a tile that was built. @param {TileChange} change @param {TileChange[]} changed @param {boolean} isTouched by obstacles, when it was built */
  #tell(change, changed, isTouched) {
    if (!isTouched) this.#navMesh.tileHashes.restore(change.x, change.z, change.after);
    if (change.after === change.before) return;
    changed.push(change);
    for (const listener of this.#listeners) listener(change);
  }

  /** @param {number} seconds */
  #advance(seconds) {
    const address = addressOf(this, DYNAMIC);
    if (seconds > 0) this.session.check(this.session.wasm.dynamic_advance(address, seconds));
  }

  /** Builds a tile; undefined: none was dirty. @returns {TileChange | undefined} */
  #step() {
    const { session } = this;
    session.guard(this.#stepCall);
    return this.#readChange();
  }

  /** The WmTileChange of the answer; undefined: of no tile. @returns {TileChange | undefined} */
  #readChange() {
    const { u32, answer } = this.session;
    const [x, z] = [u32[answer] | 0, u32[answer + 1] | 0];
    if (x < 0) return undefined;
    return { x, z, before: readReference(u32, answer + BEFORE_AT), after: readReference(u32, answer + AFTER_AT) };
  }

  // ---- Tiles -----------------------------------------------------------------------------------------------

  /**
   * How many bytes it may remember of tiles built lately, so that they are built again in a fraction of the time: 16 MB at
   * first, 0: none. Results do not depend on it.
   * @param {number} bytes
   */
  limitCache(bytes) {
    const address = addressOf(this, DYNAMIC);
    this.session.wasm.dynamic_limit_cache(address, requireCount(bytes, 'bytes', 0xffffffff));
  }

  /** How many bytes it remembers now. */
  get cacheBytes() {
    const address = addressOf(this, DYNAMIC);
    return this.session.wasm.dynamic_cache_bytes(address) >>> 0;
  }

  /** Bytes of what is kept of all tiles, to build them again. */
  get keptBytes() {
    addressOf(this, DYNAMIC);
    const { tileCountX, tileCountZ } = this.#navMesh.parameters;
    let bytes = 0;
    for (let z = 0; z < tileCountZ; z++) {
      for (let x = 0; x < tileCountX; x++) bytes += this.#findKept(x, z).count;
    }
    return bytes;
  }

  /**
   * What is kept of a tile, to build it again: a copy, or null where there is nothing. For keepTile.
   * @param {number} x @param {number} z
   */
  keptTile(x, z) {
    addressOf(this, DYNAMIC);
    requirePlace(x, z);
    const { address, count } = this.#findKept(x, z);
    return address ? this.session.view(address, count).slice() : null;
  }

  /** @param {number} x @param {number} z */
  #findKept(x, z) {
    const dynamic = addressOf(this, DYNAMIC);
    const { session } = this;
    session.wasm.dynamic_kept_tile(dynamic, x, z);
    session.refresh();
    return { address: session.u32[session.answer], count: session.u32[session.answer + 1] };
  }

  /**
   * Takes a tile in, or back, that keptTile gave of this level: it is dirty afterwards. Every byte is checked.
   *
   * With `tile`, what the tile is without obstacles (as a bake of the level made it), it is there at once, and dirty only where
   * obstacles touch it.
   * @param {number} x @param {number} z @param {Uint8Array | ArrayBuffer} bytes
   * @param {Uint8Array | ArrayBuffer | null} [tile] null: it has no polygons
   */
  keepTile(x, z, bytes, tile = undefined) {
    const address = addressOf(this, DYNAMIC);
    const { session } = this, { wasm } = session;
    requirePlace(x, z);
    const array = requireBytes(bytes);
    if (tile === undefined) {
      session.lend(array, (copy) => wasm.dynamic_keep_tile(address, x, z, copy, array.length, 0));
      return;
    }
    const ready = tile === null ? NO_BYTES : requireBytes(tile);
    const readyCopy = session.copyIn(ready);
    try {
      session.lend(array, (copy) => wasm.dynamic_keep_built_tile(address, x, z, copy, array.length, readyCopy, ready.length));
    } finally {
      wasm.memory_free(session.handle, readyCopy);
    }
    const change = this.#readChange();
    if (change) this.#tell(change, [], false);
  }

  /**
   * Removes a tile from the mesh, and what is kept of it; listeners hear of it. Obstacles stay, and wait for it.
   * @param {number} x @param {number} z
   */
  dropTile(x, z) {
    const address = addressOf(this, DYNAMIC);
    requirePlace(x, z);
    const before = this.#navMesh.tileAt(x, z);
    this.session.check(this.session.wasm.dynamic_drop_tile(address, x, z));
    this.#tell({ x, z, before, after: 0 }, [], true);
  }

  /** Whether a tile is as a bake without obstacles makes it. @internal @param {number} x @param {number} z */
  isAsBaked(x, z) {
    addressOf(this, DYNAMIC);
    return this.#navMesh.tileHashes.get(this.#navMesh, x, z) !== undefined;
  }

  // ---- Saving ----------------------------------------------------------------------------------------------

  /**
   * All of it, its mesh included, as bytes for Walkmesh.loadDynamic: obstacles with their handles, timers and velocities, what
   * is kept of tiles and which are dirty, the focus. Versioned, with a checksum.
   */
  save() {
    const address = addressOf(this, DYNAMIC);
    const { session } = this;
    this.#navMesh.writeState(true);
    session.check(session.wasm.dynamic_save(address));
    return this.#takeBytes();
  }
}
