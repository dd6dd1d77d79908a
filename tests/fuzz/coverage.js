/**
 * Two tables of public functions: which harnesses reach them (tests/fuzz/COVERAGE.md), and which tests run those that
 * allocate with an allocator that fails (tests/c/OUT_OF_MEMORY.md). `node tests/fuzz/coverage.js` writes them;
 * tests/js/coverage-tables.test.js compares.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../scripts/setup.js';
import { HARNESSES, LIBRARY, reach, reachBack, readCalls, readPublicFunctions } from './calls.js';

/** @typedef {{ name: string, by: string[], way: string }} Row */
/** @typedef {{ header: string, rows: Row[] }} Part */

const FUZZING = `# Functions that fuzzing reaches

This table lists every function that a header of \`src/\` declares (except \`..._internal.h\`) and the harnesses that call it.
If no harness calls it by name, the last column names the function through which the listed harnesses reach it.
\`node tests/fuzz/coverage.js\` writes this file from the sources. \`tests/js/coverage-tables.test.js\` fails if the file differs
from the sources, if no harness reaches a function, or if no harness calls by name a function that \`wasm/\` calls.
`;

const MEMORY = `# Functions tested without memory

This table lists every function that a header of \`src/\` declares (except \`..._internal.h\`) and that may allocate, with the
tests that run it while the n-th allocation fails, for every n. If no test calls it by name, the last column names the
function through which the listed tests reach it. \`node tests/fuzz/coverage.js\` writes this file from the sources.
\`tests/js/coverage-tables.test.js\` fails if the file differs from the sources, or if no such test reaches a function.
`;

/** The functions that allocate, and the failing allocators of tests. */
const ALLOCATORS = ['wm_block_allocate', 'wm_scratch_array', 'wm_scratch_zeroed', 'wm_scratch_grow', 'wm_scratch_reserve'];
const FAILING = /^(failing_allocate|allocate_rationed|allocate_but_one)$/;

/**
 * Finds the roots that reach each function. Names of roots are those in the table.
 * @param {ReturnType<typeof readCalls>} calls @param {{ name: string, from: import('./calls.js').Item[] }[]} roots
 * @param {(name: string) => boolean} concerns @returns {Part[]}
 */
function findRows(calls, roots, concerns) {
  const isTest = (/** @type {string} */ file) => file.startsWith('tests/');
  const reached = roots.map(({ name, from }) => ({ name, found: reach(calls, from) })).sort((a, b) => (a.name < b.name ? -1 : 1));
  return readPublicFunctions().map(({ header, functions }) => ({
    header,
    rows: functions.filter(concerns).map((name) => {
      const item = calls.shared.get(name);
      const by = reached.filter(({ found }) => item && found.has(item));
      const direct = by.filter(({ found }) => [...found.keys()].some((one) => isTest(one.file) && one.words.includes(name)));
      if (direct.length || !item || !by.length) return { name, by: direct.map((one) => one.name), way: '' };
      let way = item;
      for (let one = by[0].found.get(way); one && !isTest(one.file); one = by[0].found.get(one)) way = one;
      return { name, by: by.map((one) => one.name), way: way.name };
    }),
  })).filter(({ rows }) => rows.length);
}

/** @returns {Part[]} */
export function findFuzzed() {
  const calls = readCalls([...LIBRARY, ...HARNESSES]);
  const roots = calls.items.filter(({ name, file, isFunction }) => isFunction && file === `tests/fuzz/${name}.c`)
    .map((item) => ({ name: item.name.slice('fuzz_'.length), from: [item] }));
  return findRows(calls, roots, () => true);
}

/** @returns {Part[]} */
export function findSwept() {
  const library = readCalls(LIBRARY);
  const allocating = new Set([...reachBack(library, ({ name }) => ALLOCATORS.includes(name))].map(({ name }) => name));
  const allocates = (/** @type {string} */ name) => allocating.has(name);
  const headers = readdirSync(join(ROOT, 'tests', 'c')).filter((name) => name.endsWith('.h')).map((name) => `tests/c/${name}`);
  const tests = readdirSync(join(ROOT, 'tests', 'c')).filter((name) => name.endsWith('_test.c'));
  const parts = tests.map((test) => {
    const calls = readCalls([...LIBRARY, ...headers, 'tests/c/scene.c', `tests/c/${test}`]);
    const failing = reachBack(calls, ({ name, words }) => FAILING.test(name) || words.some((word) => FAILING.test(word)));
    const from = [...failing].filter(({ name, file, isFunction }) => isFunction && file === `tests/c/${test}` && name !== 'main');
    return from.length ? findRows(calls, [{ name: test.slice(0, -'_test.c'.length), from }], allocates) : [];
  }).filter((part) => part.length);
  return parts[0].map(({ header, rows }, h) => ({
    header,
    rows: rows.map(({ name }, r) => {
      const all = parts.map((part) => part[h].rows[r]);
      const direct = all.filter(({ by, way }) => by.length && !way);
      const chosen = direct.length ? direct : all.filter(({ by }) => by.length);
      return { name, by: chosen.flatMap(({ by }) => by), way: chosen[0]?.way ?? '' };
    }),
  }));
}

/** @param {string} head @param {string} who @param {Part[]} parts */
function writeTable(head, who, parts) {
  const rows = parts.flatMap((part) => part.rows);
  const direct = rows.filter(({ by, way }) => by.length && !way).length;
  const texts = parts.map((part) => [`\n## \`${part.header}\`\n`, `| function | ${who} | through |`, '| --- | --- | --- |',
    ...part.rows.map(({ name, by, way }) => `| \`${name}\` | ${by.join(', ')} | ${way && `\`${way}\``} |`)].join('\n'));
  return `${head}\n${rows.length} functions, ${direct} of them called by name.\n${texts.join('\n')}\n`;
}

export const TABLES = [
  { file: join('tests', 'fuzz', 'COVERAGE.md'), find: findFuzzed, write: (/** @type {Part[]} */ parts) => writeTable(FUZZING, 'harnesses', parts) },
  { file: join('tests', 'c', 'OUT_OF_MEMORY.md'), find: findSwept, write: (/** @type {Part[]} */ parts) => writeTable(MEMORY, 'tests', parts) },
];

export const readTable = (/** @type {string} */ file) => readFileSync(join(ROOT, file), 'utf8');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { file, find, write } of TABLES) writeFileSync(join(ROOT, file), write(find()));
}
