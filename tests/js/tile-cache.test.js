// Tile caches, and bakes with them: js/caches/*.js. disk-tile-cache.test.js tests caches on disk.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { openTile, sealTile } from '../../js/bake/sealed-tile.js';
import { IndexedDbTileCache, MemoryTileCache } from '../../js/index.js';
import { DiskTileCache } from '../../js/node/index.js';
import { STAGE_COUNTS } from '../../js/bake/stages.js';
import { loadBoth, makeFolder } from './support.js';
import { buildTown, makeTown, townConfig } from './town.js';

const builds = await loadBoth();
const [walkmesh] = builds;
const isArgument = { name: 'NavError', code: 'invalid-argument' };
const KEYS = ['0', '1', '2', '3'].map((digit) => digit.repeat(32));
const LEVEL = buildTown(makeTown({ side: 30 }));
const CONFIG = townConfig(30);
const PLAIN = walkmesh.bake(LEVEL, CONFIG);
const TILES = PLAIN.report.tiles.x * PLAIN.report.tiles.z;
const SAVED = PLAIN.navMesh.save();

/** Bakes with a cache, checks that the mesh equals that of a plain bake, and returns the report. */
async function bakeWith(cache, options = {}) {
  const { navMesh, report } = await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: 0, cache, ...options });
  assert.deepEqual(navMesh.save(), SAVED);
  assert.deepEqual(report.counts, PLAIN.report.counts);
  assert.equal(report.tiles.withPolygons, PLAIN.report.tiles.built);
  navMesh.free();
  return report;
}

test('sealed tiles: every cut, every flipped bit and every other key is noticed', () => {
  const counts = Object.fromEntries(STAGE_COUNTS.map((name, i) => [name, 3 * i]));
  const tile = { bytes: Uint8Array.from({ length: 40 }, (_, i) => i), counts };
  for (const { bytes } of [tile, { bytes: null }]) {
    const sealed = sealTile(KEYS[0], { bytes, counts });
    assert.deepEqual(openTile(KEYS[0], sealed), { bytes, counts });
    assert.equal(openTile(KEYS[1], sealed), undefined);
    const shifted = new Uint8Array(sealed.length + 1);
    shifted.set(sealed, 1);
    assert.deepEqual(openTile(KEYS[0], shifted.subarray(1)), { bytes, counts });
    for (let length = 0; length < sealed.length; length++) assert.equal(openTile(KEYS[0], sealed.subarray(0, length)), undefined);
    for (let bit = 0; bit < 8 * sealed.length; bit++) {
      const flipped = sealed.slice();
      flipped[bit >> 3] ^= 1 << (bit & 7);
      assert.equal(openTile(KEYS[0], flipped), undefined, `bit ${bit}`);
    }
  }
});

test('memory cache: what was used least recently goes first, and bytes are copies', () => {
  const cache = new MemoryTileCache({ maxBytes: 1000 });
  const bytes = new Uint8Array(100).fill(7);
  for (const key of KEYS.slice(0, 3)) cache.set(key, bytes);
  bytes.fill(0);
  assert.deepEqual(cache.get(KEYS[0]), new Uint8Array(100).fill(7));
  cache.get(KEYS[0]).fill(9);
  cache.set(KEYS[3], bytes);
  assert.deepEqual(KEYS.map((key) => cache.get(key)?.[0]), [7, undefined, 7, 0]);
  assert.equal(cache.size, 3);
  assert.ok(cache.bytes <= 1000);
  cache.set(KEYS[0], new Uint8Array(2000));
  assert.equal(cache.get(KEYS[0]), undefined, 'too large for the cache, and the former one is gone');
  cache.set(KEYS[2], new Uint8Array(50));
  assert.equal(cache.get(KEYS[2]).length, 50);
  assert.equal(cache.delete(KEYS[2]), true);
  assert.equal(cache.delete(KEYS[2]), false);
  cache.clear();
  assert.deepEqual([cache.size, cache.bytes], [0, 0]);
});

class Subarray extends Uint8Array {
  slice(...range) { return this.subarray(...range); }
}

/** Bytes that a caller can still write into: name -> makes them. */
const SHARED_FORMS = {
  'a Buffer': (bytes) => Buffer.from(bytes),
  'a part of a Buffer': (bytes) => Buffer.from([0, ...bytes]).subarray(1),
  'a class whose slice is a view': (bytes) => Subarray.from(bytes),
  'a shared Uint8Array': (bytes) => {
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    return shared;
  },
};

for (const [form, make] of Object.entries(SHARED_FORMS)) {
  test(`caches: writing into ${form} that was put, or into what came back, changes no cache`, async (context) => {
    const folder = makeFolder(context);
    const expected = Uint8Array.from({ length: 99 }, (_, i) => i);
    for (const cache of [new MemoryTileCache(), new DiskTileCache(folder)]) {
      const given = make(expected);
      const writing = cache.set(KEYS[1], given);
      given.fill(1);
      (await cache.get(KEYS[1])).fill(2);
      await writing;
      (await cache.get(KEYS[1])).fill(3);
      assert.deepEqual(await cache.get(KEYS[1]), expected);
    }
    assert.deepEqual(await new DiskTileCache(folder).get(KEYS[1]), expected);
  });
}

test('caches: a bake takes what was put, whatever was written into the given and the returned bytes since', async () => {
  const source = new MemoryTileCache(), cache = new MemoryTileCache(), given = [];
  const recorded = { get: () => null, set: (key, bytes) => { source.set(key, bytes); given.push([key, Buffer.from(bytes)]); } };
  await bakeWith(recorded);
  for (const [key, bytes] of given) cache.set(key, bytes);
  for (const [key, bytes] of given) {
    bytes.fill(0);
    cache.get(key).fill(0);
  }
  const { tiles, warnings } = await bakeWith(cache);
  assert.deepEqual([tiles.cached, warnings], [TILES, PLAIN.report.warnings]);
});

test('caches of one\'s own: a tile that waits for others is the one that was checked', async () => {
  const stored = new Map();
  const cache = { get: (key) => stored.get(key), set: (key, bytes) => { stored.set(key, bytes); } };
  const { navMesh } = await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: 0, cache });
  const config = { ...CONFIG, bounds: navMesh.config.bounds };
  const first = walkmesh.bake({ ...LEVEL, volumes: [{ kind: 'box', min: [-1e3, -1e3, -1e3], max: [1e3, 1e3, 1e3], area: 5 }] }, config).navMesh;
  // A rebake collects its tiles, and changes the mesh at the end.
  let told = 0;
  const { report } = await walkmesh.rebake(first, LEVEL, { workers: 0, cache, onTile: () => {
    if (++told === TILES) for (const bytes of stored.values()) bytes.fill(0);
  } });
  assert.equal(report.tiles.cached, TILES);
  assert.deepEqual(first.save(), SAVED);
  for (const mesh of [navMesh, first]) mesh.free();
});

test('caches: misuse is a NavError that names it', async () => {
  const caches = [MemoryTileCache, IndexedDbTileCache];
  for (const Cache of caches) {
    for (const maxBytes of [0, -1, NaN, '1']) assert.throws(() => new Cache({ maxBytes }), { ...isArgument, field: 'maxBytes' });
    for (const options of [null, 1, []]) assert.throws(() => new Cache(options), { ...isArgument, field: 'options' });
  }
  for (const folder of [undefined, '', 1, null]) assert.throws(() => new DiskTileCache(folder), { ...isArgument, field: 'folder' });
  assert.throws(() => new DiskTileCache('x', { maxBytes: 0 }), { ...isArgument, field: 'maxBytes' });
  assert.throws(() => new IndexedDbTileCache({ name: '' }), { ...isArgument, field: 'name' });
  for (const cache of [new MemoryTileCache(), new DiskTileCache('nowhere'), new IndexedDbTileCache()]) {
    for (const key of ['', '../../etc/passwd', 'A'.repeat(32), KEYS[0] + '0', 5, null]) {
      for (const call of [() => cache.get(key), () => cache.set(key, new Uint8Array(4)), () => cache.delete(key)]) {
        await assert.rejects(async () => call(), { ...isArgument, field: 'key' });
      }
    }
    for (const bytes of [undefined, [1], 'x', { length: 4 }]) {
      await assert.rejects(async () => cache.set(KEYS[0], bytes), { ...isArgument, field: 'bytes' });
    }
  }
  assert.ok(!existsSync('nowhere'));
  await assert.rejects(new IndexedDbTileCache().get(KEYS[0]), { name: 'NavError', code: 'state' }, 'Node has no IndexedDB');
});

for (const workers of [0, 2]) {
  test(`bakes with a cache: the second bakes nothing, and its bytes and report are the same, ${workers} workers`, async () => {
    const cache = new MemoryTileCache();
    const cold = await bakeWith(cache, { workers });
    assert.equal(cold.tiles.cached, 0);
    assert.equal(cache.size, TILES);
    const warm = await bakeWith(cache, { workers });
    assert.equal(warm.tiles.cached, TILES);
    assert.deepEqual(warm.tiles, { ...cold.tiles, cached: TILES, built: 0 });
    assert.deepEqual(warm.warnings, cold.warnings);
    assert.equal(warm.stages.rasterize, 0);
  });
}

test('bakes with a cache: another configuration or version of the level finds nothing that is not its own', async () => {
  const cache = new MemoryTileCache();
  await bakeWith(cache);
  for (const config of [{ ...CONFIG, agentRadius: 0.3 }, { ...CONFIG, cellHeight: 0.25 }]) {
    const { navMesh, report } = await walkmesh.bakeTiled(LEVEL, config, { workers: 0, cache });
    assert.equal(report.tiles.cached, 0);
    navMesh.free();
  }
  const positions = LEVEL.positions.slice();
  positions[positions.length - 1] += 0.4;
  const { navMesh, report } = await walkmesh.bakeTiled({ ...LEVEL, positions }, CONFIG, { workers: 0, cache });
  assert.ok(report.tiles.cached >= TILES - 9 && report.tiles.cached < TILES, `${report.tiles.cached}`);
  const full = walkmesh.bake({ ...LEVEL, positions }, CONFIG).navMesh;
  assert.deepEqual(navMesh.save(), full.save());
  navMesh.free();
  full.free();
});

test('bakes with a cache: one that fails, lies or is damaged changes nothing but the warnings', async () => {
  const good = new MemoryTileCache();
  await bakeWith(good);
  const other = [...Array(3).keys()].map((i) => good.get.bind(good, KEYS[i]));
  assert.deepEqual(other.map((get) => get()), [undefined, undefined, undefined]);
  const fail = () => { throw new Error('no luck'); };
  let deleted = 0;
  const cases = [
    [{ get: fail, set: fail }, /failed \(get: no luck\)/],
    [{ get: async () => fail(), set: async () => fail() }, /failed \(set: no luck\)/],
    [{ get: () => 'a string', set: () => {}, delete: () => { deleted++; } }, /damaged tiles in the cache/],
    [{ get: () => new Uint8Array(10), set: () => {}, delete: fail }, /failed \(delete: no luck\)/],
    [{ get: (key) => { const bytes = good.get(key); bytes[bytes.length - 1] ^= 1; return bytes; }, set: () => {} }, /damaged/],
    [{ get: () => null, set: () => {} }, null],
    [{ get: async () => undefined, set: async () => {} }, null],
  ];
  // An entry that belongs to another key is rejected, even if it is intact.
  let previous;
  cases.push([{ get: (key) => { const last = previous; previous = good.get(key); return last; }, set: () => {} }, /damaged/]);
  for (const [cache, message] of cases) {
    const { warnings, tiles } = await bakeWith(cache);
    assert.equal(tiles.cached, 0);
    if (message) assert.match(warnings.join('\n'), message);
    else assert.deepEqual(warnings, PLAIN.report.warnings);
  }
  assert.equal(deleted, TILES);
});

test('bakes with a cache: an abort in the middle leaves a cache that is good', async () => {
  const cache = new MemoryTileCache();
  const controller = new AbortController();
  await assert.rejects(walkmesh.bakeTiled(LEVEL, CONFIG, {
    workers: 0, cache, signal: controller.signal, onProgress: ({ done }) => { if (done === 5) controller.abort(); },
  }), { name: 'NavError', code: 'cancelled' });
  assert.ok(cache.size >= 5 && cache.size < TILES);
  const { size } = cache;
  assert.equal((await bakeWith(cache)).tiles.cached, size);
});

test('bakes with a cache: both builds share it', async () => {
  const cache = new MemoryTileCache();
  await bakeWith(cache);
  const { navMesh, report } = await builds[1].bakeTiled(LEVEL, CONFIG, { workers: 0, cache });
  assert.equal(report.tiles.cached, TILES);
  assert.deepEqual(navMesh.save(), SAVED);
  navMesh.free();
});
