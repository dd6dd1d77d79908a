/**
 * Writes the tables of pages: `npm run bench -- --page` writes its measurements between the comments `<!-- bench NAME -->` and
 * `<!-- end of bench -->` of docs/performance.md and README.md. Unmeasured parts stay unchanged.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { totalRatio } from './report.js';
import { geometricMean } from './statistics.js';
import { renderTable } from './tables.js';

const PAGES = ['docs/performance.md', 'README.md'].map((path) => fileURLToPath(new URL(`../${path}`, import.meta.url)));
const BLOCK = /^(<!-- bench (\S+) -->\n)[^]*?^(<!-- end of bench -->)$/gm;

/** @param {string} markdown @param {Record<string, string>} sections Markdown by name @returns {string} */
export function replaceSections(markdown, sections) {
  return markdown.replace(BLOCK, (all, begin, name, end) => (name in sections ? `${begin}\n${sections[name].trim()}\n\n${end}` : all));
}

/** @param {Record<string, string>} sections */
export function renewPages(sections) {
  for (const path of PAGES) {
    const before = readFileSync(path, 'utf8');
    const after = replaceSections(before, sections);
    if (after !== before) writeFileSync(path, after);
  }
}

/** The finest cell of README's table of levels of games. */
const SUMMARY_CELL = 0.15;

const short = (/** @type {number | undefined} */ value) => (value === undefined ? '-' : value.toFixed(value < 10 ? 1 : 0));

/** The ratios to recast-navigation's times, in a few lines, for README.md. @param {any} result @returns {Record<string, string>} */
export function summarySections({ game, bakes, tiled, queries, gameQueries }) {
  const sections = {};
  if (game?.solo.length > 0) sections['summary-game'] = gameTable(game);
  const levels = [...(bakes?.levels ?? []).map((one) => ({ one, name: `${one.level} ${one.cellSize}` })),
    ...(tiled?.levels ?? []).map((one) => ({ one, name: `${one.level} ${one.cellSize}, tiles` }))];
  if (levels.length > 0) {
    sections['summary-bakes'] = renderTable({ title: 'Bakes, cell size', rows: [['', ...levels.map(({ name }) => name)],
      ['times', ...levels.map(({ one }) => short(totalRatio(one)))]] }, true);
  }
  if (queries?.length > 0) sections['summary-queries'] = queryTable(queries);
  if (gameQueries?.levels.length > 0) sections['summary-game-queries'] = queryTable(gameQueries.levels);
  return sections;
}

/** @param {import('./game.js').GameFigures} figures @returns {string} */
function gameTable({ solo, tiled }) {
  const [summary, summaryTiled] = [solo, tiled].map((levels) => levels.filter(({ cellSize }) => cellSize >= SUMMARY_CELL));
  const row = (/** @type {string} */ name, /** @type {any[]} */ levels) => [name, ...levels.map((level) => short(totalRatio(level)))];
  return renderTable({ title: 'Bakes of levels of real games, cell size',
    rows: [['times', ...summary.map(({ level, cellSize }) => `${level} ${cellSize}`)], row('one tile', summary), row('tiles of 64', summaryTiled)] }, true);
}

/** @param {any[]} levels figures of queries.js @returns {string} */
function queryTable(levels) {
  const rows = levels[0].rows.filter(({ theirs }) => theirs).map(({ name }) => [name, short(geometricMean(levels
    .map((level) => level.rows.find((row) => row.name === name)).map(({ ours, theirs }) => theirs.median / ours.median)))]);
  return renderTable({ title: `Questions, geometric mean of ${levels.map(({ level }) => level).join(', ')}`, rows: [['', 'times'], ...rows] }, true);
}
