// Two copies of the package in one process: js/ and the files for Node in dist/, as when a program imports `walkmesh` and a file of js/.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as built from '../../dist/index.js';
import { FixedStep, NavError, TileStreamer, checkNavMesh, load } from '../../js/index.js';
import { NavMeshHelper } from '../../js/three/index.js';
import { makeGround } from './support.js';

test('copies: objects of the other copy are refused with a message that says so; helpers draw them', async () => {
  const [mine, other] = [await load(), await built.load()];
  const ground = makeGround();
  const [{ navMesh }, { navMesh: foreign }] = [mine, other].map((walkmesh) => walkmesh.bake(ground, {}));
  const [pool, crowd, filter, islands] = [other.createWorkerPool({ workers: 1 }), foreign.createCrowd(), foreign.createFilter({ excludeFlags: 1 }), foreign.islands()];
  const { dynamic } = mine.bakeDynamic(ground, {});
  const ends = [[1, 0, 1], [2, 0, 2]];
  const calls = {
    FixedStep: () => new FixedStep(crowd), TileStreamer: () => new TileStreamer(foreign, () => null, { innerRadius: 1, outerRadius: 2 }),
    checkNavMesh: () => checkNavMesh(foreign), rebake: () => mine.rebake(foreign, ground), filter: () => navMesh.findPath(...ends, { filter }),
    islands: () => navMesh.findPath(...ends, { islands }), options: () => navMesh.findPath(...ends, filter),
    bakeTiled: () => mine.bakeTiled(ground, {}, { workers: pool }), updateAsync: () => dynamic.updateAsync({ workers: pool }),
    addMesh: () => navMesh.createCrowd().addMesh(foreign), method: () => navMesh.findPath.call(foreign, ...ends),
  };
  for (const [name, call] of Object.entries(calls)) {
    await assert.rejects(async () => call(), (error) => error instanceof NavError && /of another copy of Walkmesh/.test(error.message), name);
  }
  new NavMeshHelper(foreign).dispose();
  for (const object of [pool, navMesh, foreign, dynamic.navMesh]) object.free();
});

test('copies: an object of this copy is never called one of another', () => {
  assert.throws(() => new FixedStep(new Map()), { message: 'crowd must be a crowd, not a Map' });
});
