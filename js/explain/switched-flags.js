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

/** The flags of a polygon without any switch. @param {NavMesh} navMesh @param {Switches} switches @param {ReturnType<typeof placeOf>} place @param {PolygonRef} polygon */
function ownFlags(navMesh, switches, { x, z, layer, index }, polygon) {
  const now = navMesh.polygonFlags(polygon);
  const saved = switches.listFlags().find((each) => each[0] === x && each[1] === z && each[2] === layer && each[3] === index);
  return saved ? (now & ~saved[5]) | (saved[4] & saved[5]) : now;
}

/** @param {NavMesh} navMesh @param {Switches} switches @param {readonly Turn[]} turns of these switches @returns {PlacedFlags[]} */
function turnedFlags(navMesh, switches, turns) {
  const options = switches.list();
  const all = switches.numbers().map((number, i) => ({
    setFlags: options[i].setFlags ?? 0, clearFlags: options[i].clearFlags ?? 0, polygons: new Set(switches.polygons(number)),
    isOn: turns.find((turn) => turn.number === number)?.isOn ?? options[i].isOn,
  }));
  const polygons = new Set(turns.flatMap(({ number }) => Array.from(switches.polygons(number))));
  return [...polygons].filter((polygon) => !navMesh.isStale([polygon])).map((polygon) => {
    const place = placeOf(navMesh, polygon);
    const over = all.filter((each) => each.isOn && each.polygons.has(polygon));
    const set = over.reduce((flags, { setFlags }) => flags | setFlags, 0), clear = over.reduce((flags, { clearFlags }) => flags | clearFlags, 0);
    return { ...place, flags: (ownFlags(navMesh, switches, place, polygon) | set) & ~clear };
  });
}

/** The flags of all polygons under turned switches. @param {NavMesh} navMesh @param {readonly Turn[]} turns @returns {PlacedFlags[]} */
export function flagsAfter(navMesh, turns) {
  return [...new Set(turns.map(({ switches }) => switches))].flatMap((switches) => turnedFlags(navMesh, switches, turns.filter((turn) => turn.switches === switches)));
}
