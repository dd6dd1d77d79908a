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

const FUZZING = `# What fuzzing reaches

Every function that a header of \`src/\` declares (but those of \`..._internal.h\`), and the harnesses that call it; where
none does by name, those that call the function named last, by way of which it is reached. Written by
\`node tests/fuzz/coverage.js\` from the sources: \`tests/js/coverage-tables.test.js\` fails where this is not what the
sources say, where no harness reaches a function, and where one that \`wasm/\` calls is called by no harness itself.
`;

const MEMORY = `# What runs out of memory

Every function that a header of \`src/\` declares (but those of \`..._internal.h\`) and that may allocate, and the tests that
run it while the n-th allocation fails, for every n; where none calls it by name, those that call the function named
last, by way of which it is reached. Written by \`node tests/fuzz/coverage.js\` from the sources:
\`tests/js/coverage-tables.test.js\` fails where this is not what the sources say, and where no such test reaches one.
`;

/** What gives memory; and what has none to give, in tests. */
const ALLOCATORS = ['wm_block_allocate', 'wm_scratch_array', 'wm_scratch_zeroed', 'wm_scratch_grow', 'wm_scratch_reserve'];
const FAILING = /^(failing_allocate|allocate_rationed|allocate_but_one)$/;

/**
 * Who reaches the functions, among roots that bear the names of the table.
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
  const texts = parts.map((part) => [`\n## \`${part.header}\`\n`, `| function | ${who} | by way of |`, '| --- | --- | --- |',
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
