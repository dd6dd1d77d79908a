/** Opens files of navigation meshes, and says which other function opens the other files. */
import { isDynamicFile, isTileCache, isTileGraph } from './file-types.js';
import { requireBytes } from '../runtime/bytes.js';
import { NavError } from '../runtime/errors.js';
import { NavMesh, detectFormat } from './mesh.js';

/** @typedef {import('../runtime/bytes.js').Bytes} Bytes */
/** @typedef {import('../runtime/session.js').Session} Session */

/** @param {Session} session @param {Bytes} bytes @returns {NavMesh} */
export function openNavMesh(session, bytes) {
  const array = requireBytes(bytes);
  if (isTileCache(array)) {
    throw new NavError('unsupported', 'the file is a Detour tile cache (TSET): open it with loadTileCache', { field: 'file' });
  }
  if (isDynamicFile(array)) {
    throw new NavError('unsupported', 'the file is a dynamic mesh: open it with loadDynamic', { field: 'file' });
  }
  if (isTileGraph(array)) {
    throw new NavError('unsupported', 'the file is a tile graph: open it with loadTileGraph', { field: 'file' });
  }
  return NavMesh.load(session, array);
}

/** @param {Session} session @param {Bytes} bytes */
export function findFormat(session, bytes) {
  const array = requireBytes(bytes);
  if (isTileCache(array)) return 'detourTileCache';
  return isDynamicFile(array) ? 'walkmeshDynamic' : detectFormat(session, array);
}
