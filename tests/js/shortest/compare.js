/**
 * Compares paths with `shortest` with the visibility graph (visibility-graph.js): on a level, in one tile or in tiles. Starts and ends
 * lie inside polygons, on vertices, on edges and on borders of tiles, a quarter each. Lengths are those on x and z.
 */
import { Random } from '../live/random.js';
import { VisibilityGraph } from './visibility-graph.js';

/** Relative; and in world units for paths shorter than 1. */
const TOLERANCE = 1e-4;

/** @param {ArrayLike<number>} points */
export function lengthOnPlane(points) {
  let length = 0;
  for (let i = 3; i < points.length; i += 3) length += Math.hypot(points[i] - points[i - 3], points[i + 2] - points[i - 1]);
  return length;
}

/** A point of the mesh. */
function choosePoint(random, navMesh, mesh, kind) {
  const polygon = random.pick(mesh.polygons);
  const y = navMesh.closestPoint(polygon.ref, [polygon.outline[0][0], 0, polygon.outline[0][1]]).point[1];
  const seams = polygon.openings.filter(({ isSeam }) => isSeam);
  let at;
  if (kind === 'seam' && seams.length > 0) {
    const { left, right } = random.pick(seams);
    at = random.pick([left, right, [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2]]);
  } else {
    const i = random.integer(0, polygon.outline.length - 1), next = polygon.outline[(i + 1) % polygon.outline.length];
    const t = kind === 'vertex' ? 0 : random.real();
    at = polygon.outline[i].map((value, axis) => value + t * (next[axis] - value));
    if (kind === 'inside') {
      const other = random.pick(polygon.outline), u = random.real();
      at = at.map((value, axis) => value + u * (other[axis] - value));
    }
  }
  return { polygon: polygon.ref, point: navMesh.closestPoint(polygon.ref, [at[0], y, at[1]]).point };
}

const KINDS = ['inside', 'vertex', 'edge', 'seam'];

/**
 * @typedef {object} Comparison
 * @property {number} pairs that are connected
 * @property {number} corners of the visibility graph
 * @property {number} longer paths than the graph's
 * @property {number} shorter
 * @property {number} worst the largest relative difference
 * @property {number} ordinary how much longer ordinary paths are, as a mean share
 * @property {number} milliseconds of the graph
 * @property {string[]} faults
 */

/**
 * @param {import('../../../js/index.js').NavMesh} navMesh @param {{ pairs: number, seed: number, most?: number }} options most: tries
 * @returns {Comparison}
 */
export function compareWithGraph(navMesh, { pairs, seed, most = 20 * pairs }) {
  const random = new Random(seed);
  const start = performance.now();
  const graph = new VisibilityGraph(navMesh);
  const found = { pairs: 0, corners: graph.corners, longer: 0, shorter: 0, worst: 0, ordinary: 0, milliseconds: 0, faults: [] };
  for (let i = 0; i < most && found.pairs < pairs; i++) {
    const [a, b] = [0, 1].map(() => choosePoint(random, navMesh, graph.mesh, random.pick(KINDS)));
    const options = { halfExtents: /** @type {const} */ ([0.01, 0.5, 0.01]), shortest: true };
    const path = navMesh.findPath(a.point, b.point, options);
    if (path.status !== 'complete') continue;
    found.pairs++;
    const length = lengthOnPlane(path.points);
    const ordinary = lengthOnPlane(navMesh.findPath(a.point, b.point, { ...options, shortest: false }).points);
    const least = graph.measure(path.start.polygon, path.start.point, path.end.polygon, path.end.point);
    const off = (length - least) / Math.max(1, least);
    found.worst = Math.max(found.worst, Math.abs(off));
    found.ordinary += (ordinary - least) / Math.max(1, least);
    found.longer += off > TOLERANCE ? 1 : 0;
    found.shorter += off < -TOLERANCE ? 1 : 0;
    if (!(Math.abs(off) <= TOLERANCE)) {
      found.faults.push(`from ${[...path.start.point]} in ${path.start.polygon} to ${[...path.end.point]} in ${path.end.polygon}: ${length}, not ${least}`);
    }
  }
  found.ordinary /= Math.max(1, found.pairs);
  found.milliseconds = performance.now() - start;
  return found;
}
