/** The tool for doors: boxes over openings, opened and closed at run time. */
import { html, nothing } from 'lit';
import { icon } from '../ui/icon.js';
import { switchField } from '../ui/fields.js';
import { live } from 'lit/directives/live.js';
import { Editor } from './editor.js';
import { DOOR_WORDS, doorShapeAt, effectOf, fitIntoPassage } from './fit-door.js';
import { chooser, itemButtons, itemError, itemList, shapeFields, tilesNeeded, updateNote } from './item-panels.js';
import { surfaceAt } from './place-shape.js';
import { say } from '../ui/touch.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../tools/tools.js').Tool} Tool */

/** Longest time between the clicks of a double click, milliseconds. */
const DOUBLE = 600;

/** Distance between a click and its door that is told, world units. */
const FAR = 2;

/** @type {import('../tools/tools.js').ToolKind} */
export const doorsTool = {
  id: 'doors', label: 'Doors', icon: 'door-open', shortcut: 'g', group: 'edit',
  hint: 'Click near a passage to fit a door into it. Double-click it to open or close it.',
  create: (app) => new DoorsTool(app),
};

/** @implements {Tool} */
class DoorsTool {
  #app;
  #isPlacing = true;
  /** The door just placed: the second click of a double click doesn't close it. */
  #placed = { id: 0, at: 0 };

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.editor = new Editor(app, 'door');
  }

  activate() {}

  deactivate() {}

  /** @param {import('../view/picking.js').LevelHit | null} _hit @param {PointerEvent} event */
  pointerdown(_hit, event) {
    return !event.shiftKey && this.editor.pointerdown(event);
  }

  /** @param {import('../view/picking.js').LevelHit | null} _hit @param {PointerEvent} event */
  pointermove(_hit, event) {
    if (this.editor.pointermove(event)) return true;
    if (!this.#app.handles.at(event)) this.#app.viewport.canvas.style.cursor = this.editor.isOver(event) ? 'move' : this.#isPlacing ? 'crosshair' : '';
    return false;
  }

  pointerup() {
    this.editor.pointerup();
  }

  /** @param {import('../view/picking.js').LevelHit | null} hit @param {PointerEvent} event */
  click(hit, event) {
    const { edits, levels, store } = this.#app;
    if (!event.shiftKey && this.editor.isOver(event)) return;
    if (!this.#isPlacing || !hit || !levels.current) {
      edits.select(null);
      return;
    }
    const { shape, isFitted, distance } = doorShapeAt(this.#app, hit.point, surfaceAt(this.#app, hit));
    if (isFitted && distance > FAR) this.#app.notices.warn(`The door stands ${distance.toFixed(1)} m away`, 'No passage of the mesh is nearer to the click. Drag it, or delete it.');
    if (!isFitted) this.#app.notices.warn('No passage here', 'The door stands where you clicked. Drag it between two walls.');
    const count = store.state.document.doors.length + 1;
    const { id } = edits.add('door', { name: `Door ${count}`, shape, open: true });
    this.#placed = { id, at: event.timeStamp };
  }

  /** @param {import('../view/picking.js').LevelHit | null} _hit @param {PointerEvent} event */
  doubleclick(_hit, event) {
    const { selection, selected } = this.#app.edits;
    if (selection?.id === this.#placed.id && event.timeStamp - this.#placed.at < DOUBLE) return;
    if (selection?.kind === 'door' && selected) this.#set(selection.id, !selected.open);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { selection, selected } = this.#app.edits;
    if ((event.key === ' ' || event.key === 'Enter') && selection?.kind === 'door' && selected) {
      this.#set(selection.id, !selected.open);
      return true;
    }
    if (this.editor.key(event)) return true;
    if (event.key !== 'Escape' || !this.#isPlacing) return false;
    this.#place(false);
    return true;
  }

  /** @param {boolean} isPlacing */
  #place(isPlacing) {
    this.#isPlacing = isPlacing;
    this.#app.panels.refresh();
  }

  /** @param {number} id @param {boolean} open */
  #set(id, open) {
    this.#app.edits.change({ kind: 'door', id }, open ? 'open door' : 'close door', (door) => ({ ...door, open }));
  }

  /** @param {import('../state/document.js').State} state */
  panel(state) {
    const { edits } = this.#app;
    const { selection, selected } = edits;
    const isMine = selection?.kind === 'door';
    return html`
      ${chooser({
        label: 'Place', value: this.#isPlacing ? 'door' : '', choose: (id) => this.#place(id === 'door'),
        options: [{ id: '', label: 'Select', icon: 'mouse-pointer-2' }, { id: 'door', label: 'Place door', icon: 'door-open' }],
      })}
      <p class="hint">${say(this.#isPlacing ? 'Click near a passage to fit a door into it.' : 'Click a door to select it.')}</p>
      ${state.document.doors.length > 0 ? tilesNeeded(this.#app, state, 'Exact door edges') : nothing}
      ${isMine ? html`
        ${itemError(state, selection)}
        <div class="field"><label for="door-name">Name</label><span class="entry"><input id="door-name" type="text" maxlength="40" .value=${live(selected.name)}
          @change=${(/** @type {any} */ event) => edits.change(selection, 'name door', (door) => ({ ...door, name: event.target.value.trim() }))}></span></div>
        ${this.#coverNote(selected)}
        ${shapeFields(this.#app, selection, selected.shape)}${itemButtons(this.#app)}` : nothing}
      ${this.#switches(state)}
      ${itemList(this.#app, state, 'door', ({ open }) => (open ? 'open' : 'closed'))}
      ${updateNote(state)}`;
  }

  /** What the door does, and what to do if it closes nothing. @param {any} door */
  #coverNote(door) {
    const effect = effectOf(this.#app, door);
    if (effect === null) return nothing;
    const { length } = this.#app.edits.live.doorPolygons(door.id);
    if (effect === 'closes') return html`<p class="quiet numbers">Closes ${length} ${length === 1 ? 'polygon' : 'polygons'}.</p>`;
    const { title, text } = DOOR_WORDS[effect];
    return html`<wa-callout variant="warning" size="s"><strong>This door ${title}.</strong> ${text}
      <wa-button size="s" appearance="outlined" @click=${() => fitIntoPassage(this.#app, door.id)}>${icon('door-open', 'start')}Fit into passage</wa-button></wa-callout>`;
  }

  /** @param {import('../state/document.js').State} state */
  #switches({ document: { doors } }) {
    if (doors.length === 0) return nothing;
    const all = (/** @type {boolean} */ open) => this.#app.store.edit(open ? 'open all doors' : 'close all doors', (draft) => {
      for (const door of draft.doors) door.open = open;
    });
    return html`
      <div class="doors" role="group" aria-label="Open"><h3>Open</h3>${doors.map(({ id, name, open }) => switchField({
        label: name || `Door ${id}`, value: open, change: (value) => this.#set(id, value),
      }))}</div>
      ${doors.length > 1 ? html`<div class="buttons">
        <wa-button size="s" appearance="outlined" @click=${() => all(true)}>${icon('lock-open', 'start')}Open all</wa-button>
        <wa-button size="s" appearance="outlined" @click=${() => all(false)}>${icon('lock', 'start')}Close all</wa-button></div>` : nothing}`;
  }
}
