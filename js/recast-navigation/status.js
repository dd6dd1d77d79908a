/** Statuses of recast-navigation, with Detour's numbers, and the conversion of errors to them. */
import { NavError } from '../runtime/errors.js';
import { requireNumber } from './arguments.js';

/** Detour's numbers. */
export const Detour = Object.freeze({
  DT_FAILURE: -2147483648, DT_SUCCESS: 1073741824, DT_IN_PROGRESS: 536870912, DT_STATUS_DETAIL_MASK: 16777215,
  DT_WRONG_MAGIC: 1, DT_WRONG_VERSION: 2, DT_OUT_OF_MEMORY: 4, DT_INVALID_PARAM: 8, DT_BUFFER_TOO_SMALL: 16,
  DT_OUT_OF_NODES: 32, DT_PARTIAL_RESULT: 64, DT_ALREADY_OCCUPIED: 128,
  DT_VERTS_PER_POLYGON: 6, DT_NAVMESH_MAGIC: 1145979222, DT_NAVMESH_VERSION: 7, DT_NAVMESH_STATE_MAGIC: 1145982291, DT_NAVMESH_STATE_VERSION: 1,
  DT_TILECACHE_MAGIC: 1146375250, DT_TILECACHE_VERSION: 1, DT_TILECACHE_NULL_AREA: 0, DT_TILECACHE_WALKABLE_AREA: 63, DT_TILECACHE_NULL_IDX: 65535,
  DT_NULL_LINK: -1, DT_EXT_LINK: 32768, DT_COMPRESSEDTILE_FREE_DATA: 1, DT_TILE_FREE_DATA: 1,
  DT_CROWDAGENT_STATE_INVALID: 0, DT_CROWDAGENT_STATE_WALKING: 1, DT_CROWDAGENT_STATE_OFFMESH: 2,
  DT_CROWDAGENT_TARGET_NONE: 0, DT_CROWDAGENT_TARGET_FAILED: 1, DT_CROWDAGENT_TARGET_VALID: 2, DT_CROWDAGENT_TARGET_REQUESTING: 3,
  DT_CROWDAGENT_TARGET_WAITING_FOR_QUEUE: 4, DT_CROWDAGENT_TARGET_WAITING_FOR_PATH: 5, DT_CROWDAGENT_TARGET_VELOCITY: 6,
  DT_STRAIGHTPATH_START: 1, DT_STRAIGHTPATH_END: 2, DT_STRAIGHTPATH_OFFMESH_CONNECTION: 4,
  DT_STRAIGHTPATH_AREA_CROSSINGS: 1, DT_STRAIGHTPATH_ALL_CROSSINGS: 2,
  DT_FINDPATH_ANY_ANGLE: 2, DT_RAYCAST_USE_COSTS: 1, DT_OFFMESH_CON_BIDIR: 1,
});

/** @param {number} status @param {number} bits @param {string} field */
const hasBits = (status, bits, field) => (requireNumber(status, 'status') & requireNumber(bits, field)) !== 0;

const DETAILS = /** @type {const} */ (['DT_WRONG_MAGIC', 'DT_WRONG_VERSION', 'DT_OUT_OF_MEMORY', 'DT_INVALID_PARAM',
  'DT_BUFFER_TOO_SMALL', 'DT_OUT_OF_NODES', 'DT_PARTIAL_RESULT', 'DT_ALREADY_OCCUPIED']);

/** @param {number} status */
export const statusSucceed = (status) => hasBits(status, Detour.DT_SUCCESS, 'status');
/** @param {number} status */
export const statusFailed = (status) => hasBits(status, Detour.DT_FAILURE, 'status');
/** @param {number} status */
export const statusInProgress = (status) => hasBits(status, Detour.DT_IN_PROGRESS, 'status');
/** @param {number} status @param {number} detail */
export const statusDetail = (status, detail) => hasBits(status, detail, 'detail');

/** @param {number} status */
export function statusToReadableString(status) {
  if (statusSucceed(status)) return 'success';
  if (statusInProgress(status)) return 'in progress';
  return `failed - ${DETAILS.find((name) => statusDetail(status, Detour[name])) ?? 'unknown'}`;
}

/** Details by the code of a NavError; other codes aren't caused by arguments, and are thrown. @type {Record<string, number>} */
const DETAIL_OF_CODE = {
  'invalid-argument': Detour.DT_INVALID_PARAM, 'stale-reference': Detour.DT_INVALID_PARAM,
  'out-of-memory': Detour.DT_OUT_OF_MEMORY,
};

/**
 * Runs a query: returns its result with success and status or, if an argument is wrong, `failure` with them, as
 * recast-navigation does instead of throwing.
 * @template {object} T
 * @param {T} failure the result of a failure @param {() => T & { status?: number }} ask
 * @returns {T & { success: boolean, status: number }}
 */
export function runQuery(failure, ask) {
  try {
    return { success: true, status: Detour.DT_SUCCESS, ...ask() };
  } catch (error) {
    const detail = error instanceof NavError ? DETAIL_OF_CODE[error.code] : undefined;
    if (detail === undefined) throw error;
    return { ...failure, success: false, status: Detour.DT_FAILURE | detail };
  }
}
