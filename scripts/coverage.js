/**
 * `npm run coverage -- [--unreached]`: builds src/ with clang's coverage, runs the C tests (one of them replays the fuzz corpus),
 * and prints the share of lines and branches that they reach, by folder and file. Lines are in build/coverage/html, the numbers
 * in build/coverage/lcov.info. --unreached lists the lines that no test reaches. Fails below 95 % of lines.
 *
 * A line or branch of a header counts once, as reached if any file that includes it reaches it. docs/testing.md explains the
 * unreached lines: keep it up to date.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readCounts } from './lcov.js';
import { ROOT, ensureToolsOf, run, stop } from './setup.js';

const BUILD = join('build', 'coverage');
const LEAST_LINES = 0.95;
const FLAGS = '-O1 -g1 -fprofile-instr-generate -fcoverage-mapping';

/** @import { FileCounts } from './lcov.js' */

/** Runs a command. @param {string} command @param {string[]} args @returns {string} its output */
function read(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 29 });
  if (error || status !== 0) stop(`failed: ${command} ${args[0]}: ${error?.message ?? stderr}`);
  return stdout;
}

function build() {
  run('cmake', ['-S', '.', '-B', BUILD, '-DCMAKE_C_COMPILER=clang', '-DCMAKE_BUILD_TYPE=Debug', `-DCMAKE_C_FLAGS_DEBUG=${FLAGS}`,
    '-DWALKMESH_ROUNDS_DIVISOR=3']);
  run('cmake', ['--build', BUILD, '-j', '2', '--target', 'walkmesh_tests']);
}

/** Runs the tests. @returns {string} the merged profile of all tests */
function measure() {
  const folder = join(ROOT, BUILD, 'profiles');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  run('ctest', ['--test-dir', BUILD, '--output-on-failure', '--timeout', '1200', '-j', '2'], { LLVM_PROFILE_FILE: join(folder, '%p.profraw') });
  const profile = join(ROOT, BUILD, 'all.profdata');
  run('llvm-profdata', ['merge', '-sparse', ...readdirSync(folder).map((name) => join(folder, name)), '-o', profile]);
  return profile;
}

/** @param {FileCounts[]} files */
function sum(files) {
  const share = (/** @type {'lines' | 'branches'} */ kind) => {
    const all = files.flatMap((file) => [...file[kind].values()]);
    return { all: all.length, reached: all.filter((times) => times > 0).length };
  };
  return { lines: share('lines'), branches: share('branches') };
}

/** @param {string} name @param {ReturnType<typeof sum>} sums */
function printRow(name, { lines, branches }) {
  const percent = (/** @type {{ all: number, reached: number }} */ { all, reached }) => (all ? `${(100 * reached / all).toFixed(1)} %` : '');
  console.log(name.padEnd(38) + String(lines.all).padStart(7) + percent(lines).padStart(9)
    + String(branches.all).padStart(10) + percent(branches).padStart(9));
}

/** @param {Map<string, FileCounts>} files */
function printTable(files) {
  console.log(`\n${'file'.padEnd(38)}${'lines'.padStart(7)}${'reached'.padStart(9)}${'branches'.padStart(10)}${'reached'.padStart(9)}`);
  const folders = [...new Set([...files.keys()].map((path) => dirname(path)))].sort();
  for (const folder of folders) {
    const own = [...files].filter(([path]) => dirname(path) === folder).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [path, counts] of own) printRow(path, sum([counts]));
  }
  console.log('');
  for (const folder of folders) printRow(`${folder}/`, sum([...files].filter(([path]) => dirname(path) === folder).map(([, counts]) => counts)));
  const total = sum([...files.values()]);
  printRow('src/', total);
  return total;
}

/** @param {Map<string, FileCounts>} files */
function printUnreached(files) {
  for (const [path, { lines }] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const text = readFileSync(join(ROOT, path), 'utf8').split('\n');
    for (const [line, times] of lines) {
      if (times === 0 && !/^[\s}]*$/.test(text[Number(line) - 1])) console.log(`${path}:${line}: ${text[Number(line) - 1].trim()}`);
    }
  }
}

ensureToolsOf('coverage');
build();
const profile = measure();
const [program, others] = [join(BUILD, 'walkmesh_tests'), ['-instr-profile', profile, '--ignore-filename-regex=tests/']];
const lcov = read('llvm-cov', ['export', '-format=lcov', program, ...others]);
writeFileSync(join(ROOT, BUILD, 'lcov.info'), lcov);
read('llvm-cov', ['show', '-format=html', `-output-dir=${join(BUILD, 'html')}`, program, ...others]);
const files = readCounts(lcov, ROOT);
if (process.argv.includes('--unreached')) printUnreached(files);
const { lines } = printTable(files);
if (lines.reached < LEAST_LINES * lines.all) stop(`less than ${100 * LEAST_LINES} % of lines are reached`);
