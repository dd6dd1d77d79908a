/** The golden figures (tests/golden/synthetic.json) as levels and configurations. */

import { existsSync, readFileSync } from 'node:fs';
import { readLevel } from './obj.js';

/** Cases of the golden figures by name, as changes to the defaults. */
const CASES = {
  default: {},
  fine: { cellSize: 0.15, cellHeight: 0.1 },
  coarse: { cellSize: 0.5, cellHeight: 0.4, agentRadius: 0.5, agentMaxClimb: 0.8 },
  monotone: { partition: 'monotone' },
  layers: { partition: 'layers' },
  small: {
    cellSize: 0.2, cellHeight: 0.1, agentHeight: 1.2, agentRadius: 0.3, agentMaxClimb: 0.35, agentMaxSlope: 60,
    minRegionSize: 2, mergeRegionSize: 10, maxEdgeLength: 0, maxEdgeError: 0.8, maxVerticesPerPolygon: 3,
    detailSampleDistance: 3, detailMaxError: 0.5,
  },
  noradius: { agentRadius: 0, detailSampleDistance: 2, detailMaxError: 2 },
  tiled48: { tileSize: 48 },
  tiled32fine: { cellSize: 0.2, cellHeight: 0.1, tileSize: 32 },
};

/** Arrays of a bake without tiles, in pipeline order, and the peer's stage that completes each. */
export const ARRAY_STAGES = [
  ['tri_areas', 'slopes'],
  ['hf_raster', 'rasterize'],
  ['hf_filter_low_hanging', 'filterLowHanging'],
  ['hf_filter_ledge', 'filterLedges'],
  ['hf_filter_low_height', 'filterLowHeight'],
  ['compact', 'compact'],
  ['areas_eroded', 'erode'],
  ['areas_marked', 'markAreas'],
  ['distance', 'distance'],
  ['regions', 'regions'],
  ['contours', 'contours'],
  ['polymesh', 'polygonMesh'],
  ['detail', 'detailMesh'],
  ['tile', 'tile'],
];

const FOLDER = new URL('../../golden/', import.meta.url);
const SCENES = new URL('../../scenes/', import.meta.url);

/** @returns {object|null} scene -> case -> figures, or null where they are missing */
export function readGolden() {
  const path = new URL('synthetic.json', FOLDER);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}

/** @returns {object} changes to the defaults for a golden case; walkable polygons get flag 1, others 0 */
export function goldenConfig(name) {
  const areaFlags = new Uint16Array(64);
  areaFlags[0] = 1;
  return { ...CASES[name], areaFlags };
}

/** @returns {{positions: Float32Array, indices: Uint32Array}|null} */
export function goldenLevel(scene) {
  const path = new URL(`${scene}.obj`, SCENES);
  return existsSync(path) ? readLevel(path) : null;
}
