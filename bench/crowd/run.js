/** Runs scenarios: every driver gets the same scene, starts, goals and steps. */
import { load } from '../../js/index.js';
import { loadPeer } from '../../tests/js/live/peer.js';
import { OurDriver, PeerDriver } from './drivers.js';
import { Recorder } from './recorder.js';
import { geometryOf } from './scenes.js';

/** Steps before times count: code is compiled, and all agents plan their paths. */
const WARM_STEPS = 60;

/** @typedef {{ navMesh: import('../../js/index.js').NavMesh, peerMesh: any }} World */

/** False if recast-navigation can't run a scenario: it has no segment links. @param {Pick<import('./scenario.js').Scenario, 'scene'>} scenario */
export const hasPeer = ({ scene }) => scene.links.length === 0;

/** @param {any} walkmesh @param {any} peer @param {import('./scenario.js').Scenario} scenario @returns {World} */
export function makeWorld(walkmesh, peer, { scene, config, readGeometry = () => geometryOf(scene) }) {
  const { navMesh } = walkmesh.bake(readGeometry(), config);
  for (const link of scene.links) navMesh.addSegmentLink(link);
  return { navMesh, peerMesh: hasPeer({ scene }) ? peer?.importNavMesh(navMesh.exportDetour('set')).navMesh : undefined };
}

/** The scenario with its agents, which some scenarios draw on the mesh. @param {import('./scenario.js').Scenario} scenario @param {World} world */
export const populate = (scenario, { navMesh }) => (scenario.place ? { ...scenario, agents: scenario.place(navMesh) } : scenario);

/** Measures paths on our mesh. @param {import('../../js/index.js').NavMesh} navMesh */
export function pathMeasure(navMesh) {
  return (/** @type {ArrayLike<number>} */ from, /** @type {ArrayLike<number>} */ to, anyAngle = true) => {
    const { length, count, points } = navMesh.findPath(from, to, { anyAngle });
    return { length, points: points.slice(0, 3 * count), end: count > 0 ? points.slice(3 * count - 3, 3 * count) : from };
  };
}

/**
 * Runs a scenario once.
 * @param {import('./scenario.js').Scenario} scenario @param {World} world @param {(scenario: any, world: World) => import('./drivers.js').Driver} makeDriver
 */
export function runScenario(scenario, world, makeDriver) {
  const driver = makeDriver(scenario, world);
  const { agents, obstacles = [], duration, timeStep, goalMoves } = scenario;
  agents.forEach(({ position }) => driver.addAgent(position));
  obstacles.forEach(({ radius, positionAt }) => driver.addObstacle(positionAt(0), radius));
  agents.forEach(({ goal }, i) => goal && driver.setTarget(i, goal));
  agents.forEach(({ isPaused }, i) => isPaused && driver.pause(i));
  const positions = new Float32Array(3 * agents.length);
  driver.readPositions(positions);
  const recorder = new Recorder(scenario, pathMeasure(world.navMesh));
  recorder.begin(positions);
  const isFlying = (/** @type {number} */ agent) => driver.isFlying(agent);
  const isPassing = driver.isPassing && ((/** @type {number} */ agent) => driver.isPassing(agent));
  const times = [];
  for (let step = 0, steps = Math.round(duration / timeStep); step < steps && !recorder.isOver; step++) {
    const time = step * timeStep;
    if (goalMoves && step > 0 && time <= goalMoves.until + 1e-9 && step % Math.round(goalMoves.period / timeStep) === 0) {
      agents.forEach((_, i) => driver.setTarget(i, goalMoves.goalAt(i, Math.round(time / goalMoves.period))));
    }
    obstacles.forEach(({ positionAt, velocityAt }, i) => driver.moveObstacle(i, positionAt(time), velocityAt(time)));
    const before = performance.now();
    driver.step(timeStep);
    times.push(performance.now() - before);
    driver.readPositions(positions);
    recorder.observe(positions, isFlying, isPassing, obstacles.map(({ radius }, i) => [...driver.obstaclePosition(i), radius]));
  }
  const figures = recorder.finish(positions);
  driver.free();
  return { figures, times };
}

/**
 * Runs a scenario several times: the figures, which are the same in each run, and the times of steps, each the minimum of that
 * step over all runs.
 * @param {import('./scenario.js').Scenario} scenario @param {World} world @param {(scenario: any, world: World) => import('./drivers.js').Driver} makeDriver
 * @param {number} runs
 */
export function measureScenario(scenario, world, makeDriver, runs) {
  const all = Array.from({ length: runs }, () => runScenario(scenario, world, makeDriver));
  const least = all[0].times.map((_, step) => Math.min(...all.map(({ times }) => times[step])));
  const counted = least.slice(WARM_STEPS);
  return { ...all[0].figures, firstStep: least[0], worstStep: Math.max(...counted), meanStep: counted.reduce((sum, time) => sum + time, 0) / counted.length };
}

/**
 * The measured crowds by name.
 * @param {any} peer @returns {Record<string, (scenario: any, world: World) => import('./drivers.js').Driver>}
 */
export function contestants(peer) {
  const sizes = ({ agents, radius, obstacles = [] }) => ({ radius, agents: agents.length + obstacles.length, maxRadius: Math.max(radius, ...obstacles.map(({ radius }) => radius)) });
  return { walkmesh: ({ radius }, world) => new OurDriver(world.navMesh, { radius }), ...(peer && { 'recast-navigation': (scenario, world) => new PeerDriver(peer, world.peerMesh, sizes(scenario)) }) };
}

/** @returns {Promise<{ walkmesh: any, peer: any }>} */
export async function loadBoth() {
  return { walkmesh: await load(), peer: await loadPeer() };
}
