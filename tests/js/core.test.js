// The core module and entry: the same results as the full module, and clear errors for missing functions.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as core from '../../js/core.js';
import { NavError, load } from '../../js/index.js';
import { ROOT, makeGround } from './support.js';

const MODULES = [{ simd: true, file: 'walkmesh-core.wasm' }, { simd: false, file: 'walkmesh-core-scalar.wasm' }];
const CONFIG = { cellSize: 0.3, tileSize: 32, agentRadius: 0.3 };
const isUnsupported = (error) => error instanceof NavError && error.code === 'unsupported';

const readModule = (file) => readFileSync(join(ROOT, 'dist', file));

/** Paths between vertices of a grid over the surface. */
function askPaths(navMesh) {
  const { max, min } = { min: 1, max: 9 };
  const points = [[min, 0, min], [max, 0, min], [min, 0, max], [max, 0, max], [5, 0, 5], [50, 0, 50]];
  return points.flatMap((start) => points.map((end) => navMesh.findPath(start, end, { crossings: 'all' })));
}

test('core: the modules hold nothing that the others do not', () => {
  const all = new Set(WebAssembly.Module.exports(new WebAssembly.Module(readModule('walkmesh.wasm'))).map(({ name }) => name));
  for (const { file } of MODULES) {
    const module = new WebAssembly.Module(readModule(file));
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    for (const { name } of WebAssembly.Module.exports(module)) assert.ok(all.has(name), `${file}: ${name}`);
  }
});

test('core: meshes and paths are those of walkmesh, to the bit', async () => {
  const { navMesh } = (await load()).bake(makeGround(), CONFIG);
  const expected = askPaths(navMesh);
  const nearest = navMesh.nearestPoint([3, 1, 4]);
  assert.ok(expected.some(({ status }) => status === 'complete'));
  for (const { simd } of MODULES) {
    const walkmesh = await core.load({ simd });
    const { navMesh: small, report } = walkmesh.bake(makeGround(), CONFIG);
    assert.deepEqual(askPaths(small), expected);
    assert.deepEqual(small.nearestPoint([3, 1, 4]), nearest);
    assert.ok(report.tiles.built > 0);
    small.free();
    assert.throws(() => small.findPath([0, 0, 0], [1, 0, 1]), { name: 'NavError', code: 'state' });
  }
});

test('core: what it lacks throws unsupported, through either entry', async () => {
  const little = await core.load();
  const crate = { kind: 'box', centre: [3, 0, 3], halfAxes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] };
  assert.throws(() => little.bake({ ...makeGround(), solids: [crate] }),
    { name: 'NavError', code: 'unsupported', field: 'solids', message: /core module/ });
  assert.throws(() => little.bake({ ...makeGround(), volumes: [{ kind: 'sphere', centre: [3, 0, 3], radius: 1, area: 0 }] }), isUnsupported);
  assert.throws(() => little.bake(makeGround(), { medianFilter: true }), isUnsupported);
  const { navMesh: small } = little.bake(makeGround());
  assert.throws(() => small.findPath([1, 0, 1], [9, 0, 9], { islands: true }), isUnsupported);
  for (const option of ['anyAngle', 'shortest']) assert.throws(() => small.findPath([1, 0, 1], [9, 0, 9], { [option]: true }), isUnsupported);
  assert.throws(() => small.findPath([1, 0, 1], [9, 0, 9], { wallDistance: 1 }), isUnsupported);
  const walkmesh = await load({ wasm: readModule('walkmesh-core.wasm') });
  const { navMesh, report } = walkmesh.bake(makeGround(), CONFIG);
  assert.ok(report.counts.polygons > 0);
  const { polygon, point } = navMesh.nearestPoint([1, 0, 1]);
  assert.equal(navMesh.findPath([1, 0, 1], [9, 0, 9]).status, 'complete');
  const lacking = [() => navMesh.save(), () => navMesh.islands(), () => navMesh.raycast(polygon, point, [5, 0, 5]), () => navMesh.tiles(),
    () => navMesh.findPath([1, 0, 1], [9, 0, 9], { islands: true }), () => navMesh.findPath([1, 0, 1], [9, 0, 9], { anyAngle: true }),
    () => navMesh.createCorridor(), () => walkmesh.loadNavMesh(new Uint8Array(100))];
  for (const ask of lacking) assert.throws(ask, isUnsupported, String(ask));
  assert.equal(navMesh.findPath([1, 0, 1], [9, 0, 9]).status, 'complete', 'still answers');
  navMesh.free();
});

test('core: bad input is refused and frees what it took', async () => {
  const walkmesh = await core.load();
  const before = walkmesh.memory().bytes;
  for (let i = 0; i < 3; i++) {
    assert.throws(() => walkmesh.bake({ positions: new Float32Array(9), indices: new Uint32Array([0, 1, 7]) }), { code: 'geometry' });
    assert.throws(() => walkmesh.bake(makeGround(), { cellSize: -1 }), { code: 'configuration' });
  }
  assert.ok(walkmesh.memory().bytes <= before + 4096, 'nothing is left');
  await assert.rejects(core.load({ memoryLimit: -1 }), { code: 'invalid-argument' });
});

test('core: what is called on something else, or made by hand, says so', async () => {
  const walkmesh = await core.load();
  const { bake, memory } = walkmesh;
  for (const call of [bake, memory]) assert.throws(() => call(makeGround()), { name: 'NavError', code: 'state', message: /as object.method/ });
  assert.throws(() => bake.call({}, makeGround()), { code: 'state' });
  assert.throws(() => new core.Walkmesh(), { code: 'state', message: /load\(\)/ });
  const { navMesh } = walkmesh.bake(makeGround());
  const { findPath } = navMesh;
  assert.throws(() => findPath([1, 0, 1], [9, 0, 9]), { code: 'state', message: /as object.method/ });
  navMesh.free();
  await assert.rejects(core.load(7), { code: 'invalid-argument' });
  await assert.rejects(core.load({ leakWarnings: 'no' }), { code: 'invalid-argument', field: 'leakWarnings' });
});
