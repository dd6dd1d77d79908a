// Many queries in one call: results equal those of single queries to the bit; an invalid row affects no other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random, errorCode, pathReason, pathStatus } from '../../js/index.js';
import { loadBoth, makeGround, readScene } from './support.js';

const builds = await loadBoth();
const COUNT = 200;
const isArgument = (field) => ({ name: 'NavError', code: 'invalid-argument', ...(field ? { field } : {}) });

/** A mesh with random points on it, and their targets. */
function makeWorld(walkmesh) {
  const { navMesh } = walkmesh.bake(readScene('plaza'), { tileSize: 32 });
  const random = new Random(7);
  const [starts, ends] = [0, 1].map(() => navMesh.randomPoints(COUNT, { random }));
  return { navMesh, starts, ends };
}

/** Row i of an array of points. */
const row = (points, i) => points.subarray(3 * i, 3 * i + 3);

for (const walkmesh of builds) {
  const build = walkmesh.simd ? 'SIMD' : 'scalar';

  test(`batches: equal the single questions, ${build}`, () => {
    const { navMesh, starts, ends } = makeWorld(walkmesh);
    const to = starts.points.map((value, i) => value + Math.sin(i) * (i % 3 === 1 ? 0.1 : 2));
    const nearest = navMesh.nearestPoints(to, { heightPreference: 'closest' });
    const rays = navMesh.raycasts(starts.polygons, starts.points, ends.points);
    const moves = navMesh.moves(starts.polygons, starts.points, to);
    const heights = navMesh.heights(starts.polygons, to);
    const walls = navMesh.wallDistances(starts.polygons, starts.points, 5);
    const paths = navMesh.findPaths(starts.points, ends.points, { crossings: 'areas' });
    for (let i = 0; i < COUNT; i++) {
      const [ref, from] = [starts.polygons[i], row(starts.points, i)];
      const point = navMesh.nearestPoint(row(to, i), { heightPreference: 'closest' });
      assert.deepEqual([nearest.polygons[i], [...row(nearest.points, i)], nearest.over[i]],
        point ? [point.polygon, point.point, point.isOver ? 1 : 0] : [0, [0, 0, 0], 0]);
      const ray = navMesh.raycast(ref, from, row(ends.points, i));
      assert.deepEqual([rays.t[i], [...row(rays.points, i)], [...row(rays.normals, i)], rays.polygons[i]],
        [ray.t, ray.point, ray.normal, ray.polygon]);
      const move = navMesh.moveAlongSurface(ref, from, row(to, i));
      assert.deepEqual([moves.polygons[i], [...row(moves.points, i)]], [move.polygon, move.point]);
      const height = navMesh.height(ref, row(to, i));
      assert.deepEqual([heights.found[i], heights.heights[i]], [height === null ? 0 : 1, height ?? 0]);
      const wall = navMesh.distanceToWall(ref, from, 5);
      assert.deepEqual([walls.distances[i], [...row(walls.points, i)], [...row(walls.normals, i)]],
        [wall.distance, wall.point, wall.normal]);
      const path = navMesh.findPath(from, row(ends.points, i), { crossings: 'areas' });
      assert.deepEqual([pathStatus(paths.states[i]), pathReason(paths.reasons[i]), paths.costs[i], paths.lengths[i],
        paths.remaining[i]], [path.status, path.reason, path.cost, path.length, path.remaining]);
      assert.deepEqual(paths.points.subarray(3 * paths.pathStarts[i], 3 * paths.pathStarts[i + 1]), path.points);
    }
    assert.equal(paths.points.length, 3 * paths.pathStarts[COUNT]);
    for (const { statuses } of [nearest, rays, moves, heights, walls, paths]) assert.ok(statuses.every((status) => status === 0));
    const [one, many] = [new Random(3), new Random(3)];
    const points = navMesh.randomPoints(20, { random: many });
    for (let i = 0; i < 20; i++) {
      const { polygon, point } = navMesh.randomPoint({ random: one });
      assert.deepEqual([points.polygons[i], [...row(points.points, i)]], [polygon, point]);
    }
    assert.deepEqual(navMesh.randomPoint({ random: one }), navMesh.randomPoint({ random: many }), 'both generators went on alike');
    navMesh.free();
  });

  test(`batches: a bad row has its status and zeros, the others are answered, ${build}`, () => {
    const { navMesh, starts, ends } = makeWorld(walkmesh);
    const [tile] = navMesh.tiles();
    navMesh.removeTile(tile.ref);
    navMesh.addTile(tile.bytes);
    const [stale, nowhere] = [tile.ref, 2 ** 52 + 5];
    const good = starts.polygons.findIndex((ref) => Math.floor(ref / 2 ** 20) !== Math.floor(tile.ref / 2 ** 20));
    const [ref, from, to] = [starts.polygons[good], row(starts.points, good), row(ends.points, good)];
    const refs = Float64Array.of(ref, stale, nowhere, 0, 0.5, NaN, -1, ref, ref);
    const repeat = (point, bad) => Float32Array.from([...Array(8).fill([...point]).flat(), ...(bad ? [NaN, 0, 0] : point)]);
    const codes = [undefined, 'stale-reference', 'invalid-argument', 'invalid-argument', 'invalid-argument', 'invalid-argument',
      'invalid-argument', undefined, 'invalid-argument'];
    const rays = navMesh.raycasts(refs, repeat(from, true), repeat(to));
    assert.deepEqual(Array.from(rays.statuses, errorCode), codes);
    for (let i = 0; i < refs.length; i++) {
      if (codes[i]) assert.deepEqual([rays.t[i], [...row(rays.points, i)], rays.polygons[i]], [0, [0, 0, 0], 0], `row ${i}`);
    }
    assert.equal(rays.t[7], navMesh.raycast(ref, from, to).t);
    assert.deepEqual(Array.from(navMesh.moves(refs, repeat(from, true), repeat(to)).statuses, errorCode), codes);
    assert.deepEqual(Array.from(navMesh.heights(refs, repeat(from, true)).statuses, errorCode), codes);
    assert.deepEqual(Array.from(navMesh.wallDistances(refs, repeat(from, true), 5).statuses, errorCode), codes);
    const points = navMesh.nearestPoints([...from, NaN, 0, 0, 0, Infinity, 0, ...from]);
    assert.deepEqual(Array.from(points.statuses, errorCode), [undefined, 'invalid-argument', 'invalid-argument', undefined]);
    assert.deepEqual([points.polygons[1], points.polygons[2]], [0, 0]);
    const paths = navMesh.findPaths([...from, NaN, 0, 0, ...from], [...to, ...to, ...to]);
    assert.deepEqual(Array.from(paths.statuses, errorCode), [undefined, 'invalid-argument', undefined]);
    assert.equal(paths.pathStarts[1], paths.pathStarts[2]);
    assert.deepEqual(paths.points.subarray(3 * paths.pathStarts[2]), navMesh.findPath(from, to).points);
    navMesh.free();
  });
}

test('batches: what all rows share is checked at once', () => {
  const { navMesh } = builds[0].bake(makeGround(), {});
  const { polygon } = navMesh.nearestPoint([5, 0, 5]);
  const one = [[polygon], [5, 0, 5]];
  assert.throws(() => navMesh.nearestPoints([1, 2]), isArgument('points'));
  assert.throws(() => navMesh.nearestPoints('abc'), isArgument('points'));
  assert.throws(() => navMesh.nearestPoints([5, 0, 5], { halfExtents: [-1, 1, 1] }), isArgument('halfExtents'));
  assert.throws(() => navMesh.raycasts([polygon], [1, 0], [1, 0, 1]), isArgument('from'));
  assert.throws(() => navMesh.raycasts([polygon], [1, 0, 1], undefined), isArgument('to'));
  assert.throws(() => navMesh.raycasts(...one, [1, 0, 1], { filter: { areaCosts: new Float32Array(64).fill(-1) } }), isArgument());
  assert.throws(() => navMesh.moves(...one, [1, 0, 1], { onSurface: 1 }), isArgument('onSurface'));
  assert.throws(() => navMesh.wallDistances(...one, -1), isArgument('maxDistance'));
  assert.throws(() => navMesh.wallDistances(...one, NaN), isArgument('maxDistance'));
  assert.throws(() => navMesh.randomPoints(-1), isArgument('count'));
  assert.throws(() => navMesh.findPaths([1, 0, 1], [1, 0]), isArgument('ends'));
  assert.throws(() => navMesh.heights([polygon], [5, 0, 5], { heights: [] }), isArgument('out'));
  assert.throws(() => navMesh.heights([polygon], [5, 0, 5], { heights: new Proxy(new Float32Array(1), {}) }), isArgument('out'));
  for (const empty of [navMesh.nearestPoints([]), navMesh.raycasts([], [], []), navMesh.moves([], [], []), navMesh.heights([], []),
    navMesh.wallDistances([], [], 1), navMesh.randomPoints(0), navMesh.findPaths([], [])]) assert.equal(empty.count, 0);
  navMesh.free();
});

test('batches: answers are filled in anew, without growth of memory', () => {
  const { navMesh, starts, ends } = makeWorld(builds[0]);
  const out = navMesh.raycasts(starts.polygons, starts.points, ends.points);
  const paths = navMesh.findPaths(starts.points, ends.points);
  const { t, points } = out;
  const { bytes, wasmBytes } = builds[0].memory();
  for (let round = 0; round < 50; round++) {
    assert.equal(navMesh.raycasts(starts.polygons.subarray(0, 10), starts.points, ends.points, {}, out), out);
    navMesh.findPaths(starts.points, ends.points, {}, paths);
  }
  assert.deepEqual([out.t, out.points].map((array, i) => array === [t, points][i]), [true, true]);
  assert.equal(out.count, 10);
  const after = builds[0].memory();
  assert.deepEqual([after.bytes, after.wasmBytes], [bytes, wasmBytes]);
  navMesh.free();
});
