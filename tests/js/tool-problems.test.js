// The level tool's list of problems without its page: narrow passages, islands, connections, doors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, MeshBasicMaterial, Raycaster } from 'three';
import { load, readTile } from '../../js/index.js';
import { addGap, gapBeyond, importanceOf, wallPoints } from '../../web-demo/src/problems/gaps.js';
import { IslandList } from '../../web-demo/src/problems/islands.js';
import { connectionProblems, countProblems, doorProblems, islandProblems, itemProblems, passageProblems, placeInList, warningProblems } from '../../web-demo/src/problems/list-problems.js';
import { explainWithMends } from '../../web-demo/src/stages/explain.js';
import { recordTileNow } from '../../web-demo/src/stages/record.js';
import { makeBoxes, makeRooms } from './rooms.js';

const walkmesh = await load();
const CONFIG = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.6, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 0 };

function bake(context, level, config = CONFIG) {
  const { navMesh } = walkmesh.bake(level, config);
  context.after(() => navMesh.free());
  return navMesh;
}

/** The gaps of a level, and how much each matters. */
function findGaps(context, level, config = CONFIG) {
  const navMesh = bake(context, level, config);
  const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(level.positions, 3));
  geometry.setIndex(new BufferAttribute(level.indices, 1));
  const mesh = new Mesh(geometry, new MeshBasicMaterial({ side: DoubleSide }));
  mesh.updateMatrixWorld();
  const caster = new Raycaster();
  const cast = (from, direction, reach) => {
    caster.ray.origin.fromArray(from);
    caster.ray.direction.fromArray(direction);
    caster.far = reach;
    return caster.intersectObject(mesh, false)[0]?.distance ?? Infinity;
  };
  const gaps = [];
  for (const ref of navMesh.tileRefs()) {
    for (const wall of wallPoints(readTile(navMesh.tileBytes(ref)))) {
      const gap = gapBeyond(navMesh, { cast }, wall, config);
      if (gap) addGap(gaps, gap);
    }
  }
  return gaps.map((gap) => ({ gap, importance: importanceOf(navMesh, gap) })).filter(({ importance }) => importance !== 'none');
}

test('problems: a passage slightly narrower than the agent is found, with its width, and its action opens it', (context) => {
  const level = makeRooms([[4, 5.1]]);
  const found = findGaps(context, level);
  assert.equal(found.length, 1, JSON.stringify(found));
  const { gap, importance } = found[0];
  assert.equal(importance, 'cut');
  assert.ok(Math.abs(gap.width - 1.1) < 1e-5, `${gap.width}`);
  assert.ok(Math.abs(gap.middle[2] - 4.55) < 1e-5 && gap.middle[0] > 9.6 && gap.middle[0] < 10.8 && Math.abs(gap.middle[1]) < 1e-5, `${gap.middle}`);
  const [problem] = passageProblems([{ gap, isCut: true }], 0.6);
  assert.equal(problem.title, 'Passage too narrow: 1.1 m wide');
  // The inspector at the place has the action; after it the passage is open.
  const baker = walkmesh.createBaker(level, CONFIG);
  const steps = explainWithMends(walkmesh, level, recordTileNow(baker), gap.middle);
  let answer = steps.next();
  while (!answer.done) answer = steps.next();
  const [mend] = answer.value.mends;
  baker.free();
  assert.match(mend.label, /^Allow radius 0\.[24] m$/);
  const open = bake(context, level, { ...CONFIG, ...mend.fields });
  assert.equal(open.findPath([3, 0, 5], [17, 0, 5]).status, 'complete');
  assert.deepEqual(findGaps(context, level, { ...CONFIG, ...mend.fields }), []);
});

test('problems: walls, wide passages, passages with a short way around, and chasms are no narrow passages', (context) => {
  assert.deepEqual(findGaps(context, makeRooms([])), [], 'a wall');
  assert.deepEqual(findGaps(context, makeRooms([[3, 6]])), [], 'a wide opening');
  assert.deepEqual(findGaps(context, makeRooms([[3, 6], [6.4, 7.4]])), [], 'a wide opening next to it');
  const pillars = makeBoxes([[[0, -0.5, 0], [20, 0, 20]], [[8, 0, 9], [9, 3, 10]], [[8, 0, 11], [9, 3, 12]]]);
  assert.deepEqual(findGaps(context, pillars), [], 'between two pillars in the open');
  const chasm = makeBoxes([[[0, -0.5, 0], [10, 0, 10]], [[10.6, -0.5, 0], [20, 0, 10]]]);
  assert.deepEqual(findGaps(context, chasm), [], 'no ground in between');
});

test('problems: a long way around makes a narrow passage a detour', (context) => {
  const found = findGaps(context, makeRooms([[1, 2.1], [8, 9.9]]));
  assert.deepEqual(found.map(({ importance }) => importance), ['detour']);
  assert.ok(Math.abs(found[0].gap.middle[2] - 1.55) < 1e-5);
});

test('problems: islands nobody reaches, from the largest; the action removes those inside a tile', (context) => {
  const level = makeBoxes([[[0, -0.5, 0], [20, 0, 20]], [[3, 0, 3], [7, 1.5, 7]], [[12, 0, 12], [15, 1.5, 15]]]);
  const config = { ...CONFIG, minRegionSize: 2 };
  const list = (settings) => {
    const navMesh = bake(context, level, settings);
    const islands = navMesh.islands();
    const found = new IslandList();
    for (const ref of navMesh.tileRefs()) found.add(readTile(navMesh.tileBytes(ref)), ref, islands, settings.cellSize);
    const all = found.list(islands);
    islands.free();
    return all;
  };
  const two = list(config);
  assert.equal(two.length, 2);
  assert.ok(two[0].area > two[1].area && two.every(({ point }) => Math.abs(point[1] - 1.5) < 0.3) && two.every(({ isInOneTile }) => isInOneTile));
  const problems = islandProblems(two, config.cellSize);
  assert.match(problems[0].title, /^Unreachable island: \d/);
  const smaller = list({ ...config, ...problems[1].action.fields });
  assert.deepEqual(smaller.map(({ number }) => number), [2], 'the smaller one is removed');
  assert.deepEqual(list({ ...config, ...problems[0].action.fields }), []);
  // An island in several tiles can't be removed by the bake, so there is no such action.
  const tiled = islandProblems(list({ ...config, tileSize: 16 }), config.cellSize);
  assert.ok(tiled.some(({ action }) => action === null));
  assert.equal(islandProblems(Array.from({ length: 30 }, (_, i) => ({ number: i + 2, area: 30 - i, point: [i, 0, 0], isInOneTile: true })), 0.2).length, 9);
});

test('problems: a row that stands for many islands counts as many, and its place says so', () => {
  const make = (/** @type {number} */ count) => islandProblems(Array.from({ length: count }, (_, i) => ({ number: i + 2, area: 40 - i, point: [9 * i, 0, 0], isInOneTile: true })), 0.2);
  const list = make(30);
  assert.equal(countProblems(list), 30);
  assert.equal(placeInList(list, ''), '30 problems');
  assert.equal(placeInList(list, list[1].key), '2 of 30');
  assert.equal(list.at(-1).title, '22 more unreachable islands, at most 32 m²');
  assert.equal(placeInList(list, 'islands'), '9 to 30 of 30');
  assert.equal(make(9).at(-1).title, '1 more unreachable island, at most 32 m²');
  assert.equal(placeInList(make(9), 'islands'), '9 of 9');
  assert.equal(placeInList(make(1), ''), '1 problem');
});

test('problems: a connection with an end off the mesh is dead, and its action ties it', (context) => {
  const navMesh = bake(context, makeRooms([]));
  const make = (id, start, end) => ({ id, start, end, radius: 0.6, bidirectional: true, enabled: true, area: 0 });
  const tiesOf = ({ id, ...options }) => {
    const ref = navMesh.addConnection(options);
    const { startTied, endTied } = navMesh.connection(ref);
    navMesh.removeConnection(ref);
    return { id, startTied, endTied };
  };
  const connections = [make(1, [5, 0, 5], [15, 0, 5]), make(2, [5, 0, 5], [15, 0, 12.5])];
  const ties = new Map(connections.map((connection) => [connection.id, tiesOf(connection)]));
  const nearest = (point) => navMesh.nearestPoint(point, { halfExtents: [6, 6, 6], radius: 6, heightPreference: 'closest' })?.point ?? null;
  const problems = connectionProblems(connections, (id) => ties.get(id) ?? null, nearest);
  assert.deepEqual(problems.map(({ title }) => title), ["Connection 2 is dead: its end isn't on the mesh"]);
  const { patch } = problems[0].action;
  const mended = tiesOf({ ...connections[1], ...patch });
  assert.ok(mended.startTied && mended.endTied, JSON.stringify(mended));
  assert.equal(connectionProblems([make(3, [5, 0, 5], [15, 0, 60])], () => ({ startTied: true, endTied: false }), nearest)[0].action, null, 'too far away');
});

test('problems: doors that close nothing, items the library refused, and warnings of the bake', () => {
  const door = { id: 1, name: '', shape: { kind: 'box', min: [0, 0, 0], max: [1, 1, 1] }, open: true };
  const doors = doorProblems([door, { ...door, id: 2, name: 'Gate' }, { ...door, id: 3 }], ({ id }) => [/** @type {const} */ ('closes'), /** @type {const} */ ('nothing'), null][id - 1], () => [0, 0, 0]);
  assert.deepEqual(doors.map(({ title }) => title), ['Gate closes nothing']);
  assert.deepEqual(doors[0].action, { kind: 'fit door', label: 'Fit into passage', id: 2 });
  const items = itemProblems(/** @type {any} */ ({}), { 'obstacle 4': 'Outside the level: blocks nothing', 'area 5': 'x' }, () => [1, 2, 3]);
  assert.deepEqual(items.map(({ title, text }) => [title, text]), [["Obstacle 4 isn't in the mesh", 'Outside the level: blocks nothing.']]);
  assert.deepEqual(warningProblems(['ignored 2 triangles with zero area'])[0].text, 'Ignored 2 triangles with zero area.');
});
