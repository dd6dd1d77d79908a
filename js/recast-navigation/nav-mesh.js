/** NavMesh of recast-navigation, over one of Walkmesh; reading and writing it; its triangles. */
import { requireReferences } from '../runtime/arguments.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { isOfKind } from '../runtime/foreign.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { rawOf, requireNumber, requireVector } from './arguments.js';
import { NumberArray } from './arrays.js';
import { getWalkmesh } from './instance.js';
import { Detour, runQuery } from './status.js';
import { addMissing } from './missing.js';

/** @typedef {import('../mesh/mesh.js').NavMesh} WalkmeshNavMesh */

/** References of all polygons: those of a tile follow the reference of the tile. @param {WalkmeshNavMesh} mesh @returns {number[]} */
export function listPolygons(mesh) {
  return mesh.tiles().flatMap(({ ref, polygons }) => Array.from({ length: polygons }, (_, i) => ref + i));
}

export class NavMesh {
  /** @param {WalkmeshNavMesh} raw a mesh of Walkmesh, which this object now owns */
  constructor(raw) {
    if (!isOfKind(raw, NAV_MESH)) throw invalidArgument('raw', `must be a mesh of Walkmesh, not ${describe(raw)}`, raw);
    /** Walkmesh's own mesh, with all its queries. */
    this.raw = raw;
  }

  getMaxTiles() {
    return this.raw.totals.tiles;
  }

  /** @param {number} x @param {number} y of the tile place, our z @param {number} layer @returns {number} 0: none */
  getTileRefAt(x, y, layer) {
    return this.raw.tileAt(x, y, layer);
  }

  /**
   * The place in the grid of tiles of a position.
   * @param {import('./vectors.js').Vector3} position
   */
  calcTileLoc(position) {
    const { origin, tileWidth, tileDepth } = this.raw.parameters;
    const { x: east, z: south } = requireVector(position, 'position');
    const [x, y] = [Math.floor((east - origin[0]) / tileWidth), Math.floor((south - origin[2]) / tileDepth)];
    return { tileX: () => x, tileY: () => y };
  }

  /**
   * @param {NumberArray<Uint8Array>} navMeshData a tile, for example of removeTile
   * @param {number} [_flags] ignored @param {number} [_lastRef] ignored: the tile gets a new reference
   * @returns {{ status: number, tileRef: number }}
   */
  addTile(navMeshData, _flags, _lastRef) {
    if (!NumberArray.isOne(navMeshData)) throw invalidArgument('navMeshData', `must be an UnsignedCharArray, not ${describe(navMeshData)}`, navMeshData);
    try {
      return { status: Detour.DT_SUCCESS, tileRef: this.raw.addTile(navMeshData.getHeapView()) };
    } catch (error) {
      const isOccupied = error instanceof NavError && error.code === 'state';
      const detail = isOccupied ? Detour.DT_ALREADY_OCCUPIED : Detour.DT_INVALID_PARAM;
      if (!isOccupied && !(error instanceof NavError && error.code === 'corrupt')) throw error;
      return { status: Detour.DT_FAILURE | detail, tileRef: 0 };
    }
  }

  /** Removes a tile and returns its bytes. @param {number} ref */
  removeTile(ref) {
    const bytes = this.raw.tileBytes(ref);
    this.raw.removeTile(ref);
    return { raw: bytes, data: () => Array.from(bytes), dataSize: () => bytes.length };
  }

  /** @param {number} ref @returns {boolean} */
  isValidPolyRef(ref) {
    return this.getPolyFlags(ref).status === Detour.DT_SUCCESS;
  }

  /** @param {number} ref @returns {{ status: number, flags: number }} */
  getPolyFlags(ref) {
    const { status, flags } = runQuery({ flags: 0 }, () => ({ flags: this.raw.polygonFlags(ref) }));
    return { status, flags };
  }

  /** @param {number} ref @param {number} flags 16 bits @returns {number} status */
  setPolyFlags(ref, flags) {
    return runQuery({}, () => {
      this.raw.setPolygonFlags(ref, flags);
      return {};
    }).status;
  }

  /** @param {number} ref @returns {{ status: number, area: number }} */
  getPolyArea(ref) {
    const { status, area } = runQuery({ area: 0 }, () => ({ area: this.raw.polygonArea(ref) }));
    return { status, area };
  }

  /** @param {number} ref @param {number} area 0 to 63 @returns {number} status */
  setPolyArea(ref, area) {
    return runQuery({}, () => {
      this.raw.setPolygonArea(ref, area);
      return {};
    }).status;
  }

  /** Frees the mesh; again, it does nothing. */
  destroy() {
    this.raw[Symbol.dispose]();
  }
}

addMissing(NavMesh, {
  initSolo: 'generateSoloNavMesh', initTiled: 'generateTiledNavMesh', decodePolyId: 'raw.polygons', encodePolyId: 'raw.polygons', getTileAt: 'raw.tiles', getTilesAt: 'raw.tiles',
  getTileRef: 'raw.tiles', getTileByRef: 'raw.tiles', getTile: 'raw.tiles', getTileAndPolyByRef: 'raw.polygons',
  getTileAndPolyByRefUnsafe: 'raw.polygons', getPolyRefBase: 'raw.tiles',
  getOffMeshConnectionPolyEndPoints: 'raw.connection', getOffMeshConnectionByRef: 'raw.connection',
  getTileStateSize: 'raw.saveTileState', storeTileState: 'raw.saveTileState', restoreTileState: 'raw.restoreTileState',
});

/** Writes the mesh as a set of Detour tiles, which recast-navigation also reads. @param {NavMesh} navMesh @returns {Uint8Array} */
export function exportNavMesh(navMesh) {
  return rawOf(navMesh).exportDetour();
}

/**
 * Reads files of exportNavMesh of either package, and .walkmesh. Throws a NavError if the bytes are corrupt.
 * @param {Uint8Array} data
 * @returns {{ navMesh: NavMesh }}
 */
export function importNavMesh(data) {
  return { navMesh: new NavMesh(getWalkmesh().loadNavMesh(data)) };
}

/** Polygons as triangle fans. @param {{ vertices: Float32Array }[]} polygons @returns {number[]} positions */
function fanOut(polygons) {
  return polygons.flatMap(({ vertices }) => {
    const corner = (/** @type {number} */ i) => [...vertices.subarray(3 * i, 3 * i + 3)];
    return Array.from({ length: vertices.length / 3 - 2 }, (_, i) => [...corner(0), ...corner(i + 1), ...corner(i + 2)]).flat();
  });
}

/**
 * The surface as triangles, each with three vertices of its own.
 * @param {NavMesh} navMesh @param {number} [flags] only polygons with one of these flags, without their detail mesh
 * @returns {[positions: number[], indices: number[]]}
 */
export function getNavMeshPositionsAndIndices(navMesh, flags) {
  const raw = rawOf(navMesh);
  const wanted = flags === undefined ? undefined : requireNumber(flags, 'flags');
  const positions = wanted === undefined ? Array.from(raw.triangles())
    : fanOut(raw.polygons().filter((polygon) => !polygon.isOffMesh && (polygon.flags & wanted) !== 0));
  return [positions, Array.from({ length: positions.length / 3 }, (_, i) => i)];
}

/**
 * Clears all flags of polygons that can't be reached from the given ones.
 * @param {NavMesh} navMesh @param {number[]} startPolyRefs
 */
export function floodFillPruneNavMesh(navMesh, startPolyRefs) {
  const raw = rawOf(navMesh);
  const reached = new Set(Array.from(requireReferences(startPolyRefs, 'startPolyRefs')).flatMap((ref) => {
    const { polygons, count } = raw.flood(ref, raw.closestPoint(ref, [0, 0, 0]).point);
    return Array.from(polygons.subarray(0, count));
  }));
  for (const ref of listPolygons(raw)) if (!reached.has(ref)) raw.setPolygonFlags(ref, 0);
}
