/**
 * The entry `walkmesh/level`: reads levels from the bytes of files, in browsers, workers and Node.
 *
 *   const level = parseObj(await file.arrayBuffer());          // Wavefront OBJ
 *   const level = await readGltf(await file.arrayBuffer());    // GLB and glTF 2.0
 *   const facing = levelFacing(level);                          // null, or that it faces +z, such as with z up
 *   const filled = fillConvex(level);                           // crates and pillars are no longer hollow
 *   walkmesh.bake(filled);
 *
 * A file that cannot be read throws a NavError `file`, whose message says what is wrong with it.
 */
export { fillConvex } from './fill-convex.js';
export { readGltf } from './gltf.js';
export { levelFacing } from './level-facing.js';
export { parseObj } from './obj.js';

/** @typedef {import('./file-error.js').Level} Level */
/** @typedef {import('./file-error.js').LevelBytes} LevelBytes */
/** @typedef {import('./obj.js').ObjOptions} ObjOptions */
/** @typedef {import('./gltf.js').GltfOptions} GltfOptions */
/** @typedef {import('./gltf.js').GltfPart} GltfPart */
/** @typedef {import('./level-facing.js').LevelFacing} LevelFacing */
