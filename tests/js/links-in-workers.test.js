// Links that are made in the workers of a bake (js/bake/links/shared-links.js): the bytes of a bake in one thread, for any number of workers and
// any order of tiles; failures and aborts name the tile and leave nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { MemoryTileCache, NavError, load } from '../../js/index.js';
import { inBlocks } from '../../js/bake/tile-order.js';
import { makeLinksLevel } from './links-level.js';
import { makeLinkCase } from './links/random-levels.js';
import { makeRandom } from './random.js';
import { buildTown, makeTown, townConfig } from './town.js';
import { poolMaker } from './workers/pools.js';

const walkmesh = await load({ leakWarnings: false });
const LEVEL = makeLinksLevel();
const LINKS = { drop: { maxHeight: 3 }, jump: { maxDistance: 4, maxUp: 0.5, maxDown: 2 }, climb: { maxHeight: 2 }, vault: { maxHeight: 1.2, maxDepth: 1 } };
const CONFIG = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 24, links: LINKS };
const WORKER = new URL('../../js/workers/worker.js', import.meta.url), SLOW = new URL('workers/slow-worker.js', import.meta.url);

const makePool = poolMaker(walkmesh);

/** What a bake gave: the bytes of the mesh, the report of its links. @param {any} baked */
function take({ navMesh, report }) {
  const { milliseconds: _, ...links } = report.links;
  const taken = { bytes: Buffer.from(navMesh.save()).toString('base64'), links, warnings: report.warnings };
  navMesh.free();
  return taken;
}

const bakePlainly = (/** @type {any} */ level, /** @type {any} */ config) => take(walkmesh.bake(level, config));
const PLAIN = bakePlainly(LEVEL, CONFIG);

/** Counts the messages of each type that go to a worker. @param {Map<string, number>} counts */
function makeCountingWorker(counts) {
  const worker = new Worker(WORKER), post = worker.postMessage.bind(worker);
  worker.postMessage = (message, transfer) => {
    counts.set(message.type, (counts.get(message.type) ?? 0) + (message.tiles?.length ?? message.places?.length ?? 1));
    post(message, transfer);
  };
  return worker;
}

const bytesInUse = () => { walkmesh.trimMemory(); return walkmesh.memory().bytes; };

test('links in workers: the bytes and the report of a bake in one thread, for 0 to 4 workers', async () => {
  assert.ok(PLAIN.links.count > 10);
  for (const workers of [0, 1, 2, 3, 4]) assert.deepEqual(take(await walkmesh.bakeTiled(LEVEL, CONFIG, { workers })), PLAIN, `${workers} workers`);
  const { tileSize: _, ...single } = CONFIG, one = bakePlainly(LEVEL, single);
  for (const workers of [0, 1]) assert.deepEqual(take(await walkmesh.bakeAsync(LEVEL, single, { workers })), one);
});

test('links in workers: the workers make them, each those of its tiles, and few tiles are sent from one to another', async () => {
  const side = 60, level = buildTown(makeTown({ side })), config = { ...townConfig(side), tileSize: 24, links: LINKS };
  const expected = bakePlainly(level, config);
  const counts = new Map(), pool = makePool({ workers: 2, worker: () => makeCountingWorker(counts) });
  await pool.ready();
  const baked = await walkmesh.bakeTiled(level, config, { workers: pool });
  const { x, z } = baked.report.tiles;
  assert.deepEqual(take(baked), expected);
  assert.equal(counts.get('links'), x * z);
  // Each end of a block has one row beside it, more if a builder helped another one; none if one of them baked all.
  assert.ok((counts.get('give') ?? 0) < x * z / 2, `${counts.get('give')} of ${x * z} tiles were sent, in rows of ${x}`);
  counts.clear();
  take(await walkmesh.bakeTiled(level, { ...config, links: undefined }, { workers: pool }).then((plain) => ({ ...plain, report: { links: {} } })));
  assert.equal(counts.get('links'), undefined);
});

test('links in workers: tiles in 12 random orders, with 1 to 3 slow workers, some tiles from a cache', async () => {
  const { below } = makeRandom(5);
  for (let seed = 1; seed <= 12; seed++) {
    const { level, config: { tileSize, ...rest }, limits: links } = makeLinkCase(seed), config = { ...rest, tileSize: tileSize || 24, links };
    const expected = bakePlainly(level, config);
    const pool = makePool({ workers: 1 + (seed % 3), worker: () => new Worker(SLOW, { workerData: { seed: 1 + below(1e6) } }) });
    const stored = new MemoryTileCache(), isPartial = seed % 2 === 0;
    if (isPartial) (await walkmesh.bakeTiled(level, config, { workers: 0, cache: stored })).navMesh.free();
    // A third of the tiles is found.
    const cache = { get: (/** @type {string} */ key) => (below(3) === 0 ? stored.get(key) : undefined), set: () => {} };
    assert.deepEqual(take(await walkmesh.bakeTiled(level, config, { workers: pool, ...isPartial && { cache } })), expected, `seed ${seed}`);
    pool.free();
  }
});

test('links in workers: links that pass many tiles, and links that save much, read all tiles they need', async () => {
  for (const links of [{ jump: { maxDistance: 9, maxUp: 1, maxDown: 7 }, drop: { maxHeight: 8 } }, { ...LINKS, minSaving: 2 }]) {
    const config = { ...CONFIG, tileSize: 12, links }, expected = bakePlainly(LEVEL, config);
    for (const workers of [1, 2, 3]) assert.deepEqual(take(await walkmesh.bakeTiled(LEVEL, config, { workers })), expected);
  }
});

test('links in workers: with a cache, the workers make the links of tiles that they did not bake', async () => {
  const cache = new MemoryTileCache();
  for (const round of ['baked', 'cached']) {
    const baked = await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: 2, cache });
    assert.equal(baked.report.tiles.cached, round === 'baked' ? 0 : baked.report.tiles.x * baked.report.tiles.z);
    assert.deepEqual(take(baked), PLAIN, round);
  }
});

test('links in workers: a generator that is kept makes the same links, and says why there are none', async () => {
  for (const workers of [0, 2]) {
    const { navMesh, linkGenerator } = await walkmesh.bakeTiled(LEVEL, CONFIG, { workers, keepLinkGenerator: true });
    const bytes = navMesh.save();
    const { count, airBytes } = linkGenerator.generate();
    assert.deepEqual({ count, airBytes }, { count: PLAIN.links.count, airBytes: PLAIN.links.airBytes });
    assert.deepEqual(navMesh.save(), bytes);
    assert.equal(linkGenerator.explainLink([40, 0, 10], [45, 0, 10]).reason, 'too-far');
    navMesh.free();
  }
});

test('links in workers: progress counts each tile once, and what it throws ends the bake', async () => {
  const [tiles, linked] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  const baked = await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: 2, onProgress: (progress) => {
    if (progress.linked === undefined) return;
    tiles.push(progress.tile);
    linked.push(progress.linked);
    assert.equal(progress.done, progress.tiles);
  } });
  const all = baked.report.tiles.x * baked.report.tiles.z;
  assert.ok(baked.report.links.milliseconds > 0);
  take(baked);
  assert.deepEqual(linked, Array.from({ length: all }, (_, i) => i + 1));
  assert.deepEqual(tiles.sort((a, b) => a - b), Array.from({ length: all }, (_, i) => i));
  const before = bytesInUse();
  await assert.rejects(walkmesh.bakeTiled(LEVEL, CONFIG, { workers: 2, onProgress: ({ linked: count }) => { if (count === 3) throw new Error('own'); } }), /own/);
  assert.equal(bytesInUse(), before);
});

test('links in workers: an abort at any tile is a NavError with its reason, and leaves nothing here or in the workers', async () => {
  const pool = makePool({ workers: 2 });
  take(await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: pool }));
  const before = bytesInUse(), inWorkers = await pool.memory();
  for (const moment of [1, 2, 9]) {
    const controller = new AbortController();
    await assert.rejects(walkmesh.bakeTiled(LEVEL, CONFIG, { workers: pool, signal: controller.signal, keepLinkGenerator: moment === 2,
      onProgress: ({ linked }) => { if (linked === moment) controller.abort('enough'); } }), { code: 'cancelled', cause: 'enough' });
    assert.equal(bytesInUse(), before);
    (await pool.memory()).forEach(({ bytes }, i) => assert.ok(bytes <= inWorkers[i].bytes, `worker ${i} keeps ${bytes} bytes, ${inWorkers[i].bytes} before`));
  }
  await assert.rejects(walkmesh.bakeTiled(LEVEL, CONFIG, { workers: pool, limits: { milliseconds: 1e-3 } }), { code: 'limit', field: 'limits.milliseconds' });
  assert.equal(bytesInUse(), before);
  assert.deepEqual(take(await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: pool })), PLAIN);
});

/**
 * A worker that does something else instead of answering a message: the first of a type in the pool.
 * @param {string} type @param {{ isOver: boolean }} once @param {(worker: Worker, id: number) => void} instead
 */
function makeFailingWorker(type, once, instead) {
  const worker = new Worker(WORKER), post = worker.postMessage.bind(worker);
  worker.postMessage = (message, transfer) => {
    if (message.type !== type || once.isOver) return post(message, transfer);
    once.isOver = true;
    return instead(worker, message.id);
  };
  return worker;
}

test('links in workers: a worker that dies or answers nonsense between tiles is an error, leaves nothing here, and is replaced', async () => {
  take(await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: 2 }));
  const before = bytesInUse();
  const nonsense = { airs: [{ airs: [] }, { airs: [5] }, {}], give: [], links: [{ tiles: [] }, { tiles: [{ bytes: new Uint8Array(5), milliseconds: 1, airBytes: 1 }] }, { tiles: 5 }, undefined] };
  for (const [type, results] of Object.entries(nonsense)) {
    const failures = [(/** @type {Worker} */ worker) => { void worker.terminate(); },
      ...results.map((result) => (/** @type {Worker} */ worker, /** @type {number} */ id) => { setImmediate(() => worker.emit('message', { id, result })); })];
    for (const instead of failures) {
      const once = { isOver: false }, pool = makePool({ workers: 2, worker: () => makeFailingWorker(type, once, instead) });
      await pool.ready();
      // If one worker is so late that the other one bakes all tiles, they send each other none.
      for (let round = 0; round < 20 && !once.isOver; round++) {
        const error = await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: pool }).then(take, (reason) => reason);
        if (!once.isOver) continue;
        assert.ok(error instanceof NavError && error.code === 'worker', `${type}, ${instead}: ${error.stack}`);
      }
      assert.ok(once.isOver, `${type}, ${instead}`);
      assert.equal(bytesInUse(), before, type);
      assert.deepEqual(take(await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: pool })), PLAIN);
    }
  }
});

test('links in workers: wherever the memory of a worker ends, the bake succeeds or says so, and leaves nothing', async () => {
  take(await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: 1 }));
  const before = bytesInUse();
  let failures = 0;
  for (let memoryLimit = 200_000, isEnough = false; !isEnough; memoryLimit *= 1.3) {
    const pool = makePool({ workers: 2, memoryLimit: Math.floor(memoryLimit) });
    try {
      assert.deepEqual(take(await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: pool })), PLAIN);
      isEnough = true;
    } catch (error) {
      assert.equal(error.code, 'out-of-memory', error.stack);
      failures++;
    }
    assert.equal(bytesInUse(), before);
    pool.free();
  }
  assert.ok(failures > 0);
});

test('links in workers: without workers this thread makes them, and says so', async () => {
  const { Worker: NoWorker } = globalThis;
  globalThis.Worker = /** @type {any} */ (class { constructor() { throw new Error('none here'); } });
  try {
    const { bytes, links, warnings } = take(await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: 2 }));
    assert.deepEqual({ bytes, links }, { bytes: PLAIN.bytes, links: PLAIN.links });
    assert.match(warnings.join(), /none here.*: baked without workers/);
  } finally {
    if (NoWorker) globalThis.Worker = NoWorker;
    else delete (/** @type {any} */ (globalThis).Worker);
  }
});

test('links in workers: each builder gets a block of tiles, and all tiles are given once, whoever is faster', () => {
  const { below } = makeRandom(7);
  for (let round = 0; round < 300; round++) {
    const [count, builders] = [below(40), 1 + below(6)], take = inBlocks(count, builders);
    const given = Array.from({ length: builders }, () => /** @type {number[]} */ ([]));
    const busy = given.map((_, i) => i);
    while (busy.length > 0) {
      const at = below(busy.length), tile = take(busy[at]);
      if (tile === undefined) busy.splice(at, 1);
      else given[busy[at]].push(tile);
    }
    assert.deepEqual(given.flat().sort((a, b) => a - b), Array.from({ length: count }, (_, i) => i));
  }
  const even = inBlocks(10, 2);
  assert.deepEqual([even(0), even(1), even(0), even(1)], [0, 5, 1, 6]);
});
