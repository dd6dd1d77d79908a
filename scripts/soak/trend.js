/**
 * Tests if a series grows, by the median of the slopes between all pairs of points and its confidence interval. Few outliers, for
 * example after a late garbage collection, change neither.
 *
 * Source: P. K. Sen, Estimates of the regression coefficient based on Kendall's tau, Journal of the American Statistical
 * Association 63, 1968.
 */

/** Maximum number of points; longer series are reduced to medians of neighbouring values. */
const MOST_POINTS = 150;
/** Quantile of the normal distribution: one in a thousand constant series is taken for a growing one. */
const SIGMAS = 3.1;

/** @param {number[]} values sorted @param {number} rank */
const at = (values, rank) => values[Math.max(0, Math.min(values.length - 1, Math.round(rank)))];

/** @param {number[]} values */
export function medianOf(values) {
  return at([...values].sort((a, b) => a - b), (values.length - 1) / 2);
}

/**
 * Reduces a series to few points, each the median of the same number of values.
 * @param {number[]} values @returns {{ x: number, y: number }[]}
 */
function thin(values) {
  const size = Math.ceil(values.length / MOST_POINTS);
  return Array.from({ length: Math.floor(values.length / size) }, (_, i) => (
    { x: size * i + (size - 1) / 2, y: medianOf(values.slice(size * i, size * (i + 1))) }));
}

/**
 * The growth of a series from one value to the next.
 * @param {number[]} values
 * @returns {{ slope: number, low: number, high: number }} the slope and the interval that contains it; all 0 for fewer than 8 values
 */
export function slopeOf(values) {
  const points = thin(values), count = points.length;
  if (count < 8) return { slope: 0, low: 0, high: 0 };
  const slopes = points.flatMap((a, i) => points.slice(i + 1).map((b) => (b.y - a.y) / (b.x - a.x))).sort((a, b) => a - b);
  const spread = SIGMAS * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18) / 2;
  const middle = (slopes.length - 1) / 2;
  return { slope: at(slopes, middle), low: at(slopes, middle - spread), high: at(slopes, middle + spread) };
}

/**
 * Tests if a series keeps growing in its second half: in both quarters, and by more than the data that an engine may add about
 * the code. A series that levels off grows less and less, a leak doesn't.
 * @param {number[]} values @param {{ slope: number, total: number }} tolerance slope: a step; total: in the second half, so that a few
 *   values tell nothing
 * @returns {{ grows: boolean, slope: number, low: number, high: number }} of the second half
 */
export function judgeGrowth(values, tolerance) {
  const half = values.slice(Math.floor(values.length / 2)), middle = Math.floor(half.length / 2);
  const whole = slopeOf(half);
  const steady = Math.min(whole.low, ...[half.slice(0, middle), half.slice(middle)].map((quarter) => slopeOf(quarter).slope));
  return { grows: steady > tolerance.slope && steady * half.length > tolerance.total, ...whole };
}
