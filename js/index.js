/**
 * Walkmesh: navigation meshes for the web.
 *
 *   const walkmesh = await load();
 *   const { navMesh, report } = walkmesh.bake({ positions, indices }, { cellSize: 0.3 });
 *   const path = navMesh.findPath([0, 0, 0], [10, 0, 5]);
 *
 * Everything that lives in the module's memory (NavMesh, Baker) has free() and Symbol.dispose. Failures of any
 * kind throw a NavError and leave everything else usable.
 */
import { requireBytes, requireOptions } from './runtime/arguments.js';
import { bakeAsync } from './bake/bake-async.js';
import { bakeTiled } from './bake/bake-tiled.js';
import { Baker, bakeTiles } from './bake/bake.js';
import { listConnections, warnOfConnections } from './bake/connection-warnings.js';
import { bakeDynamic, bakeDynamicAsync, loadDynamic } from './dynamic/bake-dynamic.js';
import { isDynamicFile, isTileCache } from './dynamic/file-types.js';
import { loadTileCache } from './dynamic/tile-cache.js';
import { NavError } from './runtime/errors.js';
import { hashBytes } from './runtime/hash.js';
import { WALKMESH } from './runtime/handle-kinds.js';
import { readLeakOptions } from './runtime/leak-options.js';
import { LOAD_NAMES, instantiate } from './loader.js';
import { NavMesh, NavMeshBuilder, detectFormat } from './mesh/mesh.js';
import { notOurs, requireMaker } from './runtime/owned.js';
import { offsetPolygon } from './bake/offset-polygon.js';
import { rebake } from './bake/rebake.js';
import { Session, requireMemoryLimit } from './runtime/session.js';
import { createBakeSource, createDynamicBakeSource } from './streaming/bake-source.js';
import { createFileSource } from './streaming/file-source.js';
import { createWorkerPool } from './workers/pool.js';

export { Baker } from './bake/bake.js';
export { checkNavMesh } from './check/check.js';
export { CHECKS } from './check/findings.js';
export { NavError } from './runtime/errors.js';
export { CONFIG_FIELDS, PARTITIONS, defaultConfig } from './bake/config.js';
export { errorCode, pathReason, pathStatus } from './query/batches.js';
export { PathCorridor } from './query/corridor.js';
export { Crowd } from './crowd/crowd.js';
export { FixedStep } from './crowd/fixed-step.js';
export { AGENT_REASONS, AGENT_STATES, AVOIDANCE } from './crowd/agent-states.js';
export { readTile } from './mesh/detour-tile.js';
export { DynamicNavMesh } from './dynamic/dynamic-nav-mesh.js';
export { Filter } from './mesh/filter.js';
export { Islands } from './query/islands.js';
export { readLinks } from './mesh/links.js';
export { IndexedDbTileCache } from './caches/indexed-db-tile-cache.js';
export { MemoryTileCache } from './caches/memory-tile-cache.js';
export { NavMesh } from './mesh/mesh.js';
export { Random } from './query/random.js';
export { Search } from './query/search.js';
export { Door, Switches } from './mesh/switches.js';
export { frameOf as stageFrame } from './bake/stage-frame.js';
export { STAGES, STAGE_ARRAYS } from './bake/stages.js';
export { fetchSource } from './streaming/fetch-source.js';
export { TileStreamer } from './streaming/tile-streamer.js';
export { WorkerPool } from './workers/pool.js';

/** @typedef {import('./runtime/errors.js').NavErrorCode} NavErrorCode */
/** @typedef {import('./check/check.js').CheckOptions} CheckOptions */
/** @typedef {import('./check/check.js').CheckReport} CheckReport */
/** @typedef {import('./check/findings.js').CheckName} CheckName */
/** @typedef {import('./check/findings.js').Finding} Finding */
/** @typedef {import('./bake/config.js').Config} Config */
/** @typedef {import('./bake/config.js').Partition} Partition */
/** @typedef {import('./bake/geometry.js').Geometry} Geometry */
/** @typedef {import('./bake/geometry.js').Solid} Solid */
/** @typedef {import('./bake/geometry.js').AreaVolume} AreaVolume */
/** @typedef {import('./bake/geometry.js').OffMeshConnection} OffMeshConnection */
/** @typedef {import('./bake/geometry.js').VolumeShape} VolumeShape */
/** @typedef {import('./loader.js').LoadOptions} LoadOptions */
/** @typedef {import('./bake/bake-report.js').BakeReport} BakeReport */
/** @typedef {import('./bake/bake-report.js').LargestTile} LargestTile */
/** @typedef {import('./bake/bake-steps.js').Voxels} Voxels */
/** @typedef {import('./bake/config.js').Bounds} Bounds */
/** @typedef {import('./bake/stages.js').HeightfieldLayer} HeightfieldLayer */
/** @typedef {import('./bake/stages.js').StageArrays} StageArrays */
/** @typedef {import('./bake/stages.js').StageCounts} StageCounts */
/** @typedef {import('./bake/bake.js').BakeOptions} BakeOptions */
/** @typedef {import('./bake/bake.js').BakeProgress} BakeProgress */
/** @typedef {import('./bake/limits.js').BakeLimits} BakeLimits */
/** @typedef {import('./bake/bake-async.js').BakeAsyncOptions} BakeAsyncOptions */
/** @typedef {import('./bake/bake-tiled.js').BackgroundOptions} BackgroundOptions */
/** @typedef {import('./bake/bake-tiled.js').BakeTiledOptions} BakeTiledOptions */
/** @typedef {import('./bake/bake-tiled.js').TiledListeners} TiledListeners */
/** @typedef {import('./bake/bake-tiled.js').TiledProgress} TiledProgress */
/** @typedef {import('./bake/tile-run.js').FinishedTile} FinishedTile */
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
/** @typedef {import('./bake/tile-changes.js').ChangedTile} ChangedTile */
/** @typedef {import('./workers/pool.js').WorkerPoolOptions} WorkerPoolOptions */
/** @typedef {import('./runtime/arguments.js').Point} Point */
/** @typedef {import('./runtime/arguments.js').Points} Points */
/** @typedef {import('./runtime/answers.js').NearestPoint} NearestPoint */
/** @typedef {import('./query/points.js').NearestOptions} NearestOptions */
/** @typedef {import('./query/paths.js').Corridor} Corridor */
/** @typedef {import('./query/paths.js').Path} Path */
/** @typedef {import('./query/paths.js').PathStatus} PathStatus */
/** @typedef {import('./query/paths.js').PathReason} PathReason */
/** @typedef {import('./query/paths.js').SearchOptions} SearchOptions */
/** @typedef {import('./query/paths.js').StraightenOptions} StraightenOptions */
/** @typedef {import('./query/paths.js').PathOptions} PathOptions */
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
/** @typedef {import('./query/local.js').RaycastHit} RaycastHit */
/** @typedef {import('./query/local.js').Move} Move */
/** @typedef {import('./query/local.js').Wall} Wall */
/** @typedef {import('./query/local.js').WallSegments} WallSegments */
/** @typedef {import('./query/local.js').Polygons} Polygons */
/** @typedef {import('./query/random.js').RandomOptions} RandomOptions */
/** @typedef {import('./query/batches.js').NearestPoints} NearestPoints */
/** @typedef {import('./query/batches.js').Raycasts} Raycasts */
/** @typedef {import('./query/batches.js').Moves} Moves */
/** @typedef {import('./query/batches.js').Heights} Heights */
/** @typedef {import('./query/batches.js').WallDistances} WallDistances */
/** @typedef {import('./query/batches.js').RandomPoints} RandomPoints */
/** @typedef {import('./query/batches.js').Paths} Paths */
/** @typedef {import('./crowd/crowd.js').AgentDetails} AgentDetails */
/** @typedef {import('./crowd/crowd.js').CrowdStep} CrowdStep */
/** @typedef {import('./crowd/fixed-step.js').FixedStepOptions} FixedStepOptions */
/** @typedef {import('./crowd/info.js').AgentInfo} AgentInfo */
/** @typedef {import('./crowd/agent-states.js').AgentReason} AgentReason */
/** @typedef {import('./crowd/agent-states.js').AgentState} AgentState */
/** @typedef {import('./crowd/agent-states.js').Avoidance} Avoidance */
/** @typedef {import('./crowd/options.js').CrowdOptions} CrowdOptions */
/** @typedef {import('./crowd/orders.js').CrowdObstacles} CrowdObstacles */
/** @typedef {import('./crowd/parameters.js').AgentParameters} AgentParameters */
/** @typedef {import('./crowd/agent-rows.js').Agents} Agents */
/** @typedef {import('./crowd/connection-events.js').ConnectionEvent} ConnectionEvent */
/** @typedef {import('./crowd/connection-events.js').ConnectionListener} ConnectionListener */
/** @typedef {import('./query/reach.js').Flood} Flood */
/** @typedef {import('./query/reach.js').FloodOptions} FloodOptions */
/** @typedef {import('./mesh/connections.js').Connection} Connection */
/** @typedef {import('./mesh/connections.js').ConnectionOptions} ConnectionOptions */
/** @typedef {import('./mesh/filter.js').FilterOptions} FilterOptions */
/** @typedef {import('./mesh/filter.js').PolygonCosts} PolygonCosts */
/** @typedef {import('./mesh/links.js').Links} Links */
/** @typedef {import('./mesh/detour-tile.js').TileArrays} TileArrays */
/** @typedef {import('./mesh/detour-tile.js').TilePolygon} TilePolygon */
/** @typedef {import('./bake/stage-frame.js').StageFrame} StageFrame */
/** @typedef {import('./bake/stages.js').StageName} StageName */
/** @typedef {import('./bake/stages.js').StageArray} StageArray */

/** An instance of the module, with memory of its own. A list of short methods: what they do is in files of its own. */
export class Walkmesh {
  #owner;

  /** Use load(). @param {import('./bake/bake-tiled.js').Owner} owner @param {boolean} simd */
  constructor(owner, simd) {
    requireMaker(owner?.session, WALKMESH);
    this.#owner = owner;
    /** Whether this is the SIMD build. Both give the same bits. */
    this.simd = simd;
  }

  /** The instance that a method is called on. @param {Walkmesh} self */
  static #ownerOf(self) {
    if (typeof self === 'object' && self !== null && #owner in self) return self.#owner;
    throw notOurs(WALKMESH);
  }

  /**
   * Bakes a level: one tile, or the grid of tiles that config.tileSize asks for. The caller frees the mesh.
   * A level without a walkable spot gives a mesh without polygons, and warnings that say why.
   * @param {Geometry} geometry
   * @param {Config} [config]
   * @param {BakeOptions} [options]
   * @returns {{ navMesh: import('./mesh/mesh.js').NavMesh, report: BakeReport }}
   */
  bake(geometry, config = {}, options = {}) {
    const { session } = Walkmesh.#ownerOf(this);
    const builder = new NavMeshBuilder(session);
    const connections = listConnections(geometry);
    try {
      const report = bakeTiles(session, geometry, config, options, builder);
      const navMesh = builder.take();
      report.warnings.push(...warnOfConnections(navMesh, connections));
      return { navMesh, report };
    } finally {
      builder.free();
    }
  }

  /**
   * As bake, for a grid of tiles, without blocking: in workers, or where there are none in this thread, in slices. The mesh
   * is the same to the last bit, however many workers there are. The arrays of the geometry must stay as they are until the
   * promise settles. Aborted or failed, everything is given back first; the message names the tile (`tile 3, 4: ...`).
   * @param {Geometry} geometry
   * @param {Config} [config] tileSize is 64 where it is not given
   * @param {BakeTiledOptions} [options]
   * @returns {Promise<{ navMesh: import('./mesh/mesh.js').NavMesh, report: BakeReport }>} the report's memory is the most of any
   *   worker, its stages are summed over workers
   */
  async bakeTiled(geometry, config = {}, options = {}) {
    return bakeTiled(Walkmesh.#ownerOf(this), geometry, config, options);
  }

  /**
   * As bake, for a single tile, without blocking: in a worker, or with `workers: 0` in this thread, which then rests between
   * stages only: a stage of a large level takes up to half the time of the whole bake, as it would in bake(). Use bakeTiled
   * where that is too long.
   * @param {Geometry} geometry
   * @param {Config} [config] without tileSize
   * @param {BakeAsyncOptions} [options]
   * @returns {Promise<{ navMesh: import('./mesh/mesh.js').NavMesh, report: BakeReport }>}
   */
  async bakeAsync(geometry, config = {}, options = {}) {
    return bakeAsync(Walkmesh.#ownerOf(this), geometry, config, options);
  }

  /**
   * Bakes a level in which obstacles will come, move and go: in tiles, of which what it takes to build them again is kept,
   * compressed. The mesh is that of bake() with the same configuration. `dynamic` changes it, and goes with it.
   * @param {Geometry} geometry
   * @param {Config} [config] tileSize is 64 where it is not given; of smaller tiles more are built, each faster
   * @param {BakeOptions} [options]
   * @returns {import('./dynamic/bake-dynamic.js').DynamicBaked}
   */
  bakeDynamic(geometry, config = {}, options = {}) {
    return bakeDynamic(Walkmesh.#ownerOf(this).session, geometry, config, options);
  }

  /**
   * As bakeDynamic, without blocking: in workers, or where there are none in this thread, in slices, as bakeTiled.
   * @param {Geometry} geometry
   * @param {Config} [config]
   * @param {BakeDynamicAsyncOptions} [options]
   * @returns {Promise<import('./dynamic/bake-dynamic.js').DynamicBaked>}
   */
  async bakeDynamicAsync(geometry, config = {}, options = {}) {
    return bakeDynamicAsync(Walkmesh.#ownerOf(this), geometry, config, options);
  }

  /**
   * Brings a mesh up to date with a level that has changed: only tiles that the change touches, where things were and where
   * they are now, are baked. The result is that of a bake of the whole level with the same configuration and bounds, to the
   * last byte, and so are the files of it; tiles whose bytes are the same keep their references, others get new ones, all in
   * one go at the end. On failure and abort the mesh is as it was.
   *
   * What tiles were made from is known of meshes of bake and bakeTiled with a tileSize, and in .walkmesh files of them; where
   * it is not, or a tile was replaced by hand since, that tile is baked. Flags and areas that were set at run time stay with
   * tiles that stay.
   *
   * The configuration is that of the first bake, its bounds too: what lies outside is left out, and a warning says so.
   * Heights count from the lowest point of the bounds, so that other bounds would change every tile. Where a level is to
   * grow, give the first bake bounds with room.
   * @param {import('./mesh/mesh.js').NavMesh} navMesh
   * @param {Geometry} geometry the whole level
   * @param {RebakeOptions} [options]
   * @returns {Promise<Rebaked>} report.tiles.kept counts those that stayed
   */
  async rebake(navMesh, geometry, options = {}) {
    return rebake(Walkmesh.#ownerOf(this), navMesh, geometry, options);
  }

  /**
   * Tiles of a level that are baked when a TileStreamer asks for them, in workers or in this thread: a mesh without tiles, and a
   * source for it. The geometry's arrays must stay as they are until the source is freed.
   * @param {Geometry} geometry
   * @param {Config} [config] tileSize is 64 where it is not given
   * @param {import('./streaming/bake-source.js').BakeSourceOptions} [options]
   * @returns {Promise<import('./streaming/bake-source.js').BakeSource>}
   */
  async createBakeSource(geometry, config = {}, options = {}) {
    return createBakeSource(Walkmesh.#ownerOf(this), geometry, config, options);
  }

  /**
   * The same for a mesh that changes: `dynamic`, a mesh without tiles, and a source of what is kept of them, together with the tiles,
   * so that only those that obstacles touch are built again when they come.
   * @param {Geometry} geometry
   * @param {Config} [config] tileSize is 64 where it is not given
   * @param {import('./streaming/bake-source.js').BakeSourceOptions} [options]
   * @returns {Promise<import('./streaming/bake-source.js').DynamicBakeSource>}
   */
  async createDynamicBakeSource(geometry, config = {}, options = {}) {
    return createDynamicBakeSource(Walkmesh.#ownerOf(this), geometry, config, options);
  }

  /**
   * A file of a whole level as a source for a TileStreamer: what NavMesh.save wrote, sets of Detour's format, or what
   * DynamicNavMesh.save wrote, whose obstacles then wait for the tiles they touch. Every byte is checked.
   * @param {Uint8Array | ArrayBuffer} bytes
   * @returns {import('./streaming/file-source.js').FileSource} a mesh without tiles, and its tiles by place
   */
  createFileSource(bytes) {
    return createFileSource(Walkmesh.#ownerOf(this).session, bytes);
  }

  /**
   * Workers that stay for several bakes; free() ends them.
   * @param {WorkerPoolOptions} [options]
   * @returns {import('./workers/pool.js').WorkerPool}
   */
  createWorkerPool(options = {}) {
    return createWorkerPool(Walkmesh.#ownerOf(this), options);
  }

  /**
   * A baker that goes step by step, to measure, to look at arrays in between, or to share the thread.
   * @param {Geometry} geometry
   * @param {Config} [config]
   * @returns {import('./bake/bake.js').Baker}
   */
  createBaker(geometry, config = {}) {
    return new Baker(Walkmesh.#ownerOf(this).session, geometry, config);
  }

  /**
   * Opens a saved mesh: .walkmesh, a Detour tile (DNAV) or a set of them (MSET). Every byte is checked first.
   * @param {Uint8Array | ArrayBuffer} bytes
   * @returns {import('./mesh/mesh.js').NavMesh}
   */
  loadNavMesh(bytes) {
    const { session } = Walkmesh.#ownerOf(this);
    const array = requireBytes(bytes);
    if (isTileCache(array)) {
      throw new NavError('unsupported', 'the file is a tile cache (TSET): open it with loadTileCache', { field: 'file' });
    }
    if (isDynamicFile(array)) {
      throw new NavError('unsupported', 'the file is a dynamic mesh, with what it takes to change it: open it with loadDynamic', { field: 'file' });
    }
    return NavMesh.load(session, array);
  }

  /**
   * Opens a tile cache of Detour: a set of layers (TSET), as its demo and recast-navigation's exportTileCache write it. All layers
   * of a place, any number, become one tile; the mesh is that of the ground in the layers, with polygons, regions and height
   * detail of our own. Ground that erosion took away is not in the file: obstacles keep the agent's radius by being made larger.
   * Obstacles, flags and off-mesh connections are not in the format. Every byte is checked first.
   * @param {Uint8Array | ArrayBuffer} bytes
   * @param {import('./dynamic/tile-cache.js').LoadTileCacheOptions} [options]
   * @returns {{ navMesh: import('./mesh/mesh.js').NavMesh, dynamic: import('./dynamic/dynamic-nav-mesh.js').DynamicNavMesh,
   *   summary: import('./dynamic/tile-cache.js').TileCacheSummary }} free the mesh; the dynamic mesh goes with it
   */
  loadTileCache(bytes, options = {}) {
    return loadTileCache(Walkmesh.#ownerOf(this).session, requireBytes(bytes), options);
  }

  /**
   * Opens what DynamicNavMesh.save() gave: the mesh and what changes it go on where they were. Obstacles keep their handles;
   * references to polygons are new. Every byte is checked first.
   * @param {Uint8Array | ArrayBuffer} bytes
   * @returns {{ navMesh: import('./mesh/mesh.js').NavMesh, dynamic: import('./dynamic/dynamic-nav-mesh.js').DynamicNavMesh }}
   */
  loadDynamic(bytes) {
    const { session } = Walkmesh.#ownerOf(this);
    return loadDynamic(session, requireBytes(bytes));
  }

  /**
   * What a file is, by its first bytes.
   * @param {Uint8Array | ArrayBuffer} bytes
   * @returns {'unknown' | 'walkmesh' | 'detourTile' | 'detourSet' | 'detourSet64' | 'detourTileCache' | 'walkmeshDynamic'}
   */
  detectFormat(bytes) {
    const { session } = Walkmesh.#ownerOf(this);
    const given = requireBytes(bytes);
    if (isTileCache(given)) return 'detourTileCache';
    return isDynamicFile(given) ? 'walkmeshDynamic' : detectFormat(session, given);
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
    return offsetPolygon(Walkmesh.#ownerOf(this).session, vertices, offset);
  }

  /** The 64-bit FNV-1a hash of bytes, as 16 hexadecimal digits: to compare results. @param {Uint8Array | ArrayBuffer} bytes */
  hash(bytes) {
    return hashBytes(requireBytes(bytes));
  }

  /** What this instance uses: bytes in use, the most at once, and the size of the module's memory. */
  memory() {
    return Walkmesh.#ownerOf(this).session.memory();
  }

  /** Gives memory that only waits for reuse back to the module. */
  trimMemory() {
    Walkmesh.#ownerOf(this).session.trim();
  }

  /** @internal for tests: `count` more allocations work, then all fail; undefined: none fails on purpose. */
  failAllocationsAfter(/** @type {number | undefined} */ count) {
    Walkmesh.#ownerOf(this).session.failAllocationsAfter(count);
  }
}

/** @param {LoadOptions} options */
async function makeInstance(options) {
  const memoryLimit = requireMemoryLimit(requireOptions(options, LOAD_NAMES).memoryLimit);
  const leaks = readLeakOptions(options);
  const { wasm, simd, module } = await instantiate(options);
  return new Walkmesh({ session: new Session(wasm, memoryLimit, leaks), module, memoryLimit }, simd);
}

/**
 * Makes an instance of the module. The first call reads and compiles it (some milliseconds), later ones only instantiate.
 * Rejects with a NavError: `corrupt` where the module cannot be read or compiled, `invalid-argument`, `out-of-memory`.
 * @param {LoadOptions} [options]
 * @returns {Promise<Walkmesh>}
 */
export function load(options = {}) {
  const promise = makeInstance(options);
  for (const name of Object.getOwnPropertyNames(Walkmesh.prototype)) {
    if (name === 'constructor') continue;
    Object.defineProperty(promise, name, {
      value: () => {
        throw new NavError('state', `${name} was called on what load() returned: it is a promise, and is to be awaited first`);
      },
    });
  }
  return promise;
}
