/** Shortcuts of a path: straight lines between two of its points that the mesh interrupts once, and that are much shorter than the path between them. */
import { across, distanceOf } from './reach.js';

/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../query/find-path.js').Path} Path */
/** @typedef {import('../query/find-path.js').PathOptions} PathOptions */
/** @typedef {import('./gaps.js').Crossing} Crossing */
/** @typedef {import('./mesh-graph.js').Vector} Vector */

/** Most points of a path that are looked at, and most lines that are followed on the mesh. */
const [MOST_POINTS, MOST_LINES] = [64, 400];
/** Distance between crossings that count as different, world units. */
const SPREAD = 2;

/** @typedef {{ point: Vector, along: number }} Sample along: the length of the path up to it */

/** Points along a path, at equal distances. @param {ArrayLike<number>} points three numbers each @param {number} count @returns {Sample[]} */
function samplesOf(points, count) {
  const corner = (/** @type {number} */ i) => /** @type {Vector} */ ([points[3 * i], points[3 * i + 1], points[3 * i + 2]]);
  const lengths = Array.from({ length: count - 1 }, (_, i) => distanceOf(corner(i), corner(i + 1)));
  const step = lengths.reduce((sum, length) => sum + length, 0) / (MOST_POINTS - 1);
  /** @type {Sample[]} */
  const samples = [];
  let walked = 0;
  lengths.forEach((length, i) => {
    const [a, b] = [corner(i), corner(i + 1)];
    for (; samples.length * step <= walked + length + 1e-6; ) {
      const share = length > 0 ? Math.min((samples.length * step - walked) / length, 1) : 0;
      samples.push({ point: /** @type {Vector} */ (a.map((value, axis) => value + share * (b[axis] - value))), along: samples.length * step });
      if (step === 0) break;
    }
    walked += length;
  });
  return samples;
}

/** Where the mesh ends on a straight line; null: the line meets no edge. @param {NavMesh} navMesh @param {Vector} from @param {Vector} to @param {PathOptions} options @returns {Vector | null} */
function edgeTowards(navMesh, from, to, { filter, halfExtents = [2, 4, 2] }) {
  const near = navMesh.nearestPoint(from, { halfExtents, filter });
  const ray = near && navMesh.raycast(near.polygon, near.point, to, { filter });
  return ray?.hit ? /** @type {Vector} */ (Array.from(ray.point)) : null;
}

/**
 * The crossings that would shorten a path most, some way from each other.
 * @param {NavMesh} navMesh @param {Pick<Path, 'points' | 'count'>} path @param {PathOptions} options of the path @param {number} longest of a crossing, world units on x and z
 * @param {number} least length that must be saved @param {number} most crossings @returns {Crossing[]}
 */
export function findShortcuts(navMesh, { points, count }, options, longest, least, most) {
  const samples = samplesOf(points, count);
  const pairs = samples.flatMap((from, i) => samples.slice(i + 1).map((to) => ({ from, to, saves: to.along - from.along - distanceOf(from.point, to.point) })))
    .filter(({ saves }) => saves >= least).sort((a, b) => b.saves - a.saves).slice(0, MOST_LINES);
  /** @type {Crossing[]} */
  const found = [];
  for (const { from, to } of pairs) {
    const start = edgeTowards(navMesh, from.point, to.point, options), end = start && edgeTowards(navMesh, to.point, from.point, options);
    if (!start || !end || across(start, end) > longest) continue;
    const isNew = found.every((other) => distanceOf(other.start, start) > SPREAD || distanceOf(other.end, end) > SPREAD);
    if (isNew) found.push({ start, end, distance: distanceOf(start, end) });
    if (found.length === most) break;
  }
  return found;
}
