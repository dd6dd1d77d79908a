/** Points on the mesh: the nearest one, that of a polygon, heights. */
import { readNearest } from './answers.js';
import { NO_OPTIONS, requireReference, writePoint } from './arguments.js';
import { NavMeshBase } from './mesh-base.js';

/** @typedef {import('./answers.js').NearestPoint} NearestPoint */
/** @typedef {import('./arguments.js').Point} Point */
/** @typedef {import('./filter.js').Filter} Filter */
/** @typedef {import('./filter.js').FilterOptions} FilterOptions */
/** @typedef {import('./session.js').Session} Session */

/**
 * @typedef {object} NearestOptions
 * @property {Point} [halfExtents] how far from the point the mesh may lie; default 2, 4, 2
 * @property {Filter | FilterOptions} [filter]
 */

/**
 * Writes half extents into the inputs.
 * @param {Session} session @param {number} first @param {Point | undefined} halfExtents
 */
export function writeHalfExtents(session, first, halfExtents) {
  if (halfExtents !== undefined) {
    writePoint(session, first, halfExtents, 'halfExtents');
    return;
  }
  const { f32 } = session;
  const at = session.inputs + first;
  f32[at] = 2;
  f32[at + 1] = 4;
  f32[at + 2] = 2;
}

export class PointQueries extends NavMeshBase {
  /**
   * The point of the mesh nearest to a point, or null where there is none within half extents.
   * @param {Point} point
   * @param {NearestOptions} [options]
   * @param {NearestPoint | null} [out] an earlier answer, to be filled in anew
   * @returns {NearestPoint | null}
   */
  nearestPoint(point, options = NO_OPTIONS, out = undefined) {
    const { session } = this;
    const { address } = this.handle;
    const { halfExtents, filter } = options;
    session.refresh();
    const filterAddress = this.filterAddress(filter);
    writePoint(session, 0, point, 'point');
    writeHalfExtents(session, 3, halfExtents);
    session.check(session.wasm.query_find_nearest(address, filterAddress));
    return readNearest(session, session.answer, out);
  }

  /**
   * The point of a polygon's surface nearest to a point.
   * @param {number} polygon reference @param {Point} point
   * @param {NearestPoint | null} [out] an earlier answer, to be filled in anew
   * @returns {NearestPoint}
   */
  closestPoint(polygon, point, out = undefined) {
    const { session } = this;
    const { address } = this.handle;
    session.refresh();
    requireReference(polygon, 'polygon');
    writePoint(session, 0, point, 'point');
    session.check(session.wasm.query_closest_point(address, polygon));
    return /** @type {NearestPoint} */ (readNearest(session, session.answer, out));
  }

  /**
   * The height of a polygon's surface straight above or below a point, or null where the point is beside the polygon.
   * @param {number} polygon reference @param {Point} point
   * @returns {number | null}
   */
  height(polygon, point) {
    const { session } = this;
    const { address } = this.handle;
    session.refresh();
    requireReference(polygon, 'polygon');
    writePoint(session, 0, point, 'point');
    session.check(session.wasm.query_height(address, polygon));
    return session.u32[session.answer + 1] !== 0 ? session.f32[session.answer] : null;
  }
}
