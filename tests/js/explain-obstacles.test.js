// Explanations of paths that obstacles close: volumes of the level, and obstacles of dynamic meshes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainPath, findObstaclesInWay, load } from '../../js/index.js';
import { makeRandom } from './random.js';
import { makeBoxes, makeRooms } from './rooms.js';

const walkmesh = await load();
const CONFIG = { cellSize: 0.1, cellHeight: 0.1, agentRadius: 0.3, agentMaxClimb: 0.3 };
const TILED = { ...CONFIG, tileSize: 64 };
/** From one room to the other; openings of 2 m at the given places. */
const [START, END] = [[2, 0, 5], [18, 0, 5]];
/** Near the wall. */
const NEAR = [[7, 0, 5], [13, 0, 5]];
const level = (/** @type {[number, number][]} */ openings = [[4, 6]]) => makeRooms(openings);
/** @returns {import('../../js/index.js').AreaVolume} */
const box = (/** @type {number[]} */ min, /** @type {number[]} */ max) => (
  { kind: 'box', min: /** @type {any} */ (min), max: /** @type {any} */ (max), area: 0, beforeErosion: true });
const BESIDE = box([2, -0.5, 8], [3, 1, 9]), IN_WAY = box([9.5, -0.5, 3.8], [11, 1.5, 6.2]);

/** What the causes say, and whether a bake without the volumes that the first one names has a way. @param {any} geometry */
function explainBaked(geometry, [start, end] = [START, END]) {
  const { navMesh } = walkmesh.bake(geometry, CONFIG);
  const { causes, text } = explainPath(navMesh, start, end, { level: { geometry } });
  navMesh.free();
  const gone = (causes[0]?.changes ?? []).map((change) => (change.kind === 'remove' ? change.volume : -1));
  const { navMesh: without } = walkmesh.bake({ ...geometry, volumes: geometry.volumes.filter((/** @type {any} */ _, /** @type {number} */ i) => !gone.includes(i)) }, CONFIG);
  const { status } = without.findPath(start, end);
  without.free();
  return { causes, text, gone, status };
}

test('a volume of area 0 that closes the way is the only cause, and without it the way is open', () => {
  const { causes, text, gone, status } = explainBaked({ ...level(), volumes: [BESIDE, { ...BESIDE, area: 5 }, IN_WAY] });
  assert.deepEqual([causes.length, causes[0].kind, causes[0].isVerified, gone, status], [1, 'obstacle', true, [2], 'complete']);
  assert.equal(text, 'There is no path. The volume 2 is in the way. Passes without the volume 2.');
  assert.deepEqual(causes[0].point, [10.25, 0.5, 5]);
  assert.equal(JSON.stringify(causes[0].changes), '[{"kind":"remove","volume":2}]');
});

test('a level of a class whose arrays are getters is explained without its volumes, and with the obstacles of its mesh', () => {
  const { positions, indices } = level();
  class Level {
    get positions() { return positions; }
    get indices() { return indices; }
    get volumes() { return [BESIDE, IN_WAY]; }
  }
  const { navMesh } = walkmesh.bake(new Level(), CONFIG);
  assert.equal(explainPath(navMesh, START, END, { level: { geometry: new Level() } }).text, 'There is no path. The volume 1 is in the way. Passes without the volume 1.');
  navMesh.free();
  class Open extends Level {
    get volumes() { return [BESIDE]; }
  }
  const { navMesh: changing, dynamic } = walkmesh.bakeDynamic(new Open(), TILED);
  dynamic.addObstacle({ kind: 'box', min: IN_WAY.min, max: IN_WAY.max });
  dynamic.update();
  assert.match(explainPath(changing, START, END, { level: { geometry: new Open() } }).text, /The box obstacle at \(10\.3, 0\.5, 5\) is in the way/);
  dynamic.free();
  changing.free();
});

test('volumes that close the way together are told together, others are left alone; volumes with an area are walked through', () => {
  const [left, right] = [box([9.5, -0.5, 3.8], [11, 1.5, 5]), box([9.5, -0.5, 5], [11, 1.5, 6.2])];
  const { text, gone, status } = explainBaked({ ...level(), volumes: [left, BESIDE, IN_WAY, box([14, -0.5, 0], [14.5, 2, 10]), right] });
  // Beside one half, the agent passes.
  assert.deepEqual([gone, status], [[2, 3, 4], 'complete']);
  assert.equal(text, 'There is no path. The volumes 2, 3 and 4 are in the way. Passes without the volumes 2, 3 and 4.');
  const { causes } = explainBaked({ ...level([]), volumes: [BESIDE, { ...IN_WAY, area: 5 }] });
  assert.notEqual(causes[0].kind, 'obstacle', 'a wall without an opening');
});

test('where one volume closes a way and two another one, the one is told, in every order of the level', () => {
  const volumes = [box([9.5, -0.5, 0], [10.9, 1.5, 2.5]), box([9.5, -0.5, 6.8], [9.9, 1.5, 9.5]), box([10.5, -0.5, 6.8], [10.9, 1.5, 9.5]), BESIDE];
  for (const order of [[0, 1, 2, 3], [1, 2, 0, 3], [3, 1, 2, 0], [1, 0, 2, 3]]) {
    const { gone, status } = explainBaked({ ...level([[0.5, 2.2], [7, 9]]), volumes: order.map((i) => volumes[i]) });
    assert.deepEqual([gone, status], [[order.indexOf(0)], 'complete']);
  }
});

test('a volume that makes a way long is told with the length it saves; one that does not, is not', () => {
  const { causes } = explainBaked({ ...level([[0.2, 1.6], [4, 6]]), volumes: [IN_WAY, BESIDE] }, NEAR);
  const [{ kind, changes, saves }] = causes;
  assert.deepEqual([kind, changes], ['obstacle', [{ kind: 'remove', volume: 0 }]]);
  assert.ok(Number(saves) > 1.5, `${saves}`);
  assert.ok(!explainBaked({ ...level([[0.2, 1.6], [4, 6]]), volumes: [BESIDE] }, NEAR).causes.some(({ kind: other }) => other === 'obstacle'));
});

test('the sentence about an obstacle of a dynamic mesh has its shape and place, not its handle; also one over the end; the change removes it', () => {
  const geometry = { ...level(), volumes: [BESIDE] };
  for (const shape of [
    { kind: 'box', min: IN_WAY.min, max: IN_WAY.max }, { kind: 'cylinder', base: [10.2, -0.2, 5], radius: 1.2, height: 2 }, { kind: 'sphere', centre: [10.2, 0.5, 5], radius: 1.6 },
    { kind: 'prism', vertices: [9.5, 0, 3.8, 11, 0, 3.8, 11, 0, 6.2, 9.5, 0, 6.2], minY: -0.5, maxY: 1.5 }, { kind: 'capsule', start: [10.2, 0.5, 3.5], end: [10.2, 0.5, 6.5], radius: 0.8 },
    { kind: 'rotatedBox', centre: END, halfExtents: [3, 1, 5], yaw: 0.1 },
  ]) {
    const { navMesh, dynamic } = walkmesh.bakeDynamic(geometry, TILED);
    dynamic.addObstacle({ kind: 'box', min: [1, -0.5, 1], max: [2, 1, 2] });
    const handle = dynamic.addObstacle(/** @type {any} */ (shape));
    dynamic.update();
    assert.notEqual(navMesh.findPath(START, END).status, 'complete', shape.kind);
    const { causes, text } = explainPath(navMesh, START, END, { level: { geometry } });
    const [{ kind, changes: [change], point }] = causes;
    const name = `he ${shape.kind === 'rotatedBox' ? 'box' : shape.kind} obstacle at (${point?.map((value) => Number(value.toFixed(1))).join(', ')})`;
    assert.equal(text, `There is no path. T${name} is in the way. Passes without t${name}.`, shape.kind);
    assert.ok(kind === 'obstacle' && change.kind === 'remove' && change.dynamic === dynamic && change.obstacle === handle);
    const middle = shape.kind === 'rotatedBox' ? END : [10.2, 0, 5];
    assert.ok(Math.hypot(Number(point?.[0]) - middle[0], Number(point?.[2]) - middle[2]) < 0.1, `${shape.kind}: ${point}`);
    assert.equal(JSON.stringify(change), JSON.stringify({ kind: 'remove', obstacle: handle, shape: shape.kind === 'rotatedBox' ? 'box' : shape.kind, point }));
    change.dynamic?.removeObstacle(handle);
    dynamic.update();
    assert.equal(navMesh.findPath(START, END).status, 'complete', shape.kind);
    navMesh.free();
  }
});

/** A floor of triangles, a room of solids around the end, and a solid under it and one beside it. @param {number} [area] of the walls @returns {any} */
function makeSolidRoom(area) {
  const wall = (/** @type {number[]} */ min, /** @type {number[]} */ max) => ({ kind: 'box', min, max, ...(area !== undefined && { area }) });
  const walls = [wall([12, 0, 2], [12.3, 3, 8]), wall([17.7, 0, 2], [18, 3, 8]), wall([12, 0, 2], [18, 3, 2.3]), wall([12, 0, 7.7], [18, 3, 8])];
  return { ...makeBoxes([[[0, -0.5, 0], [20.4, 0, 10]]]), solids: [{ kind: 'box', min: [14, 0, 4], max: [16, 0.2, 6] }, { kind: 'box', min: [3, 0, 1], max: [4, 1, 2] }, ...walls] };
}

for (const area of [undefined, 0]) {
  test(`a room that solids of area ${area ?? 'no number'} close names a solid, not that nothing leads there, and the way is open without it`, () => {
    const geometry = makeSolidRoom(area), end = /** @type {[number, number, number]} */ ([15, 0.2, 5]);
    const { navMesh } = walkmesh.bake(geometry, CONFIG);
    const { causes: [{ kind, isVerified, changes }], text } = explainPath(navMesh, START, end, { level: { geometry } });
    navMesh.free();
    assert.deepEqual([kind, isVerified, changes.length], ['obstacle', true, 1], text);
    const solid = changes[0].kind === 'remove' ? Number(changes[0].solid) : -1;
    assert.equal(text, `There is no path. The solid ${solid} is in the way. Passes without the solid ${solid}.`);
    const { navMesh: open } = walkmesh.bake({ ...geometry, solids: geometry.solids.filter((/** @type {any} */ _, /** @type {number} */ i) => i !== solid) }, CONFIG);
    assert.equal(open.findPath(START, end).status, 'complete');
    open.free();
  });
}

test('a room of walls that nothing opens says where they close it off', () => {
  const geometry = makeRooms([]);
  const { navMesh } = walkmesh.bake(geometry, CONFIG);
  const { causes, text } = explainPath(navMesh, START, END, { level: { geometry } });
  navMesh.free();
  assert.deepEqual(causes.map(({ kind }) => kind), ['closed'], text);
  assert.match(text, /^There is no path\. Walls or other parts of the level close it off at \(9\.\d, 0(\.\d)?, \d(\.\d)?\): no setting/);
});

test('an obstacle that is no hole in the mesh is none; one that is not built yet makes the mesh outdated', () => {
  const geometry = level();
  const { navMesh, dynamic } = walkmesh.bakeDynamic(geometry, TILED);
  dynamic.addObstacle({ kind: 'box', min: IN_WAY.min, max: IN_WAY.max, carving: 'never' });
  dynamic.update();
  assert.deepEqual(explainPath(navMesh, START, END, { level: { geometry } }).causes, []);
  const handle = dynamic.addObstacle({ kind: 'box', min: IN_WAY.min, max: IN_WAY.max });
  dynamic.update();
  dynamic.removeObstacle(handle);
  assert.equal(explainPath(navMesh, START, END, { level: { geometry } }).causes[0].kind, 'outdated');
  dynamic.free();
  assert.equal(explainPath(navMesh, START, END, { level: { geometry } }).causes[0].kind, 'outdated', 'a mesh that no obstacle changes any more');
  navMesh.free();
});

test('an obstacle behind a closed door stands in a row with it', () => {
  const geometry = { ...level(), volumes: [BESIDE, IN_WAY] };
  const { navMesh } = walkmesh.bake(geometry, CONFIG);
  const switches = navMesh.createSwitches();
  switches.addDoor({ name: 'gate', isOpen: false, volume: { kind: 'box', min: [5, -1, -1], max: [6, 2, 11] } });
  const { causes, text } = explainPath(navMesh, START, END, { level: { geometry } });
  assert.equal(text, 'There is no path. The door `gate` is closed. Then the volume 1 is in the way. Passes with the door `gate` open and without the volume 1.');
  assert.deepEqual(causes.map(({ kind, isAlsoNeeded = false }) => [kind, isAlsoNeeded]), [['switch', false], ['obstacle', true]]);
  navMesh.free();
});

test('an obstacle before a passage that is too narrow stands in a row with it, also behind a closed door', () => {
  const geometry = { ...level([[4.8, 5.2]]), volumes: [BESIDE, box([7, -0.5, -1], [8, 1.5, 11])] };
  const { navMesh } = walkmesh.bake(geometry, CONFIG);
  const explain = () => explainPath(navMesh, START, END, { level: { geometry } }).causes;
  const causes = explain(), [{ changes: [removal, field] }] = causes;
  assert.deepEqual(causes.map(({ kind, isVerified, isAlsoNeeded = false }) => [kind, isVerified, isAlsoNeeded]), [['obstacle', true, false], ['narrow', false, true]]);
  assert.match(causes[0].text, /^The volume 1 is in the way\. Then a passage of 0\.4 m is too narrow: .* Passes without the volume 1 and with agentRadius 0\.1\.$/);
  assert.ok(removal.kind === 'remove' && removal.volume === 1 && field.kind === 'config');
  const { navMesh: changed } = walkmesh.bake({ ...geometry, volumes: [BESIDE] }, { ...CONFIG, ...field.fields });
  assert.equal(changed.findPath(START, END).status, 'complete');
  changed.free();
  navMesh.createSwitches().addDoor({ name: 'gate', isOpen: false, volume: { kind: 'box', min: [4.5, -1, -1], max: [5.5, 2, 11] } });
  assert.deepEqual(explain().map(({ kind }) => kind), ['switch', 'obstacle', 'narrow']);
  navMesh.free();
});

test('a volume that is listed twice must go twice', () => {
  const { gone, status } = explainBaked({ ...level(), volumes: [IN_WAY, BESIDE, IN_WAY] });
  assert.deepEqual([gone, status], [[0, 2], 'complete']);
});

test('where trials run out, the explanation says so, and its change opens the way nevertheless', () => {
  const rows = 40, geometry = makeBoxes([[[0, -0.5, 0], [5, 0, 85]]]), ends = [[2.5, 0, 1], [2.5, 0, 84]];
  const volumes = Array.from({ length: 10 * rows }, (_, i) => box([(i % 10) / 2, -1, 2 + 2 * Math.floor(i / 10)], [(i % 10) / 2 + 0.5, 1, 3 + 2 * Math.floor(i / 10)]));
  const config = { cellSize: 0.5, cellHeight: 0.25, agentRadius: 0.5 }, given = { ...geometry, volumes };
  const { navMesh } = walkmesh.bake(given, config);
  const { text, causes: [{ kind, changes, isVerified }] } = explainPath(navMesh, ends[0], ends[1], { level: { geometry: given } });
  navMesh.free();
  assert.match(text, /^There is no path\. (\d+) volumes are in the way\. Perhaps not all of them: the search ended after \d+ trials\. Passes without \1 volumes\.$/);
  assert.ok(kind === 'obstacle' && isVerified && changes.length < volumes.length / 2, `${changes.length}`);
  const gone = new Set(changes.map((change) => change.kind === 'remove' && change.volume));
  const { navMesh: without } = walkmesh.bake({ ...geometry, volumes: volumes.filter((_, i) => !gone.has(i)) }, config);
  assert.equal(without.findPath(ends[0], ends[1]).status, 'complete');
  without.free();
});

/** Runs a search for obstacles that close some ways, each by itself. @param {number} count @param {readonly number[][]} ways obstacles of each @param {object} [options] */
function search(count, ways, options) {
  const obstacles = Array.from({ length: count }, (_, i) => i);
  let trials = 0, rests = 0;
  const steps = findObstaclesInWay(obstacles, (removed) => ++trials > 0 && ways.some((way) => way.every((each) => removed.includes(each))), options);
  for (;; rests++) {
    const { done, value } = steps.next();
    if (done) return { ...value, trials, rests };
  }
}

test('of many obstacles, those that must go are found in few trials, and the search rests after each', () => {
  for (const needed of [[3], [19], [0, 10], [7, 8, 9]]) {
    const { obstacles, areFewest, trials, rests } = search(20, [needed]);
    assert.deepEqual([obstacles, areFewest, rests], [needed, true, trials]);
    assert.ok(trials <= 2 * needed.length * 5 + 2, `${trials}`);
  }
  assert.deepEqual(search(20, []), { obstacles: [], areFewest: true, trials: 1, rests: 1 }, 'closed without them, too');
  assert.deepEqual(search(20, [[]]), { obstacles: [], areFewest: true, trials: 2, rests: 2 }, 'open with them');
  assert.deepEqual(search(0, []), { obstacles: [], areFewest: true, trials: 0, rests: 0 });
});

test('a search refuses what is no list, no function, and names it', () => {
  const no = () => false;
  for (const [field, given] of /** @type {[string, any[]][]} */ ([['obstacles', [null, no]], ['opens', [[], 5]], ['mostTrials', [[], no, { mostTrials: -1 }]],
    ['likely', [[], no, { likely: [] }]], ['mostTrails', [[], no, { mostTrails: 1 }]]])) {
    assert.throws(() => findObstaclesInWay(.../** @type {[any, any, any]} */ (given)), { code: 'invalid-argument', field }, field);
  }
});

test('a search refuses answers that are neither true nor false, and likely obstacles that are no list', () => {
  const refuses = (/** @type {any[]} */ given, /** @type {object} */ error) => assert.throws(() => {
    const steps = findObstaclesInWay(.../** @type {[any, any, any]} */ (given));
    while (!steps.next().done);
  }, { code: 'invalid-argument', ...error });
  refuses([[1, 2], async () => true], { field: 'opens', message: /must return true or false, not a Promise/ });
  refuses([[1, 2], () => undefined], { field: 'opens' });
  refuses([[1, 2], (/** @type {number[]} */ { length }) => length > 0, { likely: () => 5 }], { field: 'likely' });
  assert.deepEqual(search(20, [[3]], { mostTrials: 0 }), { obstacles: [], areFewest: false, trials: 0, rests: 0 }, 'nothing was tried');
});

test('of random ways without common obstacles, the one with the fewest is told; a bound ends the search, and what it tells opens a way', () => {
  const random = makeRandom(20);
  for (let round = 0; round < 300; round++) {
    const count = 17 + random.below(60), left = Array.from({ length: count }, (_, i) => i), draw = () => left.splice(random.below(left.length), 1);
    const ways = Array.from({ length: 1 + random.below(4) }, () => Array.from({ length: 1 + random.below(4) }, draw).flat());
    const fewest = Math.min(...ways.map((way) => way.length)), name = JSON.stringify({ round, count, ways });
    const opens = (/** @type {readonly number[]} */ removed) => ways.some((way) => way.every((each) => removed.includes(each)));
    const whole = search(count, ways);
    assert.ok(whole.obstacles.length === fewest && opens(whole.obstacles) && whole.areFewest, name);
    const mostTrials = 2 + random.below(20), cut = search(count, ways, { mostTrials });
    assert.ok(cut.trials <= mostTrials && opens(cut.obstacles) && (cut.areFewest ? cut.obstacles.length === fewest : cut.trials === mostTrials), `${name} ${mostTrials}`);
    // Those that are likely save trials, and never change how many are told.
    const likely = search(count, ways, { likely: () => [...ways[0], (ways[0][0] + 1) % count] });
    assert.ok(likely.obstacles.length === fewest && opens(likely.obstacles), name);
  }
  const [plain, likely] = [search(1000, [[500, 700]]), search(1000, [[500, 700]], { likely: () => [500, 600, 700] })];
  assert.ok(likely.trials <= 12 && plain.trials >= 20, `${likely.trials} ${plain.trials}`);
});
