/** The long soak: random use for minutes or hours, measured after each cycle, judged at the end. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../setup.js';
import { drawChart } from './chart.js';
import { judgeGrowth, medianOf } from './trend.js';

/**
 * @typedef {object} Row memory and objects after a cycle, once garbage was collected
 * @property {number} bytes @property {number} wasmBytes @property {number} workerBytes @property {number} workerWasmBytes as of Soak.weigh
 * @property {number} heapBytes of JavaScript
 * @property {number} bufferBytes of array buffers and the module's memory
 * @property {number} processBytes of the process; in a page the size of the engine's heap
 * @property {number} workers that are alive
 * @property {number} handles that keep the process alive; in a page 0
 * @property {number} late the number of repeated collections until no object of the cycle was in use
 */

/**
 * @typedef {object} Host the environment in which a soak runs
 * @property {() => Promise<void>} cycle
 * @property {() => Promise<Row>} weigh collects garbage, and throws if an object of the cycle is left
 * @property {() => Promise<Record<string, number>>} counts
 * @property {() => Promise<void>} close
 */

/**
 * Growth that isn't a leak: an engine stores data about code, in Node some 2,000 bytes a cycle after 200 cycles, 1,000 after 600,
 * 250 from 5,000 to 10,000. A leak adds to that.
 * @param {number} cycles
 */
const toleranceAfter = (cycles) => ({ slope: cycles < 5000 ? 800 : 300, total: 200e3 });
/** Number of workers that stay. */
const POOL_SIZE = 2;
/** Cycles before growth can be judged. */
const FEWEST_CYCLES = 800;
/** Memories never shrink, and grow by an eighth plus the requested size: the largest level may come late. */
const LARGEST_STEP = { share: 1 / 8, bytes: 2.5e6 };

/** Repeated collections, at most; a tenth of a second apart: an engine's other threads may hold objects while they compile or mark. */
const MOST_LATE = 20;

/**
 * Collects garbage until the module is in the state before the first cycle. Leaked memory stays after any number of collections.
 * @param {() => Promise<void>} collect @param {() => boolean | Promise<boolean>} isAsAtFirst
 * @returns {Promise<number>} number of repeated collections
 */
export async function collectAll(collect, isAsAtFirst) {
  await collect();
  let late = 0;
  for (; late < MOST_LATE && !await isAsAtFirst(); late++) {
    await new Promise((resolve) => { setTimeout(resolve, 100); });
    await collect();
  }
  return late;
}

/** @type {{ name: keyof Row, what: string, judge: 'growth' | 'steps' | 'same' | 'pool' | 'none' }[]} */
const COLUMNS = [
  { name: 'bytes', what: 'in use in the module', judge: 'same' },
  { name: 'wasmBytes', what: 'memory of the module', judge: 'steps' },
  { name: 'workerBytes', what: 'in use in two idle workers', judge: 'growth' },
  { name: 'workerWasmBytes', what: 'memory of their modules', judge: 'steps' },
  { name: 'heapBytes', what: 'heap of JavaScript', judge: 'growth' },
  { name: 'bufferBytes', what: 'array buffers', judge: 'steps' },
  { name: 'processBytes', what: 'all of the process', judge: 'none' },
  { name: 'workers', what: 'workers', judge: 'pool' },
  { name: 'handles', what: 'handles', judge: 'none' },
  { name: 'late', what: 'collected again', judge: 'none' },
];

/** The error of a series; undefined if there is none. @param {number[]} values @param {typeof COLUMNS[number]} column */
function findFault(values, { what, judge }) {
  const half = values.slice(Math.floor(values.length / 2));
  if (judge === 'same' && values.some((value) => value !== values[0])) return `${what}: ${Math.min(...values)} to ${Math.max(...values)}, not the same throughout`;
  // A worker that was ended with its bake is missing until the next bake.
  if (judge === 'pool' && values.some((value) => value > POOL_SIZE)) return `${what}: up to ${Math.max(...values)}, of a pool of ${POOL_SIZE}`;
  if (values.length < FEWEST_CYCLES) return undefined;
  if (judge === 'growth') {
    const { grows, slope } = judgeGrowth(values, toleranceAfter(values.length));
    if (grows) return `${what}: grows by ${slope.toFixed(0)} bytes a cycle`;
  }
  if (judge === 'steps') {
    const quarter = Math.floor(half.length / 2);
    const [before, after] = [half.slice(0, quarter), half.slice(-quarter)].map(medianOf);
    if (after > before * (1 + LARGEST_STEP.share) + LARGEST_STEP.bytes) return `${what}: grew from ${before} to ${after} bytes at the end`;
  }
  return undefined;
}

/** @param {Row[]} rows */
export function judgeSoak(rows) {
  return COLUMNS.map((column) => findFault(rows.map((row) => row[column.name]), column)).filter((fault) => fault !== undefined);
}

/** @param {string} title @param {(Row & { minutes: number })[]} rows */
export function drawSoak(title, rows) {
  const series = (/** @type {keyof Row} */ name, scale = 1e6) => rows.map((row) => row[name] / scale);
  return drawChart(title, rows.map(({ minutes }) => minutes), [
    { title: 'In use in the module after each cycle', unit: 'bytes', lines: [{ name: 'in use', values: series('bytes', 1) }] },
    { title: 'Heap of JavaScript after garbage collection', unit: 'MB', lines: [{ name: 'heap', values: series('heapBytes') }] },
    { title: 'Memories of WebAssembly', unit: 'MB', lines: [{ name: 'this thread', values: series('wasmBytes') }, { name: 'two workers', values: series('workerWasmBytes') }] },
    { title: 'In use in two idle workers', unit: 'kB', lines: [{ name: 'workers', values: series('workerBytes', 1e3) }] },
    { title: 'Workers', unit: 'alive after each cycle', lines: [{ name: 'workers', values: series('workers', 1) }] },
  ]);
}

/** Keeps at most `most` rows, to keep the file of an hour small. @template T @param {T[]} rows @param {number} most */
const thin = (rows, most) => rows.filter((_, i) => i % Math.ceil(rows.length / most) === 0 || i === rows.length - 1);

/** @param {(Row & { minutes: number })[]} rows */
function printTable(rows) {
  console.log(`\n${''.padEnd(30)}${['first', 'middle', 'last', 'least', 'most'].map((name) => name.padStart(12)).join('')}   in the second half`);
  for (const { name, what, judge } of COLUMNS) {
    const values = rows.map((row) => row[name]);
    const { slope, low, high } = judgeGrowth(values, toleranceAfter(values.length));
    const shown = [values[0], values[values.length >> 1], values[values.length - 1], values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
    console.log(what.padEnd(30) + shown.map((value) => String(value).padStart(12)).join('')
      + (judge === 'growth' ? `   ${slope.toFixed(1)} a cycle (${low.toFixed(1)} to ${high.toFixed(1)})` : ''));
  }
}

/**
 * Runs a soak until its time is over. Writes files into out/: the rows as JSON, every minute and at the end, and the chart.
 * @param {Host} host @param {{ name: string, title: string, minutes: number, seed: number }} options
 * @returns {Promise<string[]>} the errors
 */
export async function runLife(host, { name, title, minutes, seed }) {
  const start = performance.now();
  const elapsed = () => (performance.now() - start) / 60000;
  /** @type {(Row & { minutes: number })[]} */
  const rows = [];
  let told = -1;
  const write = async () => {
    mkdirSync(join(ROOT, 'out'), { recursive: true });
    const file = join(ROOT, 'out', name);
    writeFileSync(`${file}.json`, `${JSON.stringify({ title, seed, minutes: elapsed(), cycles: rows.length, chores: await host.counts(), rows: thin(rows, 1000) })}\n`);
    writeFileSync(`${file}.svg`, drawSoak(title, rows));
  };
  let isEnded = false;
  process.once('SIGINT', () => { isEnded = true; });
  process.once('SIGTERM', () => { isEnded = true; });
  const faults = [];
  await host.weigh();
  try {
    while (!isEnded && elapsed() < minutes) {
      await host.cycle();
      rows.push({ minutes: elapsed(), ...await host.weigh() });
      if (Math.floor(elapsed()) <= told) continue;
      told = Math.floor(elapsed());
      const { heapBytes, bytes, wasmBytes, workers } = rows[rows.length - 1];
      console.log(`${told} min: ${rows.length} cycles, ${bytes} bytes in use, memory ${(wasmBytes / 1e6).toFixed(1)} MB, heap ${(heapBytes / 1e6).toFixed(2)} MB, ${workers} workers`);
      await write();
    }
  } catch (error) {
    faults.push(`cycle ${rows.length + 1}: ${error instanceof Error ? error.stack : error}`);
  }
  if (rows.length === 0) return faults;
  await write();
  printTable(rows);
  if (rows.length < FEWEST_CYCLES) console.log(`${rows.length} cycles are too few to tell whether heaps grow: it takes ${FEWEST_CYCLES}`);
  return [...faults, ...judgeSoak(rows)];
}
