/** Draws everything around the view: bar, panels, tool rail, status bar. Each part is a function of the state. */
import { html, nothing, render } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { registerPanels } from './panels/register.js';
import { icon } from './icon.js';
import { say } from './touch.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../state/document.js').State} State */
/** @typedef {import('./shell.js').Shell} Shell */
/** @typedef {import('lit').TemplateResult | typeof nothing | ''} Template */

/**
 * @typedef {{ id: string, side: 'left' | 'right', title: string | ((state: State) => string), grow?: boolean, isClosed?: boolean, isTall?: boolean,
 *   render: (state: State) => Template }} Section isTall: narrow windows show one open section of this kind at a time
 */
/** @typedef {{ id: string, zone: 'start' | 'middle' | 'end', render: (state: State) => Template }} BarItem */

/** Windows narrower than this show one panel at a time. */
const NARROW = 1200;
/** On narrower screens panels are sheets over the view; the style sheet has the same width. */
const PHONE = matchMedia('(width <= 640px)');

/** True if two states differ only in the progress of the bake, which the bar shows. @param {State} a @param {State} b */
function differInProgress(a, b) {
  if (a.document !== b.document || a.view !== b.view || a.session.bake === b.session.bake) return false;
  const others = (/** @type {State} */ { session: { bake: { done, tiles, ...bake }, ...session } }) => [...Object.values(session), ...Object.values(bake)];
  const [mine, theirs] = [others(a), others(b)];
  return mine.length === theirs.length && mine.every((value, i) => value === theirs[i]);
}

export class Panels {
  #app;
  #shell;
  /** @type {Section[]} */
  #sections = [];
  /** Settings that the command palette finds. @type {import('./panels/bake-panel.js').Setting[]} */
  settings = [];
  /** @type {BarItem[]} */
  #barItems = [];
  /** @type {Map<string, (state: State) => Template>} */
  #overlays = new Map();
  #isDue = false;
  /** True if the next redraw must include more than the bar. */
  #isWholeDue = false;
  /** Closed sections. @type {Set<string>} */
  #closed = new Set();
  /** The open sheet on a phone. @type {'left' | 'right' | null} */
  #sheet = null;
  /** The tall section that was opened last. @type {string} */
  #tall = '';
  /** @type {string} */
  #cursor = '';

  /** @param {App} app @param {Shell} shell */
  constructor(app, shell) {
    this.#app = app;
    this.#shell = shell;
  }

  /** Adds a section at the end of its side. @param {Section} section */
  addSection(section) {
    this.#sections.push(section);
    if (section.isClosed) this.#closed.add(section.id);
  }

  /** Opens a section. @param {string} id */
  openSection(id) {
    this.#closed.delete(id);
    if (this.#sections.find((section) => section.id === id)?.isTall) this.#tall = id;
    this.refresh();
  }

  /** True if a section is open; in a narrow window only the last of the tall ones is. @param {Section} section */
  #isOpen({ id, isTall }) {
    if (this.#closed.has(id)) return false;
    if (!isTall || innerWidth >= NARROW || PHONE.matches) return true;
    const open = this.#sections.filter((section) => section.isTall && !this.#closed.has(section.id));
    return id === (open.find((section) => section.id === this.#tall) ?? open[0]).id;
  }

  /** Opens a section and its side. @param {string} id */
  reveal(id) {
    const section = this.#sections.find((candidate) => candidate.id === id);
    if (!section) return;
    this.openSection(id);
    if (!this.#visible(section.side)) this.toggle(section.side);
    if (PHONE.matches) requestAnimationFrame(() => document.getElementById(`title-${id}`)?.scrollIntoView({ block: 'start' }));
  }

  /** Adds settings that the command palette finds. @param {readonly import('./panels/bake-panel.js').Setting[]} settings */
  addSettings(settings) {
    this.settings.push(...settings);
  }

  /** @param {BarItem} item */
  addBarItem(item) {
    this.#barItems.push(item);
  }

  /** Adds a dialog or another overlay. @param {string} id @param {(state: State) => Template} draw */
  addOverlay(id, draw) {
    this.#overlays.set(id, draw);
  }

  start() {
    registerPanels(this.#app);
    this.#app.store.subscribe((state, previous) => this.refresh(differInProgress(state, previous)));
    for (const query of [matchMedia(`(width < ${NARROW}px)`), PHONE]) query.addEventListener('change', () => this.refresh());
    this.#draw();
  }

  /** Schedules one redraw of everything, or of the bar. @param {boolean} [isBarEnough] */
  refresh(isBarEnough = false) {
    this.#isWholeDue ||= !isBarEnough;
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (this.#isWholeDue) this.#draw();
      else render(this.#drawBar(this.#app.store.state), this.#shell.bar);
    });
  }

  /** @param {'left' | 'right'} side */
  toggle(side) {
    if (PHONE.matches) {
      this.#openSheet(this.#sheet === side ? null : side);
      return;
    }
    const { panels } = this.#app.store.state.view;
    const other = side === 'left' ? 'right' : 'left';
    const opens = !this.#visible(side);
    const isNarrow = innerWidth < NARROW;
    this.#app.store.setView({ panels: { ...panels, [side]: opens, ...(isNarrow && opens ? { [other]: false } : {}) } });
  }

  /** @param {'left' | 'right' | null} side */
  #openSheet(side) {
    this.#sheet = side;
    this.refresh();
  }

  /** True if panels are sheets over the view. */
  get isPhone() {
    return PHONE.matches;
  }

  /** On a phone, opens the sheet with the answer of the active tool. */
  showAnswer() {
    if (PHONE.matches) this.#openSheet('right');
  }

  /** On a phone, a tap on the active tool opens or closes its sheet. @param {string} id */
  #chooseTool(id) {
    const isActive = this.#app.tools.activeKind?.id === id;
    this.#app.store.setView({ tool: id });
    if (PHONE.matches) this.#openSheet(isActive && this.#sheet !== 'right' ? 'right' : null);
  }

  /** Shows the pointer position in the status bar. @param {import('../state/document.js').Point | null} point */
  showCursor(point) {
    const text = point ? point.map((value) => value.toFixed(2)).join('  ') : '';
    if (text === this.#cursor) return;
    this.#cursor = text;
    const element = this.#shell.status.querySelector('.cursor');
    if (element) element.textContent = text;
  }

  /** @param {'left' | 'right'} side */
  #visible(side) {
    if (PHONE.matches) return this.#sheet === side;
    const { panels } = this.#app.store.state.view;
    // If only one panel fits, the right one wins.
    return panels[side] && !(side === 'left' && innerWidth < NARROW && panels.right);
  }

  #draw() {
    this.#isWholeDue = false;
    const { state } = this.#app.store;
    const { root, bar, left, right, rail, status, overlays } = this.#shell;
    root.classList.toggle('no-left', !this.#visible('left'));
    root.classList.toggle('no-right', !this.#visible('right'));
    render(this.#drawBar(state), bar);
    render(this.#drawSections(state, 'left'), left);
    render(this.#drawSections(state, 'right'), right);
    render(this.#drawRail(state), rail);
    render(this.#drawStatus(state), status);
    render(repeat(this.#overlays, ([id]) => id, ([, draw]) => draw(state)), overlays);
  }

  /** @param {State} state */
  #drawBar(state) {
    const zone = (/** @type {string} */ name) => html`<div class="zone ${name}">${repeat(
      this.#barItems.filter((item) => item.zone === name), ({ id }) => id, (item) => item.render(state))}</div>`;
    return html`
      <button class="plain" aria-label="Left panel" aria-pressed=${this.#visible('left')} title="Left panel  [" @click=${() => this.toggle('left')}>${icon('panel-left')}</button>
      ${zone('start')}${zone('middle')}${zone('end')}
      <button class="plain" aria-label="Right panel" aria-pressed=${this.#visible('right')} title="Right panel  ]" @click=${() => this.toggle('right')}>${icon('panel-right')}</button>`;
  }

  /** @param {State} state @param {'left' | 'right'} side */
  #drawSections(state, side) {
    const mine = this.#sections.filter((section) => section.side === side);
    return html`
      <button class="sheet-close" aria-label="Close panel" @click=${() => this.#openSheet(null)}>${icon('chevron-down')}</button>
      ${repeat(mine, ({ id }) => id, (section) => {
      const isOpen = this.#isOpen(section);
      const title = typeof section.title === 'function' ? section.title(state) : section.title;
      return html`
        <section class="section of-${section.id} ${section.grow ? 'grow' : ''} ${isOpen ? 'open' : ''}" aria-labelledby="title-${section.id}">
          <h2 id="title-${section.id}"><button aria-expanded=${isOpen} @click=${() => this.#toggleSection(section)}>
            <span>${title}</span>${icon('chevron-down')}</button></h2>
          ${isOpen ? html`<div class="content" tabindex="0" role="group" aria-labelledby="title-${section.id}">${section.render(state)}</div>` : nothing}
        </section>`;
    })}`;
  }

  /** @param {Section} section */
  #toggleSection(section) {
    if (!this.#isOpen(section)) {
      this.openSection(section.id);
      return;
    }
    this.#closed.add(section.id);
    this.refresh();
  }

  /** @param {State} state */
  #drawRail(state) {
    const { kinds, activeKind } = this.#app.tools;
    return kinds.map(({ id, label, icon: name, shortcut, group }, i) => html`
      ${i > 0 && kinds[i - 1].group !== group ? html`<hr>` : nothing}
      <button aria-pressed=${activeKind?.id === id} aria-label=${label} title="${label}  ${shortcut.toUpperCase()}"
        @click=${() => this.#chooseTool(id)}>${icon(name)}<span class="label">${label}</span></button>`);
  }

  /** @param {State} state */
  #drawStatus(state) {
    const { level } = state.session;
    return html`
      <span class="hint">${say(this.#app.tools.activeKind?.hint ?? '')}</span>
      <span class="cursor" role="group" aria-label="Pointer position: x, y, z" .textContent=${this.#cursor}></span>
      <span class="counts">${level ? `${level.triangles.toLocaleString('en')} triangles` : ''}</span>`;
  }
}
