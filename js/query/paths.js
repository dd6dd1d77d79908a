/** Corridors, straight paths through a corridor, and smooth paths. */
import { outError, readReferences, requireOut } from '../runtime/results.js';
import { NO_OPTIONS, requireAmount, requireCount, requireName, requireOptions, requireReference, requireReferences, writePoint,
  writeReferences } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { CROSSINGS, PATH_NAMES, PATH_REASONS, PATH_STATUSES, SEARCH_NAMES, readPath, writeSearchOptions } from './find-path.js';
import { Islands } from './islands.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { nameSet } from '../runtime/option-names.js';
import { addressOf } from '../runtime/handle.js';
import { lengthOf } from '../runtime/typed-arrays.js';
import { PointQueries } from './polygon-points.js';
import { COUNT_LIMIT } from './query-options.js';
import { WmCorridor } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../runtime/arguments.js').PolygonRefs} PolygonRefs */
/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/arguments.js').PointArgument} PointArgument */
/** @typedef {import('./filter.js').Filter} Filter */
/** @typedef {import('./filter.js').FilterOptions} FilterOptions */
/** @typedef {import('./find-path.js').Path} Path */
/** @typedef {import('./find-path.js').PathOptions} PathOptions */
/** @typedef {import('./find-path.js').PathReason} PathReason */
/** @typedef {import('./find-path.js').PathStatus} PathStatus */
/** @typedef {import('./find-path.js').SearchOptions} SearchOptions */
/** @typedef {import('./find-path.js').StraightenOptions} StraightenOptions */
/** @template T @typedef {import('../runtime/option-names.js').Names<T>} Names */
/** @typedef {import('../runtime/session.js').Session} Session */

/**
 * Polygons from start to end, each linked to the next.
 * @typedef {object} Corridor
 * @property {PathStatus} status as in Path
 * @property {PathReason | null} reason why it is not complete; null if it is
 * @property {number} cost including area costs, as of a path: of the line through the midpoint of the edge by which each polygon was met first
 * @property {number} bound of a complete corridor with shortest: no way costs less; at most the cost. Else 0: none is proven
 * @property {number} count of polygons
 * @property {PolygonRefs} polygons references; in an overwritten result it may be longer than the count
 * @property {number} searched polygons that were searched
 */

/**
 * @typedef {object} WideOptions
 * @property {number} [wallDistance] as of findPath: the line keeps this distance from walls where there is room. Default 0
 * @property {boolean} [shortest] true: where ground on the way costs differently, the line through the corridor that costs least, as
 *   findPath with shortest and anyAngle; without wallDistance. Default false: the string, whatever it costs
 * @property {Filter | FilterOptions} [filter] with wallDistance: edges towards polygons that it excludes are walls; with shortest: the costs
 */

const STRAIGHTEN_NAMES = nameSet(/** @satisfies {Names<StraightenOptions & WideOptions>} */ ({ crossings: 1, maxPoints: 1, wallDistance: 1, filter: 1, shortest: 1 }));
const SMOOTH_NAMES = nameSet({ step: 1 }, PATH_NAMES);

/** Words of the inputs. */
const [START_AT, END_AT] = [0, 3];

/**
 * Reads a WmCorridor from the result.
 * @param {Session} session @param {Corridor | undefined} out @returns {Corridor}
 */
export function readCorridor(session, out) {
  const { u32, answer, calls } = session;
  const status = PATH_STATUSES[u32[answer + WmCorridor.state]];
  const reason = PATH_REASONS[u32[answer + WmCorridor.reason]];
  const cost = session.f32[answer + WmCorridor.cost], bound = session.f32[answer + WmCorridor.bound];
  const count = u32[answer + WmCorridor.polygonCount];
  const given = requireOut(out);
  const polygons = readReferences(session, u32[answer + WmCorridor.polygons], count, given?.polygons);
  const searched = u32[answer + WmCorridor.searched];
  session.requireNoCallSince(calls);
  if (!given) return { status, reason, cost, bound, count, polygons, searched };
  try {
    given.status = status;
    given.reason = reason;
    given.cost = cost;
    given.bound = bound;
    given.count = count;
    given.polygons = polygons;
    given.searched = searched;
  } catch (error) {
    throw outError(error, out);
  }
  return given;
}

/** @param {unknown} corridor */
const notCorridor = (corridor) => invalidArgument('corridor', `must be a corridor or an array of polygon references, not ${describe(corridor)}`, corridor);

/** The references of a corridor; the array may be longer. @param {ArrayLike<number> | Corridor} corridor */
export function requireCorridor(corridor) {
  if (typeof corridor !== 'object' || corridor === null) throw notCorridor(corridor);
  return requireReferences('polygons' in corridor ? corridor.polygons : corridor, 'corridor');
}

/**
 * The number of polygons of a corridor, at least one. Apart from requireCorridor, so that no object holds both for each call.
 * @param {ArrayLike<number> | Corridor} corridor @param {Float64Array} polygons of requireCorridor
 */
export function requireCorridorCount(corridor, polygons) {
  const length = lengthOf(polygons), count = 'polygons' in corridor ? corridor.count : length;
  if (Number.isInteger(count) && count > 0 && length >= count) return count;
  throw notCorridor(corridor);
}

export class PathQueries extends PointQueries {
  /** @type {Islands | undefined} */
  #ownIslands;

  /** The address of the islands of a path query. @internal @override @param {Islands | true} islands */
  islandsAddress(islands) {
    if (islands instanceof Islands) return islands.addressFor(this);
    if (islands !== true) throw invalidArgument('islands', `must be an Islands object or true, not ${describe(islands)}`, islands);
    this.#ownIslands ??= new Islands(this, undefined);
    return this.#ownIslands.addressFor(this);
  }

  /**
   * The cheapest corridor from a polygon to another (A* over midpoints of edges). With `shortest`, start and end are moved onto their polygons.
   * @param {PolygonRef} startPolygon reference @param {PointArgument} start @param {PolygonRef} endPolygon reference @param {PointArgument} end
   * @param {SearchOptions} [options]
   * @param {Corridor} [out] an earlier result, to be overwritten
   * @returns {Corridor}
   */
  findCorridor(startPolygon, start, endPolygon, end, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    session.refresh();
    requireReference(startPolygon, 'startPolygon');
    requireReference(endPolygon, 'endPolygon');
    writePoint(session, START_AT, start, 'start');
    writePoint(session, END_AT, end, 'end');
    writeSearchOptions(this, requireOptions(options, SEARCH_NAMES));
    session.requireNoCallSince(calls);
    session.check(session.wasm.query_find_corridor(address, startPolygon, endPolygon));
    return readCorridor(session, out);
  }

  /**
   * Pulls a string through a corridor. If two consecutive polygons are not linked, or one was removed, the points end in the last
   * polygon before them: status `partial`, reason `broken-corridor`.
   * @param {PointArgument} start clamped to the first polygon
   * @param {PointArgument} end clamped to the last polygon
   * @param {ArrayLike<number> | Corridor} corridor references from start to end
   * @param {StraightenOptions & WideOptions} [options]
   * @param {Path} [out] an earlier result, to be overwritten
   * @returns {Path} its cost is 0; start and end are null; its corridor, with wallDistance: the polygons that the line crosses
   */
  straighten(start, end, corridor, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    const { crossings, maxPoints, wallDistance, filter, shortest } = requireOptions(options, STRAIGHTEN_NAMES);
    if (wallDistance !== undefined || shortest !== undefined) return this.#straightenWide(start, end, corridor, options, out);
    session.refresh();
    if (filter !== undefined) this.filterAddress(filter); // has no effect here, and is checked all the same
    const polygons = requireCorridor(corridor), count = requireCorridorCount(corridor, polygons);
    const crossingsIndex = crossings === undefined ? 0 : requireName(CROSSINGS, crossings, 'crossings');
    const limit = maxPoints === undefined ? 0 : requireCount(maxPoints, 'maxPoints', COUNT_LIMIT);
    session.refresh();
    writePoint(session, START_AT, start, 'start');
    writePoint(session, END_AT, end, 'end');
    session.requireNoCallSince(calls);
    const scratch = session.reserve(8 * count);
    writeReferences(session, scratch, polygons, count, 'corridor');
    session.check(session.wasm.query_straighten(address, scratch, count, crossingsIndex, limit));
    return readPath(session, out);
  }

  /** straighten with wallDistance or shortest. @param {Point} start @param {Point} end @param {ArrayLike<number> | Corridor} corridor @param {StraightenOptions & WideOptions} options @param {Path | undefined} out */
  #straightenWide(start, end, corridor, options, out) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    const polygons = requireCorridor(corridor), count = requireCorridorCount(corridor, polygons);
    this.writePathOptions(options);
    writePoint(session, START_AT, start, 'start');
    writePoint(session, END_AT, end, 'end');
    session.requireNoCallSince(calls);
    const scratch = session.reserve(8 * count);
    writeReferences(session, scratch, polygons, count, 'corridor');
    session.check(session.wasm.query_straighten_wide(address, scratch, count));
    return readPath(session, out);
  }

  /**
   * As findPath, with points on the surface at equal steps: for drawing, or to walk without a corridor. The points of findPath
   * are among them; steps restart at each.
   * @param {PointArgument} start
   * @param {PointArgument} end
   * @param {PathOptions & { step?: number }} [options] step: world units on x and z between points, default 0.5
   * @param {Path} [out] an earlier result, to be overwritten
   * @returns {Path} pointPolygons: the polygon of each point
   */
  findSmoothPath(start, end, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    const { step = 0.5 } = requireOptions(options, SMOOTH_NAMES);
    if (!(requireAmount(step, 'step') > 0)) throw invalidArgument('step', `is ${step}: must be above 0`, step);
    this.writePathOptions(options);
    writePoint(session, START_AT, start, 'start');
    writePoint(session, END_AT, end, 'end');
    session.requireNoCallSince(calls);
    session.check(session.wasm.query_find_smooth_path(address, step));
    return readPath(session, out);
  }
}
