// Comparing meshes: js/check/compare.js, js/check/ground-changes.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareNavMeshes, load } from '../../js/index.js';
import { loadBoth, makeGround, readScene } from './support.js';

const [walkmesh, other] = await loadBoth();
const AGENT = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4 };
const ground = makeGround(30);
/** @param {number[][]} boxes x, z, half a side, height */
const withBoxes = (...boxes) => ({
  ...ground, solids: boxes.map(([x, z, half, height]) => (/** @type {const} */ ({ kind: 'box', min: [x - half, 0, z - half], max: [x + half, height, z + half] }))),
});

/** Compares two bakes, in both directions: what one loses the other one gains. */
function compare(one, two, config = { ...AGENT, tileSize: 48 }) {
  const before = walkmesh.bake(one, config).navMesh, after = other.bake(two, config).navMesh;
  const forth = compareNavMeshes(before, after), back = compareNavMeshes(after, before);
  const swap = { lost: 'gained', gained: 'lost', marked: 'marked' };
  assert.deepEqual(back.ground.map(({ kind, area }) => [swap[kind], area]).sort(), forth.ground.map(({ kind, area }) => [kind, area]).sort());
  assert.deepEqual([back.links.lost, back.connections.lost].map(({ length }) => length), [forth.links.gained, forth.connections.gained].map(({ length }) => length));
  assert.equal(forth.isSame, back.isSame);
  before.free();
  after.free();
  return forth;
}

test('compare: a mesh is the same as itself, as its file, and as that of another partition', () => {
  for (const scene of ['plaza', 'stairs']) {
    const { navMesh } = walkmesh.bake(readScene(scene), { ...AGENT, tileSize: 48 });
    const again = other.loadNavMesh(navMesh.save());
    const { isSame, ground: changes, area, islands } = compareNavMeshes(navMesh, again);
    assert.deepEqual([isSame, changes], [true, []]);
    assert.ok(area.before > 0 && area.before === area.after && islands.before === islands.after);
    // Other polygons, and another grid of tiles, on the same ground.
    const single = walkmesh.bake(readScene(scene), { ...AGENT, partition: 'monotone' }).navMesh;
    const largest = compareNavMeshes(navMesh, single).ground.reduce((sum, change) => sum + change.area, 0);
    assert.ok(largest < 0.01 * area.before, `${scene}: ${largest} of ${area.before}`);
    for (const mesh of [navMesh, again, single]) mesh.free();
  }
});

test('compare: a tower far away changes the bytes of every tile, and the ground at one place', () => {
  const before = withBoxes([8, 8, 2, 1]), after = withBoxes([8, 8, 2, 1], [20, 21, 3, 7]);
  const tiles = [before, after].map((level) => {
    const { navMesh } = walkmesh.bake(level, { ...AGENT, tileSize: 48 });
    const bytes = navMesh.tiles().map((tile) => Buffer.from(tile.bytes).toString('hex'));
    navMesh.free();
    return bytes;
  });
  assert.ok(tiles[0].every((bytes, i) => bytes !== tiles[1][i]));
  const { isSame, ground: [lost, gained, ...rest], area } = compare(before, after);
  assert.equal(isSame, false);
  assert.deepEqual([lost.kind, gained.kind, rest], ['lost', 'gained', []]);
  // The footprint with the agent's radius around it; edges may stray by 1.3 cells, which aren't changes.
  assert.ok(Math.abs(Math.sqrt(lost.area) - 6.8) < 0.6, `${lost.area}`);
  assert.ok(Math.abs(Math.sqrt(gained.area) - 5.2) < 0.6, `${gained.area}`);
  assert.ok(Math.hypot(lost.point[0] - 20, lost.point[2] - 21) < 0.3 && Math.abs(lost.point[1]) < 0.2, `${lost.point}`);
  assert.ok(Math.hypot(gained.point[0] - 20, gained.point[2] - 21) < 0.3 && Math.abs(gained.point[1] - 7) < 0.2, `${gained.point}`);
  assert.ok(gained.min[0] > 17 && gained.max[0] < 23 && gained.min[2] > 18 && gained.max[2] < 24);
  assert.ok(Math.abs(area.before - area.after - (6.8 ** 2 - 5.2 ** 2)) < 4, `${area.before} ${area.after}`);
});

test('compare: two changes in one room are two, and a wall across it is one that makes another island', () => {
  const boxes = compare(ground, withBoxes([8, 8, 1, 3], [20, 20, 1, 3]));
  assert.deepEqual(boxes.ground.filter(({ kind }) => kind === 'lost').map(({ point: [x, , z] }) => Math.round(x + z)).sort(), [16, 40]);
  const { ground: changes, islands } = compare(ground, { ...ground, solids: [{ kind: 'box', min: [0, 0, 14.9], max: [30, 3, 15.1] }] });
  assert.deepEqual(changes.map(({ kind }) => kind), ['lost']);
  assert.deepEqual(islands, { before: 1, after: 2 });
});

test('compare: another area is told from lost ground; ground without flags is lost', () => {
  const mud = (area) => ({ ...ground, volumes: [{ kind: 'box', min: [4, -1, 4], max: [10, 2, 10], area }] });
  const { ground: [marked, ...rest], isSame } = compare(ground, mud(5));
  assert.deepEqual([isSame, marked.kind, rest], [false, 'marked', []]);
  assert.ok(Math.abs(marked.area - 36) < 2.5, `${marked.area}`);
  assert.deepEqual(compare(ground, { ...mud(5), areaFlags: { 5: 0 } }).ground.map(({ kind }) => kind), ['lost']);
  assert.deepEqual(compare(mud(5), { ...mud(5), areaFlags: { 5: 0x10 } }).ground.map(({ kind }) => kind), ['marked']);
});

test('compare: links and connections that only one mesh has', () => {
  const config = { ...AGENT, tileSize: 48, links: { drop: { maxHeight: 3 } } };
  const level = withBoxes([10, 10, 3, 1.5]);
  const { links, connections, isSame } = compare(level, { ...level, offMeshConnections: [{ start: [2, 0, 2], end: [10, 1.5, 10], radius: 0.5, userId: 7 }] }, config);
  assert.deepEqual([links, isSame], [{ lost: [], gained: [] }, false]);
  assert.deepEqual([connections.lost, connections.gained.map(({ userId }) => userId)], [[], [7]]);
  const before = walkmesh.bake(level, config).navMesh, after = walkmesh.loadNavMesh(before.save());
  after.addConnection({ start: [2, 0, 2], end: [20, 0, 20] });
  after.addSegmentLink({ kind: 'jump', start: [[4, 0, 8], [4, 0, 6]], end: [[6, 0, 8], [6, 0, 6]], userId: 9 });
  after.setSegmentLinkEnabled(after.segmentLinks().refs[0], false);
  const { links: { lost, gained }, connections: added, ground: changes } = compareNavMeshes(before, after);
  assert.deepEqual([lost.map(({ enabled }) => enabled), gained.map(({ enabled, userId }) => [enabled, userId]).sort()], [[true], [[false, 0], [true, 9]].sort()]);
  assert.deepEqual([added.lost.length, added.gained.length, changes], [0, 1, []]);
  before.free();
  after.free();
});

test('compare: without tolerance, rounding is no change, near the origin and far from it', () => {
  for (const [at, other] of [[0, 56], [4000, 60]]) {
    const level = { ...ground, positions: Array.from(ground.positions, (value, i) => (i % 3 === 1 ? value : value + at)) };
    const meshes = [48, other].map((tileSize) => walkmesh.bake(level, { ...AGENT, tileSize }).navMesh);
    const { isSame, ground: changes } = compareNavMeshes(...meshes, { tolerance: 0 });
    assert.deepEqual([isSame, changes], [true, []], `${at}`);
    for (const mesh of meshes) mesh.free();
  }
});

test('compare: an object below the ground, which moves all heights a little, changes no link; another cost or peak does', () => {
  const level = { ...withBoxes([10, 10, 3, 1.5]), offMeshConnections: [{ start: [2, 0, 2], end: [10, 1.5, 10], radius: 0.5 }] };
  const make = (/** @type {number} */ lowest) => walkmesh.bake(level, { ...AGENT, tileSize: 48, links: { drop: { maxHeight: 3 } }, bounds: { min: [0, lowest, 0], max: [30, 20, 30] } }).navMesh;
  const before = make(0);
  const add = (/** @type {typeof before} */ navMesh, /** @type {object} */ more) => navMesh.addSegmentLink({ kind: 'jump', start: [[4, 0, 8], [4, 0, 6]], end: [[6, 0, 8], [6, 0, 6]], ...more });
  add(before, { peak: 0.2, cost: 3 });
  const heights = (/** @type {typeof before} */ navMesh) => Array.from(navMesh.segmentLinks().refs, (ref) => navMesh.segmentLink(ref).start[0][1]).sort().join();
  for (const lowest of [-1.03, -0.95]) {
    const after = make(lowest);
    add(after, { peak: 0.2, cost: 3 });
    assert.notEqual(heights(after), heights(before));
    const { isSame, links, connections } = compareNavMeshes(before, after);
    assert.deepEqual([isSame, links, connections], [true, { lost: [], gained: [] }, { lost: [], gained: [] }]);
    after.free();
  }
  for (const [more, count] of /** @type {[object, number][]} */ ([[{ peak: 0.2, cost: 3 }, 0], [{ peak: 1, cost: 3 }, 1], [{ peak: 0.2, cost: 3.5 }, 1]])) {
    const after = make(0);
    add(after, more);
    const { links: { lost, gained } } = compareNavMeshes(before, after);
    assert.deepEqual([lost.length, gained.length], [count, count], JSON.stringify(more));
    after.free();
  }
  const twice = make(0);
  for (let i = 0; i < 2; i++) add(twice, { peak: 0.2, cost: 3 });
  assert.equal(compareNavMeshes(before, twice).links.gained.length, 1, 'the same link twice');
  for (const mesh of [before, twice]) mesh.free();
});

test('compare: an empty mesh, one that was freed, and a wrong tolerance', async () => {
  const { navMesh } = walkmesh.bake(ground, AGENT), empty = walkmesh.loadNavMesh(navMesh.save());
  for (const tile of empty.tileRefs()) empty.removeTile(tile);
  const { ground: [all], area } = compareNavMeshes(navMesh, empty);
  assert.equal(all.kind, 'lost');
  assert.ok(Math.abs(all.area - area.before) < 0.02 * area.before && area.after === 0, `${all.area} ${area.before}`);
  assert.equal(compareNavMeshes(empty, empty).isSame, true);
  assert.throws(() => compareNavMeshes(navMesh, empty, { tolerance: -1 }), { code: 'invalid-argument', field: 'tolerance' });
  assert.throws(() => compareNavMeshes(navMesh, empty, /** @type {any} */ ({ tolerence: 1 })), { code: 'invalid-argument', field: 'tolerence' });
  empty.free();
  assert.throws(() => compareNavMeshes(navMesh, empty), { code: 'state' });
  navMesh.free();
});

test('polygons: each has its reference, which queries take', async () => {
  const instance = await load();
  const { navMesh } = instance.bake({ ...withBoxes([10, 10, 3, 3]), offMeshConnections: [{ start: [2, 0, 2], end: [10, 3, 10], radius: 0.5 }] }, { ...AGENT, tileSize: 48 });
  const polygons = navMesh.polygons(), islands = navMesh.islands();
  assert.equal(polygons.length, navMesh.totals.polygons + 1);
  for (const { ref, vertices, area, flags, isOffMesh } of polygons) {
    assert.deepEqual([navMesh.polygonArea(ref), navMesh.polygonFlags(ref)], [area, flags]);
    if (isOffMesh) continue;
    const middle = [0, 1, 2].map((axis) => vertices.filter((_, i) => i % 3 === axis).reduce((sum, value) => sum + value, 0) / (vertices.length / 3));
    assert.equal(navMesh.nearestPoint(middle, { halfExtents: [0.01, 0.5, 0.01] }).polygon, ref);
  }
  assert.deepEqual(new Set(polygons.map(({ ref }) => islands.of(ref))), new Set([1]));
  navMesh.free();
});
