/** The layers panel: visibility and opacity of single layers. The views panel has the usual combinations. */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { LAYER_GROUPS } from '../../layers/layers.js';
import { isShell } from '../../layers/shell.js';

/** @typedef {import('../../app.js').App} App */
/** @typedef {import('../../layers/layers.js').LayerKind} LayerKind */

/** @param {number | string} color */
export const css = (color) => (typeof color === 'string' ? color : `#${color.toString(16).padStart(6, '0')}`);

/** @param {App} app @param {LayerKind} kind */
function drawLegend(app, kind) {
  const { legend, ramp } = kind;
  const items = app.layers.get(kind.id)?.legend?.() ?? (typeof legend === 'function' ? legend(app) : legend) ?? [];
  return html`
    ${ramp ? html`
      <div class="ramp" style="--ramp: linear-gradient(90deg, ${ramp.colors.map(css).join(', ')})">
        <span>${ramp.from(app)}</span><i></i><span>${ramp.to(app)}</span></div>` : nothing}
    ${items.length ? html`
      <ul class="legend">${items.map(({ color, label, note }) => html`
        <li><i style="background:${css(color)}"></i>${label}${note ? html` <span class="numbers">${note}</span>` : nothing}</li>`)}</ul>` : nothing}`;
}

/** @param {string | import('lit').TemplateResult} label @param {boolean} value @param {(value: boolean) => void} change @param {boolean} [disabled] */
export const drawSwitch = (label, value, change, disabled = false) => html`
  <wa-switch size="s" .checked=${live(value)} ?disabled=${disabled}
    @change=${(/** @type {any} */ event) => change(event.target.checked)}>${label}</wa-switch>`;

/** @param {App} app @param {LayerKind} kind */
function drawLayer(app, kind) {
  const { layers } = app;
  const { visible, opacity } = layers.setting(kind.id);
  const percent = `${Math.round(100 * opacity)} %`;
  const swatch = kind.swatch === undefined ? nothing : html`<i class="swatch" style="background:${css(kind.swatch)}"></i>`;
  return html`
    <div class="layer" title=${kind.hint}>
      ${drawSwitch(html`${kind.label}${swatch}`, visible, (value) => layers.set(kind.id, { visible: value }))}
      ${visible ? html`
        <span class="note numbers">${layers.get(kind.id)?.note?.() ?? ''}</span>
        <span class="opacity">
          <input type="range" aria-label="Opacity of ${kind.label}" aria-valuetext=${percent} min="0.05" max="1" step="0.05"
            .value=${live(String(opacity))}
            @input=${(/** @type {any} */ event) => layers.set(kind.id, { opacity: event.target.valueAsNumber })}>
          <span class="numbers quiet">${percent}</span></span>
        ${drawLegend(app, kind)}` : nothing}
    </div>`;
}

/** @param {App} app @param {import('../../state/document.js').State} state */
function drawDisplay(app, { view }) {
  return html`
    <div class="layer" title="Edges of the level's triangles.">
      ${drawSwitch('Wireframe', view.wireframe, (value) => app.store.setView({ wireframe: value }))}
    </div>
    <div class="layer" title="Shows the axes; a click on one looks along it.">
      ${drawSwitch('Axes', view.axes, (value) => app.store.setView({ axes: value }))}
    </div>
    <div class="layer" title="Hides the back of triangles, so that rooms are open from above.">
      ${drawSwitch('Shell', isShell(app), (value) => app.store.setView({ shell: value === app.levels.current?.isClosed ? null : value }))}
    </div>`;
}

/** Collapsed groups. @type {Set<string>} */
const folded = new Set();

/** @param {App} app @param {string} group @param {import('../../state/document.js').State} state */
function drawGroup(app, group, state) {
  const mine = app.layers.kinds.filter((kind) => kind.group === group);
  if (mine.length === 0) return nothing;
  const shown = mine.filter(({ id }) => app.layers.setting(id).visible).length;
  const isOpen = !folded.has(group);
  const toggle = () => {
    if (!folded.delete(group)) folded.add(group);
    app.panels.refresh();
  };
  return html`
    <div class="layer-group" role="group" aria-label="${group} layers">
      <h3><button aria-expanded=${isOpen} @click=${toggle}>${group}<span class="numbers">${shown ? `${shown} on` : ''}</span></button></h3>
      ${isOpen ? html`
        ${repeat(mine, ({ id }) => id, (kind) => drawLayer(app, kind))}
        ${group === 'Level' ? html`${drawDisplay(app, state)}` : nothing}` : nothing}
    </div>`;
}

/** @param {App} app */
export function addLayersPanel(app) {
  app.panels.addSection({
    id: 'layers', side: 'right', title: 'More layers', grow: true, isClosed: true, render: (state) => html`${LAYER_GROUPS.map((group) => drawGroup(app, group, state))}`,
  });
}
