/** Bakes dynamic meshes: bakes in tiles, and stores the kept tile of each, from which it is built again. */
import { DEFAULT_TILE_SIZE, bakeInBackground, checkOptions } from '../bake/bake-in-background.js';
import { bakeTiles, readBakeOptions } from '../bake/bake.js';
import { writeConfig } from '../input/config.js';
import { noteLevel, warnOfLevel } from '../bake/level-warnings.js';
import { wantsLinks, writeLinks } from '../input/link-config.js';
import { SEGMENT_LINK_KINDS } from '../runtime/link-kinds.js';
import { NavError } from '../runtime/errors.js';
import { writeGeometry } from '../input/geometry.js';
import { DYNAMIC, NAV_MESH } from '../runtime/handle-kinds.js';
import { NavMesh, NavMeshBuilder } from '../mesh/mesh.js';
import { nameSet } from '../runtime/option-names.js';
import { addressOf } from '../runtime/handle.js';
import { DynamicNavMesh, writeWorkerMesh } from './dynamic-nav-mesh.js';
import { joinKeptTile } from './kept-tile.js';

/** @typedef {import('../bake/bake-tile.js').BakedTile} BakedTile */
/** @typedef {import('../bake/bake-report.js').BakeReport} BakeReport */
/** @typedef {import('../bake/bake-in-background.js').BackgroundOptions} BackgroundOptions */
/** @typedef {import('../bake/bake-in-background.js').FinishedTile} FinishedTile */
/** @typedef {import('../runtime/instance.js').Owner} Owner */
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
 * Returns a configuration in tiles: tileSize defaults to DEFAULT_TILE_SIZE; throws if it is 0.
 * @param {Config} config @returns {Config}
 */
function withTileSize(config) {
  if (config?.tileSize === 0) {
    throw new NavError('configuration', 'tileSize is 0: a dynamic mesh is baked in tiles. Use 32 to 64 cells',
      { field: 'tileSize', value: 0 });
  }
  return typeof config === 'object' && config !== null ? { ...config, tileSize: config.tileSize ?? DEFAULT_TILE_SIZE } : config;
}

/** Collects a baked mesh and its kept tiles, joined with their air. */
class DynamicBuilder extends NavMeshBuilder {
  /** @type {{ x: number, z: number, kept: Uint8Array }[]} */
  tiles = [];
  airBytes = 0;

  /** @override @param {BakedTile} tile */
  addBakedTile({ kept, air, ...tile }) {
    super.addBakedTile(tile);
    const { x, z } = tile.log;
    if (kept) this.tiles.push({ x, z, kept: joinKeptTile(kept, air) });
    this.airBytes += air?.length ?? 0;
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

  /** Creates a dynamic mesh without kept tiles, which generates the links of the configuration. @param {NavMesh} navMesh */
  createDynamic(navMesh) {
    const session = this.#session, config = /** @type {Config} */ (navMesh.config);
    writeConfig(session, this.#address, config);
    session.check(session.wasm.dynamic_create(addressOf(navMesh, NAV_MESH), this.#address));
    const dynamic = new DynamicNavMesh(navMesh, session.u32[session.answer]);
    if (!wantsLinks(config)) return dynamic;
    try {
      writeLinks(session, this.#address, config.links);
      session.check(session.wasm.dynamic_generate_links(addressOf(dynamic, DYNAMIC)));
      return dynamic;
    } catch (error) {
      dynamic.free();
      throw error;
    }
  }

  /** As DynamicNavMesh.writeWorkerMesh, of a dynamic mesh with these volumes, connections and area flags. @param {NavMesh} navMesh */
  writeWorkerMesh(navMesh) {
    const session = this.#session, { wasm } = session;
    writeConfig(session, this.#address, /** @type {Config} */ (navMesh.config));
    session.check(wasm.dynamic_create(addressOf(navMesh, NAV_MESH), this.#address));
    const other = session.u32[session.answer];
    try {
      return writeWorkerMesh(session, other);
    } finally {
      wasm.dynamic_destroy(other);
    }
  }

  free() {
    this.#session.wasm.bake_destroy(this.#address);
  }
}

/** The number of a mesh's links, and of each kind. @param {NavMesh} navMesh */
function countLinks(navMesh) {
  const counts = { drop: 0, jump: 0, climb: 0, vault: 0 };
  const { count, kinds } = navMesh.segmentLinks();
  for (const kind of kinds) counts[SEGMENT_LINK_KINDS[kind]]++;
  return { count, counts };
}

/**
 * Creates the dynamic mesh, in steps: each checks and stores one kept tile, or makes the links of one.
 * @param {Session} session @param {LevelInput} input @param {DynamicBuilder} builder @param {NavMesh} navMesh
 * @param {BakeReport} report to which links are added, unless it has them: the mesh has them then, too
 * @returns {Generator<number, DynamicNavMesh, void>} yields the number of tiles whose links are made
 */
function* finish(session, input, builder, navMesh, report) {
  const start = performance.now();
  const dynamic = input.createDynamic(navMesh);
  for (const { x, z, kept } of builder.tiles) {
    session.withCopy(kept, (copy) => session.wasm.dynamic_keep_tile(addressOf(dynamic, DYNAMIC), x, z, copy, kept.length, 1));
    yield 0;
  }
  if (!report.config.links) return dynamic;
  if (report.links) {
    session.wasm.dynamic_accept_links(addressOf(dynamic, DYNAMIC));
    report.links.airBytes = builder.airBytes;
    report.milliseconds += performance.now() - start;
    return dynamic;
  }
  for (let linked = 1; dynamic.dirtyTiles > 0; linked++) {
    dynamic.update({ tiles: 1 });
    yield linked;
  }
  const milliseconds = performance.now() - start;
  report.links = { ...countLinks(navMesh), milliseconds, airBytes: builder.airBytes };
  report.milliseconds += milliseconds;
  return dynamic;
}

/**
 * Implements Walkmesh.bakeDynamic.
 * @param {Session} session @param {Geometry} geometry @param {Config} config @param {import('../bake/bake.js').BakeOptions} given
 * @returns {DynamicBaked}
 */
export function bakeDynamic(session, geometry, config, given) {
  const full = withTileSize(config);
  const options = readBakeOptions(given);
  const noted = noteLevel(geometry, full);
  const input = new LevelInput(session, geometry);
  const builder = new DynamicBuilder(session);
  /** @type {NavMesh | undefined} */
  let navMesh;
  try {
    const report = bakeTiles(session, geometry, full, options, builder, true);
    navMesh = builder.take();
    report.warnings.push(...warnOfLevel(navMesh, noted, report.voxels));
    const steps = finish(session, input, builder, navMesh, report), tiles = report.tiles.x * report.tiles.z;
    for (;;) {
      const { done, value } = steps.next();
      if (done) return { navMesh, dynamic: value, report };
      options.limits.checkTime();
      if (value > 0) options.onProgress?.({ tile: value - 1, tiles, stage: 'links' });
    }
  } catch (error) {
    navMesh?.free();
    session.trim();
    throw error;
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
  const builder = () => /** @type {DynamicBuilder} */ (/** @type {unknown} */ (made));
  /** @type {DynamicBuilder | undefined} */
  let made;
  try {
    return /** @type {DynamicBaked} */ (await bakeInBackground(owner, geometry, full, options, {
      maxBuilders: Infinity, storesAir: true,
      onLinked: (linked, tiles, tile) => options.onProgress?.({ tile, tiles, done: tiles, linked }),
      makeMeshBuilder: () => made = new DynamicBuilder(session),
      run: { onTile: options.onTile, onProgress: options.onProgress, produce: (tileBuilder, x, z) => tileBuilder.bakeTile(x, z, undefined, true) },
      async finish(navMesh, report, { slices, limits }) {
        const steps = finish(session, input, builder(), navMesh, report), tiles = report.tiles.x * report.tiles.z;
        for (;;) {
          const { done, value } = steps.next();
          if (done) return { dynamic: value };
          limits.checkTime();
          if (value > 0) options.onProgress?.({ tile: value - 1, tiles, done: tiles, linked: value });
          await slices.restIfOver();
        }
      },
    }));
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
