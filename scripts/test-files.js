/**
 * Runs files of tests in one process, one after another: `node scripts/test-files.js tests/js/a.test.js tests/js/b.test.js`. Starting Node,
 * loading the package and warming it up (or starting a browser) is done once for all. In what it prints, lines with its name are
 * around the tests of each file; hooks after all tests come when the last file's have ended.
 */
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { endOf } from './test-groups.js';

/** Tests of a file that cannot be loaded are one that fails. @param {string} file */
const loadTests = (file) => import(pathToFileURL(resolve(file)).href).catch((error) => {
  test(`${file} is loaded`, () => { throw error; });
});

const files = process.argv.splice(2);
let over = Promise.resolve();
for (const file of files) {
  // Files do not see one another at work: each is loaded when the tests of the one before have ended.
  const loaded = over.then(() => loadTests(file));
  describe(file, () => loaded);
  await loaded;
  over = describe(endOf(file), () => {});
}
