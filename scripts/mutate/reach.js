/** Which C tests reach a line: only these can fail if it changes. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCounts } from '../lcov.js';
import { stop } from '../setup.js';
import { NativeBuild } from './native.js';
import { FOLDER, finish, nameRuns } from './tools.js';

/** @typedef {Map<string, Map<number, Set<string>>>} Reach names of tests by line by path; a line that no test reaches has none */

/** @param {string[]} args @returns {string} the output of llvm-cov or llvm-profdata */
function read(...args) {
  const [command, ...rest] = args;
  const { status, stdout, stderr, error } = spawnSync(command, rest, { encoding: 'utf8', maxBuffer: 1 << 29 });
  if (error || status !== 0) stop(`failed: ${command} ${rest[0]}: ${error?.message ?? stderr}`);
  return stdout;
}

/**
 * Runs each test of a build with coverage by itself.
 * @param {string} tree a copy of the sources @param {number} jobs @returns {Promise<Reach>}
 */
export async function measureReach(tree, jobs) {
  const build = new NativeBuild({
    name: 'reach', tree, compiler: 'clang', flags: '-O1 -g1 -DNDEBUG -fprofile-instr-generate -fcoverage-mapping', jobs,
    options: ['-DWALKMESH_ROUNDS_DIVISOR=6'],
  });
  const known = join(FOLDER, 'reach.json'), runs = nameRuns(tree, build.tests);
  /** Lines that each test reaches, and all lines, as `path:line`. @type {{ tests: Record<string, { run: string, lines: string[] }>, all: string[] }} */
  const cached = existsSync(known) ? JSON.parse(readFileSync(known, 'utf8')) : { tests: {}, all: [] };
  const queue = build.tests.filter((test) => cached.tests[test]?.run !== runs.get(test));
  if (queue.length === build.tests.length) cached.all = [];
  const all = new Set(cached.all);
  const work = async () => {
    for (let test = queue.shift(); test; test = queue.shift()) {
      const raw = join(FOLDER, `${test}.profraw`), profile = join(FOLDER, `${test}.profdata`);
      rmSync(raw, { force: true });
      await finish(build.program, [test], { env: { LLVM_PROFILE_FILE: raw } });
      read('llvm-profdata', 'merge', '-sparse', raw, '-o', profile);
      const text = read('llvm-cov', 'export', '-format=lcov', build.program, '-instr-profile', profile, '--ignore-filename-regex=tests/');
      const lines = [];
      for (const [path, counts] of readCounts(text, tree)) {
        for (const [line, times] of counts.lines) {
          all.add(`${path}:${line}`);
          if (times > 0) lines.push(`${path}:${line}`);
        }
      }
      cached.tests[test] = { run: runs.get(test) ?? '', lines };
      for (const file of [raw, profile]) rmSync(file);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  cached.all = [...all];
  for (const test of Object.keys(cached.tests)) if (!runs.has(test)) delete cached.tests[test];
  writeFileSync(known, JSON.stringify(cached));
  return group(cached);
}

/** @param {{ tests: Record<string, { lines: string[] }>, all: string[] }} found @returns {Reach} */
function group({ tests, all }) {
  /** @type {Reach} */
  const reach = new Map();
  const at = (/** @type {string} */ key) => {
    const [path, line] = key.split(':'), lines = reach.get(path) ?? new Map();
    reach.set(path, lines);
    const names = lines.get(Number(line)) ?? new Set();
    lines.set(Number(line), names);
    return names;
  };
  all.forEach(at);
  for (const [test, { lines }] of Object.entries(tests)) for (const key of lines) at(key).add(test);
  return reach;
}

/**
 * The tests that reach a line. Lines without code (values of a table) are reached by all tests that reach their file.
 * @param {Reach} reach @param {string} path @param {number} line @returns {Set<string>}
 */
export function testsAt(reach, path, line) {
  const lines = reach.get(path);
  return lines?.get(line) ?? new Set([...(lines?.values() ?? [])].flatMap((tests) => [...tests]));
}
