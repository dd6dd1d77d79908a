/** The result line of a query with its colour, and the duration. */
import { html } from 'lit';
import { icon } from '../ui/icon.js';

/** @typedef {import('./result-text.js').Verdict} Verdict */

const ICONS = { good: 'circle-check', fair: 'info', bad: 'circle-x' };

/** @param {Verdict} verdict */
export const verdictOf = ({ tone, title, text }) => html`
  <div class="result ${tone}" role="status">${icon(ICONS[tone])}<p><strong>${title}</strong> ${text}</p></div>`;

/** Duration of the query. @param {string} text */
export const durationLine = (text) => html`<p class="duration" title="Average over 1.5 ms of repetitions">${text}</p>`;
