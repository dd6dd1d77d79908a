/** Undo and redo: snapshots of the document, which share what did not change. */

/** @typedef {import('./document.js').Document} Document */
/** @typedef {{ label: string, document: Document }} Snapshot label: of the edit that led away from it */

/** Steps that are kept. */
const MOST_STEPS = 200;

export class History {
  /** @type {Snapshot[]} */
  #past = [];
  /** @type {Snapshot[]} */
  #future = [];
  /** @type {string | undefined} */
  #mergeKey;

  /** What undo would take back, or undefined. */
  get undoLabel() {
    return this.#past.at(-1)?.label;
  }

  /** What redo would do again, or undefined. */
  get redoLabel() {
    return this.#future.at(-1)?.label;
  }

  /** Edits with the same key as the one before it join that one, until settle(). @param {string} label @param {Document} before @param {string} [merge] */
  record(label, before, merge) {
    this.#future.length = 0;
    if (merge !== undefined && merge === this.#mergeKey && this.#past.length > 0) return;
    this.#mergeKey = merge;
    this.#past.push({ label, document: before });
    if (this.#past.length > MOST_STEPS) this.#past.shift();
  }

  /** The next edit is a step of its own. */
  settle() {
    this.#mergeKey = undefined;
  }

  /** @param {Document} now @returns {Document | undefined} */
  undo(now) {
    return this.#step(this.#past, this.#future, now);
  }

  /** @param {Document} now @returns {Document | undefined} */
  redo(now) {
    return this.#step(this.#future, this.#past, now);
  }

  /** @param {Snapshot[]} from @param {Snapshot[]} to @param {Document} now */
  #step(from, to, now) {
    const snapshot = from.pop();
    if (!snapshot) return undefined;
    this.settle();
    to.push({ label: snapshot.label, document: now });
    return snapshot.document;
  }
}
