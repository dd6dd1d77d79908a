/**
 * Walkmesh in three.js: levels out of scene graphs, and what there is to see of a bake and of a navigation mesh.
 *
 *   import { geometryFromScene } from 'walkmesh/three';
 *   const { navMesh } = walkmesh.bake(geometryFromScene(scene), { agentRadius: 0.4 });
 *
 * The only part of Walkmesh that imports 'three', which is a peer dependency.
 */
export { geometryFromScene } from './geometry-from-scene.js';

/** @typedef {import('./geometry-from-scene.js').SceneOptions} SceneOptions */
/** @typedef {import('./geometry-from-scene.js').SceneGeometry} SceneGeometry */
