/**
 * The most used functions of recast-navigation, implemented by Walkmesh, so that an existing project can try it by changing
 * an import: 'recast-navigation' (or '@recast-navigation/core', '/generators', '/three') becomes
 * 'walkmesh/recast-navigation'. A missing function throws a NavError that names it. docs/migration.md lists all functions, and
 * the differences of their results.
 *
 *   await init();
 *   const { success, navMesh } = generateSoloNavMesh(positions, indices, { cs: 0.2, ch: 0.2 });
 *   const { path } = new NavMeshQuery(navMesh).computePath(start, end);
 */
export { recastConfigDefaults } from './config.js';
export { recastConfigDefaults as soloNavMeshGeneratorConfigDefaults } from './config.js';
export { recastConfigDefaults as tiledNavMeshGeneratorConfigDefaults } from './config.js';
export { Crowd, CrowdAgent, crowdAgentParamsDefaults } from './crowd.js';
export { generateSoloNavMesh, generateTiledNavMesh, mergePositionsAndIndices } from './generators.js';
export { init } from './instance.js';
export { DebugDrawer, NavMeshHelper, createNavMeshData, createRcConfig, generateSoloNavMeshData, generateTileNavMeshData } from './missing.js';
export { NavMesh, exportNavMesh, floodFillPruneNavMesh, getNavMeshPositionsAndIndices, importNavMesh } from './nav-mesh.js';
export { NavMeshQuery, QueryFilter, getRandomSeed, setRandomSeed } from './query.js';
export { Detour, statusDetail, statusFailed, statusInProgress, statusSucceed, statusToReadableString } from './status.js';
export { getPositionsAndIndices, threeToSoloNavMesh, threeToTileCache, threeToTiledNavMesh } from './three.js';
export { TileCache, TileCacheMeshProcess, createDefaultTileCacheMeshProcess, exportTileCache, generateTileCache, importTileCache,
  tileCacheGeneratorConfigDefaults } from './tile-cache.js';

/** @typedef {import('./config.js').GeneratorConfig} SoloNavMeshGeneratorConfig */
/** @typedef {import('./config.js').GeneratorConfig} TiledNavMeshGeneratorConfig */
/** @typedef {import('./config.js').OffMeshConnectionParams} OffMeshConnectionParams */
/** @typedef {import('./config.js').RecastConfig} RecastConfig */
/** @typedef {import('./crowd.js').CrowdAgentParams} CrowdAgentParams */
/** @typedef {import('./crowd.js').CrowdParams} CrowdParams */
/** @typedef {import('./tile-cache.js').BoxObstacle} BoxObstacle */
/** @typedef {import('./tile-cache.js').CylinderObstacle} CylinderObstacle */
/** @typedef {import('./tile-cache.js').Obstacle} Obstacle */
/** @typedef {import('./tile-cache.js').TileCacheGeneratorConfig} TileCacheGeneratorConfig */
/** @typedef {import('./tile-cache.js').TileCacheGeneratorResult} TileCacheGeneratorResult */
/** @typedef {import('./generators.js').GeneratorResult} GenerateSoloNavMeshResult */
/** @typedef {import('./generators.js').GeneratorResult} GenerateTiledNavMeshResult */
/** @typedef {import('./query.js').NavMeshQueryParams} NavMeshQueryParams */
/** @typedef {import('./vectors.js').Vector3} Vector3 */
/** @typedef {import('./config.js').Vector3Tuple} Vector3Tuple */
