/** Reads and writes files of navigation meshes. */
import { extname } from 'node:path';
import { NavError, load } from '../index.js';
import { readBytes } from '../level/files.js';
import { writeAtomically } from './files.js';

/** @typedef {import('../index.js').NavMesh} NavMesh */
/** @typedef {'walkmesh' | 'detour'} FileFormat */

const FORMAT_TEXT = {
  unknown: '', walkmesh: 'Walkmesh', detourTile: 'Detour tile (DNAV)', detourSet: 'Detour set (MSET)',
  detourSet64: 'Detour set (MSET, 64-bit references)', detourTileCache: 'Detour tile cache (TSET)',
  walkmeshDynamic: 'Walkmesh, dynamic',
};

/** An instance for one command. Its meshes end with the process, so that there are no leak warnings. */
export const start = () => load({ leakWarnings: false });

/** @param {string} path */
export async function openNavMesh(path) {
  const bytes = await readBytes(path);
  const walkmesh = await start();
  const fail = (/** @type {string} */ problem, /** @type {unknown} */ cause) =>
    new NavError('file', `${path} ${problem}`, { field: 'file', value: path, cause });
  if (bytes.length === 0) throw fail('is empty', undefined);
  const format = walkmesh.detectFormat(bytes);
  if (format === 'walkmeshTileGraph') throw fail('is a tile graph, not a navigation mesh: use it with walkmesh path', undefined);
  if (format === 'walkmeshCrowd') throw fail('is a crowd, not a navigation mesh: walkmesh info prints what it contains', undefined);
  if (format === 'unknown') throw fail('is not a navigation mesh: use .walkmesh, or a Detour tile, set or tile cache', undefined);
  try {
    const { navMesh, dynamic } = format === 'detourTileCache' ? walkmesh.loadTileCache(bytes)
      : format === 'walkmeshDynamic' ? walkmesh.loadDynamic(bytes) : { navMesh: walkmesh.loadNavMesh(bytes), dynamic: undefined };
    return { navMesh, dynamic, walkmesh, format: FORMAT_TEXT[format], bytes: bytes.length };
  } catch (cause) {
    if (cause instanceof NavError && cause.code === 'corrupt') throw fail(`is damaged: ${cause.message}`, cause);
    throw cause;
  }
}

/** As openNavMesh; doors and switches are as they were saved. @param {string} path */
export async function openForQueries(path) {
  const opened = await openNavMesh(path);
  opened.navMesh.restoreSwitches();
  return opened;
}

/** The format for a file name: detour for .bin, else walkmesh. @param {string} path @returns {FileFormat} */
export function formatOf(path) {
  return extname(path).toLowerCase() === '.bin' ? 'detour' : 'walkmesh';
}

/**
 * @param {string} path @param {NavMesh} navMesh @param {FileFormat} format
 * @param {import('../index.js').DynamicNavMesh} [dynamic] written with the mesh, in Walkmesh's format
 * @param {number} [linkSpacing] as of exportDetour
 * @returns {Promise<number>} bytes written
 */
export async function writeNavMesh(path, navMesh, format, dynamic, linkSpacing) {
  const bytes = format === 'detour' ? navMesh.exportDetour('set', { linkSpacing }) : (dynamic ?? navMesh).save();
  await writeAtomically(path, bytes);
  return bytes.length;
}
