/** The layers of placed items and of rebuilt tiles. */

/** @type {import('../layers/layers.js').LayerKind} */
export const itemsLayer = {
  id: 'edits', group: 'Run time', label: 'Placed items', hint: 'Obstacles, area volumes, connections and doors of the document.', visible: true, opacity: 1,
  create: (app) => ({
    object: app.edits.drawing.object,
    update() {},
    setOpacity: (opacity) => app.edits.drawing.setOpacity(opacity),
    note: () => {
      const { obstacles, volumes, connections, doors } = app.store.state.document;
      const count = obstacles.length + volumes.length + connections.length + doors.length;
      return count > 0 ? `${count} placed` : undefined;
    },
  }),
};

/** @type {import('../layers/layers.js').LayerKind} */
export const rebuiltLayer = {
  id: 'rebuilt', group: 'Run time', label: 'Rebuilt tiles', hint: 'Outlines tiles for a moment after they are rebuilt.', visible: true, opacity: 1,
  create: (app) => ({
    object: app.edits.rebuiltTiles.object, update() {}, setOpacity() {}, note: () => undefined,
  }),
};
