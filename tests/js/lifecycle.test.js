// Objects of the module: freed once, never used afterwards, and independent of one another.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NavMesh, load } from '../../js/index.js';
import { makeGround } from './support.js';

const walkmesh = await load();
const isState = { name: 'NavError', code: 'state' };

test('lifecycle: a navigation mesh that was freed', () => {
  const { navMesh } = walkmesh.bake(makeGround(), {});
  assert.ok(navMesh instanceof NavMesh);
  navMesh.free();
  const calls = [() => navMesh.free(), () => navMesh.findPath([0, 0, 0], [1, 0, 1]), () => navMesh.nearestPoint([0, 0, 0]),
    () => navMesh.save(), () => navMesh.exportDetour(), () => navMesh.totals, () => navMesh.config, () => navMesh.parameters,
    () => navMesh.tiles(), () => navMesh.triangles(), () => navMesh.polygons()];
  for (const call of calls) assert.throws(call, isState, `${call}`);
  assert.doesNotThrow(() => navMesh[Symbol.dispose]?.());
});

test('lifecycle: a baker that was freed', () => {
  const baker = walkmesh.createBaker(makeGround(), {});
  baker.free();
  const calls = [() => baker.free(), () => baker.beginTile(), () => baker.step(), () => baker.nextStage, () => baker.counts(),
    () => baker.stage('tile'), () => baker.takeTile()];
  for (const call of calls) assert.throws(call, isState, `${call}`);
});

test('lifecycle: calls of a baker out of order', () => {
  const baker = walkmesh.createBaker(makeGround(), {});
  assert.equal(baker.nextStage, 'done');
  assert.throws(() => baker.step(), isState);
  assert.throws(() => baker.beginTile(1, 0), { name: 'NavError', code: 'invalid-argument', field: 'x' });
  assert.throws(() => baker.beginTile(0, 0.5), { name: 'NavError', code: 'invalid-argument', field: 'z' });
  assert.throws(() => baker.stage('walls'), { name: 'NavError', code: 'invalid-argument' });
  assert.equal(baker.stage('heightfield'), null);
  baker.beginTile();
  baker.step();
  assert.ok(baker.stage('heightfield').length > 0);
  baker.beginTile(); // drops the tile in hand
  assert.equal(baker.stage('heightfield'), null);
  while (baker.nextStage !== 'done') baker.step();
  assert.ok(baker.takeTile().length > 0);
  assert.equal(baker.takeTile(), null, 'it was taken');
  baker.free();
});

test('lifecycle: dispose frees what was not freed', () => {
  const { navMesh } = walkmesh.bake(makeGround(), {});
  if (Symbol.dispose === undefined) return; // older engines know neither the symbol nor `using`
  navMesh[Symbol.dispose]();
  assert.throws(() => navMesh.totals, isState);
});

test('lifecycle: a progress callback that throws ends the bake and leaks nothing', () => {
  walkmesh.bake(makeGround(), {}).navMesh.free();
  walkmesh.trimMemory();
  const before = walkmesh.memory().bytes;
  const stop = new Error('stop');
  assert.throws(() => walkmesh.bake(makeGround(), { tileSize: 16 }, { onProgress: () => { throw stop; } }), stop);
  walkmesh.trimMemory();
  assert.equal(walkmesh.memory().bytes, before);
});

test('lifecycle: instances are independent', async () => {
  const other = await load();
  const { navMesh } = walkmesh.bake(makeGround(), {});
  const mine = other.loadNavMesh(navMesh.save());
  navMesh.free();
  assert.equal(mine.findPath([1, 0, 1], [9, 0, 9]).status, 'complete');
  mine.free();
});
