/**
 * `npm run determinism`: plays seeded programs of 10,000 steps of a crowd (tests/js/determinism/crowd-program.js) natively, built by
 * gcc and by clang with -O0, -O2 and -O3 and without SIMD, and in both modules, each also with the agents in another order in the
 * arrays, and compares a hash of everything every 100 steps.
 *
 *   node scripts/determinism.js [--seeds 3] [--agents 200] [--steps 10000] [--builds "gcc -O2"]     only natively built so
 *
 * Prints a table; the exit status is 1 where two builds differ.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, run, setUp } from './setup.js';

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '3' }, agents: { type: 'string', default: '200' }, steps: { type: 'string', default: '10000' },
    builds: { type: 'string', default: '' } },
});
const [seeds, agents, steps] = [values.seeds, values.agents, values.steps].map(Number);
if (![seeds, agents, steps].every((value) => Number.isSafeInteger(value) && value > 0) || agents > 16384) {
  console.error('determinism: --seeds, --agents (at most 16384) and --steps must be whole numbers above 0');
  process.exit(2);
}

const NATIVE = ['gcc', 'clang'].flatMap((compiler) => [
  ...['-O0', '-O2', '-O3'].map((level) => ({ name: `${compiler} ${level}`, compiler, flags: level, options: [] })),
  { name: `${compiler} -O2, no SIMD`, compiler, flags: '-O2', options: ['-DWALKMESH_SCALAR=ON'] },
]).filter(({ name }) => name.includes(values.builds));

setUp({ forTests: true });
run('node', ['wasm/build.js']);
const { load } = await import('../js/index.js');
const { makeCrowdProgram } = await import('../tests/js/determinism/crowd-program.js');
const { playCrowdProgram } = await import('../tests/js/determinism/crowd-player.js');
const { playNatively } = await import('../tests/js/determinism/native.js');

const folder = join(ROOT, 'build', 'determinism');
const players = NATIVE.map(({ name, compiler, flags, options }) => {
  const build = join(folder, name.replaceAll(/[ ,]+/g, '-'));
  run('cmake', ['-S', '.', '-B', build, `-DCMAKE_C_COMPILER=${compiler}`, '-DCMAKE_BUILD_TYPE=Plain', `-DCMAKE_C_FLAGS=${flags}`, ...options]);
  run('cmake', ['--build', build, '--target', 'crowd_player']);
  return { name, play: (/** @type {string} */ path, /** @type {any} */ _program, /** @type {boolean} */ isShuffled) =>
    playNatively(join(build, 'crowd_player'), path, { isShuffled }) };
});
for (const isSimd of [true, false]) {
  const walkmesh = await load({ simd: isSimd });
  players.push({ name: `WebAssembly, ${isSimd ? 'SIMD' : 'scalar'}`, play: async (_path, program, isShuffled) =>
    playCrowdProgram(walkmesh, program, { isShuffled }) });
}

let differences = 0;
console.log(`\n${'build'.padEnd(24)}${'seed'.padStart(6)}${'order'.padStart(10)}${'hashes'.padStart(8)}${'equal'.padStart(8)}${'seconds'.padStart(9)}`);
mkdirSync(folder, { recursive: true });
for (let seed = 1; seed <= seeds; seed++) {
  const program = await makeCrowdProgram({ seed, agents, steps });
  const path = join(folder, `crowd-${seed}.program`);
  writeFileSync(path, program);
  /** @type {string[] | undefined} */
  let first;
  for (const { name, play } of players) {
    for (const isShuffled of [false, true]) {
      const start = performance.now();
      const hashes = await play(path, program, isShuffled);
      first ??= hashes;
      const equal = hashes.filter((hash, i) => hash === first?.[i]).length;
      if (equal !== first.length || hashes.length !== first.length) differences++;
      console.log(name.padEnd(24) + String(seed).padStart(6) + (isShuffled ? 'shuffled' : 'plain').padStart(10) + String(hashes.length).padStart(8)
        + String(equal).padStart(8) + ((performance.now() - start) / 1000).toFixed(1).padStart(9));
    }
  }
}
console.log(differences ? `${differences} runs DIFFER` : 'all runs are equal');
process.exitCode = differences ? 1 : 0;
