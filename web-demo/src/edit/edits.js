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
/** @typedef {{ selection: Selection, item: any }} SelectedItem */
/** @typedef {import('./shapes.js').Point} Point */

/** @param {Selection} a @param {Selection} b */
const isSame = (a, b) => a.kind === b.kind && a.id === b.id;

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

  /** Selects the items that undo or redo brought back, if they are of one kind. @param {Document} now @param {Document} before */
  #selectReturned(now, before) {
    const returned = Object.entries(LISTS).flatMap(([kind, list]) => now[list]
      .filter(({ id }) => !before[list].some((item) => item.id === id)).map(({ id }) => ({ kind: /** @type {ItemKind} */ (kind), id })));
    const [selection, ...others] = returned;
    if (selection && others.every(({ kind }) => kind === selection.kind)) this.#app.store.setSession({ selection, alsoSelected: others });
  }

  /** @returns {Selection | null} */
  get selection() {
    return this.#app.store.state.session.selection ?? null;
  }

  /** The selected item as stored in the document. @returns {any} */
  get selected() {
    return findItem(this.#app.store.state.document, this.selection);
  }

  /** Further selected items, of the same kind: they are moved and deleted together with the selection. @returns {Selection[]} */
  get others() {
    const { document, session } = this.#app.store.state;
    return (session.alsoSelected ?? []).filter((/** @type {Selection} */ other) => findItem(document, other));
  }

  /** All selected items as stored in the document; the first is the selection. @returns {SelectedItem[]} */
  allSelected() {
    const { selection } = this;
    const all = selection ? [selection, ...this.others] : [];
    return all.map((each) => ({ selection: each, item: findItem(this.#app.store.state.document, each) }));
  }

  /** @param {Selection} selection */
  isSelected({ kind, id }) {
    return this.allSelected().some(({ selection }) => selection.kind === kind && selection.id === id);
  }

  /** Selects one item and no other. @param {Selection | null} selection */
  select(selection) {
    const now = this.selection;
    if (now?.kind === selection?.kind && now?.id === selection?.id && this.others.length === 0) return;
    this.#app.store.setSession({ selection, alsoSelected: [] });
  }

  /** Makes a selected item the one whose fields and handles are shown. @param {Selection} selection */
  lead(selection) {
    const others = this.allSelected().map((each) => each.selection).filter((each) => !isSame(each, selection));
    this.#app.store.setSession({ selection, alsoSelected: others });
  }

  /** Adds an item to the selected ones, or removes it. An item of another kind replaces the selection. @param {Selection} selection */
  toggle(selection) {
    const all = this.allSelected().map((each) => each.selection);
    if (all.some(({ kind }) => kind !== selection.kind)) {
      this.select(selection);
      return;
    }
    const rest = all.filter((each) => !isSame(each, selection));
    const [first = null, ...others] = rest.length < all.length ? rest : [selection, ...all];
    this.#app.store.setSession({ selection: first, alsoSelected: others });
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

  /** Deletes an item; default: all selected ones. @param {Selection} [selection] */
  remove(selection) {
    this.removeAll(selection ? [selection] : this.allSelected().map((each) => each.selection));
  }

  /** Deletes items of one kind. @param {readonly Selection[]} gone */
  removeAll(gone) {
    if (gone.length === 0) return;
    const [{ kind }] = gone;
    this.#app.store.edit(gone.length > 1 ? `delete ${gone.length} ${NOUNS[kind]}s` : `delete ${NOUNS[kind]}`, (draft) => {
      const list = /** @type {any[]} */ (draft[LISTS[kind]]);
      list.splice(0, list.length, ...list.filter(({ id }) => !gone.some((each) => each.id === id)));
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
    this.moveAll(this.allSelected(), by, merge);
  }

  /**
   * Moves items from where they were. @param {SelectedItem[]} items as they were @param {readonly number[]} by
   * @param {string} merge see move
   */
  moveAll(items, by, merge) {
    if (items.length === 0) return;
    const [{ selection: { kind, id } }] = items;
    this.#app.store.edit(items.length > 1 ? `move ${items.length} ${NOUNS[kind]}s` : `move ${NOUNS[kind]}`, (draft) => {
      const list = /** @type {any[]} */ (draft[LISTS[kind]]);
      for (const { selection, item } of items) {
        const at = list.findIndex((each) => each.id === selection.id);
        if (at >= 0) list[at] = shiftItem(kind, item, by);
      }
    }, { merge: `${kind} ${id} ${merge}` });
  }
}
