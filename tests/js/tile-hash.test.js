// The hash of a tile's inputs, through the package: js/bake/bake.js, src/bake/tile/tile_hash.c.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadBoth, makeGround } from './support.js';

const builds = await loadBoth();

/** Hashes of all tiles. */
function hashAll(walkmesh, geometry, config) {
  const baker = walkmesh.createBaker(geometry, config);
  const { tileCountX, tileCountZ } = baker.voxels;
  const hashes = Array.from({ length: tileCountX * tileCountZ },
    (_, tile) => baker.hashTile(tile % tileCountX, Math.floor(tile / tileCountX)));
  baker.free();
  return hashes;
}

test('tile hash: 32 digits, the same in both builds, and of each tile its own', () => {
  const [first, second] = builds.map((walkmesh) => hashAll(walkmesh, makeGround(20), { tileSize: 16 }));
  assert.deepEqual(first, second);
  assert.equal(new Set(first).size, first.length);
  for (const hash of first) assert.match(hash, /^[0-9a-f]{32}$/);
});

test('tile hash: asked in the middle of a tile it disturbs nothing; places are checked', () => {
  const [walkmesh] = builds;
  const baker = walkmesh.createBaker(makeGround(20), { tileSize: 16 });
  const finish = () => {
    while (baker.nextStage !== 'done') baker.step();
    return baker.takeTile();
  };
  baker.beginTile(1, 1);
  const plain = finish();
  baker.beginTile(1, 1);
  baker.step();
  const hash = baker.hashTile(0, 2);
  assert.deepEqual(finish(), plain);
  assert.equal(baker.hashTile(0, 2), hash);
  for (const [x, z, field] of [[-1, 0, 'x'], [0, 99, 'z'], [0.5, 0, 'x'], [0, '1', 'z']]) {
    assert.throws(() => baker.hashTile(x, z), { name: 'NavError', code: 'invalid-argument', field });
  }
  baker.free();
  assert.throws(() => baker.hashTile(0, 0), { name: 'NavError', code: 'state' });
});

test('tile hash: a triangle at one end of the level leaves the hashes at the other', () => {
  const [walkmesh] = builds;
  const ground = makeGround(20);
  const config = { tileSize: 16, bounds: { min: [0, -1, 0], max: [20, 5, 20] } };
  const positions = Float32Array.of(...ground.positions, 1, 1, 1, 1, 1, 3, 3, 1, 1);
  const first = positions.length / 3 - 3;
  const indices = Uint32Array.of(...ground.indices, first, first + 1, first + 2);
  const before = hashAll(walkmesh, ground, config);
  const after = hashAll(walkmesh, { positions, indices }, config);
  const changed = before.flatMap((hash, tile) => (hash === after[tile] ? [] : [tile]));
  assert.deepEqual(changed, [0]);
});
