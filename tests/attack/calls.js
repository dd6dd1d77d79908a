/** Hostile calls: runs the cases (case.js) in a thread that is watched. */
import { Worker } from 'node:worker_threads';
import { ApiReader } from './api.js';
import { NAMED_TYPES } from './values.js';
import { MAKERS } from './world.js';

/** @typedef {import('./api.js').Target} Target */
/** @typedef {import('./case.js').Failure & { seed: number, index: number }} FoundFailure */

/** Time after which a case hangs, and its thread is ended, milliseconds. */
const LONGEST_CASE = 60000;
/** Rounds in which each function without arguments runs once: it can be attacked by its `this` alone. */
const ROUNDS = 8;

/** The public functions; throws if a class can't be made. @returns {{ targets: Target[], functions: number }} in the order of their cases */
export function readTargets() {
  const reader = new ApiReader(NAMED_TYPES);
  const all = reader.read();
  const unknown = [...reader.classes].filter((name) => !(name in MAKERS));
  if (unknown.length > 0) throw new Error(`public classes without a row in MAKERS (tests/attack/world.js): ${unknown.join(', ')}`);
  const targets = Array.from({ length: ROUNDS }, (_, round) => all.filter(({ parameters }, i) => parameters.length > 0 || i % ROUNDS === round)).flat();
  return { targets, functions: all.length };
}

/**
 * @param {{ targets: Target[], seed: number, from?: number, count: number, longest?: number, onProgress?: (done: number) => void }} options
 *   longest: seconds that a call may take
 * @returns {Promise<FoundFailure[]>}
 */
export async function attackCalls({ targets, seed, from = 0, count, longest = Infinity, onProgress }) {
  /** @type {FoundFailure[]} */
  const failures = [];
  const to = from + count;
  for (let next = from; next < to;) {
    const counter = new Int32Array(new SharedArrayBuffer(4)).fill(next);
    const worker = new Worker(new URL('./calls-worker.js', import.meta.url), { workerData: { targets, seed, from: next, to, longest, progress: counter.buffer } });
    const death = await watch(worker, counter, (failure) => failures.push(failure), onProgress);
    next = counter[0] + 1;
    if (death !== undefined) failures.push({ id: targets[counter[0] % targets.length].id, symptom: 'the thread ends', message: death, seed, index: counter[0] });
  }
  return failures;
}

/**
 * Waits until a thread is done; ends it if a case hangs.
 * @param {Worker} worker @param {Int32Array} counter @param {(failure: FoundFailure) => void} onFailure @param {(done: number) => void} [onProgress]
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
      onProgress?.(counter[0]);
    }, 250);
    worker.on('message', (message) => (message === 'done' ? end(undefined) : onFailure(message)));
    worker.on('error', (error) => end(String(error)));
    worker.on('exit', (code) => end(`exit ${code}`));
  });
}
