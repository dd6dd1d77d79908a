/**
 * Lines with a distance from walls where ground costs differ: against the cheapest way over points of the mesh eroded by the distance,
 * and by hand.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { CheapestWay } from './shortest/cheapest-way.js';
import { Random } from './live/random.js';

const walkmesh = await load();

/** @param {number} side @param {number[][]} boxes x, z, width, depth, area; without an area it is a wall */
function makeField(side, boxes) {
  const all = boxes.map(([x, z, width, depth, area]) => ({ kind: /** @type {const} */ ('box'), min: [x, -1, z], max: [x + width, 2, z + depth], area }));
  return {
    positions: [0, 0, 0, 0, 0, side, side, 0, side, side, 0, 0], indices: [0, 1, 2, 0, 2, 3],
    volumes: all.filter(({ area }) => area !== undefined), solids: all.filter(({ area }) => area === undefined).map(({ kind, min, max }) => ({ kind, min, max })),
  };
}

/** Patches of three areas, and walls between them. @param {Random} random */
function makePatches(random) {
  /** @type {number[][]} */
  const boxes = [];
  for (let i = 0; i < 8; i++) {
    const [x, z, width, depth] = [random.between(0, 26), random.between(0, 26), random.between(1, 12), random.between(1, 12)];
    boxes.push([x, z, width, depth, random.pick([1, 1, 2, 3])]);
  }
  for (let i = 0; i < 5; i++) {
    const [x, z, length] = [random.between(2, 26), random.between(2, 26), random.between(1, 8)];
    boxes.push(i % 2 ? [x, z, length, 0.5] : [x, z, 0.5, length]);
  }
  const dear = random.between(2, 10), cheap = random.between(0.3, 1), other = random.between(1, 5);
  return { level: makeField(30, boxes), areaCosts: { 0: 1, 1: dear, 2: cheap, 3: other } };
}

/**
 * Measures lines by the areas of the polygons below them, on edges by the cheaper one.
 * @param {import('../../js/index.js').NavMesh} navMesh @param {Record<number, number>} areaCosts
 */
function makeMeter(navMesh, areaCosts) {
  const areas = new Map([...navMesh.polygons()].map(({ ref, area }) => [ref, area]));
  const costAt = (/** @type {number} */ x, /** @type {number} */ z) => Math.min(...[[0, 0], [0.01, 0.01], [-0.01, 0.01], [0.01, -0.01], [-0.01, -0.01]].map(([dx, dz]) => {
    const nearest = navMesh.nearestPoint([x + dx, 0, z + dz], { halfExtents: [0.3, 1, 0.3] });
    return nearest ? areaCosts[areas.get(nearest.polygon) ?? 0] ?? 1 : Infinity;
  }));
  return (/** @type {ArrayLike<number>} */ points, /** @type {number} */ count) => {
    let sum = 0;
    for (let i = 1; i < count; i++) {
      const [x, z, toX, toZ] = [points[3 * i - 3], points[3 * i - 1], points[3 * i], points[3 * i + 2]], length = Math.hypot(toX - x, toZ - z);
      const steps = Math.ceil(length / 0.08);
      for (let k = 0.5; k < steps; k++) sum += (costAt(x + ((toX - x) * k) / steps, z + ((toZ - z) * k) / steps) * length) / steps;
    }
    return sum;
  };
}

test('cheapest room: a line with a distance passes round a pool as the line without one does', () => {
  const areaCosts = { 1: 8 }, level = makeField(60, [[20, 20, 20, 20, 1], [28, 42, 0.5, 20], [44, -1, 0.5, 30]]);
  for (const tileSize of [0, 32, 64]) {
    const { navMesh } = walkmesh.bake(level, { cellSize: 0.3, agentRadius: 0.3, tileSize });
    const filter = navMesh.createFilter({ areaCosts }), measure = makeMeter(navMesh, areaCosts);
    for (const [from, to] of [[[38, 0, 30], [4, 0, 30]], [[38.5, 0, 25], [30, 0, 55]], [[4, 0, 30], [38, 0, 30]], [[10, 0, 30], [55, 0, 10]], [[30, 0, 10], [10, 0, 50]]]) {
      for (const search of [{ shortest: true }, { anyAngle: true }]) {
        for (const wallDistance of [0.5, 1.5]) {
          const label = `tiles of ${tileSize}, distance ${wallDistance}: ${from} to ${to}`;
          const plain = navMesh.findPath(from, to, { filter, ...search }), path = navMesh.findPath(from, to, { filter, ...search, wallDistance });
          const cost = measure(path.points, path.count);
          assert.ok(cost < plain.cost * 1.03 + 2 * wallDistance, `${label}: ${cost}, without the distance ${plain.cost}`);
          assert.ok(Math.abs(path.cost - cost) < 0.02 * cost, `${label}: cost ${path.cost}, measured ${cost}`);
          const crossed = navMesh.findPath(from, to, { filter, ...search, wallDistance, crossings: 'all' });
          assert.ok(Math.abs(crossed.cost - path.cost) < 1e-3 * cost);
        }
      }
    }
    navMesh.free();
  }
});

test('cheapest room: lines over random patches between walls cost hardly more than the cheapest way on the mesh eroded by the distance', () => {
  const random = new Random(9), ratios = [];
  for (let scene = 0; scene < 6; scene++) {
    const { level, areaCosts } = makePatches(random), wallDistance = [0.5, 1][scene % 2];
    const config = { cellSize: 0.25, agentRadius: 0.4, tileSize: [0, 16, 48][scene % 3] };
    const { navMesh } = walkmesh.bake(level, config), { navMesh: eroded } = walkmesh.bake(level, { ...config, agentRadius: 0.4 + wallDistance });
    const filter = navMesh.createFilter({ areaCosts }), measure = makeMeter(navMesh, areaCosts), oracle = new CheapestWay(eroded, areaCosts, 0.5);
    for (let pair = 0; pair < 8; pair++) {
      const places = [0, 0, 0, 0].map(() => random.between(1, 29));
      const from = eroded.nearestPoint([places[0], 0, places[1]]), to = eroded.nearestPoint([places[2], 0, places[3]]);
      if (!from || !to || eroded.findPath(from.point, to.point).status !== 'complete') continue;
      const least = oracle.find(from, to), path = navMesh.findPath(from.point, to.point, { filter, shortest: true, wallDistance });
      const cost = measure(path.points, path.count), label = `scene ${scene}, pair ${pair}`;
      assert.ok(cost < 1.25 * least, `${label}: ${cost}, with the distance it needs ${least}`);
      assert.ok(Math.abs(path.cost - cost) < 0.05 * cost, `${label}: cost ${path.cost}, measured ${cost}`);
      ratios.push(cost / least);
    }
    navMesh.free();
    eroded.free();
  }
  ratios.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => ratios[Math.floor(share * ratios.length)];
  assert.ok(ratios.length > 30 && at(0.5) < 1.005 && at(0.9) < 1.05, `${ratios.length}: ${ratios}`);
});

test('cheapest room: searches in slices and batches find that line', () => {
  const { navMesh } = walkmesh.bake(makeField(60, [[20, 20, 20, 20, 1], [28, 42, 0.5, 20]]), { cellSize: 0.3, agentRadius: 0.3, tileSize: 64 });
  const filter = navMesh.createFilter({ areaCosts: { 1: 8 } }), options = { filter, shortest: true, wallDistance: 1 };
  const path = navMesh.findPath([38.5, 0, 25], [10, 0, 50], options);
  assert.ok(path.start && path.end);
  const search = navMesh.createSearch();
  search.begin(path.start.polygon, path.start.point, path.end.polygon, path.end.point, options);
  while (!search.advance(1));
  const line = navMesh.straighten(path.start.point, path.end.point, search.finish(), { filter, shortest: true, wallDistance: 1 });
  assert.deepEqual(line.points, path.points);
  const batch = navMesh.findPaths([[38.5, 0, 25]], [[10, 0, 50]], options);
  assert.deepEqual(batch.points.subarray(0, 3 * path.count), path.points);
  navMesh.free();
});

test('cheapest room: a line that starts along the border of a pool, on its cheap side, reads only its corridor', () => {
  const level = makeField(30, [[5, 5, 20, 20, 1], [8, 3, 14, 0.5], [12, 12, 2, 2], [18, 9, 1, 1]]), areaCosts = { 1: 8 };
  const { navMesh } = walkmesh.bake(level, { cellSize: 0.25, agentRadius: 0.4, tileSize: 0 });
  const filter = navMesh.createFilter({ areaCosts }), measure = makeMeter(navMesh, areaCosts);
  for (let x = 5.5; x < 24; x += 0.5) {
    for (const [toX, wallDistance] of [[8, 1], [16, 2], [22, 3]]) {
      const path = navMesh.findPath([x, 0, 5], [toX, 0, 7], { filter, shortest: true, wallDistance }), cost = measure(path.points, path.count);
      assert.equal(path.status, 'complete');
      assert.ok(path.cost > 0.95 * cost - 0.3 && path.cost < Infinity, `${x} to ${toX}: cost ${path.cost}, measured ${cost}`);
    }
  }
  navMesh.free();
});

test('cheapest room: of several ways with a distance, the first costs least, as costs are those of the lines', () => {
  const random = new Random(12);
  let compared = 0;
  for (let scene = 0; scene < 8; scene++) {
    const { level, areaCosts } = makePatches(random);
    const { navMesh } = walkmesh.bake(level, { cellSize: 0.25, agentRadius: 0.4, tileSize: [0, 16, 48][scene % 3] });
    const filter = navMesh.createFilter({ areaCosts }), measure = makeMeter(navMesh, areaCosts);
    for (let pair = 0; pair < 6; pair++) {
      const places = [0, 0, 0, 0].map(() => random.between(1, 29));
      const ways = navMesh.findPaths([places[0], 0, places[1]], [places[2], 0, places[3]], { filter, shortest: true, wallDistance: 0.8, count: 3 });
      for (const [i, way] of ways.entries()) {
        assert.ok(i === 0 || way.cost >= ways[i - 1].cost, `scene ${scene}, pair ${pair}: ${ways.map(({ cost }) => cost)}`);
        const cost = measure(way.points, way.count);
        assert.ok(way.status !== 'complete' || Math.abs(way.cost - cost) < 0.05 * cost + 0.3, `scene ${scene}, pair ${pair}, way ${i}: cost ${way.cost}, measured ${cost}`);
      }
      compared += ways.length - 1;
    }
    navMesh.free();
  }
  assert.ok(compared > 10, `${compared} ways`);
});
