/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Tile graphs: long ways over the tiles of a mesh, also over tiles that are not loaded. See src/query/tile_graph/tile_graph.h.
 */
import { NO_OPTIONS, requireAmount, requireBoolean, requireCount, requireInteger, requireOptions, requireTilePlace,
  writePoint } from '../runtime/arguments.js';
import { NAV_MESH, TILE_GRAPH } from '../runtime/handle-kinds.js';
import { HandleOwner, addressOf, requireMaker } from '../runtime/handle.js';
import { WmLongPath, WmLongPathOptions, WmTileGraphOptions, WmTileGraphSteps, WmTileGraphTotals, WmWaypoint } from '../runtime/layout.js';
import { nameSet } from '../runtime/option-names.js';
import { PATH_REASONS, PATH_STATUSES, readPath } from './find-path.js';
import { writeHalfExtents } from './nearest.js';

/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/arguments.js').PointArgument} PointArgument */
/** @typedef {import('./filter.js').Filter} Filter */
/** @typedef {import('./filter.js').FilterOptions} FilterOptions */
/** @typedef {import('./find-path.js').Path} Path */
/** @typedef {import('./find-path.js').PathReason} PathReason */
/** @typedef {import('./find-path.js').PathStatus} PathStatus */
/** @typedef {import('./mesh-base.js').NavMeshBase} NavMeshBase */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @template T @typedef {import('../runtime/option-names.js').Names<T>} Names */

/**
 * @typedef {object} TileGraphOptions
 * @property {Filter | FilterOptions} [filter] copied; a Filter with polygonCosts is refused
 * @property {number} [spacing] between entrances along a tile border, world units; smaller: shorter ways, more memory; default 0:
 *   a third of a tile
 * @property {boolean} [keepRemoved] true: tiles that are removed from the mesh stay in the graph as tiles that are not loaded, for
 *   meshes that are streamed. Default false
 */

/**
 * @typedef {object} LongPathOptions
 * @property {number} [legTiles] the leg leads through at most this number of tiles, 2 to 1000; default 6
 * @property {Point} [halfExtents] as of findPath; default 2, 4, 2
 * @property {boolean} [shortest] true: the leg is the exact shortest path to its end, as of findPath. Default true
 */

/**
 * A way through many tiles: its first leg, and a promise of the rest.
 * @typedef {object} LongPath
 * @property {PathStatus} status `complete`: there is a way to the end; `unreachable`: there is none
 * @property {PathReason | null} reason why it is not complete; null if it is
 * @property {number} cost of the leg and the promise, which are lines over the mesh: a way that costs no more exists, unless isEstimate; if all areas cost
 *   1, a length in world units. Where areas cost differently, legs that are searched later may cost more
 * @property {number} lowerBound no way costs less: the straight distance times the lowest cost of a unit
 * @property {boolean} isEstimate true if the start or the end is in a tile that is not loaded: the way from its nearest entrances
 *   is assumed to be straight. Also if the way leads through a tile that is assumed to be open, because doors over it have changed since it was
 *   loaded, or by assumeOpen
 * @property {Path | null} leg the exact first part; null if the start's tile is not loaded, or there is no way
 * @property {boolean} leadsToEnd true: the leg ends at the end; false: at waypoint legWaypoints - 1
 * @property {number} legWaypoints number of waypoints that the leg passes
 * @property {number} count of waypoints, points where the way enters a tile
 * @property {Float32Array} waypoints x, y, z of each
 * @property {Float32Array} costs of the promise, from the start to each waypoint
 * @property {Int32Array} tiles x, z and layer of the tile that is entered at each waypoint; 0 for a connection made at run time
 * @property {Uint8Array} isLoaded 1 if that tile is in the mesh: others can be fetched
 * @property {Uint8Array} isAdjacent 1 if the next waypoint, or the end, is on the border of that tile; 0: many tiles may lie between
 * @property {number} searched entrances that were searched
 */

/**
 * @typedef {object} TileGraphTotals
 * @property {number} tiles with connections made at run time
 * @property {number} loadedTiles
 * @property {number} entrances
 * @property {number} blocks of 4 x 4, 16 x 16 and 64 x 64 tiles
 * @property {number} byteCount memory of the graph, and of its steps if they were listed; without that of its searches
 */

/**
 * @typedef {object} TileGraphSteps
 * @property {Float32Array} points x, y, z of the entrances of the level, in any order
 * @property {Uint32Array} pairs numbers of two entrances each, between which agents can walk within a tile or block, in one direction
 *   or both
 */

const GRAPH_NAMES = nameSet(/** @satisfies {Names<TileGraphOptions>} */ ({ filter: 1, spacing: 1, keepRemoved: 1 }));
const PATH_NAMES = nameSet(/** @satisfies {Names<LongPathOptions>} */ ({ legTiles: 1, halfExtents: 1, shortest: 1 }));

/** Words of the inputs. */
const [START_AT, END_AT, OPTIONS_AT] = [0, 3, 6];
const LEG_TILES_LIMIT = 1000;
const GRAPH_LEVELS = 4;

/** Bytes from the start of a WmWaypoint. */
const [IS_LOADED_AT, IS_NEXT_AT] = [4 * WmWaypoint.isLoaded, 4 * WmWaypoint.isNext];

/** Reads the waypoints of a WmLongPath. @param {Session} session @param {number} at its first word */
function readWaypoints(session, at) {
  const { u32, f32 } = session;
  const count = u32[at + WmLongPath.waypointCount], address = u32[at + WmLongPath.waypoints];
  const waypoints = new Float32Array(3 * count), costs = new Float32Array(count), tiles = new Int32Array(3 * count);
  const isLoaded = new Uint8Array(count), isAdjacent = new Uint8Array(count);
  const bytes = session.view(address, 4 * WmWaypoint.words * count);
  for (let i = 0; i < count; i++) {
    const word = address / 4 + i * WmWaypoint.words;
    for (let k = 0; k < 3; k++) waypoints[3 * i + k] = f32[word + WmWaypoint.point + k];
    tiles.set([u32[word + WmWaypoint.x], u32[word + WmWaypoint.z], u32[word + WmWaypoint.layer]], 3 * i);
    costs[i] = f32[word + WmWaypoint.cost];
    isLoaded[i] = bytes[4 * i * WmWaypoint.words + IS_LOADED_AT];
    isAdjacent[i] = bytes[4 * i * WmWaypoint.words + IS_NEXT_AT];
  }
  return { count, waypoints, costs, tiles, isLoaded, isAdjacent };
}

/** Reads a WmLongPath from the result. @param {Session} session @returns {LongPath} */
function readLongPath(session) {
  const { u32, f32, answer } = session;
  const flag = (/** @type {number} */ at) => (u32[answer + Math.floor(at)] >>> (32 * (at % 1))) % 256 !== 0;
  const legAt = answer + WmLongPath.leg;
  const hasLeg = u32[legAt] !== 0;
  return {
    status: PATH_STATUSES[u32[answer + WmLongPath.state]],
    reason: PATH_REASONS[u32[answer + WmLongPath.reason]],
    cost: f32[answer + WmLongPath.cost],
    lowerBound: f32[answer + WmLongPath.lowerBound],
    isEstimate: flag(WmLongPath.isEstimate),
    leadsToEnd: flag(WmLongPath.leadsToEnd),
    legWaypoints: u32[answer + WmLongPath.legWaypoints],
    searched: u32[answer + WmLongPath.searched],
    ...readWaypoints(session, answer),
    leg: hasLeg ? readPath(session, undefined, legAt) : null,
  };
}

/**
 * A graph over the tiles of a mesh, for one filter: entrances between tiles, and the costs between those of each tile. It finds ways
 * over thousands of tiles in less than a millisecond, follows all changes of its mesh, and can be saved, loaded and asked without a
 * mesh. Made by NavMesh.createTileGraph, NavMesh.loadTileGraph and Walkmesh.loadTileGraph.
 */
export class TileGraph extends HandleOwner {
  /** A mesh that nobody else refers to lives as long as its graph. @internal @type {NavMeshBase | undefined} */
  mesh;
  /** True if the mesh updates it before tiles are removed. @internal */
  keepsRemoved = false;

  /** @internal @param {Session} session @param {NavMeshBase | undefined} mesh with the graph's address in the answer */
  constructor(session, mesh) {
    requireMaker(session, TILE_GRAPH);
    super(session, TILE_GRAPH, session.u32[session.answer], (graph) => session.wasm.tile_graph_destroy(graph), mesh?.handle);
    this.mesh = mesh;
  }

  /** @internal @param {NavMeshBase} mesh @param {TileGraphOptions} options */
  static create(mesh, options) {
    const address = addressOf(mesh, NAV_MESH);
    const { session } = mesh, { calls } = session;
    session.refresh();
    const { filter, spacing = 0, keepRemoved = false } = requireOptions(options, GRAPH_NAMES);
    const { u32, f32, inputs } = session;
    const filterAddress = mesh.filterAddress(filter);
    session.requireNoCallSince(calls);
    u32[inputs + WmTileGraphOptions.filter] = filterAddress;
    f32[inputs + WmTileGraphOptions.spacing] = requireAmount(spacing, 'spacing');
    u32[inputs + WmTileGraphOptions.keepsRemoved] = requireBoolean(keepRemoved, 'keepRemoved') ? 1 : 0;
    session.check(session.wasm.tile_graph_create(address));
    const graph = new TileGraph(session, mesh);
    graph.keepsRemoved = keepRemoved;
    return graph;
  }

  /** @internal @param {Session} session @param {NavMeshBase | undefined} mesh @param {Uint8Array} bytes */
  static load(session, mesh, bytes) {
    const meshAddress = mesh ? addressOf(mesh, NAV_MESH) : 0;
    session.withCopy(bytes, (address) => session.wasm.tile_graph_read(session.handle, meshAddress, address, bytes.length));
    return new TileGraph(session, mesh);
  }

  /** Frees its memory; does nothing if it is freed. Other calls throw a NavError afterwards. */
  free() {
    super.free();
    this.mesh = undefined;
  }

  /** Updates the graph for the changes of its mesh; findPath does so itself. The first call builds it. */
  update() {
    const address = addressOf(this, TILE_GRAPH);
    const { session } = this;
    session.check(session.guard(() => session.wasm.tile_graph_update(address)));
  }

  /**
   * Finds a way to a point any number of tiles away: the exact first leg, and a promise of the rest. Walk the leg, or part of it,
   * and call it again from there.
   * @param {PointArgument} start @param {PointArgument} end @param {LongPathOptions} [options] @returns {LongPath}
   */
  findPath(start, end, options = NO_OPTIONS) {
    const address = addressOf(this, TILE_GRAPH);
    const { session } = this, { calls } = session;
    const { legTiles = 6, halfExtents, shortest = true } = requireOptions(options, PATH_NAMES);
    session.refresh();
    writePoint(session, START_AT, start, 'start');
    writePoint(session, END_AT, end, 'end');
    writeHalfExtents(session, OPTIONS_AT + WmLongPathOptions.halfExtents, halfExtents);
    const { u32, inputs } = session;
    u32[inputs + OPTIONS_AT + WmLongPathOptions.legTiles] = requireCount(legTiles, 'legTiles', LEG_TILES_LIMIT, 2);
    u32[inputs + OPTIONS_AT + WmLongPathOptions.shortest] = requireBoolean(shortest, 'shortest') ? 1 : 0;
    session.requireNoCallSince(calls);
    session.check(session.wasm.tile_graph_find_path(session.handle, address));
    return readLongPath(session);
  }

  /**
   * Removes a tile that is not loaded from the graph, and connections that led to it and are not in the mesh.
   * @param {number} x @param {number} z @param {number} [layer] @returns {boolean} false: the graph has no such tile
   */
  forgetTile(x, z, layer = 0) {
    addressOf(this, TILE_GRAPH);
    requireTilePlace(x, z);
    requireInteger(layer, 'layer');
    this.update();
    const { tiles } = this.totals();
    this.session.check(this.session.wasm.tile_graph_forget(addressOf(this, TILE_GRAPH), x, z, layer));
    return this.totals().tiles < tiles;
  }

  /**
   * Assumes that all entrances of a tile that is not loaded are open, and that ways lead between them, until it is loaded again: for ground
   * that has changed where the mesh can't know it. Ways through it are estimates. Of doors and switches the graph knows it itself.
   * @param {number} x @param {number} z @param {number} [layer] @returns {boolean} false: the graph has no such tile, or it is loaded
   */
  assumeOpen(x, z, layer = 0) {
    const address = addressOf(this, TILE_GRAPH);
    const { session } = this;
    requireTilePlace(x, z);
    requireInteger(layer, 'layer');
    session.check(session.guard(() => session.wasm.tile_graph_assume_open(session.handle, address, x, z, layer)));
    return session.u32[session.answer] !== 0;
  }

  /** What the graph has, by its last update. @returns {TileGraphTotals} */
  totals() {
    const address = addressOf(this, TILE_GRAPH);
    const { session } = this;
    session.wasm.tile_graph_totals(session.handle, address);
    session.refresh();
    const { u32, answer } = session;
    return {
      tiles: u32[answer + WmTileGraphTotals.tiles],
      loadedTiles: u32[answer + WmTileGraphTotals.loadedTiles],
      entrances: u32[answer + WmTileGraphTotals.entrances],
      blocks: u32[answer + WmTileGraphTotals.blocks],
      byteCount: u32[answer + WmTileGraphTotals.byteCount],
    };
  }

  /**
   * The entrances of a level and the steps between them, updated: for drawing.
   * @param {number} [level] 0: within tiles; 1, 2, 3: within blocks of 4 x 4, 16 x 16 and 64 x 64 tiles. Default 0
   * @returns {TileGraphSteps}
   */
  steps(level = 0) {
    const address = addressOf(this, TILE_GRAPH);
    const { session } = this;
    requireCount(level, 'level', GRAPH_LEVELS - 1);
    session.check(session.guard(() => session.wasm.tile_graph_steps(session.handle, address, level)));
    const { u32, f32, answer } = session;
    const [points, pairs] = [u32[answer + WmTileGraphSteps.points] / 4, u32[answer + WmTileGraphSteps.steps] / 4];
    return {
      points: f32.slice(points, points + 3 * u32[answer + WmTileGraphSteps.entranceCount]),
      pairs: u32.slice(pairs, pairs + 2 * u32[answer + WmTileGraphSteps.stepCount]),
    };
  }

  /** The graph, updated, as bytes. They don't depend on the order of earlier changes. @returns {Uint8Array} */
  save() {
    this.update();
    const address = addressOf(this, TILE_GRAPH);
    const { session } = this;
    session.check(session.guard(() => session.wasm.tile_graph_write(session.handle, address)));
    const written = session.u32[session.answer];
    const bytes = session.copyReturnedBytes();
    session.wasm.memory_free(session.handle, written);
    return bytes;
  }
}
