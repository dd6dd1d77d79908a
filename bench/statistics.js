/** Statistics of repeated measurements. */

/** @typedef {{ median: number, minimum: number, maximum: number, lower: number, upper: number }} Summary lower, upper: quartiles */

/** The value below which a share of the sorted values lies, interpolated between two of them. */
function quantile(sorted, share) {
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  const high = Math.min(sorted.length - 1, low + 1);
  return sorted[low] + (place - low) * (sorted[high] - sorted[low]);
}

/** @param {number[]} values @returns {Summary} */
export function summarise(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const [lower, median, upper] = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share));
  return { median, minimum: sorted[0], maximum: sorted[sorted.length - 1], lower, upper };
}

/** @param {number[]} values positive @returns {number} */
export function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** The growth of times: the exponent p of time = c * size^p between two measurements. */
export function growthExponent(size, time, largerSize, largerTime) {
  return Math.log(largerTime / time) / Math.log(largerSize / size);
}

/** @param {number[]} values @returns {number} */
export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * The standard error of the mean; 0 for a single value.
 * @param {number[]} values @returns {number}
 */
export function standardError(values) {
  const middle = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1) / values.length);
}
