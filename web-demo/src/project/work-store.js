/**
 * The work of each page in the browser's database, so that a reload, a crash or a closed page loses nothing. Each page has a slot of
 * its own; a lock of the page's life tells which slots belong to pages that are gone.
 */
import { finished, withStore } from '../state/database.js';

/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('../state/document.js').View} View */
/**
 * @typedef {object} Slot
 * @property {string} id of the page
 * @property {number} time of the last change, milliseconds since 1970
 * @property {string[]} hashes addresses that this state may have: the one before and the one after the last change
 * @property {Document} document
 * @property {View} view
 * @property {boolean} isDirty true if the user made something that no project file has
 * @property {string | null} name of the project
 */
/** @typedef {{ id: string, own: Slot | null, others: Slot[] }} Work own: of this page before a reload; others: of pages that are gone, newest first */

/** The page's id in its session storage, which a reload keeps. */
const ID = 'walkmesh-work';
/** Most slots that are kept. */
const MAX_SLOTS = 12;

/** Milliseconds until a lock counts as another page's: that of the page before a reload ends sooner. */
const PATIENCE = 500;

/** @param {string} id */
const lockName = (id) => `walkmesh-work ${id}`;

/** Holds a page's lock until the page ends. @param {string} id @returns {Promise<boolean>} false: another page has it */
function hold(id) {
  if (!navigator.locks) return Promise.resolve(true);
  const patience = new AbortController();
  setTimeout(() => patience.abort(), PATIENCE);
  return new Promise((resolve) => {
    navigator.locks.request(lockName(id), { signal: patience.signal }, () => {
      resolve(true);
      return new Promise(() => {});
    }).catch(({ name }) => resolve(name !== 'AbortError'));
  });
}

/** The ids of open pages. @returns {Promise<Set<string>>} */
async function openPages() {
  const { held = [] } = await navigator.locks?.query() ?? {};
  return new Set(held.map(({ name = '' }) => name.slice(lockName('').length)));
}

/** The id of this page: that of before a reload, unless the page is a copy of one that is open. */
async function claimId() {
  const known = sessionStorage.getItem(ID);
  if (known && await hold(known)) return { id: known, isKnown: true };
  return { id: await newId(), isKnown: false };
}

async function newId() {
  const id = Math.random().toString(36).slice(2, 12);
  sessionStorage.setItem(ID, id);
  await hold(id);
  return id;
}

/** Finds the work of this page, and of pages that are gone. @param {string} hash the page's address, after # @returns {Promise<Work>} */
export async function findWork(hash) {
  try {
    const { id, isKnown } = await claimId();
    const slots = /** @type {Slot[]} */ (await withStore('work', 'readonly', (store) => finished(store.getAll())));
    const open = await openPages();
    const mine = isKnown ? slots.find((slot) => slot.id === id) : undefined;
    // An address that isn't the slot's is a link that was opened in this page: its state is shown, and the work is offered.
    const isOwn = mine?.hashes.includes(hash);
    const others = slots.filter((slot) => slot.isDirty && (slot === mine ? !isOwn : !open.has(slot.id))).sort((a, b) => b.time - a.time);
    const clean = slots.filter((slot) => !slot.isDirty && slot !== mine && !open.has(slot.id));
    for (const { id: old } of [...clean, ...others.slice(MAX_SLOTS)]) void deleteSlot(old);
    return { id: mine && !isOwn ? await newId() : id, own: mine && isOwn ? mine : null, others };
  } catch {
    return { id: '', own: null, others: [] };
  }
}

/** @param {Slot} slot @returns {Promise<unknown>} rejects if the browser can't store it */
export const storeSlot = (slot) => withStore('work', 'readwrite', (store) => finished(store.put(slot)));

/** @param {string} id */
export async function deleteSlot(id) {
  try {
    await withStore('work', 'readwrite', (store) => finished(store.delete(id)));
  } catch {
    // It is offered again at the next visit.
  }
}
