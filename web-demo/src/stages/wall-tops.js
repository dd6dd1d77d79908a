/**
 * Tells the tops of walls from steep ground. Both have steep triangles only, but agents walk up to steep ground, while the top of a wall
 * is a thin strip with a drop beside it, which nobody reaches.
 */
import { CODES_OF } from './removal.js';

/** @typedef {import('./record.js').TileRecord} TileRecord */

/** Surfaces that rise more steeply, degrees, are walls. */
const WALL_SLOPE = 78;
/** Ground that is too steep rises by this share of the max slope's height per cell: its rows are not exactly upwards. */
const LEAST_SHARE = 0.7;
/** Walls are at most twice as wide, cells: a thick one has two faces. */
const HALF_WIDTH = 2;

const SIDES = [[1, 0], [-1, 0], [0, 1], [0, -1]];

/** Heights per cell of steep ground, cell heights. @param {TileRecord} record */
function risesOf({ frame: { cellSize, cellHeight }, config: { agentMaxSlope } }) {
  const rise = (/** @type {number} */ degrees) => Math.tan(degrees * Math.PI / 180) * cellSize / cellHeight;
  return { least: Math.max(1, Math.round(LEAST_SHARE * rise(agentMaxSlope))), most: Math.max(2, Math.round(rise(WALL_SLOPE))) };
}

/**
 * The least difference of heights between a span and the surfaces of a cell, without ceilings; Infinity: it has none; NaN: outside the tile.
 * @param {TileRecord} record @param {Uint8Array} codes of removalsOf @param {number} x @param {number} z @param {number} high
 */
function leastDifference({ solid, frame: { width, depth } }, codes, x, z, high) {
  if (x < 0 || z < 0 || x >= width || z >= depth) return NaN;
  let least = Infinity;
  const [begin, end] = [solid.first[x + z * width], solid.first[x + z * width + 1]];
  for (let i = begin; i < end; i++) {
    if (codes[i] !== CODES_OF.facesDown) least = Math.min(least, Math.abs(solid.high[i] - high));
  }
  return least;
}

/**
 * True if a steep span is the top of a wall: no neighbour continues it as a slope, and it has a drop within two cells.
 * @param {TileRecord} record @param {Uint8Array} codes of removalsOf @param {number} cell @param {number} span
 */
export function isWallTop(record, codes, cell, span) {
  const { solid: { high }, frame: { width } } = record;
  const { least, most } = risesOf(record);
  const [x, z] = [cell % width, Math.floor(cell / width)];
  let hasDrop = false;
  for (const [dx, dz] of SIDES) {
    for (let far = 1; far <= HALF_WIDTH; far++) {
      const difference = leastDifference(record, codes, x + far * dx, z + far * dz, high[span]);
      if (far === 1 && difference >= least && difference <= most) return false;
      hasDrop ||= difference > most;
    }
  }
  return hasDrop;
}
