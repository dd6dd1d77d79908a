/**
 * `npm test`: sets up the repository, then builds and tests natively (gcc, without SIMD, clang with sanitizers) and as
 * WebAssembly under Node's test runner, in Chromium, Firefox and WebKitGTK, and as a package installed into projects. Prints a
 * summary; the exit status is 0 if all tests passed.
 *
 * The number of parallel steps is the number of processors, each step on one; the output of a step is shown when it has ended.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { endOfOutput, failuresInCtest, failuresInTap } from './failures.js';
import { runSteps } from './steps.js';
import { INSTALL_PACKAGES, ROOT, packagesAreCurrent, setUp } from './setup.js';
import { NATIVE_TESTS, endOf, groupTests } from './test-groups.js';

/** @import { Step } from './steps.js' */

const LANES = availableParallelism();
/** Parallel jobs of a build and of its tests: on machines with many processors, the few last steps each use several. */
const JOBS = String(Math.ceil(LANES / 4));

/** Timeout of a step, seconds: no step takes nearly as long. */
const LONGEST_TEST = 600;
/** The command that runs some test files in one process. */
const TEST_FILES = join('scripts', 'test-files.js');

/** Freed memory is used again after 16 MB more were freed, not 256: tests take a quarter less, since they touch fewer new pages. */
const ASAN_OPTIONS = 'detect_leaks=1:quarantine_size_mb=16';

/** The build with gcc runs all random cases that tests compare with an oracle, the other builds run a sixth (scalar: CMakeLists.txt). */
const FEWER_ROUNDS = '-DWALKMESH_ROUNDS_DIVISOR=6';

/**
 * Native builds: name, compiler, CMake options, targets (all by default), tests to run. Each runs the whole C suite. A build
 * `within` another is built after it, in its folder, and shares the objects of tests that don't depend on SIMD.
 * @type {{ name: string, compiler?: string, options?: string[], within?: string, targets?: string[], tests: string[] }[]}
 */
const NATIVE_BUILDS = [
  {
    name: 'gcc', compiler: 'gcc', options: ['-DCMAKE_BUILD_TYPE=Release', '-DWALKMESH_ALSO_SCALAR=ON'],
    tests: ['--test-dir', 'build/test-gcc', '-E', '^scalar_'],
  },
  {
    name: 'gcc without SIMD', within: 'gcc', targets: ['--target', 'walkmesh_tests_scalar', 'stages_native_scalar'],
    tests: ['--test-dir', 'build/test-gcc/tests/c/scalar'],
  },
  {
    // With -O2 the build takes two thirds longer, and the tests take as long. Clang's sanitizers find more than gcc's.
    name: 'clang sanitizers', compiler: 'clang',
    options: ['-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG', '-DWALKMESH_SANITIZE=ON', FEWER_ROUNDS],
    // Only the targets that tests run: gcc compiles the rest above, and clang-tidy reads it.
    targets: ['--target', 'walkmesh_tests', 'stages_native', 'links_native'],
    tests: ['--test-dir', 'build/test-clang-sanitizers'],
  },
];

/** @typedef {{ name: string, passed: number, failed: number, skipped: number, seconds: number }} Row */
/** @type {Row[]} */
const rows = [];
/** Reasons for skipped cases, with the number of cases of each. @type {Map<string, number>} */
const skips = new Map();
/** Steps that failed, each with the tests of it that did, for the end of the summary. @type {string[]} */
const failures = [];

/**
 * Running commands with their output until now.
 * @type {Map<import('node:child_process').ChildProcess, { name: string, output: string }>}
 */
const running = new Map();

/** @param {string} name @param {string} output */
const show = (name, output) => console.log(`\n== ${name}\n${output.trimEnd()}`);

/**
 * Runs a command; shows its output when it has ended.
 * @param {string} name @param {string} command @param {string[]} args @param {{ seconds?: number }} [options] seconds: after
 *   which it is ended
 * @returns {Promise<{ ok: boolean, output: string, seconds: number }>}
 */
function runShown(name, command, args, { seconds: limit } = {}) {
  return new Promise((resolve) => {
    const start = performance.now();
    const env = { ...process.env, ASAN_OPTIONS, UBSAN_OPTIONS: 'print_stacktrace=1' };
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { name, output: '' };
    running.set(child, said);
    const hear = (/** @type {Buffer} */ chunk) => { said.output += chunk; };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    const timer = limit && setTimeout(() => {
      said.output += `\nended: it was not done in ${limit} seconds\n`;
      child.kill('SIGKILL');
    }, 1000 * limit);
    const end = (/** @type {boolean} */ ok) => {
      clearTimeout(timer);
      if (!running.delete(child)) return;
      const seconds = (performance.now() - start) / 1000;
      show(`${name} (${seconds.toFixed(1)} s${ok ? '' : ', FAILED'})`, said.output);
      resolve({ ok, output: said.output, seconds });
    };
    child.on('error', (error) => {
      said.output += error.message;
      end(false);
    });
    child.on('close', (status) => end(status === 0));
  });
}

/** Shows the output of running commands, and ends them. */
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => {
    for (const [child, { name, output }] of running) {
      show(`${name} (ended by ${signal})`, output);
      child.kill();
    }
    process.exit(1);
  });
}

/** Adds a row to the summary; rows of the same name are summed. @param {Row} row */
function count({ name, passed, failed, skipped, seconds }) {
  let row = rows.find((one) => one.name === name);
  if (!row) rows.push(row = { name, passed: 0, failed: 0, skipped: 0, seconds: 0 });
  row.passed += passed;
  row.failed += failed;
  row.skipped += skipped;
  row.seconds += seconds;
}

/**
 * Counts skipped cases by reason.
 * @param {Iterable<[reason: string, count: number]>} found @returns {number} the number of cases
 */
function countSkips(found) {
  let sum = 0;
  for (const [reason, count] of found) {
    skips.set(reason, (skips.get(reason) ?? 0) + count);
    sum += count;
  }
  return sum;
}

/**
 * The cases that C tests skipped: ctest stores the last line of each test, "5 passed, 0 failed, 3 skipped: reason (2), other (1)"
 * (tests/c/check.c).
 * @param {string} folder of the tests @returns {number}
 */
function countSkippedInC(folder) {
  const log = join(ROOT, folder, 'Testing', 'Temporary', 'LastTest.log');
  const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
  const reasons = [...text.matchAll(/^\d+ passed, \d+ failed, \d+ skipped: (.*)$/gm)].flatMap(([, list]) => [...list.matchAll(/(.*?) \((\d+)\)(?:, |$)/g)]);
  return countSkips(reasons.map(([, reason, count]) => [reason, Number(count)]));
}

/**
 * Keeps what failed in a step for the end of the summary: its failed tests, or the end of its output where none is known.
 * @param {string} name @param {string[]} tests @param {string} output
 */
function recordFailure(name, tests, output) {
  const list = tests.length > 0 ? tests.map((test) => `  ${test}`).join('\n') : endOfOutput(output);
  failures.push(`${name}\n${list}`);
}

/**
 * A step that counts as one pass or one failure.
 * @param {string} name @param {string[]} needs @param {string} command @param {string[]} args @returns {Step}
 */
const check = (name, needs, command, args) => ({
  name, needs,
  run: async () => {
    const { ok, output, seconds } = await runShown(name, command, args);
    if (!ok) recordFailure(name, [], output);
    count({ name, passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, seconds });
    return ok;
  },
});

/** The build step that the tests of a build wait for. @param {{ name: string }} build */
const buildStep = ({ name }) => `build ${name}`;

/**
 * @param {typeof NATIVE_BUILDS[number]} build within: the name of another build, which is built first in the same folder
 * @returns {Step[]} steps that configure, build and test
 */
function testNative({ name, compiler, options = [], within, targets = [], tests }) {
  const folder = join('build', `test-${(within ?? name).replaceAll(' ', '-')}`);
  const configured = within ? buildStep({ name: within }) : `configure ${name}`;
  return [
    ...(within ? [] : [check(configured, [], 'cmake', ['-S', '.', '-B', folder, `-DCMAKE_C_COMPILER=${compiler}`, ...options])]),
    check(buildStep({ name }), [configured], 'cmake', ['--build', folder, '-j', JOBS, ...targets]),
    {
      name: `C tests, ${name}`, needs: [buildStep({ name })],
      run: async () => {
        const { ok, output, seconds } = await runShown(`C tests, ${name}`, 'ctest',
          [...tests, '--output-on-failure', '--timeout', '300', '-j', JOBS]);
        const [, failed = '', total = ''] = /(\d+) tests? failed out of (\d+)/.exec(output) ?? [];
        const notPassed = failed === '' ? 1 : Number(failed);
        const passed = total === '' ? 0 : Number(total) - notPassed;
        const skipped = countSkippedInC(tests[1]);
        if (!ok) recordFailure(`C tests, ${name}`, failuresInCtest(output), output);
        count({ name: `C tests, ${name}`, passed, failed: ok ? 0 : Math.max(1, notPassed), skipped, seconds });
        return ok;
      },
    },
  ];
}

/**
 * The steps of a folder of tests: one step for each file, or for each group of files that shares a process.
 * @param {string} name @param {string} folder in tests/ @param {string[]} needs @returns {Step[]}
 */
function testJavaScript(name, folder, needs) {
  const names = readdirSync(join(ROOT, 'tests', folder)).filter((file) => file.endsWith('.test.js')).map((file) => file.replace('.test.js', ''));
  return groupTests(folder, names).map((group) => {
    const files = group.map((file) => `tests/${folder}/${file}.test.js`);
    const label = files.length === 1 ? files[0] : `tests/${folder}: ${group.join(', ')}`;
    return {
      name: label,
      needs: [...needs, ...(group.some((file) => NATIVE_TESTS.includes(file)) ? NATIVE_BUILDS.map(buildStep) : [])],
      run: async () => {
        const tap = join(ROOT, 'build', 'node-tests', folder, `${group[0]}.test.tap`);
        mkdirSync(join(tap, '..'), { recursive: true });
        rmSync(tap, { force: true });
        const { ok, output, seconds } = await runShown(label, process.execPath, ['--test-reporter=spec', '--test-reporter-destination=stdout',
          '--test-reporter=tap', `--test-reporter-destination=${tap}`, ...(files.length > 1 ? [TEST_FILES] : []), ...files], { seconds: LONGEST_TEST });
        const text = existsSync(tap) ? readFileSync(tap, 'utf8') : '';
        const read = (/** @type {string} */ word) => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
        const isWhole = read('tests') > 0 && (files.length === 1 || files.every((file) => text.includes(`# Subtest: ${endOf(file)}\n`)));
        const failed = Math.max(read('fail') + read('cancelled'), ok && isWhole ? 0 : 1);
        if (failed > 0) recordFailure(label, failuresInTap(text), output);
        countSkips([...text.matchAll(/ # (?:SKIP|TODO) (.*)$/gm)].map(([, reason]) => [reason, 1]));
        count({ name, passed: read('pass'), skipped: read('skipped') + read('todo'), failed, seconds });
        return failed === 0;
      },
    };
  });
}

/** @param {string[]} notRun @param {number} seconds @returns {boolean} true if all passed */
function printSummary(notRun, seconds) {
  console.log(`\n${'step'.padEnd(34)}${'passed'.padStart(8)}${'failed'.padStart(8)}${'skipped'.padStart(9)}${'seconds'.padStart(9)}`);
  for (const row of rows) {
    console.log(row.name.padEnd(34) + String(row.passed).padStart(8) + String(row.failed).padStart(8)
      + String(row.skipped).padStart(9) + row.seconds.toFixed(1).padStart(9));
  }
  console.log(`${'from the first to the last'.padEnd(59)}${seconds.toFixed(1).padStart(9)}`);
  if (notRun.length > 0) console.log(`\nNot run, for what they need failed: ${notRun.join(', ')}`);
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) => rows.reduce((total, row) => total + row[key], 0);
  for (const [reason, times] of skips) console.log(`Skipped ${times} ${times === 1 ? 'case' : 'cases'}: ${reason}`);
  if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
  return sum('failed') === 0 && notRun.length === 0;
}

const start = performance.now();
setUp({ forTests: true, withPackages: false });
const PACKAGES = 'npm packages', MODULES = 'WebAssembly, SIMD and scalar', TYPES = 'types of the package', TOOL = 'level tool';
/** @param {string} name @param {string[]} needs @param {string[]} args */
const node = (name, needs, ...args) => check(name, needs, process.execPath, args);
const TYPE_CHECK = join('scripts', 'typecheck.js');
const packages = packagesAreCurrent() ? [] : [check(PACKAGES, [], ...INSTALL_PACKAGES)];
const needed = packages.map(({ name }) => name);
const [gcc, scalar, clang] = NATIVE_BUILDS.map(testNative);
const steps = [
  ...packages,
  // Steps that most others wait for come first.
  ...clang.slice(0, -1),
  node(MODULES, needed, 'wasm/build.js', '--jobs', JOBS),
  ...gcc.slice(0, -1), ...scalar.slice(0, -1),
  node(TYPES, needed, join('scripts', 'types.js')),
  node(TOOL, [MODULES], join('node_modules', 'vite', 'bin', 'vite.js'), 'build', 'web-demo'),
  ...clang.slice(-1), ...gcc.slice(-1), ...scalar.slice(-1),
  ...testJavaScript('browser tests', 'browser', [TOOL]),
  ...testJavaScript('browser engines', 'browser/engines', [TOOL]),
  ...testJavaScript('packaging tests', 'packaging', [MODULES, TYPES]),
  ...testJavaScript('attack tests', 'attack', [MODULES, TYPES]),
  node('types', needed, TYPE_CHECK, 'tsconfig.json'),
  node('types of the level tool', needed, TYPE_CHECK, 'web-demo/tsconfig.json'),
  // The shortest steps come last: no lane waits long for another.
  ...testJavaScript('JavaScript tests', 'js', [MODULES]),
];
const notRun = await runSteps(steps, LANES);
process.exitCode = printSummary(notRun, (performance.now() - start) / 1000) ? 0 : 1;
