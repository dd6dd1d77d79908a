/** The group "Links" of the configuration panel: a switch for each kind, its limits, and what was generated. */
import { html, nothing } from 'lit';
import { areaField } from '../edit/item-panels.js';
import { percent } from '../layers/drawing.js';
import { SEGMENT_LINKS } from '../layers/colors.js';
import { numberField, switchField } from '../ui/fields.js';
import { icon } from '../ui/icon.js';
import { COMMON_LIMITS, LINK_KINDS, areaOfKind, commonLimits, kindLimits } from './kinds.js';
import { nameCounts, withLinkLabels } from './link-words.js';
import './links.css';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../state/document.js').State} State */
/** @typedef {import('./kinds.js').KindRow} KindRow */
/** @typedef {import('./kinds.js').LimitRow} LimitRow */
/** @typedef {import('./kinds.js').LinkKind} LinkKind */

/** The title of the group. */
export const LINKS_TITLE = 'Links';

/** Labels and units of the group's fields, for the command palette. */
export const LINK_FIELDS = [
  ...LINK_KINDS.flatMap(({ label, limits }) => [{ label, unit: '' }, ...limits.map((row) => ({ label: row.label, unit: row.unit }))]),
  ...COMMON_LIMITS.map(({ label, unit }) => ({ label, unit })),
];

export class LinksSection {
  #app;
  #isMoreOpen = false;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /** @param {string} step of undo @param {(links: State['document']['links']) => void} change */
  #edit(step, change) {
    this.#app.store.edit(step, ({ links }) => change(links));
  }

  /** What the closed group says. @param {State} state */
  summary({ document: { links } }) {
    const on = LINK_KINDS.filter(({ kind }) => links[kind].isOn).length;
    return on > 0 ? ` · ${on} on` : '';
  }

  /** @param {State} state */
  draw(state) {
    const anyOn = LINK_KINDS.some(({ kind }) => state.document.links[kind].isOn);
    const toggle = () => {
      this.#isMoreOpen = !this.#isMoreOpen;
      this.#app.panels.refresh();
    };
    return html`
      ${LINK_KINDS.map((row) => this.#drawKind(row, state))}
      ${this.#drawStatus(state)}
      ${anyOn ? html`
        <button class="more-links" aria-expanded=${this.#isMoreOpen} @click=${toggle}>${icon(this.#isMoreOpen ? 'chevron-down' : 'chevron-right')}<span>More link settings</span></button>
        ${this.#isMoreOpen ? this.#drawMore(state) : nothing}` : nothing}`;
  }

  /** @param {KindRow} row @param {State} state */
  #drawKind({ kind, label, help, limits }, state) {
    const { isOn } = state.document.links[kind];
    const values = kindLimits(state.document, kind);
    return html`
      <div class="link-kind" style="--color: #${SEGMENT_LINKS[kind].toString(16).padStart(6, '0')}">
        ${switchField({
          label, value: isOn, hint: help, change: (on) => this.#edit(`switch ${on ? 'on' : 'off'} ${kind}`, (links) => { links[kind].isOn = on; }),
        })}
        ${isOn ? html`<div class="link-limits">${limits.filter(({ isRare }) => !isRare).map((row) => this.#drawLimit(row, values[row.name], state, kind))}</div>` : nothing}
      </div>`;
  }

  /** @param {LimitRow} row @param {number} value @param {State} state @param {LinkKind} [kind] undefined: of all kinds */
  #drawLimit({ name, label, unit, step, help }, value, { document: { links }, session }, kind) {
    const given = /** @type {Record<string, any>} */ (kind ? links[kind] : links);
    const error = session.links?.error;
    const set = (/** @type {number | undefined} */ next) => this.#edit(`change ${label.toLowerCase()}`, (draft) => {
      const target = /** @type {Record<string, any>} */ (kind ? draft[kind] : draft);
      if (next === undefined) delete target[name];
      else target[name] = next;
    });
    return html`
      <div class="config-field ${given[name] === undefined ? '' : 'changed'}">
        ${numberField({
          label, value, unit, step, min: 0, hint: help, change: set,
          error: error?.field === `links.${kind ? `${kind}.` : ''}${name}` ? withLinkLabels(error.message) : undefined,
        })}
        <button class="plain reset" aria-label="Reset ${label.toLowerCase()}" title="Follow the agent again" @click=${() => set(undefined)}>${icon('rotate-ccw')}</button>
      </div>`;
  }

  /** @param {State} state */
  #drawMore(state) {
    const common = commonLimits(state.document);
    const on = LINK_KINDS.filter(({ kind }) => state.document.links[kind].isOn);
    return html`
      ${on.flatMap(({ kind, limits }) => limits.filter(({ isRare }) => isRare).map((row) => this.#drawLimit(row, kindLimits(state.document, kind)[row.name], state, kind)))}
      ${COMMON_LIMITS.map((row) => this.#drawLimit(row, common[row.name], state))}
      ${on.map(({ kind, label }) => areaField(state.document, {
        label: `${label} area`, value: areaOfKind(state.document, kind),
        change: (area) => this.#edit(`change area of ${kind}`, (links) => { links[kind].area = area; }),
      }))}`;
  }

  /** What is being done, or was. @param {State} state */
  #drawStatus({ view, session }) {
    const { links } = this.#app;
    const { state, share, report, error } = links.state;
    if (state === 'running') return html`<p class="drawing numbers" role="status" style="--share: ${percent(share)}">Generating links: ${percent(share)}</p>`;
    if (error && !isFieldOf(error.field)) return html`<p class="hint error" role="alert">${withLinkLabels(error.message)}</p>`;
    if (links.isStale && !view.autoBake) {
      return html`<wa-button size="s" appearance="outlined" ?disabled=${session.bake.state === 'running'} @click=${() => void links.generate()}>${icon('refresh-cw', 'start')}Generate links</wa-button>`;
    }
    if (state !== 'done' || !report) return nothing;
    const time = report.milliseconds > 0 ? ` in ${(report.milliseconds / 1000).toFixed(2)} s` : '';
    if (report.count === 0) return html`<p class="hint numbers" role="status">No places for links found. Raise a limit, or see Why no link in the Links tool.</p>`;
    return html`<p class="hint numbers" role="status">${report.count.toLocaleString('en')} ${report.count === 1 ? 'link' : 'links'}${time}: ${nameCounts(report.counts)}</p>`;
  }
}

/** True if a field of the group shows an error. @param {string} [field] */
const isFieldOf = (field) => LINK_KINDS.some(({ kind, limits }) => limits.some(({ name }) => field === `links.${kind}.${name}`))
  || COMMON_LIMITS.some(({ name }) => field === `links.${name}`);
