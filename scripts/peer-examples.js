/**
 * Runs the published tests and examples of recast-navigation on recast-navigation itself and on walkmesh/recast-navigation, with only
 * the import changed, and says how many run on each. It takes a checkout of github.com/isaac-mason/recast-navigation-js:
 *
 *   node scripts/peer-examples.js FOLDER
 *
 * A test file (.spec.ts) counts by its tests, an example of Node by its file. Pages (stories, examples with a bundler) need a browser:
 * of these, the imports count.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { spawnSync } from 'node:child_process';
import { build, transformSync } from 'esbuild';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const WORK = join(ROOT, 'build', 'peer-examples');
const PEER_IMPORT = /^(@recast-navigation\/|recast-navigation(\/|$))/;

/** Modules by the last part of an import. @type {Record<string, Record<string, string>>} */
const PACKAGES = {
  'recast-navigation': { '': 'recast-navigation', generators: 'recast-navigation/generators', three: '@recast-navigation/three' },
  walkmesh: { '': './js/recast-navigation/index.js', generators: './js/recast-navigation/index.js', three: './js/recast-navigation-three/index.js' },
};

/** The module for an import of recast-navigation. @param {string} name of the package to run @param {string} path as imported */
function moduleFor(name, path) {
  const part = /three/.test(path) ? 'three' : /generators/.test(path) ? 'generators' : '';
  const target = PACKAGES[name][part];
  return target.startsWith('.') ? pathToFileURL(join(ROOT, target)).href : import.meta.resolve(target);
}

/** The few functions of vitest that the tests use. */
const VITEST = `
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it, test as nodeTest } from 'node:test';
const expect = (actual) => ({
  toBe: (expected) => assert.ok(Object.is(actual, expected), actual + ' is not ' + expected),
  toEqual: (expected) => assert.deepEqual(actual, expected),
  toBeGreaterThan: (expected) => assert.ok(actual > expected),
  toBeCloseTo: (expected, digits = 2) => assert.ok(Math.abs(actual - expected) < 0.5 * 10 ** -digits, actual + ' is not near ' + expected),
});
const test = (name, run) => nodeTest(name, () => run({ expect }));
export { after as afterAll, before as beforeAll, beforeEach, describe, expect, it, test };
`;

/** @param {string} name of the package @returns {import('esbuild').Plugin} */
const redirect = (name) => ({
  name: 'redirect',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: PEER_IMPORT }, ({ path }) => ({ path: moduleFor(name, path), external: true }));
    onResolve({ filter: /^(vitest|@jest\/globals)$/ }, () => ({ path: 'vitest', namespace: 'vitest' }));
    onLoad({ filter: /.*/, namespace: 'vitest' }, () => ({ contents: VITEST, resolveDir: ROOT }));
    onResolve({ filter: /^three($|\/)/ }, ({ path }) => ({ path: import.meta.resolve(path), external: true }));
  },
});

/** Bundles a file for one package, and runs it. @param {string} file @param {string} name @param {string[]} flags @param {number} number */
async function run(file, name, flags, number) {
  const outfile = join(WORK, `${number}-${name}.mjs`);
  const options = { bundle: true, format: /** @type {const} */ ('esm'), platform: /** @type {const} */ ('node'), logLevel: /** @type {const} */ ('silent') };
  try {
    // require() of a package becomes an import, as both are ES modules.
    const contents = readFileSync(file, 'utf8').replaceAll(/const (\w+) = require\(('[^']+')\);/g, 'import * as $1 from $2;');
    const loader = /** @type {import('esbuild').Loader} */ (file.endsWith('.ts') ? 'ts' : 'js');
    await build({ ...options, stdin: { contents, resolveDir: dirname(file), loader }, outfile, plugins: [redirect(name)] });
  } catch (error) {
    return { status: 1, stdout: '', stderr: String(error) };
  }
  return spawnSync(process.execPath, [...flags, outfile], { encoding: 'utf8', timeout: 60_000 });
}

/** @param {string} text @param {string} word */
const readCount = (text, word) => Number(new RegExp(`^# ${word} (\\d+)`, 'm').exec(text)?.[1] ?? 0);

/** Names that a page imports from recast-navigation, without types. @param {string} file @param {string} name @returns {Promise<string[]>} those that are missing */
async function listMissing(file, name) {
  const { code } = transformSync(readFileSync(file, 'utf8'), { loader: 'tsx', jsx: 'preserve' });
  const missing = [];
  for (const [, names, from] of code.matchAll(/import\s*\{([^}]*)\}\s*from\s*"([^"]+)"/g)) {
    if (!PEER_IMPORT.test(from)) continue;
    const module = await import(moduleFor(name, from));
    missing.push(...names.split(',').map((text) => text.trim().split(' ')[0]).filter((text) => text && !(text in module)));
  }
  return missing;
}

/** @param {string} folder */
const listFiles = (folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => !path.includes('node_modules'))
  .map((path) => join(folder, path)).sort();

/** @param {string} folder */
async function main(folder) {
  rmSync(WORK, { recursive: true, force: true });
  mkdirSync(WORK, { recursive: true });
  writeFileSync(join(WORK, 'package.json'), '{ "type": "module" }');
  /** @type {Record<string, Record<string, number>>} */
  const sums = {};
  const add = (/** @type {string} */ kind, /** @type {string} */ name, /** @type {number} */ passed, /** @type {number} */ all) => {
    sums[kind] ??= { all: 0, 'recast-navigation': 0, walkmesh: 0 };
    sums[kind][name] += passed;
    if (name === 'walkmesh') sums[kind].all += all;
  };
  for (const [number, file] of listFiles(folder).entries()) {
    for (const name of Object.keys(PACKAGES)) {
      if (/\.spec\.ts$/.test(file)) {
        const { stdout, stderr } = await run(file, name, ['--test-reporter=tap', '--test'], number);
        const [passed, failed] = [readCount(stdout, 'pass'), readCount(stdout, 'fail')];
        add('tests', name, passed, Math.max(1, passed + failed));
        if (failed || !passed) console.log(`${relative(folder, file)} on ${name}: ${failed} failed ${[...stdout.matchAll(/error: .*/g)].join('; ') || stderr.slice(0, 200)}`);
      } else if (/node-[^/]*\/.*\.(c|m)?js$/.test(file)) {
        const { status, stderr } = await run(file, name, [], number);
        add('examples of Node', name, status === 0 ? 1 : 0, 1);
        if (status !== 0) console.log(`${relative(folder, file)} on ${name}: ${/\w*Error.*/.exec(stderr)?.[0] ?? stderr.slice(0, 200)}`);
      } else if (/\.(tsx|jsx|ts)$/.test(file) && !/\.d\.ts$|\/te?st\//.test(file)) {
        const missing = await listMissing(file, name);
        add('imports of pages', name, missing.length === 0 ? 1 : 0, 1);
        if (missing.length > 0) console.log(`${relative(folder, file)} on ${name}: no ${missing.join(', ')}`);
      }
    }
  }
  console.table(sums);
}

const [, , folder] = process.argv;
if (folder === undefined) {
  console.error('usage: node scripts/peer-examples.js FOLDER, a checkout of recast-navigation-js');
  process.exit(2);
}
await main(folder);
