/**
 * Walkmesh in three.js: levels from scene graphs, and drawings of bakes and navigation meshes.
 *
 *   import { geometryFromScene } from 'walkmesh/three';
 *   const { navMesh } = walkmesh.bake(geometryFromScene(scene), { agentRadius: 0.4 });
 *
 * The only part of Walkmesh that imports 'three', which is a peer dependency.
 */
export { AgentsHelper } from './agents-helper.js';
export { ConnectionsHelper } from './connections-helper.js';
export { ContoursHelper } from './contours-helper.js';
export { CrowdHelper } from './crowd-helper.js';
export { geometryFromScene } from './geometry-from-scene.js';
export { LinksHelper } from './links-helper.js';
export { NavMeshHelper } from './nav-mesh-helper.js';
export { ObstaclesHelper } from './obstacles-helper.js';
export { agentReasonColor, agentStateColor, areaColor, regionColor } from './palette.js';
export { PathHelper } from './path-helper.js';
export { PolygonsHelper } from './polygons-helper.js';
export { RebuiltTilesHelper } from './rebuilt-tiles-helper.js';
export { SegmentLinksHelper } from './segment-links-helper.js';
export { TileGraphHelper } from './tile-graph-helper.js';
export { VoxelsHelper } from './voxels-helper.js';

/** @typedef {import('./geometry-from-scene.js').SceneOptions} SceneOptions */
/** @typedef {import('./geometry-from-scene.js').SceneGeometry} SceneGeometry */
/** @typedef {import('./agents-helper.js').AgentsHelperOptions} AgentsHelperOptions */
/** @typedef {import('./agents-helper.js').AgentsUpdate} AgentsUpdate */
/** @typedef {import('./connections-helper.js').ConnectionsHelperOptions} ConnectionsHelperOptions */
/** @typedef {import('./contours-helper.js').ContoursHelperOptions} ContoursHelperOptions */
/** @typedef {import('./contours-helper.js').ContoursUpdate} ContoursUpdate */
/** @typedef {import('./crowd-helper.js').CrowdHelperOptions} CrowdHelperOptions */
/** @typedef {import('./crowd-helper.js').CrowdUpdate} CrowdUpdate */
/** @typedef {import('./links-helper.js').LinksHelperOptions} LinksHelperOptions */
/** @typedef {import('./nav-mesh-helper.js').NavMeshHelperOptions} NavMeshHelperOptions */
/** @typedef {import('./obstacles-helper.js').ObstaclesHelperOptions} ObstaclesHelperOptions */
/** @typedef {import('./rebuilt-tiles-helper.js').RebuiltTilesHelperOptions} RebuiltTilesHelperOptions */
/** @typedef {import('./path-helper.js').PathHelperOptions} PathHelperOptions */
/** @typedef {import('./path-helper.js').PathPoints} PathPoints */
/** @typedef {import('./polygons-helper.js').PolygonsHelperOptions} PolygonsHelperOptions */
/** @typedef {import('./polygons-helper.js').PolygonsUpdate} PolygonsUpdate */
/** @typedef {import('./segment-links-helper.js').SegmentLinksHelperOptions} SegmentLinksHelperOptions */
/** @typedef {import('./tile-graph-helper.js').TileGraphHelperOptions} TileGraphHelperOptions */
/** @typedef {import('./tile-helper.js').TileUpdate} TileUpdate */
/** @typedef {import('./voxels-helper.js').VoxelsUpdate} VoxelsUpdate */
/** @typedef {import('./voxels-helper.js').VoxelView} VoxelView */
