/**
 * Sharing a thread: long work is cut into slices, with a rest after each in which timers, events and frames get their turn.
 */
import { NavError, describe, invalidArgument } from './errors.js';

/** What a slice may take where nobody says otherwise: with the step that ends it, little more than half a frame. */
const DEFAULT_MILLISECONDS = 6;

/** @type {(() => void)[]} */
const waiting = [];
/** @type {(() => void) | undefined} */
let askForTurn;

/**
 * Ends this turn of the event loop and goes on in one of the next. Unlike setTimeout without a pause of some milliseconds,
 * and behind what was waiting, so that nothing starves.
 * @returns {Promise<void>}
 */
export function nextTurn() {
  if (typeof setImmediate === 'function') return new Promise((resolve) => { setImmediate(resolve); });
  if (!askForTurn) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => waiting.shift()?.();
    askForTurn = () => port2.postMessage(undefined);
  }
  const ask = askForTurn;
  return new Promise((resolve) => {
    waiting.push(resolve);
    ask();
  });
}

/** @param {AbortSignal} signal */
function cancelledError(signal) {
  return new NavError('cancelled', 'the bake was cancelled', { field: 'signal', cause: signal.reason });
}

/** Throws where the signal has been aborted. @param {AbortSignal} [signal] */
export function throwIfAborted(signal) {
  if (signal?.aborted) throw cancelledError(signal);
}

/**
 * Waits for work, but no longer than until the signal is aborted.
 * @template T @param {Promise<T>} work @param {AbortSignal} [signal] @returns {Promise<T>}
 */
export async function untilAborted(work, signal) {
  if (!signal) return work;
  throwIfAborted(signal);
  let abort = () => {};
  const aborted = new Promise((_, reject) => {
    abort = () => reject(cancelledError(signal));
    signal.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([work, /** @type {Promise<never>} */ (aborted)]);
  } finally {
    signal.removeEventListener('abort', abort);
    aborted.catch(() => {});
  }
}

/** Counts the time of slices: a rest is due when the last one is long enough ago, whoever had the thread since. */
export class Slices {
  #milliseconds;
  #signal;
  #start = performance.now();

  /** @param {number} [milliseconds] above 0 @param {AbortSignal} [signal] */
  constructor(milliseconds = DEFAULT_MILLISECONDS, signal = undefined) {
    if (!(typeof milliseconds === 'number' && milliseconds > 0)) {
      throw invalidArgument('sliceMilliseconds', `is ${describe(milliseconds)}: must be a number above 0`, milliseconds);
    }
    this.#milliseconds = milliseconds;
    this.#signal = signal;
  }

  /** Whether a rest is due. */
  get areOver() {
    return performance.now() - this.#start >= this.#milliseconds;
  }

  /** Rests. Throws a NavError `cancelled` where the signal was aborted. */
  async rest() {
    await nextTurn();
    this.#start = performance.now();
    throwIfAborted(this.#signal);
  }

  /** Rests if that is due; undefined where it is not, which needs no waiting. @returns {Promise<void> | undefined} */
  restIfOver() {
    if (this.areOver) return this.rest();
    throwIfAborted(this.#signal);
    return undefined;
  }
}
