/**
 * Lines where ground costs differ: out of pools, along roads, over patches of random costs, with links; by hand, and against the
 * cheapest way over points close together on the outlines of all polygons.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { CheapestWay } from './shortest/cheapest-way.js';
import { Random } from './live/random.js';

const walkmesh = await load();
const SEARCHES = /** @type {const} */ ([{ shortest: true }, { anyAngle: true }]);

/** @param {number} side @param {[number, number, number, number, number][]} boxes x, z, width, depth, area */
function makeField(side, boxes) {
  return {
    positions: [0, 0, 0, 0, 0, side, side, 0, side, side, 0, 0], indices: [0, 1, 2, 0, 2, 3],
    volumes: boxes.map(([x, z, width, depth, area]) => ({ kind: /** @type {'box'} */ ('box'), min: [x, -1, z], max: [x + width, 2, z + depth], area })),
  };
}

/** @param {import('../../js/index.js').Path} path */
const pointsOf = (path) => Array.from({ length: path.count }, (_, i) => [...path.points.subarray(3 * i, 3 * i + 3)]);

/** The cost of a line, from many points on it. @param {number[][]} points @param {(x: number, z: number) => number} cost */
function sampleCost(points, cost) {
  let sum = 0;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]], steps = 500;
    for (let k = 0; k < steps; k++) {
      const t = (k + 0.5) / steps;
      sum += (cost(a[0] + (b[0] - a[0]) * t, a[2] + (b[2] - a[2]) * t) * Math.hypot(b[0] - a[0], b[2] - a[2])) / steps;
    }
  }
  return sum;
}

test('cheapest: a path that starts in a pool of acid leaves it at the nearest edge instead of wading to its corner', () => {
  const cost = (x, z) => (x > 20 && x < 40 && z > 20 && z < 40 ? 8 : 1);
  const filter = { areaCosts: { 1: 8 } };
  for (const tileSize of [0, 32, 64]) {
    const { navMesh } = walkmesh.bake(makeField(60, [[20, 20, 20, 20, 1]]), { cellSize: 0.3, agentRadius: 0.3, tileSize });
    for (const [from, to, byHand] of /** @type {[number[], number[], number[][]][]} */ ([
      [[38, 0, 30], [4, 0, 30], [[40.3, 0, 30], [40.3, 0, 40.3], [19.7, 0, 40.3]]], [[38.5, 0, 25], [30, 0, 55], [[40.3, 0, 25], [40.3, 0, 40.3]]],
      [[4, 0, 30], [38, 0, 30], [[19.7, 0, 40.3], [40.3, 0, 40.3], [40.3, 0, 30]]]])) {
      const most = sampleCost([from, ...byHand, to], cost);
      for (const search of SEARCHES) {
        const path = navMesh.findPath(from, to, { filter, ...search });
        assert.equal(path.status, 'complete');
        assert.ok(sampleCost(pointsOf(path), cost) < most * 1.01, `tiles of ${tileSize}: ${path.cost}, by hand ${most}`);
        assert.ok(path.bound <= path.cost);
      }
    }
    navMesh.free();
  }
});

test('cheapest: a path to a place in a thin wedge of lava beside a road enters it from the road', () => {
  const prism = (/** @type {number[][]} */ corners, /** @type {number} */ area) => (
    { kind: /** @type {const} */ ('prism'), vertices: corners.map(([x, z]) => [x, 0, z]), minY: -1, maxY: 1, area });
  const volumes = [prism([[8, 10], [18, 8.5], [12, 8], [8, 9]], 1), prism([[2, 13], [18, 13], [18, 8.7], [8, 10.2], [2, 10.2]], 2)];
  const filter = { areaCosts: { 1: 30, 2: 0.5 } };
  for (const [tileSize, end] of /** @type {const} */ ([[0, [16, 0, 8.4]], [48, [15.5, 0, 8.28]]])) {
    const level = { positions: [0, 0, 0, 0, 0, 20, 30, 0, 20, 30, 0, 0], indices: [0, 1, 2, 0, 2, 3], volumes };
    const { navMesh } = walkmesh.bake(level, { cellSize: 0.2, agentRadius: 0.4, tileSize });
    for (const search of SEARCHES) {
      const cost = (/** @type {readonly number[]} */ a, /** @type {readonly number[]} */ b) => navMesh.findPath(a, b, { filter, ...search }).cost;
      const direct = cost([1, 0, 11], end), over = Math.min(...[0.5, 1, 1.5, 2].map((x) => {
        const via = [end[0] + x, 0, 10.35 - 0.15 * (end[0] + x - 8)];
        return cost([1, 0, 11], via) + cost(via, end);
      }));
      assert.ok(direct < 1.02 * over, `tiles of ${tileSize}: ${direct}, over the road ${over}`);
    }
    navMesh.free();
  }
});

test('cheapest: no points on portals are searched where the shortest line crosses the cheapest ground only', () => {
  const walls = [20, 30, 40, 50].map((x, i) => ({ kind: /** @type {const} */ ('box'), min: [x, -1, i % 2 ? 20 : -1], max: [x + 0.5, 3, i % 2 ? 61 : 40] }));
  const { navMesh } = walkmesh.bake({ ...makeField(60, [[1, 1, 6, 6, 1]]), solids: walls }, { cellSize: 0.3, agentRadius: 0.3, tileSize: 32 });
  const searched = (/** @type {number} */ x, /** @type {number} */ cost) => navMesh.findPath([x, 0, 5], [58, 0, 5], { filter: { areaCosts: { 1: cost } }, shortest: true }).searched;
  assert.ok(searched(10, 8) < 3 * searched(10, 1), 'beside the pool'); // the ordinary search is one of both
  assert.ok(searched(3, 8) > searched(3, 1), 'out of the pool');
  navMesh.free();
});

test('cheapest: a path takes the road through a field, also where both ends lie in one polygon', () => {
  const filter = { areaCosts: { 0: 3, 1: 0.5 } };
  for (const tileSize of [0, 96]) {
    const { navMesh } = walkmesh.bake(makeField(200, [[-1, 95, 202, 10, 1]]), { cellSize: 0.5, agentRadius: 0.5, tileSize });
    const cost = (x, z) => (z > 94.9 && z < 105.6 ? 0.5 : 3);
    for (const [from, to, most] of /** @type {[number[], number[], number][]} */ ([[[30, 0, 100], [130, 0, 75], 110], [[150, 0, 70], [60, 0, 78], 170],
      [[20, 0, 130], [180, 0, 130], 229]])) {
      for (const search of SEARCHES) {
        const path = navMesh.findPath(from, to, { filter, ...search });
        assert.ok(path.cost < most * 1.005 && sampleCost(pointsOf(path), cost) < most * 1.01, `tiles of ${tileSize}: ${path.cost}, by hand ${most}`);
      }
    }
    navMesh.free();
  }
});

test('cheapest: straighten, batches, smooth paths and crossings follow the cheapest line', () => {
  const { navMesh } = walkmesh.bake(makeField(60, [[20, 20, 20, 20, 1]]), { cellSize: 0.3, agentRadius: 0.3 });
  const filter = navMesh.createFilter({ areaCosts: { 1: 8 } });
  const from = [38.5, 0, 25], to = [30, 0, 55], options = /** @type {const} */ ({ filter, shortest: true });
  const path = navMesh.findPath(from, to, options);
  const start = navMesh.nearestPoint(from), end = navMesh.nearestPoint(to);
  assert.ok(start && end);
  const corridor = navMesh.findCorridor(start.polygon, start.point, end.polygon, end.point, options);
  assert.equal(corridor.cost, path.cost);
  assert.deepEqual(pointsOf(navMesh.straighten(start.point, end.point, corridor, options)), pointsOf(path));
  const string = navMesh.straighten(start.point, end.point, corridor);
  assert.ok(string.length < path.length - 1, 'the string stays in the pool');
  const search = navMesh.createSearch();
  search.begin(start.polygon, start.point, end.polygon, end.point, options);
  while (!search.advance(1));
  const sliced = search.finish();
  assert.equal(sliced.cost, path.cost);
  assert.deepEqual(pointsOf(navMesh.straighten(start.point, end.point, sliced, options)), pointsOf(path));
  const batch = navMesh.findPaths([from], [to], options);
  assert.deepEqual([...batch.points.subarray(0, 3 * path.count)], [...path.points.subarray(0, 3 * path.count)]);
  const smooth = navMesh.findSmoothPath(from, to, options);
  assert.ok(Math.abs(smooth.length - path.length) < 0.01);
  const crossed = navMesh.findPath(from, to, { ...options, crossings: 'areas' });
  assert.ok(Math.abs(crossed.length - path.length) < 1e-3 && crossed.cost === path.cost);
  assert.ok(pointsOf(crossed).some(([x, , z]) => Math.abs(x - 40.2) < 0.2 && z < 30), 'a point where the area changes');
  assert.ok(navMesh.findPath(from, to, { ...options, maxPoints: 2 }).isCut);
  const wide = navMesh.findPath(from, to, { ...options, wallDistance: 0.5 });
  assert.equal(wide.status, 'complete');
  navMesh.free();
});

test('cheapest: lines over random patches, pools, roads and islands cost hardly more than the cheapest way over points', () => {
  const random = new Random(4), ratios = [];
  for (let scene = 0; scene < 8; scene++) {
    /** @type {[number, number, number, number, number][]} */
    const boxes = [];
    for (let i = 0; i < 10; i++) boxes.push([random.between(0, 36), random.between(0, 36), random.between(1, 14), random.between(1, 14), random.pick([0, 1, 1, 2, 3])]);
    const areaCosts = { 0: 1, 1: random.between(2, 10), 2: random.between(0.3, 1), 3: random.between(1, 5) };
    const { navMesh } = walkmesh.bake(makeField(40, boxes), { cellSize: 0.25, agentRadius: 0.3, tileSize: [0, 16, 32, 64][scene % 4] });
    const oracle = new CheapestWay(navMesh, areaCosts, 0.5), filter = navMesh.createFilter({ areaCosts });
    for (let pair = 0; pair < 8; pair++) {
      const [from, to] = [0, 1].map(() => navMesh.nearestPoint([random.between(1, 39), 0, random.between(1, 39)]));
      if (!from || !to || navMesh.findPath(from.point, to.point).status !== 'complete') continue;
      const least = oracle.find(from, to);
      for (const search of SEARCHES) {
        const { cost, bound } = navMesh.findPath(from.point, to.point, { filter, ...search });
        assert.ok(bound <= least * 1.0001);
        ratios.push(cost / least);
      }
    }
    navMesh.free();
  }
  ratios.sort((a, b) => a - b);
  assert.ok(ratios.length > 80);
  const [median, most] = [0.5, 0.95].map((share) => ratios[Math.floor(share * ratios.length)]);
  assert.ok(median < 1.005 && most < 1.05, `median ${median}, 95 % ${most}`);
});

test('cheapest: a path over a link that crosses a pool is no dearer than one around it', () => {
  const { navMesh } = walkmesh.bake(makeField(60, [[20, -1, 20, 62, 1]]), { cellSize: 0.3, agentRadius: 0.3 });
  navMesh.addSegmentLink({ start: [[18, 0, 30], [18, 0, 20]], end: [[42, 0, 30], [42, 0, 20]], kind: 'jump', cost: 30 });
  const filter = { areaCosts: { 1: 8 } };
  for (const [z, search] of /** @type {const} */ ([[10, SEARCHES[0]], [24, SEARCHES[0]], [50, SEARCHES[0]], [10, SEARCHES[1]], [24, SEARCHES[1]], [50, SEARCHES[1]]])) {
    const path = navMesh.findPath([4, 0, z], [56, 0, z], { filter, ...search });
    const along = Math.max(0, z - 30, 20 - z), byHand = 2 * Math.hypot(14, along) + 30;
    assert.ok(path.cost < byHand + 0.1, `from ${z}: ${path.cost}, over the link ${byHand}`);
    assert.ok([...path.pointFlags ?? []].length === 0 || path.count >= 4);
  }
  navMesh.free();
});

test('cheapest: agents with shortest leave a pool of acid at the nearest edge instead of wading to its corner', () => {
  for (const tileSize of [0, 32]) {
    const { navMesh } = walkmesh.bake(makeField(60, [[20, 20, 20, 20, 1]]), { cellSize: 0.3, agentRadius: 0.3, tileSize });
    const crowd = navMesh.createCrowd(), from = [38.5, 0, 25], to = [30, 0, 55];
    crowd.setFilter(1, { areaCosts: { 1: 8 } });
    const wading = [false, true].map((shortest) => {
      const agent = crowd.addAgent(from, { maxSpeed: 4, filter: 1, shortest });
      crowd.setTarget(agent, to);
      let seconds = 0;
      for (let step = 0; step < 1200 && crowd.state(agent) !== 'arrived'; step++) {
        crowd.step(1 / 60);
        const [x, , z] = crowd.position(agent);
        if (x > 20 && x < 40 && z > 20 && z < 40) seconds += 1 / 60;
      }
      assert.equal(crowd.state(agent), 'arrived');
      crowd.remove([agent]);
      return seconds;
    });
    assert.ok(wading[1] < 0.8 && wading[0] > wading[1], `tiles of ${tileSize}: ${wading} seconds`);
    navMesh.free();
  }
});
