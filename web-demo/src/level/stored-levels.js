/** Stores opened level files in the browser, so that an address or a reload finds them again. */
import { finished, withStore } from '../state/database.js';

/** @typedef {import('./messages.js').LevelFile} LevelFile */
/** @typedef {{ key: string, time: number, size: number, files: LevelFile[] }} StoredFiles */

/** Files opened by this page, also if the browser can't store them. @type {Map<string, LevelFile[]>} */
const opened = new Map();
/** The oldest files are deleted first. */
const MAX_LEVELS = 8;
const MAX_BYTES = 400e6;

/** @param {string} key @param {LevelFile[]} files @returns {Promise<boolean>} true if they are stored */
export async function storeFiles(key, files) {
  opened.delete(key);
  opened.set(key, files);
  for (const first of [...opened.keys()].slice(0, -MAX_LEVELS)) opened.delete(first);
  const size = files.reduce((sum, { blob }) => sum + blob.size, 0);
  if (size > MAX_BYTES) return false;
  try {
    // Copies the contents, because the file on the disk may change.
    const copies = await Promise.all(files.map(async ({ name, blob }) => ({ name, blob: new Blob([await blob.arrayBuffer()]) })));
    opened.set(key, copies);
    await withStore('levels', 'readwrite', async (store) => {
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
  const files = opened.get(key);
  if (files) return files;
  try {
    return (await withStore('levels', 'readonly', (store) => finished(store.get(key))))?.files;
  } catch {
    return undefined;
  }
}
