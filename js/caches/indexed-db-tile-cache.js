/// <reference lib="dom" preserve="true" />
/**
 * Tiles kept in a browser's IndexedDB, for pages and workers of one origin, until the browser or the user clears it.
 *
 * A record a tile: its bytes, their number and when they were written. Where tiles take more than the limit, or the browser
 * has no more room, those written first go; what then still finds no room is not stored, which is no error.
 */
import { requireOptions } from '../runtime/arguments.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { nameSet } from '../runtime/names.js';
import { requireByteLimit, requireCacheBytes, requireKey } from './tile-cache.js';

const OPTION_NAMES = nameSet({ name: 1, maxBytes: 1 });
const DEFAULT_MAX_BYTES = 512 * 1024 * 1024;
const STORE = 'tiles';
const BY_AGE = 'age';

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const answerOf = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** Resolves when what was written is there. @param {IDBTransaction} transaction @returns {Promise<void>} */
const completionOf = (transaction) => new Promise((resolve, reject) => {
  transaction.oncomplete = () => resolve();
  transaction.onabort = transaction.onerror = () => reject(transaction.error);
});

/** @param {unknown} error */
const isQuotaError = (error) => /** @type {any} */ (error)?.name === 'QuotaExceededError';

/** @typedef {import('./tile-cache.js').TileCache} TileCache */

/** @implements {TileCache} */
export class IndexedDbTileCache {
  #name;
  #maxBytes;
  /** @type {Promise<IDBDatabase> | undefined} */
  #opening;
  /** Written since tiles were last counted. */
  #uncounted = Infinity;
  /** @type {Promise<void> | undefined} */
  #trimming;

  /**
   * @param {{ name?: string, maxBytes?: number }} [options] name of the database, default `walkmesh-tiles`; maxBytes:
   *   default 512 MiB
   */
  constructor(options = {}) {
    const { name = 'walkmesh-tiles', maxBytes = DEFAULT_MAX_BYTES } = requireOptions(options, OPTION_NAMES);
    if (typeof name !== 'string' || name === '') throw invalidArgument('name', `is ${describe(name)}: must be a name`, name);
    this.#name = name;
    this.#maxBytes = requireByteLimit(maxBytes);
  }

  get name() {
    return this.#name;
  }

  get maxBytes() {
    return this.#maxBytes;
  }

  /** @returns {Promise<IDBDatabase>} */
  async #connect() {
    const { indexedDB } = globalThis;
    if (!indexedDB) throw new NavError('state', 'there is no IndexedDB here: use another tile cache');
    const request = indexedDB.open(this.#name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE).createIndex(BY_AGE, ['writtenAt', 'size']);
    const database = await answerOf(request);
    // Another page deletes it, or has a newer version: this one lets go and connects anew where it needs to.
    database.onversionchange = () => this.close();
    database.onclose = () => { this.#opening = undefined; };
    return database;
  }

  /**
   * @template T
   * @param {IDBTransactionMode} mode @param {(store: IDBObjectStore, transaction: IDBTransaction) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async #use(mode, work) {
    const opening = this.#opening ??= this.#connect();
    try {
      const database = await opening;
      const transaction = database.transaction(STORE, mode);
      return await work(transaction.objectStore(STORE), transaction);
    } catch (error) {
      if (error instanceof NavError || isQuotaError(error)) throw error;
      if (this.#opening === opening) this.#opening = undefined;
      const message = error instanceof Error ? error.message : String(error);
      throw new NavError('file', `the database ${this.#name} cannot be used: ${message}`, { cause: error });
    }
  }

  /** @param {string} key @returns {Promise<Uint8Array | undefined>} */
  async get(key) {
    requireKey(key);
    const record = await this.#use('readonly', (store) => answerOf(store.get(key)));
    return record?.bytes instanceof Uint8Array ? record.bytes : undefined;
  }

  /** @param {string} key @param {Uint8Array} bytes */
  async set(key, bytes) {
    requireKey(key);
    requireCacheBytes(bytes);
    if (bytes.length > this.#maxBytes) return;
    this.#uncounted += bytes.length;
    if (this.#uncounted > this.#maxBytes / 16) await this.trim();
    // Of its own buffer, which is all that is stored.
    const record = { bytes: bytes.slice(), size: bytes.length, writtenAt: Date.now() };
    const write = () => this.#use('readwrite', (store, transaction) => {
      store.put(record, key);
      return completionOf(transaction);
    });
    try {
      await write();
    } catch (error) {
      if (!isQuotaError(error)) throw error;
      try {
        await this.#keep(this.#maxBytes / 2);
        await write();
      } catch (again) {
        if (!isQuotaError(again)) throw again;
      }
    }
  }

  /** Deletes a tile, if it is there. @param {string} key */
  async delete(key) {
    requireKey(key);
    await this.#use('readwrite', (store, transaction) => {
      store.delete(key);
      return completionOf(transaction);
    });
  }

  /** Deletes the oldest until the rest takes no more than so many bytes. @param {number} most */
  async #keep(most) {
    this.#uncounted = 0;
    await this.#use('readwrite', async (store, transaction) => {
      const completion = completionOf(transaction);
      let bytes = 0;
      // From the newest on: those that fit stay.
      const request = store.index(BY_AGE).openKeyCursor(null, 'prev');
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return;
        bytes += Number(/** @type {[number, number]} */ (cursor.key)[1]);
        if (bytes > most) store.delete(cursor.primaryKey);
        cursor.continue();
      };
      await completion;
    });
  }

  /** Deletes the oldest until the rest takes no more than maxBytes. */
  async trim() {
    const trimming = this.#trimming ??= this.#keep(this.#maxBytes);
    try {
      await trimming;
    } finally {
      if (this.#trimming === trimming) this.#trimming = undefined;
    }
  }

  /** Deletes all tiles. */
  async clear() {
    await this.#use('readwrite', (store, transaction) => {
      store.clear();
      return completionOf(transaction);
    });
  }

  /** Lets go of the database; using the cache connects anew. */
  close() {
    const opening = this.#opening;
    this.#opening = undefined;
    opening?.then((database) => database.close(), () => {});
  }
}
