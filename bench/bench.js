/**
 * `npm run bench`: bakes the same levels with this package and with recast-navigation, in turns, and prints
 * what each stage takes. Needs no preparation: sets up packages and builds the module first.
 *
 *   node bench/bench.js [--scene NAME ...] [--runs N] [--json] [--all] [--scalar] [--queries | --mesh-size | --workers | --startup | --cache]
 *
 *   --scene   city, terrain, caves, holes, maze, stairs, nav_test; all where none is named
 *   --runs    measured rounds a level; without it as many as fit in some ten seconds, 5 to 40
 *   --json    print the figures as JSON
 *   --all     measure navcat too (plain JavaScript, minutes)
 *   --scalar  measure our build without SIMD too
 *   --queries    only questions to meshes (queries.js); they also follow the bakes where no level is named
 *   --workers    only bakes of tiles in workers (workers.js): one worker against two, and against this thread
 *   --mesh-size  only the time of questions against the size of the mesh (mesh-size.js), up to a million polygons
 *   --cache      only what caches of tiles and rebakes save (cache.js)
 *   --startup    only what starting takes in a fresh Node process (startup.js); it also follows where no level is named
 *
 * The results of both are compared too, array by array. A ratio above 1 says how many times as long the other package takes. Figures also go to
 * bench/results/latest.json. Rounds alternate the order of packages; two rounds warm up unmeasured.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setUp, stop } from '../scripts/setup.js';

const OPTIONS = {
  scene: { type: 'string', multiple: true, default: [] },
  runs: { type: 'string' },
  json: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  scalar: { type: 'boolean', default: false },
  queries: { type: 'boolean', default: false },
  'mesh-size': { type: 'boolean', default: false },
  workers: { type: 'boolean', default: false },
  startup: { type: 'boolean', default: false },
  cache: { type: 'boolean', default: false },
};
const WARM_UP_ROUNDS = 2;
const MILLISECONDS_A_LEVEL = 10000;

function readOptions() {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    const runs = values.runs === undefined ? undefined : Number(values.runs);
    if (runs !== undefined && !(Number.isSafeInteger(runs) && runs > 0)) throw new Error('--runs must be a whole number');
    return { ...values, runs };
  } catch (error) {
    console.error(`bench: ${error.message}`);
    return process.exit(2);
  }
}

/** Progress on one line of a terminal. */
function showProgress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.padEnd(60)}\r`);
}

const options = readOptions();
setUp();
buildModule();
/** Parts that can be measured alone. */
const PARTS = { queries: benchQueries, 'mesh-size': benchMeshSizes, startup: benchStartUp };
for (const [name, measure] of Object.entries(PARTS)) {
  if (!options[name]) continue;
  const only = await measure();
  if (options.json) console.log(JSON.stringify(only, null, 1));
  saveResult(only, `${name}.json`);
  process.exit(0);
}
if (options.cache) {
  const { cacheTable, measureCache } = await import('./cache.js');
  const figures = await measureCache({ onProgress: showProgress });
  console.log(options.json ? JSON.stringify(figures, null, 1) : cacheTable(figures));
  saveResult(figures, 'cache.json');
  process.exit(0);
}
if (options.workers) {
  const { measureWorkers, workersTable } = await import('./workers.js');
  const figures = await measureWorkers({ scenes: options.scene, runs: options.runs, onProgress: showProgress });
  console.log(options.json ? JSON.stringify(figures, null, 1) : workersTable(figures));
  saveResult(figures, 'workers.json');
  process.exit(0);
}
const { chooseLevels } = await import('./levels.js');
const { Navcat, RecastNavigation, Walkmesh } = await import('./contestants.js');
const { levelTable, overall, overallTable, summariseLevel } = await import('./report.js');
const { compareCase } = await import('../tests/js/live/compare.js');
const { loadOurs } = await import('../tests/js/live/ours.js');
const { loadPeer } = await import('../tests/js/live/peer.js');

const contestants = await loadContestants();
const summaries = [];
for (const level of pickLevels()) {
  if (level.missing) {
    console.error(`${level.name}: the level is missing here, left out\n`);
    continue;
  }
  const summary = summariseLevel(await measureLevel(level));
  summaries.push(summary);
  if (!options.json) console.log(levelTable(summary));
}
const result = { machine: { cpu: cpus()[0]?.model ?? 'unknown', node: process.version }, levels: summaries, overall: overall(summaries) };
if (!options.json) console.log(`${overallTable(summaries)}\n`);
if (options.scene.length === 0) {
  result.queries = await benchQueries();
  result.startUp = await benchStartUp();
}
if (options.json) console.log(JSON.stringify(result, null, 1));
saveResult(result, 'latest.json');
process.exitCode = summaries.some((summary) => summary.comparison?.status === 'different') ? 1 : 0;

/** Builds the module if need be; what that prints goes where progress goes. */
function buildModule() {
  const script = fileURLToPath(new URL('../wasm/build.js', import.meta.url));
  if (spawnSync(process.execPath, [script], { stdio: ['ignore', 2, 2] }).status !== 0) stop('the module cannot be built');
}

function pickLevels() {
  try {
    return chooseLevels(options.scene);
  } catch (error) {
    console.error(`bench: ${error.message}`);
    return process.exit(2);
  }
}

async function loadContestants() {
  const list = [new Walkmesh(true)];
  if (options.scalar) list.push(new Walkmesh(false));
  list.push(await RecastNavigation.load());
  if (options.all) list.push(await Navcat.load());
  return list.filter((contestant) => contestant !== null);
}

async function measureLevel(level) {
  const geometry = level.read();
  const memory = new Map();
  for (const contestant of contestants) {
    await contestant.renew();
    showProgress(`${level.name}: ${contestant.name}, memory`);
    contestant.bake(geometry, level.config);
    memory.set(contestant.name, contestant.memory());
  }
  const runs = new Map(contestants.map((contestant) => [contestant.name, []]));
  let [rounds, start] = [WARM_UP_ROUNDS + (options.runs ?? 5), 0];
  for (let round = 0; round < rounds; round++) {
    if (round === WARM_UP_ROUNDS) start = performance.now();
    const order = round % 2 ? [...contestants].reverse() : contestants;
    for (const contestant of order) {
      showProgress(`${level.name}: round ${round + 1} of ${rounds}`);
      const one = contestant.bake(geometry, level.config);
      if (round >= WARM_UP_ROUNDS) runs.get(contestant.name).push(one);
    }
    if (round === WARM_UP_ROUNDS && options.runs === undefined) {
      const fitting = Math.round(MILLISECONDS_A_LEVEL / (performance.now() - start));
      rounds = WARM_UP_ROUNDS + Math.min(40, Math.max(5, fitting));
    }
  }
  showProgress(`${level.name}: comparing the results`);
  const comparison = await compareResults(geometry, level.config);
  showProgress('');
  return { level, runs, memory, comparison };
}

/** Every array of both, bit by bit. @returns {Promise<object|null>} an Outcome of compare.js */
async function compareResults(level, config) {
  const peer = await loadPeer();
  return peer && compareCase(peer, await loadOurs(), { seed: 0, level, config });
}

/** Measures questions, and prints their tables unless JSON is asked for. */
async function benchQueries() {
  const { measureQueries, queryOverview, queryTable } = await import('./queries.js');
  const { queryLevels } = await import('./levels.js');
  const figures = await measureQueries(queryLevels(), { onProgress: showProgress });
  if (!options.json) console.log(`${figures.map(queryTable).join('\n')}\n${queryOverview(figures)}\n`);
  return figures;
}

async function benchMeshSizes() {
  const { measureMeshSizes, meshSizeTable } = await import('./mesh-size.js');
  const figures = await measureMeshSizes({ onProgress: showProgress });
  if (!options.json) console.log(meshSizeTable(figures));
  return figures;
}

async function benchStartUp() {
  const { measureStartUp, startUpTable } = await import('./startup.js');
  const figures = measureStartUp({ onProgress: showProgress });
  if (!options.json) console.log(`${startUpTable(figures)}\n`);
  return figures;
}

function saveResult(value, name) {
  const folder = new URL('results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(name, folder), `${JSON.stringify(value, null, 1)}\n`);
}
