// The level tool's crowd without its page: placing, sending, resting, and meshes that change under it or are replaced.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AGENT_STATES, Random, load } from 'walkmesh';
import { activityColor, activityWords, describeAgent, numberOf } from '../../web-demo/src/crowd/activity.js';
import { placeAnywhere, placeAround } from '../../web-demo/src/crowd/placement.js';
import { describeOrder } from '../../web-demo/src/crowd/routines.js';
import { STEP, Simulation } from '../../web-demo/src/crowd/simulation.js';
import { StepTimes, WINDOW } from '../../web-demo/src/crowd/step-times.js';
import { makeGround, readScene } from './support.js';

const walkmesh = await load();
const PARAMETERS = { radius: 0.3, maxSpeed: 3.5 };
const FILTER = Object.freeze({});

function begin(context, level = makeGround(30), config = { cellSize: 0.3, tileSize: 32 }) {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(level, config);
  context.after(() => navMesh.isFreed || navMesh.free());
  const simulation = new Simulation(PARAMETERS, FILTER);
  simulation.begin(navMesh, dynamic);
  return { navMesh, dynamic, simulation };
}

/** Runs until all agents rest; returns the seconds that passed. */
function settle(simulation, most = 60) {
  let frames = 0;
  while (simulation.isAwake) {
    simulation.advance(STEP);
    assert.ok(++frames < most * 60, `not at rest after ${most} s: ${JSON.stringify(simulation.countStates())}`);
  }
  return frames / 60;
}

const square = (count, apart = 1, from = 5) => Float32Array.from({ length: 3 * count }, (_, i) => {
  const agent = Math.floor(i / 3);
  return i % 3 === 1 ? 0 : from + apart * (i % 3 === 0 ? agent % 10 : Math.floor(agent / 10));
});

test('crowd tool: step times have a median and a worst, of the last steps only', () => {
  const times = new StepTimes();
  assert.deepEqual(times.summary(), { median: 0, worst: 0, last: 0 });
  for (const value of [5, 1, 3]) times.add(value);
  assert.deepEqual(times.summary(), { median: 3, worst: 5, last: 3 });
  times.add(2);
  assert.equal(times.summary().median, 2.5);
  for (let i = 0; i < WINDOW; i++) times.add(i);
  assert.deepEqual(times.list(), Array.from({ length: WINDOW }, (_, i) => i));
  assert.equal(times.summary().worst, WINDOW - 1);
});

test('crowd tool: new agents stand apart, in their circle or on the largest island', (context) => {
  const { navMesh } = begin(context, readScene('islands'));
  const random = new Random(3);
  const apart = (points) => {
    let least = Infinity;
    for (let i = 0; i < points.length; i += 3) {
      for (let k = 0; k < i; k += 3) least = Math.min(least, Math.hypot(points[i] - points[k], points[i + 1] - points[k + 1], points[i + 2] - points[k + 2]));
    }
    return least;
  };
  const all = placeAnywhere(navMesh, { count: 100, apart: 0.7, random, filter: FILTER });
  assert.equal(all.length, 300);
  assert.ok(apart(all) >= 0.7);
  const islands = navMesh.islands();
  for (let i = 0; i < 300; i += 3) assert.equal(islands.of(navMesh.nearestPoint(all.subarray(i, i + 3)).polygon), 1);
  const centre = [...all.subarray(0, 3)];
  const around = placeAround(navMesh, centre, 5, { count: 12, apart: 0.7, random, filter: FILTER, others: centre });
  assert.equal(around.length, 36);
  assert.ok(apart([...centre, ...around]) >= 0.7);
  for (let i = 0; i < 36; i += 3) assert.ok(Math.hypot(around[i] - centre[0], around[i + 2] - centre[2]) <= 5.01);
  // Without free space the agents are placed anyway; without a surface none is.
  assert.equal(placeAround(navMesh, centre, 0.2, { count: 20, apart: 0.7, random, filter: FILTER }).length, 60);
  assert.equal(placeAround(navMesh, [1e4, 0, 0], 5, { count: 5, apart: 1, random, filter: FILTER }).length, 0);
});

test('crowd tool: agents are sent, arrive, and cost no frames any more', (context) => {
  const { simulation } = begin(context);
  assert.equal(simulation.isAwake, false);
  const agents = simulation.add(square(30));
  assert.equal(agents.length, 30);
  settle(simulation, 5);
  assert.deepEqual(simulation.countStates(), [{ state: 'no-target', reason: null, count: 30 }]);
  const stood = simulation.crowd.hash();
  assert.equal(simulation.advance(1), 0);
  assert.equal(simulation.crowd.hash(), stood);
  assert.equal(simulation.send([22, 0, 22]), 30);
  assert.equal(simulation.isAwake, true);
  const seconds = settle(simulation, 40);
  assert.ok(seconds > 4, `${seconds}`);
  const atRest = simulation.countStates();
  assert.deepEqual(atRest.map(({ state }) => state), ['arrived', 'crowded']);
  assert.equal(atRest[0].count + atRest[1].count, 30);
  const { median, worst } = simulation.times.summary();
  assert.ok(median > 0 && worst >= median);
  // Only the selected agents move.
  simulation.selected.add(agents[4]);
  assert.equal(simulation.send([5, 0, 5]), 1);
  assert.deepEqual(simulation.targets().sort(), [[22, 0, 22], [5, 0, 5]]);
  settle(simulation, 40);
  assert.ok(Math.hypot(...simulation.crowd.position(agents[4]).map((part, axis) => part - [5, 0, 5][axis])) < 0.7);
  simulation.stop();
  simulation.reset();
  settle(simulation, 5);
  const [x, , z] = simulation.crowd.position(agents[7]);
  assert.ok(Math.hypot(x - 12, z - 5) < 0.1, 'back where it began');
  simulation.remove(agents.subarray(0, 29));
  assert.equal(simulation.count, 1);
  simulation.clear();
  assert.equal(simulation.count, 0);
  assert.equal(simulation.add(Float32Array.of(3, 0, 3)).length, 1);
});

test('crowd tool: paused nobody moves, a single step moves all', (context) => {
  const { simulation } = begin(context);
  simulation.add(square(5));
  simulation.send([20, 0, 20]);
  simulation.isPaused = true;
  assert.equal(simulation.isAwake, false);
  const before = simulation.crowd.hash();
  assert.equal(simulation.advance(0.5), 0);
  assert.equal(simulation.crowd.hash(), before);
  for (let i = 0; i < 10; i++) simulation.stepOnce();
  assert.notEqual(simulation.crowd.hash(), before);
  assert.equal(simulation.steps, 10);
  simulation.isPaused = false;
  settle(simulation);
});

test('crowd tool: another mesh takes the place of the first: agents, targets and selection stay', (context) => {
  const { simulation, navMesh } = begin(context);
  const agents = simulation.add(square(20));
  simulation.selected = new Set([agents[3], agents[8]]);
  simulation.send([24, 0, 24]);
  for (let i = 0; i < 90; i++) simulation.advance(STEP);
  const places = simulation.crowd.positions.slice();
  const chosen = [3, 8].map((i) => [...places.subarray(3 * i, 3 * i + 3)]);
  simulation.end();
  assert.equal(simulation.count, 20, 'they are kept');
  assert.equal(simulation.advance(1), 0);
  navMesh.free();
  const { navMesh: next } = walkmesh.bake(makeGround(30), { cellSize: 0.2 });
  context.after(() => next.free());
  simulation.begin(next, null);
  assert.equal(simulation.count, 20);
  const { positions } = simulation.crowd;
  for (let i = 0; i < 60; i++) assert.ok(i % 3 === 1 || Math.abs(positions[i] - places[i]) < 0.01, `${i}: ${positions[i]} ${places[i]}`);
  assert.equal(simulation.selected.size, 2);
  const found = [...simulation.selected].map((agent) => simulation.crowd.position(agent));
  found.forEach((place, i) => assert.ok(Math.hypot(place[0] - chosen[i][0], place[2] - chosen[i][2]) < 0.01));
  settle(simulation);
  for (const agent of simulation.selected) {
    const [x, , z] = simulation.crowd.position(agent);
    assert.ok(Math.hypot(x - 24, z - 24) < 1.5, `${x} ${z}`);
  }
  simulation.selected.clear();
  simulation.reset();
  settle(simulation, 5);
  const [x, , z] = simulation.crowd.position(simulation.crowd.agents[8]);
  assert.ok(Math.hypot(x - 13, z - 5) < 0.1, 'where it began on the first mesh');
});

test('crowd tool: obstacles come and go under the crowd, and nothing breaks', (context) => {
  const { simulation, dynamic } = begin(context, makeGround(40));
  const agents = simulation.add(square(60, 1, 4));
  simulation.send([30, 0, 30]);
  const random = new Random(2);
  assert.ok(random);
  /** @type {number[]} */
  const obstacles = [];
  for (let frame = 0; frame < 600; frame++) {
    if (frame % 15 === 0) {
      const at = 6 + (frame * 7) % 26;
      obstacles.push(dynamic.addObstacle({ kind: 'cylinder', base: [at, 0, 38 - at], radius: 2, height: 3 }));
      if (obstacles.length > 4) dynamic.removeObstacle(obstacles.shift());
      simulation.wake();
    }
    dynamic.update({ deltaTime: STEP });
    simulation.advance(STEP);
  }
  for (const obstacle of obstacles) dynamic.removeObstacle(obstacle);
  dynamic.update();
  simulation.send([30, 0, 30]);
  settle(simulation);
  assert.equal(simulation.count, agents.length);
  const states = simulation.countStates();
  assert.ok(states.every(({ state }) => state === 'arrived' || state === 'crowded'), JSON.stringify(states));
});

test('crowd tool: who stands is awake while an obstacle comes along, and gives way', (context) => {
  const { simulation, dynamic } = begin(context);
  simulation.add(Float32Array.of(15, 0, 15));
  const cart = dynamic.addObstacle({ kind: 'cylinder', base: [10, 0, 15], radius: 1, height: 2, carving: 'never' });
  dynamic.update({ deltaTime: STEP });
  for (let frame = 1; frame < 240; frame++) {
    dynamic.moveObstacle(cart, [10 + frame / 40, 0, 15]);
    dynamic.update({ deltaTime: STEP });
    simulation.lookAround();
    simulation.advance(STEP);
  }
  const [x, , z] = simulation.crowd.positions;
  assert.ok(Math.hypot(x - 15, z - 15) > 0.5, `${x} ${z}`);
});

test('crowd tool: changed parameters and filters reach all, also those that come later', (context) => {
  const { simulation } = begin(context);
  const [first] = simulation.add(square(1));
  simulation.setParameters({ radius: 0.5, maxSpeed: 1, avoidance: 'high' });
  const [second] = simulation.add(Float32Array.of(20, 0, 20));
  for (const agent of [first, second]) assert.equal(simulation.crowd.parameters(agent).maxSpeed, 1);
  assert.equal(simulation.crowd.parameters(first).avoidance, 'high');
  settle(simulation, 5);
  simulation.setFilter({ areaCosts: { 3: 4 } });
  assert.equal(simulation.isAwake, true);
});

/** A lane of 1.9 m between two rooms, for agents of radius 0.4. */
const LANE = (() => {
  const floors = [[0, 8, 0, 8], [20, 28, 0, 8], [8, 20, 3.05, 4.95]];
  return {
    positions: Float32Array.from(floors.flatMap(([x, toX, z, toZ]) => [x, 0, z, x, 0, toZ, toX, 0, toZ, toX, 0, z])),
    indices: Uint32Array.from(floors.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((corner) => 4 * i + corner))),
  };
})();

test('crowd tool: agents that are blocked stay awake until one passes, and are counted and described by what they do', (context) => {
  const { simulation } = begin(context, LANE, { cellSize: 0.15, agentRadius: 0.6, tileSize: 64 });
  simulation.setParameters({ radius: 0.4 });
  simulation.setOptions({ patience: 3 });
  const [first] = simulation.add([13, 0, 4]), [second] = simulation.add([15, 0, 4]);
  simulation.selected = new Set([first]);
  simulation.send([26, 0, 4]);
  simulation.selected = new Set([second]);
  simulation.send([2, 0, 4]);
  const seen = new Map();
  while (simulation.isAwake && simulation.steps < 3600) {
    simulation.advance(STEP);
    const counts = simulation.countStates();
    assert.equal(counts.reduce((sum, { count }) => sum + count, 0), 2);
    for (const { count, ...activity } of counts) seen.set(activityWords(activity), [activityColor(activity), activity]);
    for (const agent of [first, second]) {
      const info = simulation.crowd.info(agent), words = describeAgent(info);
      if (info.reason === 'blocked' && info.waitsFor > 0) assert.equal(words, `is blocked by agent ${agent === first ? 2 : 1}`);
      if (info.reason === 'passing') assert.equal(words, 'passes through others');
    }
  }
  assert.deepEqual(simulation.countStates(), [{ state: 'arrived', reason: null, count: 2 }], 'it did not go to rest before');
  for (const words of ['walking', 'blocked by other agents', 'passing through others', 'arrived']) assert.ok(seen.has(words), `${[...seen.keys()]}`);
  assert.equal(new Set([...seen.values()].map(([color]) => color)).size, seen.size, 'each has its own colour');
  assert.deepEqual([first, second].map(numberOf), [1, 2]);
});

test('crowd tool: an agent waits for its turn; patience is an option of the crowd, also of the next mesh', (context) => {
  const { navMesh, dynamic, simulation } = begin(context, LANE, { cellSize: 0.15, agentRadius: 0.6, tileSize: 64 });
  simulation.setParameters({ radius: 0.4 });
  const [first] = simulation.add([14, 0, 4]), [second] = simulation.add([23, 0, 4]);
  simulation.selected = new Set([first]);
  simulation.send([26, 0, 6]);
  simulation.selected = new Set([second]);
  simulation.send([2, 0, 4]);
  for (let i = 0; i < 120 && simulation.crowd.reason(second) !== 'right-of-way'; i++) simulation.advance(STEP);
  assert.equal(describeAgent(simulation.crowd.info(second)), 'waits for agent 1 before a narrow passage');
  assert.ok(simulation.countStates().some((each) => activityWords(each) === 'waiting for right of way'));
  assert.equal(simulation.crowd.options.patience, 5);
  simulation.setOptions({ patience: 0 });
  assert.equal(simulation.crowd.options.patience, 0);
  simulation.end();
  simulation.begin(navMesh, dynamic);
  assert.equal(simulation.crowd.options.patience, 0);
});

test('crowd tool: wandering agents get a new reachable destination on arrival, also on another mesh, until they are stopped', (context) => {
  const { simulation, navMesh } = begin(context, readScene('islands'));
  const start = placeAnywhere(navMesh, { count: 6, apart: 2, random: new Random(4), filter: FILTER });
  const agents = simulation.add(start);
  simulation.selected = new Set(agents.subarray(0, 4));
  assert.equal(simulation.wander(), 4);
  const targets = new Map(Array.from(agents, (agent) => [agent, new Set()]));
  for (let frame = 0; frame < 3000; frame++) {
    simulation.advance(STEP);
    for (const agent of agents) {
      const { hasTarget, target } = simulation.crowd.info(agent);
      if (hasTarget) targets.get(agent).add(String(Array.from(target)));
    }
  }
  const islands = navMesh.islands();
  agents.forEach((agent, i) => {
    const all = [...targets.get(agent)];
    if (i >= 4) assert.equal(all.length, 0, 'agents that are not selected stay');
    else assert.ok(all.length >= 3, `${all.length} destinations of agent ${i} in 50 s`);
    for (const text of all) assert.equal(islands.of(navMesh.nearestPoint(text.split(',').map(Number)).polygon), 1, `${text} can't be reached`);
  });
  islands.free();
  assert.equal(simulation.isAwake, true, 'they never come to rest');
  simulation.end();
  simulation.begin(navMesh, null);
  assert.equal(simulation.routines.count, 4);
  simulation.stop();
  assert.equal(simulation.routines.count, 0);
  settle(simulation, 10);
});

test('crowd tool: a patrol walks between its points and back to the first, in order', (context) => {
  const { simulation } = begin(context);
  const [agent] = simulation.add([5, 0, 5]);
  assert.equal(simulation.patrol([[8, 0, 5]]), 0, 'one point is no patrol');
  const points = [[8, 0, 5], [8, 0, 12], [14, 0, 12]];
  assert.equal(simulation.patrol(points), 1);
  const visited = [];
  for (let frame = 0; frame < 2400; frame++) {
    simulation.advance(STEP);
    const [x, , z] = simulation.crowd.position(agent);
    const at = points.findIndex((point) => Math.hypot(point[0] - x, point[2] - z) < 0.2);
    if (at >= 0 && visited.at(-1) !== at) visited.push(at);
  }
  assert.ok(visited.length >= 5, `${visited}`);
  visited.forEach((at, i) => assert.equal(at, i % 3, `${visited}`));
  assert.match(describeOrder(simulation.routines.of(agent), true), /^Patrol, point [123] of 3$/);
  simulation.send([5, 0, 5]);
  assert.equal(simulation.routines.of(agent), null, 'another order ends it');
  settle(simulation);
});

test('crowd tool: a rally calls all agents to a point, also wandering ones and those that are not selected', (context) => {
  const { simulation } = begin(context);
  const agents = simulation.add(square(12));
  simulation.wander();
  for (let frame = 0; frame < 200; frame++) simulation.advance(STEP);
  simulation.selected = new Set([agents[0]]);
  assert.equal(simulation.rally([20, 0, 20]), 12);
  assert.equal(simulation.routines.count, 0);
  settle(simulation);
  for (const agent of agents) {
    const [x, , z] = simulation.crowd.position(agent);
    assert.ok(Math.hypot(x - 20, z - 20) < 2.5, `${x} ${z}`);
  }
  assert.deepEqual(simulation.countStates().map(({ state }) => state), ['arrived', 'crowded']);
});

/** A floor, a walkway 3 above it with a ramp up to it, 1.6 wide, and steep sides. */
const WALKWAY = (() => {
  const quads = [
    [[0, 0, 0], [0, 0, 30], [40, 0, 30], [40, 0, 0]],
    [[6, 3, 14], [6, 3, 15.6], [30, 3, 15.6], [30, 3, 14]],
    [[30, 3, 14], [30, 3, 15.6], [36, 0, 15.6], [36, 0, 14]],
  ];
  return { positions: Float32Array.from(quads.flat(2)), indices: Uint32Array.from(quads.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((corner) => 4 * i + corner))) };
})();

test('crowd tool: agents that stand below the walkway they were sent to are crowded, not arrived, in word, colour and count', (context) => {
  const { simulation, navMesh } = begin(context, WALKWAY, { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, tileSize: 64 });
  const target = [7.5, 3, 14.8];
  assert.equal(navMesh.findPath([5, 0, 5], target).status, 'complete', 'the walkway can be reached');
  simulation.setParameters({ radius: 0.4 });
  const agents = simulation.add(square(80, 1, 5));
  simulation.send(target);
  let frames = 0;
  while (simulation.isAwake && frames++ < 9000) simulation.advance(STEP);
  const { states, positions } = simulation.crowd;
  let [arrived, crowded, below] = [0, 0, 0];
  agents.forEach((agent) => {
    const i = simulation.crowd.indexOf(agent), state = AGENT_STATES[states[i]];
    const distance = Math.hypot(positions[3 * i] - target[0], positions[3 * i + 1] - target[1], positions[3 * i + 2] - target[2]);
    if (state === 'arrived') {
      arrived++;
      assert.ok(distance < 1, `an agent arrived ${distance} away, at height ${positions[3 * i + 1]}`);
    }
    if (state === 'crowded') crowded++;
    if (positions[3 * i + 1] < 1 && state !== 'following') below++;
  });
  assert.ok(arrived >= 1 && crowded > 20, `${arrived} arrived, ${crowded} crowded`);
  assert.ok(below > 5, `${below} rest on the floor`);
  const counts = simulation.countStates();
  assert.equal(counts.find(({ state }) => state === 'crowded')?.count, crowded);
  const colors = ['arrived', 'crowded'].map((state) => activityColor({ state, reason: null }));
  // Pale green beside green would look like arrived.
  const [near, far] = colors.map((color) => [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16)));
  assert.ok(Math.hypot(...near.map((value, i) => value - far[i])) > 80, `${colors}`);
  assert.equal(activityWords({ state: 'crowded', reason: null }), 'crowded');
});
