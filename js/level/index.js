/**
 * Levels from the bytes of files, in browsers, workers and Node: the entry `walkmesh/level`.
 *
 *   const level = parseObj(await file.arrayBuffer());          // Wavefront OBJ
 *   const level = await readGltf(await file.arrayBuffer());    // GLB and glTF 2.0
 *   walkmesh.bake(level);
 *
 * What cannot be read is a NavError `file`, whose message says what is wrong with it in plain words.
 */
export { readGltf } from './gltf.js';
export { parseObj } from './obj.js';

/** @typedef {import('./source.js').Level} Level */
/** @typedef {import('./source.js').LevelBytes} LevelBytes */
/** @typedef {import('./obj.js').ObjOptions} ObjOptions */
/** @typedef {import('./gltf.js').GltfOptions} GltfOptions */
