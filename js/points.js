/** Points on the mesh: the nearest one, that of a polygon, heights. */
import { readNearest } from './answers.js';
import { NO_OPTIONS, requireAmount, requireName, requireOptions, requireReference, writePoint } from './arguments.js';
import { NAV_MESH } from './kinds.js';
import { NavMeshBase } from './mesh-base.js';
import { addressOf } from './owned.js';

/** @typedef {import('./answers.js').NearestPoint} NearestPoint */
/** @typedef {import('./arguments.js').Point} Point */
/** @typedef {import('./filter.js').Filter} Filter */
/** @typedef {import('./filter.js').FilterOptions} FilterOptions */
/** @typedef {import('./session.js').Session} Session */

/**
 * @typedef {object} NearestOptions
 * @property {Point} [halfExtents] how far from the point the mesh may lie; default 2, 4, 2
 * @property {number} [radius] above 0: points farther off than this do not count either; default 0
 * @property {'climb' | 'closest' | 'below' | 'above'} [heightPreference] which of several floors is meant. `climb`
 *   (default): a floor within the climb above or below the point is not farther than one at its height. `closest`: the
 *   nearest in space. `below`: floors at or below the point (up to the climb above it) come before those above: what a
 *   character stands on. `above`: the other way round
 * @property {Filter | FilterOptions} [filter]
 */

/** In the order of WmHeightPreference. */
const HEIGHT_PREFERENCES = /** @type {const} */ (['climb', 'closest', 'below', 'above']);
/** Inputs of a nearest point, in words: the fields of its WmNearestOptions, and the point. */
const [FILTER_AT, HALF_EXTENTS_AT, RADIUS_AT, PREFERENCE_AT, POINT_AT] = [0, 1, 4, 5, 6];

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
  /** Writes a WmNearestOptions into the inputs. @internal @param {NearestOptions} options */
  writeNearestOptions(options) {
    const { halfExtents, radius = 0, heightPreference = 'climb', filter } = requireOptions(options);
    const { session } = this;
    const { u32, inputs } = session;
    u32[inputs + FILTER_AT] = this.filterAddress(filter);
    writeHalfExtents(session, HALF_EXTENTS_AT, halfExtents);
    session.f32[inputs + RADIUS_AT] = requireAmount(radius, 'radius');
    u32[inputs + PREFERENCE_AT] =
      heightPreference === 'climb' ? 0 : requireName(HEIGHT_PREFERENCES, heightPreference, 'heightPreference');
  }

  /**
   * The point of the mesh nearest to a point, or null where there is none within half extents.
   * @param {Point} point
   * @param {NearestOptions} [options]
   * @param {NearestPoint | null} [out] an earlier answer, to be filled in anew
   * @returns {NearestPoint | null}
   */
  nearestPoint(point, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    session.refresh();
    this.writeNearestOptions(options);
    writePoint(session, POINT_AT, point, 'point');
    session.check(session.wasm.query_nearest_point(address));
    return readNearest(session, session.answer, out);
  }

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
