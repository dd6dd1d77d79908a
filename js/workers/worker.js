/**
 * The worker script: bakes tiles for a WorkerPool, in a browser or in Node, with its own instance of the module.
 *
 * This is the entry `walkmesh/worker`, for bundlers that need the address of the worker script. It exports nothing. Its messages:
 * messages.js.
 */
import { bakeTileByStages, keepAirByStages } from '../bake/bake-tile.js';
import { Baker } from '../bake/baker.js';
import { HeldTiles } from '../bake/links/held-tiles.js';
import { WorkerMesh } from '../dynamic/worker-mesh.js';
import { buildGraphBytes } from '../query/graph-bytes.js';
import { NavError } from '../runtime/errors.js';
import { instantiateFrom } from '../runtime/instantiate.js';
import { Session } from '../runtime/session.js';
import { TimeSlices, nextTurn } from '../runtime/time-slices.js';
import { GREETING, packError } from './messages.js';

/** @typedef {import('./messages.js').ArrayMessage} ArrayMessage */
/** @typedef {import('./messages.js').GeometryArray} GeometryArray */
/** @typedef {import('./messages.js').LoadMessage} LoadMessage */
/** @typedef {import('./messages.js').Request} Request */

/** While a tile is baked, the worker reads its messages this often, or after each stage if that takes longer. */
const SLICE_MILLISECONDS = 20;

/**
 * @typedef {object} Bake
 * @property {Record<string, GeometryArray>} arrays the arrays received until now
 * @property {NavError} [failure] of receiving them
 * @property {Baker} [baker]
 * @property {HeldTiles} [held] tiles whose links are made in the workers
 * @property {boolean} isCancelled
 * @property {boolean} isSpent true after a failure, which may leave much memory allocated
 */

/** @type {Map<number, Bake>} */
const bakes = new Map();
/** Of dynamic meshes. @type {Map<number, WorkerMesh>} */
const helpers = new Map();
/** @type {LoadMessage | undefined} */
let loaded;
/** @type {Promise<Session> | undefined} */
let session;

/** Makes an instance of the module. */
async function openSession() {
  if (!loaded) throw new NavError('state', 'the worker has no module: `load` must be its first message');
  const { module, memoryLimit } = loaded;
  const { wasm } = await instantiateFrom({ simd: true, wasm: module }, () => { throw new NavError('state', 'the worker has no module'); });
  return new Session(wasm, memoryLimit);
}

/** The instance of the module, made at the first call, and at the next one if that failed. */
function useSession() {
  if (!session) {
    const opening = openSession();
    session = opening;
    opening.catch(() => { if (session === opening) session = undefined; });
  }
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

/** The bake with a number; throws if it has not begun. @param {number} id */
function useBaker(id) {
  const bake = bakes.get(id);
  const baker = bake?.baker;
  if (!bake || !baker) throw new NavError('state', 'the bake has not begun in this worker');
  return { bake, baker };
}

/** The tiles that the worker holds for a bake; throws if it can't hold any. @param {number} id */
function useHeld(id) {
  const bake = bakes.get(id);
  if (bake?.baker?.config.links) bake.held ??= HeldTiles.ofBaker(bake.baker);
  if (!bake?.held) throw new NavError('state', 'the bake holds no tiles in this worker');
  return { bake, held: bake.held };
}

/** @param {Bake} bake */
function checkCancelled({ isCancelled }) {
  if (isCancelled) throw new NavError('cancelled', 'cancelled by its page');
}

/**
 * Does work on each item of a request, in slices; reads messages between them.
 * @template T, R @param {Bake} bake @param {readonly T[]} items @param {(item: T) => R} work @returns {Promise<R[]>}
 */
async function doEach(bake, items, work) {
  const results = [], slices = new TimeSlices(SLICE_MILLISECONDS);
  for (const item of items) {
    await slices.restIfOver();
    checkCancelled(bake);
    results.push(work(item));
  }
  return results;
}

/** @param {ArrayMessage} message */
function receiveChunk({ bake, name, length, offset, chunk }) {
  const owner = useBake(bake);
  if (owner.failure) return;
  const { arrays } = owner;
  try {
    const Type = /** @type {new (length: number) => GeometryArray} */ (chunk.constructor);
    arrays[name] ??= chunk.length === length ? chunk : new Type(length);
    if (arrays[name] !== chunk) arrays[name].set(chunk, offset);
  } catch (cause) {
    owner.arrays = {};
    owner.failure = new NavError('out-of-memory', `out of memory for ${name} in a worker`, { field: name, cause });
  }
}

/**
 * Runs the stages of a tile; reads messages between them.
 * @template T @param {Bake} bake @param {Generator<string, T, void>} stages @param {(stage: string) => void} [tell] @returns {Promise<T>}
 */
async function runStages(bake, stages, tell) {
  // A `cancel` may be waiting behind this request.
  await nextTurn();
  const slices = new TimeSlices(SLICE_MILLISECONDS);
  for (;;) {
    checkCancelled(bake);
    const { done, value } = stages.next();
    if (done) return value;
    tell?.(value);
    await slices.restIfOver();
  }
}

/** @type {{ [T in Request['type']]: (request: Extract<Request, { type: T }>, tell: (stage: string) => void) => Promise<unknown> }} */
const handlers = {
  async begin({ bake: id, geometry, config, holdsTiles }) {
    const bake = useBake(id);
    checkCancelled(bake);
    if (bake.failure) throw bake.failure;
    const owner = await useSession();
    const baker = new Baker(owner, /** @type {any} */ ({ ...geometry, ...bake.arrays }), config);
    bake.baker = baker;
    bake.arrays = {};
    if (holdsTiles && baker.config.links) bake.held = HeldTiles.ofBaker(baker);
    return { config: baker.config, voxels: baker.voxels, warningBits: baker.warningBits, zeroAreaTriangles: baker.zeroAreaTriangles };
  },

  async linker({ bake: id, ...message }) {
    const bake = useBake(id);
    checkCancelled(bake);
    bake.held = HeldTiles.ofGrid(await useSession(), message);
  },

  async hash({ bake: id, x, z }) {
    const { bake, baker } = useBaker(id);
    checkCancelled(bake);
    return baker.hashTile(x, z);
  },

  async tile({ bake: id, x, z, tellStages, keeps, returnsAir }, tell) {
    const { bake, baker } = useBaker(id), { held } = bake;
    const stages = bakeTileByStages(baker, x, z, { keeps, taker: held, returnsAir: returnsAir || !held });
    const tile = await runStages(bake, stages, tellStages ? tell : undefined);
    if (tile.bytes) held?.addTile(tile.bytes);
    return tile;
  },

  async air({ bake: id, x, z }) {
    const { bake, baker } = useBaker(id);
    return { bytes: await runStages(bake, keepAirByStages(baker, x, z)) };
  },

  async airs({ bake: id, places }) {
    const { bake, held } = useHeld(id);
    return { airs: await doEach(bake, places, ({ x, z }) => held.copyAir(x, z)) };
  },

  async give({ bake: id, tiles }) {
    const { bake, held } = useHeld(id);
    await doEach(bake, tiles, (tile) => held.receive(tile));
  },

  async links({ bake: id, places, refused }) {
    const { bake, held } = useHeld(id);
    // A `cancel` may be waiting behind this request.
    await nextTurn();
    return { tiles: await doEach(bake, places, ({ x, z }) => held.link(x, z, refused)) };
  },

  async end({ bake: id }) {
    const bake = bakes.get(id);
    bakes.delete(id);
    // The bake failed before there was an instance, or while it was made.
    const owner = await session?.catch(() => undefined);
    if (!owner) return { bytes: 0, peakBytes: 0, wasmBytes: 0 };
    const { peakBytes } = owner.memory(true);
    bake?.held?.free();
    bake?.baker?.free();
    // A failure or an abort may leave much memory allocated; a new instance costs less.
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
    if (!helper) throw new NavError('state', 'the worker does not have this dynamic mesh');
    try {
      return { bytes: helper.build(job) };
    } catch (error) {
      // It may have used up the memory. The page sends a new one when it needs it.
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

  async graph(input) {
    return { bytes: buildGraphBytes(await useSession(), input) };
  },

  async memory() {
    return (await useSession()).memory();
  },
};

/** @param {any} result */
const transferables = (result) => [result?.bytes, result?.kept, result?.air, ...result?.airs ?? []].flatMap((bytes) => (bytes instanceof Uint8Array ? [bytes.buffer] : []));

/** Handles messages. @param {{ postMessage: (message: unknown, transfer: any[]) => void }} port */
function serve(port) {
  /** Resolves when the last request is handled. @type {Promise<void>} */
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
      case 'array': receiveChunk(message); break;
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
  scope.postMessage(GREETING);
} else {
  const listen = (/** @type {any} */ { parentPort }) => {
    parentPort.on('message', serve(parentPort));
    parentPort.postMessage(GREETING); // Bun has the Worker of browsers, but runs this branch
  };
  const name = 'node:worker_threads';
  // Synchronously if possible, so that scripts that import this one can listen too.
  const threads = globalThis.process.getBuiltinModule?.(name);
  if (threads) listen(threads);
  else import(/* @vite-ignore */ /* webpackIgnore: true */ name).then(listen);
}
