/**
 * Stores the work in the browser after each change, offers the work of pages that are gone, and asks before the page closes while a
 * change isn't stored.
 */
import { writeHash } from '../state/url.js';
import { checkDocument, checkView } from '../state/validate.js';
import { deleteSlot, storeSlot } from './work-store.js';
import { hasWork, nameWork } from './work.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./work-store.js').Slot} Slot */
/** @typedef {import('./work-store.js').Work} Work */

/** Milliseconds from a change until it is stored: less than until the address changes (state/url.js). */
const DELAY = 120;

/** @param {number} time @returns {string} such as "5 minutes ago" */
function ago(time) {
  const minutes = Math.max(0, Math.round((Date.now() - time) / 60_000));
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  if (minutes < 1) return 'just now';
  if (minutes < 60) return words.format(-minutes, 'minute');
  return minutes < 24 * 60 ? words.format(-Math.round(minutes / 60), 'hour') : words.format(-Math.round(minutes / 1440), 'day');
}

export class Autosave {
  #app;
  #id;
  /** Work of other pages to offer. @type {Slot[]} */
  #others;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** True if a change isn't stored yet. */
  isPending = false;
  /** True if the browser can't store the work. */
  hasFailed = false;

  /** @param {App} app @param {Work} work */
  constructor(app, { id, others }) {
    this.#app = app;
    this.#id = id;
    this.#others = others;
  }

  start() {
    this.#app.store.subscribe((state, previous) => {
      if (state.document !== previous.document || state.view !== previous.view) this.schedule();
    });
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden' && this.isPending) void this.#store();
    });
    window.addEventListener('beforeunload', (event) => {
      if (!(this.isPending || this.hasFailed) || !this.#app.projects.isDirty) return;
      event.preventDefault();
      // Older browsers ask only if there is a text, which they don't show.
      event.returnValue = 'unsaved changes';
    });
    this.#offer();
  }

  schedule() {
    this.isPending = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#store(), DELAY);
  }

  async #store() {
    clearTimeout(this.#timer);
    const { store, projects } = this.#app;
    const { document, view } = store.state;
    const before = location.hash.slice(1);
    try {
      if (!this.#id) throw new Error('the browser has no database');
      const hashes = [before, await writeHash(document, view)];
      await storeSlot({ id: this.#id, time: Date.now(), hashes, document, view, isDirty: projects.isDirty, name: projects.name });
      this.hasFailed = false;
      if (store.state.document === document && store.state.view === view) this.isPending = false;
    } catch {
      this.isPending = false;
      if (!this.hasFailed && hasWork(document)) {
        this.hasFailed = true;
        this.#app.notices.warn("Can't store your work in this browser", 'Save the project before you close the page.');
      }
    }
  }

  /** Offers the newest work of a page that is gone. */
  #offer() {
    const slot = this.#others.shift();
    if (!slot) return;
    const work = checkDocument(slot.document);
    const end = () => {
      void deleteSlot(slot.id);
      this.#offer();
    };
    this.#app.notices.info('Restore unsaved work?', `${slot.name ?? work.level.name}, ${ago(slot.time)}: ${nameWork(work)}.`, [
      { label: 'Restore', run: async () => {
        this.#app.projects.show({ document: work, view: checkView(slot.view) }, 'restore work');
        // It is deleted once this page has stored it.
        await this.#store();
        if (!this.hasFailed) end();
      } },
      { label: 'Discard', run: end },
    ]);
  }
}
