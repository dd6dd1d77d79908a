/** Paths from point to point. */
import { arrayFor, hasRoom, outError, readFloats, readNearest, readReferences, requireOut } from '../runtime/results.js';
import { NO_OPTIONS, failureOf, putPoint, requireAmount, requireBoolean, requireCount, requireName } from '../runtime/arguments.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { nameSet } from '../runtime/option-names.js';
import { NearestQueries, writeHalfExtents } from './nearest.js';
import { addressOf } from '../runtime/handle.js';
import { COUNT_LIMIT, checkNames } from './query-options.js';
import { WmPath, WmPathOptions, WmSearchOptions } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').PolygonRefs} PolygonRefs */
/** @typedef {import('../runtime/results.js').NearestPoint} NearestPoint */
/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/arguments.js').PointArgument} PointArgument */
/** @typedef {import('./filter.js').Filter} Filter */
/** @typedef {import('./filter.js').FilterOptions} FilterOptions */
/** @typedef {import('./islands.js').Islands} Islands */
/** @typedef {import('./mesh-base.js').NavMeshBase} NavMeshBase */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @template T @typedef {import('../runtime/option-names.js').Names<T>} Names */

/** In the order of WmPathState in src/query/search/search.h. */
export const PATH_STATUSES = /** @type {const} */ (['unreachable', 'complete', 'partial', 'unreachable']);
/** In the order of WmPathReason. */
export const PATH_REASONS = /** @type {const} */ ([null, 'start-not-found', 'end-not-found', 'end-excluded',
  'not-connected', 'node-limit', 'broken-corridor', 'unfinished', 'start-excluded']);
/** In the order of WmCrossings. */
export const CROSSINGS = /** @type {const} */ (['none', 'areas', 'all']);

/** WM_POINT_OFF_MESH. */
const POINT_OFF_MESH = 4;

/** @typedef {'complete' | 'partial' | 'unreachable'} PathStatus */
/** @typedef {NonNullable<typeof PATH_REASONS[number]>} PathReason */

/**
 * The arrays have the length of the counts; in an overwritten result they may be longer.
 * @typedef {object} Path
 * @property {PathStatus} status `complete`: reaches the end; `partial`: the search was stopped (maxNodes);
 *   `unreachable`: the end isn't connected to the start. The points of the last two lead into the polygon that
 *   the search entered nearest to the end, and there to the point nearest to it; with islands, of an end on another island, to the nearest
 *   point of the start's island. There are none if the start or the end isn't on the mesh
 * @property {PathReason | null} reason why it is not complete; null if it is. `end-not-found`: no polygon within halfExtents, or radius; `end-excluded`: the
 *   filter passes none of those
 * @property {number} count of points
 * @property {Float32Array} points x, y, z of each
 * @property {Uint8Array} offMesh 1 for each point where an off-mesh connection starts; the next point is its other end
 * @property {PolygonRefs} pointPolygons the polygon entered at each point; 0 at the end
 * @property {number} corridorCount of polygons
 * @property {PolygonRefs} corridor references of the polygons from start to end
 * @property {number} length of the path, world units
 * @property {number} cost of the corridor as the search has measured it, including area costs: of the line through the midpoint of
 *   the edge by which it met each polygon first. So it is an estimate, mostly above the cost of the points, and can be below it where
 *   the path enters a polygon by another edge or an off-mesh connection. With shortest or anyAngle it is that of the shortest line
 *   through the corridor if the path is complete
 * @property {number} bound of a complete path with shortest: no path costs less; at most the cost. Else 0: none is proven
 * @property {number} remaining straight distance from the last point to the end on the mesh; 0 if complete
 * @property {boolean} isCut true if the path has more points than maxPoints
 * @property {number} searched polygons that were searched; with shortest, of an end that can't be reached, only those of the ordinary search
 * @property {NearestPoint | null} start the start on the mesh
 * @property {NearestPoint | null} end
 */

/**
 * @typedef {object} SearchOptions
 * @property {Filter | FilterOptions} [filter]
 * @property {number} [maxNodes] the largest number of polygons to search; default 0: no limit
 * @property {boolean} [anyAngle] true: shortens corridors by rays, so that they follow the shortest line instead of midpoints of
 *   edges; each step costs a ray. Where areas cost differently, as shortest, but without a bound. Default false: as Detour
 * @property {boolean} [shortest] true: the exact shortest path, measured on x and z, in 1 to 2 times the time; where areas cost
 *   differently, a path that costs hardly more than the cheapest one, in 10 to 25 times the time. Overrides anyAngle. Default false: as Detour
 * @property {number} [rayLimit] the longest ray of anyAngle, world units; default 0: 50 times the agent radius
 * @property {number} [wallDistance] world units, beyond the agent radius that the mesh keeps. Paths keep this distance from walls
 *   wherever the passage is at least twice as wide, round corners in arcs, and pass narrower places in their middle; with shortest, they
 *   pass obstacles on the side where that line is shorter. A search for a corridor reads it for wallCost only. Default 0: paths along walls, as Detour's
 * @property {number} [wallCost] ground near walls costs more, so that corridors lead through open ground: at distance d below
 *   wallDistance 1 + wallCost * (1 - d / wallDistance) times as much. Needs wallDistance, and excludes anyAngle and shortest.
 *   Default 0
 */

/**
 * @typedef {object} StraightenOptions
 * @property {'none' | 'areas' | 'all'} [crossings] adds points where the path enters another area, or every
 *   polygon; default `none`
 * @property {number} [maxPoints] the largest number of points; default 0: no limit
 */

/**
 * @typedef {object} FromPointToPointOptions
 * @property {Point} [halfExtents] half the size of boxes around start and end, per axis; default 2, 4, 2. As in Detour, polygons count whose
 *   bounds overlap the box: the points found, `start` and `end` of the path, may lie outside of it. `radius` limits the distance
 * @property {number} [radius] the largest distance of start and end from the mesh, world units: spheres in place of the boxes; default 0: the boxes
 * @property {Islands | true} [islands] checked first: an end on another island is `unreachable` without a search of the
 *   start's whole island, and the path leads to the point of the start's island nearest to the end. They are updated for the filter.
 *   true: islands of the mesh itself, efficient if all paths have the same filter
 */

/** @typedef {SearchOptions & StraightenOptions & FromPointToPointOptions} PathOptions */

export const SEARCH_NAMES = nameSet(/** @satisfies {Names<SearchOptions>} */ (
  { filter: 1, maxNodes: 1, anyAngle: 1, rayLimit: 1, shortest: 1, wallDistance: 1, wallCost: 1 }));
export const PATH_NAMES = nameSet(/** @satisfies {Names<PathOptions>} */ (
  { filter: 1, maxNodes: 1, anyAngle: 1, rayLimit: 1, shortest: 1, wallDistance: 1, wallCost: 1, crossings: 1, maxPoints: 1,
    halfExtents: 1, radius: 1, islands: 1 }));

/** Words of the inputs of a path: start, end, and the fields of its WmPathOptions. */
export const START_AT = 0, END_AT = 3, OPTIONS_AT = 6;
const [FILTER_AT, MAX_NODES_AT, ANY_ANGLE_AT, RAY_LIMIT_AT, SHORTEST_AT, WALL_DISTANCE_AT, WALL_COST_AT] = [WmSearchOptions.filter,
  WmSearchOptions.maxNodes, WmSearchOptions.anyAngle, WmSearchOptions.rayLimit, WmSearchOptions.shortest,
  WmSearchOptions.wallDistance, WmSearchOptions.wallCost].map((word) => OPTIONS_AT + WmPathOptions.search + word);
const [HALF_EXTENTS_AT, RADIUS_AT, CROSSINGS_AT, MAX_POINTS_AT, ISLANDS_AT] = [WmPathOptions.halfExtents, WmPathOptions.radius,
  WmPathOptions.crossings, WmPathOptions.maxPoints, WmPathOptions.islands].map((word) => OPTIONS_AT + word);

/**
 * Writes a WmSearchOptions into the inputs.
 * @param {NavMeshBase} mesh @param {SearchOptions} options with checked names
 */
export function writeSearchOptions(mesh, options) {
  const { filter, maxNodes = 0, anyAngle = false, rayLimit = 0, shortest = false, wallDistance = 0, wallCost = 0 } = options;
  const { session } = mesh;
  const { u32, inputs } = session;
  u32[inputs + FILTER_AT] = mesh.filterAddress(filter);
  u32[inputs + MAX_NODES_AT] = requireCount(maxNodes, 'maxNodes', COUNT_LIMIT);
  u32[inputs + ANY_ANGLE_AT] = requireBoolean(anyAngle, 'anyAngle') ? 1 : 0;
  u32[inputs + SHORTEST_AT] = requireBoolean(shortest, 'shortest') ? 1 : 0;
  session.f32[inputs + RAY_LIMIT_AT] = requireAmount(rayLimit, 'rayLimit');
  session.f32[inputs + WALL_DISTANCE_AT] = requireAmount(wallDistance, 'wallDistance');
  session.f32[inputs + WALL_COST_AT] = requireAmount(wallCost, 'wallCost');
}

/** @param {Session} session @param {number} address @param {number} count @param {Uint8Array | undefined} given */
function readOffMesh(session, address, count, given) {
  const offMesh = given instanceof Uint8Array && hasRoom(given, count) ? given : arrayFor(Uint8Array, given, count);
  const { u32 } = session;
  for (let i = 0; i < count; i++) {
    const at = address + i;
    offMesh[i] = (u32[at >>> 2] >>> (8 * (at & 3))) & POINT_OFF_MESH ? 1 : 0;
  }
  return offMesh;
}

/** @returns {Path} */
function emptyPath() {
  return {
    status: 'unreachable', reason: null, count: 0, points: new Float32Array(0), offMesh: new Uint8Array(0),
    pointPolygons: new Float64Array(0), corridorCount: 0, corridor: new Float64Array(0), length: 0.5, cost: 0.5,
    bound: 0.5, remaining: 0.5, isCut: false, searched: 0, start: null, end: null,
  };
}

/**
 * Reads a WmPath from the result.
 * @param {Session} session @param {Path | undefined} out @param {number} [at] its first word
 * @returns {Path}
 */
export function readPath(session, out, at = session.answer) {
  const { calls } = session;
  const given = requireOut(out);
  session.requireNoCallSince(calls); // a proxy as `out`
  try {
    const path = fillPath(session, given ?? emptyPath(), given, at);
    session.requireNoCallSince(calls);
    return path;
  } catch (error) {
    throw outError(error, out);
  }
}

/**
 * @param {Session} session @param {Path} path @param {Path | undefined} given the result whose arrays are reused
 * @param {number} answer the first word of the WmPath
 */
function fillPath(session, path, given, answer) {
  const { u32, f32 } = session;
  const corridorCount = u32[answer + WmPath.polygonCount], count = u32[answer + WmPath.pointCount]; // before a setter of `out` can call
  path.status = PATH_STATUSES[u32[answer + WmPath.state]];
  path.reason = PATH_REASONS[u32[answer + WmPath.reason]];
  path.cost = f32[answer + WmPath.cost];
  path.length = f32[answer + WmPath.length];
  path.remaining = f32[answer + WmPath.remaining];
  path.isCut = (u32[answer + WmPath.cut] & 255) !== 0;
  path.corridorCount = corridorCount;
  path.corridor = readReferences(session, u32[answer + WmPath.polygons], corridorCount, given?.corridor);
  path.count = count;
  path.points = readFloats(session, u32[answer + WmPath.points], 3 * count, given?.points);
  path.offMesh = readOffMesh(session, u32[answer + WmPath.pointFlags], count, given?.offMesh);
  path.pointPolygons = readReferences(session, u32[answer + WmPath.pointPolygons], count, given?.pointPolygons);
  path.start = readNearest(session, answer + WmPath.start, path.start);
  path.end = readNearest(session, answer + WmPath.end, path.end);
  path.searched = u32[answer + WmPath.searched];
  path.bound = f32[answer + WmPath.bound];
  return path;
}

export class PathFinding extends NearestQueries {
  /**
   * Finds a path between two points: moves both onto the mesh, searches a corridor of polygons, and pulls a string through it. An
   * unreachable end isn't an error: see status and reason.
   * @param {PointArgument} start
   * @param {PointArgument} end
   * @param {PathOptions} [options]
   * @param {Path} [out] an earlier result, to be overwritten
   * @returns {Path}
   */
  findPath(start, end, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    checkNames(options, PATH_NAMES);
    this.writePathOptions(options);
    putPoint(session, START_AT, start);
    putPoint(session, END_AT, end);
    session.requireNoCallSince(calls);
    if (session.wasm.query_find_path(address) !== 0) throw failureOf(session, start, 'start', end, 'end');
    session.refresh();
    return readPath(session, out);
  }

  /** Writes a WmPathOptions into the inputs; refreshes the views. @internal @param {PathOptions} options with checked names */
  writePathOptions(options) {
    const { session } = this;
    const { halfExtents, radius = 0, crossings = 'none', maxPoints = 0, islands } = options;
    const islandsAddress = islands === undefined ? 0 : this.islandsAddress(islands);
    session.refresh();
    writeSearchOptions(this, options);
    writeHalfExtents(session, HALF_EXTENTS_AT, halfExtents);
    const { u32, inputs } = session;
    session.f32[inputs + RADIUS_AT] = requireAmount(radius, 'radius');
    u32[inputs + CROSSINGS_AT] = crossings === 'none' ? 0 : requireName(CROSSINGS, crossings, 'crossings');
    u32[inputs + MAX_POINTS_AT] = requireCount(maxPoints, 'maxPoints', COUNT_LIMIT);
    u32[inputs + ISLANDS_AT] = islandsAddress;
  }
}
