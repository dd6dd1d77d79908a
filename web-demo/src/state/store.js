/**
 * The state of the tool: what is edited (document), its appearance (view), and what is running (session).
 * Subscribers compare the parts they depend on with the previous state.
 */
import { History } from './history.js';

/** @typedef {import('./document.js').Document} Document */
/** @typedef {import('./document.js').State} State */
/** @typedef {(state: State, previous: State) => void} Listener */

/**
 * Replaces equal parts of the first value by those of the second, so that `!==` detects changes.
 * @template T @param {T} next @param {any} previous @returns {T}
 */
export function shareEqual(next, previous) {
  if (next === previous || typeof next !== 'object' || next === null || typeof previous !== 'object' || previous === null) {
    return next;
  }
  if (Array.isArray(next) !== Array.isArray(previous)) return next;
  const target = /** @type {Record<string, unknown>} */ (next);
  const keys = Object.keys(target);
  let isEqual = keys.length === Object.keys(previous).length;
  for (const key of keys) {
    target[key] = shareEqual(target[key], previous[key]);
    isEqual &&= key in previous && target[key] === previous[key];
  }
  return isEqual ? previous : next;
}

export class Store {
  /** @type {State} */
  state;
  #history = new History();
  /** Markers that were moved, by the query whose they are. @type {Map<string, Set<string>>} */
  #moved = new Map();
  /** @type {Set<Listener>} */
  #listeners = new Set();
  /** The last state that the listeners received, while a call to them is pending. @type {State | undefined} */
  #pending;

  /** @param {State} state */
  constructor(state) {
    this.state = state;
  }

  get undoLabel() {
    return this.#history.undoLabel;
  }

  get redoLabel() {
    return this.#history.redoLabel;
  }

  /**
   * One undoable step: the recipe changes a copy of the document in place. A recipe without changes adds no step, unless it `isStep` anyway.
   * @param {string} label for undo, such as "move obstacle"
   * @param {(document: Document) => void} recipe
   * @param {{ merge?: string, isStep?: boolean }} [options] merge: consecutive edits with the same key become one step, until commit(); isStep: a
   *   step for what the user did, such as opening a file that equals the document
   */
  edit(label, recipe, { merge, isStep = false } = {}) {
    const before = this.state.document;
    const draft = structuredClone(before);
    recipe(draft);
    const document = shareEqual(draft, before);
    if (document === before && !isStep) return;
    this.#history.record(label, before, merge);
    this.#set({ ...this.state, document });
  }

  /** Moves markers of a query. That is no step of undo: markers ask, and steps before and after leave them where they are. @param {string} id of the query @param {Record<string, unknown>} patch */
  moveMarkers(id, patch) {
    const { document } = this.state, { places } = document;
    this.#moved.set(id, new Set([...this.#moved.get(id) ?? [], ...Object.keys(patch)]));
    this.#set({ ...this.state, document: shareEqual({ ...document, places: { ...places, [id]: { ...places[id], ...structuredClone(patch) } } }, document) });
  }

  /** Records something that was done beside the document as a step of undo. @param {string} label @param {import('./history.js').Effect} effect */
  recordEffect(label, effect) {
    this.#history.commit();
    this.#history.record(label, this.state.document, undefined, effect);
    this.#set({ ...this.state });
  }

  /** Ends a series of edits that form one step. */
  commit() {
    this.#history.commit();
  }

  /** @param {Partial<State['view']>} patch */
  setView(patch) {
    this.#set({ ...this.state, view: { ...this.state.view, ...patch } });
  }

  /** @param {Partial<State['session']>} patch */
  setSession(patch) {
    this.#set({ ...this.state, session: { ...this.state.session, ...patch } });
  }

  undo() {
    const step = this.#history.undo(this.state.document);
    this.#restore(step?.document);
    step?.effect?.undo();
  }

  redo() {
    const step = this.#history.redo(this.state.document);
    this.#restore(step?.document);
    step?.effect?.redo();
  }

  /** Listeners are called once for all changes of the current task. @param {Listener} listener @returns {() => void} ends it */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param {Document | undefined} document */
  #restore(document) {
    if (!document) return;
    const { session } = this.state;
    this.#set({ ...this.state, document: shareEqual(this.#withMarkers(structuredClone(document)), this.state.document), session: { ...session, restored: (session.restored ?? 0) + 1 } });
  }

  /** With the markers as they are, unless they belong to another level. @param {Document} document @returns {Document} */
  #withMarkers(document) {
    const now = this.state.document;
    if (document.level.name !== now.level.name) return document;
    for (const [id, keys] of this.#moved) {
      const markers = Object.entries(now.places[id] ?? {}).filter(([key]) => keys.has(key));
      document.places[id] = { ...document.places[id], ...Object.fromEntries(markers) };
    }
    return document;
  }

  /** @param {State} state */
  #set(state) {
    const previous = this.state;
    this.state = state;
    if (this.#pending) return;
    this.#pending = previous;
    queueMicrotask(() => this.#notify());
  }

  #notify() {
    const previous = /** @type {State} */ (this.#pending);
    this.#pending = undefined;
    for (const listener of [...this.#listeners]) listener(this.state, previous);
  }
}
