/** The point of the mesh nearest to a point. */
import { readNearest } from '../runtime/answers.js';
import { NO_OPTIONS, failureOf, putPoint, requireAmount, requireName, requireOptions, writePoint } from '../runtime/arguments.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { NavMeshBase } from '../mesh/mesh-base.js';
import { nameSet } from '../runtime/names.js';
import { addressOf } from '../runtime/owned.js';
import { WmNearestOptions } from '../runtime/layout.js';

/** @typedef {import('../runtime/answers.js').NearestPoint} NearestPoint */
/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../mesh/filter.js').Filter} Filter */
/** @typedef {import('../mesh/filter.js').FilterOptions} FilterOptions */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @template T @typedef {import('../runtime/names.js').Names<T>} Names */

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

const NEAREST_NAMES = nameSet(/** @satisfies {Names<NearestOptions>} */ (
  { halfExtents: 1, radius: 1, heightPreference: 1, filter: 1 }));

/** In the order of WmHeightPreference. */
const HEIGHT_PREFERENCES = /** @type {const} */ (['climb', 'closest', 'below', 'above']);
/** Inputs of a nearest point, in words: the fields of its WmNearestOptions, and the point. */
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
    const { halfExtents, radius, heightPreference = 'climb', filter } = requireOptions(options, NEAREST_NAMES);
    const { session } = this;
    const { u32, inputs } = session;
    u32[inputs + FILTER_AT] = filter === undefined ? 0 : this.filterAddress(filter);
    writeHalfExtents(session, HALF_EXTENTS_AT, halfExtents);
    session.f32[inputs + RADIUS_AT] = radius === undefined ? 0 : requireAmount(radius, 'radius');
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
    putPoint(session, POINT_AT, point);
    if (session.wasm.query_nearest_point(address) !== 0) throw failureOf(session, point, 'point');
    session.refresh();
    return readNearest(session, session.answer, out);
  }
}
