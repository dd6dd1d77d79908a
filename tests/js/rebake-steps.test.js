// Rebakes in steps: js/dynamic/rebake-steps.js. The result is that of rebake; each step is the same on every machine.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TileStreamer } from '../../js/index.js';
import { loadBoth, makeGround } from './support.js';
import { buildTown, makeRandom, makeTown, townConfig } from './town.js';

const builds = await loadBoth();
const [walkmesh] = builds;
const SIDE = 24;
const LINKS = { drop: { maxHeight: 3 }, jump: { maxDistance: 3 } };

/** A town that is edited at random. */
function makeEdits(seed) {
  const random = makeRandom(seed), town = makeTown({ seed, side: SIDE, props: 12 });
  const volumes = [{ kind: 'box', min: [4, -1, 4], max: [9, 2, 8], area: 3 }], offMeshConnections = [], solids = [];
  const spot = () => [1 + (SIDE - 2) * random(), 0, 1 + (SIDE - 2) * random()];
  return {
    spot,
    edit() {
      Object.assign(town.props[Math.floor(town.props.length * random())], { x: 20 * random(), z: 20 * random() });
      volumes[0] = { ...volumes[0], area: Math.floor(4 * random()) };
      solids.push({ kind: 'cylinder', base: spot(), radius: 1, height: 0.5 + 2 * random() });
      offMeshConnections.push({ start: spot(), end: spot(), radius: 1 });
    },
    level: () => ({ ...buildTown(town), volumes: [...volumes], solids: [...solids], offMeshConnections: [...offMeshConnections] }),
  };
}

for (const [what, links] of [['without links', undefined], ['with links', LINKS]]) {
  test(`rebake in steps: equals a bake, changes nothing before, and does the same in every step of both builds, ${what}`, () => {
    const { edit, level } = makeEdits(3), config = { ...townConfig(SIDE), links };
    const meshes = builds.map((build) => build.bake(level(), config).navMesh);
    for (const tiles of [1, 3, 1000]) {
      edit();
      const all = builds.map((build, i) => build.createRebake(meshes[i], level()));
      const { version } = meshes[0];
      for (let steps = 1; ; steps++) {
        const [first, second] = all.map((rebake) => rebake.update({ tiles }));
        assert.deepEqual(first, second, `step ${steps}`);
        if (first.done) {
          assert.ok(first.changed.length > 0);
          assert.ok(tiles === 1000 ? steps === 1 : steps > 3, `${steps} steps of ${tiles} tiles`);
          break;
        }
        assert.deepEqual([first.changed, meshes[0].version, all[0].report], [[], version, null]);
      }
      const { report } = all[0];
      assert.ok(report.tiles.kept > 10 && report.tiles.kept < report.tiles.x * report.tiles.z);
      assert.equal(report.links !== null, links !== undefined);
      assert.deepEqual(all[0].update(), all[1].update(), 'later updates do nothing');
      const full = walkmesh.bake(level(), config).navMesh;
      for (const mesh of meshes) assert.deepEqual(mesh.save(), full.save());
      full.free();
    }
    for (const mesh of meshes) mesh.free();
  });
}

test('rebake in steps: of a dynamic mesh, obstacles stay, and every step is the same in both builds', () => {
  const { edit, spot, level } = makeEdits(9), config = { ...townConfig(SIDE), links: LINKS };
  const all = builds.map((build) => build.bakeDynamic(level(), config));
  for (let round = 0; round < 3; round++) {
    const crate = { kind: 'cylinder', base: spot(), radius: 1, height: 2 };
    edit();
    for (const { dynamic } of all) dynamic.addObstacle(crate);
    const rebakes = all.map(({ navMesh }, i) => builds[i].createRebake(navMesh, level()));
    for (let isDone = false; !isDone || all[0].dynamic.dirtyTiles > 0;) {
      const [first, second] = rebakes.map((rebake) => rebake.update({ tiles: 2 }));
      isDone = first.done;
      assert.deepEqual(first, second);
      assert.deepEqual(...all.map(({ dynamic }) => dynamic.update({ tiles: 1 })));
    }
    const fresh = walkmesh.bakeDynamic(level(), config);
    for (const handle of all[0].dynamic.obstacles()) {
      const { isCarving: _, ...obstacle } = all[0].dynamic.obstacle(handle);
      fresh.dynamic.addObstacle(obstacle);
    }
    fresh.dynamic.update();
    const tilesOf = ({ navMesh }) => navMesh.tiles().map(({ x, z, bytes }) => [`${x},${z}`, bytes]).sort();
    for (const one of all) assert.deepEqual(tilesOf(one), tilesOf(fresh));
    fresh.navMesh.free();
  }
  for (const { navMesh } of all) navMesh.free();
});

for (const dynamic of [false, true]) {
  test(`rebake in steps: of a streamed ${dynamic ? 'dynamic ' : ''}mesh only loaded tiles change, and later ones are of the new level`, async () => {
    const ground = makeGround(60), config = { cellSize: 0.3, tileSize: 32, bounds: { min: [0, -1, 0], max: [60, 6, 60] } };
    const source = await walkmesh[dynamic ? 'createDynamicBakeSource' : 'createBakeSource'](ground, config), { navMesh } = source;
    const streamer = new TileStreamer(dynamic ? source.dynamic : navMesh, source.tile, { innerRadius: 8, outerRadius: 100 });
    streamer.setInvokers([[5, 0, 5]]);
    await streamer.load();
    const { tiles } = navMesh.totals;
    const level = { ...ground, solids: [{ kind: 'box', min: [2, 0, 5], max: [3, 2, 6] }, { kind: 'box', min: [50, 0, 50], max: [51, 2, 51] }] };
    const cancelled = walkmesh.createRebake(navMesh, ground);
    cancelled.free();
    const rebake = walkmesh.createRebake(navMesh, level);
    streamer.setInvokers([[55, 0, 55]]);
    streamer.update();
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(streamer.update().added, [], 'streamers wait');
    while (!rebake.update({ tiles: 1 }).done);
    assert.deepEqual(rebake.update().changed.map(({ x, z }) => [x, z]), [[0, 0]]);
    assert.equal(navMesh.totals.tiles, tiles);
    await streamer.load();
    const full = walkmesh.bake(level, config).navMesh;
    const expected = new Map(full.tiles().map(({ x, z, bytes }) => [`${x},${z}`, bytes]));
    for (const { x, z, bytes } of navMesh.tiles()) assert.deepEqual(bytes, expected.get(`${x},${z}`));
    assert.ok(navMesh.totals.tiles > tiles);
    streamer.free();
    await source.free();
    navMesh.free();
    full.free();
  });
}

test('rebake in steps: ended early, refused or out of memory, the mesh stays as it was', async () => {
  const { edit, level } = makeEdits(5), config = { ...townConfig(SIDE), links: LINKS };
  const { navMesh, linkGenerator } = walkmesh.bake(level(), config, { keepLinkGenerator: true });
  const before = navMesh.save();
  edit();
  const rebake = walkmesh.createRebake(navMesh, level(), { linkGenerator });
  rebake.update({ tiles: 4 });
  assert.throws(() => walkmesh.createRebake(navMesh, level()), { code: 'state' });
  await assert.rejects(walkmesh.rebake(navMesh, level(), { workers: 0 }), { code: 'state' });
  assert.throws(() => rebake.update({ tile: 1 }), { code: 'invalid-argument', message: /did you mean tiles/ });
  assert.throws(() => rebake.update({ tiles: -1 }), { code: 'invalid-argument', field: 'tiles' });
  assert.equal(rebake.update({ tiles: 0 }).done, false);
  rebake.free();
  assert.throws(() => rebake.update(), { code: 'state' });
  assert.deepEqual(navMesh.save(), before);
  assert.throws(() => walkmesh.createRebake(navMesh, { ...level(), volumes: [{ kind: 'cube' }] }), { code: 'invalid-argument' });
  assert.throws(() => walkmesh.createRebake(navMesh, level(), { workers: 2 }), { code: 'invalid-argument', field: 'workers' });
  let failures = 0;
  for (let count = 0; ; count += 1 + Math.floor(count / 4)) {
    const { bytes } = walkmesh.memory();
    walkmesh.failAllocationsAfter(count);
    try {
      walkmesh.createRebake(navMesh, level(), { linkGenerator }).update();
      break;
    } catch (error) {
      assert.equal(error.code, 'out-of-memory', error.stack);
      failures++;
    } finally {
      walkmesh.failAllocationsAfter(undefined);
    }
    assert.deepEqual(navMesh.save(), before);
    assert.ok(walkmesh.memory().bytes <= bytes + 100000);
  }
  assert.ok(failures > 10, `${failures}`);
  const full = walkmesh.bake(level(), config).navMesh;
  assert.deepEqual(navMesh.save(), full.save());
  full.free();
  const last = walkmesh.createRebake(navMesh, level());
  navMesh.free();
  assert.throws(() => last.update(), { code: 'state' });
});
