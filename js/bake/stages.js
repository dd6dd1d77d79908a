/** Names of the stages of a bake and of their arrays. Typed arrays from packed bytes: read-stage-array.js. */

export { STAGES } from './bake-steps.js';

/**
 * @typedef {'rasterize' | 'filterLowHanging' | 'filterLedges' | 'filterLowHeight' | 'compact' | 'erode'
 *   | 'markAreas' | 'distance' | 'regions' | 'contours' | 'polygonMesh' | 'detailMesh' | 'tile'} StageName
 */
/**
 * @typedef {'triangleAreas' | 'heightfield' | 'compact' | 'areas' | 'distance' | 'regions' | 'contours'
 *   | 'polygonMesh' | 'detailMesh' | 'tile' | 'heightfieldLayers'} StageArray
 */
/** @type {readonly StageArray[]} */
export const STAGE_ARRAYS = Object.freeze(['triangleAreas', 'heightfield', 'compact', 'areas', 'distance', 'regions',
  'contours', 'polygonMesh', 'detailMesh', 'tile', 'heightfieldLayers']);

/**
 * Sizes of the arrays that a tile's stages make.
 * @typedef {object} StageCounts
 * @property {number} solidSpans
 * @property {number} openSpans walkable, before erosion
 * @property {number} walkableSpans walkable, after erosion
 * @property {number} maxDistance
 * @property {number} regions
 * @property {number} contours
 * @property {number} contourVertices
 * @property {number} rawContourVertices
 * @property {number} vertices
 * @property {number} polygons
 * @property {number} detailVertices
 * @property {number} detailTriangles
 * @property {number} tileBytes
 */
/** @type {readonly (keyof StageCounts)[]} */
export const STAGE_COUNTS = Object.freeze(['solidSpans', 'openSpans', 'walkableSpans', 'maxDistance', 'regions', 'contours',
  'contourVertices', 'rawContourVertices', 'vertices', 'polygons', 'detailVertices', 'detailTriangles', 'tileBytes']);
