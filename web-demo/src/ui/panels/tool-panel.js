/** The panel of the active tool. */

/** @param {import('../../app.js').App} app */
export function addToolPanel(app) {
  app.panels.addSection({
    id: 'tool', side: 'right', title: () => app.tools.activeKind?.label ?? 'Tool', grow: true,
    render: (state) => app.tools.active?.panel(state) ?? '',
  });
}
