// Levels that rise above the top of their first bake: a rebake bakes what is new, however high it stands (bounds.above).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryTileCache, TileStreamer, load } from '../../js/index.js';
import { makeGround } from './support.js';
import { makeBoxes } from './rooms.js';

const walkmesh = await load();
const SIDE = 40;
const FLAT = makeGround(SIDE);
const CONFIG = { cellSize: 0.3, tileSize: 32, agentRadius: 0.4 };
const LINKS = { drop: { maxHeight: 4 } };
const WALL = { kind: 'box', min: [18, 0, 0], max: [19, 3, SIDE] };
/** Levels above the flat ground, one after the other: a wall, a tower with a roof to stand on, the same as triangles, and the ground again. */
const LEVELS = {
  wall: { ...FLAT, solids: [WALL] },
  tower: { ...FLAT, solids: [WALL, { kind: 'box', min: [4, 0, 4], max: [12, 9, 12] }, { kind: 'cylinder', base: [30, 8.5, 30], radius: 4, height: 1 }] },
  triangles: joinGround(makeBoxes([[[18, 0, 0], [19, 3, SIDE]], [[4, 0, 4], [12, 20, 12]]])),
  flat: FLAT,
};

/** @param {{ positions: ArrayLike<number>, indices: ArrayLike<number> }} level the flat ground and these triangles */
function joinGround({ positions, indices }) {
  const first = FLAT.positions.length / 3;
  return { positions: Float32Array.from([...FLAT.positions, ...positions]), indices: Uint32Array.from([...FLAT.indices, ...Array.from(indices, (index) => index + first)]) };
}

const tilesOf = (navMesh) => new Map(navMesh.tiles().map(({ x, z, bytes }) => [`${x},${z}`, bytes]));
const linksOf = (navMesh) => {
  const { refs: _, ...arrays } = navMesh.segmentLinks();
  return Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, typeof array === 'number' ? array : Array.from(array)]));
};

/** The mesh is that of a new bake with its bounds, and leads where a bake of the level without bounds does. */
function assertAsBaked(navMesh, level, config, name) {
  const bounded = walkmesh.bake(level, { ...config, bounds: navMesh.config.bounds }).navMesh, free = walkmesh.bake(level, config).navMesh;
  assert.deepEqual(tilesOf(navMesh), tilesOf(bounded), name);
  assert.deepEqual(linksOf(navMesh), linksOf(bounded), name);
  for (const end of [[35, 0, 20], [8, 9, 8], [30, 9.5, 30], [8, 20, 8]]) {
    const [ours, theirs] = [navMesh, free].map((mesh) => mesh.findPath([5, 0, 30], end, { halfExtents: [0.5, 0.5, 0.5] }));
    assert.deepEqual([ours.status, ours.reason], [theirs.status, theirs.reason], `${name}: ${end}`);
  }
  bounded.free();
  free.free();
}

const WAYS = {
  slices: { start: (config) => walkmesh.bake(FLAT, config), rebake: (navMesh, level) => walkmesh.rebake(navMesh, level, { workers: 0 }) },
  workers: { start: (config) => walkmesh.bake(FLAT, config), rebake: (navMesh, level, pool) => walkmesh.rebake(navMesh, level, { workers: pool }) },
  steps: {
    start: (config) => walkmesh.bake(FLAT, config),
    rebake: (navMesh, level) => {
      const steps = walkmesh.createRebake(navMesh, level);
      for (;;) {
        const { done, changed } = steps.update({ tiles: 2 });
        if (done) return { changed, report: steps.report };
      }
    },
  },
  'a dynamic mesh': { start: (config) => walkmesh.bakeDynamic(FLAT, config), rebake: (navMesh, level) => walkmesh.rebake(navMesh, level, { workers: 0 }) },
};

for (const [way, { start, rebake }] of Object.entries(WAYS)) {
  for (const links of [undefined, LINKS]) {
    test(`rebake above the first top: in ${way}${links ? ', with links' : ''}`, async () => {
      const config = { ...CONFIG, links }, { navMesh } = start(config), pool = way === 'workers' ? walkmesh.createWorkerPool({ workers: 2 }) : undefined;
      const first = tilesOf(navMesh), { min, max } = navMesh.config.bounds;
      for (const [name, level] of Object.entries(LEVELS)) {
        const { changed, report } = await rebake(navMesh, level, pool);
        assert.deepEqual(report.warnings, []);
        assert.ok(changed.length > 0 && changed.length < first.size, `${name}: ${changed.length} of ${first.size}`);
        assertAsBaked(navMesh, level, config, name);
      }
      assert.deepEqual(tilesOf(navMesh), first);
      assert.deepEqual(navMesh.config.bounds, { min, max, above: true });
      assert.equal((await rebake(navMesh, FLAT, pool)).report.tiles.kept, first.size, 'nothing changed, nothing is baked');
      pool?.free();
      navMesh.free();
    });
  }
}

test('rebake above the first top: of loaded files, and obstacles on new roofs', async () => {
  const { navMesh: plain } = walkmesh.bake(FLAT, CONFIG), loaded = walkmesh.loadNavMesh(plain.save());
  await walkmesh.rebake(loaded, LEVELS.tower, { workers: 0 });
  assertAsBaked(loaded, LEVELS.tower, CONFIG, 'file');
  const { navMesh, dynamic } = walkmesh.bakeDynamic(FLAT, CONFIG), again = walkmesh.loadDynamic(dynamic.save());
  for (const mesh of [{ navMesh, dynamic }, again]) await walkmesh.rebake(mesh.navMesh, LEVELS.tower, { workers: 0 });
  const twice = walkmesh.loadDynamic(again.dynamic.save());
  for (const { navMesh: mesh, dynamic: changing } of [{ navMesh, dynamic }, again, twice]) {
    assertAsBaked(mesh, LEVELS.tower, CONFIG, 'dynamic file');
    const roof = /** @type {[number, number, number]} */ ([8, 9, 8]), near = { halfExtents: /** @type {[number, number, number]} */ ([0.3, 0.5, 0.3]) };
    assert.notEqual(mesh.nearestPoint(roof, near), null);
    const crate = changing.addObstacle({ kind: 'box', min: [7, 9, 7], max: [9, 10, 9] });
    changing.update();
    assert.equal(mesh.nearestPoint(roof, near), null, 'the obstacle carves the roof');
    changing.removeObstacle(crate);
    changing.update();
    assertAsBaked(mesh, LEVELS.tower, CONFIG, 'without the obstacle');
    mesh.free();
  }
  plain.free();
  loaded.free();
});

test('rebake above the first top: tiles that a streamer adds later, and their cache, know the new level', async () => {
  const source = await walkmesh.createBakeSource(FLAT, CONFIG), { navMesh } = source;
  const streamer = new TileStreamer(navMesh, source.tile, { innerRadius: 8, outerRadius: 12 });
  streamer.setInvokers([[5, 0, 5]]);
  await streamer.load();
  const { changed } = await walkmesh.rebake(navMesh, LEVELS.tower, { workers: 0 });
  assert.ok(changed.length > 0);
  streamer.setInvokers([{ position: [20, 0, 20], innerRadius: 100, outerRadius: 120 }]);
  await streamer.load();
  assertAsBaked(navMesh, LEVELS.tower, CONFIG, 'streamed');
  streamer.free();
  await source.free();
  navMesh.free();
});

test('bounds cut off what is above them, unless they are open above; caches tell both apart', async () => {
  const cache = new MemoryTileCache(), bounds = { min: [0, -1, 0], max: [SIDE, 1, SIDE] };
  const bakeIn = async (above) => (await walkmesh.bakeTiled(LEVELS.tower, { ...CONFIG, bounds: { ...bounds, above } }, { workers: 0, cache })).navMesh;
  const near = { halfExtents: [0.3, 0.5, 0.3] }, roof = [8, 9, 8];
  for (const above of [false, true, false, true]) {
    const navMesh = await bakeIn(above), alone = walkmesh.bake(LEVELS.tower, { ...CONFIG, bounds: { ...bounds, above } }).navMesh;
    assert.equal(navMesh.nearestPoint(roof, near) !== null, above);
    assert.deepEqual(tilesOf(navMesh), tilesOf(alone));
    await walkmesh.rebake(navMesh, LEVELS.flat, { workers: 0 });
    await walkmesh.rebake(navMesh, LEVELS.tower, { workers: 0 });
    assert.deepEqual(tilesOf(navMesh), tilesOf(alone));
    navMesh.free();
    alone.free();
  }
  assert.throws(() => walkmesh.bake(FLAT, { ...CONFIG, bounds: { ...bounds, above: 1 } }), { code: 'configuration', field: 'bounds.above' });
});

test('solids outside the bounds are named', async () => {
  const beside = { kind: 'box', min: [50, 0, 0], max: [60, 3, 5] }, below = { kind: 'sphere', centre: [5, -9, 5], radius: 2 };
  const { navMesh, report } = walkmesh.bake({ ...FLAT, solids: [WALL, beside, below] }, CONFIG);
  const expected = [1, 2].map((i) => `solids[${i}] lies outside the bounds of the navigation mesh, and was ignored`);
  assert.deepEqual(report.warnings, expected);
  assert.deepEqual((await walkmesh.rebake(navMesh, { ...FLAT, solids: [WALL, beside, below] }, { workers: 0 })).report.warnings, expected);
  navMesh.free();
});
