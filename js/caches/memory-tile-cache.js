/** MemoryTileCache: tiles in memory, up to a number of bytes. Evicts the least recently used first. */
import { requireOptions } from '../runtime/arguments.js';
import { copyBytes } from '../runtime/bytes.js';
import { nameSet } from '../runtime/option-names.js';
import { BORROW, requireByteLimit, requireKey } from './tile-cache.js';

const OPTION_NAMES = nameSet({ maxBytes: 1 });
const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;
/** Approximate overhead of an entry, bytes. */
const ENTRY_BYTES = 200;

/** @typedef {import('./tile-cache.js').TileCache} TileCache */

/** @implements {TileCache} */
export class MemoryTileCache {
  /** The least recently used first. @type {Map<string, Uint8Array>} */
  #tiles = new Map();
  #bytes = 0;
  #maxBytes;

  /** @param {{ maxBytes?: number }} [options] maxBytes: default 256 MiB */
  constructor(options = {}) {
    this.#maxBytes = requireByteLimit(requireOptions(options, OPTION_NAMES).maxBytes ?? DEFAULT_MAX_BYTES);
  }

  /** The number of tiles. */
  get size() {
    return this.#tiles.size;
  }

  /** Bytes of all tiles, including keys and overhead. */
  get bytes() {
    return this.#bytes;
  }

  get maxBytes() {
    return this.#maxBytes;
  }

  /** A copy of the stored bytes. @param {string} key @returns {Uint8Array | undefined} */
  get(key) {
    return this[BORROW](requireKey(key))?.slice();
  }

  /** @internal @param {string} key @returns {Uint8Array | undefined} */
  [BORROW](key) {
    const bytes = this.#tiles.get(key);
    if (!bytes) return undefined;
    this.#tiles.delete(key);
    this.#tiles.set(key, bytes);
    return bytes;
  }

  /** Stores a copy, unless it is larger than the whole cache. @param {string} key @param {import('../runtime/bytes.js').Bytes} bytes */
  set(key, bytes) {
    requireKey(key);
    const copy = copyBytes(bytes);
    this.delete(key);
    if (copy.length + ENTRY_BYTES > this.#maxBytes) return;
    this.#tiles.set(key, copy);
    this.#bytes += copy.length + ENTRY_BYTES;
    for (const [oldest] of this.#tiles) {
      if (this.#bytes <= this.#maxBytes) break;
      this.delete(oldest);
    }
  }

  /** Returns true if the key had a tile. @param {string} key */
  delete(key) {
    const bytes = this.#tiles.get(requireKey(key));
    if (!bytes) return false;
    this.#bytes -= bytes.length + ENTRY_BYTES;
    return this.#tiles.delete(key);
  }

  clear() {
    this.#tiles.clear();
    this.#bytes = 0;
  }
}
