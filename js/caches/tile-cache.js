/**
 * What a bake asks of a cache, and how it lives with one that fails: a cache can save work, never spoil a result. What does
 * not check is a miss, what is thrown becomes a warning of the report, and the tile is baked.
 */
import { makeTileLog } from '../bake-report.js';
import { NavError, describe, invalidArgument } from '../errors.js';
import { openTile, sealTile } from './sealed-tile.js';

/** @typedef {import('../bake-report.js').BakedTile} BakedTile */
/** @typedef {import('../tile-sources.js').Lane} Lane */
/** @typedef {import('./sealed-tile.js').CachedTile} CachedTile */

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

/** A cache during one bake. */
export class CheckedCache {
  #cache;
  /** @type {Set<Promise<void>>} */
  #writes = new Set();
  #damaged = 0;
  /** The first failure of each method. @type {Map<string, string>} */
  #failures = new Map();

  /** @param {TileCache} cache */
  constructor(cache) {
    this.#cache = cache;
  }

  /** @param {string} method @param {unknown} error */
  #note(method, error) {
    if (!this.#failures.has(method)) this.#failures.set(method, error instanceof Error ? error.message : String(error));
  }

  /** The tile under the key, or undefined; never fails. @param {string} key @returns {Promise<CachedTile | undefined>} */
  async get(key) {
    let sealed;
    try {
      sealed = await this.#cache.get(key);
    } catch (error) {
      this.#note('get', error);
      return undefined;
    }
    if (sealed === undefined || sealed === null) return undefined;
    const tile = sealed instanceof Uint8Array ? openTile(key, sealed) : undefined;
    if (tile) return tile;
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
 * @returns {Promise<BakedTile>}
 */
export async function makeTile(lane, x, z, cache) {
  if (!cache) return lane.bakeTile(x, z);
  const hash = await lane.hashTile(x, z);
  const found = await cache.get(hash);
  if (found) {
    const { bytes, counts } = found;
    return { bytes, hash, log: { ...makeTileLog(x, z, 'cache'), built: bytes !== null, counts } };
  }
  const baked = await lane.bakeTile(x, z);
  cache.set(hash, { bytes: baked.bytes, counts: baked.log.counts });
  return baked;
}

/** @param {string} what @param {unknown} cause */
export function cacheError(what, cause) {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new NavError('file', `${what}: ${message}`, { cause });
}
