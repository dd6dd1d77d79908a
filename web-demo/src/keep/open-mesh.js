/** Navigation meshes from files of any format the library reads, told apart by their first bytes. */
import { NavError } from 'walkmesh';

/** @typedef {import('walkmesh').Walkmesh} Walkmesh */
/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('walkmesh').DynamicNavMesh} DynamicNavMesh */

/** What each format is called, and why obstacles cannot be put into a mesh that came from it. */
const FORMATS = /** @type {const} */ ({
  walkmesh: { label: 'a .walkmesh file', frozen: 'the file holds the mesh alone: save it with what changes it to edit obstacles later' },
  walkmeshDynamic: { label: 'a .walkmesh file with what changes it', frozen: null },
  detourTile: { label: 'a Detour tile', frozen: "Detour's files hold the mesh alone, not what it takes to build tiles again" },
  detourSet: { label: 'a Detour set', frozen: "Detour's files hold the mesh alone, not what it takes to build tiles again" },
  detourSet64: { label: 'a Detour set with 64-bit references', frozen: "Detour's files hold the mesh alone, not what it takes to build tiles again" },
  detourTileCache: { label: 'a Detour tile cache', frozen: null },
});

/** Endings that meshes have; what is in the file decides. */
export const MESH_ENDINGS = ['.walkmesh', '.bin', '.navmesh', '.nav'];

/**
 * Whether a file is a navigation mesh, by its first bytes.
 * @param {Walkmesh} walkmesh @param {Uint8Array} bytes
 */
export const isMesh = (walkmesh, bytes) => walkmesh.detectFormat(bytes) !== 'unknown';

/**
 * @typedef {object} OpenedMesh
 * @property {NavMesh} navMesh the caller frees it, or gives it on
 * @property {DynamicNavMesh | null} dynamic
 * @property {string} label what the file is, in words
 * @property {string | null} frozen why obstacles are off; null: they are not
 */

/**
 * Opens a navigation mesh; every byte is checked.
 * @param {Walkmesh} walkmesh @param {Uint8Array} bytes @param {string} file its name, for messages
 * @returns {OpenedMesh}
 */
export function openMesh(walkmesh, bytes, file) {
  const refuse = (/** @type {string} */ problem, /** @type {unknown} */ cause) =>
    new NavError('file', `${file} ${problem}`, { field: 'file', value: file, cause });
  if (bytes.length === 0) throw refuse('is empty', undefined);
  const format = walkmesh.detectFormat(bytes);
  if (format === 'unknown') throw refuse('is not a navigation mesh: neither .walkmesh nor of Detour', undefined);
  try {
    const opened = format === 'walkmeshDynamic' ? walkmesh.loadDynamic(bytes)
      : format === 'detourTileCache' ? walkmesh.loadTileCache(bytes) : { navMesh: walkmesh.loadNavMesh(bytes), dynamic: null };
    return { navMesh: opened.navMesh, dynamic: opened.dynamic, ...FORMATS[format] };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw refuse(`cannot be opened: ${message}`, cause);
  }
}
