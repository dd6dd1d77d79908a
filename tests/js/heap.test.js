// The module's malloc and free: blocks do not overlap, freed neighbours are joined, and fragments do not accumulate.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { instantiate } from '../../js/loader.js';
import { Session } from '../../js/runtime/session.js';
import { loadBoth, readScene } from './support.js';

/** Pseudo-random numbers, the same each time. */
function makeRandom(seed) {
  return () => (seed = (seed * 48271) % 2147483647) / 2147483647;
}

for (const simd of [true, false]) {
  test(`heap: random blocks keep what is in them, and all of them is one block again, ${simd ? 'SIMD' : 'scalar'}`, async () => {
    const { wasm } = await instantiate({ simd });
    const initial = wasm.memory.buffer.byteLength; // stack and data
    const session = new Session(wasm);
    const random = makeRandom(11);
    const blocks = [];
    const before = session.memory().bytes;
    const fill = (block) => session.view(block.address, block.bytes).fill(block.mark);
    const check = (block) => {
      const bytes = session.view(block.address, block.bytes);
      assert.ok(bytes.every((byte) => byte === block.mark), `${block.address}, ${block.bytes} bytes`);
    };
    const free = (i) => {
      const [block] = blocks.splice(i, 1);
      check(block);
      wasm.memory_free(session.handle, block.address);
    };
    for (let step = 0; step < 20000; step++) {
      const bytes = Math.floor(random() < 0.98 ? random() ** 3 * 3000 : random() * 300000);
      if (random() < 0.53) {
        const block = { address: session.checkAddress(wasm.memory_allocate(session.handle, bytes)), bytes, mark: step % 251 };
        assert.equal(block.address % 16, 0);
        fill(block);
        blocks.push(block);
      } else if (blocks.length > 0) {
        free(Math.floor(random() * blocks.length));
      }
      if (step === 12000) while (blocks.length > 5) free(Math.floor(random() * blocks.length));
    }
    assert.ok(blocks.length > 200);
    while (blocks.length > 0) free(Math.floor(random() * blocks.length));
    const { bytes, wasmBytes } = session.memory();
    assert.equal(bytes, before);
    // Nearly all of the heap in one block, without growth.
    const large = session.checkAddress(wasm.memory_allocate(session.handle, wasmBytes - initial - 100_000));
    assert.equal(session.memory().wasmBytes, wasmBytes);
    wasm.memory_free(session.handle, large);
  });
}

test('heap: tiles that come and go at random leave no more behind than the first time', async () => {
  for (const walkmesh of await loadBoth()) {
    const { navMesh } = walkmesh.bake(readScene('city'), { cellSize: 0.5, tileSize: 16 });
    const tiles = navMesh.tiles();
    assert.ok(tiles.length > 200);
    const random = makeRandom(5);
    const present = new Map(tiles.map((tile) => [tile, tile.ref]));
    let full = 0;
    for (let round = 0; round < 12; round++) {
      for (const [tile, ref] of present) {
        if (random() < 0.5) continue;
        navMesh.removeTile(ref);
        present.delete(tile);
      }
      for (const tile of tiles.filter((one) => !present.has(one)).sort(() => random() - 0.5)) present.set(tile, navMesh.addTile(tile.bytes));
      if (round === 1) full = walkmesh.memory().wasmBytes;
    }
    assert.equal(walkmesh.memory().wasmBytes, full);
    navMesh.free();
  }
});

test('heap: out of memory leaves the blocks as they are', async () => {
  const walkmesh = await load({ memoryLimit: 5e6 });
  const level = readScene('city');
  const { navMesh } = walkmesh.bake(readScene('plaza'), { tileSize: 32 });
  const bytes = navMesh.save();
  for (let i = 0; i < 5; i++) assert.throws(() => walkmesh.bake(level), { name: 'NavError', code: 'out-of-memory' });
  assert.deepEqual(navMesh.save(), bytes);
  navMesh.free();
});
