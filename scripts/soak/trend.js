/**
 * Does a series grow? By the median of the slopes between all pairs of points, and the range in which it lies for sure: a few
 * points far off, as after a garbage collection that came late, change neither.
 *
 * Source: P. K. Sen, Estimates of the regression coefficient based on Kendall's tau, Journal of the American Statistical
 * Association 63, 1968.
 */

/** Points that are looked at; of more, medians of neighbours. */
const MOST_POINTS = 150;
/** Of a normal distribution: once in a thousand such series that do not grow seem to. */
const SIGMAS = 3.1;

/** @param {number[]} values sorted @param {number} rank */
const at = (values, rank) => values[Math.max(0, Math.min(values.length - 1, Math.round(rank)))];

/** @param {number[]} values */
export function medianOf(values) {
  return at([...values].sort((a, b) => a - b), (values.length - 1) / 2);
}

/** Medians of as many neighbours as it takes to have few points. @param {number[]} values @returns {{ x: number, y: number }[]} */
function thin(values) {
  const size = Math.ceil(values.length / MOST_POINTS);
  return Array.from({ length: Math.floor(values.length / size) }, (_, i) => (
    { x: size * i + (size - 1) / 2, y: medianOf(values.slice(size * i, size * (i + 1))) }));
}

/**
 * How much a series grows from one value to the next.
 * @param {number[]} values
 * @returns {{ slope: number, low: number, high: number }} the slope, and between what it lies; all 0 for less than 8 values
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
 * Whether a series grows for good in its second half: in both quarters, and by more than what an engine may add to its knowledge of
 * the code. What levels off grows less and less, a leak does not.
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
