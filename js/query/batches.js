/**
 * Batches: many queries in one call, with flat arrays for arguments and results, a row per query. A row with an invalid argument
 * (a position that isn't finite, a stale reference) has zeros and an error status; the others have results. Results equal those
 * of the single queries, to the bit.
 */
import { arrayFor, outError, requireOut } from '../runtime/results.js';
import { NO_OPTIONS, requireAmount, requireBoolean, requireCount, requireNumbers, requireOptions, requireReferences } from '../runtime/arguments.js';
import { STATUS_CODES, describe, invalidArgument } from '../runtime/errors.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { addressOf } from '../runtime/handle.js';
import { findAlternatives } from './alternatives.js';
import { PATH_NAMES, PATH_REASONS, PATH_STATUSES } from './find-path.js';
import { FILTER_OPTION, MOVE_NAMES } from './query-options.js';
import { RANDOM_NAMES, RandomQueries } from './random.js';
import { viewOf } from '../runtime/typed-arrays.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../runtime/arguments.js').PolygonRefs} PolygonRefs */
/** @typedef {import('../runtime/arguments.js').PointArgument} PointArgument */
/** @typedef {import('../runtime/arguments.js').Points} Points */
/** @typedef {import('./alternatives.js').AlternativeOptions} AlternativeOptions */
/** @typedef {import('./find-path.js').Path} Path */
/** @typedef {import('./filter.js').Filter} Filter */
/** @typedef {import('./query-options.js').FilterOption} FilterOption */
/** @typedef {import('./polygon-points.js').NearestOptions} NearestOptions */
/** @typedef {import('./paths.js').PathOptions} PathOptions */
/** @typedef {import('./random.js').RandomOptions} RandomOptions */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('../runtime/typed-arrays.js').NumberArray} NumberArray */

/**
 * A status is 0 for a row with a result; errorCode names the others. In an overwritten result the arrays may be longer than the
 * count.
 * @typedef {{ count: number, polygons: PolygonRefs, points: Float32Array, over: Uint8Array, statuses: Uint8Array }} NearestPoints
 * @typedef {{ count: number, t: Float32Array, points: Float32Array, normals: Float32Array, polygons: PolygonRefs,
 *   statuses: Uint8Array }} Raycasts t: 1 if the ray reaches its end; polygons: the last of each ray
 * @typedef {{ count: number, polygons: PolygonRefs, points: Float32Array, statuses: Uint8Array }} Moves
 * @typedef {{ count: number, heights: Float32Array, found: Uint8Array, statuses: Uint8Array }} Heights
 * @typedef {{ count: number, distances: Float32Array, points: Float32Array, normals: Float32Array, statuses: Uint8Array }} WallDistances
 * @typedef {{ count: number, polygons: PolygonRefs, points: Float32Array }} RandomPoints polygons: 0 if no polygon passes the filter
 * @typedef {{ count: number, states: Uint8Array, reasons: Uint8Array, costs: Float32Array, lengths: Float32Array,
 *   remaining: Float32Array, pathStarts: Uint32Array, points: Float32Array, statuses: Uint8Array }} Paths
 *   states, reasons: numbers, see pathStatus and pathReason; pathStarts: path i has the points from pathStarts[i] to
 *   pathStarts[i + 1] - 1
 */

/** The error code of a row's status; undefined for 0. @param {number} status */
export const errorCode = (status) => STATUS_CODES[requireCount(status, 'status', STATUS_CODES.length) - 1];

/** The status of a state in Paths. @param {number} state */
export const pathStatus = (state) => PATH_STATUSES[requireCount(state, 'state', PATH_STATUSES.length - 1)];

/** The reason of a number in Paths. @param {number} reason */
export const pathReason = (reason) => PATH_REASONS[requireCount(reason, 'reason', PATH_REASONS.length - 1)];

/** The arrays of one call in the module's memory. Callers take the widest items first, so that all arrays are aligned. */
class Rows {
  #session;
  #count;
  #at;

  /** @param {Session} session @param {number} count rows @param {number} bytes per row @param {number} [extra] bytes */
  constructor(session, count, bytes, extra = 0) {
    this.#session = session;
    this.#count = count;
    this.#at = session.reserve(count * bytes + extra);
  }

  /** The address of the next array. @param {number} bytes per row @param {number} [extra] */
  take(bytes, extra = 0) {
    const address = this.#at;
    this.#at += this.#count * bytes + extra;
    return address;
  }

  /** The address of the next array, filled with points. @param {NumberArray} points of pointRows, firstPoints */
  points(points) {
    const address = this.take(12);
    this.#session.f32.set(points, address >>> 2);
    return address;
  }

  /** The address of the next array, filled with references. @param {Float64Array} references of referenceRows */
  references(references) {
    const address = this.take(8);
    this.#session.f64.set(references, address / 8);
    return address;
  }
}

/** Numbers whose rows are the queries. @param {Points} points @param {string} field */
function pointRows(points, field) {
  const numbers = typeof points === 'object' && points !== null ? requireNumbers(points, field) : undefined;
  if (numbers && numbers.length % 3 === 0) return numbers;
  throw invalidArgument(field, `must be numbers, 3 per row, not ${describe(points)}`, points);
}

/** References whose rows are the queries. @param {ArrayLike<number>} references @param {string} field */
const referenceRows = (references, field) => viewOf(requireReferences(references, field));

/** The first points of an array that may be longer. @param {Points} points @param {number} rows @param {string} field */
function firstPoints(points, rows, field) {
  const numbers = typeof points === 'object' && points !== null ? requireNumbers(points, field) : undefined;
  if (numbers && numbers.length >= 3 * rows) return viewOf(numbers, 3 * rows);
  throw invalidArgument(field, `must be at least ${3 * rows} numbers, not ${describe(points)}`, points);
}

/** @param {Session} session @param {number} address @param {number} count @param {Float32Array | undefined} given */
function copyFloats({ f32 }, address, count, given) {
  const floats = arrayFor(Float32Array, given, count);
  floats.set(f32.subarray(address >>> 2, (address >>> 2) + count));
  return floats;
}

/** @param {Session} session @param {number} address @param {number} count @param {Float64Array | undefined} given */
function copyReferences({ f64 }, address, count, given) {
  const references = arrayFor(Float64Array, given, count);
  references.set(f64.subarray(address / 8, address / 8 + count));
  return references;
}

/** @param {Session} session @param {number} address @param {number} count @param {Uint8Array | undefined} given */
function copyBytes(session, address, count, given) {
  const bytes = arrayFor(Uint8Array, given, count);
  bytes.set(session.view(address, count));
  return bytes;
}

/** @template {object} T @param {Session} session @param {number} calls @param {T} given @param {T} fields @returns {T} */
function overwrite(session, calls, given, fields) {
  try {
    session.requireNoCallSince(calls); // getters of the given result
    return Object.assign(given, fields);
  } catch (error) {
    throw outError(error, given);
  }
}

export class BatchQueries extends RandomQueries {
  /**
   * nearestPoint for many points.
   * @param {Points} points
   * @param {NearestOptions} [options]
   * @param {Partial<NearestPoints>} [out] an earlier result, to be overwritten
   * @returns {NearestPoints} polygons: 0 if there is none
   */
  nearestPoints(points, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    const given = requireOut(out) ?? {};
    const rowsOfPoints = pointRows(points, 'points'), count = rowsOfPoints.length / 3;
    session.refresh();
    this.writeNearestOptions(options);
    session.requireNoCallSince(calls);
    const rows = new Rows(session, count, 34);
    const polygons = rows.take(8);
    const centres = rows.points(rowsOfPoints);
    const [found, over, statuses] = [rows.take(12), rows.take(1), rows.take(1)];
    session.check(session.wasm.query_nearest_points(address, count, centres, polygons, found, over, statuses));
    return overwrite(session, calls, /** @type {NearestPoints} */ (given), {
      count, polygons: copyReferences(session, polygons, count, given.polygons),
      points: copyFloats(session, found, 3 * count, given.points), over: copyBytes(session, over, count, given.over),
      statuses: copyBytes(session, statuses, count, given.statuses),
    });
  }

  /**
   * raycast for many rays, without the polygons they cross.
   * @param {ArrayLike<PolygonRef>} polygons references of the start polygons, one per ray
   * @param {Points} from @param {Points} to
   * @param {FilterOption & { onSurface?: boolean }} [options]
   * @param {Partial<Raycasts>} [out] an earlier result, to be overwritten
   * @returns {Raycasts}
   */
  raycasts(polygons, from, to, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    const given = requireOut(out) ?? {};
    const startPolygons = referenceRows(polygons, 'polygons'), count = startPolygons.length;
    const { filter, onSurface = true } = requireOptions(options, MOVE_NAMES);
    requireBoolean(onSurface, 'onSurface');
    const [startPoints, endPoints] = [firstPoints(from, count, 'from'), firstPoints(to, count, 'to')];
    session.refresh();
    const filterAddress = this.filterAddress(filter);
    session.requireNoCallSince(calls);
    const rows = new Rows(session, count, 69);
    const starts = rows.references(startPolygons);
    const ends = rows.take(8);
    const [origins, targets] = [rows.points(startPoints), rows.points(endPoints)];
    const [t, points, normals, statuses] = [rows.take(4), rows.take(12), rows.take(12), rows.take(1)];
    session.check(session.wasm.query_raycasts(address, count, starts, origins, targets, filterAddress, onSurface ? 1 : 0, t, points,
      normals, ends, statuses));
    return overwrite(session, calls, /** @type {Raycasts} */ (given), {
      count, t: copyFloats(session, t, count, given.t), points: copyFloats(session, points, 3 * count, given.points),
      normals: copyFloats(session, normals, 3 * count, given.normals),
      polygons: copyReferences(session, ends, count, given.polygons),
      statuses: copyBytes(session, statuses, count, given.statuses),
    });
  }

  /**
   * moveAlongSurface for many moves, without the visited polygons.
   * @param {ArrayLike<PolygonRef>} polygons references of the start polygons, one per move
   * @param {Points} positions @param {Points} to
   * @param {FilterOption & { onSurface?: boolean }} [options]
   * @param {Partial<Moves>} [out] an earlier result, to be overwritten
   * @returns {Moves} the ends of the moves
   */
  moves(polygons, positions, to, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    const given = requireOut(out) ?? {};
    const { filter, onSurface = true } = requireOptions(options, MOVE_NAMES);
    requireBoolean(onSurface, 'onSurface');
    const startPolygons = referenceRows(polygons, 'polygons'), count = startPolygons.length;
    const [startPoints, endPoints] = [firstPoints(positions, count, 'positions'), firstPoints(to, count, 'to')];
    session.refresh();
    const filterAddress = this.filterAddress(filter);
    session.requireNoCallSince(calls);
    const rows = new Rows(session, count, 33);
    const starts = rows.references(startPolygons);
    const [points, targets, statuses] = [rows.points(startPoints), rows.points(endPoints), rows.take(1)];
    session.check(session.wasm.query_moves(address, count, starts, points, targets, filterAddress, onSurface ? 1 : 0,
      statuses));
    return overwrite(session, calls, /** @type {Moves} */ (given), {
      count, polygons: copyReferences(session, starts, count, given.polygons),
      points: copyFloats(session, points, 3 * count, given.points), statuses: copyBytes(session, statuses, count, given.statuses),
    });
  }

  /**
   * height for many points.
   * @param {ArrayLike<PolygonRef>} polygons references, one per point
   * @param {Points} positions
   * @param {Partial<Heights>} [out] an earlier result, to be overwritten
   * @returns {Heights}
   */
  heights(polygons, positions, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    const given = requireOut(out) ?? {};
    const startPolygons = referenceRows(polygons, 'polygons'), count = startPolygons.length;
    const startPoints = firstPoints(positions, count, 'positions');
    session.requireNoCallSince(calls);
    const rows = new Rows(session, count, 26);
    const starts = rows.references(startPolygons), points = rows.points(startPoints);
    const [heights, found, statuses] = [rows.take(4), rows.take(1), rows.take(1)];
    session.check(session.wasm.query_heights(address, count, starts, points, heights, found, statuses));
    return overwrite(session, calls, /** @type {Heights} */ (given), {
      count, heights: copyFloats(session, heights, count, given.heights), found: copyBytes(session, found, count, given.found),
      statuses: copyBytes(session, statuses, count, given.statuses),
    });
  }

  /**
   * distanceToWall for many points, without the walls' segments.
   * @param {ArrayLike<PolygonRef>} polygons references, one per point
   * @param {Points} positions
   * @param {number} maxDistance
   * @param {FilterOption} [options]
   * @param {Partial<WallDistances>} [out] an earlier result, to be overwritten
   * @returns {WallDistances}
   */
  wallDistances(polygons, positions, maxDistance, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    const given = requireOut(out) ?? {};
    requireAmount(maxDistance, 'maxDistance');
    const startPolygons = referenceRows(polygons, 'polygons'), count = startPolygons.length;
    const startPoints = firstPoints(positions, count, 'positions');
    session.refresh();
    const filterAddress = this.filterAddress(requireOptions(options, FILTER_OPTION).filter);
    session.requireNoCallSince(calls);
    const rows = new Rows(session, count, 49);
    const starts = rows.references(startPolygons), centres = rows.points(startPoints);
    const [distances, points, normals, statuses] = [rows.take(4), rows.take(12), rows.take(12), rows.take(1)];
    session.check(session.wasm.query_wall_distances(address, count, starts, centres, maxDistance, filterAddress, distances,
      points, normals, statuses));
    return overwrite(session, calls, /** @type {WallDistances} */ (given), {
      count, distances: copyFloats(session, distances, count, given.distances),
      points: copyFloats(session, points, 3 * count, given.points),
      normals: copyFloats(session, normals, 3 * count, given.normals),
      statuses: copyBytes(session, statuses, count, given.statuses),
    });
  }

  /**
   * randomPoint, `count` times.
   * @param {number} count
   * @param {RandomOptions} [options]
   * @param {Partial<RandomPoints>} [out] an earlier result, to be overwritten
   * @returns {RandomPoints}
   */
  randomPoints(count, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    const given = requireOut(out) ?? {};
    requireCount(count, 'count', 1 << 26);
    session.refresh();
    const random = this.generatorFor(requireOptions(options, RANDOM_NAMES).random);
    this.writeRandomOptions(options);
    session.requireNoCallSince(calls);
    const rows = new Rows(session, count, 20);
    const [polygons, points] = [rows.take(8), rows.take(12)];
    random.copyStateIn(session);
    session.check(session.wasm.query_random_points(address, count, polygons, points));
    random.copyStateOut(session);
    return overwrite(session, calls, /** @type {RandomPoints} */ (given), {
      count, polygons: copyReferences(session, polygons, count, given.polygons),
      points: copyFloats(session, points, 3 * count, given.points),
    });
  }

  /**
   * findPath for many pairs of points, without corridors.
   * @overload
   * @param {Points} starts @param {Points} ends
   * @param {PathOptions} [options]
   * @param {Partial<Paths>} [out] an earlier result, to be overwritten
   * @returns {Paths}
   */
  /**
   * With a count: other ways between two points, as far as there are any. The first path is that of findPath with the same options; each
   * further one differs from each one before it, on `difference` of its length: there it is farther away than a twentieth of the first path's
   * length, or behind a wall. The further ones are shortest first, and at most `maxLength` times as long as the first; their cost is
   * that of their line, and `searched` is 0. If the first path isn't complete, it is the only one.
   * @overload
   * @param {PointArgument} start @param {PointArgument} end
   * @param {AlternativeOptions} options
   * @returns {Path[]}
   */
  /** @param {any} starts @param {any} ends @param {any} [options] @param {any} [out] @returns {any} */
  findPaths(starts, ends, options = NO_OPTIONS, out = undefined) {
    if (typeof options === 'object' && options !== null && 'count' in options) return findAlternatives(this, starts, ends, options, out);
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    const given = requireOut(out) ?? {};
    const startPoints = pointRows(starts, 'starts'), count = startPoints.length / 3;
    const endPoints = firstPoints(ends, count, 'ends');
    this.writePathOptions(requireOptions(options, PATH_NAMES));
    session.requireNoCallSince(calls);
    const rows = new Rows(session, count, 43, 4);
    const [from, to] = [rows.points(startPoints), rows.points(endPoints)];
    const [costs, lengths, remaining, pathStarts] = [rows.take(4), rows.take(4), rows.take(4), rows.take(4, 4)];
    const [states, reasons, statuses] = [rows.take(1), rows.take(1), rows.take(1)];
    session.check(session.wasm.query_find_paths(address, count, from, to, states, reasons, costs, lengths, remaining,
      pathStarts, statuses));
    const { u32, answer } = session;
    const pathStartIndices = arrayFor(Uint32Array, given.pathStarts, count + 1);
    pathStartIndices.set(u32.subarray(pathStarts >>> 2, (pathStarts >>> 2) + count + 1));
    return overwrite(session, calls, /** @type {Paths} */ (given), {
      count, states: copyBytes(session, states, count, given.states), reasons: copyBytes(session, reasons, count, given.reasons),
      costs: copyFloats(session, costs, count, given.costs), lengths: copyFloats(session, lengths, count, given.lengths),
      remaining: copyFloats(session, remaining, count, given.remaining), pathStarts: pathStartIndices,
      points: copyFloats(session, u32[answer], 3 * u32[(pathStarts >>> 2) + count], given.points),
      statuses: copyBytes(session, statuses, count, given.statuses),
    });
  }
}
