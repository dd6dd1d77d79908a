// Points are [x, y, z], typed arrays or objects with x, y and z wherever one point is expected, and lists of them where several
// are; levels come from arrays of any kind. The results are equal to the bit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random, load } from '../../js/index.js';
import { joinLevels, makeGround, readScene } from './support.js';

const walkmesh = await load();

/** A vector like that of three.js and others: length is a method. */
class Vector {
  constructor(x, y, z) {
    Object.assign(this, { x, y, z });
  }

  length() {
    return Math.hypot(this.x, this.y, this.z);
  }
}

/** Every form of a point, and of many points (from flat numbers). */
const FORMS = {
  'arrays': { point: (p) => [...p], points: (list) => Array.from(list) },
  'float32': { point: (p) => Float32Array.from(p), points: (list) => Float32Array.from(list) },
  'float64': { point: (p) => Float64Array.from(p), points: (list) => Float64Array.from(list) },
  'lists of arrays': { point: (p) => [...p], points: (list) => toList(list, (...p) => p) },
  'objects': { point: ([x, y, z]) => ({ x, y, z }), points: (list) => toList(list, (x, y, z) => ({ x, y, z })) },
  'vectors': { point: (p) => new Vector(...p), points: (list) => toList(list, (x, y, z) => new Vector(x, y, z)) },
};

const toList = (numbers, make) => Array.from({ length: numbers.length / 3 }, (_, i) => make(...Array.from(numbers).slice(3 * i, 3 * i + 3)));

/** Asserts that each form has the same result; `describe` gets functions that make a point and many points. */
function assertSame(describe) {
  let expected;
  for (const [name, { point, points }] of Object.entries(FORMS)) {
    const answer = describe(point, points);
    expected ??= answer;
    assert.deepEqual(answer, expected, name);
  }
}

function saved(geometry, config = {}) {
  const { navMesh } = walkmesh.bake(geometry, config);
  const bytes = navMesh.save();
  navMesh.free();
  return bytes;
}

test('points: every question of a navigation mesh', () => {
  const { navMesh } = walkmesh.bake(readScene('plaza'), { tileSize: 48 });
  const [a, b] = [[2, 0, 2], [38, 0, 38]].map((near) => navMesh.nearestPoint(near));
  const outline = [0, 0, 0, 9, 0, 0, 9, 0, 9];
  const both = [...a.point, ...b.point];
  const polygons = [a.polygon, b.polygon];
  assertSame((point, points) => {
    const [p, q, size] = [point(a.point), point(b.point), point([2, 4, 2])];
    const corridor = navMesh.findCorridor(a.polygon, p, b.polygon, q);
    const agent = navMesh.createCorridor(a.polygon, p);
    agent.set(q, corridor);
    agent.optimizeVisibility(q, 5);
    agent.move(point([3, 0, 3]));
    agent.moveTarget(point([37, 0, 37]));
    const { position, target } = agent;
    agent.trim(a.polygon, p);
    agent.fixStart(a.polygon, p);
    agent.reset(a.polygon, p);
    agent.free();
    const search = navMesh.createSearch();
    search.begin(a.polygon, p, b.polygon, q);
    search.advance(1e6);
    const found = search.finish();
    search.free();
    const connection = navMesh.addConnection({ start: p, end: q });
    const { start, end } = navMesh.connection(connection);
    navMesh.removeConnection(connection);
    return [
      navMesh.nearestPoint(p, { halfExtents: size }), navMesh.closestPoint(a.polygon, p), navMesh.closestBoundaryPoint(a.polygon, p),
      navMesh.height(a.polygon, p), corridor, position, target, found, start, end, navMesh.straighten(p, q, corridor),
      navMesh.findPath(p, q, { halfExtents: size }), navMesh.findSmoothPath(p, q, { step: 2 }), navMesh.raycast(a.polygon, p, q),
      navMesh.moveAlongSurface(a.polygon, p, q), navMesh.distanceToWall(a.polygon, p, 9), navMesh.localNeighbourhood(a.polygon, p, 9),
      navMesh.polygonsInBox(p, size), navMesh.polygonsInCircle(p, 5), navMesh.polygonsInConvex(points(outline)),
      navMesh.flood(a.polygon, p), navMesh.flood(a.polygon, p, { shape: points(outline) }),
      navMesh.randomPointAround(a.polygon, p, 9, { random: new Random(2) }), navMesh.nearestPoints(points(both), { halfExtents: size }),
      navMesh.raycasts(polygons, points(both), points([...b.point, ...a.point])),
      navMesh.moves(polygons, points(both), points([...b.point, ...a.point])), navMesh.heights(polygons, points(both)),
      navMesh.wallDistances(polygons, points(both), 9), navMesh.findPaths(points(both), points([...b.point, ...a.point])),
    ];
  });
  navMesh.free();
});

test('points: levels, volumes, solids, connections and bounds', () => {
  const cube = [0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1].map((v, i) => v * 3 + (i % 3 === 1 ? 0 : 8));
  const faces = [0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6, 0, 5, 1, 0, 4, 5, 1, 6, 2, 1, 5, 6, 2, 7, 3, 2, 6, 7, 3, 4, 0, 3, 7, 4];
  const { positions, indices } = makeGround(20);
  assertSame((point, points) => [...saved({
    positions: points(positions), indices,
    volumes: [{ kind: 'box', min: point([1, -1, 1]), max: point([3, 1, 3]), area: 1 },
      { kind: 'rotatedBox', centre: point([5, 0, 5]), halfExtents: point([1, 1, 1]), yaw: 0.5, area: 2 },
      { kind: 'cylinder', base: point([10, -1, 5]), radius: 2, height: 2, area: 3 },
      { kind: 'prism', vertices: points([14, 0, 2, 18, 0, 2, 18, 0, 6, 14, 0, 6]), minY: -1, maxY: 1, area: 4 },
      { kind: 'sphere', centre: point([4, 0, 9.5]), radius: 1.5, area: 5 }, { kind: 'capsule', start: point([13, 0, 10]), end: point([17, 1, 12]), radius: 1, area: 6 }],
    solids: [{ kind: 'box', centre: point([2, 0, 16]), halfAxes: points([1, 0, 0, 0, 2, 0, 0, 0, 1]), area: 0 },
      { kind: 'sphere', centre: point([6, 0, 16]), radius: 2 }, { kind: 'capsule', start: point([11, 0, 16]), end: point([11, 3, 16]), radius: 1 },
      { kind: 'convex', positions: points(cube), indices: faces, area: 0 }],
    offMeshConnections: [{ start: point([1, 0, 10]), end: point([18, 0, 10]), radius: 1 }],
  }, { cellSize: 0.2, bounds: { min: point([0, -1, 0]), max: point([20, 4, 20]) } })]);
});

test('points: vertices and indices of every kind of array, interleaved or not, with indices or without', () => {
  // Vertices on a grid of integers, so that every number type stores them exactly.
  const { positions, indices } = joinLevels(makeGround(20), makeGround(6, 3));
  const expected = saved({ positions, indices });
  for (const type of [Float64Array, Int8Array, Int16Array, Int32Array, Uint8Array, Uint8ClampedArray, Uint16Array, Uint32Array, Array]) {
    assert.deepEqual(saved({ positions: type.from(positions), indices }), expected, `positions, ${type.name}`);
    assert.deepEqual(saved({ positions, indices: type.from(indices) }), expected, `indices, ${type.name}`);
  }
  for (const [type, stride, offset] of [[Float32Array, 8, 0], [Float32Array, 5, 2], [Float64Array, 7, 4], [Int16Array, 4, 1], [Array, 6, 3]]) {
    const interleaved = type.from({ length: (positions.length / 3) * stride }, () => 99);
    positions.forEach((number, i) => { interleaved[Math.floor(i / 3) * stride + offset + (i % 3)] = number; });
    const from = type === Array ? interleaved.slice(offset) : interleaved.subarray(offset);
    assert.deepEqual(saved({ positions: from, indices, stride }), expected, `${type.name}, stride ${stride}, offset ${offset}`);
  }
  const loose = Array.from(indices).flatMap((index) => [...positions.subarray(3 * index, 3 * index + 3)]);
  assert.deepEqual(saved({ positions: loose }), expected, 'without indices');
  assert.deepEqual(saved({ positions: Float32Array.from(loose), indices: null }), expected, 'indices null');
});

test('points: areas, flags and costs by area', () => {
  const ground = makeGround(20);
  const flags = new Uint16Array(64).fill(1);
  flags[7] = 8;
  const build = (areas, areaFlags) => saved({ ...ground, areas, areaFlags });
  const expected = build(Uint8Array.of(7, 63), flags);
  for (const areaFlags of [Array.from(flags), Uint32Array.from(flags), { 7: 8 }, { 7: 8, 3: 1 }]) {
    assert.deepEqual(build([7, 63], areaFlags), expected);
  }
  const { navMesh } = walkmesh.bake({ ...ground, volumes: [{ kind: 'box', min: [5, -1, 0], max: [9, 1, 20], area: 3 }] });
  const costs = new Float32Array(64).fill(1);
  costs[3] = 20;
  const ask = (areaCosts) => navMesh.findPath([1, 0, 1], [19, 0, 1], { filter: { areaCosts } });
  assert.ok(ask(costs).cost > 2 * ask({}).cost);
  assert.deepEqual(ask({ 3: 20 }), ask(costs));
  assert.deepEqual(ask(Object.freeze({ 3: 20 })), ask(costs));
  const kept = navMesh.createFilter({ areaCosts: { 3: 20 } });
  assert.deepEqual(navMesh.findPath([1, 0, 1], [19, 0, 1], { filter: kept }), ask(costs));
  for (const areaCosts of [{ 3: -1 }, { 3: NaN }, { 3: '1' }, { 64: 1 }, { '-1': 1 }, { '03': 1 }, { mud: 3 }, [], null, 'x']) {
    assert.throws(() => ask(areaCosts), { name: 'NavError', code: 'invalid-argument', field: 'filter.areaCosts' });
  }
  navMesh.free();
});
