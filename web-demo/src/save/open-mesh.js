/** Opens navigation meshes of every format that the library reads; the first bytes of the file tell the format. */
import { NavError } from 'walkmesh';

/** @typedef {import('walkmesh').Walkmesh} Walkmesh */
/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('walkmesh').DynamicNavMesh} DynamicNavMesh */

/** Name of each format, and why its meshes can't have obstacles. */
const FORMATS = /** @type {const} */ ({
  walkmesh: { label: 'a .walkmesh file', frozen: 'the file has no data to rebuild tiles. Export it as a dynamic mesh' },
  walkmeshDynamic: { label: 'a dynamic .walkmesh file', frozen: null },
  detourTile: { label: 'a Detour tile', frozen: 'Detour files have no data to rebuild tiles' },
  detourSet: { label: 'a Detour tile set', frozen: 'Detour files have no data to rebuild tiles' },
  detourSet64: { label: 'a Detour tile set with 64-bit references', frozen: 'Detour files have no data to rebuild tiles' },
  detourTileCache: { label: 'a Detour tile cache', frozen: null },
});

/** File extensions of meshes; the contents decide. */
export const MESH_ENDINGS = ['.walkmesh', '.bin', '.navmesh', '.nav'];

/** The format of a navigation mesh; null: it is another file. @param {Walkmesh} walkmesh @param {Uint8Array} bytes */
function findFormat(walkmesh, bytes) {
  const format = walkmesh.detectFormat(bytes);
  return Object.hasOwn(FORMATS, format) ? /** @type {keyof typeof FORMATS} */ (format) : null;
}

/**
 * True if a file is a navigation mesh, judged by its first bytes.
 * @param {Walkmesh} walkmesh @param {Uint8Array} bytes
 */
export const isMesh = (walkmesh, bytes) => findFormat(walkmesh, bytes) !== null;

/**
 * @typedef {object} OpenedMesh
 * @property {NavMesh} navMesh the caller owns it
 * @property {DynamicNavMesh | null} dynamic
 * @property {string} label description of the file
 * @property {string | null} frozen why obstacles are unavailable; null: they are available
 */

/**
 * Opens a navigation mesh after checking every byte.
 * @param {Walkmesh} walkmesh @param {Uint8Array} bytes @param {string} file file name, for messages
 * @returns {OpenedMesh}
 */
export function openMesh(walkmesh, bytes, file) {
  const refuse = (/** @type {string} */ problem, /** @type {unknown} */ cause) =>
    new NavError('file', `${file} ${problem}`, { field: 'file', value: file, cause });
  if (bytes.length === 0) throw refuse('is empty', undefined);
  const format = findFormat(walkmesh, bytes);
  if (!format) throw refuse("isn't a navigation mesh. Use a .walkmesh or Detour file", undefined);
  try {
    const opened = format === 'walkmeshDynamic' ? walkmesh.loadDynamic(bytes)
      : format === 'detourTileCache' ? walkmesh.loadTileCache(bytes) : { navMesh: walkmesh.loadNavMesh(bytes), dynamic: null };
    return { navMesh: opened.navMesh, dynamic: opened.dynamic, ...FORMATS[format] };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw refuse(`can't be opened: ${message}`, cause);
  }
}
