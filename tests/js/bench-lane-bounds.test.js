// What lanes allow at best (bench/crowd/lane-bounds.js) is no more than what any order of the agents needs, and no more than what
// our crowd needs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureBounds } from '../../bench/crowd/bounds.js';
import { countLate, countPunctual, findLanes, leastTimes, loadLane } from '../../bench/crowd/lane-bounds.js';
import { makeRandom } from '../../bench/crowd/random.js';
import { rectangle } from '../../bench/crowd/scenes.js';
import { load } from '../../js/index.js';

/** @typedef {import('../../bench/crowd/lane-bounds.js').LaneLoad} LaneLoad */

/** All orders of the numbers below `count`. @param {number} count @returns {number[][]} */
const orders = (count) => (count === 0 ? [[]] : orders(count - 1).flatMap((order) =>
  Array.from({ length: count }, (_, at) => [...order.slice(0, at), count - 1, ...order.slice(at)])));

/** The fewest late agents of all orders in which they can cross, each as early as it can. @param {LaneLoad} load @param {number} times */
function countLateOfAllOrders({ headway, change, sides }, times) {
  const agents = sides.flatMap((crossers, side) => crossers.map((crosser) => ({ ...crosser, side })));
  return Math.min(...orders(agents.length).map((order) => {
    let [time, before] = [-Infinity, -1], late = 0;
    for (const { release, tail, freeTime, side } of order.map((i) => agents[i])) {
      time = Math.max(release, time + (side === before ? headway : change));
      before = side;
      if (time + tail > times * freeTime) late++;
    }
    return late;
  }));
}

/** @param {() => number} random @param {number} count @returns {LaneLoad} */
function drawLoad(random, count) {
  const side = () => Array.from({ length: count }, () => {
    const [release, tail] = [2 * random(), 2 * random()];
    return { release, tail, freeTime: release + tail };
  });
  return { headway: 0.3, change: 1.5, sides: [side(), side()] };
}

test('lane bounds: no order of the agents has fewer late ones', () => {
  const random = makeRandom(1);
  let equal = 0;
  for (let i = 0; i < 60; i++) {
    const load = drawLoad(random, 1 + (i % 3)), times = 1 + 2 * random();
    const [bound, best] = [countLate(load, times), countLateOfAllOrders(load, times)];
    assert.ok(bound <= best, `case ${i}: ${bound} late, but an order has ${best}`);
    equal += Number(bound === best);
  }
  assert.ok(equal > 40, `the bound is near: ${equal} of 60 are equal`);
});

test('lane bounds: agents that are all alike cross at the headway, and wait for a change of direction', () => {
  const crosser = { release: 1, tail: 1, freeTime: 2 };
  const load = (/** @type {number} */ first, /** @type {number} */ second) => ({ headway: 0.5, change: 3, sides: /** @type {LaneLoad['sides']} */ (
    [Array(first).fill(crosser), Array(second).fill(crosser)]) });
  assert.equal(countLate(load(5, 0), 2), 0, 'the last one of five comes out after 1 + 4 * 0.5 s, and is there after 4 s');
  assert.equal(countLate(load(6, 0), 2), 1);
  assert.equal(countLate(load(1, 1), 2), 1, 'the other side comes 3 s later');
  assert.equal(countLate(load(1, 1), 2.5), 0);
  const courses = [{ walkers: 10, loads: [load(1, 0), load(6, 0)] }];
  assert.equal(countPunctual(courses, 2), 9, 'the busiest lane counts');
  assert.ok(Math.abs(leastTimes(courses, 1) - 2.25) < 0.01, 'the sixth is there after 4.5 s');
});

test('lane bounds: lanes end at rooms and crossings; one without a way around it is a cut', () => {
  const rooms = [rectangle(0, 8, 0, 8), rectangle(16, 24, 0, 8)];
  const [lane, other] = [rectangle(8, 16, 2, 3.9), rectangle(8, 16, 5, 6.9)];
  assert.deepEqual(findLanes([...rooms, lane], 2), [{ alongX: true, from: 8, to: 16, low: 2, high: 3.9, isCut: true }]);
  assert.deepEqual(findLanes([...rooms, lane, other], 2).map(({ isCut }) => isCut), [false, false]);
  const crossed = findLanes([...rooms, lane, rectangle(11, 12.9, -5, 10)], 2);
  assert.deepEqual(crossed.filter(({ alongX }) => alongX).map(({ from, to }) => [from, to]), [[8, 11], [12.9, 16]]);
  const way = { points: [4, 0, 3, 20, 0, 3], length: 16, freeTime: 5 };
  const { sides } = loadLane({ alongX: true, from: 8, to: 16, low: 2, high: 3.9, isCut: true }, [way, { ...way, points: [4, 0, 3, 10, 0, 3] }],
    { distance: 0.4, free: 0.7, arrivalDistance: 1.2 });
  assert.deepEqual(sides.map(({ length }) => length), [1, 0], 'who ends in the lane does not count');
});

test('lane bounds: our crowd is not below them on a bridge and in dead ends', async () => {
  const walkmesh = await load();
  for (const [name, atLeast] of /** @type {const} */ ([['bridge', 1.9], ['dead-end', 1]])) {
    const { measured, punctual, least, mostPunctual, leastOnShortestWays } = measureBounds(walkmesh, name, 1);
    assert.ok(least >= atLeast, `${name}: the bound is ${least}`);
    assert.ok(measured >= least && punctual <= mostPunctual, `${name}: ${measured} times, ${punctual} punctual; at best ${least} and ${mostPunctual}`);
    assert.ok(leastOnShortestWays >= least, name);
  }
});
