/** The scenarios in open space: eleven small scenes, each for one thing that a crowd does. */
import { takeCourse } from './courses.js';
import { makeRandom } from './random.js';
import { RADIUS, define, grid, shifted } from './scenario.js';
import { rectangle } from './scenes.js';

/** @typedef {import('./scenario.js').Scenario} Scenario */

/** Arrival distance for a common goal: arrived agents fill the space around it. @param {number} agents */
const crowdedDistance = (agents) => RADIUS * Math.sqrt(agents / 0.7) + RADIUS;

function lone() {
  const walls = [rectangle(-6, -5, -10, 4), rectangle(-1, 0, -4, 10), rectangle(4, 5, -10, 2), rectangle(8, 9, -1, 10), rectangle(-9, -8, -2, 10)];
  return define({ name: 'lone', title: 'one agent among walls', duration: 25, scene: { floors: [rectangle(-12, 12, -10, 10)], walls },
    agents: [{ position: [-11, 0, 8], goal: [11, 0, 7] }], arrivalDistance: 0.05, isExact: true });
}

function headOn() {
  const lanes = Array.from({ length: 10 }, (_, i) => -27 + 6 * i);
  return define({ name: 'head-on', title: '10 pairs head on', duration: 20, scene: { floors: [rectangle(-15, 15, -32, 32)] },
    agents: lanes.flatMap((z) => [...shifted([[-10, 0, z]], 20, 0), ...shifted([[10, 0, z]], -20, 0)]) });
}

function crossing() {
  return define({ name: 'crossing', title: 'two streams of 50 crossing', duration: 40, scene: { floors: [rectangle(-30, 30, -30, 30)] },
    agents: [...shifted(grid(10, 5, 1.2, -15, 0), 30, 0), ...shifted(grid(5, 10, 1.2, 0, -15), 0, 30)] });
}

function circle() {
  const agents = Array.from({ length: 100 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 100;
    const [x, z] = [Math.fround(15 * Math.cos(angle)), Math.fround(15 * Math.sin(angle))];
    return { position: [x, 0, z], goal: [-x, 0, -z] };
  });
  return define({ name: 'circle', title: '100 swap places on a circle', duration: 60, scene: { floors: [rectangle(-25, 25, -25, 25)] }, agents });
}

function doorway() {
  const walls = [rectangle(-0.2, 0.2, -12, -0.75), rectangle(-0.2, 0.2, 0.75, 12)];
  return define({ name: 'doorway', title: '200 through a doorway of 1.5 m', duration: 120, doorX: 0.3,
    scene: { floors: [rectangle(-22, 24, -12, 12)], walls }, agents: shifted(grid(10, 20, 1, -11, 0), 24, 0) });
}

function corridor() {
  return define({ name: 'corridor', title: 'corridor of 4 m, 30 each way', duration: 60, scene: { floors: [rectangle(-30, 30, -2, 2)] },
    agents: [...shifted(grid(10, 3, 1, -22, 0), 44, 0), ...shifted(grid(10, 3, 1, 22, 0), -44, 0)] });
}

function hall() {
  const walls = grid(3, 3, 8, 0, 0).filter((_, i) => i !== 4).map(([x, , z]) => rectangle(x - 0.5, x + 0.5, z - 0.5, z + 0.5));
  const places = grid(20, 20, 1.4, 0, 0, 0.5, makeRandom(11));
  const isFree = ([x, , z]) => walls.every((wall) => x < wall.minX - 0.4 || x > wall.maxX + 0.4 || z < wall.minZ - 0.4 || z > wall.maxZ + 0.4);
  const agents = places.filter(isFree).slice(0, 300).map((position) => ({ position, goal: /** @type {any} */ ([1, 0, -1]) }));
  return define({ name: 'hall', title: '300 in a dense hall, one goal', duration: 40, arrivalDistance: crowdedDistance(agents.length),
    scene: { floors: [rectangle(-15, 15, -15, 15)], walls }, agents });
}

/** Moves back and forth along z between -4.5 and 4.5 at 1.5 m/s. @param {number} time */
function patrol(time) {
  const way = (time * 1.5) % 18;
  return way < 9 ? { z: -4.5 + way, velocity: 1.5 } : { z: 13.5 - way, velocity: -1.5 };
}

function movingObstacle() {
  const obstacle = { radius: 1, positionAt: (time) => [0, 0, patrol(time).z], velocityAt: (time) => [0, 0, patrol(time).velocity] };
  return define({ name: 'moving-obstacle', title: '60 pass a moving obstacle', duration: 40, scene: { floors: [rectangle(-22, 22, -6, 6)] },
    agents: [...shifted(grid(6, 5, 1.5, -13, 0), 26, 0), ...shifted(grid(6, 5, 1.5, 13, 0.75), -26, 0)], obstacles: [obstacle] });
}

function jump() {
  const jumps = [-4, 4].map((z) => ({ start: [-2.5, 0, z], end: [2.5, 0, z] }));
  return define({ name: 'jump', title: '20 over two off-mesh connections', duration: 40, scene: { floors: [rectangle(-14, -2, -8, 8), rectangle(2, 14, -8, 8)], jumps },
    agents: shifted(grid(4, 5, 1.5, -9, 0), 18, 0) });
}

function unreachable() {
  const floors = [rectangle(-20, 0, -10, 10), rectangle(4, 14, -10, 10)];
  const stuck = shifted(grid(5, 8, 1, -14, -4.5), 23, 4), fine = shifted(grid(5, 8, 1, -14, 5), 8, -3);
  return define({ name: 'unreachable', title: '40 whose goals cannot be reached, 40 others', duration: 40, arrivalDistance: 1.8,
    scene: { floors }, agents: [...stuck, ...fine] });
}

/** Each course has other goals. @param {number} course */
function movingGoal(course) {
  const walls = grid(4, 4, 8, 0, 0).map(([x, , z]) => rectangle(x - 1, x + 1, z - 1, z + 1));
  const places = grid(8, 5, 4, 0, 0).map(([x, y, z]) => /** @type {[number, number, number]} */ ([x, y, 2 * z]));
  const random = makeRandom(23 + course);
  // On the free lines between the rows of pillars, at least two metres apart, or nearly at the same point.
  const goals = Array.from({ length: 11 }, () => places.map((_, i) => /** @type {[number, number, number]} */ (
    [2 * Math.round((random() - 0.5) * 17) + 0.05 * (i % 8), 0, 8 * Math.round((random() - 0.5) * 4) + 0.05 * Math.floor(i / 8)])));
  const goalAt = (/** @type {number} */ agent, /** @type {number} */ move) => goals[move][agent];
  return define({ name: 'moving-goal', title: '40 whose goals move every second for 10 s', duration: 40, scene: { floors: [rectangle(-22, 22, -20, 20)], walls },
    agents: places.map((position, i) => ({ position, goal: goalAt(i, 0) })), goalMoves: { period: 1, until: 10, goalAt }, extraTime: 10, hasIdeal: false, arrivalDistance: 1.5 });
}

/** The scenarios in open space. @param {number} course @returns {Scenario[]} */
export const openSpaceScenarios = (course) => [lone(), headOn(), crossing(), circle(), doorway(), corridor(), hall(), movingObstacle(), jump(), unreachable(), movingGoal(course)]
  .map((scenario) => takeCourse(scenario, course));
