/** What a check of a navigation mesh found. */

/** @typedef {import('../detour-tile.js').TileArrays} TileArrays */

/**
 * - `polygon` corners in range, at least three, none twice, convex, counter-clockwise seen from above (corners may lie on a line)
 * - `overlap` polygons of one tile lie on each other at one height
 * - `neighbour` an edge's neighbour knows the edge, and has the same two corners
 * - `bounds` corners and detail lie in the bounds of their tile, and the tile in its place of the grid
 * - `detail` triangles lie in their polygon, face up and cover it once
 * - `link` links lead to polygons that are there, lie on the edge they name, and lead back where they should
 * - `portal` edges that meet across tiles are linked, and only those
 * - `tree` each polygon is found where it is
 * - `ground` polygons lie over ground that can be walked on
 * - `cover` ground that can be walked on, away from its borders, has a polygon
 * @typedef {'polygon' | 'overlap' | 'neighbour' | 'bounds' | 'detail' | 'link' | 'portal' | 'tree' | 'ground' | 'cover'} CheckName
 */

/** @type {readonly CheckName[]} */
export const CHECKS = Object.freeze(['polygon', 'overlap', 'neighbour', 'bounds', 'detail', 'link', 'portal', 'tree', 'ground', 'cover']);

/**
 * @typedef {object} Finding
 * @property {CheckName} check
 * @property {string} message what is wrong, in words and figures
 * @property {number} polygon its reference, 0 where it is about none
 * @property {[number, number, number]} point where, world units
 */

/** Collects findings; counts on where there are more than are kept. */
export class Findings {
  /** @type {Finding[]} */
  list = [];
  /** How often each check found something. @type {Record<string, number>} */
  counts = {};
  #most;

  /** @param {number} most of a check that are kept */
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
 * A tile that is checked.
 * @typedef {object} CheckedTile
 * @property {number} ref of its first polygon
 * @property {TileArrays} tile
 */

/** How far float32 coordinates may be off by rounding, at a distance from the origin. @param {number} size */
export const roundingAt = (size) => 16 * 2 ** -23 * Math.max(size, 1e-3);

/** A corner of a polygon as index of a vertex. @param {TileArrays} tile @param {number} polygon @param {number} k */
export const cornerOf = (tile, polygon, k) => tile.polygons[6 * polygon + k];

/** The corners of a polygon: x, y, z of each. @param {TileArrays} tile @param {number} polygon @returns {number[][]} */
export function outlineOf(tile, polygon) {
  return Array.from({ length: tile.sizes[polygon] }, (_, k) => {
    const at = 3 * cornerOf(tile, polygon, k);
    return [tile.vertices[at], tile.vertices[at + 1], tile.vertices[at + 2]];
  });
}

/** @param {number[][]} outline @returns {[number, number, number]} the mean of the corners */
export function middleOf(outline) {
  const sum = outline.reduce((total, point) => total.map((value, axis) => value + point[axis]), [0, 0, 0]);
  return /** @type {[number, number, number]} */ (sum.map((value) => value / outline.length));
}

/** Twice the area of a, b, c on x and z; positive: counter-clockwise seen from above. @param {ArrayLike<number>} a @param {ArrayLike<number>} b @param {ArrayLike<number>} c */
export const turnOf = (a, b, c) => (c[0] - a[0]) * (b[2] - a[2]) - (b[0] - a[0]) * (c[2] - a[2]);

/** Twice the area of an outline on x and z. @param {number[][]} outline */
export function doubleAreaOf(outline) {
  let sum = 0;
  for (let k = 2; k < outline.length; k++) sum += turnOf(outline[0], outline[k - 1], outline[k]);
  return sum;
}
