/** The targets of speed and size with the measured values, one line each, to show which are reached. */
import { gameLevelsByCell } from './levels.js';
import { totalRatio } from './report.js';
import { geometricMean } from './statistics.js';

const QUESTIONS = [
  { name: 'nearest polygon', least: 5 },
  { name: 'raycast, 3 m', least: 5 },
  { name: 'move along surface, 0.1 m', least: 6 },
  { name: 'random point', least: 8 },
  { name: 'polygons in a circle, 5 m (flood)', least: 10 },
  { name: 'path in one call', least: 4 },
];
const GAME_QUESTIONS = [{ name: 'path in one call', least: 3.5 }, { name: 'raycast, 3 m', least: 4 }, { name: 'nearest polygon', least: 6 }];
const GAME_BAKES = { mean: 4.5, least: 3.5 };
const BATCH = 1.5;
const FIRST_BAKE = 4;
/** Queries whose results are numbers: V8 allocates 16 bytes for a returned number, and there is no output to reuse. */
const NUMBERS = ['height'];

/**
 * @typedef {object} Line
 * @property {string} what
 * @property {string} asked
 * @property {string} measured
 * @property {boolean | null} reached null if it wasn't measured
 */

const times = (/** @type {number} */ value) => `${value.toFixed(2)} times`;

/**
 * A target of at least `least` times.
 * @param {string} what @param {number} least @param {number | undefined} value @param {string} [more] @returns {Line}
 */
function atLeast(what, least, value, more = '') {
  const measured = value === undefined || Number.isNaN(value) ? undefined : value;
  return { what, asked: `${least} times`, measured: measured === undefined ? 'not measured' : times(measured) + more,
    reached: measured === undefined ? null : measured >= least };
}

/**
 * A target of at most `most`.
 * @param {string} what @param {number} most @param {number | undefined} value @param {(value: number) => string} text @returns {Line}
 */
function atMost(what, most, value, text) {
  return { what, asked: most > 0 ? `${text(most)} or less` : text(most), measured: value === undefined ? 'not measured' : text(value),
    reached: value === undefined ? null : value <= most };
}

/** @param {any} bakes @returns {Line[]} */
function bakeLines(bakes) {
  const ratios = (/** @type {string} */ group) => (bakes?.levels ?? []).filter((level) => level.group === group)
    .map((level) => ({ name: `${level.level} ${level.cellSize}`, value: totalRatio(level) })).filter(({ value }) => value);
  const levels = ratios('levels');
  const list = levels.map(({ name, value }) => `${name} ${value.toFixed(2)}`).join(', ');
  const least = levels.length > 0 ? Math.min(...levels.map(({ value }) => value)) : undefined;
  const mean = levels.length > 0 ? geometricMean(levels.map(({ value }) => value)) : undefined;
  return [
    atLeast('bake in one tile, geometric mean', 7, mean, list && ` (${list})`),
    atLeast('bake in one tile, none below', 5, least),
    ...[0.15, 0.1].map((cell) => atLeast(`bake of terrain ${cell}`, 20, ratios('terrain').find(({ name }) => name === `terrain ${cell}`)?.value)),
  ];
}

/** Bakes of levels of games in one tile and in tiles, by cell size. @param {any} game @returns {Line[]} */
function gameBakeLines(game) {
  const { mean, least } = GAME_BAKES;
  if (!game?.solo.length) return [meanLine('bake of levels of games', mean, [])];
  return ['solo', 'tiled'].flatMap((form) => gameLevelsByCell(game[form]).flatMap(({ cells, levels }) => {
    const ratios = levels.map((level) => ({ level: level.level, value: /** @type {number} */ (totalRatio(level)) }));
    const what = `bake of levels of games, ${form === 'solo' ? 'one tile' : 'tiles of 64'}, ${cells}`;
    const lowest = atLeast(`${what}, none below`, least, Math.min(...ratios.map(({ value }) => value)));
    return [meanLine(what, mean, ratios), ...(form === 'solo' ? [lowest] : [])];
  }));
}

/** A geometric mean over levels. @param {string} what @param {number} least @param {{ level: string, value: number }[]} ratios @returns {Line} */
function meanLine(what, least, ratios) {
  if (ratios.length === 0) return atLeast(what, least, undefined);
  return atLeast(what, least, geometricMean(ratios.map(({ value }) => value)), ` (${ratios.map(({ level, value }) => `${level} ${value.toFixed(2)}`).join(', ')})`);
}

/** @param {any[]} levels @param {{ name: string, least: number }[]} questions @param {string} [where] @returns {Line[]} */
function queryLines(levels = [], questions = QUESTIONS, where = '') {
  return questions.map(({ name, least }) => meanLine(name + where, least, levels
    .map(({ level, rows }) => ({ level, ...rows.find((row) => row.name === name) })).filter(({ theirs }) => theirs)
    .map(({ level, ours, theirs }) => ({ level, value: theirs.median / ours.median }))));
}

/** Batches of paths against single calls. @param {any[]} levels @returns {Line} */
function gameBatchLine(levels = []) {
  return meanLine('batches of 1,000 paths against single calls, levels of games', BATCH, levels
    .map(({ level, batches }) => ({ level, ...batches.find(({ name }) => name === 'path in one call') })).filter(({ batch }) => batch)
    .map(({ level, single, batch }) => ({ level, value: single / batch.median })));
}

/** @param {any[]} levels @returns {Line} */
function firstBakeLine(levels = []) {
  return meanLine('load and first bake of a fresh process', FIRST_BAKE, levels
    .map(({ level, ours, theirs }) => ({ level, value: theirs['load and bake'].median / ours['load and bake'].median })));
}

/**
 * For each kind of query with batches, the geometric mean over levels; reached if all of them are.
 * @param {any[]} levels @returns {Line}
 */
function batchLine(levels = []) {
  const asked = QUESTIONS.map(({ name }) => name);
  const names = (levels[0]?.batches ?? []).map(({ name }) => name).filter((name) => asked.includes(name));
  const figures = names.map((name) => ({ name, value: geometricMean(levels.map(({ batches }) => batches.find((one) => one.name === name))
    .map(({ batch, single }) => single / batch.median)) }));
  const least = figures.length > 0 ? Math.min(...figures.map(({ value }) => value)) : undefined;
  return atLeast('batches of 1,000 against single calls, the least', BATCH, least,
    ` (${figures.map(({ name, value }) => `${name} ${value.toFixed(2)}`).join(', ')})`);
}

/** @param {any} result the figures of the parts that ran @returns {Line[]} */
export function compareWithTargets({ game, bakes, tiled, queries, gameQueries, memory, startUp, firstBakes, sizes }) {
  const tiledRatio = (/** @type {string} */ name) => {
    const level = tiled?.levels.find((one) => one.level === name);
    return level && totalRatio(level);
  };
  const wasteful = (queries ?? []).flatMap(({ rows }) => rows).filter(({ name }) => !NUMBERS.includes(name))
    .sort((a, b) => b.garbage - a.garbage)[0];
  const shares = (memory ?? []).filter(({ cellSize, theirs }) => cellSize === 0.1 && theirs)
    .map(({ level, cellSize, ours, theirs }) => ({ name: `${level} ${cellSize}`, value: ours.written / theirs.written }));
  const share = shares.length > 0 ? Math.min(...shares.map(({ value }) => value)) : undefined;
  const memoryLine = atMost('peak memory of the bake, highest written, of the peer\'s', 0.6, share, (value) => value.toFixed(2));
  if (shares.length > 0) memoryLine.measured = shares.map(({ name, value }) => `${name} ${value.toFixed(2)}`).join(', ');
  const started = (/** @type {string} */ name) => startUp?.scripts.find((script) => script.name === name)?.milliseconds;
  const [ours, theirs] = [started('walkmesh: import, load'), started('recast-navigation: import, init')];
  const module = sizes?.modules.find(({ name }) => name === 'walkmesh.wasm')?.gzip;
  return [
    ...gameBakeLines(game),
    ...bakeLines(bakes),
    ...[['city', 'city 0.15'], ['1 km terrain', '1 km terrain 0.3']].map(([name, label]) => atLeast(`bake in tiles of 64, ${label}`, 6, tiledRatio(name))),
    ...queryLines(gameQueries?.levels, GAME_QUESTIONS, ', levels of games'),
    gameBatchLine(gameQueries?.levels),
    ...queryLines(queries),
    batchLine(queries),
    atMost('garbage per query with reused outputs, the most', 0, wasteful?.garbage, (value) => (
      value > 0 ? `${value} bytes (${wasteful.name})` : '0 bytes')),
    memoryLine,
    atMost('start-up over an empty process, of the peer\'s', 0.25, ours && theirs ? ours / theirs : undefined, (value) => value.toFixed(2)),
    firstBakeLine(firstBakes),
    atMost('the whole module, gzip', 80000, module, (value) => `${(value / 1000).toFixed(1)} kB`),
  ];
}

/** @param {Line[]} lines @returns {import('./tables.js').Table} */
export function targetTable(lines) {
  const words = { true: 'yes', false: 'NO', null: '-' };
  const rows = lines.map(({ what, asked, measured, reached }) => [what, asked, measured, words[String(reached)]]);
  return { title: 'Asked and measured (ratios of medians against recast-navigation)', rows: [['what', 'asked', 'measured', 'reached'], ...rows] };
}
