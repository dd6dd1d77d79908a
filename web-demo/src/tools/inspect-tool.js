/** Tells what is known of a spot. */
import { html } from 'lit';

/** @type {import('./tools.js').ToolKind} */
export const inspectTool = {
  id: 'inspect', label: 'Inspect', icon: 'crosshair', shortcut: 'i', group: 'inspect',
  hint: 'Click a spot to learn its polygon, area and height, and why it cannot be walked on.',
  create(app) {
    /** @type {import('../view/picking.js').LevelHit & { polygon: number } | null} */
    let picked = null;
    app.events.on('mesh-ending', () => { picked = null; });
    return {
      activate() {},
      deactivate() {},
      click(_hit, event) {
        picked = app.picking.mesh(event);
        app.panels.refresh();
      },
      panel: () => (picked
        ? html`<p>${picked.polygon ? `Polygon ${picked.polygon}` : 'Not walkable'}</p>`
        : html`<p class="quiet">Nothing is picked.</p>`),
    };
  },
};
