// A WebAssembly memory that can't grow beyond some pages, reached by every kind of call: a NavError, and the module stays usable.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NavError, load } from '../../js/index.js';
import { ROOT, makeGround, readScene } from './support.js';

const MEMORY_SECTION = 5;
const PAGE = 65536;

/**
 * A LEB128 number. @param {Uint8Array} bytes @param {number} at @returns {[number, number]} the number, and the offset behind it
 */
function readNumber(bytes, at) {
  let [value, shift] = [0, 0];
  for (;;) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    shift += 7;
    if (byte < 0x80) return [value, at];
  }
}

/** @param {number} value */
function writeNumber(value) {
  const bytes = [];
  for (; value > 0x7f; value = Math.floor(value / 128)) bytes.push(0x80 | value % 128);
  return [...bytes, value];
}

/** The module with another maximum of its memory. @param {Uint8Array} bytes @param {number} pages */
function limitMemory(bytes, pages) {
  for (let at = 8; at < bytes.length;) {
    const id = bytes[at];
    const [size, begin] = readNumber(bytes, at + 1);
    if (id === MEMORY_SECTION) {
      const [minimum] = readNumber(bytes, begin + 2);
      assert.ok(minimum <= pages, `${minimum} pages to begin with`);
      const section = [1, 1, ...writeNumber(minimum), ...writeNumber(pages)]; // one memory, with a maximum
      return Uint8Array.from([...bytes.subarray(0, at), id, ...writeNumber(section.length), ...section, ...bytes.subarray(begin + size)]);
    }
    at = begin + size;
  }
  throw new Error('the module has no memory of its own');
}

const wasm = readFileSync(join(ROOT, 'dist', 'walkmesh.wasm'));
const city = readScene('city');
const plaza = readScene('plaza');
const file = await load().then((walkmesh) => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(city, { tileSize: 48 });
  const files = { mesh: navMesh.save(), dynamic: dynamic.save(), plaza: new Uint8Array(0) };
  navMesh.free();
  const small = walkmesh.bake(plaza, { cellSize: 0.5 }).navMesh;
  files.plaza = small.save();
  small.free();
  return files;
});

/**
 * Calls that allocate; each frees its objects. @type {Record<string, (walkmesh: import('../../js/index.js').Walkmesh) => void>}
 */
const WORK = {
  'bake': (walkmesh) => walkmesh.bake(city, { cellSize: 0.1 }).navMesh.free(),
  'bake in tiles': (walkmesh) => walkmesh.bake(city, { cellSize: 0.2, tileSize: 192 }).navMesh.free(),
  'dynamic bake': (walkmesh) => walkmesh.bakeDynamic(city, { tileSize: 48, cellSize: 0.25 }).navMesh.free(),
  'load': (walkmesh) => {
    const meshes = [];
    try {
      for (let i = 0; i < 24; i++) meshes.push(walkmesh.loadNavMesh(file.mesh));
    } finally {
      for (const mesh of meshes) mesh.free();
    }
  },
  'obstacles': (walkmesh) => {
    const { navMesh, dynamic } = walkmesh.loadDynamic(file.dynamic);
    try {
      for (let i = 0; i < 12000; i++) dynamic.addObstacle({ kind: 'cylinder', base: [i % 80, 0, i % 79], radius: 0.4, height: 2 });
      dynamic.update();
    } finally {
      navMesh.free();
    }
  },
  'crowd': (walkmesh) => {
    const navMesh = walkmesh.loadNavMesh(file.mesh);
    try {
      const crowd = navMesh.createCrowd();
      const places = new Float32Array(3 * 5000).map((_, i) => (i % 3 === 1 ? 0 : i % 80));
      const agents = crowd.addAgents(places, { radius: 0.3 });
      crowd.setTarget(agents, [40, 0, 40]);
      for (let i = 0; i < 3; i++) crowd.step(0.1);
    } finally {
      navMesh.free();
    }
  },
  'questions': (walkmesh) => {
    const navMesh = walkmesh.loadNavMesh(file.mesh);
    try {
      const points = new Float32Array(3 * 150000).map((_, i) => (i % 3 === 1 ? 0 : i % 80));
      navMesh.nearestPoints(points);
      navMesh.islands();
      navMesh.findPath([2, 0, 2], [78, 0, 78], { anyAngle: true });
    } finally {
      navMesh.free();
    }
  },
};

test('the maximum that is set is the one that counts', async () => {
  const walkmesh = await load({ wasm: limitMemory(wasm, 40) });
  assert.throws(() => walkmesh.bake(city, { cellSize: 0.05 }), { name: 'NavError', code: 'out-of-memory' });
  assert.ok(walkmesh.memory().wasmBytes <= 40 * PAGE);
});

for (const [name, work] of Object.entries(WORK)) {
  test(`memory that cannot grow: ${name} fails by name at every size, or is done, and the module goes on`, async () => {
    const outcomes = { failed: 0, done: 0 };
    for (const pages of [33, 40, 64, 150, 4000]) {
      const walkmesh = await load({ wasm: limitMemory(wasm, pages) });
      // Twice: memory that the first run left allocated must not hinder the second.
      const results = [0, 1].map(() => {
        try {
          work(walkmesh);
          return 'done';
        } catch (error) {
          assert.ok(error instanceof NavError, String(error.stack));
          assert.equal(error.code, 'out-of-memory', error.message);
          return 'failed';
        }
      });
      if (results[0] === 'done') assert.equal(results[1], 'done', `${pages} pages`);
      outcomes[results[0]]++;
      const { navMesh } = walkmesh.bake(plaza, { cellSize: 0.5 });
      assert.deepEqual(navMesh.save(), file.plaza, 'a small level bakes as ever');
      assert.ok(walkmesh.memory().wasmBytes <= pages * PAGE);
      navMesh.free();
    }
    assert.ok(outcomes.failed > 0 && outcomes.done > 0, JSON.stringify(outcomes));
  });
}

test('memory that cannot grow: a small level bakes where a large one did not', async () => {
  const walkmesh = await load({ wasm: limitMemory(wasm, 48) });
  assert.throws(() => walkmesh.bake(city, { cellSize: 0.1 }), { code: 'out-of-memory' });
  const { navMesh } = walkmesh.bake(makeGround(10), {});
  assert.equal(navMesh.findPath([2, 0, 2], [8, 0, 8]).status, 'complete');
  navMesh.free();
});
