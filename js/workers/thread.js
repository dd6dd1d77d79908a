/** WorkerThread: a worker of a pool, the requests to it and their answers. */
import { NavError } from '../runtime/errors.js';
import { isAnswerTo, unpackError } from './messages.js';
import { WorkerPort } from './port.js';

/** @typedef {import('./messages.js').Answer} Answer */
/** @typedef {import('./messages.js').LoadMessage} LoadMessage */
/** @typedef {import('./messages.js').Request} Request */
/** @typedef {import('./port.js').WorkerSource} WorkerSource */

/**
 * A request that has no answer yet.
 * @typedef {object} Pending
 * @property {Request['type']} type
 * @property {string} user of the request
 * @property {(stage: any) => void} [onStage]
 * @property {(result: any) => void} resolve
 * @property {(error: unknown) => void} reject
 */

/** Requests after which their user has something in the worker, and those after which it no longer has. */
const [OPENING, CLOSING] = [['begin', 'linker', 'dynamic'], ['end', 'release']];

/** Requests with a level or a configuration, in which the caller may have put what can't be sent. */
const LEVELS = ['begin', 'linker'];

const DYNAMIC = 'dynamic ';

/** The bake or dynamic mesh that a request belongs to; '': none. @param {Request} request */
const userOf = (request) => ('bake' in request ? `bake ${request.bake}` : 'dynamic' in request ? DYNAMIC + request.dynamic : '');

export class WorkerThread {
  /** @type {WorkerPort | undefined} */
  #port;
  /** In the order in which the worker handles them. @type {Map<number, Pending>} */
  #pending = new Map();
  /** Bakes and dynamic meshes that have something in the worker, also while no request runs. @type {Set<string>} */
  #users = new Set();
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

  /** Messages that are no answers, and second answers, are ignored. @param {Answer} answer */
  #receive(answer) {
    const id = answer?.id;
    const call = this.#pending.get(id);
    if (!call) return;
    const { stage, error, result } = answer;
    if (stage !== undefined) {
      call.onStage?.(stage);
      return;
    }
    if (!isAnswerTo(call.type, answer)) {
      this.close(new NavError('worker', `a worker sent an answer to \`${call.type}\` that is none: is its script walkmesh/worker of this version?`));
      return;
    }
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#port?.keepAlive(false);
    // A worker frees a worker mesh when a request for it fails.
    if (error && call.user.startsWith(DYNAMIC)) this.#users.delete(call.user);
    if (error) call.reject(unpackError(error));
    else call.resolve(result);
  }

  /** @param {string} reason */
  #die(reason) {
    this.#end(new NavError('worker', `the worker died: ${reason}`));
  }

  /** @param {NavError} reason of the requests that wait @param {NavError} [death] reason of later requests */
  #end(reason, death = reason) {
    this.#death = death;
    const calls = [...this.#pending.values()];
    this.#pending.clear();
    // The first one, at which the worker died, fails first.
    for (const { reject } of calls) reject(reason);
  }

  /** Sends a message that has no answer. @param {import('./messages.js').ArrayMessage | import('./messages.js').CancelMessage} message @param {any[]} [transfer] */
  tell(message, transfer) {
    if (!this.#death) this.#port?.post(message, transfer);
  }

  /** @param {Request} request @param {(stage: any) => void} [onStage] @param {any[]} [transfer] @returns {Promise<any>} */
  ask(request, onStage, transfer) {
    return new Promise((resolve, reject) => {
      if (this.#death) throw this.#death;
      const id = ++this.#lastId;
      try {
        this.#port?.post({ id, ...request }, transfer);
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        if (!LEVELS.includes(request.type)) throw new NavError('worker', `the request \`${request.type}\` cannot be sent to a worker: ${reason}`, { cause });
        throw new NavError('invalid-argument', `the geometry or the configuration cannot be sent to a worker: ${reason}`, { cause });
      }
      if (this.#pending.size === 0) this.#port?.keepAlive(true);
      const user = userOf(request);
      if (OPENING.includes(request.type)) this.#users.add(user);
      if (CLOSING.includes(request.type)) this.#users.delete(user);
      this.#pending.set(id, { type: request.type, user, onStage, resolve, reject });
    });
  }

  /** Terminates the worker immediately, if nothing else uses it: no request, and no bake or dynamic mesh between two requests. @param {number} bake */
  closeIfOnlyFor(bake) {
    const user = userOf({ type: 'end', bake });
    const users = [...this.#users, ...Array.from(this.#pending.values(), (call) => call.user)];
    if (!users.every((other) => other === user)) return;
    this.close(new NavError('cancelled', 'the bake was cancelled'), new NavError('worker', 'the worker was terminated with a bake that was cancelled'));
  }

  /** Terminates the worker immediately. Its requests fail. @param {NavError} reason @param {NavError} [death] reason of later requests */
  close(reason, death) {
    if (this.#death) return;
    this.#port?.close();
    this.#end(reason, death);
  }
}
