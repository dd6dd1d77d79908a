/**
 * Which off-mesh connections of a level lead nowhere: after a bake each lies in the tile of its start, tied to the mesh at
 * both ends, or else no path ever goes over it, and nobody would say why.
 */
import { numbersOfPoint } from '../runtime/arguments.js';
import { addressOf } from '../runtime/owned.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { tileAddress } from '../mesh/tiles.js';
import { WmMeshTile } from '../runtime/layout.js';

/** @typedef {import('./geometry.js').Geometry} Geometry */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {{ index: number, start: number[], end: number[], radius: number, key: string }} Wanted a connection of the level */

/** Words of a WmMeshTile. */
const { polygonCount: POLYGON_COUNT_AT, groundCount: GROUND_COUNT_AT } = WmMeshTile;
/** More are counted, not named. */
const MOST_NAMED = 5;

/** What tells connections apart: those with the same are tied alike. @param {ArrayLike<number>} start @param {ArrayLike<number>} end @param {number} radius */
const keyOf = (start, end, radius) => Float32Array.of(start[0], start[1], start[2], end[0], end[1], end[2], radius).join();

/**
 * The connections of a level, as they are now; what the bake will refuse is left out.
 * @param {Geometry} geometry @returns {Wanted[]}
 */
export function listConnections(geometry) {
  const list = geometry?.offMeshConnections;
  if (!Array.isArray(list)) return [];
  return list.flatMap((connection, index) => {
    const [start, end] = [numbersOfPoint(connection?.start), numbersOfPoint(connection?.end)];
    if (!start || !end) return [];
    return { index, start, end, radius: connection.radius, key: keyOf(start, end, connection.radius) };
  });
}

/** Which ends of those in the tiles meet the mesh. @param {NavMesh} navMesh */
function readTies(navMesh) {
  /** @type {Map<string, { startTied: boolean, endTied: boolean }>} */
  const ties = new Map();
  for (const ref of navMesh.tileRefs()) {
    const at = tileAddress(navMesh, ref) / 4;
    const { u32 } = navMesh.session;
    const [first, end] = [u32[at + GROUND_COUNT_AT], u32[at + POLYGON_COUNT_AT]];
    for (let i = first; i < end; i++) {
      const connection = navMesh.connection(ref + i);
      ties.set(keyOf(connection.start, connection.end, connection.radius), connection);
    }
  }
  return ties;
}

/** @param {Wanted} wanted @param {{ startTied: boolean, endTied: boolean } | undefined} ties undefined: in no tile @returns {string | undefined} */
function describeUntied({ index, start, end, radius }, ties) {
  if (ties?.startTied && ties.endTied) return undefined;
  // Where the start meets nothing the end is not looked for.
  const where = ties?.startTied ? `its end (${end.join(', ')})` : `its start (${start.join(', ')})`;
  return `offMeshConnections[${index}] leads nowhere: there is no mesh within its radius (${radius}) of ${where}`;
}

/**
 * Warnings of connections that do not meet the mesh. O(tiles + connections), nothing where the level has none.
 * @param {NavMesh} navMesh @param {Wanted[]} wanted @returns {string[]}
 */
export function warnOfConnections(navMesh, wanted) {
  addressOf(navMesh, NAV_MESH);
  if (wanted.length === 0 || navMesh.totals.polygons === 0) return []; // without a polygon other warnings say why
  const ties = readTies(navMesh);
  const warnings = wanted.map((each) => describeUntied(each, ties.get(each.key))).filter((text) => text !== undefined);
  const more = warnings.length - MOST_NAMED;
  return more > 1 ? [...warnings.slice(0, MOST_NAMED), `${more} more of offMeshConnections lead nowhere, too`] : warnings;
}
