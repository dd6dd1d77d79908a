/** Questions around one place, answered by walking from polygon to polygon: rays, moves, walls, neighbours. */
import { arrayFor, outError, pointFor, pointOf, readFloats, readPoint, readReference, readReferences, readWords, requireOut } from '../runtime/answers.js';
import { NO_OPTIONS, failureOf, putPoint, requireAmount, requireBoolean, requireCount, requireOptions, requireReference, writePoint } from '../runtime/arguments.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { nameSet } from '../runtime/names.js';
import { addressOf } from '../runtime/owned.js';
import { PathQueries } from './paths.js';
import { WmMove, WmPolygons, WmRay, WmSegments, WmWall } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../mesh/filter.js').Filter} Filter */
/** @typedef {import('../mesh/filter.js').FilterOptions} FilterOptions */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @template T @typedef {import('../runtime/names.js').Names<T>} Names */

/** The largest of the counts that C takes. */
const COUNT_LIMIT = 0xffffffff;
/** An edge that there is not. */
const NO_EDGE = 0xffffffff;

/**
 * @typedef {object} RaycastHit
 * @property {boolean} hit whether a wall stops it; else it reaches its end
 * @property {boolean} isOutside it does not touch the polygon it starts from: nothing was walked, t is 0
 * @property {boolean} isCut there are more polygons than maxPolygons: the ray went on all the same
 * @property {number} t how much of it is free, 0 to 1
 * @property {[number, number, number]} point where it ends, on the surface
 * @property {[number, number, number]} normal of the wall, horizontal, towards the ray; 0 without a hit
 * @property {number} polygon the last it enters
 * @property {number} edge of that polygon: the wall; -1 without a hit
 * @property {number} cost of the way, costs of areas included
 * @property {number} count of polygons
 * @property {Float64Array} polygons from the start on; in an answer that was filled in anew it may be longer
 */

/**
 * @typedef {object} Move
 * @property {number} polygon where it ends
 * @property {[number, number, number]} point
 * @property {number} count of polygons
 * @property {Float64Array} polygons visited, from the start to the last; in an answer that was filled in anew it may be
 *   longer
 */

/**
 * @typedef {object} Wall
 * @property {boolean} found whether there is a wall within the distance
 * @property {number} distance on x and z; the greatest asked for where none was found
 * @property {[number, number, number]} point on the wall
 * @property {[number, number, number]} normal from the wall to the point, of length 1; 0 at distance 0, and where none
 *   was found
 * @property {Float32Array} segment both ends of the wall, x, y, z each
 * @property {number} polygon that it is an edge of
 * @property {number} edge of that polygon; -1 where none was found
 */

/**
 * @typedef {object} WallSegments
 * @property {number} count
 * @property {Float32Array} ends two points of each, x, y, z each
 * @property {Float64Array} polygons behind each; 0: a wall
 */

/**
 * In an answer that was filled in anew the arrays may be longer than the count.
 * @typedef {object} Polygons
 * @property {number} count
 * @property {Float64Array} polygons references
 * @property {Uint32Array} parents place in `polygons` of the one each was reached from, of the first its own; of no
 *   length where nothing is walked
 * @property {boolean} isCut whether there are more than maxPolygons
 */

/**
 * @typedef {object} FilterOption
 * @property {Filter | FilterOptions} [filter]
 */

/**
 * @typedef {object} LimitOption
 * @property {number} [maxPolygons] default 0: no limit
 */

export const FILTER_OPTION = nameSet(/** @satisfies {Names<FilterOption>} */ ({ filter: 1 }));
export const FILTER_AND_LIMIT = nameSet(/** @satisfies {Names<FilterOption & LimitOption>} */ (
  { filter: 1, maxPolygons: 1 }));
const RAY_NAMES = nameSet({ filter: 1, maxPolygons: 1, onSurface: 1 });
export const MOVE_NAMES = nameSet({ filter: 1, onSurface: 1 });

/**
 * Options that the last call was asked with: rays and moves are asked thousands of times a frame, mostly with the same
 * object, and to look through its names takes a fifth of such a question. One with a filter is not kept: that would live on.
 * @type {object}
 */
let rayOptions = NO_OPTIONS, moveOptions = NO_OPTIONS;

/** @template T @param {T} options @param {import('../runtime/names.js').NameSet} names @returns {object} what need not be looked through again */
function lookThrough(options, names) {
  const { filter } = /** @type {FilterOption} */ (requireOptions(options, names));
  return filter === undefined ? /** @type {object} */ (options) : NO_OPTIONS;
}

const SEGMENTS_NAMES = nameSet({ filter: 1, portals: 1 });

/**
 * A WmPolygons out of the answer.
 * @param {Session} session @param {Polygons | undefined} out @returns {Polygons}
 */
export function readPolygons(session, out) {
  const { u32, answer } = session;
  const given = requireOut(out);
  const count = u32[answer + WmPolygons.count];
  const polygons = readReferences(session, u32[answer + WmPolygons.polygons], count, given?.polygons);
  const parents = readWords(session, u32[answer + WmPolygons.parents], u32[answer + WmPolygons.parents] === 0 ? 0 : count, given?.parents);
  const isCut = (u32[answer + WmPolygons.cut] & 255) !== 0;
  if (!given) return { count, polygons, parents, isCut };
  try {
    given.count = count;
    given.polygons = polygons;
    given.parents = parents;
    given.isCut = isCut;
  } catch (error) {
    throw outError(error, out);
  }
  return given;
}

/** The normal of an answer, to be filled in, as pointOf. @param {{ normal: [number, number, number] }} answer */
function normalOf(answer) {
  const { normal } = answer;
  return typeof normal === 'object' && normal !== null ? normal : (answer.normal = pointFor(normal));
}

export class LocalQueries extends PathQueries {
  /**
   * Walks on x and z from polygon to polygon until a wall, or a polygon that the filter refuses, stops it. Off-mesh
   * connections are not entered.
   * @param {number} polygon reference of the one it starts in
   * @param {Point} from @param {Point} to its y is of no account
   * @param {FilterOption & LimitOption & { onSurface?: boolean }} [options] onSurface: the point lies on the surface
   *   (default); otherwise, a fifth faster, its y is that of `to` where it is reached, and that of the edge where a wall stops it
   * @param {RaycastHit} [out] an earlier answer, to be filled in anew
   * @returns {RaycastHit}
   */
  raycast(polygon, from, to, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    if (options !== rayOptions) rayOptions = lookThrough(options, RAY_NAMES);
    const { filter, maxPolygons, onSurface } = options;
    session.refresh();
    requireReference(polygon, 'polygon');
    if (onSurface !== undefined) requireBoolean(onSurface, 'onSurface');
    // What is seldom given is not looked at: engines inline what is called up to a limit.
    const most = maxPolygons === undefined ? 0 : requireCount(maxPolygons, 'maxPolygons', COUNT_LIMIT);
    putPoint(session, 0, from);
    putPoint(session, 3, to);
    const filterAddress = filter === undefined ? 0 : this.filterAddress(filter);
    const status = session.wasm.query_raycast(address, polygon, filterAddress, onSurface === false ? 0 : 1, most);
    if (status !== 0) throw failureOf(session, from, 'from', to, 'to');
    session.refresh();
    const { u32, f32, answer } = session;
    const flags = u32[answer + WmRay.hit];
    const ray = (typeof out?.hit === 'boolean' ? out : requireOut(out)) ?? /** @type {RaycastHit} */ ({
      hit: false, isOutside: false, isCut: false, t: 0.5, point: [0.5, 0.5, 0.5], normal: [0.5, 0.5, 0.5], polygon: 0.5,
      edge: 0, cost: 0.5, count: 0, polygons: /** @type {any} */ (undefined),
    });
    try {
      ray.hit = (flags & 255) !== 0;
      ray.isOutside = (flags & 0xff00) !== 0;
      ray.isCut = (flags & 0xff0000) !== 0;
      ray.t = f32[answer + WmRay.t];
      readPoint(f32, answer + WmRay.point, pointOf(ray));
      readPoint(f32, answer + WmRay.normal, normalOf(ray));
      const { polygons } = ray;
      ray.polygon = readReference(u32, answer + WmRay.polygon);
      ray.edge = u32[answer + WmRay.edge] | 0;
      ray.cost = f32[answer + WmRay.cost];
      const count = u32[answer + WmRay.polygonCount];
      ray.count = count;
      const read = readReferences(session, u32[answer + WmRay.polygons], count, polygons);
      if (read !== polygons) ray.polygons = read;
    } catch (error) {
      throw outError(error, out);
    }
    return ray;
  }

  /**
   * Moves along the surface as far towards a point as walls let it, sliding along them. Meant for short moves.
   * @param {number} polygon reference of the one it starts in
   * @param {Point} from @param {Point} to
   * @param {FilterOption & { onSurface?: boolean }} [options] onSurface: the point lies on the surface (default);
   *   otherwise its y is that of `to` where it is reached, and that of the edge where a wall stops it
   * @param {Move} [out] an earlier answer, to be filled in anew
   * @returns {Move}
   */
  moveAlongSurface(polygon, from, to, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    if (options !== moveOptions) moveOptions = lookThrough(options, MOVE_NAMES);
    const { filter, onSurface = true } = options;
    session.refresh();
    requireReference(polygon, 'polygon');
    requireBoolean(onSurface, 'onSurface');
    putPoint(session, 0, from);
    putPoint(session, 3, to);
    const filterAddress = filter === undefined ? 0 : this.filterAddress(filter);
    const status = session.wasm.query_move_along_surface(address, polygon, filterAddress, onSurface ? 1 : 0);
    if (status !== 0) throw failureOf(session, from, 'from', to, 'to');
    session.refresh();
    const { u32, f32, answer } = session;
    const move = (typeof out?.count === 'number' ? out : requireOut(out)) ?? /** @type {Move} */ ({
      polygon: 0.5, point: [0.5, 0.5, 0.5], count: 0, polygons: /** @type {any} */ (undefined),
    });
    try {
      move.polygon = readReference(u32, answer);
      readPoint(f32, answer + WmMove.point, pointOf(move));
      const count = u32[answer + WmMove.polygonCount];
      move.count = count;
      const { polygons } = move;
      const read = readReferences(session, u32[answer + WmMove.polygons], count, polygons);
      if (read !== polygons) move.polygons = read;
    } catch (error) {
      throw outError(error, out);
    }
    return move;
  }

  /**
   * The wall nearest to a point among those that can be reached. Edges towards polygons that the filter refuses are
   * walls.
   * @param {number} polygon reference of the one the point is in
   * @param {Point} point
   * @param {number} maxDistance world units; the time taken grows with it where there are few walls
   * @param {FilterOption} [options]
   * @param {Wall} [out] an earlier answer, to be filled in anew
   * @returns {Wall}
   */
  distanceToWall(polygon, point, maxDistance, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const { filter } = requireOptions(options, FILTER_OPTION);
    session.refresh();
    requireReference(polygon, 'polygon');
    requireAmount(maxDistance, 'maxDistance');
    writePoint(session, 0, point, 'point');
    session.check(session.wasm.query_distance_to_wall(address, polygon, maxDistance, this.filterAddress(filter)));
    const { u32, f32, answer } = session;
    const wall = (typeof out?.found === 'boolean' ? out : requireOut(out)) ?? /** @type {Wall} */ ({
      found: false, distance: 0.5, point: [0.5, 0.5, 0.5], normal: [0.5, 0.5, 0.5], segment: new Float32Array(6),
      polygon: 0.5, edge: 0,
    });
    try {
      wall.found = (u32[answer + WmWall.found] & 255) !== 0;
      wall.distance = f32[answer + WmWall.distance];
      readPoint(f32, answer + WmWall.point, pointOf(wall));
      readPoint(f32, answer + WmWall.normal, normalOf(wall));
      const { segment } = wall;
      const ends = segment instanceof Float32Array && segment.length >= 6 ? segment : (wall.segment = arrayFor(Float32Array, segment, 6));
      for (let i = 0; i < 6; i++) ends[i] = f32[answer + WmWall.segment + i];
      wall.polygon = readReference(u32, answer + WmWall.polygon);
      wall.edge = wall.found && u32[answer + WmWall.edge] !== NO_EDGE ? u32[answer + WmWall.edge] : -1;
    } catch (error) {
      throw outError(error, out);
    }
    return wall;
  }

  /**
   * The outline of a polygon: its walls and, if wanted, its ways into other polygons.
   * @param {number} polygon reference
   * @param {FilterOption & { portals?: boolean }} [options] portals: ways into other polygons too; default false
   * @param {WallSegments} [out] an earlier answer, to be filled in anew
   * @returns {WallSegments}
   */
  wallSegments(polygon, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const { filter, portals = false } = requireOptions(options, SEGMENTS_NAMES);
    session.refresh();
    requireReference(polygon, 'polygon');
    requireBoolean(portals, 'portals');
    session.check(session.wasm.query_wall_segments(address, polygon, this.filterAddress(filter), portals ? 1 : 0));
    const { u32, answer } = session;
    const count = u32[answer + WmSegments.count];
    const given = requireOut(out);
    const ends = readFloats(session, u32[answer + WmSegments.ends], 6 * count, given?.ends);
    const polygons = readReferences(session, u32[answer + WmSegments.polygons], count, given?.polygons);
    if (!given) return { count, ends, polygons };
    try {
      given.count = count;
      given.ends = ends;
      given.polygons = polygons;
    } catch (error) {
      throw outError(error, out);
    }
    return given;
  }

  /**
   * Polygons that can be reached within a circle without one lying over another: a flat piece of the mesh around a
   * point, for steering. The start comes first.
   * @param {number} polygon reference of the one the point is in
   * @param {Point} centre @param {number} radius world units
   * @param {FilterOption & LimitOption} [options]
   * @param {Polygons} [out] an earlier answer, to be filled in anew
   * @returns {Polygons}
   */
  localNeighbourhood(polygon, centre, radius, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const { filter, maxPolygons = 0 } = requireOptions(options, FILTER_AND_LIMIT);
    session.refresh();
    requireReference(polygon, 'polygon');
    requireAmount(radius, 'radius');
    requireCount(maxPolygons, 'maxPolygons', COUNT_LIMIT);
    writePoint(session, 0, centre, 'centre');
    const filterAddress = this.filterAddress(filter);
    session.check(session.wasm.query_local_neighbourhood(address, polygon, radius, filterAddress, maxPolygons));
    return readPolygons(session, out);
  }
}
