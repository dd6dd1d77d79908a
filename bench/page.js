/**
 * Writes the tables of pages: `npm run bench -- --page` writes its measurements between the comments `<!-- bench NAME -->` and
 * `<!-- end of bench -->` of README.md, docs/performance.md and the pages of docs/lab. Unmeasured parts stay unchanged. Each part has a
 * section of its name; a table that names its own section goes there.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gameLevelsByCell } from './levels.js';
import { totalRatio } from './report.js';
import { geometricMean } from './statistics.js';
import { ratioText, renderTable, timeText } from './tables.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The pages with tables, from the root of the repository. */
export const PAGES = ['README.md', 'docs/performance.md',
  ...readdirSync(`${ROOT}docs/lab`).filter((name) => name.endsWith('.md')).map((name) => `docs/lab/${name}`)];
const BLOCK = /^(<!-- bench (\S+) -->\n)[^]*?^(<!-- end of bench -->)$/gm;

/** @param {string} markdown @param {Record<string, string>} sections Markdown by name @returns {string} */
export function replaceSections(markdown, sections) {
  return markdown.replace(BLOCK, (all, begin, name, end) => (name in sections ? `${begin}\n${sections[name].trim()}\n\n${end}` : all));
}

/**
 * The tables of a part as Markdown, by section.
 * @param {string} part @param {(import('./tables.js').Table | string)[]} tables @returns {Record<string, string>}
 */
export function sectionsOf(part, tables) {
  /** @type {Record<string, string[]>} */
  const sections = {};
  for (const table of tables) (sections[(typeof table === 'object' && table.section) || part] ??= []).push(renderTable(table, true));
  return Object.fromEntries(Object.entries(sections).map(([name, rendered]) => [name, rendered.join('\n')]));
}

/** @param {Record<string, string>} sections */
export function renewPages(sections) {
  for (const path of PAGES.map((page) => ROOT + page)) {
    const before = readFileSync(path, 'utf8');
    const after = replaceSections(before, sections);
    if (after !== before) writeFileSync(path, after);
  }
}

const short = (/** @type {number | undefined} */ value) => (value === undefined ? '-' : value.toFixed(value < 10 ? 1 : 0));

/** Short tables of several parts, for README.md and docs/performance.md. @param {any} result @returns {Record<string, string>} */
export function summarySections(result) {
  const { bakes, tiled, queries, gameQueries } = result;
  /** @type {Record<string, string>} */
  const sections = {};
  if (SUMMARY_PARTS.every((part) => result[part])) sections.summary = renderTable(summaryTable(result), true);
  const levels = [...(bakes?.levels ?? []).map((one) => ({ one, name: `${one.level} ${one.cellSize}` })),
    ...(tiled?.levels ?? []).map((one) => ({ one, name: `${one.level} ${one.cellSize}, tiles` }))];
  if (levels.length > 0) sections['bake-times'] = renderTable(bakeTimes(levels), true);
  if (queries?.length > 0) sections['query-times'] = renderTable(queryTimes(queries), true);
  if (gameQueries?.levels.length > 0) sections['game-query-times'] = renderTable(queryTimes(gameQueries.levels), true);
  return sections;
}

const SUMMARY_PARTS = ['game', 'gameQueries', 'memory', 'startUp', 'firstBakes'];

/** The figures that users ask for first. @param {any} result @returns {import('./tables.js').Table} */
function summaryTable({ game, gameQueries, memory, startUp, firstBakes }) {
  const times = (/** @type {(number | undefined)[]} */ values) => values.map((value) => short(value)).join(', ');
  const [solo, tiled] = [game.solo, game.tiled].map((all) => gameLevelsByCell(all));
  const bakes = (/** @type {{ levels: any[] }[]} */ groups) => times(groups.map(({ levels }) => geometricMean(levels.map((level) => totalRatio(level)))));
  const cells = solo.map((group) => group.cells).join(', ');
  const started = (/** @type {string} */ name) => startUp.scripts.find((script) => script.name === name)?.milliseconds;
  const shares = memory.filter(({ theirs }) => theirs).map(({ ours, theirs }) => ours.written / theirs.written);
  return { title: 'How many times as long recast-navigation takes', rows: [['', 'times'],
    ...(solo.length > 0 ? [[`bakes of levels of games, one tile (${cells})`, bakes(solo)], ['the same in tiles of 64', bakes(tiled)]] : []),
    ...(gameQueries.levels.length > 0 ? ratiosOfQueries(gameQueries.levels).map(([name, value]) => [`${name}, levels of games`, short(value)]) : []),
    ['import and load in a fresh process', short(started('recast-navigation: import, init') / started('walkmesh: import, load'))],
    ['load and first bake in a fresh process', short(geometricMean(firstBakes.map(({ ours, theirs }) => theirs['load and bake'].median / ours['load and bake'].median)))],
    ...(shares.length > 0 ? [['peak memory of a bake', `${Math.min(...shares).toFixed(2)} to ${Math.max(...shares).toFixed(2)} of its memory`]] : [])] };
}

/** @param {{ one: any, name: string }[]} levels @returns {import('./tables.js').Table} */
function bakeTimes(levels) {
  const total = (/** @type {any} */ { rows, contestants }, /** @type {number} */ i) => {
    const figure = rows.find(({ name }) => name === 'total').figures[contestants[i]];
    return figure ? timeText(figure.median) : '-';
  };
  return { title: 'Bakes of our scenes, ms (medians)', rows: [['level, cell', 'walkmesh', 'recast-navigation', 'ratio'],
    ...levels.map(({ one, name }) => [name, total(one, 0), total(one, 1), ratioText(totalRatio(one))])] };
}

/** @param {any[]} levels figures of queries.js @returns {import('./tables.js').Table} */
function queryTimes(levels) {
  const microseconds = (/** @type {number} */ value) => value.toFixed(value < 1 ? 2 : 1);
  const rows = levels[0].rows.map(({ name }) => {
    const all = levels.map(({ rows: own, batches }) => ({ ...own.find((row) => row.name === name), ...batches.find((row) => row.name === name) }));
    const compared = all.every(({ theirs }) => theirs), batched = all.every(({ batch }) => batch);
    return [name, ...all.map(({ ours }) => microseconds(ours.median)),
      compared ? ratioText(geometricMean(all.map(({ ours, theirs }) => theirs.median / ours.median))) : '-',
      batched ? ratioText(geometricMean(all.map(({ batch, single }) => single / batch.median))) : '-'];
  });
  return { title: 'Queries, us each (medians)', rows: [['', ...levels.map(({ level }) => level), 'recast-navigation', 'gain of a batch'], ...rows] };
}

/** How many times as long the peer takes for each query, geometric means. @param {any[]} levels figures of queries.js @returns {[string, number][]} */
function ratiosOfQueries(levels) {
  return levels[0].rows.filter(({ theirs }) => theirs).map(({ name }) => [name, geometricMean(levels
    .map((level) => level.rows.find((row) => row.name === name)).map(({ ours, theirs }) => theirs.median / ours.median))]);
}
