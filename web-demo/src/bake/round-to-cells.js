/** Readable lengths that the bake rounds to a wanted number of cells. */

/** The quotient as the bake computes it. @param {number} value @param {number} unit */
const quotient = (value, unit) => Math.fround(Math.fround(value) / Math.fround(unit));

/** The largest hundredth whose rounded-up cells are at most a count. @param {number} cells @param {number} unit */
export function atMost(cells, unit) {
  const value = Math.round(100 * cells * unit) / 100;
  return Math.ceil(quotient(value, unit)) <= cells ? value : Math.round(100 * value - 1) / 100;
}

/** The smallest hundredth whose rounded-down cells are at least a count. @param {number} cells @param {number} unit */
export function atLeast(cells, unit) {
  const value = Math.round(100 * cells * unit) / 100;
  return Math.floor(quotient(value, unit)) >= cells ? value : Math.round(100 * value + 1) / 100;
}

/** Smaller cells that are tried where cells are in the way: shares of the level's own. */
const SMALLER = [1 / 2, 1 / 4];
/** Most cells of a level for which smaller cells are offered: a few seconds of work for two workers. */
const MAX_CELLS = 12e6;

/**
 * Smaller cell sizes, the largest first, to three digits; none for a level that would have too many of them.
 * @param {{ width: number, depth: number }} voxels of the level @param {number} cellSize
 */
export const smallerCells = ({ width, depth }, cellSize) => SMALLER.filter((share) => width * depth <= MAX_CELLS * share * share).map((share) => Number((share * cellSize).toPrecision(3)));
