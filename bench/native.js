/**
 * Native bakes: the library and a small driver (native/bench_native.c), built by CMake in release mode with gcc and clang, one
 * process per level. Shows the cost of WebAssembly, and can be profiled.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { chooseLevels, makeLevel } from './levels.js';
import { megabytes, timeText } from './tables.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const COMPILERS = ['gcc', 'clang'];
const ROUNDS = 15;
const TARGET = 'bench_native';

/** The output of the command, or null if it failed or doesn't exist. @param {string} command @param {string[]} args */
function run(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0 && stderr) console.error(stderr.trimEnd());
  return status === 0 ? stdout : null;
}

/** Builds the program; null if the compiler isn't installed. @param {string} compiler @returns {string | null} */
function build(compiler) {
  if (run(compiler, ['--version']) === null) return null;
  const folder = `build/bench-${compiler}`;
  const configured = run('cmake', ['-S', '.', '-B', folder, `-DCMAKE_C_COMPILER=${compiler}`, '-DCMAKE_BUILD_TYPE=Release']);
  const built = configured !== null && run('cmake', ['--build', folder, '-j', String(availableParallelism()), '--target', TARGET]);
  if (!built) throw new Error(`the native library cannot be built with ${compiler}`);
  return `${folder}/${TARGET}`;
}

/**
 * @param {import('./bakes.js').BenchOptions & { programs?: Record<string, string | null> }} [options] programs: built programs by compiler
 * @returns {Promise<{ level: string, cellSize: number, compiler: string, stages: Record<string, number>, peakBytes: number,
 *   copyBytesASecond: number }[]>} stages: medians, milliseconds
 */
export async function measureNative({ scenes, runs = ROUNDS, smallest, onProgress = () => {}, programs } = {}) {
  const levels = smallest ? [makeLevel({ name: 'plaza', cellSize: 0.3 })] : chooseLevels(scenes);
  const figures = [];
  for (const compiler of programs ? Object.keys(programs) : smallest ? COMPILERS.slice(0, 1) : COMPILERS) {
    onProgress(`building with ${compiler}`);
    const program = programs?.[compiler] ?? build(compiler);
    for (const { name, config, file } of program ? levels.filter(({ missing }) => !missing) : []) {
      onProgress(`${name}, ${compiler}`);
      const output = run(program, [file, String(config.cellSize), '0', String(smallest ? 1 : runs)]);
      if (output === null) throw new Error(`${name} cannot be baked natively`);
      const { peakBytes, copyBytesASecond, ...stages } = JSON.parse(output);
      figures.push({ level: name, cellSize: config.cellSize, compiler, stages, peakBytes, copyBytesASecond });
    }
  }
  onProgress('');
  return figures;
}

/** @param {Awaited<ReturnType<typeof measureNative>>} figures @returns {import('./tables.js').Table[]} */
export function nativeTables(figures) {
  return [...new Set(figures.map(({ compiler }) => compiler))].map((compiler) => {
    const list = figures.filter((one) => one.compiler === compiler);
    const stages = Object.keys(list[0].stages);
    const total = (/** @type {Record<string, number>} */ times) => Object.values(times).reduce((sum, time) => sum + time, 0);
    const rows = [
      ['ms, medians', ...list.map(({ level, cellSize }) => `${level} ${cellSize}`)],
      ...stages.map((stage) => [stage, ...list.map((one) => timeText(one.stages[stage]))]),
      ['all stages', ...list.map((one) => timeText(total(one.stages)))],
      ['MB, most in use', ...list.map(({ peakBytes }) => megabytes(peakBytes))],
    ];
    const copy = Math.max(...list.map(({ copyBytesASecond }) => copyBytesASecond)) / 1e9;
    return { title: `Bakes in one tile natively, ${compiler}`, rows, notes: [`Copies of 64 MB move ${copy.toFixed(1)} GB a second natively.`] };
  });
}
