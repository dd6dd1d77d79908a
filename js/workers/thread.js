/** WorkerThread: a worker of a pool, the requests to it and their answers. */
import { NavError } from '../runtime/errors.js';
import { unpackError } from './messages.js';
import { WorkerPort } from './port.js';

/** @typedef {import('./messages.js').Answer} Answer */
/** @typedef {import('./messages.js').LoadMessage} LoadMessage */
/** @typedef {import('./messages.js').Request} Request */
/** @typedef {import('./port.js').WorkerSource} WorkerSource */

/**
 * A request that has no answer yet.
 * @typedef {object} Pending
 * @property {number} [bake] number of its bake
 * @property {(stage: any) => void} [onStage]
 * @property {(result: any) => void} resolve
 * @property {(error: unknown) => void} reject
 */

export class WorkerThread {
  /** @type {WorkerPort | undefined} */
  #port;
  /** In the order in which the worker handles them. @type {Map<number, Pending>} */
  #pending = new Map();
  #lastId = 0;
  /** @type {NavError | undefined} */
  #death;

  /** Starts a worker. @param {WorkerSource | undefined} source @param {LoadMessage} load */
  static async start(source, load) {
    const thread = new WorkerThread();
    thread.#port = await WorkerPort.open(source, {
      onMessage: (answer) => thread.#receive(answer),
      onDeath: (reason) => thread.#die(reason),
    });
    thread.#port.post(load);
    return thread;
  }

  get isDead() {
    return this.#death !== undefined;
  }

  /** @param {Answer} answer */
  #receive({ id, stage, error, result }) {
    const call = this.#pending.get(id);
    if (!call) return;
    if (stage !== undefined) {
      call.onStage?.(stage);
      return;
    }
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#port?.keepAlive(false);
    if (error) call.reject(unpackError(error));
    else call.resolve(result);
  }

  /** @param {string} reason */
  #die(reason) {
    this.#end(new NavError('worker', `the worker died: ${reason}`));
  }

  /** @param {NavError} reason */
  #end(reason) {
    this.#death = reason;
    const calls = [...this.#pending.values()];
    this.#pending.clear();
    // The first one, at which the worker died, fails first.
    for (const { reject } of calls) reject(reason);
  }

  /** Sends a message that has no answer. @param {import('./messages.js').ArrayMessage | import('./messages.js').CancelMessage} message @param {any[]} [transfer] */
  tell(message, transfer) {
    if (!this.#death) this.#port?.post(message, transfer);
  }

  /** @param {Request} request @param {(stage: any) => void} [onStage] @returns {Promise<any>} */
  ask(request, onStage) {
    return new Promise((resolve, reject) => {
      if (this.#death) throw this.#death;
      const id = ++this.#lastId;
      try {
        this.#port?.post({ id, ...request });
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new NavError('invalid-argument', `the geometry or the configuration cannot be sent to a worker: ${reason}`, { cause });
      }
      if (this.#pending.size === 0) this.#port?.keepAlive(true);
      this.#pending.set(id, { bake: 'bake' in request ? request.bake : undefined, onStage, resolve, reject });
    });
  }

  /** Terminates the worker immediately, if it works for this bake only. @param {number} bake */
  closeIfOnlyFor(bake) {
    const isShared = [...this.#pending.values()].some((call) => call.bake !== bake);
    if (!isShared) this.close(new NavError('cancelled', 'the bake was cancelled'));
  }

  /** Terminates the worker immediately. Its requests fail. @param {NavError} reason */
  close(reason) {
    if (this.#death) return;
    this.#port?.close();
    this.#end(reason);
  }
}
