// A short form of `npm run soak`, which runs for an hour: every chore once; and a test that it tells leaks from noise.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawChart } from '../../scripts/soak/chart.js';
import { collectAll, judgeSoak } from '../../scripts/soak/life.js';
import { openNodeHost } from '../../scripts/soak/node-host.js';
import { judgeGrowth, slopeOf } from '../../scripts/soak/trend.js';
import { makeRandom } from './random.js';
import { CHORES } from './soak/soak.js';

test('soak: every chore leaves the module as it was', async () => {
  const host = await openNodeHost({ seed: 5, scalar: false, leak: {} });
  await host.weigh();
  const rows = [];
  for (let done = 0; done < Object.keys(CHORES).length; done += 6) {
    await host.cycle();
    rows.push(await host.weigh());
  }
  const counts = await host.counts();
  await host.close();
  assert.deepEqual(Object.keys(counts).filter((name) => counts[name] === 0), []);
  assert.deepEqual(judgeSoak(rows), []);
  assert.ok(rows.every(({ workers }) => workers <= 2));
});

test('soak: what is left in the module is found after the cycle that left it', async () => {
  const host = await openNodeHost({ seed: 5, scalar: false, only: 'doors', leak: { module: 1 } });
  await host.weigh();
  await host.cycle();
  await assert.rejects(host.weigh(), /left something behind: \d+ bytes were in use and \d+ are .*doors and connections/);
  await host.close();
});

/** Heap sizes after collections: noise, a peak now and then, growth at the start. @param {number} leak bytes a cycle */
function makeHeap(leak, { cycles = 1200, seed = 1 } = {}) {
  const random = makeRandom(seed);
  return Array.from({ length: cycles }, (_, i) => 8e6 + 1.5e6 * (1 - Math.exp(-i / 80)) + leak * i + random.between(-60e3, 60e3)
    + (random.below(30) === 0 ? random.between(0, 2e6) : 0));
}

const TOLERANCE = { slope: 800, total: 200e3 };

test('soak: a leak of 1 kB a cycle is told from noise, peaks and a heap that levels off', () => {
  for (let seed = 1; seed <= 5; seed++) {
    assert.equal(judgeGrowth(makeHeap(0, { seed }), TOLERANCE).grows, false, `seed ${seed}`);
    const { grows, slope } = judgeGrowth(makeHeap(1024, { seed }), TOLERANCE);
    assert.ok(grows && Math.abs(slope - 1024) < 150, `seed ${seed}: ${slope}`);
  }
  const { slope, low, high } = slopeOf(Array.from({ length: 3000 }, (_, i) => 5 * i));
  assert.deepEqual([slope, low, high], [5, 5, 5]);
  assert.equal(slopeOf([1, 2, 3]).slope, 0);
});

test('soak: memories that grow for good, and workers that stay, are told', () => {
  const row = { bytes: 560, wasmBytes: 4e6, workerBytes: 1120, workerWasmBytes: 3e6, heapBytes: 8e6, bufferBytes: 6e6, processBytes: 2e8, workers: 2, handles: 1, late: 0 };
  const rows = (/** @type {(i: number) => object} */ change) => Array.from({ length: 1000 }, (_, i) => ({ ...row, ...change(i) }));
  assert.deepEqual(judgeSoak(rows((i) => ({ wasmBytes: i < 100 ? 2e6 : 4e6 }))), [], 'at first it may grow');
  assert.match(judgeSoak(rows((i) => ({ wasmBytes: 4e6 + 65536 * Math.floor(i / 2) }))).join(), /^memory of the module: grew from/);
  assert.match(judgeSoak(rows((i) => ({ workers: i < 999 ? 2 : 3 }))).join(), /^workers: up to 3, of a pool of 2/);
  assert.match(judgeSoak(rows((i) => ({ heapBytes: 8e6 + 1024 * i }))).join(), /^heap of JavaScript: grows by 1024 bytes a cycle/);
  assert.deepEqual(judgeSoak(rows((i) => ({ heapBytes: 8e6 + 1024 * i })).slice(0, 100)), [], 'a minute tells nothing');
  const long = Array.from({ length: 5000 }, (_, i) => ({ ...row, heapBytes: 8e6 + 500 * i }));
  assert.deepEqual(judgeSoak(long.slice(0, 4999)), [], 'what an engine still learns');
  assert.match(judgeSoak(long).join(), /^heap of JavaScript: grows by 500 bytes a cycle/);
  assert.match(judgeSoak(rows((i) => ({ workerBytes: 1120 + 2000 * i }))).join(), /^in use in two idle workers: grows by 2000/);
});

test('soak: garbage that comes late is waited for', async () => {
  let collected = 0;
  assert.equal(await collectAll(async () => { collected++; }, () => collected === 3), 2);
  assert.equal(await collectAll(async () => {}, () => true), 0);
});

test('soak: a chart has its lines within its panels', () => {
  const svg = drawChart('a & b', [0, 1, 2], [{ title: 'heap', unit: 'MB', lines: [{ name: 'heap', values: [1, 2, 1.5] }] }]);
  assert.match(svg, /^<svg [^]*a &amp; b[^]*<polyline points="70\.0,\d+\.\d 430\.0,\d+\.\d 790\.0,\d+\.\d"[^]*<\/svg>\n$/);
});
