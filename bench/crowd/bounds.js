/**
 * Compares arrivals in the scenarios in passages with what lanes allow at best (lane-bounds.js):
 *
 *   node bench/crowd/bounds.js [--courses N] [NAME ...]        a line per scenario; our crowd alone, on N courses (4)
 *
 * *least*: no crowd can do better, whose agents do not walk through each other. Only lanes count that no way leads around, and
 * agents in them walk in two columns if the mesh has space. *least on shortest ways*: with all lanes, if every agent takes its shortest
 * way, in single file.
 */
import { parseArgs } from 'node:util';
import { load } from '../../js/index.js';
import { renderTable } from '../tables.js';
import { OurDriver } from './drivers.js';
import { findLanes, leastTimes, loadLane, countPunctual } from './lane-bounds.js';
import { makeWorld, pathMeasure, populate } from './run.js';
import { MAX_ACCELERATION, MAX_SPEED, isWalker } from './scenario.js';
import { chooseScenarios } from './scenarios.js';

/** The target: this share of the agents arrives within TIMES times its free time. */
const [PART, TIMES] = [0.95, 2.5];
/** Metres between two places of a lane where its width is measured. */
const LANE_SAMPLE = 0.25;

/**
 * The shortest ways of the agents that walk, from where the crowd put them.
 * @param {import('./scenario.js').Scenario} scenario @param {import('./run.js').World} world
 */
export function waysOf({ agents }, { navMesh }) {
  const measure = pathMeasure(navMesh);
  return agents.filter(isWalker).map(({ position, goal = position }) => {
    const start = navMesh.nearestPoint(position)?.point ?? position;
    const { length, points, end } = measure(start, goal);
    return { points, length, end, freeTime: length / MAX_SPEED + MAX_SPEED / MAX_ACCELERATION };
  });
}

/**
 * The width of the mesh in a lane where it is widest: at most as far beside each other the centres of two agents can be.
 * @param {import('./lane-bounds.js').Lane} lane @param {import('../../js/index.js').NavMesh} navMesh
 */
export function widthOf({ alongX, from, to, low, high }, navMesh) {
  const pointOf = (/** @type {number} */ along, /** @type {number} */ across) => /** @type {[number, number, number]} */ (alongX ? [along, 0, across] : [across, 0, along]);
  const axis = alongX ? 2 : 0, samples = Math.ceil((to - from) / LANE_SAMPLE);
  let widest = 0;
  for (let i = 0; i <= samples; i++) {
    const along = from + ((to - from) * i) / samples;
    const middle = navMesh.nearestPoint(pointOf(along, (low + high) / 2));
    if (!middle) continue;
    const [least, most] = [low, high].map((across) => navMesh.raycast(middle.polygon, middle.point, pointOf(along, across)).point[axis]);
    widest = Math.max(widest, most - least);
  }
  return widest;
}

/**
 * How the lanes are used, at the least and on shortest ways in single file.
 * @param {import('./scenario.js').Scenario} scenario @param {ReturnType<typeof waysOf>} ways @param {import('../../js/index.js').NavMesh} navMesh
 */
export function loadsOf({ scene, config, radius, arrivalDistance }, ways, navMesh) {
  const lanes = findLanes(scene.floors, 2 * (config.agentRadius ?? 0) + 2 * radius);
  const load = (/** @type {import('./lane-bounds.js').Lane} */ lane, /** @type {boolean} */ isInTwoColumns) => {
    const free = widthOf(lane, navMesh);
    const distance = isInTwoColumns ? Math.sqrt(4 * radius * radius - free * free) : 2 * radius;
    return loadLane(lane, ways, { distance, free, arrivalDistance });
  };
  return { least: lanes.filter(({ isCut }) => isCut).map((lane) => load(lane, true)), onShortestWays: lanes.map((lane) => load(lane, false)) };
}

/** When each agent that walks arrives, over its free time. @param {import('./scenario.js').Scenario} scenario @param {import('./run.js').World} world @param {ReturnType<typeof waysOf>} ways */
function measureArrivals({ agents, radius, duration, timeStep, arrivalDistance }, { navMesh }, ways) {
  const driver = new OurDriver(navMesh, { radius });
  agents.forEach(({ position }) => driver.addAgent(position));
  agents.forEach(({ goal }, i) => goal && driver.setTarget(i, goal));
  agents.forEach(({ isPaused }, i) => isPaused && driver.pause(i));
  const walkers = agents.flatMap((agent, i) => (isWalker(agent) ? [i] : []));
  const positions = new Float32Array(3 * agents.length), times = walkers.map(() => Infinity);
  for (let step = 1; step <= Math.round(duration / timeStep) && times.includes(Infinity); step++) {
    driver.step(timeStep);
    driver.readPositions(positions);
    walkers.forEach((agent, i) => {
      const { end, freeTime } = ways[i];
      const isThere = Math.hypot(positions[3 * agent] - end[0], positions[3 * agent + 2] - end[2]) <= arrivalDistance;
      if (times[i] === Infinity && isThere) times[i] = (step * timeStep) / freeTime;
    });
  }
  driver.free();
  return times;
}

/** Measures a scenario on all its courses. @param {any} walkmesh @param {string} name @param {number} courses */
export function measureBounds(walkmesh, name, courses) {
  const all = Array.from({ length: courses }, (_, course) => {
    const [scenario] = chooseScenarios([name], course);
    const world = makeWorld(walkmesh, null, scenario);
    const placed = populate(scenario, world);
    const ways = waysOf(placed, world);
    const figures = { walkers: ways.length, ...loadsOf(placed, ways, world.navMesh), times: measureArrivals(placed, world, ways) };
    world.navMesh.free();
    return figures;
  });
  const times = all.flatMap((course) => course.times).sort((a, b) => a - b);
  const strict = all.map(({ walkers, least }) => ({ walkers, loads: least }));
  const onShortestWays = all.map(({ walkers, onShortestWays }) => ({ walkers, loads: onShortestWays }));
  return { measured: times[Math.ceil(PART * times.length - 1e-9) - 1], punctual: times.filter((time) => time <= TIMES).length / times.length,
    least: leastTimes(strict, PART), mostPunctual: countPunctual(strict, TIMES) / times.length, leastOnShortestWays: leastTimes(onShortestWays, PART) };
}

if (import.meta.main ?? process.argv[1] === new URL(import.meta.url).pathname) {
  const { values: { courses }, positionals: names } = parseArgs({ options: { courses: { type: 'string', default: '4' } }, allowPositionals: true });
  const walkmesh = await load();
  const rows = chooseScenarios(names.length > 0 ? names : ['passages']).map(({ name }) => {
    const { measured, punctual, least, mostPunctual, leastOnShortestWays } = measureBounds(walkmesh, name, Number(courses));
    return [name, measured.toFixed(2), least.toFixed(2), leastOnShortestWays.toFixed(2), TIMES.toFixed(1), punctual.toFixed(3), mostPunctual.toFixed(3)];
  });
  console.log(renderTable({ title: `Times over free time within which ${100 * PART} % arrive, ${courses} courses each`,
    rows: [['', 'ours', 'least', 'least on shortest ways', 'asked', `ours within ${TIMES}`, 'at most'], ...rows] }));
}
