/**
 * Bakes in one tile in a page of each browser engine, and in Node: Walkmesh and recast-navigation in turns, in the same page. Pages
 * are isolated, since browsers give others a coarser clock.
 */
import { readFileSync } from 'node:fs';
import { ENGINE_NAMES, closeEngines, openEngine } from '../tests/browser/engines/engines.js';
import { ROOT, startServer } from '../tests/browser/server.js';
import { measureLevel } from './engine-page.js';
import { chooseLevels, makeLevel } from './levels.js';
import { timeText } from './tables.js';

const LEVELS = ['city', 'caves', 'maze', 'stairs'];
const MILLISECONDS_A_LEVEL = 4000;

const PEER = '/walkmesh/node_modules/@recast-navigation';
const IMPORTS = {
  'recast-navigation': '/walkmesh/node_modules/recast-navigation/index.mjs',
  '@recast-navigation/core': `${PEER}/core/dist/index.mjs`,
  '@recast-navigation/wasm': `${PEER}/wasm/dist/recast-navigation.wasm-compat.js`,
};
const PAGE = `<!doctype html><meta charset="utf-8"><title>bench</title><script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>
<script type="module">
import { measureLevel } from '/walkmesh/bench/engine-page.js';
window.measureLevel = measureLevel;
</script>`;

/** @typedef {Awaited<ReturnType<typeof measureLevel>>} Times */
/** @typedef {{ text: string, config: any }} Input */

/**
 * Measures in a page of an engine.
 * @param {string} id @param {(measure: (input: Input, options: any) => Promise<Times>) => Promise<void>} work
 */
async function withEngine(id, work) {
  const report = (/** @type {string} */ problem) => { throw new Error(`${id}: ${problem}`); };
  const { page, close } = await (await openEngine(id)).openPage(report, { isolated: true });
  const server = await startServer({ files: { 'index.html': PAGE }, mounts: { walkmesh: ROOT }, isolated: true });
  try {
    await page.goto(server.url);
    await page.waitForFunction('Boolean(window.measureLevel)');
    await work(({ text, config }, options) => page.evaluate(`measureLevel(...${JSON.stringify([text, config, options])})`));
  } finally {
    await close();
    await server.close();
  }
}

/**
 * @param {import('./bakes.js').BenchOptions & { engines?: string[] }} options engines: only these
 * @returns {Promise<{ level: string, cellSize: number, hosts: (Times & { name: string })[] }[]>}
 */
export async function measureEngines({ scenes = [], runs, smallest = false, engines = ENGINE_NAMES, onProgress = () => {} }) {
  const chosen = smallest ? [makeLevel({ name: 'plaza', cellSize: 0.3 })] : chooseLevels(scenes.length > 0 ? scenes : LEVELS);
  const options = { runs: smallest ? 1 : runs, milliseconds: MILLISECONDS_A_LEVEL };
  const levels = chosen.map(({ name, config, file }) => (
    { level: name, config, cellSize: config.cellSize, text: readFileSync(file ?? '', 'utf8'), hosts: /** @type {(Times & { name: string })[]} */ ([]) }));
  const measureAll = async (/** @type {string} */ name, /** @type {(input: Input, options: any) => Promise<Times>} */ measure) => {
    for (const one of levels) {
      onProgress(`${name}: ${one.level}`);
      one.hosts.push({ name, ...await measure(one, options) });
    }
  };
  await measureAll('Node', ({ text, config }, how) => measureLevel(text, config, how));
  for (const id of engines) await withEngine(id, async (measure) => measureAll((await openEngine(id)).name, measure));
  await closeEngines();
  return levels.map(({ level, cellSize, hosts }) => ({ level, cellSize, hosts }));
}

/** @param {Awaited<ReturnType<typeof measureEngines>>} figures @returns {import('./tables.js').Table} */
export function engineTable(figures) {
  return {
    title: 'A bake in each engine, times of recast-navigation as a multiple',
    rows: [['level, cell size', ...figures[0].hosts.map(({ name }) => name)],
      ...figures.map(({ level, cellSize, hosts }) => [`${level} ${cellSize}`,
        ...hosts.map(({ ours, theirs }) => `${timeText(ours.median)} (${(theirs.median / ours.median).toFixed(1)} x)`)])],
  };
}
