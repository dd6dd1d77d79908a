/** Undo and redo: snapshots of the document that share their unchanged parts. */

/** @typedef {import('./document.js').Document} Document */
/** Changes beside the document that a step makes, as to agents of a crowd. @typedef {{ undo: () => void, redo: () => void }} Effect */
/** @typedef {{ label: string, document: Document, effect?: Effect }} Snapshot label: of the edit that followed it */

/** Most undo steps. */
const MAX_STEPS = 200;

export class History {
  /** @type {Snapshot[]} */
  #past = [];
  /** @type {Snapshot[]} */
  #future = [];
  /** @type {string | undefined} */
  #mergeKey;

  /** Label of the step that undo reverts, or undefined. */
  get undoLabel() {
    return this.#past.at(-1)?.label;
  }

  /** Label of the step that redo repeats, or undefined. */
  get redoLabel() {
    return this.#future.at(-1)?.label;
  }

  /**
   * Edits with the same merge key as the previous edit join its step, until commit().
   * @param {string} label @param {Document} before @param {string} [merge] @param {Effect} [effect]
   */
  record(label, before, merge, effect) {
    this.#future.length = 0;
    if (merge !== undefined && merge === this.#mergeKey && this.#past.length > 0) return;
    this.#mergeKey = merge;
    this.#past.push({ label, document: before, effect });
    if (this.#past.length > MAX_STEPS) this.#past.shift();
  }

  /** The next edit starts a new step. */
  commit() {
    this.#mergeKey = undefined;
  }

  /** @param {Document} now @returns {Snapshot | undefined} */
  undo(now) {
    return this.#step(this.#past, this.#future, now);
  }

  /** @param {Document} now @returns {Snapshot | undefined} */
  redo(now) {
    return this.#step(this.#future, this.#past, now);
  }

  /** @param {Snapshot[]} from @param {Snapshot[]} to @param {Document} now */
  #step(from, to, now) {
    const snapshot = from.pop();
    if (!snapshot) return undefined;
    this.commit();
    to.push({ ...snapshot, document: now });
    return snapshot;
  }
}
