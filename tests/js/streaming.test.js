/** Tiles that are added and removed around points. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random, TileStreamer, load } from '../../js/index.js';
import { makeGround, readScene } from './support.js';

const walkmesh = await load();
const CONFIG = { cellSize: 0.3, tileSize: 32 };
const TILE = 0.3 * 32;

/** A baked level, its tiles as a source, and its mesh without tiles. */
function takeApart(level, config = CONFIG) {
  const { navMesh } = walkmesh.bake(level, config);
  const whole = navMesh.save();
  const map = new Map(navMesh.tiles().map(({ x, z, bytes }) => [`${x},${z}`, bytes]));
  for (const ref of navMesh.tileRefs()) navMesh.removeTile(ref);
  return { navMesh, map, whole };
}

const distance = ([px, , pz], { x, z }) => Math.hypot(
  Math.max(x * TILE - px, 0, px - (x + 1) * TILE), Math.max(z * TILE - pz, 0, pz - (z + 1) * TILE));
const placesOf = (navMesh) => navMesh.tiles().map(({ x, z }) => `${x},${z}`).sort();

test('streaming: tiles come within the inner radius, nearest first, and go beyond the outer one', async () => {
  const { navMesh, map } = takeApart(makeGround(100));
  const streamer = new TileStreamer(navMesh, map, { innerRadius: 15, outerRadius: 25, requests: 100 });
  let seed = 3;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
  let at = [50, 0, 50], kept = 0;
  const inside = new Set();
  for (let step = 0; step < 60; step++) {
    at = at.map((value) => Math.max(0, Math.min(96, value + 16 * random() - 8)));
    streamer.setInvokers([at]);
    const { removed } = streamer.update({ deltaTime: 0.1 });
    for (const { x, z } of removed) assert.ok(distance(at, { x, z }) > 25 && inside.delete(`${x},${z}`));
    await new Promise((resolve) => setImmediate(resolve));
    const { added, waiting } = streamer.update({ deltaTime: 0.1 });
    added.forEach((place, i) => {
      assert.ok(i === 0 || distance(at, added[i - 1]) <= distance(at, place) + 1e-9, 'nearest first');
      inside.add(`${place.x},${place.z}`);
    });
    assert.equal(waiting, 0);
    assert.deepEqual(placesOf(navMesh), [...inside].sort());
    for (const key of map.keys()) {
      const [x, z] = key.split(',').map(Number);
      if (distance(at, { x, z }) <= 15) assert.ok(inside.has(key), 'what is near is there');
      if (inside.has(key) && distance(at, { x, z }) > 15) kept++;
    }
  }
  assert.ok(kept > 100, 'in between tiles stay');
  streamer.setInvokers([]);
  assert.ok(streamer.update().removed.length > 0);
  assert.equal(navMesh.totals.tiles, 0);
  assert.equal(streamer.knownCount, 0);
  navMesh.free();
});

test('streaming: what has come back is as it was: links, connections made at run time, doors', async () => {
  const { navMesh, map, whole } = takeApart(readScene('city'));
  const streamer = new TileStreamer(navMesh, (x, z) => Promise.resolve(map.get(`${x},${z}`)), { innerRadius: 1000, outerRadius: 1000 });
  const { boundsMin, boundsMax } = (() => { const mesh = walkmesh.loadNavMesh(whole), { totals } = mesh; mesh.free(); return totals; })();
  const middle = [(boundsMin[0] + boundsMax[0]) / 2, 0, (boundsMin[2] + boundsMax[2]) / 2];
  streamer.setInvokers([middle]);
  await streamer.load();
  const fresh = walkmesh.loadNavMesh(whole);
  assert.equal(navMesh.totals.links, fresh.totals.links);
  const random = new Random(5), [a, b] = [fresh.randomPoint({ random }).point, fresh.randomPoint({ random }).point];
  const switches = navMesh.createSwitches();
  const door = switches.addDoor({ volume: { kind: 'cylinder', base: [a[0], a[1] - 1, a[2]], radius: 0.5, height: 2 }, isOpen: false });
  const bridge = navMesh.addConnection({ start: b, end: a, radius: 1 });
  assert.ok(navMesh.connection(bridge).startTied);
  const near = new TileStreamer(navMesh, map, { innerRadius: 5, outerRadius: 5 });
  near.setInvokers([[boundsMin[0] - 100, 0, 0]]);
  near.update();
  assert.equal(navMesh.totals.tiles, 0);
  assert.equal(navMesh.connection(bridge).startTied, false);
  near.setInvokers([{ position: middle, innerRadius: 1000, outerRadius: 2000 }]);
  await near.load();
  const { startTied, endTied } = navMesh.connection(bridge);
  assert.ok(startTied && endTied, 'the connection is tied again');
  assert.ok(door.polygons().length > 0 && Array.from(door.polygons(), (ref) => navMesh.polygonFlags(ref)).every((flags) => flags === 0));
  switches.free();
  navMesh.removeConnection(bridge);
  assert.equal(navMesh.totals.links, fresh.totals.links, 'as many links as ever');
  for (let i = 0; i < 100; i++) {
    const [from, to] = [fresh.randomPoint({ random }).point, fresh.randomPoint({ random }).point];
    const [mine, theirs] = [navMesh.findPath(from, to), fresh.findPath(from, to)];
    assert.equal(mine.status, theirs.status);
    assert.ok(Math.abs(mine.cost - theirs.cost) <= 1e-3 * theirs.cost + 1e-3, 'as good a way');
  }
  streamer.free();
  near.free();
  fresh.free();
  navMesh.free();
});

test('streaming: a place that fails is told, retried later, and holds up no other', async () => {
  const { navMesh, map } = takeApart(makeGround(60));
  const heard = [];
  let broken = true;
  const asked = new Map();
  const source = (x, z) => {
    asked.set(`${x},${z}`, (asked.get(`${x},${z}`) ?? 0) + 1);
    if (x === 1 && z === 1 && broken) throw new Error('no such file');
    if (x === 2 && z === 1 && broken) return Uint8Array.of(1, 2, 3);
    if (x === 3 && z === 1 && broken) return map.get('0,0');
    if (x === 0 && z === 1 && broken) return 'text';
    return map.get(`${x},${z}`);
  };
  const streamer = new TileStreamer(navMesh, source, { innerRadius: 1000, outerRadius: 1000, retrySeconds: 2,
    onError: (error, { x, z, attempt }) => heard.push([x, z, attempt, error.code ?? error.message]) });
  streamer.setInvokers([[0, 0, 0]]);
  const settle = async (deltaTime) => {
    streamer.update({ deltaTime });
    for (let i = 0; i < 60; i++) {
      await new Promise((resolve) => setImmediate(resolve));
      streamer.update({ deltaTime: 0 });
    }
  };
  await settle(0);
  assert.equal(navMesh.totals.tiles, map.size - 4);
  assert.deepEqual(heard.sort(), [[0, 1, 1, 'invalid-argument'], [1, 1, 1, 'no such file'], [2, 1, 1, 'corrupt'], [3, 1, 1, 'corrupt']]);
  await settle(1);
  assert.equal(asked.get('1,1'), 1, 'not before its time');
  await settle(1.1);
  assert.equal(asked.get('1,1'), 2);
  assert.equal(heard.length, 8);
  broken = false;
  await settle(3.9);
  assert.equal(asked.get('1,1'), 2, 'it waits twice as long');
  await settle(0.2);
  assert.equal(navMesh.totals.tiles, map.size);
  assert.equal(heard.length, 8);
  navMesh.free();
});

test('streaming: what nobody wants any more is aborted; a budget holds; order can be asked for', async () => {
  const { navMesh, map } = takeApart(makeGround(60));
  const signals = [], answers = new Map();
  const source = (x, z, { signal }) => new Promise((resolve) => {
    signals.push(signal);
    answers.set(`${x},${z}`, () => resolve(map.get(`${x},${z}`)));
  });
  const streamer = new TileStreamer(navMesh, source, { innerRadius: 5, outerRadius: 20, requests: 2, inOrder: true });
  streamer.setInvokers([[TILE, 0, TILE]]); // a corner: four tiles are equally near
  assert.equal(streamer.update().waiting, 4);
  assert.deepEqual([...answers.keys()], ['0,0', '1,0'], 'two at a time, by z and x');
  answers.get('1,0')();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(streamer.update().added, [], 'not before 0,0');
  answers.get('0,0')();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(streamer.update({ milliseconds: 0 }).added, []);
  assert.deepEqual(streamer.update({ milliseconds: 1e-9 }).added, [{ x: 0, z: 0 }], 'a budget above 0 makes progress');
  assert.deepEqual(streamer.update({ tiles: 0 }).added, []);
  assert.deepEqual(streamer.update({ tiles: 1 }).added, [{ x: 1, z: 0 }]);
  assert.ok(signals.slice(2).every(({ aborted }) => !aborted));
  streamer.setInvokers([[55, 0, 55]]);
  streamer.update({ tiles: 1 });
  assert.ok(signals.slice(2, 4).every(({ aborted }) => aborted));
  streamer.update();
  assert.equal(navMesh.totals.tiles, 0);
  const { length } = signals;
  streamer.free();
  assert.ok(signals.slice(4, length).every(({ aborted }) => aborted));
  assert.throws(() => streamer.update(), { code: 'state' });
  navMesh.free();
});

test('streaming: memory stays as it is on a long walk', async () => {
  const { navMesh, map } = takeApart(makeGround(120));
  const streamer = new TileStreamer(navMesh, map, { innerRadius: 12, outerRadius: 20 });
  const uses = [];
  for (let round = 0; round < 12; round++) {
    for (let step = 0; step < 40; step++) {
      const angle = step / 40 * 2 * Math.PI;
      streamer.setInvokers([[60 + 45 * Math.cos(angle), 0, 60 + 45 * Math.sin(angle)]]);
      await streamer.load();
      assert.ok(streamer.knownCount < 40);
    }
    walkmesh.trimMemory();
    uses.push(walkmesh.memory().bytes);
  }
  assert.ok(uses.at(-1) <= uses[2] * 1.01, `${uses}`);
  navMesh.free();
});

test('streaming: into a dynamic mesh, where obstacles wait for tiles that are out', async () => {
  const level = makeGround(60);
  const { navMesh, dynamic } = walkmesh.bakeDynamic(level, CONFIG);
  const whole = navMesh.save();
  const kept = new Map();
  for (let z = 0; z < 7; z++) for (let x = 0; x < 7; x++) kept.set(`${x},${z}`, dynamic.keptTile(x, z));
  const streamer = new TileStreamer(dynamic, kept, { innerRadius: 12, outerRadius: 14 });
  assert.ok(streamer.placeCount >= 49);
  streamer.setInvokers([[5, 0, 5]]);
  streamer.update();
  assert.ok(navMesh.totals.tiles < 12);
  const obstacle = dynamic.addObstacle({ kind: 'cylinder', base: [50, -1, 50], radius: 1, height: 3 });
  dynamic.update();
  assert.equal(dynamic.dirtyTiles, 0);
  streamer.setInvokers([{ position: [30, 0, 30], innerRadius: 100, outerRadius: 100 }]);
  await streamer.load();
  assert.ok(dynamic.update().built >= 40);
  assert.equal(navMesh.nearestPoint([50, 0, 50], { radius: 1.2 }), null, 'it has its hole');
  dynamic.removeObstacle(obstacle);
  dynamic.update();
  const same = walkmesh.loadNavMesh(whole);
  assert.deepEqual(navMesh.tiles().map(({ x, z, bytes }) => [x, z, bytes]).sort(), same.tiles().map(({ x, z, bytes }) => [x, z, bytes]).sort());
  same.free();
  streamer.free();
  navMesh.free();
});

test('streaming: load tells of tiles that failed, unless somebody listens', async (context) => {
  const { navMesh } = walkmesh.bake(makeGround(30), CONFIG);
  context.after(() => navMesh.free());
  const tiles = new Map(navMesh.tiles().map(({ x, z, bytes }) => [`${x},${z}`, bytes]));
  for (const tile of navMesh.tileRefs()) navMesh.removeTile(tile);
  const source = (/** @type {number} */ x, /** @type {number} */ z) => {
    if (x === 1 && z === 1) throw new Error('the server is asleep');
    return tiles.get(`${x},${z}`);
  };
  const warn = context.mock.method(console, 'warn', () => {});
  const streamer = new TileStreamer(navMesh, source, { innerRadius: 100, outerRadius: 100 });
  streamer.setInvokers([[5, 0, 5]]);
  await assert.rejects(streamer.load(), { message: 'the server is asleep' });
  assert.equal(navMesh.totals.tiles, tiles.size - 1);
  await assert.rejects(streamer.load(), { message: 'the server is asleep' });
  assert.equal(warn.mock.callCount(), 1);
  assert.match(warn.mock.calls[0].arguments[0], /tile 1, 1 was not loaded: the server is asleep.*pass onError/);
  streamer.free();
  const heard = [];
  const listening = new TileStreamer(navMesh, source, { innerRadius: 100, outerRadius: 100, onError: (error) => heard.push(error.message) });
  listening.setInvokers([[5, 0, 5]]);
  await listening.load();
  assert.deepEqual([heard, warn.mock.callCount()], [['the server is asleep'], 1]);
  listening.free();
  const moving = new TileStreamer(navMesh, source, { innerRadius: 3, outerRadius: 100 });
  moving.setInvokers([[12, 0, 12]]);
  await assert.rejects(moving.load(), { message: 'the server is asleep' });
  moving.setInvokers([[25, 0, 25]]);
  await moving.load(); // the tile that failed isn't needed any more
  moving.free();
});

test('streaming: a request may fail after its mesh was freed', async (context) => {
  const rejected = context.mock.fn();
  process.on('unhandledRejection', rejected);
  context.after(() => process.off('unhandledRejection', rejected));
  context.mock.method(console, 'warn', () => {});
  for (const isDynamic of [false, true]) {
    const baked = isDynamic ? walkmesh.bakeDynamic(makeGround(30), CONFIG) : walkmesh.bake(makeGround(30), CONFIG), { navMesh } = baked;
    const target = 'dynamic' in baked ? baked.dynamic : navMesh;
    const fails = [];
    const streamer = new TileStreamer(target, () => new Promise((_, reject) => { fails.push(reject); }), { innerRadius: 100, outerRadius: 100 });
    for (const place of [500, 5]) {
      streamer.setInvokers([[place, 0, place]]); // far away first, which removes all tiles
      streamer.update();
    }
    assert.ok(fails.length > 0);
    target.free();
    for (const fail of fails) fail(new Error('too late'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    streamer.free();
    navMesh.free();
  }
  assert.equal(rejected.mock.callCount(), 0);
});

test('streaming: load ends if its signal is aborted, or the mesh is freed, while a source does not answer', async () => {
  for (const end of ['abort', 'free']) {
    const { navMesh } = walkmesh.bake(makeGround(30), CONFIG);
    for (const tile of navMesh.tileRefs()) navMesh.removeTile(tile);
    const streamer = new TileStreamer(navMesh, () => new Promise(() => {}), { innerRadius: 100, outerRadius: 100 });
    streamer.setInvokers([[5, 0, 5]]);
    const controller = new AbortController(), running = setInterval(() => {}, 1000);
    const load = assert.rejects(streamer.load({ signal: controller.signal }), { code: end === 'abort' ? 'cancelled' : 'state' });
    if (end === 'abort') controller.abort();
    else navMesh.free();
    await load;
    clearInterval(running);
    streamer.free();
    navMesh.free();
  }
  const { navMesh } = walkmesh.bake(makeGround(30), CONFIG);
  const streamer = new TileStreamer(navMesh, new Map(), { innerRadius: 1, outerRadius: 1 });
  await assert.rejects(streamer.load(/** @type {any} */ ({ signal: 5 })), { field: 'signal' });
  await assert.rejects(streamer.load(/** @type {any} */ ({ sginal: 5 })), { code: 'invalid-argument' });
  navMesh.free();
});

for (const workers of [0, 2]) {
  test(`streaming: tiles baked on demand, ${workers ? 'in workers' : 'in this thread'}`, async () => {
    const level = readScene('plaza');
    const { navMesh: whole } = walkmesh.bake(level, CONFIG);
    const pool = workers ? walkmesh.createWorkerPool({ workers }) : undefined;
    const source = await walkmesh.createBakeSource(level, CONFIG, pool ? { workers: pool } : {});
    assert.equal(source.navMesh.totals.tiles, 0);
    assert.deepEqual(source.navMesh.config, whole.config);
    const streamer = new TileStreamer(source.navMesh, source.tile, { innerRadius: 500, outerRadius: 600 });
    streamer.setInvokers([[20, 0, 20]]);
    await streamer.load();
    const list = (mesh) => mesh.tiles().map(({ x, z, bytes }) => [z, x, bytes]).sort();
    assert.deepEqual(list(source.navMesh), list(whole));
    streamer.free();
    await source.free();
    await assert.rejects(source.tile(0, 0), { code: 'state' });
    pool?.free();
    source.navMesh.free();
    whole.free();
  });
}

test('streaming: what is wrong is named', () => {
  const { navMesh } = walkmesh.bake(makeGround(20), CONFIG);
  const options = { innerRadius: 5, outerRadius: 6 };
  const refuse = (call, field) => assert.throws(call, { code: 'invalid-argument', field });
  refuse(() => new TileStreamer({}, new Map(), options), 'target');
  refuse(() => new TileStreamer(navMesh, {}, options), 'source');
  refuse(() => new TileStreamer(navMesh, new Map(), { ...options, outerRadius: 4 }), 'outerRadius');
  refuse(() => new TileStreamer(navMesh, new Map(), { ...options, innerRadius: NaN }), 'innerRadius');
  refuse(() => new TileStreamer(navMesh, new Map(), { ...options, radius: 1 }), 'radius');
  const streamer = new TileStreamer(navMesh, new Map(), options);
  refuse(() => streamer.setInvokers([[0, 0, NaN]]), 'invokers[0].position');
  refuse(() => streamer.setInvokers([{ position: [0, 0, 0], innerRadius: 9 }]), 'invokers[0].outerRadius');
  refuse(() => streamer.setInvokers('here'), 'invokers');
  refuse(() => streamer.update({ tiles: -1 }), 'tiles');
  refuse(() => streamer.update({ deltaTime: NaN }), 'deltaTime');
  refuse(() => streamer.update({ milliseconds: 'all' }), 'milliseconds');
  assert.equal(navMesh.totals.tiles > 0, true);
  navMesh.free();
});

test('streaming: a file whose tiles are tiny is refused instead of searched for ever', () => {
  const { navMesh } = walkmesh.bake({ positions: [0, 0, 0, 0, 0, 10, 10, 0, 10, 10, 0, 0], indices: [0, 1, 2, 0, 2, 3] }, { cellSize: 0.5, tileSize: 16 });
  const [WIDTH_AT, DEPTH_AT] = [24, 28];
  const set = navMesh.exportDetour().slice(0, 40), header = new DataView(set.buffer);
  header.setInt32(8, 0, true); // no tiles
  for (const [width, depth] of [[1e-30, 8], [8, 1e-30], [1e-6, 1e-6], [0.1, 0.1]]) {
    header.setFloat32(WIDTH_AT, width, true);
    header.setFloat32(DEPTH_AT, depth, true);
    const hostile = walkmesh.loadNavMesh(set);
    const streamer = new TileStreamer(hostile, () => null, { innerRadius: 100, outerRadius: 200 });
    assert.throws(() => streamer.setInvokers([[5, 0, 5]]), { name: 'NavError', code: 'limit', field: 'invokers[0].innerRadius', message: /at most 262144 tile places/ });
    streamer.setInvokers([]);
    streamer.update();
    hostile.free();
  }
  navMesh.free();
});
