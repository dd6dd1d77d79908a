/** Queries around one point: the nearest point of the mesh, a ray along the ground, the nearest wall. */
import { amount, choice, triple } from '../settings.js';
import { time } from '../timing.js';

/** @typedef {import('../../state/document.js').Point} Point */
/** @typedef {import('walkmesh').FilterOptions} FilterOptions */
/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('walkmesh').NearestPoint} NearestPoint */

export const NEAREST_SETTINGS = {
  lift: amount(1, { min: -1000, max: 1000 }),
  halfExtents: triple([2, 4, 2], { min: 0, max: 1000 }),
  radius: amount(0, { min: 0, max: 1000 }),
  heightPreference: choice('climb', /** @type {const} */ (['climb', 'closest', 'below', 'above'])),
};

/** @typedef {import('../settings.js').Values<typeof NEAREST_SETTINGS>} NearestSettings */

/**
 * @typedef {object} NearestResult
 * @property {Point} queryPoint
 * @property {NearestPoint | null} nearest
 * @property {number} distance 3D distance; 0: nothing found
 * @property {number} area
 * @property {number} microseconds
 */

/**
 * @param {NavMesh} navMesh @param {{ point: Point }} places @param {NearestSettings} settings @param {FilterOptions} filter
 * @returns {NearestResult}
 */
export function queryNearest(navMesh, { point: [x, y, z] }, { lift, halfExtents, radius, heightPreference }, filter) {
  const queryPoint = /** @type {Point} */ ([x, y + lift, z]);
  const { result: nearest, microseconds } = time(() => navMesh.nearestPoint(queryPoint, { halfExtents, radius, heightPreference, filter }));
  return {
    queryPoint, nearest, microseconds,
    distance: nearest ? Math.hypot(...nearest.point.map((part, axis) => part - queryPoint[axis])) : 0,
    area: nearest ? navMesh.polygonArea(nearest.polygon) : 0,
  };
}

/** The polygon under a marker. @param {NavMesh} navMesh @param {Point} point @param {FilterOptions} filter */
const ground = (navMesh, point, filter) => navMesh.nearestPoint(point, { filter });

/**
 * @typedef {object} RaycastResult
 * @property {NearestPoint | null} start null: no polygon under the marker
 * @property {import('walkmesh').RaycastHit | null} ray
 * @property {number} length of the query, on x and z
 * @property {number} free length up to the first wall
 * @property {Float32Array} trace [n][3] the free part along the ground
 * @property {number} microseconds
 */

/**
 * @param {NavMesh} navMesh @param {{ start: Point, end: Point }} places @param {{}} _settings @param {FilterOptions} filter
 * @returns {RaycastResult}
 */
export function queryRaycast(navMesh, { start, end }, _settings, filter) {
  const from = ground(navMesh, start, filter);
  const length = from ? Math.hypot(end[0] - from.point[0], end[2] - from.point[2]) : 0;
  if (!from) return { start: null, ray: null, length, free: 0, trace: new Float32Array(0), microseconds: 0 };
  const { result: ray, microseconds } = time(() => navMesh.raycast(from.polygon, from.point, end, { filter }));
  const corridor = ray.polygons.subarray(0, ray.count);
  const { points, count } = navMesh.straighten(from.point, ray.point, corridor, { crossings: 'all' });
  return { start: from, ray, length, free: ray.t * length, trace: points.subarray(0, 3 * count), microseconds };
}

export const WALL_SETTINGS = { maxDistance: amount(20, { min: 0, max: 10_000 }) };

/** @typedef {import('../settings.js').Values<typeof WALL_SETTINGS>} WallSettings */

/**
 * @typedef {object} WallResult
 * @property {NearestPoint | null} start null: no polygon under the marker
 * @property {import('walkmesh').Wall | null} wall
 * @property {number} microseconds
 */

/**
 * @param {NavMesh} navMesh @param {{ point: Point }} places @param {WallSettings} settings @param {FilterOptions} filter
 * @returns {WallResult}
 */
export function queryWall(navMesh, { point }, { maxDistance }, filter) {
  const start = ground(navMesh, point, filter);
  if (!start) return { start: null, wall: null, microseconds: 0 };
  const { result: wall, microseconds } = time(() => navMesh.distanceToWall(start.polygon, start.point, maxDistance, { filter }));
  return { start, wall, microseconds };
}
