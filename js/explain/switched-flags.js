/** The flags of polygons if switches were turned, by the rule of Switches, without turning them. */
import { readTile } from '../mesh/detour-tile.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../mesh/switches.js').Switches} Switches */
/** @typedef {{ switches: Switches, number: number, isOn: boolean }} Turn */
/** @typedef {{ x: number, z: number, layer: number, index: number, flags: number }} PlacedFlags of a polygon, by its place: in a copy of the mesh, references differ */

const POLYGON_COUNT = 2 ** 20;

/** @param {NavMesh} navMesh @param {PolygonRef} polygon */
export function placeOf(navMesh, polygon) {
  const { x, z, layer } = readTile(navMesh.tileBytes(polygon));
  return { x, z, layer, index: polygon % POLYGON_COUNT };
}

/** The flags of a polygon without any switch. @param {NavMesh} navMesh @param {ReturnType<Switches['listFlags']>} saved of the polygons under switches @param {ReturnType<typeof placeOf>} place @param {PolygonRef} polygon */
function ownFlags(navMesh, saved, { x, z, layer, index }, polygon) {
  const now = navMesh.polygonFlags(polygon), own = saved.find((each) => each[0] === x && each[1] === z && each[2] === layer && each[3] === index);
  return own ? (now & ~own[5]) | (own[4] & own[5]) : now;
}

/**
 * The flags of all polygons under turned switches. Those that are over the same polygons count as well, also of other Switches of the mesh.
 * @param {NavMesh} navMesh @param {readonly Turn[]} turns @returns {PlacedFlags[]}
 */
export function flagsAfter(navMesh, turns) {
  if (turns.length === 0) return [];
  const all = [...navMesh.switches].filter(({ isFreed }) => !isFreed).flatMap((switches) => {
    const options = switches.list();
    return switches.numbers().map((number, i) => ({
      setFlags: options[i].setFlags ?? 0, clearFlags: options[i].clearFlags ?? 0, polygons: new Set(switches.polygons(number)),
      isOn: turns.find((turn) => turn.switches === switches && turn.number === number)?.isOn ?? options[i].isOn,
    }));
  });
  const saved = turns[0].switches.listFlags();
  const polygons = new Set(turns.flatMap(({ switches, number }) => Array.from(switches.polygons(number))));
  return [...polygons].filter((polygon) => !navMesh.isStale([polygon])).map((polygon) => {
    const place = placeOf(navMesh, polygon);
    const over = all.filter((each) => each.isOn && each.polygons.has(polygon));
    const set = over.reduce((flags, { setFlags }) => flags | setFlags, 0), clear = over.reduce((flags, { clearFlags }) => flags | clearFlags, 0);
    return { ...place, flags: (ownFlags(navMesh, saved, place, polygon) | set) & ~clear };
  });
}
