/** The point of the mesh nearest to a point. */
import { readNearest } from '../runtime/results.js';
import { NO_OPTIONS, failureOf, putPoint, requireAmount, requireName, writePoint } from '../runtime/arguments.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { NavMeshBase } from './mesh-base.js';
import { nameSet } from '../runtime/option-names.js';
import { addressOf } from '../runtime/handle.js';
import { checkNames } from './query-options.js';
import { WmNearestOptions } from '../runtime/layout.js';

/** @typedef {import('../runtime/results.js').NearestPoint} NearestPoint */
/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/arguments.js').PointArgument} PointArgument */
/** @typedef {import('./filter.js').Filter} Filter */
/** @typedef {import('./filter.js').FilterOptions} FilterOptions */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @template T @typedef {import('../runtime/option-names.js').Names<T>} Names */

/**
 * @typedef {object} NearestOptions
 * @property {Point} [halfExtents] half the size of a box around the point, per axis; default 2, 4, 2. As in Detour, polygons count whose bounds
 *   overlap the box: the point found may lie outside of it. `radius` limits the distance
 * @property {number} [radius] the largest distance, world units: a sphere in place of the box; default 0: the box
 * @property {'climb' | 'closest' | 'below' | 'above'} [heightPreference] chooses between floors. `climb` (default):
 *   floors within the climb above or below the point count as equally high. `closest`: the nearest in space. `below`: floors at or
 *   below the point (up to the climb above it) come before those above, as for a standing character. `above`: the reverse
 * @property {Filter | FilterOptions} [filter]
 */

const NEAREST_NAMES = nameSet(/** @satisfies {Names<NearestOptions>} */ (
  { halfExtents: 1, radius: 1, heightPreference: 1, filter: 1 }));

/** The options of the last call, whose names are checked. @type {object} */
let nearestOptions = NO_OPTIONS;

/** In the order of WmHeightPreference. */
const HEIGHT_PREFERENCES = /** @type {const} */ (['climb', 'closest', 'below', 'above']);
/** Words of the inputs of a nearest point: the fields of its WmNearestOptions, the point. */
const { filter: FILTER_AT, halfExtents: HALF_EXTENTS_AT, radius: RADIUS_AT, preference: PREFERENCE_AT, words: POINT_AT } = WmNearestOptions;

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

export class NearestQueries extends NavMeshBase {
  /** Writes a WmNearestOptions into the inputs. @internal @param {NearestOptions} options */
  writeNearestOptions(options) {
    if (options !== nearestOptions) nearestOptions = checkNames(options, NEAREST_NAMES);
    const { halfExtents, radius, heightPreference = 'climb', filter } = options;
    const { session } = this;
    const { u32, inputs } = session;
    u32[inputs + FILTER_AT] = filter === undefined ? 0 : this.filterAddress(filter);
    writeHalfExtents(session, HALF_EXTENTS_AT, halfExtents);
    session.f32[inputs + RADIUS_AT] = radius === undefined ? 0 : requireAmount(radius, 'radius');
    u32[inputs + PREFERENCE_AT] =
      heightPreference === 'climb' ? 0 : requireName(HEIGHT_PREFERENCES, heightPreference, 'heightPreference');
  }

  /**
   * The point of the mesh nearest to a point; null if there is none within the half extents.
   * @param {PointArgument} point
   * @param {NearestOptions} [options]
   * @param {NearestPoint | null} [out] an earlier result, to be overwritten
   * @returns {NearestPoint | null}
   */
  nearestPoint(point, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    session.refresh();
    this.writeNearestOptions(options);
    putPoint(session, POINT_AT, point);
    session.requireNoCallSince(calls);
    if (session.wasm.query_nearest_point(address) !== 0) throw failureOf(session, point, 'point');
    session.refresh();
    return readNearest(session, session.answer, out);
  }
}
