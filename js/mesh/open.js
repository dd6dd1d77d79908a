/** Opens files of navigation meshes, and says which other function opens the other files. */
import { isDynamicFile, isTileCache, refuseOtherFile } from './file-types.js';
import { requireBytes } from '../runtime/bytes.js';
import { NavMesh, detectFormat } from './mesh.js';

/** @typedef {import('../runtime/bytes.js').Bytes} Bytes */
/** @typedef {import('../runtime/session.js').Session} Session */

/** @param {Session} session @param {Bytes} bytes @returns {NavMesh} */
export function openNavMesh(session, bytes) {
  const array = requireBytes(bytes);
  refuseOtherFile(array, 'loadNavMesh');
  return NavMesh.load(session, array);
}

/** @param {Session} session @param {Bytes} bytes */
export function findFormat(session, bytes) {
  const array = requireBytes(bytes);
  if (isTileCache(array)) return 'detourTileCache';
  return isDynamicFile(array) ? 'walkmeshDynamic' : detectFormat(session, array);
}
