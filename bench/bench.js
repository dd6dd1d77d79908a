/**
 * `npm run bench`: measures Walkmesh against recast-navigation, in turns in the same process, and prints tables; the figures
 * also go to bench/results/latest.json. Needs no preparation: it sets up packages and builds the module first. Without options
 * it runs the whole first group, in some minutes; options select parts.
 *
 *   node bench/bench.js [--PART ...] [--scene NAME ...] [--courses N] [--alone] [--runs N] [--json | --markdown] [--page] [--all] [--scalar] [--quick]
 *                      [--smallest]
 *
 *   --game       bakes of levels of real games, in one tile and in tiles of 64, if their files are beside the repository (game.js)
 *   --instances  a three.js scene of 2,000 meshes that share 50 geometries, as its triangles (instances.js)
 *   --game-queries  queries and batches on the same levels (queries.js)
 *   --bakes      bakes in one tile, stage by stage (bakes.js); the results are compared bit by bit
 *   --tiled      bakes in tiles of 64, one thread (tiled.js)
 *   --queries    queries, their garbage, and batches (queries.js)
 *   --memory     the peak memory of bakes (memory.js)
 *   --startup    start-up of fresh processes (startup.js)
 *   --first-bake the first bake and path of fresh processes (first-bake.js)
 *   --sizes      the modules and the downloads of a page (sizes.js)
 *   --traffic    each stage against the time of its memory traffic alone (traffic.js)
 *   --scaling    time and memory against triangles, cells and tiles (scaling.js)
 *   --hurt       stages on their worst inputs, at growing sizes (hurt.js)
 *
 *   --native     bakes natively, for profiling (native.js)
 *   --workers    bakes in workers: one worker against two, and against this thread (workers.js)
 *   --first-bake-pages  the first bake and path of fresh pages of Chromium, cold and on a later visit (first-bake-pages.js)
 *   --engines    bakes in pages of Chromium, Firefox and WebKitGTK, and in Node (engines.js)
 *   --tool       bakes in the level tool's page, and in Node with the same workers (tool.js)
 *   --mesh-size  the time of queries against the size of the mesh, up to a million polygons (mesh-size.js)
 *   --cache      time saved by tile caches and rebakes (cache.js)
 *   --dynamic    obstacles that are added and removed, against the tile cache of recast-navigation (dynamic.js)
 *   --heights    how far positions lie from the level, with voxels and with its surface (heights.js)
 *   --room       paths that keep a distance from walls: do they, and how long are they (room.js; some minutes)
 *   --long       long ways over 40,000 tiles, by a tile graph (long.js)
 *   --links      links that make themselves: their cost, precision, recall, and paths over them (links.js; some minutes)
 *   --link-obstacles  what links cost after obstacles that are added and removed (link-obstacles.js)
 *   --shortest   exact shortest paths against ordinary ones and recast-navigation's, and their bounds (shortest.js)
 *   --crowd      crowds: their behaviour in scenarios, and the time of their steps (crowd/, with a README)
 *
 *   --scene      only these levels: city, terrain, caves, holes, maze, stairs, nav_test; alone it means --bakes. With --crowd: only
 *                these scenarios; with --game or --game-queries: only these of their levels
 *   --courses    courses of each scenario of --crowd; default 4
 *   --alone      --crowd without recast-navigation
 *   --runs       measured rounds per level; by default as many as fit in some ten seconds, 5 to 40
 *   --json       print the figures as JSON      --markdown  print the tables as Markdown
 *   --page       write the tables into the pages (page.js)
 *   --all        navcat too (plain JavaScript, minutes)      --scalar  our build without SIMD too
 *   --quick      for trying a change: builds only the module with SIMD, unpacked; not for --startup, --first-bake, --sizes and --scalar
 *   --smallest   each part in its smallest form: tests that it works, not its speed
 *
 * A ratio is the time of the other package divided by ours.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setUp, stop } from '../scripts/setup.js';
import { renewPages, sectionsOf, summarySections } from './page.js';
import { renderTable } from './tables.js';
import { compareWithTargets, targetTable } from './targets.js';

/**
 * A part: the key of its figures in the JSON, the module, its functions that measure and that make tables (a string is printed
 * unchanged), whether it belongs to the whole run, and whether it opens pages in browsers.
 */
const PARTS = {
  game: { key: 'game', module: './game.js', measure: 'measureGame', tables: 'gameTables', whole: true },
  instances: { key: 'instances', module: './instances.js', measure: 'measureInstances', tables: 'instanceTable', whole: true },
  'game-queries': { key: 'gameQueries', module: './queries.js', measure: 'measureGameQueries', tables: 'gameQueryTable', whole: true },
  bakes: { key: 'bakes', module: './bakes.js', measure: 'measureBakes', tables: 'bakeTables', whole: true },
  tiled: { key: 'tiled', module: './tiled.js', measure: 'measureTiled', tables: 'tiledTables', whole: true },
  queries: { key: 'queries', module: './queries.js', measure: 'measureQueries', tables: 'queryTables', whole: true },
  memory: { key: 'memory', module: './memory.js', measure: 'measureMemory', tables: 'memoryTables', whole: true },
  startup: { key: 'startUp', module: './startup.js', measure: 'measureStartUp', tables: 'startUpTable', whole: true },
  'first-bake': { key: 'firstBakes', module: './first-bake.js', measure: 'measureFirstBakes', tables: 'firstBakeTable', whole: true },
  sizes: { key: 'sizes', module: './sizes.js', measure: 'measureSizes', tables: 'sizeTables', whole: true },
  traffic: { key: 'traffic', module: './traffic.js', measure: 'measureTraffic', tables: 'trafficTables', whole: true },
  scaling: { key: 'scaling', module: './scaling.js', measure: 'measureScaling', tables: 'scalingTables', whole: true },
  hurt: { key: 'hurt', module: './hurt.js', measure: 'measureHurt', tables: 'hurtTables', whole: true },
  native: { key: 'native', module: './native.js', measure: 'measureNative', tables: 'nativeTables', whole: false },
  workers: { key: 'workers', module: './workers.js', measure: 'measureWorkers', tables: 'workersTable', whole: false },
  'first-bake-pages': { key: 'firstBakePages', module: './first-bake-pages.js', measure: 'measureFirstBakePages', tables: 'firstBakePagesTable', whole: false, browsers: true },
  engines: { key: 'engines', module: './engines.js', measure: 'measureEngines', tables: 'engineTable', whole: false, browsers: true },
  tool: { key: 'tool', module: './tool.js', measure: 'measureTool', tables: 'toolTables', whole: false, browsers: true },
  'mesh-size': { key: 'meshSizes', module: './mesh-size.js', measure: 'measureMeshSizes', tables: 'meshSizeTable', whole: false },
  cache: { key: 'cache', module: './cache.js', measure: 'measureCache', tables: 'cacheTable', whole: false },
  dynamic: { key: 'dynamic', module: './dynamic.js', measure: 'measureDynamic', tables: 'dynamicTables', whole: false },
  heights: { key: 'heights', module: './heights.js', measure: 'measureHeights', tables: 'heightsTables', whole: false },
  room: { key: 'room', module: './room.js', measure: 'measureRooms', tables: 'roomTables', whole: false },
  long: { key: 'long', module: './long.js', measure: 'measureLong', tables: 'longTables', whole: false },
  shortest: { key: 'shortest', module: './shortest.js', measure: 'measureShortest', tables: 'shortestTables', whole: false },
  links: { key: 'links', module: './links.js', measure: 'measureLinks', tables: 'linksTables', whole: false },
  'link-obstacles': { key: 'linkObstacles', module: './link-obstacles.js', measure: 'measureLinkObstacles', tables: 'linkObstacleTable', whole: false },
  crowd: { key: 'crowd', module: './crowd/crowd.js', measure: 'measureCrowd', tables: 'crowdTables', whole: false },
};

const SWITCHES = ['json', 'markdown', 'page', 'all', 'alone', 'scalar', 'quick', 'smallest', ...Object.keys(PARTS)];
const OPTIONS = {
  scene: { type: 'string', multiple: true, default: [] },
  courses: { type: 'string' },
  runs: { type: 'string' },
  ...Object.fromEntries(SWITCHES.map((name) => [name, { type: 'boolean', default: false }])),
};

function readCount(values, name) {
  const count = values[name] === undefined ? undefined : Number(values[name]);
  if (count !== undefined && !(Number.isSafeInteger(count) && count > 0)) throw new Error(`--${name} must be a whole number`);
  return count;
}

async function readOptions() {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    const runs = readCount(values, 'runs'), courses = readCount(values, 'courses');
    if (values.room) (await import('./room.js')).chooseRooms(values.scene);
    else if (values.crowd) (await import('./crowd/scenarios.js')).chooseScenarios(values.scene);
    else (await import('./levels.js'))[values.game || values['game-queries'] ? 'chooseGameLevels' : 'chooseLevels'](values.scene);
    return { ...values, runs, courses, scenes: values.scene };
  } catch (error) {
    console.error(`bench: ${error.message}`);
    return process.exit(2);
  }
}

/** The selected parts; without a selection, all parts of the whole run. */
function chooseParts(options) {
  const named = Object.entries(PARTS).filter(([name]) => options[name]);
  if (named.length > 0) return named;
  if (options.scenes.length > 0) return [['bakes', PARTS.bakes]];
  return Object.entries(PARTS).filter(([, { whole }]) => whole);
}

/** Shows progress on one line of a terminal. */
function onProgress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.padEnd(70)}\r`);
}

/** Builds the modules if they are out of date; prints the build's output to the progress stream. */
function buildModules({ quick }) {
  const script = fileURLToPath(new URL('../wasm/build.js', import.meta.url));
  if (spawnSync(process.execPath, [script, ...(quick ? ['--quick'] : [])], { stdio: ['ignore', 2, 2] }).status !== 0) stop('the modules cannot be built');
}

function describeMachine() {
  const processors = cpus();
  return { cpu: processors[0]?.model.trim() ?? 'unknown', processors: processors.length, memory: totalmem(), system: `${platform()} ${arch()}`,
    node: process.version, date: new Date().toISOString().slice(0, 10), command: ['npm run bench', ...process.argv.slice(2)].join(' ').replace('bench --', 'bench -- --') };
}

function machineTable({ cpu, processors, memory, system, node, date, command }) {
  return `${cpu}, ${processors} processors, ${(memory / 2 ** 30).toFixed(0)} GB, ${system}, Node ${node.slice(1)}, ${date}\n${command}\n`;
}

function saveResult(value, name) {
  const folder = new URL('results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(name, folder), `${JSON.stringify(value, null, 1)}\n`);
}

/** True if a bake's results differ from recast-navigation's. */
function differs({ bakes, tiled, game }) {
  return [...(bakes?.levels ?? []), ...(game?.solo ?? [])].some(({ comparison }) => comparison?.status === 'different')
    || [...(tiled?.levels ?? []), ...(game?.tiled ?? [])].some(({ comparison }) => comparison && (comparison.different > 0 || comparison.tiles !== comparison.theirs));
}

async function main() {
  const options = await readOptions();
  const sections = {};
  const show = (/** @type {string} */ name, /** @type {any[]} */ tables) => {
    Object.assign(sections, sectionsOf(name, tables));
    if (!options.json) console.log(tables.map((table) => renderTable(table, options.markdown)).join('\n'));
  };
  const parts = chooseParts(options);
  setUp({ forTests: parts.some(([, { browsers }]) => browsers) });       // the tests need browsers, too
  buildModules(options);
  const start = performance.now();
  const result = { machine: describeMachine(), seconds: {} };
  show('machine', [machineTable(result.machine)]);
  for (const [name, { key, module, measure, tables }] of parts) {
    const begin = performance.now();
    const part = await import(module);
    result[key] = await part[measure]({ ...options, onProgress });
    result.seconds[name] = Math.round((performance.now() - begin) / 100) / 10;
    show(name, [part[tables](result[key])].flat());
  }
  const whole = parts.length > 1;
  if (whole) {
    result.targets = compareWithTargets(result);
    show('targets', [targetTable(result.targets)]);
  }
  result.seconds.total = Math.round((performance.now() - start) / 100) / 10;
  const times = parts.map(([name]) => `${name} ${result.seconds[name]}`).join(', ');
  show('seconds', [`Took ${result.seconds.total} seconds: ${times}.`]);
  if (options.json) console.log(JSON.stringify(result, null, 1));
  if (options.page) renewPages({ ...sections, ...summarySections(result) });
  const name = whole ? 'latest' : parts[0][0];
  saveResult(result, options.smallest ? 'smallest.json' : `${name}.json`);
  process.exitCode = differs(result) ? 1 : 0;
}

await main();
