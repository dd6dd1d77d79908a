/** Reads the links of a navigation mesh, for drawing and for searches of users. */
import { readReference } from '../runtime/results.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { addressOf } from '../runtime/handle.js';
import { tileAddress } from './tiles.js';
import { WmLink, WmMeshTile } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').PolygonRefs} PolygonRefs */
/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../runtime/arguments.js').TileRef} TileRef */
/** @typedef {import('./mesh.js').NavMesh} NavMesh */

/** Words of a WmMeshTile; bytes of a WmLink and of its fields. */
const { polygonCount: POLYGON_COUNT_AT, linkFirst: LINK_FIRST_AT, links: LINKS_AT, linkPortals: PORTALS_AT } = WmMeshTile;
const LINK = { bytes: 4 * WmLink.words, slot: 4 * WmLink.slot, polygon: 4 * WmLink.polygon, edge: 4 * WmLink.edge, side: 4 * WmLink.side };

/**
 * Links, each from one polygon to another. Most have a reverse link; those of one-way connections have none.
 * @typedef {object} Links
 * @property {number} count
 * @property {PolygonRefs} from [count] reference of the polygon
 * @property {PolygonRefs} to [count] reference of the polygon
 * @property {Uint8Array} edges [count] of the polygon `from`; of an off-mesh connection 0 its start, 1 its end; 255: onto
 *   an off-mesh connection
 * @property {Uint8Array} sides [count] the side of the tile that is crossed: 0 x+, 2 z+, 4 x-, 6 z-, odd ones between them;
 *   255: the link stays in its tile
 * @property {Float32Array} openings [count][2][3] left and right end of the portal, world units; equal at off-mesh
 *   connections
 */

/**
 * A copy of all links from the polygons of a tile, by polygon, or from an off-mesh connection added at run time. O(links).
 * @param {NavMesh} navMesh
 * @param {TileRef | PolygonRef} tile any reference into it, or the reference of a connection
 * @returns {Links}
 */
export function readLinks(navMesh, tile) {
  const address = addressOf(navMesh, NAV_MESH);
  const at = tileAddress(navMesh, tile) / 4;
  const { session } = navMesh;
  const memory = new DataView(session.wasm.memory.buffer);
  const { u32 } = session;
  const polygons = u32[at + POLYGON_COUNT_AT];
  const first = u32.subarray(u32[at + LINK_FIRST_AT] / 4);
  const count = first[polygons];
  const ref = readReference(u32, at);
  const links = {
    count, from: new Float64Array(count), to: new Float64Array(count), edges: new Uint8Array(count),
    sides: new Uint8Array(count), openings: new Float32Array(session.view(u32[at + PORTALS_AT], 24 * count).slice().buffer),
  };
  let [slot, target] = [-1, 0];
  for (let polygon = 0; polygon < polygons; polygon++) {
    for (let i = first[polygon]; i < first[polygon + 1]; i++) {
      const link = u32[at + LINKS_AT] + LINK.bytes * i;
      const linkSlot = memory.getUint32(link + LINK.slot, true);
      if (linkSlot !== slot) {
        slot = linkSlot;
        target = readReference(u32, (session.wasm.mesh_tile(address, slot) >>> 0) / 4);
      }
      links.from[i] = ref + polygon;
      links.to[i] = target + memory.getUint32(link + LINK.polygon, true);
      links.edges[i] = memory.getUint8(link + LINK.edge);
      links.sides[i] = memory.getUint8(link + LINK.side);
    }
  }
  return links;
}
