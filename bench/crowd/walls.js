/**
 * Crowds with and without `wallDistance`: how often agents that walk touch a wall of the mesh, and when they arrive.
 *
 *   node bench/crowd/walls.js [--courses N] [--distance D] [SCENARIO ...]     those in open space without names
 */
import { parseArgs } from 'node:util';
import { load } from '../../js/index.js';
import { WallOracle, readWalls } from '../room-oracle.js';
import { renderTable } from '../tables.js';
import { takeCourse } from './courses.js';
import { OurDriver } from './drivers.js';
import { makeWorld, populate, runScenario } from './run.js';
import { chooseScenarios } from './scenarios.js';

/** An agent touches a wall that its centre is nearer to, metres; and walks if it moves at least this far in a step. */
const [TOUCH, MOVED] = [0.02, 0.005];

/** Our crowd; counts how often agents touch walls. */
class WallDriver extends OurDriver {
  /** @param {any} navMesh @param {any} settings @param {WallOracle} walls @param {{ walked: number, touched: number }} counts */
  constructor(navMesh, settings, walls, counts) {
    super(navMesh, settings);
    Object.assign(this, { walls, counts, before: new Float32Array(0) });
  }

  /** @param {number} timeStep */
  step(timeStep) {
    const self = /** @type {any} */ (this);
    self.before = this.crowd.positions.slice();
    super.step(timeStep);
    const { positions, count } = this.crowd;
    for (let i = 0; i < count; i++) {
      const [x, y, z] = positions.subarray(3 * i, 3 * i + 3);
      if (this.isFlying(i) || Math.hypot(x - self.before[3 * i], z - self.before[3 * i + 2]) < MOVED) continue;
      self.counts.walked++;
      if (self.walls.nearest(x, y, z).distance < TOUCH) self.counts.touched++;
    }
  }
}

/**
 * Runs a scenario on some courses.
 * @param {any} walkmesh @param {string} name @param {number} wallDistance @param {number} courses
 */
export function measureWalls(walkmesh, name, wallDistance, courses) {
  const counts = { walked: 0, touched: 0 }, means = [], arrived = [], nearlyAll = [];
  for (let course = 0; course < courses; course++) {
    const scenario = chooseScenarios([name], course)[0];
    const world = makeWorld(walkmesh, null, scenario);
    const walls = new WallOracle(readWalls(world.navMesh.tiles()[0].bytes), 0.5);
    const { figures } = runScenario(takeCourse(populate(scenario, world), course), world,
      ({ radius }) => new WallDriver(world.navMesh, { radius, wallDistance }, walls, counts));
    const times = figures.arrivals.map((/** @type {number} */ time) => Math.min(time, scenario.duration));
    means.push(times.reduce((/** @type {number} */ sum, /** @type {number} */ time) => sum + time, 0) / times.length);
    arrived.push(figures.arrived);
    nearlyAll.push(times[Math.ceil(0.95 * times.length) - 1]);
    world.navMesh.free();
  }
  const mean = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return { name, wallDistance, touched: counts.touched / (counts.walked || 1), arrived: mean(arrived), meanTime: mean(means), nearlyAll: mean(nearlyAll) };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { courses: { type: 'string', default: '4' }, distance: { type: 'string', default: '0.3' } } });
  const walkmesh = await load();
  const rows = [['scenario', 'touching walls: without', 'with', 'arrived: without', 'with', 'mean arrival, s: without', 'with', '95 % arrived, s: without', 'with']];
  for (const { name } of chooseScenarios(positionals)) {
    const [plain, wide] = [0, Number(values.distance)].map((distance) => measureWalls(walkmesh, name, distance, Number(values.courses)));
    const pair = (/** @type {'touched' | 'arrived' | 'meanTime' | 'nearlyAll'} */ key, /** @type {(value: number) => string} */ text) => [text(plain[key]), text(wide[key])];
    rows.push([name, ...pair('touched', (value) => `${(100 * value).toFixed(2)} %`), ...pair('arrived', (value) => `${(100 * value).toFixed(1)} %`),
      ...pair('meanTime', (value) => value.toFixed(2)), ...pair('nearlyAll', (value) => value.toFixed(1))]);
  }
  console.log(renderTable({ title: `Crowds with wallDistance ${values.distance}`, rows, notes: [] }, true));
}
