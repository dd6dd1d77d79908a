/**
 * All names that recast-navigation, @recast-navigation/core and @recast-navigation/generators export, implemented by Walkmesh, so that
 * an existing project can try it by changing an import: they become 'walkmesh/recast-navigation', and @recast-navigation/three becomes
 * 'walkmesh/recast-navigation/three'. A function that Walkmesh doesn't have throws a NavError that names its replacement when it is
 * called. docs/migration.md lists all names, and the differences of their results.
 *
 *   await init();
 *   const { success, navMesh } = generateSoloNavMesh(positions, indices, { cs: 0.2, ch: 0.2 });
 *   const { path } = new NavMeshQuery(navMesh).computePath(start, end);
 */
export { FloatArray, IntArray, UnsignedCharArray, UnsignedIntArray, UnsignedShortArray } from './arrays.js';
export { FloatArray as VerticesArray, IntArray as ChunkIdsArray, IntArray as TrianglesArray, UnsignedCharArray as TileCacheData,
  UnsignedCharArray as TriangleAreasArray } from './arrays.js';
export { rgbToDuRgba } from './colors.js';
export { recastConfigDefaults, soloNavMeshGeneratorConfigDefaults, tiledNavMeshGeneratorConfigDefaults } from './config.js';
export { Crowd, CrowdAgent, crowdAgentParamsDefaults } from './crowd.js';
export { dtIlog2, dtNextPow2, generateSoloNavMesh, generateTiledNavMesh, getBoundingBox, mergePositionsAndIndices } from './generators.js';
export { init } from './instance.js';
export * from './missing-names.js';
export { NavMesh, exportNavMesh, floodFillPruneNavMesh, getNavMeshPositionsAndIndices, importNavMesh } from './nav-mesh.js';
export { NavMeshQuery, QueryFilter, getRandomSeed, setRandomSeed } from './query.js';
export { Raw } from './raw.js';
export { Recast } from './recast-constants.js';
export { Detour, statusDetail, statusFailed, statusInProgress, statusSucceed, statusToReadableString } from './status.js';
export { getPositionsAndIndices, threeToSoloNavMesh, threeToTileCache, threeToTiledNavMesh } from './three.js';
export { NavMeshCreateParams, TileCache, TileCacheMeshProcess, createDefaultTileCacheMeshProcess, exportTileCache, generateTileCache, importTileCache,
  tileCacheGeneratorConfigDefaults } from './tile-cache.js';
export { array, vec3 } from './vectors.js';

/** @typedef {import('./config.js').GeneratorConfig} SoloNavMeshGeneratorConfig */
/** @typedef {import('./config.js').GeneratorConfig} TiledNavMeshGeneratorConfig */
/** @typedef {import('./config.js').OffMeshConnectionParams} OffMeshConnectionParams */
/** @typedef {import('./config.js').RecastConfig} RecastConfig */
/** @typedef {import('./crowd.js').CrowdAgentParams} CrowdAgentParams */
/** @typedef {import('./crowd.js').CrowdParams} CrowdParams */
/** @typedef {import('./tile-cache.js').BoxObstacle} BoxObstacle */
/** @typedef {import('./tile-cache.js').CylinderObstacle} CylinderObstacle */
/** @typedef {import('./tile-cache.js').Obstacle} Obstacle */
/** @typedef {import('./tile-cache.js').ObstacleRef} ObstacleRef */
/** @template T @typedef {import('./tile-cache.js').AddObstacleResult<T>} AddObstacleResult */
/** @typedef {import('./tile-cache.js').RemoveObstacleResult} RemoveObstacleResult */
/** @typedef {import('./tile-cache.js').TileCacheUpdateResult} TileCacheUpdateResult */
/** @typedef {ReturnType<typeof import('./tile-cache.js').importTileCache>} ImportTileCacheResult */
/** @typedef {import('./tile-cache.js').TileCacheGeneratorIntermediates} TileCacheGeneratorIntermediates */
/** @typedef {import('./tile-cache.js').TileCacheGeneratorConfig} TileCacheGeneratorConfig */
/** @typedef {import('./tile-cache.js').TileCacheGeneratorResult} TileCacheGeneratorResult */
/** @typedef {import('./generators.js').GeneratorResult<'solo'>} GenerateSoloNavMeshResult */
/** @typedef {import('./generators.js').GeneratorResult<'tiled'>} GenerateTiledNavMeshResult */
/** @typedef {import('./generators.js').Intermediates<'solo'>} SoloNavMeshGeneratorIntermediates */
/** @typedef {import('./generators.js').Intermediates<'tiled'>} TiledNavMeshGeneratorIntermediates */
/** @typedef {ReturnType<typeof import('./nav-mesh.js').importNavMesh>} ImportNavMeshResult */
/** @typedef {import('./published-types.js').DebugDrawerPrimitive} DebugDrawerPrimitive */
/** @typedef {import('./published-types.js').DebugDrawerPrimitiveType} DebugDrawerPrimitiveType */
/** @typedef {import('./published-types.js').GenerateSoloNavMeshDataResult} GenerateSoloNavMeshDataResult */
/** @typedef {import('./published-types.js').GenerateTileNavMeshDataResult} GenerateTileNavMeshDataResult */
/** @typedef {import('./published-types.js').NavMeshDecodePolyIdResult} NavMeshDecodePolyIdResult */
/** @typedef {import('./published-types.js').NavMeshParamsType} NavMeshParamsType */
/** @typedef {import('./published-types.js').OffMeshConnectionGeneratorParams} OffMeshConnectionGeneratorParams */
/** @typedef {import('./published-types.js').RawModule} RawModule */
/** @typedef {import('./published-types.js').TileCacheGeneratorTileIntermediates} TileCacheGeneratorTileIntermediates */
/** @typedef {import('./published-types.js').TileCacheParamsType} TileCacheParamsType */
/** @typedef {import('./published-types.js').Vector2} Vector2 */
/** @typedef {import('./published-types.js').Vector2Tuple} Vector2Tuple */
/** @typedef {import('./query.js').NavMeshQueryParams} NavMeshQueryParams */
/** @typedef {import('./vectors.js').Vector3} Vector3 */
/** @typedef {import('./config.js').Vector3Tuple} Vector3Tuple */
