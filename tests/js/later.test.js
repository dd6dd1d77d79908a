// Node's dist/index.js loads half of the package on first use; users see no difference.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as whole from '../../js/index.js';
import * as entry from 'walkmesh';

// Not imported from support.js, which changes classes of js/ to check every mesh.
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const GROUND = { positions: [0, 0, 0, 0, 0, 9, 9, 0, 9, 9, 0, 0], indices: [0, 1, 2, 0, 2, 3] };

test('later: the entry has the exports of js/index.js, of the same kinds', () => {
  const { internals, ...exports } = entry;
  assert.ok(internals);
  assert.deepEqual(Object.keys(exports).sort(), Object.keys(whole).sort());
  for (const [name, value] of Object.entries(whole)) assert.equal(typeof exports[name], typeof value, name);
});

test('later: classes have the members and names of those in js/', () => {
  let count = 0;
  for (const [name, original] of Object.entries(whole)) {
    if (typeof original !== 'function' || !/^[A-Z]/.test(name)) continue;
    count++;
    const given = entry[name];
    assert.equal(given.name, name);
    assert.equal(given.prototype.constructor, given, name);
    assert.deepEqual(Reflect.ownKeys(given).sort(), Reflect.ownKeys(original).sort(), name);
    const membersOf = (one) => Reflect.ownKeys(one.prototype).map(String).sort();
    assert.deepEqual(membersOf(given), membersOf(original), name);
    assert.ok(Object.getOwnPropertyDescriptor(given, 'prototype').value === given.prototype && 'prototype' in given, name);
    assert.throws(() => given(), /without 'new'/, name);
  }
  assert.ok(count > 15, `${count} classes`);
});

test('later: instances know their class, other classes extend it, and errors are those of the entry', async () => {
  const walkmesh = await entry.load();
  const { navMesh } = walkmesh.bake(GROUND);
  const crowd = navMesh.createCrowd();
  assert.ok(crowd instanceof entry.Crowd && crowd.constructor === entry.Crowd);
  assert.throws(() => new entry.Crowd(), (error) => error instanceof entry.NavError && /createCrowd/.test(error.message));
  class Counting extends entry.MemoryTileCache {
    count = 0;
  }
  const cache = new Counting();
  assert.ok(cache instanceof Counting && cache instanceof entry.MemoryTileCache && cache.count === 0);
  assert.ok(!(navMesh instanceof entry.MemoryTileCache));
  assert.equal(entry.checkNavMesh(navMesh).isSound, true);
  const pool = walkmesh.createWorkerPool({ workers: 1 });
  assert.ok(pool instanceof entry.WorkerPool);
  const tiled = await walkmesh.bakeTiled(GROUND, { tileSize: 16 }, { workers: pool });
  assert.deepEqual(tiled.navMesh.save(), walkmesh.bake(GROUND, { tileSize: 16 }).navMesh.save());
  pool.free();
});

test('later: to start, bake, find a path and open a file takes nothing of the second file', () => {
  const program = (last) => `import { createRequire } from 'node:module';
    import { load } from 'walkmesh';
    const walkmesh = await load();
    const { navMesh } = walkmesh.bake(${JSON.stringify(GROUND)});
    walkmesh.loadNavMesh(navMesh.save()).findPath([1, 0, 1], [8, 0, 8]);
    ${last}
    console.log(Object.keys(createRequire(import.meta.url).cache).filter((path) => path.endsWith('later.cjs')).length);`;
  const run = (last) => (
    execFileSync(process.execPath, ['--input-type=module', '-e', program(last)], { cwd: ROOT, encoding: 'utf8' }));
  assert.equal(run(''), '0\n');
  assert.equal(run('navMesh.createCrowd();'), '1\n');
  assert.equal(run(`walkmesh.bake(${JSON.stringify(GROUND)}, { links: { drop: { maxHeight: 3 } } });`), '1\n');
});

test('later: what has to be there at the start is no more than half', () => {
  const [now, later] = ['index.js', 'later.cjs'].map((name) => readFileSync(join(ROOT, 'dist', name)).length);
  assert.ok(now < 125_500 && now <= later, `dist/index.js: ${now} bytes (dist/later.cjs: ${later})`);
});
