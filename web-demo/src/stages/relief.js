/**
 * Shades of voxels, so that relief shows from far away, where steps of single cells don't: slopes are darker or lighter by the direction
 * that they face, ground beside something higher is darker, and the rims of what is higher are lighter: else roofs look like the streets
 * behind them.
 */

/** @typedef {import('./record.js').TileRecord} TileRecord */

/** Shades are stored as numbers: 0 is the colour itself, others are darker above this number and lighter below it, by a step each. */
export const SHADE_MIDDLE = 16;
/** Change of brightness of a step. */
export const SHADE_STEP = 0.05;
/** Lightest and darkest shade, steps. */
const [LIGHTEST, DARKEST] = [-4, 9];

/** Cells on each side that decide the slope. */
const REACH = 3;
/** Sum of the squares of -REACH to REACH: of a line fitted to heights. */
const SQUARES = 28;
/** Steepest slope that counts, and the slope of walls. */
const [STEEPEST, WALL] = [1.2, 2.5];
/** Brightness that a slope of 1 gains or loses along x and z: the light comes from -x and -z. */
const [LIGHT_X, LIGHT_Z] = [0.3, 0.2];
/** Darkening of ground that is surrounded by something higher. */
const OCCLUSION = 0.5;
const AROUND = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];

/**
 * The top in a cell that is nearest to a height; that height itself outside the tile and in empty cells.
 * @param {TileRecord} record @param {number} x @param {number} z @param {number} high
 */
function nearestTop({ solid, frame: { width, depth } }, x, z, high) {
  if (x < 0 || z < 0 || x >= width || z >= depth) return high;
  let [nearest, least] = [high, Infinity];
  for (let i = solid.first[x + z * width]; i < solid.first[x + z * width + 1]; i++) {
    const difference = Math.abs(solid.high[i] - high);
    if (difference < least) [nearest, least] = [solid.high[i], difference];
  }
  return nearest;
}

/** Slope along an axis. @param {TileRecord} record @param {number} x @param {number} z @param {number} high @param {number} dx @param {number} dz */
function slopeAlong(record, x, z, high, dx, dz) {
  const { cellSize, cellHeight } = record.frame;
  // Beyond a wall or an edge the ground is taken as level: else roofs would have a rim.
  const rise = (/** @type {number} */ i) => {
    const difference = nearestTop(record, x + i * dx, z + i * dz, high) - high;
    return Math.abs(difference) * cellHeight > WALL * Math.abs(i) * cellSize ? 0 : difference;
  };
  let sum = 0;
  for (let i = 1; i <= REACH; i++) sum += i * (rise(i) - rise(-i));
  return Math.max(-STEEPEST, Math.min(STEEPEST, sum * cellHeight / (SQUARES * cellSize)));
}

/** The part of the surroundings that is higher, 0 to 1. @param {TileRecord} record @param {number} x @param {number} z @param {number} high */
function occlusionAt(record, x, z, high) {
  const { cellSize, cellHeight } = record.frame;
  let sum = 0;
  for (const [dx, dz] of AROUND) {
    let most = 0;
    for (const far of [2, 4]) {
      // Less a cell height: slopes are stairs.
      const rise = (nearestTop(record, x + far * dx, z + far * dz, high) - high - 1) * cellHeight;
      most = Math.max(most, rise / (far * cellSize * Math.hypot(dx, dz)));
    }
    sum += Math.min(most, 1);
  }
  return sum / AROUND.length;
}

const SIDES = [[2, 0], [-2, 0], [0, 2], [0, -2]];
/** Least drop beside a rim, world units, and the brightness that rims gain. */
const [DROP, RIM] = [1.5, 0.2];

/** True if there is a drop within two cells. @param {TileRecord} record @param {number} x @param {number} z @param {number} high */
const isRim = (record, x, z, high) => SIDES.some(([dx, dz]) => (high - nearestTop(record, x + dx, z + dz, high)) * record.frame.cellHeight > DROP);

/** The shade of a solid span. @param {TileRecord} record @param {number} cell @param {number} span */
export function shadeOf(record, cell, span) {
  const { solid: { high }, frame: { width } } = record;
  const [x, z] = [cell % width, Math.floor(cell / width)];
  const light = LIGHT_X * slopeAlong(record, x, z, high[span], 1, 0) + LIGHT_Z * slopeAlong(record, x, z, high[span], 0, 1);
  const brightness = (1 + light + (isRim(record, x, z, high[span]) ? RIM : 0)) * (1 - OCCLUSION * occlusionAt(record, x, z, high[span]));
  const steps = Math.max(LIGHTEST, Math.min(DARKEST, Math.round((1 - brightness) / SHADE_STEP)));
  return steps === 0 ? 0 : SHADE_MIDDLE + steps;
}
