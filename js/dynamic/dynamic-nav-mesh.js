/// <reference lib="esnext.disposable" preserve="true" />
/** The mesh of a dynamic level: obstacles are added, moved and removed, and the tiles that they overlap are built again. */
import { readReference } from '../runtime/results.js';
import { NO_OPTIONS, copyToScratch, requireAmount, requireCount, requireOptions, requirePoints, requireSignal, requireTilePlace } from '../runtime/arguments.js';
import { requireBytes } from '../runtime/bytes.js';
import { NavError, describe, errorInTile, invalidArgument } from '../runtime/errors.js';
import { DYNAMIC } from '../runtime/handle-kinds.js';
import { orderTiles } from '../bake/tile-changes.js';
import { ANOTHER } from '../mesh/tile-hashes.js';
import { Listeners } from '../runtime/listeners.js';
import { nameSet } from '../runtime/option-names.js';
import { addressOf, requireMaker } from '../runtime/handle.js';
import { writeLinksFor } from '../input/link-config.js';
import { TimeSlices, throwIfAborted, untilAborted } from '../runtime/time-slices.js';
import { requirePool } from '../workers/pool.js';
import { BackgroundUpdate, updateHere } from './background-update.js';
import { DynamicBuilders, takeJob } from './worker-builders.js';
import { joinKeptTile } from './kept-tile.js';
import { ObstacleSet } from './obstacle-set.js';
import { DynamicSink } from './tile-sink.js';
import { WmTileChange } from '../runtime/layout.js';

/** @typedef {import('../workers/pool.js').WorkerPool} WorkerPool */
/** @typedef {import('../runtime/bytes.js').Bytes} Bytes */
/** @typedef {import('../runtime/arguments.js').TileRef} TileRef */
/** @typedef {import('../runtime/arguments.js').Points} Points */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('./background-update.js').Target} Target */
/** @typedef {import('./worker-builders.js').Job} Job */

/**
 * A tile that changed.
 * @typedef {object} TileChange
 * @property {number} x its tile place
 * @property {number} z
 * @property {TileRef} before reference of the former tile, now stale; 0: there was none
 * @property {TileRef} after reference of the present tile; 0: there is none
 */

/** A tile place whose generated links changed: earlier references to them are stale. @typedef {{ x: number, z: number }} LinkChange */

/**
 * The budget of an update; the first limit that is reached ends it. Without milliseconds and tiles it builds all dirty tiles.
 * @typedef {object} UpdateOptions
 * @property {number} [milliseconds] checked between tiles: the last one may end later. Above 0, at least one tile is built; 0: none
 * @property {number} [tiles] at most this many tiles; the links of a tile place count as one
 * @property {number} [deltaTime] seconds since the last update, for obstacles that carve at rest; default 0
 */

/**
 * The figures of an update.
 * @typedef {object} DynamicUpdate
 * @property {number} built tiles that were built, each once, however many obstacles changed in it
 * @property {TileChange[]} changed the built tiles whose contents changed
 * @property {number} linked tile places whose links were generated, of a bake with links
 * @property {LinkChange[]} changedLinks those whose links changed
 * @property {number} dirtyTiles tiles that are left to build, and tile places whose links are left to generate
 */

/**
 * @typedef {object} UpdateAsyncOptions
 * @property {WorkerPool} [workers] a pool (Walkmesh.createWorkerPool), which the caller owns and may also use for other work.
 *   Its workers store kept tiles from one update to the next. Default: this thread, in slices
 * @property {AbortSignal} [signal] aborting it ends the update with a NavError `cancelled`; unbuilt tiles stay dirty
 * @property {number} [deltaTime] as in update
 * @property {number} [sliceMilliseconds] length of a slice of this thread; default 6. With workers, this thread only sends
 *   and inserts tiles, a fraction of a millisecond each
 */

const ASYNC_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<UpdateAsyncOptions>} */ (
  { workers: 1, signal: 1, deltaTime: 1, sliceMilliseconds: 1 }));
const UPDATE_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<UpdateOptions>} */ (
  { milliseconds: 1, tiles: 1, deltaTime: 1 }));

const NO_BYTES = new Uint8Array(0);

/** Words of a WmTileChange. */
const { x: X_AT, z: Z_AT, before: BEFORE_AT, after: AFTER_AT } = WmTileChange;
/** Its byte that says that links were generated. */
const OF_LINKS_AT = 4 * WmTileChange.ofLinks;

/** A WmTileChange. @typedef {TileChange & { isOfLinks: boolean }} Change */

/** The figures of an update, while it runs. @typedef {Omit<DynamicUpdate, 'dirtyTiles'>} UpdateLog */

/** Copies the bytes of the result, and frees them in the module. @param {import('../runtime/session.js').Session} session */
function takeBytes(session) {
  const written = session.u32[session.answer];
  const bytes = session.copyReturnedBytes();
  session.wasm.memory_free(session.handle, written);
  return bytes;
}

/** As DynamicNavMesh.writeWorkerMesh. @param {import('../runtime/session.js').Session} session @param {number} address of the dynamic mesh in C */
export function writeWorkerMesh(session, address) {
  session.check(session.wasm.dynamic_write_helper(address));
  return takeBytes(session);
}

/** @returns {UpdateLog} */
const makeLog = () => ({ built: 0, changed: [], linked: 0, changedLinks: [] });

/** @param {unknown} value @param {string} field */
function requireSeconds(value, field) {
  if (typeof value === 'number' && value >= 0 && Number.isFinite(Math.fround(value))) return value;
  throw invalidArgument(field, `is ${describe(value)}: must be seconds, finite and not negative`, value);
}

/**
 * Changes a navigation mesh, which is queried like any other. Create it with Walkmesh.bakeDynamic.
 *
 * Obstacles are added, moved and removed immediately; the mesh follows with update(), tile by tile, and is valid in between. A
 * tile becomes equal to the tile that a bake of the level with these obstacles, in the order of their addition, would make,
 * whatever changes led there. References into tiles whose contents don't change stay valid; others become stale (NavMesh.isStale).
 *
 * Handles of obstacles are numbers, never 0; the handle of a removed obstacle stays invalid. Methods throw like those of a NavMesh,
 * and then change nothing: an obstacle that is not finite, of no size or further than 1e8 from the origin is `invalid-argument`, a
 * removed one `stale-reference`. An obstacle outside the level (also below it) is parked until it returns: see isOutside.
 *
 * free() ends it; the mesh stays in its present state. Freeing the mesh frees it, too.
 */
export class DynamicNavMesh extends ObstacleSet {
  #navMesh;
  /** @type {Listeners<TileChange>} */
  #listeners = new Listeners();
  /** @type {Listeners<LinkChange>} */
  #linkListeners = new Listeners();
  /** The workers that build its tiles, if any: freed with it. @type {{ builders?: DynamicBuilders }} */
  #workers;
  /** @type {BackgroundUpdate | undefined} */
  #background;
  #isUpdating = false;
  /** The call of C, as one function object for all steps. */
  #stepCall = () => this.session.check(this.session.wasm.dynamic_step(addressOf(this, DYNAMIC)));
  #stepLinksCall = () => this.session.check(this.session.wasm.dynamic_step_links(addressOf(this, DYNAMIC)));

  /** @internal @param {NavMesh} navMesh @param {number} address */
  constructor(navMesh, address) {
    const session = requireMaker(navMesh?.session, DYNAMIC);
    const { wasm } = session;
    /** @type {{ builders?: DynamicBuilders }} */
    const workers = {};
    super(session, DYNAMIC, address, (dynamic) => {
      wasm.dynamic_destroy(dynamic);
      workers.builders?.release();
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

  /** The number of tiles that must be built, and of tile places whose links must be generated (dirtyLinks). */
  get dirtyTiles() {
    const address = addressOf(this, DYNAMIC);
    return this.session.wasm.dynamic_dirty_count(address) >>> 0;
  }

  /**
   * The number of tile places whose generated links are out of date, of a bake with links. Until they are generated again, links stay
   * as they are, tied to the polygons that exist.
   */
  get dirtyLinks() {
    const address = addressOf(this, DYNAMIC);
    return this.session.wasm.dynamic_dirty_link_count(address) >>> 0;
  }

  /**
   * Changes which links are generated, of a bake with links: links without a kind remove them all. All tile places are out of date
   * afterwards; update() generates their links, within its budget. Until then each place has the links that it has. The mesh stores the
   * configuration (navMesh.config.links).
   * @param {import('../input/link-config.js').LinkConfig} links
   */
  configureLinks(links) {
    const address = addressOf(this, DYNAMIC);
    const { session } = this, { wasm } = session;
    const inForce = writeLinksFor(session, links, () => wasm.dynamic_default_links(address), () => wasm.dynamic_configure_links(address));
    this.#navMesh.setConfigLinks(inForce);
  }

  /**
   * Sets the focus: tiles nearest to these points (players, agents) are built first. Without points, tiles are built in rows of the
   * grid.
   * @param {Points} points y is ignored
   */
  setFocus(points) {
    const address = addressOf(this, DYNAMIC);
    const { session } = this, { calls } = session;
    const floats = requirePoints(points, 'points');
    session.requireNoCallSince(calls);
    const scratch = copyToScratch(session, floats);
    session.check(session.wasm.dynamic_set_focus(address, scratch, floats.length / 3));
  }

  /**
   * Adds a listener that is called after each tile that changed. An error that it throws ends the update; the next one continues.
   * Listeners that are added while others are called are called from the next tile on, and removed ones no more.
   * @param {(change: TileChange) => void} listener
   * @returns {() => void} removes the listener
   */
  onTileChanged(listener) {
    addressOf(this, DYNAMIC);
    return this.#listeners.add(listener);
  }

  /**
   * Adds a listener that is called after the generated links of a tile place changed; otherwise as onTileChanged.
   * @param {(change: LinkChange) => void} listener
   * @returns {() => void} removes the listener
   */
  onLinksChanged(listener) {
    addressOf(this, DYNAMIC);
    return this.#linkListeners.add(listener);
  }

  /**
   * Advances time, and builds dirty tiles within the budget, the nearest to the focus first; then generates links that are out of
   * date.
   * @param {number | UpdateOptions} [options] milliseconds, or an object; default: builds all dirty tiles
   * @returns {DynamicUpdate}
   */
  update(options = NO_OPTIONS) {
    addressOf(this, DYNAMIC);
    const start = options === NO_OPTIONS ? 0 : performance.now();
    const { milliseconds = Infinity, tiles = Infinity, deltaTime = 0 } = typeof options === 'number' ? { milliseconds: options }
      : requireOptions(options, UPDATE_NAMES);
    requireAmount(milliseconds, 'milliseconds');
    const maxTiles = tiles === Infinity ? Infinity : requireCount(tiles, 'tiles', Number.MAX_SAFE_INTEGER);
    this.#advance(requireSeconds(deltaTime, 'deltaTime'));
    // Without a budget it also builds the tiles that workers are building.
    if (maxTiles === Infinity && milliseconds === Infinity) this.#background?.recall();
    const log = makeLog();
    try {
      const mayGoOn = () => milliseconds === Infinity || performance.now() - start < milliseconds || (milliseconds > 0 && log.built + log.linked === 0);
      while (log.built + log.linked < maxTiles && mayGoOn()) {
        const change = this.#step(this.#stepCall, log);
        if (!change) break;
        this.#note(change, log, !change.isOfLinks && this.#isTouched(change));
      }
    } finally {
      if (log.changed.length > 0 && !this.isFreed) this.#navMesh.updateSwitches();
    }
    return { ...log, dirtyTiles: this.dirtyTiles };
  }

  /**
   * Updates without a budget and without blocking: workers build dirty tiles from their kept tiles, and this thread inserts them
   * into the mesh between frames, the nearest to the focus first. It ends when no tile is dirty, including tiles that became dirty
   * meanwhile: obstacles may be added, moved and removed. The resulting mesh is equal to that of update(), to the last byte, with
   * any number of workers. Only one can run at a time: see isUpdating.
   *
   * update() still works meanwhile: with `deltaTime` it advances time; with a budget it builds tiles that no worker is building;
   * without one it builds them all.
   * @param {UpdateAsyncOptions} [options]
   * @returns {Promise<DynamicUpdate>} rejected if a tile can't be built (the message names it), the signal is aborted, a worker
   *   fails or this mesh is freed; except in the last case, unbuilt tiles stay dirty, and another update continues
   */
  async updateAsync(options = NO_OPTIONS) {
    addressOf(this, DYNAMIC);
    const { workers, signal, deltaTime = 0, sliceMilliseconds } = requireOptions(options, ASYNC_NAMES);
    requirePool(workers);
    requireSignal(signal);
    const slices = new TimeSlices(sliceMilliseconds, signal);
    requireSeconds(deltaTime, 'deltaTime');
    throwIfAborted(signal);
    if (this.#isUpdating) throw new NavError('state', 'an updateAsync of this dynamic mesh is still running: it also builds tiles that become dirty meanwhile');
    this.#advance(deltaTime);
    this.#isUpdating = true;
    const log = makeLog();
    const target = this.#makeTarget(log);
    try {
      if (workers) await this.#updateInWorkers(target, workers, slices, signal);
      else await updateHere(target, slices, signal);
    } finally {
      this.#isUpdating = false;
      this.#background = undefined;
    }
    return { ...log, dirtyTiles: this.dirtyTiles };
  }

  /** True while an updateAsync is running. */
  get isUpdating() {
    addressOf(this, DYNAMIC);
    return this.#isUpdating;
  }

  /** @param {Target} target @param {WorkerPool} pool @param {TimeSlices} slices @param {AbortSignal} [signal] */
  async #updateInWorkers(target, pool, slices, signal) {
    if (this.dirtyTiles === 0) return;
    if (this.#workers.builders?.pool !== pool) {
      this.#workers.builders?.release();
      this.#workers.builders = new DynamicBuilders(pool);
    }
    const { builders } = this.#workers;
    await untilAborted(builders.open(() => this.writeWorkerMesh()), signal);
    addressOf(this, DYNAMIC);
    this.#background = new BackgroundUpdate(target, builders, slices, signal);
    await this.#background.run();
  }

  /** The functions that a background update calls. @param {UpdateLog} log @returns {Target} */
  #makeTarget(log) {
    let reported = 0;
    const step = (/** @type {() => void} */ call) => {
      const change = this.#step(call, log);
      if (change) this.#note(change, log, !change.isOfLinks && this.#isTouched(change));
      return change !== undefined;
    };
    return {
      isDirty: () => this.dirtyTiles > 0,
      step: () => step(this.#stepCall),
      stepLinks: () => step(this.#stepLinksCall),
      take: () => takeJob(this.session, addressOf(this, DYNAMIC)),
      readKept: (/** @type {Job} */ { x, z }) => /** @type {Uint8Array} */ (this.keptTile(x, z)),
      finish: (/** @type {Job} */ job, /** @type {Uint8Array | null} */ bytes) => {
        const change = this.#finish(job, bytes);
        if (change) this.#note(change, log, job.hasObstacles);
      },
      cancel: (/** @type {Job} */ { x, z, ticket }) => {
        if (!this.isFreed) this.session.wasm.dynamic_give_up_job(addressOf(this, DYNAMIC), x, z, ticket);
      },
      refresh: () => {
        if (log.changed.length > reported && !this.isFreed) this.#navMesh.updateSwitches();
        reported = log.changed.length;
      },
    };
  }

  /**
   * Reports a step.
   * @param {Change} change @param {UpdateLog} log @param {boolean} isTouched as of #report
   */
  #note(change, log, isTouched) {
    if (!change.isOfLinks) {
      const { isOfLinks: _, ...tile } = change;
      log.built++;
      this.#report(tile, log.changed, isTouched);
      return;
    }
    log.linked++;
    if (change.after === change.before) return;
    const { x, z } = change;
    log.changedLinks.push({ x, z });
    this.#linkListeners.call({ x, z });
  }

  /** Bytes from which workers create worker meshes: configuration, volumes, connections and area flags. @internal @returns {Uint8Array} */
  writeWorkerMesh() {
    const address = addressOf(this, DYNAMIC);
    return writeWorkerMesh(this.session, address);
  }

  /** Inserts a tile that another instance built; undefined: its job was cancelled. @param {Job} job @param {Uint8Array | null} bytes */
  #finish({ x, z, ticket }, bytes) {
    const address = addressOf(this, DYNAMIC);
    const { session } = this, array = bytes ?? NO_BYTES;
    session.withCopy(array, (copy) => session.wasm.dynamic_finish_job(address, x, z, ticket, copy, array.length));
    return this.#readChange();
  }

  /** True if obstacles overlap a tile now. @param {TileChange} change */
  #isTouched({ x, z }) {
    const address = addressOf(this, DYNAMIC);
    return this.session.wasm.dynamic_is_touched(address, x, z) !== 0;
  }

  /**
   * Reports a tile that was built.
   * @param {TileChange} change @param {TileChange[]} changed
   * @param {boolean} isTouched true if obstacles overlapped it when it was built
   */
  #report(change, changed, isTouched) {
    if (!isTouched) this.#navMesh.tileHashes.restore(change.x, change.z, change.after);
    if (change.after === change.before) return;
    changed.push(change);
    this.#listeners.call(change);
  }

  /** @param {number} seconds */
  #advance(seconds) {
    const address = addressOf(this, DYNAMIC);
    if (seconds > 0) this.session.check(this.session.wasm.dynamic_advance(address, seconds));
  }

  /**
   * Builds a tile, or generates links; undefined: nothing was dirty.
   * @param {() => void} call of C @param {UpdateLog} log @returns {Change | undefined}
   */
  #step(call, log) {
    try {
      this.session.guard(call);
    } catch (error) {
      // A place that would have too many links has none now, and isn't dirty: the next update continues with others.
      const refused = error instanceof NavError && error.code === 'limit' ? this.#readChange() : undefined;
      if (!refused) throw error;
      this.#note(refused, log, false);
      throw errorInTile(error, refused.x, refused.z);
    }
    return this.#readChange();
  }

  /** Reads the WmTileChange of the result; undefined: no tile. @returns {Change | undefined} */
  #readChange() {
    this.session.refresh(); // a call that failed may have grown the memory
    const { u32, answer } = this.session;
    const x = u32[answer + X_AT] | 0, z = u32[answer + Z_AT] | 0;
    if (x < 0) return undefined;
    const isOfLinks = (u32[answer + (OF_LINKS_AT >>> 2)] >>> 8 * (OF_LINKS_AT & 3) & 1) === 1;
    return { x, z, before: readReference(u32, answer + BEFORE_AT), after: readReference(u32, answer + AFTER_AT), isOfLinks };
  }

  // ---- Tiles -----------------------------------------------------------------------------------------------

  /**
   * Sets the byte budget of the cache of recently built tiles, which makes building them again several times faster: initially
   * 16 MB, 0: none. Results don't depend on it.
   * @param {number} bytes
   */
  limitCache(bytes) {
    const address = addressOf(this, DYNAMIC);
    this.session.wasm.dynamic_limit_cache(address, requireCount(bytes, 'bytes', 0xffffffff));
  }

  /** The number of bytes in the cache. */
  get cacheBytes() {
    const address = addressOf(this, DYNAMIC);
    return this.session.wasm.dynamic_cache_bytes(address) >>> 0;
  }

  /** The bytes of the air of all tiles, and of the data from which links are generated faster; limitCache limits these to as many bytes again. */
  get linkBytes() {
    const address = addressOf(this, DYNAMIC);
    return this.session.wasm.dynamic_link_bytes(address) >>> 0;
  }

  /** The bytes of all kept tiles, with their air. */
  get keptBytes() {
    addressOf(this, DYNAMIC);
    const { tileCountX, tileCountZ } = this.#navMesh.parameters;
    let bytes = 0;
    for (let z = 0; z < tileCountZ; z++) {
      for (let x = 0; x < tileCountX; x++) bytes += this.#findKept(x, z).count;
    }
    return bytes;
  }

  /** Where a TileStreamer puts its tiles. @internal */
  tileSink() {
    addressOf(this, DYNAMIC);
    return new DynamicSink(this);
  }

  /**
   * Returns a copy of a kept tile, for keepTile; null if there is none. Of a bake with links it contains the tile's air.
   * @param {number} x @param {number} z
   */
  keptTile(x, z) {
    addressOf(this, DYNAMIC);
    requireTilePlace(x, z);
    const { address, count } = this.#findKept(x, z);
    return address ? this.session.view(address, count).slice() : null;
  }

  /** @internal @param {number} x @param {number} z */
  hasKeptTile(x, z) {
    addressOf(this, DYNAMIC);
    return this.#findKept(x, z).address !== 0;
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
   * Stores a kept tile that keptTile returned for this level: the tile is dirty afterwards. Every byte is checked. The links around
   * it are out of date; links that would pass a tile without air, or a tile place without a tile, wait for it.
   *
   * With `tile`, the tile without obstacles (as a bake of the level made it), it is added to the mesh immediately, and dirty only if
   * obstacles overlap it.
   * @param {number} x @param {number} z @param {Bytes} bytes
   * @param {Bytes | null} [tile] null: it has no polygons
   */
  keepTile(x, z, bytes, tile = undefined) {
    addressOf(this, DYNAMIC);
    requireTilePlace(x, z);
    const array = requireBytes(bytes);
    const ready = tile === undefined || tile === null ? tile : requireBytes(tile, 'tile');
    const isOther = this.#hasOtherKept(x, z, array);
    const change = this.#keep(x, z, array, ready);
    if (isOther) this.#navMesh.tileHashes.delete(x, z);
    if (change) this.#report(change, [], false);
  }

  /** True if a place has a kept tile of other bytes. @param {number} x @param {number} z @param {Uint8Array} bytes */
  #hasOtherKept(x, z, bytes) {
    const { address, count } = this.#findKept(x, z);
    if (address === 0) return false;
    const kept = this.session.view(address, count);
    return count !== bytes.length || kept.some((byte, i) => byte !== bytes[i]);
  }

  /**
   * Stores a kept tile, and the tile, if it is given.
   * @param {number} x @param {number} z @param {Uint8Array} bytes @param {Uint8Array | null} [tile]
   * @returns {Change | undefined} of the tile
   */
  #keep(x, z, bytes, tile) {
    const address = addressOf(this, DYNAMIC);
    const { session } = this, { wasm } = session;
    if (tile === undefined) {
      session.withCopy(bytes, (copy) => wasm.dynamic_keep_tile(address, x, z, copy, bytes.length, 0));
      return undefined;
    }
    const ready = tile ?? NO_BYTES, readyCopy = session.copyIn(ready);
    try {
      session.withCopy(bytes, (copy) => wasm.dynamic_keep_built_tile(address, x, z, copy, bytes.length, readyCopy, ready.length));
    } finally {
      wasm.memory_free(session.handle, readyCopy);
    }
    return this.#readChange();
  }

  /**
   * Replaces the volumes, connections and area flags by those of a level that has changed, for all tiles that are built from now on.
   * @param {import('./bake-dynamic.js').LevelInput} input
   * @returns {boolean} false: they are the same
   */
  #replaceInput(input) {
    const workerMesh = input.writeWorkerMesh(this.#navMesh), before = this.writeWorkerMesh();
    if (workerMesh.length === before.length && workerMesh.every((byte, i) => byte === before[i])) return false;
    this.session.check(this.session.wasm.dynamic_replace_input(addressOf(this, DYNAMIC), input.address));
    this.#workers.builders?.changeLevel(workerMesh);
    return true;
  }

  /**
   * Replaces tiles of a level that has changed. Tiles that obstacles overlap are dirty afterwards, others are in the mesh. If memory runs
   * out, the tiles that follow stay as they are, without hashes: the next rebake bakes them.
   * @internal @param {readonly import('../bake/bake-tile.js').BakedTile[]} tiles with their kept tiles @param {import('./bake-dynamic.js').LevelInput} input
   * @returns {import('../bake/tile-changes.js').ChangedTile[]} tiles that changed or are dirty now
   */
  replaceTiles(tiles, input) {
    const address = addressOf(this, DYNAMIC);
    const { wasm } = this.session, navMesh = this.#navMesh, { tileHashes } = navMesh;
    const hasOtherInput = this.#replaceInput(input);
    const dirty = [], changes = [];
    let done = 0;
    try {
      for (const { bytes, kept, air, hash, log: { x, z } } of tiles) {
        const joined = joinKeptTile(/** @type {Uint8Array} */ (kept), air);
        // Without a hash, the tile may have been built with other volumes.
        const isBuilt = !hasOtherInput && tileHashes.find(x, z) !== undefined && this.hasKeptTile(x, z);
        if (isBuilt && !this.#hasOtherKept(x, z, joined)) {
          tileHashes.change(x, z, hash);
          done++;
          continue;
        }
        const isTouched = wasm.dynamic_is_touched(address, x, z) !== 0;
        const change = this.#keep(x, z, joined, isTouched ? undefined : bytes);
        tileHashes.delete(x, z);
        tileHashes.change(x, z, hash, isTouched ? undefined : navMesh.tileAt(x, z));
        if (change) changes.push(change);
        else dirty.push({ x, z });
        done++;
      }
    } finally {
      for (const { log: { x, z } } of tiles.slice(done)) tileHashes.delete(x, z);
      const changed = changes.filter(({ before, after }) => after !== before);
      orderTiles(navMesh, changed);
      if (changed.length > 0) navMesh.updateSwitches();
      dirty.push(...changed);
      for (const { isOfLinks: _, ...change } of changed) this.#listeners.call(change);
    }
    return dirty.map(({ x, z }) => ({ x, z, ref: navMesh.tileAt(x, z) })).sort((a, b) => a.z - b.z || a.x - b.x);
  }

  /**
   * Removes a tile from the mesh, its kept tile, and the generated links of its place; listeners are called. Obstacles stay, and
   * apply when the tile returns.
   * @param {number} x @param {number} z
   */
  dropTile(x, z) {
    const address = addressOf(this, DYNAMIC);
    requireTilePlace(x, z);
    const before = this.#navMesh.tileAt(x, z);
    this.#navMesh.removeKnown(() => this.session.check(this.session.wasm.dynamic_drop_tile(address, x, z)));
    this.#report({ x, z, before, after: 0 }, [], true);
  }

  /** True if a tile equals the one that a bake without obstacles makes. @internal @param {number} x @param {number} z */
  isAsBaked(x, z) {
    addressOf(this, DYNAMIC);
    return this.#navMesh.tileHashes.get(this.#navMesh, x, z) !== undefined;
  }

  // ---- Saving ----------------------------------------------------------------------------------------------

  /**
   * Returns everything, the mesh included, as bytes for Walkmesh.loadDynamic: obstacles with their handles, timers and velocities,
   * kept tiles, dirty tiles and the focus. Versioned, with a checksum.
   */
  save() {
    const address = addressOf(this, DYNAMIC);
    const { session } = this;
    this.#navMesh.writeState(true);
    session.check(session.wasm.dynamic_save(address));
    return takeBytes(session);
  }
}
