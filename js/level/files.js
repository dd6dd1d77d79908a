/** Levels from files of this machine, by the ending of their name. */
import { readFile } from 'node:fs/promises';
import { dirname, extname, isAbsolute, join, relative, sep } from 'node:path';
import { NavError } from '../runtime/errors.js';
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
 * Another file that a .gltf names: only those in its folder or below, so that a level somebody else made reads nothing else.
 * @param {string} path of the .gltf @param {string} address as it stands there
 */
function readNeighbour(path, address) {
  const refuse = (/** @type {string} */ problem) => new NavError('file', `${path} names the file ${address}, ${problem}`,
    { field: 'file', value: path });
  let decoded;
  try {
    decoded = decodeURIComponent(address);
  } catch {
    throw refuse('which is no address');
  }
  const folder = dirname(path);
  const named = join(folder, decoded);
  const way = relative(folder, named);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) throw refuse('which is not in its folder: not read');
  return readBytes(named);
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
      name: path, resources: (address) => readNeighbour(path, address),
    });
  }
  throw new NavError('file', `${path} is not a level: its name must end in .obj, .glb or .gltf`, {
    field: 'file', value: path,
  });
}
