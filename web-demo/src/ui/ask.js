/** Questions with a few answers, in a dialog: where going on by itself could lose or mix up work. */
import { html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import './ask.css';

/** @typedef {import('../app.js').App} App */
/** @template {string} T @typedef {{ id: T, label: string, hint?: string }} Answer the first one is the proposed one */
/** @typedef {{ title: string, text: string, answers: readonly Answer<string>[], resolve: (id: string | null) => void }} Question */

export class Questions {
  #app;
  /** @type {Question | null} */
  #open = null;
  /** The number of questions that were asked: each has a dialog of its own, since the one before may still be closing. */
  #count = 0;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  start() {
    this.#app.panels.addOverlay('question', () => this.#draw());
  }

  /**
   * Asks; a question that is open is cancelled.
   * @template {string} T @param {{ title: string, text: string, answers: readonly Answer<T>[] }} question
   * @returns {Promise<T | null>} null: cancelled
   */
  ask(question) {
    this.#answer(null);
    this.#count++;
    return new Promise((resolve) => {
      this.#open = { ...question, resolve: /** @type {any} */ (resolve) };
      this.#app.panels.refresh();
    });
  }

  /** @param {string | null} id */
  #answer(id) {
    const question = this.#open;
    this.#open = null;
    question?.resolve(id);
    this.#app.panels.refresh();
  }

  #draw() {
    const question = this.#open;
    return this.#count === 0 ? nothing : html`${keyed(this.#count, html`
      <wa-dialog class="question" label=${question?.title ?? ''} ?open=${question !== null}
        @wa-after-hide=${(/** @type {Event} */ event) => event.target === event.currentTarget && question === this.#open && this.#answer(null)}>
        ${question ? html`
          <p>${question.text}</p>
          <div class="answers">
            ${question.answers.map(({ id, label, hint }, i) => html`
              <wa-button variant=${i === 0 ? 'brand' : 'neutral'} appearance=${i === 0 ? 'accent' : 'outlined'} title=${hint ?? ''} @click=${() => this.#answer(id)}>${label}</wa-button>
              ${hint ? html`<span class="quiet">${hint}</span>` : ''}`)}
            <wa-button appearance="plain" @click=${() => this.#answer(null)}>Cancel</wa-button>
          </div>` : ''}
      </wa-dialog>`)}`;
  }
}
