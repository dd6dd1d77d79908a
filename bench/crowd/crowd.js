/** `npm run bench -- --crowd`: the scenarios, and the time of steps with many agents. */
import { contestants, loadBoth, makeWorld, measureScenario } from './run.js';
import { chooseScenarios } from './scenarios.js';
import { measureSpeed, speedTables } from './speed.js';

/** Runs of each scenario: figures are the same in each, times are not. */
const RUNS = 3;

/** The figures in the order of the tables: name, field, decimals, and whether more is better. */
const FIGURES = [
  ['in time', 'arrivedInTime', 3, true], ['arrived', 'arrived', 3, true], ['time', 'meanTime', 2], ['overlap m s', 'overlapIntegral', 3], ['overlapping s', 'overlapTime', 2],
  ['deepest m', 'overlapWorst', 3], ['way', 'pathRatio', 3], ['jitter deg/m', 'jitter', 1], ['trembling', 'trembling', 3], ['restless m', 'restless', 3], ['flow 1/s', 'flow', 2, true],
  ['stuck', 'stuck', 0], ['strayed m', 'strayed', 5], ['overshoot m', 'overshoot', 5], ['mean step ms', 'meanStep', 3], ['worst step ms', 'worstStep', 2],
].map(([name, field, decimals, isMoreBetter = false]) => ({ name, field, decimals, isMoreBetter }));

/**
 * @param {import('../bakes.js').BenchOptions & { scenes?: string[] }} [options] scenes: names of scenarios
 * @returns {Promise<any>}
 */
export async function measureCrowd({ scenes = [], smallest = false, onProgress = () => {} } = {}) {
  const { walkmesh, peer } = await loadBoth();
  const chosen = chooseScenarios(smallest ? ['jump'] : scenes);
  const scenarios = [];
  for (const scenario of chosen) {
    const world = makeWorld(walkmesh, peer, scenario);
    const figures = {};
    for (const [who, makeDriver] of Object.entries(contestants(peer))) {
      onProgress(`${scenario.name}: ${who}`);
      figures[who] = measureScenario(scenario, world, makeDriver, smallest ? 1 : RUNS);
    }
    scenarios.push({ name: scenario.name, title: scenario.title, figures });
    world.navMesh.free();
    world.peerMesh?.destroy();
  }
  const speed = smallest || scenes.length === 0 ? await measureSpeed({ smallest, onProgress }) : null;
  onProgress('');
  return { scenarios, speed };
}

/** @param {number | null | undefined} value @param {number} decimals */
const show = (value, decimals) => (value === null || value === undefined ? '-' : value.toFixed(decimals));

/** Which figures are worse than the other's, by more than they are rounded. @param {any} ours @param {any} theirs @returns {string[]} */
export function listWorse(ours, theirs) {
  return FIGURES.filter(({ field, decimals, isMoreBetter }) => {
    if (ours[field] === null || theirs[field] === null) return false;
    const difference = (ours[field] - theirs[field]) * (isMoreBetter ? -1 : 1);
    return difference > 0.5 * 10 ** -decimals;
  }).map(({ name }) => name);
}

/** @param {{ name: string, title: string, figures: Record<string, any> }} scenario @returns {import('../tables.js').Table} */
function scenarioTable({ name, title, figures }) {
  const names = Object.keys(figures);
  const used = FIGURES.filter(({ field }) => names.some((who) => figures[who][field] !== null));
  const rows = used.map(({ name: label, field, decimals }) => [label, ...names.map((who) => show(figures[who][field], decimals))]);
  const [ours, theirs] = [figures.walkmesh, figures['recast-navigation']];
  const worse = ours && theirs ? listWorse(ours, theirs) : [];
  const notes = ours && theirs ? [worse.length ? `worse than recast-navigation: ${worse.join(', ')}` : 'nowhere worse than recast-navigation'] : [];
  return { title: `Crowd: ${name}, ${title}`, rows: [['', ...names], ...rows], notes };
}

/** @param {any} result of measureCrowd @returns {(import('../tables.js').Table | string)[]} */
export function crowdTables({ scenarios, speed }) {
  return [...scenarios.map(scenarioTable), ...(speed ? speedTables(speed) : [])];
}
