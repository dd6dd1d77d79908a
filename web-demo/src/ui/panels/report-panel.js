/** What the bake took and what it made. */
import { html } from 'lit';

/** @param {import('../../app.js').App} app */
export function addReportPanel(app) {
  app.panels.addSection({
    id: 'report', side: 'left', title: 'Report',
    render: ({ session: { bake: { report } } }) => (report
      ? html`<p class="numbers">${report.counts.polygons} polygons in ${report.milliseconds.toFixed(0)} ms</p>`
      : html`<p class="quiet">Nothing is baked yet.</p>`),
  });
}
