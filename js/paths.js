/** Corridors of polygons, the line pulled tight through one, and paths from point to point. */
import { arrayFor, readFloats, readNearest, readReferences, requireOut } from './answers.js';
import { NO_OPTIONS, requireAmount, requireBoolean, requireCount, requireName, requireOptions, requireReference,
  requireReferences, writePoint, writeReferences } from './arguments.js';
import { describe, invalidArgument } from './errors.js';
import { Islands } from './islands.js';
import { NAV_MESH } from './kinds.js';
import { addressOf } from './owned.js';
import { PointQueries, writeHalfExtents } from './points.js';

/** @typedef {import('./answers.js').NearestPoint} NearestPoint */
/** @typedef {import('./arguments.js').Point} Point */
/** @typedef {import('./filter.js').Filter} Filter */
/** @typedef {import('./filter.js').FilterOptions} FilterOptions */
/** @typedef {import('./session.js').Session} Session */

/** In the order of WmPathState in src/query/path.h. */
export const PATH_STATUSES = /** @type {const} */ (['unreachable', 'complete', 'partial', 'unreachable']);
/** In the order of WmPathReason. */
export const PATH_REASONS = /** @type {const} */ ([null, 'start-not-found', 'end-not-found', 'end-excluded',
  'not-connected', 'node-limit', 'broken-corridor', 'unfinished']);
/** In the order of WmCrossings. */
export const CROSSINGS = /** @type {const} */ (['none', 'areas', 'all']);

/** WM_POINT_OFF_MESH. */
const POINT_OFF_MESH = 4;
/** The largest of the counts that C takes. */
const COUNT_LIMIT = 0xffffffff;

/** @typedef {'complete' | 'partial' | 'unreachable'} PathStatus */
/** @typedef {NonNullable<typeof PATH_REASONS[number]>} PathReason */

/**
 * Polygons from start to end, each linked to the next.
 * @typedef {object} Corridor
 * @property {PathStatus} status as of a Path
 * @property {PathReason | null} reason why it is not complete
 * @property {number} cost of the way through the middles of edges, costs of areas included
 * @property {number} count of polygons
 * @property {Float64Array} polygons references; in an answer that was filled in anew it may be longer than the count
 * @property {number} searched polygons the search took up
 */

/**
 * Arrays are as long as the counts say, but in an answer that was filled in anew they may be longer.
 * @typedef {object} Path
 * @property {PathStatus} status `complete`: reaches the end; `partial`: the search was stopped (maxNodes);
 *   `unreachable`: there is no way. The points then lead to the nearest place found; there are none where the start
 *   or the end is not on the mesh
 * @property {PathReason | null} reason why it is not complete
 * @property {number} count of points
 * @property {Float32Array} points x, y, z of each, a string pulled tight
 * @property {Uint8Array} offMesh 1 for each point where an off-mesh connection begins; the next is its other end
 * @property {Float64Array} pointPolygons the polygon entered at each point; 0 at the end
 * @property {number} corridorCount of polygons
 * @property {Float64Array} corridor references of the polygons from start to end
 * @property {number} length of the line through the points, world units
 * @property {number} cost of the corridor, costs of areas included
 * @property {number} remaining straight distance from the last point to where the end came to lie; 0 where complete
 * @property {boolean} isCut whether maxPoints ended the points early
 * @property {number} searched polygons the search took up
 * @property {NearestPoint | null} start where the start came to lie on the mesh
 * @property {NearestPoint | null} end
 */

/**
 * @typedef {object} SearchOptions
 * @property {Filter | FilterOptions} [filter]
 * @property {number} [maxNodes] polygons to search; default 0: no limit
 * @property {boolean} [anyAngle] ray shortcuts: where the ground can be walked straight, the way goes straight, so that
 *   corridors follow the shortest line instead of middles of edges; each step costs a ray. Default false: as Detour
 * @property {number} [rayLimit] of anyAngle, world units: longer shortcuts are not tried; default 0: 50 times the agent's
 *   radius
 */

/**
 * @typedef {object} StraightenOptions
 * @property {'none' | 'areas' | 'all'} [crossings] extra points where the path crosses into another area, or into
 *   any polygon; default `none`
 * @property {number} [maxPoints] default 0: no limit
 */

/**
 * @typedef {object} FromPointToPointOptions
 * @property {Point} [halfExtents] how far start and end may lie from the mesh; default 2, 4, 2
 * @property {Islands | true} [islands] asked first, so that an end on another island is `unreachable` without a search
 *   through all of the start's; the path then leads to the place of the start's island nearest to the end. They are
 *   brought up to date for the filter; true: the mesh's own, which suits one filter at a time
 */

/** @typedef {SearchOptions & StraightenOptions & FromPointToPointOptions} PathOptions */

/** Inputs of a path, in words: start, end, and the fields of its WmPathOptions. */
const [START_AT, END_AT, FILTER_AT, MAX_NODES_AT, ANY_ANGLE_AT, RAY_LIMIT_AT, HALF_EXTENTS_AT, CROSSINGS_AT, MAX_POINTS_AT,
  ISLANDS_AT] = [0, 3, 6, 7, 8, 9, 10, 13, 14, 15];

/**
 * Writes a WmSearchOptions into the inputs.
 * @param {PointQueries} mesh @param {SearchOptions} options
 */
export function writeSearchOptions(mesh, options) {
  const { filter, maxNodes = 0, anyAngle = false, rayLimit = 0 } = requireOptions(options);
  const { session } = mesh;
  const { u32, inputs } = session;
  u32[inputs + FILTER_AT] = mesh.filterAddress(filter);
  u32[inputs + MAX_NODES_AT] = requireCount(maxNodes, 'maxNodes', COUNT_LIMIT);
  u32[inputs + ANY_ANGLE_AT] = requireBoolean(anyAngle, 'anyAngle') ? 1 : 0;
  session.f32[inputs + RAY_LIMIT_AT] = requireAmount(rayLimit, 'rayLimit');
}

/**
 * A WmCorridor out of the answer.
 * @param {Session} session @param {Corridor | undefined} out @returns {Corridor}
 */
export function readCorridor(session, out) {
  const { u32, answer } = session;
  const status = PATH_STATUSES[u32[answer]];
  const reason = PATH_REASONS[u32[answer + 1]];
  const cost = session.f32[answer + 2];
  const count = u32[answer + 3];
  const given = requireOut(out);
  const polygons = readReferences(session, u32[answer + 4], count, given?.polygons);
  const searched = u32[answer + 5];
  if (!given) return { status, reason, cost, count, polygons, searched };
  given.status = status;
  given.reason = reason;
  given.cost = cost;
  given.count = count;
  given.polygons = polygons;
  given.searched = searched;
  return given;
}

/** @param {Session} session @param {number} address @param {number} count @param {Uint8Array | undefined} given */
function readOffMesh(session, address, count, given) {
  const offMesh = arrayFor(Uint8Array, given, count);
  const { u32 } = session;
  for (let i = 0; i < count; i++) {
    const at = address + i;
    offMesh[i] = (u32[at >>> 2] >>> (8 * (at & 3))) & POINT_OFF_MESH ? 1 : 0;
  }
  return offMesh;
}

/**
 * The references of a corridor, at least one.
 * @param {ArrayLike<number> | Corridor} corridor
 * @returns {{ polygons: ArrayLike<number>, count: number }}
 */
export function requireCorridor(corridor) {
  if (typeof corridor === 'object' && corridor !== null) {
    const polygons = 'polygons' in corridor ? corridor.polygons : corridor;
    const count = 'polygons' in corridor ? corridor.count : corridor.length;
    requireReferences(polygons, 'corridor');
    if (Number.isInteger(count) && count > 0 && polygons.length >= count) return { polygons, count };
  }
  throw invalidArgument('corridor', `must hold references to polygons, not ${describe(corridor)}`, corridor);
}

/** @returns {Path} */
function emptyPath() {
  return {
    status: 'unreachable', reason: null, count: 0, points: new Float32Array(0), offMesh: new Uint8Array(0),
    pointPolygons: new Float64Array(0), corridorCount: 0, corridor: new Float64Array(0), length: 0.5, cost: 0.5,
    remaining: 0.5, isCut: false, searched: 0, start: null, end: null,
  };
}

/**
 * A WmPath out of the answer.
 * @param {Session} session @param {Path | undefined} out
 * @returns {Path}
 */
export function readPath(session, out) {
  const { u32, f32, answer } = session;
  const given = requireOut(out);
  const path = given ?? emptyPath();
  path.status = PATH_STATUSES[u32[answer]];
  path.reason = PATH_REASONS[u32[answer + 1]];
  path.cost = f32[answer + 2];
  path.length = f32[answer + 3];
  path.remaining = f32[answer + 4];
  path.isCut = (u32[answer + 5] & 255) !== 0;
  path.corridorCount = u32[answer + 6];
  path.corridor = readReferences(session, u32[answer + 7], path.corridorCount, given?.corridor);
  const count = u32[answer + 8];
  path.count = count;
  path.points = readFloats(session, u32[answer + 9], 3 * count, given?.points);
  path.offMesh = readOffMesh(session, u32[answer + 10], count, given?.offMesh);
  path.pointPolygons = readReferences(session, u32[answer + 11], count, given?.pointPolygons);
  path.start = readNearest(session, answer + 12, path.start);
  path.end = readNearest(session, answer + 18, path.end);
  path.searched = u32[answer + 24];
  return path;
}

export class PathQueries extends PointQueries {
  /** @type {Islands | undefined} */
  #ownIslands;

  /** The address of islands for a path. @internal @param {Islands | true} islands */
  islandsAddress(islands) {
    if (islands instanceof Islands) return islands.addressFor(this);
    if (islands !== true) throw invalidArgument('islands', `must be islands or true, not ${describe(islands)}`, islands);
    this.#ownIslands ??= new Islands(this, undefined);
    return this.#ownIslands.addressFor(this);
  }

  /**
   * The cheapest corridor of polygons from one to another (A* over the middles of edges).
   * @param {number} startPolygon reference @param {Point} start @param {number} endPolygon reference @param {Point} end
   * @param {SearchOptions} [options]
   * @param {Corridor} [out] an earlier answer, to be filled in anew
   * @returns {Corridor}
   */
  findCorridor(startPolygon, start, endPolygon, end, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    session.refresh();
    requireReference(startPolygon, 'startPolygon');
    requireReference(endPolygon, 'endPolygon');
    writePoint(session, START_AT, start, 'start');
    writePoint(session, END_AT, end, 'end');
    writeSearchOptions(this, options);
    session.check(session.wasm.query_find_corridor(address, startPolygon, endPolygon));
    return readCorridor(session, out);
  }

  /**
   * Pulls a string tight through a corridor. Where two of its polygons are not linked, or one has gone, the points lead
   * to the last that can be reached: `partial`, `broken-corridor`.
   * @param {Point} start clamped to the first polygon
   * @param {Point} end clamped to the last
   * @param {ArrayLike<number> | Corridor} corridor references from start to end
   * @param {StraightenOptions} [options]
   * @param {Path} [out] an earlier answer, to be filled in anew
   * @returns {Path} its cost is 0; it has no start and no end
   */
  straighten(start, end, corridor, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const { crossings = 'none', maxPoints = 0 } = requireOptions(options);
    const { polygons, count } = requireCorridor(corridor);
    const crossingsIndex = requireName(CROSSINGS, crossings, 'crossings');
    requireCount(maxPoints, 'maxPoints', COUNT_LIMIT);
    const room = session.room(8 * count);
    writePoint(session, START_AT, start, 'start');
    writePoint(session, END_AT, end, 'end');
    writeReferences(session, room, polygons, count, 'corridor');
    session.check(session.wasm.query_straighten(address, room, count, crossingsIndex, maxPoints));
    return readPath(session, out);
  }

  /**
   * A path between two points of the world: both are moved onto the mesh, a corridor of polygons is searched, and a
   * string is pulled tight through it. Never throws because there is no way: see status and reason.
   * @param {Point} start
   * @param {Point} end
   * @param {PathOptions} [options]
   * @param {Path} [out] an earlier answer, to be filled in anew
   * @returns {Path}
   */
  findPath(start, end, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    this.writePathOptions(options);
    writePoint(session, START_AT, start, 'start');
    writePoint(session, END_AT, end, 'end');
    session.check(session.wasm.query_find_path(address));
    return readPath(session, out);
  }

  /**
   * The same path as points on the surface, a step apart: for drawing, or for walking without a corridor. The string's
   * own points are among them; from each the steps begin anew.
   * @param {Point} start
   * @param {Point} end
   * @param {PathOptions & { step?: number }} [options] step: world units on x and z between points, default 0.5
   * @param {Path} [out] an earlier answer, to be filled in anew
   * @returns {Path} pointPolygons: those the points are on
   */
  findSmoothPath(start, end, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const { step = 0.5 } = requireOptions(options);
    if (!(requireAmount(step, 'step') > 0)) throw invalidArgument('step', `is ${step}: must be above 0`, step);
    this.writePathOptions(options);
    writePoint(session, START_AT, start, 'start');
    writePoint(session, END_AT, end, 'end');
    session.check(session.wasm.query_find_smooth_path(address, step));
    return readPath(session, out);
  }

  /** Writes a WmPathOptions into the inputs; the views are good after it. @internal @param {PathOptions} options */
  writePathOptions(options) {
    const { session } = this;
    const { halfExtents, crossings = 'none', maxPoints = 0, islands } = requireOptions(options);
    const islandsAddress = islands === undefined ? 0 : this.islandsAddress(islands);
    session.refresh();
    writeSearchOptions(this, options);
    writeHalfExtents(session, HALF_EXTENTS_AT, halfExtents);
    const { u32, inputs } = session;
    u32[inputs + CROSSINGS_AT] = crossings === 'none' ? 0 : requireName(CROSSINGS, crossings, 'crossings');
    u32[inputs + MAX_POINTS_AT] = requireCount(maxPoints, 'maxPoints', COUNT_LIMIT);
    u32[inputs + ISLANDS_AT] = islandsAddress;
  }
}
