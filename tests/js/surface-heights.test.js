/** `heights: 'surface'`: points that queries return lie on the level itself, in bakes, tiles and dynamic meshes. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from '../../js/index.js';

const walkmesh = await load();
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
  loaded.free();
  dynamic.free();
});

test('another word for heights is refused by name', () => {
  assert.throws(() => walkmesh.bake(SQUARE, { heights: /** @type {any} */ ('floor') }), {
    code: 'configuration', field: 'heights', message: /voxels, surface/,
  });
});
