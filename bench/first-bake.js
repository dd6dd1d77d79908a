/**
 * The first bake and the first path of a fresh Node process: importing the package, making it ready, one bake in one tile, one path.
 * Fresh processes of both packages in turns; the script and the level are read before the clock starts. In a fresh process, engines
 * run code of their fast compilers until the slow one has finished: the tenth bake shows what is left of that.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from '../js/index.js';
import { Random } from '../js/query/random.js';
import { makeLevel } from './levels.js';
import { toGeneratorConfig } from './memory.js';
import { geometricMean, summarise } from './statistics.js';
import { ratioText, spreadText } from './tables.js';

export const LEVELS = ['oa_shouse', 'fd_MAP18', 'nav_test'];
export const CELL_SIZE = 0.3;
const ROUNDS = 11;
/** Where a project's files are, so that packages are imported by name. */
const FOLDER = new URL('../build/startup/', import.meta.url);

/** Beginning of both scripts: the level, read before the clock starts. */
const READ = `import { readFileSync } from 'node:fs';
const { config, generator, from, to, vertices, path } = JSON.parse(process.argv[2]);
const bytes = readFileSync(path).buffer;
const positions = new Float32Array(bytes, 0, vertices), indices = new Uint32Array(bytes, 4 * vertices);
const marks = [performance.now()];
const mark = () => marks.push(performance.now());
`;
/** Ending: nine more bakes, and the times. */
const END = `for (let i = 1; i < 10; i++) {
  mark();
  free(bake());
}
mark();
console.log(JSON.stringify({ times: marks.slice(1).map((time, i) => time - marks[i]), polygons, points }));
`;

/** The scripts: import and load, bake, path, then bakes. */
export const SCRIPTS = {
  walkmesh: `${READ}const { load } = await import('walkmesh');
const walkmesh = await load();
mark();
const bake = () => walkmesh.bake({ positions, indices }, config).navMesh, free = (navMesh) => navMesh.free();
const navMesh = bake();
mark();
const points = navMesh.findPath(from, to).points.length / 3;
mark();
const { polygons } = navMesh.totals;
${END}`,
  'recast-navigation': `${READ}const { init, NavMeshQuery } = await import('recast-navigation');
const { generateSoloNavMesh } = await import('recast-navigation/generators');
await init();
mark();
const bake = () => generateSoloNavMesh(positions, indices, generator).navMesh, free = (navMesh) => navMesh.destroy();
const navMesh = bake();
mark();
const [start, end] = [from, to].map(([x, y, z]) => ({ x, y, z }));
const points = new NavMeshQuery(navMesh, { maxNodes: 65535 }).computePath(start, end, { halfExtents: { x: 2, y: 4, z: 2 } }).path.length;
mark();
const polygons = navMesh.getTile(0).header().polyCount();
${END}`,
};

/** Parts of the sum, in the order in which the scripts measure them; bakes beyond the first follow. */
const PARTS = ['load', 'bake', 'path'];
const TENTH = PARTS.length + 8;

/** Two ends of a path on the mesh of a level. @param {any} walkmesh @param {any} geometry @param {any} config */
function choosePath(walkmesh, geometry, config) {
  const { navMesh } = walkmesh.bake(geometry, config);
  const random = new Random(1);
  for (;;) {
    const [from, to] = [navMesh.randomPoint({ random }), navMesh.randomPoint({ random })].map(({ point }) => Array.from(point));
    if (navMesh.findPath(from, to).status === 'complete') return navMesh.free(), { from, to };
  }
}

/** Writes a level to a file, and returns the input of the scripts. @param {any} walkmesh @param {import('./levels.js').Level} level */
export function writeInput(walkmesh, { name, config, read }) {
  mkdirSync(FOLDER, { recursive: true });
  const { positions, indices } = read();
  const path = fileURLToPath(new URL(`${name}.level`, FOLDER));
  writeFileSync(path, Buffer.concat([positions, indices].map(({ buffer }) => Buffer.from(buffer))));
  return { path, vertices: positions.length, config, generator: toGeneratorConfig(config, positions), ...choosePath(walkmesh, { positions, indices }, config) };
}

/** @param {string} script @param {any} input @returns {{ times: number[], polygons: number, points: number }} */
function run(script, input) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, JSON.stringify(input)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** The figures of one contestant at one level. @param {{ times: number[] }[]} runs */
function summariseRuns(runs) {
  const of = (/** @type {(times: number[]) => number} */ pick) => summarise(runs.map(({ times }) => pick(times)));
  return { ...Object.fromEntries(PARTS.map((part, i) => [part, of((times) => times[i])])),
    'load and bake': of(([loading, bake]) => loading + bake), 'tenth bake': of((times) => times[TENTH]) };
}

/**
 * @param {import('./bakes.js').BenchOptions} [options]
 * @returns {Promise<{ level: string, ours: Record<string, import('./statistics.js').Summary>, theirs: Record<string, import('./statistics.js').Summary> }[]>}
 */
export async function measureFirstBakes({ smallest = false, runs = ROUNDS, onProgress = () => {} } = {}) {
  mkdirSync(FOLDER, { recursive: true });
  const scripts = Object.entries(SCRIPTS).map(([name, text]) => {
    const path = fileURLToPath(new URL(`first-bake-${name}.mjs`, FOLDER));
    writeFileSync(path, text);
    return { name, path };
  });
  const walkmesh = await load();
  const levels = (smallest ? ['plaza'] : LEVELS).map((name) => makeLevel({ name, cellSize: CELL_SIZE })).filter(({ missing }) => !missing);
  const figures = [];
  for (const level of levels) {
    const input = writeInput(walkmesh, level);
    const results = new Map(scripts.map(({ name }) => [name, /** @type {{ times: number[], polygons: number }[]} */ ([])]));
    for (let round = 0; round < (smallest ? 1 : runs); round++) {
      onProgress(`first bake of ${level.name}: round ${round + 1}`);
      for (const { name, path } of round % 2 ? [...scripts].reverse() : scripts) results.get(name)?.push(run(path, input));
    }
    const [ours, theirs] = scripts.map(({ name }) => results.get(name) ?? []);
    if (ours[0].polygons !== theirs[0].polygons) throw new Error(`${level.name}: ${ours[0].polygons} polygons, theirs ${theirs[0].polygons}`);
    figures.push({ level: level.name, ours: summariseRuns(ours), theirs: summariseRuns(theirs) });
  }
  onProgress('');
  return figures;
}

/** @param {Awaited<ReturnType<typeof measureFirstBakes>>} figures @returns {import('./tables.js').Table} */
export function firstBakeTable(figures) {
  const title = `The first bake of a fresh process, ms, cell ${CELL_SIZE}`;
  if (figures.length === 0) return { title, rows: [['level']] };
  const rows = figures.flatMap(({ level, ours, theirs }) => Object.keys(ours).map((name) => (
    [`${level}: ${name}`, spreadText(ours[name]), spreadText(theirs[name]), ratioText(theirs[name].median / ours[name].median)])));
  const mean = geometricMean(figures.map(({ ours, theirs }) => theirs['load and bake'].median / ours['load and bake'].median));
  return { title, rows: [['median (quartiles)', 'walkmesh', 'recast-navigation', 'ratio'], ...rows, ['load and bake, geometric mean', '', '', ratioText(mean)]] };
}
