/** A saved mesh as a tile source: its tiles are stored outside of the mesh until they are requested. */
import { refuseOtherFile } from '../mesh/file-types.js';
import { NavMesh } from '../mesh/mesh.js';
import { rememberHash } from '../mesh/tile-hashes.js';

/** @typedef {import('../dynamic/dynamic-nav-mesh.js').DynamicNavMesh} DynamicNavMesh */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('./tile-streamer.js').PlaceBytes} PlaceBytes */

/**
 * @typedef {object} FileSource
 * @property {NavMesh} navMesh without tiles: the caller frees it
 * @property {DynamicNavMesh | undefined} dynamic of a file of DynamicNavMesh.save, with its obstacles, which apply when their tiles
 *   are added
 * @property {Map<string, PlaceBytes>} tiles a source for a TileStreamer
 */

/** @param {NavMesh} navMesh @returns {Map<string, PlaceBytes>} */
function takeTiles(navMesh) {
  /** @type {Map<string, Uint8Array[]>} */
  const tiles = new Map();
  for (const { x, z, bytes } of navMesh.tiles()) {
    const place = `${x},${z}`, layers = tiles.get(place);
    rememberHash(bytes, navMesh.tileHashes.get(navMesh, x, z));
    if (layers) layers.push(bytes);
    else tiles.set(place, [bytes]);
  }
  for (const tile of navMesh.tileRefs()) navMesh.removeTile(tile);
  return tiles;
}

/**
 * Implements createFileSource for files that contain no obstacles.
 * @param {Session} session @param {Uint8Array} bytes @returns {FileSource & { dynamic: undefined }}
 */
export function createFileSource(session, bytes) {
  refuseOtherFile(bytes, 'loadNavMesh');
  const navMesh = NavMesh.load(session, bytes);
  return { navMesh, dynamic: undefined, tiles: takeTiles(navMesh) };
}
