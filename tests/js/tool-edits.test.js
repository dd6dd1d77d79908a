// The parts of the level tool's edits: shapes and their handles, motion, and syncing a document to a mesh. The synced meshes are
// compared with meshes built from scratch from the same document, byte by byte.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { DOOR, areaFilter, areaOf, areasOf, defaultAreas, nextArea } from '../../web-demo/src/edit/areas.js';
import { ITEM_CHECKS, isAreaTable } from '../../web-demo/src/edit/check-items.js';
import { ConnectionSync } from '../../web-demo/src/edit/connection-sync.js';
import { dragHandle, handlesOf } from '../../web-demo/src/edit/shape-handles.js';
import { itemBounds, nameItem, shiftItem, toObstacle } from '../../web-demo/src/edit/items.js';
import { makeMotion, pathOf, periodOf, poseAt } from '../../web-demo/src/edit/motion.js';
import { ObstacleSync } from '../../web-demo/src/edit/obstacle-sync.js';
import {
  KINDS, boundsOf, canTurn, contains, cornersOf, crossesItself, makePrism, makeShape, moveTo, pivotOf, positionOf, subtract, translate, turn,
} from '../../web-demo/src/edit/shapes.js';
import { SwitchSync, areaSwitches, doorSwitches } from '../../web-demo/src/edit/switch-sync.js';
import { areaColor } from '../../js/three/palette.js';
import { makeGround } from './support.js';
import { makeRandom } from './random.js';

const walkmesh = await load();
const SIZE = { radius: 1.2, height: 2, sink: 0.3 };
const ALL = Object.keys(KINDS);

function near(actual, expected, label, slack = 2e-3) {
  actual.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < slack, `${label}: ${actual} is not ${expected}`));
}

/** A floor of 24 by 24 with tiles of 24 cells. */
function bakeGround(context, config = {}) {
  const baked = walkmesh.bakeDynamic(makeGround(24), { cellSize: 0.25, cellHeight: 0.2, agentRadius: 0.5, tileSize: 24, ...config });
  context.after(() => baked.navMesh.free());
  return baked;
}

/** Every tile's bytes by tile place. */
const bytesOf = (navMesh) => new Map(navMesh.tiles().map(({ x, z, bytes }) => [`${x} ${z}`, Buffer.from(bytes).toString('base64')]).sort());

/** True if the mesh is under a point. */
function isOn(navMesh, [x, y, z], reach = 0.02) {
  const nearest = navMesh.nearestPoint([x, y, z], { halfExtents: [reach, 1.5, reach] });
  return nearest !== null && nearest.polygon !== 0 && Math.hypot(nearest.point[0] - x, nearest.point[2] - z) <= reach;
}

test('tool edits: shapes are where moveObstacle has them', (context) => {
  const { dynamic } = bakeGround(context);
  for (const kind of ALL) {
    const shape = makeShape(kind, [5, 0, 7], SIZE);
    const handle = dynamic.addObstacle(shape);
    dynamic.moveObstacle(handle, [11, 0.5, 9]);
    const moved = moveTo(shape, [11, 0.5, 9]);
    near(positionOf(moved), [11, 0.5, 9], kind);
    const there = dynamic.obstacle(handle);
    for (const [name, value] of Object.entries(moved)) {
      if (name === 'kind') assert.equal(there.kind, value);
      else near([there[name]].flat().flatMap((item) => Array.from(item.length ? item : [item])), [value].flat(), `${kind}.${name}`, 1e-3);
    }
  }
});

test('tool edits: what a shape contains turns and moves with it (seed 41)', () => {
  const { between } = makeRandom(41);
  const random = () => between(0, 1);
  for (const kind of ALL) {
    for (let round = 0; round < 200; round++) {
      const shape = makeShape(kind, [random() * 10, random(), random() * 10], SIZE);
      const angle = (random() - 0.5) * 6, by = [random() * 8 - 4, random() - 0.5, random() * 8 - 4];
      const other = translate(canTurn(shape) ? turn(shape, angle) : shape, by);
      const pivot = pivotOf(shape);
      const { min, max } = boundsOf(shape);
      const point = [0, 1, 2].map((axis) => min[axis] - 0.3 + random() * (max[axis] - min[axis] + 0.6));
      const [dx, , dz] = subtract(point, pivot);
      const [sin, cos] = canTurn(shape) ? [Math.sin(angle), Math.cos(angle)] : [0, 1];
      const turned = [pivot[0] + dx * cos + dz * sin + by[0], point[1] + by[1], pivot[2] - dx * sin + dz * cos + by[2]];
      // Rounding may move a point across the side on which it lies.
      const nearby = [-0.002, 0.002].map((eps) => contains(other, turned.map((value) => value + eps)));
      const inside = contains(shape, point);
      assert.ok(nearby.includes(inside) || contains(other, turned) === inside, `${kind} ${point}`);
      if (contains(other, turned)) {
        const bounds = boundsOf(other);
        turned.forEach((value, axis) => assert.ok(value >= bounds.min[axis] - 1e-3 && value <= bounds.max[axis] + 1e-3, `${kind} bounds`));
      }
    }
  }
});

test('tool edits: the mesh has a hole where a shape is, and nowhere else', (context) => {
  const { navMesh, dynamic } = bakeGround(context);
  for (const kind of ALL) {
    const shape = turn(makeShape(kind, [12, 0, 12], SIZE), 0.4);
    const handle = dynamic.addObstacle({ ...shape, beforeErosion: false });
    dynamic.update();
    let [inside, outside] = [0, 0];
    for (let x = 8; x <= 16; x += 0.2) {
      for (let z = 8; z <= 16; z += 0.2) {
        // Cells are 0.25 wide: points further than that from the side have a definite result.
        const spots = [[0, 0], [0.35, 0], [-0.35, 0], [0, 0.35], [0, -0.35]].map(([dx, dz]) => contains(shape, [x + dx, 0.1, z + dz]));
        if (spots.every(Boolean)) {
          inside++;
          assert.ok(!isOn(navMesh, [x, 0, z]), `${kind}: ${x}, ${z} is inside`);
        } else if (!contains({ ...shape, ...grown(shape) }, [x, 0.1, z])) {
          outside++;
          assert.ok(isOn(navMesh, [x, 0, z], 0.3), `${kind}: ${x}, ${z} is outside`);
        }
      }
    }
    assert.ok(inside > 20 && outside > 500, `${kind}: ${inside} inside, ${outside} outside`);
    dynamic.removeObstacle(handle);
  }
});

/** The size fields of a shape, enlarged by at least half a unit. */
function grown(shape) {
  if ('radius' in shape) return { radius: shape.radius + 0.6 };
  if (shape.kind === 'rotatedBox') return { halfExtents: shape.halfExtents.map((half) => half + 0.6) };
  if (shape.kind === 'box') return { min: shape.min.map((value) => value - 0.6), max: shape.max.map((value) => value + 0.6) };
  const [x, , z] = positionOf(shape);
  return { vertices: shape.vertices.map((value, i) => (i % 3 === 1 ? value : (i % 3 ? z : x) + 1.9 * (value - (i % 3 ? z : x)))) };
}

test('tool edits: handles lie on their shape, and a shape follows a handle that is dragged', () => {
  for (const kind of ALL) {
    const shape = makeShape(kind, [5, 1, 7], SIZE);
    const knobs = handlesOf(shape);
    assert.equal(new Set(knobs.map(({ id }) => id)).size, knobs.length);
    for (const { id, point, along, turns } of knobs) {
      const same = dragHandle(shape, id, point);
      near(flat(same), flat(shape.kind === 'box' && turns ? same : shape), `${kind} ${id} stays`);
      const to = along === 'height' ? [point[0], point[1] + 0.7, point[2]] : [point[0] + 0.4, point[1], point[2] + 0.3];
      const dragged = dragHandle(shape, id, to);
      const now = handlesOf(dragged).find((knob) => knob.id === id).point;
      const middle = turns ? pivotOf(dragged) : positionOf(dragged);
      if (along === 'height') near(now, to, `${kind} ${id}`);
      else if (turns) {
        const angle = (p) => Math.atan2(p[2] - middle[2], p[0] - middle[0]);
        near([angle(now)], [angle(to)], `${kind} ${id}`, 1e-3);
      } else if (id === 'radius' && kind !== 'capsule') {
        near([Math.hypot(now[0] - middle[0], now[2] - middle[2])], [Math.hypot(to[0] - middle[0], to[2] - middle[2])], `${kind} ${id}`);
      } else if (/^[+-]/.test(id)) {
        // The opposite side stays, and this one follows the pointer.
        const across = (id[0] === '+' ? '-' : '+') + id[1];
        near(knobOf(dragged, across), knobOf(shape, across), `${kind} ${across} stays`, 1e-3);
        const direction = subtract(knobOf(shape, id), knobOf(shape, across));
        const project = (p) => (p[0] * direction[0] + p[2] * direction[2]) / Math.hypot(...direction);
        near([project(now)], [project(to)], `${kind} ${id}`, 1e-3);
      } else if (id !== 'radius') near(now, to, `${kind} ${id}`);
    }
  }
});

const flat = (shape) => Object.entries(shape).sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, value]) => value).filter((value) => typeof value === 'number');
const knobOf = (shape, id) => handlesOf(shape).find((knob) => knob.id === id).point;

test('tool edits: sizes stay above nothing, and turning snaps', () => {
  const box = makeShape('box', [0, 0, 0], SIZE);
  const crushed = dragHandle(box, '+x', [-50, 0, 0]);
  assert.ok(crushed.max[0] > crushed.min[0] && crushed.min[0] === box.min[0]);
  assert.ok(dragHandle(box, 'top', [0, -50, 0]).max[1] > box.min[1]);
  assert.ok(dragHandle(makeShape('cylinder', [0, 0, 0], SIZE), 'radius', [0, 0, 0]).radius > 0);
  const step = Math.PI / 12;
  const snapped = dragHandle(makeShape('rotatedBox', [0, 0, 0], SIZE), 'turn', [3, 0, -1.1], { step });
  near([snapped.yaw / step], [Math.round(snapped.yaw / step)], 'yaw in steps', 1e-3);
});

test('tool edits: outlines that cross themselves are known', () => {
  const square = makePrism([[0, 0, 0], [4, 0.5, 0], [4, 1, 4], [0, 0, 4]], { height: 2, sink: 0.5 });
  assert.deepEqual([square.minY, square.maxY], [-0.5, 3]);
  assert.equal(crossesItself(cornersOf(square)), false);
  assert.equal(crossesItself([[0, 0], [4, 4], [4, 0], [0, 4]]), true);
  assert.equal(crossesItself([[0, 0], [4, 0], [1, 1], [0, 4]]), false);
});

test('tool edits: a line is walked there and back at its speed, with rests; a circle is closed', () => {
  const shape = makeShape('cylinder', [3, 0, 4], SIZE);
  const line = { ...makeMotion(shape, 'line', 6), to: [9, SIZE.sink * -1, 4], speed: 2, rest: 1.5 };
  assert.equal(periodOf(shape, line), 2 * (3 + 1.5));
  near(poseAt(shape, line, 1.5).position, [6, -0.3, 4], 'half way');
  for (const time of [3, 3.7, 4.49]) near(poseAt(shape, line, time).position, [9, -0.3, 4], `rests at ${time}`);
  near(poseAt(shape, line, 6).position, [6, -0.3, 4], 'half way back');
  for (const time of [7.5, 8.9, 9, 18]) near(poseAt(shape, line, time).position, [3, -0.3, 4], `at home at ${time}`);
  const circle = makeMotion(shape, 'circle', 5);
  const period = periodOf(shape, circle);
  near([period], [2 * Math.PI * 5 / circle.speed], 'once around');
  near(poseAt(shape, circle, period / 2).position, [-7, -0.3, 4], 'across');
  near(poseAt(shape, circle, period).position, [3, -0.3, 4], 'around');
  for (const [motion, step] of [[line, 0.01], [circle, 0.01]]) {
    for (let time = 0; time < 20; time += step) {
      const [a, b] = [poseAt(shape, motion, time).position, poseAt(shape, motion, time + step).position];
      assert.ok(Math.hypot(...subtract(b, a)) <= motion.speed * step + 1e-6, `jumps at ${time}`);
    }
    const drawn = pathOf(shape, motion);
    near(drawn[0], positionOf(shape), 'its path begins where it is');
  }
  assert.equal(periodOf(shape, { ...line, speed: 0 }), Infinity);
  assert.deepEqual(poseAt(shape, { ...line, speed: 0 }, 5).position, positionOf(shape));
});

test('tool edits: whatever way obstacles came, the mesh is that of the document (seed 7)', (context) => {
  const { between } = makeRandom(7);
  const random = () => between(0, 1);
  const { navMesh, dynamic } = bakeGround(context);
  const fresh = bakeGround(context);
  const sync = new ObstacleSync(dynamic);
  const empty = bytesOf(navMesh);
  const make = (id) => {
    const kind = ALL[Math.floor(random() * ALL.length)];
    const shape = makeShape(kind, [4 + random() * 16, 0, 4 + random() * 16], SIZE);
    return { key: `o${id}`, obstacle: { ...shape, area: random() < 0.4 ? 0 : 1 + Math.floor(random() * 3) } };
  };
  /** @type {any[][]} */
  const past = [[]];
  for (let step = 0; step < 40; step++) {
    let wanted = [...past.at(-1)];
    const choice = random(), at = Math.floor(random() * wanted.length);
    if (wanted.length === 0 || choice < 0.4) wanted.push(make(step));
    else if (choice < 0.55) wanted.splice(at, 1);
    else if (choice < 0.75) wanted[at] = { ...wanted[at], obstacle: { ...make(0).obstacle } };
    else if (choice < 0.85) wanted.splice(at, 0, make(step));
    else wanted = past[Math.floor(random() * past.length)];
    past.push(wanted);
    assert.equal(sync.update(wanted), JSON.stringify(wanted) !== JSON.stringify(past.at(-2)));
    dynamic.update();
    const other = new ObstacleSync(fresh.dynamic);
    other.update(wanted);
    fresh.dynamic.update();
    assert.deepEqual(bytesOf(navMesh), bytesOf(fresh.navMesh), `step ${step}`);
    assert.equal(dynamic.obstacleCount, wanted.length);
    other.update([]);
  }
  sync.update([]);
  dynamic.update();
  assert.deepEqual(bytesOf(navMesh), empty);
});

test('tool edits: an obstacle outside of the level is told, and comes once it is inside', (context) => {
  const { dynamic } = bakeGround(context);
  const sync = new ObstacleSync(dynamic);
  const inside = makeShape('box', [5, 0, 5], SIZE);
  assert.equal(sync.update([{ key: 'a', obstacle: inside }, { key: 'b', obstacle: translate(inside, [500, 0, 0]) }]), true);
  assert.deepEqual(Object.keys(sync.errors), ['b']);
  assert.deepEqual(['a', 'b'].map((key) => dynamic.isOutside(sync.handle(key))), [false, true]);
  assert.equal(sync.update([{ key: 'a', obstacle: inside }, { key: 'b', obstacle: translate(inside, [500, 0, 0]) }]), false, 'nothing new');
  sync.update([{ key: 'a', obstacle: translate(inside, [0, -90, 0]) }, { key: 'b', obstacle: translate(inside, [5, 0, 0]) }]);
  assert.deepEqual(Object.keys(sync.errors), ['a']);
  assert.deepEqual(['a', 'b'].map((key) => dynamic.isOutside(sync.handle(key))), [true, false]);
});

test('tool edits: obstacles that came with a mesh out of a file are those of the document', (context) => {
  const { dynamic } = bakeGround(context);
  const wanted = ALL.map((kind, i) => ({ key: kind, obstacle: { ...makeShape(kind, [4 + 3 * i, 0, 6.3 + 2 * i], SIZE), area: i % 3 } }));
  wanted[0].obstacle.carving = 'at rest';
  new ObstacleSync(dynamic).update(wanted);
  dynamic.update();
  const opened = walkmesh.loadDynamic(dynamic.save());
  context.after(() => opened.navMesh.free());
  const before = bytesOf(opened.navMesh);
  const sync = new ObstacleSync(opened.dynamic);
  sync.update(wanted);
  assert.equal(opened.dynamic.obstacleCount, ALL.length);
  assert.equal(opened.dynamic.dirtyTiles, 0);
  assert.deepEqual(bytesOf(opened.navMesh), before);
  sync.update(wanted.slice(1));
  assert.equal(opened.dynamic.obstacleCount, ALL.length - 1);
});

test('tool edits: connections of the document are those of the mesh, with as few changes as may be', (context) => {
  const { navMesh } = bakeGround(context);
  const sync = new ConnectionSync(navMesh);
  const one = { id: 1, start: [2, 0, 2], end: [20, 0, 20], radius: 1, bidirectional: false, enabled: true, area: 6 };
  const two = { id: 2, start: [4, 0, 20], end: [20, 0, 4], radius: 1, bidirectional: true, enabled: true, area: 0 };
  const list = () => navMesh.connections().map((ref) => navMesh.connection(ref));
  assert.equal(sync.update([one, two]), true);
  assert.deepEqual(list().map(({ area, bidirectional, enabled }) => [area, bidirectional, enabled]), [[6, false, true], [0, true, true]]);
  const ref = sync.ref(1);
  assert.equal(sync.update([{ ...one, enabled: false }, two]), true);
  assert.equal(sync.ref(1), ref, 'switching keeps the reference');
  assert.equal(navMesh.connection(ref).enabled, false);
  sync.update([{ ...one, enabled: false, radius: 2 }, two]);
  assert.deepEqual(list().map(({ enabled, radius }) => [enabled, radius]).sort(), [[false, 2], [true, 1]]);
  assert.equal(sync.update([{ ...one, enabled: false, radius: 2 }, two]), false);
  sync.update([{ ...two, start: [NaN, 0, 0] }]);
  assert.deepEqual(Object.keys(sync.errors), ['2']);
  assert.equal(list().length, 0);
  sync.update([two]);
  assert.deepEqual(sync.errors, {});
  assert.equal(list().length, 1);
});

test('tool edits: a door that is shut stops who comes, also after tiles around it are built again', (context) => {
  const walls = [[11, 12, 0, 10], [11, 12, 13, 24]]; // between two rooms, with a gap of 3
  const { navMesh, dynamic } = bakeGround(context);
  const sync = new ObstacleSync(dynamic);
  const switches = new SwitchSync(navMesh);
  const door = { id: 4, name: 'Gate', shape: { kind: 'box', min: [10.5, -0.5, 9.5], max: [12.5, 2.5, 13.5] }, open: true };
  const wanted = walls.map(([minX, maxX, minZ, maxZ], i) => (
    { key: `w${i}`, obstacle: { kind: 'box', min: [minX, -0.5, minZ - 1], max: [maxX, 3, maxZ + 1] } }));
  const bring = (doors) => {
    sync.update([...doors.map(({ id, shape }) => ({ key: `door ${id}`, obstacle: { ...shape, area: DOOR } })), ...wanted]);
    dynamic.update();
    return switches.update(doorSwitches(doors, { isExact: true, cellSize: 0.25 }));
  };
  const status = () => navMesh.findPath([4, 0, 4], [20, 0, 20]).status;
  wanted.forEach((wall) => { wall.obstacle.min[2] = Math.max(wall.obstacle.min[2], -1); });
  wanted[0].obstacle.max[2] = 10;
  wanted[1].obstacle.min[2] = 13;
  assert.equal(bring([door]), true);
  assert.equal(status(), 'complete');
  const polygons = switches.polygons('door 4');
  assert.ok(polygons.length > 0 && [...polygons].every((ref) => navMesh.polygonArea(ref) === DOOR));
  assert.equal(bring([{ ...door, open: false }]), true);
  assert.equal(status(), 'unreachable');
  const crate = { key: 'crate', obstacle: makeShape('sphere', [9, 0, 11], { ...SIZE, radius: 0.3 }) };
  wanted.push(crate);
  bring([{ ...door, open: false }]);
  assert.equal(status(), 'unreachable', 'shut after the tile was built again');
  bring([door, { ...door, id: 5 }]);
  assert.deepEqual(switches.errors, {}, 'two doors of one name');
  assert.equal(status(), 'complete');
  bring([]);
  assert.equal(status(), 'complete');
});

test('tool edits: an area that is not walkable is passed by nobody, one that costs is gone around', (context) => {
  const { navMesh, dynamic } = bakeGround(context);
  const sync = new ObstacleSync(dynamic);
  const switches = new SwitchSync(navMesh);
  sync.update([{ key: 'river', obstacle: { kind: 'box', min: [10, -1, -1], max: [14, 2, 25], area: 1 } }]);
  dynamic.update();
  const areas = defaultAreas();
  const bounds = { min: [-100, -100, -100], max: [100, 100, 100] };
  const status = () => navMesh.findPath([4, 0, 4], [20, 0, 20], { filter: areaFilter({ areas }) }).status;
  switches.update(areaSwitches(areas, bounds));
  assert.equal(status(), 'complete');
  switches.update(areaSwitches(areas.map((area) => (area.id === 1 ? { ...area, walkable: false } : area)), bounds));
  assert.equal(status(), 'unreachable');
  switches.update(areaSwitches(areas, bounds));
  assert.equal(status(), 'complete');
});

test('tool edits: the table of areas', () => {
  const areas = defaultAreas();
  assert.equal(areasOf({}).length, areas.length, 'an older address has none');
  assert.equal(areaOf(areas, 63).name, 'Ground');
  for (const { id, color } of areas) assert.equal(`#${areaColor(id).getHexString()}`, color, `colour of area ${id}`);
  assert.equal(`#${areaColor(30).getHexString()}`, areaOf(areas, 30).color, 'of one without a name');
  assert.equal(nextArea(areas), 8);
  const document = { areas };
  assert.equal(areaFilter(document), areaFilter(document), 'the same object');
  assert.equal(areaFilter(document).areaCosts[1], 10);
  assert.ok(Object.isFrozen(areaFilter(document)) && Object.isFrozen(areaFilter(document).areaCosts));
});

test('tool edits: items out of addresses are as they must be, or left out (seed 12)', () => {
  const { below } = makeRandom(12);
  const good = {
    obstacles: ALL.map((kind, i) => {
      const shape = makeShape(kind, [3, 0, 4], SIZE);
      return { id: i + 1, shape, area: i, ...(i % 2 ? { moving: makeMotion(shape, i % 3 ? 'line' : 'circle', 5) } : {}) };
    }),
    volumes: [{ id: 1, shape: makeShape('prism', [3, 0, 4], SIZE), area: 63 }],
    connections: [{ id: 1, start: [1, 0, 1], end: [5, 0, 5], radius: 1, bidirectional: true, enabled: false, area: 6 }],
    doors: [{ id: 2, name: 'Gate', shape: makeShape('box', [3, 0, 4], SIZE), open: true }],
  };
  const kinds = { obstacles: 'obstacle', volumes: 'volume', connections: 'connection', doors: 'door' };
  for (const [list, items] of Object.entries(good)) for (const item of items) assert.ok(ITEM_CHECKS[list](item), `${list} ${item.id}`);
  const others = [null, undefined, 'x', NaN, Infinity, [], {}, [1, 2], [1, NaN, 2], -1, 0, true, { kind: 'box' }, 64, 1e9];
  /** Replaces one random entry, at any depth. */
  const spoil = (value) => {
    const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
    if (names.length === 0 || below(4) === 0) return others[below(others.length)];
    const name = names[below(names.length)];
    const copy = Array.isArray(value) ? [...value] : { ...value };
    copy[name] = spoil(value[name]);
    return copy;
  };
  let taken = 0;
  for (let round = 0; round < 4000; round++) {
    const list = Object.keys(good)[below(4)];
    const item = spoil(good[list][below(good[list].length)]);
    if (!item || !ITEM_CHECKS[list](item)) continue;
    taken++;
    const kind = kinds[list];
    const { min, max } = itemBounds(kind, shiftItem(kind, item, [1, 0, 1]));
    assert.ok([...min, ...max].every(Number.isFinite) && nameItem(kind, item).length > 0);
    if (item.shape) for (const { point } of handlesOf(item.shape)) assert.ok(point.every(Number.isFinite), JSON.stringify(item));
    if (item.moving) assert.ok(poseAt(item.shape, item.moving, 3).position.every(Number.isFinite) && toObstacle(item).carving === 'at rest');
  }
  assert.ok(taken > 100, `${taken} were taken`);
  const areas = defaultAreas();
  assert.ok(isAreaTable(areas));
  for (const wrong of [[], areas.slice(1), [...areas, areas[2]], areas.map((area) => ({ ...area, cost: -1 })), areas.map((area) => ({ ...area, color: 'url(x)' })), {}, null]) {
    assert.ok(!isAreaTable(wrong));
  }
});
