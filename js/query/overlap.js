/** All ground polygons that overlap a box, a vertical cylinder or a prism, connected or not. */
import { NO_OPTIONS, copyToScratch, requireAmount, requireCount, requireOptions, requirePoints, writePoint } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { readPolygons } from './local-queries.js';
import { COUNT_LIMIT, FILTER_AND_LIMIT } from './query-options.js';
import { nameSet } from '../runtime/option-names.js';
import { addressOf } from '../runtime/handle.js';
import { FloodQueries } from './flood-queries.js';

/** @typedef {import('../runtime/arguments.js').PointArgument} PointArgument */
/** @typedef {import('../runtime/arguments.js').Points} Points */
/** @typedef {import('./query-options.js').FilterOption} FilterOption */
/** @typedef {import('./query-options.js').LimitOption} LimitOption */
/** @typedef {import('./local-queries.js').Polygons} Polygons */

const FLT_MAX = 3.4028234663852886e38;
const CIRCLE_NAMES = nameSet({ halfHeight: 1 }, FILTER_AND_LIMIT);
const CONVEX_NAMES = nameSet({ low: 1, high: 1 }, FILTER_AND_LIMIT);

/** @param {unknown} height @param {string} field */
function requireHeight(height, field) {
  if (typeof height === 'number' && !Number.isNaN(height)) return Math.min(Math.max(height, -FLT_MAX), FLT_MAX);
  throw invalidArgument(field, `is ${describe(height)}: must be a number`, height);
}

export class OverlapQueries extends FloodQueries {
  /**
   * All ground polygons that overlap a box, by tile, then by number.
   * @param {PointArgument} centre @param {PointArgument} halfExtents half the size of the box
   * @param {FilterOption & LimitOption} [options]
   * @param {Polygons} [out] an earlier result, to be overwritten
   * @returns {Polygons} without parents
   */
  polygonsInBox(centre, halfExtents, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    const { filter, maxPolygons = 0 } = requireOptions(options, FILTER_AND_LIMIT);
    session.refresh();
    requireCount(maxPolygons, 'maxPolygons', COUNT_LIMIT);
    writePoint(session, 0, centre, 'centre');
    writePoint(session, 3, halfExtents, 'halfExtents');
    const filterAddress = this.filterAddress(filter);
    session.requireNoCallSince(calls);
    session.check(session.wasm.query_polygons_in_box(address, filterAddress, maxPolygons));
    return readPolygons(session, out);
  }

  /**
   * All ground polygons that overlap a vertical cylinder.
   * @param {PointArgument} centre @param {number} radius
   * @param {FilterOption & LimitOption & { halfHeight?: number }} [options] halfHeight: half the height of the cylinder;
   *   default: any height
   * @param {Polygons} [out] an earlier result, to be overwritten
   * @returns {Polygons} without parents
   */
  polygonsInCircle(centre, radius, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    const { filter, maxPolygons = 0, halfHeight = FLT_MAX } = requireOptions(options, CIRCLE_NAMES);
    session.refresh();
    requireCount(maxPolygons, 'maxPolygons', COUNT_LIMIT);
    writePoint(session, 0, centre, 'centre');
    session.f32[session.inputs + 3] = requireAmount(radius, 'radius');
    session.f32[session.inputs + 4] = Math.min(requireAmount(halfHeight, 'halfHeight'), FLT_MAX);
    const filterAddress = this.filterAddress(filter);
    session.requireNoCallSince(calls);
    session.check(session.wasm.query_polygons_in_circle(address, filterAddress, maxPolygons));
    return readPolygons(session, out);
  }

  /**
   * All ground polygons that overlap a prism over a convex outline.
   * @param {Points} vertices 3 to 255, in either winding; their y is ignored
   * @param {FilterOption & LimitOption & { low?: number, high?: number }} [options] the lowest and highest y of the prism;
   *   default: any height
   * @param {Polygons} [out] an earlier result, to be overwritten
   * @returns {Polygons} without parents
   */
  polygonsInConvex(vertices, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    const { filter, maxPolygons = 0, low = -FLT_MAX, high = FLT_MAX } = requireOptions(options, CONVEX_NAMES);
    requireCount(maxPolygons, 'maxPolygons', COUNT_LIMIT);
    const outline = requirePoints(vertices, 'vertices');
    session.refresh();
    session.f32[session.inputs] = requireHeight(low, 'low');
    session.f32[session.inputs + 1] = requireHeight(high, 'high');
    const filterAddress = this.filterAddress(filter);
    session.requireNoCallSince(calls);
    const scratch = copyToScratch(session, outline);
    session.check(session.wasm.query_polygons_in_convex(address, scratch, outline.length / 3, filterAddress, maxPolygons));
    return readPolygons(session, out);
  }
}
