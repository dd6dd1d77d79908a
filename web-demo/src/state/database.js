/** The browser's database of the tool: level files, and the work of each page. */

/** Tests delete it by this name. */
const DATABASE = 'walkmesh-level-tool';
/** Each store and its key. */
const STORES = /** @type {const} */ ({ levels: 'key', work: 'id' });

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
export const finished = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

function open() {
  const request = indexedDB.open(DATABASE, 2);
  request.onupgradeneeded = () => {
    for (const [name, keyPath] of Object.entries(STORES)) {
      if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name, { keyPath });
    }
  };
  return finished(request);
}

/**
 * Does work in one transaction. Rejects if the browser has no database, or no room.
 * @template T @param {keyof typeof STORES} name @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => Promise<T>} work @returns {Promise<T>}
 */
export async function withStore(name, mode, work) {
  const database = await open();
  // Another page may need to upgrade or delete it.
  database.onversionchange = () => database.close();
  try {
    const transaction = database.transaction(name, mode);
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(undefined);
      transaction.onabort = () => reject(transaction.error);
    });
    done.catch(() => {});
    const result = await work(transaction.objectStore(name));
    await done;
    return result;
  } finally {
    database.close();
  }
}
