/** Queries around a point that walk from polygon to polygon: rays, moves, walls, the neighbourhood. */
import { arrayFor, outError, pointFor, pointOf, readFloats, readPoint, readReference, readReferences, readWords, requireOut } from '../runtime/results.js';
import { NO_OPTIONS, failureOf, putPoint, requireAmount, requireBoolean, requireCount, requireOptions, requireReference, writePoint } from '../runtime/arguments.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { nameSet } from '../runtime/option-names.js';
import { addressOf } from '../runtime/handle.js';
import { PathQueries } from './paths.js';
import { COUNT_LIMIT, FILTER_AND_LIMIT, FILTER_OPTION, MOVE_NAMES, checkNames } from './query-options.js';
import { WmMove, WmPolygons, WmRay, WmSegments, WmWall } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../runtime/arguments.js').PolygonRefs} PolygonRefs */
/** @typedef {import('../runtime/arguments.js').PointArgument} PointArgument */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('./query-options.js').FilterOption} FilterOption */
/** @typedef {import('./query-options.js').LimitOption} LimitOption */

/** No edge. */
const NO_EDGE = 0xffffffff;

/**
 * @typedef {object} RaycastHit
 * @property {boolean} hit true if a wall stops it; else it reaches its end
 * @property {boolean} isOutside true if it does not touch its start polygon: t is 0
 * @property {boolean} isCut true if it crosses more than maxPolygons polygons: the list is cut, the ray is not
 * @property {number} t the free fraction of it, 0 to 1
 * @property {[number, number, number]} point its end, on the surface
 * @property {[number, number, number]} normal of the wall, horizontal, towards the start; 0 without a hit
 * @property {PolygonRef} polygon the last one it enters
 * @property {number} edge of that polygon: the wall; -1 without a hit
 * @property {number} cost of the free part, including area costs
 * @property {number} count of polygons
 * @property {PolygonRefs} polygons from the start to the last one; in an overwritten result it may be longer
 */

/**
 * @typedef {object} Move
 * @property {PolygonRef} polygon of the end
 * @property {[number, number, number]} point
 * @property {number} count of polygons
 * @property {PolygonRefs} polygons visited, from the start to the last one; in an overwritten result it may be
 *   longer
 */

/**
 * @typedef {object} Wall
 * @property {boolean} found true if there is a wall within the distance
 * @property {number} distance on x and z; maxDistance if none was found
 * @property {[number, number, number]} point on the wall
 * @property {[number, number, number]} normal from the wall to the point, of length 1; 0 at distance 0, and if none
 *   was found
 * @property {Float32Array} segment both ends of the wall, x, y, z each
 * @property {PolygonRef} polygon that has the wall as an edge
 * @property {number} edge of that polygon; -1 if none was found
 */

/**
 * @typedef {object} WallSegments
 * @property {number} count
 * @property {Float32Array} ends two points per segment, x, y, z each
 * @property {PolygonRefs} polygons behind each segment; 0: a wall
 */

/**
 * In an overwritten result the arrays may be longer than the count.
 * @typedef {object} Polygons
 * @property {number} count
 * @property {PolygonRefs} polygons references
 * @property {Uint32Array} parents index in `polygons` of the one that each was reached from; of the first 0. Empty for queries
 *   that do not walk
 * @property {boolean} isCut true if there are more than maxPolygons
 */

const RAY_NAMES = nameSet({ filter: 1, maxPolygons: 1, onSurface: 1 });

/** The options of the last call, whose names are checked. @type {object} */
let rayOptions = NO_OPTIONS, moveOptions = NO_OPTIONS;

const SEGMENTS_NAMES = nameSet({ filter: 1, portals: 1 });

/**
 * Reads a WmPolygons from the result.
 * @param {Session} session @param {Polygons | undefined} out @returns {Polygons}
 */
export function readPolygons(session, out) {
  const { u32, answer, calls } = session;
  const count = u32[answer + WmPolygons.count];
  const given = requireOut(out);
  const polygons = readReferences(session, u32[answer + WmPolygons.polygons], count, given?.polygons);
  const parents = readWords(session, u32[answer + WmPolygons.parents], u32[answer + WmPolygons.parents] === 0 ? 0 : count, given?.parents);
  const isCut = (u32[answer + WmPolygons.cut] & 255) !== 0;
  session.requireNoCallSince(calls);
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

/** The normal of a result, to write into, as pointOf. @param {{ normal: [number, number, number] }} result */
function normalOf(result) {
  const { normal } = result;
  return typeof normal === 'object' && normal !== null ? normal : (result.normal = pointFor(normal));
}

export class LocalQueries extends PathQueries {
  /**
   * Walks straight over polygons until a wall, or a polygon that does not pass the filter. It does not enter off-mesh
   * connections.
   * @param {PolygonRef} polygon reference of the start polygon
   * @param {PointArgument} from @param {PointArgument} to its y is ignored
   * @param {FilterOption & LimitOption & { onSurface?: boolean }} [options] onSurface: the result's point lies on the surface
   *   (default). false is a fifth faster: y is that of `to` if it is reached, else that of the edge of the wall
   * @param {RaycastHit} [out] an earlier result, to be overwritten
   * @returns {RaycastHit}
   */
  raycast(polygon, from, to, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    if (options !== rayOptions) rayOptions = checkNames(options, RAY_NAMES);
    const { filter, maxPolygons, onSurface } = options;
    session.refresh();
    requireReference(polygon, 'polygon');
    if (onSurface !== undefined) requireBoolean(onSurface, 'onSurface');
    // Rare options skip the call: engines inline calls up to a limit.
    const limit = maxPolygons === undefined ? 0 : requireCount(maxPolygons, 'maxPolygons', COUNT_LIMIT);
    putPoint(session, 0, from);
    putPoint(session, 3, to);
    const filterAddress = filter === undefined ? 0 : this.filterAddress(filter);
    session.requireNoCallSince(calls);
    const status = session.wasm.query_raycast(address, polygon, filterAddress, onSurface === false ? 0 : 1, limit);
    if (status !== 0) throw failureOf(session, from, 'from', to, 'to');
    session.refresh();
    const { u32, f32, answer } = session;
    const flags = u32[answer + WmRay.hit], count = u32[answer + WmRay.polygonCount]; // before a setter of `out` can call
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
      ray.count = count;
      const read = readReferences(session, u32[answer + WmRay.polygons], count, polygons);
      if (read !== polygons) ray.polygons = read;
      session.requireNoCallSince(calls);
    } catch (error) {
      throw outError(error, out);
    }
    return ray;
  }

  /**
   * Moves along the surface towards a point, sliding along walls. Meant for short moves.
   * @param {PolygonRef} polygon reference of the start polygon
   * @param {PointArgument} from @param {PointArgument} to
   * @param {FilterOption & { onSurface?: boolean }} [options] onSurface: the result's point lies on the surface
   *   (default). false: y is that of `to` if it is reached, else that of the edge of the wall
   * @param {Move} [out] an earlier result, to be overwritten
   * @returns {Move}
   */
  moveAlongSurface(polygon, from, to, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    if (options !== moveOptions) moveOptions = checkNames(options, MOVE_NAMES);
    const { filter, onSurface = true } = options;
    session.refresh();
    requireReference(polygon, 'polygon');
    requireBoolean(onSurface, 'onSurface');
    putPoint(session, 0, from);
    putPoint(session, 3, to);
    const filterAddress = filter === undefined ? 0 : this.filterAddress(filter);
    session.requireNoCallSince(calls);
    const status = session.wasm.query_move_along_surface(address, polygon, filterAddress, onSurface ? 1 : 0);
    if (status !== 0) throw failureOf(session, from, 'from', to, 'to');
    session.refresh();
    const { u32, f32, answer } = session;
    const count = u32[answer + WmMove.polygonCount]; // before a setter of `out` can call
    const move = (typeof out?.count === 'number' ? out : requireOut(out)) ?? /** @type {Move} */ ({
      polygon: 0.5, point: [0.5, 0.5, 0.5], count: 0, polygons: /** @type {any} */ (undefined),
    });
    try {
      move.polygon = readReference(u32, answer);
      readPoint(f32, answer + WmMove.point, pointOf(move));
      move.count = count;
      const { polygons } = move;
      const read = readReferences(session, u32[answer + WmMove.polygons], count, polygons);
      if (read !== polygons) move.polygons = read;
      session.requireNoCallSince(calls);
    } catch (error) {
      throw outError(error, out);
    }
    return move;
  }

  /**
   * The nearest wall that can be reached. Edges of polygons that do not pass the filter are walls.
   * @param {PolygonRef} polygon reference of the polygon of the point
   * @param {PointArgument} point
   * @param {number} maxDistance world units; with few walls, the time grows with it
   * @param {FilterOption} [options]
   * @param {Wall} [out] an earlier result, to be overwritten
   * @returns {Wall}
   */
  distanceToWall(polygon, point, maxDistance, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    const { filter } = requireOptions(options, FILTER_OPTION);
    session.refresh();
    requireReference(polygon, 'polygon');
    requireAmount(maxDistance, 'maxDistance');
    writePoint(session, 0, point, 'point');
    const filterAddress = this.filterAddress(filter);
    session.requireNoCallSince(calls);
    session.check(session.wasm.query_distance_to_wall(address, polygon, maxDistance, filterAddress));
    const { u32, f32, answer } = session;
    const wall = (typeof out?.found === 'boolean' ? out : requireOut(out)) ?? /** @type {Wall} */ ({
      found: false, distance: 0.5, point: [0.5, 0.5, 0.5], normal: [0.5, 0.5, 0.5], segment: new Float32Array(6),
      polygon: 0.5, edge: 0,
    });
    try {
      const isFound = (u32[answer + WmWall.found] & 255) !== 0;
      wall.found = isFound;
      wall.distance = f32[answer + WmWall.distance];
      readPoint(f32, answer + WmWall.point, pointOf(wall));
      readPoint(f32, answer + WmWall.normal, normalOf(wall));
      const { segment } = wall;
      const ends = segment instanceof Float32Array && segment[5] !== undefined ? segment : (wall.segment = arrayFor(Float32Array, segment, 6));
      for (let i = 0; i < 6; i++) ends[i] = f32[answer + WmWall.segment + i];
      wall.polygon = readReference(u32, answer + WmWall.polygon);
      wall.edge = isFound && u32[answer + WmWall.edge] !== NO_EDGE ? u32[answer + WmWall.edge] : -1;
      session.requireNoCallSince(calls);
    } catch (error) {
      throw outError(error, out);
    }
    return wall;
  }

  /**
   * The walls of a polygon and, with `portals`, its portals.
   * @param {PolygonRef} polygon reference
   * @param {FilterOption & { portals?: boolean }} [options] portals: true: also the portals to other polygons; default false
   * @param {WallSegments} [out] an earlier result, to be overwritten
   * @returns {WallSegments}
   */
  wallSegments(polygon, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    const { filter, portals = false } = requireOptions(options, SEGMENTS_NAMES);
    session.refresh();
    requireReference(polygon, 'polygon');
    requireBoolean(portals, 'portals');
    const filterAddress = this.filterAddress(filter);
    session.requireNoCallSince(calls);
    session.check(session.wasm.query_wall_segments(address, polygon, filterAddress, portals ? 1 : 0));
    const { u32, answer } = session;
    const count = u32[answer + WmSegments.count];
    const given = requireOut(out);
    const ends = readFloats(session, u32[answer + WmSegments.ends], 6 * count, given?.ends);
    const polygons = readReferences(session, u32[answer + WmSegments.polygons], count, given?.polygons);
    session.requireNoCallSince(calls);
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
   * The polygons that can be reached within a circle, without overlaps: a flat part of the mesh around a point, for steering. The
   * start polygon is the first. As in Detour, rounding makes polygons that touch overlap far from the origin (from about 100 world
   * units on), and leaves them out; flood has no such test.
   * @param {PolygonRef} polygon reference of the polygon of the point
   * @param {PointArgument} centre @param {number} radius world units
   * @param {FilterOption & LimitOption} [options]
   * @param {Polygons} [out] an earlier result, to be overwritten
   * @returns {Polygons}
   */
  localNeighbourhood(polygon, centre, radius, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    const { filter, maxPolygons = 0 } = requireOptions(options, FILTER_AND_LIMIT);
    session.refresh();
    requireReference(polygon, 'polygon');
    requireAmount(radius, 'radius');
    requireCount(maxPolygons, 'maxPolygons', COUNT_LIMIT);
    writePoint(session, 0, centre, 'centre');
    const filterAddress = this.filterAddress(filter);
    session.requireNoCallSince(calls);
    session.check(session.wasm.query_local_neighbourhood(address, polygon, radius, filterAddress, maxPolygons));
    return readPolygons(session, out);
  }
}
