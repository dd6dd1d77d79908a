// Levels that change while a streamer adds their tiles: js/mesh/streamed-tiles.js, js/streaming.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TileStreamer, load } from '../../js/index.js';
import { makeGround } from './support.js';

const walkmesh = await load();
const SIDE = 60;
const CONFIG = { cellSize: 0.3, tileSize: 32, bounds: { min: [0, -1, 0], max: [SIDE, 6, SIDE] } };
const RADII = { innerRadius: 8, outerRadius: 12 };
const EVERYWHERE = { position: [30, 0, 30], innerRadius: 100, outerRadius: 120 };
const ground = makeGround(SIDE);
const withWalls = (...solids) => ({ ...ground, solids: solids.map(([x, z]) => ({ kind: 'box', min: [x, 0, z], max: [x + 1, 2, z + 1] })) });
const tilesOf = (navMesh) => new Map(navMesh.tiles().map(({ x, z, bytes }) => [`${x},${z}`, bytes]));

/** The tiles that are loaded are those of a bake of the level. */
function assertLoadedAsBaked(navMesh, level, config = CONFIG) {
  const full = walkmesh.bake(level, { ...config, links: undefined });
  const expected = tilesOf(full.navMesh);
  for (const [place, bytes] of tilesOf(navMesh)) assert.deepEqual(bytes, expected.get(place), place);
  full.navMesh.free();
  return expected.size;
}

for (const workers of [0, 2]) {
  test(`streaming: a rebake touches only loaded tiles, and later ones are of the new level (${workers} workers)`, async () => {
    const pool = workers ? walkmesh.createWorkerPool({ workers }) : undefined;
    const source = await walkmesh.createBakeSource(ground, CONFIG, pool && { workers: pool }), { navMesh } = source;
    const errors = [];
    const streamer = new TileStreamer(navMesh, source.tile, { ...RADII, onError: (error) => errors.push(error) });
    streamer.setInvokers([[5, 0, 5]]);
    await streamer.load();
    const refs = new Map(navMesh.tiles().map(({ x, z, ref }) => [`${x},${z}`, ref]));
    const crowd = navMesh.createCrowd();
    const [agent] = crowd.addAgents([[2, 0, 2]], { radius: 0.6 });
    crowd.setTarget([agent], [8, 0, 8]);
    const level = withWalls([2, 5], [50, 50]);
    const { report, changed } = await walkmesh.rebake(navMesh, level, { workers: pool ?? 0 });
    assert.equal(navMesh.totals.tiles, refs.size);
    assert.deepEqual(changed.map(({ x, z }) => [x, z]), [[0, 0]]);
    assert.equal(report.tiles.kept, report.tiles.x * report.tiles.z - 1, 'sources know the hashes of their tiles');
    for (const [place, ref] of refs) assert.equal(navMesh.tileAt(...place.split(',').map(Number)) === ref, place !== '0,0');
    for (let i = 0; i < 600; i++) crowd.step(1 / 30);
    assert.ok(Math.hypot(crowd.position(agent)[0] - 8, crowd.position(agent)[2] - 8) < 1);
    assertLoadedAsBaked(navMesh, level);
    for (const x of [20, 35, 50]) {
      streamer.setInvokers([[x, 0, x]]);
      await streamer.load();
      assertLoadedAsBaked(navMesh, level);
    }
    streamer.setInvokers([EVERYWHERE]);
    await streamer.load();
    assert.equal(navMesh.totals.tiles, assertLoadedAsBaked(navMesh, level));
    streamer.setInvokers([]);
    streamer.update();
    assert.deepEqual([navMesh.totals.tiles, errors], [0, []]);
    streamer.free();
    await source.free();
    pool?.free();
    navMesh.free();
  });
}

test('streaming: rebakes while tiles arrive and leave; in the end all is as a bake of the last level makes it', async () => {
  const source = await walkmesh.createBakeSource(ground, CONFIG), { navMesh } = source;
  const streamer = new TileStreamer(navMesh, source.tile, { ...RADII, requests: 3 });
  let level = ground;
  const walls = [];
  for (let step = 0; step < 12; step++) {
    streamer.setInvokers([[5 + 4.5 * step, 0, 5 + 4 * step]]);
    streamer.update();
    walls.push([3 + 4.5 * step, 7 + 4 * step]);
    level = withWalls(...walls);
    const rebaking = walkmesh.rebake(navMesh, level, { workers: 0 });
    const loading = step % 2 ? streamer.load() : undefined;
    for (let i = 0; i < 4; i++) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      streamer.update();
    }
    await Promise.all([rebaking, loading]);
    assertLoadedAsBaked(navMesh, level);
  }
  streamer.setInvokers([EVERYWHERE]);
  await streamer.load();
  assert.equal(navMesh.totals.tiles, assertLoadedAsBaked(navMesh, level));
  streamer.free();
  await source.free();
  navMesh.free();
});

test('streaming: ground that appears in a loaded place without a tile is the streamer\'s', async () => {
  const half = makeGround(12);
  const source = await walkmesh.createBakeSource(half, CONFIG), { navMesh } = source;
  const streamer = new TileStreamer(navMesh, source.tile, RADII);
  streamer.setInvokers([[30, 0, 30]]);
  await streamer.load();
  assert.equal(navMesh.totals.tiles, 0);
  await walkmesh.rebake(navMesh, ground, { workers: 0 });
  assert.ok(navMesh.totals.tiles > 0);
  assertLoadedAsBaked(navMesh, ground);
  streamer.setInvokers([]);
  streamer.update();
  assert.equal(navMesh.totals.tiles, 0);
  streamer.free();
  await source.free();
  navMesh.free();
});

test('streaming: a rebake that fails or is aborted leaves mesh and source as they were', async () => {
  const source = await walkmesh.createBakeSource(ground, CONFIG), { navMesh } = source;
  const streamer = new TileStreamer(navMesh, source.tile, RADII);
  streamer.setInvokers([[5, 0, 5]]);
  await streamer.load();
  const before = tilesOf(navMesh);
  const failing = walkmesh.rebake(navMesh, withWalls([2, 5], [30, 30]), { workers: 0, onProgress() { throw new Error('mine'); } });
  await assert.rejects(failing, /mine/);
  await assert.rejects(walkmesh.rebake(navMesh, { ...ground, solids: [{ kind: 'cube' }] }, { workers: 0 }), { code: 'invalid-argument' });
  assert.deepEqual(tilesOf(navMesh), before);
  streamer.setInvokers([EVERYWHERE]);
  await streamer.load();
  assertLoadedAsBaked(navMesh, ground);
  streamer.free();
  await source.free();
  navMesh.free();
});

test('streaming: a dynamic mesh with links takes a new level; obstacles carve in later tiles of it', async () => {
  const config = { ...CONFIG, links: { drop: { maxHeight: 3 }, jump: { maxDistance: 3 } } };
  const source = await walkmesh.createDynamicBakeSource(ground, config), { navMesh, dynamic } = source;
  const streamer = new TileStreamer(dynamic, source.tile, RADII);
  streamer.setInvokers([[5, 0, 5]]);
  await streamer.load();
  const obstacles = [[6, 6], [50, 50]].map(([x, z]) => ({ kind: 'cylinder', base: [x, 0, z], radius: 1, height: 2 }));
  for (const obstacle of obstacles) dynamic.addObstacle(obstacle);
  dynamic.update();
  const loaded = navMesh.totals.tiles;
  const level = withWalls([2, 5], [40, 40]);
  level.solids.push({ kind: 'box', min: [26, 0, 26], max: [34, 2, 34] });
  await walkmesh.rebake(navMesh, level, { workers: 0 });
  dynamic.update();
  assert.equal(navMesh.totals.tiles, loaded);
  streamer.setInvokers([EVERYWHERE]);
  await streamer.load();
  dynamic.update();
  const fresh = walkmesh.bakeDynamic(level, config);
  for (const obstacle of obstacles) fresh.dynamic.addObstacle(obstacle);
  fresh.dynamic.update();
  assert.deepEqual(tilesOf(navMesh), tilesOf(fresh.navMesh));
  const { refs: _, ...links } = navMesh.segmentLinks(), { refs: __, ...expected } = fresh.navMesh.segmentLinks();
  assert.ok(links.count > 0);
  assert.equal(links.count, expected.count);
  streamer.free();
  await source.free();
  fresh.navMesh.free();
  navMesh.free();
});

test('streaming: a tile that the streamer did not add is one error that says what to do, and the streamer goes on', async () => {
  for (const hears of [true, false]) {
    const { navMesh: world } = walkmesh.bake(ground, CONFIG);
    const tiles = new Map(world.tiles().map(({ x, z, bytes }) => [`${x},${z}`, bytes]));
    for (const ref of world.tileRefs()) world.removeTile(ref);
    const errors = [];
    const streamer = new TileStreamer(world, tiles, { ...RADII, onError: hears ? (error) => errors.push(error) : undefined });
    world.addTile(tiles.get('0,0'));
    streamer.setInvokers([[5, 0, 5]]);
    const isStrange = { code: 'state', message: /tile 0, 0 is in the mesh, but this streamer did not add it: it stays/ };
    if (hears) await streamer.load();
    else await assert.rejects(streamer.load(), isStrange);
    if (hears) assert.match(errors[0].message, isStrange.message);
    assert.ok(world.totals.tiles > 1);
    streamer.setInvokers([[30, 0, 30]]);
    await streamer.load();
    assert.equal(world.tileAt(0, 0), 0, 'it was removed when it was far');
    streamer.setInvokers([[5, 0, 5]]);
    await streamer.load();
    assert.notEqual(world.tileAt(0, 0), 0);
    assert.equal(errors.length, hears ? 1 : 0);
    streamer.free();
    world.free();
  }
});
