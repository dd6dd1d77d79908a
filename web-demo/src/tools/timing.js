/** How long a question takes. Browsers tell the time in steps of a tenth of a millisecond, so short questions are asked again and again. */

/** What asking again may take, milliseconds: it happens while a marker is dragged. */
const BUDGET = 1.5;
/** A first question that took no longer than this is asked once more: it pays for what the next ones find ready. Milliseconds. */
const SHORT = 250;
/** Most repetitions between two looks at the clock. */
const MOST = 4096;

/**
 * Asks once, and again until the clock has moved enough. Questions must not change anything.
 * @template T @param {() => T} ask
 * @param {() => number} [now] milliseconds
 * @returns {{ answer: T, microseconds: number, times: number }} answer: the first; microseconds: of one, on average over the repetitions,
 *   of which the first is none unless it took long
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
