/** Messages to the user; a message closes by a click, or after some time unless it is an error. */
import { html, render } from 'lit';
import { icon } from './icon.js';

/** @typedef {{ id: number, kind: 'error' | 'warning' | 'info', title: string, text: string }} Notice */

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

  /** @param {string} title @param {unknown} [error] its message is the text */
  error(title, error) {
    this.#add('error', title, error === undefined ? '' : /** @type {Error} */ (error)?.message ?? String(error));
  }

  /** @param {string} title @param {string} [text] */
  warn(title, text = '') {
    this.#add('warning', title, text);
  }

  /** @param {string} title @param {string} [text] */
  info(title, text = '') {
    this.#add('info', title, text);
  }

  /** @param {number} id */
  close(id) {
    this.all = this.all.filter((notice) => notice.id !== id);
    this.#draw();
  }

  clear() {
    this.all = [];
    this.#draw();
  }

  /** @param {Notice['kind']} kind @param {string} title @param {string} text */
  #add(kind, title, text) {
    const id = this.#next++;
    // A repeated message replaces the earlier one.
    this.all = [...this.all.filter((notice) => notice.title !== title), { id, kind, title, text }].slice(-4);
    this.#draw();
    if (kind !== 'error') setTimeout(() => this.close(id), 1000 * SECONDS);
  }

  #draw() {
    render(this.all.map(({ id, kind, title, text }) => html`
      <div class="notice ${kind}" role=${kind === 'error' ? 'alert' : 'status'}>
        ${icon(ICONS[kind])}
        <div><strong>${title}</strong>${text ? html`<p>${text}</p>` : ''}</div>
        <button class="plain" aria-label="Close message" @click=${() => this.close(id)}>${icon('x')}</button>
      </div>`), this.#container);
  }
}
