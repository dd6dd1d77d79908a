/**
 * Warns of off-mesh connections that paths can't use: after the bake each must lie in the tile of its start, and both of its ends
 * must be tied to a polygon.
 */
import { numbersOfPoint } from '../runtime/arguments.js';
import { addressOf } from '../runtime/handle.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { bakedConnections } from '../mesh/connections.js';

/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {{ index: number, start: number[], end: number[], radius: number, key: string }} LevelConnection */

/** Further warnings are only counted. */
const MAX_NAMED = 5;

/** A key; connections with equal keys have equal ties. @param {ArrayLike<number>} start @param {ArrayLike<number>} end @param {number} radius */
const keyOf = (start, end, radius) => Float32Array.of(start[0], start[1], start[2], end[0], end[1], end[2], radius).join();

/**
 * A copy of the connections of a level, without those that the bake will reject.
 * @param {Geometry} geometry @returns {LevelConnection[]}
 */
export function listConnections(geometry) {
  const list = geometry?.offMeshConnections;
  if (!Array.isArray(list)) return [];
  /** @type {LevelConnection[]} */
  const connections = [];
  for (let index = 0; index < list.length; index++) {
    const connection = list[index];
    if (typeof connection !== 'object' || connection === null) return []; // the bake names it
    const [start, end] = [numbersOfPoint(connection.start), numbersOfPoint(connection.end)];
    const { radius } = connection;
    if (start && end) connections.push({ index, start, end, radius, key: keyOf(start, end, radius) });
  }
  return connections;
}

/** The ties of the connections in a mesh's tiles, by key. @param {NavMesh} navMesh */
function readTies(navMesh) {
  /** @type {Map<string, { startTied: boolean, endTied: boolean }>} */
  const ties = new Map();
  for (const ref of bakedConnections(navMesh)) {
    const connection = navMesh.connection(ref);
    ties.set(keyOf(connection.start, connection.end, connection.radius), connection);
  }
  return ties;
}

/** @param {LevelConnection} wanted @param {{ startTied: boolean, endTied: boolean } | undefined} ties undefined: no tile has it @returns {string | undefined} */
function describeUntied({ index, start, end, radius }, ties) {
  if (ties?.startTied && ties.endTied) return undefined;
  // The end is only searched for if the start is tied.
  const where = ties?.startTied ? `its end (${end.join(', ')})` : `its start (${start.join(', ')})`;
  return `offMeshConnections[${index}] isn't connected: no mesh lies within its radius (${radius}) of ${where}`;
}

/**
 * Warnings about connections without ties. Costs O(tiles + connections), nothing if the level has none.
 * @param {NavMesh} navMesh @param {LevelConnection[]} wanted @returns {string[]}
 */
export function warnOfConnections(navMesh, wanted) {
  addressOf(navMesh, NAV_MESH);
  if (wanted.length === 0 || navMesh.totals.polygons === 0) return []; // other warnings explain an empty mesh
  const ties = readTies(navMesh);
  const warnings = wanted.map((each) => describeUntied(each, ties.get(each.key))).filter((text) => text !== undefined);
  const more = warnings.length - MAX_NAMED;
  return more > 1 ? [...warnings.slice(0, MAX_NAMED), `${more} more of offMeshConnections aren't connected`] : warnings;
}
