/**
 * A pack: many tiles in two files. NAME.tiles has the bytes of the tiles, each at a multiple of four. NAME.index has 32 bytes per
 * tile: key (4 words), offset (in words), bytes, checksum of the entry and the tile (2 words). A deleted entry is zero.
 *
 * One process appends to a pack, tiles before entries, so that each entry that can be read has its tile. Any process may delete
 * an entry or the pack. Truncated or altered bytes fail the checksum, and only their tiles are lost.
 *
 * Tiles are read through a window, which grows as long as they are read in the order of writing, as bakes do.
 */
import { closeSync, fstatSync, openSync, readSync, rmSync, utimesSync, writeSync } from 'node:fs';
import { Checksum } from '../caches/checksum.js';
import { hexOfWords } from '../runtime/encodings.js';

const ENTRY_WORDS = 8;
const ENTRY_BYTES = 4 * ENTRY_WORDS;
const [OFFSET_AT, LENGTH_AT, CHECKSUM_AT] = [4, 5, 6];
const [MIN_WINDOW, MAX_WINDOW] = [32 * 1024, 512 * 1024];
/** A use is recorded again only after this time. */
const FRESH_MILLISECONDS = 60 * 1000;
const DELETED = '0'.repeat(32);

/** number: index of the entry in its pack; former: an older entry of the same key, in any pack. @typedef {{ pack: TilePack, number: number, words: Uint32Array, former?: PackEntry }} PackEntry */

/** True if an error says that a file does not exist. @param {unknown} error */
export const isMissing = (error) => /** @type {any} */ (error)?.code === 'ENOENT';

/** Opens a file, and closes it after `work`. @template T @param {string} path @param {string} flags @param {(file: number) => T} work */
function withFile(path, flags, work) {
  const file = openSync(path, flags);
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

/** Reads a part of a file, up to its end; undefined if the file does not exist. @param {string} path @param {number} from @param {number} maxBytes */
function readPart(path, from, maxBytes) {
  try {
    return withFile(path, 'r', (file) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(maxBytes, fstatSync(file).size - from)));
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

/** @param {Uint32Array} entry its checksum is skipped @param {Uint32Array} tile @returns {[number, number]} */
function sumUp(entry, tile) {
  const sum = new Checksum();
  sum.addWords(entry, 0, CHECKSUM_AT);
  sum.addWords(tile, 0, tile.length);
  return sum.finish();
}

/** Bytes, rounded up to whole words. @param {number} length */
const padded = (length) => Math.ceil(length / 4) * 4;

export class TilePack {
  #tiles;
  #index;
  /** The number of entries read or written; bytes of tiles written. */
  #entryCount = 0;
  #tileBytes = 0;
  #usedAt = 0;
  #window = { from: 0, bytes: new Uint8Array(0) };
  #isNew;

  /** @param {string} path of both files, without their endings @param {boolean} isNew true: this process creates it with the first tile */
  constructor(path, isNew) {
    this.#tiles = `${path}.tiles`;
    this.#index = `${path}.index`;
    this.#isNew = isNew;
  }

  /** Bytes that this object wrote. */
  get bytes() {
    return this.#tileBytes + ENTRY_BYTES * this.#entryCount;
  }

  /** Reads the entries that were added since the last call. @param {Map<string, PackEntry>} entries by key */
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
   * The bytes of a tile, a view that stays valid; undefined if they are missing or fail the checksum.
   * @param {PackEntry} entry @param {boolean} isChecked true: verifies the checksum
   */
  read({ words }, isChecked) {
    const [offset, length] = [4 * words[OFFSET_AT], words[LENGTH_AT]];
    const bytes = this.#readTile(offset, padded(length));
    if (!bytes) return undefined;
    if (isChecked) {
      const [first, second] = sumUp(words, new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4));
      if (first !== words[CHECKSUM_AT] || second !== words[CHECKSUM_AT + 1]) return undefined;
    }
    this.#noteUse();
    return bytes.subarray(0, length);
  }

  /** @param {number} offset @param {number} length */
  #readTile(offset, length) {
    const { from, bytes } = this.#window;
    const end = from + bytes.length;
    if (offset < from || offset + length > end) {
      const isSequential = offset >= from && offset <= end + MIN_WINDOW;
      const bytesToRead = Math.max(length, isSequential ? Math.min(2 * bytes.length, MAX_WINDOW) : 0, MIN_WINDOW);
      const read = readPart(this.#tiles, offset, bytesToRead) ?? new Uint8Array(0);
      if (read.length < length) return undefined;
      this.#window = { from: offset, bytes: read };
    }
    return this.#window.bytes.subarray(offset - this.#window.from, offset - this.#window.from + length);
  }

  /** Records the use as the modification time of the index. */
  #noteUse() {
    const now = Date.now();
    if (now - this.#usedAt < FRESH_MILLISECONDS) return;
    this.#usedAt = now;
    try {
      utimesSync(this.#index, now / 1000, now / 1000);
    } catch {
      // The folder is read-only: its uses are not recorded.
    }
  }

  /**
   * Appends tiles.
   * @param {[string, Uint8Array][]} tiles by key @param {Map<string, PackEntry>} entries receives the new entries
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
      entry[OFFSET_AT] = (this.#tileBytes + at) / 4;
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
