/// <reference lib="esnext.disposable" preserve="true" />
/** WorkerPool: workers that bake tiles. */
import { requireOptions } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { FreeOnce, freedError } from '../runtime/free-once.js';
import { nameSet } from '../runtime/option-names.js';
import { requireMemoryLimit } from '../runtime/session.js';
import { WorkerThread } from './thread.js';

/** @typedef {import('./port.js').WorkerSource} WorkerSource */

/**
 * @typedef {object} WorkerPoolOptions
 * @property {number | 'auto'} [workers] how many, 1 to 64; default 'auto': one fewer than there are processors, 1 to 8
 * @property {WorkerSource} [worker] the address of the script `walkmesh/worker`, or a function that makes a worker from it, for
 *   bundlers that need it; default: the script of this package
 * @property {number} [memoryLimit] the largest number of bytes that each worker's instance uses; default: the limit of load()
 */

const NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<WorkerPoolOptions>} */ ({ workers: 1, worker: 1, memoryLimit: 1 }));

/** In messages. */
const NOUN = 'worker pool';
/** Jobs to send to a worker at a time, so that it never waits for the next one. */
export const JOBS_PER_WORKER = 2;
/** A larger number of workers is probably a mistake. */
const MAX_WORKERS = 64;
/** More workers are seldom faster, and each has memory of its own. */
const MAX_AUTOMATIC_WORKERS = 8;

/** Node 20 has no navigator. */
const countProcessorsOfNode = () => globalThis.process?.getBuiltinModule?.('node:os').availableParallelism() ?? 2;

/** The number of workers for 'auto': one processor is left to this thread. */
export function countWorkers() {
  const processors = globalThis.navigator?.hardwareConcurrency ?? countProcessorsOfNode();
  return Math.max(1, Math.min(processors - 1, MAX_AUTOMATIC_WORKERS));
}

/** @param {unknown} workers @param {number} min @returns {number} */
export function readWorkerCount(workers, min) {
  if (workers === 'auto') return countWorkers();
  if (typeof workers === 'number' && Number.isInteger(workers) && workers >= min && workers <= MAX_WORKERS) return workers;
  throw invalidArgument('workers', `is ${describe(workers)}: must be 'auto' or a whole number, ${min} to ${MAX_WORKERS}`,
    workers);
}

/** @param {unknown} workers undefined: none @returns {asserts workers is WorkerPool | undefined} */
export function requirePool(workers) {
  if (workers === undefined || (workers instanceof WorkerPool && WorkerPool.isOwn(workers))) return;
  throw invalidArgument('workers', `must be a WorkerPool from createWorkerPool, not ${describe(workers)}. Reuse it in all updates`, workers);
}

/**
 * Workers for several bakes. They start with the first bake, or with ready(). Idle workers don't keep a Node process alive. The
 * next bake replaces a worker that died. Bakes can use a pool at the same time.
 */
export class WorkerPool extends FreeOnce {
  #source;
  /** @type {import('./messages.js').LoadMessage} */
  #load;
  /** @type {(Promise<WorkerThread> | undefined)[]} */
  #threads;

  /** @internal Use Walkmesh.createWorkerPool(). @param {WebAssembly.Module} module @param {WorkerPoolOptions} [options] */
  constructor(module, { workers = 'auto', worker, memoryLimit } = {}) {
    super(NOUN, () => this.#end());
    requireMemoryLimit(memoryLimit);
    if (worker !== undefined && typeof worker !== 'string' && typeof worker !== 'function' && !(worker instanceof URL)) {
      throw invalidArgument('worker', `must be a URL, a string or a function, not ${describe(worker)}`, worker);
    }
    this.#threads = new Array(readWorkerCount(workers, 1)).fill(undefined);
    this.#source = worker;
    this.#load = { type: 'load', module, memoryLimit };
  }

  /** The number of workers. */
  get size() {
    return this.#threads.length;
  }

  /**
   * The worker with a number, started if it is new or died.
   * @internal @param {number} index @returns {Promise<WorkerThread>}
   */
  async thread(index) {
    this.checkUsable();
    const started = this.#threads[index];
    if (started) {
      const thread = await started.catch(() => undefined);
      this.checkUsable();
      if (thread && !thread.isDead) return thread;
      // Another call may have started it meanwhile.
      if (this.#threads[index] !== started) return this.thread(index);
    }
    const starting = WorkerThread.start(this.#source, this.#load);
    this.#threads[index] = starting;
    const thread = await starting;
    if (this.isFreed) {
      thread.close(freedError(NOUN));
      this.checkUsable();
    }
    return thread;
  }

  /** Starts all workers now, so that the first bake need not wait. @returns {Promise<void>} */
  async ready() {
    this.checkUsable();
    await Promise.all(this.#threads.map(async (_, index) => (await this.thread(index)).ask({ type: 'memory' })));
  }

  /**
   * The memory of the started workers, an entry each, as Walkmesh.memory().
   * @returns {Promise<import('./messages.js').MemoryUse[]>}
   */
  async memory() {
    this.checkUsable();
    const threads = (await Promise.all(this.#threads.map((starting) => starting?.catch(() => undefined))))
      .filter((thread) => thread !== undefined && !thread.isDead);
    return Promise.all(threads.map((thread) => /** @type {WorkerThread} */ (thread).ask({ type: 'memory' })));
  }

  /** Terminates the workers immediately; their bakes fail. */
  #end() {
    for (const starting of this.#threads) {
      starting?.then((thread) => thread.close(freedError(NOUN)), () => {});
    }
    this.#threads.fill(undefined);
  }
}

/** @param {import('../runtime/instance.js').Owner} owner @param {WorkerPoolOptions} options */
export function createWorkerPool({ module, memoryLimit }, options) {
  return new WorkerPool(module, { memoryLimit, ...requireOptions(options, NAMES) });
}
