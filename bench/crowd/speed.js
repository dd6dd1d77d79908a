/**
 * The time of steps with many agents in a city: our crowd and recast-navigation's in the same process, step by step in turns, on
 * the same mesh, with the same starts and goals. An agent that arrives gets its next goal outside of the timed part.
 */
import { Random, load } from '../../js/index.js';
import { loadPeer } from '../../tests/js/live/peer.js';
import { DEFAULTS } from '../../tests/js/live/voxels.js';
import { makeLevel } from '../levels.js';
import { summarise } from '../statistics.js';
import { ratioText, spreadText } from '../tables.js';
import { OurDriver, PeerDriver } from './drivers.js';

const TIME_STEP = 1 / 60;
/** An agent nearer to its goal than this on x and z gets the next goal. */
const NEAR_GOAL = 1.5;
/** The first second, in which all agents plan their paths: its steps, and how many fresh crowds are measured. */
const [START_STEPS, START_RUNS] = [60, 3];
/** Planning budget of a frame, milliseconds. */
const PLANNING_MILLISECONDS = 2;

/** Random points of the largest island. @param {any} navMesh @param {number} count @param {number} seed @returns {Float32Array} */
function placesOf(navMesh, count, seed) {
  const islands = navMesh.islands();
  const areas = Array.from({ length: islands.count }, (_, i) => islands.area(i + 1));
  const island = areas.indexOf(Math.max(...areas)) + 1;
  const { points } = navMesh.randomPoints(count, { random: new Random(seed), islands, island });
  islands.free();
  return points.slice(0, 3 * count);
}

/** A crowd whose agents walk from goal to goal. */
class Walkers {
  /** @param {import('./drivers.js').Driver} driver @param {Float32Array} starts @param {Float32Array} goals */
  constructor(driver, starts, goals) {
    this.driver = driver;
    this.goals = goals;
    this.count = starts.length / 3;
    this.next = this.count;
    this.positions = new Float32Array(starts.length);
    this.goalOf = Uint32Array.from({ length: this.count }, (_, i) => i);
    for (let i = 0; i < this.count; i++) driver.addAgent(starts.subarray(3 * i, 3 * i + 3));
    for (let i = 0; i < this.count; i++) driver.setTarget(i, goals.subarray(3 * i, 3 * i + 3));
  }

  /** Runs a step and returns its milliseconds. */
  step() {
    const before = performance.now();
    this.driver.step(TIME_STEP);
    const milliseconds = performance.now() - before;
    this.driver.readPositions(this.positions);
    for (let i = 0; i < this.count; i++) if (this.#isNear(i)) this.#goOn(i);
    return milliseconds;
  }

  #isNear(i) {
    const { positions, goals, goalOf } = this;
    return Math.hypot(positions[3 * i] - goals[3 * goalOf[i]], positions[3 * i + 2] - goals[3 * goalOf[i] + 2]) < NEAR_GOAL;
  }

  #goOn(i) {
    this.goalOf[i] = this.next++ % (this.goals.length / 3);
    this.driver.setTarget(i, this.goals.subarray(3 * this.goalOf[i], 3 * this.goalOf[i] + 3));
  }
}

/** Measures steps of all crowds in turns. @param {Walkers[]} crowds @param {number} warm @param {number} steps */
function measureSteps(crowds, warm, steps) {
  const times = crowds.map(() => /** @type {number[]} */ ([]));
  for (let step = 0; step < warm + steps; step++) {
    const order = step % 2 ? [...crowds.keys()] : [...crowds.keys()].reverse();
    for (const i of order) {
      const milliseconds = crowds[i].step();
      if (step >= warm) times[i].push(milliseconds);
    }
  }
  return times;
}

/**
 * The longest step of the first second after all agents got goals. Each step's time is the minimum over several fresh crowds.
 * @param {() => Walkers} make
 */
function measureStart(make) {
  const runs = Array.from({ length: START_RUNS }, () => {
    const crowd = make();
    const times = Array.from({ length: START_STEPS }, () => crowd.step());
    crowd.driver.free();
    return times;
  });
  return Math.max(...runs[0].map((_, step) => Math.min(...runs.map((times) => times[step]))));
}

/** @param {any} navMesh @param {any} peer @param {any} peerMesh @param {{ count: number, radius: number, warm: number, steps: number, withPeer: boolean }} what */
function measureCrowds(navMesh, peer, peerMesh, { count, radius, warm, steps, withPeer }) {
  const starts = placesOf(navMesh, count, 1), goals = placesOf(navMesh, 4 * count, 2);
  const makers = [() => new OurDriver(navMesh, { radius }), ...(withPeer && peer ? [() => new PeerDriver(peer, peerMesh, { agents: count, maxRadius: radius, radius })] : [])];
  const make = makers.map((makeDriver) => () => new Walkers(makeDriver(), starts, goals));
  const crowds = make.map((one) => one());
  const times = measureSteps(crowds, warm, steps);
  crowds.forEach(({ driver }) => driver.free());
  const atStart = make.map(measureStart);
  return { count, radius, ours: summarise(times[0]), theirs: times[1] ? summarise(times[1]) : null, atStart };
}

/**
 * Gives all agents new goals in one frame and counts the frames until every request is answered. The budget of searches takes
 * about PLANNING_MILLISECONDS; it is determined first.
 * @param {any} navMesh @param {number} count @param {number} radius
 */
function measureRequests(navMesh, count, radius) {
  const starts = placesOf(navMesh, count, 1), goals = placesOf(navMesh, 2 * count, 3);
  const ask = (/** @type {number} */ searchBudget) => {
    const crowd = navMesh.createCrowd({ searchBudget });
    const agents = crowd.addAgents(starts, { radius });
    crowd.setTarget(agents, goals.subarray(0, 3 * count));
    while (crowd.step(TIME_STEP).waitingSearches > 0);
    for (let i = 0; i < 30; i++) crowd.step(TIME_STEP);
    const quiet = summarise(Array.from({ length: 15 }, () => timeOf(() => crowd.step(TIME_STEP)))).median;
    crowd.setTarget(agents, goals.subarray(3 * count));
    const frames = [];
    let searched = 0, waiting = 1;
    while (waiting > 0 && frames.length < 1000) {
      frames.push(timeOf(() => {
        const done = crowd.step(TIME_STEP);
        searched += done.searched;
        waiting = done.waitingSearches;
      }));
    }
    crowd.free();
    return { quiet, frames, searched };
  };
  ask(8192);
  const { quiet, frames, searched } = ask(8192);
  const microseconds = (1000 * frames.reduce((sum, time) => sum + Math.max(0, time - quiet), 0)) / searched;
  const searchBudget = Math.round((1000 * PLANNING_MILLISECONDS) / microseconds);
  const answered = ask(searchBudget);
  return { count, searchBudget, microseconds, searched: answered.searched, frames: answered.frames.length, worst: Math.max(...answered.frames), quiet: answered.quiet };
}

/** @param {() => void} work */
function timeOf(work) {
  const before = performance.now();
  work();
  return performance.now() - before;
}

/** @param {{ smallest?: boolean, onProgress?: (text: string) => void }} options */
export async function measureSpeed({ smallest = false, onProgress = () => {} }) {
  const [walkmesh, peer] = [await load(), await loadPeer()];
  const { read } = makeLevel({ name: smallest ? 'plaza' : 'city', cellSize: 0.3 });
  const { navMesh } = walkmesh.bake(read(), { ...DEFAULTS });
  const peerMesh = peer?.importNavMesh(navMesh.exportDetour('set')).navMesh;
  const sizes = smallest ? [{ count: 10, radius: 0.3, warm: 1, steps: 5, withPeer: true }]
    : [{ count: 1000, radius: 0.6, warm: 180, steps: 420, withPeer: true }, { count: 10000, radius: 0.3, warm: 60, steps: 90, withPeer: true }];
  const crowds = [];
  for (const what of sizes) {
    onProgress(`crowd of ${what.count} in city`);
    crowds.push(measureCrowds(navMesh, peer, peerMesh, what));
  }
  const requests = measureRequests(navMesh, smallest ? 10 : 1000, 0.6);
  navMesh.free();
  peerMesh?.destroy();
  return { level: smallest ? 'plaza' : 'city', crowds, requests };
}

/** @param {Awaited<ReturnType<typeof measureSpeed>>} speed @returns {import('../tables.js').Table[]} */
export function speedTables({ level, crowds, requests }) {
  const rows = crowds.map(({ count, radius, ours, theirs, atStart }) => [`${count.toLocaleString('en')} agents, radius ${radius}`, spreadText(ours), spreadText(theirs ?? undefined),
    ratioText(theirs ? theirs.median / ours.median : undefined), ours.maximum.toFixed(2), theirs ? theirs.maximum.toFixed(2) : '-', atStart[0].toFixed(2), atStart[1]?.toFixed(2) ?? '-']);
  const { count, searchBudget, microseconds, searched, frames, worst, quiet } = requests;
  return [{ title: `Crowds: a step in ${level}`, rows: [['ms: median (quartiles)', 'walkmesh', 'recast-navigation', 'ratio', 'worst', 'theirs', 'worst at the start', 'theirs'], ...rows] },
    { title: `Crowds: ${count.toLocaleString('en')} new goals in one frame, ${level}`, rows: [['searchBudget', 'us a polygon', 'polygons searched', 'frames until all are answered', 'worst frame ms', 'frame without ms'],
      [`${searchBudget}`, microseconds.toFixed(3), `${searched}`, `${frames}`, worst.toFixed(2), quiet.toFixed(2)]],
    notes: [`A budget of ${searchBudget} polygons takes about ${PLANNING_MILLISECONDS} ms of a frame here.`] }];
}
