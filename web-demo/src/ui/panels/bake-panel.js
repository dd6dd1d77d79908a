/** The configuration panel and the bake controls. */
import { html, nothing } from 'lit';
import { HEIGHTS, PARTITIONS } from 'walkmesh';
import { FIELD_GROUPS, findField } from '../../bake/config-table.js';
import { recordSuggestion } from '../../bake/chosen.js';
import { PRESETS, findPreset, suggest, suggestClimb } from '../../bake/suggest.js';
import { applyMend } from '../../inspect/verdict.js';
import { LINKS_TITLE, LINK_FIELDS, LinksSection } from '../../links/links-section.js';
import { wantsLinks } from '../../links/kinds.js';
import { defaultToolConfig } from '../../state/document.js';
import { choiceField, numberField, pointField, switchField } from '../fields.js';
import { icon } from '../icon.js';
import '../../bake/bake.css';

/** @typedef {import('../../app.js').App} App */
/** @typedef {import('../../bake/config-table.js').FieldRow} FieldRow */
/** @typedef {import('../../state/document.js').Document['config']} Config */
/** @typedef {import('../../state/document.js').Point} Point */
/** @typedef {import('../../state/document.js').State} State */
/** @typedef {import('../../state/document.js').BakeState} BakeState */

const DEFAULTS = defaultToolConfig();
/** The group that links follow: those after it are of the mesh's details. */
const LINKS_AFTER = FIELD_GROUPS.find(({ title }) => title === 'Tiles');
const counted = (/** @type {number} */ count) => count.toLocaleString('en');

/** Status text of the bake. @param {App} app @param {State} state */
function describeBake(app, { session: { bake }, document: { config } }) {
  const { state, done, tiles, report } = bake;
  if (state === 'running') {
    if (tiles === 0) return 'Starting workers';
    return config.tileSize > 0 ? `${counted(done)} of ${counted(tiles)} tiles` : `Stage ${done} of ${tiles}`;
  }
  if (app.bakes.isStale && state !== 'failed') return html`<span class="stale">Changed since the bake</span>`;
  if (state === 'cancelled') return app.bakes.current ? 'Cancelled: the mesh before stays' : 'Cancelled';
  if (state === 'failed') return html`<span class="stale">Bake failed</span>`;
  return report && state === 'done' ? `Baked in ${(report.milliseconds / 1000).toFixed(2)} s` : '';
}

/** @param {App} app @param {State} state */
function drawBar(app, state) {
  const { bake } = state.session;
  const isRunning = bake.state === 'running';
  // The second click of a double click on Bake is meant for Bake, which Cancel has replaced by then.
  const cancel = (/** @type {MouseEvent} */ { detail }) => { if (detail < 2) app.bakes.cancel(); };
  return html`
    ${isRunning
      ? html`<wa-button size="s" variant="neutral" appearance="outlined" title="Cancel bake  Esc" @click=${cancel}>${icon('square', 'start')}<span class="bar-word">Cancel</span></wa-button>`
      : html`<wa-button size="s" variant="brand" title="Bake  B" ?disabled=${!state.session.level} @click=${() => app.bakes.bake()}>${icon('play', 'start')}<span class="bar-word">Bake</span></wa-button>`}
    ${isRunning ? html`<wa-progress-bar class="bake-progress" label="Bake" .value=${bake.tiles ? 100 * bake.done / bake.tiles : 0}></wa-progress-bar>` : nothing}
    <span class="bake-words" role="status">${describeBake(app, state)}</span>`;
}

/** A setting of the configuration panel, for the command palette. @typedef {{ label: string, unit: string, group: string, show: () => void }} Setting */

class ConfigSection {
  #app;
  /** Groups that the user opened or closed. @type {Map<string, boolean>} */
  #open = new Map();
  /** Text of the last suggestion. */
  #suggestion = '';
  /** Level of the last suggestion. @type {unknown} */
  #suggestedFor = null;
  #links;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.#links = new LinksSection(app);
  }

  /** All settings, with what shows each. @returns {Setting[]} */
  settings() {
    const make = (/** @type {string} */ label, /** @type {string} */ unit, /** @type {string} */ group) => ({ label, unit, group, show: () => this.#show(label, group) });
    return [
      make('Auto-bake', '', ''), ...FIELD_GROUPS.flatMap(({ title, fields }) => fields.map((field) => make(field.label, field.kind === 'number' ? field.unit : '', title))),
      ...LINK_FIELDS.map(({ label, unit }) => make(label, unit, LINKS_TITLE)), make('Limit bake bounds', '', ''),
    ];
  }

  /** Opens the group of a setting, scrolls to the setting and focuses it. @param {string} label @param {string} group */
  #show(label, group) {
    if (group) this.#open.set(group, true);
    this.#app.panels.reveal('config');
    requestAnimationFrame(() => {
      const labels = Array.from(document.querySelectorAll('[aria-labelledby=title-config] :is(label, wa-switch)'));
      const found = labels.find(({ textContent }) => textContent?.trim() === label);
      const field = /** @type {HTMLElement | null | undefined} */ (found instanceof HTMLLabelElement ? found.control : found);
      found?.scrollIntoView({ block: 'center' });
      field?.focus({ preventScroll: true });
      if (field instanceof HTMLInputElement) field.select();
    });
  }

  /** @param {string} label @param {Partial<Config>} patch */
  #change(label, patch) {
    this.#app.store.edit(label, (draft) => { Object.assign(draft.config, patch); });
  }

  /** @param {State} state */
  render(state) {
    const { document: { config }, session: { bake, level }, view } = state;
    const { error } = bake;
    return html`
      ${error && !hasField(error) ? html`<wa-callout class="config-error" variant="danger" size="s" role="alert">${error.message}</wa-callout>` : nothing}
      ${switchField({
        label: 'Auto-bake', value: view.autoBake, change: (autoBake) => this.#app.store.setView({ autoBake }),
      })}
      ${this.#drawPresets(config, level?.bounds)}
      ${FIELD_GROUPS.map((group) => html`${this.#drawFields(group, config, error)}${group === LINKS_AFTER ? this.#drawLinks(state) : nothing}`)}
      ${this.#drawBounds(config, level?.bounds, error)}`;
  }

  /** @param {Config} config @param {{ min: Point, max: Point } | undefined} bounds */
  #drawPresets(config, bounds) {
    const chosen = findPreset(config);
    if (this.#suggestedFor !== this.#app.levels.current) this.#suggestion = '';
    const apply = (/** @type {string} */ label, /** @type {Partial<Config>} */ agent) => { if (bounds) this.#suggest(label, agent, config.bounds ?? bounds); };
    return html`
      <div class="presets" role="group" aria-label="Presets">
        ${PRESETS.map(({ id, label, icon: name, agent }) => html`
          <button aria-pressed=${chosen?.id === id} ?disabled=${!bounds} title="${label}: radius ${agent.agentRadius}, height ${agent.agentHeight}, step height ${agent.agentMaxClimb}, max slope ${agent.agentMaxSlope}°"
            @click=${() => apply(`preset ${label.toLowerCase()}`, agent)}>${icon(name)}${label}</button>`)}
      </div>
      <wa-button size="s" appearance="outlined" ?disabled=${!bounds} @click=${() => apply('suggest a configuration', {})}>${icon('wand-sparkles', 'start')}Suggest settings</wa-button>
      ${this.#suggestion ? html`<p class="hint suggestion" role="status">${this.#suggestion}</p>` : nothing}`;
  }

  /**
   * Applies a preset, or none: then the step height follows the level's stairs. Cell sizes follow the agent and the level.
   * @param {string} label of the undo step @param {Partial<Config>} agent of the preset @param {{ min: Point, max: Point }} bounds
   */
  #suggest(label, agent, bounds) {
    const { store, levels, panels } = this.#app;
    const wanted = { ...store.state.document.config, ...agent };
    const { config: cells, text } = suggest(bounds, wanted);
    const climb = suggestClimb(levels.current?.risers ?? [], wanted, cells.cellHeight);
    const isPreset = Object.keys(agent).length > 0;
    const stairs = climb && `The level's stairs have risers of ${Number(climb.riser.toFixed(2))} m`;
    this.#suggestion = !climb ? text
      : isPreset ? `${text} ${stairs}, above the max step height: Suggest settings allows them.` : `Max step height ${climb.agentMaxClimb}: ${stairs?.replace(/^T/, 't')}. ${text}`;
    this.#suggestedFor = levels.current;
    store.edit(label, (draft) => {
      Object.assign(draft.config, agent, cells, climb && !isPreset ? { agentMaxClimb: climb.agentMaxClimb } : {});
      recordSuggestion(draft, cells);
    });
    panels.refresh();
  }

  /** @param {import('../../bake/config-table.js').FieldGroup} group @param {Config} config @param {import('../../state/document.js').BakeState['error']} error */
  #drawFields({ title, isOpen, fields }, config, error) {
    const hasError = fields.some(({ name }) => name === error?.field);
    const changed = fields.filter(({ name }) => config[name] !== DEFAULTS[name]).length;
    return this.#drawGroup(title, {
      isOpen: hasError || (this.#open.get(title) ?? isOpen), summary: changed > 0 ? ` · ${changed} changed` : '',
      contents: () => fields.map((field) => this.#drawField(field, config, error?.field === field.name ? error.message : undefined)),
    });
  }

  /** @param {State} state */
  #drawLinks(state) {
    const hasError = Boolean(state.session.links?.error);
    return this.#drawGroup(LINKS_TITLE, {
      isOpen: hasError || (this.#open.get(LINKS_TITLE) ?? wantsLinks(state.document)), summary: this.#links.summary(state), contents: () => this.#links.draw(state),
    });
  }

  /** @param {string} title @param {{ isOpen: boolean, summary: string, contents: () => unknown }} group summary: of the closed group */
  #drawGroup(title, { isOpen, summary, contents }) {
    const toggle = () => {
      this.#open.set(title, !isOpen);
      this.#app.panels.refresh();
    };
    return html`
      <div class="group" role="group" aria-label=${title}>
        <h3><button aria-expanded=${isOpen} @click=${toggle}><span>${title}${isOpen ? '' : summary}</span>${icon(isOpen ? 'chevron-down' : 'chevron-right')}</button></h3>
        ${isOpen ? contents() : nothing}
      </div>`;
  }

  /** @param {FieldRow} field @param {Config} config @param {string} [error] */
  #drawField(field, config, error) {
    const { name, label, help } = field;
    const value = config[name];
    const change = (/** @type {any} */ next) => this.#change(`change ${label.toLowerCase()}`, { [name]: next });
    return html`
      <div class="config-field ${value === DEFAULTS[name] ? '' : 'changed'}">
        ${this.#drawEntry(field, value, change, error, help)}
        <button class="plain reset" aria-label="Reset ${label.toLowerCase()}" title="Reset to ${String(DEFAULTS[name])}" @click=${() => change(DEFAULTS[name])}>${icon('rotate-ccw')}</button>
      </div>`;
  }

  /** @param {FieldRow} field @param {any} value @param {(value: any) => void} change @param {string | undefined} error @param {string} hint */
  #drawEntry(field, value, change, error, hint) {
    const { label } = field;
    if (field.kind === 'switch') return switchField({ label, value, hint, change });
    if (field.kind === 'partition' || field.kind === 'heights') {
      const names = field.kind === 'partition' ? PARTITIONS : HEIGHTS;
      return choiceField({ label, value, hint, change, options: names.map((name) => ({ value: name, label: name[0].toUpperCase() + name.slice(1) })) });
    }
    const { unit, min, max, step, orZero } = /** @type {import('../../bake/config-table.js').NumberFieldRow} */ (field);
    return numberField({ label, value, hint, error, change, unit, min: orZero ? 0 : min, max, step });
  }

  /** @param {Config} config @param {{ min: Point, max: Point } | undefined} level @param {import('../../state/document.js').BakeState['error']} error */
  #drawBounds(config, level, error) {
    const { bounds } = config;
    const set = (/** @type {{ min: Point, max: Point } | undefined} */ next) => this.#change('change bake bounds', { bounds: next });
    return html`
      <div class="group" role="group" aria-label="Bake bounds">
        ${switchField({
          label: 'Limit bake bounds', value: bounds !== undefined, disabled: !level,
          change: (on) => set(on && level ? { min: [...level.min], max: [...level.max] } : undefined),
        })}
        ${bounds ? html`
          ${pointField({ label: 'Min', value: bounds.min, change: (min) => set({ ...bounds, min }) })}
          ${pointField({ label: 'Max', value: bounds.max, change: (max) => set({ ...bounds, max }) })}` : nothing}
        ${error?.field?.startsWith('bounds') ? html`<p class="hint error" role="alert">${error.message}</p>` : nothing}
      </div>`;
  }
}

/** True if the configuration panel has a place for an error. @param {BakeState['error']} error */
const hasField = (error) => error?.field !== undefined && (findField(error.field) !== undefined || error.field.startsWith('bounds'));

/** A failed bake, where the eye is: above the view. @param {App} app @param {State} state */
function drawFailure(app, { session: { bake: { state, error } } }) {
  if (state !== 'failed' || !error) return nothing;
  const { fix } = error;
  return html`
    <div class="bake-failure" role="alert">${icon('circle-x')}
      <div><strong>Bake failed</strong><p>${error.message}</p></div>
      <span class="failure-actions">
        ${fix ? html`<wa-button size="s" variant="brand" @click=${() => applyMend(app, fix)}>${fix.label}</wa-button>` : nothing}
        ${hasField(error) ? html`<wa-button size="s" appearance="outlined" @click=${() => showError(app)}>Show setting</wa-button>` : nothing}
      </span>
    </div>`;
}

/** Opens the configuration and scrolls the field with the error into view. @param {App} app */
function showError(app) {
  app.panels.reveal('config');
  requestAnimationFrame(() => scrollToError());
}

/** Scrolls the field with the error into view, if its panel is open. */
function scrollToError() {
  document.querySelector('[aria-labelledby=title-config] :is(.wrong, .hint.error)')?.scrollIntoView({ block: 'center' });
}

/** @param {App} app */
export function addBakePanel(app) {
  app.panels.addOverlay('bake-failure', (state) => drawFailure(app, state));
  app.store.subscribe(({ session: { bake } }, { session: { bake: before } }) => {
    if (bake.error && bake.error !== before.error) requestAnimationFrame(() => scrollToError());
  });
  app.panels.addBarItem({ id: 'bake', zone: 'middle', render: (state) => drawBar(app, state) });
  const section = new ConfigSection(app);
  app.panels.addSettings(section.settings());
  app.panels.addSection({ id: 'config', side: 'left', title: 'Configuration', grow: true, isTall: true, render: (state) => section.render(state) });
}
