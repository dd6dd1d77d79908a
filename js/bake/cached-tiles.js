/**
 * A tile cache during a bake: it can save work, never change a result. Bytes that fail the check are a miss, an exception becomes
 * a warning of the report, and the tile is baked.
 */
import { BORROW, requireTileCache } from '../caches/tile-cache.js';
import { viewBytes } from '../runtime/bytes.js';
import { chain, isPromise } from '../runtime/maybe-promise.js';
import { makeTileLog } from './bake-tile.js';
import { openTile, sealTile } from './sealed-tile.js';

/** @typedef {import('../caches/tile-cache.js').TileCache} TileCache */
/** @template T @typedef {import('../runtime/maybe-promise.js').MaybePromise<T>} MaybePromise */
/** @typedef {import('./bake-tile.js').BakedTile} BakedTile */
/** @typedef {import('./sealed-tile.js').CachedTile} CachedTile */
/** @typedef {import('./tile-builders.js').TileBuilder} TileBuilder */

/**
 * How a bake reads from a cache: without a copy from our own classes. A class derived from one of them may override `get`, so its
 * `get` is called. Its answer is copied: a tile may wait for others of the grid, and its bytes were checked before.
 * @param {TileCache} cache
 * @returns {{ get: TileCache['get'], toBytes: (answer: unknown) => Uint8Array | undefined }} toBytes: undefined if it isn't bytes
 */
function readerOf(cache) {
  const isOurs = !Object.hasOwn(cache, 'get') && Object.hasOwn(Object.getPrototypeOf(cache) ?? {}, BORROW);
  const borrow = isOurs ? /** @type {any} */ (cache)[BORROW] : undefined;
  if (typeof borrow === 'function') return { get: (key) => borrow.call(cache, key), toBytes: (bytes) => /** @type {Uint8Array} */ (bytes) };
  return { get: (key) => cache.get(key), toBytes: (answer) => viewBytes(answer, 'get')?.slice() };
}

/** A cache during one bake. */
export class CheckedCache {
  #cache;
  #reader;
  /** @type {Set<Promise<void>>} */
  #writes = new Set();
  #damaged = 0;
  /** The first failure of each method. @type {Map<string, string>} */
  #failures = new Map();

  /** @param {TileCache} cache */
  constructor(cache) {
    this.#cache = cache;
    this.#reader = readerOf(cache);
  }

  /** @param {string} method @param {unknown} error */
  #note(method, error) {
    if (!this.#failures.has(method)) this.#failures.set(method, error instanceof Error ? error.message : String(error));
    return undefined;
  }

  /** The tile with the key, or undefined; never fails. @param {string} key @returns {MaybePromise<CachedTile | undefined>} */
  get(key) {
    const fail = (/** @type {unknown} */ error) => this.#note('get', error);
    let sealed;
    try {
      sealed = this.#reader.get(key);
    } catch (error) {
      return fail(error);
    }
    return chain(isPromise(sealed) ? sealed.then(undefined, fail) : sealed, (answer) => {
      if (answer === undefined || answer === null) return undefined;
      return this.#open(key, answer) ?? this.#drop(key);
    });
  }

  /** The tile in an answer; undefined if its bytes are damaged. @param {string} key @param {unknown} answer */
  #open(key, answer) {
    try {
      const bytes = this.#reader.toBytes(answer);
      return bytes && openTile(key, bytes);
    } catch (error) {
      return this.#note('get', error);
    }
  }

  /** Deletes a damaged tile. @param {string} key @returns {Promise<undefined>} */
  async #drop(key) {
    this.#damaged++;
    try {
      await this.#cache.delete?.(key);
    } catch (error) {
      this.#note('delete', error);
    }
    return undefined;
  }

  /** Starts to store a tile. @param {string} key @param {CachedTile} tile */
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

  /** Waits until everything is stored. @returns {Promise<string[]>} warnings */
  async finish() {
    await Promise.all(this.#writes);
    const warnings = [...this.#failures].map(([method, message]) => `the tile cache failed (${method}: ${message}). Tiles were baked`
      + ' instead; the result is the same');
    if (this.#damaged > 0) warnings.push(`${this.#damaged} damaged tiles in the cache were baked again`);
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
 * The key of a tile with its air: a tile without air keeps the hash as its key, since the bytes of a key never change.
 * @param {string} hash of the tile's inputs
 */
const keyWithAir = (hash) => hash.slice(hash.length / 2) + hash.slice(0, hash.length / 2);

/**
 * Takes a tile from the cache; if it isn't there, has it baked and stores it.
 * @param {TileBuilder} builder @param {number} x @param {number} z @param {CheckedCache | undefined} cache
 * @param {boolean} wantsAir true for bakes with links
 * @returns {MaybePromise<BakedTile>} a promise only if the builder or the cache returns one; the cache may own the bytes
 */
export function produceTile(builder, x, z, cache, wantsAir) {
  if (!cache) return builder.bakeTile(x, z);
  return chain(builder.hashTile(x, z), (hash) => {
    const key = wantsAir ? keyWithAir(hash) : hash;
    return chain(cache.get(key), (found) => {
      if (!found || (wantsAir && !found.air)) return bakeAndStore(builder, x, z, cache, key);
      const { bytes, counts, air } = found;
      return { bytes, hash, air, log: { ...makeTileLog(x, z, 'cache'), built: bytes !== null, counts } };
    });
  });
}

/** @param {TileBuilder} builder @param {number} x @param {number} z @param {CheckedCache} cache @param {string} key */
async function bakeAndStore(builder, x, z, cache, key) {
  const baked = await builder.bakeTile(x, z);
  cache.set(key, { bytes: baked.bytes, counts: baked.log.counts, air: baked.air });
  return baked;
}

/**
 * The air of a tile, from the cache if the tile is there; doesn't bake it.
 * @param {TileBuilder} builder of a bake with links @param {number} x @param {number} z @param {CheckedCache} [cache]
 * @returns {MaybePromise<Uint8Array>} the cache may own the bytes
 */
export function produceAir(builder, x, z, cache) {
  if (!cache) return builder.keepAir(x, z);
  return chain(builder.hashTile(x, z), (hash) => chain(cache.get(keyWithAir(hash)), (found) => found?.air ?? builder.keepAir(x, z)));
}
