/** Which files of tests run in one process: most of them are short, and starting Node, the package and a browser takes longer than they do. */

/** Files of JavaScript tests that take longest: begun first, so that none of them runs alone at the end. */
const LONG_TESTS = ['golden-native', 'golden', 'cli', 'leaks', 'live', 'live-queries', 'snippets', 'docs', 'bench', 'adversarial', 'check'];
/** Files that run programs of the native builds. */
export const NATIVE_TESTS = ['golden-native', 'determinism', 'bench'];
/** Files that weigh memory, count what their process does, or change what all of it shares. */
const LONELY_TESTS = ['check', 'check-bakes', 'crowd', 'diagnostics', 'heap', 'later', 'lifecycle', 'memory', 'memory-maximum', 'recast-navigation',
  'tool-bakes', 'workers'];

/** How many of the others there are in a process, by folder. @type {Record<string, number>} */
const TOGETHER = { js: 8, browser: 6, packaging: 2 };

/** What is printed when all tests of a file have ended. @param {string} file */
export const endOf = (file) => `${file}: that was all`;

/**
 * @param {string} folder in tests/ @param {string[]} names of its files, without `.test.js`
 * @returns {string[][]} names of those that run in one process, the longest first
 */
export function groupTests(folder, names) {
  const alone = folder === 'js' ? new Set([...LONG_TESTS, ...NATIVE_TESTS, ...LONELY_TESTS]) : new Set();
  const long = LONG_TESTS.filter((name) => alone.has(name) && names.includes(name));
  const others = names.filter((name) => !alone.has(name));
  const size = TOGETHER[folder];
  const groups = Array.from({ length: Math.ceil(others.length / size) }, (_, i) => others.slice(i * size, (i + 1) * size));
  const rest = names.filter((name) => alone.has(name) && !long.includes(name));
  return [...long.map((name) => [name]), ...groups, ...rest.map((name) => [name])];
}
