/** Tile sources for a TileStreamer that bake tiles on request, in workers or in this thread. */
import { requireOptions } from '../runtime/arguments.js';
import { DEFAULT_TILE_SIZE } from '../bake/bake-tiled.js';
import { LevelInput } from '../dynamic/bake-dynamic.js';
import { NavError } from '../runtime/errors.js';
import { NavMeshBuilder } from '../mesh/mesh.js';
import { nameSet } from '../runtime/names.js';
import { Slices } from '../runtime/slices.js';
import { LocalTiles, WorkerTiles } from '../bake/tile-sources.js';
import { WorkerPool } from '../workers/pool.js';

/** @typedef {import('../bake/bake-tiled.js').Owner} Owner */
/** @typedef {import('../bake/config.js').Config} Config */
/** @typedef {import('../dynamic/dynamic-nav-mesh.js').DynamicNavMesh} DynamicNavMesh */
/** @typedef {import('../bake/geometry.js').Geometry} Geometry */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('./tile-streamer.js').KeptTile} KeptTile */

/**
 * @typedef {object} BakeSourceOptions
 * @property {WorkerPool} [workers] a pool, which the caller owns; default: this thread, in slices
 * @property {number} [sliceMilliseconds] length of a slice of this thread; default 6
 */

/**
 * @typedef {object} BakeSource
 * @property {NavMesh} navMesh without tiles, with the grid and configuration of the bake: the caller frees it
 * @property {(x: number, z: number, options?: { signal?: AbortSignal }) => Promise<Uint8Array | null>} tile a source for a TileStreamer
 * @property {() => Promise<void>} free ends it: later requests are rejected with a NavError `state`
 */

const NAMES = nameSet(/** @satisfies {import('../runtime/names.js').Names<BakeSourceOptions>} */ ({ workers: 1, sliceMilliseconds: 1 }));

/**
 * The same for a dynamic mesh.
 * @typedef {object} DynamicBakeSource
 * @property {NavMesh} navMesh without tiles: the caller frees it
 * @property {DynamicNavMesh} dynamic without tiles: obstacles apply when their tiles are added
 * @property {(x: number, z: number, options?: { signal?: AbortSignal }) => Promise<KeptTile | null>} tile
 * @property {() => Promise<void>} free
 */

/**
 * Implements Walkmesh.createBakeSource.
 * @param {Owner} owner @param {Geometry} geometry @param {Config} config @param {BakeSourceOptions} options
 * @returns {Promise<BakeSource>}
 */
export async function createBakeSource(owner, geometry, config, options) {
  const { navMesh, bake, free } = await openSource(owner, geometry, config, options, false);
  return {
    navMesh, free,
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
    const { navMesh, bake, free } = await openSource(owner, geometry, config, options, true);
    try {
      const dynamic = input.createDynamic(navMesh);
      return {
        navMesh, dynamic, free,
        async tile(x, z, { signal } = {}) {
          const baked = await bake(x, z, signal);
          return baked?.kept ? { kept: baked.kept, tile: baked.bytes } : null;
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
  const slices = new Slices(sliceMilliseconds, undefined);
  const source = workers instanceof WorkerPool ? new WorkerTiles(workers, Infinity, geometry, full, slices)
    : new LocalTiles(owner.session, geometry, full, slices);
  const builder = new NavMeshBuilder(owner.session);
  try {
    const [facts] = await Promise.all(source.lanes.map((lane) => lane.begin()));
    builder.begin(facts);
    return makeSource(source, builder.take(), keeps);
  } catch (error) {
    builder.free();
    await source.end();
    throw error;
  }
}

/** @param {LocalTiles | WorkerTiles} source @param {NavMesh} navMesh @param {boolean} keeps */
function makeSource(source, navMesh, keeps) {
  /** Each builder with its number of requested tiles and the promise of its last one: it bakes one tile after another. */
  const lanes = source.lanes.map((lane) => ({ lane, count: 0, last: /** @type {Promise<unknown>} */ (Promise.resolve()) }));
  let isFreed = false;
  const check = () => {
    if (isFreed) throw new NavError('state', 'this bake source was freed');
  };
  return {
    navMesh,
    /** @param {number} x @param {number} z @param {AbortSignal} [signal] */
    async bake(x, z, signal) {
      check();
      const least = lanes.reduce((best, one) => (one.count < best.count ? one : best));
      least.count++;
      const baked = least.last.then(() => {
        check();
        // The request was aborted before its bake began.
        return signal?.aborted ? null : least.lane.bakeTile(x, z, undefined, keeps);
      });
      least.last = baked.catch(() => {}).then(() => { least.count--; });
      return baked;
    },
    async free() {
      check();
      isFreed = true;
      await Promise.all(lanes.map(({ last }) => last));
      await source.end();
    },
  };
}
