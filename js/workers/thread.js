/** One worker of a pool, from its start to its end: questions to it, and their answers. */
import { NavError } from '../errors.js';
import { unpackError } from './messages.js';
import { WorkerPort } from './port.js';

/** @typedef {import('./messages.js').Answer} Answer */
/** @typedef {import('./messages.js').LoadMessage} LoadMessage */
/** @typedef {import('./messages.js').Request} Request */
/** @typedef {import('./port.js').WorkerSource} WorkerSource */

/**
 * @typedef {object} Call
 * @property {string} [about] what errors say before their message: `tile 3, 4`
 * @property {(stage: any) => void} [onStage]
 */

/** @typedef {Call & { bake?: number, resolve: (result: any) => void, reject: (error: unknown) => void }} Pending */

export class WorkerThread {
  /** @type {WorkerPort | undefined} */
  #port;
  /** In the order in which the worker does them. @type {Map<number, Pending>} */
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
    if (error) call.reject(unpackError(error, call.about));
    else call.resolve(result);
  }

  /** @param {string} reason */
  #die(reason) {
    this.#death = new NavError('worker', `the worker died: ${reason}`);
    const calls = [...this.#pending.values()];
    this.#pending.clear();
    // The first is what it was at.
    for (const { about, reject } of calls) reject(unpackError(this.#death, about));
  }

  /** Sends what has no answer. @param {import('./messages.js').ArrayMessage | import('./messages.js').CancelMessage} message @param {any[]} [transfer] */
  tell(message, transfer) {
    if (!this.#death) this.#port?.post(message, transfer);
  }

  /** @param {Request} request @param {Call} [call] @returns {Promise<any>} */
  ask(request, call = {}) {
    return new Promise((resolve, reject) => {
      if (this.#death) throw unpackError(this.#death, call.about);
      const id = ++this.#lastId;
      this.#port?.post({ id, ...request });
      if (this.#pending.size === 0) this.#port?.keepAlive(true);
      this.#pending.set(id, { ...call, bake: 'bake' in request ? request.bake : undefined, resolve, reject });
    });
  }

  /** Ends the worker at once where it works for this bake only. @param {number} bake */
  closeIfOnlyFor(bake) {
    const isShared = [...this.#pending.values()].some((call) => call.bake !== bake);
    if (!isShared) this.close(new NavError('cancelled', 'the bake was cancelled'));
  }

  /** Ends the worker at once. What was asked fails. @param {NavError} reason */
  close(reason) {
    if (this.#death) return;
    this.#death = reason;
    this.#port?.close();
    const calls = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of calls) reject(reason);
  }
}
