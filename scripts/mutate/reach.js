/** Which C tests reach a line: only these can fail if it changes. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCounts } from '../lcov.js';
import { stop } from '../setup.js';
import { NativeBuild } from './native.js';
import { FOLDER, finish } from './tools.js';

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
  const known = join(FOLDER, 'reach.json'), hash = `${readFileSync(build.program).length} ${read('sha256sum', build.program)}`;
  const cached = existsSync(known) ? JSON.parse(readFileSync(known, 'utf8')) : {};
  /** @type {Record<string, string[]>} tests by `path:line` */
  const lines = cached.hash === hash ? cached.lines : {};
  const queue = cached.hash === hash ? [] : [...build.tests];
  const work = async () => {
    for (let test = queue.shift(); test; test = queue.shift()) {
      const raw = join(FOLDER, `${test}.profraw`), profile = join(FOLDER, `${test}.profdata`);
      rmSync(raw, { force: true });
      await finish(build.program, [test], { env: { LLVM_PROFILE_FILE: raw } });
      read('llvm-profdata', 'merge', '-sparse', raw, '-o', profile);
      const text = read('llvm-cov', 'export', '-format=lcov', build.program, '-instr-profile', profile, '--ignore-filename-regex=tests/');
      for (const [path, counts] of readCounts(text, tree)) {
        for (const [line, times] of counts.lines) {
          const list = lines[`${path}:${line}`] ??= [];
          if (times > 0) list.push(test);
        }
      }
      for (const file of [raw, profile]) rmSync(file);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  writeFileSync(known, JSON.stringify({ hash, lines }));
  return group(lines);
}

/** @param {Record<string, string[]>} lines tests by `path:line` @returns {Reach} */
function group(lines) {
  /** @type {Reach} */
  const reach = new Map();
  for (const [key, tests] of Object.entries(lines)) {
    const [path, line] = key.split(':');
    reach.set(path, (reach.get(path) ?? new Map()).set(Number(line), new Set(tests)));
  }
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
