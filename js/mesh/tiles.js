/** Tiles at run time: reading, adding and removing them; flags and areas of polygons. */
import { readReference } from '../runtime/results.js';
import { requireCount, requireInteger, requireReference, requireReferences, requireTilePlace, writeReferences } from '../runtime/arguments.js';
import { BatchQueries } from '../query/batches.js';
import { requireBytes } from '../runtime/bytes.js';
import { NavError } from '../runtime/errors.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { addressOf, lookUp } from '../runtime/handle.js';
import { lengthOf } from '../runtime/typed-arrays.js';
import { WmMeshTile } from '../runtime/layout.js';

/** @typedef {import('../runtime/bytes.js').Bytes} Bytes */
/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../runtime/arguments.js').TileRef} TileRef */

/** Words of a WmMeshTile. */
const { x: X_AT, polygonCount: POLYGON_COUNT_AT, groundCount: GROUND_COUNT_AT, bytes: BYTES_AT } = WmMeshTile;

/** Bits of a reference below its generation: slot, polygon. */
const [SLOT_BITS, POLYGON_BITS] = [20, 20];

/** True if a WmMeshTile is a tile, not a connection added at run time. @param {Uint32Array} u32 @param {number} at its first word */
const isGround = (u32, at) => u32[at + GROUND_COUNT_AT] > 0 || u32[at + POLYGON_COUNT_AT] === 0;

/** Generation and slot of a reference's tile, as one number. @param {number} ref */
const tilePart = (ref) => Math.floor(ref / 2 ** POLYGON_BITS);

/** The address of the WmMeshTile of a reference; refreshes the views. @param {TileEdits} navMesh @param {TileRef | PolygonRef} tile */
export function tileAddress(navMesh, tile) {
  const address = addressOf(navMesh, NAV_MESH);
  const { session } = navMesh;
  const { wasm } = session;
  requireReference(tile, 'tile');
  const at = wasm.mesh_tile(address, tilePart(tile) % 2 ** SLOT_BITS) >>> 0;
  session.refresh();
  if (at !== 0 && tilePart(readReference(session.u32, at / 4)) === tilePart(tile)) return at;
  session.check(wasm.mesh_polygon(address, tile));
  throw new NavError('internal', 'a valid reference has no tile: please report it');
}

/** Codes of errors of a tile graph that doesn't have room. */
const GRAPH_FAILURES = ['out-of-memory', 'limit'];

export class TileEdits extends BatchQueries {
  /** Tile graphs that keep removed tiles. @internal @type {Set<WeakRef<import('../query/tile-graph.js').TileGraph>>} */
  graphs = new Set();
  /** That of the mesh after the last removal, which the graphs know but for removed tiles; -1: none. @internal */
  versionOfGraphs = -1;

  /** Every tile of the mesh. @returns {{ ref: number, x: number, z: number, layer: number, polygons: number, bytes: Uint8Array }[]} */
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

  /** The bytes of a tile in Detour's format, with its current flags and areas: a copy. @param {TileRef | PolygonRef} tile any reference into it */
  tileBytes(tile) {
    const at = tileAddress(this, tile) / 4;
    const { session } = this;
    return session.view(session.u32[at + BYTES_AT], session.u32[at + BYTES_AT + 1]).slice();
  }

  /** The reference of the tile at a place of the grid; 0: none. @param {number} x @param {number} z @param {number} [layer] @returns {TileRef} */
  tileAt(x, z, layer = 0) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    requireTilePlace(x, z);
    requireInteger(layer, 'layer');
    const at = (session.wasm.mesh_find_tile(address, x, z, layer) >>> 0) / 4;
    session.refresh();
    return at === 0 ? 0 : readReference(session.u32, at);
  }

  /**
   * Adds a tile and links it to its neighbours. Every byte is checked first.
   * @param {Bytes} bytes a tile in Detour's format (DNAV)
   * @returns {TileRef} reference of the tile
   */
  addTile(bytes) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const array = requireBytes(bytes);
    session.withCopy(array, (copy) => session.wasm.mesh_add_tile(address, copy, array.length));
    return readReference(session.u32, session.answer);
  }

  /**
   * As addTile, but replaces the tile at its place and tile layer, if there is one. If the bytes equal those of that tile, with
   * its current flags and areas, nothing changes and references into it stay valid; else they become stale.
   * @param {Bytes} bytes a tile in Detour's format (DNAV)
   * @returns {TileRef} reference of the tile
   */
  replaceTile(bytes) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const array = requireBytes(bytes);
    session.withCopy(array, (copy) => session.wasm.mesh_replace_tile(address, copy, array.length));
    return readReference(session.u32, session.answer);
  }

  /** Flags and areas of all polygons of a tile, for restoreTileState. @param {TileRef | PolygonRef} tile any reference into it */
  saveTileState(tile) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    session.check(session.wasm.mesh_save_tile_state(address, requireReference(tile, 'tile')));
    const state = session.u32[session.answer];
    const bytes = session.copyReturnedBytes();
    session.wasm.memory_free(session.handle, state);
    return bytes;
  }

  /** Restores flags and areas from saveTileState; fails if the tile was replaced. Everything is checked first. @param {Bytes} bytes */
  restoreTileState(bytes) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const array = requireBytes(bytes);
    session.withCopy(array, (copy) => session.wasm.mesh_restore_tile_state(address, copy, array.length));
  }

  /**
   * Removes a tile and the links to it. References into it become stale. Tile graphs with keepRemoved are updated first, so that they
   * know it.
   * @param {TileRef | PolygonRef} tile any reference into it
   */
  removeTile(tile) {
    addressOf(this, NAV_MESH);
    const { session } = this;
    requireReference(tile, 'tile');
    this.removeKnown(() => session.check(session.wasm.mesh_remove_tile(lookUp(this, NAV_MESH), tile)));
  }

  /**
   * Removes tiles after the graphs were updated: once for many removals in succession.
   * @internal @param {() => void} remove
   */
  removeKnown(remove) {
    const { wasm } = this.session;
    if (this.graphs.size > 0 && wasm.mesh_version(lookUp(this, NAV_MESH)) !== this.versionOfGraphs) this.#updateGraphs();
    remove();
    if (this.graphs.size > 0) this.versionOfGraphs = wasm.mesh_version(lookUp(this, NAV_MESH));
  }

  /** The graphs that are not freed; forgets the others. @internal */
  listGraphs() {
    const graphs = [];
    for (const held of this.graphs) {
      const graph = held.deref();
      if (graph && !graph.isFreed) graphs.push(graph);
      else this.graphs.delete(held);
    }
    return graphs;
  }

  /**
   * Updates the graphs before tiles are removed. A graph that can't be updated, for lack of memory or for too many entrances, doesn't stop
   * the removal: the next call of that graph builds it anew, or throws.
   */
  #updateGraphs() {
    for (const graph of this.listGraphs()) {
      try {
        graph.update();
      } catch (error) {
        if (!(error instanceof NavError) || !GRAPH_FAILURES.includes(error.code)) throw error;
      }
    }
  }

  /**
   * True if the tile, or the link, of any of the polygons was removed or replaced. A corridor can also be broken by a link that changed with a
   * neighbouring tile: PathCorridor.isValid checks that too.
   * @param {ArrayLike<number> | import('../query/paths.js').Corridor | import('../query/find-path.js').Path} way a path of findPath, its
   *   corridor, or references of polygons; 0 is stale
   */
  isStale(way) {
    lookUp(this, NAV_MESH);
    const isPath = typeof way === 'object' && way !== null && 'corridor' in way;
    const polygons = isPath ? { polygons: way.corridor, count: way.corridorCount } : way;
    const isCorridor = typeof polygons === 'object' && polygons !== null && 'polygons' in polygons;
    const refs = requireReferences(isCorridor ? polygons.polygons : polygons, 'polygons'), length = lengthOf(refs);
    const count = isCorridor ? requireCount(polygons.count ?? length, 'polygons.count', length) : length;
    const address = addressOf(this, NAV_MESH); // now: the polygons of a PathCorridor are a call
    const { session } = this;
    const scratch = session.reserve(8 * count);
    writeReferences(session, scratch, refs, count, 'polygons');
    return session.wasm.mesh_find_stale(address, scratch, count) >>> 0 !== count;
  }

  /** The flags of a polygon. @param {PolygonRef} polygon reference @returns {number} 16 bits */
  polygonFlags(polygon) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    session.check(session.wasm.mesh_polygon(address, requireReference(polygon, 'polygon')));
    return session.u32[session.answer];
  }

  /** The area of a polygon. @param {PolygonRef} polygon reference @returns {number} 0 to 63 */
  polygonArea(polygon) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    session.check(session.wasm.mesh_polygon(address, requireReference(polygon, 'polygon')));
    return session.u32[session.answer + 1];
  }

  /** Sets the flags of a polygon. References stay valid; save() includes them. @param {PolygonRef} polygon reference @param {number} flags 16 bits */
  setPolygonFlags(polygon, flags) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    requireReference(polygon, 'polygon');
    session.check(session.wasm.mesh_set_polygon_flags(address, polygon, requireCount(flags, 'flags', 0xffff)));
  }

  /** Sets the area of a polygon. References stay valid; save() includes it. @param {PolygonRef} polygon reference @param {number} area 0 to 63 */
  setPolygonArea(polygon, area) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    requireReference(polygon, 'polygon');
    session.check(session.wasm.mesh_set_polygon_area(address, polygon, requireCount(area, 'area', 63)));
  }
}
