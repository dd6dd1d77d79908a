/**
 * Bakes without blocking: Walkmesh.bakeTiled (a grid of tiles), Walkmesh.bakeAsync (a single tile) and, through bakeInBackground
 * and withBuilders, rebake and dynamic meshes. From here:
 *
 *   withBuilders     chooses workers or this thread (tile-builders.js)
 *   runTiles         gives each builder tiles, and adds them to the mesh in the order of the grid (run-tiles.js)
 *   produceTile      takes a tile from the cache, or has it baked (cached-tiles.js)
 */
import { requireBoolean, requireListener, requireOptions, requireSignal } from '../runtime/arguments.js';
import { NavError } from '../runtime/errors.js';
import { NavMeshBuilder } from '../mesh/mesh.js';
import { nameSet } from '../runtime/option-names.js';
import { TimeSlices } from '../runtime/time-slices.js';
import { WorkerPool, readWorkerCount } from '../workers/pool.js';
import { withinLimits } from './bake-limits.js';
import { openCache, produceTile } from './cached-tiles.js';
import { noteLevel, warnOfLevel } from './level-warnings.js';
import { linkByTiles } from './links/link-pass.js';
import { SharedLinks } from './links/shared-links.js';
import { refusePositions } from '../input/geometry.js';
import { describeStrays } from '../input/stray.js';
import { requireLinksToKeep, wantsLinks } from '../input/wants-links.js';
import { runTiles } from './run-tiles.js';
import { LocalBuilders, WorkerBuilders } from './tile-builders.js';

/** @typedef {import('./bake.js').BakeProgress} BakeProgress */
/** @typedef {import('./bake-limits.js').Limits} Limits */
/** @typedef {import('./bake-report.js').BakeReport} BakeReport */
/** @typedef {import('../caches/tile-cache.js').TileCache} TileCache */
/** @typedef {import('../input/config.js').Config} Config */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @template T @typedef {import('../runtime/option-names.js').Names<T>} Names */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('./run-tiles.js').FinishedTile} FinishedTile */
/** @typedef {import('./run-tiles.js').RunOptions} RunOptions */
/** @typedef {import('./tile-builders.js').TileBuilder} TileBuilder */
/** @typedef {import('./tile-builders.js').TileBuilders} TileBuilders */

/**
 * Where and how long a bake runs that does not block.
 * @typedef {object} BackgroundOptions
 * @property {number | 'auto' | WorkerPool} [workers] how many, 0 to 64, started for this bake and ended with it; or a pool that
 *   is reused. 0: in this thread, in slices. Default 'auto': one fewer than there are processors, 1 to 8. In this thread, too, if
 *   none can be started (the report has a warning then), except with a pool
 * @property {AbortSignal} [signal] aborting it ends the bake with a NavError `cancelled`, whose `cause` is the reason
 * @property {number} [sliceMilliseconds] how long this thread works before it rests; default 6. A step isn't divided: a stage of a
 *   tile takes about 4 ms for tiles of 128 cells; copying a level of typed arrays is divided into steps of about 1 ms
 * @property {import('./bake-limits.js').BakeLimits} [limits] of cells, tiles and time, for levels from untrusted sources
 */

/**
 * The progress of a bake in tiles.
 * @typedef {object} TiledProgress
 * @property {number} tile index of the finished tile
 * @property {number} tiles number of tiles
 * @property {number} done finished tiles
 * @property {number} [linked] of a bake with links, after its last tile: tiles whose links are made; `tile` is the last of them
 */

/** @typedef {{ keepLinkGenerator?: boolean }} LinkGeneratorOptions as keepLinkGenerator of BakeOptions */

/**
 * @typedef {object} TiledListeners
 * @property {(tile: FinishedTile) => void} [onTile] called with each tile as soon as it is baked or found in the cache, in any
 *   order, before the mesh exists: to draw it. An exception in it ends the bake
 * @property {(progress: TiledProgress) => void} [onProgress] called after each tile, in any order; an exception in it ends the bake
 */

/**
 * @typedef {BackgroundOptions & TiledListeners & LinkGeneratorOptions & { cache?: TileCache }} BakeTiledOptions
 *   Tiles in the cache aren't baked, others are stored in it. A cache that fails or returns damaged bytes adds a warning to the
 *   report, and doesn't change the result
 */

/**
 * @typedef {BackgroundOptions & LinkGeneratorOptions & { onTile?: (tile: FinishedTile) => void, onProgress?: (progress: BakeProgress) => void }}
 *   BakeAsyncOptions onProgress is called after each stage, onTile with the tile as soon as it is baked, before the mesh exists;
 *   an exception in them ends the bake
 */

/** @typedef {import('./bake.js').Baked} Baked */

/** @typedef {import('../runtime/instance.js').Owner} Owner the instance that will own the mesh */

/** Options of bakeTiled and of rebake. */
export const TILED_NAMES = nameSet(/** @satisfies {Names<BakeTiledOptions>} */ (
  { workers: 1, signal: 1, sliceMilliseconds: 1, limits: 1, onTile: 1, onProgress: 1, cache: 1, keepLinkGenerator: 1 }));
const ASYNC_NAMES = nameSet(/** @satisfies {Names<BakeAsyncOptions>} */ (
  { workers: 1, signal: 1, sliceMilliseconds: 1, limits: 1, onTile: 1, onProgress: 1, keepLinkGenerator: 1 }));

/** Cells, if the configuration has no tileSize. */
export const DEFAULT_TILE_SIZE = 64;

/**
 * Checks the options that all of these bakes share. Returns a copy, also of inherited options: each is read once.
 * @template {{ signal?: unknown, onTile?: unknown, onProgress?: unknown, keepLinkGenerator?: unknown }} T
 * @param {T} given @param {import('../runtime/option-names.js').NameSet} names @returns {T}
 */
export function checkOptions(given, names) {
  const source = /** @type {any} */ (requireOptions(given, names));
  const options = /** @type {T} */ (Object.fromEntries(names.map((name) => [name, source[name]])));
  const { signal, onTile, onProgress, keepLinkGenerator = false } = options;
  requireSignal(signal);
  requireListener(onTile, 'onTile');
  requireListener(onProgress, 'onProgress');
  requireBoolean(keepLinkGenerator, 'keepLinkGenerator');
  return options;
}

/** @typedef {{ builders: TileBuilders, slices: TimeSlices, limits: Limits, signal?: AbortSignal }} TileWork */

/**
 * Runs work with the tile builders that the options ask for.
 * @template {{ report: BakeReport }} T
 * @param {Owner} owner @param {Geometry} geometry @param {Config} config
 * @param {BackgroundOptions} options @param {number} maxBuilders the number of workers that can be of use
 * @param {(work: TileWork) => Promise<T>} work called again, in this thread, if no worker can be started
 * @returns {Promise<T>}
 */
export async function withBuilders(owner, geometry, config, options, maxBuilders, work) {
  return withinLimits(options, async (bounds) => {
    const { workers = 'auto', sliceMilliseconds } = options;
    const slices = new TimeSlices(sliceMilliseconds, bounds.signal);
    const workHere = () => work({ builders: new LocalBuilders(owner.session, geometry, config, slices), slices, ...bounds });
    if (workers instanceof WorkerPool && WorkerPool.isOwn(workers)) {
      return work({ builders: new WorkerBuilders(workers, maxBuilders, geometry, config, slices), slices, ...bounds });
    }
    const count = Math.min(readWorkerCount(workers, 0), maxBuilders);
    if (count === 0) return workHere();
    const pool = new WorkerPool(owner.module, { workers: count, memoryLimit: owner.memoryLimit });
    const builders = new WorkerBuilders(pool, count, geometry, config, slices, true);
    try {
      return await work({ builders, slices, ...bounds });
    } catch (error) {
      if (builders.hasBegun || !(error instanceof NavError && error.code === 'worker')) throw error;
      const result = await workHere();
      result.report.warnings.push(`${error.message}: baked without workers`);
      return result;
    } finally {
      pool[Symbol.dispose]();
    }
  });
}

/**
 * @typedef {object} Background
 * @property {number} maxBuilders the number of workers that can be of use
 * @property {Omit<RunOptions, 'slices' | 'signal' | 'limits'>} run
 * @property {() => NavMeshBuilder} [makeMeshBuilder] default: makes a NavMeshBuilder
 * @property {(linked: number, tiles: number, tile: number) => void} [onLinked] called after the links of each tile with the number of such
 *   tiles, and of all, and its index
 * @property {boolean} [keepLinkGenerator] true: returns the link generator
 * @property {boolean} [storesAir] true: tiles of bakes with links come with their air, for a cache or a dynamic mesh
 * @property {(navMesh: NavMesh, report: BakeReport, bounds: Pick<TileWork, 'slices' | 'limits'>) => Promise<object>} [finish] makes
 *   the rest of the result from the mesh, and adds to the report, also links, if the configuration has some and workers didn't make them;
 *   default: makes these links
 */

/**
 * Makes the links of a mesh in slices of this thread. If it fails or is aborted, the caller frees the mesh, and the generator with it.
 * @param {NavMesh} navMesh @param {BakeReport} report to which the links are added @param {Geometry} geometry
 * @param {Parameters<typeof linkByTiles>[2]} air of its tiles @param {Pick<Background, 'onLinked' | 'keepLinkGenerator'>} background
 * @param {Pick<TileWork, 'slices' | 'limits'>} bounds
 */
async function makeLinks(navMesh, report, geometry, air, { onLinked, keepLinkGenerator }, { slices, limits }) {
  const start = performance.now();
  const steps = linkByTiles(navMesh, geometry, air, keepLinkGenerator === true);
  for (;;) {
    const { done, value } = steps.next();
    if (done) {
      const { generator, links } = value;
      report.links = links;
      report.milliseconds += performance.now() - start;
      return generator ? { linkGenerator: generator } : {};
    }
    limits.checkTime();
    onLinked?.(value, report.tiles.x * report.tiles.z, value - 1);
    await slices.restIfOver();
  }
}

/**
 * Bakes every tile of a level into a mesh.
 * @param {Owner} owner @param {Geometry} geometry @param {Config} config
 * @param {BackgroundOptions} options @param {Background} background
 * @returns {Promise<Baked>}
 */
export async function bakeInBackground(owner, geometry, config, options, { maxBuilders, run, makeMeshBuilder, finish, storesAir = false, ...linking }) {
  return withBuilders(owner, geometry, config, options, maxBuilders, async ({ builders, ...bounds }) => {
    const meshBuilder = makeMeshBuilder ? makeMeshBuilder() : new NavMeshBuilder(owner.session);
    const noted = noteLevel(geometry, config);
    /** @type {NavMesh | undefined} */
    let navMesh;
    const holders = wantsLinks(config) ? builders.holdTiles({ isStored: storesAir, isKept: linking.keepLinkGenerator === true }) : undefined;
    const shared = holders && new SharedLinks(holders);
    /** @type {Pick<RunOptions, 'isInBlocks' | 'onMade' | 'afterTiles'> | undefined} */
    const sharing = shared && {
      isInBlocks: true,
      onMade: shared.note,
      afterTiles: (isOver) => shared.make(navMesh = meshBuilder.take(), geometry, { ...linking, ...bounds, isOver }),
    };
    try {
      const report = await runTiles(builders, meshBuilder, { ...run, ...bounds, ...sharing, warned: owner.session.leaks.warned, describeStrays: () => describeStrays(geometry) });
      navMesh ??= meshBuilder.take();
      report.warnings.push(...warnOfLevel(navMesh, noted, report.voxels));
      if (shared) report.links = shared.report;
      if (finish) {
        shared?.free();
        return { navMesh, report, ...await finish(navMesh, report, bounds) };
      }
      if (shared) {
        if (linking.keepLinkGenerator) return { navMesh, report, linkGenerator: await shared.takeGenerator(meshBuilder.air, bounds) };
        shared.free();
        return { navMesh, report };
      }
      const air = builders.collectedAir ?? meshBuilder.air;
      return { navMesh, report, ...report.config.links && await makeLinks(navMesh, report, geometry, air, linking, bounds) };
    } catch (error) {
      navMesh?.free();
      meshBuilder.free();
      owner.session.trim();
      throw error;
    } finally {
      builders.collectedAir?.free();
    }
  });
}

/**
 * As Walkmesh.bakeTiled.
 * @param {Owner} owner @param {Geometry} geometry @param {Config} config @param {BakeTiledOptions} given
 * @returns {Promise<Baked>}
 */
export async function bakeTiled(owner, geometry, config, given) {
  refusePositions(geometry);
  const options = checkOptions(given, TILED_NAMES);
  if (config?.tileSize === 0) {
    throw new NavError('configuration', 'tileSize is 0: set the side of a tile in cells, or use bakeAsync for a single tile',
      { field: 'tileSize', value: 0 });
  }
  const full = typeof config === 'object' && config !== null ? { ...config, tileSize: config.tileSize ?? DEFAULT_TILE_SIZE } : config;
  const cache = openCache(options.cache);
  const { onTile, onProgress, keepLinkGenerator } = options;
  requireLinksToKeep(keepLinkGenerator, full);
  const wantsAir = wantsLinks(full);
  const run = { onTile, onProgress, produce: (/** @type {TileBuilder} */ builder, /** @type {number} */ x, /** @type {number} */ z) => (
    produceTile(builder, x, z, cache, wantsAir)) };
  /** @type {Background['onLinked']} */
  const onLinked = (linked, tiles, tile) => onProgress?.({ tile, tiles, done: tiles, linked });
  const baked = await bakeInBackground(owner, geometry, full, options,
    { maxBuilders: Infinity, run, onLinked, keepLinkGenerator, storesAir: cache !== undefined });
  baked.report.warnings.push(...await cache?.finish() ?? []);
  return baked;
}

/**
 * As Walkmesh.bakeAsync.
 * @param {Owner} owner @param {Geometry} geometry @param {Config} config @param {BakeAsyncOptions} given
 * @returns {Promise<Baked>}
 */
export async function bakeAsync(owner, geometry, config, given) {
  refusePositions(geometry);
  const options = checkOptions(given, ASYNC_NAMES);
  if (config?.tileSize) {
    throw new NavError('configuration', `tileSize is ${config.tileSize}: bakeAsync bakes a single tile; use bakeTiled`,
      { field: 'tileSize', value: config.tileSize });
  }
  const { onTile, onProgress, keepLinkGenerator } = options;
  requireLinksToKeep(keepLinkGenerator, config);
  const report = (/** @type {BakeProgress['stage']} */ stage) => onProgress?.({ tile: 0, tiles: 1, stage });
  return bakeInBackground(owner, geometry, config, options,
    { maxBuilders: 1, run: { onTile, onStage: onProgress && report }, onLinked: () => report('links'), keepLinkGenerator });
}
