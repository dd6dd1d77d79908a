/** A saved dynamic mesh as a tile source: as file-source.js, with obstacles. */
import { loadDynamic } from '../dynamic/bake-dynamic.js';
import { rememberHash } from '../mesh/tile-hashes.js';

/** @typedef {import('../dynamic/dynamic-nav-mesh.js').DynamicNavMesh} DynamicNavMesh */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('./tile-streamer.js').KeptTile} KeptTile */

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
 * Implements createFileSource for files of DynamicNavMesh.save.
 * @param {Session} session @param {Uint8Array} bytes @returns {import('./file-source.js').FileSource}
 */
export function createDynamicFileSource(session, bytes) {
  const { navMesh, dynamic } = loadDynamic(session, bytes);
  return { navMesh, dynamic, tiles: takeKeptTiles(dynamic) };
}
