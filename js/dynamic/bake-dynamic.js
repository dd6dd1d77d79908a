/** Baking levels that will change: as a bake in tiles, and what it takes to build each tile again is kept. */
import { DEFAULT_TILE_SIZE, bakeInBackground, checkOptions } from '../bake-tiled.js';
import { bakeTiles } from '../bake.js';
import { writeConfig } from '../config.js';
import { listConnections, warnOfConnections } from '../connection-warnings.js';
import { NavError } from '../errors.js';
import { writeGeometry } from '../geometry.js';
import { NAV_MESH } from '../kinds.js';
import { NavMesh, NavMeshBuilder } from '../mesh.js';
import { nameSet } from '../names.js';
import { addressOf } from '../owned.js';
import { DynamicNavMesh } from './dynamic-nav-mesh.js';

/** @typedef {import('../bake-report.js').BakedTile} BakedTile */
/** @typedef {import('../bake-report.js').BakeReport} BakeReport */
/** @typedef {import('../bake-tiled.js').BackgroundOptions} BackgroundOptions */
/** @typedef {import('../bake-tiled.js').Owner} Owner */
/** @typedef {import('../bake-tiled.js').TiledProgress} TiledProgress */
/** @typedef {import('../config.js').Config} Config */
/** @typedef {import('../geometry.js').Geometry} Geometry */
/** @typedef {import('../session.js').Session} Session */

/** @typedef {{ navMesh: NavMesh, dynamic: DynamicNavMesh, report: BakeReport }} DynamicBaked */

/**
 * @typedef {BackgroundOptions & { onProgress?: (progress: TiledProgress) => void }} BakeDynamicAsyncOptions onProgress is
 *   called after each tile
 */

const ASYNC_NAMES = nameSet(/** @satisfies {import('../names.js').Names<BakeDynamicAsyncOptions>} */ (
  { workers: 1, signal: 1, sliceMilliseconds: 1, onProgress: 1 }));

/** @param {Config} config @returns {Config} in tiles */
function withTileSize(config) {
  if (config?.tileSize === 0) {
    throw new NavError('configuration', 'tileSize is 0: a level that changes is baked in tiles, of 32 to 64 cells',
      { field: 'tileSize', value: 0 });
  }
  return typeof config === 'object' && config !== null ? { ...config, tileSize: config.tileSize ?? DEFAULT_TILE_SIZE } : config;
}

/** "WALKDYNA" */
const DYNAMIC_MAGIC = [0x57, 0x41, 0x4c, 0x4b, 0x44, 0x59, 0x4e, 0x41];

/** Whether a file is what DynamicNavMesh.save gives. @param {Uint8Array} bytes */
export const isDynamicFile = (bytes) => DYNAMIC_MAGIC.every((byte, i) => bytes[i] === byte);

/** A mesh that is put together from a bake, and what is kept of its tiles. */
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

/** What is asked of a level after its bake, copied before it begins: volumes, connections and flags. */
export class LevelInput {
  #session;
  #address;

  /** @param {Session} session @param {Geometry} geometry */
  constructor(session, geometry) {
    this.#session = session;
    this.#address = session.checkAddress(session.wasm.bake_create(session.handle));
    const { volumes, offMeshConnections, areaFlags } = geometry ?? {};
    try {
      const input = { positions: [], indices: [], volumes, offMeshConnections, areaFlags };
      const steps = writeGeometry(session, this.#address, input);
      while (!steps.next().done);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** Of the handle of a bake: it has the configuration, too. */
  get address() {
    return this.#address;
  }

  /** @param {NavMesh} navMesh @param {DynamicBuilder['tiles']} tiles */
  createDynamic(navMesh, tiles) {
    const session = this.#session;
    const { wasm } = session;
    writeConfig(session, this.#address, /** @type {Config} */ (navMesh.config));
    session.check(wasm.dynamic_create(addressOf(navMesh, NAV_MESH), this.#address));
    const address = session.u32[session.answer];
    const dynamic = new DynamicNavMesh(navMesh, address);
    for (const { x, z, kept } of tiles) {
      session.lend(kept, (copy) => wasm.dynamic_keep_tile(address, x, z, copy, kept.length, 1));
    }
    return dynamic;
  }

  free() {
    this.#session.wasm.bake_destroy(this.#address);
  }
}

/**
 * @param {Session} session @param {LevelInput} input @param {DynamicBuilder} builder @param {NavMesh} navMesh
 * @returns {DynamicNavMesh} on failure the mesh is freed
 */
function finish(session, input, builder, navMesh) {
  try {
    return input.createDynamic(navMesh, builder.tiles);
  } catch (error) {
    navMesh.free();
    session.trim();
    throw error;
  }
}

/**
 * As Walkmesh.bakeDynamic.
 * @param {Session} session @param {Geometry} geometry @param {Config} config @param {import('../bake.js').BakeOptions} options
 * @returns {DynamicBaked}
 */
export function bakeDynamic(session, geometry, config, options) {
  const full = withTileSize(config);
  const input = new LevelInput(session, geometry);
  const builder = new DynamicBuilder(session);
  const connections = listConnections(geometry);
  try {
    const report = bakeTiles(session, geometry, full, options, builder, true);
    const navMesh = builder.take();
    report.warnings.push(...warnOfConnections(navMesh, connections));
    return { navMesh, dynamic: finish(session, input, builder, navMesh), report };
  } finally {
    builder.free();
    input.free();
  }
}

/**
 * As Walkmesh.bakeDynamicAsync.
 * @param {Owner} owner @param {Geometry} geometry @param {Config} config @param {BakeDynamicAsyncOptions} options
 * @returns {Promise<DynamicBaked>}
 */
export async function bakeDynamicAsync(owner, geometry, config, options) {
  checkOptions(options, ASYNC_NAMES);
  const full = withTileSize(config);
  const { session } = owner;
  const input = new LevelInput(session, geometry);
  /** @type {DynamicBuilder | undefined} */
  let builder;
  try {
    const { navMesh, report } = await bakeInBackground(owner, geometry, full, options, {
      mostLanes: Infinity,
      makeBuilder: () => builder = new DynamicBuilder(session),
      run: { onTile: options.onProgress, produce: (lane, x, z) => lane.bakeTile(x, z, undefined, true) },
    });
    const made = /** @type {DynamicBuilder} */ (/** @type {unknown} */ (builder));
    return { navMesh, dynamic: finish(session, input, made, navMesh), report };
  } finally {
    input.free();
  }
}

/**
 * As Walkmesh.loadDynamic.
 * @param {Session} session @param {Uint8Array} bytes
 * @returns {{ navMesh: NavMesh, dynamic: DynamicNavMesh }}
 */
export function loadDynamic(session, bytes) {
  session.lend(bytes, (address) => session.wasm.dynamic_load(session.handle, address, bytes.length));
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
