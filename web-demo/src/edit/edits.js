/**
 * The items placed in a level: obstacles, area volumes, connections and doors. The document stores them; this class selects, moves,
 * copies and deletes them for every tool. live.js applies them to the mesh, drawing.js draws them.
 */
import { nextId } from '../state/document.js';
import { Drawing } from './item-drawing.js';
import { Gizmo } from './gizmo.js';
import { LISTS, NOUNS, findItem, itemBounds, shiftItem } from './items.js';
import { RebuiltTiles } from './rebuilt-tiles.js';
import { LiveEdits } from './live-edits.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('./items.js').ItemKind} ItemKind */
/** @typedef {import('./items.js').Selection} Selection */
/** @typedef {import('./shapes.js').Point} Point */

export class Edits {
  #app;
  /** True if the pointer drags an item. */
  isDragging = false;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.live = new LiveEdits(app);
    this.drawing = new Drawing(app);
    this.rebuiltTiles = new RebuiltTiles(app);
    this.gizmo = new Gizmo(app);
  }

  start() {
    this.live.start();
    this.drawing.start();
    this.rebuiltTiles.start();
    this.gizmo.start();
    const { store, shortcuts } = this.#app;
    // A deleted item can't stay selected.
    store.subscribe((state) => {
      if (this.selection && !this.selected) store.setSession({ selection: null });
    });
    store.subscribe((state, previous) => {
      if (state.session.restored !== previous.session.restored) this.#selectReturned(state.document, previous.document);
    });
    const hasSelection = () => this.selected !== undefined;
    const hasMoving = () => store.state.document.obstacles.some(({ moving }) => moving);
    shortcuts.add(
      { keys: 'Delete', label: 'Delete selection', group: 'Edit', when: hasSelection, run: () => this.remove() },
      { keys: 'Backspace', label: 'Delete selection', group: 'Edit', when: hasSelection, run: () => this.remove() },
      { keys: 'ctrl+d', label: 'Duplicate selection', group: 'Edit', when: hasSelection, run: () => this.duplicate() },
      { keys: 'k', label: 'Play or pause motion', group: 'Edit', when: hasMoving,
        run: () => this.live.play(!this.live.state.playing) },
    );
  }

  /** Selects the item that undo or redo brought back, if it is one. @param {Document} now @param {Document} before */
  #selectReturned(now, before) {
    const returned = Object.entries(LISTS).flatMap(([kind, list]) => now[list]
      .filter(({ id }) => !before[list].some((item) => item.id === id)).map(({ id }) => ({ kind: /** @type {ItemKind} */ (kind), id })));
    if (returned.length === 1) this.select(returned[0]);
  }

  /** @returns {Selection | null} */
  get selection() {
    return this.#app.store.state.session.selection ?? null;
  }

  /** The selected item as stored in the document. @returns {any} */
  get selected() {
    return findItem(this.#app.store.state.document, this.selection);
  }

  /** @param {Selection | null} selection */
  select(selection) {
    const now = this.selection;
    if (now?.kind === selection?.kind && now?.id === selection?.id) return;
    this.#app.store.setSession({ selection });
  }

  /** Adds an item and selects it. @param {ItemKind} kind @param {any} item without its id @returns {Selection} */
  add(kind, item) {
    const id = nextId(this.#app.store.state.document[LISTS[kind]]);
    this.#app.store.edit(`add ${NOUNS[kind]}`, (draft) => { /** @type {any[]} */ (draft[LISTS[kind]]).push({ id, ...item }); });
    this.#app.store.commit();
    const selection = { kind, id };
    this.select(selection);
    return selection;
  }

  /**
   * Changes an item. @param {Selection} selection @param {string} label of the undo step, such as "resize obstacle"
   * @param {(item: any) => any} change returns the changed item @param {string} [merge] see Store.edit
   */
  change(selection, label, change, merge) {
    this.#app.store.edit(label, (draft) => {
      const list = /** @type {any[]} */ (draft[LISTS[selection.kind]]);
      const at = list.findIndex(({ id }) => id === selection.id);
      if (at >= 0) list[at] = change(list[at]);
    }, merge === undefined ? {} : { merge: `${selection.kind} ${selection.id} ${merge}` });
  }

  /** @param {Selection | null} [selection] */
  remove(selection = this.selection) {
    if (!selection) return;
    this.#app.store.edit(`delete ${NOUNS[selection.kind]}`, (draft) => {
      const list = /** @type {any[]} */ (draft[LISTS[selection.kind]]);
      list.splice(0, list.length, ...list.filter(({ id }) => id !== selection.id));
    });
  }

  /** Copies the selected item and selects the copy. */
  duplicate() {
    const { selection, selected } = this;
    if (!selection || !selected) return;
    const { min, max } = itemBounds(selection.kind, selected);
    const { cellSize } = this.#app.store.state.document.config;
    const { id: _, ...copy } = shiftItem(selection.kind, structuredClone(selected), [max[0] - min[0] + 2 * cellSize, 0, 0]);
    if (selection.kind === 'door' && copy.name) copy.name = '';
    this.add(selection.kind, copy);
  }

  /** @param {readonly number[]} by @param {string} merge moves in a row with the same key are one undo step */
  move(by, merge) {
    const { selection } = this;
    if (selection) this.change(selection, `move ${NOUNS[selection.kind]}`, (item) => shiftItem(selection.kind, item, by), merge);
  }
}
