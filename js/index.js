/**
 * Walkmesh: navigation meshes for the web.
 *
 *   const walkmesh = await load();
 *   const { navMesh, report } = walkmesh.bake({ positions, indices }, { cellSize: 0.3 });
 *   const path = navMesh.findPath([0, 0, 0], [10, 0, 5]);
 *
 * Objects that own memory of the module (NavMesh, Baker, Crowd) have free() and Symbol.dispose. Every failure throws a NavError;
 * all other objects stay usable.
 */
import { requireBytes } from './runtime/bytes.js';
import { bakeAsync, bakeTiled } from './bake/bake-in-background.js';
import { bake } from './bake/bake.js';
import { createLinkGenerator } from './bake/links/create-link-generator.js';
import { createTileGraph } from './bake/create-tile-graph.js';
import { Baker } from './bake/baker.js';
import { bakeDynamic, bakeDynamicAsync, loadDynamic } from './dynamic/bake-dynamic.js';
import { MeshOpener } from './mesh/open.js';
import { isDynamicFile, refuseOtherFile } from './mesh/file-types.js';
import { loadTileCache } from './dynamic/tile-cache.js';
import { hashBytes } from './runtime/hash.js';
import { instantiate } from './loader.js';
import { guardLoad, makeOwner, ownerOf } from './runtime/instance.js';
import { offsetPolygon } from './bake/offset-polygon.js';
import { rebake } from './bake/rebake.js';
import { findDynamic, rebakeDynamic } from './dynamic/rebake-dynamic.js';
import { Rebake } from './dynamic/rebake-steps.js';
import { createBakeSource, createDynamicBakeSource } from './streaming/bake-source.js';
import { createDynamicFileSource } from './streaming/dynamic-file-source.js';
import { createFileSource } from './streaming/file-source.js';
import { createWorkerPool } from './workers/pool.js';

export { Baker } from './bake/baker.js';
export { checkNavMesh } from './check/check.js';
export { compareNavMeshes } from './check/compare.js';
export { CHECKS } from './check/findings.js';
export { explainPath } from './explain/explain-path.js';
export { findObstaclesInWay } from './explain/obstacles-in-way.js';
export { tracePath } from './explain/trace.js';
export { NavError } from './runtime/errors.js';
export { LinkGenerator } from './bake/links/link-generator.js';
export { HEIGHTS, PARTITIONS, defaultConfig } from './input/config.js';
export { CONFIG_FIELDS } from './input/config-fields.js';
export { LINK_REFUSALS, SEGMENT_LINK_KINDS } from './runtime/link-kinds.js';
export { errorCode, pathReason, pathStatus } from './query/batches.js';
export { PathCorridor } from './query/corridor.js';
export { Crowd } from './crowd/crowd.js';
export { FixedStep } from './crowd/fixed-step.js';
export { AGENT_REASONS, AGENT_STATES, AVOIDANCE } from './crowd/agent-states.js';
export { readTile } from './mesh/detour-tile.js';
export { DynamicNavMesh } from './dynamic/dynamic-nav-mesh.js';
export { Filter } from './query/filter.js';
export { Islands } from './query/islands.js';
export { Rebake } from './dynamic/rebake-steps.js';
export { readLinks } from './mesh/links.js';
export { IndexedDbTileCache } from './caches/indexed-db-tile-cache.js';
export { MemoryTileCache } from './caches/memory-tile-cache.js';
export { NavMesh } from './mesh/mesh.js';
export { Random } from './query/random.js';
export { Search } from './query/sliced-search.js';
export { TileGraph } from './query/tile-graph.js';
export { Door, Switches } from './mesh/switches.js';
export { frameOf as stageFrame } from './bake/stage-frame.js';
export { STAGES, STAGE_ARRAYS } from './bake/stages.js';
export { fetchSource } from './streaming/fetch-source.js';
export { TileStreamer } from './streaming/tile-streamer.js';
export { WorkerPool } from './workers/pool.js';

/** @typedef {import('./runtime/errors.js').NavErrorCode} NavErrorCode */
/** @typedef {import('./check/check.js').CheckOptions} CheckOptions */
/** @typedef {import('./check/check.js').CheckReport} CheckReport */
/** @typedef {import('./check/compare.js').CompareOptions} CompareOptions */
/** @typedef {import('./check/compare.js').MeshComparison} MeshComparison */
/** @typedef {import('./check/ground-changes.js').GroundChange} GroundChange */
/** @typedef {import('./check/findings.js').CheckName} CheckName */
/** @typedef {import('./check/findings.js').Finding} Finding */
/** @typedef {import('./explain/causes.js').Cause} Cause */
/** @typedef {import('./explain/causes.js').CauseKind} CauseKind */
/** @typedef {import('./explain/causes.js').Change} Change */
/** @typedef {import('./explain/explain-path.js').ExplainOptions} ExplainOptions */
/** @typedef {import('./explain/explain-path.js').ExplainedLevel} ExplainedLevel */
/** @typedef {import('./explain/explain-path.js').PathExplanation} PathExplanation */
/**
 * @template T
 * @typedef {import('./explain/obstacles-in-way.js').ObstaclesInWay<T>} ObstaclesInWay
 */
/**
 * @template T
 * @typedef {import('./explain/obstacles-in-way.js').ObstacleSearchOptions<T>} ObstacleSearchOptions
 */
/** @typedef {import('./explain/places.js').Place} Place */
/** @typedef {import('./explain/trace.js').PathTrace} PathTrace */
/** @typedef {import('./explain/trace.js').RefusedLink} RefusedLink */
/** @typedef {import('./input/config.js').Config} Config */
/** @typedef {import('./input/config.js').FullConfig} FullConfig */
/** @typedef {import('./input/config.js').Partition} Partition */
/** @typedef {import('./input/link-config.js').LinkConfig} LinkConfig */
/** @typedef {import('./runtime/link-kinds.js').LinkKind} LinkKind */
/** @typedef {import('./bake/links/create-link-generator.js').LinkGeneratorOptions} LinkGeneratorOptions */
/** @typedef {import('./bake/links/link-generator.js').GenerateAsyncOptions} GenerateAsyncOptions */
/** @typedef {import('./bake/links/link-generator.js').GenerateOptions} GenerateOptions */
/** @typedef {import('./bake/links/link-generator.js').GeneratedLinks} GeneratedLinks */
/** @typedef {import('./bake/links/link-generator.js').LinkReport} LinkReport */
/** @typedef {import('./bake/links/link-generator.js').RefusedSegmentLink} RefusedSegmentLink */
/** @typedef {import('./bake/links/link-words.js').LinkRefusal} LinkRefusal */
/** @typedef {import('./mesh/mesh.js').DetourOptions} DetourOptions */
/** @typedef {import('./mesh/mesh.js').MeshPolygon} MeshPolygon */
/** @typedef {import('./mesh/segment-links.js').DisabledLinkPlace} DisabledLinkPlace */
/** @typedef {import('./mesh/segment-links.js').PathLink} PathLink */
/** @typedef {import('./mesh/segment-links.js').SegmentLink} SegmentLink */
/** @typedef {import('./mesh/segment-links.js').SegmentLinkOptions} SegmentLinkOptions */
/** @typedef {import('./mesh/segment-links.js').SegmentLinks} SegmentLinks */
/** @typedef {import('./input/geometry.js').Geometry} Geometry */
/** @typedef {import('./input/geometry.js').Solid} Solid */
/** @typedef {import('./input/geometry.js').AreaVolume} AreaVolume */
/** @typedef {import('./input/geometry.js').OffMeshConnection} OffMeshConnection */
/** @typedef {import('./input/geometry.js').VolumeShape} VolumeShape */
/** @typedef {import('./loader.js').LoadOptions} LoadOptions */
/** @typedef {import('./bake/bake-report.js').BakeReport} BakeReport */
/** @typedef {import('./bake/bake-report.js').LargestTile} LargestTile */
/** @typedef {import('./bake/bake-steps.js').Voxels} Voxels */
/** @typedef {import('./bake/read-stage-array.js').HeightfieldLayer} HeightfieldLayer */
/** @typedef {import('./input/config.js').Bounds} Bounds */
/** @typedef {import('./bake/read-stage-array.js').StageArrays} StageArrays */
/** @typedef {import('./bake/stages.js').StageCounts} StageCounts */
/** @typedef {import('./bake/bake.js').Baked} Baked */
/** @typedef {import('./bake/bake.js').BakedWithLinks} BakedWithLinks */
/** @typedef {import('./bake/bake.js').BakeOptions} BakeOptions */
/** @typedef {import('./bake/bake.js').BakeProgress} BakeProgress */
/** @typedef {import('./bake/bake-limits.js').BakeLimits} BakeLimits */
/** @typedef {import('./bake/bake-in-background.js').BakeAsyncOptions} BakeAsyncOptions */
/** @typedef {import('./bake/bake-in-background.js').BackgroundOptions} BackgroundOptions */
/** @typedef {import('./bake/bake-in-background.js').BakeTiledOptions} BakeTiledOptions */
/** @typedef {import('./bake/bake-in-background.js').TiledListeners} TiledListeners */
/** @typedef {import('./bake/bake-in-background.js').TiledProgress} TiledProgress */
/** @typedef {import('./bake/run-tiles.js').FinishedTile} FinishedTile */
/** @typedef {import('./dynamic/bake-dynamic.js').BakeDynamicAsyncOptions} BakeDynamicAsyncOptions */
/** @typedef {import('./dynamic/bake-dynamic.js').DynamicBaked} DynamicBaked */
/** @typedef {import('./dynamic/dynamic-nav-mesh.js').DynamicUpdate} DynamicUpdate */
/** @typedef {import('./dynamic/dynamic-nav-mesh.js').TileChange} TileChange */
/** @typedef {import('./dynamic/dynamic-nav-mesh.js').UpdateAsyncOptions} UpdateAsyncOptions */
/** @typedef {import('./dynamic/dynamic-nav-mesh.js').UpdateOptions} UpdateOptions */
/** @typedef {import('./dynamic/obstacles.js').MovingObstacles} MovingObstacles */
/** @typedef {import('./dynamic/obstacles.js').Obstacle} Obstacle */
/** @typedef {import('./dynamic/obstacles.js').ObstacleOptions} ObstacleOptions */
/** @typedef {import('./caches/tile-cache.js').TileCache} TileCache */
/** @typedef {import('./bake/rebake.js').RebakeOptions} RebakeOptions */
/** @typedef {import('./bake/rebake.js').Rebaked} Rebaked */
/** @typedef {import('./dynamic/rebake-steps.js').RebakeBudget} RebakeBudget */
/** @typedef {import('./dynamic/rebake-steps.js').RebakeStep} RebakeStep */
/** @typedef {import('./dynamic/rebake-steps.js').RebakeStepsOptions} RebakeStepsOptions */
/** @typedef {import('./bake/tile-changes.js').ChangedTile} ChangedTile */
/** @typedef {import('./workers/pool.js').WorkerPoolOptions} WorkerPoolOptions */
/** @typedef {import('./runtime/bytes.js').Bytes} Bytes */
/** @typedef {import('./runtime/arguments.js').Point} Point */
/** @typedef {import('./runtime/arguments.js').Points} Points */
/** @typedef {import('./runtime/arguments.js').AgentHandle} AgentHandle */
/** @typedef {import('./runtime/arguments.js').AgentHandles} AgentHandles */
/** @typedef {import('./runtime/arguments.js').ObstacleHandle} ObstacleHandle */
/** @typedef {import('./runtime/arguments.js').ObstacleHandles} ObstacleHandles */
/** @typedef {import('./runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('./runtime/arguments.js').PolygonRefs} PolygonRefs */
/** @typedef {import('./runtime/arguments.js').TileRef} TileRef */
/** @typedef {import('./runtime/arguments.js').SwitchHandle} SwitchHandle */
/** @typedef {import('./runtime/results.js').NearestPoint} NearestPoint */
/** @typedef {import('./query/alternatives.js').AlternativeOptions} AlternativeOptions */
/** @typedef {import('./query/polygon-points.js').NearestOptions} NearestOptions */
/** @typedef {import('./query/paths.js').Corridor} Corridor */
/** @typedef {import('./query/paths.js').Path} Path */
/** @typedef {import('./query/paths.js').PathStatus} PathStatus */
/** @typedef {import('./query/paths.js').PathReason} PathReason */
/** @typedef {import('./query/paths.js').SearchOptions} SearchOptions */
/** @typedef {import('./query/paths.js').StraightenOptions} StraightenOptions */
/** @typedef {import('./query/paths.js').PathOptions} PathOptions */
/** @typedef {import('./query/tile-graph.js').LongPath} LongPath */
/** @typedef {import('./query/tile-graph.js').LongPathOptions} LongPathOptions */
/** @typedef {import('./query/tile-graph.js').TileGraphOptions} TileGraphOptions */
/** @typedef {import('./bake/create-tile-graph.js').TileGraphWorkOptions} TileGraphWorkOptions */
/** @typedef {import('./query/tile-graph.js').TileGraphSteps} TileGraphSteps */
/** @typedef {import('./query/tile-graph.js').TileGraphTotals} TileGraphTotals */
/** @typedef {import('./dynamic/tile-cache.js').LoadTileCacheOptions} LoadTileCacheOptions */
/** @typedef {import('./dynamic/tile-cache.js').TileCacheSummary} TileCacheSummary */
/** @typedef {import('./streaming/tile-streamer.js').StreamerOptions} StreamerOptions */
/** @typedef {import('./streaming/tile-streamer.js').StreamSource} StreamSource */
/** @typedef {import('./streaming/tile-streamer.js').StreamUpdate} StreamUpdate */
/** @typedef {import('./streaming/bake-source.js').BakeSource} BakeSource */
/** @typedef {import('./streaming/bake-source.js').DynamicBakeSource} DynamicBakeSource */
/** @typedef {import('./streaming/fetch-source.js').FetchSourceOptions} FetchSourceOptions */
/** @typedef {import('./streaming/file-source.js').FileSource} FileSource */
/** @typedef {import('./mesh/switches.js').SwitchOptions} SwitchOptions */
/** @typedef {import('./mesh/switches.js').DoorOptions} DoorOptions */
/** @typedef {import('./query/local-queries.js').RaycastHit} RaycastHit */
/** @typedef {import('./query/local-queries.js').Move} Move */
/** @typedef {import('./query/local-queries.js').Wall} Wall */
/** @typedef {import('./query/local-queries.js').WallSegments} WallSegments */
/** @typedef {import('./query/local-queries.js').Polygons} Polygons */
/** @typedef {import('./query/random.js').RandomOptions} RandomOptions */
/** @typedef {import('./query/random.js').RandomState} RandomState */
/** @typedef {import('./query/batches.js').NearestPoints} NearestPoints */
/** @typedef {import('./query/batches.js').Raycasts} Raycasts */
/** @typedef {import('./query/batches.js').Moves} Moves */
/** @typedef {import('./query/batches.js').Heights} Heights */
/** @typedef {import('./query/batches.js').WallDistances} WallDistances */
/** @typedef {import('./query/batches.js').RandomPoints} RandomPoints */
/** @typedef {import('./query/batches.js').Paths} Paths */
/** @typedef {import('./crowd/crowd.js').AgentDetails} AgentDetails */
/** @typedef {import('./crowd/crowd.js').CrowdStep} CrowdStep */
/** @typedef {import('./crowd/saved-crowd.js').CrowdFileInfo} CrowdFileInfo */
/** @typedef {import('./mesh/mesh.js').LoadCrowdOptions} LoadCrowdOptions */
/** @typedef {import('./crowd/fixed-step.js').FixedStepOptions} FixedStepOptions */
/** @typedef {import('./crowd/info.js').AgentInfo} AgentInfo */
/** @typedef {import('./crowd/info.js').AgentPassage} AgentPassage */
/** @typedef {import('./crowd/agent-states.js').AgentReason} AgentReason */
/** @typedef {import('./crowd/agent-states.js').AgentState} AgentState */
/** @typedef {import('./crowd/agent-states.js').Avoidance} Avoidance */
/** @typedef {import('./crowd/options.js').CrowdOptions} CrowdOptions */
/** @typedef {import('./crowd/orders.js').CrowdObstacles} CrowdObstacles */
/** @typedef {import('./crowd/parameters.js').AgentParameters} AgentParameters */
/** @typedef {import('./crowd/agent-rows.js').Agents} Agents */
/** @typedef {import('./crowd/connection-events.js').ConnectionEvent} ConnectionEvent */
/** @typedef {import('./crowd/connection-events.js').ConnectionListener} ConnectionListener */
/** @typedef {import('./query/flood-queries.js').Flood} Flood */
/** @typedef {import('./query/flood-queries.js').FloodOptions} FloodOptions */
/** @typedef {import('./mesh/connections.js').Connection} Connection */
/** @typedef {import('./mesh/connections.js').ConnectionOptions} ConnectionOptions */
/** @typedef {import('./query/filter.js').FilterOptions} FilterOptions */
/** @typedef {import('./query/filter.js').PolygonCosts} PolygonCosts */
/** @typedef {import('./mesh/links.js').Links} Links */
/** @typedef {import('./mesh/detour-tile.js').TileArrays} TileArrays */
/** @typedef {import('./mesh/detour-tile.js').TilePolygon} TilePolygon */
/** @typedef {import('./bake/stage-frame.js').StageFrame} StageFrame */
/** @typedef {import('./bake/stages.js').StageName} StageName */
/** @typedef {import('./bake/stages.js').StageArray} StageArray */

/**
 * An instance of the module, with its own memory. Its methods are short: the code is in the folders beside this file (README.md).
 */
export class Walkmesh extends MeshOpener {
  /**
   * With keepLinkGenerator, the result has its `linkGenerator`.
   * @overload
   * @param {Geometry} geometry
   * @param {Config} config
   * @param {BakeOptions & { keepLinkGenerator: true }} options
   * @returns {BakedWithLinks}
   */

  /**
   * Bakes a level: a single tile, or a grid of tiles with config.tileSize. The caller frees the mesh.
   * If nothing is walkable, the mesh has no polygons, and the warnings say why.
   * @overload
   * @param {Geometry} geometry
   * @param {Config} [config]
   * @param {BakeOptions} [options]
   * @returns {Baked}
   */

  /** @param {Geometry} geometry @param {Config} [config] @param {BakeOptions} [options] @returns {Baked} */
  bake(geometry, config = {}, options = {}) {
    return bake(ownerOf(this).session, geometry, config, options);
  }

  /**
   * With keepLinkGenerator, the result has its `linkGenerator`.
   * @overload
   * @param {Geometry} geometry
   * @param {Config} config
   * @param {BakeTiledOptions & { keepLinkGenerator: true }} options
   * @returns {Promise<BakedWithLinks>}
   */

  /**
   * As bake, for a grid of tiles, without blocking: in workers, or in this thread in slices. The mesh is the same to the bit for
   * any number of workers. The arrays of the geometry must not change until the promise settles. After a failure or an abort all
   * memory is freed first; the message names the tile (`tile 3, 4: ...`).
   * @overload
   * @param {Geometry} geometry
   * @param {Config} [config] tileSize: default 64
   * @param {BakeTiledOptions} [options]
   * @returns {Promise<Baked>} the report's memory is the maximum over workers, its stages are summed over workers
   */

  /** @param {Geometry} geometry @param {Config} [config] @param {BakeTiledOptions} [options] @returns {Promise<Baked>} */
  async bakeTiled(geometry, config = {}, options = {}) {
    return bakeTiled(ownerOf(this), geometry, config, options);
  }

  /**
   * With keepLinkGenerator, the result has its `linkGenerator`.
   * @overload
   * @param {Geometry} geometry
   * @param {Config} config
   * @param {BakeAsyncOptions & { keepLinkGenerator: true }} options
   * @returns {Promise<BakedWithLinks>}
   */

  /**
   * As bake, for a single tile, without blocking: in a worker. With `workers: 0` in this thread, which rests between stages only;
   * a stage of a large level takes up to half of the bake. Use bakeTiled if that is too long.
   * @overload
   * @param {Geometry} geometry
   * @param {Config} [config] without tileSize
   * @param {BakeAsyncOptions} [options]
   * @returns {Promise<Baked>}
   */

  /** @param {Geometry} geometry @param {Config} [config] @param {BakeAsyncOptions} [options] @returns {Promise<Baked>} */
  async bakeAsync(geometry, config = {}, options = {}) {
    return bakeAsync(ownerOf(this), geometry, config, options);
  }

  /**
   * Bakes a level with obstacles that will be added, moved and removed. The tiles' spans are kept, compressed, to build tiles
   * again. The mesh equals that of bake() with the same configuration. `dynamic` changes the mesh, and is freed with it.
   * @param {Geometry} geometry
   * @param {Config} [config] tileSize: default 64. An obstacle changes more of smaller tiles, but each is built faster
   * @param {BakeOptions} [options]
   * @returns {import('./dynamic/bake-dynamic.js').DynamicBaked}
   */
  bakeDynamic(geometry, config = {}, options = {}) {
    return bakeDynamic(ownerOf(this).session, geometry, config, options);
  }

  /**
   * As bakeDynamic, without blocking: in workers, or in this thread in slices, as bakeTiled.
   * @param {Geometry} geometry
   * @param {Config} [config]
   * @param {BakeDynamicAsyncOptions} [options]
   * @returns {Promise<import('./dynamic/bake-dynamic.js').DynamicBaked>}
   */
  async bakeDynamicAsync(geometry, config = {}, options = {}) {
    return bakeDynamicAsync(ownerOf(this), geometry, config, options);
  }

  /**
   * Updates a mesh after its level has changed: bakes only the tiles whose inputs changed. The mesh and its files equal those of
   * a bake of the whole level with the same configuration and bounds, to the last byte. Tiles with equal bytes keep their
   * references. The others are replaced together at the end and get new references. A failure or an abort leaves the mesh
   * unchanged.
   *
   * Meshes of bake and bakeTiled with a tileSize, and their .walkmesh files, know the hashes of their tiles' inputs. A tile
   * without a hash, or replaced by the user, is baked. Unchanged tiles keep flags and areas that were set at run time.
   *
   * The configuration and the bounds are those of the first bake. Parts of the level outside the bounds are ignored, with a
   * warning: other bounds would change every tile, since heights count from their lowest point. If a level will grow, set larger
   * `bounds` in the first bake.
   *
   * If the mesh has a dynamic mesh, obstacles stay: tiles that they overlap, and links, are dirty afterwards, and DynamicNavMesh.update()
   * builds them. Options are those of bakeDynamicAsync.
   *
   * If a TileStreamer adds the tiles, only loaded tiles are baked; a source of createBakeSource or createDynamicBakeSource bakes later
   * tiles of the new level.
   * @param {import('./mesh/mesh.js').NavMesh} navMesh
   * @param {Geometry} geometry the whole level
   * @param {RebakeOptions} [options]
   * @returns {Promise<Rebaked>} report.tiles.kept: the number of unchanged tiles, absent ones included
   */
  async rebake(navMesh, geometry, options = {}) {
    const dynamic = findDynamic(navMesh);
    return dynamic ? rebakeDynamic(ownerOf(this), dynamic, geometry, options) : rebake(ownerOf(this), navMesh, geometry, options);
  }

  /**
   * Bakes a changed level again, as rebake does, but in steps: each call of update() bakes some tiles, and the last call replaces them all.
   * The budget of a call counts tiles, not time. So machines that run in lockstep change the mesh in the same step. The level is copied now,
   * which takes milliseconds if it is large. Until the rebake ends, other rebakes of the mesh are refused, and streamers add no tiles.
   * @param {import('./mesh/mesh.js').NavMesh} navMesh
   * @param {Geometry} geometry the whole level
   * @param {RebakeStepsOptions} [options]
   * @returns {import('./dynamic/rebake-steps.js').Rebake} free() ends it before it is done, and leaves the mesh unchanged
   */
  createRebake(navMesh, geometry, options = {}) {
    return new Rebake(ownerOf(this), navMesh, findDynamic(navMesh), geometry, options);
  }

  /**
   * A generator of segment links for a mesh that exists, also one from a file: rasterizes the level, in workers or in this thread. It
   * doesn't change the mesh before its generate(); it also says why there is no link (explainLink). The geometry must be that of the
   * bake: one on which less than half of the mesh's ground lies is refused (code `geometry`).
   * @param {import('./mesh/mesh.js').NavMesh} navMesh of bake, bakeTiled or bakeAsync, with its configuration
   * @param {Geometry} geometry the whole level
   * @param {LinkGeneratorOptions} [options] links: default those of the mesh's configuration
   * @returns {Promise<import('./bake/links/link-generator.js').LinkGenerator>} the caller frees it; freeing the mesh frees it too
   */
  async createLinkGenerator(navMesh, geometry, options = {}) {
    return createLinkGenerator(ownerOf(this), navMesh, geometry, options);
  }

  /**
   * The tile graph of a mesh, built in a worker, so that this thread isn't blocked for long: it writes the mesh, loads the graph and
   * compares it with the mesh, which may have changed meanwhile. A graph of NavMesh.createTileGraph is built at its first call, in one step.
   * @param {import('./mesh/mesh.js').NavMesh} navMesh
   * @param {TileGraphWorkOptions} [options]
   * @returns {Promise<import('./query/tile-graph.js').TileGraph>} up to date, with keepRemoved true. The caller frees it; freeing the mesh frees it too
   */
  async createTileGraph(navMesh, options = {}) {
    return createTileGraph(ownerOf(this), navMesh, options);
  }

  /**
   * A tile source for a TileStreamer that bakes tiles on demand, in workers or in this thread, and a mesh without tiles. The
   * geometry's arrays must not change until the source is freed. rebake gives it another level.
   * @param {Geometry} geometry
   * @param {Config} [config] tileSize: default 64
   * @param {import('./streaming/bake-source.js').BakeSourceOptions} [options]
   * @returns {Promise<import('./streaming/bake-source.js').BakeSource>}
   */
  async createBakeSource(geometry, config = {}, options = {}) {
    return createBakeSource(ownerOf(this), geometry, config, options);
  }

  /**
   * As createBakeSource, for a dynamic mesh: a mesh without tiles, its `dynamic`, and a source of tiles with their compressed
   * spans, so that obstacles can change them.
   * @param {Geometry} geometry
   * @param {Config} [config] tileSize: default 64
   * @param {import('./streaming/bake-source.js').BakeSourceOptions} [options]
   * @returns {Promise<import('./streaming/bake-source.js').DynamicBakeSource>}
   */
  async createDynamicBakeSource(geometry, config = {}, options = {}) {
    return createDynamicBakeSource(ownerOf(this), geometry, config, options);
  }

  /**
   * A tile source for a TileStreamer from a file of a whole level: of NavMesh.save, DynamicNavMesh.save, or a Detour set.
   * Obstacles of a DynamicNavMesh wait for the tiles they overlap. Every byte is checked.
   * @param {Bytes} bytes
   * @returns {import('./streaming/file-source.js').FileSource} a mesh without tiles, and the tiles by place
   */
  createFileSource(bytes) {
    const { session } = ownerOf(this), array = requireBytes(bytes);
    return isDynamicFile(array) ? createDynamicFileSource(session, array) : createFileSource(session, array);
  }

  /**
   * Workers for several bakes. free() ends them.
   * @param {WorkerPoolOptions} [options]
   * @returns {import('./workers/pool.js').WorkerPool}
   */
  createWorkerPool(options = {}) {
    return createWorkerPool(ownerOf(this), options);
  }

  /**
   * A baker that runs one stage per call, to measure stages, to read their arrays, or to share the thread.
   * @param {Geometry} geometry
   * @param {Config} [config]
   * @returns {import('./bake/baker.js').Baker}
   */
  createBaker(geometry, config = {}) {
    return new Baker(ownerOf(this).session, geometry, config);
  }

  /**
   * Opens a tile cache of Detour: a set of heightfield layers (TSET), as written by its demo and by exportTileCache of
   * recast-navigation. All layers of a tile place become one tile, with new regions, polygons and height detail. The file has
   * only the eroded surface, so obstacles are enlarged by the agent radius. The format has no obstacles, flags or off-mesh
   * connections. Every byte is checked first.
   * @param {Bytes} bytes
   * @param {import('./dynamic/tile-cache.js').LoadTileCacheOptions} [options]
   * @returns {{ navMesh: import('./mesh/mesh.js').NavMesh, dynamic: import('./dynamic/dynamic-nav-mesh.js').DynamicNavMesh,
   *   summary: import('./dynamic/tile-cache.js').TileCacheSummary }} freeing the mesh frees the dynamic mesh
   */
  loadTileCache(bytes, options = {}) {
    return loadTileCache(ownerOf(this).session, requireBytes(bytes), options);
  }

  /**
   * Opens a file of DynamicNavMesh.save(): the mesh with its dynamic mesh, in their saved state. Obstacles keep their handles;
   * polygon references are new. Every byte is checked first.
   * @param {Bytes} bytes
   * @returns {{ navMesh: import('./mesh/mesh.js').NavMesh, dynamic: import('./dynamic/dynamic-nav-mesh.js').DynamicNavMesh }}
   */
  loadDynamic(bytes) {
    const { session } = ownerOf(this);
    const array = requireBytes(bytes);
    refuseOtherFile(array, 'loadDynamic');
    return loadDynamic(session, array);
  }

  /**
   * Moves the outline of a polygon on x and z: outwards if it runs clockwise seen from above (x to the right, z down), else
   * inwards. Corners move along their miter; an outer corner of 90 degrees or sharper becomes two. Use it to grow a prism by an
   * agent's radius.
   * @param {Points} vertices 3 or more, of a simple polygon
   * @param {number} offset world units, 0 or more; to move the other way, reverse the vertices
   * @returns {Float32Array} x, y, z of each vertex of the new outline, at most twice as many; y is that of the old corner
   */
  offsetPolygon(vertices, offset) {
    return offsetPolygon(ownerOf(this).session, vertices, offset);
  }

  /** The 64-bit FNV-1a hash of bytes, 16 hexadecimal digits, to compare results. @param {Bytes} bytes */
  hash(bytes) {
    return hashBytes(requireBytes(bytes));
  }

  /** @internal For tests: after `count` more allocations all fail; undefined: none fails on purpose. */
  failAllocationsAfter(/** @type {number | undefined} */ count) {
    ownerOf(this).session.failAllocationsAfter(count);
  }
}

/** @param {LoadOptions} options */
async function makeInstance(options) {
  const { owner, simd } = await makeOwner(options, instantiate);
  return new Walkmesh(owner, simd);
}

/**
 * Makes an instance of the module. The first call reads and compiles it (some milliseconds), later calls only instantiate it.
 * Rejects with a NavError: `corrupt` if the module cannot be read or compiled, `invalid-argument`, `out-of-memory`.
 * @param {LoadOptions} [options]
 * @returns {Promise<Walkmesh>}
 */
export function load(options = {}) {
  return guardLoad(makeInstance(options), Walkmesh);
}
