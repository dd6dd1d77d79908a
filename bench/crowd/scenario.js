/** The types of crowd scenarios (scene, agents with goals, events, duration), and the functions that build them. */
import { SCENE_CONFIG } from './scenes.js';

/** Defaults of every agent. */
export const RADIUS = 0.3;
export const HEIGHT = 1.8;
export const MAX_SPEED = 3.5;
export const MAX_ACCELERATION = 8;
const TIME_STEP = 1 / 60;
/** Seconds after the last arrival for which a scenario that ends early goes on. */
export const REST_AFTER = 10;

/** @typedef {[number, number, number]} Place */

/**
 * @typedef {object} Walker
 * @property {Place} position
 * @property {Place} [goal] none: the agent stands without a target
 * @property {boolean} [isPaused] the agent has a goal, and is paused before the first step
 */

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} title
 * @property {import('./scenes.js').Scene} scene
 * @property {Walker[]} agents
 * @property {(navMesh: import('../../js/index.js').NavMesh) => Walker[]} [place] draws the agents on the mesh; `agents` is empty before
 * @property {import('../../js/input/config.js').Config} config settings of the bake
 * @property {() => import('../../js/input/geometry.js').Geometry} [readGeometry] the level, instead of `scene`
 * @property {string} [missing] the level's file, if it does not exist here
 * @property {boolean} [hasOwnScene] true if every course has a scene of its own
 * @property {number} radius of every agent
 * @property {number} duration
 * @property {boolean} [endsEarly] true if the run ends REST_AFTER seconds after the last arrival
 * @property {number} timeStep
 * @property {number} arrivalDistance on x and z: an agent nearer to its goal than this has arrived
 * @property {{ radius: number, positionAt: (time: number) => number[], velocityAt: (time: number) => number[] }[]} [obstacles]
 *   obstacles that move on their own
 * @property {number} [doorX] agents that cross this line, from smaller x to larger, are counted
 * @property {{ period: number, until: number, goalAt: (agent: number, move: number) => [number, number, number] }} [goalMoves]
 * @property {number} [extraTime] added to every agent's free time: the time during which goals move
 * @property {boolean} [hasIdeal] true if there is an ideal path; default true
 * @property {boolean} [isExact] true if the route of every agent is compared with the straight path
 */

/** A grid of positions around a centre, row by row along x. @returns {[number, number, number][]} */
export function grid(columns, rows, spacing, middleX, middleZ, jitter = 0, random = () => 0.5) {
  return Array.from({ length: columns * rows }, (_, i) => [
    middleX + ((i % columns) - (columns - 1) / 2) * spacing + (random() - 0.5) * jitter, 0,
    middleZ + (Math.floor(i / columns) - (rows - 1) / 2) * spacing + (random() - 0.5) * jitter,
  ]);
}

/**
 * Agents whose goals are their starts plus a vector.
 * @param {[number, number, number][]} places @param {number} dx @param {number} dz @returns {Walker[]}
 */
export const shifted = (places, dx, dz) => places.map((position) => ({ position, goal: [position[0] + dx, 0, position[2] + dz] }));

/** @param {Partial<Scenario> & { name: string, title: string, duration: number }} scenario @returns {Scenario} */
export const define = (scenario) => ({ timeStep: TIME_STEP, radius: RADIUS, config: SCENE_CONFIG, arrivalDistance: 0.4, agents: [], ...scenario,
  scene: { floors: [], walls: [], jumps: [], links: [], ...scenario.scene } });

/** True if an agent is on its way somewhere: the others have no figures of their own. @param {Walker} agent */
export const isWalker = ({ goal, isPaused = false }) => goal !== undefined && !isPaused;
