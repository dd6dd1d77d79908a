/** Where the markers of tools stand before anybody has moved them: on the largest island, and far enough apart to be of interest. */
import { Random } from 'walkmesh';

/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {{ point: Point, polygon: number }} Spot */

/** Places among which the first ones are chosen. */
const CANDIDATES = 96;

/** @param {Point} a @param {Point} b */
export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** Places of the largest island, the same for the same mesh. @param {NavMesh} navMesh @returns {Spot[]} */
function candidates(navMesh) {
  const islands = navMesh.islands();
  try {
    if (islands.count === 0) return [];
    const { count, points, polygons } = navMesh.randomPoints(CANDIDATES, { random: new Random(7), islands, island: 1 });
    const spots = Array.from({ length: count }, (_, i) => (
      { polygon: polygons[i], point: /** @type {Point} */ ([points[3 * i], points[3 * i + 1], points[3 * i + 2]]) }));
    return spots.filter(({ polygon }) => polygon !== 0);
  } finally {
    islands.free();
  }
}

/**
 * Two places that one can walk between, about two thirds of the level apart: [first, second]; the same place twice on a mesh
 * without room. The first is also where single markers begin.
 * @param {NavMesh} navMesh @param {Point} fallback where there is no mesh at all @returns {[Point, Point]}
 */
export function firstPlaces(navMesh, fallback) {
  const spots = candidates(navMesh);
  if (spots.length === 0) return [[...fallback], [...fallback]];
  const middle = /** @type {Point} */ ([0, 1, 2].map((axis) => spots.reduce((sum, { point }) => sum + point[axis], 0) / spots.length));
  const reach = Math.max(...spots.map(({ point }) => distance(point, middle)));
  // Not at the very edge: markers there hang over it.
  const inner = spots.filter(({ point }) => distance(point, middle) <= 0.75 * reach);
  const near = inner.length >= 2 ? inner : spots;
  let [best, most] = [/** @type {[Point, Point]} */ ([near[0].point, near[0].point]), -1];
  for (const { point: a } of near) {
    for (const { point: b } of near) {
      const apart = distance(a, b);
      if (apart > most) [best, most] = [[a, b], apart];
    }
  }
  return [tidy(best[0]), tidy(best[1])];
}

/** Centimetres are enough for a place that is shown and saved. @param {Point} point @returns {Point} */
export const tidy = (point) => /** @type {Point} */ (point.map((part) => Math.round(part * 100) / 100));
