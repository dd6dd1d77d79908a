/** Views: combinations of layers, each the answer to one question. The layers panel changes single layers. */

/** @typedef {import('../app.js').App} App */
/** @typedef {{ id: string, label: string, hint: string, keys: string, layers: Record<string, number> }} ViewKind layers: opacity of the visible ones */

/** @type {readonly ViewKind[]} */
export const VIEWS = [
  { id: 'result', label: 'Result', keys: 'alt+1', hint: 'The navigation mesh on the level.', layers: { navMesh: 0.6, cutOff: 1, segmentLinks: 1, drops: 1, input: 1 } },
  {
    id: 'whyNot', label: 'Why not', keys: 'alt+2', hint: 'Ground that agents can’t stand on, one colour per reason.',
    layers: {
      navMesh: 0.35, cutOff: 0.5, input: 1, drops: 1, 'removed-steep': 1, 'removed-ledge': 1, 'removed-headroom': 1, 'removed-radius': 1, 'removed-volume': 1, 'removed-region': 1,
    },
  },
  { id: 'voxels', label: 'Voxels', keys: 'alt+3', hint: 'Cells that the level fills. Zoom in to see them.', layers: { solid: 1 } },
  { id: 'regions', label: 'Regions', keys: 'alt+4', hint: 'Regions and outlines, which end at tile borders. Neighbours differ in colour.', layers: { input: 0.3, regions: 1, contours: 1 } },
  { id: 'links', label: 'Graph', keys: 'alt+5', hint: 'Where paths cross between polygons: bars. From near, lines to the polygons.', layers: { navMesh: 0.35, cutOff: 0.5, input: 1, links: 1, connections: 1 } },
  { id: 'clearance', label: 'Clearance', keys: 'alt+6', hint: 'Distance from the edge of the walkable ground: how wide a place is.', layers: { input: 0.3, distance: 1 } },
];

/** Layers that no view changes. */
const INDEPENDENT = new Set(['edits', 'rebuilt']);

/** Layers that a tool shows on top of a view: they don't make another view of it. */
const ADDED = new Set(['refusedLinks']);

/** @param {App} app */
const managedKinds = (app) => app.layers.kinds.filter(({ id }) => !INDEPENDENT.has(id));

/** The view whose layers are the visible ones; undefined after changes of single layers. @param {App} app */
export function activeView(app) {
  return VIEWS.find(({ layers }) => managedKinds(app).every(({ id }) => ADDED.has(id) || app.layers.setting(id).visible === id in layers));
}

/**
 * Draws the level with shadows and coloured walls only if no layer but those of the first view is visible: beside colours that mean something,
 * they look like another meaning.
 * @param {App} app
 */
export function followMeanings(app) {
  const { events, layers, levels, store, viewport } = app;
  const update = () => {
    const isPlain = managedKinds(app).some((kind) => layers.isShown(kind) && !(kind.id in VIEWS[0].layers));
    viewport.setShadows(!isPlain);
    if (levels.current) levels.current.mesh.material.userData.depths.value.w = Number(isPlain);
  };
  events.on('level', update);
  store.subscribe(({ view }, { view: before }) => {
    if (view.layers !== before.layers) update();
  });
  update();
}

/** @param {App} app @param {ViewKind} view */
export function applyView(app, { layers }) {
  const settings = { ...app.store.state.view.layers };
  for (const { id, visible = false, opacity = 1 } of managedKinds(app)) {
    const wanted = { visible: id in layers, opacity: layers[id] ?? opacity };
    if (wanted.visible === visible && wanted.opacity === opacity) delete settings[id];
    else settings[id] = wanted;
  }
  app.store.setView({ layers: settings });
}
