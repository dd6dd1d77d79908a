/** Finds the stage that removed each piece of surface by comparing the results before and after the stages. */
import { BORDER_REGION } from './record.js';
import { volumeAt } from './volumes.js';

/** @typedef {import('./record.js').TileRecord} TileRecord */
/** @typedef {import('./volumes.js').NamedVolume} NamedVolume */

/**
 * The outcome for the top of a solid span.
 * - `kept` walkable after all stages
 * - `steep` its triangles exceed the max slope, or have area 0; `facesDown` they face down: ceilings and undersides
 * - `lowHanging` it was steep, but agents can climb it: made walkable. Later stages may still remove it, see `removalsOf`
 * - `ledge`, `headroom` removed by these filters; `volume` by an area volume or obstacle of area 0; `radius` by erosion; `region` below the min island size
 * @typedef {'kept' | 'steep' | 'ledge' | 'headroom' | 'volume' | 'radius' | 'region' | 'facesDown'} Removal
 */

/** @type {readonly Removal[]} */
export const REMOVALS = Object.freeze(['kept', 'steep', 'ledge', 'headroom', 'volume', 'radius', 'region', 'facesDown']);
export const CODES_OF = Object.fromEntries(REMOVALS.map((name, code) => [name, code]));

/** @type {WeakMap<TileRecord, Uint8Array>} */
const known = new WeakMap();

/** The centre of a cell, world units. @param {TileRecord} record @param {number} cell */
export function middleOf({ frame: { origin, cellSize, width, border } }, cell) {
  return {
    x: origin[0] + (cell % width - border + 0.5) * cellSize, z: origin[2] + (Math.floor(cell / width) - border + 0.5) * cellSize,
  };
}

/**
 * True if a volume before erosion removed the open span `open`.
 * @param {TileRecord} record @param {number} cell @param {number} open @param {readonly NamedVolume[]} volumes
 */
function isInVolume(record, cell, open, volumes) {
  if (volumes.length === 0) return false;
  const { frame: { origin, cellHeight }, config: { agentHeight } } = record;
  const floor = origin[1] + record.open.floor[open] * cellHeight;
  return volumeAt(volumes, { ...middleOf(record, cell), floor, agentHeight, slack: cellHeight }) !== null;
}

/**
 * @param {TileRecord} record @param {number} cell @param {number} open @param {readonly NamedVolume[]} volumes
 * @returns {number}
 */
function codeOfOpen(record, cell, open, volumes) {
  const { eroded, marked, regions } = record.open;
  if (eroded[open] === 0) return isInVolume(record, cell, open, volumes) ? CODES_OF.volume : CODES_OF.radius;
  if (marked[open] === 0) return CODES_OF.volume;
  return regions[open] === 0 && record.failure === null ? CODES_OF.region : CODES_OF.kept;
}

/**
 * The removal of the top of each solid span, as indices into REMOVALS.
 * @param {TileRecord} record @param {readonly NamedVolume[]} volumes before erosion
 * @returns {Uint8Array} [solid spans]
 */
export function removalsOf(record, volumes) {
  const before = known.get(record);
  if (before) return before;
  const { solid, open, frame } = record;
  const codes = new Uint8Array(solid.low.length);
  for (let span = 0; span < codes.length; span++) {
    if (solid.lowHanging[span] === 0) codes[span] = solid.facesDown?.[span] ? CODES_OF.facesDown : CODES_OF.steep;
    else if (solid.ledges[span] === 0) codes[span] = CODES_OF.ledge;
    else if (solid.lowHeight[span] === 0) codes[span] = CODES_OF.headroom;
  }
  const blocking = volumes.filter((volume) => volume.area === 0 && volume.beforeErosion);
  for (let cell = 0; cell < frame.width * frame.depth; cell++) {
    for (let i = open.first[cell]; i < open.first[cell + 1]; i++) codes[open.solid[i]] = codeOfOpen(record, cell, i, blocking);
  }
  known.set(record, codes);
  return codes;
}

/** True if a region belongs to the tile itself. @param {number} region */
export const isOwnRegion = (region) => region !== 0 && region < BORDER_REGION;
