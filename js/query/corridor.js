/// <reference lib="esnext.disposable" preserve="true" />
/** PathCorridor: the corridor of a walking agent, repaired as the agent or its target moves. */
import { readPoint, readReferences } from '../runtime/results.js';
import { NO_OPTIONS, requireAmount, requireCount, requireOptions, requireReference, writePoint, writeReferences } from '../runtime/arguments.js';
import { readPath } from './find-path.js';
import { CORRIDOR, NAV_MESH } from '../runtime/handle-kinds.js';
import { COUNT_LIMIT, FILTER_OPTION } from './query-options.js';
import { nameSet } from '../runtime/option-names.js';
import { HandleOwner, addressOf, requireMaker } from '../runtime/handle.js';
import { requireCorridor, requireCorridorCount } from './paths.js';
import { WmCorridorState } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../runtime/arguments.js').PolygonRefs} PolygonRefs */
/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/arguments.js').PointArgument} PointArgument */
/** @typedef {import('./filter.js').Filter} Filter */
/** @typedef {import('./filter.js').FilterOptions} FilterOptions */
/** @typedef {import('./mesh-base.js').NavMeshBase} NavMeshBase */
/** @typedef {import('./paths.js').Corridor} Corridor */
/** @typedef {import('./paths.js').Path} Path */

const TOPOLOGY_NAMES = nameSet({ filter: 1, budget: 1 });
const VALID_NAMES = nameSet({ filter: 1, lookAhead: 1 });

/** Reads the WmCorridorState into the result; returns its first word, and refreshes the views. @param {PathCorridor} corridor */
function readState(corridor) {
  const address = addressOf(corridor, CORRIDOR);
  const { session } = corridor;
  session.wasm.corridor_state(session.handle, address);
  session.refresh();
  return session.answer;
}

/**
 * Usual order: createCorridor, findCorridor, set; in each step: corners, steer to the first one, move; sometimes the two
 * optimizations; isValid if the mesh changes. Made by NavMesh.createCorridor.
 */
export class PathCorridor extends HandleOwner {
  #mesh;

  /** @internal @param {NavMeshBase} mesh @param {PolygonRef} polygon @param {Point} point */
  constructor(mesh, polygon, point) {
    const session = requireMaker(mesh?.session, CORRIDOR);
    const { wasm } = session;
    session.check(wasm.corridor_create(addressOf(mesh, NAV_MESH)));
    super(session, CORRIDOR, session.u32[session.answer], (corridor) => wasm.corridor_destroy(corridor), mesh.handle);
    this.#mesh = mesh;
    try {
      this.reset(polygon, point);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** Makes it a single polygon: position and target are the point of its surface nearest to a point. @param {PolygonRef} polygon reference; 0: makes it empty @param {PointArgument} point */
  reset(polygon, point) {
    const address = addressOf(this, CORRIDOR);
    const { session } = this, { calls } = session;
    session.refresh();
    requireReference(polygon, 'polygon');
    writePoint(session, 0, point, 'point');
    session.requireNoCallSince(calls);
    session.check(session.wasm.corridor_reset(session.handle, address, polygon));
  }

  /**
   * Replaces the polygons by a corridor that starts in the first polygon of this one.
   * @param {PointArgument} target moved to the nearest point of the last polygon
   * @param {ArrayLike<PolygonRef> | Corridor} corridor references
   */
  set(target, corridor) {
    const address = addressOf(this, CORRIDOR);
    const { session } = this, { calls } = session;
    const polygons = requireCorridor(corridor), count = requireCorridorCount(corridor, polygons);
    session.refresh();
    writePoint(session, 0, target, 'target');
    session.requireNoCallSince(calls);
    const scratch = session.reserve(8 * count);
    writeReferences(session, scratch, polygons, count, 'corridor');
    session.check(session.wasm.corridor_set(session.handle, address, scratch, count));
  }

  /** The position of the agent. @returns {[number, number, number]} */
  get position() {
    const at = readState(this);
    /** @type {[number, number, number]} */
    const point = [0, 0, 0];
    readPoint(this.session.f32, at, point);
    return point;
  }

  /** The end of the corridor. @returns {[number, number, number]} */
  get target() {
    const at = readState(this);
    /** @type {[number, number, number]} */
    const point = [0, 0, 0];
    readPoint(this.session.f32, at + WmCorridorState.target, point);
    return point;
  }

  /** References of its polygons, from position to target. @returns {PolygonRefs} */
  get polygons() {
    const at = readState(this);
    const { u32 } = this.session;
    return readReferences(this.session, u32[at + WmCorridorState.polygons], u32[at + WmCorridorState.polygonCount], undefined);
  }

  /**
   * The next corners of the path to the target, without corners within 0.01 of the position, at most up to the first start of an
   * off-mesh connection.
   * @param {number} [max] largest number of corners, at least 1; default 4
   * @param {Path} [out] an earlier result, to be overwritten
   * @returns {Path} isCut: there are more corners; length: from the position through them
   */
  corners(max = 4, out = undefined) {
    const address = addressOf(this, CORRIDOR);
    const { session } = this;
    requireCount(max, 'max', COUNT_LIMIT);
    session.check(session.wasm.corridor_find_corners(session.handle, address, max));
    return readPath(session, out);
  }

  /**
   * Shortens the corridor: if the straight line to `next` is free for at most `range`, and does not cost more, the corridor
   * follows it.
   * @param {PointArgument} next @param {number} range world units @param {{ filter?: Filter | FilterOptions }} [options]
   * @returns {boolean} true if the corridor changed
   */
  optimizeVisibility(next, range, options = NO_OPTIONS) {
    const address = addressOf(this, CORRIDOR);
    const { session } = this, { calls } = session;
    const { filter } = requireOptions(options, FILTER_OPTION);
    session.refresh();
    requireAmount(range, 'range');
    writePoint(session, 0, next, 'next');
    const filterAddress = this.#mesh.filterAddress(filter);
    session.requireNoCallSince(calls);
    session.check(session.wasm.corridor_optimize_visibility(session.handle, address, range, filterAddress));
    return (session.u32[session.answer] & 255) !== 0;
  }

  /**
   * Searches for a cheaper path along the corridor with a short search.
   * @param {{ filter?: Filter | FilterOptions, budget?: number }} [options] budget: polygons to search, default 32
   * @returns {boolean} true if the corridor changed
   */
  optimizeTopology(options = NO_OPTIONS) {
    const address = addressOf(this, CORRIDOR);
    const { session } = this, { calls } = session;
    const { filter, budget = 32 } = requireOptions(options, TOPOLOGY_NAMES);
    session.refresh();
    requireCount(budget, 'budget', COUNT_LIMIT);
    const filterAddress = this.#mesh.filterAddress(filter);
    session.requireNoCallSince(calls);
    session.check(session.wasm.corridor_optimize_topology(session.handle, address, budget, filterAddress));
    return (session.u32[session.answer] & 255) !== 0;
  }

  /**
   * Moves the position over an off-mesh connection: removes the connection and the polygons before it.
   * @param {PolygonRef} connection reference of its polygon
   * @returns {{ start: [number, number, number], end: [number, number, number] } | null} its ends in the direction of
   *   travel; null if the corridor does not contain it, or ends with it
   */
  moveOverConnection(connection) {
    const address = addressOf(this, CORRIDOR);
    const { session } = this;
    requireReference(connection, 'connection');
    session.check(session.wasm.corridor_move_over_connection(session.handle, address, connection));
    if ((session.u32[session.answer] & 255) === 0) return null;
    const ends = /** @type {{ start: [number, number, number], end: [number, number, number] }} */ ({ start: [0, 0, 0], end: [0, 0, 0] });
    readPoint(session.f32, session.answer + 1, ends.start);
    readPoint(session.f32, session.answer + 4, ends.end);
    return ends;
  }

  /** Moves the position along the surface towards a point, and repairs the corridor. @param {PointArgument} point @param {{ filter?: Filter | FilterOptions }} [options] */
  move(point, options = NO_OPTIONS) {
    const address = addressOf(this, CORRIDOR);
    const { session } = this, { calls } = session;
    const { filter } = requireOptions(options, FILTER_OPTION);
    session.refresh();
    writePoint(session, 0, point, 'point');
    const filterAddress = this.#mesh.filterAddress(filter);
    session.requireNoCallSince(calls);
    session.check(session.wasm.corridor_move(session.handle, address, filterAddress));
  }

  /** Moves the target along the surface towards a point, and repairs the corridor. @param {PointArgument} point @param {{ filter?: Filter | FilterOptions }} [options] */
  moveTarget(point, options = NO_OPTIONS) {
    const address = addressOf(this, CORRIDOR);
    const { session } = this, { calls } = session;
    const { filter } = requireOptions(options, FILTER_OPTION);
    session.refresh();
    writePoint(session, 0, point, 'point');
    const filterAddress = this.#mesh.filterAddress(filter);
    session.requireNoCallSince(calls);
    session.check(session.wasm.corridor_move_target(session.handle, address, filterAddress));
  }

  /** Moves the start to another polygon. The rest stays, so that it is invalid until a corridor is set. @param {PolygonRef} polygon reference @param {PointArgument} point */
  fixStart(polygon, point) {
    const address = addressOf(this, CORRIDOR);
    const { session } = this, { calls } = session;
    session.refresh();
    requireReference(polygon, 'polygon');
    writePoint(session, 0, point, 'point');
    session.requireNoCallSince(calls);
    session.check(session.wasm.corridor_fix_start(session.handle, address, polygon));
  }

  /**
   * Removes everything behind its longest valid part; if no polygon is valid, makes it the given polygon and point.
   * @param {PolygonRef} polygon reference; 0: makes it empty @param {PointArgument} point
   * @param {{ filter?: Filter | FilterOptions }} [options]
   */
  trim(polygon, point, options = NO_OPTIONS) {
    const address = addressOf(this, CORRIDOR);
    const { session } = this, { calls } = session;
    const { filter } = requireOptions(options, FILTER_OPTION);
    session.refresh();
    requireReference(polygon, 'polygon');
    writePoint(session, 0, point, 'point');
    const filterAddress = this.#mesh.filterAddress(filter);
    session.requireNoCallSince(calls);
    session.check(session.wasm.corridor_trim(session.handle, address, polygon, filterAddress));
  }

  /** True if the tile of one of its polygons was removed or replaced. Very cheap. */
  get isStale() {
    const at = readState(this);
    const { session } = this;
    const count = session.u32[at + WmCorridorState.polygonCount];
    return session.wasm.mesh_find_stale(addressOf(this.#mesh, NAV_MESH), session.u32[at + WmCorridorState.polygons], count) >>> 0 !== count;
  }

  /**
   * True if its first polygons exist, pass the filter, and each is linked to the next. An empty corridor is valid.
   * @param {{ filter?: Filter | FilterOptions, lookAhead?: number }} [options] lookAhead: polygons; default 0: all
   */
  isValid(options = NO_OPTIONS) {
    const address = addressOf(this, CORRIDOR);
    const { session } = this, { calls } = session;
    const { filter, lookAhead = 0 } = requireOptions(options, VALID_NAMES);
    session.refresh();
    requireCount(lookAhead, 'lookAhead', COUNT_LIMIT);
    const filterAddress = this.#mesh.filterAddress(filter);
    session.requireNoCallSince(calls);
    return session.wasm.corridor_is_valid(address, lookAhead, filterAddress) !== 0;
  }
}
