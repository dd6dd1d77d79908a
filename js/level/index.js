/** Levels from files, by the ending of their name. */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { NavError } from '../errors.js';
import { parseObj } from './obj.js';

/** @param {string} path @returns {Promise<Buffer>} */
export async function readBytes(path) {
  try {
    return await readFile(path);
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    /** @type {Record<string, string>} */
    const reasons = { ENOENT: 'does not exist', EISDIR: 'is a folder', EACCES: 'may not be read' };
    throw new NavError('file', `${path} ${reasons[code ?? ''] ?? `cannot be read (${code})`}`, {
      field: 'file', value: path, cause,
    });
  }
}

/**
 * @param {string} path of an .obj, .glb or .gltf file
 * @returns {Promise<{ positions: Float32Array, indices: Uint32Array, droppedTriangles?: number }>}
 */
export async function readLevel(path) {
  const ending = extname(path).toLowerCase();
  if (ending === '.obj') return parseObj(await readBytes(path), path);
  if (ending === '.glb' || ending === '.gltf') {
    if ((await readBytes(path)).length === 0) throw new NavError('file', `${path} is empty`, { field: 'file', value: path });
    const { readGltf } = await import('./gltf.js');
    return readGltf(path);
  }
  throw new NavError('file', `${path} is not a level: its name must end in .obj, .glb or .gltf`, {
    field: 'file', value: path,
  });
}
