/** A worker of the package between whose messages faults happen: it exits, hangs, throws, answers twice, out of order, or with junk. */
import { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';

const SCRIPT = new URL('../../js/workers/worker.js', import.meta.url);

/**
 * Changes an answer. Returns the messages to send in its place, or undefined if the worker sends nothing more.
 * @typedef {(message: any, count: number, worker: FaultyWorker) => any[] | undefined} Fault
 */

/** Messages that are no answers. */
const JUNK = [undefined, null, 5, 'x', [], {}, { id: -1 }, { id: 1e9, result: {} }, { id: null, error: null }, Symbol.iterator.toString(), { id: 1, id2: 2, stage: undefined }];

/** Faults that a bake stands. @type {Record<string, () => Fault>} */
export const HARMLESS = {
  'answers twice': () => (message) => [message, message],
  'answers again, later': () => { const old = /** @type {any[]} */ ([]); return (message) => { old.push(message); return [message, ...old]; }; },
  'answers out of order': () => {
    const waiting = /** @type {any[]} */ ([]);
    return (message, _count, worker) => {
      waiting.push(message);
      if (waiting.length === 1) setTimeout(() => { for (const one of waiting.splice(0).reverse()) worker.emit('message', one); }, 3);
      return [];
    };
  },
  'answers with junk in between': () => (message, count) => [...JUNK.filter((junk) => junk?.id !== 1 || message.id !== 1), message, JUNK[count % 4]],
  'tells stages that nobody asked for': () => (message) => [{ id: message.id, stage: 'nothing' }, message],
};

/** Faults that end a bake with an error `worker`, whatever the moment. @type {Record<string, (moment: number) => Fault>} */
export const DEADLY = {
  exits: (moment) => (message, count, worker) => { if (count === moment) worker.emit('exit', 7); return [message]; },
  throws: (moment) => (message, count, worker) => {
    if (count === moment) {
      worker.emit('error', new Error('something broke'));
      worker.emit('exit', 1);
    }
    return [message];
  },
  'sends what cannot be read': (moment) => (message, count, worker) => { if (count === moment) worker.emit('messageerror', new Error('cannot be read')); return [message]; },
  'answers without a result': (moment) => (message, count) => [count < moment ? message : { id: message.id }],
  'answers with a result of another kind': (moment) => (message, count) => [count < moment ? message : { id: message.id, result: [5, 'x', { bytes: 5 }, []][count % 4] }],
  'answers with an error of another kind': (moment) => (message, count) => [count < moment ? message : { id: message.id, error: [5, 'x', true, { code: 5, message: {} }][count % 4] }],
};

/** @param {number} moment */
export const hangs = (moment) => (/** @type {any} */ message, /** @type {number} */ count) => (count < moment ? [message] : undefined);

export class FaultyWorker extends EventEmitter {
  #worker = new Worker(SCRIPT);
  #count = 0;
  #isSilent = false;

  /** @param {Fault} fault */
  constructor(fault) {
    super();
    this.#worker.on('message', (message) => {
      if (this.#isSilent || message?.started) return;
      const instead = fault(message, this.#count++, this);
      if (!instead) this.#isSilent = true;
      else for (const one of instead) this.emit('message', one);
    });
    this.#worker.on('exit', (status) => this.emit('exit', status));
    // The fault may be the only listener.
    this.on('error', () => {});
  }

  /** @param {any} message @param {any[]} transfer */
  postMessage(message, transfer) {
    this.#worker.postMessage(message, transfer);
  }

  terminate() {
    return this.#worker.terminate();
  }

  ref() {
    this.#worker.ref();
  }

  unref() {
    this.#worker.unref();
  }
}
