/** Measures how much JavaScript memory a function leaves behind at each call. */
import { setTimeout as pause } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';

v8.setFlagsFromString('--expose-gc');
export const collect = vm.runInNewContext('gc');

/** Bytes in use, the memory of WebAssembly modules and of array buffers not included. */
const bytesInUse = () => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** @param {() => void} work @param {number} calls @returns {number} bytes per call */
function grownBy(work, calls) {
  collect();
  for (let i = 0; i < 100; i++) work();
  const before = bytesInUse();
  for (let i = 0; i < calls; i++) work();
  return (bytesInUse() - before) / calls;
}

/**
 * The least garbage per call of several rounds. The engine itself allocates in some rounds, and on a busy machine its optimizing
 * compiler, which runs beside the program, may end late: until then numbers lie on the heap. So a round over the limit is
 * followed by a pause and another round; garbage of `work` itself is in all of them.
 * @param {() => void} work
 * @param {{ calls: number, below: number, rounds?: number }} options below: bytes per call; no further round is needed below it
 * @returns {Promise<number>} bytes per call
 */
export async function leastGarbage(work, { calls, below, rounds = 20 }) {
  let least = Infinity;
  for (let round = 0; round < rounds && !(least < below); round++) {
    if (round > 0) await pause(50);
    least = Math.min(least, grownBy(work, calls));
  }
  return least;
}
