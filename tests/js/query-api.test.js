// Every query through the package: its meaning, reused results, growth of memory, freed objects.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Filter, Random, load } from '../../js/index.js';
import { Random as Numbers } from './live/random.js';
import { makeBoxes } from './rooms.js';
import { ROOT, loadBoth, makeGround, readScene } from './support.js';

const builds = await loadBoth();
const [walkmesh] = builds;
const tile = readFileSync(join(ROOT, 'tests', 'golden', 'queries', 'plaza', 'tile.bin'));
const isArgument = (field) => ({ name: 'NavError', code: 'invalid-argument', field });
const isState = { name: 'NavError', code: 'state' };
const distance = (a, b) => Math.hypot(a[0] - b[0], a[2] - b[2]);

const makePlaza = (instance = walkmesh) => {
  const navMesh = instance.loadNavMesh(tile);
  const [a, b] = [[2, 0, 2], [38, 0, 38]].map((point) => navMesh.nearestPoint(point));
  return { navMesh, a, b };
};

/** Every query with an `out` argument, with arguments for the plaza. */
const QUESTIONS = {
  nearestPoint: ({ navMesh }, out) => navMesh.nearestPoint([2, 0, 2], undefined, out),
  closestPoint: ({ navMesh, a }, out) => navMesh.closestPoint(a.polygon, [0, 0, 0], out),
  closestBoundaryPoint: ({ navMesh, a }, out) => navMesh.closestBoundaryPoint(a.polygon, [0, 0, 0], out),
  findCorridor: ({ navMesh, a, b }, out) => navMesh.findCorridor(a.polygon, a.point, b.polygon, b.point, undefined, out),
  straighten: ({ navMesh, a, b, corridor }, out) => navMesh.straighten(a.point, b.point, corridor, undefined, out),
  findPath: ({ navMesh, a, b }, out) => navMesh.findPath(a.point, b.point, undefined, out),
  findSmoothPath: ({ navMesh, a, b }, out) => navMesh.findSmoothPath(a.point, b.point, { step: 2 }, out),
  raycast: ({ navMesh, a, b }, out) => navMesh.raycast(a.polygon, a.point, b.point, undefined, out),
  moveAlongSurface: ({ navMesh, a }, out) => navMesh.moveAlongSurface(a.polygon, a.point, [6, 0, 1], undefined, out),
  distanceToWall: ({ navMesh, a }, out) => navMesh.distanceToWall(a.polygon, a.point, 100, undefined, out),
  wallSegments: ({ navMesh, a }, out) => navMesh.wallSegments(a.polygon, { portals: true }, out),
  localNeighbourhood: ({ navMesh, a }, out) => navMesh.localNeighbourhood(a.polygon, a.point, 7, undefined, out),
  polygonsInBox: ({ navMesh, a }, out) => navMesh.polygonsInBox(a.point, [9, 9, 9], undefined, out),
  polygonsInCircle: ({ navMesh, a }, out) => navMesh.polygonsInCircle(a.point, 9, undefined, out),
  polygonsInConvex: ({ navMesh }, out) => navMesh.polygonsInConvex([0, 0, 0, 9, 0, 0, 9, 0, 9], undefined, out),
  flood: ({ navMesh, a }, out) => navMesh.flood(a.polygon, a.point, { maxCost: 30 }, out),
  randomPoint: ({ navMesh }, out) => navMesh.randomPoint({ random: new Random(4) }, out),
  randomPointAround: ({ navMesh, a }, out) =>
    navMesh.randomPointAround(a.polygon, a.point, 5, { random: new Random(4) }, out),
};

const makeContext = (instance) => {
  const context = makePlaza(instance);
  const { navMesh, a, b } = context;
  return { ...context, corridor: navMesh.findCorridor(a.polygon, a.point, b.polygon, b.point) };
};

test('query api: both builds say the same, and what is filled in anew is what is new', () => {
  const contexts = builds.map((instance) => makeContext(instance));
  for (const [name, ask] of Object.entries(QUESTIONS)) {
    const [first, second] = contexts.map((context) => ask(context));
    assert.deepEqual(first, second, name);
    const { ...copy } = first;
    assert.equal(ask(contexts[0], first), first, `${name}: the same object`);
    assert.deepEqual({ ...first }, copy, `${name}: the same answer`);
  }
  for (const { navMesh } of contexts) navMesh.free();
});

test('query api: ten thousand answers filled in anew take no memory of the module', () => {
  const context = makeContext();
  for (const [name, ask] of Object.entries(QUESTIONS)) {
    const out = ask(context);
    const before = walkmesh.memory();
    for (let i = 0; i < (name.startsWith('find') || name === 'flood' ? 1000 : 10_000); i++) ask(context, out);
    assert.deepEqual(walkmesh.memory(), before, name);
  }
  context.navMesh.free();
});

test('query api: an answer of another kind is refused or filled in, never half written beyond', () => {
  const context = makeContext();
  for (const name of ['findCorridor', 'findPath', 'flood', 'wallSegments', 'localNeighbourhood', 'raycast']) {
    const out = { ...QUESTIONS[name](context) };
    for (const [key, value] of Object.entries(out)) if (ArrayBuffer.isView(value)) out[key] = [];
    assert.throws(() => QUESTIONS[name](context, out), isArgument('out'), name);
  }
  const small = QUESTIONS.flood(context);
  small.polygons = new Float64Array(1);
  assert.ok(QUESTIONS.flood(context, small).polygons.length >= small.count, 'an array too short is replaced');
  context.navMesh.free();
});

test('query api: points are arrays, typed arrays or objects', () => {
  const { navMesh } = makePlaza();
  const expected = navMesh.nearestPoint([2, 0, 2]);
  for (const point of [Float32Array.of(2, 0, 2), new Float64Array([2, 0, 2]), { x: 2, y: 0, z: 2 }]) {
    assert.deepEqual(navMesh.nearestPoint(point), expected);
  }
  class Vector { constructor() { Object.assign(this, { x: 2, y: 0, z: 2 }); } length() { return 3; } }
  assert.deepEqual(navMesh.nearestPoint(new Vector()), expected, 'as those of three.js');
  for (const point of [[1, 2], [1, 2, 3, 4], [1, '2', 3], [1, NaN, 3], [1, 1e39, 3], { x: 1, y: 2 }, 'abc', null, 5, [1n, 2n, 3n]]) {
    assert.throws(() => navMesh.nearestPoint(point), isArgument('point'));
  }
  navMesh.free();
});

test('query api: nearest points by floor and by sphere', () => {
  const navMesh = walkmesh.bake({ positions: Float32Array.of(...makeGround(10).positions, ...makeGround(10, 4).positions),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7) }, {}).navMesh;
  const heightOf = (options) => Math.round(navMesh.nearestPoint([5, 2.5, 5], options)?.point[1] ?? -1);
  assert.deepEqual(['closest', 'below', 'above'].map((heightPreference) => heightOf({ heightPreference })), [4, 0, 4]);
  assert.equal(heightOf({ radius: 1 }), -1);
  assert.equal(heightOf({ radius: 2 }), 4);
  assert.throws(() => heightOf({ heightPreference: 'left' }), isArgument('heightPreference'));
  assert.throws(() => heightOf({ radius: -1 }), isArgument('radius'));
  assert.throws(() => heightOf({ halfExtents: [1, 1, -1] }), isArgument('halfExtents'));
  navMesh.free();
});

test('query api: paths end within their radius of the mesh, or say that an end was not found', () => {
  for (const instance of builds) {
    const { navMesh } = instance.bake(makeGround(40), { cellSize: 0.5 });
    const from = [2, 0, 2], off = [40.2, 0, 20];
    const found = navMesh.findPath(from, off), away = Math.hypot(...found.end.point.map((value, axis) => value - off[axis]));
    assert.equal(found.status, 'complete');
    assert.ok(away > 0.5 && away < 2, `${away}`);
    assert.deepEqual(navMesh.findPath(from, off, { radius: away + 0.01 }).end, found.end);
    for (const [start, end, reason] of [[from, off, 'end-not-found'], [off, from, 'start-not-found']]) {
      const path = navMesh.findPath(start, end, { radius: away - 0.01 });
      assert.deepEqual([path.status, path.reason, path.count], ['unreachable', reason, 0]);
    }
    navMesh.free();
  }
});

test('query api: rays, moves and walls on a square of ground', () => {
  const { navMesh } = walkmesh.bake(makeGround(10), {});
  const { polygon, point } = navMesh.nearestPoint([5, 0, 5]);
  const ray = navMesh.raycast(polygon, point, [20, 0, 5]);
  assert.deepEqual([ray.hit, ray.isOutside, ray.isCut, ray.count], [true, false, false, ray.polygons.length]);
  assert.deepEqual(ray.normal.map((value) => Math.round(value) + 0), [-1, 0, 0]);
  assert.ok(ray.edge >= 0 && Math.abs(ray.point[0] - (5 + 15 * ray.t)) < 1e-4);
  const free = navMesh.raycast(polygon, point, [6, 0, 5]);
  assert.deepEqual([free.hit, free.t, free.edge, free.normal], [false, 1, -1, [0, 0, 0]]);
  assert.equal(navMesh.raycast(polygon, [50, 0, 50], [60, 0, 60]).isOutside, true);
  assert.throws(() => navMesh.raycast(12345, point, [6, 0, 5]), { code: 'invalid-argument', message: 'reference 12345 is none of this mesh' });
  const move = navMesh.moveAlongSurface(polygon, point, [20, 0, 6]);
  assert.ok(Math.abs(move.point[0] - ray.point[0]) < 1e-3 && Math.abs(move.point[2] - 6) < 1e-3, 'slides along the wall');
  const wall = navMesh.distanceToWall(polygon, point, 100);
  assert.ok(wall.found && Math.abs(wall.distance - distance(point, wall.point)) < 1e-5);
  assert.deepEqual([navMesh.distanceToWall(polygon, point, 1).found, navMesh.distanceToWall(polygon, point, 1).edge], [false, -1]);
  const segments = navMesh.wallSegments(polygon);
  assert.ok(segments.count > 0 && segments.polygons.every((ref) => ref === 0) && segments.ends.length === 6 * segments.count);
  assert.ok(Math.abs(navMesh.height(polygon, [5, 9, 5]) - point[1]) < 1e-6);
  assert.equal(navMesh.height(polygon, [50, 0, 5]), null);
  assert.equal(navMesh.closestPoint(polygon, [5, 9, 5]).isOver, true);
  assert.equal(navMesh.closestBoundaryPoint(polygon, [50, 0, 5]).isOver, false);
  navMesh.free();
});

test('query api: floods, paths out of them, neighbours and shapes', () => {
  const { navMesh, a, b } = makePlaza();
  const flood = navMesh.flood(a.polygon, a.point);
  assert.equal(flood.polygons[0], a.polygon);
  assert.ok(flood.costs.every((cost, i) => i === 0 || cost >= flood.costs[i - 1]), 'cheapest first');
  const index = flood.polygons.indexOf(b.polygon);
  const path = navMesh.floodPath(flood, index);
  assert.deepEqual([path[0], path.at(-1)], [a.polygon, b.polygon]);
  assert.equal(navMesh.straighten(a.point, b.point, path).status, 'complete', 'each is linked to the next');
  assert.equal(navMesh.flood(a.polygon, a.point, { maxPolygons: 3 }).isCut, true);
  assert.ok(navMesh.flood(a.polygon, a.point, { shape: [0, 0, 0, 9, 0, 0, 9, 0, 9, 0, 0, 9] }).count < flood.count);
  assert.throws(() => navMesh.flood(a.polygon, a.point, { shape: [0, 0, 0, 1] }), isArgument('shape'));
  assert.throws(() => navMesh.flood(a.polygon, a.point, { maxCost: -1 }), isArgument('maxCost'));
  assert.throws(() => navMesh.floodPath(flood, flood.count), isArgument('index'));
  const all = navMesh.polygonsInBox([20, 0, 20], [99, 99, 99]);
  assert.equal(all.count, navMesh.totals.polygons);
  assert.ok(navMesh.polygonsInCircle([20, 0, 20], 10).count < all.count);
  assert.equal(navMesh.polygonsInConvex([-9, 0, -9, 99, 0, -9, 99, 0, 99, -9, 0, 99]).count, all.count);
  assert.equal(navMesh.polygonsInConvex([-9, 0, -9, 99, 0, -9, 99, 0, 99], { low: 500 }).count, 0);
  assert.equal(navMesh.polygonsInBox([20, 0, 20], [99, 99, 99], { maxPolygons: 2 }).isCut, true);
  assert.equal(navMesh.polygonsInCircle([20, 0, 20], 99, { maxPolygons: 2 }).isCut, true);
  assert.equal(navMesh.polygonsInConvex([-9, 0, -9, 99, 0, -9, 99, 0, 99], { maxPolygons: 2 }).isCut, true);
  const around = navMesh.localNeighbourhood(a.polygon, a.point, 5);
  assert.deepEqual([around.polygons[0], around.parents.length], [a.polygon, around.count]);
  navMesh.free();
});

test('query api: random points are the same from the same seed, and keep to what is asked', () => {
  const { navMesh, a } = makePlaza();
  const draw = (seed) => {
    const random = new Random(seed);
    return Array.from({ length: 5 }, () => navMesh.randomPoint({ random }).point);
  };
  assert.deepEqual(draw(1), draw(1));
  assert.notDeepEqual(draw(1), draw(2 ** 40 + 1));
  const islands = navMesh.islands();
  for (let island = 1; island <= islands.count; island++) {
    assert.equal(islands.of(navMesh.randomPoint({ islands, island }).polygon), island);
  }
  assert.equal(navMesh.randomPoint({ area: 9 }), null);
  for (let i = 0; i < 50; i++) {
    assert.ok(distance(navMesh.randomPointAround(a.polygon, a.point, 4).point, a.point) <= 4 + 1e-3);
  }
  const saved = new Random(2 ** 40 + 3);
  navMesh.randomPoint({ random: saved });
  const again = Random.from(JSON.parse(JSON.stringify(saved.state))), next = () => [saved, again].map((random) => navMesh.randomPoint({ random }).point);
  for (let i = 0; i < 5; i++) {
    const [one, other] = next();
    assert.deepEqual(one, other);
  }
  assert.deepEqual(again.state, saved.state);
  for (const bad of [7, [], undefined, null]) assert.throws(() => Random.from(bad), isArgument('state[0]'));
  for (const bad of [[1], [1, 2 ** 32]]) assert.throws(() => Random.from(bad), isArgument('state[1]'));
  assert.throws(() => Random.from([0.5, 0]), isArgument('state[0]'));
  assert.throws(() => new Random(-1), isArgument('seed'));
  assert.throws(() => navMesh.randomPoint({ random: Math.random }), isArgument('random'));
  assert.throws(() => navMesh.randomPoint({ island: 1 }), isArgument('island'));
  assert.throws(() => navMesh.randomPoint({ islands, island: 99 }), isArgument('island'));
  navMesh.free();
});

test('query api: islands answer at once what a search would find out', () => {
  const { navMesh, a, b } = makePlaza();
  const islands = navMesh.islands();
  assert.ok(islands.count > 1 && islands.area(1) >= islands.area(2) && islands.areConnected(a.polygon, b.polygon));
  const other = navMesh.randomPoint({ islands, island: 2 });
  assert.equal(islands.areConnected(a.polygon, other.polygon), false);
  const [slow, quick, own] = [{}, { islands }, { islands: true }].map((options) => navMesh.findPath(a.point, other.point, options));
  assert.deepEqual([slow.status, quick.status, own.status], ['unreachable', 'unreachable', 'unreachable']);
  assert.ok(quick.searched < slow.searched && own.searched === quick.searched);
  for (const polygon of navMesh.flood(other.polygon, other.point).polygons) navMesh.setPolygonFlags(polygon, 2);
  const closed = navMesh.islands({ filter: { excludeFlags: 2 } });
  assert.deepEqual([closed.count, closed.of(other.polygon)], [islands.count - 1, 0]);
  assert.throws(() => navMesh.findPath(a.point, b.point, { islands: 5 }), isArgument('islands'));
  navMesh.free();
});

test('query api: a path to another floor, which nothing leads to, ends on its own floor, below the end', () => {
  const { navMesh } = walkmesh.bake(makeBoxes([[[0, -0.5, 0], [16, 0, 12]], [[4, 11.5, 3], [12, 12, 9]]]), { heights: 'surface' });
  for (const options of [{}, { shortest: true }, { anyAngle: true }, { wallDistance: 0.5 }, { islands: true }]) {
    for (const end of /** @type {[number, number, number][]} */ ([[8, 12, 6], [5, 12, 4.5], [10.5, 12, 7]])) {
      const path = navMesh.findPath([2, 0, 2], end, options);
      assert.equal(path.status, 'unreachable');
      const last = path.points.slice(3 * path.count - 3, 3 * path.count), polygon = path.corridor[path.corridorCount - 1];
      assert.ok(Math.abs(last[1] - navMesh.height(polygon, last)) < 1e-3, `${JSON.stringify(options)}: ${last}`);
      assert.ok(Math.abs(path.remaining - Math.hypot(...last.map((value, axis) => value - end[axis]))) < 0.1 && path.remaining > 10, `${path.remaining}`);
      assert.ok(path.length < 16, `${path.length}`);
    }
  }
  navMesh.free();
});

test('query api: searches in slices and any-angle searches', () => {
  const { navMesh, a, b } = makePlaza();
  const whole = navMesh.findCorridor(a.polygon, a.point, b.polygon, b.point);
  const search = navMesh.createSearch();
  assert.throws(() => search.advance(1), isState);
  search.begin(a.polygon, a.point, b.polygon, b.point);
  search.advance(2);
  assert.equal(search.finish().reason, 'unfinished');
  let slices = 0;
  while (!search.advance(3)) slices++;
  assert.ok(slices > 2);
  assert.deepEqual(search.finish(), whole);
  assert.deepEqual(search.finishAlong(whole).polygons, whole.polygons);
  assert.throws(() => search.begin(1.5, a.point, b.polygon, b.point), isArgument('startPolygon'));
  search.free();
  const [plain, direct, shortest] = [{}, { anyAngle: true }, { shortest: true }].map((options) => navMesh.findPath(a.point, b.point, options));
  assert.ok(direct.length <= plain.length * (1 + 1e-6));
  assert.ok(shortest.length <= direct.length * (1 + 1e-6));
  assert.ok(Math.abs(shortest.cost - shortest.length) < 1e-5 * shortest.length);
  assert.deepEqual([direct.status, shortest.status], ['complete', 'complete']);
  const steps = navMesh.findSmoothPath(a.point, b.point, { step: 1 });
  for (let i = 1; i < steps.count; i++) {
    assert.ok(distance(steps.points.subarray(3 * i - 3), steps.points.subarray(3 * i)) <= 1 + 1e-3);
  }
  assert.throws(() => navMesh.findSmoothPath(a.point, b.point, { step: 0 }), isArgument('step'));
  assert.throws(() => navMesh.findPath(a.point, b.point, { anyAngle: 1 }), isArgument('anyAngle'));
  assert.throws(() => navMesh.findPath(a.point, b.point, { shortest: 1 }), isArgument('shortest'));
  assert.throws(() => navMesh.straighten(a.point, b.point, []), isArgument('corridor'));
  navMesh.free();
});

test('query api: agents of corridors that walk along edges between areas do not turn back to corners that they passed', () => {
  const random = new Random(5), numbers = new Numbers(5);
  const between = (/** @type {number} */ from, /** @type {number} */ to) => from + (to - from) * numbers.real();
  const volumes = Array.from({ length: 24 }, (_, i) => {
    const [x, z, radius] = [between(0, 40), between(0, 40), between(1, 6)];
    return { kind: /** @type {const} */ ('cylinder'), base: [x, -1, z], radius, height: 3, area: 1 + i % 4 };
  });
  const { navMesh } = walkmesh.bake({ positions: [0, 0, 0, 0, 0, 40, 40, 0, 40, 40, 0, 0], indices: [0, 1, 2, 0, 2, 3], volumes }, { cellSize: 0.2, tileSize: 48 });
  const filter = navMesh.createFilter({ areaCosts: { 1: 4, 2: 0.5, 3: 30, 4: 2 } });
  const stuck = [];
  for (let pair = 0; pair < 60; pair++) {
    const [from, to] = [0, 1].map(() => navMesh.randomPoint({ random }));
    const path = navMesh.findPath(from.point, to.point, { filter }), step = [0.05, 0.1, 0.2][pair % 3];
    const agent = navMesh.createCorridor(path.start.polygon, path.start.point);
    agent.set(path.end.point, path.corridor);
    let steps = Math.ceil((2 * path.length) / step) + 20;
    for (let corners = agent.corners(); corners.count > 0 && steps > 0; corners = agent.corners(4, corners), steps--) {
      const [x, y, z] = agent.position, [toX, toY, toZ] = corners.points;
      const part = Math.min(1, step / Math.max(1e-6, Math.hypot(toX - x, toZ - z)));
      agent.move([x + (toX - x) * part, y + (toY - y) * part, z + (toZ - z) * part], { filter });
      if (pair % 2) agent.optimizeVisibility(corners.points.slice(0, 3), 9, { filter });
      if (steps % 10 === 0 && pair % 2) agent.optimizeTopology({ filter });
    }
    if (steps === 0) stuck.push(`${from.point} to ${to.point} by ${step}`);
    assert.ok(agent.isValid({ filter }));
    agent.free();
  }
  assert.deepEqual(stuck, []);
  navMesh.free();
});

test('query api: the corridor of an agent walks to its target', () => {
  const { navMesh, a, b } = makePlaza();
  const corridor = navMesh.createCorridor(a.polygon, a.point);
  corridor.set(b.point, navMesh.findCorridor(a.polygon, a.point, b.polygon, b.point));
  assert.deepEqual([corridor.position, corridor.target], [a.point, b.point]);
  let steps = 0;
  for (let path = corridor.corners(); path.count > 0 && steps < 1000; path = corridor.corners(4, path), steps++) {
    const [x, , z] = corridor.position;
    const [toX, , toZ] = path.points;
    const part = Math.min(1, 0.5 / Math.max(1e-6, Math.hypot(toX - x, toZ - z)));
    corridor.move([x + (toX - x) * part, 0, z + (toZ - z) * part]);
    if (steps % 5 === 0) corridor.optimizeVisibility(path.points.slice(0, 3), 20);
    if (steps % 16 === 0) corridor.optimizeTopology();
    assert.ok(corridor.isValid());
  }
  assert.ok(steps > 50 && steps < 200 && distance(corridor.position, b.point) < 0.05, `${steps} steps`);
  corridor.moveTarget([36, 0, 36]);
  assert.ok(distance(corridor.target, [36, 0, 36]) < 0.1);
  assert.equal(corridor.moveOverConnection(a.polygon), null);
  corridor.fixStart(a.polygon, a.point);
  corridor.trim(a.polygon, a.point);
  assert.deepEqual([...corridor.polygons], [a.polygon]);
  corridor.reset(0, a.point);
  assert.equal(corridor.polygons.length, 0);
  navMesh.free();
  assert.throws(() => corridor.position, isState);
});

test('query api: filters, plain, frozen and kept', () => {
  const { navMesh } = walkmesh.bake({ ...makeGround(20), volumes: [{ kind: 'box', min: [8, -1, 0], max: [12, 1, 15], area: 7 }] }, {});
  const ends = [[2, 0, 5], [18, 0, 5]];
  const areaCosts = Array(64).fill(1);
  areaCosts[7] = 50;
  const plain = navMesh.findPath(...ends);
  const dear = navMesh.findPath(...ends, { filter: { areaCosts } });
  assert.ok(dear.length > plain.length, 'goes around');
  const frozen = Object.freeze({ areaCosts: Object.freeze([...areaCosts]) });
  for (let i = 0; i < 3; i++) {
    assert.deepEqual(navMesh.findPath(...ends, { filter: frozen }), dear);
    assert.deepEqual(navMesh.findPath(...ends, { filter: {} }), plain, 'costs of another question are forgotten');
  }
  const filter = navMesh.createFilter({ areaCosts });
  assert.ok(filter instanceof Filter);
  assert.deepEqual(navMesh.findPath(...ends, { filter }), dear);
  filter.setAreaCost(7, 1);
  assert.equal(filter.areaCost(7), 1);
  assert.deepEqual(navMesh.findPath(...ends, { filter }), plain);
  filter.excludeFlags = 1;
  assert.deepEqual([filter.includeFlags, filter.excludeFlags], [0xffff, 1]);
  assert.equal(navMesh.nearestPoint(ends[0], { filter }), null);
  filter.excludeFlags = 0;
  const polygons = plain.corridor.slice(1, -1);
  filter.setPolygonCosts({ polygons, factors: Float32Array.from(polygons, () => 100) });
  assert.ok(navMesh.findPath(...ends, { filter }).cost > plain.cost + 1);
  assert.throws(() => filter.setPolygonCosts({ polygons, factors: [] }), isArgument('polygonCosts'));
  assert.throws(() => filter.setPolygonCosts({ polygons: [5], factors: [1] }), { name: 'NavError', code: 'invalid-argument' });
  filter.clearPolygonCosts();
  assert.deepEqual(navMesh.findPath(...ends, { filter }), plain);
  for (const [field, wrong] of [['filter', 5], ['filter.includeFlags', { includeFlags: -1 }], ['filter.excludeFlags', { excludeFlags: 0x10000 }],
    ['filter.areaCosts', { areaCosts: [1, 2] }], ['filter.areaCosts', { areaCosts: Array(64).fill(NaN) }],
    ['filter.areaCosts', { areaCosts: Array(64).fill(Infinity) }], ['filter.polygonCosts', { polygonCosts: {} }]]) {
    assert.throws(() => navMesh.findPath(...ends, { filter: wrong }), isArgument(field));
    if (field !== 'filter' && field !== 'filter.polygonCosts') assert.throws(() => navMesh.createFilter(wrong), isArgument(field));
  }
  assert.deepEqual(navMesh.findPath(...ends), plain);
  filter.setPolygonCosts({ polygons, factors: Float32Array.from(polygons, (_, i) => (i === 0 ? 1 : 0.1 + i)) });
  filter.setAreaCost(7, 2.5);
  filter.excludeFlags = 2;
  const costs = filter.polygonCosts();
  assert.deepEqual([...costs.polygons].sort(), [...polygons].slice(1).sort());
  const text = JSON.stringify({ filter });
  assert.ok(text.length < 2000, `${text.length} characters`);
  const copy = navMesh.createFilter(JSON.parse(text).filter);
  assert.deepEqual(copy.toJSON(), filter.toJSON());
  assert.deepEqual(JSON.parse(text).filter.areaCosts, { 7: 2.5 });
  assert.deepEqual(navMesh.findPath(...ends, { filter: copy }), navMesh.findPath(...ends, { filter }));
  assert.deepEqual(JSON.parse(JSON.stringify(navMesh.createFilter())), { includeFlags: 0xffff, excludeFlags: 0, areaCosts: {} });
  const freed = navMesh.createFilter();
  freed.free();
  assert.equal(JSON.stringify({ freed }), '{"freed":"[filter]"}', 'as other objects');
  const { corridor } = navMesh.findPath(...ends);
  assert.throws(() => navMesh.straighten(...ends, corridor, { filter: freed }), { code: 'state' });
  for (const wrong of [5, { excludeFlag: 1 }]) assert.throws(() => navMesh.straighten(...ends, corridor, { filter: wrong }), { code: 'invalid-argument' });
  assert.deepEqual(navMesh.straighten(...ends, corridor, { filter: { excludeFlags: 0xffff } }), navMesh.straighten(...ends, corridor));
  assert.deepEqual(JSON.parse(JSON.stringify({ navMesh, islands: navMesh.islands() })), { navMesh: '[navigation mesh]', islands: '[set of islands]' });
  filter.clearPolygonCosts();
  assert.equal(filter.polygonCosts().polygons.length, 0);
  const other = walkmesh.bake(makeGround(), {}).navMesh;
  assert.throws(() => other.nearestPoint([5, 0, 5], { filter }), isArgument('filter'));
  assert.throws(() => other.findPath(...ends, { islands: navMesh.islands() }), isArgument('islands'));
  other.free();
  navMesh.free();
});

test('query api: references of another mesh, and what is none', () => {
  const { navMesh, a } = makePlaza();
  for (const ref of [0, 1, 2 ** 45, 2 ** 53 - 1]) {
    assert.throws(() => navMesh.raycast(ref, a.point, a.point), { name: 'NavError', code: /invalid-argument|stale-reference/ });
  }
  for (const ref of [NaN, -1, 1.5, Infinity, '5', undefined, null, 5n]) {
    assert.throws(() => navMesh.raycast(ref, a.point, a.point), isArgument('polygon'));
    assert.throws(() => navMesh.polygonFlags(ref), isArgument('polygon'));
  }
  navMesh.free();
});

test('query api: the memory grows in the middle of a question', async () => {
  const instance = await load();
  const { navMesh } = instance.bake(readScene('maze'), { cellSize: 0.2 });
  const filler = [];
  const copies = navMesh.save();
  // Fill the free memory, so that the first searches must grow it.
  const { wasmBytes } = instance.memory();
  while (instance.memory().wasmBytes === wasmBytes) filler.push(instance.loadNavMesh(copies));
  filler.pop().free();
  let grown = 0;
  for (let i = 0; i < filler.length; i++) {
    const before = instance.memory().wasmBytes;
    const { boundsMin, boundsMax } = filler[i].totals;
    const ends = [boundsMin, boundsMax];
    const path = filler[i].findPath(...ends, { halfExtents: [9, 9, 9] });
    const first = filler[0].findPath(...ends, { halfExtents: [9, 9, 9] });
    assert.deepEqual({ ...path, corridor: 0, pointPolygons: 0 }, { ...first, corridor: 0, pointPolygons: 0 });
    grown += instance.memory().wasmBytes > before ? 1 : 0;
    if (i < 40) continue;
    break;
  }
  assert.ok(grown > 0 || instance.memory().wasmBytes > wasmBytes);
});

test('query api: objects that were freed, or whose mesh was', () => {
  const before = (walkmesh.trimMemory(), walkmesh.memory().bytes);
  const { navMesh, a, b } = makePlaza();
  const make = () => [navMesh.createFilter({ polygonCosts: { polygons: [a.polygon], factors: [2] } }), navMesh.islands(),
    navMesh.createSearch(), navMesh.createCorridor(a.polygon, a.point)];
  const use = ([filter, islands, search, corridor]) => [() => filter.includeFlags, () => filter.setAreaCost(1, 1),
    () => filter.setPolygonCosts({ polygons: [], factors: [] }), () => filter.clearPolygonCosts(), () => islands.count,
    () => islands.of(a.polygon), () => islands.update(), () => search.begin(a.polygon, a.point, b.polygon, b.point),
    () => search.advance(1), () => search.finish(), () => corridor.position, () => corridor.move(a.point),
    () => corridor.corners(), () => corridor.isValid(), () => navMesh.nearestPoint(a.point, { filter }),
    () => navMesh.findPath(a.point, b.point, { islands })];
  const freed = make();
  for (const object of freed) object.free();
  for (const call of use(freed)) assert.throws(call, isState, `${call}`);
  for (const object of freed) assert.doesNotThrow(() => object[Symbol.dispose]?.());
  const left = make();
  navMesh.free();
  for (const call of use(left)) assert.throws(call, isState, `${call}`);
  for (const ask of Object.values(QUESTIONS)) {
    assert.throws(() => ask({ navMesh, a, b, corridor: [a.polygon] }), isState, `${ask}`);
  }
  for (const call of [() => navMesh.createFilter(), () => navMesh.islands(), () => navMesh.createSearch(),
    () => navMesh.createCorridor(a.polygon, a.point), () => navMesh.height(a.polygon, a.point), () => navMesh.nearestPoints([]),
    () => navMesh.tileAt(0, 0), () => navMesh.connections(), () => navMesh.addConnection({ start: [0, 0, 0], end: [1, 0, 1] })]) {
    assert.throws(call, isState, `${call}`);
  }
  walkmesh.trimMemory();
  assert.equal(walkmesh.memory().bytes, before);
});
