/** The functions and classes of recast-navigation that this entry doesn't have, with their replacements: docs/migration.md lists them. */
import { missing, replacements } from './missing.js';

/** Returns a function that throws when it is called, also with `new`. @param {string} name @param {string} instead @returns {any} */
function missingCall(name, instead) {
  replacements.set(name, instead);
  return function notThere() {
    throw missing(name);
  };
}

/** Functions and classes that throw, by the names that are read from it. @param {string} instead @returns {Record<string, any>} */
const missingCalls = (instead) => new Proxy({}, { get: (_, name) => missingCall(String(name), instead) });

export const {
  RecastBuildContext, RecastChunkyTriMesh, RecastCompactCell, RecastCompactHeightfield, RecastCompactSpan, RecastContour, RecastContourSet,
  RecastHeightfield, RecastHeightfieldLayer, RecastHeightfieldLayerSet, RecastPolyMesh, RecastPolyMeshDetail, RecastSpan, RecastSpanPool,
  allocCompactHeightfield, allocContourSet, allocHeightfield, allocHeightfieldLayerSet, allocPolyMesh, allocPolyMeshDetail,
  freeCompactHeightfield, freeContourSet, freeHeightfield, freeHeightfieldLayerSet, freePolyMesh, freePolyMeshDetail,
  buildCompactHeightfield, buildContours, buildDistanceField, buildHeightfieldLayers, buildLayerRegions, buildPolyMesh,
  buildPolyMeshDetail, buildRegions, buildRegionsMonotone, createHeightfield, erodeWalkableArea, filterLedgeSpans,
  filterLowHangingWalkableObstacles, filterWalkableLowHeightSpans, rasterizeTriangles, medianFilterWalkableArea,
  getHeightFieldSpanCount, getHeightfieldLayerAreas, getHeightfieldLayerCons, getHeightfieldLayerHeights,
  getCon, setCon, getDirForOffset, getDirOffsetX, getDirOffsetY,
  copyPolyMesh, mergePolyMeshes, mergePolyMeshDetails, createNavMeshData, generateSoloNavMeshData, generateTileNavMeshData,
} = missingCalls('createBaker of walkmesh, which bakes stage by stage');

export const { markBoxArea, markConvexPolyArea, markCylinderArea } = missingCalls('volumes of the geometry of walkmesh.bake');
export const { markWalkableTriangles, clearUnwalkableTriangles } = missingCalls('areas of the geometry of walkmesh.bake');
export const { createRcConfig, cloneRcConfig, buildTiledNavMeshRcConfig } = missingCalls('a configuration object');
export const { calcBounds } = missingCalls('getBoundingBox');
export const { calcGridSize } = missingCalls('navMesh.raw.parameters');

export const {
  DetourBVNode, DetourLink, DetourMeshHeader, DetourMeshTile, DetourOffMeshConnection, DetourPoly, DetourPolyDetail,
  NavMeshGetTilesAtResult,
} = missingCalls('readTile of walkmesh with navMesh.raw.tileBytes');
export const { NavMeshCalcTileLocResult } = missingCalls('navMesh.calcTileLoc');
export const { NavMeshParams } = missingCalls('generateTiledNavMesh');
export const { NavMeshRemoveTileResult } = missingCalls('navMesh.removeTile');
export const { NavMeshStoreTileStateResult } = missingCalls('navMesh.raw.saveTileState');
export const { DetourTileCacheParams, buildTileCacheLayer } = missingCalls('generateTileCache');
export const { DebugDrawerUtils } = missingCalls('the helpers of walkmesh/three');

/*
 * The classes are types, too: code that names them compiles, and throws where it makes one.
 */
/**
 * @typedef {any} DebugDrawerUtils
 * @typedef {any} DetourBVNode
 * @typedef {any} DetourLink
 * @typedef {any} DetourMeshHeader
 * @typedef {any} DetourMeshTile
 * @typedef {any} DetourOffMeshConnection
 * @typedef {any} DetourPoly
 * @typedef {any} DetourPolyDetail
 * @typedef {any} DetourTileCacheParams
 * @typedef {any} NavMeshCalcTileLocResult
 * @typedef {any} NavMeshGetTilesAtResult
 * @typedef {any} NavMeshParams
 * @typedef {any} NavMeshRemoveTileResult
 * @typedef {any} NavMeshStoreTileStateResult
 * @typedef {any} RecastBuildContext
 * @typedef {any} RecastChunkyTriMesh
 * @typedef {any} RecastCompactCell
 * @typedef {any} RecastCompactHeightfield
 * @typedef {any} RecastCompactSpan
 * @typedef {any} RecastContour
 * @typedef {any} RecastContourSet
 * @typedef {any} RecastHeightfield
 * @typedef {any} RecastHeightfieldLayer
 * @typedef {any} RecastHeightfieldLayerSet
 * @typedef {any} RecastPolyMesh
 * @typedef {any} RecastPolyMeshDetail
 * @typedef {any} RecastSpan
 * @typedef {any} RecastSpanPool
 */
