// Bakes in workers and in slices: the same bytes as a plain bake, and failures leave nothing allocated.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { NavError, load, readTile } from '../../js/index.js';
import { NavMeshBuilder } from '../../js/mesh/mesh.js';
import { Session } from '../../js/runtime/session.js';
import { TimeSlices } from '../../js/runtime/time-slices.js';
import { instantiate } from '../../js/loader.js';
import { LocalBuilders } from '../../js/bake/tile-builders.js';
import { runTiles } from '../../js/bake/run-tiles.js';
import { WorkerPort } from '../../js/workers/port.js';
import { ROOT, makeGround, readScene } from './support.js';

const walkmesh = await load();
const CONFIG = { cellSize: 0.3, tileSize: 48 };

/** A level with floor, walls, solids, volumes and connections. */
const LEVEL = {
  ...readScene('city'),
  volumes: [{ kind: 'box', min: [10, -5, 10], max: [30, 5, 30], area: 5 }],
  solids: [{ kind: 'sphere', centre: [60, 0, 60], radius: 3, area: 0 }],
  offMeshConnections: [{ start: [20, 0, 20], end: [50, 0, 50], radius: 2 }],
  areaFlags: Uint16Array.from({ length: 64 }, (_, area) => area + 1),
};

/** @param {object} level @param {object} config */
function bakePlainly(level, config) {
  const { navMesh, report } = walkmesh.bake(level, config);
  const bytes = navMesh.save();
  navMesh.free();
  return { bytes, report };
}

const PLAIN = bakePlainly(LEVEL, CONFIG);

/** @type {import('../../js/index.js').WorkerPool[]} */
const pools = [];

/** A pool that is freed after the test. @param {import('../../js/index.js').WorkerPoolOptions} options */
function makePool(options) {
  pools.push(walkmesh.createWorkerPool(options));
  return pools[pools.length - 1];
}

afterEach(() => pools.splice(0).forEach((pool) => pool[Symbol.dispose]()));

/** Returns the bytes of a mesh and frees it. @param {{ navMesh: import('../../js/mesh/mesh.js').NavMesh }} baked */
function take({ navMesh }) {
  const bytes = navMesh.save();
  navMesh.free();
  return bytes;
}

/** @param {string} code @param {RegExp} message @param {object} [fields] */
const isError = (code, message, fields = {}) => (/** @type {any} */ error) => {
  assert.ok(error instanceof NavError, `${error.stack}`);
  assert.equal(error.code, code, error.message);
  assert.match(error.message, message);
  for (const [name, value] of Object.entries(fields)) assert.deepEqual(error[name], value, name);
  return true;
};

test('workers: the bytes of 0, 1, 2 and 4 workers are those of a plain bake, and so are the report\'s counts', async () => {
  for (const workers of [0, 1, 2, 4]) {
    const baked = await walkmesh.bakeTiled(LEVEL, CONFIG, { workers });
    assert.deepEqual(take(baked), PLAIN.bytes, `${workers} workers`);
    const { counts, tiles, warnings, config, voxels } = baked.report;
    const { report } = PLAIN;
    assert.deepEqual({ counts, tiles, warnings, config, voxels },
      { counts: report.counts, tiles: report.tiles, warnings: report.warnings, config: report.config, voxels: report.voxels });
    assert.ok(baked.report.memory.peakBytes > 0 && baked.report.memory.wasmBytes > 0 && baked.report.milliseconds > 0);
  }
  assert.ok(LEVEL.positions.length > 0, 'the arrays were taken away');
});

test('workers: without shared memory, too: a level of several megabytes goes in pieces', async (context) => {
  const ground = makeGround(10);
  const positions = new Float32Array(600_000);
  positions.set(ground.positions);
  const level = { positions, indices: ground.indices, areas: Uint8Array.of(3, 4) };
  const expected = bakePlainly(level, CONFIG).bytes;
  assert.deepEqual(take(await walkmesh.bakeTiled(level, CONFIG, { workers: 2 })), expected);
  globalThis.crossOriginIsolated = false;
  context.after(() => delete globalThis.crossOriginIsolated);
  assert.deepEqual(take(await walkmesh.bakeTiled(level, CONFIG, { workers: 2 })), expected);
  assert.deepEqual(take(await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: 1 })), PLAIN.bytes);
});

test('workers: arrays that are shared already are not copied, and bake as others', async () => {
  const share = (array) => {
    const shared = new array.constructor(new SharedArrayBuffer(array.byteLength));
    shared.set(array);
    return shared;
  };
  const level = { ...LEVEL, positions: share(LEVEL.positions), indices: share(LEVEL.indices) };
  for (const workers of [0, 2]) assert.deepEqual(take(await walkmesh.bakeTiled(level, CONFIG, { workers })), PLAIN.bytes);
});

test('workers: any order of arrival gives the same mesh', async () => {
  const { wasm } = await instantiate({});
  const session = new Session(wasm);
  const local = new LocalBuilders(session, LEVEL, CONFIG, new TimeSlices());
  const facts = await local.list[0].begin();
  const { tileCountX, tileCountZ } = facts.voxels;
  const tiles = [];
  for (let i = 0; i < tileCountX * tileCountZ; i++) {
    tiles.push(await local.list[0].bakeTile(i % tileCountX, Math.floor(i / tileCountX)));
  }
  const memory = await local.end();
  for (let seed = 1; seed <= 50; seed++) {
    let state = seed;
    const random = (/** @type {number} */ count) => (state = (state * 48271) % 0x7fffffff) % count;
    /** @type {(() => void)[]} calls for tiles that are done, but have not arrived */
    const late = [];
    const bakeTile = (x, z) => new Promise((resolve) => {
      late.push(() => resolve(tiles[z * tileCountX + x]));
      setImmediate(() => late.splice(random(late.length), 1)[0]());
    });
    const list = Array.from({ length: 1 + random(4) }, () => ({ depth: 1 + random(20), begin: async () => facts, bakeTile }));
    const builder = new NavMeshBuilder(session);
    await runTiles({ list, cancel: () => {}, end: async () => memory }, builder, { slices: new TimeSlices() });
    assert.deepEqual(take({ navMesh: builder.take() }), PLAIN.bytes, `seed ${seed}`);
  }
});

test('workers: progress counts every tile once; what it throws ends the bake', async () => {
  const { x, z } = PLAIN.report.tiles;
  for (const workers of [0, 2]) {
    const seen = [];
    const { navMesh } = await walkmesh.bakeTiled(LEVEL, CONFIG, { workers, onProgress: (progress) => seen.push(progress) });
    navMesh.free();
    assert.deepEqual(seen.map(({ done }) => done), Array.from({ length: x * z }, (_, i) => i + 1));
    assert.deepEqual(new Set(seen.map(({ tile }) => tile)).size, x * z);
    assert.ok(seen.every(({ tiles }) => tiles === x * z));
    const stop = new Error('stop');
    await assert.rejects(walkmesh.bakeTiled(LEVEL, CONFIG, { workers, onProgress: () => { throw stop; } }), (error) => error === stop);
  }
});

test('workers: tiles are handed out as they are finished, to keep: what is done to them changes nothing', async () => {
  const { x: columns, z: rows } = PLAIN.report.tiles;
  for (const workers of [0, 2]) {
    const seen = new Map();
    let told = 0;
    const { navMesh } = await walkmesh.bakeTiled(LEVEL, CONFIG, {
      workers,
      onTile({ x, z, bytes }) {
        seen.set(`${x} ${z}`, bytes?.slice());
        bytes?.fill(255);
      },
      onProgress: ({ done }) => { told = done === seen.size ? done : -1; },
    });
    assert.deepEqual([seen.size, told], [columns * rows, columns * rows], 'onTile comes first, once a tile');
    const tiles = navMesh.tiles();
    for (const { x, z, bytes } of tiles) assert.deepEqual(readTile(seen.get(`${x} ${z}`)).vertices, readTile(bytes).vertices, `${x}, ${z}`);
    assert.equal([...seen.values()].filter((bytes) => bytes).length, tiles.length);
    assert.deepEqual(take({ navMesh }), PLAIN.bytes);
    const stop = new Error('stop');
    await assert.rejects(walkmesh.bakeTiled(LEVEL, CONFIG, { workers, onTile: () => { throw stop; } }), (error) => error === stop);
    await assert.rejects(walkmesh.bakeAsync(LEVEL, {}, { workers, onTile: () => { throw stop; } }), (error) => error === stop);
  }
});

test('workers: bakeAsync gives the bytes of a plain bake, and tells its stages', async () => {
  const config = { cellSize: 0.4 };
  const stages = [];
  const expected = walkmesh.bake(LEVEL, config, { onProgress: (progress) => stages.push(progress) });
  const bytes = take(expected);
  const pool = makePool({ workers: 2 });
  for (const workers of [0, 1, 'auto', pool]) {
    const [seen, tiles] = [[], []];
    const baked = await walkmesh.bakeAsync(LEVEL, config,
      { workers, onProgress: (progress) => seen.push(progress), onTile: (tile) => tiles.push(tile) });
    const { navMesh } = baked;
    assert.deepEqual(tiles.map(({ x, z, bytes: { length } }) => [x, z, length]), [[0, 0, navMesh.tileBytes(navMesh.tileAt(0, 0)).length]]);
    assert.deepEqual(take(baked), bytes);
    assert.deepEqual(seen, stages);
    assert.deepEqual(baked.report.counts, expected.report.counts);
  }
  assert.deepEqual(take(await walkmesh.bakeAsync(LEVEL, config)), bytes);
  const stop = new Error('stop');
  for (const workers of [0, pool]) {
    const onProgress = ({ stage }) => { if (stage === 'compact') throw stop; };
    await assert.rejects(walkmesh.bakeAsync(LEVEL, config, { workers, onProgress }), (error) => error === stop);
  }
});

test('workers: a pool stays for bakes to come, and for several at the same time', async () => {
  const pool = makePool({ workers: 2 });
  assert.equal(pool.size, 2);
  await pool.ready();
  const small = { cellSize: 0.4, tileSize: 32 };
  const expected = bakePlainly(LEVEL, small).bytes;
  const bakes = [CONFIG, small, CONFIG, small].map((config) => walkmesh.bakeTiled(LEVEL, config, { workers: pool }));
  const meshes = (await Promise.all(bakes)).map(take);
  [PLAIN.bytes, expected, PLAIN.bytes, expected].forEach((bytes, i) => assert.deepEqual(meshes[i], bytes));
  assert.equal((await pool.memory()).length, 2);
  assert.equal(pool.isFreed, false);
  pool.free();
  assert.equal(pool.isFreed, true);
  await assert.rejects(pool.ready(), isError('state', /worker pool .* already freed/));
  await assert.rejects(walkmesh.bakeTiled(LEVEL, CONFIG, { workers: pool }), isError('state', /worker pool .* already freed/));
  pool[Symbol.dispose]();
});

test('workers: a pool that is freed ends the bakes that use it', async () => {
  for (const moment of [0, 5]) {
    const pool = makePool({ workers: 2 });
    const onProgress = ({ done }) => done === moment && pool.free();
    const baked = walkmesh.bakeTiled(LEVEL, CONFIG, { workers: pool, onProgress });
    if (moment === 0) pool.free();
    await assert.rejects(baked, isError('state', /worker pool .* already freed/));
  }
});

test('workers: an abort at any time is a NavError with the reason, and gives all memory back', async () => {
  const pool = makePool({ workers: 2 });
  take(await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: pool }));
  const inWorkers = await pool.memory();
  for (const workers of [0, pool, 2]) {
    take(await walkmesh.bakeTiled(LEVEL, CONFIG, { workers }));
    const { bytes } = walkmesh.memory();
    for (const moment of [-1, 0, 1, 7, 30]) {
      const controller = new AbortController();
      const reason = { because: moment };
      if (moment < 0) controller.abort(reason);
      const baked = walkmesh.bakeTiled(LEVEL, CONFIG, {
        workers, signal: controller.signal, onProgress: ({ done }) => done === moment && controller.abort(reason),
      });
      if (moment === 0) controller.abort(reason);
      await assert.rejects(baked, isError('cancelled', /cancelled/, { field: 'signal', cause: reason }));
      const after = walkmesh.memory().bytes;
      assert.ok(after <= bytes, `this thread keeps ${after} bytes, ${bytes} before`);
    }
  }
  const after = await pool.memory();
  after.forEach(({ bytes, wasmBytes }, i) => {
    assert.ok(bytes <= inWorkers[i].bytes, `worker ${i} keeps ${bytes} bytes, ${inWorkers[i].bytes} before`);
    assert.ok(wasmBytes <= inWorkers[i].wasmBytes);
  });
  assert.deepEqual(take(await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: pool })), PLAIN.bytes);
});

test('workers: an abort in the middle of a single tile does not wait for its stages', async () => {
  const pool = makePool({ workers: 1 });
  await pool.ready();
  const controller = new AbortController();
  const seen = [];
  const onProgress = ({ stage }) => {
    seen.push(stage);
    controller.abort('enough');
  };
  await assert.rejects(walkmesh.bakeAsync(LEVEL, { cellSize: 0.1 }, { workers: pool, signal: controller.signal, onProgress }),
    isError('cancelled', /cancelled/));
  assert.equal(seen.length, 1);
  assert.deepEqual(take(await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: pool })), PLAIN.bytes);
});

test('workers: one that answers nothing can be aborted', async () => {
  const pool = makePool({ workers: 2, worker: () => new Worker(join(ROOT, 'tests/js/workers/silent-worker.js')) });
  await assert.rejects(walkmesh.bakeTiled(LEVEL, CONFIG, { workers: pool, signal: AbortSignal.timeout(50) }),
    isError('cancelled', /cancelled/));
});

test('workers: one that dies fails the bake with the tile it was at, and is replaced', async () => {
  for (const [how, message] of [['exit', /^tile 2, 1: the worker died: it ended with status 7$/],
    ['throw', /^tile 2, 1: the worker died: something broke$/]]) {
    const isDead = new Int32Array(new SharedArrayBuffer(4));
    const url = new URL('workers/dying-worker.js', import.meta.url);
    const pool = makePool({ workers: 2, worker: () => new Worker(url, { workerData: { how, isDead } }) });
    const { bytes } = walkmesh.memory();
    await assert.rejects(walkmesh.bakeTiled(LEVEL, CONFIG, { workers: pool }), isError('worker', message));
    assert.ok(walkmesh.memory().bytes <= bytes);
    assert.deepEqual(take(await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: pool })), PLAIN.bytes);
  }
});

test('workers: an answer that an error overtook is taken; the death comes after it, and with the error', async () => {
  const told = [];
  const worker = Object.assign(new EventEmitter(), { postMessage: () => {}, unref: () => {}, terminate: () => {} });
  await WorkerPort.open(() => worker, { onMessage: (message) => told.push(message), onDeath: (reason) => told.push(reason) });
  worker.emit('error', new Error('something broke'));
  worker.emit('message', 'tile 1, 1');
  worker.emit('exit', 1);
  worker.emit('message', 'too late');
  assert.deepEqual(told, ['tile 1, 1', 'something broke']);
});

test('workers: one that cannot be started is an error that says why', async () => {
  const cases = [
    [() => { throw new TypeError('no workers here'); }, /^a worker could not be started: no workers here$/],
    [() => ({}), /worker\(\) did not return a Worker/],
    [new URL('file:///nowhere/worker.js'), /^the worker died: Cannot find module/],
  ];
  for (const [worker, message] of cases) {
    const pool = makePool({ workers: 2, worker });
    for (let i = 0; i < 2; i++) {
      await assert.rejects(walkmesh.bakeTiled(LEVEL, CONFIG, { workers: pool }), isError('worker', message));
    }
  }
});

test('workers: one that runs out of memory names the tile, and goes on', async () => {
  const level = { ...makeGround(60), solids: Array.from({ length: 300 }, (_, i) => (
    { kind: 'sphere', centre: [45 + (i % 20) / 2, 0, 45 + Math.floor(i / 20) / 2], radius: 1 })) };
  const config = { cellSize: 0.2, tileSize: 128, agentRadius: 0.4 };
  const expected = bakePlainly(level, config);
  const most = (await walkmesh.bakeTiled(level, config, { workers: 1 })).report.memory.peakBytes;
  const pool = makePool({ workers: 2, memoryLimit: 0.6 * most });
  for (let i = 0; i < 2; i++) {
    await assert.rejects(walkmesh.bakeTiled(level, config, { workers: pool }), isError('out-of-memory', /^tile \d, \d: /));
    assert.ok((await pool.memory()).every(({ bytes }) => bytes < most / 2));
  }
  assert.equal((await walkmesh.bakeTiled(makeGround(), config, { workers: pool })).report.tiles.built, 1);
  const enough = makePool({ workers: 2, memoryLimit: 1.5 * most });
  assert.deepEqual(take(await walkmesh.bakeTiled(level, config, { workers: enough })), expected.bytes);
});

test('workers: mistakes are the NavErrors of a plain bake', async () => {
  const cases = [
    [LEVEL, { ...CONFIG, cellSize: -1 }], [LEVEL, { ...CONFIG, celSize: 1 }], [LEVEL, { ...CONFIG, partition: 'best' }],
    [LEVEL, { ...CONFIG, bounds: 3 }], [{ ...LEVEL, indices: [0, 1] }, CONFIG], [null, CONFIG], [LEVEL, 7],
    [{ ...LEVEL, indices: Uint32Array.of(0, 1, 1e6) }, CONFIG], [{ ...LEVEL, volumes: [{ kind: 'cone', area: 1 }] }, CONFIG],
    [{ ...LEVEL, volumes: 7 }, CONFIG], [{ ...makeGround(), indices: new Uint32Array(0) }, CONFIG],
    [{ ...LEVEL, positions: Float32Array.of(0, NaN, 0, 1, 0, 1, 1, 0, 0), indices: Uint32Array.of(0, 1, 2) }, CONFIG],
  ];
  for (const [level, config] of cases) {
    let expected;
    try {
      walkmesh.bake(level, config);
    } catch (error) {
      expected = error;
    }
    assert.ok(expected instanceof NavError);
    for (const workers of [0, 1]) {
      await assert.rejects(walkmesh.bakeTiled(level, config, { workers }), (/** @type {any} */ error) => {
        assert.ok(error instanceof NavError);
        assert.deepEqual([error.code, error.message, error.field], [expected.code, expected.message, expected.field]);
        return true;
      });
    }
  }
});

test('workers: options that make no sense are errors that name them', async () => {
  const cases = [
    [{ workers: -1 }, 'workers'], [{ workers: 1.5 }, 'workers'], [{ workers: 65 }, 'workers'], [{ workers: 'many' }, 'workers'],
    [{ workers: {} }, 'workers'], [{ workers: 0, sliceMilliseconds: 0 }, 'sliceMilliseconds'],
    [{ sliceMilliseconds: '8' }, 'sliceMilliseconds'], [{ signal: {} }, 'signal'], [{ onProgress: 3 }, 'onProgress'], [{ onTile: [] }, 'onTile'], [null, 'options'],
  ];
  for (const [options, field] of cases) {
    await assert.rejects(walkmesh.bakeTiled(LEVEL, CONFIG, options), isError('invalid-argument', /./, { field }));
    await assert.rejects(walkmesh.bakeAsync(LEVEL, {}, options), isError('invalid-argument', /./, { field }));
  }
  for (const [options, field] of [[{ workers: 0 }, 'workers'], [{ worker: 5 }, 'worker'], [{ memoryLimit: 0 }, 'memoryLimit']]) {
    assert.throws(() => walkmesh.createWorkerPool(options), isError('invalid-argument', /./, { field }));
  }
  await assert.rejects(walkmesh.bakeTiled(LEVEL, { tileSize: 0 }), isError('configuration', /use bakeAsync/, { field: 'tileSize' }));
  await assert.rejects(walkmesh.bakeAsync(LEVEL, { tileSize: 64 }), isError('configuration', /bakeTiled/, { field: 'tileSize' }));
  const { navMesh, report } = await walkmesh.bakeTiled(makeGround(), undefined, { workers: 0 });
  navMesh.free();
  assert.equal(report.config.tileSize, 64);
});

test('workers: idle or forgotten, they do not keep a process alive', () => {
  const script = `import { load } from './js/index.js';
    const walkmesh = await load();
    const pool = walkmesh.createWorkerPool({ workers: 2 });
    const level = { positions: Float32Array.of(0, 0, 0, 0, 0, 9, 9, 0, 9, 9, 0, 0), indices: Uint32Array.of(0, 1, 2, 0, 2, 3) };
    await walkmesh.bakeTiled(level, {}, { workers: pool });
    await walkmesh.bakeTiled(level, {}, { workers: 1 });
    await pool.ready();
    console.log('done');`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT, encoding: 'utf8', timeout: 60_000 });
  assert.equal(output.trim(), 'done');
});
