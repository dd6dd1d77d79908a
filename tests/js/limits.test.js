// Limits that a caller sets on a bake: cells, tiles, time. The error names the exceeded limit, and nothing stays allocated.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NavError, load } from '../../js/index.js';
import { Limits, askUnits, withinLimits } from '../../js/bake/bake-limits.js';
import { askBefore, createProgressLines } from '../../js/cli/output.js';
import { makeGround, readScene } from './support.js';

const walkmesh = await load();
const city = readScene('city');
const TILED = { cellSize: 0.5, tileSize: 48 };

/** Every method of baking. @type {Record<string, (limits: object, config?: object, level?: object) => unknown>} */
const WAYS = {
  bake: (limits, config = TILED, level = city) => walkmesh.bake(level, config, { limits }),
  bakeDynamic: (limits, config = TILED, level = city) => walkmesh.bakeDynamic(level, config, { limits }),
  'bakeTiled here': async (limits, config = TILED, level = city) => walkmesh.bakeTiled(level, config, { limits, workers: 0 }),
  'bakeTiled in a worker': async (limits, config = TILED, level = city) => walkmesh.bakeTiled(level, config, { limits, workers: 1 }),
  'bakeDynamicAsync': async (limits, config = TILED, level = city) => walkmesh.bakeDynamicAsync(level, config, { limits, workers: 0 }),
  'bakeAsync here': async (limits, config = { cellSize: 0.5 }, level = city) => walkmesh.bakeAsync(level, config, { limits, workers: 0 }),
  'bakeAsync in a worker': async (limits, config = { cellSize: 0.5 }, level = city) => walkmesh.bakeAsync(level, config, { limits, workers: 1 }),
};

/** @param {string} field @param {RegExp} [message] */
const isLimit = (field, message = /./) => (/** @type {any} */ error) => {
  assert.ok(error instanceof NavError, error.stack);
  assert.deepEqual([error.code, error.field], ['limit', field], error.message);
  assert.match(error.message, message);
  return true;
};

const rejects = (work, expected, name) => assert.rejects(async () => work(), expected, name);

test('limits: cells and tiles are counted before anything is baked, by every way to bake', async () => {
  const plain = walkmesh.bake(city, TILED);
  plain.navMesh.free();
  const { voxels } = plain.report;
  const [cells, tiles] = [voxels.width * voxels.depth, voxels.tileCountX * voxels.tileCountZ];
  assert.ok(tiles > 4);
  for (const [name, bake] of Object.entries(WAYS)) {
    walkmesh.trimMemory();
    const before = walkmesh.memory().bytes;
    await rejects(() => bake({ cells: cells - 1 }), isLimit('limits.cells', /^the level has \d+ by \d+ cells: limits\.cells is \d+\. Raise cellSize/), name);
    if (!name.startsWith('bakeAsync')) await rejects(() => bake({ tiles: tiles - 1 }), isLimit('limits.tiles'), name);
    walkmesh.trimMemory();
    assert.equal(walkmesh.memory().bytes, before, `${name} leaves nothing behind`);
    const { navMesh } = await bake({ cells, tiles, milliseconds: 1e6 });
    navMesh.free();
    const unlimited = await bake({});
    unlimited.navMesh.free();
  }
});

test('limits: a hostile configuration for a small level is refused at once', async () => {
  const config = { cellSize: 0.01, tileSize: 16, agentRadius: 0.1 }; // 16 million cells in 62,500 tiles
  const stages = [];
  assert.throws(() => walkmesh.bake(makeGround(40), config, { limits: { cells: 1e6 }, onProgress: ({ stage }) => stages.push(stage) }),
    isLimit('limits.cells'));
  assert.deepEqual(stages, []);
});

test('limits: time ends a bake, in the middle of a stage where it runs in a worker', async () => {
  // A single stage of this bake needs seconds.
  const large = { cellSize: 0.05, minRegionSize: 0 };
  for (const name of ['bake', 'bakeAsync here', 'bakeAsync in a worker', 'bakeDynamic', 'bakeTiled here', 'bakeTiled in a worker', 'bakeDynamicAsync']) {
    walkmesh.trimMemory();
    const before = walkmesh.memory().bytes;
    const config = /Async (here|in)|^bake$/.test(name) ? large : { ...large, tileSize: 512 };
    await rejects(() => WAYS[name]({ milliseconds: 20 }, config), isLimit('limits.milliseconds', /longer than limits\.milliseconds \(20\)/), name);
    walkmesh.trimMemory();
    assert.equal(walkmesh.memory().bytes, before, `${name} leaves nothing behind`);
  }
  const { navMesh } = walkmesh.bake(makeGround(10), { cellSize: 0.5 }, { limits: { milliseconds: Infinity } });
  navMesh.free();
});

test('limits: a rebake has them too, and leaves the mesh as it was', async () => {
  const { navMesh } = walkmesh.bake(city, TILED);
  const before = navMesh.save();
  const changed = { ...city, solids: [{ kind: 'cylinder', start: [40, -5, 40], end: [40, 5, 40], radius: 20 }] };
  for (const limits of [{ cells: 10 }, { tiles: 1 }, { milliseconds: 1e-6 }]) {
    await rejects(() => walkmesh.rebake(navMesh, changed, { limits, workers: 0 }), isLimit(`limits.${Object.keys(limits)[0]}`));
    assert.deepEqual(navMesh.save(), before);
  }
  await walkmesh.rebake(navMesh, changed, { limits: { milliseconds: 1e6 }, workers: 0 });
  assert.notDeepEqual(navMesh.save(), before);
  navMesh.free();
});

test('limits: time counts where all is done in one slice, too, and nothing is left behind', async () => {
  const ground = makeGround(10);
  const { navMesh } = walkmesh.bake(ground, TILED);
  const saved = navMesh.save();
  const options = { limits: { milliseconds: 1e-6 }, workers: 0, sliceMilliseconds: 1e4 };
  /** @type {Record<string, () => Promise<unknown>>} */
  const ways = {
    bakeTiled: () => walkmesh.bakeTiled(ground, TILED, options),
    bakeAsync: () => walkmesh.bakeAsync(ground, { cellSize: 0.5 }, options),
    bakeDynamicAsync: () => walkmesh.bakeDynamicAsync(ground, TILED, options),
    rebake: () => walkmesh.rebake(navMesh, makeGround(9), options),
  };
  for (const [name, bake] of Object.entries(ways)) {
    walkmesh.trimMemory();
    const before = walkmesh.memory().bytes;
    await rejects(bake, isLimit('limits.milliseconds'), name);
    walkmesh.trimMemory();
    assert.equal(walkmesh.memory().bytes, before, name);
  }
  assert.deepEqual(navMesh.save(), saved);
  navMesh.free();
});

test('limits: what is no limit is refused by name', async () => {
  for (const [name, bake] of Object.entries(WAYS)) {
    for (const value of [0, -1, NaN, '5', null]) {
      await rejects(() => bake({ cells: value }), { name: 'NavError', code: 'invalid-argument', field: 'limits.cells' }, name);
    }
    await rejects(() => bake({ cell: 5 }), { code: 'invalid-argument', message: /cell is not an option: did you mean cells/ }, name);
    for (const limits of [7, null, [5]]) await rejects(() => bake(limits), { code: 'invalid-argument' }, name);
  }
});

test('limits: an abort by the caller stays one, and timers and listeners go', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const promise = walkmesh.bakeTiled(city, TILED, { workers: 0, signal: controller.signal, limits: { milliseconds: 1e6 } });
  controller.abort(reason);
  await assert.rejects(promise, (/** @type {any} */ error) => error.code === 'cancelled' && error.cause === reason);
  await assert.rejects(walkmesh.bakeTiled(city, TILED, { workers: 0, signal: controller.signal, limits: { milliseconds: 5 } }), { code: 'cancelled' });
  let listeners = 0;
  const signal = Object.assign(new EventTarget(), { aborted: false, reason: undefined });
  const { addEventListener, removeEventListener } = signal;
  Object.assign(signal, {
    addEventListener(...all) { listeners++; addEventListener.apply(signal, all); },
    removeEventListener(...all) { listeners--; removeEventListener.apply(signal, all); },
  });
  await withinLimits({ limits: { milliseconds: 1e12 }, signal: /** @type {any} */ (signal) }, async ({ signal: inner }) => {
    assert.equal(listeners, 1);
    assert.equal(inner?.aborted, false, 'a wait longer than timers can is no wait of nothing');
    await new Promise((resolve) => { setTimeout(resolve, 10); });
    assert.equal(inner?.aborted, false);
  });
  assert.equal(listeners, 0);
  assert.throws(() => new Limits({ milliseconds: 1e-9 }).checkTime(), { code: 'limit' });
});

test('limits: a bake of very many tiles first asks whether the level is in centimetres, once, and not if they are meant', async (context) => {
  const { mock } = context.mock.method(console, 'warn', () => {});
  const asking = await load({ leakWarnings: true }), quiet = await load({ leakWarnings: false });
  const level = makeGround(4000), config = { cellSize: 0.3, tileSize: 64, agentRadius: 0.5 }, enough = new Error('enough');
  const onProgress = () => { throw enough; }, controller = new AbortController();
  const bake = (walkmeshOf, limits) => assert.throws(() => walkmeshOf.bake(level, config, { onProgress, limits }), enough);
  bake(quiet);
  bake(asking, { tiles: 50_000 });
  assert.equal(mock.callCount(), 0);
  bake(asking);
  bake(asking);
  assert.equal(mock.callCount(), 1);
  assert.match(mock.calls[0].arguments[0], /^walkmesh: is the level in centimetres\? It has 43681 tiles.* agentRadius \(0\.5\).* set limits\.tiles to 43681,/);
  await assert.rejects((await load({ leakWarnings: true })).bakeTiled(level, config, { workers: 0, signal: controller.signal, onProgress: () => controller.abort() }));
  assert.equal(mock.callCount(), 2);
  asking.bake(makeGround(40), config).navMesh.free();
  assert.equal(mock.callCount(), 2);
});

test('limits: where there is no terminal, the progress of a long bake is lines, after the question', (context) => {
  const { mock } = context.mock.method(console, 'error', () => {});
  const ask = (tiles) => askUnits(tiles, 0.6, undefined);
  const short = askBefore(createProgressLines(1e9), ask), long = askBefore(createProgressLines(-1), ask);
  for (let tile = 0; tile < 3; tile++) short.onProgress({ tile, tiles: 3, stage: 'tile' });
  assert.equal(mock.callCount(), 0);
  for (let tile = 0; tile < 2; tile++) long.onProgress({ tile, tiles: 43681, stage: 'regions' });
  assert.deepEqual(mock.calls.map(({ arguments: [text] }) => text.replace(/^(.{40}).*(.{62})$/, '$1 ... $2')), [
    'walkmesh: is the level in centimetres? I ... meant, set --limit-tiles 43681, and this question is not asked',
    'walkmesh: 0 of 43,681 tiles, regions', 'walkmesh: 1 of 43,681 tiles, regions']);
});
