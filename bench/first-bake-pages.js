/**
 * The first bake and the first path of a fresh page of Chromium: fetching and compiling the package, making it ready, one bake in one
 * tile, one path. Each package is bundled, as pages do, and visited in a new profile of the browser: cold, and once more when the
 * browser had time to store the compiled code; the table says in how many profiles it has. The level is in memory before the clock starts.
 */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { load } from '../js/index.js';
import { findProgram } from '../tests/browser/engines/programs.js';
import { ROOT, startServer } from '../tests/browser/server.js';
import { CELL_SIZE, LEVELS, writeInput } from './first-bake.js';
import { makeLevel } from './levels.js';
import { summarise } from './statistics.js';
import { ratioText, spreadText } from './tables.js';

const ROUNDS = 5;
/** After this time without work, Chromium has stored the code, if it does (V8 waits two seconds). */
const MILLISECONDS_TO_STORE = 4000;
const BAKES_BEFORE_STORING = 10;

/** Sources of the bundles: each exports start(), which returns bake and findPath. */
const SOURCES = {
  walkmesh: `import { load } from 'walkmesh';
import wasm from './dist/walkmesh.wasm';
export async function start() {
  const walkmesh = await load({ wasm: new URL(wasm, import.meta.url) });
  return { bake: ({ positions, indices, config }) => walkmesh.bake({ positions, indices }, config).navMesh,
    findPath: (navMesh, { from, to }) => navMesh.findPath(from, to).points, free: (navMesh) => navMesh.free() };
}`,
  'recast-navigation': `import { init, NavMeshQuery } from 'recast-navigation';
import { generateSoloNavMesh } from 'recast-navigation/generators';
const vector = ([x, y, z]) => ({ x, y, z });
export async function start() {
  await init();
  return { bake: ({ positions, indices, generator }) => generateSoloNavMesh(positions, indices, generator).navMesh,
    findPath: (navMesh, { from, to }) => new NavMeshQuery(navMesh, { maxNodes: 65535 })
      .computePath(vector(from), vector(to), { halfExtents: { x: 2, y: 4, z: 2 } }).path, free: (navMesh) => navMesh.destroy() };
}`,
};

/** A page that measures: the level comes first, then the package. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>first bake</title><script type="module">
window.measure = async (bundle, input, bakes) => {
  const bytes = await (await fetch('/level')).arrayBuffer();
  const level = { ...input, positions: new Float32Array(bytes, 0, input.vertices), indices: new Uint32Array(bytes, 4 * input.vertices) };
  const begin = performance.now();
  const { bake, findPath, free } = await (await import(bundle)).start();
  const ready = performance.now();
  const navMesh = bake(level);
  const baked = performance.now();
  const points = findPath(navMesh, input);
  const found = performance.now();
  for (let i = 0; i < bakes; i++) free(bake(level));
  return [ready - begin, baked - ready, found - baked];
};
</script>`;

/** Files of a bundle, by name. @param {string} name @param {string} source */
async function bundle(name, source) {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: ROOT }, bundle: true, minify: true, format: 'esm', platform: 'browser', entryNames: name,
    assetNames: '[name]', loader: { '.wasm': 'file' }, outdir: join(ROOT, 'build', 'bundle'), write: false, logLevel: 'silent',
  });
  return Object.fromEntries(outputFiles.map(({ path, contents }) => [path.endsWith('.wasm') ? path.split('/').at(-1) ?? '' : `${name}.js`, contents]));
}

/** True if a profile has compiled code of a WebAssembly module: entries of some 250 bytes only name others. @param {string} profile */
function hasStoredCode(profile) {
  const folder = join(profile, 'Default', 'Code Cache', 'wasm');
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('_0') && statSync(join(folder, name)).size > 10_000);
}

/**
 * Times of a visit cold and of a later one, and whether code was stored by then.
 * @param {string} url @param {string} name @param {any} input @param {boolean} smallest without the time to store code
 * @returns {Promise<{ cold: number[], later: number[], isStored: boolean }>}
 */
async function visit(url, name, input, smallest) {
  const profile = mkdtempSync(join(tmpdir(), 'first-bake-'));
  const { chromium } = await import('playwright-core');
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findProgram('CHROMIUM', ['chromium-headless-shell', 'chromium']), args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });
  const measure = async (/** @type {number} */ bakes) => {
    const page = await context.newPage();
    await page.goto(url);
    const times = /** @type {number[]} */ (await page.evaluate(`window.measure(...${JSON.stringify([`/${name}.js`, input, bakes])})`));
    if (bakes > 0 && !smallest) await page.waitForTimeout(MILLISECONDS_TO_STORE);
    await page.close();
    return times;
  };
  try {
    const cold = await measure(BAKES_BEFORE_STORING);
    await measure(BAKES_BEFORE_STORING);
    const isStored = hasStoredCode(profile);
    return { cold, later: await measure(0), isStored };
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/** @param {number[][]} visits */
const summariseVisits = (visits) => ({ load: summarise(visits.map(([ready]) => ready)), bake: summarise(visits.map(([, bake]) => bake)),
  path: summarise(visits.map(([, , path]) => path)), 'load and bake': summarise(visits.map(([ready, bake]) => ready + bake)) });

/**
 * @param {import('./bakes.js').BenchOptions} [options]
 * @returns {Promise<{ level: string, when: string, stored: number, profiles: number, ours: Record<string, import('./statistics.js').Summary>, theirs: Record<string, import('./statistics.js').Summary> }[]>}
 */
export async function measureFirstBakePages({ smallest = false, runs = ROUNDS, onProgress = () => {} } = {}) {
  const names = Object.keys(SOURCES);
  const files = Object.assign({ 'index.html': PAGE }, ...await Promise.all(Object.entries(SOURCES).map(([name, source]) => bundle(name, source))));
  const walkmesh = await load();
  const levels = (smallest ? ['plaza'] : LEVELS).map((name) => makeLevel({ name, cellSize: CELL_SIZE })).filter(({ missing }) => !missing);
  const figures = [];
  for (const level of levels) {
    const input = writeInput(walkmesh, level);
    const server = await startServer({ files: { ...files, level: readFileSync(input.path) }, headers: { 'Cache-Control': 'max-age=3600' } });
    const visits = new Map(names.map((name) => [name, /** @type {Awaited<ReturnType<typeof visit>>[]} */ ([])]));
    for (let round = 0; round < (smallest ? 1 : runs); round++) {
      onProgress(`first bake of ${level.name} in pages: round ${round + 1}`);
      for (const name of round % 2 ? [...names].reverse() : names) visits.get(name)?.push(await visit(server.url, name, input, smallest));
    }
    await server.close();
    const [ours, theirs] = names.map((name) => visits.get(name) ?? []);
    for (const when of /** @type {const} */ (['cold', 'later'])) {
      figures.push({ level: level.name, when, stored: ours.filter(({ isStored }) => isStored).length, profiles: ours.length,
        ours: summariseVisits(ours.map((times) => times[when])), theirs: summariseVisits(theirs.map((times) => times[when])) });
    }
  }
  onProgress('');
  return figures;
}

/** @param {Awaited<ReturnType<typeof measureFirstBakePages>>} figures @returns {import('./tables.js').Table} */
export function firstBakePagesTable(figures) {
  const rows = figures.flatMap(({ level, when, ours, theirs }) => Object.keys(ours).map((part) => (
    [`${level}, ${when}: ${part}`, spreadText(ours[part]), spreadText(theirs[part]), ratioText(theirs[part].median / ours[part].median)])));
  const [stored, profiles] = /** @type {const} */ (['stored', 'profiles']).map((name) => figures.filter(({ when }) => when === 'later').reduce((sum, figure) => sum + figure[name], 0));
  return { title: `The first bake of a fresh page of Chromium, ms, cell ${CELL_SIZE} (code of walkmesh was stored in ${stored} of ${profiles} profiles)`, rows: [['median (quartiles)', 'walkmesh', 'recast-navigation', 'ratio'], ...rows] };
}
