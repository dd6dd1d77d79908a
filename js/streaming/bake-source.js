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
    tile: async (x, z, { signal } = {}) => (await bake(x, z, signal))?.bytes ?? null,
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
          return baked?.kept ? { kept: joinKeptTile(baked.kept, baked.air), tile: baked.bytes } : null;
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
  const source = workers ? new WorkerBuilders(workers, Infinity, geometry, full, slices)
    : new LocalBuilders(owner.session, geometry, full, slices);
  const meshBuilder = new NavMeshBuilder(owner.session);
  try {
    const [facts] = await Promise.all(source.list.map((builder) => builder.begin()));
    meshBuilder.begin(facts);
    return makeSource(source, meshBuilder.take(), keeps);
  } catch (error) {
    meshBuilder.free();
    await source.end();
    throw error;
  }
}

/** @param {LocalBuilders | WorkerBuilders} source @param {NavMesh} navMesh @param {boolean} keeps */
function makeSource(source, navMesh, keeps) {
  /** A builder, the number of its unfinished tiles, and the last of them: a builder bakes one tile after another. */
  const builders = source.list.map((builder) => ({ builder, count: 0, last: /** @type {Promise<unknown>} */ (Promise.resolve()) }));
  /** Resolves when it has ended. @type {Promise<void> | undefined} */
  let ended;
  const check = () => {
    if (ended) throw freedError('bake source');
  };
  const end = async () => {
    await Promise.all(builders.map(({ last }) => last));
    await source.end();
  };
  return {
    navMesh,
    /** @param {number} x @param {number} z @param {AbortSignal} [signal] */
    async bake(x, z, signal) {
      check();
      const least = builders.reduce((best, one) => (one.count < best.count ? one : best));
      least.count++;
      const baked = least.last.then(() => {
        check();
        // The request was aborted before its bake began.
        return signal?.aborted ? null : least.builder.bakeTile(x, z, undefined, keeps);
      });
      least.last = baked.catch(() => {}).then(() => { least.count--; });
      return baked;
    },
    free: () => (ended ??= end()),
    isFreed: () => ended !== undefined,
  };
}
