// The level tool's list of problems without its page: narrow passages, islands, connections, doors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, MeshBasicMaterial, Raycaster } from 'three';
import { load, readTile } from '../../js/index.js';
import { defaultLinks, toLinkConfig } from '../../web-demo/src/links/kinds.js';
import { limitsFix } from '../../web-demo/src/links/link-words.js';
import { Borders, reachOf } from '../../web-demo/src/problems/borders.js';
import { NOTHING, causeOf } from '../../web-demo/src/problems/cause-words.js';
import { fieldsToMain } from '../../web-demo/src/problems/causes.js';
import { addGap, gapBeyond, importanceOf, wallPoints } from '../../web-demo/src/problems/gaps.js';
import { IslandList } from '../../web-demo/src/ground/island-list.js';
import { connectionProblems, countProblems, doorProblems, floatingProblems, islandProblems, itemProblems, passageProblems, placeInList, warningProblems, withCauses } from '../../web-demo/src/problems/list-problems.js';
import { explainWithMends } from '../../web-demo/src/stages/explain.js';
import { findJoin } from '../../web-demo/src/stages/joins.js';
import { linksBetween } from '../../web-demo/src/stages/links-between.js';
import { recordTileNow } from '../../web-demo/src/stages/record.js';
import { closesGround, withoutName } from '../../web-demo/src/stages/volumes.js';
import { withoutChecks } from './check-bakes.js';
import { makeBoxes, makeRooms } from './rooms.js';

const walkmesh = await load();
const CONFIG = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.6, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 0 };

function bake(context, level, config = CONFIG) {
  const { navMesh } = walkmesh.bake(level, config);
  context.after(() => navMesh.free());
  return navMesh;
}

/** Rays against a level. */
function makeProbe(level) {
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
  return { cast };
}

/** The gaps of a level, and how much each matters. */
function findGaps(context, level, config = CONFIG) {
  const navMesh = bake(context, level, config);
  const probe = makeProbe(level);
  const gaps = [];
  for (const ref of navMesh.tileRefs()) {
    for (const wall of wallPoints(readTile(navMesh.tileBytes(ref)))) {
      const gap = gapBeyond(navMesh, probe, wall, config);
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
  assert.equal(islandProblems(Array.from({ length: 30 }, (_, i) => ({ number: i + 2, area: 30 - i, point: [i, 0, 0], isInOneTile: true })), 0.2).length, 25);
});

test('problems: a row that stands for many islands counts as many, and its place says so', () => {
  const make = (/** @type {number} */ count) => islandProblems(Array.from({ length: count }, (_, i) => ({ number: i + 2, area: 40 - i, point: [9 * i, 0, 0], isInOneTile: true })), 0.2);
  const list = make(30);
  assert.equal(countProblems(list), 30);
  assert.equal(placeInList(list, ''), '30 problems');
  assert.equal(placeInList(list, list[1].key), '2 of 30');
  assert.equal(list.at(-1).title, '6 more unreachable islands, at most 16 m²');
  assert.equal(placeInList(list, 'islands'), '25 to 30 of 30');
  assert.equal(make(25).at(-1).title, '1 more unreachable island, at most 16 m²');
  assert.equal(placeInList(make(25), 'islands'), '25 of 25');
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

/** Runs a generator to its end. */
function runAll(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The causes of all islands but the largest, and whether the change of each joins its island in a bake of the whole level. */
function findCauses(context, level, config, volumes = /** @type {any[]} */ ([]), obstacles = /** @type {any[]} */ ([])) {
  const baked = { ...level, volumes: volumes.map(withoutName) };
  const navMesh = bake(context, baked, config);
  const [islands, list, borders, probe] = [navMesh.islands(), new IslandList(), new Borders(config.cellSize), makeProbe(level)];
  for (const ref of navMesh.tileRefs()) {
    const tile = readTile(navMesh.tileBytes(ref));
    list.add(tile, ref, islands, config.cellSize);
    for (const wall of wallPoints(tile)) borders.add(islands.of(ref + wall.polygon), wall);
  }
  const baker = walkmesh.createBaker(baked, config);
  const causes = list.list(islands).map(({ number }) => {
    const reach = runAll(reachOf(navMesh, islands, borders, probe, number, config));
    // Trials bake a part of the level with extreme values and without detail: their outlines may overlap.
    const join = withoutChecks(() => runAll(findJoin(walkmesh, { ...level, volumes }, baker, reach.windows)));
    const joinsWith = (/** @type {object} */ fields) => bake(context, level, { ...config, ...fields }).findPath(join.place, reach.windows[join.window].to[join.to]).status === 'complete';
    const isJoined = join && Object.keys(join.fields).length > 0 ? [join.fields, ...(join.alternative ? [join.alternative] : [])].every(joinsWith) : null;
    return { ...causeOf(join, reach, { config, obstacles }, { isWhole: join !== null, areaOf: (island) => islands.area(island) }), fields: join?.fields, isJoined, link: reach.link };
  });
  baker.free();
  islands.free();
  return { navMesh, causes };
}

const HUMAN = { ...CONFIG, agentRadius: 0.4, agentMaxSlope: 45, tileSize: 48, minRegionSize: 2 };
/** A floor, and a platform at its end. */
const FLOOR = /** @type {[number[], number[]]} */ ([[0, -0.5, 0], [14, 0, 8]]);
/** A platform of boxes too low to stand in. */
const makePlatform = (height) => Array.from({ length: height / 1.2 }, (_, i) => /** @type {[number[], number[]]} */ ([[6, 1.2 * i, 2], [12, 1.2 * (i + 1), 6]]));
const makeSteps = (riser) => [1, 2, 3, 4].map((i) => /** @type {[number[], number[]]} */ ([[2 + 0.8 * i, 0, 2], [12, riser * i, 6]]));

test('problems: an island names the lowest obstacle that cuts it off, and the smallest change of one setting that joins it', (context) => {
  const wall = (door) => /** @type {[number[], number[]][]} */ ([[[6, 0, 0], [6.3, 3, 3]], [[6, 0, 3 + door], [6.3, 3, 8]]]);
  const ramp = { positions: Float32Array.of(4, 0, 2, 4, 0, 6, 6, 2.4, 2, 6, 2.4, 6), indices: Uint32Array.of(0, 1, 2, 2, 1, 3) };
  const raised = makeBoxes([FLOOR, ...makePlatform(2.4)]);
  const withRamp = { positions: Float32Array.of(...raised.positions, ...ramp.positions), indices: Uint32Array.of(...raised.indices, ...ramp.indices.map((i) => i + raised.positions.length / 3)) };
  /** @type {[string, any, RegExp, string, string, object?][]} */
  const cases = [
    ['steps', makeBoxes([FLOOR, ...makeSteps(0.48)]), /^Cut off by a step of 0\.48 m: max step height 0\.4 m\.$/, 'Allow steps of 0.5 m', 'agentMaxClimb'],
    ['a door of 0.9 m', makeBoxes([FLOOR, ...wall(0.9)]), /^Cut off by a passage too narrow for radius 0\.4 m\.$/, 'Allow radius 0.2 m, Use cells of 0.05 m', 'agentRadius'],
    ['a door of 0.8 m', makeBoxes([FLOOR, ...wall(0.8)]), /^Cut off by a passage too narrow for radius 0\.4 m\.$/, 'Allow radius 0.2 m', 'agentRadius'],
    ['a door of 1.2 m in large cells', makeBoxes([FLOOR, ...wall(1.2)]), /^Cut off by a passage too narrow for radius 0\.4 m in cells of 0\.4 m\.$/, 'Use cells of 0.2 m', 'cellSize', { cellSize: 0.4 }],
    ['a ramp of 51 degrees', withRamp, /^Cut off by a slope of 51°: max slope 45°\.$/, 'Allow 51°', 'agentMaxSlope', { cellSize: 0.1, cellHeight: 0.05 }],
    ['a lintel at 1.6 m', makeBoxes([FLOOR, ...wall(2), [[6, 1.6, 3], [6.3, 3, 5]]]), /^Cut off by low headroom: 1\.6 m, agent height 1\.8 m\.$/, 'Allow height 1.5 m', 'agentHeight'],
  ];
  for (const [name, level, text, label, field, fine] of cases) {
    const { causes: [cause] } = findCauses(context, level, { ...HUMAN, ...fine });
    assert.match(cause?.text ?? '', text, name);
    assert.deepEqual([cause.actions.map((action) => action.label).join(', '), Object.keys(cause.fields), cause.isJoined, cause.rank], [label, [field], true, 0], name);
  }
});

test('problems: an island that only two settings together join is offered both', (context) => {
  const level = makeBoxes([FLOOR, ...makeSteps(0.48), [[7, 1.92, 2], [7.3, 5, 3.55]], [[7, 1.92, 4.45], [7.3, 5, 6]]]);
  const { causes } = findCauses(context, level, HUMAN);
  const labels = causes.map(({ actions: [{ label }] }) => label);
  assert.ok(labels.includes('Allow steps of 0.5 m') || labels.some((label) => / and /.test(label)), JSON.stringify(labels));
  assert.ok(causes.every(({ isJoined }) => isJoined));
});

test('problems: a gap, a drop and a roof: a connection joins what no setting does, and nothing is offered for the roof', (context) => {
  const gap = makeBoxes([FLOOR, [[14.7, -0.5, 0], [20, 0, 8]]]);
  const { causes: [beyond], navMesh } = findCauses(context, gap, HUMAN);
  assert.equal(beyond.text, 'Cut off by a gap of 0.7 m. No setting that was tried joins it; a connection does.');
  const [{ label, start, end }] = beyond.actions;
  assert.equal(label, 'Add a connection here');
  navMesh.addConnection({ start, end, radius: 0.4, bidirectional: true });
  assert.equal(navMesh.findPath([2, 0, 4], [18, 0, 4]).status, 'complete');
  const { causes: [above] } = findCauses(context, makeBoxes([FLOOR, ...makePlatform(2.4)]), HUMAN);
  assert.equal(above.text, 'Cut off by a drop: 2.4 m above the ground beside it. No setting that was tried joins it; a connection does.');
  const { causes: [roof] } = findCauses(context, makeBoxes([FLOOR, ...makePlatform(6)]), HUMAN);
  assert.match(roof.text, /^Nothing leads there: 6(\.\d+)? m above the ground below, without stairs or a ramp\. No setting that was tried joins it\.$/);
  assert.deepEqual([roof.actions, roof.rank], [[], NOTHING]);
});

test('problems: islands that nothing joins come after those that a setting or a connection joins, once all causes are known', () => {
  const list = islandProblems([1, 2, 3].map((i) => ({ number: i + 1, area: 40 - i, point: [9 * i, 0, 0], isInOneTile: false })), 0.2);
  const known = new Map([[2, { text: 'a', actions: [], rank: NOTHING, place: null }], [3, { text: 'b', actions: [], rank: 1, place: [1, 2, 3] }]]);
  const causes = { of: (/** @type {number} */ island) => known.get(island) ?? null, isKnown: (/** @type {number} */ island) => known.has(island) };
  assert.deepEqual(withCauses(list, causes).map(({ island }) => island), [2, 3, 4], 'not yet');
  known.set(4, { text: 'c', actions: [], rank: 0, place: null });
  const sorted = withCauses(list, causes);
  assert.deepEqual(sorted.map(({ island, text }) => `${island} ${text}`), ['4 c', '3 b', '2 a']);
  assert.deepEqual(sorted[1].place, [1, 2, 3]);
});

test('problems: a change that joins an island to another cut-off one counts only if the same setting joins that one, too', () => {
  const joins = new Map(/** @type {[number, any][]} */ ([[2, { fields: { agentMaxClimb: 0.5 }, target: 1 }], [3, { fields: { agentMaxClimb: 0.45 }, target: 2 }],
    [4, { fields: { agentRadius: 0.2 }, target: 2 }], [5, { fields: { agentMaxClimb: 0.5 }, target: 6 }], [6, { fields: { agentMaxClimb: 0.5 }, target: 5 }],
    [7, null], [8, { fields: { agentMaxClimb: 0.7, agentRadius: 0.2 }, target: 1 }], [9, { fields: { agentMaxClimb: 0.6 }, target: 20 }]]));
  const found = [2, 3, 4, 5, 7, 8, 9].map((island) => fieldsToMain(joins, (_, { target }) => target, island));
  assert.deepEqual(found, [{ agentMaxClimb: 0.5 }, { agentMaxClimb: 0.5 }, null, null, null, { agentMaxClimb: 0.7, agentRadius: 0.2 }, null]);
});

test('problems: an island behind a closed door is not said to need a setting or a connection', () => {
  const reach = /** @type {any} */ ({ windows: [{ from: [[1, 0, 1], [4, 0, 1]], to: [[9, 0, 1]], islands: [1] }], link: { start: [4, 0, 1], end: [9, 0, 1], island: 1, rise: 0, gap: 0 }, drop: null });
  const open = /** @type {any} */ ({ fields: {}, figure: 0, place: [5, 0, 1], window: 0, to: 0 });
  const behind = causeOf(open, reach, /** @type {any} */ ({ config: HUMAN, obstacles: [] }), { isWhole: true, areaOf: () => 1, hasClosedDoor: true });
  assert.deepEqual([behind.text, behind.actions, behind.place], ['A closed door cuts it off.', [], [4, 0, 1]]);
  assert.match(causeOf(open, reach, /** @type {any} */ ({ config: HUMAN, obstacles: [] }), { isWhole: true, areaOf: () => 1 }).text, /a connection does\.$/);
});

/** A box that closes ground, as an obstacle of the document and as a volume of the bake. */
const makeObstacle = (/** @type {number} */ id, /** @type {number[]} */ min, /** @type {number[]} */ max) => ({
  obstacle: { id, area: 0, shape: { kind: 'box', min, max } }, volume: /** @type {any} */ ({ kind: 'box', min, max, area: 0, beforeErosion: true, item: { kind: 'obstacle', id }, label: '' }),
});

test('problems: an obstacle that cuts an island off is named, and neither a setting nor a connection is offered', (context) => {
  const rooms = makeBoxes([FLOOR, [[6, 0, 0], [6.3, 3, 3]], [[6, 0, 5], [6.3, 3, 8]]]);
  const [beside, door] = [makeObstacle(1, [1, -0.5, 1], [2, 1, 2]), makeObstacle(2, [5.6, -0.5, 2.8], [6.8, 1.2, 5.2])];
  const all = [beside, door];
  const { causes } = findCauses(context, rooms, HUMAN, all.map(({ volume }) => volume), all.map(({ obstacle }) => obstacle));
  assert.deepEqual(causes.map(({ text }) => text), ['Cut off by an obstacle: Box 2 is in the way.']);
  assert.deepEqual(causes[0].actions.map(({ label, items }) => [label, items]), [['Remove Box 2', [{ kind: 'obstacle', id: 2 }]], ['Select it', [{ kind: 'obstacle', id: 2 }]]]);
  assert.ok(Math.abs(causes[0].place[0] - 6.2) < 1.6, `${causes[0].place}`);
  const [problem] = withCauses(islandProblems([{ number: 2, area: 9, point: [1, 0, 1], isInOneTile: true }], 0.2), { of: () => causes[0], isKnown: () => true });
  assert.equal(problem.action, null, 'a room is not offered for removal');
});

test('problems: obstacles and area volumes that touch no ground are listed; obstacles over ground that leave no headroom, and moving ones, are not', () => {
  const shape = (/** @type {number} */ low) => ({ kind: 'box', min: [0, low, 0], max: [1, low + 1, 1] });
  const document = /** @type {any} */ ({
    obstacles: [[1, 5], [2, -0.5], [3, 1.5], [4, 9]].map(([id, low]) => ({ id, area: 0, moving: id === 4 ? { speed: 1 } : null, shape: shape(low) })),
    volumes: [[1, 1.5], [2, -0.5]].map(([id, low]) => ({ id, area: 5, shape: shape(low) })),
  });
  // The ground lies at 0.
  const found = floatingProblems(document, ({ min, max }) => min[1] <= 0 && max[1] >= 0, 1.8);
  assert.deepEqual(found.map(({ title, item }) => [title, item?.kind, item?.id]), [['Box 1 touches no ground', 'obstacle', 1], [found[1].title, 'volume', 1]]);
  assert.deepEqual([found[0].point, found[0].action?.kind], [[0.5, 5.5, 0.5], 'remove']);
});

test('problems: obstacles and area volumes without an area close ground; what is neither, or is walked through, does not', () => {
  const { volume } = makeObstacle(1, [0, 0, 0], [1, 1, 1]), { item: _, ...unnamed } = volume;
  assert.deepEqual([volume, { ...volume, area: 5 }, unnamed].map(closesGround), [true, false, false]);
});

test('problems: links that would join a pit, a platform and ground beyond a gap are offered, and join it', async (context) => {
  // The copy of the package that the level tool itself imports.
  const own = await (await import('walkmesh')).load();
  const boxes = (/** @type {number} */ y, /** @type {number} */ gap) => makeBoxes([FLOOR, [[14 + gap, y - 0.5, 0], [20, y, 8]]]);
  const link = (/** @type {number} */ y, /** @type {number} */ gap) => /** @type {any} */ ({ start: [14.7 + gap, y, 4], end: [13.3, 0, 4], island: 1, rise: y, gap });
  for (const [name, level, way, expected] of /** @type {[string, any, any, string[]][]} */ ([
    ['a pit', boxes(-1.5, 0), link(-1.5, 0), ['drop', 'jump']], ['a platform', boxes(1.5, 0), link(1.5, 0), ['climb']], ['beyond a gap', boxes(0, 1), link(0, 1), ['jump']]])) {
    const baker = own.createBaker(level, HUMAN);
    const links = linksBetween(own, level, baker, way, {});
    baker.free();
    const kinds = links.map(({ linkKind }) => linkKind);
    assert.ok(expected.every((kind) => kinds.includes(kind)), `${name}: ${kinds}`);
    const { text, actions, rank } = causeOf(null, /** @type {any} */ ({ windows: [], link: way, drop: null }), /** @type {any} */ ({ config: HUMAN, obstacles: [] }), { isWhole: false, areaOf: () => 1, links });
    assert.ok(rank === 0.5 && !text.includes('No setting') && text.includes(`a ${kinds.at(-1)}`.slice(kinds.length > 1 ? 0 : 2)), text);
    assert.deepEqual(actions.map(({ label }) => label), [...kinds.map((kind) => `Allow this ${kind}`), 'Add a connection here']);
    for (const change of links) {
      const settings = defaultLinks();
      limitsFix(change.linkKind, change.links).change(settings);
      const { navMesh } = own.bake(level, { ...HUMAN, links: toLinkConfig(/** @type {any} */ ({ config: HUMAN, links: settings })) });
      context.after(() => navMesh.free());
      assert.equal(navMesh.findPath([2, 0, 4], [17 + way.gap, way.rise, 4]).status, 'complete', `${name}: ${change.linkKind}`);
    }
  }
  // Ground that is reached already.
  const flat = boxes(0, 0), baker = own.createBaker(flat, HUMAN);
  assert.deepEqual(linksBetween(own, flat, baker, link(0, 0), {}), []);
  baker.free();
});
