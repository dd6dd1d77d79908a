/**
 * `npm run fuzz -- [--seconds N] [--harness NAME]`: builds the harnesses of tests/fuzz with clang's libFuzzer and sanitizers and
 * runs each for some time, one after another. Findings are written to build/fuzz-findings; the exit status is 1 if there are any.
 * See tests/fuzz/README.md.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './setup.js';

const HARNESSES = readdirSync(join(ROOT, 'tests', 'fuzz')).filter((name) => /^fuzz_.*\.c$/.test(name)).map((name) => name.slice(5, -2));
const BUILD = join('build', 'fuzz');
const FINDINGS = join('build', 'fuzz-findings');

/** @param {string[]} given @returns {{ seconds: number, harnesses: string[] }} */
function readOptions(given) {
  let seconds = 60;
  let harnesses = HARNESSES;
  for (let i = 0; i < given.length; i += 2) {
    const value = given[i + 1];
    if (given[i] === '--seconds' && Number(value) > 0) seconds = Number(value);
    else if (given[i] === '--harness' && HARNESSES.includes(value)) harnesses = [value];
    else {
      console.error(`use: npm run fuzz -- [--seconds N] [--harness ${HARNESSES.join('|')}]`);
      process.exit(2);
    }
  }
  return { seconds, harnesses };
}

/** Runs a command to its end and shows its output. @param {string} command @param {string[]} args */
function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' });
  if (error || status !== 0) throw new Error(`${command} failed${error ? `: ${error.message}` : ''}`);
}

/** @param {string[]} harnesses */
function build(harnesses) {
  run('cmake', ['-S', '.', '-B', BUILD, '-DCMAKE_C_COMPILER=clang', '-DCMAKE_BUILD_TYPE=RelWithDebInfo',
    '-DWALKMESH_FUZZ=ON']);
  run('cmake', ['--build', BUILD, '-j', '1', '--target', ...harnesses.map((name) => `fuzz_${name}`)]);
}

/** Runs a harness and returns the number of calls of its function. @param {string} name @param {number} seconds */
function fuzz(name, seconds) {
  const grown = join('build', 'fuzz-corpus', name);
  for (const folder of [grown, FINDINGS]) mkdirSync(join(ROOT, folder), { recursive: true });
  const seeds = ['corpus', 'fixtures'].map((kind) => join('tests', 'fuzz', kind, name))
    .filter((folder) => existsSync(join(ROOT, folder)));
  const args = [`-max_total_time=${seconds}`, '-max_len=4096', '-timeout=20', '-rss_limit_mb=2048',
    '-print_final_stats=1', `-artifact_prefix=${FINDINGS}/${name}-`, grown, ...seeds];
  return new Promise((resolve) => {
    const child = spawn(join(BUILD, `fuzz_${name}`), args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] });
    let tail = '';
    child.stderr.on('data', (chunk) => { tail = (tail + chunk).slice(-20000); });
    child.on('error', (error) => resolve({ ok: false, executions: 0, tail: error.message }));
    child.on('close', (status) => {
      const executions = Number(/number_of_executed_units: (\d+)/.exec(tail)?.[1] ?? 0);
      resolve({ ok: status === 0, executions, tail });
    });
  });
}

const { seconds, harnesses } = readOptions(process.argv.slice(2));
build(harnesses);
let total = 0;
for (const name of harnesses) {
  const { ok, executions, tail } = await fuzz(name, seconds);
  total += executions;
  console.log(`${name.padEnd(12)} ${String(executions).padStart(12)} executions  ${ok ? 'nothing found' : 'FOUND'}`);
  if (!ok) {
    console.log(tail.split('\n').filter((line) => !/^#\d+\s+(NEW|REDUCE|pulse)/.test(line)).slice(-60).join('\n'));
    process.exitCode = 1;
  }
}
const found = existsSync(join(ROOT, FINDINGS)) ? readdirSync(join(ROOT, FINDINGS)) : [];
console.log(`${total} executions; ${found.length} inputs in ${FINDINGS}`);
