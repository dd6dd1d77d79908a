/** The panel of the active tool. */
import { html } from 'lit';
import { say } from '../touch.js';

/** @param {import('../../app.js').App} app */
export function addToolPanel(app) {
  app.panels.addSection({
    id: 'tool', side: 'right', title: () => app.tools.activeKind?.label ?? 'Tool', grow: true,
    render: (state) => html`<p class="hint tool-hint">${say(app.tools.activeKind?.hint ?? '')}</p>${app.tools.active?.panel(state) ?? ''}`,
  });
}
