// Memory: growth during calls, running out of it at every step, and freeing it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NavError, errorCode, load } from '../../js/index.js';
import { ROOT, loadBoth, makeGround, readScene } from './support.js';

const isOutOfMemory = (error) => {
  assert.ok(error instanceof NavError, `${error.stack}`);
  assert.equal(error.code, 'out-of-memory');
  return true;
};

/** The module with another maximum in its memory section: pages of 64 KiB. */
function withMaximumPages(bytes, pages) {
  const readVarint = (at) => {
    let [value, shift] = [0, 0];
    for (;;) {
      const byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      shift += 7;
      if (byte < 128) return [value, at];
    }
  };
  const writeVarint = (value) => (value < 128 ? [value] : [(value % 128) | 128, ...writeVarint(Math.floor(value / 128))]);
  for (let at = 8; at < bytes.length;) {
    const [size, start] = readVarint(at + 1);
    if (bytes[at] === 5) {
      const [initial] = readVarint(start + 2);
      const body = [1, 1, ...writeVarint(initial), ...writeVarint(pages)];
      return Uint8Array.from([...bytes.subarray(0, at), 5, body.length, ...body, ...bytes.subarray(start + size)]);
    }
    at = start + size;
  }
  throw new Error('no memory section');
}

test('memory: a refused memory.grow is an ordinary error, and small levels still bake', async () => {
  const level = readScene('city');
  for (const [simd, name] of [[true, 'walkmesh.wasm'], [false, 'walkmesh-scalar.wasm']]) {
    const wasm = withMaximumPages(readFileSync(join(ROOT, 'dist', name)), 64);
    const walkmesh = await load({ simd, wasm });
    for (let round = 0; round < 3; round++) {
      assert.throws(() => walkmesh.bake(level, { cellSize: 0.2, cellHeight: 0.1 }), isOutOfMemory);
      assert.ok(walkmesh.memory().wasmBytes <= 64 * 65536);
      const { navMesh } = walkmesh.bake(makeGround(), {});
      assert.equal(navMesh.findPath([1, 0, 1], [9, 0, 9]).status, 'complete');
      navMesh.free();
    }
  }
});

test('memory: a limit set by the caller is kept', async () => {
  const walkmesh = await load({ memoryLimit: 3e6 });
  const level = readScene('city');
  assert.throws(() => walkmesh.bake(level, {}), isOutOfMemory);
  assert.ok(walkmesh.memory().peakBytes <= 3e6);
  walkmesh.bake(makeGround(), {}).navMesh.free();
  for (const memoryLimit of [0, -1, NaN, 'much']) {
    await assert.rejects(load({ memoryLimit }), { name: 'NavError', code: 'invalid-argument' });
  }
});

/** Every step of a session with the module; the result doesn't depend on the step that fails. */
function liveOnce(walkmesh) {
  const { positions, indices } = makeGround(6);
  const { navMesh } = walkmesh.bake({
    positions, indices, areas: Uint8Array.of(63, 3),
    volumes: [{ kind: 'prism', vertices: Float32Array.of(0, 0, 0, 2, 0, 0, 2, 0, 2), minY: -1, maxY: 1, area: 5 }],
    offMeshConnections: [{ start: [1, 0, 1], end: [5, 0, 5], radius: 0.5 }],
  }, { tileSize: 12 });
  try {
    const copy = walkmesh.loadNavMesh(navMesh.save());
    try {
      copy.findPath([1, 0, 1], [5, 0, 5]);
      const { polygon, point } = copy.nearestPoint([2, 0, 2]);
      copy.createFilter({ polygonCosts: { polygons: [polygon], factors: [2] } });
      copy.findPath([1, 0, 1], [5, 0, 5], { islands: true, anyAngle: true });
      copy.findSmoothPath([1, 0, 1], [5, 0, 5]);
      copy.flood(polygon, point);
      copy.polygonsInBox(point, [9, 9, 9]);
      copy.randomPoints(5);
      copy.findPaths([1, 0, 1, 5, 0, 5], [5, 0, 5, 1, 0, 1]).statuses.forEach((status) => {
        if (status) throw new NavError(errorCode(status), 'a row failed');
      });
      const search = copy.createSearch();
      search.begin(polygon, point, polygon, point);
      search.advance(9);
      copy.createCorridor(polygon, point).set(point, search.finish());
      copy.addConnection({ start: [1, 0, 1], end: [5, 0, 5], radius: 0.5 });
      const [{ bytes, ref }] = copy.tiles();
      copy.restoreTileState(copy.saveTileState(ref));
      copy.removeTile(ref);
      copy.replaceTile(bytes);
      copy.triangles();
      copy.exportDetour();
    } finally {
      copy.free();
    }
  } finally {
    navMesh.free();
  }
}

test('memory: whichever allocation fails, nothing leaks and the module works on', async () => {
  for (const walkmesh of await loadBoth()) {
    liveOnce(walkmesh);
    walkmesh.trimMemory();
    const before = walkmesh.memory().bytes;
    let failures = 0;
    for (let count = 0; ; count++) {
      walkmesh.failAllocationsAfter(count);
      try {
        liveOnce(walkmesh);
        break;
      } catch (error) {
        isOutOfMemory(error);
        failures++;
      } finally {
        walkmesh.failAllocationsAfter(undefined);
        walkmesh.trimMemory();
      }
      assert.equal(walkmesh.memory().bytes, before, `after failure ${count}`);
      assert.ok(count < 100000);
    }
    assert.ok(failures > 20, `only ${failures} allocations`);
    liveOnce(walkmesh);
  }
});

test('memory: bakes and meshes give everything back', async () => {
  for (const walkmesh of await loadBoth()) {
    const level = readScene('plaza');
    const life = () => {
      walkmesh.bake(level, { tileSize: 32 }).navMesh.free();
      walkmesh.trimMemory();
      return walkmesh.memory();
    };
    const first = life();
    for (let round = 0; round < 5; round++) {
      const { bytes, wasmBytes } = life();
      assert.deepEqual({ bytes, wasmBytes }, { bytes: first.bytes, wasmBytes: first.wasmBytes });
    }
  }
});

test('memory: views and results survive growth in the middle of calls', async () => {
  for (const walkmesh of await loadBoth()) {
    const { navMesh } = walkmesh.bake(makeGround(), {});
    const before = navMesh.findPath([1, 0, 1], [9, 0, 9]);
    const copyOfPoints = before.points.slice();
    const baker = walkmesh.createBaker(readScene('plaza'), {});
    baker.beginTile(0, 0, { keepStages: true });
    const { wasmBytes } = walkmesh.memory();
    const large = walkmesh.bake(readScene('city'), {}); // grows the memory while the others live
    assert.ok(walkmesh.memory().wasmBytes > wasmBytes, 'the memory has grown');
    while (baker.nextStage !== 'done') baker.step();
    assert.ok(baker.read('polygonMesh').polygonCount > 0);
    assert.deepEqual(before.points, copyOfPoints, 'results are copies');
    assert.deepEqual(navMesh.findPath([1, 0, 1], [9, 0, 9]), before);
    large.navMesh.free();
    baker.free();
    navMesh.free();
  }
});

test('memory: results and configuration do not depend on what the module did before', async () => {
  const [fresh, used] = [await load(), await load()];
  const level = readScene('stairs');
  used.bake(readScene('plaza'), { tileSize: 24 }).navMesh.free();
  assert.throws(() => used.bake(level, { cellSize: -1 }), NavError);
  const [a, b] = [fresh, used].map((walkmesh) => walkmesh.bake(level, {}).navMesh.save());
  assert.deepEqual(a, b);
});
