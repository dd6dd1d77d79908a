/**
 * Runs test files in one process, one after another: `node scripts/test-files.js tests/js/a.test.js tests/js/b.test.js`. Starting
 * Node, loading and warming up the package (or starting a browser) happens once for all files. The output marks the begin and end
 * of each file with its name; `after` hooks at the top level run after the last file.
 */
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { endOf } from './test-groups.js';

/** A file that can't be loaded counts as one failed test. @param {string} file */
const loadTests = (file) => import(pathToFileURL(resolve(file)).href).catch((error) => {
  test(`${file} is loaded`, () => { throw error; });
});

const files = process.argv.splice(2);
let over = Promise.resolve();
for (const file of files) {
  // Files don't overlap: each is loaded after the tests of the previous one have ended.
  const loaded = over.then(() => loadTests(file));
  describe(file, () => loaded);
  await loaded;
  over = describe(endOf(file), () => {});
}
