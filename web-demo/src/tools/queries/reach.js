/** Reachable area with costs, and random points. */
import { Random } from 'walkmesh';
import { amount, choice } from '../settings.js';
import { time } from '../timing.js';

/** @typedef {import('../../state/document.js').Point} Point */
/** @typedef {import('walkmesh').FilterOptions} FilterOptions */
/** @typedef {import('walkmesh').Flood} Flood */
/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('walkmesh').NearestPoint} NearestPoint */

/** The highest cost limit of the slider. */
export const COST_LIMIT = 2000;

export const FLOOD_SETTINGS = { maxCost: amount(40, { min: 1, max: COST_LIMIT }) };

/** @typedef {import('../settings.js').Values<typeof FLOOD_SETTINGS>} FloodSettings */

/**
 * @typedef {object} FloodResult
 * @property {NearestPoint | null} start null: no polygon under the marker
 * @property {Flood | null} flood
 * @property {Map<number, number>} places index of each polygon in the flood
 * @property {number} farthest the highest cost in the flood
 * @property {number} microseconds
 */

/**
 * @param {NavMesh} navMesh @param {{ point: Point }} places @param {FloodSettings} settings @param {FilterOptions} filter
 * @returns {FloodResult}
 */
export function queryFlood(navMesh, { point }, { maxCost }, filter) {
  const start = navMesh.nearestPoint(point, { filter });
  if (!start) return { start: null, flood: null, places: new Map(), farthest: 0, microseconds: 0 };
  const { result: flood, microseconds } = time(() => navMesh.flood(start.polygon, start.point, { filter, maxCost }));
  /** @type {Map<number, number>} */
  const places = new Map();
  for (let i = 0; i < flood.count; i++) places.set(flood.polygons[i], i);
  return { start, flood, places, farthest: flood.costs[flood.count - 1] ?? 0, microseconds };
}

/**
 * The path from the start of a flood to a point.
 * @param {NavMesh} navMesh @param {FloodResult} result @param {number} polygon @param {Point} point
 * @returns {{ cost: number, polygons: number, points: Float32Array } | null} cost: up to the edge where the path enters the
 *   polygon; null if the flood didn't reach it
 */
export function pathBack(navMesh, { start, flood, places }, polygon, point) {
  const index = places.get(polygon);
  if (!start || !flood || index === undefined) return null;
  const path = navMesh.floodPath(flood, index);
  const { points, count } = navMesh.straighten(start.point, point, path);
  return { cost: flood.costs[index], polygons: path.length, points: points.subarray(0, 3 * count) };
}

/** Most points drawn. */
export const POINT_LIMIT = 20_000;

export const RANDOM_SETTINGS = {
  count: amount(500, { min: 1, max: POINT_LIMIT, whole: true }),
  seed: amount(1, { min: 0, max: 0xffffffff, whole: true }),
  where: choice('anywhere', /** @type {const} */ (['anywhere', 'around'])),
  radius: amount(8, { min: 0, max: 10_000 }),
};

/** @typedef {import('../settings.js').Values<typeof RANDOM_SETTINGS>} RandomSettings */

/**
 * @typedef {object} RandomResult
 * @property {NearestPoint | null} start centre of the points; null: no polygon there, or not used
 * @property {Float32Array} points [count][3]
 * @property {number} count of points found: 0 if the filter accepts no polygon
 * @property {number} microseconds per point
 */

/**
 * @param {NavMesh} navMesh @param {{ point: Point }} places @param {RandomSettings} settings @param {FilterOptions} filter
 * @returns {RandomResult}
 */
export function queryRandom(navMesh, { point }, { count, seed, where, radius }, filter) {
  if (where === 'anywhere') {
    const { result: { points, polygons }, microseconds } = time(() => navMesh.randomPoints(count, { random: new Random(seed), filter }));
    const found = polygons.length > 0 && polygons[0] !== 0;
    return { start: null, points: found ? points : new Float32Array(0), count: found ? count : 0, microseconds: microseconds / count };
  }
  const start = navMesh.nearestPoint(point, { filter });
  if (!start) return { start, points: new Float32Array(0), count: 0, microseconds: 0 };
  const { result: around, microseconds } = time(() => pointsAround(navMesh, start, radius, count, new Random(seed), filter));
  return { start, ...around, microseconds: microseconds / count };
}

/**
 * Random points in a circle around a point.
 * @param {NavMesh} navMesh @param {NearestPoint} centre @param {number} radius @param {number} count @param {Random} random
 * @param {FilterOptions} filter @returns {{ points: Float32Array, count: number }}
 */
export function pointsAround(navMesh, centre, radius, count, random, filter) {
  const points = new Float32Array(3 * count);
  const options = { random, filter };
  /** @type {NearestPoint | null} */
  let found = null;
  for (let i = 0; i < count; i++) {
    found = navMesh.randomPointAround(centre.polygon, centre.point, radius, options, found);
    if (!found) return { points: points.subarray(0, 3 * i), count: i };
    points.set(found.point, 3 * i);
  }
  return { points, count };
}
