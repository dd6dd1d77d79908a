/** Measures the duration of a query. Browser clocks tick in steps of 0.1 ms, so short queries are repeated. */

/** Most milliseconds for repetitions, because a measurement also runs while a marker is dragged. */
const BUDGET = 1.5;
/** A first query up to this long is repeated, because it also warms up caches. Milliseconds. */
const SHORT = 250;
/** Most repetitions between two readings of the clock. */
const MAX_REPETITIONS = 4096;

/**
 * Runs a query, and repeats it until the clock has moved enough. The query must not change anything.
 * @template T @param {() => T} run
 * @param {() => number} [now] milliseconds
 * @returns {{ result: T, microseconds: number, times: number }} result: of the first run; microseconds: average over the repetitions,
 * without the first run unless it took long
 */
export function time(run, now = () => performance.now()) {
  const start = now();
  const result = run();
  const first = now() - start;
  if (first >= SHORT) return { result, microseconds: 1000 * first, times: 1 };
  let [times, batch, spent] = [0, 1, 0];
  const from = now();
  while (spent < BUDGET && times < MAX_REPETITIONS) {
    for (let i = 0; i < batch; i++) run();
    times += batch;
    spent = now() - from;
    batch = Math.min(2 * batch, MAX_REPETITIONS - times);
  }
  return { result, microseconds: 1000 * spent / times, times };
}
