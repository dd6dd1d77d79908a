/**
 * The query benchmark: both packages through their public JavaScript APIs, in the same process, on the same mesh.
 *
 * A round asks all 512 queries of one kind, repeated until it takes 5 ms or more; rounds of both packages alternate, and so does
 * the package that begins. The report has the median and the quartiles of rounds, each divided by its number of queries. Garbage
 * is the growth of the JavaScript heap (typed arrays included) over many calls without a collection in between, after a warm-up:
 * a full collection drops compiled code and its type feedback, and until these are back numbers are boxed.
 */

import v8 from 'node:v8';
import vm from 'node:vm';
import { load } from '../js/index.js';
import { MeshView } from '../tests/js/live/mesh-view.js';
import { loadPeer } from '../tests/js/live/peer.js';
import { DEFAULTS } from '../tests/js/live/voxels.js';
import { gameQueryLevels, makeLevel, queryLevels } from './levels.js';
import { askNavcat } from './questions-navcat.js';
import { agreement, makeBatches, makeRows } from './questions.js';
import { geometricMean, summarise } from './statistics.js';
import { ratioText, spreadText } from './tables.js';

const MILLISECONDS_A_ROW = 600;
const MINIMUM_ROUNDS = 7;
/** Duration of a round of one contestant: long enough that the cache contents left by the other one don't matter. */
const MILLISECONDS_A_ROUND = 5;
const WARM_UP_ROUNDS = 4;
const GARBAGE_BYTES_AT_ONCE = 2e6;
/** Over this many calls, an engine's own allocations (some 5 kB now and then) are less than a byte per call; an object is 12. */
const MOST_CALLS = 20000;
/** Warm-up of a query after a collection, before its garbage is measured. */
const GARBAGE_WARM_UP_MILLISECONDS = 50;
/** Rows of the levels of real games. */
const GAME_ROWS = ['nearest polygon', 'path in one call', 'raycast, 3 m', 'move along surface, 0.1 m'];

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');

const PLAZA = [{ ...makeLevel({ name: 'plaza', cellSize: 0.3 }), cellSize: 0.3 }];

/**
 * @param {import('./bakes.js').BenchOptions} [options]
 * @returns {Promise<object[]>} figures of each level
 */
export function measureQueries({ scenes = [], ...options } = {}) {
  const levels = queryLevels().filter(({ name }) => scenes.length === 0 || scenes.includes(name));
  return measureLevels(options.smallest ? PLAZA : levels, options);
}

/**
 * The queries that games make most, on levels of real games.
 * @param {import('./bakes.js').BenchOptions} [options]
 * @returns {Promise<{ levels: object[], missing: string[] }>}
 */
export async function measureGameQueries({ scenes = [], ...options } = {}) {
  const chosen = options.smallest ? PLAZA : gameQueryLevels(scenes);
  const levels = await measureLevels(chosen.filter(({ missing }) => !missing), options, GAME_ROWS);
  return { levels, missing: chosen.filter(({ missing }) => missing).map(({ name }) => name) };
}

/** @param {any[]} levels @param {import('./bakes.js').BenchOptions} options @param {string[]} [names] only these rows */
async function measureLevels(levels, { smallest = false, all = false, onProgress = () => {} }, names) {
  const peer = await loadPeer();
  const walkmesh = await load();
  const effort = smallest ? { milliseconds: 0, garbageTimes: 1 } : { milliseconds: MILLISECONDS_A_ROW, garbageTimes: 5 };
  const figures = [];
  for (const level of levels) figures.push(await measureLevel(walkmesh, peer, level, { ...effort, all, onProgress, names }));
  onProgress('');
  return figures;
}

async function measureLevel(walkmesh, peer, { name, read, cellSize }, { milliseconds, garbageTimes, all, onProgress, names }) {
  onProgress(`${name}: baking`);
  const [geometry, config] = [read(), { ...DEFAULTS, cellSize }];
  const { navMesh } = walkmesh.bake(geometry, config);
  const theirs = peer && peer.importNavMesh(navMesh.exportDetour('set')).navMesh;
  const view = peer && new MeshView(theirs, navMesh);
  const toPeer = (ref) => view.byOurRef.get(ref).peerRef;
  const { rows, places } = makeRows(peer, { ours: navMesh, theirs }, toPeer);
  const navcat = all ? await askNavcat(geometry, config, places) : null;
  const isWanted = (row) => !names || names.includes(row.name);
  const measured = rows.filter(isWanted).map((row) => {
    onProgress(`${name}: ${row.name}`);
    return { name: row.name, agreement: agreement(row), ...measureRow({ ...row, navcat: navcat?.[row.name] }, milliseconds, garbageTimes) };
  });
  const batches = makeBatches(navMesh, places).filter(isWanted).map(({ name: row, count, ask }) => {
    onProgress(`${name}: ${row}, ${count} in one call`);
    const { ours, count: questions } = rows.find((one) => one.name === row);
    const times = measureAlternately([{ count, run: ask }, { count: questions, run: () => askAll(ours, questions) }], milliseconds);
    return { name: row, count, batch: summarise(times[0]), single: summarise(times[1]).median, garbage: garbageOf(ask, 20, garbageTimes) };
  });
  const { polygons } = navMesh.totals;
  navMesh.free();
  theirs?.destroy();
  return { level: name, cellSize, polygons, rows: measured, batches };
}

/** Microseconds per query and its garbage, for each contestant. */
function measureRow({ count, ours, theirs, navcat }, milliseconds, garbageTimes) {
  const asked = [ours, theirs, navcat].filter(Boolean);
  const times = measureAlternately(asked.map((ask) => ({ count, run: () => askAll(ask, count) })), milliseconds);
  const timesOf = (ask) => (ask ? summarise(times[asked.indexOf(ask)]) : null);
  let next = 0;
  const garbage = (ask, rounds = garbageTimes) => (ask ? garbageOf(() => ask(next++ % count), MOST_CALLS, rounds) : null);
  return { ours: timesOf(ours), theirs: timesOf(theirs), garbage: garbage(ours), theirGarbage: garbage(theirs, Math.min(3, garbageTimes)),
    ...(navcat && { navcat: timesOf(navcat), navcatGarbage: garbage(navcat) }) };
}

function askAll(ask, count) {
  for (let i = 0; i < count; i++) ask(i);
}

/**
 * Measures rounds in turns, until the time is over.
 * @param {{ count: number, run: () => void }[]} contestants
 * @param {number} milliseconds minimum of all rounds together
 * @returns {number[][]} microseconds per query, by contestant and round
 */
function measureAlternately(contestants, milliseconds) {
  const turns = contestants.map(({ count, run }) => {
    let fastest = Infinity;
    for (let round = 0; round < WARM_UP_ROUNDS; round++) fastest = Math.min(fastest, timeOf(run, 1));
    const repeats = milliseconds > 0 ? Math.ceil(MILLISECONDS_A_ROUND / fastest) : 1;
    return { run, repeats, questions: repeats * count, times: [] };
  });
  const begin = performance.now();
  for (let round = 0; round < MINIMUM_ROUNDS || performance.now() - begin < milliseconds; round++) {
    for (const { run, repeats, questions, times } of round % 2 ? turns.toReversed() : turns) {
      times.push((timeOf(run, repeats) * 1000) / questions);
    }
  }
  return turns.map(({ times }) => times);
}

/** Milliseconds of all repeats. @param {() => void} run @param {number} repeats */
function timeOf(run, repeats) {
  const start = performance.now();
  for (let i = 0; i < repeats; i++) run();
  return performance.now() - start;
}

/**
 * Bytes of garbage per call, after a warm-up: the median of several measurements.
 * @param {() => unknown} ask @param {number} [most] calls @param {number} [times]
 */
export function garbageOf(ask, most = MOST_CALLS, times = 5) {
  const few = Math.min(50, most);
  const rough = Math.max(1, grownBy(ask, few) / few);
  const calls = Math.max(10, Math.min(most, Math.floor(GARBAGE_BYTES_AT_ONCE / rough)));
  const samples = Array.from({ length: times }, () => grownBy(ask, calls) / calls);
  return Math.max(0, Math.round(summarise(samples).median));
}

function grownBy(ask, calls) {
  collect();
  const begin = performance.now();
  while (performance.now() - begin < GARBAGE_WARM_UP_MILLISECONDS) ask();
  const before = process.memoryUsage();
  for (let i = 0; i < calls; i++) ask();
  const after = process.memoryUsage();
  return after.heapUsed + after.external - before.heapUsed - before.external;
}

// ---- Tables --------------------------------------------------------------------------------------------------------

/** @param {object[]} levels the result of measureQueries @returns {import('./tables.js').Table[]} */
export function queryTables(levels) {
  return [...levels.flatMap(levelTables), overviewTable(levels)];
}

function levelTables({ level, cellSize, polygons, rows, batches }) {
  const all = rows.some(({ navcat }) => navcat);
  const header = ['us each: median (quartiles)', 'walkmesh', 'recast-navigation', 'ratio', 'garbage', 'theirs', 'agree',
    ...(all ? ['navcat', 'ratio', 'garbage'] : [])];
  const lines = rows.map(({ name, ours, theirs, garbage, theirGarbage, agreement: share, navcat, navcatGarbage }) => [
    name, spreadText(ours, microseconds), spreadText(theirs ?? undefined, microseconds),
    ratioText(theirs ? theirs.median / ours.median : undefined),
    `${garbage} B`, theirs ? `${theirGarbage} B` : '-', share === null ? '-' : `${(share * 100).toFixed(1)} %`,
    ...(all ? [spreadText(navcat, microseconds), ratioText(navcat ? navcat.median / ours.median : undefined), navcat ? `${navcatGarbage} B` : '-'] : []),
  ]);
  const batchHeader = ['us each: median (quartiles)', 'in a batch', 'one by one', 'ratio', 'garbage a batch'];
  const batchLines = batches.map(({ name, batch, single, garbage }) => [
    name, spreadText(batch, microseconds), microseconds(single), ratioText(single / batch.median), `${garbage} B`]);
  const where = `${level}, cell ${cellSize}, ${polygons} polygons`;
  return [{ title: `Queries: ${where}`, rows: [header, ...lines] },
    { title: `The same in batches of 1,000: ${where}`, rows: [batchHeader, ...batchLines] }];
}

/** Geometric means of ratios over levels. */
function overviewTable(levels) {
  if (levels.length === 0) return 'No level of the queries is named: city, terrain, nav_test.';
  const lines = levels[0].rows.filter(({ theirs }) => theirs).map(({ name }) => {
    const ratios = levels.map(({ rows }) => rows.find((row) => row.name === name)).map(({ ours, theirs }) => theirs.median / ours.median);
    return [name, ratioText(geometricMean(ratios)), ratioText(Math.min(...ratios))];
  });
  const names = levels.map(({ level }) => level).join(', ');
  return { title: `Queries, recast-navigation against walkmesh: ${names}`, rows: [['', 'geometric mean', 'the least'], ...lines] };
}

/**
 * A line for each level: times and ratios of each query, and how many times as fast batches of 1,000 are.
 * @param {{ levels: any[], missing: string[] }} figures @returns {import('./tables.js').Table}
 */
export function gameQueryTable({ levels, missing }) {
  const title = 'Queries on levels of games, us each (medians)';
  const notes = missing.length > 0 ? [`Not measured, for their files are not beside the repository (shared/scenes/game): ${missing.join(', ')}.`] : [];
  if (levels.length === 0) return { title, rows: [['level']], notes };
  const names = levels[0].rows.map(({ name }) => name);
  const of = ({ rows, batches }, name) => ({ ...rows.find((row) => row.name === name), ...batches.find((row) => row.name === name) });
  const ratios = (one) => [one.theirs ? one.theirs.median / one.ours.median : NaN, one.single / one.batch.median];
  const cells = (one) => [microseconds(one.ours.median), one.theirs ? microseconds(one.theirs.median) : '-', ...ratios(one).map(ratioText)];
  const rows = levels.map((level) => [level.level, ...names.flatMap((name) => cells(of(level, name)))]);
  const means = names.flatMap((name) => ['', '', ...[0, 1].map((i) => ratioText(geometricMean(levels.map((level) => ratios(of(level, name))[i]))))]);
  const agree = names.map((name) => `${name} ${(100 * Math.min(...levels.map((level) => of(level, name).agreement ?? NaN))).toFixed(1)} %`);
  return { title, rows: [['', ...names.flatMap((name) => [name, 'theirs', 'ratio', 'in batches'])], ...rows, ['geometric mean', ...means]],
    notes: [`Results that agree, the least of the levels: ${agree.join(', ')}.`, ...notes] };
}

function microseconds(value) {
  return value.toFixed(value < 10 ? 3 : value < 100 ? 2 : 1);
}
