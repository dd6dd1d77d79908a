/**
 * The import strip: how the level's file is read (unit, up axis, winding, scale). It opens above the view when another reading is
 * likely, with one button that applies it.
 */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { icon } from '../ui/icon.js';
import { AS_IS, UNITS, changedSettings } from './import-settings.js';
import './import-strip.css';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./import-settings.js').ImportSettings} ImportSettings */

/** @type {Record<keyof ImportSettings, (value: any) => string>} */
const WORDS = {
  unit: (unit) => UNITS.find(({ id }) => id === unit)?.label ?? unit, upAxis: (axis) => `${axis.toUpperCase()} up`,
  flip: (flip) => (flip ? 'Flip winding' : "Don't flip winding"), scale: (scale) => `Scale ${scale}`,
};

export class ImportStrip {
  #app;
  /** True if the user opened it. */
  #isOpen = false;
  /** The level whose suggestion the user closed. @type {unknown} */
  #closedFor = null;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    app.panels.addOverlay('import', (state) => this.#draw(state));
    app.events.on('level', () => {
      if (!app.levels.importAdvice) this.#isOpen = false;
      app.panels.refresh();
    });
  }

  open() {
    this.#isOpen = true;
    this.#app.panels.refresh();
  }

  #close() {
    this.#isOpen = false;
    this.#closedFor = this.#app.levels.current;
    this.#app.panels.refresh();
  }

  /** @param {import('../state/document.js').State} state */
  #draw({ document: { level }, session: { loading } }) {
    const suggestion = this.#closedFor === this.#app.levels.current ? null : this.#app.levels.importAdvice;
    if (loading || level.kind !== 'file' || !(suggestion || this.#isOpen)) return nothing;
    return html`
      <section class="import-strip" aria-label="Import">
        ${suggestion ? this.#drawSuggestion(suggestion) : nothing}
        ${this.#drawSettings({ ...AS_IS, ...level.import })}
        <button class="plain" aria-label="Close import" title="Close" @click=${() => this.#close()}>${icon('x')}</button>
      </section>`;
  }

  /** @param {NonNullable<App['levels']['importAdvice']>} suggestion */
  #drawSuggestion({ settings, reasons }) {
    const changes = Object.entries(settings).map(([name, value]) => WORDS[/** @type {keyof ImportSettings} */ (name)](value));
    return html`
      <div class="import-advice" role="status">${icon('wand-sparkles')}
        <p>${reasons.join(' ')}</p>
        ${changes.length > 0 ? html`<wa-button size="s" variant="brand" @click=${() => this.#app.levels.changeImport(settings)}>Apply: ${changes.join(', ')}</wa-button>` : nothing}
      </div>`;
  }

  /** @param {ImportSettings} settings */
  #drawSettings({ unit, upAxis, flip, scale }) {
    const change = (/** @type {Partial<ImportSettings>} */ patch) => this.#app.levels.changeImport(patch);
    const setScale = (/** @type {HTMLInputElement} */ input) => {
      if (input.valueAsNumber > 0 && Number.isFinite(input.valueAsNumber)) change({ scale: input.valueAsNumber });
      else input.value = String(scale);
    };
    const choice = (/** @type {string} */ label, /** @type {string} */ value, /** @type {[string, string][]} */ options, /** @type {(value: any) => void} */ set) => html`
      <label>${label}<select @change=${(/** @type {any} */ event) => set(event.target.value)}>
        ${options.map(([id, text]) => html`<option value=${id} .selected=${live(id === value)}>${text}</option>`)}</select></label>`;
    return html`
      <div class="import-settings">
        ${choice('Unit', unit, UNITS.map(({ id, label }) => [id, label]), (value) => change({ unit: value }))}
        ${choice('Up axis', upAxis, [['y', 'Y'], ['z', 'Z']], (value) => change({ upAxis: value }))}
        <label>Scale<input type="number" min="0" step="any" .value=${live(String(scale))} @change=${(/** @type {any} */ event) => setScale(event.target)}></label>
        <label class="import-flip"><input type="checkbox" .checked=${live(flip)} @change=${(/** @type {any} */ event) => change({ flip: event.target.checked })}>Flip winding</label>
        ${changedSettings({ unit, upAxis, flip, scale }) ? html`<button class="text-link" @click=${() => change(AS_IS)}>Reset</button>` : nothing}
      </div>`;
  }
}
