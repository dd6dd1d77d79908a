/// <reference lib="esnext.disposable" preserve="true" />
/** A pool of workers, which bake tiles. */
import { requireOptions } from '../runtime/arguments.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { nameSet } from '../runtime/names.js';
import { WorkerThread } from './thread.js';

/** @typedef {import('./port.js').WorkerSource} WorkerSource */

/**
 * @typedef {object} WorkerPoolOptions
 * @property {number | 'auto'} [workers] how many, 1 to 64; default 'auto': one less than there are processors, 1 to 8
 * @property {WorkerSource} [worker] the script `walkmesh/worker`, or a function that makes a worker of it, for bundlers that
 *   have to be told; default: the script of this package
 * @property {number} [memoryLimit] bytes that each worker's instance of the module may use; default: as given to load()
 */

const NAMES = nameSet(/** @satisfies {import('../runtime/names.js').Names<WorkerPoolOptions>} */ ({ workers: 1, worker: 1, memoryLimit: 1 }));

/** More than this is a mistake. */
const MOST_WORKERS = 64;
/** More than this is seldom faster, and each takes memory of its own. */
const MOST_AUTOMATIC_WORKERS = 8;

/** Node 20 has no navigator. */
const countProcessorsOfNode = () => globalThis.process?.getBuiltinModule?.('node:os').availableParallelism() ?? 2;

/** What 'auto' comes to: one processor is left to this thread. */
export function countWorkers() {
  const processors = globalThis.navigator?.hardwareConcurrency ?? countProcessorsOfNode();
  return Math.max(1, Math.min(processors - 1, MOST_AUTOMATIC_WORKERS));
}

/** @param {unknown} workers @param {number} least @returns {number} */
export function readWorkerCount(workers, least) {
  if (workers === 'auto') return countWorkers();
  if (typeof workers === 'number' && Number.isInteger(workers) && workers >= least && workers <= MOST_WORKERS) return workers;
  throw invalidArgument('workers', `is ${describe(workers)}: must be 'auto' or a whole number, ${least} to ${MOST_WORKERS}`,
    workers);
}

/**
 * Workers that stay for bakes to come. They start with the first bake (or ready()), and do not keep a Node process alive
 * while they have nothing to do. One that dies is replaced with the next bake. Bakes may share a pool at the same time.
 */
export class WorkerPool {
  #source;
  /** @type {import('./messages.js').LoadMessage} */
  #load;
  /** @type {(Promise<WorkerThread> | undefined)[]} */
  #threads;
  #isClosed = false;

  /** @internal Use Walkmesh.createWorkerPool(). @param {WebAssembly.Module} module @param {WorkerPoolOptions} [options] */
  constructor(module, { workers = 'auto', worker, memoryLimit } = {}) {
    if (memoryLimit !== undefined && !(memoryLimit > 0)) {
      throw invalidArgument('memoryLimit', `is ${describe(memoryLimit)}: must be a number of bytes above 0`, memoryLimit);
    }
    if (worker !== undefined && typeof worker !== 'string' && typeof worker !== 'function' && !(worker instanceof URL)) {
      throw invalidArgument('worker', `must be a URL, a string or a function, not ${describe(worker)}`, worker);
    }
    this.#threads = new Array(readWorkerCount(workers, 1)).fill(undefined);
    this.#source = worker;
    this.#load = { type: 'load', module, memoryLimit };
  }

  /** How many workers it has. */
  get size() {
    return this.#threads.length;
  }

  /** Whether it was freed. */
  get closed() {
    return this.#isClosed;
  }

  #check() {
    if (this.#isClosed) throw new NavError('state', 'this worker pool was freed');
  }

  /**
   * A worker that is alive: started anew where the one of this number was not, or died.
   * @internal @param {number} index @returns {Promise<WorkerThread>}
   */
  async thread(index) {
    this.#check();
    const started = this.#threads[index];
    if (started) {
      const thread = await started.catch(() => undefined);
      this.#check();
      if (thread && !thread.isDead) return thread;
      // Another that waited for the same may have started it.
      if (this.#threads[index] !== started) return this.thread(index);
    }
    const starting = WorkerThread.start(this.#source, this.#load);
    this.#threads[index] = starting;
    const thread = await starting;
    if (this.#isClosed) {
      thread.close(new NavError('state', 'this worker pool was freed'));
      this.#check();
    }
    return thread;
  }

  /** Starts all workers now, to save the first bake the wait. @returns {Promise<void>} */
  async ready() {
    this.#check();
    await Promise.all(this.#threads.map(async (_, index) => (await this.thread(index)).ask({ type: 'memory' })));
  }

  /**
   * What the workers that have started use: a row for each, as Walkmesh.memory().
   * @returns {Promise<import('./messages.js').MemoryUse[]>}
   */
  async memory() {
    this.#check();
    const threads = (await Promise.all(this.#threads.map((starting) => starting?.catch(() => undefined))))
      .filter((thread) => thread !== undefined && !thread.isDead);
    return Promise.all(threads.map((thread) => /** @type {WorkerThread} */ (thread).ask({ type: 'memory' })));
  }

  /** Ends the workers, at once; bakes that they are at fail. Using the pool afterwards throws. */
  free() {
    this.#check();
    this[Symbol.dispose]();
  }

  [Symbol.dispose]() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const starting of this.#threads) {
      starting?.then((thread) => thread.close(new NavError('state', 'this worker pool was freed')), () => {});
    }
    this.#threads.fill(undefined);
  }
}

/** @param {import('../bake/bake-tiled.js').Owner} owner @param {WorkerPoolOptions} options */
export function createWorkerPool({ module, memoryLimit }, options) {
  return new WorkerPool(module, { memoryLimit, ...requireOptions(options, NAMES) });
}
