/**
 * The worker: bakes tiles for a WorkerPool, in a browser or in Node. It has an instance of the module of its own.
 *
 * This is the entry `walkmesh/worker`, for bundlers that have to be told where workers lie; it exports nothing. What comes
 * and goes: messages.js.
 */
import { bakeTileByStages } from '../bake/bake-report.js';
import { Baker } from '../bake/bake.js';
import { WorkerMesh } from '../dynamic/worker-mesh.js';
import { NavError } from '../runtime/errors.js';
import { Session } from '../runtime/session.js';
import { Slices, nextTurn } from '../runtime/slices.js';
import { packError } from './messages.js';

/** @typedef {import('../loader.js').WasmExports} WasmExports */
/** @typedef {import('./messages.js').ArrayMessage} ArrayMessage */
/** @typedef {import('./messages.js').GeometryArray} GeometryArray */
/** @typedef {import('./messages.js').LoadMessage} LoadMessage */
/** @typedef {import('./messages.js').Request} Request */

/** How long messages may wait while a tile is baked, but for the length of a stage. */
const SLICE_MILLISECONDS = 20;

/**
 * @typedef {object} Bake
 * @property {Record<string, GeometryArray>} arrays those sent so far
 * @property {NavError} [failure] of sending them
 * @property {Baker} [baker]
 * @property {boolean} isCancelled
 * @property {boolean} isSpent whether something failed, which may have left much memory
 */

/** @type {Map<number, Bake>} */
const bakes = new Map();
/** Of dynamic meshes. @type {Map<number, WorkerMesh>} */
const helpers = new Map();
/** @type {LoadMessage | undefined} */
let loaded;
/** @type {Promise<Session> | undefined} */
let session;

/** The module's instance, made when it is needed. */
function useSession() {
  session ??= (async () => {
    if (!loaded) throw new NavError('state', 'the worker was sent no module');
    const { exports } = await WebAssembly.instantiate(loaded.module);
    const wasm = /** @type {WasmExports} */ (/** @type {unknown} */ (exports));
    wasm._initialize();
    return new Session(wasm, loaded.memoryLimit);
  })();
  return session;
}

/** @param {number} id */
function useBake(id) {
  let bake = bakes.get(id);
  if (!bake) {
    bake = { arrays: {}, isCancelled: false, isSpent: false };
    bakes.set(id, bake);
  }
  return bake;
}

/** A bake that has begun. @param {number} id */
function useBaker(id) {
  const bake = bakes.get(id);
  const baker = bake?.baker;
  if (!bake || !baker) throw new NavError('state', 'the bake has not begun in this worker');
  return { bake, baker };
}

/** @param {Bake} bake */
function checkCancelled({ isCancelled }) {
  if (isCancelled) throw new NavError('cancelled', 'the bake was cancelled');
}

/** @param {ArrayMessage} message */
function takePiece({ bake, name, length, offset, piece }) {
  const owner = useBake(bake);
  if (owner.failure) return;
  const { arrays } = owner;
  try {
    const Type = /** @type {new (length: number) => GeometryArray} */ (piece.constructor);
    arrays[name] ??= piece.length === length ? piece : new Type(length);
    if (arrays[name] !== piece) arrays[name].set(piece, offset);
  } catch (cause) {
    owner.arrays = {};
    owner.failure = new NavError('out-of-memory', `there is no memory for ${name} in a worker`, { field: name, cause });
  }
}

/** @type {{ [T in Request['type']]: (request: Extract<Request, { type: T }>, tell: (stage: string) => void) => Promise<unknown> }} */
const handlers = {
  async begin({ bake: id, geometry, config }) {
    const bake = useBake(id);
    checkCancelled(bake);
    if (bake.failure) throw bake.failure;
    const owner = await useSession();
    const baker = new Baker(owner, /** @type {any} */ ({ ...geometry, ...bake.arrays }), config);
    bake.baker = baker;
    bake.arrays = {};
    return { config: baker.config, voxels: baker.voxels, warningBits: baker.warningBits };
  },

  async hash({ bake: id, x, z }) {
    const { bake, baker } = useBaker(id);
    checkCancelled(bake);
    return baker.hashTile(x, z);
  },

  async tile({ bake: id, x, z, tellStages, keeps }, tell) {
    const { bake, baker } = useBaker(id);
    // Lets a `cancel` in that waits behind this request.
    await nextTurn();
    const slices = new Slices(SLICE_MILLISECONDS);
    const stages = bakeTileByStages(baker, x, z, keeps);
    for (;;) {
      checkCancelled(bake);
      const { done, value } = stages.next();
      if (done) return value;
      if (tellStages) tell(value);
      await slices.restIfOver();
    }
  },

  async end({ bake: id }) {
    const bake = bakes.get(id);
    bakes.delete(id);
    const owner = await useSession();
    const { peakBytes } = owner.memory(true);
    bake?.baker?.free();
    // After a failure or an abort memory may be left large: a new instance costs less than that.
    if ((bake?.isSpent || bake?.isCancelled) && bakes.size === 0 && helpers.size === 0) session = undefined;
    return { ...owner.memory(), peakBytes };
  },

  async dynamic({ dynamic, helper }) {
    helpers.get(dynamic)?.free();
    helpers.delete(dynamic);
    helpers.set(dynamic, new WorkerMesh(await useSession(), helper));
  },

  async build(job) {
    const helper = helpers.get(job.dynamic);
    if (!helper) throw new NavError('state', 'this dynamic mesh is not known to the worker');
    try {
      return { bytes: helper.build(job) };
    } catch (error) {
      // It may have used up the memory: it is made anew when it is needed.
      helper.free();
      helpers.delete(job.dynamic);
      throw error;
    }
  },

  async release({ dynamic }) {
    const helper = helpers.get(dynamic);
    helper?.free();
    helpers.delete(dynamic);
  },

  async memory() {
    return (await useSession()).memory();
  },
};

/** @param {any} result */
const transferables = (result) => [result?.bytes, result?.kept].flatMap((bytes) => (bytes instanceof Uint8Array ? [bytes.buffer] : []));

/** Listens and answers. @param {{ postMessage: (message: unknown, transfer: any[]) => void }} port */
function serve(port) {
  /** Work waits for the work before it. @type {Promise<void>} */
  let last = Promise.resolve();
  const answer = async (/** @type {any} */ request) => {
    const { id, type } = request;
    try {
      const result = await /** @type {any} */ (handlers)[type](request, (/** @type {string} */ stage) => port.postMessage({ id, stage }, []));
      port.postMessage({ id, result }, transferables(result));
    } catch (error) {
      const bake = bakes.get(request.bake);
      if (bake) bake.isSpent = true;
      port.postMessage({ id, error: packError(error) }, []);
    }
  };
  return (/** @type {any} */ message) => {
    switch (message.type) {
      case 'load': loaded = message; break;
      case 'array': takePiece(message); break;
      case 'cancel': useBake(message.bake).isCancelled = true; break;
      default: last = last.then(() => answer(message));
    }
  };
}

const { WorkerGlobalScope } = /** @type {any} */ (globalThis);
if (typeof WorkerGlobalScope === 'function' && globalThis instanceof WorkerGlobalScope) {
  const scope = /** @type {any} */ (globalThis);
  const receive = serve(scope);
  scope.onmessage = (/** @type {MessageEvent} */ event) => receive(event.data);
} else {
  const listen = (/** @type {any} */ { parentPort }) => parentPort.on('message', serve(parentPort));
  const name = 'node:worker_threads';
  // At once where that can be, so that scripts that import this one may listen as well.
  const threads = process.getBuiltinModule?.(name);
  if (threads) listen(threads);
  else import(/* @vite-ignore */ /* webpackIgnore: true */ name).then(listen);
}
