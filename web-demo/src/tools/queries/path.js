/** Path query: corridor, straight path, smooth path, long way over the tile graph. */
import { amount, choice, flag } from '../settings.js';
import { time } from '../timing.js';
import { findLongWay } from './long-way.js';

/** @typedef {import('../../state/document.js').Point} Point */
/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('walkmesh').Path} Path */

export const PATH_SETTINGS = {
  anyAngle: flag(false),
  shortest: flag(false),
  wallDistance: amount(0, { min: 0, max: 100 }),
  wallCost: amount(0, { min: 0, max: 100 }),
  smooth: flag(true),
  step: amount(0.5, { min: 0.05, max: 50 }),
  maxNodes: amount(0, { min: 0, max: 1e6, whole: true }),
  crossings: choice('none', /** @type {const} */ (['none', 'areas', 'all'])),
  islands: flag(false),
  others: amount(0, { min: 0, max: 5, whole: true }),
  long: flag(false),
  legTiles: amount(6, { min: 2, max: 1000, whole: true }),
  keep: flag(true),
};

/** @typedef {import('../settings.js').Values<typeof PATH_SETTINGS>} PathSettings */

/** A link or connection that a path crosses. @typedef {import('walkmesh').PathLink & { way: number[] }} Crossing way: x, y, z of points of the trajectory; none: straight */

/**
 * @typedef {object} PathResult
 * @property {Path} path
 * @property {Path | null} smooth if the setting is on
 * @property {Path[]} others other ways, if the setting asks for some
 * @property {number} microseconds of findPath
 * @property {number} othersMicroseconds of findPaths
 * @property {number} smoothMicroseconds of findSmoothPath
 * @property {import('./long-way.js').LongWay | null} long if the setting is on
 * @property {{ area: number, length: number }[]} parts of the path by area, the longest first; connections are of their area
 * @property {Crossing[]} crossed links and connections, in order
 */

/**
 * @param {NavMesh} navMesh @param {{ start: Point, end: Point }} places @param {PathSettings} settings
 * @param {import('walkmesh').FilterOptions} filter
 * @returns {PathResult}
 */
export function queryPath(navMesh, { start, end }, settings, filter) {
  const { anyAngle, shortest, wallDistance, smooth, step, maxNodes, crossings, islands, others: count, long, legTiles } = settings;
  const wallCost = takesWallCost(settings) ? settings.wallCost : 0;
  // The mesh caches its own islands for one filter at a time, and this is the only one.
  const options = { filter, anyAngle, shortest, wallDistance, wallCost, maxNodes, crossings, ...(islands ? { islands: /** @type {const} */ (true) } : {}) };
  const { result: path, microseconds } = time(() => navMesh.findPath(start, end, options));
  const smoothed = smooth ? time(() => navMesh.findSmoothPath(start, end, { ...options, step })) : null;
  const others = count > 0 ? time(() => navMesh.findPaths(start, end, { ...options, count: count + 1 }).slice(1)) : null;
  return {
    path, microseconds, smooth: smoothed?.result ?? null, smoothMicroseconds: smoothed?.microseconds ?? 0,
    long: long ? findLongWay(navMesh, { start, end }, legTiles, filter) : null,
    others: others?.result ?? [], othersMicroseconds: others?.microseconds ?? 0, crossed: crossingsOf(navMesh, path),
    parts: lengthsByArea(navMesh, path, wallDistance ? navMesh.findPath(start, end, { ...options, crossings: 'areas' }) : null),
  };
}

/** Points of a trajectory. */
const WAY_POINTS = 25;

/** @param {NavMesh} navMesh @param {Path} path @returns {Crossing[]} */
function crossingsOf(navMesh, path) {
  return navMesh.pathLinks(path).map((link) => ({
    ...link, way: link.kind === 'connection' ? [] : Array.from({ length: WAY_POINTS }, (_, i) => navMesh.segmentLinkPoint(link.ref, link.across, i / (WAY_POINTS - 1))).flat(),
  }));
}

/** True if wallCost has an effect: it needs a distance, and the ordinary search. @param {PathSettings} settings */
export const takesWallCost = ({ wallDistance, anyAngle, shortest }) => wallDistance > 0 && !anyAngle && !shortest;

/** @param {NavMesh} navMesh @param {Path} path @param {Path | null} wide with crossings at areas; null: the string through the corridor */
function lengthsByArea(navMesh, path, wide) {
  if (path.corridorCount === 0 || path.count < 2) return [];
  const points = path.points, last = 3 * path.count - 3;
  const corridor = path.corridor.subarray(0, path.corridorCount);
  const { points: crossed, pointPolygons, count } = wide ?? navMesh.straighten(
    points.subarray(0, 3), points.subarray(last, last + 3), corridor, { crossings: 'areas' });
  /** @type {Map<number, number>} */
  const lengths = new Map();
  for (let i = 0; i + 1 < count; i++) {
    const area = navMesh.polygonArea(pointPolygons[i]);
    const length = Math.hypot(...[0, 1, 2].map((axis) => crossed[3 * i + 3 + axis] - crossed[3 * i + axis]));
    lengths.set(area, (lengths.get(area) ?? 0) + length);
  }
  return [...lengths].map(([area, length]) => ({ area, length })).filter(({ length }) => length > 0).sort((a, b) => b.length - a.length);
}
