/** `npm run bench -- --crowd`: the scenarios, and the time of steps with many agents. */
import { mean, standardError } from '../statistics.js';
import { arrivalTable } from './arrivals.js';
import { contestants, hasPeer, loadBoth, makeWorld, measureScenario, populate, runScenario } from './run.js';
import { chooseScenarios } from './scenarios.js';
import { measureSpeed, speedTables } from './speed.js';

/** Runs of each scenario's first course: its figures don't vary, its times do. */
const RUNS = 3;
/** Default number of courses of each scenario (courses.js). */
const COURSES = 4;
/** Figures of the first course only. */
const TIMES = ['meanStep', 'worstStep'];
/** Figures that should be better than the peer's by at least this fraction. */
const CLEARLY = ['overlapIntegral', 'overlapTime', 'jitter', 'flow'];
const CLEARLY_PART = 0.25;

/** The figures in the order of the tables: name, field, decimals, and true if more is better. */
const FIGURES = [
  ['in time', 'arrivedInTime', 3, true], ['arrived', 'arrived', 3, true], ['time', 'meanTime', 2], ['overlap m s', 'overlapIntegral', 3], ['overlapping s', 'overlapTime', 2],
  ['deepest m', 'overlapWorst', 3], ['way', 'pathRatio', 3], ['jitter deg/m', 'jitter', 1], ['trembling', 'trembling', 3], ['restless m', 'restless', 3], ['flow 1/s', 'flow', 2, true],
  ['stuck', 'stuck', 0], ['within 2.5 times', 'punctual', 3, true], ['95 % within times', 'nearlyAll', 2], ['detour m', 'detour', 2], ['worst jump m', 'worstJump', 4], ['jumps', 'jumps', 1], ['passing s', 'passing', 2],
  ['strayed m', 'strayed', 5], ['overshoot m', 'overshoot', 5], ['mean step ms', 'meanStep', 3], ['worst step ms', 'worstStep', 2],
].map(([name, field, decimals, isMoreBetter = false]) => ({ name, field, decimals, isMoreBetter }));

/** @param {{ navMesh: { free: () => void }, peerMesh?: { destroy: () => void } }} world */
function freeWorld({ navMesh, peerMesh }) {
  navMesh.free();
  peerMesh?.destroy();
}

/**
 * Measures a scenario on each course, with every crowd. The first course runs several times, to measure the times of its steps.
 * @param {string} name @param {number} courses @param {number} runs @param {{ walkmesh: any, peer: any }} packages
 * @param {(text: string) => void} onProgress
 */
function measureCourses(name, courses, runs, { walkmesh, peer }, onProgress) {
  /** @type {Record<string, any[]>} */
  const figures = {};
  let world;
  for (let course = 0; course < courses; course++) {
    const [scenario] = chooseScenarios([name], course);
    if (world && scenario.hasOwnScene) freeWorld(world);
    if (!world || scenario.hasOwnScene) world = makeWorld(walkmesh, peer, scenario);
    const populated = populate(scenario, world);
    for (const [who, makeDriver] of Object.entries(contestants(hasPeer(scenario) ? peer : undefined))) {
      onProgress(`${name}, course ${course}: ${who}`);
      (figures[who] ??= []).push(course === 0 ? measureScenario(populated, world, makeDriver, runs) : runScenario(populated, world, makeDriver).figures);
    }
  }
  if (world) freeWorld(world);
  return Object.fromEntries(Object.entries(figures).map(([who, all]) => [who, summariseCourses(all)]));
}

/**
 * The means of figures over courses, of lists none; a field whose name ends in `OfCourses` holds the figure of each course.
 * @param {Record<string, number | number[] | null>[]} courses figures by course; an unmeasured figure is missing
 */
export function summariseCourses(courses) {
  const summary = {};
  for (const field of Object.keys(courses[0])) {
    const values = courses.map((figures) => figures[field]).filter((value) => value !== undefined);
    if (!values.some(Array.isArray)) summary[field] = values.includes(null) ? null : mean(/** @type {number[]} */ (values));
    summary[`${field}OfCourses`] = values;
  }
  return summary;
}

/**
 * @param {import('../bakes.js').BenchOptions & { scenes?: string[], courses?: number, alone?: boolean }} [options] scenes: names of
 *   scenarios or of groups; alone: without recast-navigation
 * @returns {Promise<any>}
 */
export async function measureCrowd({ scenes = [], courses = COURSES, alone = false, smallest = false, onProgress = () => {} } = {}) {
  const both = await loadBoth();
  const packages = alone ? { ...both, peer: undefined } : both;
  const [count, runs] = smallest ? [Math.min(2, courses), 1] : [courses, RUNS];
  const scenarios = chooseScenarios(smallest ? ['jump'] : scenes).map(({ name, title, missing }) =>
    ({ name, title, missing, figures: missing ? {} : measureCourses(name, count, runs, packages, onProgress) }));
  const speed = smallest || scenes.length === 0 ? await measureSpeed({ smallest, onProgress }) : null;
  onProgress('');
  return { scenarios, speed };
}

/** @param {number | null | undefined} value @param {number} decimals */
function show(value, decimals) {
  if (value === null || value === undefined) return '-';
  return Number.isFinite(value) ? value.toFixed(decimals) : 'never';
}

/** A mean; with its standard error if it covers several courses that differ. */
function showFigure(figures, field, decimals) {
  const values = figures[`${field}OfCourses`] ?? [];
  const text = show(figures[field], decimals);
  const error = !Number.isFinite(figures[field]) || values.length < 2 ? 0 : standardError(values);
  return error > 0 ? `${text} ± ${show(error, decimals)}` : text;
}

/** The difference of two figures; 0 if both are infinite. @param {number} a @param {number} b */
const differenceOf = (a, b) => (a === b ? 0 : a - b);

/**
 * Compares our figures with the peer's. `worse`: worse by more than the standard error of the difference and the rounding;
 * `open`: the difference is within that error; `tooNear`: better by less than required. Courses are compared one by one, since
 * both ran the same.
 * @param {any} ours @param {any} theirs of summariseCourses
 * @returns {{ worse: string[], open: string[], tooNear: string[] }}
 */
export function compareFigures(ours, theirs) {
  const worse = [], open = [], tooNear = [];
  for (const { name, field, decimals, isMoreBetter } of FIGURES) {
    if (typeof ours[field] !== 'number' || typeof theirs[field] !== 'number' || TIMES.includes(field)) continue;
    const sign = isMoreBetter ? -1 : 1;
    const differences = ours[`${field}OfCourses`].map((value, course) => sign * differenceOf(value, theirs[`${field}OfCourses`][course]));
    const rounded = 0.5 * 10 ** -decimals;
    const difference = mean(differences);
    const error = Number.isFinite(difference) ? standardError(differences) : 0;
    if (difference > Math.max(rounded, error)) worse.push(name);
    else if (Number.isNaN(difference) || (error > rounded && Math.abs(difference) <= error)) open.push(name);
    const wanted = theirs[field] * (1 - sign * CLEARLY_PART);
    if (CLEARLY.includes(field) && sign * (ours[field] - wanted) > rounded) tooNear.push(name);
  }
  return { worse, open, tooNear };
}

/** @param {any} ours @param {any} theirs @returns {string[]} */
function notesOf(ours, theirs) {
  const { worse, open, tooNear } = compareFigures(ours, theirs);
  return [worse.length ? `worse than recast-navigation: ${worse.join(', ')}` : 'nowhere worse than recast-navigation',
    ...(open.length ? [`not told apart: ${open.join(', ')}`] : []),
    ...(tooNear.length ? [`not a quarter better: ${tooNear.join(', ')}`] : [])];
}

/** @param {{ name: string, title: string, figures: Record<string, any> }} scenario @returns {import('../tables.js').Table} */
function scenarioTable({ name, title, figures }) {
  const names = Object.keys(figures);
  const used = FIGURES.filter(({ field }) => names.some((who) => (figures[who][field] ?? null) !== null));
  const rows = used.map(({ name: label, field, decimals }) => [label, ...names.map((who) => showFigure(figures[who], field, decimals))]);
  const [ours, theirs] = [figures.walkmesh, figures['recast-navigation']];
  return { title: `Crowd: ${name}, ${title}`, rows: [['', ...names], ...rows], notes: ours && theirs ? notesOf(ours, theirs) : [] };
}

/** @param {any} scenario @returns {(import('../tables.js').Table | string)[]} */
const tablesOf = (scenario) => (scenario.missing ? [`Crowd: ${scenario.name} was not measured: there is no ${scenario.missing}.\n`]
  : [scenarioTable(scenario), arrivalTable(scenario)]);

/** The figures of the summary. */
const SUMMARY = ['in time', 'time', 'overlapping s', 'stuck'].map((name) => FIGURES.find((figure) => figure.name === name));

/** A line for each scenario that both crowds ran, with few figures. @param {any[]} scenarios @returns {import('../tables.js').Table[]} */
function summaryTables(scenarios) {
  const both = scenarios.filter(({ figures }) => figures.walkmesh && figures['recast-navigation']);
  if (both.length === 0) return [];
  const rows = both.map(({ name, title, figures: { walkmesh: ours, 'recast-navigation': theirs } }) => [`${name}: ${title}`,
    ...SUMMARY.flatMap(({ field, decimals }) => [ours, theirs].map((figures) => show(figures[field], decimals)))]);
  return [{ section: 'crowd-summary', title: 'Crowds in scenarios, means over courses',
    rows: [['', ...SUMMARY.flatMap(({ name }) => [name, 'theirs'])], ...rows] }];
}

/** @param {any} result of measureCrowd @returns {(import('../tables.js').Table | string)[]} */
export function crowdTables({ scenarios, speed }) {
  const tables = scenarios.flatMap(tablesOf).map((table) => (typeof table === 'string' ? table : { ...table, section: 'crowd-scenarios' }));
  return [...tables, ...summaryTables(scenarios), ...(speed ? speedTables(speed) : [])];
}
