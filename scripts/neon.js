/**
 * `npm run test:neon -- [-R regex]`: tests ARM's SIMD backend on any machine. Builds the C library and its tests for AArch64,
 * runs the tests (or those whose names match) in QEMU, and bakes golden cases there and natively: every array must have the same
 * hash. Not part of npm test, since QEMU takes about ten times as long as a processor.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, ensureToolsOf, run, stop } from './setup.js';
import { goldenConfig } from '../tests/js/live/golden.js';

const BUILD = join('build', 'neon'), NATIVE_BUILD = join('build', 'neon-native');
/** Command that runs an AArch64 program (scripts/neon.cmake passes the same one to ctest). */
const EMULATOR = ['qemu-aarch64', '-L', '/usr/aarch64-linux-gnu'];
const JOBS = ['-j', String(availableParallelism())];
/** Runs a sixth of the random cases that tests compare with an oracle, as all builds of `npm test` except one do. */
const FEWER_ROUNDS = '-DWALKMESH_ROUNDS_DIVISOR=6';
/** Scenes, each with the one golden case to bake; '' means all cases. */
const CASES = [['plaza', ''], ['tower', ''], ['city', 'tiled48'], ['city', 'default']];

/** Bakes a level. @param {string[]} command @param {string} scene @param {string} name of the golden case @returns {string[]} "ARRAY BYTES HASH" */
function bake([program, ...args], scene, name) {
  const { areaFlags, ...config } = goldenConfig(name);
  const fields = Object.entries(config).map(([field, value]) => `${field}=${value}`);
  const { status, stdout, stderr, error } = spawnSync(program, [...args, `tests/scenes/${scene}.obj`, ...fields], { cwd: ROOT, encoding: 'utf8' });
  if (error || status !== 0) stop(`${scene} ${name}: ${program} failed: ${error?.message ?? stderr}`);
  return stdout.trim().split('\n');
}

const { values } = parseArgs({ options: { tests: { type: 'string', short: 'R', default: '' } } });
ensureToolsOf('neon');
run('cmake', ['-S', '.', '-B', BUILD, '-DCMAKE_TOOLCHAIN_FILE=scripts/neon.cmake', '-DCMAKE_BUILD_TYPE=Release', FEWER_ROUNDS]);
run('cmake', ['--build', BUILD, ...JOBS, '--target', 'walkmesh_tests', 'stages_native']);
run('cmake', ['-S', '.', '-B', NATIVE_BUILD, '-DCMAKE_BUILD_TYPE=Release']);
run('cmake', ['--build', NATIVE_BUILD, ...JOBS, '--target', 'stages_native']);

const golden = JSON.parse(readFileSync(join(ROOT, 'tests', 'golden', 'synthetic.json'), 'utf8'));
let arrays = 0, cases = 0;
const differences = [];
for (const [scene, only] of CASES) {
  for (const name of Object.keys(golden[scene]).filter((one) => only === '' || one === only)) {
    const expected = bake([join(NATIVE_BUILD, 'stages_native')], scene, name);
    const lines = bake([...EMULATOR, join(BUILD, 'stages_native')], scene, name);
    cases++;
    arrays += expected.length;
    if (lines.length !== expected.length) differences.push(`${scene} ${name}: ${lines.length} arrays, natively ${expected.length}`);
    expected.forEach((line, i) => {
      if (lines[i] !== line) differences.push(`${scene} ${name}: "${lines[i]}" on AArch64, "${line}" natively`);
    });
  }
}
console.log(`${cases} golden cases: ${arrays} arrays, ${differences.length} of them differ`);
for (const difference of differences) console.log(`  ${difference}`);
run('ctest', ['--test-dir', BUILD, '--output-on-failure', '--timeout', '900', ...JOBS, ...(values.tests && ['-R', values.tests])]);
if (differences.length > 0) stop('AArch64 bakes other bytes than this machine');
