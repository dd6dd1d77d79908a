/**
 * Many questions in one call: flat arrays in, flat arrays out, one answer a row. A row that cannot be answered (a position
 * that is not finite, a stale reference) has zeros and its status; the others are answered. The answers are those of
 * the single questions, to the bit.
 */
import { arrayFor, outError, requireOut } from '../runtime/answers.js';
import { NO_OPTIONS, requireAmount, requireBoolean, requireCount, requireFloats, requireOptions, requireReferences } from '../runtime/arguments.js';
import { STATUS_CODES, describe, invalidArgument } from '../runtime/errors.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { addressOf } from '../runtime/owned.js';
import { PATH_NAMES, PATH_REASONS, PATH_STATUSES } from './find-path.js';
import { FILTER_OPTION, MOVE_NAMES } from './local.js';
import { RANDOM_NAMES, RandomQueries } from './random.js';

/** @typedef {import('../runtime/arguments.js').Points} Points */
/** @typedef {import('../mesh/filter.js').Filter} Filter */
/** @typedef {import('./local.js').FilterOption} FilterOption */
/** @typedef {import('./points.js').NearestOptions} NearestOptions */
/** @typedef {import('./paths.js').PathOptions} PathOptions */
/** @typedef {import('./random.js').RandomOptions} RandomOptions */
/** @typedef {import('../runtime/session.js').Session} Session */

/**
 * Statuses are 0 where the row was answered; errorCode names the others. In an answer that was filled in anew arrays may
 * be longer than the count asks for.
 * @typedef {{ count: number, polygons: Float64Array, points: Float32Array, over: Uint8Array, statuses: Uint8Array }} NearestPoints
 * @typedef {{ count: number, t: Float32Array, points: Float32Array, normals: Float32Array, polygons: Float64Array,
 *   statuses: Uint8Array }} Raycasts t: 1 where the ray reaches its end; polygons: the ones they end in
 * @typedef {{ count: number, polygons: Float64Array, points: Float32Array, statuses: Uint8Array }} Moves
 * @typedef {{ count: number, heights: Float32Array, found: Uint8Array, statuses: Uint8Array }} Heights
 * @typedef {{ count: number, distances: Float32Array, points: Float32Array, normals: Float32Array, statuses: Uint8Array }} WallDistances
 * @typedef {{ count: number, polygons: Float64Array, points: Float32Array }} RandomPoints polygons: 0 where none passes
 * @typedef {{ count: number, states: Uint8Array, reasons: Uint8Array, costs: Float32Array, lengths: Float32Array,
 *   remaining: Float32Array, pathStarts: Uint32Array, points: Float32Array, statuses: Uint8Array }} Paths
 *   states, reasons: numbers, see pathStatus and pathReason; pathStarts: the points of path i are those from
 *   pathStarts[i] up to pathStarts[i + 1]
 */

/** What a status of a row stands for; undefined for 0. @param {number} status */
export const errorCode = (status) => STATUS_CODES[status - 1];

/** What a state of Paths stands for. @param {number} state */
export const pathStatus = (state) => PATH_STATUSES[state];

/** What a reason of Paths stands for. @param {number} reason */
export const pathReason = (reason) => PATH_REASONS[reason];

/** Arrays in the memory of one call. Those of the widest items come first, so that all are aligned. */
class Rows {
  #session;
  #count;
  #at;

  /** @param {Session} session @param {number} count rows @param {number} bytes a row @param {number} [extra] bytes */
  constructor(session, count, bytes, extra = 0) {
    this.#session = session;
    this.#count = count;
    this.#at = session.room(count * bytes + extra);
  }

  /** The address of the next array. @param {number} bytes of a row @param {number} [extra] */
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
    if (typeof values[i] !== 'number') throw invalidArgument(field, `holds ${describe(values[i])}: must be numbers`, values[i]);
  }
  memory.set(values, at);
}

/** A list of points as their numbers; numbers as they are. @param {Points} points @param {string} field @returns {ArrayLike<number>} */
const flatten = (points, field) => (Array.isArray(points) && typeof points[0] === 'object' ? requireFloats(points, field)
  : /** @type {ArrayLike<number>} */ (points));

/** How many rows an array has. @param {ArrayLike<number>} values @param {number} each @param {string} field */
function countRows(values, each, field) {
  const length = typeof values === 'object' ? values?.length : undefined;
  if (Number.isInteger(length) && Number(length) % each === 0) return Number(length) / each;
  throw invalidArgument(field, `must be numbers, ${each} a row, not ${describe(values)}`, values);
}

/** @param {Session} session @param {number} address @param {number} count @param {Float32Array | undefined} given */
function takeFloats({ f32 }, address, count, given) {
  const floats = arrayFor(Float32Array, given, count);
  floats.set(f32.subarray(address >>> 2, (address >>> 2) + count));
  return floats;
}

/** @param {Session} session @param {number} address @param {number} count @param {Float64Array | undefined} given */
function takeReferences({ f64 }, address, count, given) {
  const references = arrayFor(Float64Array, given, count);
  references.set(f64.subarray(address / 8, address / 8 + count));
  return references;
}

/** @param {Session} session @param {number} address @param {number} count @param {Uint8Array | undefined} given */
function takeBytes(session, address, count, given) {
  const bytes = arrayFor(Uint8Array, given, count);
  bytes.set(session.view(address, count));
  return bytes;
}

/** @template {object} T @param {T} given @param {T} fields @returns {T} */
function fillIn(given, fields) {
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
   * @param {Partial<NearestPoints>} [out] an earlier answer, to be filled in anew
   * @returns {NearestPoints} polygons: 0 where there is none
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
    return fillIn(/** @type {NearestPoints} */ (given), {
      count, polygons: takeReferences(session, polygons, count, given.polygons),
      points: takeFloats(session, found, 3 * count, given.points), over: takeBytes(session, over, count, given.over),
      statuses: takeBytes(session, statuses, count, given.statuses),
    });
  }

  /**
   * raycast for many rays, without the polygons they cross.
   * @param {ArrayLike<number>} polygons references of those they start in, one a ray
   * @param {Points} from @param {Points} to
   * @param {FilterOption & { onSurface?: boolean }} [options]
   * @param {Partial<Raycasts>} [out] an earlier answer, to be filled in anew
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
    return fillIn(/** @type {Raycasts} */ (given), {
      count, t: takeFloats(session, t, count, given.t), points: takeFloats(session, points, 3 * count, given.points),
      normals: takeFloats(session, normals, 3 * count, given.normals),
      polygons: takeReferences(session, ends, count, given.polygons),
      statuses: takeBytes(session, statuses, count, given.statuses),
    });
  }

  /**
   * moveAlongSurface for many, without the polygons they visit.
   * @param {ArrayLike<number>} polygons references of those they start in, one each
   * @param {Points} positions @param {Points} to
   * @param {FilterOption & { onSurface?: boolean }} [options]
   * @param {Partial<Moves>} [out] an earlier answer, to be filled in anew
   * @returns {Moves} where they end
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
    const places = rows.references(polygons, 'polygons');
    const [points, targets, statuses] = [rows.points(positions, 'positions'), rows.points(to, 'to'), rows.take(1)];
    session.check(session.wasm.query_moves(address, count, places, points, targets, filterAddress, onSurface ? 1 : 0,
      statuses));
    return fillIn(/** @type {Moves} */ (given), {
      count, polygons: takeReferences(session, places, count, given.polygons),
      points: takeFloats(session, points, 3 * count, given.points), statuses: takeBytes(session, statuses, count, given.statuses),
    });
  }

  /**
   * height for many points.
   * @param {ArrayLike<number>} polygons references, one a point
   * @param {Points} positions
   * @param {Partial<Heights>} [out] an earlier answer, to be filled in anew
   * @returns {Heights}
   */
  heights(polygons, positions, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const given = requireOut(out) ?? {};
    const count = countRows(polygons, 1, 'polygons');
    const rows = new Rows(session, count, 26);
    const places = rows.references(polygons, 'polygons');
    const points = rows.points(positions, 'positions');
    const [heights, found, statuses] = [rows.take(4), rows.take(1), rows.take(1)];
    session.check(session.wasm.query_heights(address, count, places, points, heights, found, statuses));
    return fillIn(/** @type {Heights} */ (given), {
      count, heights: takeFloats(session, heights, count, given.heights), found: takeBytes(session, found, count, given.found),
      statuses: takeBytes(session, statuses, count, given.statuses),
    });
  }

  /**
   * distanceToWall for many points, without the walls' segments.
   * @param {ArrayLike<number>} polygons references, one a point
   * @param {Points} positions
   * @param {number} maxDistance
   * @param {FilterOption} [options]
   * @param {Partial<WallDistances>} [out] an earlier answer, to be filled in anew
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
    const places = rows.references(polygons, 'polygons');
    const centres = rows.points(positions, 'positions');
    const [distances, points, normals, statuses] = [rows.take(4), rows.take(12), rows.take(12), rows.take(1)];
    session.check(session.wasm.query_wall_distances(address, count, places, centres, maxDistance, filterAddress, distances,
      points, normals, statuses));
    return fillIn(/** @type {WallDistances} */ (given), {
      count, distances: takeFloats(session, distances, count, given.distances),
      points: takeFloats(session, points, 3 * count, given.points),
      normals: takeFloats(session, normals, 3 * count, given.normals),
      statuses: takeBytes(session, statuses, count, given.statuses),
    });
  }

  /**
   * randomPoint, many times.
   * @param {number} count
   * @param {RandomOptions} [options]
   * @param {Partial<RandomPoints>} [out] an earlier answer, to be filled in anew
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
    random.lend(session);
    session.check(session.wasm.query_random_points(address, count, polygons, points));
    random.takeBack(session);
    return fillIn(/** @type {RandomPoints} */ (given), {
      count, polygons: takeReferences(session, polygons, count, given.polygons),
      points: takeFloats(session, points, 3 * count, given.points),
    });
  }

  /**
   * findPath for many pairs of points, without corridors.
   * @param {Points} starts @param {Points} ends
   * @param {PathOptions} [options]
   * @param {Partial<Paths>} [out] an earlier answer, to be filled in anew
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
    const placesOfPaths = arrayFor(Uint32Array, given.pathStarts, count + 1);
    placesOfPaths.set(u32.subarray(pathStarts >>> 2, (pathStarts >>> 2) + count + 1));
    return fillIn(/** @type {Paths} */ (given), {
      count, states: takeBytes(session, states, count, given.states), reasons: takeBytes(session, reasons, count, given.reasons),
      costs: takeFloats(session, costs, count, given.costs), lengths: takeFloats(session, lengths, count, given.lengths),
      remaining: takeFloats(session, remaining, count, given.remaining), pathStarts: placesOfPaths,
      points: takeFloats(session, u32[answer], 3 * placesOfPaths[count], given.points),
      statuses: takeBytes(session, statuses, count, given.statuses),
    });
  }
}
