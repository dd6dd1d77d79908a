/**
 * Bakes in the level tool's page against bakes in Node, in turns, with the same level, configuration and number of workers; and the
 * share of the page's parts: bakes without the view, without the panels, and without both. The page runs in Chromium, which draws
 * with the processor here: of all pages, the slowest.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from '../js/index.js';
import { parseObj } from '../js/level/obj.js';
import { buildDemo, isDemoBuilt } from '../scripts/demo.js';
import { closeEngines, openEngine } from '../tests/browser/engines/engines.js';
import { ROOT, startServer } from '../tests/browser/server.js';
import { makeBigTerrain } from '../tests/scenes/big-terrain.js';
import { PRESETS, suggest } from '../web-demo/src/bake/suggest.js';
import { defaultDocument, defaultView } from '../web-demo/src/state/document.js';
import { writeHash } from '../web-demo/src/state/url.js';
import { summarise } from './statistics.js';
import { timeText } from './tables.js';

/** @typedef {import('./statistics.js').Summary} Summary */
/** @typedef {import('./tool-page.js').Bake} Bake */
/** @typedef {(geometry: any, config: any) => Promise<{ mesh: number, hash: string }>} BakeInNode */

const RUNS = 5;
/** Of levels that bake for more than ten seconds. */
const LONG_RUNS = 2;
const SIZE = { width: 1440, height: 900 };
const DIST = fileURLToPath(new URL('../web-demo/dist', import.meta.url));

const readScene = (/** @type {string} */ name) => parseObj(readFileSync(new URL(`../tests/scenes/${name}.obj`, import.meta.url)));

/** The ways to bake in the page: the parts of the page that are turned off. @type {Record<string, import('./tool-page.js').Off[]>} */
const WAYS = { whole: [], 'without panels': ['panels'], 'without the view': ['view'], 'the library alone': ['tool'] };

/** The levels by name, as in the address of the page; a preset, or the default configuration; and the ways to bake them. */
const LEVELS = [
  { name: 'city', label: 'City, "Small creature"', preset: 'creature', ways: Object.keys(WAYS), runs: RUNS, read: () => readScene('city') },
  { name: 'terrain-1km', label: 'Terrain, one kilometre', preset: undefined, ways: ['whole', 'the library alone'], runs: LONG_RUNS, read: makeBigTerrain },
];
const SMALLEST = [{ name: 'plaza', label: 'Plaza', preset: undefined, ways: Object.keys(WAYS), runs: 1, read: () => readScene('plaza') }];

/** The configuration that a preset's button chooses. @param {{ positions: Float32Array }} level @param {string | undefined} preset */
function configOf({ positions }, preset) {
  const { config } = defaultDocument();
  const agent = PRESETS.find(({ id }) => id === preset)?.agent;
  if (!agent) return config;
  const [min, max] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  for (let i = 0; i < positions.length; i++) {
    min[i % 3] = Math.min(min[i % 3], positions[i]);
    max[i % 3] = Math.max(max[i % 3], positions[i]);
  }
  return { ...config, ...agent, ...suggest({ min, max }, { ...config, ...agent }).config };
}

/** Opens the tool and waits for its first bake. @param {string} name of the level @param {any} config */
async function openTool(name, config) {
  const report = (/** @type {string} */ problem) => { throw new Error(`the level tool: ${problem}`); };
  const engine = await openEngine('chromium');
  const { page, close } = await engine.openPage(report, /** @type {any} */ ({ viewport: SIZE }));
  const server = await startServer({ mounts: { '': DIST, walkmesh: ROOT } });
  const document = { ...defaultDocument(), level: { kind: /** @type {const} */ ('scene'), name }, config };
  await page.goto(`${server.url}/#${await writeHash(document, defaultView())}`);
  await page.evaluate("import('/walkmesh/bench/tool-page.js').then((functions) => { Object.assign(window, functions); })");
  const opened = await page.evaluate('observeTool()');
  return {
    opened, workers: await page.evaluate('walkmeshTool.bakes.pool.size'),
    bake: (/** @type {import('./tool-page.js').Off[]} */ off) => page.evaluate(`bakeInTool(${JSON.stringify(off)})`),
    close: () => Promise.all([close(), server.close()]),
  };
}

/** A pool in Node, and bakes in it. @param {number} workers */
async function openNode(workers) {
  const walkmesh = await load();
  const pool = walkmesh.createWorkerPool({ workers });
  await pool.ready();
  /** @type {BakeInNode} */
  const bake = async (geometry, config) => {
    const start = performance.now();
    const { navMesh } = await walkmesh.bakeDynamicAsync(geometry, config, { workers: pool });
    const mesh = performance.now() - start;
    const hash = walkmesh.hash(navMesh.save());
    navMesh.free();
    return { mesh, hash };
  };
  return { bake, free: () => pool.free() };
}

/** Bakes of a level in turns. @param {typeof LEVELS[number]} level @param {(text: string) => void} onProgress */
async function measureLevel({ name, label, preset, ways, runs, read }, onProgress) {
  const { positions, indices } = read();
  const config = configOf({ positions }, preset);
  const tool = await openTool(name, config);
  const node = await openNode(tool.workers);
  /** @type {number[]} */
  const inNode = [];
  /** @type {Record<string, Bake[]>} */
  const inPage = Object.fromEntries(ways.map((way) => [way, []]));
  try {
    for (let round = -1; round < runs; round++) {
      onProgress(`${label}: round ${round + 1} of ${runs}`);
      const { mesh, hash } = await node.bake({ positions, indices }, config);
      if (round >= 0) inNode.push(mesh);
      for (const way of ways) {
        const baked = await tool.bake(WAYS[way]);
        if (baked.hash !== hash) throw new Error(`${label}: the page's mesh isn't the one of Node`);
        if (round >= 0) inPage[way].push(baked);
      }
    }
  } finally {
    node.free();
    await tool.close();
  }
  const inWays = Object.fromEntries(Object.entries(inPage).map(([way, bakes]) => [way, summariseBakes(bakes)]));
  return { level: label, workers: tool.workers, opened: tool.opened, node: summarise(inNode), ways: inWays };
}

/** @param {Bake[]} bakes */
const summariseBakes = (bakes) => Object.fromEntries(/** @type {const} */ (['mesh', 'drawn', 'frames', 'tasks', 'longest'])
  .map((name) => [name, summarise(bakes.map((bake) => bake[name]))]));

/**
 * @param {{ scenes?: string[], runs?: number, smallest?: boolean, onProgress?: (text: string) => void }} options
 * @returns {Promise<Awaited<ReturnType<typeof measureLevel>>[]>}
 */
export async function measureTool({ scenes = [], runs, smallest = false, onProgress = () => {} }) {
  if (!isDemoBuilt()) await buildDemo();
  const figures = [];
  const chosen = smallest ? SMALLEST : LEVELS.filter(({ name }) => scenes.length === 0 || scenes.some((scene) => name.startsWith(scene)));
  try {
    for (const level of chosen) figures.push(await measureLevel({ ...level, runs: runs ?? level.runs }, onProgress));
  } finally {
    await closeEngines();
  }
  return figures;
}

/** @param {Awaited<ReturnType<typeof measureTool>>} figures @returns {import('./tables.js').Table[]} */
export function toolTables(figures) {
  const times = (/** @type {number} */ value, /** @type {number} */ node) => `${timeText(value)} (${(value / node).toFixed(2)} x)`;
  return figures.map(({ level, workers, opened, node, ways }) => ({
    title: `${level}, ${workers} worker${workers > 1 ? 's' : ''}: milliseconds, as a multiple of Node's`,
    rows: [['', 'mesh', 'drawn', 'drawings', 'tasks above 50 ms', 'longest task'],
      ['Node', timeText(node.median), '', '', '', ''],
      ...Object.entries(ways).map(([way, { mesh, drawn, frames, tasks, longest }]) => [`page, ${way}`, times(mesh.median, node.median),
        times(drawn.median, node.median), String(frames.median), String(tasks.median), timeText(longest.median)])],
    notes: [`From opening the page to the first mesh: ${timeText(opened.mesh)} ms; to its drawing: ${timeText(opened.drawn)} ms.`],
  }));
}
