/** Loads Detour's tile caches (TSET sets of DTLR layers) as dynamic meshes: docs/formats.md lists the parts that are loaded. */
import { requireOptions } from '../runtime/arguments.js';
import { readConfig, writeConfig } from '../input/config.js';
import { NavError } from '../runtime/errors.js';
import { NavMeshBuilder } from '../mesh/mesh.js';
import { adviseName, nameSet } from '../runtime/option-names.js';
import { LevelInput } from './bake-dynamic.js';
import { WmDetourCacheSummary } from '../runtime/layout.js';

/** @typedef {import('../input/config.js').Config} Config */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('./dynamic-nav-mesh.js').DynamicNavMesh} DynamicNavMesh */

/**
 * The settings of polygons; the tile cache defines grid and agent.
 * @typedef {Pick<Config, 'partition' | 'chunkSize' | 'minRegionSize' | 'mergeRegionSize' | 'maxEdgeLength' | 'maxEdgeError'
 *   | 'maxVerticesPerPolygon' | 'detailSampleDistance' | 'detailMaxError'>} TileCacheConfig
 */

/**
 * Parts of the level that the format doesn't contain.
 * @typedef {object} LoadTileCacheOptions
 * @property {TileCacheConfig} [config] defaults as in a bake, except minRegionSize 0, maxEdgeLength 0, and the set's maxEdgeError
 * @property {Geometry['volumes']} [volumes] area volumes; with beforeErosion the mesh stays away by the agent's radius
 * @property {Geometry['offMeshConnections']} [offMeshConnections]
 * @property {Geometry['areaFlags']} [areaFlags] flags of polygons by area; area 63, the unmarked surface, becomes area 0
 */

/**
 * The contents of a tile cache.
 * @typedef {object} TileCacheSummary
 * @property {number} layers
 * @property {number} places tile places with layers: each becomes one tile
 * @property {[number, number]} firstTile the tile place, x and z, in the set that becomes tile 0, 0 of the mesh: 0, or negative
 */

const LOAD_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<LoadTileCacheOptions>} */ (
  { config: 1, volumes: 1, offMeshConnections: 1, areaFlags: 1 }));
const CONFIG_NAMES = ['partition', 'chunkSize', 'minRegionSize', 'mergeRegionSize', 'maxEdgeLength', 'maxEdgeError',
  'maxVerticesPerPolygon', 'detailSampleDistance', 'detailMaxError'];

/** Throws if `config` contains fields that the tile cache defines. @param {unknown} config */
function checkConfig(config) {
  for (const name of Object.keys(Object(config))) {
    if (CONFIG_NAMES.includes(name)) continue;
    if (name === 'links') {
      throw new NavError('unsupported', "config.links can't be set: a tile cache has no air, in which links are found. Bake the level with bakeDynamic",
        { field: 'config.links' });
    }
    throw new NavError('configuration', `config.${name} can't be set: the tile cache defines grid and agent${
      adviseName(name, CONFIG_NAMES)}`, { field: `config.${name}`, value: Object(config)[name] });
  }
}

/** A decoded set, and its bytes in the module. */
class LayerSet {
  #session;
  #bytes = 0;
  #address = 0;

  /** @param {Session} session @param {Uint8Array} bytes */
  constructor(session, bytes) {
    this.#session = session;
    this.#bytes = session.copyIn(bytes);
    try {
      session.check(session.wasm.detour_cache_read(session.handle, this.#bytes, bytes.length));
      this.#address = session.u32[session.answer];
    } catch (error) {
      this.free();
      throw error;
    }
    session.wasm.detour_cache_summary(this.#address);
    const summary = session.copyReturnedBytes().buffer;
    const integers = new Int32Array(summary), floats = new Float32Array(summary);
    const { tileSize: first, boundsMin, boundsMax, cellSize } = WmDetourCacheSummary;
    const [tileSize, firstX, firstZ, tileCountX, tileCountZ, layers, places] = integers.subarray(first, first + 7);
    this.voxels = {
      boundsMin: Array.from(floats.subarray(boundsMin, boundsMin + 3)), boundsMax: Array.from(floats.subarray(boundsMax, boundsMax + 3)),
      tileWorldSize: Math.fround(tileSize * floats[cellSize]), tileCountX, tileCountZ,
    };
    /** @type {TileCacheSummary} */
    this.summary = { layers, places, firstTile: [firstX, firstZ] };
  }

  /** Writes the set's configuration to that of a bake handle. @param {number} bake address */
  configure(bake) {
    this.#session.wasm.detour_cache_configure(this.#address, bake);
  }

  /** Stores all tiles in a dynamic mesh. @param {DynamicNavMesh} dynamic */
  keepTiles(dynamic) {
    const { wasm, handle } = this.#session;
    for (let z = 0; z < this.voxels.tileCountZ; z++) {
      for (let x = 0; x < this.voxels.tileCountX; x++) {
        this.#session.check(wasm.detour_cache_keep_tile(this.#address, x, z));
        const [kept, count] = this.#session.u32.subarray(this.#session.answer, this.#session.answer + 2);
        if (!kept) continue;
        try {
          this.#session.check(wasm.dynamic_keep_tile(dynamic.handle.address, x, z, kept, count, 0));
        } finally {
          wasm.memory_free(handle, kept);
        }
      }
    }
  }

  free() {
    const { wasm, handle } = this.#session;
    if (this.#address) wasm.detour_cache_destroy(this.#address);
    wasm.memory_free(handle, this.#bytes);
  }
}

/**
 * Implements Walkmesh.loadTileCache.
 * @param {Session} session @param {Uint8Array} bytes @param {LoadTileCacheOptions} options
 * @returns {{ navMesh: NavMesh, dynamic: DynamicNavMesh, summary: TileCacheSummary }}
 */
export function loadTileCache(session, bytes, options) {
  const { config = {}, volumes, offMeshConnections, areaFlags } = requireOptions(options, LOAD_NAMES);
  checkConfig(config);
  const input = new LevelInput(session, /** @type {Geometry} */ ({ volumes, offMeshConnections, areaFlags }));
  const builder = new NavMeshBuilder(session);
  /** @type {LayerSet | undefined} */
  let set;
  /** @type {NavMesh | undefined} */
  let navMesh;
  try {
    set = new LayerSet(session, bytes);
    set.configure(input.address);
    writeConfig(session, input.address, config);
    builder.begin({ config: readConfig(session, input.address), voxels: /** @type {any} */ (set.voxels) });
    navMesh = builder.take();
    const dynamic = input.createDynamic(navMesh);
    set.keepTiles(dynamic);
    dynamic.update();
    return { navMesh, dynamic, summary: set.summary };
  } catch (error) {
    navMesh?.free();
    session.trim();
    throw error;
  } finally {
    builder.free();
    set?.free();
    input.free();
  }
}
