/** Rounds of a measurement, in Node and in pages. */

export const WARM_UP_ROUNDS = 2;

/**
 * Measures rounds of all contestants in turns.
 * @param {any[]} contestants
 * @param {(contestant: any) => import('./contestants.js').Run} bake
 * @param {{ runs?: number, warmUp?: number, most?: number, milliseconds: number, onRound: (round: number) => void }} options most: rounds
 *   at most; milliseconds: the limit for all rounds together if `runs` isn't set
 * @returns {Map<string, import('./contestants.js').Run[]>}
 */
export function measureRounds(contestants, bake, { runs, warmUp = WARM_UP_ROUNDS, most = 40, milliseconds, onRound }) {
  const results = new Map(contestants.map(({ name }) => [name, []]));
  let [rounds, start] = [warmUp + (runs ?? 5), 0];
  for (let round = 0; round < rounds; round++) {
    onRound(round);
    if (round === warmUp) start = performance.now();
    for (const contestant of round % 2 ? [...contestants].reverse() : contestants) {
      const one = bake(contestant);
      if (round >= warmUp) results.get(contestant.name).push(one);
    }
    if (round === warmUp && runs === undefined) {
      const fitting = Math.round(milliseconds / (performance.now() - start));
      rounds = warmUp + Math.min(most, Math.max(5, fitting));
    }
  }
  return results;
}
