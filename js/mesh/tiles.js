/** Tiles at run time: what there is, adding and removing, flags and areas of polygons. */
import { readReference } from '../runtime/answers.js';
import { requireBytes, requireCount, requireReference, requireReferences, writeReferences } from '../runtime/arguments.js';
import { BatchQueries } from '../query/batches.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { addressOf } from '../runtime/owned.js';
import { WmMeshTile } from '../runtime/layout.js';

/** Words of a WmMeshTile. */
const { x: X_AT, polygonCount: POLYGON_COUNT_AT, groundCount: GROUND_COUNT_AT, bytes: BYTES_AT } = WmMeshTile;

/** Bits of a reference below its generation: slot, polygon. */
const [SLOT_BITS, POLYGON_BITS] = [20, 20];

/** A coordinate of the grid. @param {unknown} value @param {string} field */
function requirePlace(value, field) {
  if (typeof value === 'number' && (value | 0) === value) return value;
  throw invalidArgument(field, `is ${describe(value)}: must be a whole number of 32 bits`, value);
}

/** Whether a WmMeshTile is a tile, not a connection made at run time. @param {Uint32Array} u32 @param {number} at its first word */
const isGround = (u32, at) => u32[at + GROUND_COUNT_AT] > 0 || u32[at + POLYGON_COUNT_AT] === 0;

/** The tile a reference leads into, as a number. @param {number} ref */
const tilePart = (ref) => Math.floor(ref / 2 ** POLYGON_BITS);

/** Where the WmMeshTile is that a reference leads into; the views are good. @param {TileEdits} navMesh @param {number} tile */
export function tileAddress(navMesh, tile) {
  const address = addressOf(navMesh, NAV_MESH);
  const { session } = navMesh;
  const { wasm } = session;
  requireReference(tile, 'tile');
  const at = wasm.mesh_tile(address, tilePart(tile) % 2 ** SLOT_BITS) >>> 0;
  session.refresh();
  if (at !== 0 && tilePart(readReference(session.u32, at / 4)) === tilePart(tile)) return at;
  session.check(wasm.mesh_polygon(address, tile));
  throw new NavError('internal', 'a reference is good, but leads into no tile: please report it');
}

export class TileEdits extends BatchQueries {
  /** Every tile that there is. @returns {{ ref: number, x: number, z: number, layer: number, polygons: number, bytes: Uint8Array }[]} */
  tiles() {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const { wasm } = session;
    const tiles = [];
    for (let slot = 0, count = wasm.mesh_slot_count(address); slot < count; slot++) {
      const at = (wasm.mesh_tile(address, slot) >>> 0) / 4;
      session.refresh();
      const { u32 } = session;
      if (at === 0 || !isGround(u32, at)) continue;
      const [x, z, layer] = new Int32Array(u32.buffer, 4 * (at + X_AT), 3);
      tiles.push({
        ref: readReference(u32, at), x, z, layer, polygons: u32[at + POLYGON_COUNT_AT],
        bytes: session.view(u32[at + BYTES_AT], u32[at + BYTES_AT + 1]).slice(),
      });
    }
    return tiles;
  }

  /** References of all tiles, in the order of tiles(). @returns {number[]} */
  tileRefs() {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const { wasm } = session;
    const references = [];
    for (let slot = 0, count = wasm.mesh_slot_count(address); slot < count; slot++) {
      const at = (wasm.mesh_tile(address, slot) >>> 0) / 4;
      session.refresh();
      if (at !== 0 && isGround(session.u32, at)) references.push(readReference(session.u32, at));
    }
    return references;
  }

  /** The bytes of a tile in Detour's format, with its flags and areas as they are now: a copy. @param {number} tile any reference into it */
  tileBytes(tile) {
    const at = tileAddress(this, tile) / 4;
    const { session } = this;
    return session.view(session.u32[at + BYTES_AT], session.u32[at + BYTES_AT + 1]).slice();
  }

  /** The tile at a place of the grid; 0: none. @param {number} x @param {number} z @param {number} [layer] */
  tileAt(x, z, layer = 0) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    requirePlace(x, 'x');
    requirePlace(z, 'z');
    requirePlace(layer, 'layer');
    const at = (session.wasm.mesh_find_tile(address, x, z, layer) >>> 0) / 4;
    session.refresh();
    return at === 0 ? 0 : readReference(session.u32, at);
  }

  /**
   * Adds a tile, linked to the tiles around it. Every byte is checked first.
   * @param {Uint8Array | ArrayBuffer} bytes a tile in Detour's format (DNAV)
   * @returns {number} reference of the tile
   */
  addTile(bytes) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const array = requireBytes(bytes);
    session.lend(array, (copy) => session.wasm.mesh_add_tile(address, copy, array.length));
    return readReference(session.u32, session.answer);
  }

  /**
   * As addTile, in place of the tile that is at its place and layer, if any. Where the bytes are those of that tile, with
   * the flags and areas it has now, nothing changes and references into it stay valid; else they become stale.
   * @param {Uint8Array | ArrayBuffer} bytes a tile in Detour's format (DNAV)
   * @returns {number} reference of the tile
   */
  replaceTile(bytes) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const array = requireBytes(bytes);
    session.lend(array, (copy) => session.wasm.mesh_replace_tile(address, copy, array.length));
    return readReference(session.u32, session.answer);
  }

  /** Flags and areas of all polygons of a tile, for restoreTileState. @param {number} tile any reference into it */
  saveTileState(tile) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    session.check(session.wasm.mesh_save_tile_state(address, requireReference(tile, 'tile')));
    const state = session.u32[session.answer];
    const bytes = session.copyReturnedBytes();
    session.wasm.memory_free(session.handle, state);
    return bytes;
  }

  /** Restores a state of the same tile, which has not been replaced since; all is checked first. @param {Uint8Array | ArrayBuffer} bytes */
  restoreTileState(bytes) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const array = requireBytes(bytes);
    session.lend(array, (copy) => session.wasm.mesh_restore_tile_state(address, copy, array.length));
  }

  /** Removes a tile and the links to it; references into it are stale from now on. @param {number} tile any reference into it */
  removeTile(tile) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    session.check(session.wasm.mesh_remove_tile(address, requireReference(tile, 'tile')));
  }

  /**
   * Whether any of the polygons has gone since: its tile was removed or replaced. A corridor without such polygons may still
   * be broken where a tile beside it is another now: PathCorridor.isValid looks at that, too.
   * @param {ArrayLike<number> | import('../query/paths.js').Corridor} polygons references, as of a corridor; 0 is stale
   */
  isStale(polygons) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const isCorridor = typeof polygons === 'object' && polygons !== null && 'polygons' in polygons;
    const refs = requireReferences(isCorridor ? polygons.polygons : polygons, 'polygons');
    const count = isCorridor ? requireCount(polygons.count ?? refs.length, 'polygons.count', refs.length) : refs.length;
    const room = session.room(8 * count);
    writeReferences(session, room, refs, count, 'polygons');
    return session.wasm.mesh_find_stale(address, room, count) >>> 0 !== count;
  }

  /** The flags of a polygon, which filters look at. @param {number} polygon reference @returns {number} 16 bits */
  polygonFlags(polygon) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    session.check(session.wasm.mesh_polygon(address, requireReference(polygon, 'polygon')));
    return session.u32[session.answer];
  }

  /** The area of a polygon, which has costs. @param {number} polygon reference @returns {number} 0 to 63 */
  polygonArea(polygon) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    session.check(session.wasm.mesh_polygon(address, requireReference(polygon, 'polygon')));
    return session.u32[session.answer + 1];
  }

  /** At once, and for later saves; references stay. @param {number} polygon reference @param {number} flags 16 bits */
  setPolygonFlags(polygon, flags) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    requireReference(polygon, 'polygon');
    session.check(session.wasm.mesh_set_polygon_flags(address, polygon, requireCount(flags, 'flags', 0xffff)));
  }

  /** At once, and for later saves; references stay. @param {number} polygon reference @param {number} area 0 to 63 */
  setPolygonArea(polygon, area) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    requireReference(polygon, 'polygon');
    session.check(session.wasm.mesh_set_polygon_area(address, polygon, requireCount(area, 'area', 63)));
  }
}
