/** The view panel: what the view shows, what its colours mean, and the height above which nothing is drawn. */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { percent } from '../../layers/drawing.js';
import { VIEWS, activeView, applyView } from '../../layers/views.js';
import { squareMetres } from '../../tools/result-text.js';
import { css, drawSwitch } from './layers-panel.js';

/** @typedef {import('../../app.js').App} App */
/** @typedef {import('../../layers/layers.js').LayerKind} LayerKind */
/** @typedef {import('../../state/document.js').State} State */
/** @typedef {{ color: string, label: string, note?: string, isLine?: boolean }} Meaning */

/** Most entries of a layer's own legend, and of the key on phones. */
const MOST = 8, MOST_IN_KEY = 5;

/** The area of a layer's spans. @param {App} app @param {{ count?: number } | undefined} layer */
function areaOf(app, layer) {
  const { cellSize } = app.store.state.document.config;
  const area = (layer?.count ?? 0) * cellSize * cellSize;
  return area > 0 ? squareMetres(area) : 'none';
}

/** The meanings of a layer's colours. @param {App} app @param {LayerKind} kind @returns {Meaning[]} */
function meaningsOf(app, { id, label, swatch, legend }) {
  const layer = app.layers.get(id);
  if (swatch !== undefined) return [{ color: css(swatch), label, note: layer && (layer.share ?? 1) < 1 ? `${percent(/** @type {number} */ (layer.share))} drawn` : areaOf(app, /** @type {any} */ (layer)) }];
  const items = layer?.legend?.() ?? (typeof legend === 'function' ? legend(app) : legend) ?? [];
  return items.slice(0, MOST).map(({ color, label: name, isLine, note }) => ({ color: css(color), label: name, isLine, note }));
}

/** How much of the layers is drawn, while they are being filled, and if only a part of a large level is. @param {App} app @param {LayerKind[]} shown */
function drawProgress(app, shown) {
  const pending = app.layers.pending.filter(({ id }) => shown.find((kind) => kind.id === id)?.swatch === undefined);
  const limit = shown.map(({ id }) => /** @type {any} */ (app.layers.get(id))?.limit).find(Boolean);
  return html`
    ${pending.map(({ label, share }) => html`<p class="drawing numbers" style="--share: ${percent(share)}">${label}: ${percent(share)}</p>`)}
    ${limit ? html`<p class="hint">Draws the ${limit}. Move the view to see others.</p>` : nothing}`;
}

/** What the colours of the view mean. @param {App} app @param {LayerKind[]} shown @returns {Meaning[]} */
function findMeanings(app, shown) {
  const all = shown.flatMap((kind) => meaningsOf(app, kind));
  const meanings = all.filter(({ label, color }, i) => all.findIndex((other) => other.label === label && other.color === color) === i);
  // What the view asks about, such as the reasons of Why not, comes before what is drawn with it.
  return meanings.sort((a, b) => Number(b.note !== undefined) - Number(a.note !== undefined));
}

/** @param {string} name @param {Meaning[]} meanings @param {NonNullable<LayerKind['ramp']>[]} ramps @param {App} app */
const drawColors = (name, meanings, ramps, app) => html`
  ${meanings.length ? html`<ul class="meanings" aria-label=${name}>${meanings.map(({ color, label, note, isLine }) => html`
    <li><i class=${isLine ? 'line' : ''} style="--color: ${color}"></i>${label}${note ? html`<span class="note numbers">${note}</span>` : nothing}</li>`)}</ul>` : nothing}
  ${ramps.map(({ colors, from, to }) => html`
    <div class="scale" style="--ramp: linear-gradient(90deg, ${colors.map(css).join(', ')})"><span>${from(app)}</span><i></i><span>${to(app)}</span></div>`)}`;

/** @param {App} app */
const shownKinds = ({ layers }) => layers.kinds.filter((kind) => layers.isShown(kind));
/** @param {LayerKind[]} kinds */
const rampsOf = (kinds) => kinds.flatMap(({ ramp }) => (ramp ? [ramp] : []));

/** @param {App} app */
function drawMeanings(app) {
  const shown = shownKinds(app);
  return html`${drawProgress(app, shown)}${drawColors('Colours', findMeanings(app, shown), rampsOf(shown), app)}`;
}

/** On phones, where the panel is closed: the colours that the view draws, the first few. @param {App} app */
function drawKey(app) {
  if (!app.panels.isPhone || app.store.state.session.level === null) return nothing;
  const shown = shownKinds(app);
  const meanings = findMeanings(app, shown).filter(({ note, isLine }) => note !== 'none' && !isLine).slice(0, MOST_IN_KEY);
  return html`<div class="view-key">${drawColors('Key', meanings, rampsOf(shown), app)}</div>`;
}

/** Rounds heights to a centimetre. @param {number} value */
const rounded = (value) => Math.round(value * 100) / 100;

/** A height that opens most levels to the eye: below the top. @param {{ bounds: { min: number[], max: number[] } }} level */
const insideHeight = ({ bounds: { min, max } }) => rounded(min[1] + 0.6 * (max[1] - min[1]));

/** @param {App} app @param {State} state */
function drawClip(app, { view: { clip }, session: { level } }) {
  const [low, high] = level ? [level.bounds.min[1], level.bounds.max[1]] : [0, 1];
  const set = (/** @type {number | null} */ height) => app.store.setView({ clip: height });
  return html`
    <div class="layer" title="Hides everything above a height.">
      ${drawSwitch('Look inside', clip !== null, (value) => set(value && level ? insideHeight(level) : null), !level)}
      ${clip === null ? nothing : html`
        <span class="note"></span>
        <span class="opacity">
          <input type="range" aria-label="Clipping height" aria-valuetext="${clip.toFixed(2)} metres" min=${low} max=${high}
            step=${Math.max((high - low) / 200, 0.01)} .value=${live(String(clip))} @input=${(/** @type {any} */ event) => set(rounded(event.target.valueAsNumber))}>
          <span class="numbers">${clip.toFixed(2)} m</span></span>`}
    </div>`;
}

/** @param {App} app */
export function addViewsPanel(app) {
  // On phones, where the panel is closed: which view is shown, and the way to its legend.
  app.panels.addOverlay('view-name', () => html`
    <button class="view-name" title="Views and their colours" @click=${() => app.panels.reveal('view')}>${activeView(app)?.label ?? 'Single layers'}</button>`);
  app.panels.addOverlay('view-key', () => drawKey(app));
  app.shortcuts.add(...VIEWS.map((view) => ({ keys: view.keys, label: `View: ${view.label}`, group: 'View', run: () => applyView(app, view) })));
  app.panels.addSection({
    id: 'view', side: 'right', title: 'View',
    render: (state) => {
      const active = activeView(app);
      return html`
        <div class="views" role="group" aria-label="Views">${VIEWS.map((view) => html`
          <button aria-pressed=${view === active} title=${view.hint} @click=${() => applyView(app, view)}>${view.label}</button>`)}</div>
        <p class="hint">${active?.hint ?? 'Single layers, chosen under More layers.'}</p>
        ${drawMeanings(app)}
        ${drawClip(app, state)}`;
    },
  });
}
