/**
 * Tables, first as data: { title, rows, notes }, where the first row names the columns. Printed as text for a terminal or as
 * Markdown for the pages of docs/.
 */

/**
 * @typedef {object} Table
 * @property {string} title
 * @property {string[][]} rows
 * @property {string[]} [notes] lines below the table
 * @property {string} [section] of the pages to write it into, if not the section of its part
 */

/** @param {string[][]} rows @returns {string} */
export function alignColumns(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ');
  return rows.map((row) => `  ${line(row)}`.trimEnd()).join('\n');
}

/** @param {Table | string} table a string is printed unchanged @param {boolean} [markdown] @returns {string} */
export function renderTable(table, markdown = false) {
  if (typeof table === 'string') return markdown ? `\`\`\`text\n${table.trimEnd()}\n\`\`\`\n` : `${table.trimEnd()}\n`;
  const { title, rows, notes = [] } = table;
  if (!markdown) return `${title}\n${alignColumns(rows)}\n${notes.map((note) => `  ${note}\n`).join('')}`;
  const line = (/** @type {string[]} */ cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const [header, ...body] = rows;
  const rule = `| ${header.map((_, i) => (i === 0 ? '---' : '---:')).join(' | ')} |`;
  return [`**${title}**`, '', line(header), rule, ...body.map(line), '', ...notes.flatMap((note) => [note, ''])].join('\n');
}

/** @param {number | undefined} value */
export function ratioText(value) {
  return value === undefined || !Number.isFinite(value) ? '-' : `${value.toFixed(value < 10 ? 2 : 1)} x`;
}

/** Milliseconds, or another unit, with about three digits. @param {number} value */
export function timeText(value) {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}

/** A median with its quartiles. @param {import('./statistics.js').Summary | undefined} figure @param {(value: number) => string} [text] */
export function spreadText(figure, text = timeText) {
  return figure ? `${text(figure.median)} (${text(figure.lower)}-${text(figure.upper)})` : '-';
}

/** Megabytes of 10^6 bytes. @param {number} bytes */
export function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1);
}
