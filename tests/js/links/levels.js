/** Small levels of boxes whose links can be told by hand, and links on them. */
import { joinLevels } from '../support.js';

/** The corners of a box's faces, counter-clockwise from outside: bits 0, 1, 2 of a corner are x, y, z at the maximum. */
const FACES = [[2, 6, 7, 3], [0, 1, 5, 4], [0, 2, 3, 1], [4, 5, 7, 6], [0, 4, 6, 2], [1, 3, 7, 5]];

/** A box as triangles. @param {number[]} min @param {number[]} max */
export function makeBox(min, max) {
  const corners = Array.from({ length: 8 }, (_, i) => [0, 1, 2].map((axis) => ((i >> axis) & 1 ? max : min)[axis]));
  return { positions: new Float32Array(corners.flat()), indices: new Uint32Array(FACES.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])) };
}

/** @param {number[][][]} boxes min and max of each */
export const makeBoxes = (boxes) => boxes.map(([min, max]) => makeBox(min, max)).reduce((a, b) => joinLevels(a, b));

/**
 * Two platforms of height 1.6 over a floor, a gap of 1.4 between them; a beam above the gap at z 12 to 14, so low that nobody jumps
 * there; a fence of height 1 on the floor at x 33.
 *
 *       ____ A ____   gap   ____ B ____
 *      |___________|       |___________|           | fence
 *   ------------------------------------------------------ floor
 *   x  4          12     13.4         24           33
 */
export const PLATFORMS = makeBoxes([
  [[0, -0.5, 0], [40, 0, 20]],
  [[4, 0, 2], [12, 1.6, 18]],
  [[13.4, 0, 2], [24, 1.6, 18]],
  [[12.2, 3, 12], [13.2, 3.4, 14]],
  [[33, 0, 0], [33.3, 1, 20]],
]);

/**
 * A link straight along x between two places of a mesh: its ends get the ground's heights.
 * @param {import('./ground.js').MeshGround} ground @param {import('./trajectories.js').LinkKind} kind
 * @param {[number, number]} start x, and about y @param {[number, number]} end
 * @param {[number, number]} range the lower and higher z
 * @returns {import('./trajectories.js').Link}
 */
export function makeLink(ground, kind, [x1, y1], [x2, y2], [low, high], peak = 0) {
  const zs = x2 > x1 ? [high, low] : [low, high];
  const at = (x, y) => /** @type {[number[], number[]]} */ (zs.map((z) => [x, ground.heightNear(x, y, z, 0.1), z]));
  return { kind, start: at(x1, y1), end: at(x2, y2), peak, bidirectional: kind !== 'drop' };
}
