/**
 * How far positions lie from the level's own triangles, with `heights: 'voxels'` and `'surface'`: nearest points, random points,
 * corners of paths, and agents on their way; and how much longer a bake takes. Bakes alternate in this process.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Random, defaultConfig, load } from '../js/index.js';
import { readLevel } from '../tests/js/live/obj.js';
import { Random as Shifts } from '../tests/js/live/random.js';
import { measureRounds } from './rounds.js';
import { mean, summarise } from './statistics.js';
import { SurfaceOracle } from './surface-oracle.js';
import { ratioText } from './tables.js';

const SCENES = new URL('../tests/scenes/', import.meta.url);
const GAMES = new URL('../../shared/scenes/game/', import.meta.url);
const PLANE = { positions: Float32Array.of(0, 0, 0, 40, 0, 0, 40, 0, 40, 0, 0, 40), indices: Uint32Array.of(0, 2, 1, 0, 3, 2) };

/** Configurations, each with that whose bakes its own are compared with. Fine: small tiles, because a polygon has at most 127 vertices of detail. */
const FINE = { detailSampleDistance: 2, detailMaxError: 0.1 };
const CONFIGS = [
  { name: 'voxels', config: {}, against: {} },
  { name: 'surface', config: { heights: 'surface' }, against: {} },
  { name: 'surface, fine', config: { heights: 'surface', ...FINE, tileSize: 32 }, against: { tileSize: 32 } },
];
const KINDS = ['nearest', 'random', 'path', 'agents'];

const POINTS = 4000;
const PATHS = 400;
const AGENTS = 50;
const STEPS = 400;
const STEPS_A_LOOK = 4;
const MILLISECONDS_A_LEVEL = 4000;

/** A triangle farther than this is another storey, or the ground below a ledge. */
const { agentMaxClimb, cellHeight } = defaultConfig();
const REACH = agentMaxClimb + 2 * cellHeight;

/** @typedef {{ mean: number, p99: number, max: number, missing: number }} Distances world units; missing: the share without a triangle */

/** The levels, as far as their files are here. */
function chooseHeightLevels() {
  const file = (name, folder) => ({ name, path: fileURLToPath(new URL(`${name}.obj`, folder)) });
  const files = [...['terrain', 'caves', 'stairs', 'city'].map((name) => file(name, SCENES)),
    ...['fd_MAP07', 'fd_MAP18', 'nx_desertfactory', 'nx_silvercity', 'oa_shouse', 'oa_thor'].map((name) => file(name, GAMES))];
  return [{ name: 'plane', read: () => PLANE }, ...files.filter(({ path }) => existsSync(path)).map(({ name, path }) => ({ name, read: () => readLevel(path) }))];
}

/** @param {any} navMesh @param {number} share of the full number of questions @returns {Record<string, ArrayLike<number>[]>} points by kind */
function askPoints(navMesh, share) {
  const random = new Random(7), shifts = new Shifts(7);
  const starts = Array.from({ length: POINTS * share }, () => navMesh.randomPoint({ random }));
  const near = ({ point: [x, y, z] }) => navMesh.nearestPoint([x + shifts.between(-1, 1), y + shifts.between(-0.5, 0.5), z + shifts.between(-1, 1)]);
  const paths = Array.from({ length: PATHS * share }, (_, i) => navMesh.findPath(starts[2 * i].point, starts[2 * i + 1].point));
  return {
    nearest: starts.map(near).filter((found) => found !== null).map(({ point }) => point),
    random: starts.map(({ point }) => point),
    path: paths.filter(({ status }) => status === 'complete').flatMap(({ points }) => splitPoints(points)),
    agents: walk(navMesh, starts.map(({ point }) => point), share),
  };
}

/** @param {ArrayLike<number>} points three numbers each */
const splitPoints = (points) => Array.from({ length: points.length / 3 }, (_, i) => [points[3 * i], points[3 * i + 1], points[3 * i + 2]]);

/** Positions of agents on the way to their targets. */
function walk(navMesh, points, share) {
  const crowd = navMesh.createCrowd();
  const agents = points.slice(0, AGENTS * share).map((point) => crowd.addAgent(point));
  agents.forEach((agent, i) => crowd.setTarget(agent, points[agents.length + i]));
  const seen = [];
  for (let step = 0; step < STEPS * share; step++) {
    crowd.step(1 / 30);
    if (step % STEPS_A_LOOK === 0) seen.push(...agents.map((agent) => crowd.position(agent)));
  }
  crowd.free();
  return seen;
}

/** @param {SurfaceOracle} oracle @param {ArrayLike<number>[]} points @returns {Distances} */
export function measureDistances(oracle, points) {
  const distances = points.map((point) => Math.abs(oracle.above(point))).filter((distance) => distance <= REACH).sort((a, b) => a - b);
  return { mean: mean(distances), p99: distances[Math.floor(0.99 * (distances.length - 1))], max: distances.at(-1) ?? NaN,
    missing: 1 - distances.length / points.length };
}

/** The median ratio of bakes that alternate: a configuration's time against the other's. */
function measureCost(walkmesh, level, { config, against }, { runs, smallest, onRound }) {
  const pair = [{ name: 'ours', config }, { name: 'against', config: against }];
  const bake = ({ config: chosen }) => {
    const start = performance.now();
    walkmesh.bake(level, chosen).navMesh.free();
    return performance.now() - start;
  };
  const times = measureRounds(pair, /** @type {any} */ (bake), { runs, warmUp: smallest ? 0 : 2, milliseconds: MILLISECONDS_A_LEVEL, onRound });
  const [ours, theirs] = pair.map(({ name }) => /** @type {any} */ (times.get(name)));
  return { milliseconds: summarise(ours), ratio: summarise(ours.map((time, i) => time / theirs[i])) };
}

function measureConfig(walkmesh, level, oracle, chosen, options) {
  const { navMesh } = walkmesh.bake(level, chosen.config);
  const { navMesh: other } = walkmesh.bake(level, chosen.against);
  const bytes = navMesh.totals.bytes / other.totals.bytes;
  other.free();
  const points = askPoints(navMesh, options.smallest ? 1 / 20 : 1);
  navMesh.free();
  return { name: chosen.name, bytes, cost: measureCost(walkmesh, level, chosen, options),
    kinds: Object.fromEntries(KINDS.map((kind) => [kind, measureDistances(oracle, points[kind])])) };
}

/** @param {import('./bakes.js').BenchOptions} [options] */
export async function measureHeights({ runs, smallest = false, onProgress = () => {} } = {}) {
  const walkmesh = await load();
  const chosen = smallest ? chooseHeightLevels().slice(0, 1) : chooseHeightLevels();
  const levels = chosen.map(({ name, read }) => {
    const level = read();
    const oracle = new SurfaceOracle(level);
    const configs = CONFIGS.map((config) => measureConfig(walkmesh, level, oracle, config,
      { runs: smallest ? 1 : runs, smallest, onRound: (round) => onProgress(`${name}, ${config.name}: round ${round + 1}`) }));
    return { level: name, configs };
  });
  onProgress('');
  return levels;
}

const distanceText = ({ mean: middle, p99, max }) => [middle, p99, max].map((value) => value.toFixed(3)).join(' / ');

/** @param {Awaited<ReturnType<typeof measureHeights>>} levels @returns {import('./tables.js').Table[]} */
export function heightsTables(levels) {
  const names = CONFIGS.map(({ name }) => name);
  const missing = Math.max(...levels.flatMap(({ configs }) => configs.flatMap(({ kinds }) => KINDS.map((kind) => kinds[kind].missing))));
  const distances = levels.flatMap(({ level, configs }) => KINDS.map((kind) => [level, kind, ...configs.map(({ kinds }) => distanceText(kinds[kind]))]));
  const costs = levels.map(({ level, configs: [voxels, ...others] }) => [level, voxels.cost.milliseconds.median.toFixed(1),
    ...others.flatMap(({ cost, bytes }) => [ratioText(cost.ratio.median), ratioText(bytes)])]);
  return [
    { section: 'heights-distances', title: 'Vertical distance to the level, world units: mean / 99 of 100 / largest', rows: [['level', 'points', ...names], ...distances],
      notes: [`Cell 0.3, cell height ${cellHeight}. Left out: points with no triangle within ${REACH.toFixed(1)} above or below, at most ${(100 * missing).toFixed(1)} % of a row.`] },
    { title: 'Bakes: ms with voxels, and how many times as long and as large with the surface',
      rows: [['level', 'voxels, ms', ...names.slice(1).flatMap((name) => [name, 'bytes'])], ...costs],
      notes: ['Medians of pairs in turns; fine against voxels in tiles of 32.'] },
  ];
}
