/** Functions that all steps of `npm run mutate` use: they run commands and copy folders. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../setup.js';

/** The folder of everything that the command writes. */
export const FOLDER = join(ROOT, 'build', 'mutate');

/** A test hangs if it exceeds both this multiple of its usual time and this number of seconds. */
const TIMES_OUT = 10, SECONDS_OUT = 20;

/** The seconds after which a test hangs. @param {number} usual */
export const tooLong = (usual) => Math.max(SECONDS_OUT, TIMES_OUT * usual);

/**
 * Runs a command in the repository.
 * @param {string} command @param {string[]} args @param {{ seconds?: number, cwd?: string, env?: NodeJS.ProcessEnv }} [limits] seconds:
 *   after which it is ended
 * @returns {Promise<'good' | 'bad' | 'late'>}
 */
export function finish(command, args, { seconds = 0, cwd = ROOT, env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: 'ignore', env: { ...process.env, ...env } });
    let isLate = false;
    const timer = seconds > 0 ? setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, 1000 * seconds) : undefined;
    child.on('error', () => resolve('bad'));
    child.on('close', (status) => {
      clearTimeout(timer);
      resolve(isLate ? 'late' : status === 0 ? 'good' : 'bad');
    });
  });
}

/**
 * Names the results of each test: two runs of a test have the same name if the library, the test and the headers that it includes
 * are the same. So results of earlier commands are used again, although other tests have changed.
 * @param {string} tree a copy of the sources @param {string[]} tests @returns {Map<string, string>}
 */
export function nameRuns(tree, tests) {
  const list = (/** @type {string} */ folder) => readdirSync(join(tree, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[ch]$/.test(name)).sort().map((name) => join(folder, name));
  const hashOf = (/** @type {string[]} */ files) => files.reduce((hash, file) => hash.update(file).update(readFileSync(join(tree, file))), createHash('sha256')).digest('hex');
  const folder = join('tests', 'c'), library = hashOf(list('src')), harnesses = hashOf(list(join('tests', 'fuzz')));
  const known = new Set(readdirSync(join(tree, folder)));
  return new Map(tests.map((test) => {
    const files = new Set([`${test}.c`]);
    for (const file of files) {
      for (const [name] of readFileSync(join(tree, folder, file), 'utf8').matchAll(/(?<=#include ")[^"]+/g)) if (known.has(name)) files.add(name);
    }
    return [test, `${library} ${hashOf([...files].sort().map((name) => join(folder, name)))} ${test.startsWith('fuzz_') ? harnesses : ''}`];
  }));
}

/**
 * Makes a folder of `to` the same as that of the repository. Files with the same bytes aren't written, so that they aren't built again.
 * @param {string} part a file or folder, path in the repository @param {string} to
 */
export function mirror(part, to) {
  const from = join(ROOT, part), copy = join(to, part);
  const list = (/** @type {string} */ folder) => readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length));
  const isFolder = !/\.\w+$/.test(part);
  const names = isFolder ? list(from) : [''];
  const wanted = new Set(names);
  if (isFolder && existsSync(copy)) for (const name of list(copy)) if (!wanted.has(name)) rmSync(copy + name);
  for (const name of names) {
    if (existsSync(copy + name) && readFileSync(copy + name).equals(readFileSync(from + name))) continue;
    mkdirSync(dirname(copy + name), { recursive: true });
    cpSync(from + name, copy + name);
  }
}
