/**
 * Adds and removes tiles around points: tiles nearer than an inner radius are fetched and added to the mesh, tiles farther than an
 * outer radius are removed. Tiles in between don't change, so that none is added and removed repeatedly.
 */
import { requireCount, requireOptions, requireSignal } from '../runtime/arguments.js';
import { viewBytes } from '../runtime/bytes.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { FreeOnce, freedError } from '../runtime/free-once.js';
import { DYNAMIC, NAV_MESH } from '../runtime/handle-kinds.js';
import { HandleOwner } from '../runtime/handle.js';
import { MeshSink } from '../mesh/tile-sink.js';
import { nameSet } from '../runtime/option-names.js';
import { throwIfAborted, untilAborted } from '../runtime/time-slices.js';

/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/bytes.js').Bytes} Bytes */
/** @typedef {import('../dynamic/dynamic-nav-mesh.js').DynamicNavMesh} DynamicNavMesh */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../mesh/tile-sink.js').TileSink} TileSink */

/**
 * For a DynamicNavMesh: bytes from keptTile, and optionally the tile without obstacles, null if it then has no polygons: with it the
 * tile isn't built when it is added.
 * @typedef {{ kept: Uint8Array, tile?: Uint8Array | null }} KeptTile
 */

/**
 * The contents of a tile place: the bytes of its tile in Detour's format, of several layers, or nothing. For a DynamicNavMesh: bytes
 * from keptTile, or a KeptTile.
 * @typedef {Uint8Array | readonly Uint8Array[] | KeptTile | null | undefined} PlaceBytes
 */

/** PlaceBytes, in any views. @typedef {Bytes | readonly Bytes[] | { kept: Bytes, tile?: Bytes | null } | null | undefined} GivenBytes */

/**
 * A tile source: a Map by `x,z`, or a function that may return a promise. The signal is aborted when the tile isn't needed any more.
 * @typedef {ReadonlyMap<string, GivenBytes>
 *   | ((x: number, z: number, options: { signal: AbortSignal }) => GivenBytes | Promise<GivenBytes>)} StreamSource
 */

/**
 * A point around which tiles are needed.
 * @typedef {object} Invoker
 * @property {Point} position y is ignored
 * @property {number} [innerRadius] world units; default that of the streamer
 * @property {number} [outerRadius] world units; default that of the streamer
 */

/**
 * @typedef {object} StreamerOptions
 * @property {number} innerRadius world units, from an invoker to the nearest point of a tile: nearer tiles are added. It
 *   reaches at most 262,144 tile places
 * @property {number} outerRadius world units: farther tiles are removed; at least the inner radius
 * @property {number} [requests] tile places that are requested at the same time; default 4
 * @property {boolean} [inOrder] true: no tile is added before a nearer one that is still requested, so that the mesh doesn't depend
 *   on the order of the results; default false
 * @property {number} [retrySeconds] before a tile place that failed is requested again, doubled each time up to a minute; default 1
 * @property {(error: unknown, place: { x: number, z: number, attempt: number }) => void} [onError] is called for every failure;
 *   other tiles continue. Without it, load() fails with the first one, and in development the first is reported with console.warn
 */

/**
 * @typedef {object} LoadOptions
 * @property {AbortSignal} [signal] ends the wait with a NavError `cancelled`; requests go on
 */

/**
 * @typedef {object} StreamOptions
 * @property {number} [tiles] tile places that may be added or removed; default no limit
 * @property {number} [milliseconds] checked between tiles: the last one may end later. Above 0, at least one is added or removed; 0: none; default no
 *   limit
 * @property {number} [deltaTime] seconds since the last update, for retries; default the time since then
 */

/**
 * @typedef {object} StreamUpdate
 * @property {{ x: number, z: number }[]} added tile places whose tiles were added, in this order
 * @property {{ x: number, z: number }[]} removed tile places whose tiles were removed
 * @property {number} waiting tile places that are needed but not in the mesh: not requested yet, requested, or failed
 */

/** @template T @typedef {import('../runtime/option-names.js').Names<T>} Names */
const STREAMER_NAMES = nameSet(/** @satisfies {Names<StreamerOptions>} */ (
  { innerRadius: 1, outerRadius: 1, requests: 1, inOrder: 1, retrySeconds: 1, onError: 1 }));
const UPDATE_NAMES = nameSet(/** @satisfies {Names<StreamOptions>} */ ({ tiles: 1, milliseconds: 1, deltaTime: 1 }));
const LOAD_NAMES = nameSet(/** @satisfies {Names<LoadOptions>} */ ({ signal: 1 }));
const INVOKER_NAMES = nameSet(/** @satisfies {Names<Invoker>} */ ({ position: 1, innerRadius: 1, outerRadius: 1 }));
const MOST_RETRY_SECONDS = 60;
/** Largest number of tile places within an inner radius. */
const MOST_PLACES = 1 << 18;
/** How often a wait looks whether the mesh is still there. */
const LOOK_MILLISECONDS = 200;
/** Longest waiting time that a server may demand. */
const MOST_ASKED_SECONDS = 3600;

/**
 * A tile place that is in the mesh, requested, or failed.
 * @typedef {object} Place
 * @property {number} x @property {number} z
 * @property {'loading' | 'arrived' | 'in' | 'failed'} state
 * @property {readonly (Uint8Array | KeptTile)[]} bytes of a tile that has arrived
 * @property {AbortController} [controller] of a running request
 * @property {number} attempt @property {number} retryAt
 * @property {unknown} [error] of the last failure
 * @property {number} distance to the nearest invoker, squared
 */

/** @param {unknown} value @param {string} field @returns {number} */
function requireRadius(value, field) {
  if (typeof value === 'number' && value >= 0 && value <= 1e8) return value;
  throw invalidArgument(field, `is ${describe(value)}: must be world units, 0 to 1e8`, value);
}

/** @param {any} value @param {string} field */
function requireXz(value, field) {
  const first = value?.x, [x, z] = typeof first === 'number' ? [first, value.z] : [value?.[0], value?.[2]];
  if (Number.isFinite(x) && Number.isFinite(z)) return { x, z };
  throw invalidArgument(field, `must be a point, [x, y, z] or { x, y, z }, not ${describe(value)}`, value);
}

/** @param {number} inner @param {number} outer @param {string} field */
function requireOrder(inner, outer, field) {
  if (outer >= inner) return;
  throw invalidArgument(field, `is ${outer}: must be at least the inner radius, ${inner}`, outer);
}

/** @param {number} x @param {number} z */
const keyOf = (x, z) => `${x},${z}`;

/** Nearest first; equally near ones by z, then x. @param {Place} a @param {Place} b */
const byNearness = (a, b) => a.distance - b.distance || a.z - b.z || a.x - b.x;

/** A tile of a source in plain arrays, which sinks read. @param {any} given @returns {Uint8Array | KeptTile} */
function readGiven(given) {
  const bytes = viewBytes(given, 'source');
  if (bytes) return bytes;
  const { kept: givenKept, tile: givenTile } = Object(given);
  const kept = viewBytes(givenKept, 'source'), tile = givenTile === null ? null : viewBytes(givenTile, 'source');
  if (kept && (tile !== undefined || givenTile === undefined)) return { kept, tile };
  throw invalidArgument('source', `must return a Uint8Array, an array of them, { kept, tile } or null, not ${describe(given)}`, given);
}

/** @param {GivenBytes} given @returns {readonly (Uint8Array | KeptTile)[]} */
function listBytes(given) {
  if (given === null || given === undefined) return [];
  return Array.isArray(given) ? given.map(readGiven) : [readGiven(given)];
}

/** The seconds that a source wants to wait for the next request: `retrySeconds` of fetchSource's NavError. @param {any} error */
function readRetrySeconds(error) {
  const { retrySeconds } = Object(error);
  return typeof retrySeconds === 'number' && retrySeconds > 0 ? Math.min(retrySeconds, MOST_ASKED_SECONDS) : 0;
}

/** A function that makes the sink of a mesh: walkmesh/game has no dynamic meshes, which make their own. @param {NavMesh | DynamicNavMesh} target @returns {() => TileSink} */
function sinkMakerOf(target) {
  const kind = Object(target) === target && target instanceof HandleOwner && HandleOwner.isOwn(target) ? target.handle.kind : undefined;
  if (kind === NAV_MESH) return () => new MeshSink(/** @type {NavMesh} */ (target));
  if (kind === DYNAMIC) return () => /** @type {DynamicNavMesh} */ (target).tileSink();
  throw invalidArgument('target', `must be a NavMesh or a DynamicNavMesh, not ${describe(target)}`, target);
}

/**
 * Fetches tiles around invokers and adds them to a mesh. Call its update() in every frame; the mesh doesn't change in between.
 * One class, since its short methods share the state of all tile places.
 */
export class TileStreamer extends FreeOnce {
  /** @type {TileSink} */
  #sink;
  /** Of its mesh. */
  #streamed;
  #source;
  #inner;
  #outer;
  #requests;
  #inOrder;
  #retrySeconds;
  #onError;
  /** Only tile places within an outer radius: this bounds its size. @type {Map<string, Place>} */
  #places = new Map();
  /** @type {{ x: number, z: number, inner: number, outer: number }[]} */
  #invokers = [];
  #time = 0;
  #isUpdating = false;
  /** True in development, until the first failure was reported. */
  #mayWarn;
  #lastUpdate = performance.now();
  /** The functions of this streamer that a rebake calls. @type {import('../mesh/streamed-tiles.js').PlaceOwner} */
  #owner = {
    isLoaded: (x, z) => this.#places.get(keyOf(x, z))?.state === 'in',
    requestAgain: () => this.#requestAgain(),
    noteTiles: () => {
      for (const { x, z, state } of this.#places.values()) if (state === 'in') this.#sink.adopt(x, z);
    },
  };
  /** The error of a tile that another added, until load() throws it. @type {unknown} */
  #strangeError;
  /** Called when a request ends. @type {(() => void)[]} */
  #waiters = [];

  /**
   * @param {NavMesh | DynamicNavMesh} target receives the tiles; tiles that it already has count as added
   * @param {StreamSource} source @param {StreamerOptions} options
   */
  constructor(target, source, options) {
    super('tile streamer', () => this.#end());
    const makeSink = sinkMakerOf(target);
    if (typeof source !== 'function' && typeof (/** @type {any} */ (source)?.get) !== 'function') {
      throw invalidArgument('source', `must be a Map or a function, not ${describe(source)}`, source);
    }
    const { innerRadius, outerRadius, requests = 4, inOrder = false, retrySeconds = 1, onError } = requireOptions(options, STREAMER_NAMES);
    this.#inner = requireRadius(innerRadius, 'innerRadius');
    this.#outer = requireRadius(outerRadius, 'outerRadius');
    requireOrder(this.#inner, this.#outer, 'outerRadius');
    this.#requests = Math.max(1, requireCount(requests, 'requests', 1024));
    this.#inOrder = inOrder === true;
    this.#retrySeconds = requireRadius(retrySeconds, 'retrySeconds');
    if (onError !== undefined && typeof onError !== 'function') throw invalidArgument('onError', `must be a function, not ${describe(onError)}`, onError);
    this.#onError = onError;
    this.#source = source;
    this.#sink = makeSink();
    this.#mayWarn = target.session.leaks.warned !== undefined;
    for (const { x, z } of this.#sink.places()) this.#places.set(keyOf(x, z), this.#makePlace(x, z, 'in'));
    this.#streamed = this.#sink.navMesh.streamed;
    this.#streamed.owners.add(this.#owner);
  }

  /** @param {number} x @param {number} z @param {Place['state']} state @returns {Place} */
  #makePlace(x, z, state) {
    return { x, z, state, bytes: [], attempt: 0, retryAt: 0, distance: Infinity };
  }

  /**
   * Sets the points around which tiles are needed from the next update on: players, cameras.
   * @param {readonly (Invoker | Point)[]} invokers
   */
  setInvokers(invokers) {
    this.checkUsable();
    if (!Array.isArray(invokers)) throw invalidArgument('invokers', `must be an array, not ${describe(invokers)}`, invokers);
    this.#invokers = Array.from(invokers, (given, i) => { // a hole is an error: map would skip it
      const field = `invokers[${i}]`;
      if (typeof given !== 'object' || given === null) throw invalidArgument(field, `must be a point or an object, not ${describe(given)}`, given);
      const isPoint = Array.isArray(given) || ArrayBuffer.isView(given) || typeof given?.x === 'number';
      const { position, innerRadius = this.#inner, outerRadius = this.#outer } = isPoint ? { position: given }
        : requireOptions(given, INVOKER_NAMES);
      const inner = requireRadius(innerRadius, `${field}.innerRadius`), outer = requireRadius(outerRadius, `${field}.outerRadius`);
      requireOrder(inner, outer, `${field}.outerRadius`);
      const invoker = { ...requireXz(position, `${field}.position`), inner, outer };
      this.#requireFewPlaces(invoker, field);
      return invoker;
    });
  }

  /** Tiles of a mesh from a file may be of any size. @param {{ x: number, z: number, inner: number }} invoker @param {string} field */
  #requireFewPlaces(invoker, field) {
    const { firstX, lastX, firstZ, lastZ } = this.#findRange(invoker);
    const places = Math.max(0, lastX - firstX + 1) * Math.max(0, lastZ - firstZ + 1);
    if (places <= MOST_PLACES) return;
    const { width, depth } = this.#sink.grid;
    throw new NavError('limit', `${field}.innerRadius is ${invoker.inner}: it must reach at most ${MOST_PLACES} tile places, whose tiles are ${width} by ${depth}`,
      { field: `${field}.innerRadius`, value: invoker.inner });
  }

  /** The number of tile places that were added, including those without a tile. */
  get placeCount() {
    return [...this.#places.values()].filter(({ state }) => state === 'in').length;
  }

  /** The number of tile places in any state: the streamer's memory is proportional to it. */
  get knownCount() {
    return this.#places.size;
  }

  /**
   * Removes tiles that are too far away, adds tiles that have arrived, and requests tiles that are needed; nearest first.
   * @param {StreamOptions} [options]
   * @returns {StreamUpdate}
   */
  update(options = {}) {
    this.checkUsable();
    if (this.#isUpdating) throw new NavError('state', 'update was called by the source or by onError, which update calls: call it after that');
    this.#isUpdating = true;
    try {
      return this.#update(options);
    } finally {
      this.#isUpdating = false;
    }
  }

  /** @param {StreamOptions} options @returns {StreamUpdate} */
  #update(options) {
    const start = performance.now();
    const { tiles = Infinity, milliseconds = Infinity, deltaTime } = requireOptions(options, UPDATE_NAMES);
    let left = tiles === Infinity ? Infinity : requireCount(tiles, 'tiles', Number.MAX_SAFE_INTEGER);
    this.#time += deltaTime === undefined ? (start - this.#lastUpdate) / 1000 : requireRadius(deltaTime, 'deltaTime');
    this.#lastUpdate = start;
    const most = requireMilliseconds(milliseconds);
    let isFirst = most > 0;
    const mayGoOn = () => {
      const isAllowed = left-- > 0 && (isFirst || performance.now() - start < most);
      isFirst = false;
      return isAllowed;
    };
    const wanted = this.#findWanted();
    const removed = this.#removeFar(mayGoOn);
    const added = this.#insertArrived(mayGoOn);
    this.#request(wanted);
    if (added.length > 0 || removed.length > 0) this.#sink.refresh();
    this.checkUsable(); // the source and onError may have freed it
    return { added, removed, waiting: wanted.filter(({ x, z }) => this.#places.get(keyOf(x, z))?.state !== 'in').length };
  }

  /**
   * Updates until all tiles that are needed are in the mesh, or have failed. Without onError, a failure is thrown once the others are
   * there; the tile is requested again by later updates.
   * @param {LoadOptions} [options] @returns {Promise<void>}
   */
  async load(options = {}) {
    const { signal } = requireOptions(options, LOAD_NAMES);
    requireSignal(signal);
    for (;;) {
      throwIfAborted(signal);
      if (this.#sink.navMesh.isFreed) throw freedError('navigation mesh');
      const { added } = this.update();
      const { rebaking } = this.#streamed;
      if (rebaking) {
        await untilAborted(rebaking, signal);
        continue;
      }
      const states = [...this.#places.values()].map(({ state }) => state);
      // With inOrder, tiles that have arrived may wait for nearer ones that are still requested.
      if (states.includes('arrived') && (added.length > 0 || !states.includes('loading'))) continue;
      if (!states.includes('loading')) break;
      await untilAborted(this.#nextEnd(), signal);
    }
    const failed = this.#findWanted().find(({ state, attempt }) => state === 'failed' && attempt > 0); // others aren't needed any more
    const error = failed?.error ?? this.#strangeError;
    this.#strangeError = undefined;
    if (error && !this.#onError) throw error;
  }

  /** Resolves when a request ends, or after a while: a freed mesh ends no request. @returns {Promise<void>} */
  #nextEnd() {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiters = this.#waiters.filter((waiter) => waiter !== end);
        resolve();
      }, LOOK_MILLISECONDS);
      /** @type {{ unref?: () => void }} */ (/** @type {unknown} */ (timer)).unref?.(); // in Node it would keep the process running
      this.#waiters.push(end);
    });
  }

  /** Aborts running requests; tiles stay in the mesh. */
  #end() {
    for (const { controller } of this.#places.values()) controller?.abort();
    this.#places.clear();
    this.#streamed.owners.delete(this.#owner);
    this.#wake();
  }

  /** The level has changed: drops tiles of the former one that aren't in the mesh. The next update requests them. */
  #requestAgain() {
    for (const { x, z, state, controller } of this.#places.values()) {
      if (state === 'in') continue;
      controller?.abort();
      this.#places.delete(keyOf(x, z));
    }
    this.#wake();
  }

  #wake() {
    for (const wake of this.#waiters.splice(0)) wake();
  }

  // ---- Tiles that are needed -------------------------------------------------------------------------------

  /**
   * The square of the distance from a point to a tile, on x and z.
   * @param {{ x: number, z: number }} point @param {number} x @param {number} z
   */
  #distance(point, x, z) {
    const { originX, originZ, width, depth } = this.#sink.grid;
    const [low, near] = [originX + x * width, originZ + z * depth];
    const dx = Math.max(low - point.x, 0, point.x - low - width), dz = Math.max(near - point.z, 0, point.z - near - depth);
    return dx * dx + dz * dz;
  }

  /** The tile places around an invoker, a rectangle. @param {{ x: number, z: number, inner: number }} invoker */
  #findRange(invoker) {
    const { originX, originZ, width, depth, countX, countZ } = this.#sink.grid;
    const range = (/** @type {number} */ at, /** @type {number} */ origin, /** @type {number} */ size, /** @type {number} */ count) => {
      const first = Math.floor((at - invoker.inner - origin) / size), last = Math.floor((at + invoker.inner - origin) / size);
      return count > 0 ? [Math.max(first, 0), Math.min(last, count - 1)] : [first, last];
    };
    const [firstX, lastX] = range(invoker.x, originX, width, countX), [firstZ, lastZ] = range(invoker.z, originZ, depth, countZ);
    return { firstX, lastX, firstZ, lastZ };
  }

  /** Tile places within an inner radius, nearest first; updates the distances of all tile places. */
  #findWanted() {
    /** @type {Map<string, Place>} */
    const wanted = new Map();
    for (const invoker of this.#invokers) {
      const { firstX, lastX, firstZ, lastZ } = this.#findRange(invoker);
      for (let z = firstZ; z <= lastZ; z++) {
        for (let x = firstX; x <= lastX; x++) {
          if (this.#distance(invoker, x, z) > invoker.inner ** 2) continue;
          const place = this.#places.get(keyOf(x, z)) ?? this.#makePlace(x, z, 'failed');
          wanted.set(keyOf(x, z), place);
        }
      }
    }
    for (const place of [...this.#places.values(), ...wanted.values()]) {
      place.distance = Math.min(Infinity, ...this.#invokers.map((invoker) => this.#distance(invoker, place.x, place.z)));
    }
    return [...wanted.values()].sort(byNearness);
  }

  // ---- Adding and removing ---------------------------------------------------------------------------------

  /** @param {() => boolean} mayGoOn */
  #removeFar(mayGoOn) {
    const removed = [];
    let isOver = false;
    const far = [...this.#places.values()].filter(({ x, z }) => !this.#invokers.some((invoker) => this.#distance(invoker, x, z) <= invoker.outer ** 2));
    for (const place of far.sort((a, b) => byNearness(b, a))) {
      if (this.isFreed) break;
      if (place.state === 'in') {
        isOver ||= !mayGoOn();
        if (isOver) continue; // tile places that aren't in the mesh are still removed
        try {
          if (this.#sink.remove(place.x, place.z)) removed.push({ x: place.x, z: place.z });
        } catch (error) {
          this.#onError?.(error, { x: place.x, z: place.z, attempt: 1 });
          continue; // the next update tries again
        }
      }
      place.controller?.abort();
      this.#places.delete(keyOf(place.x, place.z));
    }
    return removed;
  }

  /** @param {() => boolean} mayGoOn */
  #insertArrived(mayGoOn) {
    /** @type {{ x: number, z: number }[]} */
    const added = [];
    if (this.#streamed.rebaking) return added;
    for (const place of [...this.#places.values()].sort(byNearness)) {
      if (this.isFreed || (this.#inOrder && place.state === 'loading')) break;
      if (place.state !== 'arrived') continue;
      if (!mayGoOn()) break;
      const { x, z, bytes } = place;
      place.bytes = [];
      if (this.#sink.adopt(x, z)) {
        this.#reportStrange(place);
        continue;
      }
      try {
        this.#sink.add(x, z, bytes);
        place.state = 'in';
        place.attempt = 0;
        place.error = undefined;
        if (bytes.length > 0) added.push({ x, z });
      } catch (error) {
        this.#fail(place, error);
      }
    }
    return added;
  }

  /** @param {Place} place @param {unknown} error */
  #fail(place, error) {
    place.state = 'failed';
    const own = Math.min(MOST_RETRY_SECONDS, this.#retrySeconds * 2 ** place.attempt);
    place.retryAt = this.#time + Math.max(own, readRetrySeconds(error));
    place.attempt++;
    place.error = error;
    if (this.#onError) this.#onError(error, { x: place.x, z: place.z, attempt: place.attempt });
    else this.#warn(place, error);
  }

  /** A place has a tile that another added: it counts as loaded. @param {Place} place */
  #reportStrange(place) {
    const { x, z } = place;
    place.state = 'in';
    place.attempt = 0;
    const error = new NavError('state', `tile ${x}, ${z} is in the mesh, but this streamer did not add it: it stays, and is removed when it is far. Let only`
      + ' the streamer add tiles, or make the streamer after them', { field: 'source' });
    if (this.#onError) this.#onError(error, { x, z, attempt: 1 });
    else this.#strangeError = error;
  }

  /** Reports the first failure that nobody listens to. @param {Place} place @param {unknown} error */
  #warn({ x, z }, error) {
    if (!this.#mayWarn) return;
    this.#mayWarn = false;
    console.warn(`walkmesh: tile ${x}, ${z} was not loaded: ${error instanceof Error ? error.message : describe(error)}. It is requested again. To hear of each failure, pass onError.`);
  }

  /** @param {Place[]} wanted */
  #request(wanted) {
    let open = this.#requests - [...this.#places.values()].filter(({ state }) => state === 'loading').length;
    for (const place of wanted) {
      if (this.isFreed) return;
      if (place.state !== 'failed' || place.retryAt > this.#time) continue;
      if (open-- <= 0) return;
      this.#places.set(keyOf(place.x, place.z), place);
      place.state = 'loading';
      const controller = place.controller = new AbortController();
      this.#fetch(place, controller.signal).then((bytes) => {
        if (controller.signal.aborted) return;
        place.state = 'arrived';
        place.bytes = bytes;
      }, (error) => {
        if (!controller.signal.aborted) this.#fail(place, error);
      }).finally(() => {
        if (place.controller === controller) place.controller = undefined;
        this.#wake();
      });
    }
  }

  /** @param {Place} place @param {AbortSignal} signal */
  async #fetch({ x, z }, signal) {
    const source = this.#source;
    return listBytes(await (typeof source === 'function' ? source(x, z, { signal }) : source.get(keyOf(x, z))));
  }
}

/** @param {unknown} value @returns {number} */
function requireMilliseconds(value) {
  if (typeof value === 'number' && value >= 0) return value;
  throw invalidArgument('milliseconds', `is ${describe(value)}: must be a number, not negative`, value);
}
