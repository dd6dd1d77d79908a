/** Baking a grid of tiles without blocking: in workers, or in this thread in slices. */
import { requireOptions } from '../runtime/arguments.js';
import { makeTile, openCache } from '../caches/tile-cache.js';
import { listConnections, warnOfConnections } from './connection-warnings.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { withinLimits } from './limits.js';
import { NavMeshBuilder } from '../mesh/mesh.js';
import { nameSet } from '../runtime/names.js';
import { Slices } from '../runtime/slices.js';
import { runTiles } from './tile-run.js';
import { LocalTiles, WorkerTiles } from './tile-sources.js';
import { WorkerPool, readWorkerCount } from '../workers/pool.js';

/** @typedef {import('./bake-report.js').BakeReport} BakeReport */
/** @typedef {import('./config.js').Config} Config */
/** @typedef {import('./geometry.js').Geometry} Geometry */
/** @typedef {import('./limits.js').Limits} Limits */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('./tile-run.js').FinishedTile} FinishedTile */
/** @typedef {import('./tile-run.js').RunOptions} RunOptions */
/** @typedef {import('../caches/tile-cache.js').TileCache} TileCache */
/** @typedef {import('./tile-sources.js').Lane} Lane */
/** @typedef {import('./tile-sources.js').TileSource} TileSource */

/**
 * Where a bake takes place that does not block.
 * @typedef {object} BackgroundOptions
 * @property {number | 'auto' | WorkerPool} [workers] how many, 0 to 64, started for this bake and ended with it; or a pool
 *   that stays. 0: in this thread, in slices. Default 'auto': one less than there are processors, 1 to 8; none where workers
 *   cannot be had (a warning says so)
 * @property {AbortSignal} [signal] aborting it ends the bake with a NavError `cancelled`, whose `cause` is the reason
 * @property {number} [sliceMilliseconds] how long this thread may work before it rests; default 6. A single step is never cut:
 *   the stage of a tile (some 4 ms for tiles of 128 cells); taking a level of typed arrays in is cut into steps of a
 *   millisecond
 * @property {import('./limits.js').BakeLimits} [limits] of cells, tiles and time, for levels that somebody else made
 */

/** @typedef {{ tile: number, tiles: number, done: number }} TiledProgress a tile that is done, all tiles, how many are done */

/**
 * @typedef {object} TiledListeners
 * @property {(tile: FinishedTile) => void} [onTile] called with each tile as soon as it is baked or found in the cache, in any
 *   order of tiles, long before the mesh: to draw it. What it throws ends the bake
 * @property {(progress: TiledProgress) => void} [onProgress] called after each tile, in any order of tiles; what it throws ends
 *   the bake
 */

/**
 * @typedef {BackgroundOptions & TiledListeners & { cache?: TileCache }} BakeTiledOptions
 *   Tiles that the cache has are not baked, others are stored in it; one that fails or returns what is damaged is told in the
 *   report's warnings, and changes nothing of the result
 */

/** @typedef {{ navMesh: NavMesh, report: BakeReport }} Baked */

/** @typedef {{ session: Session, module: WebAssembly.Module, memoryLimit?: number }} Owner the instance whose mesh it becomes */

/** Of bakeTiled and of rebake. */
export const TILED_NAMES = nameSet(/** @satisfies {import('../runtime/names.js').Names<BakeTiledOptions>} */ (
  { workers: 1, signal: 1, sliceMilliseconds: 1, limits: 1, onTile: 1, onProgress: 1, cache: 1 }));

/** Cells; where bakeTiled is not told. */
export const DEFAULT_TILE_SIZE = 64;

/**
 * @param {{ signal?: unknown, onTile?: unknown, onProgress?: unknown }} options @param {import('../runtime/names.js').NameSet} names
 */
export function checkOptions(options, names) {
  const { signal, onTile, onProgress } = requireOptions(options, names);
  if (signal !== undefined && !(typeof signal === 'object' && signal !== null && 'aborted' in signal)) {
    throw invalidArgument('signal', `must be an AbortSignal, not ${describe(signal)}`, signal);
  }
  for (const [name, listener] of Object.entries({ onTile, onProgress })) {
    if (listener !== undefined && typeof listener !== 'function') {
      throw invalidArgument(name, `must be a function, not ${describe(listener)}`, listener);
    }
  }
}

/**
 * What work with tiles is given: where they come from, whose time they take, and what ends it.
 * @typedef {{ source: TileSource, slices: Slices, limits: Limits, signal?: AbortSignal }} TileWork
 */

/**
 * Does work with the tiles of a level, wherever the options want them to be baked.
 * @template {{ report: BakeReport }} T
 * @param {Owner} owner @param {Geometry} geometry @param {Config} config
 * @param {BackgroundOptions} options @param {number} mostLanes how many workers are of use
 * @param {(work: TileWork) => Promise<T>} work done again where workers turn out not to be had
 * @returns {Promise<T>}
 */
export async function withTiles(owner, geometry, config, options, mostLanes, work) {
  return withinLimits(options, (bounds) => withTilesWithin(bounds, owner, geometry, config, options, mostLanes, work));
}

/**
 * @template {{ report: BakeReport }} T
 * @param {{ limits: Limits, signal?: AbortSignal }} bounds @param {Owner} owner @param {Geometry} geometry @param {Config} config
 * @param {BackgroundOptions} options @param {number} mostLanes @param {(work: TileWork) => Promise<T>} work @returns {Promise<T>}
 */
async function withTilesWithin(bounds, owner, geometry, config, { workers = 'auto', sliceMilliseconds }, mostLanes, work) {
  const slices = new Slices(sliceMilliseconds, bounds.signal);
  const bake = (/** @type {TileSource} */ source) => work({ source, slices, ...bounds });
  const bakeHere = () => bake(new LocalTiles(owner.session, geometry, config, slices));
  if (workers instanceof WorkerPool) return bake(new WorkerTiles(workers, mostLanes, geometry, config, slices));
  const count = Math.min(readWorkerCount(workers, 0), mostLanes);
  if (count === 0) return bakeHere();
  const pool = new WorkerPool(owner.module, { workers: count, memoryLimit: owner.memoryLimit });
  const source = new WorkerTiles(pool, count, geometry, config, slices, true);
  try {
    return await bake(source);
  } catch (error) {
    if (workers !== 'auto' || source.hasBegun || !(error instanceof NavError && error.code === 'worker')) throw error;
    const baked = await bakeHere();
    baked.report.warnings.push(`${error.message}: baked without workers`);
    return baked;
  } finally {
    pool[Symbol.dispose]();
  }
}

/**
 * @typedef {object} Background
 * @property {number} mostLanes how many workers are of use
 * @property {Omit<RunOptions, 'slices' | 'signal' | 'limits'>} run
 * @property {() => NavMeshBuilder} [makeBuilder] of what takes the tiles; default: of a mesh
 */

/**
 * @param {Owner} owner @param {Geometry} geometry @param {Config} config
 * @param {BackgroundOptions} options @param {Background} background
 * @returns {Promise<Baked>}
 */
export async function bakeInBackground(owner, geometry, config, options, { mostLanes, run, makeBuilder }) {
  return withTiles(owner, geometry, config, options, mostLanes, async ({ source, ...bounds }) => {
    const builder = makeBuilder ? makeBuilder() : new NavMeshBuilder(owner.session);
    const connections = listConnections(geometry);
    try {
      const report = await runTiles(source, builder, { ...run, ...bounds });
      const navMesh = builder.take();
      report.warnings.push(...warnOfConnections(navMesh, connections));
      return { navMesh, report };
    } catch (error) {
      builder.free();
      owner.session.trim();
      throw error;
    }
  });
}

/**
 * As Walkmesh.bakeTiled.
 * @param {Owner} owner @param {Geometry} geometry @param {Config} config @param {BakeTiledOptions} options
 * @returns {Promise<Baked>}
 */
export async function bakeTiled(owner, geometry, config, options) {
  checkOptions(options, TILED_NAMES);
  if (config?.tileSize === 0) {
    throw new NavError('configuration', 'tileSize is 0: set the side of a tile in cells, or use bakeAsync for a single tile',
      { field: 'tileSize', value: 0 });
  }
  const full = typeof config === 'object' && config !== null ? { ...config, tileSize: config.tileSize ?? DEFAULT_TILE_SIZE } : config;
  const cache = openCache(options.cache);
  const { onTile, onProgress } = options;
  const run = { onTile, onProgress, produce: (/** @type {Lane} */ lane, /** @type {number} */ x, /** @type {number} */ z) => (
    makeTile(lane, x, z, cache)) };
  const baked = await bakeInBackground(owner, geometry, full, options, { mostLanes: Infinity, run });
  baked.report.warnings.push(...await cache?.finish() ?? []);
  return baked;
}
