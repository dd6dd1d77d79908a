/** Figures from repeated measurements. */

/** @param {number[]} values @returns {{median: number, minimum: number, maximum: number}} */
export function summarise(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, minimum: sorted[0], maximum: sorted[sorted.length - 1] };
}

/** @param {number[]} values positive @returns {number} */
export function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
