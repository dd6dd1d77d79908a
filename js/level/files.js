/** Reads level files from disk. The extension tells the format. */
import { readFile } from 'node:fs/promises';
import { dirname, extname, isAbsolute, join, relative, sep } from 'node:path';
import { NavError } from '../runtime/errors.js';
import { readGltf } from './gltf.js';
import { parseObj } from './obj.js';

/** @typedef {import('./file-error.js').Level} Level */

/** @param {string} path @returns {Promise<Buffer>} */
export async function readBytes(path) {
  try {
    return await readFile(path);
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    /** @type {Record<string, string>} */
    const reasons = { ENOENT: 'does not exist', EISDIR: 'is a folder', EACCES: 'cannot be read: permission denied' };
    throw new NavError('file', `${path} ${reasons[code ?? ''] ?? `cannot be read (${code})`}`, {
      field: 'file', value: path, cause,
    });
  }
}

/**
 * Reads a file that a .gltf names. It must be in the folder of the .gltf or below, so that an untrusted level cannot read other
 * files.
 * @param {string} path of the .gltf @param {string} address as written there @param {(file: string) => void} [onFile]
 */
function readNeighbour(path, address, onFile) {
  const refuse = (/** @type {string} */ problem) => new NavError('file', `${path} names the file ${address}, ${problem}`,
    { field: 'file', value: path });
  let decoded;
  try {
    decoded = decodeURIComponent(address);
  } catch {
    throw refuse('which is not a valid address');
  }
  const folder = dirname(path);
  const named = join(folder, decoded);
  const fromFolder = relative(folder, named);
  if (fromFolder === '..' || fromFolder.startsWith(`..${sep}`) || isAbsolute(fromFolder)) throw refuse('which is outside its folder');
  onFile?.(named);
  return readBytes(named);
}

/**
 * @param {string} path of an .obj, .glb or .gltf file
 * @param {(warning: string) => void} [onWarning]
 * @param {import('../runtime/level-marks.js').NamePatterns} [names] of the nodes, objects, groups and materials that count
 * @param {(file: string) => void} [onFile] receives the path of each file that the level names
 * @returns {Promise<Level>}
 */
export async function readLevel(path, onWarning, names = {}, onFile = undefined) {
  const ending = extname(path).toLowerCase();
  if (ending === '.obj') return parseObj(await readBytes(path), { name: path, onWarning, ...names });
  if (ending === '.glb' || ending === '.gltf') {
    return readGltf(await readBytes(path), {
      name: path, resources: (address) => readNeighbour(path, address, onFile), ...names,
    });
  }
  throw new NavError('file', `${path} is not a supported level: use .obj, .glb or .gltf`, {
    field: 'file', value: path,
  });
}
