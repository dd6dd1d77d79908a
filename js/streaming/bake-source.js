/** Tiles that are baked when they are asked for, in workers or in this thread, for a TileStreamer. */
import { requireOptions } from '../arguments.js';
import { DEFAULT_TILE_SIZE } from '../bake-tiled.js';
import { NavError } from '../errors.js';
import { NavMeshBuilder } from '../mesh.js';
import { nameSet } from '../names.js';
import { Slices } from '../slices.js';
import { LocalTiles, WorkerTiles } from '../tile-sources.js';
import { WorkerPool } from '../workers/pool.js';

/** @typedef {import('../bake-tiled.js').Owner} Owner */
/** @typedef {import('../config.js').Config} Config */
/** @typedef {import('../geometry.js').Geometry} Geometry */
/** @typedef {import('../mesh.js').NavMesh} NavMesh */
/** @typedef {import('../tile-sources.js').Lane} Lane */

/**
 * @typedef {object} BakeSourceOptions
 * @property {WorkerPool} [workers] a pool, which stays the caller's; default: this thread, in slices
 * @property {number} [sliceMilliseconds] how long this thread may work before it rests; default 6
 */

/**
 * @typedef {object} BakeSource
 * @property {NavMesh} navMesh without tiles, of the grid and configuration of the bake: the caller frees it
 * @property {(x: number, z: number, options?: { signal?: AbortSignal }) => Promise<Uint8Array | null>} tile a source for a TileStreamer
 * @property {() => Promise<void>} free ends it: tiles asked for afterwards are a NavError `state`
 */

const NAMES = nameSet(/** @satisfies {import('../names.js').Names<BakeSourceOptions>} */ ({ workers: 1, sliceMilliseconds: 1 }));

/**
 * As Walkmesh.createBakeSource.
 * @param {Owner} owner @param {Geometry} geometry @param {Config} config @param {BakeSourceOptions} options
 * @returns {Promise<BakeSource>}
 */
export async function createBakeSource(owner, geometry, config, options) {
  const { workers, sliceMilliseconds } = requireOptions(options, NAMES);
  const full = typeof config === 'object' && config !== null ? { ...config, tileSize: config.tileSize || DEFAULT_TILE_SIZE } : config;
  const slices = new Slices(sliceMilliseconds, undefined);
  const source = workers instanceof WorkerPool ? new WorkerTiles(workers, Infinity, geometry, full, slices)
    : new LocalTiles(owner.session, geometry, full, slices);
  const builder = new NavMeshBuilder(owner.session);
  try {
    const [facts] = await Promise.all(source.lanes.map((lane) => lane.begin()));
    builder.begin(facts);
    return makeSource(source, builder.take());
  } catch (error) {
    builder.free();
    await source.end();
    throw error;
  }
}

/** @param {LocalTiles | WorkerTiles} source @param {NavMesh} navMesh @returns {BakeSource} */
function makeSource(source, navMesh) {
  /** A lane, how many tiles it has in hand, and the last of them: a lane bakes one after another. */
  const lanes = source.lanes.map((lane) => ({ lane, count: 0, last: /** @type {Promise<unknown>} */ (Promise.resolve()) }));
  let isFreed = false;
  const check = () => {
    if (isFreed) throw new NavError('state', 'this bake source was freed');
  };
  return {
    navMesh,
    async tile(x, z, { signal } = {}) {
      check();
      const least = lanes.reduce((best, one) => (one.count < best.count ? one : best));
      least.count++;
      const baked = least.last.then(() => {
        check();
        // Nobody waits any more for what was aborted before it began.
        return signal?.aborted ? null : least.lane.bakeTile(x, z);
      });
      least.last = baked.catch(() => {}).then(() => { least.count--; });
      return (await baked)?.bytes ?? null;
    },
    async free() {
      check();
      isFreed = true;
      await Promise.all(lanes.map(({ last }) => last));
      await source.end();
    },
  };
}
