/** The command palette: every command by its name. */
import { html, nothing } from 'lit';
import { PRESETS } from '../bake/suggest.js';
import { keyNames } from '../save/help-dialog.js';
import { EXPORTS, exportFile } from '../save/exports.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {{ label: string, group: string, keys?: string, unit?: string, run: () => void }} Command unit: of a setting */

/** Most commands in the list. */
const MOST = 12;

/** All commands that are available now. @param {App} app @returns {Command[]} */
export function commandsOf(app) {
  const seen = new Set();
  const shortcuts = app.shortcuts.all.filter(({ label, when }) => {
    const isNew = !seen.has(label) && (when?.() ?? true);
    seen.add(label);
    return isNew;
  });
  return [
    ...shortcuts,
    ...app.panels.settings.map(({ label, unit, group, show }) => ({ label, group: `Setting ${group}`, unit, run: show })),
    ...PRESETS.map(({ label }) => ({ label: `Preset: ${label}`, group: 'Bake', run: () => press(`[aria-label=Presets] button[title^="${label}:"]`) })),
    ...app.levels.scenes.map(({ name, label }) => ({ label: `Open level: ${label}`, group: 'Level', run: () => app.levels.openScene(name) })),
    { label: 'Open file', group: 'Level', run: () => app.levels.pick() },
    ...EXPORTS.filter(({ unavailable }) => unavailable(app) === null)
      .map(({ id, label }) => ({ label: `Export: ${label}`, group: 'Save', run: () => void exportFile(app, id) })),
  ];
}

/** Presses a button of the page. @param {string} selector */
const press = (selector) => /** @type {HTMLElement | null} */ (document.querySelector(selector))?.click();

/** The commands that contain all words of a text; those that begin with it come first. @param {Command[]} commands @param {string} text */
export function findCommands(commands, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = commands.filter(({ label, group, unit = '' }) => words.every((word) => `${label} ${group} ${unit}`.toLowerCase().includes(word)));
  const begins = ({ label = '' }) => Number(label.toLowerCase().startsWith(words[0] ?? ''));
  return matching.sort((a, b) => begins(b) - begins(a)).slice(0, MOST);
}

class Palette {
  #app;
  #isOpen = false;
  #text = '';
  /** Index of the chosen command in the list. */
  #chosen = 0;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  toggle() {
    this.#show(!this.#isOpen);
  }

  /** @param {boolean} isOpen */
  #show(isOpen) {
    [this.#isOpen, this.#text, this.#chosen] = [isOpen, '', 0];
    this.#app.panels.refresh();
    if (isOpen) requestAnimationFrame(() => document.getElementById('palette-text')?.focus());
  }

  /** @param {Command | undefined} command */
  #run(command) {
    if (!command) return;
    this.#show(false);
    this.#app.viewport.canvas.focus({ preventScroll: true });
    command.run();
  }

  /** Escape closes it, also before it is drawn and has the focus. @param {KeyboardEvent} event */
  cancel(event) {
    if (!this.#isOpen || event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    this.#show(false);
  }

  /** @param {KeyboardEvent} event @param {Command[]} found */
  #key(event, found) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.#chosen = (this.#chosen + step + found.length) % Math.max(found.length, 1);
    else if (event.key === 'Enter') this.#run(found[this.#chosen]);
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.#app.panels.refresh();
  }

  /** @param {string} text */
  #type(text) {
    [this.#text, this.#chosen] = [text, 0];
    this.#app.panels.refresh();
  }

  draw() {
    if (!this.#isOpen) return nothing;
    const found = findCommands(commandsOf(this.#app), this.#text);
    return html`
      <div class="palette-back" @pointerdown=${(/** @type {Event} */ event) => event.target === event.currentTarget && this.#show(false)}>
        <div class="palette" role="dialog" aria-label="Commands" aria-modal="true" @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event, found)}>
          <input id="palette-text" type="text" role="combobox" aria-label="Command" aria-expanded="true" aria-controls="palette-list" autocomplete="off"
            aria-activedescendant=${found.length ? `palette-${this.#chosen}` : nothing} placeholder="Type a command" .value=${this.#text}
            @input=${(/** @type {any} */ event) => this.#type(event.target.value)}>
          <ul id="palette-list" role="listbox" aria-label="Commands">${found.map((command, i) => this.#drawCommand(command, i))}</ul>
          ${found.length ? nothing : html`<p class="quiet">No command has these words.</p>`}
        </div>
      </div>`;
  }

  /** @param {Command} command @param {number} index */
  #drawCommand(command, index) {
    return html`
      <li id="palette-${index}" role="option" aria-selected=${index === this.#chosen} @click=${() => this.#run(command)}>
        <span>${command.label}</span>${command.unit === undefined ? nothing : html`<span class="quiet">${command.unit ? `Setting, ${command.unit}` : 'Setting'}</span>`}${command.keys ? html`<span class="keys">${keyNames(command.keys).map((name) => html`<kbd>${name}</kbd>`)}</span>` : nothing}</li>`;
  }
}

/** @param {App} app */
export function addPalette(app) {
  const palette = new Palette(app);
  app.panels.addOverlay('palette', () => palette.draw());
  addEventListener('keydown', (event) => palette.cancel(event), { capture: true });
  app.shortcuts.add({ keys: 'ctrl+k', label: 'Commands', group: 'View', run: () => palette.toggle() });
}
