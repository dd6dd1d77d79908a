/**
 * Refuses the level of another mesh: samples of the mesh's ground must lie on surfaces of the level. An edited level passes: half of
 * them are enough. Costs one pass over the triangles.
 */
import { toTriangles } from '../input/geometry.js';
import { solidTriangles } from '../input/solid-triangles.js';
import { NavError } from '../runtime/errors.js';
import { readTilePolygons } from './detour-tile.js';

/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('./mesh.js').NavMesh} NavMesh */
/** @typedef {{ x: number, y: number, z: number, isOnLevel: boolean }} Sample */

/** Most tiles that are sampled, and samples of each. */
const [MOST_TILES, MOST_OF_TILE] = [32, 16];
/** A sample lies between a vertex of a polygon and the mean of all: this fraction of the way. */
const INWARD = 0.25;
/** Triangles with a smaller area seen from above, square world units, are walls. */
const FLAT = 1e-9;

/** At most `most` numbers from 0 to count - 1, evenly spread. @param {number} count @param {number} most */
function spread(count, most) {
  const taken = Math.min(count, most);
  return Array.from({ length: taken }, (_, i) => Math.floor(i * count / taken));
}

/** Samples of the ground of a tile. @param {Uint8Array} bytes @returns {Sample[]} */
function samplesOf(bytes) {
  const ground = readTilePolygons(bytes).filter(({ isOffMesh }) => !isOffMesh);
  return spread(ground.length, MOST_OF_TILE).map((polygon) => {
    const { vertices } = ground[polygon], count = vertices.length / 3, corner = polygon % count;
    const [x, y, z] = [0, 1, 2].map((axis) => {
      let sum = 0;
      for (let i = 0; i < count; i++) sum += vertices[3 * i + axis];
      return (1 - INWARD) * vertices[3 * corner + axis] + INWARD * sum / count;
    });
    return { x, y, z, isOnLevel: false };
  });
}

/** Samples of the ground of a mesh, ascending on x. @param {NavMesh} navMesh */
function samplesOfMesh(navMesh) {
  const tiles = navMesh.tileRefs();
  return spread(tiles.length, MOST_TILES).flatMap((i) => samplesOf(navMesh.tileBytes(tiles[i]))).sort((a, b) => a.x - b.x);
}

/**
 * Marks the samples that a triangle passes within a distance above or below.
 * @param {readonly Sample[]} samples ascending on x @param {readonly number[]} a corners: x, y, z @param {readonly number[]} b @param {readonly number[]} c
 * @param {number} slack world units
 */
function markOn(samples, a, b, c, slack) {
  const [low, high] = [Math.min(a[0], b[0], c[0]), Math.max(a[0], b[0], c[0])];
  let first = 0;
  for (let count = samples.length; count > 0;) {
    const half = count >> 1;
    if (samples[first + half].x < low) [first, count] = [first + half + 1, count - half - 1];
    else count = half;
  }
  const area = (b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2]);
  for (let i = first; i < samples.length && samples[i].x <= high; i++) {
    const { x, y, z, isOnLevel } = samples[i];
    if (isOnLevel || Math.abs(area) < FLAT) continue;
    const v = ((x - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (z - a[2])) / area, w = ((b[0] - a[0]) * (z - a[2]) - (x - a[0]) * (b[2] - a[2])) / area;
    if (v < 0 || w < 0 || v + w > 1) continue;
    samples[i].isOnLevel = Math.abs(a[1] + v * (b[1] - a[1]) + w * (c[1] - a[1]) - y) <= slack;
  }
}

/** True if triangles have corners that aren't finite, or that don't exist. @param {ArrayLike<number>} positions @param {number} stride @param {ArrayLike<number>} indices */
const isBroken = (positions, stride, indices) => Array.prototype.some.call(indices, (vertex) => (
  [0, 1, 2].some((axis) => !Number.isFinite(positions[stride * vertex + axis]))));

/**
 * Throws if less than half of the ground of a mesh lies on surfaces of a level.
 * @param {NavMesh} navMesh @param {Geometry} geometry @param {string} field of the level
 */
export function requireLevelOf(navMesh, geometry, field) {
  const { positions, stride, indices, upAxis } = toTriangles(geometry);
  const { cellSize, cellHeight, agentMaxClimb } = navMesh.parameters;
  if (!(cellSize > 0)) return; // a Detour file: how far the mesh may be from the level is unknown
  const samples = samplesOfMesh(navMesh);
  // Vertices have the height of the highest cell around them, on steep ground up to two cells away.
  const slack = agentMaxClimb + 2 * cellHeight + 2 * cellSize;
  const corner = (/** @type {ArrayLike<number>} */ from, /** @type {number} */ at, /** @type {boolean} */ isTurned) => (
    isTurned ? [from[at], from[at + 2], -from[at + 1]] : [from[at], from[at + 1], from[at + 2]]);
  /** @param {ArrayLike<number>} from @param {number} step @param {ArrayLike<number>} corners @param {boolean} isTurned */
  const markAll = (from, step, corners, isTurned) => {
    for (let i = 0; i + 2 < corners.length; i += 3) {
      const [a, b, c] = [corners[i], corners[i + 1], corners[i + 2]].map((vertex) => corner(from, step * vertex, isTurned));
      markOn(samples, a, b, c, slack);
    }
  };
  markAll(positions, stride, indices, upAxis === 'z');
  const solids = solidTriangles(geometry);
  markAll(solids.positions, 3, solids.indices, false);
  const found = samples.filter(({ isOnLevel }) => isOnLevel).length;
  if (2 * found >= samples.length || isBroken(positions, stride, indices)) return; // the baker names what is broken
  throw new NavError('geometry', `${field} isn't the level of this mesh: ${found} of ${samples.length} places of its ground lie on it. Pass the level that was baked`,
    { field });
}
