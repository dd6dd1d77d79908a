/** Replaces several tiles of a mesh together: all of them or, on failure, none. */
import { addressOf } from '../runtime/handle.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';

/** @typedef {import('./bake-tile.js').BakedTile} BakedTile */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */

/** @typedef {{ x: number, z: number, ref: number }} ChangedTile ref: of the new tile; 0: it has no polygons */

/** Replaces or removes the tile at a place; returns the new reference. @param {NavMesh} navMesh @param {number} x @param {number} z @param {Uint8Array | null} bytes */
function replaceTile(navMesh, x, z, bytes) {
  if (bytes) return navMesh.replaceTile(bytes);
  const ref = navMesh.tileAt(x, z);
  if (ref) navMesh.removeTile(ref);
  return 0;
}

/**
 * Restores the order of a bake, row by row: files list tiles in the order they were added.
 * @param {NavMesh} navMesh @param {{ x: number, z: number }[]} places of the tiles that were added, row by row
 */
export function orderTiles(navMesh, places) {
  const { session } = navMesh;
  const address = addressOf(navMesh, NAV_MESH);
  for (const { x, z } of places) {
    const ref = navMesh.tileAt(x, z);
    if (ref) session.check(session.wasm.mesh_order_tile(address, ref));
  }
}

/**
 * Replaces the tiles at their places. Tiles with equal bytes stay, with their references. On failure the old tiles come back,
 * with new references if they had been replaced already. Either way, doors and other switches are as before.
 * @param {NavMesh} navMesh @param {BakedTile[]} tiles
 * @param {() => void} [changeMore] called with the new tiles in the mesh; if it throws, the old tiles come back
 * @returns {ChangedTile[]} the changed tiles, row by row
 */
export function changeTiles(navMesh, tiles, changeMore) {
  const { session, tileHashes } = navMesh;
  const inRows = tiles.map(({ bytes, hash, log: { x, z } }) => ({ x, z, bytes, hash })).sort((a, b) => a.z - b.z || a.x - b.x);
  /** @type {(ChangedTile & { bytesBefore: Uint8Array | null, hashBefore?: string })[]} */
  const changed = [];
  try {
    for (const { x, z, bytes } of inRows) {
      const before = navMesh.tileAt(x, z);
      const bytesBefore = before ? navMesh.tileBytes(before) : null;
      const hashBefore = tileHashes.get(navMesh, x, z);
      const ref = replaceTile(navMesh, x, z, bytes);
      if (ref !== before) changed.push({ x, z, ref, bytesBefore, hashBefore });
    }
    changeMore?.();
  } catch (error) {
    // The old tiles fit before, so the limits are lifted while they come back.
    session.withoutLimits(() => {
      for (const { x, z, bytesBefore, hashBefore } of changed) {
        const ref = replaceTile(navMesh, x, z, bytesBefore);
        if (hashBefore) tileHashes.set(x, z, hashBefore, ref);
      }
      orderTiles(navMesh, changed);
      navMesh.updateSwitches();
    });
    throw error;
  }
  orderTiles(navMesh, changed);
  for (const { x, z, hash } of inRows) if (hash) tileHashes.set(x, z, hash, navMesh.tileAt(x, z));
  if (changed.length > 0) navMesh.updateSwitches();
  return changed.map(({ x, z, ref }) => ({ x, z, ref }));
}
