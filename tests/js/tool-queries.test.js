// The queries of the level tool's query tools, and the texts of their results: compared with other library calls, and by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'walkmesh';
import { defaultMarkers } from '../../web-demo/src/tools/default-markers.js';
import { queryNearest, queryRaycast, queryWall, NEAREST_SETTINGS, WALL_SETTINGS } from '../../web-demo/src/tools/queries/local.js';
import { queryPath, PATH_SETTINGS } from '../../web-demo/src/tools/queries/path.js';
import { queryFlood, queryRandom, FLOOD_SETTINGS, RANDOM_SETTINGS, pathBack } from '../../web-demo/src/tools/queries/reach.js';
import { readSettings } from '../../web-demo/src/tools/settings.js';
import { time } from '../../web-demo/src/tools/timing.js';
import { microseconds, pathVerdict } from '../../web-demo/src/tools/result-text.js';
import { makeGround, readScene } from './support.js';

const walkmesh = await load();
const CONFIG = { cellSize: 0.3, tileSize: 48 };
const settingsOf = (settings, saved = {}) => readSettings(settings, saved);
const FILTER = {};

function bake(context, level, config = CONFIG) {
  const { navMesh } = walkmesh.bake(level, config);
  context.after(() => navMesh.free());
  return navMesh;
}

test('tool settings: what was saved is read, and what makes no sense is passed over', () => {
  assert.deepEqual(settingsOf(PATH_SETTINGS), { anyAngle: false, shortest: false, wallDistance: 0, wallCost: 0, smooth: true, step: 0.5, maxNodes: 0, crossings: 'none', islands: false, others: 0, long: false, legTiles: 6, keep: true });
  assert.deepEqual(settingsOf(PATH_SETTINGS, { anyAngle: true, step: 2, maxNodes: 7.6, crossings: 'all' }),
    { anyAngle: true, shortest: false, wallDistance: 0, wallCost: 0, smooth: true, step: 2, maxNodes: 8, crossings: 'all', islands: false, others: 0, long: false, legTiles: 6, keep: true });
  for (const saved of [null, 5, 'x', [], { step: 'x', anyAngle: 1, maxNodes: NaN, crossings: 'toString', islands: null }, { step: Infinity }]) {
    assert.deepEqual(settingsOf(PATH_SETTINGS, saved), settingsOf(PATH_SETTINGS));
  }
  assert.equal(settingsOf(PATH_SETTINGS, { step: -4 }).step, 0.05);
  assert.deepEqual(settingsOf(NEAREST_SETTINGS, { halfExtents: [1, -2, 3e5] }).halfExtents, [1, 0, 1000]);
  for (const halfExtents of [[1, 2], [1, 2, NaN], [1, 2, '3'], [1, 2, Infinity], { 0: 1, 1: 1, 2: 1 }]) {
    assert.deepEqual(settingsOf(NEAREST_SETTINGS, { halfExtents }).halfExtents, [2, 4, 2]);
  }
});

test('tool timing: short questions are asked until the clock moves, long ones once', () => {
  let [clock, calls] = [0, 0];
  // A clock in steps of 0.1 ms, and queries of 7 microseconds.
  const now = () => Math.floor(clock / 0.1) * 0.1;
  const short = time(() => { clock += 0.007; return ++calls; }, now);
  assert.equal(short.result, 1);
  assert.equal(short.times, calls - 1);
  assert.ok(Math.abs(short.microseconds - 7) < 0.7, `${short.microseconds}`);
  calls = 0;
  const long = time(() => { clock += 400; return ++calls; }, now);
  assert.deepEqual([long.result, long.times, calls], [1, 1, 1]);
  assert.ok(Math.abs(long.microseconds - 400_000) < 200);
  // A clock that doesn't advance causes no endless loop.
  assert.equal(time(() => 5, () => 0).result, 5);
});

test('tool words: numbers are as exact as their clock, verdicts name what is wrong', () => {
  assert.deepEqual([0.5, 12.34, 456.7, 1234, 250_000].map(microseconds), ['0.50 µs', '12.3 µs', '457 µs', '1.23 ms', '250 ms']);
  const path = { reason: null, remaining: 0 };
  assert.equal(pathVerdict(path, 0).tone, 'good');
  const reasons = ['start-not-found', 'end-not-found', 'start-excluded', 'end-excluded', 'not-connected', 'node-limit', 'broken-corridor', 'unfinished'];
  const texts = reasons.map((reason) => pathVerdict({ ...path, reason, remaining: 3.5 }, 40));
  assert.equal(new Set(texts.map(({ text }) => text)).size, reasons.length);
  assert.ok(texts[5].text.includes('40 polygons') && texts[4].text.includes('3.50 m'));
});

/** The first markers, on the largest island. */
function firstMarkers(navMesh, fallback = [0, 0, 0]) {
  const islands = navMesh.islands();
  try {
    return defaultMarkers(navMesh, fallback, { islands, island: Math.min(islands.count, 1) });
  } finally {
    islands.free();
  }
}

test('tool places: the first ones are on one island, apart, and the same every time', (context) => {
  for (const scene of ['city', 'islands', 'tower']) {
    const navMesh = bake(context, readScene(scene));
    const { start, end } = firstMarkers(navMesh);
    const again = firstMarkers(navMesh);
    assert.deepEqual([again.start, again.end], [start, end]);
    assert.equal(navMesh.findPath(again.middle, end).status, 'complete', scene);
    const path = navMesh.findPath(start, end);
    assert.equal(path.status, 'complete', scene);
    const { boundsMin, boundsMax } = navMesh.totals;
    assert.ok(path.length > 0.4 * Math.hypot(boundsMax[0] - boundsMin[0], boundsMax[2] - boundsMin[2]) * 0.5, `${scene} ${path.length}`);
  }
  const empty = bake(context, makeGround(0.5), { agentRadius: 0.6 });
  assert.deepEqual(firstMarkers(empty, [1, 2, 3]), { start: [1, 2, 3], end: [1, 2, 3], middle: [1, 2, 3] });
});

test('tool path: what the library answers; parts by area add up to its length', (context) => {
  const level = readScene('city');
  const volumes = [{ kind: 'box', min: [-100, -10, 5], max: [100, 20, 20], area: 4 }];
  const navMesh = bake(context, { ...level, volumes });
  const { start, end } = firstMarkers(navMesh);
  const filter = { areaCosts: { 4: 20 } };
  for (const saved of [{}, { anyAngle: true }, { shortest: true }, { wallDistance: 1 }, { wallDistance: 1, wallCost: 2 }, { maxNodes: 6 }, { islands: true, crossings: 'all' }]) {
    const settings = settingsOf(PATH_SETTINGS, saved);
    const { path, smooth, parts, microseconds: spent } = queryPath(navMesh, { start, end }, settings, filter);
    const { anyAngle, shortest, wallDistance, wallCost, maxNodes, crossings } = settings;
    const own = navMesh.findPath(start, end, { filter, anyAngle, shortest, wallDistance, wallCost, maxNodes, crossings });
    assert.deepEqual([path.status, path.cost, path.points, path.corridor], [own.status, own.cost, own.points, own.corridor]);
    assert.equal(path.status, maxNodes ? 'partial' : 'complete');
    assert.ok(spent > 0);
    const sum = parts.reduce((total, { length }) => total + length, 0);
    assert.ok(Math.abs(sum - path.length) < 1e-3 * path.length + 1e-3, `${sum} of ${path.length}`);
    assert.deepEqual(smooth.points, navMesh.findSmoothPath(start, end, { filter, anyAngle, shortest, wallDistance, wallCost, maxNodes, crossings, step: 0.5 }).points);
  }
  const off = queryPath(navMesh, { start: [1e4, 0, 0], end }, settingsOf(PATH_SETTINGS, { smooth: false }), filter);
  assert.deepEqual([off.path.reason, off.parts, off.smooth], ['start-not-found', [], null]);
});

test('tool path: other ways are those of the library, and none unless asked for', (context) => {
  const navMesh = bake(context, readScene('plaza'));
  const places = { start: [2, 0, 2], end: [38, 0, 38] };
  assert.deepEqual(queryPath(navMesh, places, settingsOf(PATH_SETTINGS), {}).others, []);
  const { path, others, othersMicroseconds } = queryPath(navMesh, places, settingsOf(PATH_SETTINGS, { others: 2, crossings: 'areas' }), {});
  assert.deepEqual([path, ...others].map(({ points }) => points),
    navMesh.findPaths(places.start, places.end, { filter: {}, crossings: 'areas', count: 3 }).map(({ points }) => points));
  assert.ok(others.length > 0 && othersMicroseconds > 0);
});

test('tool path: the long way is that of the tile graph for the filter, and follows the mesh', (context) => {
  const navMesh = bake(context, { ...readScene('plaza'), volumes: [{ kind: 'box', min: [-90, -9, 12], max: [90, 9, 16], area: 4 }] }, { tileSize: 32 });
  const places = { start: [2, 0, 2], end: [38, 0, 38] };
  assert.equal(queryPath(navMesh, places, settingsOf(PATH_SETTINGS), {}).long, null);
  for (const filter of [{}, { areaCosts: { 4: 3 } }]) {
    const { path, long } = queryPath(navMesh, places, settingsOf(PATH_SETTINGS, { shortest: true, long: true, legTiles: 2 }), filter);
    const graph = navMesh.createTileGraph({ filter }), own = graph.findPath(places.start, places.end, { legTiles: 2 });
    graph.free();
    assert.deepEqual([long.status, long.cost, long.leg.points, long.waypoints], ['complete', own.cost, own.leg.points, own.waypoints]);
    assert.ok(long.cost >= 0.9999 * path.bound && long.lowerBound <= path.cost && long.microseconds > 0, `${long.cost} ${path.bound}`);
    assert.deepEqual(long.promise.slice(0, 3), [...own.leg.points.subarray(-3)]);
    assert.deepEqual(long.promise.slice(-3), places.end);
  }
  for (let x = 0; x < 20; x++) if (navMesh.tileAt(x, 2)) navMesh.removeTile(navMesh.tileAt(x, 2));
  const cut = queryPath(navMesh, places, settingsOf(PATH_SETTINGS, { long: true }), {}).long;
  assert.deepEqual([cut.status, cut.promise, cut.leg], ['unreachable', [], null]);
});

test('tool path: dear ground is walked around, and the parts say so', (context) => {
  // A strip of mud across the centre, with a path around it.
  const navMesh = bake(context, { ...makeGround(30), volumes: [{ kind: 'box', min: [0, -1, 12], max: [24, 1, 16], area: 3 }] });
  const places = { start: [10, 0, 5], end: [10, 0, 25] };
  const cheap = queryPath(navMesh, places, settingsOf(PATH_SETTINGS), { areaCosts: { 3: 1 } });
  const dear = queryPath(navMesh, places, settingsOf(PATH_SETTINGS), { areaCosts: { 3: 50 } });
  assert.deepEqual(cheap.parts.map(({ area }) => area).sort(), [0, 3]);
  assert.deepEqual(dear.parts.map(({ area }) => area), [0]);
  assert.ok(dear.path.length > cheap.path.length + 3);
});

test('tool nearest: the point is raised, and the answer is the library\'s', (context) => {
  const navMesh = bake(context, makeGround(20));
  const at = { point: [10, 0, 10] };
  const { queryPoint, nearest, distance } = queryNearest(navMesh, at, settingsOf(NEAREST_SETTINGS, { lift: 3 }), FILTER);
  assert.deepEqual(queryPoint, [10, 3, 10]);
  assert.deepEqual(nearest, navMesh.nearestPoint([10, 3, 10]));
  assert.ok(Math.abs(distance - 3) < 0.3);
  assert.equal(queryNearest(navMesh, at, settingsOf(NEAREST_SETTINGS, { lift: 9 }), FILTER).nearest, null);
  assert.notEqual(queryNearest(navMesh, at, settingsOf(NEAREST_SETTINGS, { lift: 9, halfExtents: [2, 10, 2] }), FILTER).nearest, null);
});

test('tool raycast: the trace lies on the ground and ends where the ray does', (context) => {
  const navMesh = bake(context, readScene('terrain'), { cellSize: 0.5 });
  const { start, end } = firstMarkers(navMesh);
  const { ray, trace, free, length } = queryRaycast(navMesh, { start, end }, {}, FILTER);
  const from = navMesh.nearestPoint(start);
  assert.deepEqual(ray, navMesh.raycast(from.polygon, from.point, end));
  assert.ok(Math.abs(free - Math.hypot(ray.point[0] - from.point[0], ray.point[2] - from.point[2])) < 1e-3 * length);
  assert.deepEqual([...trace.subarray(0, 3)], from.point);
  const last = trace.subarray(trace.length - 3);
  assert.ok(Math.hypot(last[0] - ray.point[0], last[2] - ray.point[2]) < 1e-3, `${last} ${ray.point}`);
  // No vertex of the trace is off the line.
  const [dx, dz] = [end[0] - from.point[0], end[2] - from.point[2]];
  for (let i = 0; i < trace.length; i += 3) {
    const off = Math.abs((trace[i] - from.point[0]) * dz - (trace[i + 2] - from.point[2]) * dx) / Math.hypot(dx, dz);
    assert.ok(off < 1e-3, `${off}`);
  }
  assert.equal(queryRaycast(navMesh, { start: [1e4, 0, 0], end }, {}, FILTER).ray, null);
});

test('tool wall: distance, segment, and none within reach', (context) => {
  const navMesh = bake(context, makeGround(20), { agentRadius: 0.6, cellSize: 0.3 });
  const { wall } = queryWall(navMesh, { point: [4, 0, 10] }, settingsOf(WALL_SETTINGS), FILTER);
  assert.ok(wall.found && Math.abs(wall.distance - (4 - wall.point[0])) < 1e-4 && wall.distance > 3 && wall.distance < 4);
  assert.ok([0, 3].every((at) => Math.abs(wall.segment[at] - wall.point[0]) < 1e-4), 'the segment is the wall of the point');
  assert.equal(queryWall(navMesh, { point: [10, 0, 10] }, settingsOf(WALL_SETTINGS, { maxDistance: 2 }), FILTER).wall.found, false);
  assert.equal(queryWall(navMesh, { point: [1e3, 0, 10] }, settingsOf(WALL_SETTINGS), FILTER).start, null);
});

test('tool flood: within the limit, and the way back is one', (context) => {
  const navMesh = bake(context, readScene('city'));
  const { start: point } = firstMarkers(navMesh);
  const result = queryFlood(navMesh, { point }, settingsOf(FLOOD_SETTINGS, { maxCost: 30 }), FILTER);
  const { flood, places, farthest, start } = result;
  assert.ok(flood.count > 20 && farthest <= 30 && farthest > 20);
  assert.equal(places.size, flood.count);
  for (let i = 0; i < flood.count; i += 7) {
    const { point: spot } = navMesh.closestPoint(flood.polygons[i], [0, 0, 0]);
    const way = pathBack(navMesh, result, flood.polygons[i], spot);
    assert.equal(way.cost, flood.costs[i]);
    assert.deepEqual([...way.points.subarray(0, 3)], start.point);
    assert.ok(Math.hypot(way.points.at(-3) - spot[0], way.points.at(-1) - spot[2]) < 1e-3);
  }
  assert.equal(pathBack(navMesh, result, 0, point), null);
  assert.equal(queryFlood(navMesh, { point: [1e4, 0, 0] }, settingsOf(FLOOD_SETTINGS), FILTER).flood, null);
});

test('tool random: as many as asked for, the same for a seed, on the mesh, within the circle', (context) => {
  const navMesh = bake(context, readScene('city'));
  const { start: point } = firstMarkers(navMesh);
  const ask = (saved) => queryRandom(navMesh, { point }, settingsOf(RANDOM_SETTINGS, saved), FILTER);
  for (const where of ['anywhere', 'around']) {
    const saved = { where, count: 60, seed: 5, radius: 6 };
    const { points, count } = ask(saved);
    assert.equal(count, 60);
    assert.equal(points.length, 180);
    assert.deepEqual(ask(saved).points, points);
    assert.notDeepEqual(ask({ ...saved, seed: 6 }).points, points);
    for (let i = 0; i < 180; i += 3) {
      const at = points.subarray(i, i + 3);
      const nearest = navMesh.nearestPoint(at, { halfExtents: [0.01, 0.05, 0.01] });
      assert.ok(nearest, `${where} ${at}`);
      if (where === 'around') assert.ok(Math.hypot(at[0] - point[0], at[2] - point[2]) <= 6.01);
    }
  }
  const empty = bake(context, makeGround(0.5), { agentRadius: 0.6 });
  for (const where of ['anywhere', 'around']) {
    assert.equal(queryRandom(empty, { point: [0, 0, 0] }, settingsOf(RANDOM_SETTINGS, { where }), FILTER).count, 0);
  }
});
