/** Measures the duration of a query. Browser clocks tick in steps of 0.1 ms, so short queries are repeated. */

/** Most milliseconds for repetitions, because a measurement also runs while a marker is dragged. */
const BUDGET = 1.5;
/** A first query up to this long is repeated, because it also warms up caches. Milliseconds. */
const SHORT = 250;
/** Most repetitions between two readings of the clock. */
const MOST = 4096;

/**
 * Runs a query, and repeats it until the clock has moved enough. The query must not change anything.
 * @template T @param {() => T} ask
 * @param {() => number} [now] milliseconds
 * @returns {{ answer: T, microseconds: number, times: number }} answer: of the first run; microseconds: average over the repetitions,
 * without the first run unless it took long
 */
export function time(ask, now = () => performance.now()) {
  const start = now();
  const answer = ask();
  const first = now() - start;
  if (first >= SHORT) return { answer, microseconds: 1000 * first, times: 1 };
  let [times, batch, spent] = [0, 1, 0];
  const from = now();
  while (spent < BUDGET && times < MOST) {
    for (let i = 0; i < batch; i++) ask();
    times += batch;
    spent = now() - from;
    batch = Math.min(2 * batch, MOST - times);
  }
  return { answer, microseconds: 1000 * spent / times, times };
}
