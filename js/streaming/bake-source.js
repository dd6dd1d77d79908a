/** Tile sources for a TileStreamer that bake tiles on request, in workers or in this thread. */
import { requireOptions } from '../runtime/arguments.js';
import { DEFAULT_TILE_SIZE } from '../bake/bake-in-background.js';
import { LevelInput } from '../dynamic/bake-dynamic.js';
import { joinKeptTile } from '../dynamic/kept-tile.js';
import { requireNoLinks } from '../bake/links/link-pass.js';
import { freedError } from '../runtime/free-once.js';
import { NavMeshBuilder } from '../mesh/mesh.js';
import { nameSet } from '../runtime/option-names.js';
import { TimeSlices } from '../runtime/time-slices.js';
import { rememberHash } from '../mesh/tile-hashes.js';
import { requireConfig, requireSameGrid } from '../bake/rebake.js';
import { LocalBuilders, WorkerBuilders } from '../bake/tile-builders.js';
import { requirePool } from '../workers/pool.js';

/** @typedef {import('../runtime/instance.js').Owner} Owner */
/** @typedef {import('../input/config.js').Config} Config */
/** @typedef {import('../dynamic/dynamic-nav-mesh.js').DynamicNavMesh} DynamicNavMesh */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('./tile-streamer.js').KeptTile} KeptTile */

/**
 * @typedef {object} BakeSourceOptions
 * @property {import('../workers/pool.js').WorkerPool} [workers] a pool, which the caller owns; default: this thread, in slices
 * @property {number} [sliceMilliseconds] length of a slice of this thread; default 6
 */

/**
 * @typedef {object} BakeSource
 * @property {NavMesh} navMesh without tiles, with the grid and configuration of the bake: the caller frees it
 * @property {(x: number, z: number, options?: { signal?: AbortSignal }) => Promise<Uint8Array | null>} tile a source for a TileStreamer
 * @property {() => Promise<void>} free ends it: later requests are rejected with a NavError `state`; does nothing if it has ended
 * @property {boolean} isFreed true after free()
 */

const NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<BakeSourceOptions>} */ ({ workers: 1, sliceMilliseconds: 1 }));

/**
 * The same for a dynamic mesh.
 * @typedef {object} DynamicBakeSource
 * @property {NavMesh} navMesh without tiles: the caller frees it
 * @property {DynamicNavMesh} dynamic without tiles: obstacles apply when their tiles are added
 * @property {(x: number, z: number, options?: { signal?: AbortSignal }) => Promise<KeptTile | null>} tile
 * @property {() => Promise<void>} free as of BakeSource
 * @property {boolean} isFreed
 */

/**
 * Implements Walkmesh.createBakeSource.
 * @param {Owner} owner @param {Geometry} geometry @param {Config} config @param {BakeSourceOptions} options
 * @returns {Promise<BakeSource>}
 */
export async function createBakeSource(owner, geometry, config, options) {
  const { navMesh, bake, free, isFreed } = await openSource(owner, geometry, config, options, false);
  return {
    navMesh, free,
    get isFreed() { return isFreed(); },
    async tile(x, z, { signal } = {}) {
      const baked = await bake(x, z, signal);
      if (!baked?.bytes) return null;
      rememberHash(baked.bytes, baked.hash);
      return baked.bytes;
    },
  };
}

/**
 * Implements Walkmesh.createDynamicBakeSource.
 * @param {Owner} owner @param {Geometry} geometry @param {Config} config @param {BakeSourceOptions} options
 * @returns {Promise<DynamicBakeSource>}
 */
export async function createDynamicBakeSource(owner, geometry, config, options) {
  const input = new LevelInput(owner.session, geometry);
  try {
    const { navMesh, bake, free, isFreed } = await openSource(owner, geometry, config, options, true);
    try {
      const dynamic = input.createDynamic(navMesh);
      return {
        navMesh, dynamic, free,
        get isFreed() { return isFreed(); },
        async tile(x, z, { signal } = {}) {
          const baked = await bake(x, z, signal);
          if (!baked?.kept) return null;
          const kept = joinKeptTile(baked.kept, baked.air);
          rememberHash(kept, baked.hash);
          return { kept, tile: baked.bytes };
        },
      };
    } catch (error) {
      await free();
      navMesh.free();
      throw error;
    }
  } finally {
    input.free();
  }
}

/**
 * @param {Owner} owner @param {Geometry} geometry @param {Config} config @param {BakeSourceOptions} options
 * @param {boolean} keeps true: also returns the kept tiles
 */
async function openSource(owner, geometry, config, options, keeps) {
  const { workers, sliceMilliseconds } = requireOptions(options, NAMES);
  const full = typeof config === 'object' && config !== null ? { ...config, tileSize: config.tileSize || DEFAULT_TILE_SIZE } : config;
  const slices = new TimeSlices(sliceMilliseconds, undefined);
  requirePool(workers);
  if (!keeps) requireNoLinks(config, 'tile sources of a NavMesh', 'use createDynamicBakeSource');
  const open = (/** @type {Geometry} */ level, /** @type {Config} */ present) => {
    const its = keeps && !present?.links && full?.links ? { ...present, links: full.links } : present; // air also while links are off
    return new Queue(workers ? new WorkerBuilders(workers, Infinity, level, its, slices) : new LocalBuilders(owner.session, level, its, slices), keeps);
  };
  const queue = open(geometry, full);
  const meshBuilder = new NavMeshBuilder(owner.session);
  try {
    meshBuilder.begin(await queue.begun);
    return makeSource(queue, meshBuilder.take(), open);
  } catch (error) {
    meshBuilder.free();
    await queue.end();
    throw error;
  }
}

/** Tiles of a level that are baked on request. */
class Queue {
  #source;
  #keeps;
  #builders;
  #isOver = false;

  /** @param {LocalBuilders | WorkerBuilders} source @param {boolean} keeps true: with kept tiles */
  constructor(source, keeps) {
    this.#source = source;
    this.#keeps = keeps;
    /** Facts of the bake. Rejected if it can't begin: its tiles are rejected, too. */
    this.begun = Promise.all(source.list.map((builder) => builder.begin())).then(([facts]) => facts);
    this.begun.catch(() => {});
    /** A builder, the number of its unfinished tiles, and the last of them: a builder bakes one tile after another. */
    this.#builders = source.list.map((builder) => ({ builder, count: 0, last: /** @type {Promise<unknown>} */ (Promise.resolve()) }));
  }

  /** @param {number} x @param {number} z @param {AbortSignal} [signal] */
  bake(x, z, signal) {
    const least = this.#builders.reduce((best, one) => (one.count < best.count ? one : best));
    least.count++;
    const baked = least.last.then(() => this.begun).then(() => {
      if (this.#isOver) throw freedError('bake source');
      // The request was aborted before its bake began.
      return signal?.aborted ? null : least.builder.bakeTile(x, z, undefined, this.#keeps);
    });
    least.last = baked.catch(() => {}).then(() => { least.count--; });
    return baked;
  }

  /** Ends it after the tiles that are being baked; those that wait fail. */
  async end() {
    this.#isOver = true;
    await this.finish();
  }

  /** Ends it after all tiles that were requested. */
  async finish() {
    await Promise.all([this.begun.catch(() => {}), ...this.#builders.map(({ last }) => last)]);
    await this.#source.end();
  }
}

/**
 * @param {Queue} first @param {NavMesh} navMesh
 * @param {(geometry: Geometry, config: Config) => Queue} open makes the tiles of another level
 */
function makeSource(first, navMesh, open) {
  let queue = first;
  /** Resolves when tiles of former levels have ended. @type {Promise<unknown>} */
  let former = Promise.resolve();
  /** Resolves when it has ended. @type {Promise<void> | undefined} */
  let ended;
  const end = async () => {
    navMesh.streamed.source = undefined;
    await queue.end();
    await former;
  };
  navMesh.streamed.source = {
    open(geometry) {
      const next = open(geometry, requireConfig(navMesh));
      const opened = next.begun.then((facts) => requireSameGrid(navMesh, facts));
      opened.catch(() => {}); // tiles that are requested are rejected
      return {
        opened,
        commit() {
          if (ended) {
            former = next.end();
            return;
          }
          former = Promise.all([former, queue.finish()]);
          queue = next;
        },
        cancel: () => next.end(),
      };
    },
  };
  return {
    navMesh,
    /** @param {number} x @param {number} z @param {AbortSignal} [signal] */
    async bake(x, z, signal) {
      if (ended) throw freedError('bake source');
      return queue.bake(x, z, signal);
    },
    free: () => (ended ??= end()),
    isFreed: () => ended !== undefined,
  };
}
