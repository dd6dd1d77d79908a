/** Measures the level's triangles at a point: ground, ceiling and the distance to a wall, exact where cells are coarse. */

/** @typedef {{ positions: ArrayLike<number>, indices: ArrayLike<number> }} Triangles */
/** @typedef {readonly number[]} Vector */

/** Smallest area of a triangle seen from above, square world units: smaller ones count as vertical. */
const FLAT = 1e-9;

/**
 * Calls back for each triangle whose bounds on x and z lie within a distance of a point. Returns nothing.
 * @param {Triangles} level @param {number} x @param {number} z @param {number} reach
 * @param {(a: Vector, b: Vector, c: Vector) => void} visit
 */
function forTriangles({ positions, indices }, x, z, reach, visit) {
  for (let i = 0; i < indices.length; i += 3) {
    const a = 3 * indices[i], b = 3 * indices[i + 1], c = 3 * indices[i + 2];
    if (Math.min(positions[a], positions[b], positions[c]) > x + reach || Math.max(positions[a], positions[b], positions[c]) < x - reach) continue;
    if (Math.min(positions[a + 2], positions[b + 2], positions[c + 2]) > z + reach
      || Math.max(positions[a + 2], positions[b + 2], positions[c + 2]) < z - reach) continue;
    const [p, q, r] = [a, b, c].map((at) => [positions[at], positions[at + 1], positions[at + 2]]);
    visit(p, q, r);
  }
}

/** The height of a triangle on a vertical line; null: beside it, or vertical. @param {Vector} a @param {Vector} b @param {Vector} c @param {number} x @param {number} z */
function heightOn(a, b, c, x, z) {
  const area = (b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2]);
  if (Math.abs(area) < FLAT) return null;
  const v = ((x - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (z - a[2])) / area;
  const w = ((b[0] - a[0]) * (z - a[2]) - (x - a[0]) * (b[2] - a[2])) / area;
  const slack = 1e-6;
  return v < -slack || w < -slack || v + w > 1 + slack ? null : a[1] + v * (b[1] - a[1]) + w * (c[1] - a[1]);
}

/**
 * The heights of all surfaces on a vertical line, from bottom to top.
 * @param {Triangles} level @param {number} x @param {number} z @returns {number[]}
 */
export function heightsAt(level, x, z) {
  /** @type {number[]} */
  const heights = [];
  forTriangles(level, x, z, 0, (a, b, c) => {
    const height = heightOn(a, b, c, x, z);
    if (height !== null) heights.push(height);
  });
  return heights.sort((a, b) => a - b);
}

/**
 * The ground nearest to a height, within a range of heights.
 * @param {readonly number[]} heights of heightsAt @param {number} y @param {number} low @param {number} high @returns {number | null}
 */
export function groundNear(heights, y, low, high) {
  let best = null;
  for (const height of heights) {
    if (height < low || height > high) continue;
    if (best === null || Math.abs(height - y) < Math.abs(best - y)) best = height;
  }
  return best;
}

/** Surfaces less than this above the ground are the ground itself, world units. */
const SAME = 0.01;

/** The height of the lowest surface above a ground; Infinity: none. @param {readonly number[]} heights of heightsAt @param {number} ground */
export const ceilingAbove = (heights, ground) => heights.find((height) => height > ground + SAME) ?? Infinity;

/** The part of a polygon above (sign 1) or below (sign -1) a height. @param {Vector[]} polygon @param {number} height @param {1 | -1} sign */
function cut(polygon, height, sign) {
  /** @type {Vector[]} */
  const kept = [];
  polygon.forEach((from, i) => {
    const to = polygon[(i + 1) % polygon.length];
    const [here, there] = [sign * (from[1] - height), sign * (to[1] - height)];
    if (here >= 0) kept.push(from);
    if (here >= 0 !== there >= 0) {
      const t = here / (here - there);
      kept.push([from[0] + t * (to[0] - from[0]), height, from[2] + t * (to[2] - from[2])]);
    }
  });
  return kept;
}

/** Distance on x and z between a point and a line segment. @param {number} x @param {number} z @param {Vector} a @param {Vector} b */
function distanceToSegment(x, z, a, b) {
  const [dx, dz] = [b[0] - a[0], b[2] - a[2]];
  const length = dx * dx + dz * dz;
  const t = length > 0 ? Math.min(Math.max(((x - a[0]) * dx + (z - a[2]) * dz) / length, 0), 1) : 0;
  return Math.hypot(a[0] + t * dx - x, a[2] + t * dz - z);
}

/** True if a triangle is too steep to walk on. @param {Vector} a @param {Vector} b @param {Vector} c @param {number} minUp */
function isSteep(a, b, c, minUp) {
  const [ux, uy, uz, vx, vy, vz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2], c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  return ny <= minUp * Math.hypot(nx, ny, nz);
}

/**
 * The distance on x and z from a point to the nearest steep triangle between two heights.
 * @param {Triangles} level @param {Vector} point
 * @param {{ low: number, high: number, maxSlope: number, reach: number }} options maxSlope: degrees
 * @returns {number} Infinity: none within reach
 */
export function wallDistance(level, [x, , z], { low, high, maxSlope, reach }) {
  const minUp = Math.cos(maxSlope * Math.PI / 180);
  let best = Infinity;
  forTriangles(level, x, z, reach, (a, b, c) => {
    if (Math.min(a[1], b[1], c[1]) >= high || Math.max(a[1], b[1], c[1]) <= low || !isSteep(a, b, c, minUp)) return;
    const part = cut(cut([a, b, c], low, 1), high, -1);
    part.forEach((from, i) => { best = Math.min(best, distanceToSegment(x, z, from, part[(i + 1) % part.length])); });
  });
  return best <= reach ? best : Infinity;
}
