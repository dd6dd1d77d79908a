/**
 * Bakes in one tile: every contestant bakes the same levels in turns, in this process. Rounds alternate the order; two rounds of
 * warm-up are not measured. Afterwards all arrays of Walkmesh and recast-navigation are compared bit by bit.
 */
import { compareCase } from '../tests/js/live/compare.js';
import { loadOurs } from '../tests/js/live/ours.js';
import { loadPeer } from '../tests/js/live/peer.js';
import { Navcat, RecastNavigation, Walkmesh } from './contestants.js';
import { chooseLevels, makeLevel } from './levels.js';
import { levelTable, meansOf, meansTable, summariseRuns } from './report.js';
import { WARM_UP_ROUNDS, measureRounds } from './rounds.js';

/** @typedef {import('./report.js').LevelFigures} LevelFigures */

const MILLISECONDS_A_LEVEL = 8000;

/**
 * The options of every part of the benchmark.
 * @typedef {object} BenchOptions
 * @property {string[]} [scenes] only these levels
 * @property {number} [runs] measured rounds; without it as many as fit
 * @property {boolean} [all] navcat too
 * @property {boolean} [scalar] our build without SIMD too
 * @property {boolean} [smallest] one round of one small level: tests that the part works, not its speed
 * @property {(text: string) => void} [onProgress]
 */

/** @param {BenchOptions} options */
export async function loadContestants({ scalar, all }) {
  const list = [new Walkmesh(true)];
  if (scalar) list.push(new Walkmesh(false));
  list.push(await RecastNavigation.load());
  if (all) list.push(await Navcat.load());
  return list.filter((contestant) => contestant !== null);
}

/**
 * @param {any[]} contestants @param {import('./levels.js').Level} level
 * @param {BenchOptions & { milliseconds?: number }} options milliseconds: for all rounds together, unless `runs` is set
 * @returns {Promise<LevelFigures>}
 */
export async function measureLevel(contestants, level, { runs, smallest, milliseconds = MILLISECONDS_A_LEVEL, onProgress = () => {} }) {
  const geometry = level.read();
  for (const contestant of contestants) await contestant.renew();
  const results = measureRounds(contestants, (contestant) => contestant.bake(geometry, level.config), {
    runs, warmUp: smallest ? 0 : WARM_UP_ROUNDS, milliseconds,
    onRound: (round) => onProgress(`${level.name}: round ${round + 1}`),
  });
  onProgress(`${level.name}: comparing the results`);
  const peer = await loadPeer();
  const outcome = peer && await compareCase(peer, await loadOurs(), { seed: 0, level: geometry, config: level.config });
  return {
    level: level.name, cellSize: level.config.cellSize, group: level.group, contestants: contestants.map(({ name }) => name),
    rows: summariseRuns(results), comparison: outcome && { ...outcome, arrays: Object.fromEntries(outcome.arrays) },
  };
}

/**
 * @param {BenchOptions} [options]
 * @returns {Promise<{ levels: LevelFigures[], means: ReturnType<typeof meansOf>, missing: string[] }>}
 */
export async function measureBakes(options = {}) {
  const contestants = await loadContestants(options);
  const chosen = options.smallest ? [makeLevel({ name: 'plaza', cellSize: 0.3 })] : chooseLevels(options.scenes);
  const levels = [];
  for (const level of chosen.filter(({ missing }) => !missing)) {
    levels.push(await measureLevel(contestants, level, { ...options, runs: options.smallest ? 1 : options.runs }));
  }
  options.onProgress?.('');
  return { levels, means: meansOf(levels), missing: chosen.filter(({ missing }) => missing).map(({ name }) => name) };
}

/** @param {Awaited<ReturnType<typeof measureBakes>>} figures @returns {import('./tables.js').Table[]} */
export function bakeTables({ levels, means, missing }) {
  const tables = [...levels.map((level) => levelTable(level)), meansTable(means, 'Bakes in one tile')];
  if (missing.length > 0) tables.at(-1).notes = [`Left out, for their files are missing here: ${missing.join(', ')}.`];
  return tables;
}
