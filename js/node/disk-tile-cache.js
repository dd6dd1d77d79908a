/**
 * DiskTileCache: tiles in a folder, for several processes one after another or at the same time.
 *
 * Each process appends to a pack of its own (tile-pack.js), so that none waits for another, and reads the packs of all. Packs
 * have a limited size. If all packs exceed maxBytes, the least recently used pack is deleted. Small packs of ended processes are
 * joined from time to time.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { requireOptions } from '../runtime/arguments.js';
import { BORROW, cacheError, requireByteLimit, requireKey } from '../caches/tile-cache.js';
import { copyBytes } from '../runtime/bytes.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { nameSet } from '../runtime/option-names.js';
import { TilePack, isMissing } from './tile-pack.js';

const OPTION_NAMES = nameSet({ maxBytes: 1 });
const DEFAULT_MAX_BYTES = 1024 * 1024 * 1024;
/** The size of a pack is a sixteenth of maxBytes, at most this. */
const MAX_PACK_BYTES = 64 * 1024 * 1024;
/** If there are more small abandoned packs, they are joined. */
const MAX_SMALL_PACKS = 32;
/** A pack that was not written for longer is abandoned. */
const ABANDONED_MILLISECONDS = 3600 * 1000;
/** If a tile is missing, other processes' tiles are read, at most this often. */
const REFRESH_MILLISECONDS = 100;

/** @typedef {import('./tile-pack.js').PackEntry} PackEntry */
/** @typedef {import('../caches/tile-cache.js').TileCache} TileCache */
/** @typedef {{ name: string, bytes: number, usedAt: number, hasIndex: boolean }} StoredPack */

/** @template T @param {string} problem @param {() => T} work */
function attempt(problem, work) {
  try {
    return work();
  } catch (error) {
    throw cacheError(problem, error);
  }
}

/** @implements {TileCache} */
export class DiskTileCache {
  #folder;
  #maxBytes;
  /** By name. @type {Map<string, TilePack>} */
  #packs = new Map();
  /** By key. @type {Map<string, PackEntry>} */
  #entries = new Map();
  /** The pack that this object appends to, and its name. @type {[string, TilePack] | undefined} */
  #own;
  /** Tiles that are not written yet, by key. @type {Map<string, Uint8Array>} */
  #pending = new Map();
  /** @type {Promise<void> | undefined} */
  #writing;
  #refreshedAt = -Infinity;
  /** Bytes written since the packs were last counted. Infinity, since the folder may have packs already. */
  #uncounted = Infinity;

  /**
   * @param {string} folder created if it does not exist
   * @param {{ maxBytes?: number }} [options] maxBytes: default 1 GiB. If the files exceed it, the least recently used are
   *   deleted; checked from time to time
   */
  constructor(folder, options = {}) {
    if (typeof folder !== 'string' || folder === '') throw invalidArgument('folder', `is ${describe(folder)}: must be a path`, folder);
    this.#folder = folder;
    this.#maxBytes = requireByteLimit(requireOptions(options, OPTION_NAMES).maxBytes ?? DEFAULT_MAX_BYTES);
  }

  get folder() {
    return this.#folder;
  }

  get maxBytes() {
    return this.#maxBytes;
  }

  get #packBytes() {
    return Math.min(this.#maxBytes / 16, MAX_PACK_BYTES);
  }

  /** A copy of the stored bytes. Tiles of other processes are visible after 0.1 s at most. @param {string} key @returns {Promise<Uint8Array | undefined>} */
  async get(key) {
    const bytes = this.#read(requireKey(key), true)?.slice();
    if (!bytes && this.#entries.has(key)) await this.delete(key);
    return bytes;
  }

  /** @internal @param {string} key @returns {Uint8Array | undefined} */
  [BORROW](key) {
    return this.#read(key, false);
  }

  /** @param {string} key @param {boolean} isChecked */
  #read(key, isChecked) {
    return this.#pending.get(key) ?? attempt(`${this.#folder} cannot be read`, () => {
      const entry = this.#entries.get(key) ?? (this.#refreshIfDue(), this.#entries.get(key));
      return entry?.pack.read(entry, isChecked);
    });
  }

  #refreshIfDue() {
    if (performance.now() - this.#refreshedAt >= REFRESH_MILLISECONDS) this.#refresh();
  }

  /** Reads the entries that other processes have written. */
  #refresh() {
    const names = this.#listNames().filter(({ ending }) => ending === 'index').map(({ name }) => name);
    for (const name of names) {
      let pack = this.#packs.get(name);
      if (!pack) this.#packs.set(name, pack = new TilePack(join(this.#folder, name), false));
      if (pack !== this.#own?.[1]) pack.readEntries(this.#entries);
    }
    this.#refreshedAt = performance.now();
  }

  /** All files of the cache. */
  #listNames() {
    try {
      return readdirSync(this.#folder).flatMap((file) => {
        const [, name, ending] = /^([0-9a-f]{16})\.(tiles|index)$/.exec(file) ?? [];
        return name ? [{ file, name, ending }] : [];
      });
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Stores a copy, together with the others of this turn of the event loop. @param {string} key @param {import('../runtime/bytes.js').Bytes} bytes */
  async set(key, bytes) {
    requireKey(key);
    this.#pending.set(key, copyBytes(bytes));
    this.#writing ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#writing = undefined;
        try {
          resolve(this.#write());
        } catch (error) {
          reject(error);
        }
      });
    });
    await this.#writing;
  }

  /** Writes the pending tiles. */
  #write() {
    const tiles = [...this.#pending];
    this.#pending.clear();
    attempt(`${this.#folder} cannot be written`, () => {
      for (let first = 0, end = 0; first < tiles.length; first = end) {
        const space = this.#packBytes - (this.#own?.[1].bytes ?? 0);
        let bytes = 0;
        while (end < tiles.length && (end === first || bytes < space)) bytes += tiles[end++][1].length;
        this.#append(tiles.slice(first, end));
        this.#uncounted += bytes;
      }
    });
    // Only after each sixteenth of maxBytes, since counting the files is slow.
    if (this.#uncounted > this.#maxBytes / 16) this.#tidy();
  }

  /** @param {[string, Uint8Array][]} tiles */
  #append(tiles) {
    try {
      this.#appendToOwn(tiles);
    } catch (error) {
      // The pack was deleted, or the folder does not exist yet.
      if (!isMissing(error)) throw error;
      mkdirSync(this.#folder, { recursive: true });
      this.#appendToOwn(tiles);
    }
    for (const [key] of tiles) {
      const entry = this.#entries.get(key);
      this.#deleteAll(entry?.former);
      if (entry) entry.former = undefined;
    }
  }

  /** After a failure nothing more is appended to the pack. @param {[string, Uint8Array][]} tiles */
  #appendToOwn(tiles) {
    const [name, own] = this.#own ?? this.#beginPack();
    this.#own = undefined;
    own.append(tiles, this.#entries);
    this.#packs.set(name, own);
    if (own.bytes < this.#packBytes) this.#own = [name, own];
  }

  /** @returns {[string, TilePack]} */
  #beginPack() {
    // The global `crypto`: importing node:crypto takes longer than loading walkmesh/node.
    const name = crypto.randomUUID().replaceAll('-', '').slice(0, 16);
    return [name, new TilePack(join(this.#folder, name), true)];
  }

  /** @param {PackEntry | undefined} first also its former entries */
  #deleteAll(first) {
    for (let entry = first; entry; entry = entry.former) entry.pack.delete(entry);
  }

  /** Deletes a tile, if it exists. @param {string} key */
  async delete(key) {
    this.#pending.delete(requireKey(key));
    attempt(`${this.#folder} cannot be written`, () => {
      this.#refresh();
      this.#deleteAll(this.#entries.get(key));
      this.#entries.delete(key);
    });
  }

  /** All packs. @returns {StoredPack[]} */
  #listPacks() {
    /** @type {Map<string, StoredPack>} */
    const packs = new Map();
    for (const { file, name, ending } of this.#listNames()) {
      const found = statSync(join(this.#folder, file), { throwIfNoEntry: false });
      if (!found) continue;
      const pack = packs.get(name) ?? { name, bytes: 0, usedAt: -Infinity, hasIndex: false };
      pack.bytes += found.size;
      // Uses are recorded at the index only; a new pack has none yet.
      if (ending === 'index' || !pack.hasIndex) pack.usedAt = found.mtimeMs;
      pack.hasIndex ||= ending === 'index';
      packs.set(name, pack);
    }
    return [...packs.values()];
  }

  /** @param {string} name */
  #removePack(name) {
    const pack = this.#packs.get(name) ?? new TilePack(join(this.#folder, name), false);
    if (pack === this.#own?.[1]) this.#own = undefined;
    this.#packs.delete(name);
    pack.remove();
    for (const [key, entry] of this.#entries) if (entry.pack === pack) this.#entries.delete(key);
  }

  #tidy() {
    this.#uncounted = 0;
    const [packs, now] = [this.#listPacks(), Date.now()];
    let bytes = packs.reduce((sum, pack) => sum + pack.bytes, 0);
    /** @type {StoredPack[]} */
    const small = [];
    for (const pack of packs.sort((a, b) => a.usedAt - b.usedAt)) {
      const isAbandoned = now - pack.usedAt > ABANDONED_MILLISECONDS;
      if (bytes > this.#maxBytes || (!pack.hasIndex && isAbandoned)) {
        this.#removePack(pack.name);
        bytes -= pack.bytes;
      } else if (isAbandoned && pack.bytes < this.#packBytes / 4) {
        small.push(pack);
      }
    }
    if (small.length > MAX_SMALL_PACKS) this.#join(small);
  }

  /** Joins packs. @param {StoredPack[]} packs abandoned ones */
  #join(packs) {
    for (const { name } of packs) {
      const pack = new TilePack(join(this.#folder, name), false);
      /** @type {Map<string, PackEntry>} */
      const entries = new Map();
      pack.readEntries(entries);
      const tiles = [...entries].flatMap(([key, entry]) => {
        const bytes = pack.read(entry, true);
        return bytes ? [/** @type {[string, Uint8Array]} */ ([key, bytes])] : [];
      });
      this.#removePack(name);
      if (tiles.length > 0) this.#append(tiles);
    }
  }

  /** Deletes the least recently used packs until the rest has at most maxBytes bytes, and abandoned packs without an index. */
  async trim() {
    attempt(`${this.#folder} cannot be trimmed`, () => this.#tidy());
  }

  /** Deletes all tiles. The folder and other files in it stay. */
  async clear() {
    this.#pending.clear();
    attempt(`${this.#folder} cannot be cleared`, () => {
      for (const { file } of this.#listNames()) rmSync(join(this.#folder, file), { force: true });
    });
    this.#packs.clear();
    this.#entries.clear();
    this.#own = undefined;
  }
}
