/**
 * What a bake asks of a cache, and how it lives with one that fails: a cache can save work, never spoil a result. What does
 * not check is a miss, what is thrown becomes a warning of the report, and the tile is baked.
 */
import { makeTileLog } from '../bake/bake-report.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { comesLater, whenThere } from '../runtime/maybe-promise.js';
import { openTile, sealTile } from './sealed-tile.js';

/** @typedef {import('../bake/bake-report.js').BakedTile} BakedTile */
/** @typedef {import('../bake/tile-sources.js').Lane} Lane */
/** @typedef {import('./sealed-tile.js').CachedTile} CachedTile */
/** @template T @typedef {import('../runtime/maybe-promise.js').Soon<T>} Soon */

/**
 * Keeps bytes under keys: a MemoryTileCache, a DiskTileCache (walkmesh/node), an IndexedDbTileCache, or your own. Keys are
 * 32 hexadecimal digits that stand for all a tile is made from, so that what is under a key never has to change.
 * @typedef {object} TileCache
 * @property {(key: string) => Uint8Array | null | undefined | Promise<Uint8Array | null | undefined>} get
 * @property {(key: string, bytes: Uint8Array) => unknown} set may return a promise; the bytes belong to the cache
 * @property {(key: string) => unknown} [delete] called for what turned out to be damaged
 */

/** @param {unknown} cache @returns {asserts cache is TileCache} */
export function requireTileCache(cache) {
  const { get, set, delete: remove } = /** @type {any} */ (cache ?? {});
  const fits = typeof get === 'function' && typeof set === 'function' && (remove === undefined || typeof remove === 'function');
  if (typeof cache === 'object' && fits) return;
  throw invalidArgument('cache', `must be a tile cache (an object with get and set), not ${describe(cache)}`, cache);
}

/** A number of bytes that is above 0; Infinity is allowed. @param {unknown} value */
export function requireByteLimit(value) {
  if (typeof value === 'number' && value > 0) return value;
  throw invalidArgument('maxBytes', `is ${describe(value)}: must be a number of bytes above 0`, value);
}

/** @param {unknown} key */
export function requireKey(key) {
  if (typeof key === 'string' && /^[0-9a-f]{32}$/.test(key)) return key;
  throw invalidArgument('key', `is ${describe(key)}: must be 32 hexadecimal digits`, key);
}

/** @param {unknown} bytes */
export function requireCacheBytes(bytes) {
  if (bytes instanceof Uint8Array) return bytes;
  throw invalidArgument('bytes', `must be a Uint8Array, not ${describe(bytes)}`, bytes);
}

/**
 * Of our own caches: as get, but the bytes are the cache's own, which nobody may change, and need not have been checked. A
 * bake checks what it gets, and copies it into the module.
 */
export const BORROW = Symbol('borrow');

/** How a bake reads from a cache; what was derived from one of ours, and may change what get does, is asked by get. @param {TileCache} cache @returns {TileCache['get']} */
function readerOf(cache) {
  const isPlain = !Object.hasOwn(cache, 'get') && Object.hasOwn(Object.getPrototypeOf(cache) ?? {}, BORROW);
  const borrow = isPlain ? /** @type {any} */ (cache)[BORROW] : undefined;
  return typeof borrow === 'function' ? (key) => borrow.call(cache, key) : (key) => cache.get(key);
}

/** A cache during one bake. */
export class CheckedCache {
  #cache;
  #read;
  /** @type {Set<Promise<void>>} */
  #writes = new Set();
  #damaged = 0;
  /** The first failure of each method. @type {Map<string, string>} */
  #failures = new Map();

  /** @param {TileCache} cache */
  constructor(cache) {
    this.#cache = cache;
    this.#read = readerOf(cache);
  }

  /** @param {string} method @param {unknown} error */
  #note(method, error) {
    if (!this.#failures.has(method)) this.#failures.set(method, error instanceof Error ? error.message : String(error));
    return undefined;
  }

  /** The tile under the key, or undefined; never fails. @param {string} key @returns {Soon<CachedTile | undefined>} */
  get(key) {
    const fail = (/** @type {unknown} */ error) => this.#note('get', error);
    let sealed;
    try {
      sealed = this.#read(key);
    } catch (error) {
      return fail(error);
    }
    return whenThere(comesLater(sealed) ? sealed.then(undefined, fail) : sealed, (bytes) => {
      if (bytes === undefined || bytes === null) return undefined;
      return (bytes instanceof Uint8Array ? openTile(key, bytes) : undefined) ?? this.#drop(key);
    });
  }

  /** @param {string} key of what is damaged @returns {Promise<undefined>} */
  async #drop(key) {
    this.#damaged++;
    try {
      await this.#cache.delete?.(key);
    } catch (error) {
      this.#note('delete', error);
    }
    return undefined;
  }

  /** Stores a tile, without waiting until that is done. @param {string} key @param {CachedTile} tile */
  set(key, tile) {
    const sealed = sealTile(key, tile);
    const write = (async () => {
      try {
        await this.#cache.set(key, sealed);
      } catch (error) {
        this.#note('set', error);
      }
    })();
    this.#writes.add(write);
    void write.then(() => this.#writes.delete(write));
  }

  /** Waits for what is being stored; what went wrong, in plain words. @returns {Promise<string[]>} */
  async finish() {
    await Promise.all(this.#writes);
    const warnings = [...this.#failures].map(([method, message]) => `the tile cache failed (${method}: ${message}): tiles were baked`
      + ' instead, the result is the same');
    if (this.#damaged > 0) warnings.push(`${this.#damaged} tiles of the cache were damaged: they were baked anew`);
    return warnings;
  }
}

/** @param {unknown} cache an option @returns {CheckedCache | undefined} */
export function openCache(cache) {
  if (cache === undefined) return undefined;
  requireTileCache(cache);
  return new CheckedCache(cache);
}

/**
 * A tile out of the cache, if there is one that has it; else it is baked, and stored.
 * @param {Lane} lane @param {number} x @param {number} z @param {CheckedCache} [cache]
 * @returns {Soon<BakedTile>} at once where lane and cache answer at once; then its bytes may be the cache's
 */
export function makeTile(lane, x, z, cache) {
  if (!cache) return lane.bakeTile(x, z);
  return whenThere(lane.hashTile(x, z), (hash) => whenThere(cache.get(hash), (found) => {
    if (!found) return bakeAndStore(lane, x, z, cache, hash);
    const { bytes, counts } = found;
    return { bytes, hash, log: { ...makeTileLog(x, z, 'cache'), built: bytes !== null, counts } };
  }));
}

/** @param {Lane} lane @param {number} x @param {number} z @param {CheckedCache} cache @param {string} hash */
async function bakeAndStore(lane, x, z, cache, hash) {
  const baked = await lane.bakeTile(x, z);
  cache.set(hash, { bytes: baked.bytes, counts: baked.log.counts });
  return baked;
}

/** @param {string} what @param {unknown} cause */
export function cacheError(what, cause) {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new NavError('file', `${what}: ${message}`, { cause });
}
