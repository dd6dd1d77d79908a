/**
 * Types that recast-navigation exports for functions that this entry doesn't have, and for its raw module: code that names them compiles
 * without changes. Those without a type of ours are `any`, as the functions and classes that throw are.
 */

/** @typedef {import('./config.js').OffMeshConnectionParams} OffMeshConnectionParams */
/** @typedef {import('./vectors.js').Vector3} Vector3 */

/** @typedef {{ x: number, y: number }} Vector2 */
/** @typedef {[x: number, y: number]} Vector2Tuple */
/** @typedef {'lines' | 'tris' | 'quads' | 'points'} DebugDrawerPrimitiveType */
/**
 * @typedef {{ type: DebugDrawerPrimitiveType, vertices: [x: number, y: number, z: number, r: number, g: number, b: number, a: number][] }} DebugDrawerPrimitive
 */
/** @typedef {{ tileSalt: number, tileIndex: number, tilePolygonIndex: number }} NavMeshDecodePolyIdResult */
/** @typedef {{ orig: Vector3, tileWidth: number, tileHeight: number, maxTiles: number, maxPolys: number }} NavMeshParamsType */
/**
 * @typedef {{ orig: readonly number[], cs: number, ch: number, width: number, height: number, walkableHeight: number, walkableRadius: number,
 *   walkableClimb: number, maxSimplificationError: number, maxTiles: number, maxObstacles: number }} TileCacheParamsType
 */
/** @typedef {{ offMeshConnections?: OffMeshConnectionParams[] }} OffMeshConnectionGeneratorParams */
/** @typedef {any} TileCacheGeneratorTileIntermediates */
/** @typedef {any} GenerateSoloNavMeshDataResult */
/** @typedef {any} GenerateTileNavMeshDataResult */
/** @typedef {any} RawModule */

export {};
