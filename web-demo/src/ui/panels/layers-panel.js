/** Which layers are drawn, and how strongly. */
import { html, nothing } from 'lit';
import { LAYER_GROUPS } from '../../layers/layers.js';

/** @param {import('../../app.js').App} app */
export function addLayersPanel(app) {
  const { layers } = app;
  const row = (/** @type {import('../../layers/layers.js').LayerKind} */ kind) => {
    const { visible, opacity } = layers.setting(kind.id);
    return html`
      <div class="layer" title=${kind.hint}>
        <wa-switch size="s" .checked=${visible} @change=${(/** @type {any} */ event) => layers.set(kind.id, { visible: event.target.checked })}>${kind.label}</wa-switch>
        ${visible ? html`
          <span class="note">${layers.get(kind.id)?.note?.() ?? ''}</span>
          <wa-slider size="s" aria-label="Opacity of ${kind.label}" min="0.05" max="1" step="0.05" .value=${opacity}
            @input=${(/** @type {any} */ event) => layers.set(kind.id, { opacity: event.target.value })}></wa-slider>
          ${kind.legend ? html`<ul class="legend">${kind.legend.map(({ color, label }) => html`
            <li><i style="background:#${color.toString(16).padStart(6, '0')}"></i>${label}</li>`)}</ul>` : nothing}` : nothing}
      </div>`;
  };
  app.panels.addSection({
    id: 'layers', side: 'right', title: 'Layers', grow: true,
    render: () => html`${LAYER_GROUPS.map((group) => {
      const mine = layers.kinds.filter((kind) => kind.group === group);
      return mine.length ? html`<h3>${group}</h3>${mine.map(row)}` : nothing;
    })}`,
  });
}
