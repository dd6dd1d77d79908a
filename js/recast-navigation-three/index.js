/**
 * The names that @recast-navigation/three exports, and all of walkmesh/recast-navigation: helpers that draw meshes, obstacles and agents
 * of that entry. walkmesh/three has helpers that draw more, and faster: `new NavMeshHelper(navMesh.raw)`.
 */
export * from '../recast-navigation/index.js';
export { CrowdHelper } from './crowd-helper.js';
export { DebugDrawer } from './debug-drawer.js';
export { NavMeshHelper } from './nav-mesh-helper.js';
export { TileCacheHelper } from './tile-cache-helper.js';

/** @typedef {import('./crowd-helper.js').CrowdHelperParams} CrowdHelperParams */
/** @typedef {import('./debug-drawer.js').DebugDrawerParams} DebugDrawerParams */
/** @typedef {import('./nav-mesh-helper.js').NavMeshHelperParams} NavMeshHelperParams */
/** @typedef {import('./tile-cache-helper.js').TileCacheHelperParams} TileCacheHelperParams */
