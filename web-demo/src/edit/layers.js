/** What is placed, and the tiles it rebuilds, as layers that can be switched off. */

/** @type {import('../layers/layers.js').LayerKind} */
export const itemsLayer = {
  id: 'edits', group: 'Run time', label: 'Obstacles, areas, doors', hint: 'What is placed in the level.', visible: true, opacity: 1,
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
  id: 'rebuilt', group: 'Run time', label: 'Rebuilt tiles', hint: 'Tiles light up for a moment when they are built again.', visible: true, opacity: 1,
  create: (app) => ({
    object: app.edits.lights.object, update() {}, setOpacity() {}, note: () => undefined,
  }),
};
