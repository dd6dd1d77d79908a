// Narrow passages from JavaScript: right of way, agents that pass through others, and what info() says about both.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NavError } from '../../js/index.js';
import { leastGarbage } from './garbage.js';
import { loadBoth } from './support.js';

const STEP = 1 / 60;
const builds = await loadBoth();
const [walkmesh] = builds;
const AGENT = Object.freeze({ radius: 0.4 });

/** Two rooms, and a lane of 1.9 between them along x: agents of radius 0.4 can't pass each other in it. */
const LANE = Object.freeze({ minX: -6, maxX: 6, halfWidth: 0.95 });

/** @param {[number, number, number, number][]} floors minimum and maximum x, minimum and maximum z */
const level = (floors) => ({
  positions: Float32Array.from(floors.flatMap(([x, toX, z, toZ]) => [x, 0, z, x, 0, toZ, toX, 0, toZ, toX, 0, z])),
  indices: Uint32Array.from(floors.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((corner) => 4 * i + corner))),
});

function makeLane(options = {}, instance = walkmesh) {
  const { navMesh } = instance.bake(level([[-20, LANE.minX, -8, 8], [LANE.maxX, 20, -8, 8], [LANE.minX, LANE.maxX, -LANE.halfWidth, LANE.halfWidth]]),
    { cellSize: 0.15, cellHeight: 0.1, agentRadius: 0.6, agentMaxClimb: 0.3 });
  return { navMesh, crowd: navMesh.createCrowd(options) };
}

/** @param {number} x of the middle of 8 places */
const places = (x) => Array.from({ length: 8 }, (_, i) => [x + 1.5 * (i % 2) - 0.75, 0, 1.6 * Math.floor(i / 2) - 2.4]);

/** Adds eight agents in each room, and sends them to the other one. @param {import('../../js/index.js').Crowd} crowd */
function sendAcross(crowd) {
  const [west, east] = [-12, 12].map(places);
  const agents = crowd.addAgents([...west, ...east], AGENT);
  crowd.setTarget(agents, [...east, ...west]);
  return Array.from(agents);
}

/** @param {[number, number, number]} position */
const isInLane = ([x, , z]) => x > LANE.minX && x < LANE.maxX && Math.abs(z) < LANE.halfWidth;

/** Steps until `isDone`, at most for `seconds`. @param {import('../../js/index.js').Crowd} crowd @param {number} seconds @param {() => unknown} isDone */
function runUntil(crowd, seconds, isDone) {
  for (let i = 0; i < seconds / STEP; i++) {
    crowd.step(STEP);
    if (isDone()) return true;
  }
  return false;
}

// First: results of other shapes, as in the tests below, make the engine forget the one that it has learnt.
test('passages: info of agents with and without a passage makes no garbage', async () => {
  const { navMesh, crowd } = makeLane();
  const agents = sendAcross(crowd);
  const isWaiting = () => agents.some((agent) => crowd.info(agent).waitsFor > 0);
  assert.ok(runUntil(crowd, 30, isWaiting), 'somebody waits');
  const waiting = agents.find((agent) => crowd.info(agent).waitsFor > 0);
  const [resting] = crowd.addAgents([[-18, 0, 6]], AGENT);
  const info = crowd.info(waiting), sums = new Float64Array(1);
  const look = () => {
    sums[0] += crowd.info(waiting, info).waitsFor + info.passage.entry[0];
    sums[0] += crowd.info(resting, info).passage === null ? 1 : 0;
  };
  for (let i = 0; i < 100_000; i++) look();
  const least = await leastGarbage(look, { calls: 20_000, below: 4 });
  assert.ok(least < 4, `${least} bytes for two results: one number on the heap has 12`);
  navMesh.free();
});

test('passages: two groups meet at a lane for one: one waits for an agent of the other side, and all arrive', () => {
  for (const instance of builds) {
    const { navMesh, crowd } = makeLane({}, instance);
    const agents = sendAcross(crowd);
    let waits = 0, inLane = 0, holds = 0;
    /** @type {import('../../js/index.js').AgentInfo | undefined} */
    let info;
    const look = (/** @type {number} */ agent) => {
      info = crowd.info(agent, info);
      if (info.passage?.state === 'holds' && isInLane(crowd.position(agent))) holds++;
      if (info.reason !== 'right-of-way') return;
      assert.equal(info.state, 'waiting');
      if (info.passage?.state === 'holds') return; // others enter before it
      waits++;
      assert.equal(info.passage?.state, 'waits');
      const { waitsFor, passage: { entry } } = info;
      const [x, , z] = crowd.position(agent);
      assert.ok(!isInLane([x, 0, z]) && Math.abs(Math.abs(entry[0]) - LANE.maxX) < 1.5 && Math.sign(entry[0]) === Math.sign(x), `at ${x}, ${z}: ${entry}`);
      if (waitsFor === 0) return;
      assert.notEqual(waitsFor, agent);
      assert.ok(agents.includes(waitsFor), `${waitsFor}`);
      if (isInLane(crowd.position(waitsFor))) inLane++;
    };
    const done = runUntil(crowd, 120, () => {
      agents.forEach(look);
      return agents.every((agent) => crowd.state(agent) === 'arrived');
    });
    assert.ok(done, agents.map((agent) => `${crowd.state(agent)} ${crowd.reason(agent)} ${crowd.position(agent)}`).join('\n'));
    assert.ok(waits > 100 && inLane > waits / 4 && holds > 100, `${waits} steps of waiting, ${inLane} for an agent in the lane, ${holds} in the lane`);
    agents.forEach((agent) => assert.deepEqual([crowd.info(agent).passage, crowd.info(agent).waitsFor], [null, 0]));
    navMesh.free();
  }
});

/** Puts two agents head-on into the middle of the lane, and counts the steps in which each passes. @param {import('../../js/index.js').CrowdOptions} options */
function meetInLane(options) {
  const { navMesh, crowd } = makeLane(options);
  const agents = Array.from(crowd.addAgents([[-1, 0, 0], [1, 0, 0]], AGENT)), steps = [0, 0];
  crowd.setTarget(agents, [[12, 0, 0], [-12, 0, 0]]);
  let blocked = 0;
  const haveArrived = runUntil(crowd, 40, () => {
    agents.forEach((agent, i) => {
      const { state, reason, waitsFor } = crowd.info(agent);
      if (reason === 'passing') {
        assert.equal(state, 'following');
        assert.equal(waitsFor, 0);
        steps[i]++;
      }
      if (reason !== 'blocked') return;
      blocked++;
      assert.equal(waitsFor, agents[1 - i], 'the other one is in its way');
    });
    return agents.every((agent) => crowd.state(agent) === 'arrived');
  });
  navMesh.free();
  return { steps, blocked, haveArrived };
}

test('passages: of two agents put head-on into a lane one passes through the other after its patience', () => {
  const { steps, haveArrived } = meetInLane({});
  assert.ok(haveArrived && Math.max(...steps) > 10, `${steps}`);
  const patient = meetInLane({ patience: 15 });
  assert.ok(patient.haveArrived && Math.max(...patient.steps) > 10, `${patient.steps}`);
});

test('passages: with patience 0 no agent passes through others', () => {
  const { steps, blocked, haveArrived } = meetInLane({ patience: 0 });
  assert.deepEqual(steps, [0, 0]);
  assert.ok(blocked > 100 && !haveArrived, `${blocked} steps blocked`);
  const { navMesh, crowd } = makeLane({ patience: 0 });
  const agents = sendAcross(crowd);
  runUntil(crowd, 60, () => agents.forEach((agent) => assert.notEqual(crowd.reason(agent), 'passing')));
  navMesh.free();
});

test('passages: patience is read back, and wrong values are refused and change nothing', () => {
  const { navMesh, crowd } = makeLane();
  assert.equal(crowd.options.patience, 5);
  crowd.setOptions({ patience: 0 });
  assert.equal(crowd.options.patience, 0);
  crowd.setOptions({ patience: 2.5 });
  for (const patience of [-1, NaN, Infinity, -Infinity, 1e300, '5', null, {}, [], true, 5n]) {
    for (const call of [() => crowd.setOptions(/** @type {any} */ ({ maxFields: 3, patience })), () => navMesh.createCrowd(/** @type {any} */ ({ patience }))]) {
      assert.throws(call, (error) => error instanceof NavError && error.code === 'invalid-argument' && error.field === 'patience', `${String(patience)}: ${call}`);
    }
    assert.deepEqual([crowd.options.patience, crowd.options.maxFields], [2.5, 8]);
  }
  navMesh.free();
});

test('passages: info overwrites the passage of an earlier result, and refuses what is none', () => {
  const { navMesh, crowd } = makeLane();
  const [near, far] = crowd.addAgents([[-7, 0, 0], [-14, 0, 4]], AGENT);
  crowd.setTarget([near, far], [[12, 0, 0], [-14, 0, -4]]);
  for (let i = 0; i < 30; i++) crowd.step(STEP);
  const info = crowd.info(near), { passage } = info;
  assert.equal(passage?.state, 'holds');
  assert.ok(passage.entry.every(Number.isFinite) && passage.entry[2] > -1 && passage.entry[2] < 1, `${passage.entry}`);
  assert.equal(crowd.info(far, info).passage, null);
  assert.equal(info.waitsFor, 0);
  assert.equal(crowd.info(near, info).passage, passage, 'the same object again');
  assert.deepEqual(crowd.info(near, /** @type {any} */ ({})), crowd.info(near), 'any object receives it');
  for (const wrong of [5, 'x', true, () => {}]) {
    assert.throws(() => crowd.info(near, /** @type {any} */ ({ passage: wrong })), { name: 'NavError', code: 'invalid-argument', field: 'out' }, `${String(wrong)}`);
  }
  for (const wrong of [{ entry: 5, state: 'waits' }, Object.freeze({ state: 'waits', entry: [0, 0, 0] }), { state: 'holds', entry: Object.freeze([0, 0, 0]) }]) {
    assert.throws(() => crowd.info(near, /** @type {any} */ ({ passage: wrong })), { name: 'NavError', code: 'invalid-argument', field: 'out' }, JSON.stringify(wrong));
  }
  navMesh.free();
});
