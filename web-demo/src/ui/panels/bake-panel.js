/** Configuration and bake. */
import { html, nothing } from 'lit';
import { CONFIG_FIELDS } from 'walkmesh';
import { numberField } from '../fields.js';
import { icon } from '../icon.js';

/** @param {import('../../app.js').App} app */
export function addBakePanel(app) {
  app.panels.addBarItem({
    id: 'bake', zone: 'middle',
    render: ({ session: { bake } }) => html`
      ${bake.state === 'running'
        ? html`<wa-button size="s" variant="neutral" @click=${() => app.bakes.cancel()}>${icon('square', 'start')}Cancel</wa-button>`
        : html`<wa-button size="s" variant="brand" @click=${() => app.bakes.bake()}>${icon('play', 'start')}Bake</wa-button>`}
      ${bake.state === 'running' ? html`<wa-progress-bar class="bake-progress" label="Bake" .value=${bake.tiles ? 100 * bake.done / bake.tiles : 0}></wa-progress-bar>` : nothing}`,
  });
  app.panels.addSection({
    id: 'config', side: 'left', title: 'Configuration', grow: true,
    render: ({ document: { config }, session: { bake } }) => html`
      ${bake.error ? html`<wa-callout variant="danger" size="s">${bake.error.message}</wa-callout>` : nothing}
      ${CONFIG_FIELDS.filter((field) => typeof field.default === 'number').map((field) => numberField({
        label: field.name, hint: field.help, value: /** @type {number} */ (config[field.name]),
        change: (value) => app.store.edit(`change ${field.name}`, (draft) => Object.assign(draft.config, { [field.name]: value }), { merge: field.name }),
      }))}`,
  });
}
