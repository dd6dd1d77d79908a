/// <reference lib="dom" preserve="true" />
/**
 * IndexedDbTileCache: tiles in a browser's IndexedDB, shared by pages and workers of an origin, until the browser or the user
 * clears it.
 *
 * Each tile is a record: its bytes, their number, and the time of writing. If the tiles exceed the limit, or the browser's
 * storage is full, the oldest are deleted. A tile that still does not fit is not stored, without an error.
 */
import { requireOptions } from '../runtime/arguments.js';
import { copyBytes } from '../runtime/bytes.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { nameSet } from '../runtime/option-names.js';
import { requireByteLimit, requireKey } from './tile-cache.js';

const OPTION_NAMES = nameSet({ name: 1, maxBytes: 1 });
const DEFAULT_MAX_BYTES = 512 * 1024 * 1024;
const STORE = 'tiles';
const BY_AGE = 'age';

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const resultOf = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** Resolves when the transaction is complete. @param {IDBTransaction} transaction @returns {Promise<void>} */
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
  /** Bytes written since the tiles were last counted. */
  #uncounted = Infinity;
  /** @type {Promise<void> | undefined} */
  #trimming;

  /**
   * @param {{ name?: string, maxBytes?: number }} [options] name of the database, default `walkmesh-tiles`; maxBytes:
   *   default 512 MiB
   */
  constructor(options = {}) {
    const { name = 'walkmesh-tiles', maxBytes = DEFAULT_MAX_BYTES } = requireOptions(options, OPTION_NAMES);
    if (typeof name !== 'string' || name === '') throw invalidArgument('name', `is ${describe(name)}: must be a string that is not empty`, name);
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
    if (!indexedDB) throw new NavError('state', 'IndexedDB is not available here: use another tile cache');
    const request = indexedDB.open(this.#name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE).createIndex(BY_AGE, ['writtenAt', 'size']);
    const database = await resultOf(request);
    // Another page deletes or upgrades the database: close it, and reconnect at the next use.
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
      throw new NavError('file', `cannot use the database ${this.#name}: ${message}`, { cause: error });
    }
  }

  /** @param {string} key @returns {Promise<Uint8Array | undefined>} */
  async get(key) {
    requireKey(key);
    const record = await this.#use('readonly', (store) => resultOf(store.get(key)));
    return record?.bytes instanceof Uint8Array ? record.bytes : undefined;
  }

  /** @param {string} key @param {import('../runtime/bytes.js').Bytes} bytes */
  async set(key, bytes) {
    requireKey(key);
    const copy = copyBytes(bytes); // has its own buffer: the database stores whole buffers
    if (copy.length > this.#maxBytes) return;
    this.#uncounted += copy.length;
    if (this.#uncounted > this.#maxBytes / 16) await this.trim();
    const record = { bytes: copy, size: copy.length, writtenAt: Date.now() };
    const write = () => this.#use('readwrite', (store, transaction) => {
      store.put(record, key);
      return completionOf(transaction);
    });
    try {
      await write();
    } catch (error) {
      if (!isQuotaError(error)) throw error;
      try {
        await this.#trimTo(this.#maxBytes / 2);
        await write();
      } catch (again) {
        if (!isQuotaError(again)) throw again;
      }
    }
  }

  /** Deletes a tile, if it exists. @param {string} key */
  async delete(key) {
    requireKey(key);
    await this.#use('readwrite', (store, transaction) => {
      store.delete(key);
      return completionOf(transaction);
    });
  }

  /** Deletes the oldest tiles until the rest has at most `maxBytes` bytes. @param {number} maxBytes */
  async #trimTo(maxBytes) {
    this.#uncounted = 0;
    await this.#use('readwrite', async (store, transaction) => {
      const completion = completionOf(transaction);
      let bytes = 0;
      // From the newest on: tiles that fit stay.
      const request = store.index(BY_AGE).openKeyCursor(null, 'prev');
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return;
        bytes += Number(/** @type {[number, number]} */ (cursor.key)[1]);
        if (bytes > maxBytes) store.delete(cursor.primaryKey);
        cursor.continue();
      };
      await completion;
    });
  }

  /** Deletes the oldest tiles until the rest has at most maxBytes bytes. */
  async trim() {
    const trimming = this.#trimming ??= this.#trimTo(this.#maxBytes);
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

  /** Closes the database. The next use opens it again. */
  close() {
    const opening = this.#opening;
    this.#opening = undefined;
    opening?.then((database) => database.close(), () => {});
  }
}
