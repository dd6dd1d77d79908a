/** Reads the counts and addresses of a bake's arrays from the module's memory. */
import {
  WmBakeStages, WmBaker, WmCompactHeightfield, WmContourSet, WmDetailMesh, WmDistanceField, WmHeightfield, WmLinks, WmPolygonMesh, WmRegions,
  WmTileData,
} from '../runtime/layout.js';

/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('./stages.js').StageCounts} StageCounts */

/** Words of a stage's result from the start of a WmBakeStages. @template {Record<string, number>} T @param {number} at @param {T} members @returns {T} */
const within = (at, members) => /** @type {any} */ (Object.fromEntries(Object.entries(members).map(([name, word]) => [name, at + word])));

const HEIGHTFIELD = within(WmBakeStages.heightfield, WmHeightfield), COMPACT = within(WmBakeStages.compact, WmCompactHeightfield);
const DISTANCE = within(WmBakeStages.distance, WmDistanceField), REGIONS = within(WmBakeStages.regions, WmRegions);
const CONTOURS = within(WmBakeStages.contours, WmContourSet), POLYGON_MESH = within(WmBakeStages.polygonMesh, WmPolygonMesh);
const DETAIL_MESH = within(WmBakeStages.detailMesh, WmDetailMesh), TILE = within(WmBakeStages.tile, WmTileData);

/** Counts and addresses, and which words of WmBakeStages they are. */
const STAGE_WORDS = {
  solidCount: HEIGHTFIELD.spanCount, solidFirst: HEIGHTFIELD.cellFirst, solidMin: HEIGHTFIELD.spanMin, solidMax: HEIGHTFIELD.spanMax,
  solidArea: HEIGHTFIELD.spanArea,
  openCount: COMPACT.spanCount, openFirst: COMPACT.cellFirst, openFloor: COMPACT.spanFloor, openClearance: COMPACT.spanClearance,
  openArea: COMPACT.spanArea, openLinks: COMPACT.links + WmLinks.blocks, openLinkLists: COMPACT.links + WmLinks.lists,
  distances: DISTANCE.spanDistance, maxDistance: DISTANCE.maxDistance, regions: REGIONS.spanRegion, regionCount: REGIONS.regionCount,
  contourCount: CONTOURS.contourCount, contourRegion: CONTOURS.contourRegion, contourArea: CONTOURS.contourArea, vertexFirst: CONTOURS.vertexFirst,
  vertices: CONTOURS.vertices, rawFirst: CONTOURS.rawFirst, rawVertices: CONTOURS.rawVertices,
  meshVertexCount: POLYGON_MESH.vertexCount, polygonCount: POLYGON_MESH.polygonCount, meshVertices: POLYGON_MESH.vertices,
  polygons: POLYGON_MESH.polygons, polygonRegion: POLYGON_MESH.polygonRegion, polygonArea: POLYGON_MESH.polygonArea,
  submeshCount: DETAIL_MESH.submeshCount, detailVertexCount: DETAIL_MESH.vertexCount, detailTriangleCount: DETAIL_MESH.triangleCount,
  submeshes: DETAIL_MESH.submeshes, detailVertices: DETAIL_MESH.vertices, detailTriangles: DETAIL_MESH.triangles,
  tile: TILE.bytes, tileBytes: TILE.byteCount, walkableCount: WmBaker.walkableCount - WmBaker.stages,
};

/** Words of a WmBaker from its voxels on, whose address bake_start returns. */
const STAGES_AT = WmBaker.stages - WmBaker.voxels;
const TRIANGLE_AREAS = WmBaker.triangleAreas - WmBaker.voxels;

/** @typedef {Record<keyof typeof STAGE_WORDS | 'triangleAreas', number>} StageWords */

/**
 * The current counts and addresses; an address is 0 if its array does not exist. Valid until the next call into the module.
 * @param {Session} session @param {number} state the result of bake_start
 */
export function readWords(session, state) {
  const all = new Uint32Array(session.wasm.memory.buffer, state, STAGES_AT + STAGE_WORDS.walkableCount + 1);
  const words = /** @type {StageWords} */ (Object.fromEntries(
    Object.entries(STAGE_WORDS).map(([name, word]) => [name, all[STAGES_AT + word]])));
  words.triangleAreas = all[TRIANGLE_AREAS];
  words.maxDistance &= 0xffff; // 16 bits and padding
  return words;
}

/**
 * As readWords, but reads single words: for counts, which are read after every stage of every tile.
 * @param {Session} session @param {number} state @returns {(name: keyof typeof STAGE_WORDS) => number}
 */
function wordReader(session, state) {
  session.refresh();
  const { u32 } = session;
  const first = state / 4 + STAGES_AT;
  return (name) => u32[first + STAGE_WORDS[name]];
}

/** @param {Session} session @param {number} state @returns {StageCounts} */
export function readCounts(session, state) {
  const word = wordReader(session, state);
  const contours = word('contourCount');
  const last = (/** @type {number} */ first) => (first ? session.u32[first / 4 + contours] : 0);
  return {
    solidSpans: word('solidCount'), openSpans: word('openCount'), walkableSpans: word('walkableCount'),
    maxDistance: word('maxDistance') & 0xffff, regions: word('regionCount'), contours, contourVertices: last(word('vertexFirst')),
    rawContourVertices: last(word('rawFirst')), vertices: word('meshVertexCount'), polygons: word('polygonCount'),
    detailVertices: word('detailVertexCount'), detailTriangles: word('detailTriangleCount'), tileBytes: word('tileBytes'),
  };
}
