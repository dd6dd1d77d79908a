/**
 * A common interface for workers of browsers (Worker) and of Node (worker_threads).
 */
import { NavError } from '../runtime/errors.js';
import { fetchOrStandIn, getStandIns } from '../runtime/stand-ins.js';

/**
 * The address of a worker script, or a function that makes a worker.
 * @typedef {string | URL | (() => any)} WorkerSource
 */

/**
 * @typedef {object} PortEvents
 * @property {(message: any) => void} onMessage
 * @property {(reason: string) => void} onDeath called once when the worker died; not after close()
 */

/** The message of a worker's error. @param {any} error */
const describeDeath = (error) => error?.message || error?.name || 'its script could not be loaded, or threw';

/** The package's script does not run, and there is no stand-in. @param {string} reason */
const describeMissingScript = (reason) => `walkmesh/worker${findPlace()}: ${reason}. Check the address `
  + "and the policy's worker-src, or pass createWorkerPool({ worker })";

/** Where the script is, in words. A bundler gives it another address, which only the expression below has. */
const findPlace = () => (/\/workers\/port\.js$/.test(import.meta.url) ? `, expected at ${new URL(SCRIPT, import.meta.url).href}` : '');

/** The script of this package. A constant, so that bundlers do not copy the file twice: they find it in `new Worker`. */
const SCRIPT = './worker.js';

/** The address of a script that imports the package's worker from another origin; all workers of the page share it. @type {string | undefined} */
let importingScript;

/** The expression `new Worker(new URL(...))` is literal, so that bundlers find it. @returns {any} */
function makePackagedWorker() {
  const here = import.meta.url;
  if (/^https?:/.test(here) && globalThis.location && new URL(here).origin !== globalThis.location.origin) {
    // A worker script must have the origin of the page, but can import a module of another origin.
    importingScript ??= URL.createObjectURL(
      new Blob([`import ${JSON.stringify(here.replace(/[^/]*$/, 'worker.js'))};`], { type: 'text/javascript' }));
    return new Worker(importingScript, { type: 'module' });
  }
  return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
}

/** The address of a script with the text of the stand-in; all workers of the page share it. @type {Promise<string> | undefined} */
let standInScript;

/** @param {() => Promise<string>} readScript */
async function makeStandInWorker(readScript) {
  standInScript ??= readScript().then((text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
  return new Worker(await standInScript);
}

/** Resolves when the worker's script has run: it sends GREETING. @param {any} worker */
const waitForGreeting = (worker) => new Promise((resolve, reject) => {
  worker.onmessage = () => resolve(worker);
  worker.onerror = (/** @type {ErrorEvent} */ event) => {
    event.preventDefault?.();
    worker.terminate();
    reject(new Error(describeMissingScript(describeDeath(event))));
  };
});

/** A worker of the package's script, or of its stand-in. @returns {Promise<any>} */
function startPackagedWorker() {
  const { worker: standIn } = getStandIns();
  return fetchOrStandIn(async () => waitForGreeting(makePackagedWorker()),
    standIn && (async () => waitForGreeting(await makeStandInWorker(standIn))), () => true);
}

/** @param {WorkerSource | undefined} source @returns {Promise<any>} */
async function makeWorker(source) {
  if (typeof source === 'function') return source();
  if (typeof Worker === 'function') {
    return source === undefined ? startPackagedWorker() : new Worker(source, { type: 'module' });
  }
  // The name is concatenated so that bundlers for browsers do not resolve it.
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
      // An error event arrives before earlier messages, the exit event after them; so the worker counts as dead at its exit.
      /** @type {string | undefined} */
      let reason;
      worker.on('error', (/** @type {any} */ error) => { reason ??= describeDeath(error); });
      worker.on('messageerror', () => die('it sent a message that cannot be read'));
      worker.on('exit', (/** @type {number} */ status) => die(reason ?? `it ended with status ${status}`));
      worker.unref();
    } else {
      worker.onmessage = (/** @type {MessageEvent} */ event) => receive(event.data);
      worker.onerror = (/** @type {ErrorEvent} */ event) => {
        event.preventDefault?.();
        die(describeDeath(event));
      };
      worker.onmessageerror = () => die('it sent a message that cannot be read');
    }
  }

  /** Starts a worker. @param {WorkerSource | undefined} source @param {PortEvents} events */
  static async open(source, events) {
    let worker;
    try {
      worker = await makeWorker(source);
    } catch (cause) {
      throw new NavError('worker', `a worker could not be started: ${describeDeath(cause)}`, { field: 'worker', cause });
    }
    if (typeof worker?.postMessage !== 'function') {
      throw new NavError('worker', 'a worker could not be started: worker() did not return a Worker', { field: 'worker' });
    }
    return new WorkerPort(worker, events);
  }

  /** @param {unknown} message @param {any[]} [transfer] */
  post(message, transfer = []) {
    this.#worker.postMessage(message, transfer);
  }

  /** Sets whether the worker keeps the Node process alive. @param {boolean} keep */
  keepAlive(keep) {
    if (keep) this.#worker.ref?.();
    else this.#worker.unref?.();
  }

  /** Terminates the worker immediately. */
  close() {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#worker.terminate();
  }
}
