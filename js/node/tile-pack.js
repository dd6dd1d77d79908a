/**
 * A pack: many tiles in two files. NAME.tiles has their bytes, one tile behind the other, each from a multiple of four;
 * NAME.index has 32 bytes for each: its key (4 words), place (in fours), bytes, a checksum over all of that and the tile (2).
 * An entry of zeros was deleted.
 *
 * One process appends to a pack, tiles first and entries behind them, so that whoever reads an entry finds its tile; any
 * may delete an entry, or the pack. What was cut or altered does not check, and costs the tiles it belongs to.
 *
 * Tiles are read through a window that grows as long as they are asked for in the order they were written, as bakes do.
 */
import { closeSync, fstatSync, openSync, readSync, rmSync, utimesSync, writeSync } from 'node:fs';
import { WordSum } from '../caches/word-sum.js';
import { hexOfWords } from '../runtime/hex.js';

const ENTRY_WORDS = 8;
const ENTRY_BYTES = 4 * ENTRY_WORDS;
const [PLACE_AT, LENGTH_AT, CHECKSUM_AT] = [4, 5, 6];
const [LEAST_WINDOW, MOST_WINDOW] = [32 * 1024, 512 * 1024];
/** Used so lately need not be noted again. */
const FRESH_MILLISECONDS = 60 * 1000;
const DELETED = '0'.repeat(32);

/** Where a tile lies; `number` is its entry's, `former` one of the same key in this pack or another. @typedef {{ pack: TilePack, number: number, words: Uint32Array, former?: PackEntry }} PackEntry */

/** What tells that a file has gone, or was never there. @param {unknown} error */
export const isMissing = (error) => /** @type {any} */ (error)?.code === 'ENOENT';

/** Opens a file for some calls. @template T @param {string} path @param {string} flags @param {(file: number) => T} work */
function withFile(path, flags, work) {
  const file = openSync(path, flags);
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

/** Part of a file, as much of it as there is; undefined: there is no such file. @param {string} path @param {number} from @param {number} most bytes */
function readPart(path, from, most) {
  try {
    return withFile(path, 'r', (file) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(most, fstatSync(file).size - from)));
      let count = 0;
      for (let read = 1; read > 0 && count < bytes.length; count += read) read = readSync(file, bytes, count, bytes.length - count, from + count);
      return bytes.subarray(0, count);
    });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** @param {string} path @param {Uint8Array} bytes @param {number} at @param {string} flags */
function writePart(path, bytes, at, flags) {
  withFile(path, flags, (file) => {
    for (let count = 0; count < bytes.length;) count += writeSync(file, bytes, count, bytes.length - count, at + count);
  });
}

/** @param {Uint32Array} entry whose checksum is left out @param {Uint32Array} tile @returns {[number, number]} */
function sumUp(entry, tile) {
  const sum = new WordSum();
  sum.addWords(entry, 0, CHECKSUM_AT);
  sum.addWords(tile, 0, tile.length);
  return sum.finish();
}

/** Bytes with those that fill up the last word. @param {number} length */
const padded = (length) => Math.ceil(length / 4) * 4;

export class TilePack {
  #tiles;
  #index;
  /** Entries read or written so far, bytes of tiles written. */
  #entryCount = 0;
  #tileBytes = 0;
  #usedAt = 0;
  #window = { from: 0, bytes: new Uint8Array(0) };
  #isNew;

  /** @param {string} path of both files, without their endings @param {boolean} isNew whether it is ours, and begun with the first tile */
  constructor(path, isNew) {
    this.#tiles = `${path}.tiles`;
    this.#index = `${path}.index`;
    this.#isNew = isNew;
  }

  /** What was written of a pack of ours. */
  get bytes() {
    return this.#tileBytes + ENTRY_BYTES * this.#entryCount;
  }

  /** Takes entries in that came since the last time. @param {Map<string, PackEntry>} entries by key */
  readEntries(entries) {
    const first = this.#entryCount;
    const bytes = readPart(this.#index, ENTRY_BYTES * first, Infinity) ?? new Uint8Array(0);
    const count = Math.floor(bytes.length / ENTRY_BYTES);
    const words = new Uint32Array(bytes.buffer, 0, ENTRY_WORDS * count);
    for (let i = 0; i < count; i++) this.#addEntry(entries, first + i, words.subarray(ENTRY_WORDS * i, ENTRY_WORDS * (i + 1)));
    this.#entryCount = first + count;
  }

  /** @param {Map<string, PackEntry>} entries @param {number} number @param {Uint32Array} words */
  #addEntry(entries, number, words) {
    const key = hexOfWords(words, [0, 1, 2, 3]);
    if (key !== DELETED) entries.set(key, { pack: this, number, words, former: entries.get(key) });
  }

  /**
   * The bytes of a tile, a view that stays good; undefined where they are not there, or do not check.
   * @param {PackEntry} entry @param {boolean} isChecked whether to look at the checksum
   */
  read({ words }, isChecked) {
    const [place, length] = [4 * words[PLACE_AT], words[LENGTH_AT]];
    const bytes = this.#readTile(place, padded(length));
    if (!bytes) return undefined;
    if (isChecked) {
      const [first, second] = sumUp(words, new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4));
      if (first !== words[CHECKSUM_AT] || second !== words[CHECKSUM_AT + 1]) return undefined;
    }
    this.#noteUse();
    return bytes.subarray(0, length);
  }

  /** @param {number} place @param {number} length */
  #readTile(place, length) {
    const { from, bytes } = this.#window;
    const end = from + bytes.length;
    if (place < from || place + length > end) {
      const goesOn = place >= from && place <= end + LEAST_WINDOW;
      const most = Math.max(length, goesOn ? Math.min(2 * bytes.length, MOST_WINDOW) : 0, LEAST_WINDOW);
      const read = readPart(this.#tiles, place, most) ?? new Uint8Array(0);
      if (read.length < length) return undefined;
      this.#window = { from: place, bytes: read };
    }
    return this.#window.bytes.subarray(place - this.#window.from, place - this.#window.from + length);
  }

  /** That it was used is what its index was last changed. */
  #noteUse() {
    const now = Date.now();
    if (now - this.#usedAt < FRESH_MILLISECONDS) return;
    this.#usedAt = now;
    try {
      utimesSync(this.#index, now / 1000, now / 1000);
    } catch {
      // Of a folder that is not ours to write: what is used there is for others to know.
    }
  }

  /**
   * Writes tiles behind those it has.
   * @param {[string, Uint8Array][]} tiles by key @param {Map<string, PackEntry>} entries which take them in
   */
  append(tiles, entries) {
    const length = tiles.reduce((sum, [, bytes]) => sum + padded(bytes.length), 0);
    const all = new Uint8Array(length);
    const index = new Uint32Array(ENTRY_WORDS * tiles.length);
    let at = 0;
    for (const [i, [key, bytes]] of tiles.entries()) {
      all.set(bytes, at);
      const entry = index.subarray(ENTRY_WORDS * i, ENTRY_WORDS * (i + 1));
      for (let word = 0; word < 4; word++) entry[word] = Number.parseInt(key.slice(8 * word, 8 * word + 8), 16);
      entry[PLACE_AT] = (this.#tileBytes + at) / 4;
      entry[LENGTH_AT] = bytes.length;
      entry.set(sumUp(entry, new Uint32Array(all.buffer, at, padded(bytes.length) / 4)), CHECKSUM_AT);
      at += padded(bytes.length);
    }
    const flags = this.#isNew ? 'wx' : 'r+';
    writePart(this.#tiles, all, this.#tileBytes, flags);
    writePart(this.#index, new Uint8Array(index.buffer), ENTRY_BYTES * this.#entryCount, flags);
    this.#isNew = false;
    for (let i = 0; i < tiles.length; i++) {
      this.#addEntry(entries, this.#entryCount++, index.subarray(ENTRY_WORDS * i, ENTRY_WORDS * (i + 1)));
    }
    this.#tileBytes += length;
    this.#usedAt = Date.now();
  }

  /** @param {PackEntry} entry */
  delete({ number }) {
    try {
      writePart(this.#index, new Uint8Array(ENTRY_BYTES), ENTRY_BYTES * number, 'r+');
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  /** Deletes both files. */
  remove() {
    rmSync(this.#index, { force: true });
    rmSync(this.#tiles, { force: true });
  }
}
