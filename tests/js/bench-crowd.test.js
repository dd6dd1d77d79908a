/** The crowd scenarios in passages: their scenes, their courses, and the figures of arrivals and jumps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { arrivalTable, countLater, timeOfPart } from '../../bench/crowd/arrivals.js';
import { compareFigures, crowdTables, summariseCourses } from '../../bench/crowd/crowd.js';
import { makeRandom } from '../../bench/crowd/random.js';
import { Recorder } from '../../bench/crowd/recorder.js';
import { contestants, makeWorld, populate, runScenario } from '../../bench/crowd/run.js';
import { define } from '../../bench/crowd/scenario.js';
import { chooseScenarios } from '../../bench/crowd/scenarios.js';
import { laneMaze } from '../../bench/crowd/scenes.js';

const walkmesh = await load();
const MAZE = { rooms: 6, room: 8, gap: 8, lane: 1.5 };

test('crowd scenarios: a maze without the dropped lanes is a tree, and with them a grid', () => {
  const countLanes = (/** @type {number} */ dropped) => laneMaze({ ...MAZE, dropped, random: makeRandom(1) }).floors.length - 36;
  assert.equal(countLanes(1), 35);
  assert.equal(countLanes(0), 60);
  const some = countLanes(0.55);
  assert.ok(some > 35 && some < 60, `${some} lanes`);
});

test('crowd scenarios: lanes of a maze lie between two rooms, and leave half a metre beside them', () => {
  for (const { minX, maxX, minZ, maxZ } of laneMaze({ ...MAZE, dropped: 0, random: makeRandom(2) }).floors.slice(36)) {
    const [low, high, length] = maxX - minX === 8 ? [minZ % 16, maxZ % 16, minX % 16] : [minX % 16, maxX % 16, minZ % 16];
    assert.ok(low >= 0.5 && high <= 7.5 && Math.abs(high - low - 1.5) < 1e-9 && length === 8, JSON.stringify({ minX, maxX, minZ, maxZ }));
  }
});

test('crowd scenarios: in passages every agent stands on the mesh and can reach its goal, and courses differ', () => {
  for (const { name } of chooseScenarios(['passages'])) {
    const agents = [0, 1, 1].map((course) => {
      const [scenario] = chooseScenarios([name], course);
      const world = makeWorld(walkmesh, undefined, scenario);
      const populated = populate(scenario, world);
      for (const { position, goal = position } of populated.agents) {
        const { points, count } = world.navMesh.findPath(position, goal);
        assert.ok(count > 0 && Math.hypot(points[0] - position[0], points[2] - position[2]) < 0.01, `${name}.${course}: ${position} is on the mesh`);
        assert.ok(Math.hypot(points[3 * count - 3] - goal[0], points[3 * count - 1] - goal[2]) < 0.01, `${name}.${course}: ${goal} is reached from ${position}`);
      }
      world.navMesh.free();
      return populated.agents;
    });
    assert.equal(agents[0].length, agents[1].length, name);
    assert.notDeepEqual(agents[0], agents[1], name);
    assert.deepEqual(agents[1], agents[2], `${name}: the same course twice`);
  }
});

test('crowd scenarios: a group is all its scenarios, and levels that are not there are named', () => {
  const names = (/** @type {string[]} */ wanted) => chooseScenarios(wanted).map(({ name }) => name);
  assert.deepEqual(names([]), names(['open-space']));
  assert.deepEqual(names(['passages']), ['lanes', 'lanes-400', 'lanes-tight', 'dead-end', 'ring', 'bridge', 'rest-in-lane']);
  assert.equal(names(['game', 'ring']).length, 7);
  assert.deepEqual(names(['ledges']), ['ledge', 'ledge-point']);
  assert.throws(() => chooseScenarios(['lane']), /no such scenario: lane \(there are open-space, passages, ledges, game, lone,/);
  const tables = crowdTables({ scenarios: [{ name: 'atlantis', missing: 'atlantis.obj', figures: {} }], speed: null });
  assert.deepEqual(tables, ['Crowd: atlantis was not measured: there is no atlantis.obj.\n']);
  const figures = (/** @type {number} */ value) => summariseCourses([{ arrivedInTime: value, meanTime: value, overlapTime: value, stuck: value, arrivals: [value] }]);
  const both = crowdTables({ scenarios: [{ name: 'ring', title: 'a ring', figures: { walkmesh: figures(1), 'recast-navigation': figures(2) } }], speed: null });
  assert.deepEqual(both.map((/** @type {any} */ { section }) => section), ['crowd-scenarios', 'crowd-scenarios', 'crowd-summary']);
  assert.deepEqual(/** @type {any} */ (both[2]).rows[1], ['ring: a ring', '1.000', '2.000', '1.00', '2.00', '1.00', '2.00', '1', '2']);
});

test('crowd scenarios: agents drop side by side over the link of a ledge, and nobody gets stuck or jumps', () => {
  const flows = ['ledge', 'ledge-point'].map((name) => {
    const [scenario] = chooseScenarios([name], 1);
    const world = makeWorld(walkmesh, undefined, scenario);
    const { figures } = runScenario({ ...scenario, duration: 60 }, world, contestants(undefined).walkmesh);
    assert.deepEqual([figures.arrived, figures.stuck, figures.jumps], [1, 0, 0], name);
    world.navMesh.free();
    return figures.flow;
  });
  assert.ok(flows[0] > 3 * flows[1], `${flows}`);
});

/**
 * Records agents that move along x at the same height.
 * @param {Partial<import('../../bench/crowd/scenario.js').Scenario>} scenario @param {number[][]} places the x of each agent, step by step
 * @param {(agent: number) => boolean} [isPassing]
 */
function record(scenario, places, isPassing = () => false) {
  const straight = (/** @type {ArrayLike<number>} */ from, /** @type {ArrayLike<number>} */ to) => ({ length: Math.abs(to[0] - from[0]), end: to, points: [...Array.from(from), ...Array.from(to)] });
  const recorder = new Recorder(define({ name: 'test', title: '', duration: places.length - 1, timeStep: 1, arrivalDistance: 0.5, ...scenario }), straight);
  const positionsOf = (/** @type {number[]} */ all) => Float32Array.from(all.flatMap((x, i) => [x, scenario.agents[i].position[1], 20 * i]));
  recorder.begin(positionsOf(places[0]));
  let step = 0;
  while (!recorder.isOver) recorder.observe(positionsOf(places[++step]), () => false, isPassing, []);
  return { ...recorder.finish(positionsOf(places[step])), steps: step };
}

/** @param {number} x @param {number} i @param {Partial<import('../../bench/crowd/scenario.js').Walker>} [more] @returns {any} */
const walkerTo = (x, i, more) => ({ position: [0, 0, 20 * i], goal: [x, 0, 20 * i], ...more });

test('crowd figures: arrivals, their times over the free times, and ways beyond the ideal', () => {
  // The first agent goes 3 m back and arrives after 16 m; the second one goes 2 m back and stops 8 m before its goal.
  const figures = record({ agents: [walkerTo(10, 0), walkerTo(10, 1)] }, [[0, 0], [3, 4], [0, 2], [4, 2], [7, 2], [10, 2], [10, 2]]);
  const freeTime = 10 / 3.5 + 3.5 / 8;
  assert.deepEqual(figures.arrivals, [5, Infinity]);
  assert.equal(figures.arrived, 0.5);
  assert.equal(figures.punctual, 0.5);
  assert.equal(figures.nearlyAll, Infinity);
  assert.ok(Math.abs(figures.meanTime - 5 / freeTime) < 1e-9);
  assert.equal(figures.detour, 5, 'the one walked 16 m, the other one 6 m and has 8 m left');
  assert.equal(figures.passing, 0);
});

test('crowd figures: an agent on another storey has not arrived, and overlaps nobody below it', () => {
  const above = walkerTo(1, 0, { goal: [1, 0, 0], position: [0, 3, 0] });
  assert.equal(record({ agents: [above] }, [[0], [1], [1]]).arrived, 0);
  const below = { position: [0, 0, 0], goal: [1, 0, 0] };
  const places = [[0, 0], [1, 1], [1, 1]];
  const overlapOf = (/** @type {number} */ height) => {
    const recorder = new Recorder(define({ name: 'test', title: '', duration: 2, timeStep: 1, agents: [above, /** @type {any} */ (below)] }), (from, to) => ({ length: 1, end: to, points: [] }));
    const positionsOf = (/** @type {number[]} */ [a, b]) => Float32Array.from([a, height, 0, b, 0, 0]);
    recorder.begin(positionsOf(places[0]));
    recorder.observe(positionsOf(places[1]), () => false, undefined, []);
    const { overlapWorst, passing } = recorder.finish(positionsOf(places[1]));
    assert.equal(passing, null, 'a crowd without the state has no figure');
    return overlapWorst;
  };
  assert.equal(overlapOf(3), 0);
  assert.ok(Math.abs(overlapOf(1) - 0.6) < 1e-6);
});

test('crowd figures: a jump is what a step is longer than the speed allows', () => {
  const { worstJump, jumps } = record({ agents: [walkerTo(100, 0)] }, [[0], [3.5], [7], [11], [11.05], [11.2]]);
  assert.ok(Math.abs(worstJump - 0.5) < 1e-6, `${worstJump}`);
  assert.equal(jumps, 4, 'steps over 0.12 m');
});

test('crowd figures: the way of an agent that starts at its goal is its ideal', () => {
  const { pathRatio } = record({ agents: [walkerTo(0, 0), walkerTo(4, 1)] }, [[0, 0], [0, 2], [0, 0], [0, 4], [0, 4]]);
  assert.equal(pathRatio, 1.5, 'the other one walks 8 m instead of 4');
});

test('crowd figures: idle and paused agents have none, and passing is counted', () => {
  const agents = [walkerTo(1, 0), walkerTo(9, 1, { goal: undefined }), walkerTo(9, 2, { isPaused: true })];
  const { arrived, agents: count, passing } = record({ agents }, [[0, 0, 0], [1, 0, 0], [1, 0, 0]], (agent) => agent === 0);
  assert.deepEqual([arrived, count, passing], [1, 1, 2]);
});

test('crowd figures: a scenario that ends early goes on for ten seconds after the last arrival', () => {
  const places = Array.from({ length: 41 }, (_, i) => [Math.min(3 * i, 9)]);
  assert.equal(record({ agents: [walkerTo(9, 0)], endsEarly: true }, places).steps, 13);
  assert.equal(record({ agents: [walkerTo(9, 0)] }, places).steps, 40);
  assert.equal(record({ agents: [walkerTo(9.6, 0)], endsEarly: true }, places).steps, 40, 'nobody has arrived');
});

test('crowd figures: arrivals part by part, later than the other where more than a step tells them apart', () => {
  const times = [1, 2, 3, 4, 5, 6, 7, 8, 9, Infinity];
  assert.deepEqual([0.1, 0.5, 0.9, 1].map((part) => timeOfPart(times, part)), [1, 5, 9, Infinity]);
  const ours = [times, [1, 2, 3]], theirs = [[...times.slice(0, 9), 10], [1.01, 1.9, 3.001]];
  assert.deepEqual([0.1, 0.5, 1].map((part) => countLater(ours, theirs, part)), [0, 1, 1]);
  assert.equal(countLater([[Infinity]], [[Infinity]], 1), 0);
  const figures = { walkmesh: { arrivalsOfCourses: ours }, 'recast-navigation': { arrivalsOfCourses: theirs } };
  const { rows } = arrivalTable({ name: 'a', title: 'b', figures });
  assert.deepEqual(rows.map((row) => row[10]), ['100 %', 'never', '10.0', '1 of 2']);
  assert.deepEqual(arrivalTable({ name: 'a', title: 'b', figures: { walkmesh: { arrivalsOfCourses: ours } } }).rows.length, 2);
});

test('crowd figures: those who never arrive are compared, too', () => {
  const courses = (/** @type {number[]} */ values) => summariseCourses(values.map((nearlyAll) => ({ nearlyAll, arrivals: [nearlyAll] })));
  const compare = (/** @type {number[]} */ ours, /** @type {number[]} */ theirs) => compareFigures(courses(ours), courses(theirs));
  assert.deepEqual(compare([2, Infinity], [2, 3]).worse, ['95 % within times']);
  assert.deepEqual(compare([2, 3], [Infinity, 3]), { worse: [], open: [], tooNear: [] });
  assert.deepEqual(compare([Infinity, 3], [Infinity, 3]), { worse: [], open: [], tooNear: [] });
  assert.deepEqual(compare([Infinity, 3], [2, Infinity]), { worse: [], open: ['95 % within times'], tooNear: [] });
});
