/**
 * A common interface to crowds, so that scenarios and measurements don't depend on the package: add all agents, then goals, then
 * steps. Positions are read outside of the timed part.
 *
 * @typedef {object} Driver
 * @property {string} name
 * @property {(position: ArrayLike<number>) => void} addAgent numbered from 0 in the order they are added
 * @property {(position: ArrayLike<number>, radius: number) => void} addObstacle after all agents; numbered from 0
 * @property {(agent: number, goal: ArrayLike<number>) => void} setTarget
 * @property {(agent: number) => void} pause until the end
 * @property {(obstacle: number, position: ArrayLike<number>, velocity: ArrayLike<number>) => void} moveObstacle
 * @property {(timeStep: number) => void} step
 * @property {(out: Float32Array) => void} readPositions x, y, z of each agent
 * @property {(obstacle: number) => ArrayLike<number>} obstaclePosition
 * @property {(agent: number) => boolean} isFlying on an off-mesh connection
 * @property {(agent: number) => boolean} [isPassing] passing softly through others
 * @property {() => void} free
 */
import { AGENT_REASONS, AGENT_STATES } from '../../js/index.js';
import { HEIGHT, MAX_ACCELERATION, MAX_SPEED, RADIUS } from './scenario.js';

const vector = ([x, y, z]) => ({ x, y, z });
const OFF_MESH = 2;
const ON_CONNECTION = AGENT_STATES.indexOf('on-connection');
const PASSING = AGENT_REASONS.indexOf('passing');
/** Turn anticipation, avoidance, and both path optimizations; separation is off, as in the sample tool. */
const [PEER_FLAGS, HIGH_QUALITY] = [1 | 2 | 8 | 16, 3];

/** recast-navigation's crowd, with the parameters of the sample tool and the best avoidance quality. @implements {Driver} */
export class PeerDriver {
  name = 'recast-navigation';
  #agents = [];
  #obstacles = [];

  /** @param {any} api @param {any} navMesh the package's mesh @param {{ agents: number, maxRadius?: number, radius?: number }} sizes */
  constructor(api, navMesh, { agents, maxRadius = RADIUS, radius = RADIUS }) {
    this.crowd = new api.Crowd(navMesh, { maxAgents: agents, maxAgentRadius: maxRadius });
    this.radius = radius;
    const avoidance = this.crowd.raw.getObstacleAvoidanceParams(HIGH_QUALITY);
    Object.assign(avoidance, { velBias: 0.5, adaptiveDivs: 7, adaptiveRings: 3, adaptiveDepth: 3 });
    this.crowd.raw.setObstacleAvoidanceParams(HIGH_QUALITY, avoidance);
  }

  addAgent(position) {
    const { radius } = this;
    const agent = this.crowd.addAgent(vector(position), {
      radius, height: HEIGHT, maxAcceleration: MAX_ACCELERATION, maxSpeed: MAX_SPEED, collisionQueryRange: 12 * radius,
      pathOptimizationRange: 30 * radius, separationWeight: 2, updateFlags: PEER_FLAGS, obstacleAvoidanceType: HIGH_QUALITY,
    });
    if (agent.agentIndex < 0) throw new Error('the crowd is full');
    this.#agents.push(agent);
  }

  /** The package has no moving obstacles: an agent without avoidance stands in for one. */
  addObstacle(position, radius) {
    this.#obstacles.push(this.crowd.addAgent(vector(position), {
      radius, height: HEIGHT, maxAcceleration: 1000, maxSpeed: 100, collisionQueryRange: radius, pathOptimizationRange: 0, separationWeight: 0, updateFlags: 0,
    }));
  }

  setTarget(agent, goal) {
    this.#agents[agent].requestMoveTarget(vector(goal));
  }

  pause(agent) {
    this.#agents[agent].resetMoveTarget();
  }

  moveObstacle(obstacle, position, velocity) {
    this.#obstacles[obstacle].requestMoveVelocity(vector(velocity));
  }

  step(timeStep) {
    this.crowd.update(timeStep);
  }

  readPositions(out) {
    for (let i = 0; i < this.#agents.length; i++) {
      const { x, y, z } = this.#agents[i].position();
      out[3 * i] = x;
      out[3 * i + 1] = y;
      out[3 * i + 2] = z;
    }
  }

  obstaclePosition(obstacle) {
    const { x, y, z } = this.#obstacles[obstacle].position();
    return [x, y, z];
  }

  isFlying(agent) {
    return this.#agents[agent].state() === OFF_MESH;
  }

  free() {
    this.crowd.destroy();
  }
}

/** Our crowd. @implements {Driver} */
export class OurDriver {
  name = 'walkmesh';
  #agents = [];
  #obstacles = [];

  /** @param {import('../../js/index.js').NavMesh} navMesh @param {{ radius?: number, avoidance?: any, wallDistance?: number, options?: any }} [settings] */
  constructor(navMesh, { radius = RADIUS, avoidance = 'medium', wallDistance = 0, options = {} } = {}) {
    this.crowd = navMesh.createCrowd(options);
    this.parameters = { radius, height: HEIGHT, maxAcceleration: MAX_ACCELERATION, maxSpeed: MAX_SPEED, avoidance, wallDistance };
  }

  addAgent(position) {
    this.#agents.push(this.crowd.addAgent(position, this.parameters));
  }

  addObstacle(position, radius) {
    this.#obstacles.push({ position, velocity: [0, 0, 0], radius });
  }

  setTarget(agent, goal) {
    this.crowd.setTarget(this.#agents[agent], goal);
  }

  pause(agent) {
    this.crowd.pause(this.#agents[agent]);
  }

  moveObstacle(obstacle, position, velocity) {
    Object.assign(this.#obstacles[obstacle], { position, velocity });
    if (obstacle < this.#obstacles.length - 1) return;
    const all = this.#obstacles;
    this.crowd.setObstacles({ positions: all.map((one) => one.position), velocities: all.flatMap((one) => one.velocity), radii: all.map((one) => one.radius), heights: HEIGHT });
  }

  step(timeStep) {
    this.crowd.step(timeStep);
    for (const one of this.#obstacles) one.position = one.position.map((place, axis) => place + timeStep * one.velocity[axis]);
  }

  readPositions(out) {
    const { positions } = this.crowd;
    out.set(positions.subarray(0, out.length));
  }

  obstaclePosition(obstacle) {
    return this.#obstacles[obstacle].position;
  }

  isFlying(agent) {
    return this.crowd.states[agent] === ON_CONNECTION;
  }

  isPassing(agent) {
    return this.crowd.reasons[agent] === PASSING;
  }

  free() {
    this.crowd.free();
  }
}
