/**
 * What is placed in a level: obstacles, area volumes, connections and doors. They are in the document; this selects, moves, copies
 * and removes them, whichever tool is active. What the mesh makes of them is in live.js, what is seen of them in drawing.js.
 */
import { nextId } from '../state/document.js';
import { Drawing } from './drawing.js';
import { Gizmo } from './gizmo.js';
import { LISTS, NOUNS, findItem, itemBounds, shiftItem } from './items.js';
import { Lights } from './lights.js';
import { LiveEdits } from './live.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./items.js').ItemKind} ItemKind */
/** @typedef {import('./items.js').Selection} Selection */
/** @typedef {import('./shapes.js').Point} Point */

export class Edits {
  #app;
  /** Whether the pointer moves something now. */
  isDragging = false;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.live = new LiveEdits(app);
    this.drawing = new Drawing(app);
    this.lights = new Lights(app);
    this.gizmo = new Gizmo(app);
  }

  start() {
    this.live.start();
    this.drawing.start();
    this.lights.start();
    this.gizmo.start();
    const { store, shortcuts } = this.#app;
    // What is gone is not selected.
    store.subscribe((state) => {
      if (this.selection && !this.selected) store.setSession({ selection: null });
    });
    const hasSelection = () => this.selected !== undefined;
    const hasMoving = () => store.state.document.obstacles.some(({ moving }) => moving);
    shortcuts.add(
      { keys: 'Delete', label: 'Delete what is selected', group: 'Edit', when: hasSelection, run: () => this.remove() },
      { keys: 'Backspace', label: 'Delete what is selected', group: 'Edit', when: hasSelection, run: () => this.remove() },
      { keys: 'ctrl+d', label: 'Duplicate what is selected', group: 'Edit', when: hasSelection, run: () => this.duplicate() },
      { keys: 'k', label: 'Play or pause moving obstacles', group: 'Edit', when: hasMoving,
        run: () => this.live.play(!this.live.state.playing) },
    );
  }

  /** @returns {Selection | null} */
  get selection() {
    return this.#app.store.state.session.selection ?? null;
  }

  /** The item that is selected, as the document has it. @returns {any} */
  get selected() {
    return findItem(this.#app.store.state.document, this.selection);
  }

  /** @param {Selection | null} selection */
  select(selection) {
    const now = this.selection;
    if (now?.kind === selection?.kind && now?.id === selection?.id) return;
    this.#app.store.setSession({ selection });
  }

  /** Adds an item, and selects it. @param {ItemKind} kind @param {any} item without its number @returns {Selection} */
  add(kind, item) {
    const id = nextId(this.#app.store.state.document[LISTS[kind]]);
    this.#app.store.edit(`add ${NOUNS[kind]}`, (draft) => { /** @type {any[]} */ (draft[LISTS[kind]]).push({ id, ...item }); });
    this.#app.store.settle();
    const selection = { kind, id };
    this.select(selection);
    return selection;
  }

  /**
   * Changes an item. @param {Selection} selection @param {string} label of the step: "resize obstacle"
   * @param {(item: any) => any} change gives another item @param {string} [merge] as of Store.edit
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

  /** A copy beside what is selected, which is selected then. */
  duplicate() {
    const { selection, selected } = this;
    if (!selection || !selected) return;
    const { min, max } = itemBounds(selection.kind, selected);
    const { cellSize } = this.#app.store.state.document.config;
    const { id: _, ...copy } = shiftItem(selection.kind, structuredClone(selected), [max[0] - min[0] + 2 * cellSize, 0, 0]);
    if (selection.kind === 'door' && copy.name) copy.name = '';
    this.add(selection.kind, copy);
  }

  /** @param {readonly number[]} by @param {string} merge a run of moves with the same is one step */
  move(by, merge) {
    const { selection } = this;
    if (selection) this.change(selection, `move ${NOUNS[selection.kind]}`, (item) => shiftItem(selection.kind, item, by), merge);
  }
}
