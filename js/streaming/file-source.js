/** A saved mesh as a tile source: its tiles are stored outside of the mesh until they are requested. */
import { requireBytes } from '../runtime/bytes.js';
import { loadDynamic } from '../dynamic/bake-dynamic.js';
import { isDynamicFile, refuseOtherFile } from '../mesh/file-types.js';
import { NavMesh } from '../mesh/mesh.js';
import { rememberHash } from '../mesh/tile-hashes.js';

/** @typedef {import('../dynamic/dynamic-nav-mesh.js').DynamicNavMesh} DynamicNavMesh */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('./tile-streamer.js').KeptTile} KeptTile */
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
 * Tiles without obstacles are added ready; tiles that obstacles overlap are built when they are added.
 * @param {DynamicNavMesh} dynamic
 */
function takeKeptTiles(dynamic) {
  /** @type {Map<string, KeptTile>} */
  const tiles = new Map();
  const { navMesh } = dynamic;
  const { tileCountX, tileCountZ } = navMesh.parameters;
  const ready = new Map(navMesh.tiles().map(({ x, z, bytes }) => [`${x},${z}`, bytes]));
  for (let z = 0; z < tileCountZ; z++) {
    for (let x = 0; x < tileCountX; x++) {
      const kept = dynamic.keptTile(x, z), place = `${x},${z}`;
      if (kept) rememberHash(kept, navMesh.tileHashes.find(x, z));
      if (kept) tiles.set(place, { kept, tile: dynamic.isAsBaked(x, z) ? ready.get(place) ?? null : undefined });
    }
  }
  for (const place of tiles.keys()) {
    const [x, z] = place.split(',').map(Number);
    dynamic.dropTile(x, z);
  }
  return tiles;
}

/**
 * Implements Walkmesh.createFileSource.
 * @param {Session} session @param {import('../runtime/bytes.js').Bytes} given @returns {FileSource}
 */
export function createFileSource(session, given) {
  const bytes = requireBytes(given);
  if (!isDynamicFile(bytes)) {
    refuseOtherFile(bytes, 'loadNavMesh');
    const navMesh = NavMesh.load(session, bytes);
    return { navMesh, dynamic: undefined, tiles: takeTiles(navMesh) };
  }
  const { navMesh, dynamic } = loadDynamic(session, bytes);
  return { navMesh, dynamic, tiles: takeKeptTiles(dynamic) };
}
