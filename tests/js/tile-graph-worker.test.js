// Walkmesh.createTileGraph: the graph that a worker builds is the one of this thread, to the byte; failures and aborts leave nothing.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { NavError, TileGraph, load } from '../../js/index.js';
import { makeLinksLevel } from './links-level.js';
import { readScene } from './support.js';

const walkmesh = await load({ leakWarnings: false });
const CONFIG = { cellSize: 0.3, tileSize: 32 };
const LINKED = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 24,
  links: { drop: { maxHeight: 3 }, jump: { maxDistance: 4, maxUp: 0.5, maxDown: 2 }, climb: { maxHeight: 2 } } };
const WORKER = new URL('../../js/workers/worker.js', import.meta.url);

/** @type {import('../../js/index.js').WorkerPool[]} */
const pools = [];
const makePool = (/** @type {object} */ options) => { pools.push(walkmesh.createWorkerPool(options)); return pools[pools.length - 1]; };
afterEach(() => pools.splice(0).forEach((pool) => pool.free()));

const bytesInUse = () => { walkmesh.trimMemory(); return walkmesh.memory().bytes; };

/** The bytes of the graph that this thread builds. @param {any} navMesh @param {object} [options] */
function buildPlainly(navMesh, options = {}) {
  const graph = navMesh.createTileGraph(options), bytes = graph.save();
  graph.free();
  return bytes;
}

/** The bytes of a graph, and of the ways between some points. @param {TileGraph} graph */
function take(graph) {
  const bytes = graph.save();
  graph.free();
  return bytes;
}

/** A mesh with all that a graph follows: doors, connections, links that are off, flags and areas that were changed. */
function makeMesh() {
  const { navMesh } = walkmesh.bake(makeLinksLevel(), LINKED);
  navMesh.createSwitches().addDoor({ volume: { kind: 'box', min: [24, -1, -1], max: [25, 2, 11] } }).close();
  navMesh.addConnection({ start: [12, 0, 4], end: [35, 0, 12], bidirectional: false });
  navMesh.setSegmentLinkEnabled(navMesh.segmentLinks().refs[3], false);
  const { polygon } = navMesh.nearestPoint([47, 0, 10]);
  navMesh.setPolygonArea(polygon, 7);
  return navMesh;
}

test('tile graph in a worker: the bytes of a graph of this thread, for any filter and spacing, and legs are the same', async () => {
  const pool = makePool({ workers: 2 });
  for (const navMesh of [makeMesh(), walkmesh.bake(readScene('city'), CONFIG).navMesh]) {
    const filter = navMesh.createFilter({ excludeFlags: 2, areaCosts: { 7: 3 } });
    for (const options of [{}, { spacing: 2 }, { filter: { includeFlags: 1, areaCosts: { 0: 2 } } }, { filter }]) {
      for (const workers of [0, 1, pool]) {
        const graph = await walkmesh.createTileGraph(navMesh, { ...options, workers });
        assert.ok(graph instanceof TileGraph);
        assert.deepEqual(take(graph), buildPlainly(navMesh, options));
      }
    }
    const [built, plain] = [await walkmesh.createTileGraph(navMesh), navMesh.createTileGraph()];
    assert.deepEqual(built.findPath([2, 2, 10], [46, 0, 10]), plain.findPath([2, 2, 10], [46, 0, 10]));
    navMesh.free();
    assert.ok(built.isFreed && plain.isFreed);
  }
});

test('tile graph in a worker: changes of the mesh while it is built are in it', async () => {
  const { navMesh } = walkmesh.bake(readScene('city'), CONFIG);
  const building = walkmesh.createTileGraph(navMesh, { workers: 1 });
  navMesh.setPolygonArea(navMesh.nearestPoint([10, 0, 10]).polygon, 5);
  navMesh.addConnection({ start: [20, 0, 20], end: [50, 0, 50], radius: 2 });
  const graph = await building;
  assert.deepEqual(take(graph), buildPlainly(navMesh));
  const removing = walkmesh.createTileGraph(navMesh, { workers: 1 });
  navMesh.removeTile(navMesh.tileAt(9, 3));
  const kept = await removing, { tiles } = kept.totals();
  assert.equal(kept.forgetTile(9, 3), true);
  assert.ok(kept.totals().tiles < tiles);
  assert.deepEqual(take(kept), buildPlainly(navMesh));
  navMesh.free();
});

test('tile graph in a worker: wrong arguments are named before anything is sent', async () => {
  const { navMesh } = walkmesh.bake(readScene('city'), CONFIG), other = (await load()).bake(readScene('tower'), CONFIG).navMesh;
  const before = bytesInUse(), priced = navMesh.createFilter({ polygonCosts: { polygons: [navMesh.nearestPoint([10, 0, 10]).polygon], factors: [2] } });
  const cases = /** @type {[any, any, object][]} */ ([
    [undefined, {}, { field: 'navMesh' }], [other, {}, { field: 'navMesh' }], [navMesh, { spacing: -1 }, { field: 'spacing' }],
    [navMesh, { workers: -1 }, { field: 'workers' }], [navMesh, { workers: 'many' }, { field: 'workers' }], [navMesh, { signal: 5 }, { field: 'signal' }],
    [navMesh, { keepRemoved: true }, { code: 'invalid-argument' }], [navMesh, { filter: { areaCosts: { 99: 1 } } }, { code: 'invalid-argument' }],
    [navMesh, { filter: priced }, { name: 'NavError' }], [navMesh, 5, { code: 'invalid-argument' }], [navMesh, { filter: other.createFilter() }, { name: 'NavError' }],
  ]);
  for (const [mesh, options, error] of cases) await assert.rejects(walkmesh.createTileGraph(mesh, options), { name: 'NavError', ...error });
  priced.free();
  assert.equal(bytesInUse(), before);
  navMesh.free();
  await assert.rejects(walkmesh.createTileGraph(navMesh), NavError);
  other.free();
});

test('tile graph in a worker: an abort, a mesh that is freed, a worker that dies or lies: errors that leave nothing', async () => {
  const { navMesh } = walkmesh.bake(readScene('city'), CONFIG), expected = buildPlainly(navMesh);
  const pool = makePool({ workers: 1 });
  take(await walkmesh.createTileGraph(navMesh, { workers: pool }));
  const before = bytesInUse(), [{ bytes: inWorker }] = await pool.memory();
  for (const workers of [pool, 1]) {
    const controller = new AbortController(), building = walkmesh.createTileGraph(navMesh, { workers, signal: controller.signal });
    setTimeout(() => controller.abort('enough'), 1);
    await assert.rejects(building, { code: 'cancelled', cause: 'enough' });
    await assert.rejects(walkmesh.createTileGraph(navMesh, { workers, signal: AbortSignal.abort('before') }), { code: 'cancelled', cause: 'before' });
    assert.equal(bytesInUse(), before);
  }
  assert.deepEqual(take(await walkmesh.createTileGraph(navMesh, { workers: pool })), expected);
  assert.equal((await pool.memory())[0].bytes, inWorker);

  const lies = [(/** @type {Worker} */ worker) => { void worker.terminate(); },
    ...[{ bytes: new Uint8Array(100) }, { bytes: 5 }, undefined].map((result) => (/** @type {Worker} */ worker, /** @type {number} */ id) => {
      setImmediate(() => worker.emit('message', { id, result }));
    })];
  for (const lie of lies) {
    const lying = makePool({ workers: 1, worker: () => {
      const worker = new Worker(WORKER), post = worker.postMessage.bind(worker);
      worker.postMessage = (message, transfer) => (message.type === 'graph' ? lie(worker, message.id) : post(message, transfer));
      return worker;
    } });
    await assert.rejects(walkmesh.createTileGraph(navMesh, { workers: lying }), (error) => error instanceof NavError && ['worker', 'corrupt'].includes(error.code));
    assert.equal(bytesInUse(), before);
  }
  const small = makePool({ workers: 1, memoryLimit: 300_000 });
  await assert.rejects(walkmesh.createTileGraph(navMesh, { workers: small }), { code: 'out-of-memory' });
  assert.ok((await small.memory())[0].bytes < 100_000);

  const building = walkmesh.createTileGraph(navMesh, { workers: pool });
  navMesh.free();
  await assert.rejects(building, NavError);
});

test('tile graph in a worker: without workers this thread builds it', async () => {
  const { Worker: NoWorker } = globalThis, { navMesh } = walkmesh.bake(readScene('city'), CONFIG);
  globalThis.Worker = /** @type {any} */ (class { constructor() { throw new Error('none here'); } });
  try {
    assert.deepEqual(take(await walkmesh.createTileGraph(navMesh)), buildPlainly(navMesh));
    await assert.rejects(walkmesh.createTileGraph(navMesh, { workers: makePool({ workers: 1 }) }), { code: 'worker' });
  } finally {
    if (NoWorker) globalThis.Worker = NoWorker;
    else delete (/** @type {any} */ (globalThis).Worker);
  }
  navMesh.free();
});

test('tile graph in a worker: it fails in this thread wherever memory ends, and leaves nothing', async () => {
  const { navMesh } = walkmesh.bake(readScene('tower'), { cellSize: 0.3, tileSize: 32 }), pool = makePool({ workers: 1 });
  take(await walkmesh.createTileGraph(navMesh, { workers: pool }));
  const before = bytesInUse();
  let failures = 0;
  for (let count = 0; ; count++) {
    walkmesh.failAllocationsAfter(count);
    const made = await walkmesh.createTileGraph(navMesh, { workers: pool }).catch((error) => error);
    walkmesh.failAllocationsAfter(undefined);
    if (made instanceof TileGraph) { made.free(); break; }
    assert.equal(made.code, 'out-of-memory', made.stack);
    assert.equal(bytesInUse(), before);
    failures++;
  }
  assert.ok(failures > 3);
  navMesh.free();
});
