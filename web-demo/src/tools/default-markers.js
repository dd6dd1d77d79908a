/** Initial positions of the tools' markers: on the main ground, and far apart. */
import { Random } from 'walkmesh';

/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {{ point: Point, polygon: number }} MarkerPoint */
/** @typedef {{ islands: import('walkmesh').Islands, island: number }} Ground one island; 0: none */

/** Number of candidates for the initial positions. */
const CANDIDATES = 96;

/** @param {Point} a @param {Point} b */
export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** Points of an island; the same mesh always gives the same points. @param {NavMesh} navMesh @param {Ground} ground @returns {MarkerPoint[]} */
function candidates(navMesh, { islands, island }) {
  if (island === 0) return [];
  const { count, points, polygons } = navMesh.randomPoints(CANDIDATES, { random: new Random(7), islands, island });
  const spots = Array.from({ length: count }, (_, i) => (
    { polygon: polygons[i], point: /** @type {Point} */ ([points[3 * i], points[3 * i + 1], points[3 * i + 2]]) }));
  return spots.filter(({ polygon }) => polygon !== 0);
}

/** Two connected points far apart, and one in between. @typedef {{ start: Point, end: Point, middle: Point }} DefaultMarkers */

/** @param {NavMesh} navMesh @param {Point} fallback used without a mesh @param {Ground} ground where they are @returns {DefaultMarkers} three times the same point if the mesh is too small */
export function defaultMarkers(navMesh, fallback, ground) {
  const spots = candidates(navMesh, ground);
  if (spots.length === 0) return { start: fallback, end: fallback, middle: fallback };
  const middle = /** @type {Point} */ ([0, 1, 2].map((axis) => spots.reduce((sum, { point }) => sum + point[axis], 0) / spots.length));
  const reach = Math.max(...spots.map(({ point }) => distance(point, middle)));
  // Away from the edge: markers there would stick out of the mesh.
  const inner = spots.filter(({ point }) => distance(point, middle) <= 0.75 * reach);
  const near = inner.length >= 2 ? inner : spots;
  let [best, max] = [/** @type {[Point, Point]} */ ([near[0].point, near[0].point]), -1];
  for (const { point: a } of near) {
    for (const { point: b } of near) {
      const apart = distance(a, b);
      if (apart > max) [best, max] = [[a, b], apart];
    }
  }
  const central = spots.reduce((a, b) => (distance(b.point, middle) < distance(a.point, middle) ? b : a));
  return { start: tidy(best[0]), end: tidy(best[1]), middle: tidy(central.point) };
}

/** Rounds to centimetres, for display and saving. @param {Point} point @returns {Point} */
export const tidy = (point) => /** @type {Point} */ (point.map((part) => Math.round(part * 100) / 100));
