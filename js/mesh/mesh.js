/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The navigation mesh at run time: files, what it holds, and how it is put together from a bake. What it can be asked is
 * in the classes that it extends, from mesh-base.js to connections.js.
 */
import { readReference } from '../runtime/answers.js';
import { ConnectionEdits } from './connections.js';
import { readTilePolygons } from './detour-tile.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { MeshBuilder } from './mesh-builder.js';
import { addressOf } from '../runtime/owned.js';
import { Switches } from './switches.js';
import { TileHashes } from './tile-hashes.js';
import { WmMeshTotals } from '../runtime/layout.js';

/** @typedef {import('../runtime/session.js').Session} Session */

/** In the order of WmFormat in src/mesh/formats/formats.h. */
const FORMATS = /** @type {const} */ (['unknown', 'walkmesh', 'detourTile', 'detourSet', 'detourSet64']);

/** @param {NavMesh} navMesh @param {typeof FORMATS[number]} format */
function write(navMesh, format) {
  const address = addressOf(navMesh, NAV_MESH);
  const { session } = navMesh;
  session.check(session.wasm.mesh_write(address, FORMATS.indexOf(format)));
  const written = session.u32[session.answer];
  const bytes = session.copyReturnedBytes();
  session.wasm.memory_free(session.handle, written);
  return bytes;
}

/** The configuration of the bake, as text. @param {Session} session @param {number} address @param {object} configuration */
function setConfiguration(session, address, configuration) {
  const text = new TextEncoder().encode(JSON.stringify(configuration));
  session.lend(text, (copy) => session.wasm.mesh_set_configuration(address, copy, text.length));
}

/** The same, read; null where a file did not tell. @param {NavMesh} navMesh @returns {any} */
function readConfiguration(navMesh) {
  const address = addressOf(navMesh, NAV_MESH);
  const { session } = navMesh;
  session.wasm.mesh_configuration(address);
  const bytes = session.copyReturnedBytes();
  if (bytes.length === 0) return null;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

/**
 * A navigation mesh, which can be asked and changed. free() gives its memory back, and that of all that was made of it.
 *
 * Lengths are in world units, points are x, y, z (y up), polygons are named by references: numbers below 2^53, which stay
 * as long as their tile does. A reference to a removed tile is an error for ever (`stale-reference`). One of another mesh
 * is an error too (`invalid-argument`), unless both hold the same tiles, or by chance (one in 8191): keep them apart.
 *
 * Every method throws a NavError where it cannot answer, and then changes nothing of the mesh: `invalid-argument` with the
 * `field` at fault (not finite, negative where it may not be, of another type, of another mesh, too short),
 * `stale-reference`, `state` after free(), `out-of-memory`. That there is no answer is none: null, a count of 0, or a status
 * and a reason say so.
 *
 * Questions take an earlier answer as `out` and fill it in anew, without garbage: arrays in it are kept where they are long
 * enough and replaced where they are not; then the counts say how much of them is the answer.
 */
export class NavMesh extends ConnectionEdits {
  /** @internal What its tiles were made from. @type {TileHashes} */
  tileHashes = new TileHashes();
  /** @internal The dynamic mesh that changes it. @type {import('../runtime/owned.js').Owned | undefined} */
  changedBy = undefined;
  /** @internal Those that are to follow its tiles. @type {Set<WeakRef<Switches>>} */
  switches = new Set();
  /** Those of the file. @type {import('./switches.js').SwitchOptions[]} */
  #savedSwitches = [];

  /** @internal @param {Session} session @param {Uint8Array} bytes @returns {NavMesh} */
  static load(session, bytes) {
    session.lend(bytes, (address) => session.wasm.mesh_read(session.handle, address, bytes.length));
    const navMesh = new NavMesh(session, session.u32[session.answer]);
    navMesh.readState();
    return navMesh;
  }

  /**
   * Writes what its tiles were made from, and its switches, into its configuration, for a file.
   * @internal @param {boolean} [isDynamic] also of tiles that are others now, because of obstacles
   */
  writeState(isDynamic = false) {
    const before = readConfiguration(this), { tileHashes } = this;
    const { tileHashes: _, firstHashes: __, switches: ___, ...config } = before ?? {};
    const { tileCountX, tileCountZ } = this.parameters;
    const hashes = (/** @type {boolean} */ all) => (tileHashes.isEmpty ? undefined : tileHashes.toText(this, tileCountX, tileCountZ, all));
    const state = { tileHashes: hashes(false), firstHashes: isDynamic ? hashes(true) : undefined, switches: this.#listSwitches() };
    const next = { ...config, ...(before === null ? { switches: state.switches } : state) };
    if (JSON.stringify(next) !== JSON.stringify(before ?? {})) setConfiguration(this.session, addressOf(this, NAV_MESH), next);
  }

  #listSwitches() {
    const all = [...this.switches].map((held) => held.deref()).filter((switches) => switches !== undefined && !switches.isFreed);
    const list = all.flatMap((switches) => /** @type {Switches} */ (switches).list());
    return list.length > 0 ? { list, flags: all.flatMap((switches) => /** @type {Switches} */ (switches).listFlags()) } : undefined;
  }

  /**
   * Reads that from its configuration; flags of polygons under switches are as they were without. Files of dynamic meshes that do
   * not tell of all tiles may tell of others.
   * @internal @param {boolean} [isDynamic]
   */
  readState(isDynamic = false) {
    const { tileHashes, firstHashes, switches, ...config } = readConfiguration(this) ?? {};
    if (Array.isArray(switches?.list) && Array.isArray(switches.flags)) {
      this.#savedSwitches = switches.list;
      for (const flags of switches.flags) this.#putFlagsBack(flags);
    }
    if (tileHashes === undefined) return;
    if (isDynamic && firstHashes === undefined) {
      setConfiguration(this.session, addressOf(this, NAV_MESH), config);
      return;
    }
    const { tileCountX, tileCountZ } = this.parameters;
    this.tileHashes = TileHashes.fromText(tileHashes, this, tileCountX, tileCountZ, firstHashes);
  }

  /** Of a polygon under switches; what a file says of none is of no account. @param {any} saved */
  #putFlagsBack(saved) {
    try {
      const [x, z, layer, polygon, before, owned] = saved, tile = this.tileAt(x, z, layer);
      if (tile === 0) return;
      this.setPolygonFlags(tile + polygon, (this.polygonFlags(tile + polygon) & ~owned) | (before & owned));
    } catch (error) {
      if (!(error instanceof NavError || error instanceof TypeError)) throw error;
    }
  }

  // ---- What it holds ---------------------------------------------------------------------------------------

  /** A number that is another after every change: of tiles, connections, flags and areas. */
  get version() {
    const address = addressOf(this, NAV_MESH);
    return this.session.wasm.mesh_version(address);
  }

  /** Sizes of the whole mesh, and the bounds of its tiles. */
  get totals() {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    session.wasm.mesh_totals(address);
    session.refresh();
    const { answer } = session;
    const [tiles, polygons, offMeshConnections, vertices, detailTriangles, links, bytes] =
      session.u32.subarray(answer + WmMeshTotals.tiles, answer + WmMeshTotals.byteCount + 1);
    return {
      tiles, polygons, offMeshConnections, vertices, detailTriangles, links, bytes,
      boundsMin: Array.from(session.f32.subarray(answer + WmMeshTotals.boundsMin, answer + WmMeshTotals.boundsMin + 3)),
      boundsMax: Array.from(session.f32.subarray(answer + WmMeshTotals.boundsMax, answer + WmMeshTotals.boundsMax + 3)),
    };
  }

  /** Where tiles lie, and what they were made for; 0 where a file did not tell. */
  get parameters() {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const at = (session.wasm.mesh_parameters(address) >>> 0) / 4;
    session.refresh();
    const [x, y, z, tileWidth, tileDepth, , , cellSize, cellHeight, agentHeight, agentRadius, agentMaxClimb] =
      session.f32.subarray(at, at + 12);
    const [tileCountX, tileCountZ] = new Int32Array(session.u32.buffer, 4 * at + 20, 2);
    return {
      origin: [x, y, z], tileWidth, tileDepth, tileCountX, tileCountZ, cellSize, cellHeight, agentHeight, agentRadius,
      agentMaxClimb,
    };
  }

  /** The configuration it was baked with, or null where a file did not tell. @returns {import('../bake/config.js').Config | null} */
  get config() {
    const configuration = readConfiguration(this);
    if (typeof configuration !== 'object' || configuration === null) return configuration;
    const { tileHashes, firstHashes, switches, ...config } = configuration;
    return Object.keys(config).length > 0 ? config : null;
  }

  /** Every polygon with its corners, area and flags: for drawing. @returns {import('./detour-tile.js').TilePolygon[]} */
  polygons() {
    addressOf(this, NAV_MESH);
    return this.tiles().flatMap((tile) => readTilePolygons(tile.bytes));
  }

  /** The surface as loose triangles, nine numbers each: for drawing and picking. @returns {Float32Array} */
  triangles() {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const { wasm } = session;
    /** @type {Uint8Array[]} */
    const pieces = [];
    for (let slot = 0, count = wasm.mesh_slot_count(address); slot < count; slot++) {
      session.check(wasm.mesh_tile_triangles(address, slot));
      const positions = session.u32[session.answer];
      if (!positions) continue;
      pieces.push(session.copyReturnedBytes());
      wasm.memory_free(session.handle, positions);
    }
    const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    pieces.reduce((offset, piece) => {
      all.set(piece, offset);
      return offset + piece.length;
    }, 0);
    return new Float32Array(all.buffer);
  }

  // ---- Doors ----------------------------------------------------------------------------------------------

  /**
   * Doors and switches: flags of the polygons under a volume, without anything being built again. The caller frees them; freeing
   * the mesh frees them too.
   */
  createSwitches() {
    addressOf(this, NAV_MESH);
    return new Switches(this);
  }

  /**
   * The switches that the mesh had when it was saved (by save, or DynamicNavMesh.save), on or off as they were, in the same order,
   * with their names; null where it had none. Until this is called they are all off. Once only.
   * @returns {Switches | null}
   */
  restoreSwitches() {
    addressOf(this, NAV_MESH);
    if (this.#savedSwitches.length === 0) return null;
    const switches = this.createSwitches();
    try {
      for (const options of this.#savedSwitches) switches.restore(options);
    } catch (error) {
      switches.free();
      throw error;
    }
    this.#savedSwitches = [];
    return switches;
  }

  /** Brings all switches of the mesh up to date with its tiles. @internal */
  updateSwitches() {
    for (const held of this.switches) {
      const switches = held.deref();
      if (!switches || switches.isFreed) this.switches.delete(held);
      else switches.update();
    }
  }

  // ---- Files -----------------------------------------------------------------------------------------------

  /**
   * The mesh as a .walkmesh file: versioned, with a checksum, with its configuration, and with what its tiles were made from,
   * for Walkmesh.rebake.
   */
  save() {
    addressOf(this, NAV_MESH);
    this.writeState();
    return write(this, 'walkmesh');
  }

  /**
   * The mesh in Detour's format, for game servers and other packages: by default a set (MSET) with references of 32
   * bits; `set64` has those of 64 bits, `tile` is the bytes of its only tile (DNAV).
   * @param {'set' | 'set64' | 'tile'} [format]
   */
  exportDetour(format = 'set') {
    addressOf(this, NAV_MESH);
    const formats = /** @type {const} */ ({ set: 'detourSet', set64: 'detourSet64', tile: 'detourTile' });
    if (typeof format !== 'string' || !Object.hasOwn(formats, format)) {
      throw invalidArgument('format', `is ${describe(format)}: must be set, set64 or tile`, format);
    }
    return write(this, formats[format]);
  }
}

/** A mesh that is being put together from a bake. */
export class NavMeshBuilder extends MeshBuilder {
  #hashes = new TileHashes();

  /** Adds a tile, if it has polygons, and notes what it was made from. @param {import('../bake/bake-report.js').BakedTile} tile */
  addBakedTile({ bytes, hash, log: { x, z } }) {
    const { session } = this;
    if (bytes) this.addTile(bytes);
    if (hash) this.#hashes.set(x, z, hash, bytes ? readReference(session.u32, session.answer) : 0);
  }

  /** The finished mesh, which now belongs to the caller. */
  take() {
    const navMesh = new NavMesh(this.session, this.takeAddress());
    navMesh.tileHashes = this.#hashes;
    return navMesh;
  }
}

/** What a file's first bytes say. @param {Session} session @param {Uint8Array} bytes */
export function detectFormat(session, bytes) {
  const head = bytes.subarray(0, 64);
  const address = session.copyIn(head);
  const format = FORMATS[session.wasm.format_detect(address, head.length)] ?? 'unknown';
  session.wasm.memory_free(session.handle, address);
  return format;
}
