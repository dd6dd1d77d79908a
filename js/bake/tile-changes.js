/** Many tiles of a mesh replaced at once: all of them or, where something fails, none. */
import { addressOf } from '../runtime/owned.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';

/** @typedef {import('./bake-report.js').BakedTile} BakedTile */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */

/** @typedef {{ x: number, z: number, ref: number }} ChangedTile a place, and its tile's reference now; 0: it has none */

/** Puts a tile in a place, or nothing; its reference. @param {NavMesh} navMesh @param {number} x @param {number} z @param {Uint8Array | null} bytes */
function put(navMesh, x, z, bytes) {
  if (bytes) return navMesh.replaceTile(bytes);
  const ref = navMesh.tileAt(x, z);
  if (ref) navMesh.removeTile(ref);
  return 0;
}

/**
 * Files hold tiles in the order they were added: those of a grid shall be in its rows, as after a bake.
 * @param {NavMesh} navMesh @param {{ x: number, z: number }[]} places whose tiles came last, in rows
 */
function order(navMesh, places) {
  const { session } = navMesh;
  const address = addressOf(navMesh, NAV_MESH);
  for (const { x, z } of places) {
    const ref = navMesh.tileAt(x, z);
    if (ref) session.check(session.wasm.mesh_order_tile(address, ref));
  }
}

/**
 * Puts tiles in the place of those that are there; tiles that are the same to the last byte stay, and references into them.
 * In one go: no question in between can see a part of it. Where something fails, what was there comes back (with new
 * references where it had been replaced already).
 * @param {NavMesh} navMesh @param {BakedTile[]} tiles
 * @returns {ChangedTile[]} those that are others now, in rows of the grid
 */
export function changeTiles(navMesh, tiles) {
  const { session, tileHashes } = navMesh;
  const inRows = tiles.map(({ bytes, hash, log: { x, z } }) => ({ x, z, bytes, hash })).sort((a, b) => a.z - b.z || a.x - b.x);
  /** @type {(ChangedTile & { bytesBefore: Uint8Array | null, hashBefore?: string })[]} */
  const changed = [];
  try {
    for (const { x, z, bytes } of inRows) {
      const before = navMesh.tileAt(x, z);
      const bytesBefore = before ? navMesh.tileBytes(before) : null;
      const hashBefore = tileHashes.get(navMesh, x, z);
      const ref = put(navMesh, x, z, bytes);
      if (ref !== before) changed.push({ x, z, ref, bytesBefore, hashBefore });
    }
  } catch (error) {
    // It needs no more memory than it had: limits do not count on the way back.
    session.withoutLimits(() => {
      for (const { x, z, bytesBefore, hashBefore } of changed) {
        const ref = put(navMesh, x, z, bytesBefore);
        if (hashBefore) tileHashes.set(x, z, hashBefore, ref);
      }
      order(navMesh, changed);
    });
    throw error;
  }
  order(navMesh, changed);
  for (const { x, z, hash } of inRows) if (hash) tileHashes.set(x, z, hash, navMesh.tileAt(x, z));
  return changed.map(({ x, z, ref }) => ({ x, z, ref }));
}
