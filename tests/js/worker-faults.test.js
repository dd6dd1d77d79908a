// Faults of workers: a module that can't be instantiated, errors with their stacks, and workers that several bakes share.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { NavError, load } from '../../js/index.js';
import { errorInTile } from '../../js/runtime/errors.js';
import { packError, unpackError } from '../../js/workers/messages.js';
import { WorkerThread } from '../../js/workers/thread.js';
import { makeGround } from './support.js';

const GOOD = new WebAssembly.Module(readFileSync(new URL('../../dist/walkmesh.wasm', import.meta.url)));
/** A module that imports a function, which no instance of a worker has. */
const BAD = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 97, 1, 98, 0, 0]));

/** A worker of the package, spoken to by messages. */
function startWorker() {
  const worker = new Worker(new URL('../../js/workers/worker.js', import.meta.url));
  let lastId = 0;
  return {
    tell: (message) => worker.postMessage(message),
    ask: (request) => new Promise((resolve) => {
      const id = ++lastId;
      const receive = (answer) => {
        if (answer.id !== id) return;
        worker.off('message', receive);
        resolve(answer);
      };
      worker.on('message', receive);
      worker.postMessage({ id, ...request });
    }),
    end: () => worker.terminate(),
  };
}

test('worker faults: a failed instantiation is a NavError about the module, `end` works, and the next request tries again', async () => {
  const worker = startWorker();
  worker.tell({ type: 'load', module: BAD });
  const { error } = await worker.ask({ type: 'begin', bake: 1, geometry: makeGround(), config: {} });
  assert.equal(error.code, 'corrupt', error.message);
  assert.match(error.message, /module cannot be loaded: .*[Ii]mport/);
  assert.deepEqual((await worker.ask({ type: 'end', bake: 1 })).result, { bytes: 0, peakBytes: 0, wasmBytes: 0 });
  worker.tell({ type: 'load', module: GOOD });
  assert.ok((await worker.ask({ type: 'memory' })).result.wasmBytes > 0);
  await worker.end();
});

test('worker faults: the stack and the cause of an error come back from the worker, also with the name of its tile', async () => {
  const worker = startWorker();
  worker.tell({ type: 'load', module: GOOD });
  const { error } = await worker.ask({ type: 'begin', bake: 1, geometry: makeGround(), config: { cellSize: -1 } });
  await worker.end();
  const received = unpackError(error);
  assert.ok(received instanceof NavError && received.code === 'configuration');
  assert.match(received.stack, /cellSize[^]*baker\.js[^]*in a worker/);
  const [bug, plain] = [new TypeError('no such thing'), new NavError('limit', 'too much', { cause: new RangeError('deep') })];
  const [unpackedBug, unpackedPlain] = [bug, plain].map((one) => unpackError(structuredClone(packError(one))));
  assert.equal(unpackedBug.code, 'internal');
  assert.match(unpackedBug.stack, /no such thing[^]*worker-faults\.test\.js/);
  assert.deepEqual([unpackedBug.cause.name, unpackedBug.cause.message], ['TypeError', 'no such thing']);
  assert.deepEqual([unpackedPlain.cause.name, unpackedPlain.cause.stack], ['RangeError', plain.cause.stack]);
  const inTile = errorInTile(unpackedPlain, 3, 4);
  assert.equal(inTile.message, 'tile 3, 4: too much');
  assert.match(inTile.stack, /^\S*Error: tile 3, 4: too much\n[^]*worker-faults\.test\.js[^]*in a worker/);
});

/** A thread whose worker answers when the test says so. */
async function startSilent() {
  const sent = [];
  let receive, isTerminated = false;
  const fake = { postMessage: (message) => sent.push(message), terminate: () => { isTerminated = true; }, unref() {}, ref() {},
    on: (event, listener) => { if (event === 'message') receive = listener; } };
  const thread = await WorkerThread.start(() => fake, { type: 'load', module: GOOD });
  const answer = (error) => receive({ id: sent.at(-1).id, result: error ? undefined : { bytes: 0, wasmBytes: 0, config: {}, voxels: {} }, error });
  return { thread, answer, isTerminated: () => isTerminated };
}

test('worker faults: a cancelled bake does not terminate a worker that has an idle worker mesh or an idle bake', async () => {
  const openers = [[{ type: 'dynamic', dynamic: 5, helper: new Uint8Array(1) }, { type: 'release', dynamic: 5 }],
    [{ type: 'begin', bake: 8, geometry: {}, config: {} }, { type: 'end', bake: 8 }]];
  for (const [open, close] of openers) {
    const { thread, answer, isTerminated } = await startSilent();
    const opened = thread.ask(open);
    answer();
    await opened;
    const begun = thread.ask({ type: 'begin', bake: 9, geometry: {}, config: {} });
    begun.catch(() => {});
    thread.closeIfOnlyFor(9);
    assert.equal(isTerminated(), false, open.type);
    const closed = thread.ask(close);
    answer();
    await closed;
    thread.closeIfOnlyFor(9);
    assert.equal(isTerminated(), true, close.type);
    await assert.rejects(begun, { code: 'cancelled' });
    // Others can tell it from an abort of their own.
    await assert.rejects(thread.ask({ type: 'memory' }), { code: 'worker' });
  }
});

test('worker faults: a worker mesh whose request failed no longer keeps a worker', async () => {
  const { thread, answer, isTerminated } = await startSilent();
  const opened = thread.ask({ type: 'dynamic', dynamic: 5, helper: new Uint8Array(1) });
  answer({ code: 'out-of-memory', message: 'out of memory' });
  await assert.rejects(opened, { code: 'out-of-memory' });
  thread.closeIfOnlyFor(9);
  assert.equal(isTerminated(), true);
});

test('worker faults: a source of tiles still works after another bake of its pool was aborted', async () => {
  const walkmesh = await load();
  const pool = walkmesh.createWorkerPool({ workers: 1 });
  const ground = makeGround();
  const source = await walkmesh.createBakeSource(ground, { tileSize: 16 }, { workers: pool });
  assert.ok(await source.tile(0, 0));
  const controller = new AbortController();
  const bake = walkmesh.bakeTiled(ground, { tileSize: 16 }, { workers: pool, signal: controller.signal, onProgress: () => controller.abort() });
  await assert.rejects(bake, { code: 'cancelled' });
  assert.ok(await source.tile(1, 1));
  await source.free();
  source.navMesh.free();
  pool.free();
});

test('worker faults: a request that cannot be sent is told by its name, and as the fault of the level only if it has one', async () => {
  const walkmesh = await load();
  const pool = walkmesh.createWorkerPool({ workers: 1, worker: () => {
    const worker = new Worker(new URL('../../js/workers/worker.js', import.meta.url)), post = worker.postMessage.bind(worker);
    worker.postMessage = (message, transfer) => {
      if (message.type === 'memory') throw new Error('no room');
      post(message, transfer);
    };
    return worker;
  } });
  await assert.rejects(pool.ready(), { code: 'worker', message: 'the request `memory` cannot be sent to a worker: no room' });
  const level = { ...makeGround(), volumes: [{ kind: 'box', min: [0, 0, 0], max: [1, 1, 1], area: () => 1 }] };
  await assert.rejects(walkmesh.bakeTiled(/** @type {any} */ (level), { tileSize: 32 }, { workers: pool }),
    { code: 'invalid-argument', message: /^the geometry or the configuration cannot be sent to a worker: / });
  pool.free();
});
