/** Finds which way a level faces, before it is baked: the same finding as in the warnings of a bake. */
import { chooseStep, describeFacing, directionOf, isFacingSure, judgeFacing, minCosineOf } from '../input/facing.js';
import { toTriangles } from '../input/geometry.js';
import { traceTriangles } from './facing-lines.js';

/**
 * @typedef {object} LevelFacing
 * @property {'+x' | '-x' | '+y' | '-y' | '+z' | '-z'} direction that most of its ground faces
 * @property {boolean} isSure false: a guess, as for levels that are closed all around
 * @property {string} message the direction, and what to do
 */

/** Steepest slope that counts as facing a direction, degrees: the default of agentMaxSlope. */
const MAX_SLOPE = 45;

/**
 * The sums of src/bake/input/facing.c, in JavaScript: walkmesh/level works without the module.
 * @param {ReturnType<typeof toTriangles>} triangles @param {number} minCosine of slopes that face a direction
 * @returns {import('../input/facing.js').FacingSums}
 */
function sumFacing({ positions, stride, indices }, minCosine) {
  const step = chooseStep(indices.length / 3);
  const net = [0, 0, 0], facing = [0, 0, 0, 0, 0, 0], low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < indices.length; i += 3 * step) {
    const [a, b, c] = [0, 1, 2].map((corner) => positions.subarray(stride * indices[i + corner], stride * indices[i + corner] + 3));
    const [u, v] = [b, c].map((corner) => [0, 1, 2].map((axis) => corner[axis] - a[axis]));
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const area = Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2);
    for (let axis = 0; axis < 3; axis++) {
      net[axis] += step * normal[axis];
      if (Math.abs(normal[axis]) > minCosine * area) facing[2 * axis + (normal[axis] < 0 ? 1 : 0)] += step * area;
      low[axis] = Math.min(low[axis], a[axis], b[axis], c[axis]);
      high[axis] = Math.max(high[axis], a[axis], b[axis], c[axis]);
    }
  }
  return { net, facing, sizes: high.map((value, axis) => value - low[axis]) };
}

/**
 * Finds the direction that the ground of a level faces if it isn't up: the level lies on a side, is upside down, or mirrored.
 * Examines at most 8,192 triangles; if these say nothing, as in levels with ceilings, all of them.
 * @param {import('../input/geometry.js').Geometry} level as bake() takes it; only its triangles are examined
 * @returns {LevelFacing | null} null: it faces up, or no direction is likely
 */
export function levelFacing(level) {
  const triangles = toTriangles(level);
  const found = judgeFacing(sumFacing(triangles, minCosineOf(MAX_SLOPE)), traceTriangles(triangles, triangles.upAxis === 'y' ? 1 : 2), triangles.upAxis);
  if (found === 0) return null;
  return { direction: /** @type {LevelFacing['direction']} */ (directionOf(found)), isSure: isFacingSure(found), message: describeFacing(found) };
}
