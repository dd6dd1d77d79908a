/**
 * Batches: many queries in one call, with flat arrays for arguments and results, a row per query. A row with an invalid argument
 * (a position that isn't finite, a stale reference) has zeros and an error status; the others have results. Results equal those
 * of the single queries, to the bit.
 */
import { arrayFor, outError, requireOut } from '../runtime/results.js';
import { NO_OPTIONS, requireAmount, requireBoolean, requireCount, requireFloats, requireOptions, requireReferences } from '../runtime/arguments.js';
import { NavError, STATUS_CODES, describe, invalidArgument } from '../runtime/errors.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { addressOf } from '../runtime/handle.js';
import { PATH_NAMES, PATH_REASONS, PATH_STATUSES } from './find-path.js';
import { FILTER_OPTION, MOVE_NAMES } from './query-options.js';
import { RANDOM_NAMES, RandomQueries } from './random.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../runtime/arguments.js').PolygonRefs} PolygonRefs */
/** @typedef {import('../runtime/arguments.js').Points} Points */
/** @typedef {import('./filter.js').Filter} Filter */
/** @typedef {import('./query-options.js').FilterOption} FilterOption */
/** @typedef {import('./polygon-points.js').NearestOptions} NearestOptions */
/** @typedef {import('./paths.js').PathOptions} PathOptions */
/** @typedef {import('./random.js').RandomOptions} RandomOptions */
/** @typedef {import('../runtime/session.js').Session} Session */

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

  /** The address of the next array, filled with points. @param {Points} points @param {string} field */
  points(points, field) {
    const address = this.take(12);
    setNumbers(this.#session.f32, requireRows(flatten(points, field), 3 * this.#count, field), address >>> 2, field);
    return address;
  }

  /** The address of the next array, filled with references. @param {ArrayLike<number>} values @param {string} field */
  references(values, field) {
    const address = this.take(8);
    setNumbers(this.#session.f64, requireRows(requireReferences(values, field), this.#count, field), address / 8, field);
    return address;
  }
}

/** The first items of an array. @param {ArrayLike<number>} values @param {number} count @param {string} field */
function requireRows(values, count, field) {
  if (typeof values !== 'object' || !(values?.length >= count)) {
    throw invalidArgument(field, `must be at least ${count} numbers, not ${describe(values)}`, values);
  }
  if (values.length === count) return values;
  return ArrayBuffer.isView(values) ? /** @type {Float32Array} */ (values).subarray(0, count)
    : Array.prototype.slice.call(values, 0, count);
}

/** Copies numbers into memory. @param {Float32Array | Float64Array} memory @param {ArrayLike<number>} values @param {number} at @param {string} field */
function setNumbers(memory, values, at, field) {
  if (values instanceof BigInt64Array || values instanceof BigUint64Array) {
    throw invalidArgument(field, `must be numbers, not ${describe(values)}`, values);
  }
  for (let i = 0; i < values.length && !ArrayBuffer.isView(values); i++) {
    if (typeof values[i] !== 'number') throw new NavError('invalid-argument', `${field}[${i}] is ${describe(values[i])}: must be a number`, { field, value: values[i] });
  }
  memory.set(values, at);
}

/** The numbers of a list of points; numbers are returned unchanged. @param {Points} points @param {string} field @returns {ArrayLike<number>} */
const flatten = (points, field) => (Array.isArray(points) && typeof points[0] === 'object' ? requireFloats(points, field)
  : /** @type {ArrayLike<number>} */ (points));

/** The number of rows of an array. @param {ArrayLike<number>} values @param {number} each @param {string} field */
function countRows(values, each, field) {
  const length = typeof values === 'object' ? values?.length : undefined;
  if (Number.isInteger(length) && Number(length) % each === 0) return Number(length) / each;
  throw invalidArgument(field, `must be numbers, ${each} per row, not ${describe(values)}`, values);
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

/** @template {object} T @param {T} given @param {T} fields @returns {T} */
function overwrite(given, fields) {
  try {
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
    const { session } = this;
    const given = requireOut(out) ?? {};
    const count = countRows(flatten(points, 'points'), 3, 'points');
    const rows = new Rows(session, count, 34);
    this.writeNearestOptions(options);
    const polygons = rows.take(8);
    const centres = rows.points(points, 'points');
    const [found, over, statuses] = [rows.take(12), rows.take(1), rows.take(1)];
    session.check(session.wasm.query_nearest_points(address, count, centres, polygons, found, over, statuses));
    return overwrite(/** @type {NearestPoints} */ (given), {
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
    const { session } = this;
    const given = requireOut(out) ?? {};
    const count = countRows(polygons, 1, 'polygons');
    const { filter, onSurface = true } = requireOptions(options, MOVE_NAMES);
    requireBoolean(onSurface, 'onSurface');
    const rows = new Rows(session, count, 69);
    const filterAddress = this.filterAddress(filter);
    const starts = rows.references(polygons, 'polygons');
    const ends = rows.take(8);
    const [origins, targets] = [rows.points(from, 'from'), rows.points(to, 'to')];
    const [t, points, normals, statuses] = [rows.take(4), rows.take(12), rows.take(12), rows.take(1)];
    session.check(session.wasm.query_raycasts(address, count, starts, origins, targets, filterAddress, onSurface ? 1 : 0, t, points,
      normals, ends, statuses));
    return overwrite(/** @type {Raycasts} */ (given), {
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
    const { session } = this;
    const given = requireOut(out) ?? {};
    const { filter, onSurface = true } = requireOptions(options, MOVE_NAMES);
    requireBoolean(onSurface, 'onSurface');
    const count = countRows(polygons, 1, 'polygons');
    const rows = new Rows(session, count, 33);
    const filterAddress = this.filterAddress(filter);
    const starts = rows.references(polygons, 'polygons');
    const [points, targets, statuses] = [rows.points(positions, 'positions'), rows.points(to, 'to'), rows.take(1)];
    session.check(session.wasm.query_moves(address, count, starts, points, targets, filterAddress, onSurface ? 1 : 0,
      statuses));
    return overwrite(/** @type {Moves} */ (given), {
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
    const { session } = this;
    const given = requireOut(out) ?? {};
    const count = countRows(polygons, 1, 'polygons');
    const rows = new Rows(session, count, 26);
    const starts = rows.references(polygons, 'polygons');
    const points = rows.points(positions, 'positions');
    const [heights, found, statuses] = [rows.take(4), rows.take(1), rows.take(1)];
    session.check(session.wasm.query_heights(address, count, starts, points, heights, found, statuses));
    return overwrite(/** @type {Heights} */ (given), {
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
    const { session } = this;
    const given = requireOut(out) ?? {};
    requireAmount(maxDistance, 'maxDistance');
    const count = countRows(polygons, 1, 'polygons');
    const rows = new Rows(session, count, 49);
    const filterAddress = this.filterAddress(requireOptions(options, FILTER_OPTION).filter);
    const starts = rows.references(polygons, 'polygons');
    const centres = rows.points(positions, 'positions');
    const [distances, points, normals, statuses] = [rows.take(4), rows.take(12), rows.take(12), rows.take(1)];
    session.check(session.wasm.query_wall_distances(address, count, starts, centres, maxDistance, filterAddress, distances,
      points, normals, statuses));
    return overwrite(/** @type {WallDistances} */ (given), {
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
    const { session } = this;
    const given = requireOut(out) ?? {};
    requireCount(count, 'count', 1 << 26);
    const rows = new Rows(session, count, 20);
    const [polygons, points] = [rows.take(8), rows.take(12)];
    const random = this.generatorFor(requireOptions(options, RANDOM_NAMES).random);
    this.writeRandomOptions(options);
    random.copyStateIn(session);
    session.check(session.wasm.query_random_points(address, count, polygons, points));
    random.copyStateOut(session);
    return overwrite(/** @type {RandomPoints} */ (given), {
      count, polygons: copyReferences(session, polygons, count, given.polygons),
      points: copyFloats(session, points, 3 * count, given.points),
    });
  }

  /**
   * findPath for many pairs of points, without corridors.
   * @param {Points} starts @param {Points} ends
   * @param {PathOptions} [options]
   * @param {Partial<Paths>} [out] an earlier result, to be overwritten
   * @returns {Paths}
   */
  findPaths(starts, ends, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const given = requireOut(out) ?? {};
    const count = countRows(flatten(starts, 'starts'), 3, 'starts');
    const rows = new Rows(session, count, 43, 4);
    this.writePathOptions(requireOptions(options, PATH_NAMES));
    const [from, to] = [rows.points(starts, 'starts'), rows.points(ends, 'ends')];
    const [costs, lengths, remaining, pathStarts] = [rows.take(4), rows.take(4), rows.take(4), rows.take(4, 4)];
    const [states, reasons, statuses] = [rows.take(1), rows.take(1), rows.take(1)];
    session.check(session.wasm.query_find_paths(address, count, from, to, states, reasons, costs, lengths, remaining,
      pathStarts, statuses));
    const { u32, answer } = session;
    const pathStartIndices = arrayFor(Uint32Array, given.pathStarts, count + 1);
    pathStartIndices.set(u32.subarray(pathStarts >>> 2, (pathStarts >>> 2) + count + 1));
    return overwrite(/** @type {Paths} */ (given), {
      count, states: copyBytes(session, states, count, given.states), reasons: copyBytes(session, reasons, count, given.reasons),
      costs: copyFloats(session, costs, count, given.costs), lengths: copyFloats(session, lengths, count, given.lengths),
      remaining: copyFloats(session, remaining, count, given.remaining), pathStarts: pathStartIndices,
      points: copyFloats(session, u32[answer], 3 * pathStartIndices[count], given.points),
      statuses: copyBytes(session, statuses, count, given.statuses),
    });
  }
}
