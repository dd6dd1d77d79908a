/** Bakes dynamic meshes: bakes in tiles, and stores the kept tile of each, from which it is built again. */
import { DEFAULT_TILE_SIZE, bakeInBackground, checkOptions } from '../bake/bake-in-background.js';
import { bakeTiles, readBakeOptions } from '../bake/bake.js';
import { writeConfig } from '../input/config.js';
import { listConnections, warnOfConnections } from '../bake/connection-warnings.js';
import { requireNoLinks } from '../bake/link-pass.js';
import { NavError } from '../runtime/errors.js';
import { writeGeometry } from '../input/geometry.js';
import { DYNAMIC, NAV_MESH } from '../runtime/handle-kinds.js';
import { NavMesh, NavMeshBuilder } from '../mesh/mesh.js';
import { nameSet } from '../runtime/option-names.js';
import { addressOf } from '../runtime/handle.js';
import { TimeSlices } from '../runtime/time-slices.js';
import { DynamicNavMesh } from './dynamic-nav-mesh.js';

/** @typedef {import('../bake/bake-tile.js').BakedTile} BakedTile */
/** @typedef {import('../bake/bake-report.js').BakeReport} BakeReport */
/** @typedef {import('../bake/bake-in-background.js').BackgroundOptions} BackgroundOptions */
/** @typedef {import('../bake/bake-in-background.js').FinishedTile} FinishedTile */
/** @typedef {import('../bake/bake-in-background.js').Owner} Owner */
/** @typedef {import('../bake/bake-in-background.js').TiledProgress} TiledProgress */
/** @typedef {import('../input/config.js').Config} Config */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../runtime/session.js').Session} Session */

/** @typedef {{ navMesh: NavMesh, dynamic: DynamicNavMesh, report: BakeReport }} DynamicBaked */

/**
 * @typedef {BackgroundOptions & { onTile?: (tile: FinishedTile) => void, onProgress?: (progress: TiledProgress) => void }}
 *   BakeDynamicAsyncOptions onTile and onProgress are called after each tile, as in bakeTiled
 */

const ASYNC_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<BakeDynamicAsyncOptions>} */ (
  { workers: 1, signal: 1, sliceMilliseconds: 1, limits: 1, onTile: 1, onProgress: 1 }));

/**
 * Returns a configuration in tiles: tileSize defaults to DEFAULT_TILE_SIZE; throws if it is 0, or has links.
 * @param {Config} config @returns {Config}
 */
function withTileSize(config) {
  requireNoLinks(config, 'dynamic meshes');
  if (config?.tileSize === 0) {
    throw new NavError('configuration', 'tileSize is 0: a dynamic mesh is baked in tiles. Use 32 to 64 cells',
      { field: 'tileSize', value: 0 });
  }
  return typeof config === 'object' && config !== null ? { ...config, tileSize: config.tileSize ?? DEFAULT_TILE_SIZE } : config;
}

/** Collects a baked mesh and its kept tiles. */
class DynamicBuilder extends NavMeshBuilder {
  /** @type {{ x: number, z: number, kept: Uint8Array }[]} */
  tiles = [];

  /** @override @param {BakedTile} tile */
  addBakedTile(tile) {
    super.addBakedTile(tile);
    const { kept, log: { x, z } } = tile;
    if (kept) this.tiles.push({ x, z, kept });
  }
}

/** The parts of a level that are needed after its bake: volumes, connections and area flags, copied before the bake begins. */
export class LevelInput {
  #session;
  #address;

  /** @param {Session} session @param {Geometry} geometry */
  constructor(session, geometry) {
    const { volumes, offMeshConnections, areaFlags } = geometry ?? {};
    const input = { positions: [], indices: [], volumes, offMeshConnections, areaFlags };
    this.#session = session;
    this.#address = session.checkAddress(session.wasm.bake_create(session.handle));
    try {
      const steps = writeGeometry(session, this.#address, input);
      while (!steps.next().done);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** Address of a bake handle, which also holds the configuration. */
  get address() {
    return this.#address;
  }

  /** Creates a dynamic mesh without kept tiles. @param {NavMesh} navMesh */
  createDynamic(navMesh) {
    const session = this.#session;
    writeConfig(session, this.#address, /** @type {Config} */ (navMesh.config));
    session.check(session.wasm.dynamic_create(addressOf(navMesh, NAV_MESH), this.#address));
    return new DynamicNavMesh(navMesh, session.u32[session.answer]);
  }

  free() {
    this.#session.wasm.bake_destroy(this.#address);
  }
}

/**
 * Creates the dynamic mesh, in steps of a fraction of a millisecond: each step checks and stores one kept tile.
 * @param {Session} session @param {LevelInput} input @param {DynamicBuilder} builder @param {NavMesh} navMesh freed on failure
 * @returns {Generator<void, DynamicNavMesh, void>}
 */
function* finish(session, input, builder, navMesh) {
  try {
    const dynamic = input.createDynamic(navMesh);
    for (const { x, z, kept } of builder.tiles) {
      session.withCopy(kept, (copy) => session.wasm.dynamic_keep_tile(addressOf(dynamic, DYNAMIC), x, z, copy, kept.length, 1));
      yield;
    }
    return dynamic;
  } catch (error) {
    navMesh[Symbol.dispose]();
    session.trim();
    throw error;
  }
}

/** Runs all steps without a pause. @template T @param {Generator<void, T, void>} steps @returns {T} */
function runThrough(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs all steps in slices. @template T @param {Generator<void, T, void>} steps @param {TimeSlices} slices @returns {Promise<T>} */
async function runInSlices(steps, slices) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    try {
      await slices.restIfOver();
    } catch (error) {
      steps.throw(error);
    }
  }
}

/**
 * Implements Walkmesh.bakeDynamic.
 * @param {Session} session @param {Geometry} geometry @param {Config} config @param {import('../bake/bake.js').BakeOptions} options
 * @returns {DynamicBaked}
 */
export function bakeDynamic(session, geometry, config, options) {
  const full = withTileSize(config);
  const connections = listConnections(geometry);
  const input = new LevelInput(session, geometry);
  const builder = new DynamicBuilder(session);
  try {
    const report = bakeTiles(session, geometry, full, readBakeOptions(options), builder, true);
    const navMesh = builder.take();
    report.warnings.push(...warnOfConnections(navMesh, connections));
    return { navMesh, dynamic: runThrough(finish(session, input, builder, navMesh)), report };
  } finally {
    builder.free();
    input.free();
  }
}

/**
 * Implements Walkmesh.bakeDynamicAsync.
 * @param {Owner} owner @param {Geometry} geometry @param {Config} config @param {BakeDynamicAsyncOptions} given
 * @returns {Promise<DynamicBaked>}
 */
export async function bakeDynamicAsync(owner, geometry, config, given) {
  const options = checkOptions(given, ASYNC_NAMES);
  const full = withTileSize(config);
  const { session } = owner;
  const input = new LevelInput(session, geometry);
  /** @type {DynamicBuilder | undefined} */
  let builder;
  try {
    const { navMesh, report } = await bakeInBackground(owner, geometry, full, options, {
      maxBuilders: Infinity,
      makeMeshBuilder: () => builder = new DynamicBuilder(session),
      run: { onTile: options.onTile, onProgress: options.onProgress, produce: (tileBuilder, x, z) => tileBuilder.bakeTile(x, z, undefined, true) },
    });
    const made = /** @type {DynamicBuilder} */ (/** @type {unknown} */ (builder));
    const slices = new TimeSlices(options.sliceMilliseconds, options.signal);
    return { navMesh, dynamic: await runInSlices(finish(session, input, made, navMesh), slices), report };
  } finally {
    input.free();
  }
}

/**
 * Implements Walkmesh.loadDynamic.
 * @param {Session} session @param {Uint8Array} bytes
 * @returns {{ navMesh: NavMesh, dynamic: DynamicNavMesh }}
 */
export function loadDynamic(session, bytes) {
  session.withCopy(bytes, (address) => session.wasm.dynamic_load(session.handle, address, bytes.length));
  const [dynamicAddress, meshAddress] = session.u32.subarray(session.answer, session.answer + 2);
  const navMesh = new NavMesh(session, meshAddress);
  const dynamic = new DynamicNavMesh(navMesh, dynamicAddress);
  try {
    navMesh.readState(true);
    return { navMesh, dynamic };
  } catch (error) {
    navMesh.free();
    throw error;
  }
}
