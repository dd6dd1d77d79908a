// Alternative paths (findPaths with a count): which ways count as different, an oracle of streets, and what holds in all scenes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../js/index.js';
import { compareWalks, countStreets, listWalks, makeLattice, makeStreets, measureWalk, middleOf, walkOf } from './street-lattice.js';
import { loadBoth, makeGround, readScene } from './support.js';

const builds = await loadBoth();
const [walkmesh] = builds;
const CONFIG = { cellSize: 0.2, agentRadius: 0.4 };

/** A level of rectangles: x0, z0, x1, z1 of each. @param {number[][]} rectangles */
function makeFloor(rectangles) {
  const positions = rectangles.flatMap(([x0, z0, x1, z1]) => [x0, 0, z0, x0, 0, z1, x1, 0, z1, x1, 0, z0]);
  return { positions, indices: rectangles.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((corner) => 4 * i + corner)) };
}

/** A floor with a rectangular hole. @param {number[]} floor @param {number[]} hole */
const around = ([x0, z0, x1, z1], [u0, v0, u1, v1]) => makeFloor([[x0, z0, x1, v0], [x0, v1, x1, z1], [x0, v0, u0, v1], [u1, v0, x1, v1]]);

/** @param {ReturnType<typeof makeFloor>} level @param {number[]} from @param {number[]} to @param {object} [options] */
function find(level, from, to, options = {}, instance = walkmesh) {
  const { navMesh } = instance.bake(level, CONFIG);
  const paths = navMesh.findPaths(from, to, { count: 3, ...options });
  navMesh.free();
  return paths;
}

test('alternatives: a count beyond the limit is told with the limit', () => {
  const { navMesh } = walkmesh.bake(makeGround(), {});
  for (const count of [0, 17, 100, 1.5, -1, NaN, '3', null]) {
    assert.throws(() => navMesh.findPaths([2, 0, 2], [8, 0, 8], /** @type {any} */ ({ count })), /must be a whole number from 1 to 16/);
  }
  navMesh.free();
});

test('alternatives: the way around another side of a house counts, on both builds with the same bits', () => {
  const level = around([0, 0, 40, 40], [15, 15, 25, 25]);
  const [simd, scalar] = builds.map((instance) => find(level, [2, 0, 20], [38, 0, 20], {}, instance));
  assert.equal(simd.length, 2);
  assert.deepEqual(simd, scalar);
  const sides = simd.map(({ points }) => Math.sign(points[5] - 20));
  assert.equal(sides[0], -sides[1]);
  // Both lines touch two corners of the house, an erosion of 0.4 to 0.7 away.
  for (const { length } of simd) assert.ok(Math.abs(length - (2 * Math.hypot(12.5, 5.5) + 11)) < 0.6, `${length}`);
});

test('alternatives: the way around a post in a wide street does not count, however many posts', () => {
  const columns = [20, 40, 60, 80];
  const posts = columns.flatMap((x, i) => [[i ? columns[i - 1] + 1 : 0, 0, x, 10], [x, 0, x + 1, 4.5], [x, 5.5, x + 1, 10]]);
  const level = makeFloor([...posts, [81, 0, 100, 10]]);
  assert.equal(find(level, [2, 0, 5], [98, 0, 5]).length, 1);
  assert.ok(find(level, [2, 0, 5], [98, 0, 5], { difference: 0.01 }).length > 1, 'they are other ways, if so little counts');
});

test('alternatives: of two corridors along a thin wall both count', () => {
  const level = around([0, 0, 60, 4.4], [5, 1.9, 55, 2.5]);
  assert.equal(find(level, [2, 0, 2.2], [58, 0, 2.2]).length, 2);
});

test('alternatives: there is none through a dead end, in a bare floor, or longer than maxLength', () => {
  const corridor = makeFloor([[0, 0, 40, 3], [15, 3, 18, 20], [25, 3, 28, 30]]);
  assert.equal(find(corridor, [1, 0, 1.5], [39, 0, 1.5], { difference: 0, maxLength: 10 }).length, 1);
  assert.equal(find(makeFloor([[0, 0, 40, 40]]), [1, 0, 1], [39, 0, 39], { difference: 0, maxLength: 10 }).length, 1);
  const loop = around([0, 0, 40, 20], [3, 3, 37, 17]);
  assert.equal(find(loop, [5, 0, 1.5], [35, 0, 1.5], { maxLength: 1.5 }).length, 1);
  assert.equal(find(loop, [5, 0, 1.5], [35, 0, 1.5], { maxLength: 3 }).length, 2);
});

test('alternatives: on open ground in tiles there is one way, whatever polygons it crosses', () => {
  const random = makeRandom(4), between = () => 1 + 38 * random();
  for (const tileSize of [16, 24, 64]) {
    const { navMesh } = walkmesh.bake(makeFloor([[0, 0, 40, 40]]), { ...CONFIG, tileSize });
    for (let i = 0; i < 40; i++) {
      const from = [between(), 0, between()], to = [between(), 0, between()];
      assert.equal(navMesh.findPaths(from, to, { count: 3 }).length, 1, `${from} to ${to} in tiles of ${tileSize}`);
    }
    navMesh.free();
  }
  const { navMesh } = walkmesh.bake(around([0, 0, 40, 40], [15, 15, 25, 25]), { ...CONFIG, tileSize: 24 });
  assert.equal(navMesh.findPaths([2, 0, 20], [38, 0, 20], { count: 3 }).length, 2, 'both sides of a house');
  navMesh.free();
});

/** The least distance from walls of the corners of a path, without its ends. @param {import('../../js/index.js').NavMesh} navMesh @param {import('../../js/index.js').Path} path */
function leastClearance(navMesh, { points, count }) {
  const clearances = Array.from({ length: count - 2 }, (_, i) => {
    const { polygon, point } = navMesh.nearestPoint(points.subarray(3 * i + 3, 3 * i + 6));
    return navMesh.distanceToWall(polygon, point, 5).distance;
  });
  return Math.min(...clearances);
}

test('alternatives: with wallDistance every way keeps it', () => {
  const { navMesh } = walkmesh.bake(around([0, 0, 40, 40], [15, 15, 25, 25]), CONFIG);
  const ask = (/** @type {object} */ options) => navMesh.findPaths([3, 0, 20], [37, 0, 20], { count: 3, ...options });
  const plain = ask({}), wide = ask({ wallDistance: 1 }), open = ask({ wallDistance: 1, wallCost: 2 });
  assert.deepEqual([plain.length, wide.length, open.length], [2, 2, 2]);
  for (const path of plain) assert.ok(leastClearance(navMesh, path) < 0.1);
  for (const path of [...wide, ...open]) assert.ok(leastClearance(navMesh, path) > 0.9, `${leastClearance(navMesh, path)}`);
  const [, cut] = ask({ wallDistance: 1, maxPoints: 3 });
  assert.deepEqual([cut.isCut, cut.count, cut.points], [true, 3, wide[1].points.subarray(0, 9)]);
  navMesh.free();
});

test('alternatives: a path that is not complete stands alone', () => {
  const level = makeFloor([[0, 0, 10, 10], [20, 0, 30, 10]]);
  const [path, ...others] = find(level, [2, 0, 2], [28, 0, 2]);
  assert.deepEqual([path.status, path.reason, others.length], ['unreachable', 'not-connected', 0]);
  const [none] = find(level, [15, 0, 2], [28, 0, 2]);
  assert.deepEqual([none.reason, none.count], ['start-not-found', 0]);
});

test('alternatives: the first path is that of findPath with the same options', () => {
  const { navMesh } = walkmesh.bake(around([0, 0, 40, 40], [15, 15, 25, 25]), CONFIG);
  for (const options of [{}, { shortest: true }, { anyAngle: true }, { crossings: 'all' }, { maxPoints: 2 }, { islands: true },
    { halfExtents: [1, 1, 1] }, { filter: { areaCosts: { 63: 3 } } }, { maxNodes: 3 }]) {
    const paths = navMesh.findPaths([2, 0, 20], [38, 0, 20], { ...options, count: 2 });
    assert.deepEqual(paths[0], navMesh.findPath([2, 0, 20], [38, 0, 20], options));
    if (!options.maxNodes) assert.equal(paths.length, 2);
    if (options.maxPoints) assert.ok(paths.every(({ isCut, count }) => isCut && count === 2));
    if (options.crossings) assert.ok(paths.every(({ count, corridorCount }) => count >= corridorCount));
  }
  navMesh.free();
});

test('alternatives: wrong options are named', () => {
  const { navMesh } = walkmesh.bake(makeFloor([[0, 0, 10, 10]]), CONFIG);
  for (const [options, field] of [[{ count: 0 }, 'count'], [{ count: 17 }, 'count'], [{ count: 1.5 }, 'count'], [{ count: '3' }, 'count'],
    [{ count: undefined }, 'count'], [{ difference: -1 }, 'difference'], [{ difference: 1.1 }, 'difference'], [{ difference: NaN }, 'difference'],
    [{ maxLength: 0.5 }, 'maxLength'], [{ maxLength: Infinity }, 'maxLength'], [{ maxLenght: 3 }, 'maxLenght']]) {
    assert.throws(() => navMesh.findPaths([1, 0, 1], [9, 0, 9], { count: 3, ...options }), { code: 'invalid-argument', field });
  }
  assert.throws(() => navMesh.findPaths([1, 0], [9, 0, 9], { count: 3 }), { code: 'invalid-argument', field: 'start' });
  assert.throws(() => navMesh.findPaths([1, 0, 1], [9, NaN, 9], { count: 3 }), { code: 'invalid-argument', field: 'end' });
  assert.throws(() => navMesh.findPaths([1, 0, 1], [9, 0, 9], { count: 3 }, []), { code: 'invalid-argument', field: 'out' });
  assert.throws(() => navMesh.findPaths([1, 0, 1], [9, 0, 9], { difference: 0.3 }), { code: 'invalid-argument', field: 'difference' }, 'without a count it is a batch');
  navMesh.free();
});

/** Random numbers from 0 to 1. @param {number} seed */
function makeRandom(seed) {
  return () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** True if no part of a walk is a detour: parts of up to 3 streets are the shortest, others at most 1.7 times as long. @param {number[]} walk @param {number[][]} counts */
function isDirect(walk, counts) {
  return walk.every((from, i) => walk.slice(i + 2).every((to, k) => k + 2 <= (k < 2 ? 1 : 1.7) * counts[from][to]));
}

test('alternatives: on random streets, paths are ways of the oracle, and one is found wherever it has one', (t) => {
  const random = makeRandom(1);
  let asked = 0, paths = 0;
  for (let world = 0; world < 60; world++) {
    const lattice = makeLattice(4, random, 0.75), counts = lattice.next.map((_, node) => countStreets(lattice, node));
    const { navMesh } = walkmesh.bake(makeStreets(lattice), CONFIG);
    for (let pair = 0; pair < 6; pair++) {
      const [from, to] = [Math.floor(random() * 16), Math.floor(random() * 16)];
      if (from === to || counts[from][to] === Infinity) continue;
      const all = navMesh.findPaths(middleOf(lattice, from), middleOf(lattice, to), { count: 4, shortest: true });
      const walks = all.map(({ points }) => walkOf(lattice, points));
      const where = `world ${world}: ${walks.map((walk) => walk.join('-')).join(', ')}`;
      paths += all.length;
      all.forEach(({ length }, i) => {
        const measured = measureWalk(lattice, walks[i]);
        assert.equal(new Set(walks[i]).size, walks[i].length, where);
        assert.ok(Math.abs(length - measured) < 0.03 * measured, `${where}: ${length} instead of ${measured}`);
        assert.ok(length <= 2.001 * all[0].length && (i === 0 || length >= all[i - 1].length - 1e-3), where);
        walks.slice(0, i).forEach((other) => assert.ok(compareWalks(walks[i], other) >= 0.15, where));
      });
      const others = listWalks(lattice, from, to, 2 * counts[from][to] + 2).filter((walk) => isDirect(walk, counts)
        && compareWalks(walk, walks[0]) >= 0.6 && measureWalk(lattice, walk) <= 1.9 * all[0].length);
      asked += others.length > 0 ? 1 : 0;
      assert.ok(others.length === 0 || all.length > 1, `${where}: the oracle has ${others[0]?.join('-')}`);
    }
    navMesh.free();
  }
  t.diagnostic(`${paths} paths; the oracle had another way for ${asked} pairs`);
  assert.ok(asked > 80);
});

/** The least distance of a point from a line, on all axes. @param {ArrayLike<number>} line @param {number[]} point */
function distanceTo(line, point) {
  let best = Infinity;
  for (let i = 0; i + 5 < line.length; i += 3) {
    const along = [0, 1, 2].map((k) => line[i + 3 + k] - line[i + k]), to = [0, 1, 2].map((k) => point[k] - line[i + k]);
    const squared = along.reduce((sum, value) => sum + value * value, 0);
    const f = squared > 0 ? Math.min(1, Math.max(0, along.reduce((sum, value, k) => sum + value * to[k], 0) / squared)) : 0;
    best = Math.min(best, Math.hypot(...to.map((value, k) => value - f * along[k])));
  }
  return best;
}

/** The share of a line that is farther from another one than a distance. @param {ArrayLike<number>} line @param {ArrayLike<number>} other @param {number} distance */
function shareBeyond(line, other, distance) {
  let beyond = 0, all = 0;
  for (let i = 0; i + 5 < line.length; i += 3) {
    const length = Math.hypot(line[i + 3] - line[i], line[i + 4] - line[i + 1], line[i + 5] - line[i + 2]), steps = Math.ceil(length / 0.1);
    for (let s = 0; s < steps; s++) {
      const point = [0, 1, 2].map((k) => line[i + k] + ((line[i + 3 + k] - line[i + k]) * (s + 0.5)) / steps);
      all += length / steps;
      beyond += distanceTo(other, point) > distance ? length / steps : 0;
    }
  }
  return all > 0 ? beyond / all : 0;
}

for (const [name, least] of /** @type {[string, number][]} */ ([['plaza', 20], ['holes', 35], ['city', 20], ['stairs', 20], ['tower', 3], ['terrain', 20], ['maze', 0]])) {
  test(`alternatives: rules in the scene ${name}`, (t) => {
    const { navMesh } = walkmesh.bake(readScene(name), { cellSize: 0.3, agentRadius: 0.6 });
    const random = new Random(3);
    let more = 0;
    for (let i = 0; i < 40; i++) {
      const [from, to] = [0, 1].map(() => Array.from(navMesh.randomPoint({ random }).point));
      const paths = navMesh.findPaths(from, to, { count: 4, difference: 0.4, maxLength: 1.8 });
      assert.deepEqual(paths, navMesh.findPaths(from, to, { count: 4, difference: 0.4, maxLength: 1.8 }));
      assert.deepEqual(paths[0], navMesh.findPath(from, to));
      more += paths.length > 1 ? 1 : 0;
      for (const [k, { status, cost, length, corridor, points, start, end }] of paths.entries()) {
        if (k === 0) continue;
        assert.deepEqual([status, start, end], ['complete', paths[0].start, paths[0].end]);
        assert.equal(new Set(corridor).size, corridor.length);
        assert.ok(length <= 1.81 * paths[0].length && (k === 1 || cost >= paths[k - 1].cost), `${length} ${paths[0].length} ${cost}`);
        // What differs is at least an agent's radius away; the samples are 64 a path.
        for (const other of paths.slice(0, k)) assert.ok(shareBeyond(points, other.points, 0.6) > 0.4 - 3 / 64);
      }
    }
    t.diagnostic(`${more} of 40 pairs have other ways`);
    assert.ok(more >= least);
    navMesh.free();
  });
}
