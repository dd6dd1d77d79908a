// Background updates: workers build tiles while obstacles are added, moved and removed. The final mesh equals that of update().
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countVolumes, takeJob } from '../../js/dynamic/worker-builders.js';
import { NavError, load } from '../../js/index.js';
import { makeRandom } from './random.js';
import { makeGround, readScene } from './support.js';

const walkmesh = await load();
const CONFIG = { tileSize: 32, cellSize: 0.3 };
const crate = (x, z, more = {}) => ({ kind: 'cylinder', base: [x, 0, z], radius: 0.7, height: 1, ...more });

const tilesOf = (navMesh) => new Map(navMesh.tiles().map(({ x, z, bytes }) => [`${x}, ${z}`, bytes]));

/** Waits some turns of the event loop, in which messages of workers arrive. */
async function turns(count) {
  for (let i = 0; i < count; i++) await new Promise((resolve) => { setImmediate(resolve); });
}

/** The same changes to both, from a seed. */
function act([a, b], random, handles, [low, high]) {
  const at = [0, 1, 2].map((axis) => random(low[axis], high[axis]));
  const what = random(0, 10), one = Math.floor(random(0, handles.length));
  const add = (obstacle) => {
    const handle = a.addObstacle(obstacle);
    assert.equal(b.addObstacle(obstacle), handle);
    handles.push(handle);
  };
  if (what < 3) add(crate(at[0], at[2], { radius: random(0.3, 3), height: 20, base: [at[0], low[1], at[2]] }));
  else if (what < 4) add({ kind: 'prism', vertices: [[at[0], 0, at[2]], [at[0] + 3, 0, at[2]], [at[0], 0, at[2] + 2]], minY: low[1], maxY: high[1], area: 7 });
  else if (what < 5) add({ kind: 'capsule', start: at, end: [at[0] + 1, at[1] + 1, at[2]], radius: 1, carving: 'at rest', timeToRest: 0.1 });
  else if (handles.length === 0) return;
  else if (what < 8) for (const dynamic of [a, b]) dynamic.moveObstacle(handles[one], at);
  else for (const dynamic of [a, b]) dynamic.removeObstacle(handles[one]);
  if (what >= 8) handles.splice(one, 1);
}

for (const workers of [0, 1, 2, 3, 4]) {
  test(`background: random changes while ${workers} workers build, tile for tile as update() makes it`, async (context) => {
    const plaza = { ...readScene('plaza'), offMeshConnections: [{ start: [2, 0, 2], end: [30, 0, 30], radius: 1 }],
      volumes: [{ kind: 'box', min: [4, 0, 4], max: [9, 4, 8], area: 5 }], areaFlags: { 5: 6 } };
    const pool = workers ? walkmesh.createWorkerPool({ workers }) : undefined;
    const [ours, sync] = [walkmesh.bakeDynamic(plaza, CONFIG), walkmesh.bakeDynamic(plaza, CONFIG)];
    const bounds = [ours.report.voxels.boundsMin, ours.report.voxels.boundsMax];
    const first = ours.navMesh.save();
    const random = makeRandom(workers + 5).between, handles = [], both = [ours.dynamic, sync.dynamic];
    let built = 0;
    for (let round = 0; round < 8; round++) {
      for (let i = 0; i < 6; i++) act(both, random, handles, bounds);
      const updating = ours.dynamic.updateAsync({ workers: pool, deltaTime: 0.05, sliceMilliseconds: 1 });
      sync.dynamic.update({ deltaTime: 0.05 });
      assert.ok(ours.dynamic.isUpdating);
      for (let i = 0; i < 5; i++) {
        await turns(Math.floor(random(0, 30)));
        act(both, random, handles, bounds);
        if (i === 2) for (const dynamic of both) dynamic.update({ deltaTime: 0.06, tiles: 0 });
        if (i === 3 && round % 3 === 2) ours.dynamic.update(round % 2 ? undefined : { tiles: 2 });
      }
      built += (await updating).built;
      // Applies the changes since its last check.
      built += (await ours.dynamic.updateAsync({ workers: pool })).built;
      sync.dynamic.update();
      assert.equal(ours.dynamic.dirtyTiles, 0);
      assert.deepEqual(tilesOf(ours.navMesh), tilesOf(sync.navMesh), `round ${round}`);
    }
    for (const dynamic of both) dynamic.removeObstacles(handles);
    await ours.dynamic.updateAsync({ workers: pool });
    assert.deepEqual(ours.navMesh.save(), first, 'the first file again, to the last byte');
    assert.ok(built > 20, `${built} tiles`);
    context.diagnostic(`${built} tiles built`);
    ours.navMesh.free();
    sync.navMesh.free();
    if (pool) {
      await turns(20);
      const use = await pool.memory();
      assert.ok(use.every(({ bytes }) => bytes < 100_000), `workers have freed what they had: ${use.map(({ bytes }) => bytes)}`);
      pool.free();
    }
  });
}

test('background: an update that begins while workers have tiles of one that was given up builds all that is dirty', async () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(makeGround(60), CONFIG);
  const pool = walkmesh.createWorkerPool({ workers: 1 });
  const strew = (/** @type {number} */ shift) => dynamic.addObstacles(crate(0, 0), Array.from({ length: 40 }, (_, i) => [1 + (i * 17 + shift) % 58, 0, 1 + (i * 29) % 58]));
  strew(0);
  assert.equal((await dynamic.updateAsync({ workers: pool })).dirtyTiles, 0);
  for (const end of ['an abort', 'an update here']) {
    strew(5);
    const controller = new AbortController();
    const given = dynamic.updateAsync({ workers: pool, signal: controller.signal });
    // The worker has its worker mesh: jobs are sent without a turn of the event loop, and none returns.
    for (let i = 0; i < 50; i++) await undefined;
    assert.ok(dynamic.isUpdating && dynamic.dirtyTiles > 8);
    if (end === 'an abort') {
      controller.abort();
      await assert.rejects(given, { code: 'cancelled' });
      assert.equal((await dynamic.updateAsync({ workers: pool })).dirtyTiles, 0, end);
    } else {
      dynamic.update();
      strew(9);
      assert.equal((await given).dirtyTiles, 0, end);
    }
    assert.equal(dynamic.dirtyTiles, 0, end);
  }
  strew(13);
  const controller = new AbortController();
  const given = dynamic.updateAsync({ workers: pool, signal: controller.signal });
  for (let i = 0; i < 50; i++) await undefined;
  controller.abort();
  await assert.rejects(given, { code: 'cancelled' });
  const waiting = dynamic.updateAsync({ workers: pool });
  (await pool.thread(0)).close(new NavError('worker', 'the worker died: of nothing'));
  await assert.rejects(waiting, { code: 'worker', message: /all workers of the pool failed/ });
  assert.ok(dynamic.dirtyTiles > 8);
  assert.equal((await dynamic.updateAsync({ workers: pool })).dirtyTiles, 0, 'a worker is started anew');
  navMesh.free();
  pool.free();
});

test('background: tiles come in nearest to the focus first, switches follow, listeners hear, and nothing is dirty at the end', async () => {
  const pool = walkmesh.createWorkerPool({ workers: 2 });
  const orders = [];
  for (const workers of [pool, undefined, pool]) {
    const { navMesh, dynamic } = walkmesh.bakeDynamic(makeGround(60), CONFIG);
    const door = navMesh.createSwitches().addDoor({ volume: { kind: 'box', min: [28, -1, 28], max: [32, 2, 32] } });
    door.close();
    dynamic.setFocus([[30, 0, 30]]);
    dynamic.addObstacles(crate(0, 0), Array.from({ length: 60 }, (_, i) => [1 + (i * 17) % 58, 0, 1 + (i * 29) % 58]));
    const heard = [];
    dynamic.onTileChanged(({ x, z, before, after }) => {
      heard.push(`${x},${z}`);
      assert.ok(before !== after && navMesh.tileAt(x, z) === after);
    });
    const { built, changed, dirtyTiles } = await dynamic.updateAsync({ workers, sliceMilliseconds: 1e-9 });
    assert.deepEqual(changed.map(({ x, z }) => `${x},${z}`), heard);
    assert.ok(built >= changed.length && dirtyTiles === 0 && !dynamic.isUpdating);
    const near = () => navMesh.nearestPoint([30, 0, 30], { halfExtents: [1, 2, 1] });
    assert.equal(near(), null, 'the door is closed on the new tile');
    door.open();
    assert.notEqual(near(), null);
    orders.push(heard.join(' '));
    assert.deepEqual(await dynamic.updateAsync({ workers }), { built: 0, changed: [], linked: 0, changedLinks: [], dirtyTiles: 0 });
    navMesh.free();
  }
  assert.equal(orders[0], orders[1]);
  assert.equal(orders[2], orders[1]);
  pool.free();
});

test('background: it is cancelled, its mesh and its pool freed, its workers die: an error each time, and tiles stay dirty', async () => {
  const city = readScene('city');
  const { navMesh, dynamic } = walkmesh.bakeDynamic(city, { tileSize: 48 });
  const pool = walkmesh.createWorkerPool({ workers: 2 });
  const obstacles = dynamic.addObstacles({ kind: 'cylinder', base: [0, 0, 0], radius: 1, height: 30 },
    Array.from({ length: 200 }, (_, i) => [5 + (i * 37) % 180, 0, 5 + (i * 53) % 180]));
  const all = dynamic.dirtyTiles;
  assert.ok(all > 8, `${all}`);
  const controller = new AbortController();
  const aborted = dynamic.updateAsync({ workers: pool, signal: controller.signal });
  await assert.rejects(dynamic.updateAsync({ workers: pool }), { code: 'state', message: /still running/ });
  dynamic.onTileChanged(() => controller.abort(new Error('enough')));
  await assert.rejects(aborted, (error) => error instanceof NavError && error.code === 'cancelled' && error.cause.message === 'enough');
  assert.ok(dynamic.dirtyTiles > 0 && dynamic.dirtyTiles < all && !dynamic.isUpdating);
  await assert.rejects(dynamic.updateAsync({ workers: pool, signal: AbortSignal.abort() }), { code: 'cancelled' });

  // The next update starts a new worker in place of one that died.
  dynamic.moveObstacles(obstacles, Array.from({ length: 200 }, (_, i) => [6 + (i * 37) % 180, 0, 5 + (i * 53) % 180]));
  const left = dynamic.dirtyTiles;
  const dying = dynamic.updateAsync({ workers: pool });
  for (const thread of [await pool.thread(0), await pool.thread(1)]) thread.close(new NavError('worker', 'the worker died: of nothing'));
  await assert.rejects(dying, { code: 'worker', message: /died/ });
  assert.ok(dynamic.dirtyTiles > 0 && dynamic.dirtyTiles <= left);
  await dynamic.updateAsync({ workers: pool });
  assert.equal(dynamic.dirtyTiles, 0);
  const expected = walkmesh.bakeDynamic(city, { tileSize: 48 });
  expected.dynamic.addObstacles({ kind: 'cylinder', base: [0, 0, 0], radius: 1, height: 30 },
    Array.from({ length: 200 }, (_, i) => [6 + (i * 37) % 180, 0, 5 + (i * 53) % 180]));
  expected.dynamic.update();
  assert.deepEqual(tilesOf(navMesh), tilesOf(expected.navMesh));
  expected.navMesh.free();

  // An error thrown by a listener ends the update; the mesh has the tile that was reported.
  dynamic.removeObstacles(obstacles.slice(0, 100));
  const end = dynamic.onTileChanged(() => { throw new RangeError('no more'); });
  await assert.rejects(dynamic.updateAsync({ workers: pool }), RangeError);
  end();

  const other = walkmesh.createWorkerPool({ workers: 1 });
  const freed = dynamic.updateAsync({ workers: other });
  await turns(3);
  other.free();
  await assert.rejects(freed, { code: 'state' });
  assert.ok(dynamic.dirtyTiles > 0);

  const last = dynamic.updateAsync({ workers: pool });
  await turns(3);
  dynamic.free();
  await assert.rejects(last, { code: 'state' });
  await assert.rejects(dynamic.updateAsync(), { code: 'state' });
  navMesh.free();
  pool.free();
});

test('background: a mesh that is freed while workers are sent what it is leaves nothing in them', async () => {
  const pool = walkmesh.createWorkerPool({ workers: 2 });
  await pool.ready();
  const idle = await pool.memory();
  for (let round = 0; round < 16; round++) {
    const { navMesh, dynamic } = walkmesh.bakeDynamic(makeGround(30), CONFIG);
    dynamic.addObstacle(crate(9, 9));
    const updating = dynamic.updateAsync({ workers: pool });
    for (let i = 0; i < round; i++) await undefined;
    navMesh.free();
    await assert.rejects(updating, { code: 'state' });
  }
  const bytes = (rows) => rows.map((row) => row.bytes);
  assert.deepEqual(bytes(await pool.memory()), bytes(idle));
  pool.free();
});

test('background: a worker without memory is an error that names the tile; with more it goes on', async () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(readScene('city'), { tileSize: 48 });
  dynamic.addObstacle({ kind: 'cylinder', base: [90, 0, 90], radius: 3, height: 30 });
  const small = walkmesh.createWorkerPool({ workers: 1, memoryLimit: 60_000 });
  await assert.rejects(dynamic.updateAsync({ workers: small }), { code: 'out-of-memory' });
  assert.ok(dynamic.dirtyTiles > 0);
  small.free();
  const pool = walkmesh.createWorkerPool({ workers: 1 });
  await dynamic.updateAsync({ workers: pool });
  assert.equal(dynamic.dirtyTiles, 0);
  pool.free();
  navMesh.free();
});

test('background: wrong options are named, and nothing happens', async () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(makeGround(30), CONFIG);
  dynamic.addObstacle(crate(9, 9));
  const { dirtyTiles } = dynamic;
  const wrong = [[{ workers: 2 }, 'workers'], [{ signal: 1 }, 'signal'], [{ deltaTime: -1 }, 'deltaTime'], [{ sliceMilliseconds: 0 }, 'sliceMilliseconds'],
    [{ wrokers: 1 }, 'wrokers']];
  for (const [options, field] of wrong) {
    await assert.rejects(dynamic.updateAsync(options), (error) => error instanceof NavError && error.code === 'invalid-argument' && error.field === field);
  }
  assert.equal(dynamic.dirtyTiles, dirtyTiles);
  navMesh.free();
});

test('tile jobs: the number of volumes is read from their bytes, and short bytes are corrupt', () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(makeGround(20), CONFIG);
  dynamic.update();
  const at = (x, z) => dynamic.navMesh.tiles().find((tile) => tile.x === x && tile.z === z);
  assert.ok(at(0, 0) && at(1, 1));
  const { origin, tileWidth } = navMesh.parameters;
  dynamic.addObstacle(crate(origin[0] + tileWidth / 2, origin[2] + tileWidth / 2));
  const job = takeJob(dynamic.session, dynamic.handle.address);
  assert.deepEqual([job.x, job.z, job.hasObstacles, countVolumes(job.obstacles)], [0, 0, true, 1]);
  dynamic.keepTile(1, 1, dynamic.keptTile(1, 1));
  const empty = takeJob(dynamic.session, dynamic.handle.address);
  assert.deepEqual([empty.x, empty.z, empty.hasObstacles, countVolumes(empty.obstacles)], [1, 1, false, 0]);
  assert.equal(takeJob(dynamic.session, dynamic.handle.address), undefined);
  for (const { x, z, ticket } of [job, empty]) dynamic.session.wasm.dynamic_give_up_job(dynamic.handle.address, x, z, ticket);
  assert.equal(dynamic.dirtyTiles, 2);
  // A view into a larger buffer: the count is read at its own offset, and never beyond its end.
  const bytes = new Uint8Array([9, 9, 2, 1, 0, 0, 7]);
  assert.equal(countVolumes(bytes.subarray(2, 6)), 258);
  for (const length of [0, 3]) {
    assert.throws(() => countVolumes(bytes.subarray(2, 2 + length)), { code: 'corrupt', field: 'obstacles' });
  }
  navMesh.free();
});
