/** What is said of an answer: in words, with a colour; and facts below. */
import { html } from 'lit';
import { icon } from '../ui/icon.js';

/** @typedef {import('./words.js').Verdict} Verdict */

const ICONS = { good: 'circle-check', fair: 'info', bad: 'circle-x' };

/** @param {Verdict} verdict */
export const verdictOf = ({ tone, title, text }) => html`
  <div class="answer ${tone}" role="status">${icon(ICONS[tone])}<p><strong>${title}</strong> ${text}</p></div>`;

/** How long it took. @param {string} text */
export const took = (text) => html`<p class="took" title="Asked again and again for 1.5 ms: the average">${text}</p>`;
