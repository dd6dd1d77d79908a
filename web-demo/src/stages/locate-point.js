/** Finds a point in a tile's record: its cell, the solid span below it, the open span on that, and its polygon. */
import { cornersOf } from './views.js';

/** @typedef {import('./record.js').TileRecord} TileRecord */

/**
 * @typedef {object} LocatedPoint
 * @property {number} cell of the record
 * @property {number} span solid span with the ground, -1: none
 * @property {number} open open span above it, -1: none
 * @property {boolean} isBuried the point lies inside the span, more than the step height below its top
 * @property {number} above height of the point above the ground, world units
 */

/**
 * The tile of a point, which may lie outside the grid.
 * @param {Readonly<import('walkmesh').Voxels>} voxels @param {readonly number[]} point
 */
export function tileOf({ boundsMin, tileWorldSize }, [x, , z]) {
  if (!(tileWorldSize > 0)) return { x: 0, z: 0 };
  return { x: Math.floor((x - boundsMin[0]) / tileWorldSize), z: Math.floor((z - boundsMin[2]) / tileWorldSize) };
}

/**
 * True if the point lies outside the grid.
 * @param {Readonly<import('walkmesh').Voxels>} voxels @param {readonly number[]} point @param {number} cellSize
 */
export function isOutside({ boundsMin, boundsMax, width, depth }, [x, y, z], cellSize) {
  const [cellX, cellZ] = [Math.floor((x - boundsMin[0]) / cellSize), Math.floor((z - boundsMin[2]) / cellSize)];
  return cellX < 0 || cellZ < 0 || cellX >= width || cellZ >= depth || y < boundsMin[1] - 1e-3 || y > boundsMax[1] + 1e-3;
}

/** Height of the top of a solid span, world units. @param {TileRecord} record @param {number} span */
export const topOf = ({ frame: { origin, cellHeight }, solid }, span) => origin[1] + solid.high[span] * cellHeight;

/**
 * The span of a cell at a height: the span that contains it, or the next one below, or the lowest.
 * @param {TileRecord} record @param {number} cell @param {number} y world units @returns {number} -1: the cell is empty
 */
export function spanNear(record, cell, y) {
  const { frame: { origin, cellHeight }, solid } = record;
  let [best, nearest] = [-1, Infinity];
  for (let span = solid.first[cell]; span < solid.first[cell + 1]; span++) {
    const [low, high] = [origin[1] + solid.low[span] * cellHeight, topOf(record, span)];
    const isIn = y >= low - cellHeight && y <= high + cellHeight;
    const distance = isIn ? Math.abs(high - y) : 1e6 + (y > high ? y - high : 1e6 + low - y);
    if (distance < nearest) [best, nearest] = [span, distance];
  }
  return best;
}

/** @param {TileRecord} record @param {number} cell @param {number} span */
export function openOn({ open }, cell, span) {
  for (let i = open.first[cell]; i < open.first[cell + 1]; i++) if (open.solid[i] === span) return i;
  return -1;
}

/** @param {TileRecord} record @param {readonly number[]} point inside the tile @returns {LocatedPoint} */
export function locatePoint(record, [x, y, z]) {
  const { frame: { origin, cellSize, cellHeight, width, depth, border }, config } = record;
  const at = (/** @type {number} */ offset, /** @type {number} */ size) => (
    Math.min(Math.max(Math.floor(offset / cellSize) + border, border), size - border - 1));
  const cell = at(x - origin[0], width) + at(z - origin[2], depth) * width;
  const span = spanNear(record, cell, y);
  if (span < 0) return { cell, span, open: -1, isBuried: false, above: 0 };
  const top = topOf(record, span);
  return {
    cell, span, open: openOn(record, cell, span), isBuried: top - y > config.agentMaxClimb + 2 * cellHeight, above: Math.max(y - top, 0),
  };
}

/** Squared distance on x and z from a point to a segment, and the side of its line. */
function distanceToSegment(/** @type {number} */ x, /** @type {number} */ z, /** @type {number[]} */ a, /** @type {number[]} */ b) {
  const [dx, dz] = [b[0] - a[0], b[2] - a[2]];
  const length = dx * dx + dz * dz;
  const t = length > 0 ? Math.min(Math.max(((x - a[0]) * dx + (z - a[2]) * dz) / length, 0), 1) : 0;
  return Math.hypot(a[0] + t * dx - x, a[2] + t * dz - z);
}

/**
 * Distance of a point from the tile's polygons at about the same height: 0 inside a polygon.
 * @param {TileRecord} record @param {readonly number[]} point
 * @returns {{ polygon: number, distance: number }} polygon -1: none
 */
export function nearestPolygon(record, [x, y, z]) {
  const { frame: { origin, cellSize, cellHeight }, polygonMesh: mesh, config: { agentMaxClimb } } = record;
  let [polygon, distance] = [-1, Infinity];
  for (let p = 0; p < mesh.polygonCount; p++) {
    const points = cornersOf(mesh, p).map((vertex) => [0, 1, 2].map((axis) => (
      origin[axis] + mesh.vertices[3 * vertex + axis] * (axis === 1 ? cellHeight : cellSize))));
    const heights = points.map((point) => point[1]);
    // Slack in height: between the corners of a long polygon the ground can be uneven.
    const slack = agentMaxClimb + 2 * cellHeight;
    if (y < Math.min(...heights) - slack || y > Math.max(...heights) + slack) continue;
    let [isInside, nearest] = [false, Infinity];
    points.forEach((a, k) => {
      const b = points[(k + 1) % points.length];
      if (a[2] > z !== b[2] > z && x < (b[0] - a[0]) * (z - a[2]) / (b[2] - a[2]) + a[0]) isInside = !isInside;
      nearest = Math.min(nearest, distanceToSegment(x, z, a, b));
    });
    if (isInside) return { polygon: p, distance: 0 };
    if (nearest < distance) [polygon, distance] = [p, nearest];
  }
  return { polygon, distance };
}
