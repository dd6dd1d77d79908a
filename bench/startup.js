/**
 * Start-up time in a fresh Node process: the package as Node imports and loads it, with a first bake and path, and the peers
 * until they are ready. Times are relative to a process that runs an empty module; in turns, medians of the differences to the
 * empty process of the same round. Scripts are files in build/startup, which import packages by name as any project does.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { alignColumns } from './report.js';

const ROUNDS = 25;
const WARM_UP_ROUNDS = 3;
const FOLDER = new URL('../build/startup/', import.meta.url);

const load = (/** @type {string} */ entry) => `import { load } from '${entry}';\nconst walkmesh = await load();\n`;
const BAKE = 'walkmesh.bake({ positions: [0, 0, 0, 0, 0, 9, 9, 0, 9, 9, 0, 0], indices: [0, 1, 2, 0, 2, 3] }).navMesh'
  + '.findPath([1, 0, 1], [8, 0, 8]);\n';
const EMPTY = 'empty';
const READY = 'walkmesh: import, load';

const SCRIPTS = {
  [EMPTY]: '',
  'walkmesh: import': "import 'walkmesh';\n",
  [READY]: load('walkmesh'),
  'walkmesh: import, load, bake, path': load('walkmesh') + BAKE,
  'walkmesh/core: import, load': load('walkmesh/core'),
  'walkmesh/inline: import, load': load('walkmesh/inline'),
  'js/ file by file: import, load': load('../../js/index.js'),
  'recast-navigation: import, init': "import { init } from 'recast-navigation';\nawait init();\n",
  'navcat: import': "import 'navcat';\n",
};

/** Ending of each script: prints the processor time of the process, all threads included. */
const TELL = "process.on('exit', () => { const { user, system } = process.cpuUsage(); console.log((user + system) / 1000); });\n";

/** Milliseconds of a process: [until its end, processor time]. @param {string} path */
function run(path) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [path]);
  const milliseconds = performance.now() - start;
  if (status !== 0) throw new Error(String(stderr));
  return [milliseconds, Number(stdout)];
}

const median = (/** @type {number[]} */ values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Writes the scripts; returns their paths and names. */
function writeScripts() {
  mkdirSync(FOLDER, { recursive: true });
  return Object.entries(SCRIPTS).map(([name, script], i) => {
    const path = fileURLToPath(new URL(`${i}.mjs`, FOLDER));
    writeFileSync(path, script + TELL);
    return { name, path };
  });
}

/**
 * @param {{ smallest?: boolean, onProgress?: (text: string) => void }} [options] smallest: one round
 * @returns {{ emptyProcess: number, scripts: { name: string, milliseconds: number, processor: number }[] }} medians over
 *   rounds: the time of a script minus that of the empty process, and its processor time
 */
export function measureStartUp({ smallest = false, onProgress = () => {} } = {}) {
  const [rounds, warmUpRounds] = smallest ? [1, 0] : [ROUNDS, WARM_UP_ROUNDS];
  const scripts = writeScripts();
  const times = new Map(scripts.map(({ name }) => [name, /** @type {number[][]} */ ([])]));
  for (let round = 0; round < warmUpRounds + rounds; round++) {
    onProgress(`start-up: round ${round + 1} of ${warmUpRounds + rounds}`);
    for (const { name, path } of round % 2 ? [...scripts].reverse() : scripts) {
      const time = run(path);
      if (round >= warmUpRounds) times.get(name)?.push(time);
    }
  }
  onProgress('');
  const empty = times.get(EMPTY) ?? [];
  times.delete(EMPTY);
  const above = (/** @type {number[][]} */ list, /** @type {number} */ i) => median(list.map((time, at) => time[i] - empty[at][i]));
  return {
    emptyProcess: median(empty.map(([time]) => time)),
    scripts: [...times].map(([name, list]) => ({ name, milliseconds: above(list, 0), processor: above(list, 1) })),
  };
}

/** @param {ReturnType<typeof measureStartUp>} figures */
export function startUpTable({ emptyProcess, scripts }) {
  const ready = scripts.find(({ name }) => name === READY)?.milliseconds ?? NaN;
  const rows = scripts.map(({ name, milliseconds, processor }) => (
    [name, `${milliseconds.toFixed(1)} ms`, `${processor.toFixed(1)} ms`, (milliseconds / ready).toFixed(2)]));
  return `Start-up above an empty process (${emptyProcess.toFixed(1)} ms), medians of ${ROUNDS} rounds\n`
    + alignColumns([['', 'time', 'processor', `ratio to ${READY}`], ...rows]);
}
