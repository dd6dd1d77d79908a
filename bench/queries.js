/**
 * The query benchmark: both packages through their public JavaScript APIs, in the same process, on the same mesh.
 *
 * A round asks all 512 questions of one kind; rounds of both packages alternate, and so does who begins. Reported is the
 * median of rounds, each divided by its questions, with the fastest and the slowest quarter's limits. Garbage is what
 * the JavaScript heap (typed arrays included) has grown by after many calls without a collection in between.
 */

import v8 from 'node:v8';
import vm from 'node:vm';
import { load } from '../js/index.js';
import { MeshView } from '../tests/js/live/mesh-view.js';
import { loadPeer } from '../tests/js/live/peer.js';
import { DEFAULTS } from '../tests/js/live/voxels.js';
import { alignColumns, ratioText } from './report.js';
import { agreement, makeBatches, makeRows } from './questions.js';
import { geometricMean, summarise } from './statistics.js';

const MILLISECONDS_A_ROW = 700;
const MINIMUM_ROUNDS = 7;
const WARM_UP_ROUNDS = 4;
const GARBAGE_BYTES_AT_ONCE = 2e6;

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');

/**
 * @param {{ name: string, cellSize: number, read: () => object }[]} levels
 * @param {{ onProgress?: (text: string) => void }} [options]
 * @returns {Promise<object[]>} figures of each level
 */
export async function measureQueries(levels, { onProgress = () => {} } = {}) {
  const peer = await loadPeer();
  const walkmesh = await load();
  const figures = [];
  for (const level of levels) figures.push(measureLevel(walkmesh, peer, level, onProgress));
  onProgress('');
  return figures;
}

function measureLevel(walkmesh, peer, { name, read, cellSize }, onProgress) {
  onProgress(`${name}: baking`);
  const { navMesh } = walkmesh.bake(read(), { ...DEFAULTS, cellSize });
  const theirs = peer && peer.importNavMesh(navMesh.exportDetour('set')).navMesh;
  const view = peer && new MeshView(theirs, navMesh);
  const toPeer = (ref) => view.byOurRef.get(ref).peerRef;
  const { rows, places } = makeRows(peer, { ours: navMesh, theirs }, toPeer);
  const measured = rows.map((row) => {
    onProgress(`${name}: ${row.name}`);
    return { name: row.name, agreement: agreement(row), ...measureRow(row) };
  });
  const batches = makeBatches(navMesh, places).map(({ name: row, count, ask }) => {
    onProgress(`${name}: ${row}, ${count} in one call`);
    const times = measureAlternately([{ count, run: ask }])[0];
    return { name: row, count, batch: summarise(times), garbage: garbageOf(ask, 20), single: measured.find((one) => one.name === row).ours.median };
  });
  const { polygons } = navMesh.totals;
  navMesh.free();
  theirs?.destroy();
  return { level: name, cellSize, polygons, rows: measured, batches };
}

/** Microseconds a question and garbage of both. */
function measureRow({ count, ours, theirs }) {
  const all = (ask) => ({ count, run: () => askAll(ask, count) });
  const times = measureAlternately(theirs ? [all(ours), all(theirs)] : [all(ours)]);
  let next = 0;
  const one = (ask) => () => ask(next++ % count);
  return {
    ours: summarise(times[0]), theirs: theirs && summarise(times[1]),
    garbage: garbageOf(one(ours)), theirGarbage: theirs && garbageOf(one(theirs)),
  };
}

function askAll(ask, count) {
  for (let i = 0; i < count; i++) ask(i);
}

/**
 * Rounds in turns, as many as fit.
 * @param {{ count: number, run: () => void }[]} contestants
 * @returns {number[][]} microseconds a question, by contestant and round
 */
function measureAlternately(contestants) {
  for (let round = 0; round < WARM_UP_ROUNDS; round++) for (const { run } of contestants) run();
  const times = contestants.map(() => []);
  const begin = performance.now();
  for (let round = 0; round < MINIMUM_ROUNDS || performance.now() - begin < MILLISECONDS_A_ROW; round++) {
    for (let k = 0; k < contestants.length; k++) {
      const at = round % 2 ? contestants.length - 1 - k : k;
      const start = performance.now();
      contestants[at].run();
      times[at].push(((performance.now() - start) * 1000) / contestants[at].count);
    }
  }
  return times;
}

/** Bytes of garbage a call: the median of five measurements. @param {() => unknown} ask @param {number} [most] calls */
export function garbageOf(ask, most = 2000) {
  const few = Math.min(50, most);
  const rough = Math.max(1, grownBy(ask, few) / few);
  const calls = Math.max(10, Math.min(most, Math.floor(GARBAGE_BYTES_AT_ONCE / rough)));
  const samples = Array.from({ length: 5 }, () => (grownBy(ask, calls) - grownBy(ask, 0)) / calls);
  return Math.max(0, Math.round(summarise(samples).median));
}

function grownBy(ask, calls) {
  collect();
  const before = process.memoryUsage();
  for (let i = 0; i < calls; i++) ask();
  const after = process.memoryUsage();
  return after.heapUsed + after.external - before.heapUsed - before.external;
}

// ---- Tables --------------------------------------------------------------------------------------------------------

/** @param {object} figures of a level @returns {string} */
export function queryTable({ level, cellSize, polygons, rows, batches }) {
  const header = ['us each: median (fastest-slowest)', 'walkmesh', 'recast-navigation', 'ratio', 'garbage', 'theirs', 'agree'];
  const lines = rows.map(({ name, ours, theirs, garbage, theirGarbage, agreement: share }) => [
    name, timeText(ours), theirs ? timeText(theirs) : '-', ratioText(theirs ? theirs.median / ours.median : undefined),
    `${garbage} B`, theirs ? `${theirGarbage} B` : '-', share === null ? '-' : `${(share * 100).toFixed(1)} %`,
  ]);
  const batchHeader = ['1000 in one call, us each', 'batch', 'single calls', 'ratio', 'garbage a call', '', ''];
  const batchLines = batches.map(({ name, batch, single, garbage }) => [
    name, timeText(batch), microseconds(single), ratioText(single / batch.median), `${garbage} B`, '', '']);
  return `${level}, cell ${cellSize}, ${polygons} polygons\n${alignColumns([header, ...lines, batchHeader, ...batchLines])}\n`;
}

/** Geometric means of ratios over levels. @param {object[]} levels @returns {string} */
export function queryOverview(levels) {
  if (levels.length === 0) return '';
  const lines = levels[0].rows.filter(({ theirs }) => theirs).map(({ name }) => {
    const ratios = levels.map(({ rows }) => rows.find((row) => row.name === name)).map(({ ours, theirs }) => theirs.median / ours.median);
    return [name, ratioText(geometricMean(ratios)), ratioText(Math.min(...ratios))];
  });
  return alignColumns([['recast-navigation / walkmesh', 'mean', 'least'], ...lines]);
}

function timeText({ median, minimum, maximum }) {
  return `${microseconds(median)} (${microseconds(minimum)}-${microseconds(maximum)})`;
}

function microseconds(value) {
  return value.toFixed(value < 10 ? 3 : value < 100 ? 2 : 1);
}
