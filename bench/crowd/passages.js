/**
 * The scenarios in passages where two agents cannot pass beside each other. Agents have radius 0.4 m, and the mesh is baked for
 * 0.6 m, so that their centres have 0.7 m in a lane of 1.9 m, and 0.3 m in one of 1.5 m.
 */
import { Random } from '../../js/index.js';
import { makeRandom, shuffle } from './random.js';
import { define, grid } from './scenario.js';
import { laneMaze, rectangle } from './scenes.js';

/** @typedef {import('./scenario.js').Place} Place */
/** @typedef {import('./scenario.js').Scenario} Scenario */
/** @typedef {import('./scenario.js').Walker} Walker */

/** Bake settings of levels with lanes. */
export const LANES_CONFIG = Object.freeze({ cellSize: 0.15, cellHeight: 0.1, agentRadius: 0.6, agentHeight: 2, agentMaxClimb: 0.3 });
/** Radius of the agents, metres. */
export const LANE_RADIUS = 0.4;
/** An agent nearer to its goal than this has arrived, metres: others may rest on its goal. */
export const LANE_ARRIVAL = 1.2;
/** Width of a lane and half of it, metres. */
const [LANE, HALF] = [1.9, 0.95];
const DURATION = 300;

/** @param {Partial<Scenario> & { name: string, title: string }} scenario */
const definePassages = (scenario) => define({ duration: DURATION, config: LANES_CONFIG, radius: LANE_RADIUS, arrivalDistance: LANE_ARRIVAL, endsEarly: true, ...scenario });

/**
 * Agents with random starts and goals on the largest island.
 * @param {import('../../js/index.js').NavMesh} navMesh @param {number} count @param {number} course @returns {Walker[]}
 */
export function placeRandomly(navMesh, count, course) {
  const islands = navMesh.islands();
  const areas = Array.from({ length: islands.count }, (_, i) => islands.area(i + 1));
  const { points } = navMesh.randomPoints(2 * count, { random: new Random(1000 + course), islands, island: areas.indexOf(Math.max(...areas)) + 1 });
  islands.free();
  const placeOf = (/** @type {number} */ i) => /** @type {Place} */ (Array.from(points.subarray(3 * i, 3 * i + 3)));
  return Array.from({ length: count }, (_, i) => ({ position: placeOf(2 * i), goal: placeOf(2 * i + 1) }));
}

/** @param {string} name @param {string} title @param {{ agents: number, lane: number, dropped: number }} what @param {number} course */
function maze(name, title, { agents, lane, dropped }, course) {
  const scene = laneMaze({ rooms: 6, room: 8, gap: 8, lane, dropped, random: makeRandom(2000 + course) });
  return definePassages({ name, title, scene, hasOwnScene: true, place: (navMesh) => placeRandomly(navMesh, agents, course) });
}

/** The places in random order. @param {Place[]} places @param {() => number} random */
const mix = (places, random) => shuffle(places.length, random).map((i) => places[i]);

/** Agents that walk to places in random order. @param {Place[]} starts @param {Place[]} goals @param {() => number} random @returns {Walker[]} */
function pair(starts, goals, random) {
  const mixed = mix(goals, random);
  return mix(starts, random).map((position, i) => ({ position, goal: mixed[i] }));
}

/** A room with two lanes that lead nowhere: one ends in a small room. Agents come out of both, others go in. @param {number} course */
function deadEnd(course) {
  const random = makeRandom(3000 + course);
  const floors = [rectangle(0, 16, 0, 10), rectangle(16, 30, 2, 2 + LANE), rectangle(16, 26, 6, 6 + LANE), rectangle(26, 31, 5, 9)];
  const blind = grid(5, 1, 1, 26.9, 2.95, 0.1, random), room = grid(4, 2, 0.9, 28.4, 7, 0.1, random);
  const starts = grid(5, 5, 1, 5, 5, 0.3, random), goals = grid(5, 5, 1, 11.5, 5, 0.3, random);
  return definePassages({ name: 'dead-end', title: 'two dead ends, 13 go in, 13 come out', scene: { floors }, agents: [
    ...pair(starts.slice(0, 5), blind, random), ...pair(starts.slice(5, 13), room, random), ...pair([...blind, ...room], goals.slice(0, 13), random),
    ...pair(starts.slice(13), goals.slice(13), random)] });
}

/** Four rooms at the corners of a ring of lanes; lanes from the middles of its sides meet in the middle. @param {number} course */
function ring(course) {
  const random = makeRandom(4000 + course);
  const [side, half] = [14, 3];
  const corners = [[-side, -side], [-side, side], [side, -side], [side, side]];
  const rooms = corners.map(([x, z]) => rectangle(x - half, x + half, z - half, z + half));
  const inner = side - half;
  const along = [-side, 0, side].flatMap((at) => {
    const end = at === 0 ? side : inner;
    return [rectangle(-end, end, at - HALF, at + HALF), rectangle(at - HALF, at + HALF, -end, end)];
  });
  const places = corners.flatMap(([x, z]) => grid(4, 3, 1.1, x, z, 0.2, random));
  return definePassages({ name: 'ring', title: '48 between four rooms on a ring of lanes', scene: { floors: [...rooms, ...along] }, agents: pair(places, places, random) });
}

/** Two platforms and a bridge for one. @param {number} course */
function bridge(course) {
  const random = makeRandom(5000 + course);
  const floors = [rectangle(-20, -6, -8, 8), rectangle(6, 20, -8, 8), rectangle(-6, 6, -HALF, HALF)];
  const [west, east] = [-13, 13].map((x) => grid(5, 5, 1.4, x, 0, 0.5, random));
  return definePassages({ name: 'bridge', title: 'a bridge for one, 25 each way', scene: { floors }, agents: [...pair(west, east, random), ...pair(east, west, random)] });
}

/**
 * Three rooms in a row. Two agents have their goals in the first lane, one stands in the second, another one is paused there, and
 * one is put down in each. @param {number} course
 */
function restInLane(course) {
  const random = makeRandom(6000 + course);
  const floors = [...[0, 20, 40].map((x) => rectangle(x, x + 8, 0, 8)), ...[8, 28].map((x) => rectangle(x, x + 12, 4 - HALF, 4 + HALF))];
  const [first, middle, last] = [4, 24, 44].map((x) => grid(4, 4, 1.3, x, 4, 0.4, random));
  const inLane = (/** @type {number} */ x) => /** @type {Place} */ ([x + 2 * random() - 1, 0, 4 + 0.5 * (random() - 0.5)]);
  return definePassages({ name: 'rest-in-lane', title: '36 pass agents that rest in lanes', scene: { floors }, agents: [
    { position: inLane(32.5) }, { position: inLane(36), goal: first[0], isPaused: true },
    ...pair([first[0], last[0]], [inLane(12.5), inLane(15.5)], random),
    { position: inLane(10), goal: last[15] }, { position: inLane(29.5), goal: first[15] },
    ...pair(first.slice(1, 13), last.slice(0, 12), random), ...pair(last.slice(1, 13), first.slice(1, 13), random),
    ...pair(middle.slice(0, 8), [...first.slice(13, 15), ...last.slice(12, 15), ...middle.slice(8, 11)], random)] });
}

/** The scenarios in passages. @param {number} course @returns {Scenario[]} */
export const passageScenarios = (course) => [
  maze('lanes', '200 in 36 rooms, lanes of 1.9 m', { agents: 200, lane: LANE, dropped: 0.55 }, course),
  maze('lanes-400', '400 in 36 rooms, lanes of 1.9 m', { agents: 400, lane: LANE, dropped: 0.55 }, course),
  maze('lanes-tight', '200 in a tree of 36 rooms, lanes of 1.5 m', { agents: 200, lane: 1.5, dropped: 1 }, course),
  deadEnd(course), ring(course), bridge(course), restInLane(course),
];
