/**
 * What starting takes in a fresh Node process: the package as Node gets it (dist/index.js) imported and loaded, and a first
 * bake and path, against a process that does nothing; in turns, medians of the differences of pairs.
 */
import { spawnSync } from 'node:child_process';
import { alignColumns } from './report.js';

const PAIRS = 20;
const WARM_UP_PAIRS = 3;

const url = (/** @type {string} */ path) => JSON.stringify(new URL(path, import.meta.url).href);
const LOAD = (/** @type {string} */ path) => `const { load } = await import(${url(path)}); const walkmesh = await load();`;
const BAKE = 'walkmesh.bake({ positions: [0, 0, 0, 0, 0, 9, 9, 0, 9, 9, 0, 0], indices: [0, 1, 2, 0, 2, 3] }).navMesh'
  + '.findPath([1, 0, 1], [8, 0, 8]);';

const SCRIPTS = {
  'import walkmesh': `await import(${url('../dist/index.js')});`,
  'import, load': LOAD('../dist/index.js'),
  'import, load, bake, path': LOAD('../dist/index.js') + BAKE,
  'import, load (walkmesh/core)': LOAD('../js/core.js'),
  'import, load (js/, file by file)': LOAD('../js/index.js'),
};

/** Tells the processor time of a process, of all its threads, when it ends. */
const TELL = "process.on('exit', () => { const { user, system } = process.cpuUsage(); console.log((user + system) / 1000); });";

/** Milliseconds of a process: [until it ended, processor time]. @param {string} script */
function run(script) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', TELL + script]);
  const milliseconds = performance.now() - start;
  if (status !== 0) throw new Error(String(stderr));
  return [milliseconds, Number(stdout)];
}

const median = (/** @type {number[]} */ values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/**
 * @param {{ onProgress?: (text: string) => void }} [options]
 * @returns {{ emptyProcess: number, scripts: { name: string, milliseconds: number, processor: number }[] }} medians of pairs:
 *   what a script takes above the empty process next to it, and how much of the processor
 */
export function measureStartUp({ onProgress = () => {} } = {}) {
  /** @type {number[]} */
  const empty = [];
  const scripts = Object.entries(SCRIPTS).map(([name, script]) => {
    onProgress(name);
    const pairs = Array.from({ length: WARM_UP_PAIRS + PAIRS }, () => [run(''), run(script)]).slice(WARM_UP_PAIRS);
    empty.push(...pairs.map(([[time]]) => time));
    const above = (/** @type {number} */ i) => median(pairs.map(([nothing, all]) => all[i] - nothing[i]));
    return { name, milliseconds: above(0), processor: above(1) };
  });
  onProgress('');
  return { emptyProcess: median(empty), scripts };
}

/** @param {ReturnType<typeof measureStartUp>} figures */
export function startUpTable({ emptyProcess, scripts }) {
  const rows = scripts.map(({ name, milliseconds, processor }) => [name, `${milliseconds.toFixed(1)} ms`, `${processor.toFixed(1)} ms`]);
  return `Start-up above an empty process (${emptyProcess.toFixed(1)} ms), medians of ${PAIRS} pairs\n`
    + alignColumns([['', 'time', 'processor'], ...rows]);
}
