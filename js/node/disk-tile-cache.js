/**
 * Tiles kept in a folder, for bakes of one process after another, or of several at the same time.
 *
 * Each process appends to a pack of its own (tile-pack.js), so that none waits for another, and reads those of all. Packs
 * are of limited size; where they take more than allowed, the one that was used least recently goes as a whole. Small ones
 * that were left behind are put together now and then.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { requireOptions } from '../runtime/arguments.js';
import { BORROW, cacheError, requireByteLimit, requireCacheBytes, requireKey } from '../caches/tile-cache.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { nameSet } from '../runtime/names.js';
import { TilePack, isMissing } from './tile-pack.js';

const OPTION_NAMES = nameSet({ maxBytes: 1 });
const DEFAULT_MAX_BYTES = 1024 * 1024 * 1024;
/** Of a pack: a sixteenth of all, and no more than this. */
const MOST_PACK_BYTES = 64 * 1024 * 1024;
/** More small packs that nobody appends to are put together. */
const MOST_SMALL_PACKS = 32;
/** Longer ago than this nobody is still writing a pack. */
const ABANDONED_MILLISECONDS = 3600 * 1000;
/** How often tiles of other processes are looked for, where one is missing. */
const REFRESH_MILLISECONDS = 100;

/** @typedef {import('./tile-pack.js').PackEntry} PackEntry */
/** @typedef {import('../caches/tile-cache.js').TileCache} TileCache */
/** @typedef {{ name: string, bytes: number, usedAt: number, hasIndex: boolean }} StoredPack */

/** @template T @param {string} what @param {() => T} work */
function attempt(what, work) {
  try {
    return work();
  } catch (error) {
    throw cacheError(what, error);
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
  /** Not written yet, by key. @type {Map<string, Uint8Array>} */
  #pending = new Map();
  /** @type {Promise<void> | undefined} */
  #writing;
  #refreshedAt = -Infinity;
  /** Written since packs were last counted; they are counted after the first, for others may have been there. */
  #uncounted = Infinity;

  /**
   * @param {string} folder made where it does not exist
   * @param {{ maxBytes?: number }} [options] maxBytes: default 1 GiB; what was used least recently is deleted where files
   *   take more, checked now and then
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
    return Math.min(this.#maxBytes / 16, MOST_PACK_BYTES);
  }

  /** A copy of what was stored; what other processes store is seen within a tenth of a second. @param {string} key @returns {Promise<Uint8Array | undefined>} */
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

  /** Takes in what other processes have written. */
  #refresh() {
    const names = this.#listNames().filter(({ ending }) => ending === 'index').map(({ name }) => name);
    for (const name of names) {
      let pack = this.#packs.get(name);
      if (!pack) this.#packs.set(name, pack = new TilePack(join(this.#folder, name), false));
      if (pack !== this.#own?.[1]) pack.readEntries(this.#entries);
    }
    this.#refreshedAt = performance.now();
  }

  /** Every file of ours. */
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

  /** Stores a copy, with others of this turn of the event loop. @param {string} key @param {Uint8Array} bytes */
  async set(key, bytes) {
    requireKey(key);
    this.#pending.set(key, requireCacheBytes(bytes).slice());
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

  /** Writes what is to be written. */
  #write() {
    const tiles = [...this.#pending];
    this.#pending.clear();
    attempt(`${this.#folder} cannot be written`, () => {
      for (let first = 0, end = 0; first < tiles.length; first = end) {
        const room = this.#packBytes - (this.#own?.[1].bytes ?? 0);
        let bytes = 0;
        while (end < tiles.length && (end === first || bytes < room)) bytes += tiles[end++][1].length;
        this.#append(tiles.slice(first, end));
        this.#uncounted += bytes;
      }
    });
    // A sixteenth at a time, so that files are not counted all the time.
    if (this.#uncounted > this.#maxBytes / 16) this.#tidy();
  }

  /** @param {[string, Uint8Array][]} tiles */
  #append(tiles) {
    try {
      this.#appendToOwn(tiles);
    } catch (error) {
      // Somebody has deleted the pack, or there is no folder yet.
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

  /** What a failure leaves of a pack is not gone on with. @param {[string, Uint8Array][]} tiles */
  #appendToOwn(tiles) {
    const [name, own] = this.#own ?? this.#beginPack();
    this.#own = undefined;
    own.append(tiles, this.#entries);
    this.#packs.set(name, own);
    if (own.bytes < this.#packBytes) this.#own = [name, own];
  }

  /** @returns {[string, TilePack]} */
  #beginPack() {
    // The global one: importing node:crypto takes longer than all of this package's Node parts.
    const name = crypto.randomUUID().replaceAll('-', '').slice(0, 16);
    return [name, new TilePack(join(this.#folder, name), true)];
  }

  /** @param {PackEntry | undefined} first with its former ones */
  #deleteAll(first) {
    for (let entry = first; entry; entry = entry.former) entry.pack.delete(entry);
  }

  /** Deletes a tile, if it is there. @param {string} key */
  async delete(key) {
    this.#pending.delete(requireKey(key));
    attempt(`${this.#folder} cannot be written`, () => {
      this.#refresh();
      this.#deleteAll(this.#entries.get(key));
      this.#entries.delete(key);
    });
  }

  /** Every pack. @returns {StoredPack[]} */
  #listPacks() {
    /** @type {Map<string, StoredPack>} */
    const packs = new Map();
    for (const { file, name, ending } of this.#listNames()) {
      const found = statSync(join(this.#folder, file), { throwIfNoEntry: false });
      if (!found) continue;
      const pack = packs.get(name) ?? { name, bytes: 0, usedAt: -Infinity, hasIndex: false };
      pack.bytes += found.size;
      // What is used is noted at the index alone; a pack that is being begun has none.
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
    if (small.length > MOST_SMALL_PACKS) this.#join(small);
  }

  /** Puts packs together. @param {StoredPack[]} packs that nobody writes */
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

  /** Deletes what was used least recently until the rest takes no more than maxBytes, and what was left half written. */
  async trim() {
    attempt(`${this.#folder} cannot be tidied`, () => this.#tidy());
  }

  /** Deletes all tiles; the folder, and what else is in it, stays. */
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
