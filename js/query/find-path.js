/** Paths from point to point. */
import { arrayFor, outError, readFloats, readNearest, readReferences, requireOut } from '../runtime/answers.js';
import { NO_OPTIONS, failureOf, putPoint, requireAmount, requireBoolean, requireCount, requireName, requireOptions } from '../runtime/arguments.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { nameSet } from '../runtime/names.js';
import { NearestQueries, writeHalfExtents } from './nearest.js';
import { addressOf } from '../runtime/owned.js';
import { WmPath, WmPathOptions, WmSearchOptions } from '../runtime/layout.js';

/** @typedef {import('../runtime/answers.js').NearestPoint} NearestPoint */
/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../mesh/filter.js').Filter} Filter */
/** @typedef {import('../mesh/filter.js').FilterOptions} FilterOptions */
/** @typedef {import('./islands.js').Islands} Islands */
/** @typedef {import('../mesh/mesh-base.js').NavMeshBase} NavMeshBase */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @template T @typedef {import('../runtime/names.js').Names<T>} Names */

/** In the order of WmPathState in src/query/search/search.h. */
export const PATH_STATUSES = /** @type {const} */ (['unreachable', 'complete', 'partial', 'unreachable']);
/** In the order of WmPathReason. */
export const PATH_REASONS = /** @type {const} */ ([null, 'start-not-found', 'end-not-found', 'end-excluded',
  'not-connected', 'node-limit', 'broken-corridor', 'unfinished']);
/** In the order of WmCrossings. */
export const CROSSINGS = /** @type {const} */ (['none', 'areas', 'all']);

/** WM_POINT_OFF_MESH. */
const POINT_OFF_MESH = 4;
/** The largest of the counts that C takes. */
export const COUNT_LIMIT = 0xffffffff;

/** @typedef {'complete' | 'partial' | 'unreachable'} PathStatus */
/** @typedef {NonNullable<typeof PATH_REASONS[number]>} PathReason */

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

export const SEARCH_NAMES = nameSet(/** @satisfies {Names<SearchOptions>} */ (
  { filter: 1, maxNodes: 1, anyAngle: 1, rayLimit: 1 }));
export const PATH_NAMES = nameSet(/** @satisfies {Names<PathOptions>} */ (
  { filter: 1, maxNodes: 1, anyAngle: 1, rayLimit: 1, crossings: 1, maxPoints: 1, halfExtents: 1, islands: 1 }));

/** Inputs of a path, in words: start, end, and the fields of its WmPathOptions. */
const [START_AT, END_AT, OPTIONS_AT] = [0, 3, 6];
const [FILTER_AT, MAX_NODES_AT, ANY_ANGLE_AT, RAY_LIMIT_AT] = [WmSearchOptions.filter, WmSearchOptions.maxNodes, WmSearchOptions.anyAngle,
  WmSearchOptions.rayLimit].map((word) => OPTIONS_AT + WmPathOptions.search + word);
const [HALF_EXTENTS_AT, CROSSINGS_AT, MAX_POINTS_AT, ISLANDS_AT] = [WmPathOptions.halfExtents, WmPathOptions.crossings,
  WmPathOptions.maxPoints, WmPathOptions.islands].map((word) => OPTIONS_AT + word);

/**
 * Writes a WmSearchOptions into the inputs.
 * @param {NavMeshBase} mesh @param {SearchOptions} options with names that were checked
 */
export function writeSearchOptions(mesh, options) {
  const { filter, maxNodes = 0, anyAngle = false, rayLimit = 0 } = options;
  const { session } = mesh;
  const { u32, inputs } = session;
  u32[inputs + FILTER_AT] = mesh.filterAddress(filter);
  u32[inputs + MAX_NODES_AT] = requireCount(maxNodes, 'maxNodes', COUNT_LIMIT);
  u32[inputs + ANY_ANGLE_AT] = requireBoolean(anyAngle, 'anyAngle') ? 1 : 0;
  session.f32[inputs + RAY_LIMIT_AT] = requireAmount(rayLimit, 'rayLimit');
}

/** @param {Session} session @param {number} address @param {number} count @param {Uint8Array | undefined} given */
function readOffMesh(session, address, count, given) {
  const offMesh = given instanceof Uint8Array && given.length >= count ? given : arrayFor(Uint8Array, given, count);
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
    remaining: 0.5, isCut: false, searched: 0, start: null, end: null,
  };
}

/**
 * A WmPath out of the answer.
 * @param {Session} session @param {Path | undefined} out
 * @returns {Path}
 */
export function readPath(session, out) {
  const given = requireOut(out);
  try {
    return fillPath(session, given ?? emptyPath(), given);
  } catch (error) {
    throw outError(error, out);
  }
}

/** @param {Session} session @param {Path} path @param {Path | undefined} given whose arrays are used again */
function fillPath(session, path, given) {
  const { u32, f32, answer } = session;
  path.status = PATH_STATUSES[u32[answer + WmPath.state]];
  path.reason = PATH_REASONS[u32[answer + WmPath.reason]];
  path.cost = f32[answer + WmPath.cost];
  path.length = f32[answer + WmPath.length];
  path.remaining = f32[answer + WmPath.remaining];
  path.isCut = (u32[answer + WmPath.cut] & 255) !== 0;
  path.corridorCount = u32[answer + WmPath.polygonCount];
  path.corridor = readReferences(session, u32[answer + WmPath.polygons], path.corridorCount, given?.corridor);
  const count = u32[answer + WmPath.pointCount];
  path.count = count;
  path.points = readFloats(session, u32[answer + WmPath.points], 3 * count, given?.points);
  path.offMesh = readOffMesh(session, u32[answer + WmPath.pointFlags], count, given?.offMesh);
  path.pointPolygons = readReferences(session, u32[answer + WmPath.pointPolygons], count, given?.pointPolygons);
  path.start = readNearest(session, answer + WmPath.start, path.start);
  path.end = readNearest(session, answer + WmPath.end, path.end);
  path.searched = u32[answer + WmPath.searched];
  return path;
}

export class PathFinding extends NearestQueries {
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
    this.writePathOptions(requireOptions(options, PATH_NAMES));
    putPoint(session, START_AT, start);
    putPoint(session, END_AT, end);
    if (session.wasm.query_find_path(address) !== 0) throw failureOf(session, start, 'start', end, 'end');
    session.refresh();
    return readPath(session, out);
  }

  /** Writes a WmPathOptions into the inputs; the views are good after it. @internal @param {PathOptions} options with names that were checked */
  writePathOptions(options) {
    const { session } = this;
    const { halfExtents, crossings = 'none', maxPoints = 0, islands } = options;
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
