/**
 * Tiles kept in a folder, for bakes of one process after another, or of several at the same time.
 *
 * A file a tile, named by its key, in folders by its first two digits. It is written under another name first and then
 * renamed, so that whoever reads sees all of it or none; and it ends with a checksum, so that one that was damaged (a disk
 * that was full, a copy that was cut) is a miss, and is deleted.
 */
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fstatSync, futimesSync, openSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requireOptions } from '../arguments.js';
import { cacheError, requireByteLimit, requireCacheBytes, requireKey } from '../caches/tile-cache.js';
import { describe, invalidArgument } from '../errors.js';
import { nameSet } from '../names.js';

const OPTION_NAMES = nameSet({ maxBytes: 1 });
const DEFAULT_MAX_BYTES = 1024 * 1024 * 1024;
/** SHA-256, behind the tile. */
const CHECKSUM_BYTES = 32;
const ENDING = '.tile';
/** Of a temporary file: older than this nobody is still writing it. */
const ABANDONED_MILLISECONDS = 3600 * 1000;

/** Used so lately need not be noted again. */
const FRESH_MILLISECONDS = 60 * 1000;

/** @typedef {{ path: string, bytes: number, usedAt: number, isTemporary: boolean }} StoredFile */

/** @param {Uint8Array} bytes */
const sumUp = (bytes) => createHash('sha256').update(bytes).digest();

/** Calls that race with other processes: what is not there is no error. @template T @param {Promise<T>} work @returns {Promise<T | undefined>} */
async function ifThere(work) {
  try {
    return await work;
  } catch (error) {
    if (/** @type {any} */ (error)?.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** @typedef {import('../caches/tile-cache.js').TileCache} TileCache */

/**
 * A file, which counts as used now; undefined where there is none. At once: a tile is read in the time that handing it to
 * another thread and back would take several times over.
 * @param {string} path @returns {Buffer | undefined}
 */
function readUsed(path) {
  let file;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (/** @type {any} */ (error)?.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const now = Date.now();
    if (now - fstatSync(file).mtimeMs > FRESH_MILLISECONDS) futimesSync(file, now / 1000, now / 1000);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** @implements {TileCache} */
export class DiskTileCache {
  #folder;
  #maxBytes;
  /** Written since files were last counted; they are counted before the first, for others may have been there. */
  #uncounted = Infinity;
  /** @type {Promise<void> | undefined} */
  #trimming;

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

  /** @param {string} key */
  #pathOf(key) {
    return join(this.#folder, key.slice(0, 2), key + ENDING);
  }

  /** @param {string} key @returns {Promise<Uint8Array | undefined>} */
  async get(key) {
    const path = this.#pathOf(requireKey(key));
    let file;
    try {
      file = readUsed(path);
    } catch (error) {
      throw cacheError(`${path} cannot be read`, error);
    }
    if (!file) return undefined;
    const bytes = new Uint8Array(file.buffer, file.byteOffset, Math.max(0, file.length - CHECKSUM_BYTES));
    if (file.length < CHECKSUM_BYTES || !sumUp(bytes).equals(file.subarray(bytes.length))) {
      await this.delete(key);
      return undefined;
    }
    return bytes;
  }

  /** @param {string} key @param {Uint8Array} bytes */
  async set(key, bytes) {
    const path = this.#pathOf(requireKey(key));
    requireCacheBytes(bytes);
    const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      await mkdir(join(this.#folder, key.slice(0, 2)), { recursive: true });
      await writeFile(temporary, [bytes, sumUp(bytes)], { flag: 'wx' });
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      throw cacheError(`${path} cannot be written`, error);
    }
    this.#uncounted += bytes.length;
    // A sixteenth at a time, so that files are not counted all the time.
    if (this.#uncounted > this.#maxBytes / 16) await this.trim();
  }

  /** Deletes a tile, if it is there. @param {string} key */
  async delete(key) {
    const path = this.#pathOf(requireKey(key));
    try {
      await rm(path, { force: true });
    } catch (error) {
      throw cacheError(`${path} cannot be deleted`, error);
    }
  }

  /** Every file of ours. @returns {Promise<StoredFile[]>} */
  async #list() {
    const files = [];
    for (const folder of (await ifThere(readdir(this.#folder))) ?? []) {
      if (!/^[0-9a-f]{2}$/.test(folder)) continue;
      for (const name of (await ifThere(readdir(join(this.#folder, folder)))) ?? []) {
        if (!/^[0-9a-f]{32}\.tile(\.[0-9a-f]{12}\.tmp)?$/.test(name)) continue;
        const path = join(this.#folder, folder, name);
        const found = await ifThere(stat(path));
        if (found) files.push({ path, bytes: found.size, usedAt: found.mtimeMs, isTemporary: !name.endsWith(ENDING) });
      }
    }
    return files;
  }

  async #trim() {
    this.#uncounted = 0;
    const files = await this.#list();
    const abandoned = Date.now() - ABANDONED_MILLISECONDS;
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    for (const file of files.sort((a, b) => a.usedAt - b.usedAt)) {
      if (file.isTemporary ? file.usedAt > abandoned : bytes <= this.#maxBytes) continue;
      await rm(file.path, { force: true });
      bytes -= file.bytes;
    }
  }

  /** Deletes what was used least recently until the rest takes no more than maxBytes, and what was left half written. */
  async trim() {
    const trimming = this.#trimming ??= this.#trim();
    try {
      await trimming;
    } catch (error) {
      throw cacheError(`${this.#folder} cannot be tidied`, error);
    } finally {
      if (this.#trimming === trimming) this.#trimming = undefined;
    }
  }

  /** Deletes all tiles; the folder, and what else is in it, stays. */
  async clear() {
    try {
      for (const { path } of await this.#list()) await rm(path, { force: true });
    } catch (error) {
      throw cacheError(`${this.#folder} cannot be cleared`, error);
    }
  }
}
