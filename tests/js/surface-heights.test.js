/** `heights: 'surface'`: points that queries return lie on the level itself, in bakes, tiles and dynamic meshes. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { SurfaceOracle } from '../../bench/surface-oracle.js';
import { MemoryTileCache, Random, TileStreamer, load } from '../../js/index.js';
import { BITTEN, bittenFloor } from './bitten-floor.js';
import { readScene } from './support.js';

const walkmesh = await load();
const TERRAIN = readScene('terrain');
const TILED = /** @type {const} */ ({ heights: 'surface', tileSize: 48 });
const SQUARE = { positions: [0, 0, 0, 20, 0, 0, 20, 0, 20, 0, 0, 20], indices: [0, 2, 1, 0, 3, 2] };

test('agents on a plane at 0 stand at 0, not a cell height above it', () => {
  const before = walkmesh.bake(SQUARE, {});
  assert.ok(before.navMesh.nearestPoint([10, 0, 10]).point[1] > 0.19);
  const { navMesh } = walkmesh.bake(SQUARE, { heights: 'surface' });
  assert.equal(navMesh.nearestPoint([10, 0, 10]).point[1], 0);
  const { points } = navMesh.findPath([2, 0, 2], [18, 0, 18]);
  for (let i = 1; i < points.length; i += 3) assert.equal(points[i], 0);
  before.navMesh.free();
  navMesh.free();
});

test('tiles of a dynamic mesh that are rebuilt around an obstacle keep the heights of the surface', () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(SQUARE, { heights: 'surface', tileSize: 32 });
  dynamic.addObstacle({ kind: 'cylinder', base: [10, 0, 10], radius: 1, height: 2 });
  dynamic.update();
  const { points } = navMesh.findPath([5, 0, 10], [15, 0, 10]);
  assert.ok(points.length > 6);
  for (let i = 1; i < points.length; i += 3) assert.equal(points[i], 0);
  const { navMesh: again, dynamic: loaded } = walkmesh.loadDynamic(dynamic.save());
  loaded.addObstacle({ kind: 'cylinder', base: [4, 0, 4], radius: 1, height: 2 });
  loaded.update();
  assert.equal(again.nearestPoint([6, 0, 4]).point[1], 0);
  again.free();
  navMesh.free();
});

test('where a wall takes a bite out of the edge of a floor, no point of the mesh lies kilometres above it', () => {
  for (const heights of /** @type {const} */ (['voxels', 'surface'])) {
    for (const detailSampleDistance of [1, 6]) {
      const { navMesh } = walkmesh.bake(bittenFloor(), { ...BITTEN, heights, detailSampleDistance });
      assert.ok(navMesh.triangles().every((value, i) => i % 3 !== 1 || value < 0.2));
      navMesh.free();
    }
  }
});

test('another word for heights is refused by name', () => {
  assert.throws(() => walkmesh.bake(SQUARE, { heights: /** @type {any} */ ('floor') }), {
    code: 'configuration', field: 'heights', message: /voxels, surface/,
  });
});

/** Distances of random points to the level, ascending. */
function measure(level, config) {
  const { navMesh } = walkmesh.bake(level, config), oracle = new SurfaceOracle(level), random = new Random(3);
  const { points } = navMesh.randomPoints(3000, { random });
  navMesh.free();
  return Array.from({ length: 3000 }, (_, i) => Math.abs(oracle.above(points.subarray(3 * i, 3 * i + 3)))).sort((a, b) => a - b);
}

test('on a terrain, the distance to the surface is less than a height sample may differ, or a few of them', () => {
  const before = measure(TERRAIN, {}), after = measure(TERRAIN, { heights: 'surface' });
  assert.ok(before[1500] > 0.3, `${before[1500]}`);
  assert.ok(after[1500] < 0.1 && after.at(-1) < 0.7, `${after[1500]}, ${after.at(-1)}`);
  const fine = measure(TERRAIN, { heights: 'surface', detailSampleDistance: 2, detailMaxError: 0.1, tileSize: 32 });
  assert.ok(fine[1500] < 0.01 && fine.at(-1) < 0.15, `${fine[1500]}, ${fine.at(-1)}`);
});

test('workers bake the bytes of one thread', async () => {
  const { navMesh } = walkmesh.bake(TERRAIN, TILED);
  for (const workers of [0, 2]) {
    const { navMesh: other } = await walkmesh.bakeTiled(TERRAIN, TILED, { workers });
    assert.deepEqual(other.save(), navMesh.save());
    other.free();
  }
  navMesh.free();
});

test('a tile cache does not give tiles with other heights', async () => {
  const cache = new MemoryTileCache();
  const bake = async (/** @type {any} */ config) => {
    const { navMesh, report } = await walkmesh.bakeTiled(SQUARE, { tileSize: 32, ...config }, { workers: 0, cache });
    const { point: [, y] } = navMesh.nearestPoint([10, 0, 10]);
    navMesh.free();
    return { y, cached: report.tiles.cached };
  };
  assert.ok((await bake({})).y > 0.19);
  assert.deepEqual(await bake({ heights: 'surface' }), { y: 0, cached: 0 });
  const again = await bake({ heights: 'surface' });
  assert.ok(again.y === 0 && again.cached > 0);
});

/** The bytes of all tiles by place. */
const tilesOf = (navMesh) => new Map(navMesh.tiles().map(({ x, z, bytes }) => [`${x},${z}`, bytes]));

test('tiles that were rebuilt around an obstacle are those of a bake after it left, also from a saved mesh and by workers', async () => {
  const { navMesh: whole } = walkmesh.bake(TERRAIN, TILED);
  const first = walkmesh.bakeDynamic(TERRAIN, TILED);
  const second = walkmesh.loadDynamic(first.dynamic.save());
  const crate = /** @type {const} */ ({ kind: 'cylinder', base: [60, 0, 60], radius: 6, height: 30 });
  const handles = [first, second].map(({ dynamic }) => dynamic.addObstacle(crate));
  first.dynamic.update();
  const pool = walkmesh.createWorkerPool({ workers: 1 });
  await second.dynamic.updateAsync({ workers: pool });
  assert.deepEqual(tilesOf(second.navMesh), tilesOf(first.navMesh));
  assert.notDeepEqual(tilesOf(first.navMesh), tilesOf(whole));
  for (const [i, { dynamic, navMesh }] of [first, second].entries()) {
    dynamic.removeObstacle(handles[i]);
    dynamic.update();
    assert.deepEqual(tilesOf(navMesh), tilesOf(whole));
    navMesh.free();
  }
  await pool.free();
  whole.free();
});

test('tiles that a streamer adds, and rebuilds around an obstacle, are those of a whole dynamic mesh', async () => {
  const { navMesh: whole, dynamic } = walkmesh.bakeDynamic(TERRAIN, TILED);
  const source = await walkmesh.createDynamicBakeSource(TERRAIN, TILED);
  const streamer = new TileStreamer(source.dynamic, source.tile, { innerRadius: 500, outerRadius: 600 });
  const crate = /** @type {const} */ ({ kind: 'box', min: [30, 0, 50], max: [70, 40, 60] });
  for (const one of [dynamic, source.dynamic]) one.addObstacle(crate);
  dynamic.update();
  streamer.setInvokers([[60, 0, 60]]);
  await streamer.load();
  await source.dynamic.updateAsync();
  assert.deepEqual(tilesOf(source.navMesh), tilesOf(whole));
  streamer.free();
  await source.free();
  for (const one of [source.navMesh, whole]) one.free();
});
