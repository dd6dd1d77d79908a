// Tiles and off-mesh connections added and removed at run time, through the package.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadBoth, makeGround } from './support.js';

const builds = await loadBoth();
const isStale = { name: 'NavError', code: 'stale-reference' };
const isArgument = { name: 'NavError', code: 'invalid-argument' };
const ENDS = [[1, 0, 10], [19, 0, 10]];

const makeMesh = (walkmesh) => walkmesh.bake(makeGround(20), { tileSize: 16 }).navMesh;

for (const walkmesh of builds) {
  const build = walkmesh.simd ? 'SIMD' : 'scalar';

  test(`tiles: removed, added and replaced, ${build}`, () => {
    const navMesh = makeMesh(walkmesh);
    const before = navMesh.findPath(...ENDS);
    assert.equal(before.status, 'complete');
    const middle = navMesh.tiles().filter(({ x }) => x === 2);
    assert.ok(middle.length > 1);
    const { polygon } = navMesh.nearestPoint([12, 0, 10]);
    for (const { ref, x, z, layer } of middle) {
      assert.equal(navMesh.tileAt(x, z, layer), ref);
      navMesh.removeTile(ref);
      assert.equal(navMesh.tileAt(x, z, layer), 0);
      assert.throws(() => navMesh.removeTile(ref), isStale);
    }
    assert.equal(navMesh.findPath(...ENDS).status, 'unreachable');
    assert.throws(() => navMesh.polygonFlags(polygon), isStale);
    assert.throws(() => navMesh.raycast(polygon, [12, 0, 10], [13, 0, 10]), isStale);
    const refs = middle.map(({ bytes }) => navMesh.addTile(bytes));
    assert.throws(() => navMesh.addTile(middle[0].bytes), { name: 'NavError', code: 'state' });
    const after = navMesh.findPath(...ENDS);
    assert.deepEqual([after.status, after.length], ['complete', before.length]);
    assert.throws(() => navMesh.polygonFlags(polygon), isStale, 'it stays so');
    assert.equal(navMesh.replaceTile(middle[0].bytes), refs[0], 'the same bytes: nothing has changed');
    const [other] = walkmesh.bake(makeGround(20), { tileSize: 16, agentRadius: 0.9 }).navMesh.tiles()
      .filter(({ x, z }) => x === middle[0].x && z === middle[0].z);
    const replaced = navMesh.replaceTile(other.bytes);
    assert.notEqual(replaced, refs[0]);
    assert.throws(() => navMesh.polygonFlags(refs[0]), isStale);
    assert.equal(navMesh.polygonFlags(replaced), 1);
    navMesh.free();
  });

  test(`tiles: flags, areas and their state, ${build}`, () => {
    const navMesh = makeMesh(walkmesh);
    const { polygon } = navMesh.nearestPoint([10, 0, 10]);
    const state = navMesh.saveTileState(polygon);
    navMesh.setPolygonFlags(polygon, 0x8001);
    navMesh.setPolygonArea(polygon, 9);
    assert.deepEqual([navMesh.polygonFlags(polygon), navMesh.polygonArea(polygon)], [0x8001, 9]);
    assert.notEqual(navMesh.nearestPoint([10, 0, 10], { filter: { excludeFlags: 0x8000 } })?.polygon, polygon);
    navMesh.restoreTileState(state);
    assert.deepEqual([navMesh.polygonFlags(polygon), navMesh.polygonArea(polygon)], [1, 0]);
    assert.throws(() => navMesh.setPolygonFlags(polygon, 0x10000), { ...isArgument, field: 'flags' });
    assert.throws(() => navMesh.setPolygonArea(polygon, 64), { ...isArgument, field: 'area' });
    assert.throws(() => navMesh.setPolygonArea(12345, 6), isArgument);
    assert.throws(() => navMesh.restoreTileState(state.subarray(1)), { name: 'NavError', code: 'corrupt' });
    assert.throws(() => navMesh.restoreTileState('state'), { ...isArgument, field: 'bytes' });
    const tile = navMesh.tiles().find(({ ref }) => Math.floor(ref / 2 ** 20) === Math.floor(polygon / 2 ** 20));
    navMesh.removeTile(polygon);
    navMesh.addTile(tile.bytes);
    assert.throws(() => navMesh.restoreTileState(state), isStale);
    assert.throws(() => navMesh.saveTileState(polygon), isStale);
    navMesh.free();
  });

  test(`tiles: bytes from outside are checked, and a refused tile changes nothing, ${build}`, () => {
    const navMesh = makeMesh(walkmesh);
    const [{ bytes }] = navMesh.tiles();
    const saved = navMesh.save();
    for (const wrong of [new Uint8Array(0), bytes.subarray(1), bytes.map((byte, i) => (i === 28 ? 255 : byte))]) {
      assert.throws(() => navMesh.addTile(wrong), { name: 'NavError', code: 'corrupt' });
      assert.throws(() => navMesh.replaceTile(wrong), { name: 'NavError', code: 'corrupt' });
    }
    for (const wrong of [undefined, [1], 'tile']) assert.throws(() => navMesh.addTile(wrong), { ...isArgument, field: 'bytes' });
    assert.deepEqual(navMesh.save(), saved);
    navMesh.free();
  });

  test(`connections: made, switched, re-costed and removed, ${build}`, () => {
    const navMesh = makeMesh(walkmesh);
    for (const { ref, x } of navMesh.tiles()) if (x === 2) navMesh.removeTile(ref);
    assert.equal(navMesh.findPath(...ENDS).status, 'unreachable');
    const connection = navMesh.addConnection({ start: { x: 8, y: 0, z: 10 }, end: [16, 0, 10], radius: 1, userId: 77,
      bidirectional: false, area: 3, flags: 5, costFactor: 0.5 });
    const there = navMesh.findPath(...ENDS);
    assert.equal(there.status, 'complete');
    assert.ok(there.corridor.includes(connection));
    assert.equal(there.offMesh.reduce((sum, bit) => sum + bit, 0), 1);
    assert.equal(navMesh.findPath(ENDS[1], ENDS[0]).status, 'unreachable', 'one way');
    const known = navMesh.connection(connection);
    assert.deepEqual([known.start, known.end, known.userId, known.bidirectional, known.enabled, known.area, known.flags,
      known.costFactor, known.startTied, known.endTied], [[8, 0, 10], [16, 0, 10], 77, false, true, 3, 5, 0.5, true, true]);
    assert.deepEqual([navMesh.polygonFlags(connection), navMesh.polygonArea(connection)], [5, 3]);
    navMesh.setConnectionCost(connection, 10);
    assert.ok(navMesh.findPath(...ENDS).cost > there.cost + 8);
    navMesh.setConnectionEnabled(connection, false);
    assert.equal(navMesh.findPath(...ENDS).status, 'unreachable');
    assert.equal(navMesh.connection(connection).enabled, false);
    navMesh.setConnectionEnabled(connection, true);
    const second = navMesh.addConnection({ start: [1, 0, 1], end: [2, 0, 2], radius: 0.5 });
    assert.deepEqual(navMesh.connections(), [connection, second]);
    assert.equal(navMesh.tiles().length, navMesh.totals.tiles);
    navMesh.removeConnection(connection);
    assert.deepEqual(navMesh.connections(), [second]);
    assert.throws(() => navMesh.connection(connection), isStale);
    assert.throws(() => navMesh.removeConnection(connection), isStale);
    assert.throws(() => navMesh.connection(navMesh.nearestPoint([1, 0, 1]).polygon), isArgument);
    for (const [field, value] of [['start', [0, 0]], ['end', [NaN, 0, 0]], ['radius', -1], ['climb', 'high'], ['area', 64],
      ['flags', 1.5], ['userId', -1], ['costFactor', NaN], ['enabled', 1], ['bidirectional', 'no']]) {
      assert.throws(() => navMesh.addConnection({ start: [1, 0, 1], end: [2, 0, 2], [field]: value }), { ...isArgument, field });
    }
    assert.deepEqual(navMesh.connections(), [second]);
    navMesh.free();
  });
}

test('tiles: isStale accepts a path of findPath, also one with arrays to spare', () => {
  const [walkmesh] = builds;
  const { navMesh } = walkmesh.bake(makeGround(40), { tileSize: 32 });
  const path = navMesh.findPath([2, 0, 2], [38, 0, 38]);
  const spare = { ...path, corridor: Float64Array.of(...path.corridor, 0, 0) };
  for (const each of [path, spare, path.corridor]) assert.equal(navMesh.isStale(each), false);
  assert.equal(navMesh.isStale(spare.corridor), true, '0 is stale');
  navMesh.removeTile(path.corridor[0]);
  for (const each of [path, spare, path.corridor]) assert.equal(navMesh.isStale(each), true);
  assert.throws(() => navMesh.isStale({ corridor: 5 }), { code: 'invalid-argument', field: 'polygons' });
  navMesh.free();
});
