/** A list of listeners. A round calls those that were in it when it began; one that was removed meanwhile is not called any more. */
import { describe, invalidArgument } from './errors.js';

/** @template T what listeners receive */
export class Listeners {
  /** An entry for each call of add, also for the same function. @type {Set<{ listener: (detail: T) => void }>} */
  #entries = new Set();

  /** @param {(detail: T) => void} listener @returns {() => void} removes it */
  add(listener) {
    if (typeof listener !== 'function') throw invalidArgument('listener', `must be a function, not ${describe(listener)}`, listener);
    const entry = { listener };
    this.#entries.add(entry);
    return () => { this.#entries.delete(entry); };
  }

  /** Calls the listeners in the order of their addition. An error of one ends the round. @param {T} detail */
  call(detail) {
    if (this.#entries.size === 0) return;
    for (const entry of [...this.#entries]) {
      const { listener } = entry;
      if (this.#entries.has(entry)) listener(detail);
    }
  }
}
