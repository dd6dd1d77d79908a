/**
 * Observes a crowd through its positions only and computes the figures that README.md defines, in the same way for all packages.
 */
import { HEIGHT, MAX_ACCELERATION, MAX_SPEED, REST_AFTER, isWalker } from './scenario.js';

/** Overlap depth above which an overlap is visible, metres. */
const VISIBLE_OVERLAP = 0.01;
/** Speed below which an agent has no heading, metres per second. */
const HEADING_SPEED = 0.2;
/** The final part of a scenario that is checked for resting agents, seconds; its windows, seconds; the distance that counts, metres. */
const [REST_SECONDS, WINDOW_SECONDS, TREMBLE_WAY] = [5, 1, 0.02];
/** An agent is stuck if it gets nearer to its goal by less than this in the last seconds; metres and seconds. */
const [STUCK_PROGRESS, STUCK_SECONDS] = [0.5, 10];
/** A visible jump: the distance moved in one step, metres. */
const JUMP = 0.12;
/** An agent is punctual if it arrives within this many times its free time. */
const PUNCTUAL = 2.5;
/** The part of the agents whose arrival counts as that of nearly all. */
const NEARLY_ALL = 0.95;

/** The distance on x and z of a point from a polyline. @param {ArrayLike<number>} points @param {number} x @param {number} z */
function distanceToLine(points, x, z) {
  let nearest = Infinity;
  for (let at = 0; at + 5 < points.length; at += 3) {
    const [ax, az, dx, dz] = [points[at], points[at + 2], points[at + 3] - points[at], points[at + 5] - points[at + 2]];
    const square = dx * dx + dz * dz;
    const part = square > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (z - az) * dz) / square)) : 0;
    nearest = Math.min(nearest, Math.hypot(ax + part * dx - x, az + part * dz - z));
  }
  return nearest;
}

/** True if the bodies of agents at these heights can touch: they are not on two storeys. @param {number} a @param {number} b */
const isLevel = (a, b) => Math.abs(a - b) < HEIGHT;

/** The least of sorted values that is not exceeded by this part of them. @param {number[]} sorted @param {number} part */
const partOf = (sorted, part) => sorted[Math.max(0, Math.ceil(part * sorted.length - 1e-9) - 1)];

/** @param {Float32Array} a @param {number} i @param {ArrayLike<number>} b @param {number} j */
const flatDistance = (a, i, b, j) => Math.hypot(a[3 * i] - b[3 * j], a[3 * i + 2] - b[3 * j + 2]);

export class Recorder {
  /**
   * @param {import('./scenario.js').Scenario} scenario
   * @param {(from: ArrayLike<number>, to: ArrayLike<number>, anyAngle?: boolean) => { length: number, end: ArrayLike<number>, points:
   *   ArrayLike<number> }} measurePath the shortest path to a point, or to the nearest reachable point
   */
  constructor(scenario, measurePath) {
    const count = scenario.agents.length;
    this.scenario = scenario;
    this.walkers = scenario.agents.flatMap((agent, i) => (isWalker(agent) ? [i] : []));
    /** The time at which the run ends; earlier if the scenario ends early. */
    this.end = scenario.duration;
    this.isOver = false;
    this.measurePath = measurePath;
    this.time = 0;
    this.steps = 0;
    this.goals = new Float32Array(3 * count);
    this.before = new Float32Array(3 * count);
    this.headings = new Float64Array(count).fill(NaN);
    this.walked = new Float64Array(count);
    this.turned = new Float64Array(count);
    this.turnWay = new Float64Array(count);
    this.arrivedAt = new Float64Array(count).fill(Infinity);
    this.walkedAtArrival = new Float64Array(count);
    this.crossedAt = new Float64Array(count).fill(Infinity);
    this.isFlying = new Uint8Array(count);
    this.passing = new Float64Array(count);
    this.measuresPassing = false;
    this.jumps = { count: 0, worst: -Infinity };
    this.overlap = { integral: 0, time: 0, worst: 0 };
    this.rest = { walked: new Float64Array(count), windowStart: new Float32Array(3 * count), windowWalked: new Float64Array(count), trembles: new Uint8Array(count) };
    this.nextWindow = this.end - REST_SECONDS;
    this.stuckFrom = undefined;
    /**
     * The straight paths of an exact agent for both searches, its largest distance from each, and the distance by which it
     * overshot its goal.
     */
    this.exact = scenario.isExact ? { lines: /** @type {ArrayLike<number>[]} */ ([]), strayed: [0, 0], overshoot: 0 } : undefined;
  }

  /** @param {Float32Array} positions at the start, on the mesh */
  begin(positions) {
    const { scenario, measurePath } = this;
    this.before.set(positions.subarray(0, this.before.length));
    this.ideals = scenario.agents.map(({ position, goal = position }, i) => {
      const start = positions.slice(3 * i, 3 * i + 3);
      const { length, end } = measurePath(start, this.#lastGoal(goal, i));
      this.goals.set(Array.from(end), 3 * i);
      return Math.max(length, flatDistance(start, 0, end, 0));
    });
    const start = positions.slice(0, 3);
    if (this.exact) this.exact.lines = [true, false].map((anyAngle) => measurePath(start, this.goals.subarray(0, 3), anyAngle).points);
  }

  #lastGoal(goal, agent) {
    const { goalMoves } = this.scenario;
    return goalMoves ? goalMoves.goalAt(agent, Math.floor(goalMoves.until / goalMoves.period)) : goal;
  }

  /** The time that an agent needs without other agents. @param {number} agent */
  freeTime(agent) {
    const { extraTime = 0 } = this.scenario;
    return extraTime + this.ideals[agent] / MAX_SPEED + MAX_SPEED / MAX_ACCELERATION;
  }

  /**
   * Records the state after a step.
   * @param {Float32Array} positions @param {(agent: number) => boolean} isFlying true if the agent is on an off-mesh connection
   * @param {((agent: number) => boolean) | undefined} isPassing true if it passes softly through others; none: not measured
   * @param {number[][]} obstacles x, y, z and radius of each
   */
  observe(positions, isFlying, isPassing, obstacles) {
    const { scenario: { timeStep, agents } } = this;
    this.time = ++this.steps * timeStep;
    this.measuresPassing = isPassing !== undefined;
    for (let i = 0; i < agents.length; i++) {
      const wasFlying = this.isFlying[i];
      this.isFlying[i] = isFlying(i) ? 1 : 0;
      if (isPassing?.(i)) this.passing[i] += timeStep;
      if (!wasFlying && !this.isFlying[i]) this.#observeJump(flatDistance(positions, i, this.before, i));
      this.#observeAgent(positions, i);
    }
    this.#observeEnd();
    this.#observeOverlaps(positions, obstacles);
    if (this.exact) this.#observeExact(this.exact, positions);
    if (this.time >= this.end - REST_SECONDS) this.#observeRest(positions);
    if (this.stuckFrom === undefined && this.time >= this.end - STUCK_SECONDS) this.stuckFrom = this.#waysLeft(positions);
    this.before.set(positions.subarray(0, this.before.length));
  }

  /** Ends a scenario that ends early: a while after all have arrived. */
  #observeEnd() {
    const { scenario: { endsEarly, duration, timeStep }, arrivedAt, walkers } = this;
    if (endsEarly && this.end === duration && walkers.every((i) => arrivedAt[i] < Infinity)) {
      this.end = Math.min(duration, this.time + REST_AFTER);
      this.nextWindow = this.end - REST_SECONDS;
    }
    this.isOver = this.time >= this.end - timeStep / 2;
  }

  /** @param {number} way the distance moved in this step */
  #observeJump(way) {
    if (way > JUMP) this.jumps.count++;
    this.jumps.worst = Math.max(this.jumps.worst, way - MAX_SPEED * this.scenario.timeStep);
  }

  #observeAgent(positions, i) {
    const { scenario, before, time } = this;
    const [dx, dz] = [positions[3 * i] - before[3 * i], positions[3 * i + 2] - before[3 * i + 2]];
    const way = Math.hypot(dx, dz);
    this.walked[i] += way;
    if (scenario.doorX !== undefined && this.crossedAt[i] === Infinity && positions[3 * i] > scenario.doorX) this.crossedAt[i] = time;
    if (this.arrivedAt[i] < Infinity) return;
    this.#observeHeading(i, way, Math.atan2(dz, dx));
    const distance = flatDistance(positions, i, this.goals, i);
    if (distance > scenario.arrivalDistance || !isLevel(positions[3 * i + 1], this.goals[3 * i + 1]) || time < (scenario.extraTime ?? 0)) return;
    this.arrivedAt[i] = time;
    this.walkedAtArrival[i] = this.walked[i] + distance;
  }

  #observeHeading(i, way, heading) {
    const hasHeading = way > HEADING_SPEED * this.scenario.timeStep && !this.isFlying[i];
    if (hasHeading && !Number.isNaN(this.headings[i])) {
      const turn = Math.abs(heading - this.headings[i]);
      this.turned[i] += Math.min(turn, 2 * Math.PI - turn);
      this.turnWay[i] += way;
    }
    this.headings[i] = hasHeading ? heading : NaN;
  }

  #observeExact(exact, [x, , z]) {
    exact.strayed = exact.lines.map((line, i) => Math.max(exact.strayed[i], distanceToLine(line, x, z)));
    const [fromX, , fromZ, toX, , toZ] = Array.from(exact.lines[0]).slice(-6);
    const length = Math.hypot(toX - fromX, toZ - fromZ);
    exact.overshoot = Math.max(exact.overshoot, ((x - toX) * (toX - fromX) + (z - toZ) * (toZ - fromZ)) / length);
  }

  #observeOverlaps(positions, obstacles) {
    const { overlap, isFlying, scenario: { agents, radius, timeStep } } = this;
    const add = (/** @type {number} */ depth) => {
      if (depth <= 0) return;
      overlap.integral += depth * timeStep;
      overlap.worst = Math.max(overlap.worst, depth);
      if (depth > VISIBLE_OVERLAP) overlap.time += timeStep;
    };
    for (let i = 0; i < agents.length; i++) {
      if (isFlying[i]) continue;
      const [x, y, z] = [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
      for (let j = 0; j < i; j++) {
        const [dx, dz] = [positions[3 * j] - x, positions[3 * j + 2] - z];
        if (dx * dx + dz * dz < 4 * radius * radius && isLevel(positions[3 * j + 1], y) && !isFlying[j]) add(2 * radius - Math.hypot(dx, dz));
      }
      for (const [ox, , oz, obstacleRadius] of obstacles) add(obstacleRadius + radius - Math.hypot(ox - x, oz - z));
    }
  }

  #observeRest(positions) {
    const { rest, before, arrivedAt, scenario: { agents, timeStep } } = this;
    const isWindowOver = this.time >= this.nextWindow - timeStep / 2;
    for (let i = 0; i < agents.length; i++) {
      const way = flatDistance(positions, i, before, i);
      rest.walked[i] += way;
      rest.windowWalked[i] += way;
      if (!isWindowOver) continue;
      const net = flatDistance(positions, i, rest.windowStart, i);
      const began = this.nextWindow - WINDOW_SECONDS;
      if (this.nextWindow > this.end - REST_SECONDS && arrivedAt[i] < began && rest.windowWalked[i] > TREMBLE_WAY
        && net < rest.windowWalked[i] / 2) rest.trembles[i] = 1;
      rest.windowWalked[i] = 0;
      rest.windowStart.set(positions.subarray(3 * i, 3 * i + 3), 3 * i);
    }
    if (isWindowOver) this.nextWindow += WINDOW_SECONDS;
  }

  /** The remaining distance of each agent. */
  #waysLeft(positions) {
    return this.scenario.agents.map((_, i) => this.measurePath(positions.subarray(3 * i, 3 * i + 3), this.goals.subarray(3 * i, 3 * i + 3)).length);
  }

  /** Computes the figures. @param {Float32Array} positions at the end */
  finish(positions) {
    const { scenario: { doorX, hasIdeal = true }, walkers: everybody, arrivedAt, overlap, rest, ideals } = this;
    const count = everybody.length;
    const there = everybody.filter((i) => arrivedAt[i] < Infinity);
    const sum = (/** @type {ArrayLike<number>} */ values) => Array.from(values).reduce((total, value) => total + value, 0);
    const mean = (/** @type {number[]} */ values) => (values.length ? sum(values) / values.length : null);
    const left = this.#waysLeft(positions);
    const walked = (/** @type {number} */ i) => (arrivedAt[i] < Infinity ? this.walkedAtArrival[i] : this.walked[i] + left[i]);
    const lateness = everybody.map((i) => arrivedAt[i] / this.freeTime(i)).sort((a, b) => a - b);
    return {
      agents: count,
      arrivedInTime: everybody.filter((i) => arrivedAt[i] <= 2 * this.freeTime(i)).length / count,
      arrived: there.length / count,
      meanTime: mean(there.map((i) => arrivedAt[i] / this.freeTime(i))),
      overlapIntegral: overlap.integral / count, overlapTime: overlap.time / count, overlapWorst: overlap.worst,
      pathRatio: hasIdeal ? mean(there.map((i) => (ideals[i] > 0 ? this.walkedAtArrival[i] / ideals[i] : 1))) : null,
      jitter: (sum(this.turned) * 180) / Math.PI / Math.max(1e-9, sum(this.turnWay)),
      trembling: sum(rest.trembles) / count,
      restless: mean(there.map((i) => rest.walked[i])),
      flow: doorX === undefined ? null : this.#flow(),
      strayed: this.exact ? Math.min(...this.exact.strayed) : null, overshoot: this.exact ? this.exact.overshoot : null,
      stuck: everybody.filter((i) => arrivedAt[i] === Infinity && this.stuckFrom[i] - left[i] < STUCK_PROGRESS).length,
      punctual: lateness.filter((ratio) => ratio <= PUNCTUAL).length / count, nearlyAll: partOf(lateness, NEARLY_ALL),
      worstJump: this.jumps.worst, jumps: this.jumps.count, passing: this.measuresPassing ? sum(this.passing) / count : null,
      detour: mean(everybody.map((i) => Math.max(0, walked(i) - ideals[i]))),
      arrivals: everybody.map((i) => arrivedAt[i]).sort((a, b) => a - b),
    };
  }

  /** Agents per second through the line, from the first tenth of the crossings to the ninth. */
  #flow() {
    const times = Array.from(this.crossedAt).filter((time) => time < Infinity).sort((a, b) => a - b);
    const [first, last] = [Math.floor(0.1 * times.length), Math.ceil(0.9 * times.length) - 1];
    return last > first ? (last - first) / (times[last] - times[first]) : 0;
  }
}
