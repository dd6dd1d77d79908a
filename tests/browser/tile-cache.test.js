// The tile cache in IndexedDB: js/caches/indexed-db-tile-cache.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInPage } from './harness.js';

const IMPORTS = { imports: { walkmesh: '/walkmesh/js/index.js' } };
const KEYS = `const KEYS = ['0', '1', '2', '3'].map((digit) => digit.repeat(32));`;

test('IndexedDB cache: a warm bake takes all tiles from it, in the page and in workers, and the bytes are the same', async () => {
  const outcome = await runInPage(`
    import { IndexedDbTileCache, load } from 'walkmesh';
    const walkmesh = await load();
    const positions = Float32Array.of(0, 0, 0, 0, 0, 30, 30, 1, 30, 30, 1, 0), indices = Uint32Array.of(0, 1, 2, 0, 2, 3);
    const bake = async (workers) => {
      const cache = new IndexedDbTileCache({ name: 'mine' });
      const { navMesh, report } = await walkmesh.bakeTiled({ positions, indices }, { tileSize: 16 }, { workers, cache });
      const bytes = navMesh.save();
      navMesh.free();
      cache.close();
      return { hash: walkmesh.hash(bytes), cached: report.tiles.cached, tiles: report.tiles.x * report.tiles.z, warnings: report.warnings };
    };
    const plain = walkmesh.bake({ positions, indices }, { tileSize: 16 }).navMesh;
    const runs = [await bake(0), await bake(0), await bake(1)];
    done({ plain: walkmesh.hash(plain.save()), runs });`, IMPORTS);
  const { plain, runs: [cold, ...warm] } = outcome;
  assert.deepEqual([cold.hash, cold.cached], [plain, 0]);
  for (const run of warm) assert.deepEqual(run, { ...cold, cached: cold.tiles });
});

test('IndexedDB cache: bytes are kept as they were, the oldest go first, and it can be cleared and closed', async () => {
  const outcome = await runInPage(`
    import { IndexedDbTileCache } from 'walkmesh';
    ${KEYS}
    const cache = new IndexedDbTileCache({ maxBytes: 1000 });
    const part = new Uint8Array(1000).fill(7).subarray(10, 310);
    const lengths = async () => Promise.all(KEYS.map(async (key) => (await cache.get(key))?.length));
    for (const key of KEYS) {
      await cache.set(key, part);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await cache.trim();
    const kept = await lengths();
    const [last] = await cache.get(KEYS[3]);
    await cache.set(KEYS[1], new Uint8Array(2000));
    await cache.delete(KEYS[2]);
    cache.close();
    const afterwards = await lengths();
    await cache.clear();
    done({ kept, last, afterwards, cleared: await lengths() });`, IMPORTS);
  const none = null; // On its way here undefined becomes null.
  assert.deepEqual(JSON.parse(JSON.stringify(outcome)), {
    kept: [none, 300, 300, 300], last: 7, afterwards: [none, 300, none, 300], cleared: [none, none, none, none],
  });
});

test('IndexedDB cache: no room left is no error, and what cannot be opened is a NavError and a warning of the bake', async () => {
  const outcome = await runInPage(`
    import { IndexedDbTileCache, NavError, load } from 'walkmesh';
    ${KEYS}
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); };
    const cache = new IndexedDbTileCache();
    await cache.set(KEYS[0], new Uint8Array(5));
    const missing = await cache.get(KEYS[0]);
    IDBObjectStore.prototype.put = put;
    await cache.set(KEYS[0], new Uint8Array(5));
    const there = (await cache.get(KEYS[0])).length;
    cache.close();

    indexedDB.open = () => { throw new DOMException('not here', 'SecurityError'); };
    const closed = new IndexedDbTileCache({ name: 'other' });
    const error = await closed.get(KEYS[0]).then(() => null, (reason) => reason);
    const walkmesh = await load();
    const positions = Float32Array.of(0, 0, 0, 0, 0, 9, 9, 0, 9, 9, 0, 0), indices = Uint32Array.of(0, 1, 2, 0, 2, 3);
    const { report } = await walkmesh.bakeTiled({ positions, indices }, { tileSize: 16 }, { workers: 0, cache: closed });
    done({ missing: missing === undefined, there, isOurs: error instanceof NavError, code: error.code, warnings: report.warnings });`,
  IMPORTS);
  assert.deepEqual([outcome.missing, outcome.there, outcome.isOurs, outcome.code], [true, 5, true, 'file']);
  assert.match(outcome.warnings.join('\n'), /the tile cache failed \(get: .*not here/);
});
