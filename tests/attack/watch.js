/** Runs cases in a thread, and reports those that hang or end the thread. */
import { Worker } from 'node:worker_threads';

/** @typedef {import('./thread.js').Failure & { index: number }} FoundFailure */

/** Time after which a case hangs, and its thread is ended, milliseconds. */
const LONGEST_CASE = 60000;
/** Memory of the thread's heap, MB. */
const MOST_HEAP = 1024;

/**
 * @param {object} run
 * @param {URL} run.module exports openRunner (thread.js)
 * @param {object} run.options of openRunner
 * @param {(index: number) => string} run.idOf what a case does, if its thread could not tell
 * @param {number} [run.from] number of the first case
 * @param {number} run.count
 * @param {(done: number, failures: number) => void} [run.onProgress]
 * @returns {Promise<FoundFailure[]>}
 */
export async function runCases({ module, options, idOf, from = 0, count, onProgress }) {
  /** @type {FoundFailure[]} */
  const failures = [];
  const to = from + count;
  for (let next = from; next < to;) {
    const counter = new Int32Array(new SharedArrayBuffer(4)).fill(next);
    const worker = new Worker(new URL('./thread.js', import.meta.url), { workerData: { module: module.href, options, from: next, to, progress: counter.buffer },
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP } });
    const death = await watch(worker, counter, (failure) => failures.push(failure), () => onProgress?.(counter[0] - from, failures.length));
    if (death === undefined) return failures;
    failures.push({ id: idOf(counter[0]), symptom: 'the thread ends', message: death, index: counter[0] });
    next = counter[0] + 1;
  }
  return failures;
}

/**
 * Waits until a thread is done; ends it if a case hangs.
 * @param {Worker} worker @param {Int32Array} counter @param {(failure: FoundFailure) => void} onFailure @param {() => void} onProgress
 * @returns {Promise<string | undefined>} why it ended early
 */
function watch(worker, counter, onFailure, onProgress) {
  return new Promise((resolve) => {
    let last = counter[0], since = performance.now();
    const end = (/** @type {string | undefined} */ death) => {
      clearInterval(timer);
      worker.terminate();
      resolve(death);
    };
    const timer = setInterval(() => {
      if (counter[0] !== last) [last, since] = [counter[0], performance.now()];
      else if (performance.now() - since > LONGEST_CASE) end(`a case takes more than ${LONGEST_CASE / 1000} s`);
      onProgress();
    }, 250);
    worker.on('message', (message) => (message === 'done' ? end(undefined) : onFailure(message)));
    worker.on('error', (error) => end(String(error)));
    worker.on('exit', (code) => end(`exit ${code}`));
  });
}
