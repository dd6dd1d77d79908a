// A page without a bundler: an import map names the package, and all other modules load through it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInPage, withPage } from './harness.js';

const SQUARE = `{ positions: Float32Array.of(0, 0, 0, 0, 0, 9, 9, 0, 9, 9, 0, 0), indices: Uint32Array.of(0, 1, 2, 0, 2, 3) }`;

const BAKE = `
  const walkmesh = await load();
  const { navMesh, report } = walkmesh.bake(${SQUARE}, { cellSize: 0.2 });
  const path = navMesh.findPath([1, 0, 1], { x: 8, y: 0, z: 8 });
  done({ simd: walkmesh.simd, polygons: report.counts.polygons, status: path.status, points: [...path.points] });`;

for (const [name, entry] of [['walkmesh', '/walkmesh/js/index.js'], ['walkmesh/inline', '/walkmesh/dist/inline.js']]) {
  test(`import map: ${name} bakes and finds a path`, async () => {
    const outcome = await runInPage(`import { load } from '${name}'; ${BAKE}`, { imports: { [name]: entry } });
    assert.equal(outcome.status, 'complete');
    assert.equal(outcome.simd, true);
    assert.ok(outcome.polygons > 0);
    assert.equal(outcome.points.length, 6);
  });
}

test('harness: what a page finds wrong fails the test', async () => {
  const faults = {
    'uncaught: Error: thrown': 'throw new Error("thrown")',
    'uncaught: Error: not caught': 'Promise.reject(new Error("not caught"))',
    'console.error: said': 'console.error("said"); done()',
    '404: http': 'await fetch("/nothing.bin"); done()',
    'not done in 200 ms': '',
  };
  for (const [message, script] of Object.entries(faults)) {
    const milliseconds = script === '' ? 200 : undefined;
    await assert.rejects(runInPage(script, { milliseconds }), (error) => error.message.includes(message), message);
  }
});

test('harness: the keys of an object keep their order', async () => {
  assert.deepEqual(Object.keys(await runInPage('done({ b: 1, a: 2, d: 3, c: 4 })')), ['b', 'a', 'd', 'c']);
});

test('harness: pages are isolated where a test asks for it', async () => {
  const script = 'done([globalThis.crossOriginIsolated, typeof SharedArrayBuffer])';
  assert.deepEqual(await runInPage(script), [false, 'undefined']);
  assert.deepEqual(await runInPage(script, { isolated: true }), [true, 'function']);
});
