/** Levels from files of this machine, by the ending of their name. */
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { NavError } from '../errors.js';
import { readGltf } from './gltf.js';
import { parseObj } from './obj.js';

/** @typedef {import('./source.js').Level} Level */

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
 * @param {(warning: string) => void} [onWarning]
 * @returns {Promise<Level>}
 */
export async function readLevel(path, onWarning) {
  const ending = extname(path).toLowerCase();
  if (ending === '.obj') return parseObj(await readBytes(path), { name: path, onWarning });
  if (ending === '.glb' || ending === '.gltf') {
    return readGltf(await readBytes(path), {
      name: path, resources: (address) => readBytes(join(dirname(path), decodeURIComponent(address))),
    });
  }
  throw new NavError('file', `${path} is not a level: its name must end in .obj, .glb or .gltf`, {
    field: 'file', value: path,
  });
}
