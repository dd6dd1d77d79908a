/** Links that make themselves on random levels, judged by the oracles of precision, recall and paths. */
import { load } from '../../../js/index.js';
import { judgeLevel } from './judge-level.js';
import { measurePaths } from './paths.js';
import { makeLinkCase } from './random-levels.js';
import { LINK_KINDS } from './trajectories.js';

/** Border points and pairs of each level. */
const [POINTS, PAIRS] = [500, 40];
/** The share of places for links that must have one, or a thinned one, over all seeds. */
const LEAST_RECALL = 0.95;
/** Fewer places say nothing. */
const LEAST_FOUND = 100;

/** Sums of recall by kind. @param {Record<string, { found: number, matched: number, explained: number }>} sums @param {Record<string, { found: number, matched: number, explained: number }>} recall */
export function addRecall(sums, recall) {
  for (const kind of LINK_KINDS) {
    const sum = (sums[kind] ??= { found: 0, matched: 0, explained: 0 });
    for (const name of /** @type {const} */ (['found', 'matched', 'explained'])) sum[name] += recall[kind][name];
  }
}

/** Kinds whose recall is too low. @param {Record<string, { found: number, matched: number, explained: number }>} sums */
export const lowRecalls = (sums) => Object.entries(sums).filter(([, { found, matched, explained }]) => found >= LEAST_FOUND && matched + explained < LEAST_RECALL * found)
  .map(([kind, { found, matched, explained }]) => `recall of ${kind}s: ${matched} of ${found} have a link, ${explained} are thinned`);

/**
 * @param {{ count: number, firstSeed: number, simd?: boolean, onRow?: (row: string) => void }} options
 * @returns {Promise<string[]>} faults
 */
export async function judgeSeeds({ count, firstSeed, simd = true, onRow = () => {} }) {
  const walkmesh = await load({ simd });
  /** @type {string[]} */
  const faults = [];
  /** @type {Record<string, { found: number, matched: number, explained: number }>} */
  const sums = {};
  let links = 0;
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const { level, config, limits } = makeLinkCase(seed);
    const judgement = judgeLevel(walkmesh, { level, config, limits, points: POINTS, seed });
    const paths = measurePaths(walkmesh, { level, config, limits, pairs: PAIRS, seed });
    links += judgement.links.length;
    addRecall(sums, judgement.recall);
    faults.push(...judgement.faults.map((fault) => `seed ${seed}: ${JSON.stringify(fault)}`), ...[...paths.faults, ...paths.longer].map((fault) => `seed ${seed}: ${fault}`));
  }
  onRow(`${links} links on ${count} levels`);
  for (const [kind, { found, matched, explained }] of Object.entries(sums)) onRow(`${kind}s: ${found} found, ${matched} with a link, ${explained} thinned`);
  return [...faults, ...lowRecalls(sums)];
}
