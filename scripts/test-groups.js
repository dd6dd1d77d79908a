/** Groups test files into processes: most files are short, and starting Node, the package and a browser takes longer than their tests. */

/** The longest JavaScript test files: they start first, so that none of them runs alone at the end. */
const LONG_TESTS = ['golden-native', 'golden', 'cli', 'leaks', 'live', 'live-queries', 'snippets', 'docs', 'bench', 'adversarial', 'check', 'link-generation'];
/** Files that use the native builds. */
export const NATIVE_TESTS = ['golden-native', 'determinism', 'bench', 'c-library'];
/** Files that measure memory, count events of their process, or change state that the whole process shares. */
const LONELY_TESTS = ['check', 'check-bakes', 'crowd', 'crowd-passages', 'diagnostics', 'heap', 'later', 'lifecycle', 'memory', 'memory-maximum', 'recast-navigation',
  'tool-bakes', 'workers'];

/** The number of other files per process, by folder. @type {Record<string, number>} */
const TOGETHER = { js: 8, browser: 6, 'browser/engines': 2, packaging: 2, attack: 1 };

/** The line that is printed after all tests of a file. @param {string} file */
export const endOf = (file) => `${file}: that was all`;

/**
 * @param {string} folder in tests/ @param {string[]} names of its files, without `.test.js`
 * @returns {string[][]} the names of each process, the longest first
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
