/** Slopes of the level's triangles. */

/** Triangles above this slope face down, degrees: walls may lean over a little. */
export const FACES_DOWN = 95;

/** The cosine of FACES_DOWN. */
const DOWN = Math.cos(FACES_DOWN * Math.PI / 180);

/**
 * The triangles that don't face down, as indices of their corners.
 * @param {{ positions: ArrayLike<number>, indices: ArrayLike<number> }} level @returns {Uint32Array<ArrayBuffer>}
 */
export function withoutFacingDown({ positions: p, indices }) {
  const others = new Uint32Array(indices.length);
  let count = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const a = 3 * indices[i], b = 3 * indices[i + 1], c = 3 * indices[i + 2];
    const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
    const y = uz * vx - ux * vz;
    if (y < DOWN * Math.hypot(uy * vz - uz * vy, y, ux * vy - uy * vx)) continue;
    for (let k = 0; k < 3; k++) others[count++] = indices[i + k];
  }
  return others.slice(0, count);
}

/** Largest distance between a point and its triangle, world units. */
const REACH = 1.5;

/**
 * The slope of the surface nearest to a point, degrees: 0 faces up, 90 is a wall, more faces down.
 * @param {{ positions: ArrayLike<number>, indices: ArrayLike<number> }} geometry @param {readonly number[]} point
 * @returns {{ angle: number, triangle: number, distance: number } | null} null: no triangle within REACH
 */
export function slopeAt({ positions, indices }, point) {
  let best = null;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    let isNear = true;
    for (let axis = 0; isNear && axis < 3; axis++) {
      const [p, q, r, at] = [positions[a + axis], positions[b + axis], positions[c + axis], point[axis]];
      isNear = Math.min(p, q, r) <= at + REACH && Math.max(p, q, r) >= at - REACH;
    }
    if (!isNear) continue;
    const corners = [a, b, c].map((at) => [positions[at], positions[at + 1], positions[at + 2]]);
    const distance = distanceToTriangle(point, corners);
    if (distance > REACH || (best && distance >= best.distance - 1e-6)) continue;
    if (Math.hypot(...normalOf(corners)) > 0) best = { angle: slopeOf(corners), triangle: i / 3, distance };
  }
  return best;
}

/** @param {Vector[]} corners */
const normalOf = ([a, b, c]) => cross(minus(b, a), minus(c, a));

/** @param {Vector[]} corners */
function slopeOf(corners) {
  const normal = normalOf(corners);
  const length = Math.hypot(...normal);
  return length > 0 ? Math.acos(Math.min(Math.max(normal[1] / length, -1), 1)) * 180 / Math.PI : 0;
}

/** @typedef {number[]} Vector */
const minus = (/** @type {readonly number[]} */ a, /** @type {Vector} */ b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (/** @type {Vector} */ a, /** @type {Vector} */ b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (/** @type {Vector} */ a, /** @type {Vector} */ b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** @param {readonly number[]} p @param {Vector} a @param {Vector} b */
function distanceToLine(p, a, b) {
  const [along, to] = [minus(b, a), minus(p, a)];
  const length = dot(along, along);
  const t = length > 0 ? Math.min(Math.max(dot(along, to) / length, 0), 1) : 0;
  return Math.hypot(...to.map((value, axis) => value - t * along[axis]));
}

/** @param {readonly number[]} p @param {Vector[]} corners */
function distanceToTriangle(p, corners) {
  const [a, b, c] = corners;
  const normal = cross(minus(b, a), minus(c, a));
  const isOver = corners.every((corner, k) => dot(cross(minus(corners[(k + 1) % 3], corner), minus(p, corner)), normal) >= 0);
  if (isOver && dot(normal, normal) > 0) return Math.abs(dot(minus(p, a), normal)) / Math.hypot(...normal);
  return Math.min(distanceToLine(p, a, b), distanceToLine(p, b, c), distanceToLine(p, c, a));
}

/**
 * The slope of a triangle, degrees: 0 faces up, 90 is a wall, more faces down; 0 for a triangle without area.
 * @param {ArrayLike<number>} positions @param {ArrayLike<number>} indices @param {number} first index of its first corner in `indices`
 */
export function angleOf(positions, indices, first) {
  const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((axis) => positions[3 * indices[first + k] + axis]));
  return slopeOf([a, b, c]);
}
