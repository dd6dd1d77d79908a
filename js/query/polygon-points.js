/** Points of a polygon: the closest on its surface or outline, and its height at a point. */
import { readNearest } from '../runtime/results.js';
import { requireReference, writePoint } from '../runtime/arguments.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { MeshFilters } from './mesh-filters.js';
import { addressOf } from '../runtime/handle.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../runtime/results.js').NearestPoint} NearestPoint */
/** @typedef {import('../runtime/arguments.js').PointArgument} PointArgument */
/** @typedef {import('./nearest.js').NearestOptions} NearestOptions */

export class PointQueries extends MeshFilters {
  /**
   * The point of a polygon's surface closest to a point.
   * @param {PolygonRef} polygon reference @param {PointArgument} point
   * @param {NearestPoint | null} [out] an earlier result, to be overwritten
   * @returns {NearestPoint}
   */
  closestPoint(polygon, point, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    session.refresh();
    requireReference(polygon, 'polygon');
    writePoint(session, 0, point, 'point');
    session.requireNoCallSince(calls);
    session.check(session.wasm.query_closest_point(address, polygon));
    return /** @type {NearestPoint} */ (readNearest(session, session.answer, out));
  }

  /**
   * The point of a polygon closest to a point on x and z: the point itself if it is inside (with its own y), else a point on the
   * polygon's outline, at the height of its edge.
   * @param {PolygonRef} polygon reference @param {PointArgument} point
   * @param {NearestPoint | null} [out] an earlier result, to be overwritten
   * @returns {NearestPoint}
   */
  closestBoundaryPoint(polygon, point, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    session.refresh();
    requireReference(polygon, 'polygon');
    writePoint(session, 0, point, 'point');
    session.requireNoCallSince(calls);
    session.check(session.wasm.query_closest_boundary_point(address, polygon));
    return /** @type {NearestPoint} */ (readNearest(session, session.answer, out));
  }

  /**
   * The height of a polygon's surface vertically above or below a point; null if the point lies outside the polygon on x and z.
   * @param {PolygonRef} polygon reference @param {PointArgument} point
   * @returns {number | null}
   */
  height(polygon, point) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    session.refresh();
    requireReference(polygon, 'polygon');
    writePoint(session, 0, point, 'point');
    session.requireNoCallSince(calls);
    session.check(session.wasm.query_height(address, polygon));
    return session.u32[session.answer + 1] !== 0 ? session.f32[session.answer] : null;
  }
}
