/** The layers of what the stages of the bake leave, in their order. */
import { EDGE } from '../stages/views.js';
import { DISTANCE_RAMP, NOT_WALKABLE, areaPalette, makePalette, rampPalette, regionPalette } from './palette.js';
import { stageLayer } from './stage-layer.js';

/** Colours of what took surface away. */
export const REMOVED = {
  steep: 0xe5484d, lowHanging: 0x3ecf8e, ledge: 0xff9f45, headroom: 0xb57bff, radius: 0x4aa8ff, volume: 0xff6fae, region: 0xf4d03f,
};

/** The colour of ground in the table of areas. */
const GROUND = 0x1fb5a8;

/** Colours of edges, by kind. */
const EDGES = [null, null, null, null, null];
EDGES[EDGE.wall] = /** @type {any} */ (0x0b3b46);
EDGES[EDGE.portal] = /** @type {any} */ (0xffb454);
EDGES[EDGE.shared] = /** @type {any} */ (0xffffff);
EDGES[EDGE.detail] = /** @type {any} */ (0x9fb4bd);

/** Plates lie above each other, so that none flicker. */
let height = 0;
const nextLift = () => 0.05 + 0.02 * height++;

/**
 * Plates of one colour where something happened to the surface.
 * @param {keyof typeof REMOVED} view @param {string} label @param {string} hint
 */
function removalLayer(view, label, hint) {
  return stageLayer({
    id: `removed-${view}`, group: 'Removed', label, hint, view, noun: 'spans', swatch: REMOVED[view],
    drawings: [{ as: 'plates', palette: () => makePalette([null, REMOVED[view]]), lift: nextLift() }],
  });
}

export const removalLayers = [
  removalLayer('lowHanging', 'Low steps', 'Obstacles low enough to step on: made walkable.'),
  removalLayer('steep', 'Too steep', 'Triangles steeper than the agent’s slope, walls, or marked as not walkable.'),
  removalLayer('ledge', 'Ledges', 'The ground falls beside it by more than the agent climbs.'),
  removalLayer('headroom', 'No headroom', 'What is above is lower than the agent.'),
  removalLayer('radius', 'Agent’s radius', 'Closer to a wall, a ledge or an obstacle than the agent’s radius.'),
  removalLayer('volume', 'Volumes', 'Marked as not walkable by area volumes and obstacles.'),
  removalLayer('region', 'Small regions', 'Islands smaller than the smallest region.'),
];

export const voxelLayers = [
  stageLayer({
    id: 'solid', group: 'Voxels', label: 'Solid voxels', hint: 'What the triangles fill, coloured by area; grey where nothing can stand.', view: 'solid',
    noun: 'spans', followsAreas: true, legend: [{ color: GROUND, label: 'walkable' }, { color: NOT_WALKABLE, label: 'not walkable' }],
    drawings: [{ as: 'boxes', palette: (app) => areaPalette(app.store.state.document) }],
  }),
  stageLayer({
    id: 'areas', group: 'Voxels', label: 'Open spans', hint: 'The compact heightfield: ground with headroom, by area; grey where erosion or a volume took it away.', view: 'areas',
    noun: 'spans', followsAreas: true, legend: [{ color: GROUND, label: 'walkable' }, { color: NOT_WALKABLE, label: 'eroded or blocked' }],
    drawings: [{ as: 'plates', palette: (app) => areaPalette(app.store.state.document), lift: nextLift() }],
  }),
  stageLayer({
    id: 'distance', group: 'Voxels', label: 'Distance field', hint: 'How far the ground is from its edge.', view: 'distance', noun: 'spans', scaled: true,
    ramp: { colors: DISTANCE_RAMP, from: 'edge', to: 'far from it' }, drawings: [{ as: 'plates', palette: () => rampPalette(DISTANCE_RAMP), lift: nextLift() }],
  }),
];

export const regionLayers = [
  stageLayer({
    id: 'regions', group: 'Regions', label: 'Regions', hint: 'The ground cut into regions without holes, a colour each; grey where there is none.', view: 'regions', noun: 'spans',
    drawings: [{ as: 'plates', palette: () => regionPalette(), lift: nextLift() }],
  }),
  stageLayer({
    id: 'rawContours', group: 'Regions', label: 'Raw contours', hint: 'The outlines of regions, cell by cell.', view: 'rawContours', noun: 'contours',
    drawings: [{ as: 'lines', palette: () => regionPalette(null, { towards: 0x000000, share: 0.62 }), width: 1.5, lift: 1.2 }],
  }),
  stageLayer({
    id: 'contours', group: 'Regions', label: 'Contours', hint: 'The outlines as they are simplified.', view: 'contours', noun: 'contours',
    drawings: [{ as: 'lines', palette: () => regionPalette(null, { towards: 0xffffff, share: 0.6 }), width: 2.5, lift: 1.3 }],
  }),
];

export const polygonLayers = [
  stageLayer({
    id: 'polygonMesh', group: 'Mesh', label: 'Polygons', hint: 'Convex polygons, before they get their heights.', view: 'polygonMesh', noun: 'polygons',
    legend: [{ color: 0x0b3b46, label: 'wall' }, { color: 0xffb454, label: 'tile border' }, { color: 0xffffff, label: 'between polygons' }],
    drawings: [{ as: 'triangles', palette: () => regionPalette(), lift: 1 }, { as: 'lines', palette: () => makePalette(EDGES), width: 1.8, lift: 1.1 }],
  }),
  stageLayer({
    id: 'detailMesh', group: 'Mesh', label: 'Height detail', hint: 'The triangles that give polygons their heights.', view: 'detailMesh', noun: 'triangles',
    legend: [{ color: 0xffffff, label: 'outline' }, { color: 0x9fb4bd, label: 'inside' }],
    drawings: [{ as: 'triangles', palette: () => regionPalette(), lift: 0.3 }, { as: 'lines', palette: () => makePalette(EDGES), width: 1.2, lift: 0.35 }],
  }),
];
