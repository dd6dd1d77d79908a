/** Reports bakes as figures for programs and as tables for readers. */

import { ROWS } from './contestants.js';
import { geometricMean, summarise } from './statistics.js';
import { ratioText, spreadText } from './tables.js';

export { alignColumns, ratioText } from './tables.js';

/** @typedef {import('./tables.js').Table} Table */
/** @typedef {import('./statistics.js').Summary} Summary */

/**
 * @typedef {object} LevelFigures
 * @property {string} level
 * @property {number} cellSize
 * @property {string} group
 * @property {string[]} contestants the first one is the divisor of the ratios
 * @property {{ name: string, figures: Record<string, Summary> }[]} rows milliseconds by stage and contestant; the last row is the total
 * @property {any} comparison Outcome of tests/js/live/compare.js, or null
 */

const ROW_NAMES = [...ROWS.map(({ name }) => name), 'total'];

/**
 * Summarizes all rows.
 * @param {Map<string, import('./contestants.js').Run[]>} runs by contestant
 * @returns {{ name: string, figures: Record<string, Summary> }[]}
 */
export function summariseRuns(runs) {
  return ROW_NAMES.map((name) => {
    const figures = {};
    for (const [contestant, list] of runs) {
      const values = list.map((run) => (name === 'total' ? run.total : run.stages.get(name)));
      if (values.every((value) => value !== undefined)) figures[contestant] = summarise(values);
    }
    return { name, figures };
  });
}

/** The median of the other contestant divided by that of the first. */
export function ratio(row, first, other) {
  const [a, b] = [row.figures[first], row.figures[other]];
  return a && b && a.median > 0 ? b.median / a.median : undefined;
}

/** The ratio of recast-navigation's whole bake to ours. @param {LevelFigures} level @returns {number | undefined} */
export function totalRatio({ rows, contestants }, other = 'recast-navigation') {
  const total = rows.find(({ name }) => name === 'total');
  return total && ratio(total, contestants[0], other);
}

/**
 * Geometric means of ratios over the levels of each group.
 * @param {LevelFigures[]} levels
 * @returns {{ group: string, contestant: string, levels: number, mean: number, least: number, byRow: Record<string, number> }[]}
 */
export function meansOf(levels) {
  const groups = [...new Set(levels.map(({ group }) => group))];
  return groups.flatMap((group) => {
    const members = levels.filter((level) => level.group === group);
    const [first, ...others] = members[0].contestants;
    return others.map((contestant) => {
      const ratios = (name) => members.map(({ rows }) => ratio(rows.find((row) => row.name === name), first, contestant))
        .filter((value) => value > 0);
      const entries = ROW_NAMES.map((name) => [name, ratios(name)]).filter(([, list]) => list.length > 0);
      const byRow = Object.fromEntries(entries.map(([name, list]) => [name, geometricMean(list)]));
      return { group, contestant, levels: members.length, mean: byRow.total, least: Math.min(...ratios('total')), byRow };
    });
  });
}

/** @param {LevelFigures} summary @param {string} [title] @returns {Table} */
export function levelTable(summary, title = `Bake of ${summary.level}, cell ${summary.cellSize}`) {
  const [first, ...others] = summary.contestants;
  const header = ['ms: median (quartiles)', first, ...others.flatMap((name) => [name, 'ratio'])];
  const lines = summary.rows.map((row) => [
    row.name,
    spreadText(row.figures[first]),
    ...others.flatMap((name) => [spreadText(row.figures[name]), ratioText(ratio(row, first, name))]),
  ]);
  return { title, rows: [header, ...lines], notes: [`Results: ${comparisonText(summary.comparison)}.`] };
}

/** Whether bakes agree, in words. */
export function comparisonText(comparison) {
  if (!comparison) return 'not compared';
  if (comparison.status === 'different' || comparison.status === 'refused') return `DIFFERENT: ${comparison.detail}`;
  const notes = Object.entries(comparison.arrays).filter(([, finding]) => finding !== 'equal');
  return ['equal bit by bit', ...notes.map(([name, finding]) => `${name}: ${finding}`)].join('; ');
}

/** @param {ReturnType<typeof meansOf>} means @param {string} title @returns {Table} */
export function meansTable(means, title) {
  const header = ['geometric mean of ratios', ...means.map(({ group, contestant, levels }) => `${contestant}, ${group} (${levels})`)];
  const lines = ROW_NAMES.map((name) => [name, ...means.map(({ byRow }) => ratioText(byRow[name]))]);
  return { title, rows: [header, ...lines, ['total, the least', ...means.map(({ least }) => ratioText(least))]] };
}
