/** The ground of a mesh by brute force: the detail triangles of its ground polygons, and the edges where it ends. */
import { readTile } from '../../../js/mesh/detour-tile.js';
import { SquareGrid } from './triangle-grid.js';

/** Polygons that adjoin another tile have this bit in place of a neighbour. */
const BETWEEN_TILES = 0x8000;
/** Triangles of less area, seen from above, have no height at a point. */
const LEAST_AREA = 1e-9;

/** The detail triangles of a ground polygon. @param {import('../../../js/mesh/detour-tile.js').TileArrays} tile @param {number} p */
function detailTriangles(tile, p) {
  const [firstVertex, firstTriangle, count] = tile.details.subarray(3 * p, 3 * p + 3), size = tile.sizes[p];
  const corner = (index) => {
    const [array, at] = index < size ? [tile.vertices, tile.polygons[6 * p + index]] : [tile.detailVertices, firstVertex + index - size];
    return [...array.subarray(3 * at, 3 * at + 3)];
  };
  return Array.from({ length: count }, (_, i) => [0, 1, 2].map((k) => corner(tile.detailTriangles[4 * (firstTriangle + i) + k])));
}

/** @typedef {{ a: number[], b: number[], normal: [number, number] }} Edge normal: on x and z, away from the ground */

/** The edges of a polygon that have no neighbour in its tile. @param {import('../../../js/mesh/detour-tile.js').TileArrays} tile @param {number} p @returns {Edge[]} */
function openEdges(tile, p) {
  const corners = Array.from(tile.polygons.subarray(6 * p, 6 * p + tile.sizes[p]), (v) => [...tile.vertices.subarray(3 * v, 3 * v + 3)]);
  const middle = [0, 2].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);
  return corners.flatMap((a, k) => {
    const neighbour = tile.neighbours[6 * p + k], b = corners[(k + 1) % corners.length];
    const length = Math.hypot(b[0] - a[0], b[2] - a[2]);
    if ((neighbour !== 0 && !(neighbour & BETWEEN_TILES)) || length === 0) return [];
    const normal = [(b[2] - a[2]) / length, (a[0] - b[0]) / length];
    const outward = (a[0] - middle[0]) * normal[0] + (a[2] - middle[1]) * normal[1] >= 0 ? 1 : -1;
    return [{ a, b, normal: /** @type {[number, number]} */ ([outward * normal[0], outward * normal[1]]) }];
  });
}

/** The point of a triangle nearest to another one on x and z, with its height. */
function closestOnTriangle([a, b, c], x, z) {
  const area = (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
  if (Math.abs(area) > LEAST_AREA) {
    const v = ((x - a[0]) * (c[2] - a[2]) - (z - a[2]) * (c[0] - a[0])) / area;
    const w = ((b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0])) / area;
    if (v >= 0 && w >= 0 && v + w <= 1) return { distance: 0, height: a[1] + v * (b[1] - a[1]) + w * (c[1] - a[1]) };
  }
  let best = { distance: Infinity, height: NaN };
  for (const [p, q] of [[a, b], [b, c], [c, a]]) {
    const [dx, dz] = [q[0] - p[0], q[2] - p[2]], squared = dx * dx + dz * dz;
    const t = squared > 0 ? Math.min(1, Math.max(0, ((x - p[0]) * dx + (z - p[2]) * dz) / squared)) : 0;
    const distance = Math.hypot(p[0] + t * dx - x, p[2] + t * dz - z);
    if (distance < best.distance) best = { distance, height: p[1] + t * (q[1] - p[1]) };
  }
  return best;
}

export class MeshGround {
  /** @type {number[][][]} */
  #triangles = [];
  /** Edges without a neighbour in their tile: borders, and borders of tiles. @type {Edge[]} */
  edges = [];
  #grid;

  /** @param {import('../../../js/index.js').NavMesh} navMesh @param {number} side of a square of the grid */
  constructor(navMesh, side) {
    this.#grid = new SquareGrid(side);
    for (const { bytes } of navMesh.tiles()) {
      const tile = readTile(bytes);
      for (let p = 0; p < tile.groundCount; p++) {
        this.edges.push(...openEdges(tile, p));
        for (const triangle of detailTriangles(tile, p)) this.#add(triangle);
      }
    }
  }

  #add(triangle) {
    const range = (axis, pick) => pick(...triangle.map((point) => point[axis]));
    this.#grid.add(this.#triangles.length, range(0, Math.min), range(2, Math.min), range(0, Math.max), range(2, Math.max));
    this.#triangles.push(triangle);
  }

  /**
   * The heights of the ground at a place, or at the nearest points within `slack` on x and z; some of them more than once.
   * @param {number} x @param {number} z @param {number} [slack] @returns {number[]}
   */
  heightsAt(x, z, slack = 1e-4) {
    const found = [];
    for (const t of this.#grid.near(x, z, slack)) {
      const { distance, height } = closestOnTriangle(this.#triangles[t], x, z);
      if (distance <= slack) found.push(height);
    }
    return found;
  }

  /** The height nearest to y there; NaN without any. @param {number} x @param {number} y @param {number} z @param {number} [slack] */
  heightNear(x, y, z, slack) {
    let nearest = NaN;
    for (const height of this.heightsAt(x, z, slack)) if (!(Math.abs(height - y) >= Math.abs(nearest - y))) nearest = height;
    return nearest;
  }
}
