/** The interface of tile caches, and the checks that all of them share. A bake uses a cache through js/bake/cached-tiles.js. */
import { NavError, describe, invalidArgument } from '../runtime/errors.js';

/** @typedef {import('../runtime/bytes.js').Bytes} Bytes */

/**
 * Stores bytes by key: a MemoryTileCache, a DiskTileCache (walkmesh/node), an IndexedDbTileCache, or your own. A key is the hash
 * of all inputs of a tile, 32 hexadecimal digits: the bytes of a key never change.
 * @typedef {object} TileCache
 * @property {(key: string) => Bytes | null | undefined | Promise<Bytes | null | undefined>} get any view: a bake copies it
 * @property {(key: string, bytes: Uint8Array) => unknown} set may return a promise; the bytes belong to the cache
 * @property {(key: string) => unknown} [delete] called with the key of damaged bytes
 */

/** @param {unknown} cache @returns {asserts cache is TileCache} */
export function requireTileCache(cache) {
  const { get, set, delete: remove } = /** @type {any} */ (cache ?? {});
  const fits = typeof get === 'function' && typeof set === 'function' && (remove === undefined || typeof remove === 'function');
  if (typeof cache === 'object' && fits) return;
  throw invalidArgument('cache', `must be a tile cache (an object with get and set), not ${describe(cache)}`, cache);
}

/** A number of bytes above 0; Infinity is allowed. @param {unknown} value */
export function requireByteLimit(value) {
  if (typeof value === 'number' && value > 0) return value;
  throw invalidArgument('maxBytes', `is ${describe(value)}: must be a number of bytes above 0`, value);
}

/** @param {unknown} key */
export function requireKey(key) {
  if (typeof key === 'string' && /^[0-9a-f]{32}$/.test(key)) return key;
  throw invalidArgument('key', `is ${describe(key)}: must be 32 hexadecimal digits`, key);
}

/**
 * A method of our own caches: as get, but it returns the cache's own bytes without a copy or a check. Callers must not change
 * them. A bake checks them, and copies them into the module.
 */
export const BORROW = Symbol('borrow');

/** @param {string} problem @param {unknown} cause */
export function cacheError(problem, cause) {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new NavError('file', `${problem}: ${message}`, { cause });
}
