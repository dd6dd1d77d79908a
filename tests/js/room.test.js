// Paths with wallDistance: a sample of what `npm run bench -- --room` measures, against walls by brute force and the mesh eroded by the
// distance.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { makeLevel } from '../../bench/levels.js';
import { measureWalls } from '../../bench/crowd/walls.js';
import { leavesMesh, measureRoom } from '../../bench/room.js';
import { makeGround, readScene } from './support.js';

const walkmesh = await load();
const CELL = 0.3;
/** The scenes, and the largest shares of points that are too near, and of paths more than 3 % over the shortest. */
const SCENES = [['plaza', 0.005, 0], ['city', 0.005, 0], ['maze', 0.005, 0], ['caves', 0.005, 0]];

for (const [name, near, above] of SCENES) {
  test(`room: paths in ${name} keep 0.5 from walls, stay on the mesh and are hardly longer than the shortest that do`, () => {
    const level = makeLevel({ name, cellSize: CELL });
    const figures = measureRoom(walkmesh, { ...level, config: { ...level.config, agentRadius: 0.6 } }, 0.5, 60, true);
    assert.ok(figures.paths > 10 && figures.points > 500, JSON.stringify(figures));
    assert.equal(figures.left, 0);
    assert.ok(figures.near <= near, `${figures.near} of the points are too near`);
    assert.equal(figures.open, 0, 'points that are too near lie beside narrow places');
    assert.ok(figures.plainNear > 4 * figures.near, 'plain paths are nearer');
    assert.ok(figures.above <= above, `${figures.above} of the paths are over 3 % longer than the shortest`);
  });
}

test('room: between pillars, which side of them is shorter depends on the distance', () => {
  const level = makeLevel({ name: 'holes', cellSize: CELL });
  const figures = measureRoom(walkmesh, { ...level, config: { ...level.config, agentRadius: 0.6 } }, 1, 300, true);
  assert.ok(figures.compared > 150, JSON.stringify(figures));
  assert.equal(figures.left, 0);
  assert.ok(figures.most < 0.03, `a path is ${figures.most} longer than the shortest`);
});

test('room: the shorter side of an obstacle is found, though the line turns just before a portal', (context) => {
  const level = makeLevel({ name: 'stairs', cellSize: CELL });
  const { navMesh } = walkmesh.bake(level.read(), { ...level.config, agentRadius: 0.6, tileSize: 0 });
  context.after(() => navMesh.free());
  // On the mesh eroded by 1 the shortest is 20.55 long; on the other side of the obstacle it is 21.55.
  const path = navMesh.findPath([43.241, 0.2, 4.839], [57.015, 0.2, 15.516], { shortest: true, wallDistance: 1 });
  assert.ok(path.status === 'complete' && path.length < 20.6, `${path.length}`);
});

test('room: the shortest of the eroded mesh is compared only where both ends are near that mesh', () => {
  const level = makeLevel({ name: 'tower', cellSize: CELL });
  const figures = measureRoom(walkmesh, { ...level, config: { ...level.config, agentRadius: 0.6 } }, 1, 200, true);
  assert.ok(figures.compared > 40, JSON.stringify(figures));
  assert.ok(figures.most < 0.03, `a path is ${figures.most} longer than the shortest`);
});

test('room: a pillar is passed in an arc, a gap in its middle', (context) => {
  const { navMesh } = walkmesh.bake({ ...makeGround(20), solids: [
    { kind: 'box', centre: [10, 1, 7], halfAxes: [[1, 0, 0], [0, 1, 0], [0, 0, 7]] },
    { kind: 'box', centre: [10, 1, 18.2], halfAxes: [[1, 0, 0], [0, 1, 0], [0, 0, 1.8]] }] }, { cellSize: 0.1, agentRadius: 0.4 });
  context.after(() => navMesh.free());
  const plain = navMesh.findPath([4, 0, 5], [16, 0, 5]);
  /** Heights on the plan, z, where a path passes some x in the gap. */
  const inGap = ({ count, points }) => [9, 9.5, 10, 10.5, 11].map((x) => {
    const i = Array.from({ length: count - 1 }, (_, k) => k).find((k) => points[3 * k] <= x && points[3 * k + 3] >= x);
    const t = (x - points[3 * i]) / (points[3 * i + 3] - points[3 * i]);
    return points[3 * i + 2] + t * (points[3 * i + 5] - points[3 * i + 2]);
  });
  assert.ok(Math.min(...inGap(plain)) < 14.6, 'the plain path touches the corner');
  // The gap is 2.4 wide, 1.6 for the centre of the agent.
  const narrow = navMesh.findPath([4, 0, 5], [16, 0, 5], { wallDistance: 3 });
  for (const z of inGap(narrow)) assert.ok(Math.abs(z - 15.2) < 0.15, `${z} is not in the middle`);
  const wide = navMesh.findPath([4, 0, 5], [16, 0, 5], { wallDistance: 0.6 });
  assert.equal(leavesMesh(navMesh, wide), false);
  for (const z of inGap(wide)) assert.ok(z > 14.85, `${z} is nearer than 0.6`);
  assert.ok(wide.count > plain.count + 2 && wide.length < 1.15 * plain.length);
});

test('room: a line on a ramp keeps its distance, whatever walls the ground below has', (context) => {
  /** @param {number[][]} corners */
  const quad = (...[a, b, c, d]) => [a, b, c, a, c, d].flat();
  const positions = new Float32Array([...quad([0, 0, 0], [0, 0, 30], [30, 0, 30], [30, 0, 0]), ...quad([8, 0, 12], [8, 0, 16], [20, 6, 16], [20, 6, 12]),
    ...quad([20, 6, 8], [20, 6, 20], [26, 6, 20], [26, 6, 8])]);
  const { navMesh } = walkmesh.bake({ positions }, { cellSize: 0.2, agentRadius: 0.4 });
  context.after(() => navMesh.free());
  for (const [from, to, wallDistance] of [[[4, 0, 14], [23, 6, 9], 1], [[4, 0, 5], [23, 6, 14], 1], [[23, 6, 18], [4, 0, 20], 0.5]]) {
    const { points, count } = navMesh.findPath(from, to, { wallDistance, shortest: true });
    for (let i = 0; i + 1 < count; i++) {
      for (let step = 0; step < 20; step++) {
        const at = [0, 1, 2].map((axis) => points[3 * i + axis] + ((points[3 * i + 3 + axis] - points[3 * i + axis]) * step) / 20);
        if (at[0] < 10 || at[0] > 18) continue;
        const { polygon, point } = navMesh.nearestPoint(at, { radius: 2 });
        const { distance } = navMesh.distanceToWall(polygon, point, wallDistance);
        assert.ok(distance > 0.95 * wallDistance, `the line is ${distance} from a wall at ${at}`);
      }
    }
  }
});

test('room: any distance is bounded work, and bad ones are named', (context) => {
  const { navMesh } = walkmesh.bake(readScene('plaza'), {});
  context.after(() => navMesh.free());
  const ends = [[2, 0, 2], [38, 0, 38]].map((point) => navMesh.nearestPoint(point, { halfExtents: [9, 9, 9] }).point);
  const plain = navMesh.findPath(ends[0], ends[1]);
  for (const wallDistance of [1e9, 3e38]) {
    const path = navMesh.findPath(ends[0], ends[1], { wallDistance });
    assert.equal(path.status, 'complete');
    assert.ok(path.length >= plain.length * 0.999 && !leavesMesh(navMesh, path));
  }
  assert.deepEqual(navMesh.findPath(ends[0], ends[1], { wallDistance: 0 }), plain);
  assert.throws(() => navMesh.findPath(ends[0], ends[1], { wallDistance: Infinity }), /^NavError: wallDistance is Infinity: must be 0 or more; a finite number/);
  for (const options of [{ wallDistance: NaN }, { wallDistance: -1 }, { wallDistance: Infinity }]) {
    assert.throws(() => navMesh.findPath(ends[0], ends[1], options), { code: 'invalid-argument', field: 'wallDistance' });
  }
  for (const options of [{ wallCost: 1 }, { wallDistance: 1, wallCost: NaN }, { wallDistance: 1, wallCost: 1, shortest: true }, { wallDistance: 1, wallCost: 1, anyAngle: true }]) {
    assert.throws(() => navMesh.findPath(ends[0], ends[1], options), { code: 'invalid-argument', field: 'wallCost' });
  }
});

/** Half walls in turn from both sides of a strip, each a corner with an arc around it, and pillars beside the line between. @param {number} count */
function makeSlalom(count) {
  const length = 4 * count + 8, box = (/** @type {number} */ x, /** @type {number} */ low, /** @type {number} */ high) => (
    { kind: 'box', centre: [x, 1, (low + high) / 2], halfAxes: [[0.25, 0, 0], [0, 1, 0], [0, 0, (high - low) / 2]] });
  return {
    positions: Float32Array.of(0, 0, 0, 0, 0, 8, length, 0, 8, length, 0, 0), indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
    solids: Array.from({ length: count }, (_, i) => [i % 2 ? box(4 * i + 6, -1, 5) : box(4 * i + 6, 3, 9), box(4 * i + 8, 4.65, 5.15)]).flat(),
  };
}

test('room: long paths keep the distance around any number of corners', (context) => {
  const { navMesh } = walkmesh.bake(makeSlalom(700), { cellSize: 0.25, agentRadius: 0.25, tileSize: 64 });
  context.after(() => navMesh.free());
  const ends = [[2, 0, 4], [4 * 700 + 6, 0, 4]];
  const path = navMesh.findPath(ends[0], ends[1], { wallDistance: 0.5 });
  assert.ok(path.status === 'complete' && path.count > 1400 && !leavesMesh(navMesh, path), `${path.status} ${path.count}`);
  let near = 0;
  for (let i = 1; i + 1 < path.count; i++) near += navMesh.distanceToWall(path.pointPolygons[i], path.points.slice(3 * i, 3 * i + 3), 1).distance < 0.25 ? 1 : 0;
  assert.ok(near < 0.01 * path.count, `${near} of ${path.count} points are too near`);
});

test('room: straighten keeps the distance, also for corridors of sliced searches and of agents', (context) => {
  const { navMesh } = walkmesh.bake(makeSlalom(12), { cellSize: 0.25, agentRadius: 0.25, tileSize: 64 });
  context.after(() => navMesh.free());
  const [start, end] = [[2, 0, 4], [50, 0, 4]].map((point) => navMesh.nearestPoint(point));
  const path = navMesh.findPath(start.point, end.point, { wallDistance: 0.5 });
  const search = navMesh.createSearch();
  search.begin(start.polygon, start.point, end.polygon, end.point, { wallDistance: 0.5 });
  while (!search.advance(16));
  const corridor = search.finish();
  const wide = navMesh.straighten(start.point, end.point, corridor, { wallDistance: 0.5 });
  assert.deepEqual([wide.points, wide.corridor, wide.pointPolygons, wide.length], [path.points, path.corridor, path.pointPolygons, path.length]);
  const agent = navMesh.createCorridor(start.polygon, start.point);
  agent.set(end.point, corridor);
  assert.deepEqual(navMesh.straighten(agent.position, agent.target, agent.polygons, { wallDistance: 0.5 }).points, path.points);
  const plain = navMesh.straighten(start.point, end.point, corridor);
  assert.ok(wide.length > plain.length && wide.count > plain.count);
  assert.deepEqual(navMesh.straighten(start.point, end.point, corridor, { wallDistance: 0 }), plain);
  assert.deepEqual(navMesh.straighten(start.point, end.point, corridor, { wallDistance: 0.5, maxPoints: 3, crossings: 'all' }).points,
    navMesh.findPath(start.point, end.point, { wallDistance: 0.5, maxPoints: 3, crossings: 'all' }).points);
  const broken = [...corridor.polygons.slice(0, 3), ...corridor.polygons.slice(5)];
  assert.equal(navMesh.straighten(start.point, end.point, broken, { wallDistance: 0.5 }).reason, 'broken-corridor');
  for (const [options, field] of [[{ wallDistance: NaN }, 'wallDistance'], [{ wallDistance: Infinity }, 'wallDistance'], [{ wallDistance: 1, filter: 5 }, 'filter'], [{ wallDistance: 1, wallCost: 1 }, 'wallCost']]) {
    assert.throws(() => navMesh.straighten(start.point, end.point, corridor, options), (error) => error.code === 'invalid-argument' && error.message.includes(field));
  }
  assert.throws(() => navMesh.straighten(start.point, end.point, [], { wallDistance: 1 }), { field: 'corridor' });
  const stale = corridor.polygons.slice();
  navMesh.removeTile(stale[0]);
  assert.throws(() => navMesh.straighten(start.point, end.point, stale, { wallDistance: 1 }), { code: 'stale-reference' });
});

test('room: wallCost leads through the wide one of two gaps', (context) => {
  const wall = (low, high) => ({ kind: 'box', centre: [10, 1, (low + high) / 2], halfAxes: [[0.5, 0, 0], [0, 1, 0], [0, 0, (high - low) / 2]] });
  const { navMesh } = walkmesh.bake({ ...makeGround(20), solids: [wall(0, 8), wall(9.4, 13), wall(18, 20)] }, { cellSize: 0.1, agentRadius: 0.4 });
  context.after(() => navMesh.free());
  const highest = (options) => Math.max(...navMesh.findPath([3, 0, 8], [17, 0, 8], options).points.filter((_, i) => i % 3 === 2));
  assert.ok(highest({}) < 10);
  assert.ok(highest({ wallDistance: 1.5 }) < 11);
  assert.ok(highest({ wallDistance: 1.5, wallCost: 5 }) > 12);
});

/** Walks one agent around a pillar; returns its least distance from a wall on the way, and the seconds until it arrives. */
function walkAround(navMesh, parameters) {
  const crowd = navMesh.createCrowd();
  const agent = crowd.addAgent([4, 0, 5], { radius: 0.4, ...parameters });
  crowd.setTarget(agent, [16, 0, 5]);
  let [least, seconds] = [Infinity, 0];
  for (; seconds < 20 && crowd.state(agent) !== 'arrived'; seconds += 1 / 60) {
    crowd.step(1 / 60);
    const { polygon, point } = navMesh.nearestPoint(crowd.position(agent));
    if (Math.hypot(point[0] - 4, point[2] - 5) > 1 && Math.hypot(point[0] - 16, point[2] - 5) > 1) {
      least = Math.min(least, navMesh.distanceToWall(polygon, point, 5).distance);
    }
  }
  crowd.free();
  return { least, seconds };
}

test('room: an agent with wallDistance rounds a pillar at that distance, and is hardly later', (context) => {
  const { navMesh } = walkmesh.bake({ ...makeGround(20), solids: [
    { kind: 'box', centre: [10, 1, 6], halfAxes: [[1, 0, 0], [0, 1, 0], [0, 0, 6]] }] }, { cellSize: 0.1, agentRadius: 0.4 });
  context.after(() => navMesh.free());
  const plain = walkAround(navMesh, {}), wide = walkAround(navMesh, { wallDistance: 1 });
  assert.ok(plain.least < 0.1, `${plain.least} without`);
  assert.ok(wide.least > 0.85, `${wide.least} with a wall distance of 1`);
  assert.ok(wide.seconds < 20 && wide.seconds < plain.seconds * 1.12, `${wide.seconds} s instead of ${plain.seconds}`);
});

// The time is at most that without the distance, but for the differences between courses, which are up to 2 % in the doorway.
for (const { name, courses, touched, time } of [{ name: 'corridor', courses: 2, touched: 0.85, time: 1.015 }, { name: 'moving-goal', courses: 1, touched: 0.5, time: 1.015 },
  { name: 'hall', courses: 1, touched: 0.75, time: 1.015 }, { name: 'doorway', courses: 1, touched: 1.1, time: 1.03 }]) {
  test(`room: a crowd with wallDistance in the scenario ${name} is no later than without`, () => {
    const [plain, wide] = [0, 0.3].map((distance) => measureWalls(walkmesh, name, distance, courses));
    assert.ok(plain.touched > 0.003 && wide.touched < plain.touched * touched, `walls are touched in ${wide.touched} of the steps, without in ${plain.touched}`);
    assert.equal(wide.arrived, plain.arrived);
    assert.ok(wide.meanTime < time * plain.meanTime, `agents arrive after ${wide.meanTime} s, without after ${plain.meanTime} s`);
  });
}
