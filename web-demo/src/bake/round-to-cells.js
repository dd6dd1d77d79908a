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
