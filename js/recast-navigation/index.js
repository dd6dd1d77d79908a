/**
 * The most used calls of recast-navigation, answered by Walkmesh, so that an existing project can try it by changing
 * an import: 'recast-navigation' (or '@recast-navigation/core', '/generators', '/three') becomes
 * 'walkmesh/recast-navigation'. What is not here throws a NavError that names it. docs/migration.md has the calls one
 * by one, and where answers differ.
 *
 *   await init();
 *   const { success, navMesh } = generateSoloNavMesh(positions, indices, { cs: 0.2, ch: 0.2 });
 *   const { path } = new NavMeshQuery(navMesh).computePath(start, end);
 */
export { recastConfigDefaults } from './config.js';
export { recastConfigDefaults as soloNavMeshGeneratorConfigDefaults } from './config.js';
export { recastConfigDefaults as tiledNavMeshGeneratorConfigDefaults } from './config.js';
export { generateSoloNavMesh, generateTiledNavMesh, mergePositionsAndIndices } from './generators.js';
export { init } from './instance.js';
export { Crowd, DebugDrawer, NavMeshHelper, TileCache, TileCacheMeshProcess, createDefaultTileCacheMeshProcess,
  createNavMeshData, createRcConfig, exportTileCache, generateSoloNavMeshData, generateTileCache,
  generateTileNavMeshData, importTileCache, threeToTileCache } from './missing.js';
export { NavMesh, exportNavMesh, floodFillPruneNavMesh, getNavMeshPositionsAndIndices, importNavMesh } from './nav-mesh.js';
export { NavMeshQuery, QueryFilter, getRandomSeed, setRandomSeed } from './query.js';
export { Detour, statusDetail, statusFailed, statusInProgress, statusSucceed, statusToReadableString } from './status.js';
export { getPositionsAndIndices, threeToSoloNavMesh, threeToTiledNavMesh } from './three.js';

/** @typedef {import('./config.js').GeneratorConfig} SoloNavMeshGeneratorConfig */
/** @typedef {import('./config.js').GeneratorConfig} TiledNavMeshGeneratorConfig */
/** @typedef {import('./config.js').OffMeshConnectionParams} OffMeshConnectionParams */
/** @typedef {import('./config.js').RecastConfig} RecastConfig */
/** @typedef {import('./generators.js').GeneratorResult} GenerateSoloNavMeshResult */
/** @typedef {import('./generators.js').GeneratorResult} GenerateTiledNavMeshResult */
/** @typedef {import('./query.js').NavMeshQueryParams} NavMeshQueryParams */
/** @typedef {import('./vectors.js').Vector3} Vector3 */
/** @typedef {import('./config.js').Vector3Tuple} Vector3Tuple */
