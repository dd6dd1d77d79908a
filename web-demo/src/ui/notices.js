/** Messages to the user; a message closes by a click, or after some time unless it is an error or has a choice. */
import { html, render } from 'lit';
import { icon } from './icon.js';
import { say } from './touch.js';

/** @typedef {{ label: string, run: () => unknown }} NoticeAction closes the message, too */
/** @typedef {'file' | 'missing' | 'level'} Topic file: a file that was opened; missing: a level that isn't here; level: the open level */
/** @typedef {{ seconds?: number, topic?: Topic }} NoticeOptions seconds: until it closes, also if it has a choice; topic: for closeAbout */
/** @typedef {{ id: number, kind: 'error' | 'warning' | 'info', title: string, text: string, actions: readonly NoticeAction[], topic?: Topic }} Notice */

/** Seconds until a message that isn't an error closes. */
const SECONDS = 8;

const ICONS = { error: 'circle-x', warning: 'triangle-alert', info: 'info' };

export class Notices {
  #container;
  /** @type {Notice[]} */
  all = [];
  #next = 1;

  /** @param {HTMLElement} container */
  constructor(container) {
    this.#container = container;
    this.#draw();
  }

  /** @param {string} title @param {unknown} [error] its message is the text @param {NoticeOptions} [options] */
  error(title, error, options) {
    this.#add('error', title, error === undefined ? '' : /** @type {Error} */ (error)?.message ?? String(error), [], options);
  }

  /** @param {string} title @param {string} [text] @param {readonly NoticeAction[]} [actions] @param {NoticeOptions} [options] */
  warn(title, text = '', actions = [], options = {}) {
    this.#add('warning', title, text, actions, options);
  }

  /**
   * @param {string} title @param {string} [text] @param {readonly NoticeAction[]} [actions] @param {NoticeOptions} [options]
   * @returns {number} its id, for close
   */
  info(title, text = '', actions = [], options = {}) {
    return this.#add('info', title, text, actions, options);
  }

  /** @param {number} id */
  close(id) {
    this.all = this.all.filter((notice) => notice.id !== id);
    this.#draw();
  }

  /** Closes messages that no longer hold. @param {Topic} topic */
  closeAbout(topic) {
    if (!this.all.some((notice) => notice.topic === topic)) return;
    this.all = this.all.filter((notice) => notice.topic !== topic);
    this.#draw();
  }

  clear() {
    this.all = [];
    this.#draw();
  }

  /** @param {Notice['kind']} kind @param {string} title @param {string} text @param {readonly NoticeAction[]} actions @param {NoticeOptions} [options] */
  #add(kind, title, text, actions, { seconds = kind !== 'error' && actions.length === 0 ? SECONDS : undefined, topic } = {}) {
    const id = this.#next++;
    // A repeated message replaces the earlier one.
    this.all = [...this.all.filter((notice) => notice.title !== title), { id, kind, title, text: say(text), actions, topic }].slice(-4);
    this.#draw();
    // A message with a choice waits for it.
    if (seconds !== undefined) setTimeout(() => this.close(id), 1000 * seconds);
    return id;
  }

  /** @param {number} id @param {readonly NoticeAction[]} actions */
  #drawActions(id, actions) {
    if (actions.length === 0) return '';
    const choose = (/** @type {NoticeAction} */ { run }) => {
      this.close(id);
      run();
    };
    return html`<span class="notice-actions">${actions.map((action) => html`
      <wa-button size="s" appearance="outlined" @click=${() => choose(action)}>${action.label}</wa-button>`)}</span>`;
  }

  #draw() {
    render(this.all.map(({ id, kind, title, text, actions }) => html`
      <div class="notice ${kind}" role=${kind === 'error' ? 'alert' : 'status'}>
        ${icon(ICONS[kind])}
        <div><strong>${title}</strong>${text ? html`<p>${text}</p>` : ''}${this.#drawActions(id, actions)}</div>
        <button class="plain" aria-label="Close message" @click=${() => this.close(id)}>${icon('x')}</button>
      </div>`), this.#container);
  }
}

/**
 * Tells about the last edit, with a button that brings back what was there; the message closes at the next edit.
 * @param {import('../app.js').App} app @param {string} title @param {string} text
 * @param {{ label?: string, others?: readonly NoticeAction[] }} [options] label: of the button; others: buttons before it
 */
export function tellUndoable({ store, notices }, title, text, { label: back = 'Bring back', others = [] } = {}) {
  const label = store.undoLabel;
  const ifLast = (/** @type {() => unknown} */ run) => () => { if (store.undoLabel === label) run(); };
  const id = notices.info(title, text, [...others, { label: back, run: () => store.undo() }].map((action) => ({ ...action, run: ifLast(action.run) })));
  const end = store.subscribe(() => {
    if (store.undoLabel === label) return;
    end();
    notices.close(id);
  });
}
