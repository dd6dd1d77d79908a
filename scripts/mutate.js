/**
 * `npm run mutate`: random mutation testing of src/. Changes one place of the C code at a time (scripts/mutate/mutants.js) and
 * runs the C tests until one fails. A mutant survives if no test fails: tests reach that code, but assert nothing exact about it.
 *
 *   node scripts/mutate.js [--seed 1] [--count 60] [--minutes 0] [--files bake/kept_tile,crowd] [--line N] [--tests NAMES] [--jobs 1]
 *                          [--first 0] [--least 96]
 *
 * --tests runs only these tests (contours,crowd_grid), --first only the N tests that are the most likely to fail (0: all): quicker,
 * but more mutants survive, so that the share of killed ones is a lower bound.
 * --minutes ends the run after that time (0: never), --files uses only files whose path contains one of the texts, --line uses all
 * mutants of that line instead of random ones. The working tree isn't touched and may change during the run: its C code is
 * copied to build/mutate and built there. A mutant is one file compiled there and linked with the objects of all other files. It is
 *   killed       a test fails, crashes or takes far longer than usual ("timed out" in the table)
 *   equivalent   its machine code is that of the original at -O1 or -O2, or it is in scripts/mutate/equivalent.js: it doesn't count
 *   dropped      it doesn't compile: it doesn't count
 *   survived     no test fails: write one, or show that none can and say why in scripts/mutate/equivalent.js
 * Exit status 1 if fewer than --least % of the others are killed, 2 for wrong options.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, run, stop } from './setup.js';
import { isEquivalent } from './mutate/equivalent.js';
import { apply, draw, listMutants, show } from './mutate/mutants.js';

/** @import { Mutant } from './mutate/mutants.js' */
/** @typedef {{ name: string, seconds: number, includes: Set<string> }} Test seconds: its duration with the unchanged code */
/** @typedef {'killed' | 'timed out' | 'survived' | 'equivalent' | 'dropped'} Outcome */

const FOLDER = join(ROOT, 'build', 'mutate'), TREE = join(FOLDER, 'tree'), BUILD = join(FOLDER, 'native');
const FLAGS = '-O1 -g0 -DNDEBUG';
/** A test hangs if it exceeds both this multiple of its usual time and this number of seconds. */
const TIMES_OUT = 10, SECONDS_OUT = 20;
/** Number of tests that a mutant must survive before its code at -O2 is compared. */
const TESTS_BEFORE_O2 = 6;
const TABLE = /** @type {Outcome[]} */ (['killed', 'timed out', 'survived', 'equivalent', 'dropped']);

const options = readOptions();
copyTree();
const files = findFiles();
run('cmake', ['-S', TREE, '-B', BUILD, '-DCMAKE_BUILD_TYPE=Release', `-DCMAKE_C_FLAGS_RELEASE=${FLAGS}`, '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON']);
run('cmake', ['--build', BUILD, '-j', String(options.jobs), '--target', 'walkmesh_tests']);
const compilers = readCompilers();
const link = readFileSync(join(BUILD, 'CMakeFiles', 'walkmesh_tests.dir', 'link.txt'), 'utf8').trim().split(/\s+/);
const tests = await measureTests();
/** Number of mutants that each test has killed, by the folder of the mutant. @type {Map<string, number>} */
const kills = new Map();
/** @type {Map<Outcome, number>} */
const tally = new Map(TABLE.map((outcome) => [outcome, 0]));
/** @type {{ mutant: Mutant, by: string }[]} */
const survivors = [];
process.exitCode = await runAll() ? 0 : 1;

/** @returns {{ seed: number, count: number, minutes: number, files: string[], tests: string[], line: number, jobs: number, first: number, least: number }} */
function readOptions() {
  const text = /** @type {const} */ ({ type: 'string' });
  const { values } = parseArgs({ options: { seed: text, count: text, minutes: text, files: text, tests: text, line: text, jobs: text, first: text, least: text } });
  const read = (/** @type {'seed' | 'count' | 'minutes' | 'line' | 'jobs' | 'first' | 'least'} */ name, /** @type {number} */ usual) => {
    const number = Number(values[name] ?? usual);
    if (Number.isFinite(number) && number >= 0) return number;
    console.error(`mutate: --${name} is ${values[name]}: must be a number of at least 0`);
    return process.exit(2);
  };
  return {
    seed: read('seed', 1), count: read('count', 60), minutes: read('minutes', 0), files: (values.files ?? '').split(','),
    tests: values.tests?.split(',') ?? [], line: read('line', 0), jobs: Math.max(1, read('jobs', 1)), first: read('first', 0), least: read('least', 96),
  };
}

/** Copies the sources of the C tests. Unchanged files keep their time stamps, so that they aren't built again. */
function copyTree() {
  for (const part of ['src', 'scripts/c-library', 'tests/c', 'tests/fuzz', 'bench/native']) {
    rmSync(join(TREE, part), { recursive: true, force: true });
    cpSync(join(ROOT, part), join(TREE, part), { recursive: true, preserveTimestamps: true });
  }
  for (const file of ['CMakeLists.txt', 'package.json']) cpSync(join(ROOT, file), join(TREE, file), { preserveTimestamps: true });
}

/** The C files that may be mutated, with their text. @returns {Map<string, string>} by path in the repository */
function findFiles() {
  const all = readdirSync(join(TREE, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('src', name).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.c') && options.files.some((part) => path.includes(part)));
  if (all.length === 0) stop(`--files ${options.files.join()}: no path of a C file in src/ contains that`);
  return new Map(all.sort().map((path) => [path, readFileSync(join(TREE, path), 'utf8')]));
}

/**
 * The compile command of each file.
 * @returns {Map<string, string[]>} the command without its input and output files, by path in the repository
 */
function readCompilers() {
  /** @type {{ file: string, command: string }[]} */
  const entries = JSON.parse(readFileSync(join(BUILD, 'compile_commands.json'), 'utf8'));
  return new Map([...files.keys()].map((path) => {
    const entry = entries.find(({ file }) => file === join(TREE, path));
    if (!entry) return stop(`the build does not compile ${path}`);
    return [path, entry.command.split(/\s+-o\s/)[0].split(/\s+/).concat('-w')];
  }));
}

/**
 * Runs a command in the repository. @param {string} command @param {string[]} args @param {{ seconds?: number, cwd?: string }} [limits]
 * @returns {Promise<'good' | 'bad' | 'late'>}
 */
function finish(command, args, { seconds = 0, cwd = ROOT } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: 'ignore' });
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

/** Runs all tests on the unchanged code and measures their durations. @returns {Promise<Test[]>} */
async function measureTests() {
  const program = join(BUILD, 'walkmesh_tests'), known = join(FOLDER, 'seconds.json');
  const built = statSync(program).mtimeMs;
  const cached = existsSync(known) ? JSON.parse(readFileSync(known, 'utf8')) : {};
  /** @type {Record<string, number>} */
  const seconds = cached.built === built ? cached.seconds : {};
  const all = readFileSync(join(BUILD, 'test_list.h'), 'utf8').match(/\w+_test\b/g) ?? [];
  const names = all.filter((name) => options.tests.length === 0 || options.tests.includes(name.replace(/_test$/, '')));
  for (const name of names) {
    if (name in seconds) continue;
    const start = performance.now();
    if (await finish(program, [name]) !== 'good') stop(`${name} fails without any change: mend it first`);
    seconds[name] = (performance.now() - start) / 1000;
  }
  writeFileSync(known, JSON.stringify({ built, seconds }));
  const includes = (/** @type {string} */ name) => new Set(readFileSync(join(TREE, 'tests', 'c', name), 'utf8').match(/(?<=#include ")[^"]+/g));
  return names.map((name) => {
    const own = includes(`${name}.c`);
    for (const header of own) if (!header.includes('/') && existsSync(join(TREE, 'tests', 'c', header))) includes(header).forEach((other) => own.add(other));
    return { name, seconds: seconds[name], includes: own };
  });
}

/** Tests in the order in which they are likely to fail soonest after a change of a file. @param {string} path @returns {Test[]} */
function orderTests(path) {
  const header = path.slice('src/'.length, -2), folder = dirname(header), topic = basename(header), words = topic.split('_');
  const score = (/** @type {Test} */ { name, seconds, includes }) => {
    const own = name.replace(/_test$/, '');
    let value = (own === topic ? 64 : 0) + (includes.has(`${header}.h`) ? 16 : 0);
    value += 4 * own.split('_').filter((word) => words.includes(word)).length;
    value += [...includes].some((file) => dirname(file) === folder) ? 4 : 0;
    value += 4 * Math.min(8, kills.get(`${folder} ${name}`) ?? 0);
    return (value + 0.5) / (0.2 + seconds);
  };
  return [...tests].sort((a, b) => score(b) - score(a));
}

/**
 * Compiles a file, unchanged or mutated.
 * @param {string} path @param {string} folder @param {string} name of the object
 * @param {string[]} flags @returns {Promise<Buffer | null>} its bytes; null if it doesn't compile
 */
async function compile(path, folder, name, flags) {
  const [command, ...args] = /** @type {string[]} */ (compilers.get(path));
  const object = join(folder, name);
  const status = await finish(command, [...args, ...flags, '-o', object, '-c', join(folder, basename(path))], { seconds: 120, cwd: BUILD });
  return status === 'good' ? readFileSync(object) : null;
}

/**
 * True if the machine code of a file is the same before and after the mutant.
 * @param {Mutant} mutant @param {string} folder @param {string} name of the mutant's object @param {string[]} flags
 * @returns {Promise<boolean | null>} null if the mutant doesn't compile
 */
async function isSameCode({ file, ...mutant }, folder, name, flags) {
  const text = /** @type {string} */ (files.get(file));
  writeFileSync(join(folder, basename(file)), text);
  const before = await compile(file, folder, 'original.o', flags);
  writeFileSync(join(folder, basename(file)), apply(text, { file, ...mutant }));
  const after = await compile(file, folder, name, flags);
  return after && before ? before.equals(after) : null;
}

/** @param {Mutant} mutant @param {number} lane @returns {Promise<{ outcome: Outcome, by: string }>} by: the test that killed it */
async function tryMutant(mutant, lane) {
  const { file } = mutant;
  const folder = join(FOLDER, `lane-${lane}`);
  mkdirSync(folder, { recursive: true });
  const isSame = await isSameCode(mutant, folder, 'mutant.o', []);
  if (isSame === null) return { outcome: 'dropped', by: '' };
  if (isSame || isEquivalent(file, ...show(/** @type {string} */ (files.get(file)), mutant))) return { outcome: 'equivalent', by: '' };
  const program = join(folder, 'walkmesh_tests');
  rmSync(program, { force: true });
  // Before the library, so that the library's own object of this file isn't linked.
  const output = link.indexOf('-o');
  const args = [...link.slice(1, output), join(folder, 'mutant.o'), '-o', program, ...link.slice(output + 2)];
  if (await finish(link[0], args, { seconds: 120, cwd: BUILD }) !== 'good') return { outcome: 'dropped', by: '' };
  for (const [i, { name, seconds }] of orderTests(file).slice(0, options.first || Infinity).entries()) {
    // Most mutants are killed before this, which takes as long as some tests.
    if (i === TESTS_BEFORE_O2 && await isSameCode(mutant, folder, 'mutant-2.o', ['-O2'])) return { outcome: 'equivalent', by: '' };
    const status = await finish(program, [name], { seconds: Math.max(SECONDS_OUT, TIMES_OUT * seconds) });
    if (status === 'good') continue;
    const key = `${dirname(file).slice('src/'.length)} ${name}`;
    kills.set(key, (kills.get(key) ?? 0) + 1);
    return { outcome: status === 'late' ? 'timed out' : 'killed', by: name };
  }
  return { outcome: 'survived', by: '' };
}

/** @returns {Promise<boolean>} true if enough mutants were killed */
async function runAll() {
  const all = [...files].flatMap(([path, text]) => listMutants(path, text));
  const ofLine = all.filter(({ line }) => line === options.line);
  const mutants = options.line > 0 ? ofLine.values() : draw(all, options.seed);
  const start = performance.now(), minutes = () => (performance.now() - start) / 60000;
  console.log(`\n${all.length} mutants in ${files.size} files; ${options.line > 0 ? `line ${options.line}` : `seed ${options.seed}`}`);
  const counted = () => TABLE.slice(0, 3).reduce((sum, outcome) => sum + (tally.get(outcome) ?? 0), 0);
  const limit = options.line > 0 ? ofLine.length : options.count;
  let running = 0;
  const work = async (/** @type {number} */ lane) => {
    while (counted() + running < limit && (options.minutes === 0 || minutes() < options.minutes)) {
      const { value: mutant, done } = mutants.next();
      if (done || !mutant) break;
      running++;
      const { outcome, by } = await tryMutant(mutant, lane);
      running--;
      tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
      if (outcome === 'survived') survivors.push({ mutant, by });
      const [before, after] = show(/** @type {string} */ (files.get(mutant.file)), mutant);
      console.log(`${outcome.padEnd(11)}${mutant.file}:${mutant.line}  ${before}  ->  ${after}${by && `  [${by}]`}`);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, (_, lane) => work(lane)));
  return report(counted(), minutes());
}

/** @param {number} counted @param {number} minutes @returns {boolean} true if enough mutants were killed */
function report(counted, minutes) {
  console.log('');
  for (const outcome of TABLE) console.log(outcome.padEnd(12) + String(tally.get(outcome)).padStart(6));
  if (survivors.length > 0) console.log('\nNo test failed with:');
  for (const { mutant } of survivors) {
    const [before, after] = show(/** @type {string} */ (files.get(mutant.file)), mutant);
    console.log(`${mutant.file}:${mutant.line} (${mutant.kind})\n  ${before}\n  ${after}`);
  }
  const rate = counted > 0 ? (100 * (counted - survivors.length)) / counted : 100;
  console.log(`\n${rate.toFixed(1)} % of ${counted} mutants killed (seed ${options.seed}, ${minutes.toFixed(0)} minutes; at least ${options.least} %)`);
  return rate >= options.least;
}
