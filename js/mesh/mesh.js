/// <reference lib="esnext.disposable" preserve="true" />
/**
 * NavMesh, the navigation mesh at run time: contents, agents, doors, files. Its queries and edits are in the classes that it
 * extends: see query/mesh-base.js.
 */
import { readReference } from '../runtime/results.js';
import { SegmentLinkEdits } from './segment-links.js';
import { readTilePolygons } from './detour-tile.js';
import { Crowd } from '../crowd/crowd.js';
import { readSavedCrowd } from '../crowd/saved-crowd.js';
import { PathCorridor } from '../query/corridor.js';
import { Search } from '../query/sliced-search.js';
import { TileGraph } from '../query/tile-graph.js';
import { NO_OPTIONS, requireAmount, requireOptions, writePoint } from '../runtime/arguments.js';
import { nameSet } from '../runtime/option-names.js';
import { wantsLinks } from '../input/wants-links.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { MeshBuilder } from './mesh-builder.js';
import { refuseOtherFile } from './file-types.js';
import { requireBytes } from '../runtime/bytes.js';
import { addressOf } from '../runtime/handle.js';
import { Switches } from './switches.js';
import { StreamedTiles } from './streamed-tiles.js';
import { TileHashes } from './tile-hashes.js';
import { toJson } from './user-data.js';
import { WmMeshTotals } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** A polygon of a mesh. @typedef {import('./detour-tile.js').TilePolygon & { ref: PolygonRef }} MeshPolygon */
/** @typedef {import('../crowd/options.js').CrowdOptions} CrowdOptions */
/** @typedef {import('../runtime/arguments.js').PointArgument} PointArgument */
/** @typedef {import('../runtime/session.js').Session} Session */

/**
 * @typedef {object} DetourOptions
 * @property {number} [linkSpacing] writes segment links as off-mesh connections, this far from each other across each link, at least
 *   one of each; world units, 0: the agent's diameter. Default: they are left out, since Detour has no wide links
 */

const DETOUR_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<DetourOptions>} */ ({ linkSpacing: 1 }));

/**
 * @typedef {object} LoadCrowdOptions
 * @property {import('../query/mesh-base.js').NavMeshBase[]} [meshes] the meshes that addMesh had added, in that order; default: none
 */

const LOAD_CROWD_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<LoadCrowdOptions>} */ ({ meshes: 1 }));

/** In the order of WmFormat in src/mesh/formats/formats.h. */
const FORMATS = /** @type {const} */ (['unknown', 'walkmesh', 'detourTile', 'detourSet', 'detourSet64']);

/** @param {NavMesh} navMesh @param {typeof FORMATS[number]} format @param {number} [linkSpacing] */
function write(navMesh, format, linkSpacing) {
  const address = addressOf(navMesh, NAV_MESH);
  const { session } = navMesh, { wasm } = session;
  session.check(linkSpacing === undefined ? wasm.mesh_write(address, FORMATS.indexOf(format))
    : wasm.mesh_write_point_links(address, FORMATS.indexOf(format), linkSpacing));
  const written = session.u32[session.answer];
  const bytes = session.copyReturnedBytes();
  session.wasm.memory_free(session.handle, written);
  return bytes;
}

/** Stores the configuration of the bake in the mesh, as text. @param {Session} session @param {number} address @param {object} configuration */
function setConfiguration(session, address, configuration) {
  const text = new TextEncoder().encode(JSON.stringify(configuration));
  session.withCopy(text, (copy) => session.wasm.mesh_set_configuration(address, copy, text.length));
}

/** Reads it; null if the mesh has none. @param {NavMesh} navMesh @returns {any} */
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

/** The state of its switches, for a file. @param {NavMesh} navMesh */
function listSwitches(navMesh) {
  const all = [...navMesh.switches].filter(({ isFreed }) => !isFreed);
  const list = all.flatMap((switches) => switches.list());
  return list.length > 0 ? { list, flags: all[0].listFlags() } : undefined;
}

/** From now on the graph is updated before tiles are removed. @param {NavMesh} navMesh @param {TileGraph} graph */
function holdGraph(navMesh, graph) {
  navMesh.listGraphs();
  navMesh.graphs.add(new WeakRef(graph));
  navMesh.versionOfGraphs = -1;
  return graph;
}

/**
 * A navigation mesh: answers queries, and can be changed. free() frees it with everything made from it.
 *
 * Lengths are in world units; points are x, y, z with y up. Polygons have references: numbers below 2^53, valid while their tile
 * is in the mesh. A reference into a removed tile stays an error (`stale-reference`). A reference of another mesh is an error too
 * (`invalid-argument`), unless both meshes have the same tiles, or with a probability of 1 in 8191: don't mix them.
 *
 * A method that fails throws a NavError and does not change the mesh: `invalid-argument` with the `field` at fault (not finite,
 * negative, of a wrong type, of another mesh, too short), `stale-reference`, `state` after free(), `out-of-memory`. An empty
 * result is no error: it is null, a count of 0, or a status with a reason.
 *
 * Queries accept an earlier result as `out` and overwrite it without garbage. Its arrays are reused if they are long enough, so
 * that they may be longer than the counts.
 */
export class NavMesh extends SegmentLinkEdits {
  /** @internal Hashes of the inputs of its tiles. @type {TileHashes} */
  tileHashes = new TileHashes();
  /** @internal */
  streamed = new StreamedTiles();
  /** @internal The dynamic mesh that changes it. @type {import('../runtime/handle.js').HandleOwner | undefined} */
  changedBy = undefined;
  /** @internal The switches that were not freed: also those that nobody else refers to, since the flags that they set stay. @type {Set<Switches>} */
  switches = new Set();
  /** @internal Their set in C. @type {{ address: number, users: number } | undefined} */
  switchSet = undefined;
  /** Switches from the file. @type {import('./switches.js').SwitchOptions[]} */
  #savedSwitches = [];

  /** @internal @param {Session} session @param {Uint8Array} bytes @returns {NavMesh} */
  static load(session, bytes) {
    session.withCopy(bytes, (address) => session.wasm.mesh_read(session.handle, address, bytes.length));
    const navMesh = new NavMesh(session, session.u32[session.answer]);
    navMesh.readState();
    return navMesh;
  }

  /**
   * Writes the hashes of its tiles and its switches into its configuration, for a file.
   * @internal @param {boolean} [isDynamic] true: also the hashes of tiles that obstacles have changed
   */
  writeState(isDynamic = false) {
    const before = readConfiguration(this), { tileHashes } = this;
    const { tileHashes: _, firstHashes: __, switches: ___, ...config } = before ?? {};
    const { tileCountX, tileCountZ } = this.parameters;
    const hashes = (/** @type {boolean} */ all) => (tileHashes.isEmpty ? undefined : tileHashes.toText(this, tileCountX, tileCountZ, all));
    const state = { tileHashes: hashes(false), firstHashes: isDynamic ? hashes(true) : undefined, switches: listSwitches(this) };
    const next = { ...config, ...(before === null ? { switches: state.switches } : state) };
    if (JSON.stringify(next) !== JSON.stringify(before ?? {})) setConfiguration(this.session, addressOf(this, NAV_MESH), next);
  }

  /**
   * Reads them from its configuration, and resets the flags of polygons under switches. Drops the hashes of a dynamic mesh's file
   * that has no firstHashes, since they may be of changed tiles.
   * @internal @param {boolean} [isDynamic]
   */
  readState(isDynamic = false) {
    const { tileHashes, firstHashes, switches, ...config } = readConfiguration(this) ?? {};
    if (Array.isArray(switches?.list) && Array.isArray(switches.flags)) {
      this.#savedSwitches = switches.list;
      for (const flags of switches.flags) this.#restoreFlags(flags);
    }
    if (tileHashes === undefined) return;
    if (isDynamic && firstHashes === undefined) {
      setConfiguration(this.session, addressOf(this, NAV_MESH), config);
      return;
    }
    const { tileCountX, tileCountZ } = this.parameters;
    this.tileHashes = TileHashes.fromText(tileHashes, this, tileCountX, tileCountZ, firstHashes);
  }

  /** Resets the flags of a polygon under switches. Invalid entries of a file are ignored. @param {any} saved */
  #restoreFlags(saved) {
    try {
      const [x, z, layer, polygon, before, owned] = saved, tile = this.tileAt(x, z, layer);
      if (tile === 0) return;
      this.setPolygonFlags(tile + polygon, (this.polygonFlags(tile + polygon) & ~owned) | (before & owned));
    } catch (error) {
      if (!(error instanceof NavError || error instanceof TypeError)) throw error;
    }
  }

  // ---- Contents ---------------------------------------------------------------------------------------

  /** A number that differs after every change of tiles, connections, flags and areas. */
  get version() {
    const address = addressOf(this, NAV_MESH);
    return this.session.wasm.mesh_version(address);
  }

  /** Counts of the whole mesh, its bytes, and the bounds of its tiles: whole tiles on x and z, and room for the agent's height on y. */
  get totals() {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    session.wasm.mesh_totals(address);
    session.refresh();
    const { answer } = session;
    const [tiles, polygons, offMeshConnections, vertices, detailTriangles, links, bytes] =
      session.u32.subarray(answer + WmMeshTotals.tiles, answer + WmMeshTotals.byteCount + 1);
    const corner = (/** @type {number} */ at) =>
      /** @type {[number, number, number]} */ (Array.from(session.f32.subarray(answer + at, answer + at + 3)));
    return {
      tiles, polygons, offMeshConnections, vertices, detailTriangles, links, bytes,
      boundsMin: corner(WmMeshTotals.boundsMin), boundsMax: corner(WmMeshTotals.boundsMax),
    };
  }

  /** The grid of tiles, the cells and the agent; 0 if a file had no value. */
  get parameters() {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const at = (session.wasm.mesh_parameters(address) >>> 0) / 4;
    session.refresh();
    const [x, y, z, tileWidth, tileDepth, , , cellSize, cellHeight, agentHeight, agentRadius, agentMaxClimb] =
      session.f32.subarray(at, at + 12);
    const [tileCountX, tileCountZ] = new Int32Array(session.u32.buffer, 4 * at + 20, 2);
    return {
      origin: /** @type {[number, number, number]} */ ([x, y, z]), tileWidth, tileDepth, tileCountX, tileCountZ, cellSize, cellHeight, agentHeight, agentRadius,
      agentMaxClimb,
    };
  }

  /**
   * The place in the grid of tiles of a point, for tileAt; a point outside the level has a place outside the grid.
   * @param {PointArgument} point its y is ignored @returns {{ x: number, z: number }} column and row
   */
  tilePlace(point) {
    addressOf(this, NAV_MESH);
    const { origin, tileWidth, tileDepth } = this.parameters, { session } = this;
    writePoint(session, 0, point, 'point');
    const [x, , z] = session.f32.subarray(session.inputs, session.inputs + 3);
    return { x: Math.floor((x - origin[0]) / tileWidth), z: Math.floor((z - origin[2]) / tileDepth) };
  }

  /** The configuration of its bake; null if the file had none. @returns {import('../input/config.js').Config | null} */
  get config() {
    const configuration = readConfiguration(this);
    if (typeof configuration !== 'object' || configuration === null) return configuration;
    const { tileHashes, firstHashes, switches, userData, ...config } = configuration;
    return Object.keys(config).length > 0 ? config : null;
  }

  /** Stores which links were generated. @internal @param {import('../input/link-config.js').LinkConfig} links without a kind: none */
  setConfigLinks(links) {
    const { links: _, bounds, ...rest } = readConfiguration(this) ?? {};
    const { tileHashes, firstHashes, switches, userData, ...config } = rest;
    // The order of a bake, so that the files are the same.
    const next = { ...config, ...wantsLinks({ links }) && { links }, bounds, ...rest };
    setConfiguration(this.session, addressOf(this, NAV_MESH), next);
  }

  /**
   * Data of the application, saved with the mesh in `.walkmesh` files (by save, or DynamicNavMesh.save): any value that JSON can
   * store, or null. Returns a copy. What JSON would change without a word is refused, such as typed arrays, maps and NaN.
   * @returns {any}
   */
  get userData() {
    return readConfiguration(this)?.userData ?? null;
  }

  set userData(value) {
    const text = toJson(value); // may call: the mesh is asked for afterwards
    const { userData: _, ...rest } = readConfiguration(this) ?? {};
    const stored = text === undefined ? null : JSON.parse(text);
    setConfiguration(this.session, addressOf(this, NAV_MESH), stored === null ? rest : { ...rest, userData: stored });
  }

  /** Every polygon with its reference, vertices, area and flags, for drawing. @returns {MeshPolygon[]} */
  polygons() {
    addressOf(this, NAV_MESH);
    return this.tiles().flatMap(({ ref, bytes }) => readTilePolygons(bytes).map((polygon, i) => Object.assign(polygon, { ref: ref + i })));
  }

  /** The surface as triangle soup, nine numbers per triangle, for drawing and picking. @returns {Float32Array} */
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

  // ---- Agents ---------------------------------------------------------------------------------------------

  /**
   * A corridor for an agent, first of one polygon. The caller frees it; freeing the mesh frees it too.
   * @param {PolygonRef} polygon reference; 0: makes it empty @param {PointArgument} point
   * @returns {PathCorridor}
   */
  createCorridor(polygon, point) {
    addressOf(this, NAV_MESH);
    return new PathCorridor(this, polygon, point);
  }

  /**
   * A search in slices. The caller frees it; freeing the mesh frees it too.
   * @returns {Search}
   */
  createSearch() {
    addressOf(this, NAV_MESH);
    return new Search(this);
  }

  /**
   * A graph over the tiles, for long ways. The caller frees it; freeing the mesh frees it too.
   * @param {import('../query/tile-graph.js').TileGraphOptions} [options]
   * @returns {TileGraph}
   */
  createTileGraph(options = NO_OPTIONS) {
    addressOf(this, NAV_MESH);
    const graph = TileGraph.create(this, options);
    return graph.keepsRemoved ? holdGraph(this, graph) : graph;
  }

  /**
   * A saved tile graph of this mesh, or of the whole level of which it has some tiles. Every byte is checked.
   * @param {import('../runtime/bytes.js').Bytes} bytes of TileGraph.save
   * @returns {TileGraph} with the filter that it was saved with; keepRemoved is true
   */
  loadTileGraph(bytes) {
    addressOf(this, NAV_MESH);
    const array = requireBytes(bytes);
    refuseOtherFile(array, 'loadTileGraph');
    return holdGraph(this, TileGraph.load(this.session, this, array));
  }

  /**
   * A crowd of agents that walk on this mesh. The caller frees it; freeing the mesh frees it too.
   * @param {CrowdOptions} [options]
   * @returns {Crowd}
   */
  createCrowd(options = NO_OPTIONS) {
    addressOf(this, NAV_MESH);
    return new Crowd(this, options);
  }

  /**
   * Loads a saved crowd onto this mesh, which is the one that it had, or one loaded from the file of that. It goes on exactly as the
   * saved one; handles of agents stay valid. Load the mesh, and restore its switches, first: if the mesh has changed, agents look for
   * other ground and other paths in their next step. Every byte is checked.
   * @param {import('../runtime/bytes.js').Bytes} bytes of Crowd.save
   * @param {LoadCrowdOptions} [options]
   * @returns {Crowd}
   */
  loadCrowd(bytes, options = NO_OPTIONS) {
    addressOf(this, NAV_MESH);
    const { meshes = [] } = requireOptions(options, LOAD_CROWD_NAMES);
    const saved = readSavedCrowd(this, bytes, meshes);
    refuseOtherFile(saved.bytes, 'loadCrowd of its mesh');
    return new Crowd(this, NO_OPTIONS, saved);
  }

  // ---- Doors ----------------------------------------------------------------------------------------------

  /**
   * Doors and switches, which set flags of the polygons under a volume. The caller frees them; freeing the mesh frees them too.
   */
  createSwitches() {
    addressOf(this, NAV_MESH);
    return new Switches(this);
  }

  /**
   * Makes the switches again that the mesh had when it was saved (by save, or DynamicNavMesh.save): in the same order and states,
   * with their names. Until then they are off. null if there were none, or at a second call.
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

  /** Updates all switches of the mesh after tiles changed. @internal */
  updateSwitches() {
    for (const switches of this.switches) if (!switches.isFreed) switches.update();
  }

  // ---- Files -----------------------------------------------------------------------------------------------

  /**
   * The mesh as a .walkmesh file, with a version, a checksum, its configuration, and the hashes of its tiles for Walkmesh.rebake.
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
   * @param {DetourOptions} [options]
   */
  exportDetour(format = 'set', options = NO_OPTIONS) {
    addressOf(this, NAV_MESH);
    const { linkSpacing } = requireOptions(options, DETOUR_NAMES);
    const formats = /** @type {const} */ ({ set: 'detourSet', set64: 'detourSet64', tile: 'detourTile' });
    if (typeof format !== 'string' || !Object.hasOwn(formats, format)) {
      throw invalidArgument('format', `is ${describe(format)}: must be set, set64 or tile`, format);
    }
    return write(this, formats[format], linkSpacing === undefined ? undefined : requireAmount(linkSpacing, 'linkSpacing'));
  }
}

/** Adds the tiles of a bake to a new NavMesh. */
export class NavMeshBuilder extends MeshBuilder {
  #hashes = new TileHashes();
  /** The air of the tiles, of bakes with links. @type {{ x: number, z: number, bytes: Uint8Array }[]} */
  air = [];

  /** Adds a tile, if it has polygons, and stores its hash and its air. @param {import('../bake/bake-tile.js').BakedTile} tile */
  addBakedTile({ bytes, hash, air, log: { x, z } }) {
    if (air) this.air.push({ x, z, bytes: air });
    const { session } = this;
    if (bytes) this.addTile(bytes);
    if (hash) this.#hashes.set(x, z, hash, bytes ? readReference(session.u32, session.answer) : 0);
  }

  /** The finished mesh, which the caller now owns. */
  take() {
    const navMesh = new NavMesh(this.session, this.takeAddress());
    navMesh.tileHashes = this.#hashes;
    return navMesh;
  }
}

/** The format of a file, from its first bytes. @param {Session} session @param {Uint8Array} bytes */
export function detectFormat(session, bytes) {
  const head = bytes.subarray(0, 64);
  const address = session.copyIn(head);
  const format = FORMATS[session.wasm.format_detect(address, head.length)] ?? 'unknown';
  session.wasm.memory_free(session.handle, address);
  return format;
}
