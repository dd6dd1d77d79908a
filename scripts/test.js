/**
 * `npm test`: sets everything up, then builds and tests natively (gcc, without SIMD, clang with sanitizers) and as
 * WebAssembly under Node's test runner, in Chromium, and as a package installed into projects. Prints a summary; the
 * exit status tells whether all of it passed.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ROOT, setUp } from './setup.js';

const JOBS = String(availableParallelism());

/** Native builds: name, compiler, CMake options. Each runs the whole C suite. */
const NATIVE_BUILDS = [
  { name: 'gcc', compiler: 'gcc', options: ['-DCMAKE_BUILD_TYPE=Release'] },
  {
    name: 'gcc without SIMD', compiler: 'gcc',
    options: ['-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG', '-DWALKMESH_SCALAR=ON'],
  },
  {
    // With -O2 the build takes two thirds longer, and the tests as long. Clang's find more than gcc's.
    name: 'clang sanitizers', compiler: 'clang',
    options: ['-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG', '-DWALKMESH_SANITIZE=ON'],
  },
];

/** @typedef {{ name: string, passed: number, failed: number, skipped: number, seconds: number }} Row */
/** @type {Row[]} */
const rows = [];

/**
 * Runs a command, shows its output as it comes and returns it.
 * @param {string} command @param {string[]} args @returns {Promise<{ ok: boolean, output: string }>}
 */
function runShown(command, args) {
  return new Promise((resolve) => {
    const env = { ...process.env, ASAN_OPTIONS: 'detect_leaks=1', UBSAN_OPTIONS: 'print_stacktrace=1' };
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const show = (/** @type {Buffer} */ chunk) => {
      output += chunk;
      process.stdout.write(chunk);
    };
    child.stdout.on('data', show);
    child.stderr.on('data', show);
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (status) => resolve({ ok: status === 0, output }));
  });
}

/** A step that is one pass or one failure. @param {string} name @param {string} command @param {string[]} args */
async function check(name, command, args) {
  console.log(`\n== ${name}`);
  const start = performance.now();
  const { ok, output } = await runShown(command, args);
  if (!ok && !output.endsWith('\n')) console.log(output);
  rows.push({ name, passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, seconds: (performance.now() - start) / 1000 });
  return ok;
}

/** @param {typeof NATIVE_BUILDS[number]} build */
async function testNative({ name, compiler, options }) {
  const folder = join('build', `test-${name.replaceAll(' ', '-')}`);
  const configured = await check(`configure ${name}`, 'cmake',
    ['-S', '.', '-B', folder, `-DCMAKE_C_COMPILER=${compiler}`, ...options]);
  if (!configured || !(await check(`build ${name}`, 'cmake', ['--build', folder, '-j', JOBS]))) return;
  console.log(`\n== C tests, ${name}`);
  const start = performance.now();
  const { ok, output } = await runShown('ctest',
    ['--test-dir', folder, '--output-on-failure', '--timeout', '300', '-j', JOBS]);
  const [, failed = '', total = ''] = /(\d+) tests? failed out of (\d+)/.exec(output) ?? [];
  const failures = failed === '' ? 1 : Number(failed);
  rows.push({
    name: `C tests, ${name}`, passed: total === '' ? 0 : Number(total) - failures,
    failed: ok ? 0 : Math.max(1, failures), skipped: 0, seconds: (performance.now() - start) / 1000,
  });
}

/** Runs the files of a folder of tests. @param {string} name @param {string} folder in tests/ */
async function testJavaScript(name, folder) {
  console.log(`\n== ${name}`);
  const tap = join(ROOT, 'build', `node-tests-${folder}.tap`);
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  const files = readdirSync(join(ROOT, 'tests', folder)).filter((file) => file.endsWith('.test.js'));
  const start = performance.now();
  const { ok } = await runShown(process.execPath, [
    '--test', '--test-concurrency=2', '--test-reporter=spec', '--test-reporter-destination=stdout',
    '--test-reporter=tap', `--test-reporter-destination=${tap}`, ...files.map((file) => `tests/${folder}/${file}`)]);
  const text = readFileSync(tap, 'utf8');
  const count = (/** @type {string} */ word) => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  rows.push({
    name, passed: count('pass'), skipped: count('skipped') + count('todo'),
    failed: Math.max(count('fail') + count('cancelled'), ok ? 0 : 1), seconds: (performance.now() - start) / 1000,
  });
}

function printSummary() {
  console.log(`\n${'step'.padEnd(34)}${'passed'.padStart(8)}${'failed'.padStart(8)}${'skipped'.padStart(9)}${'seconds'.padStart(9)}`);
  for (const row of rows) {
    console.log(row.name.padEnd(34) + String(row.passed).padStart(8) + String(row.failed).padStart(8)
      + String(row.skipped).padStart(9) + row.seconds.toFixed(1).padStart(9));
  }
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) => rows.reduce((total, row) => total + row[key], 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
  return sum('failed') === 0;
}

setUp({ forTests: true });
for (const build of NATIVE_BUILDS) await testNative(build);
const npmTool = (/** @type {string} */ name) => join('node_modules', 'typescript', 'bin', name);
await check('types', process.execPath, [npmTool('tsc'), '-p', 'tsconfig.json', '--noEmit']);
await check('types of the level tool', process.execPath, [npmTool('tsc'), '-p', 'web-demo/tsconfig.json', '--noEmit']);
if (await check('WebAssembly, SIMD and scalar', process.execPath, ['wasm/build.js'])) {
  await testJavaScript('JavaScript tests', 'js');
  await check('level tool', process.execPath, [join('node_modules', 'vite', 'bin', 'vite.js'), 'build', 'web-demo']);
  await testJavaScript('browser tests', 'browser');
  // Once, before files of tests that run at the same time need them; those of files that have gone go, too.
  rmSync(join(ROOT, 'dist', 'types'), { recursive: true, force: true });
  await check('types of the package', process.execPath, [npmTool('tsc'), '-p', 'tsconfig.types.json']);
  await testJavaScript('packaging tests', 'packaging');
}
process.exitCode = printSummary() ? 0 : 1;
