/// <reference lib="esnext.disposable" preserve="true" />
/** The corridor that an agent keeps while it walks, mended as it or its target moves. */
import { readPoint, readReferences } from '../runtime/answers.js';
import { NO_OPTIONS, requireAmount, requireCount, requireOptions, requireReference, writePoint, writeReferences } from '../runtime/arguments.js';
import { readPath } from './find-path.js';
import { CORRIDOR, NAV_MESH } from '../runtime/handle-kinds.js';
import { FILTER_OPTION } from './local.js';
import { nameSet } from '../runtime/names.js';
import { Owned, addressOf, requireMaker } from '../runtime/owned.js';
import { polygonsOf, requireCorridor } from './paths.js';
import { WmCorridorState } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../mesh/filter.js').Filter} Filter */
/** @typedef {import('../mesh/filter.js').FilterOptions} FilterOptions */
/** @typedef {import('../mesh/mesh-base.js').NavMeshBase} NavMeshBase */
/** @typedef {import('./paths.js').Corridor} Corridor */
/** @typedef {import('./paths.js').Path} Path */

const COUNT_LIMIT = 0xffffffff;
const TOPOLOGY_NAMES = nameSet({ filter: 1, budget: 1 });
const VALID_NAMES = nameSet({ filter: 1, lookAhead: 1 });

/** The word of a WmCorridorState, with good views. @param {PathCorridor} corridor */
function readState(corridor) {
  const address = addressOf(corridor, CORRIDOR);
  const { session } = corridor;
  session.wasm.corridor_state(session.handle, address);
  session.refresh();
  return session.answer;
}

/**
 * Usual order: createCorridor; findCorridor and set; each step corners, steer to the first, move; now and then the two
 * optimisations; isValid where the mesh changes. Make it with NavMesh.createCorridor.
 */
export class PathCorridor extends Owned {
  #mesh;

  /** @internal @param {NavMeshBase} mesh @param {number} polygon @param {Point} point */
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

  /** Makes it one polygon: position and target are the place of its surface nearest to a point. @param {number} polygon reference; 0: empty @param {Point} point */
  reset(polygon, point) {
    const address = addressOf(this, CORRIDOR);
    const { session } = this;
    session.refresh();
    requireReference(polygon, 'polygon');
    writePoint(session, 0, point, 'point');
    session.check(session.wasm.corridor_reset(session.handle, address, polygon));
  }

  /**
   * Takes over a corridor that starts in the first polygon of this one.
   * @param {Point} target moved to the nearest place on the last polygon
   * @param {ArrayLike<number> | Corridor} corridor references
   */
  set(target, corridor) {
    const address = addressOf(this, CORRIDOR);
    const { session } = this;
    const count = requireCorridor(corridor);
    const room = session.room(8 * count);
    writePoint(session, 0, target, 'target');
    writeReferences(session, room, polygonsOf(corridor), count, 'corridor');
    session.check(session.wasm.corridor_set(session.handle, address, room, count));
  }

  /** Where the agent is. @returns {[number, number, number]} */
  get position() {
    const at = readState(this);
    /** @type {[number, number, number]} */
    const point = [0, 0, 0];
    readPoint(this.session.f32, at, point);
    return point;
  }

  /** Where it goes. @returns {[number, number, number]} */
  get target() {
    const at = readState(this);
    /** @type {[number, number, number]} */
    const point = [0, 0, 0];
    readPoint(this.session.f32, at + WmCorridorState.target, point);
    return point;
  }

  /** References of its polygons, from where it is to where it goes. @returns {Float64Array} */
  get polygons() {
    const at = readState(this);
    const { u32 } = this.session;
    return readReferences(this.session, u32[at + WmCorridorState.polygons], u32[at + WmCorridorState.polygonCount], undefined);
  }

  /**
   * The next corners on the way to the target: without those within 0.01 of the position, up to the first entry of an
   * off-mesh connection.
   * @param {number} [max] how many, at least 1; default 4
   * @param {Path} [out] an earlier answer, to be filled in anew
   * @returns {Path} isCut: there are more; length: from the position through them
   */
  corners(max = 4, out = undefined) {
    const address = addressOf(this, CORRIDOR);
    const { session } = this;
    requireCount(max, 'max', COUNT_LIMIT);
    session.check(session.wasm.corridor_find_corners(session.handle, address, max));
    return readPath(session, out);
  }

  /**
   * Cuts a corner: where the way straight to `next` is free, as far as `range`, it goes along there, if that does not
   * make the way dearer.
   * @param {Point} next @param {number} range world units @param {{ filter?: Filter | FilterOptions }} [options]
   * @returns {boolean} whether it has changed
   */
  optimizeVisibility(next, range, options = NO_OPTIONS) {
    const address = addressOf(this, CORRIDOR);
    const { filter } = requireOptions(options, FILTER_OPTION);
    const { session } = this;
    session.refresh();
    requireAmount(range, 'range');
    writePoint(session, 0, next, 'next');
    const filterAddress = this.#mesh.filterAddress(filter);
    session.check(session.wasm.corridor_optimize_visibility(session.handle, address, range, filterAddress));
    return (session.u32[session.answer] & 255) !== 0;
  }

  /**
   * Looks for a cheaper way along the corridor with a short search.
   * @param {{ filter?: Filter | FilterOptions, budget?: number }} [options] budget: polygons to take up, default 32
   * @returns {boolean} whether it has changed
   */
  optimizeTopology(options = NO_OPTIONS) {
    const address = addressOf(this, CORRIDOR);
    const { filter, budget = 32 } = requireOptions(options, TOPOLOGY_NAMES);
    const { session } = this;
    session.refresh();
    requireCount(budget, 'budget', COUNT_LIMIT);
    const filterAddress = this.#mesh.filterAddress(filter);
    session.check(session.wasm.corridor_optimize_topology(session.handle, address, budget, filterAddress));
    return (session.u32[session.answer] & 255) !== 0;
  }

  /**
   * Goes over an off-mesh connection of the corridor: drops all before it and itself.
   * @param {number} connection reference of its polygon
   * @returns {{ start: [number, number, number], end: [number, number, number] } | null} its ends in the direction of
   *   travel; null where it is not in the corridor, or leads nowhere
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

  /** Moves the position along the surface towards a point, and mends the corridor. @param {Point} point @param {{ filter?: Filter | FilterOptions }} [options] */
  move(point, options = NO_OPTIONS) {
    const address = addressOf(this, CORRIDOR);
    const { filter } = requireOptions(options, FILTER_OPTION);
    const { session } = this;
    session.refresh();
    writePoint(session, 0, point, 'point');
    session.check(session.wasm.corridor_move(session.handle, address, this.#mesh.filterAddress(filter)));
  }

  /** Moves the target along the surface towards a point, and mends the corridor. @param {Point} point @param {{ filter?: Filter | FilterOptions }} [options] */
  moveTarget(point, options = NO_OPTIONS) {
    const address = addressOf(this, CORRIDOR);
    const { filter } = requireOptions(options, FILTER_OPTION);
    const { session } = this;
    session.refresh();
    writePoint(session, 0, point, 'point');
    session.check(session.wasm.corridor_move_target(session.handle, address, this.#mesh.filterAddress(filter)));
  }

  /** Puts it on another polygon, keeping its end: it is not valid until a corridor is set. @param {number} polygon reference @param {Point} point */
  fixStart(polygon, point) {
    const address = addressOf(this, CORRIDOR);
    const { session } = this;
    session.refresh();
    requireReference(polygon, 'polygon');
    writePoint(session, 0, point, 'point');
    session.check(session.wasm.corridor_fix_start(session.handle, address, polygon));
  }

  /**
   * Keeps the longest valid part from the start on; where nothing is valid, the polygon given, with the position there.
   * @param {number} polygon reference; 0: empty then @param {Point} point
   * @param {{ filter?: Filter | FilterOptions }} [options]
   */
  trim(polygon, point, options = NO_OPTIONS) {
    const address = addressOf(this, CORRIDOR);
    const { filter } = requireOptions(options, FILTER_OPTION);
    const { session } = this;
    session.refresh();
    requireReference(polygon, 'polygon');
    writePoint(session, 0, point, 'point');
    session.check(session.wasm.corridor_trim(session.handle, address, polygon, this.#mesh.filterAddress(filter)));
  }

  /** Whether any of its polygons has gone: its tile was removed or replaced. Costs next to nothing. */
  get isStale() {
    const at = readState(this);
    const { session } = this;
    const count = session.u32[at + WmCorridorState.polygonCount];
    return session.wasm.mesh_find_stale(addressOf(this.#mesh, NAV_MESH), session.u32[at + WmCorridorState.polygons], count) >>> 0 !== count;
  }

  /**
   * Whether its first polygons are there, pass the filter, and each is linked to the next. An empty one is valid.
   * @param {{ filter?: Filter | FilterOptions, lookAhead?: number }} [options] lookAhead: polygons; default 0: all
   */
  isValid(options = NO_OPTIONS) {
    const address = addressOf(this, CORRIDOR);
    const { filter, lookAhead = 0 } = requireOptions(options, VALID_NAMES);
    const { session } = this;
    session.refresh();
    requireCount(lookAhead, 'lookAhead', COUNT_LIMIT);
    return session.wasm.corridor_is_valid(address, lookAhead, this.#mesh.filterAddress(filter)) !== 0;
  }
}
