// Results that are reused: one that can't be written throws a NavError that names `out`, in every query; the next call works.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NavError, load } from '../../js/index.js';
import { leastGarbage } from './garbage.js';
import { makeGround } from './support.js';

const walkmesh = await load();
const { navMesh } = walkmesh.bake(makeGround(20), { tileSize: 32 });
const [a, b] = [[5, 0, 5], [15, 0, 15]].map((near) => navMesh.nearestPoint(near));
const corridor = navMesh.findCorridor(a.polygon, a.point, b.polygon, b.point);
const rows = [[a.polygon, b.polygon], [...a.point, ...b.point], [...b.point, ...a.point]];
const search = navMesh.createSearch();
search.begin(a.polygon, a.point, b.polygon, b.point);
search.advance(100);
const agent = navMesh.createCorridor(a.polygon, a.point);
agent.set(b.point, corridor);

const QUESTIONS = {
  nearestPoint: (out) => navMesh.nearestPoint(a.point, {}, out), closestPoint: (out) => navMesh.closestPoint(a.polygon, a.point, out),
  closestBoundaryPoint: (out) => navMesh.closestBoundaryPoint(a.polygon, a.point, out),
  findPath: (out) => navMesh.findPath(a.point, b.point, {}, out), findSmoothPath: (out) => navMesh.findSmoothPath(a.point, b.point, {}, out),
  findCorridor: (out) => navMesh.findCorridor(a.polygon, a.point, b.polygon, b.point, {}, out),
  straighten: (out) => navMesh.straighten(a.point, b.point, corridor, {}, out), raycast: (out) => navMesh.raycast(a.polygon, a.point, b.point, {}, out),
  moveAlongSurface: (out) => navMesh.moveAlongSurface(a.polygon, a.point, b.point, {}, out),
  distanceToWall: (out) => navMesh.distanceToWall(a.polygon, a.point, 9, {}, out), wallSegments: (out) => navMesh.wallSegments(a.polygon, {}, out),
  localNeighbourhood: (out) => navMesh.localNeighbourhood(a.polygon, a.point, 5, {}, out),
  polygonsInBox: (out) => navMesh.polygonsInBox(a.point, [3, 3, 3], {}, out), polygonsInCircle: (out) => navMesh.polygonsInCircle(a.point, 3, {}, out),
  polygonsInConvex: (out) => navMesh.polygonsInConvex([0, 0, 0, 0, 0, 9, 9, 0, 9], {}, out), flood: (out) => navMesh.flood(a.polygon, a.point, {}, out),
  randomPoint: (out) => navMesh.randomPoint({}, out), randomPointAround: (out) => navMesh.randomPointAround(a.polygon, a.point, 3, {}, out),
  nearestPoints: (out) => navMesh.nearestPoints(rows[1], {}, out), raycasts: (out) => navMesh.raycasts(...rows, {}, out),
  moves: (out) => navMesh.moves(...rows, {}, out), heights: (out) => navMesh.heights(rows[0], rows[1], out),
  wallDistances: (out) => navMesh.wallDistances(rows[0], rows[1], 5, {}, out), randomPoints: (out) => navMesh.randomPoints(2, {}, out),
  findPaths: (out) => navMesh.findPaths(rows[1], rows[2], {}, out), 'search.finish': (out) => search.finish(out),
  'search.finishAlong': (out) => search.finishAlong(corridor, out), 'corridor.corners': (out) => agent.corners(3, out),
};

/** The result with its first point frozen; undefined if it has none. */
function freezePoint(answer) {
  const holder = Array.isArray(answer.point) ? answer : answer.start;
  if (!holder) return undefined;
  Object.freeze(holder.point);
  return answer;
}

// First, as the tests below pass results of all kinds, for which engines keep numbers in objects.
test('out: a warmed-up query whose results differ in length makes no garbage', async () => {
  const ends = [0, 1, 2, 3, 4, 5].map((i) => navMesh.nearestPoint([6 + 2.2 * i, 0, 5 + 2.4 * i]));
  const options = {}, box = [1, 1, 1], out = /** @type {any[]} */ ([undefined, undefined, undefined, undefined]);
  const corridors = ends.map(({ polygon, point }) => navMesh.findCorridor(a.polygon, a.point, polygon, point));
  assert.ok(new Set(corridors.map(({ count }) => count)).size > 1);
  const [polygon] = [null, a.polygon].slice(1); // V8 puts a number from a field into an object for each call
  let next = 0;
  const questions = {
    findPath: (i) => (out[0] = navMesh.findPath(a.point, ends[i].point, options, out[0])),
    straighten: (i) => (out[1] = navMesh.straighten(a.point, ends[i].point, corridors[i], options, out[1])),
    raycast: (i) => (out[2] = navMesh.raycast(polygon, a.point, ends[i].point, options, out[2])),
    polygonsInBox: (i) => (out[3] = navMesh.polygonsInBox(ends[i].point, box, options, out[3])),
  };
  for (const [name, question] of Object.entries(questions)) {
    const ask = () => question(next++ % ends.length);
    for (let i = 0; i < 6000; i++) question(Math.floor((i / 6000) * ends.length)); // engines have seen the results grow
    const garbage = await leastGarbage(ask, { calls: 5000, below: 2 });
    assert.ok(garbage < 2, `${name}: ${garbage} bytes per call`);
  }
});

for (const [name, ask] of Object.entries(QUESTIONS)) {
  test(`out: ${name} says that it cannot be written`, () => {
    for (const out of [Object.freeze(ask()), Object.freeze({}), Object.seal({}), freezePoint(ask()), 7, 'out', [], new Float32Array(3), () => {}]) {
      if (out === undefined) continue;
      assert.throws(() => ask(out), (error) => {
        assert.ok(error instanceof NavError, `${error.stack}`);
        assert.equal(error.code, 'invalid-argument');
        assert.equal(error.field, 'out');
        return true;
      });
    }
    const out = {};
    assert.equal(ask(out), out);
    assert.equal(ask(null) === null, false);
  });
}

test('out: a warmed-up straight path into an earlier result makes no garbage', async () => {
  const options = { crossings: /** @type {const} */ ('none') }, path = navMesh.straighten(a.point, b.point, corridor, options);
  for (const given of [corridor, corridor.polygons]) {
    const ask = () => navMesh.straighten(a.point, b.point, given, options, path);
    for (let i = 0; i < 20000; i++) ask();
    const garbage = await leastGarbage(ask, { calls: 5000, below: 2 });
    assert.ok(garbage < 2, `${garbage} bytes per call`);
  }
});
