/**
 * TileCache of recast-navigation, over a dynamic mesh of Walkmesh: boxes and cylinders are added and removed, update() rebuilds the
 * mesh. Theirs accepts 64 requests between updates and a fixed number of obstacles; this one has no such limits.
 *
 * As in theirs, the mesh reaches up to an obstacle: to keep the agents' radius away from it, make the obstacle larger.
 */
import { requireBytes } from '../runtime/bytes.js';
import { readTile } from '../mesh/detour-tile.js';
import { isTileCache } from '../mesh/file-types.js';
import { NavError, describe as describeValue, invalidArgument } from '../runtime/errors.js';
import { rawOf, requireObject, requireVector } from './arguments.js';
import { NumberArray } from './arrays.js';
import { toConfig } from './config.js';
import { listInput, toConnections } from './generators.js';
import { getWalkmesh } from './instance.js';
import { addMissing, missing, replacements } from './missing.js';
import { NavMesh } from './nav-mesh.js';
import { RecastFastLZCompressor, RecastLinearAllocator } from './raw.js';
import { Detour, runQuery } from './status.js';
import { toVector } from './vectors.js';

/** @typedef {import('../dynamic/dynamic-nav-mesh.js').DynamicNavMesh} DynamicNavMesh */
/** @typedef {import('../index.js').BakeReport} BakeReport */
/** @typedef {import('./config.js').GeneratorConfig} GeneratorConfig */
/** @typedef {import('./config.js').OffMeshConnectionParams} OffMeshConnectionParams */
/** @typedef {import('../mesh/detour-tile.js').TileArrays} TileArrays */
/** @template {import('./arrays.js').Numbers} T @typedef {import('./arrays.js').NumberArray<T>} ArrayOf */
/** @typedef {import('./vectors.js').Vector3} Vector3 */

/** @typedef {number} ObstacleRef */
/** @typedef {{ type: 'box', ref: ObstacleRef, position: Vector3, halfExtents: Vector3, angle: number }} BoxObstacle */
/** @typedef {{ type: 'cylinder', ref: ObstacleRef, position: Vector3, radius: number, height: number }} CylinderObstacle */
/** @typedef {BoxObstacle | CylinderObstacle} Obstacle */

/** @typedef {{ success: boolean, status: number, upToDate: boolean }} TileCacheUpdateResult */
/** @typedef {{ success: boolean, status: number }} RemoveObstacleResult */
/**
 * @template T
 * @typedef {{ success: true, status: number, obstacle: T } | { success: false, status: number, obstacle?: T }} AddObstacleResult
 */

/**
 * @typedef {Omit<Partial<GeneratorConfig>, 'minRegionArea' | 'maxEdgeLen'> & { expectedLayersPerTile?: number, maxObstacles?: number,
 *   tileCacheMeshProcess?: TileCacheMeshProcess }} TileCacheGeneratorConfig expectedLayersPerTile and maxObstacles are ignored
 */

/** @typedef {import('./generators.js').Intermediates<'tilecache'>} TileCacheGeneratorIntermediates */
/**
 * @typedef {{ success: true, tileCache: TileCache, navMesh: NavMesh, intermediates: TileCacheGeneratorIntermediates & { report: BakeReport } }
 *   | { success: false, tileCache: undefined, navMesh: undefined, error: string, intermediates: TileCacheGeneratorIntermediates }} TileCacheGeneratorResult
 */

/** Areas of unmarked surface: in tiles, and as a mesh process receives it. */
const [UNMARKED_AREA, WALKABLE_AREA] = [0, 63];

/** The parameters of a tile, which a mesh process can read, and its off-mesh connections, which it can set. */
export class NavMeshCreateParams {
  #tile;
  /** @type {ReturnType<typeof toConnections>} */
  #connections = [];

  /** @internal Made for a mesh process. @param {TileArrays} tile */
  constructor(tile) {
    if (!tile?.boundsMin) throw missing('new NavMeshCreateParams');
    this.#tile = tile;
  }

  polyCount() {
    return this.#tile.groundCount;
  }

  tileX() {
    return this.#tile.x;
  }

  tileY() {
    return this.#tile.z;
  }

  tileLayer() {
    return this.#tile.layer;
  }

  boundsMin() {
    return Array.from(this.#tile.boundsMin);
  }

  boundsMax() {
    return Array.from(this.#tile.boundsMax);
  }

  /** Replaces the tile's connections: of these, those that start in it. @param {OffMeshConnectionParams[]} offMeshConnections */
  setOffMeshConnections(offMeshConnections) {
    this.#connections = toConnections(offMeshConnections);
  }

  /** The connections that start in the tile, as addConnection takes them. @internal */
  get connections() {
    const { boundsMin: [left, , near], boundsMax: [right, , far] } = this.#tile;
    return this.#connections.filter(({ start: [x, , z] }) => x >= left && x < right && z >= near && z < far);
  }
}

replacements.set('new NavMeshCreateParams', 'generateSoloNavMesh or generateTiledNavMesh');
const READ = 'navMesh.raw.tiles or readTile of walkmesh';
const CONFIGURED = 'the configuration of the generator';
addMissing(NavMeshCreateParams, {
  setPolyMeshCreateParams: CONFIGURED, setPolyMeshDetailCreateParams: CONFIGURED,
  verts: READ, setVerts: CONFIGURED, vertCount: READ, polys: READ, setPolys: CONFIGURED, polyAreas: READ, setPolyAreas: 'polyAreas of the process',
  polyFlags: READ, setPolyFlags: 'polyFlags of the process', nvp: READ, setNvp: CONFIGURED, detailMeshes: READ, setDetailMeshes: CONFIGURED,
  detailVerts: READ, setDetailVerts: CONFIGURED, detailVertsCount: READ, detailTris: READ, setDetailTris: CONFIGURED, detailTriCount: READ,
  offMeshConVerts: READ, offMeshConRad: READ, offMeshConDir: READ, offMeshConAreas: READ, offMeshConFlags: READ, offMeshConUserID: READ,
  offMeshConCount: READ, userId: READ, setTileX: CONFIGURED, setTileY: CONFIGURED, setTileLayer: CONFIGURED, setBoundsMin: CONFIGURED,
  setBoundsMax: CONFIGURED, walkableHeight: READ, setWalkableHeight: CONFIGURED, walkableRadius: READ, setWalkableRadius: CONFIGURED,
  walkableClimb: READ, setWalkableClimb: CONFIGURED, cellSize: READ, setCellSize: CONFIGURED, cellHeight: READ, setCellHeight: CONFIGURED,
  buildBvTree: READ, setBuildBvTree: CONFIGURED,
});

/**
 * Sets the areas, the flags and the off-mesh connections of a tile whenever it is built. It receives the areas of the bake, 63 for unmarked surface, and
 * flags 0.
 */
export class TileCacheMeshProcess {
  /**
   * @param {(navMeshCreateParams: NavMeshCreateParams, polyAreas: ArrayOf<Uint8Array>, polyFlags: ArrayOf<Uint16Array>) => void} process
   */
  constructor(process) {
    if (typeof process !== 'function') throw new NavError('invalid-argument', 'process must be a function', { field: 'process', value: process });
    this.process = process;
  }
}

/** The default process: area 0 and flags 1 for all polygons. */
export const createDefaultTileCacheMeshProcess = () => new TileCacheMeshProcess((params, areas, flags) => {
  for (let i = 0; i < params.polyCount(); i++) {
    areas.set(i, 0);
    flags.set(i, 1);
  }
});

export class TileCache {
  /** @type {TileCacheMeshProcess | undefined} */
  #process;
  /** Connections that the process has set, by the place of their tile. @type {Map<string, number[]>} */
  #connections = new Map();

  /** @internal Made by generateTileCache and importTileCache. @param {DynamicNavMesh} raw @param {TileCacheMeshProcess} [process] */
  constructor(raw, process) {
    if (typeof raw?.addObstacle !== 'function') {
      throw new NavError('unsupported', 'walkmesh/recast-navigation makes a TileCache by generateTileCache or importTileCache', { field: 'TileCache' });
    }
    /** Walkmesh's own dynamic mesh, with all its features: moving obstacles, other shapes, updates in workers. */
    this.raw = raw;
    /** @type {Map<number, Obstacle>} */
    this.obstacles = new Map();
    this.#process = process;
    raw.onTileChanged(({ x, z, after }) => {
      this.#removeConnections(`${x}, ${z}`);
      this.#processTile(after);
    });
    for (const tile of process ? raw.navMesh.tileRefs() : []) this.#processTile(tile);
    for (const ref of raw.obstacles()) this.#list(ref);
  }

  /** Registers an obstacle that a file contains. @param {number} ref */
  #list(ref) {
    const obstacle = /** @type {any} */ (this.raw.obstacle(ref));
    const { kind, radius, height } = obstacle;
    if (kind === 'cylinder') this.obstacles.set(ref, { type: 'cylinder', ref, position: toVector(obstacle.base), radius, height });
    if (kind !== 'rotatedBox') return;
    const [position, halfExtents] = [toVector(obstacle.centre), toVector(obstacle.halfExtents)];
    this.obstacles.set(ref, { type: 'box', ref, position, halfExtents, angle: obstacle.yaw });
  }

  /** @param {number} tile reference; 0: there is none */
  #processTile(tile) {
    if (!this.#process || tile === 0) return;
    const { navMesh } = this.raw;
    const arrays = readTile(navMesh.tileBytes(tile));
    const { polygonCount, groundCount, areas } = arrays;
    const flags = new Uint16Array(groundCount);
    const given = areas.slice(0, groundCount).map((area) => (area === UNMARKED_AREA ? WALKABLE_AREA : area));
    const params = new NavMeshCreateParams(arrays);
    this.#process.process(params, new NumberArray(given), new NumberArray(flags));
    for (let i = 0; i < Math.min(groundCount, polygonCount); i++) {
      if (given[i] !== areas[i]) navMesh.setPolygonArea(tile + i, given[i]);
      navMesh.setPolygonFlags(tile + i, flags[i]);
    }
    this.#connections.set(`${arrays.x}, ${arrays.z}`, params.connections.map((connection) => navMesh.addConnection(/** @type {any} */ (connection))));
  }

  /** Removes the connections that the process has set for a tile. @param {string} place */
  #removeConnections(place) {
    const known = new Set(this.raw.navMesh.connections());
    for (const ref of this.#connections.get(place) ?? []) if (known.has(ref)) this.raw.navMesh.removeConnection(ref);
    this.#connections.delete(place);
  }

  /** True for a tile cache of this class: not for a proxy of one. @internal @param {unknown} value */
  static isOne(value) {
    return typeof value === 'object' && value !== null && #connections in value;
  }

  /**
   * Rebuilds all tiles that obstacles have changed.
   * @param {NavMesh} navMesh that the tile cache was made with
   * @returns {TileCacheUpdateResult}
   */
  update(navMesh) {
    return runQuery({ upToDate: /** @type {boolean} */ (false) }, () => {
      if (navMesh?.raw !== this.raw.navMesh) throw new NavError('invalid-argument', 'navMesh must be the mesh of this tile cache', { field: 'navMesh' });
      return { upToDate: this.raw.update().dirtyTiles === 0 };
    });
  }

  /**
   * @param {Vector3} position the centre of its base @param {number} radius @param {number} height
   * @returns {AddObstacleResult<CylinderObstacle>}
   */
  addCylinderObstacle(position, radius, height) {
    return this.#add(() => {
      const base = requireVector(position, 'position');
      return { shape: { kind: 'cylinder', base, radius, height }, obstacle: { type: 'cylinder', ref: 0, position: base, radius, height } };
    });
  }

  /**
   * @param {Vector3} position its centre @param {Vector3} halfExtents @param {number} angle radians
   * @returns {AddObstacleResult<BoxObstacle>}
   */
  addBoxObstacle(position, halfExtents, angle) {
    return this.#add(() => {
      const [centre, extents] = [requireVector(position, 'position'), requireVector(halfExtents, 'halfExtents')];
      return { shape: { kind: 'rotatedBox', centre, halfExtents: extents, yaw: angle },
        obstacle: { type: 'box', ref: 0, position: centre, halfExtents: extents, angle } };
    });
  }

  /**
   * Outside the level an obstacle gets a reference but does nothing, as in theirs.
   * @template {Obstacle} T
   * @param {() => { shape: import('../input/geometry.js').VolumeShape, obstacle: T }} read the arguments, before anything is added
   * @returns {AddObstacleResult<T>}
   */
  #add(read) {
    return /** @type {AddObstacleResult<T>} */ (runQuery(/** @type {any} */ ({}), () => {
      const { shape, obstacle } = read();
      obstacle.ref = this.raw.addObstacle({ ...shape, beforeErosion: false });
      this.obstacles.set(obstacle.ref, obstacle);
      return { obstacle };
    }));
  }

  /** @param {Obstacle | ObstacleRef} obstacle or its reference @returns {RemoveObstacleResult} */
  removeObstacle(obstacle) {
    const { success, status } = runQuery({}, () => {
      const ref = typeof obstacle === 'number' ? obstacle : obstacle?.ref;
      if (!this.obstacles.has(ref)) throw new NavError('invalid-argument', "this isn't an obstacle of the tile cache", { field: 'obstacle', value: obstacle });
      this.raw.removeObstacle(ref);
      this.obstacles.delete(ref);
      return {};
    });
    return { success, status };
  }

  /** Frees the tile cache, also after its mesh; the mesh stays in its present state. */
  destroy() {
    this.raw[Symbol.dispose]();
    this.obstacles.clear();
  }
}

addMissing(TileCache, {
  init: 'generateTileCache', addTile: 'raw.keepTile', buildNavMeshTile: 'update', buildNavMeshTilesAt: 'update',
});

/** Like theirs; ignored fields are kept for compatibility. */
export const tileCacheGeneratorConfigDefaults = Object.freeze({
  borderSize: 0, tileSize: 32, cs: 0.2, ch: 0.2, walkableSlopeAngle: 60, walkableHeight: 2, walkableClimb: 2, walkableRadius: 0.5,
  maxEdgeLen: 12, maxSimplificationError: 1.3, minRegionArea: 8, mergeRegionArea: 20, maxVertsPerPoly: 6, detailSampleDist: 6,
  detailSampleMaxError: 1, expectedLayersPerTile: 4, maxObstacles: 128,
});

/** @param {unknown} process undefined: none */
function requireProcess(process) {
  if (process === undefined || typeof /** @type {any} */ (process)?.process === 'function') return;
  throw invalidArgument('tileCacheMeshProcess', `must be a TileCacheMeshProcess, not ${describeValue(process)}`, process);
}

/** A tile cache; if its process throws, the mesh is freed. @param {DynamicNavMesh} dynamic @param {TileCacheMeshProcess} [process] */
function makeTileCache(dynamic, process) {
  try {
    return new TileCache(dynamic, process);
  } catch (error) {
    dynamic.navMesh.free();
    throw error;
  }
}

/**
 * Bakes a mesh in tiles, with the data to rebuild them when obstacles change. No region is dropped for being small, and long edges
 * are not split, as in theirs; unlike theirs, tiles have a detail mesh.
 * @param {ArrayLike<number>} positions @param {ArrayLike<number>} indices
 * @param {TileCacheGeneratorConfig} [navMeshGeneratorConfig] @param {boolean} [_keepIntermediates] ignored
 * @returns {TileCacheGeneratorResult}
 */
export function generateTileCache(positions, indices, navMeshGeneratorConfig = {}, _keepIntermediates = false) {
  const walkmesh = getWalkmesh();
  try {
    const { tileCacheMeshProcess, offMeshConnections, ...given } = requireObject(navMeshGeneratorConfig, 'navMeshGeneratorConfig');
    requireProcess(tileCacheMeshProcess);
    const config = { ...toConfig({ ...tileCacheGeneratorConfigDefaults, ...given }, true), minRegionSize: 0, maxEdgeLength: 0 };
    const input = listInput(positions, indices, offMeshConnections);
    const { navMesh, dynamic, report } = walkmesh.bakeDynamic(input, config);
    return {
      success: true, navMesh: new NavMesh(navMesh), tileCache: makeTileCache(dynamic, tileCacheMeshProcess),
      intermediates: { type: 'tilecache', report },
    };
  } catch (error) {
    if (!(error instanceof NavError) || error.code === 'unsupported') throw error;
    return { success: false, navMesh: undefined, tileCache: undefined, error: error.message, intermediates: { type: 'tilecache', report: undefined } };
  }
}

/**
 * Writes everything, obstacles included, for importTileCache of this entry (theirs can't read it: use exportNavMesh for that).
 * @param {NavMesh} navMesh @param {TileCache} tileCache
 * @returns {Uint8Array}
 */
export function exportTileCache(navMesh, tileCache) {
  if (rawOf(navMesh) !== tileCache?.raw?.navMesh) {
    throw new NavError('invalid-argument', 'navMesh must be the mesh of this tile cache', { field: 'navMesh', value: navMesh });
  }
  return tileCache.raw.save();
}

/**
 * Reads files of exportTileCache of this entry or of recast-navigation: from those the surface of all layers; they have no obstacles.
 * @param {Uint8Array} data @param {TileCacheMeshProcess} [tileCacheMeshProcess] sets areas, flags and connections of all tiles
 * @returns {{ navMesh: NavMesh, tileCache: TileCache, allocator: RecastLinearAllocator, compressor: RecastFastLZCompressor }}
 */
export function importTileCache(data, tileCacheMeshProcess) {
  requireProcess(tileCacheMeshProcess);
  const { navMesh, dynamic } = openTileCache(requireBytes(data));
  // The process sets connections again.
  if (tileCacheMeshProcess) for (const ref of navMesh.connections()) navMesh.removeConnection(ref);
  return {
    navMesh: new NavMesh(navMesh), tileCache: makeTileCache(dynamic, tileCacheMeshProcess),
    allocator: new RecastLinearAllocator(), compressor: new RecastFastLZCompressor(),
  };
}

/** @param {Uint8Array} data */
function openTileCache(data) {
  const walkmesh = getWalkmesh();
  if (!isTileCache(data)) return walkmesh.loadDynamic(data);
  const opened = walkmesh.loadTileCache(data);
  opened.dynamic.update();
  return opened;
}
