// Links that workers make for dynamic meshes, rebakes and generators (js/bake/links/link-shares.js): the bytes that one thread makes, for any
// number of workers and any order of their answers; failures and aborts leave nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { MemoryTileCache, load } from '../../js/index.js';
import { makeLinksLevel } from './links-level.js';
import { makeLinkCase } from './links/random-levels.js';
import { makeRandom } from './random.js';
import { poolMaker } from './workers/pools.js';

const walkmesh = await load({ leakWarnings: false });
const LEVEL = makeLinksLevel();
const LINKS = { drop: { maxHeight: 3 }, jump: { maxDistance: 4, maxUp: 0.5, maxDown: 2 }, climb: { maxHeight: 2 }, vault: { maxHeight: 1.2, maxDepth: 1 } };
const CONFIG = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 24, links: LINKS };
const WORKER = new URL('../../js/workers/worker.js', import.meta.url), SLOW = new URL('workers/slow-worker.js', import.meta.url);
/** Blocks what passes it, as baked volumes and as obstacles. @type {any[]} */
const CRATES = [{ kind: 'box', min: [7, 0, 8], max: [9, 1, 12], area: 0, beforeErosion: true }, { kind: 'box', min: [28, 0, 14], max: [31, 2, 16], area: 0, beforeErosion: true }];
/** @type {any} */
const CHANGED = { ...LEVEL, volumes: CRATES };

const makePool = poolMaker(walkmesh);

/** A pool whose workers answer at random times. @param {number} workers @param {number} seed */
const makeSlowPool = (workers, seed) => makePool({ workers, worker: () => new Worker(SLOW, { workerData: { seed } }) });

/** A pool that counts the places whose links its workers are asked for. @param {number} workers */
function makeCountingPool(workers) {
  const counts = { links: 0, give: 0 };
  const pool = makePool({ workers, worker: () => {
    const worker = new Worker(WORKER), post = worker.postMessage.bind(worker);
    worker.postMessage = (message, transfer) => {
      if (message.type === 'links' || message.type === 'give') counts[message.type] += (message.places ?? message.tiles).length;
      post(message, transfer);
    };
    return worker;
  } });
  return { pool, counts };
}

/** @param {{ save: () => Uint8Array }} owner */
const bytesOf = (owner) => Buffer.from(owner.save()).toString('base64');
const bytesInUse = () => { walkmesh.trimMemory(); return walkmesh.memory().bytes; };
/** @param {any} links a report */
const withoutTime = ({ milliseconds: _, ...links }) => links;

test('links again in workers: a dynamic mesh has the bytes of one that this thread made, and follows obstacles alike', async () => {
  const here = walkmesh.bakeDynamic(LEVEL, CONFIG), plain = bytesOf(here.dynamic);
  assert.ok(here.report.links.count > 10);
  here.dynamic.addObstacle(CRATES[0]);
  here.dynamic.update();
  const after = bytesOf(here.navMesh);
  for (const workers of [0, 1, 2, 3]) {
    const { pool, counts } = workers ? makeCountingPool(workers) : { pool: 0, counts: { links: 0 } };
    /** @type {number[]} */
    const linked = [];
    const { navMesh, dynamic, report } = await walkmesh.bakeDynamicAsync(LEVEL, CONFIG, { workers: pool, onProgress: (progress) => progress.linked && linked.push(progress.linked) });
    const tiles = report.tiles.x * report.tiles.z;
    assert.equal(counts.links, workers ? tiles : 0);
    assert.deepEqual(linked, Array.from({ length: tiles }, (_, i) => i + 1));
    assert.deepEqual(withoutTime(report.links), withoutTime(here.report.links));
    assert.deepEqual([dynamic.dirtyTiles, dynamic.dirtyLinks], [0, 0]);
    assert.equal(bytesOf(dynamic), plain, `${workers} workers`);
    dynamic.addObstacle(CRATES[0]);
    assert.ok(dynamic.update().changedLinks.length > 0);
    assert.equal(bytesOf(navMesh), after);
    navMesh.free();
  }
  here.navMesh.free();
});

test('links again in workers: a rebake makes the links of a bake, for 0 to 3 workers, with a cache and a generator or without', async () => {
  const expected = walkmesh.bake(CHANGED, CONFIG), bytes = bytesOf(expected.navMesh);
  expected.navMesh.free();
  const single = { ...CONFIG, tileSize: 0 }, expectedSingle = walkmesh.bake(CHANGED, single), singleBytes = bytesOf(expectedSingle.navMesh);
  expectedSingle.navMesh.free();
  for (const workers of [0, 1, 2, 3]) {
    for (const help of ['none', 'cache', 'generator']) {
      const { pool, counts } = workers ? makeCountingPool(workers) : { pool: 0, counts: { links: 0 } };
      const { navMesh, linkGenerator } = walkmesh.bake(LEVEL, CONFIG, { keepLinkGenerator: help === 'generator' });
      const cache = help === 'cache' ? new MemoryTileCache() : undefined;
      if (cache) (await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: 0, cache })).navMesh.free();
      const { report } = await walkmesh.rebake(navMesh, CHANGED, { workers: pool, cache, linkGenerator });
      assert.equal(bytesOf(navMesh), bytes, `${workers} workers, ${help}`);
      assert.ok(report.links.count > 0 && report.links.milliseconds > 0);
      assert.ok(workers ? counts.links > report.tiles.built : counts.links === 0);
      navMesh.free();
    }
    const { navMesh } = walkmesh.bake(LEVEL, single);
    await walkmesh.rebake(navMesh, CHANGED, { workers });
    assert.equal(bytesOf(navMesh), singleBytes);
    navMesh.free();
  }
});

test('links again in workers: if the mesh is changed while workers make links, the links are those of the mesh as it is', async () => {
  const { pool } = makeCountingPool(2);
  const { navMesh } = walkmesh.bake(LEVEL, CONFIG);
  const own = { kind: 'jump', start: [[19, 0, 4], [19, 0, 2]], end: [[23, 0, 4], [23, 0, 2]] };
  await walkmesh.rebake(navMesh, CHANGED, { workers: pool, onProgress: ({ linked }) => { if (linked === 1) navMesh.addSegmentLink(/** @type {any} */ (own)); } });
  const expected = walkmesh.bake(CHANGED, CONFIG);
  expected.navMesh.addSegmentLink(/** @type {any} */ (own));
  assert.equal(bytesOf(navMesh), bytesOf(expected.navMesh));
  navMesh.free();
  expected.navMesh.free();
});

test('links again in workers: a generator makes the same links and the same refusals in workers', async () => {
  const { navMesh, linkGenerator } = walkmesh.bake(CHANGED, CONFIG, { keepLinkGenerator: true });
  for (const links of [LINKS, { jump: { maxDistance: 6, maxUp: 1, maxDown: 3 } }, { ...LINKS, minSaving: 2 }, {}]) {
    linkGenerator.configure(/** @type {any} */ (links));
    const here = linkGenerator.generate({ refused: true }), bytes = bytesOf(navMesh);
    for (const workers of [1, 2, 3]) {
      linkGenerator.configure(LINKS);
      linkGenerator.generate();
      linkGenerator.configure(/** @type {any} */ (links));
      const { pool, counts } = makeCountingPool(workers), done = /** @type {number[]} */ ([]);
      const made = await linkGenerator.generateAsync({ workers: pool, refused: true, onProgress: (progress) => done.push(progress.done) });
      assert.equal(bytesOf(navMesh), bytes);
      assert.deepEqual(withoutTime({ ...made, refused: made.refused.map((refused) => ({ ...refused, text: refused.text })) }),
        withoutTime({ ...here, refused: here.refused.map((refused) => ({ ...refused, text: refused.text })) }));
      assert.deepEqual(done, Array.from({ length: counts.links }, (_, i) => i + 1));
      assert.equal(counts.links, linkGenerator.places().length);
      assert.deepEqual((await linkGenerator.generateAsync({ workers: pool })).refused, []);
    }
  }
  navMesh.free();
});

test('links again in workers: random levels, workers that answer at random times', async () => {
  const { below } = makeRandom(11);
  for (let seed = 101; seed <= 112; seed++) {
    const { level, config: { tileSize, ...rest }, limits: links } = makeLinkCase(seed), config = { ...rest, tileSize: tileSize || 24, links };
    const pool = makeSlowPool(1 + (seed % 3), 1 + below(1e6));
    const here = walkmesh.bakeDynamic(level, config), there = await walkmesh.bakeDynamicAsync(level, config, { workers: pool });
    assert.equal(bytesOf(there.dynamic), bytesOf(here.dynamic), `seed ${seed}`);
    there.navMesh.free();
    const { navMesh, linkGenerator } = walkmesh.bake(level, config, { keepLinkGenerator: true }), bytes = bytesOf(navMesh);
    await linkGenerator.generateAsync({ workers: pool });
    assert.equal(bytesOf(navMesh), bytes, `seed ${seed}`);
    // A crate on the ground of some link.
    const { starts, count } = navMesh.segmentLinks(), at = Array.from(count ? starts.subarray(0, 3) : navMesh.totals.boundsMin);
    const crate = { kind: 'box', min: [at[0] - 1, at[1] - 1, at[2] - 1], max: [at[0] + 1, at[1] + 2, at[2] + 1] };
    const changed = { ...level, solids: [...level.solids ?? [], crate] }, bounded = { ...config, bounds: navMesh.config.bounds };
    await walkmesh.rebake(navMesh, changed, { workers: pool, ...seed % 2 && { linkGenerator } });
    const expected = walkmesh.bake(changed, bounded);
    assert.equal(bytesOf(navMesh), bytesOf(expected.navMesh), `seed ${seed}`);
    for (const { navMesh: mesh } of [here, { navMesh }, expected]) mesh.free();
    pool.free();
  }
});

test('links again in workers: an abort or a failure at any time leaves nothing, and the mesh as it was', async () => {
  const pool = makePool({ workers: 2 });
  const { navMesh, linkGenerator } = walkmesh.bake(LEVEL, CONFIG, { keepLinkGenerator: true });
  await linkGenerator.generateAsync({ workers: pool });
  (await walkmesh.bakeDynamicAsync(LEVEL, CONFIG, { workers: pool })).navMesh.free();
  const bytes = bytesOf(navMesh), before = bytesInUse(), inWorkers = await pool.memory();
  for (const moment of [1, 9]) {
    const isAbort = moment === 1, controller = new AbortController();
    const stop = (/** @type {number | undefined} */ count) => {
      if (count !== moment) return;
      if (!isAbort) throw new Error('own');
      controller.abort('enough');
    };
    const options = { workers: pool, signal: controller.signal };
    const failure = isAbort ? { code: 'cancelled', cause: 'enough' } : /own/;
    for (const work of [
      () => walkmesh.bakeDynamicAsync(LEVEL, CONFIG, { ...options, onProgress: ({ linked }) => stop(linked) }),
      () => walkmesh.rebake(navMesh, CHANGED, { ...options, onProgress: ({ linked }) => stop(linked) }),
      () => linkGenerator.generateAsync({ ...options, onProgress: ({ done }) => stop(done) }),
    ]) {
      await assert.rejects(work, failure);
      assert.equal(bytesInUse(), before);
      assert.equal(bytesOf(navMesh), bytes);
      (await pool.memory()).forEach((memory, i) => assert.ok(memory.bytes <= inWorkers[i].bytes, `worker ${i} keeps ${memory.bytes} bytes, ${inWorkers[i].bytes} before`));
    }
  }
  for (let memoryLimit = 200_000, isEnough = false; !isEnough; memoryLimit *= 1.5) {
    const small = makePool({ workers: 2, memoryLimit: Math.floor(memoryLimit) });
    const error = await linkGenerator.generateAsync({ workers: small }).then(() => null, (reason) => reason);
    isEnough = error === null;
    if (error) assert.equal(error.code, 'out-of-memory', error.stack);
    assert.equal(bytesOf(navMesh), bytes);
    small.free();
  }
  assert.equal(bytesInUse(), before);
  navMesh.free();
});

test('links again in workers: what happens to the generator or the mesh meanwhile is an error that says so', async () => {
  const { pool } = makeCountingPool(2);
  const open = () => walkmesh.bake(LEVEL, CONFIG, { keepLinkGenerator: true });
  const tamper = async (/** @type {(baked: any) => void} */ act) => {
    const baked = open();
    const error = await baked.linkGenerator.generateAsync({ workers: pool, onProgress: ({ done }) => { if (done === 1) act(baked); } }).then(() => null, (reason) => reason);
    baked.navMesh.free();
    return error;
  };
  assert.match((await tamper(({ linkGenerator }) => linkGenerator.configure({ drop: { maxHeight: 2 } }))).message, /configured anew meanwhile/);
  assert.match((await tamper(({ navMesh }) => navMesh.removeTile(navMesh.tileRefs()[0]))).message, /the mesh was changed meanwhile/);
  assert.match((await tamper(({ linkGenerator }) => linkGenerator.free())).message, /freed/);
  assert.match((await tamper(({ navMesh }) => navMesh.free())).message, /freed/);
  const tamperLater = async (/** @type {(baked: any) => void} */ act) => {
    const baked = open(), { navMesh, linkGenerator } = baked;
    linkGenerator.configure({ drop: { maxHeight: 2 } });
    const { version } = navMesh;
    let isOver = false, hasActed = false;
    const ended = linkGenerator.generateAsync({ workers: pool, sliceMilliseconds: 1e-6 }).then(() => null, (reason) => reason).finally(() => { isOver = true; });
    for (; !isOver; await new Promise(setImmediate)) {
      if (hasActed || navMesh.version === version) continue;
      act(baked);
      hasActed = true;
    }
    navMesh.free();
    return ended;
  };
  assert.match((await tamperLater(({ navMesh }) => navMesh.removeTile(navMesh.tileRefs().at(-1)))).message, /the mesh was changed meanwhile/);
  assert.match((await tamperLater(({ linkGenerator }) => linkGenerator.free())).message, /freed/);
  const { navMesh, linkGenerator } = open();
  await assert.rejects(linkGenerator.generateAsync(/** @type {any} */ ({ workers: 2 })), { code: 'invalid-argument', field: 'workers' });
  navMesh.free();
});

test('links again: the places within reach of changed tiles are the union of the places within reach of each', () => {
  const { below } = makeRandom(3);
  for (const jump of [1, 9, 30]) {
    const { navMesh, linkGenerator } = walkmesh.bake(LEVEL, { ...CONFIG, tileSize: 12, links: { jump: { maxDistance: jump } } }, { keepLinkGenerator: true });
    const all = linkGenerator.places();
    for (let round = 0; round < 20; round++) {
      const tiles = Array.from({ length: below(4) }, () => all[below(all.length)]);
      const isReached = (/** @type {{ x: number, z: number }} */ { x, z }) => tiles.some((tile) => {
        const [firstX, firstZ, lastX, lastZ] = linkGenerator.reachOf(tile.x, tile.z);
        return x >= firstX && x <= lastX && z >= firstZ && z <= lastZ;
      });
      assert.deepEqual(linkGenerator.affectedBy(tiles), all.filter(isReached));
    }
    navMesh.free();
  }
});
