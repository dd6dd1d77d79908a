/** Findings: the problems that a check of a navigation mesh reports. */

/** @typedef {import('../mesh/detour-tile.js').TileArrays} TileArrays */

/**
 * - `polygon` vertices in range, at least three, none twice, convex, counter-clockwise seen from above (vertices may be collinear)
 * - `overlap` polygons of one tile lie on each other at one height
 * - `neighbour` an edge's neighbour has the same edge, with the same two vertices
 * - `bounds` vertices and detail lie in the bounds of their tile, and the tile in its tile place
 * - `detail` triangles lie in their polygon, face up and cover it once
 * - `link` links lead to existing polygons, lie on the edge they name, and have a reverse link unless they are one-way
 * - `portal` edges that meet across tiles are linked, and only those
 * - `tree` a search at each polygon finds it
 * - `ground` polygons lie over walkable surface
 * - `cover` walkable surface, away from its borders, has a polygon
 * @typedef {'polygon' | 'overlap' | 'neighbour' | 'bounds' | 'detail' | 'link' | 'portal' | 'tree' | 'ground' | 'cover'} CheckName
 */

/** @type {readonly CheckName[]} */
export const CHECKS = Object.freeze(['polygon', 'overlap', 'neighbour', 'bounds', 'detail', 'link', 'portal', 'tree', 'ground', 'cover']);

/**
 * @typedef {object} Finding
 * @property {CheckName} check
 * @property {string} message the problem, with figures
 * @property {number} polygon its reference, 0 if the finding is about none
 * @property {[number, number, number]} point its position, world units
 */

/** Collects findings; continues to count when no more are stored. */
export class Findings {
  /** @type {Finding[]} */
  list = [];
  /** Findings of each check. @type {Record<string, number>} */
  counts = {};
  #most;

  /** @param {number} most findings of each check that are stored */
  constructor(most) {
    this.#most = most;
  }

  /** @param {CheckName} check @param {string} message @param {number} polygon @param {ArrayLike<number>} point */
  add(check, message, polygon, point) {
    const count = this.counts[check] = (this.counts[check] ?? 0) + 1;
    if (count > this.#most) return;
    this.list.push({ check, message, polygon, point: [point[0], point[1], point[2]] });
  }
}

/**
 * A tile to check.
 * @typedef {object} CheckedTile
 * @property {number} ref of its first polygon
 * @property {TileArrays} tile
 * @property {Float64Array} corners [groundCount][6][3] x, y, z of each polygon's vertices, if they are in range
 * @property {Float64Array} middles [groundCount][3] the mean of each polygon's vertices
 */

/** Elements of a polygon in `corners`. */
export const STRIDE = 18;

/** @param {number} ref of its first polygon @param {TileArrays} tile @returns {CheckedTile} with `corners` not filled in yet */
export function beginTile(ref, tile) {
  return { ref, tile, corners: new Float64Array(STRIDE * tile.groundCount), middles: new Float64Array(3 * tile.groundCount) };
}

/** The largest rounding error of float32 coordinates at a distance from the origin. @param {number} size */
export const roundingAt = (size) => 16 * 2 ** -23 * Math.max(size, 1e-3);

/** The vertex index of a polygon's k-th vertex. @param {TileArrays} tile @param {number} polygon @param {number} k */
export const cornerOf = (tile, polygon, k) => tile.polygons[6 * polygon + k];

/** The centre of a polygon. @param {CheckedTile} checked @param {number} p */
export const middleOf = ({ middles }, p) => middles.subarray(3 * p, 3 * p + 3);

/** The x, y, z of a polygon's k-th vertex. @param {CheckedTile} checked @param {number} p @param {number} k */
export const pointOf = ({ corners }, p, k) => corners.subarray(STRIDE * p + 3 * k, STRIDE * p + 3 * k + 3);

/** The length of a vector on x and z. @param {number} x @param {number} z */
export const lengthOf = (x, z) => Math.sqrt(x * x + z * z);

/**
 * Twice the area of a, b, c on x and z; positive: counter-clockwise seen from above. Points are x, y, z in arrays, starting at an index.
 * @param {ArrayLike<number>} of a and b @param {number} a @param {number} b @param {ArrayLike<number>} from of c @param {number} c
 */
export const turnOf = (of, a, b, from, c) => (from[c] - of[a]) * (of[b + 2] - of[a + 2]) - (of[b] - of[a]) * (from[c + 2] - of[a + 2]);

/**
 * Twice the area of an outline on x and z.
 * @param {ArrayLike<number>} points x, y, z of each @param {number} first @param {number} count
 */
export function doubleAreaOf(points, first, count) {
  let sum = 0;
  for (let k = 2; k < count; k++) sum += turnOf(points, first, first + 3 * k - 3, points, first + 3 * k);
  return sum;
}

/** The length of an outline on x and z. @param {ArrayLike<number>} points x, y, z of each @param {number} first @param {number} count */
export function perimeterOf(points, first, count) {
  let sum = 0;
  for (let k = 0, last = first + 3 * count - 3; k < count; k++) {
    const at = first + 3 * k;
    sum += lengthOf(points[at] - points[last], points[at + 2] - points[last + 2]);
    last = at;
  }
  return sum;
}

/**
 * @param {ArrayLike<number>} points x, y, z of each @param {number} first @param {number} count
 * @param {Float64Array} middle receives the mean @param {number} [at]
 */
export function writeMiddle(points, first, count, middle, at = 0) {
  for (let axis = 0; axis < 3; axis++) {
    let sum = 0;
    for (let k = 0; k < count; k++) sum += points[first + 3 * k + axis];
    middle[at + axis] = sum / count;
  }
}
