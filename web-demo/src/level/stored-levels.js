/** Stores opened level files in the browser, so that an address or a reload finds them again. */

/** @typedef {import('./messages.js').LevelFile} LevelFile */
/** @typedef {{ key: string, time: number, size: number, files: LevelFile[] }} StoredFiles */

const [DATABASE, STORE] = ['walkmesh-level-tool', 'levels'];
/** The oldest files are deleted first. */
const MAX_LEVELS = 8;
const MAX_BYTES = 400e6;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const finished = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

function open() {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' });
  return finished(request);
}

/** @template T @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => Promise<T>} work @returns {Promise<T>} */
async function withStore(mode, work) {
  const database = await open();
  try {
    const transaction = database.transaction(STORE, mode);
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(undefined);
      transaction.onabort = () => reject(transaction.error);
    });
    const result = await work(transaction.objectStore(STORE));
    await done;
    return result;
  } finally {
    database.close();
  }
}

/** @param {string} key @param {LevelFile[]} files @returns {Promise<boolean>} true if they are stored */
export async function storeFiles(key, files) {
  const size = files.reduce((sum, { blob }) => sum + blob.size, 0);
  if (size > MAX_BYTES) return false;
  try {
    // Copies the contents, because the file on the disk may change.
    const copies = await Promise.all(files.map(async ({ name, blob }) => ({ name, blob: new Blob([await blob.arrayBuffer()]) })));
    await withStore('readwrite', async (store) => {
      const others = /** @type {StoredFiles[]} */ (await finished(store.getAll())).filter((stored) => stored.key !== key).sort((a, b) => b.time - a.time);
      let sum = size;
      others.forEach((stored, i) => {
        sum += stored.size;
        if (i + 1 >= MAX_LEVELS || sum > MAX_BYTES) store.delete(stored.key);
      });
      await finished(store.put({ key, time: Date.now(), size, files: copies }));
    });
    return true;
  } catch {
    return false;
  }
}

/** @param {string} key @returns {Promise<LevelFile[] | undefined>} */
export async function findFiles(key) {
  try {
    return (await withStore('readonly', (store) => finished(store.get(key))))?.files;
  } catch {
    return undefined;
  }
}
