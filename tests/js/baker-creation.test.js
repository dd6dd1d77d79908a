/** Making a baker: slices give the same result as one call, and only shapes that overlap a tile affect it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';

const walkmesh = await load();

/** A bumpy field of 2 side^2 triangles, half a unit each. @param {number} side */
function makeField(side) {
  const positions = new Float32Array(3 * (side + 1) ** 2);
  for (let i = 0, z = 0; z <= side; z++) {
    for (let x = 0; x <= side; x++, i += 3) positions.set([x / 2, ((x * 7 + z * 13) % 5) / 20, z / 2], i);
  }
  const indices = new Uint32Array(6 * side * side);
  for (let i = 0, z = 0; z < side; z++) {
    for (let x = 0; x < side; x++, i += 6) {
      const a = z * (side + 1) + x, b = a + side + 1;
      indices.set([a, b, a + 1, a + 1, b, b + 1], i);
    }
  }
  return { positions, indices };
}

/** Boxes and spheres in rows, and volumes over some of them. @param {number} count on a side @param {number} step */
function makeThings(count, step) {
  const solids = [], volumes = [];
  for (let i = 0; i < count * count; i++) {
    const [x, z, size] = [(i % count) * step + 1, Math.floor(i / count) * step + 1, 0.2 + (i % 7) / 5];
    solids.push(i % 3 ? { kind: 'box', centre: [x, 0.5, z], halfAxes: [size, 0, 0.1, 0, 0.6, 0, 0, 0, size] }
      : { kind: 'sphere', centre: [x, 0.2, z], radius: size });
    if (i % 5 === 0) volumes.push({ kind: 'rotatedBox', centre: [x, 0, z], halfExtents: [2, 2, 1], yaw: i, area: 1 + (i % 9) });
  }
  // Shapes that overlap many tiles.
  solids.push({ kind: 'box', centre: [30, 0.4, 11], halfAxes: [25, 0, 0, 0, 0.5, 0, 0, 0, 0.3] });
  volumes.push({ kind: 'box', min: [5, -1, 5], max: [40, 4, 7], area: 12 });
  return { solids, volumes };
}

const CONFIG = { cellSize: 0.25, cellHeight: 0.1, tileSize: 32, agentRadius: 0.4 };

test('a bake whose level is taken in by slices gives the bytes of one that takes it in at once', async () => {
  const geometry = { ...makeField(140), ...makeThings(24, 2.5) };
  const { navMesh } = walkmesh.bake(geometry, CONFIG);
  const sliced = await walkmesh.bakeTiled(geometry, CONFIG, { workers: 0, sliceMilliseconds: 0.01 });
  assert.deepEqual(sliced.navMesh.save(), navMesh.save());
  navMesh.free();
  sliced.navMesh.free();
});

test('aborting while the level is taken in leaves memory as it was', async () => {
  const geometry = { ...makeField(300), ...makeThings(30, 4) };
  await assert.rejects(walkmesh.bakeTiled(geometry, CONFIG, { workers: 0, signal: AbortSignal.abort() }), { code: 'cancelled' });
  const before = walkmesh.memory().bytes;
  for (const turns of [0, 1, 3, 6, 9]) {
    const controller = new AbortController();
    let tiles = 0;
    const bake = walkmesh.bakeTiled(geometry, CONFIG, { workers: 0, sliceMilliseconds: 0.001, signal: controller.signal,
      onProgress: () => { tiles++; } });
    for (let i = 0; i < turns; i++) await new Promise((resolve) => { setImmediate(resolve); });
    if (turns > 0) assert.notEqual(walkmesh.memory().bytes, before, 'the level is being taken in');
    controller.abort();
    await assert.rejects(bake, { code: 'cancelled' });
    assert.equal(tiles, 0);
    assert.equal(walkmesh.memory().bytes, before, `after ${turns} turns`);
  }
});

test('errors of a level are told however it is taken in, and leave nothing behind', async () => {
  const { positions, indices } = makeField(200);
  const before = walkmesh.memory().bytes;
  for (const [level, field] of [
    [{ positions, indices: indices.with(indices.length - 2, 1e9) }, 'indices'],
    [{ positions: positions.with(positions.length - 1, Infinity), indices }, 'positions'],
    [{ positions, indices: indices.map((_, i) => indices[i - (i % 3) + 2 - (i % 3)]) }, 'indices'],
  ]) {
    await assert.rejects(walkmesh.bakeTiled(level, CONFIG, { workers: 0, sliceMilliseconds: 0.01 }), { code: 'geometry', field });
    assert.throws(() => walkmesh.createBaker(level, CONFIG), { code: 'geometry', field });
    assert.equal(walkmesh.memory().bytes, before);
  }
});

test('a tile among thousands of solids and volumes is that of a level with only those near it', () => {
  const field = makeField(140);
  const { solids, volumes } = makeThings(78, 0.9);
  const bounds = { min: [0, -1, 0], max: [70, 3, 70] };
  const whole = walkmesh.createBaker({ ...field, solids, volumes }, { ...CONFIG, bounds });
  const bakeTile = (baker, x, z) => {
    const hash = baker.hashTile(x, z);
    baker.beginTile(x, z);
    while (baker.nextStage !== 'done') baker.step();
    return { hash, bytes: baker.takeTile() };
  };
  const { tileWorldSize, tileCountX } = whole.voxels;
  assert.ok(solids.length > 6000 && tileCountX > 7);
  for (const [x, z] of [[0, 0], [3, 1], [4, 5], [tileCountX - 1, 8]]) {
    const reach = 6;
    const isNear = ({ centre, min }) => Boolean(min) || centre[0] === 30 || [[0, x], [2, z]].every(([axis, tile]) => (
      centre[axis] > tile * tileWorldSize - reach && centre[axis] < (tile + 1) * tileWorldSize + reach));
    const near = solids.filter(isNear);
    assert.ok(near.length < solids.length / 5);
    const part = walkmesh.createBaker({ ...field, solids: near, volumes: volumes.filter(isNear) }, { ...CONFIG, bounds });
    assert.deepEqual(bakeTile(whole, x, z), bakeTile(part, x, z));
    part.free();
  }
  whole.free();
});

test('off-mesh connections of any length, on the limits of tiles too, are all stored once and tied to the mesh', () => {
  const side = 64;
  const positions = [0, 0, 0, side, 0, 0, side, 0, side, 0, 0, side], indices = [0, 2, 1, 0, 3, 2];
  const offMeshConnections = [];
  for (let i = 0; i < 600; i++) {
    // Tiles are 8 wide: every fourth start lies on a tile's side.
    const start = [2 + (i % 30) * 2, 0, 2 + Math.floor(i / 30) * 3];
    const reach = i % 7 ? 1.5 : 40;
    const end = [0, 2].map((axis) => start[axis] + (start[axis] > side / 2 ? -1 : 1) * Math.min(reach, 20 + (i % 11)));
    offMeshConnections.push({ start, end: [end[0], 0, end[1]], radius: 0.6, userId: i });
  }
  const { navMesh, report } = walkmesh.bake({ positions, indices, offMeshConnections }, CONFIG);
  assert.deepEqual(report.warnings, []);
  assert.equal(report.tiles.built, 64);
  assert.equal(navMesh.totals.offMeshConnections, 600);
  navMesh.free();
});
