/** Measurements as a table for people and as JSON for machines. */

import { ROWS } from './contestants.js';
import { geometricMean, summarise } from './statistics.js';

/**
 * Figures of one level.
 * @param {object} measured {level, runs: Map<name, Run[]>, memory: Map<name, object>, comparison}
 * @returns {object} rows: per row and contestant median, minimum, maximum; ratios to the first contestant
 */
export function summariseLevel({ level, runs, memory, comparison }) {
  const contestants = [...runs.keys()];
  const rows = [...ROWS.map((row) => row.name), 'total'].map((name) => {
    const figures = {};
    for (const [contestant, list] of runs) {
      const values = list.map((run) => (name === 'total' ? run.total : run.stages.get(name)));
      if (values.every((value) => value !== undefined)) figures[contestant] = summarise(values);
    }
    return { name, figures };
  });
  return {
    level: level.name,
    cellSize: level.config.cellSize,
    contestants,
    rows,
    memory: Object.fromEntries(memory),
    comparison: comparison && { ...comparison, arrays: Object.fromEntries(comparison.arrays) },
  };
}

/** How many times as long the other takes as the first, by medians. */
export function ratio(row, first, other) {
  const [a, b] = [row.figures[first], row.figures[other]];
  return a && b && a.median > 0 ? b.median / a.median : undefined;
}

/** @returns {{contestant: string, total: number, byRow: object}[]} geometric means over levels */
export function overall(levels) {
  if (levels.length === 0) return [];
  const [first, ...others] = levels[0].contestants;
  return others.map((contestant) => {
    const mean = (name) => {
      const ratios = levels
        .map((level) => ratio(level.rows.find((row) => row.name === name), first, contestant))
        .filter((value) => value > 0);
      return ratios.length > 0 ? geometricMean(ratios) : undefined;
    };
    const byRow = Object.fromEntries(ROWS.map((row) => [row.name, mean(row.name)]));
    return { contestant, total: mean('total'), byRow };
  });
}

/** @returns {string} */
export function levelTable(summary) {
  const [first, ...others] = summary.contestants;
  const header = ['', first, ...others.flatMap((name) => [name, 'ratio'])];
  const lines = summary.rows.map((row) => [
    row.name,
    figureText(row.figures[first]),
    ...others.flatMap((name) => [figureText(row.figures[name]), ratioText(ratio(row, first, name))]),
  ]);
  const memory = ['memory, MB', ...memoryCells(summary, first, others)];
  const title = `${summary.level}, cell ${summary.cellSize} (ms: median, minimum-maximum)`;
  return `${title}\n${alignColumns([header, ...lines, memory])}\n  results: ${comparisonText(summary.comparison)}\n`;
}

function comparisonText(comparison) {
  if (comparison === null) return 'not compared';
  if (comparison.status === 'different' || comparison.status === 'refused') return `DIFFERENT: ${comparison.detail}`;
  const notes = Object.entries(comparison.arrays).filter(([, finding]) => finding !== 'equal');
  return ['equal bit by bit', ...notes.map(([name, finding]) => `${name}: ${finding}`)].join('; ');
}

function memoryCells(summary, first, others) {
  const text = (name) => {
    const used = summary.memory[name];
    return used ? `${megabytes(used.bytes)} of ${megabytes(used.reserved)}` : '-';
  };
  const share = (name) => {
    const [a, b] = [summary.memory[first], summary.memory[name]];
    return a && b ? ratioText(b.bytes / a.bytes) : '';
  };
  return [text(first), ...others.flatMap((name) => [text(name), share(name)])];
}

/** @returns {string} */
export function overallTable(levels) {
  const means = overall(levels);
  if (means.length === 0) return '';
  const header = ['geometric mean of ratios', ...means.map((mean) => mean.contestant)];
  const lines = [...ROWS.map((row) => row.name), 'total'].map((name) => [
    name,
    ...means.map((mean) => ratioText(name === 'total' ? mean.total : mean.byRow[name])),
  ]);
  return alignColumns([header, ...lines]);
}

function figureText(figure) {
  if (!figure) return '-';
  return `${time(figure.median)} (${time(figure.minimum)}-${time(figure.maximum)})`;
}

function time(milliseconds) {
  return milliseconds.toFixed(milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0);
}

export function ratioText(value) {
  return value === undefined ? '-' : `${value.toFixed(value < 10 ? 2 : 1)} x`;
}

function megabytes(bytes) {
  return (bytes / 1048576).toFixed(1);
}

export function alignColumns(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ');
  return rows.map((row) => `  ${line(row)}`.trimEnd()).join('\n');
}
