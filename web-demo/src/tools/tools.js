/**
 * The tools: the active tool receives the pointer and key events of the view, and draws a part of the panel.
 *
 * A method that returns true has handled the event: the camera doesn't move.
 */

import { usesKey } from '../ui/key-owner.js';
import { keepAboveSheet } from '../view/keep-in-view.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../state/document.js').State} State */
/** @typedef {import('../view/picking.js').LevelHit} LevelHit */

/**
 * @typedef {object} Tool
 * @property {() => void} activate
 * @property {() => void} deactivate
 * @property {(hit: LevelHit | null, event: PointerEvent) => boolean | void} [pointerdown]
 * @property {(hit: LevelHit | null, event: PointerEvent) => boolean | void} [pointermove] also without a pressed button
 * @property {(hit: LevelHit | null, event: PointerEvent) => boolean | void} [pointerup]
 * @property {(hit: LevelHit | null, event: PointerEvent) => void} [click] pressed and released without a drag
 * @property {(hit: LevelHit | null, event: PointerEvent) => void} [doubleclick]
 * @property {(event: KeyboardEvent) => boolean | void} [key] wherever the focus is, unless the focused element uses the key
 * @property {(state: State) => import('lit').TemplateResult} panel
 */

/**
 * @typedef {object} ToolKind
 * @property {string} id
 * @property {string} label
 * @property {string} icon of ui/icon.js
 * @property {string} shortcut one letter
 * @property {string} hint mouse controls, for the status bar
 * @property {'inspect' | 'query' | 'edit' | 'agents'} group
 * @property {(app: App) => Tool} create
 */

/** Pixels the pointer may move during a click; a finger is less steady. */
const CLICK_SLACK = 4, TAP_SLACK = 12;

export class Tools {
  #app;
  /** @type {ToolKind[]} */
  kinds = [];
  /** @type {Map<string, Tool>} */
  #made = new Map();
  /** @type {Tool | null} */
  active = null;
  #activeId = '';
  /** Position of the button press, and its receiver. @type {{ x: number, y: number, receiver: 'handle' | 'tool' | null } | null} */
  #press = null;
  /** True if the focus was moved by the Tab key: then the focused button owns Space and Enter. */
  #isByKeys = false;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /** True if the last tap opened a sheet. */
  #opensSheet = false;

  /** @param {ToolKind} kind */
  register(kind) {
    this.kinds.push(kind);
  }

  /** Adds the listeners and activates the tool of the state. Call it after all tools are registered. */
  start() {
    const { canvas } = this.#app.viewport;
    // Before the camera's listeners on the canvas: handled events don't reach them.
    const before = { capture: true };
    canvas.addEventListener('pointerdown', (event) => this.#down(event), before);
    canvas.addEventListener('pointermove', (event) => this.#move(event), before);
    canvas.addEventListener('pointerup', (event) => this.#up(event), before);
    // Else the browser's click after the tap would land on the sheet, and focus a field.
    canvas.addEventListener('touchend', (event) => { if (this.#opensSheet) event.preventDefault(); });
    canvas.addEventListener('pointercancel', () => this.#cancel(), before);
    canvas.addEventListener('dblclick', (event) => this.active?.doubleclick?.(this.#app.picking.level(event), /** @type {any} */ (event)));
    window.addEventListener('pointerdown', () => { this.#isByKeys = false; }, before);
    window.addEventListener('keydown', (event) => this.#key(event), before);
    this.#app.store.subscribe((state, previous) => {
      if (state.view.tool !== previous.view.tool) this.#activate(state.view.tool);
    });
    this.#activate(this.#app.store.state.view.tool);
  }

  /** @param {string} id @returns {Tool | undefined} created on first use */
  get(id) {
    const kind = this.kinds.find((candidate) => candidate.id === id);
    if (kind && !this.#made.has(id)) this.#made.set(id, kind.create(this.#app));
    return this.#made.get(id);
  }

  get activeKind() {
    return this.kinds.find(({ id }) => id === this.#activeId);
  }

  /** @param {string} id */
  #activate(id) {
    const known = this.kinds.some((kind) => kind.id === id) ? id : this.kinds[0]?.id ?? '';
    if (known === this.#activeId) return;
    this.active?.deactivate();
    this.#activeId = known;
    this.active = this.get(known) ?? null;
    this.active?.activate();
    this.#app.viewport.invalidate();
    this.#app.panels.refresh();
  }

  /** The active tool handles a key first; afterwards the view has the focus, so that no button is pressed, too. @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === 'Tab') this.#isByKeys = true;
    if (event.defaultPrevented || usesKey(event, this.#isByKeys) || !this.active?.key?.(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#app.viewport.canvas.focus({ preventScroll: true });
  }

  /** @param {PointerEvent} event */
  #consume(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#app.viewport.canvas.focus({ preventScroll: true });
    if (event.type === 'pointerdown') this.#app.viewport.canvas.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    this.#press = null;
    this.#opensSheet = false;
    if (event.button !== 0 || !event.isPrimary) return;
    /** @type {'handle' | 'tool' | null} */
    let receiver = null;
    if (this.#app.handles.pointerdown(event)) receiver = 'handle';
    else if (this.active?.pointerdown?.(this.#app.picking.level(event), event)) receiver = 'tool';
    this.#press = { x: event.clientX, y: event.clientY, receiver };
    if (receiver) this.#consume(event);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!event.isPrimary) return;
    if (this.#press?.receiver === 'handle') {
      this.#app.handles.pointermove(event);
      this.#consume(event);
      return;
    }
    if (event.buttons !== 0 && this.#press?.receiver !== 'tool') return;
    const hit = this.#app.picking.level(event);
    this.#app.panels.showCursor(hit?.point ?? null);
    if (event.buttons === 0) {
      this.#app.viewport.canvas.style.cursor = this.#app.handles.at(event) ? 'grab' : '';
    }
    if (this.active?.pointermove?.(hit, event)) this.#consume(event);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const press = this.#press;
    this.#press = null;
    if (!press || event.button !== 0) return;
    if (press.receiver === 'handle') {
      this.#app.handles.pointerup();
      this.#consume(event);
      return;
    }
    const hit = this.#app.picking.level(event);
    if (press.receiver === 'tool') this.#consume(event);
    this.active?.pointerup?.(hit, event);
    const slack = event.pointerType === 'touch' ? TAP_SLACK : CLICK_SLACK;
    if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > slack) return;
    this.active?.click?.(hit, event);
    if (!['inspect', 'query'].includes(this.activeKind?.group ?? '')) return;
    this.#app.panels.showAnswer();
    this.#opensSheet = this.#app.panels.isPhone;
    if (hit) requestAnimationFrame(() => keepAboveSheet(this.#app, hit.point));
  }

  #cancel() {
    if (this.#press?.receiver === 'handle') this.#app.handles.pointerup();
    this.#press = null;
  }
}
