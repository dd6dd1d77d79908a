/**
 * `npm run determinism`: runs the same work with every build and compares the hashes: the arrays of every stage of the golden
 * cases and of bakes with heights of the level's surface, tiles in another order, the answers to 10,000 queries on each of two meshes, crowds of 10,000 steps with a hash of all
 * state every 100 (also with the agents in another order in the arrays), generated links, and files made with 1 to 4 workers, also with links. Native builds are
 * gcc and clang with -O0, -O2 and -O3 and without SIMD; both modules run in Node, Chromium, Firefox and WebKitGTK.
 *
 *   node scripts/determinism.js [--seeds 1] [--agents 200] [--steps 10000] [--scenes plaza,city] [--builds "gcc -O2"] [--engines webkit]
 *
 * --seeds is the number of crowds, --scenes selects scenes, --builds native builds, --engines browsers (`none` leaves out
 * all). Prints a table; the exit status is 1 if two builds differ.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, run, setUp } from './setup.js';

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1' }, agents: { type: 'string', default: '200' }, steps: { type: 'string', default: '10000' },
    scenes: { type: 'string' }, builds: { type: 'string', default: '' },
    engines: { type: 'string', default: '' } },
});
const [seeds, agents, steps] = [values.seeds, values.agents, values.steps].map(Number);
if (![seeds, agents, steps].every((value) => Number.isSafeInteger(value) && value > 0) || agents > 16384) {
  console.error('determinism: --seeds, --agents (at most 16384) and --steps must be whole numbers above 0');
  process.exit(2);
}

const NATIVE = ['gcc', 'clang'].flatMap((compiler) => [
  ...['-O0', '-O2', '-O3'].map((level) => ({ name: `${compiler} ${level}`, compiler, flags: level, options: [] })),
  { name: `${compiler} -O2, no SIMD`, compiler, flags: '-O2', options: ['-DWALKMESH_SCALAR=ON'] },
]).filter(({ name }) => name.includes(values.builds));
const WORKERS = [1, 2, 3, 4];
const ORDER_SEED = 5;
/** Meshes of the queries. */
const QUESTIONED = /** @type {const} */ ([['city', { tileSize: 64 }], ['tower', { cellSize: 0.2 }]]);

setUp({ forTests: true });
run('node', ['wasm/build.js']);
const { load } = await import('../js/index.js');
const { parseObj } = await import('../js/level/obj.js');
const { ENGINE_NAMES, closeEngines, openEngine } = await import('../tests/browser/engines/engines.js');
const { hashInPage } = await import('../tests/browser/hash-page.js');
const { makeCrowdProgram } = await import('../tests/js/determinism/crowd-program.js');
const { hashEverything } = await import('../tests/js/determinism/matrix.js');
const { LINK_CASES } = await import('../tests/js/determinism/links-case.js');
const { playNatively } = await import('../tests/js/determinism/native.js');
const { makeQueryProgram } = await import('../tests/js/determinism/query-program.js');
const { goldenConfig } = await import('../tests/js/live/golden.js');
const { SURFACE_CASES } = await import('../tests/js/determinism/surface-cases.js');

const read = async (/** @type {string} */ path) => readFileSync(join(ROOT, path));
const folder = join('build', 'determinism');
mkdirSync(join(ROOT, folder), { recursive: true });

/** @typedef {Awaited<ReturnType<typeof hashEverything>>} Hashes */

const golden = JSON.parse(readFileSync(join(ROOT, 'tests', 'golden', 'synthetic.json'), 'utf8'));
const cases = Object.entries(golden).filter(([scene]) => values.scenes?.split(',').includes(scene) ?? true)
  .flatMap(([scene, figures]) => Object.keys(figures).map((name) => {
    const { areaFlags, ...config } = goldenConfig(name);
    return { scene, name, config: /** @type {Record<string, any>} */ (config) };
  }).concat(SURFACE_CASES.map(({ name, config }) => ({ scene, name, config: { ...config } }))));
const walkmesh = await load();
/** @param {string} name @param {Uint8Array} program */
function writeProgram(name, program) {
  const path = join(folder, name);
  writeFileSync(join(ROOT, path), program);
  return path;
}
const queries = [];
for (const [scene, config] of QUESTIONED) {
  queries.push(writeProgram(`${scene}.questions`, makeQueryProgram(walkmesh, parseObj(await read(`tests/scenes/${scene}.obj`)), config)));
}
const crowds = [];
for (let seed = 1; seed <= seeds; seed++) crowds.push(writeProgram(`crowd-${seed}.program`, await makeCrowdProgram({ seed, agents, steps, walkmesh })));
const wanted = { cases, queries, crowds, workers: WORKERS };

// ---- Natively ----------------------------------------------------------------------------------------------------

/** @param {string} program @param {typeof cases[number]} one @param {number} [order] @returns {string[]} */
function bakeNatively(program, { scene, config }, order) {
  const fields = Object.entries({ ...config, ...(order && { order }) }).map(([name, value]) => `${name}=${value}`);
  const { status, stdout, stderr } = spawnSync(program, [`tests/scenes/${scene}.obj`, ...fields], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout.trim().split('\n').sort();
}

/** @param {string} program @param {string} scene @param {number} tileSize */
function linkNatively(program, scene, tileSize) {
  const { status, stdout, stderr } = spawnSync(program, [`tests/scenes/${scene}.obj`, String(tileSize)], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout.trim();
}

/** @param {typeof NATIVE[number]} build @returns {Promise<Hashes>} */
async function hashNatively({ name, compiler, flags, options }) {
  const build = join(folder, name.replaceAll(/[ ,]+/g, '-'));
  run('cmake', ['-S', '.', '-B', build, `-DCMAKE_C_COMPILER=${compiler}`, '-DCMAKE_BUILD_TYPE=Plain', `-DCMAKE_C_FLAGS=${flags}`, ...options]);
  run('cmake', ['--build', build, '--target', 'crowd_player', 'query_player', 'stages_native', 'links_native']);
  const [stagesNative, queryPlayer, crowdPlayer, linksNative] = ['stages_native', 'query_player', 'crowd_player', 'links_native'].map((program) => join(ROOT, build, program));
  const stages = Object.fromEntries(cases.map((one) => [`${one.scene} ${one.name}`, bakeNatively(stagesNative, one)]));
  const orders = Object.fromEntries(cases.filter(({ config }) => config.tileSize).map((one) => [`${one.scene} ${one.name}`,
    bakeNatively(stagesNative, one, ORDER_SEED).find((line) => line.startsWith('tiles_data')) ?? '']));
  const play = async (/** @type {string} */ player, /** @type {string[]} */ programs, isShuffled = false) =>
    (await Promise.all(programs.map((path) => playNatively(player, join(ROOT, path), { isShuffled })))).flat();
  return { stages, orders, queries: await play(queryPlayer, queries), crowds: await play(crowdPlayer, crowds),
    shuffled: await play(crowdPlayer, crowds, true), workers: [], links: LINK_CASES.map(([scene, tileSize]) => linkNatively(linksNative, scene, tileSize)) };
}

// ---- The table ---------------------------------------------------------------------------------------------------

const engines = await Promise.all(ENGINE_NAMES.filter((id) => id.includes(values.engines)).map(async (id) => ({ id, name: (await openEngine(id)).name })));
const builds = [
  ...NATIVE.map((build) => ({ name: build.name, hash: () => hashNatively(build) })),
  ...[true, false].map((simd) => ({ name: `Node, ${simd ? 'SIMD' : 'scalar'}`, hash: () => hashEverything({ ...wanted, simd }, read) })),
  ...engines.flatMap(({ id, name }) => [true, false].map((simd) => ({
    name: `${name}, ${simd ? 'SIMD' : 'scalar'}`, hash: () => hashInPage(id, { ...wanted, simd }, { milliseconds: 1_800_000 }),
  }))),
];

/**
 * The compared hashes of a build by column, each with the hashes of the first build.
 * @param {Hashes} hashes @param {Hashes} first @returns {Record<string, [string[], string[]]>}
 */
const columnsOf = (hashes, first) => ({
  stages: [Object.values(hashes.stages).flat(), Object.values(first.stages).flat()],
  'tiles in any order': [Object.values(hashes.orders), Object.keys(first.orders).map((name) => first.stages[name].find((line) => line.startsWith('tiles_data')) ?? '')],
  questions: [hashes.queries, first.queries],
  crowds: [hashes.crowds, first.crowds],
  links: [hashes.links, first.links],
  'shuffled crowds': [hashes.shuffled, first.crowds],
  '1 to 4 workers': [hashes.workers, hashes.workers.map((_, i) => firstWorkers?.[i - (i % (WORKERS.length + 1))] ?? '')],
});

let differences = 0;
/** @type {Hashes | undefined} */
let first;
/** Files baked without workers. @type {string[] | undefined} */
let firstWorkers;
for (const { name, hash } of builds) {
  const start = performance.now();
  const hashes = await hash();
  if (!first) {
    first = hashes;
    console.log(`\n| build |${Object.keys(columnsOf(hashes, hashes)).map((column) => ` ${column} |`).join('')} seconds |`);
  }
  if (hashes.workers.length > 0) firstWorkers ??= hashes.workers;
  const cells = Object.entries(columnsOf(hashes, first)).map(([column, [ours, theirs]]) => {
    const equal = ours.filter((value, i) => value === theirs[i]).length;
    const isSame = ours.length === theirs.length && equal === theirs.length;
    if (!isSame) {
      differences++;
      const i = theirs.findIndex((value, at) => value !== ours[at]);
      console.log(`${name}, ${column}: ${ours[i]} is not ${theirs[i]}`);
    }
    return ` ${ours.length === 0 && theirs.length === 0 ? '' : isSame ? `${equal} equal` : `${equal} of ${theirs.length} EQUAL`} |`;
  });
  console.log(`| ${name} |${cells.join('')} ${((performance.now() - start) / 1000).toFixed(0)} |`);
}
await closeEngines();
console.log(differences ? `${differences} runs DIFFER` : 'all is equal');
process.exit(differences ? 1 : 0);
