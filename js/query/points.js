/** Points of polygons: the nearest one, on the surface or its outline, and heights. */
import { readNearest } from '../runtime/answers.js';
import { requireReference, writePoint } from '../runtime/arguments.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { MeshFilters } from '../mesh/mesh-filters.js';
import { addressOf } from '../runtime/owned.js';

/** @typedef {import('../runtime/answers.js').NearestPoint} NearestPoint */
/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('./nearest.js').NearestOptions} NearestOptions */

export class PointQueries extends MeshFilters {
  /**
   * The point of a polygon's surface nearest to a point.
   * @param {number} polygon reference @param {Point} point
   * @param {NearestPoint | null} [out] an earlier answer, to be filled in anew
   * @returns {NearestPoint}
   */
  closestPoint(polygon, point, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    session.refresh();
    requireReference(polygon, 'polygon');
    writePoint(session, 0, point, 'point');
    session.check(session.wasm.query_closest_point(address, polygon));
    return /** @type {NearestPoint} */ (readNearest(session, session.answer, out));
  }

  /**
   * The nearest point of a polygon on x and z: the point itself where it is inside (with its own y), else one on the
   * polygon's outline, at the height of its corners.
   * @param {number} polygon reference @param {Point} point
   * @param {NearestPoint | null} [out] an earlier answer, to be filled in anew
   * @returns {NearestPoint}
   */
  closestBoundaryPoint(polygon, point, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    session.refresh();
    requireReference(polygon, 'polygon');
    writePoint(session, 0, point, 'point');
    session.check(session.wasm.query_closest_boundary_point(address, polygon));
    return /** @type {NearestPoint} */ (readNearest(session, session.answer, out));
  }

  /**
   * The height of a polygon's surface straight above or below a point, or null where the point is beside the polygon.
   * @param {number} polygon reference @param {Point} point
   * @returns {number | null}
   */
  height(polygon, point) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    session.refresh();
    requireReference(polygon, 'polygon');
    writePoint(session, 0, point, 'point');
    session.check(session.wasm.query_height(address, polygon));
    return session.u32[session.answer + 1] !== 0 ? session.f32[session.answer] : null;
  }
}
