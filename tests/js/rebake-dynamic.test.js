// Levels that change below obstacles: js/dynamic/rebake-dynamic.js. The mesh equals a bakeDynamic of the new level with the same obstacles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { makeGround } from './support.js';
import { buildTown, makeRandom, makeTown, townConfig } from './town.js';

const walkmesh = await load();
const SIDE = 24;
const CONFIG = townConfig(SIDE);
const LINKS = { drop: { maxHeight: 3 }, jump: { maxDistance: 3 } };

const tilesOf = (navMesh) => new Map(navMesh.tiles().map(({ x, z, bytes }) => [`${x},${z}`, bytes]));
const linksOf = (navMesh) => {
  const { refs: _, ...arrays } = navMesh.segmentLinks();
  return Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, typeof array === 'number' ? array : Array.from(array)]));
};

/** Compares with a new dynamic bake of the level with the same obstacles, also what is kept. */
function assertAsBaked({ navMesh, dynamic }, level, config, label) {
  const fresh = walkmesh.bakeDynamic(level, config);
  for (const handle of dynamic.obstacles()) {
    const { isCarving: _, ...obstacle } = dynamic.obstacle(handle);
    fresh.dynamic.addObstacle(obstacle);
  }
  fresh.dynamic.update();
  assert.deepEqual(tilesOf(navMesh), tilesOf(fresh.navMesh), label);
  assert.deepEqual(linksOf(navMesh), linksOf(fresh.navMesh), label);
  const { tileCountX, tileCountZ } = navMesh.parameters;
  for (let z = 0; z < tileCountZ; z++) {
    for (let x = 0; x < tileCountX; x++) assert.deepEqual(dynamic.keptTile(x, z), fresh.dynamic.keptTile(x, z), `${label}: kept tile ${x}, ${z}`);
  }
  fresh.navMesh.free();
}

/** A town that is edited at random. */
function makeEdits(seed) {
  const random = makeRandom(seed), town = makeTown({ seed, side: SIDE, props: 12 });
  const solids = [];
  const spot = () => [1 + (SIDE - 2) * random(), 0, 1 + (SIDE - 2) * random()];
  const volumes = [{ kind: 'cylinder', base: spot(), radius: 2, height: 2, area: 3 }, { kind: 'box', min: [14, 0, 3], max: [16, 2, 9], area: 0 }];
  const offMeshConnections = [{ start: spot(), end: spot(), radius: 1 }], areaFlags = { 3: 5 };
  const any = (list) => Math.floor(list.length * random());
  const edits = [
    () => volumes.splice(any(volumes), 0, { kind: 'box', min: [4 * random(), 0, 9], max: [8, 2, 9 + 6 * random()], area: Math.floor(3 * random()), beforeErosion: random() < 0.5 }),
    () => volumes.push({ kind: 'prism', vertices: [spot(), spot(), spot()], minY: -1, maxY: 2, area: 7 }),
    () => volumes.splice(any(volumes), 1),
    () => volumes.reverse(),
    () => offMeshConnections.push({ start: spot(), end: spot(), radius: 1, userId: any(volumes) }),
    () => offMeshConnections.shift(),
    () => { areaFlags[[0, 3, 7][Math.floor(3 * random())]] = Math.floor(100 * random()); },
    () => Object.assign(town.props[Math.floor(town.props.length * random())], { x: 20 * random(), z: 20 * random() }),
    () => solids.push({ kind: 'box', min: [2, 1, 2 + 8 * random()], max: [9, 1.5, 14] }),
    () => solids.push({ kind: 'cylinder', base: spot(), radius: 1.5, height: 0.5 + 2 * random() }),
    () => town.props.splice(Math.floor(5 * random()), 1),
    () => solids.shift(),
  ];
  return { random, spot, edit: () => edits[Math.floor(edits.length * random())](), level: () => ({ ...buildTown(town), volumes: [...volumes], solids: [...solids], offMeshConnections: [...offMeshConnections], areaFlags: { ...areaFlags } }) };
}

for (const [where, workers, links] of [['slices', 0, undefined], ['slices, with links', 0, LINKS], ['workers', 2, undefined]]) {
  test(`rebake of a dynamic mesh: random edits and obstacles equal a new bakeDynamic, in ${where}`, async () => {
    const { random, spot, edit, level } = makeEdits(workers + (links ? 20 : 10));
    const config = { ...CONFIG, links };
    const pool = workers ? walkmesh.createWorkerPool({ workers }) : 0;
    const baked = walkmesh.bakeDynamic(level(), config), { navMesh, dynamic } = baked;
    let kept = 0;
    for (let round = 0; round < (links ? 7 : 14); round++) {
      edit();
      dynamic.addObstacle({ kind: 'cylinder', base: spot(), radius: 0.5 + random(), height: 2, area: random() < 0.3 ? 5 : 0 });
      if (random() < 0.5) dynamic.update();
      const { report, changed } = await walkmesh.rebake(navMesh, level(), { workers: pool });
      kept += report.tiles.kept;
      assert.ok(changed.length <= report.tiles.x * report.tiles.z - report.tiles.kept);
      if (pool) await dynamic.updateAsync({ workers: pool });
      else while (dynamic.update({ tiles: 3 }).dirtyTiles > 0);
      assertAsBaked(baked, level(), config, `round ${round}`);
      if (random() < 0.3) dynamic.removeObstacle(dynamic.obstacles()[0]);
    }
    assert.ok(kept > 0);
    if (pool) pool.free();
    navMesh.free();
  });
}

test('rebake of a dynamic mesh: only tiles that differ are replaced, agents and obstacles stay, and files know the new level', async () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(makeGround(SIDE), CONFIG);
  const crate = dynamic.addObstacle({ kind: 'cylinder', base: [20, 0, 20], radius: 1, height: 2 });
  dynamic.update();
  const crowd = navMesh.createCrowd();
  const [agent] = crowd.addAgents([[3, 0, 12]], { radius: 0.4 });
  crowd.setTarget([agent], [21, 0, 12]);
  const before = new Map(navMesh.tiles().map(({ x, z, ref }) => [`${x},${z}`, ref]));
  const level = { ...makeGround(SIDE), solids: [{ kind: 'box', min: [9, 0, 0], max: [10, 3, 20] }] };
  const heard = [];
  dynamic.onTileChanged(({ x, z }) => heard.push(`${x},${z}`));
  const { report, changed } = await walkmesh.rebake(navMesh, level, { workers: 0 });
  assert.ok(changed.length > 0 && changed.length < before.size / 2, `${changed.length} of ${before.size}`);
  assert.ok(report.tiles.kept > before.size / 2, `${report.tiles.kept}`);
  assert.equal(dynamic.dirtyTiles, 0, 'no obstacle is near the wall');
  const places = new Set(changed.map(({ x, z }) => `${x},${z}`));
  assert.deepEqual(new Set(heard), places);
  for (const [place, ref] of before) assert.equal(navMesh.tileAt(...place.split(',').map(Number)) === ref, !places.has(place), place);
  for (let i = 0; i < 1200; i++) crowd.step(1 / 30);
  const [x, , z] = crowd.position(agent);
  assert.ok(Math.hypot(x - 21, z - 12) < 1, `the agent walked around the wall: ${x}, ${z}`);
  assert.ok(dynamic.obstacle(crate).isCarving);
  // The file of the new level: nothing is baked; of the first level: the tiles of the wall.
  const loaded = walkmesh.loadDynamic(dynamic.save());
  assert.equal((await walkmesh.rebake(loaded.navMesh, level, { workers: 0 })).report.tiles.kept, before.size);
  await walkmesh.rebake(loaded.navMesh, makeGround(SIDE), { workers: 0 });
  loaded.dynamic.update();
  assertAsBaked(loaded, makeGround(SIDE), CONFIG, 'back again');
  loaded.navMesh.free();
  navMesh.free();
});

test('rebake of a dynamic mesh: the level changes while workers build and obstacles move', async () => {
  const { random, spot, edit, level } = makeEdits(5);
  const pool = walkmesh.createWorkerPool({ workers: 2 });
  const baked = walkmesh.bakeDynamic(level(), CONFIG), { navMesh, dynamic } = baked;
  const handles = Array.from({ length: 8 }, () => dynamic.addObstacle({ kind: 'cylinder', base: spot(), radius: 1, height: 2 }));
  for (let round = 0; round < 6; round++) {
    const running = dynamic.updateAsync({ workers: pool });
    edit();
    const rebaking = walkmesh.rebake(navMesh, level(), { workers: pool });
    for (const handle of handles) if (random() < 0.5) dynamic.moveObstacle(handle, spot());
    await Promise.all([running, rebaking]);
  }
  await dynamic.updateAsync({ workers: pool });
  assertAsBaked(baked, level(), CONFIG, 'at the end');
  pool.free();
  navMesh.free();
});

test('rebake of a dynamic mesh: a kept tile of another level is not taken for that of the present one', async () => {
  const level = { ...makeGround(SIDE), solids: [{ kind: 'box', min: [9, 0, 9], max: [12, 3, 12] }] };
  const baked = walkmesh.bakeDynamic(makeGround(SIDE), CONFIG), { navMesh, dynamic } = baked;
  const other = walkmesh.bakeDynamic(level, CONFIG);
  const { tileCountX, tileCountZ } = navMesh.parameters;
  for (let i = 0; i < tileCountX * tileCountZ; i++) dynamic.keepTile(i % tileCountX, Math.floor(i / tileCountX), other.dynamic.keptTile(i % tileCountX, Math.floor(i / tileCountX)));
  dynamic.update();
  assert.deepEqual(tilesOf(navMesh), tilesOf(other.navMesh));
  await walkmesh.rebake(navMesh, makeGround(SIDE), { workers: 0 });
  dynamic.update();
  assertAsBaked(baked, makeGround(SIDE), CONFIG, 'the first level');
  other.navMesh.free();
  navMesh.free();
});

test('rebake of a dynamic mesh: aborted, freed or wrong, nothing changes; without memory another rebake goes on', async () => {
  const own = await load();
  const mud = { kind: 'box', min: [3, 0, 3], max: [14, 2, 14], area: 6 };
  const level = { ...makeGround(SIDE), solids: [{ kind: 'box', min: [9, 0, 0], max: [10, 3, 20] }], volumes: [mud], areaFlags: { 6: 2 } };
  const { navMesh, dynamic } = own.bakeDynamic(makeGround(SIDE), CONFIG);
  dynamic.addObstacle({ kind: 'cylinder', base: [12, 0, 12], radius: 1, height: 2 });
  dynamic.update();
  const saved = dynamic.save();
  await assert.rejects(own.rebake(navMesh, level, { workers: 0, signal: AbortSignal.abort() }), { code: 'cancelled' });
  await assert.rejects(own.rebake(navMesh, level, { workers: 0, cache: {} }), { code: 'invalid-argument' });
  await assert.rejects(own.rebake(navMesh, { ...level, volumes: [{ kind: 'cube' }] }, { workers: 0 }), { code: 'invalid-argument' });
  const first = own.rebake(navMesh, level, { workers: 0, signal: AbortSignal.timeout(0) });
  await assert.rejects(own.rebake(navMesh, level, { workers: 0 }), { code: 'state' });
  await first.catch(() => {});
  await own.rebake(navMesh, makeGround(SIDE), { workers: 0 });
  dynamic.update();
  assert.deepEqual(dynamic.save(), saved);
  const expected = own.bakeDynamic(level, CONFIG);
  let failures = 0;
  for (let count = 0; ; count += 1 + Math.floor(count / 8)) {
    own.failAllocationsAfter(count);
    try {
      await own.rebake(navMesh, level, { workers: 0 });
      break;
    } catch (error) {
      assert.equal(error.code, 'out-of-memory', error.stack);
      failures++;
    } finally {
      own.failAllocationsAfter(undefined);
    }
  }
  assert.ok(failures > 10, `${failures}`);
  dynamic.removeObstacles(dynamic.obstacles());
  dynamic.update();
  assert.deepEqual(tilesOf(navMesh), tilesOf(expected.navMesh));
  const running = own.rebake(navMesh, makeGround(SIDE), { workers: 0, sliceMilliseconds: 0.1 });
  navMesh.free();
  await assert.rejects(running, { code: 'state' });
  expected.navMesh.free();
});
