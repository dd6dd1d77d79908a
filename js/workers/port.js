/**
 * A worker of a browser (Worker) or of Node (worker_threads), under one face.
 */
import { NavError } from '../runtime/errors.js';

/**
 * Where a worker comes from: the address of the script, or a function that makes one.
 * @typedef {string | URL | (() => any)} WorkerSource
 */

/**
 * @typedef {object} PortEvents
 * @property {(message: any) => void} onMessage
 * @property {(reason: string) => void} onDeath called once: the worker is of no use any more; not after close()
 */

/** How an error of a worker reads. @param {any} error */
const describeDeath = (error) => error?.message || error?.name || 'its script cannot be loaded, or failed';

/** The script of this package. A variable, so that bundlers do not copy the file as well: they take it from `new Worker`. */
const SCRIPT = './worker.js';

/** The address of a script that imports the package's worker from elsewhere: one for all workers of the page. @type {string | undefined} */
let importingScript;

/** Written out so that bundlers find it. @returns {any} */
function makePackagedWorker() {
  const here = import.meta.url;
  if (/^https?:/.test(here) && globalThis.location && new URL(here).origin !== globalThis.location.origin) {
    // Workers may not be of another origin; a script that imports one may. Bundlers need not see this.
    importingScript ??= URL.createObjectURL(
      new Blob([`import ${JSON.stringify(here.replace(/[^/]*$/, 'worker.js'))};`], { type: 'text/javascript' }));
    return new Worker(importingScript, { type: 'module' });
  }
  return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
}

/** @param {WorkerSource | undefined} source @returns {Promise<any>} */
async function makeWorker(source) {
  if (typeof source === 'function') return source();
  if (typeof Worker === 'function') {
    return source === undefined ? makePackagedWorker() : new Worker(source, { type: 'module' });
  }
  // The name is put together so that bundlers for browsers do not look for it.
  const name = ['node', 'worker_threads'].join(':');
  const { Worker: NodeWorker } = await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
  return new NodeWorker(source ?? new URL(SCRIPT, import.meta.url), { execArgv: [] });
}

export class WorkerPort {
  #worker;
  #isOpen = true;

  /** @param {any} worker @param {PortEvents} events */
  constructor(worker, { onMessage, onDeath }) {
    this.#worker = worker;
    const die = (/** @type {string} */ reason) => {
      if (!this.#isOpen) return;
      this.close();
      onDeath(reason);
    };
    const receive = (/** @type {any} */ message) => {
      if (this.#isOpen) onMessage(message);
    };
    if (typeof worker.on === 'function') {
      worker.on('message', receive);
      // An error overtakes the answers sent before it, an exit does not: until then nobody knows what it was at.
      /** @type {string | undefined} */
      let reason;
      worker.on('error', (/** @type {any} */ error) => { reason ??= describeDeath(error); });
      worker.on('messageerror', () => die('it sent what cannot be read'));
      worker.on('exit', (/** @type {number} */ status) => die(reason ?? `it ended with status ${status}`));
      worker.unref();
    } else {
      worker.onmessage = (/** @type {MessageEvent} */ event) => receive(event.data);
      worker.onerror = (/** @type {ErrorEvent} */ event) => {
        event.preventDefault?.();
        die(describeDeath(event));
      };
      worker.onmessageerror = () => die('it sent what cannot be read');
    }
  }

  /** Starts a worker. @param {WorkerSource | undefined} source @param {PortEvents} events */
  static async open(source, events) {
    let worker;
    try {
      worker = await makeWorker(source);
    } catch (cause) {
      throw new NavError('worker', `a worker cannot be started: ${describeDeath(cause)}`, { field: 'worker', cause });
    }
    if (typeof worker?.postMessage !== 'function') {
      throw new NavError('worker', 'a worker cannot be started: worker() did not return a Worker', { field: 'worker' });
    }
    return new WorkerPort(worker, events);
  }

  /** @param {unknown} message @param {any[]} [transfer] */
  post(message, transfer = []) {
    this.#worker.postMessage(message, transfer);
  }

  /** Whether the worker keeps the process alive; only in Node. @param {boolean} keep */
  keepAlive(keep) {
    if (keep) this.#worker.ref?.();
    else this.#worker.unref?.();
  }

  /** Ends the worker at once, whatever it does. */
  close() {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#worker.terminate();
  }
}
