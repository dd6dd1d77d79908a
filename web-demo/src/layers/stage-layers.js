/** Layers for the results of the bake stages, in stage order. */
import { EDGE } from '../stages/views.js';
import { GROUND, NOT_WALKABLE, OUTLINES, REMOVED } from './colors.js';
import { reachOf } from '../stages/clearance.js';
import { DISTANCE_RAMP, areaPalette, islandPalette, makePalette, rampPalette, regionPalette } from './palette.js';
import { metres } from '../tools/result-text.js';
import { isShell } from './shell.js';
import { stageLayer } from './stage-layer.js';

/** The distance that the end of the ramp stands for. @param {import('../app.js').App} app */
function farthest(app) {
  const { config } = app.store.state.document;
  const layer = /** @type {import('./stage-layer.js').StageLayer | undefined} */ (app.layers.get('distance'));
  const most = layer?.max ?? 1;
  return `${metres(most / 2 * config.cellSize)}${most >= 2 * reachOf(config) ? ' or more' : ''}`;
}

/** Colours of edges by kind. */
const EDGES = [null, null, null, null, null];
EDGES[EDGE.wall] = /** @type {any} */ (OUTLINES.wall);
EDGES[EDGE.portal] = /** @type {any} */ (OUTLINES.border);
EDGES[EDGE.shared] = /** @type {any} */ (0xffffff);
EDGES[EDGE.detail] = /** @type {any} */ (0x9fb4bd);

/** Plates lie on the same floors: each layer wins against the layers before it, so that they don't flicker. */
let plates = 0;
const nextOrder = () => ++plates;

/**
 * Plates of one colour over surface that a filter changes.
 * @param {keyof typeof REMOVED} view @param {string} label @param {string} hint @param {import('./layers.js').LayerGroup} [group]
 */
function removalLayer(view, label, hint, group = 'Removed') {
  return stageLayer({
    id: `removed-${view}`, group, label, hint, view, noun: 'spans', swatch: REMOVED[view],
    followsShell: true,
    drawings: [{ as: 'plates', palette: (app) => makePalette([null, REMOVED[view], isShell(app) ? null : REMOVED[view]]), order: nextOrder() }],
  });
}

export const removalLayers = [
  removalLayer('lowHanging', 'Low obstacles', 'Spans made walkable because agents can climb them.', 'Made walkable'),
  removalLayer('steep', 'Too steep', 'Triangles above the max slope or of area 0. Tops of walls are left out.'),
  removalLayer('facesDown', 'Facing down', 'Ceilings and undersides: agents never walk on them.'),
  removalLayer('ledge', 'Ledges', 'Spans beside a drop above the max step height.'),
  removalLayer('headroom', 'Low headroom', 'Spans with less headroom than the agent height.'),
  removalLayer('radius', 'Agent radius', 'Spans within the agent radius of a wall, ledge or obstacle.'),
  removalLayer('volume', 'Blocking volumes', 'Spans blocked by area volumes and obstacles.'),
  removalLayer('region', 'Small islands', 'Patches below the min island size.'),
];

export const voxelLayers = [
  stageLayer({
    id: 'solid', group: 'Voxels', label: 'Solid voxels', hint: 'Filled voxels, coloured by area before the agent radius; grey: not walkable.', view: 'solid',
    noun: 'spans', followsAreas: true, followsShell: true, legend: [{ color: GROUND, label: 'Not too steep, with headroom' }, { color: NOT_WALKABLE, label: 'Not walkable' }],
    drawings: [{ as: 'boxes', palette: (app) => areaPalette(app.store.state.document, isShell(app) ? null : NOT_WALKABLE) }],
  }),
  stageLayer({
    id: 'areas', group: 'Voxels', label: 'Open spans', hint: 'Ground with headroom, coloured by area; grey: eroded or blocked.', view: 'areas',
    noun: 'spans', followsAreas: true, legend: [{ color: GROUND, label: 'Walkable' }, { color: NOT_WALKABLE, label: 'Eroded or blocked' }],
    drawings: [{ as: 'plates', palette: (app) => areaPalette(app.store.state.document), order: nextOrder() }],
  }),
  stageLayer({
    id: 'heightfieldLayers', group: 'Voxels', label: 'Heightfield layers', view: 'heightfieldLayers', noun: 'spans',
    hint: 'One colour per layer; floors above each other are in different layers.',
    drawings: [{ as: 'plates', palette: () => islandPalette(null), order: nextOrder() }],
  }),
  stageLayer({
    id: 'distance', group: 'Voxels', label: 'Distance field', hint: 'Distance of the ground from its edge.', view: 'distance', noun: 'spans', scaled: true,
    ramp: { colors: DISTANCE_RAMP, from: () => '0 m', to: farthest }, drawings: [{ as: 'plates', palette: () => rampPalette(DISTANCE_RAMP), order: nextOrder() }],
  }),
];

export const regionLayers = [
  stageLayer({
    id: 'regions', group: 'Regions', label: 'Regions', hint: 'Regions without holes; neighbours have other colours.', view: 'regions', noun: 'spans',
    legend: [{ color: NOT_WALKABLE, label: 'No region: too near to an edge, or too small' }],
    drawings: [{ as: 'plates', palette: () => regionPalette(), order: nextOrder() }],
  }),
  stageLayer({
    id: 'rawContours', group: 'Regions', label: 'Raw contours', hint: 'Outlines of regions along the cells.', view: 'rawContours', noun: 'contours',
    legend: [{ color: 0xc4ccd4, label: 'Raw outline, along the cells' }],
    drawings: [{ as: 'lines', palette: () => regionPalette(null, { towards: 0xffffff, share: 0.6 }), width: 1.5, lift: 1.2 }],
  }),
  stageLayer({
    id: 'contours', group: 'Regions', label: 'Contours', hint: 'Simplified outlines of regions.', view: 'contours', noun: 'contours',
    legend: [{ color: 0x2b2f36, label: 'Simplified outline', isLine: true }],
    drawings: [{ as: 'lines', palette: () => regionPalette(null, { towards: 0x000000, share: 0.75 }), width: 2, lift: 2 }],
  }),
];

export const polygonLayers = [
  stageLayer({
    id: 'polygonMesh', group: 'Mesh', label: 'Polygons', hint: 'Convex polygons before height detail.', view: 'polygonMesh', noun: 'polygons',
    legend: [{ color: OUTLINES.wall, label: 'Edge of the mesh', isLine: true }, { color: OUTLINES.border, label: 'Tile border', isLine: true }, { color: 0xffffff, label: 'Between polygons', isLine: true }],
    drawings: [{ as: 'triangles', palette: () => regionPalette(), lift: 1 }, { as: 'lines', palette: () => makePalette(EDGES), width: 1.8, lift: 1.1 }],
  }),
  stageLayer({
    id: 'detailMesh', group: 'Mesh', label: 'Height detail', hint: 'Triangles that follow the height of the ground.', view: 'detailMesh', noun: 'triangles',
    legend: [{ color: 0xffffff, label: 'Outline' }, { color: 0x9fb4bd, label: 'Inside' }],
    drawings: [{ as: 'triangles', palette: () => regionPalette(), lift: 0.3 }, { as: 'lines', palette: () => makePalette(EDGES), width: 1.2, lift: 0.35 }],
  }),
];
