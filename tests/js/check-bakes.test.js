// Meshes that tests bake are checked: a test with an unsound mesh fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { tileAddress } from '../../js/mesh/tiles.js';
import { checks } from './check-bakes.js';
import { makeGround } from './support.js';

/** Word of a WmMeshTile, and offset behind the bounds in Detour's tile. */
const [BYTES_AT, BOUNDS_MAX] = [28, 84];

test('every bake is checked, with its ground where it is small, and again when it is freed, where it has changed', async () => {
  const walkmesh = await load();
  const { navMesh } = walkmesh.bake(makeGround(), {});
  assert.deepEqual({ ...checks }, { done: 1, withGround: 1, passedOver: 0 });
  navMesh.free();
  assert.equal(checks.done, 1, 'it is as it was');
  const { navMesh: tiled } = await walkmesh.bakeTiled(makeGround(), { tileSize: 16 }, { workers: 0 });
  const [{ ref }] = tiled.tiles();
  tiled.setPolygonFlags(ref, 5);
  tiled.free();
  assert.equal(checks.done, 3);
});

test('a mesh that is not sound fails its test, and is freed', async () => {
  const walkmesh = await load();
  const { bytes } = walkmesh.memory();
  const { navMesh } = walkmesh.bake(makeGround(), {});
  const [{ ref }] = navMesh.tiles(), { session } = navMesh;
  session.f32[(session.u32[tileAddress(navMesh, ref) / 4 + BYTES_AT] + BOUNDS_MAX) / 4] -= 5;
  navMesh.setPolygonFlags(ref, 5);
  assert.throws(() => navMesh.free(), { name: 'AssertionError', message: /the mesh is not sound: .*bounds/ });
  assert.ok(navMesh.isFreed);
  walkmesh.trimMemory();
  assert.equal(walkmesh.memory().bytes, bytes);
});
