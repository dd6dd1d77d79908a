/** The panel of the active tool. */
import { html } from 'lit';

/** @param {import('../../app.js').App} app */
export function addToolPanel(app) {
  app.panels.addSection({
    id: 'tool', side: 'right', title: () => app.tools.activeKind?.label ?? 'Tool', grow: true,
    render: (state) => html`<p class="hint tool-hint">${app.tools.activeKind?.hint ?? ''}</p>${app.tools.active?.panel(state) ?? ''}`,
  });
}
