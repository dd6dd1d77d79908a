// The files of dist/ that Node imports instead of js/: the same package in fewer files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as source from '../../js/index.js';
import { ROOT, makeGround } from './support.js';

const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const entries = Object.entries(exports).filter(([, { node }]) => node);

const importFile = (path) => import(new URL(`../../${path}`, import.meta.url));

test('node files: entries export what their modules do', async () => {
  assert.ok(entries.length >= 3);
  for (const [name, { node, default: module }] of entries) {
    if (name === './worker') continue; // it starts to work when it is imported
    assert.deepEqual(Object.keys(await importFile(node)).sort(), Object.keys(await importFile(module)).sort(), name);
  }
});

test('node files: few files are read at the start', () => {
  const text = readFileSync(join(ROOT, exports['.'].node), 'utf8');
  const imports = [...text.matchAll(/from\s*"(\.\/[^"]+)"/g)].map(([, path]) => path);
  assert.ok(imports.length <= 2, imports.join(' '));
});

test('node files: bakes, in workers too, are those of the modules', async () => {
  const { NavError, load } = await importFile(exports['.'].node);
  assert.notEqual(NavError, source.NavError, 'another copy');
  const walkmesh = await load();
  const config = { tileSize: 16, cellSize: 0.3 };
  const { navMesh: expected } = (await source.load()).bake(makeGround(), config);
  const { navMesh: plain } = walkmesh.bake(makeGround(), config);
  const { navMesh: tiled } = await walkmesh.bakeTiled(makeGround(), config, { workers: 1 });
  assert.deepEqual(plain.save(), expected.save());
  assert.deepEqual(tiled.save(), expected.save());
  assert.throws(() => walkmesh.bake(makeGround(), { cellSize: -1 }), NavError);
  for (const mesh of [expected, plain, tiled]) mesh.free();
});

test('node files: entries share their classes', async () => {
  const { NavError } = await importFile(exports['.'].node);
  const { importNavMesh } = await importFile(exports['./recast-navigation'].node);
  assert.throws(() => importNavMesh(new Uint8Array(8)), NavError);
});
