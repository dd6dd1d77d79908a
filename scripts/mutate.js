/**
 * `npm run mutate`: random mutation testing of src/. Changes one place of the C code at a time (scripts/mutate/mutants.js) and
 * runs the tests of `npm test` until one fails. A mutant survives if no test fails: tests reach that code, but assert nothing exact
 * about it.
 *
 *   node scripts/mutate.js [--seed 1] [--count 60] [--minutes 0] [--files bake/kept_tile,crowd] [--line N] [--tests NAMES] [--jobs 1]
 *                          [--stages plain,sanitizers] [--longest N] [--survivors] [--least 96]
 *
 * --tests runs only these C tests (contours,crowd_grid), --stages only some of the stages below (plain,sanitizers): with fewer, more
 * mutants survive, so that the share of killed ones is a lower bound.
 * --longest leaves out tests that take more than N seconds, measured in the build of stage `plain`: a first pass, whose few
 * survivors --survivors tries with all tests.
 * --minutes ends the run after that time (0: never), --files uses only files whose path contains one of the texts, --line uses all
 * mutants of that line instead of random ones. The working tree isn't touched and may change during the run: the code is copied to
 * build/mutate and built there. A mutant is one file compiled there and linked with the objects of all other files. The tests of a
 * stage run if no test of the stages before it fails:
 *   plain        the C tests that reach the mutant's line
 *   sanitizers   the same, built as `npm test` builds them with assertions, validators and sanitizers
 *   javascript   the JavaScript tests of results, with a module built from the mutant: some minutes for each, so only if --stages names it
 * A mutant is
 *   killed       a test fails, crashes or takes far longer than usual ("timed out" in the table)
 *   equivalent   its machine code is that of the original at -O1 or -O2, or it is in scripts/mutate/equivalent.js: it doesn't count
 *   dropped      it doesn't compile: it doesn't count
 *   survived     no test fails: write one, or show that none can and say why in scripts/mutate/equivalent.js
 * --survivors tries only the mutants that survived the last run of this seed again: with other stages, or with new tests.
 * Exit status 1 if fewer than --least % of the others are killed, 2 for wrong options.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureToolsOf, stop } from './setup.js';
import { isEquivalent } from './mutate/equivalent.js';
import { JavaScriptTests } from './mutate/javascript.js';
import { apply, draw, listMutants, show } from './mutate/mutants.js';
import { NativeBuild } from './mutate/native.js';
import { measureReach, testsAt } from './mutate/reach.js';
import { FOLDER, mirror } from './mutate/tools.js';

/** @import { Mutant } from './mutate/mutants.js' */
/** @typedef {'killed' | 'timed out' | 'survived' | 'equivalent' | 'dropped'} Outcome */
/** @typedef {{ outcome: Outcome, by: string, stage?: string }} Result by: the test that failed */

const TREE = join(FOLDER, 'tree');
/** Number of tests that a mutant must survive before its code at -O2 is compared. */
const TESTS_BEFORE_O2 = 6;
const TABLE = /** @type {Outcome[]} */ (['killed', 'timed out', 'survived', 'equivalent', 'dropped']);
const STAGES = ['plain', 'sanitizers', 'javascript'], USUAL_STAGES = ['plain', 'sanitizers'];

const options = readOptions();
ensureToolsOf('coverage');
for (const part of ['src', 'scripts/c-library', 'tests/c', 'tests/fuzz', 'bench/native', 'CMakeLists.txt', 'package.json']) mirror(part, TREE);
const files = findFiles();
/** Where the survivors are written. */
const SURVIVORS = join(FOLDER, `survivors-${options.seed}.json`);
const { jobs } = options;
const plain = new NativeBuild({ name: 'plain', tree: TREE, compiler: 'gcc', flags: '-O1 -g0 -DNDEBUG', jobs });
const names = plain.tests.filter((name) => options.tests.length === 0 || options.tests.includes(name.replace(/_test$/, '')));
await plain.measure(names);
const includes = readIncludes();
const reach = await measureReach(TREE, jobs);
/** Built when the first mutant needs it. @type {NativeBuild | undefined} */
let sanitizers;
/** @type {Promise<JavaScriptTests> | undefined} */
let javascript;
/** The end of the last run of the JavaScript tests, which share a folder. @type {Promise<unknown>} */
let javascriptEnd = Promise.resolve();
/** Where the number of mutants is stored that each test has killed, by the folder of the mutant: the next run begins with it. */
const KILLS = join(FOLDER, 'kills.json');
/** @type {Map<string, number>} */
const kills = new Map(existsSync(KILLS) ? Object.entries(JSON.parse(readFileSync(KILLS, 'utf8'))) : []);
/** @type {Map<Outcome, number>} */
const tally = new Map(TABLE.map((outcome) => [outcome, 0]));
/** Number of killed mutants by stage. @type {Map<string, number>} */
const byStage = new Map(options.stages.map((stage) => [stage, 0]));
/** @type {Mutant[]} */
const survivors = [];
/** Compiled unchanged files of `plain`, by flag and path. @type {Map<string, Buffer | null>} */
const originals = new Map();
process.exitCode = await runAll() ? 0 : 1;

/** @returns {{ seed: number, count: number, minutes: number, files: string[], tests: string[], line: number, longest: number, jobs: number, stages: string[], survivors: boolean, least: number }} */
function readOptions() {
  const text = /** @type {const} */ ({ type: 'string' });
  const { values } = parseArgs({ options: { seed: text, count: text, minutes: text, files: text, tests: text, line: text, longest: text, jobs: text, stages: text, least: text, survivors: { type: 'boolean' } } });
  const refuse = (/** @type {string} */ what) => {
    console.error(`mutate: ${what}`);
    return process.exit(2);
  };
  const read = (/** @type {'seed' | 'count' | 'minutes' | 'line' | 'longest' | 'jobs' | 'least'} */ name, /** @type {number} */ usual) => {
    const number = Number(values[name] ?? usual);
    return Number.isFinite(number) && number >= 0 ? number : refuse(`--${name} is ${values[name]}: must be a number of at least 0`);
  };
  const stages = values.stages?.split(',') ?? USUAL_STAGES;
  const unknown = stages.find((stage) => !STAGES.includes(stage));
  if (unknown !== undefined) refuse(`--stages has ${unknown}: must be some of ${STAGES.join()}`);
  return {
    seed: read('seed', 1), count: read('count', 60), minutes: read('minutes', 0), files: (values.files ?? '').split(','), stages,
    tests: values.tests?.split(',') ?? [], line: read('line', 0), longest: read('longest', 0) || Infinity, jobs: Math.max(1, read('jobs', 1)), least: read('least', 96), survivors: values.survivors ?? false,
  };
}

/** The C files that may be mutated, with their text. @returns {Map<string, string>} by path in the repository */
function findFiles() {
  const all = readdirSync(join(TREE, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('src', name).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.c') && options.files.some((part) => path.includes(part)));
  if (all.length === 0) stop(`--files ${options.files.join()}: no path of a C file in src/ contains that`);
  return new Map(all.sort().map((path) => [path, readFileSync(join(TREE, path), 'utf8')]));
}

/** The headers that each test includes, also by way of headers of tests. @returns {Map<string, Set<string>>} */
function readIncludes() {
  const folder = join(TREE, 'tests', 'c'), headers = new Set(readdirSync(folder));
  const read = (/** @type {string} */ name) => readFileSync(join(folder, name), 'utf8').match(/(?<=#include ")[^"]+/g) ?? [];
  return new Map(names.map((name) => {
    const own = new Set(read(`${name}.c`));
    for (const header of own) if (headers.has(header)) read(header).forEach((other) => own.add(other));
    return [name, own];
  }));
}

/**
 * The tests that reach a mutant, in the order in which they are likely to fail soonest.
 * @param {Mutant} mutant @param {NativeBuild} build @returns {string[]}
 */
function orderTests({ file, line }, { seconds, estimates }) {
  const header = file.slice('src/'.length, -2), folder = dirname(header), topic = basename(header), words = topic.split('_');
  const score = (/** @type {string} */ name) => {
    const own = name.replace(/_test$/, ''), headers = includes.get(name) ?? new Set();
    let value = (own === topic ? 64 : 0) + (headers.has(`${header}.h`) ? 16 : 0);
    value += 4 * own.split('_').filter((word) => words.includes(word)).length;
    value += [...headers].some((other) => dirname(other) === folder) ? 4 : 0;
    value += headers.has('trace.h') ? 16 : 0;
    value += 4 * Math.min(8, kills.get(`${folder} ${name}`) ?? 0);
    return (value + 0.5) / (0.2 + (seconds.get(name) ?? estimates.get(name) ?? 0));
  };
  const reached = testsAt(reach, file, line);
  const isShort = (/** @type {string} */ name) => (plain.seconds.get(name) ?? 0) <= options.longest;
  return names.filter((name) => reached.has(name) && isShort(name)).sort((a, b) => score(b) - score(a));
}

/** The build with sanitizers as in `npm test`. */
function prepareSanitizers() {
  const build = new NativeBuild({
    name: 'sanitizers', tree: TREE, compiler: 'clang', flags: '-O1 -DNDEBUG', jobs, options: ['-DWALKMESH_SANITIZE=ON', '-DWALKMESH_ROUNDS_DIVISOR=6'],
    env: { ASAN_OPTIONS: 'detect_leaks=1' },
  });
  // Its tests take ten times as long: each is measured when a mutant first needs it. Until then, a test of the other build estimates its duration.
  for (const [name, seconds] of plain.seconds) build.estimates.set(name, 10 * seconds);
  return build;
}

/** The module and its tests, made when the first mutant needs them. */
function prepareJavaScript() {
  const tests = new JavaScriptTests(jobs);
  return tests.prepare().then(() => tests);
}

/** @param {string} by @param {boolean} isLate @param {string} stage @returns {Result} */
function killed(by, isLate, stage) {
  return { outcome: isLate ? 'timed out' : 'killed', by, stage };
}

/** @param {string} file @param {string} folder @param {string} flag */
async function compileOriginal(file, folder, flag) {
  const key = `${flag} ${file}`;
  if (!originals.has(key)) originals.set(key, await plain.compile(file, files.get(file) ?? '', folder, 'original.o', [flag]));
  return originals.get(key) ?? null;
}

/**
 * Runs the C tests of a build until one fails.
 * @param {NativeBuild} build @param {Mutant} mutant @param {string} text the mutated file; '' if its object exists
 * @param {string} folder @param {(tests: number) => Promise<boolean>} [isOver] asked before each test
 * @returns {Promise<Result | null>} null if none fails
 */
async function tryNative(build, mutant, text, folder, isOver = async () => false) {
  if (text && !await build.compile(mutant.file, text, folder, `${build.name}.o`)) return { outcome: 'dropped', by: '' };
  const program = await build.linkWith(folder, `${build.name}.o`);
  if (!program) return { outcome: 'dropped', by: '' };
  for (const [i, name] of orderTests(mutant, build).entries()) {
    if (await isOver(i)) return { outcome: 'equivalent', by: '' };
    const status = await build.runTest(program, name);
    if (status === 'good') continue;
    const key = `${dirname(mutant.file).slice('src/'.length)} ${name}`;
    kills.set(key, (kills.get(key) ?? 0) + 1);
    writeFileSync(KILLS, JSON.stringify(Object.fromEntries(kills)));
    return killed(name, status === 'late', build.name);
  }
  return null;
}

/** Runs the JavaScript tests, one mutant after the other. @param {Mutant} mutant @param {string} text @returns {Promise<Result | null>} */
function tryJavaScript(mutant, text) {
  const result = javascriptEnd.then(async () => {
    const found = await (await (javascript ??= prepareJavaScript())).tryText(mutant.file, text);
    return found && killed(found.by, found.isLate, 'javascript');
  });
  javascriptEnd = result;
  return result;
}

/** @param {Mutant} mutant @param {number} lane @returns {Promise<Result>} */
async function tryMutant(mutant, lane) {
  const { file } = mutant, folder = join(FOLDER, `lane-${lane}`);
  const before = /** @type {string} */ (files.get(file)), text = apply(before, mutant);
  const isSame = async (/** @type {string} */ flag, /** @type {string} */ object) => {
    const [a, b] = [await compileOriginal(file, folder, flag), await plain.compile(file, text, folder, object, [flag])];
    return a && b ? a.equals(b) : !b && flag === '-O1' ? null : false;
  };
  if (isEquivalent(file, ...show(before, mutant))) return { outcome: 'equivalent', by: '' };
  // The build has this flag, too: the object is the one that is linked.
  const isSameAtO1 = await isSame('-O1', 'plain.o');
  if (isSameAtO1 !== false) return { outcome: isSameAtO1 === null ? 'dropped' : 'equivalent', by: '' };
  // Most mutants are killed by the first tests, which takes less time than to compile twice.
  const isOver = async (/** @type {number} */ tests) => tests === TESTS_BEFORE_O2 && await isSame('-O2', 'same.o') === true;
  let result = options.stages.includes('plain') ? await tryNative(plain, mutant, '', folder, isOver) : null;
  if (!result && await isSame('-O2', 'same.o')) return { outcome: 'equivalent', by: '' };
  if (!result && options.stages.includes('sanitizers')) result = await tryNative(sanitizers ??= prepareSanitizers(), mutant, text, folder);
  if (!result && options.stages.includes('javascript')) result = await tryJavaScript(mutant, text);
  return result ?? { outcome: 'survived', by: '' };
}

/** The survivors of the last run of the seed. @param {Mutant[]} all @returns {Mutant[]} */
function readSurvivors(all) {
  if (!existsSync(SURVIVORS)) stop(`--survivors: seed ${options.seed} was not run yet`);
  /** @type {Mutant[]} */
  const survived = JSON.parse(readFileSync(SURVIVORS, 'utf8'));
  return all.filter((mutant) => survived.some(({ file, start, end, text }) => (
    file === mutant.file && start === mutant.start && end === mutant.end && text === mutant.text)));
}

/** @returns {Promise<boolean>} true if enough mutants were killed */
async function runAll() {
  const all = [...files].flatMap(([path, text]) => listMutants(path, text));
  const ofLine = all.filter(({ line }) => line === options.line);
  const mutants = options.survivors ? readSurvivors(all).values() : options.line > 0 ? ofLine.values() : draw(all, options.seed);
  const start = performance.now(), minutes = () => (performance.now() - start) / 60000;
  console.log(`\n${all.length} mutants in ${files.size} files; ${options.line > 0 ? `line ${options.line}` : `seed ${options.seed}`}`);
  const counted = () => TABLE.slice(0, 3).reduce((sum, outcome) => sum + (tally.get(outcome) ?? 0), 0);
  const limit = options.survivors ? all.length : options.line > 0 ? ofLine.length : options.count;
  let running = 0;
  const work = async (/** @type {number} */ lane) => {
    while (counted() + running < limit && (options.minutes === 0 || minutes() < options.minutes)) {
      const { value: mutant, done } = mutants.next();
      if (done || !mutant) break;
      running++;
      const { outcome, by, stage } = await tryMutant(mutant, lane);
      running--;
      tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
      if (stage) byStage.set(stage, (byStage.get(stage) ?? 0) + 1);
      if (outcome === 'survived') survivors.push(mutant);
      writeFileSync(SURVIVORS, JSON.stringify(survivors));
      const [before, after] = show(/** @type {string} */ (files.get(mutant.file)), mutant);
      console.log(`${outcome.padEnd(11)}${mutant.file}:${mutant.line}  ${before}  ->  ${after}${stage ? `  [${stage}: ${by}]` : ''}`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, (_, lane) => work(lane)));
  return report(counted(), minutes());
}

/** @param {number} counted @param {number} minutes @returns {boolean} true if enough mutants were killed */
function report(counted, minutes) {
  console.log('');
  for (const outcome of TABLE) console.log(outcome.padEnd(12) + String(tally.get(outcome)).padStart(6));
  for (const [stage, count] of byStage) console.log(`killed by ${stage}`.padEnd(22) + String(count).padStart(6));
  if (survivors.length > 0) console.log('\nNo test failed with:');
  for (const mutant of survivors) {
    const [before, after] = show(/** @type {string} */ (files.get(mutant.file)), mutant);
    console.log(`${mutant.file}:${mutant.line} (${mutant.kind})\n  ${before}\n  ${after}`);
  }
  const rate = counted > 0 ? (100 * (counted - survivors.length)) / counted : 100;
  console.log(`\n${rate.toFixed(1)} % of ${counted} mutants killed (seed ${options.seed}, ${minutes.toFixed(0)} minutes; at least ${options.least} %)`);
  return rate >= options.least;
}
