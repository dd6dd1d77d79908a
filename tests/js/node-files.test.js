// The files of dist/ that Node imports instead of js/: the same package in fewer files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import * as source from '../../js/index.js';
import { ROOT, makeGround } from './support.js';

const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const entries = Object.entries(exports).filter(([, { node }]) => node);

const importFile = (path) => import(new URL(`../../${path}`, import.meta.url));

test('node files: entries export what their modules do', async () => {
  assert.ok(entries.length >= 3);
  for (const [name, { node, default: module }] of entries) {
    if (name === './worker') continue; // it starts to work on import
    const { internals, ...own } = await importFile(node);
    assert.deepEqual(Object.keys(own).sort(), Object.keys(await importFile(module)).sort(), name);
    assert.equal(internals !== undefined, name === '.', name);
  }
});

/** The imports of a file, and theirs in turn. @returns {Set<string>} paths from the root */
function listFiles(path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  const text = readFileSync(join(ROOT, path), 'utf8');
  for (const [, name] of text.matchAll(/(?:from|import)\s*"(\.\/[^"]+)"/g)) listFiles(posix.join(posix.dirname(path), name), found);
  return found;
}

test('node files: few files are read at the start, and none holds what another does', () => {
  const shared = 'dist/index.js';
  const expected = { '.': [], './worker': [], './inline': [shared, 'dist/inline-bytes.js'], './recast-navigation/three': [shared, 'dist/recast-navigation.js'] };
  for (const [name, { node }] of entries) {
    const path = posix.normalize(node);
    assert.deepEqual([...listFiles(path)].sort(), [path, ...expected[name] ?? [shared]].sort(), name);
  }
  const texts = [shared, ...entries.filter(([name]) => name !== './worker').map(([, { node }]) => posix.normalize(node))];
  const holders = [...new Set(texts)].filter((path) => readFileSync(join(ROOT, path), 'utf8').includes('extends Error'));
  assert.deepEqual(holders, [shared]);
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

test('node files: a NavError is the same through every entry', async () => {
  const { NavError } = await importFile(exports['.'].node);
  assert.equal(NavError.name, 'NavError');
  const [recast, inline, core, game, three, node] = await Promise.all(['recast-navigation', 'inline', 'core', 'game', 'three', 'node']
    .map((name) => importFile(exports[`./${name}`].node)));
  assert.throws(() => recast.importNavMesh(new Uint8Array(8)), NavError);
  assert.equal(inline.NavError, NavError);
  assert.equal(inline.NavMesh, (await importFile(exports['.'].node)).NavMesh);
  assert.equal((await inline.load()).bake(makeGround()).navMesh.constructor, inline.NavMesh);
  assert.equal(core.NavError, NavError);
  assert.equal(game.NavError, NavError);
  assert.equal(game.NavMesh, inline.NavMesh);
  const { navMesh } = (await core.load()).bake(makeGround());
  assert.equal(navMesh.constructor.name, 'NavMesh');
  assert.throws(() => navMesh.findPath([1, 0, 1]), NavError);
  assert.throws(() => three.geometryFromScene(1), NavError);
  assert.throws(() => new node.DiskTileCache(1), NavError);
});
