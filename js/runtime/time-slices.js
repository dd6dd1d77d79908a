/**
 * Divides long work into slices. The thread rests after each slice, so that timers, events and frames get their turn.
 */
import { NavError, describe, invalidArgument } from './errors.js';

/** The default length of a slice: with its last step, a little more than half a frame. */
const DEFAULT_MILLISECONDS = 6;

/** @type {(() => void)[]} */
const waiting = [];
/** @type {(() => void) | undefined} */
let requestTurn;

/**
 * Ends this turn of the event loop; resolves in a later one. Unlike setTimeout, without a delay of some milliseconds. Tasks that
 * were already waiting run first, so that none starves.
 * @returns {Promise<void>}
 */
export function nextTurn() {
  if (typeof setImmediate === 'function') return new Promise((resolve) => { setImmediate(resolve); });
  if (!requestTurn) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => waiting.shift()?.();
    requestTurn = () => port2.postMessage(undefined);
  }
  const request = requestTurn;
  return new Promise((resolve) => {
    waiting.push(resolve);
    request();
  });
}

/** @param {AbortSignal} signal */
function cancelledError(signal) {
  return new NavError('cancelled', 'cancelled: the AbortSignal was aborted', { field: 'signal', cause: signal.reason });
}

/** Throws if the signal is aborted. @param {AbortSignal} [signal] */
export function throwIfAborted(signal) {
  if (signal?.aborted) throw cancelledError(signal);
}

/**
 * Waits for work, at most until the signal is aborted.
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

/** Measures slices: a rest is due a slice length after the last one. */
export class TimeSlices {
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

  /** True if a rest is due. */
  get areOver() {
    return performance.now() - this.#start >= this.#milliseconds;
  }

  /** Rests. Throws a NavError `cancelled` if the signal is aborted. */
  async rest() {
    await nextTurn();
    this.#start = performance.now();
    throwIfAborted(this.#signal);
  }

  /** Rests if a rest is due; else returns undefined, which needs no await. @returns {Promise<void> | undefined} */
  restIfOver() {
    if (this.areOver) return this.rest();
    throwIfAborted(this.#signal);
    return undefined;
  }
}
