/**
 * Configurations that keep a removed point: changes of one field each. The stages of the tile give the values at which something changes,
 * as the bake rounds them to cells; a trial bake of the tile shows which of them makes the point walkable, and what else it changes.
 */
import { atLeast, atMost, smallerCells } from '../bake/round-to-cells.js';
import { blockerNear, ledgeAt, spansAround } from './removal-figures.js';
import { angleOf } from './slopes.js';
import { topOf } from './locate-point.js';
import { tryFields, trianglesIn } from './trial.js';

/** @typedef {import('./record.js').TileRecord} TileRecord */
/** @typedef {import('./locate-point.js').LocatedPoint} LocatedPoint */
/** @typedef {import('./explain.js').Finding} Finding */
/** @typedef {import('./explain.js').Level} Level */
/** @typedef {{ level: Level, record: TileRecord, located: LocatedPoint, point: readonly number[], finding: Finding }} Case a point that is not walkable */

/**
 * @typedef {object} Mend a change of the configuration
 * @property {string} label of its button
 * @property {string} step of undo
 * @property {Partial<import('walkmesh').Config>} fields
 */

/** Steeper surfaces are walls, degrees. */
const WALL = 85;

/** Most values of one field that are tried. */
const MOST_TRIALS = 6;

/** @param {number} value */
const metres = (value) => `${Number(value.toFixed(2))} m`;

/** Sorted values without repetitions. @param {readonly number[]} values */
const sorted = (values) => [...new Set(values)].sort((a, b) => a - b);

/** The lowest max step height at which the ledge filter keeps a span, cells; null: none. @param {TileRecord} record @param {number} cell @param {number} span @param {number} most cells */
function climbFor(record, cell, span, most) {
  const { voxels, frame: { cellHeight } } = record;
  for (let cells = voxels.walkableClimb + 1; cells <= most; cells++) {
    const { drop, isVoid, isEdge, spread } = ledgeAt(record, cell, span, cells);
    if (isVoid || isEdge) return null;
    if (drop <= cells * cellHeight + 1e-6 && spread <= cells * cellHeight + 1e-6) return cells;
  }
  return null;
}

/**
 * Max step heights at which a ledge within the radius is kept, or a rise is climbed. Those above half the agent's height are no steps.
 * @param {Case} spot @returns {Mend[]}
 */
function climbsNear({ level, record, located: { cell, span } }) {
  const { voxels: { walkableClimb, walkableRadius }, config: { agentHeight }, frame: { cellHeight } } = record;
  const most = Math.floor(agentHeight / 2 / cellHeight + 1e-6);
  const floor = record.solid.high[span];
  const own = climbFor(record, cell, span, most);
  const cells = spansAround(record, level.volumes ?? [], cell, floor, walkableRadius + 2).flatMap(({ cell: other, span: top, removal }) => {
    const rise = Math.abs(record.solid.high[top] - floor);
    const climb = removal === 'ledge' ? climbFor(record, other, top, most) : null;
    return [...(climb === null ? [] : [climb]), ...(rise > walkableClimb && rise <= most ? [rise] : [])];
  });
  return sorted([...(own === null ? [] : [own]), ...cells]).map((count) => {
    const agentMaxClimb = atLeast(count, cellHeight);
    return { label: `Allow steps of ${metres(agentMaxClimb)}`, step: `allow steps of ${metres(agentMaxClimb)}`, fields: { agentMaxClimb } };
  });
}

/** Max slopes at which a steep surface at the point, or within the radius, is kept. @param {Case} spot @returns {Mend[]} */
function slopesNear({ level, record, located: { span }, point, finding: { figures } }) {
  const { config: { agentMaxClimb, agentMaxSlope, agentHeight, agentRadius }, frame: { cellSize } } = record;
  const reach = agentRadius + 2 * cellSize;
  const { positions, indices } = trianglesIn(level, [point[0] - reach, point[2] - reach], [point[0] + reach, point[2] + reach]);
  const top = topOf(record, span);
  const angles = [Number(figures?.angle)];
  for (let i = 0; i < indices.length; i += 3) {
    const heights = [0, 1, 2].map((k) => positions[3 * indices[i + k] + 1]);
    if (Math.min(...heights) > top + agentHeight || Math.max(...heights) < top - agentMaxClimb - reach) continue;
    angles.push(angleOf(positions, indices, i));
  }
  return sorted(angles.filter((angle) => angle > agentMaxSlope && angle <= WALL).map((angle) => Math.ceil(angle + 0.01))).map((agentMaxSlope) => (
    { label: `Allow ${agentMaxSlope}°`, step: `allow slopes of ${agentMaxSlope}°`, fields: { agentMaxSlope } }));
}

/** Agent heights that fit below the ceilings at the point and within the radius, the tallest first. @param {Case} spot @returns {Mend[]} */
function heightsNear({ level, record, located: { cell, span }, finding: { figures } }) {
  const { config, frame: { cellHeight }, voxels: { walkableRadius }, solid } = record;
  const rooms = spansAround(record, level.volumes ?? [], cell, solid.high[span], walkableRadius + 2).filter(({ removal }) => removal === 'headroom')
    .map(({ span: low }) => solid.low[low + 1] - solid.high[low]);
  return sorted([Number(figures?.cells), ...rooms].filter((cells) => cells >= 1)).reverse().map((cells) => atMost(cells, cellHeight))
    .filter((agentHeight) => agentHeight > 0 && agentHeight < config.agentHeight && agentHeight >= config.agentMaxClimb)
    .map((agentHeight) => ({ label: `Allow height ${metres(agentHeight)}`, step: `allow an agent height of ${metres(agentHeight)}`, fields: { agentHeight } }));
}

/** The largest agent radii that keep the point's cell. @param {Case} spot @returns {Mend[]} */
function radii({ level, record, located: { cell, open }, point }) {
  const { frame: { cellSize }, voxels: { walkableRadius } } = record;
  const { radiusCells } = blockerNear(record, cell, open, level.volumes ?? [], point);
  const most = Math.min(radiusCells, walkableRadius - 1);
  return [most, most - 1].filter((cells) => cells >= 1).map((cells) => {
    const agentRadius = atMost(cells, cellSize);
    return { label: `Allow radius ${metres(agentRadius)}`, step: `allow an agent radius of ${metres(agentRadius)}`, fields: { agentRadius } };
  });
}

/** Smaller cells, which round the radius up by less. @param {Case} spot @returns {Mend[]} */
const finerCells = ({ record: { voxels, frame: { cellSize: own } } }) => smallerCells(voxels, own).map((cellSize) => (
  { label: `Use cells of ${metres(cellSize)}`, step: `use cells of ${metres(cellSize)}`, fields: { cellSize } }));

/** @param {Case} spot @returns {Mend[]} */
const keepLedges = ({ record }) => (record.config.filterLedges ? [{ label: 'Keep ledges', step: 'keep ledges', fields: { filterLedges: false } }] : []);

/** @param {Case} spot @returns {Mend[]} */
function keepRegion({ finding: { figures } }) {
  const minRegionSize = Math.floor(Math.sqrt(Number(figures?.cells)));
  return [{ label: 'Keep small islands', step: 'keep small islands', fields: { minRegionSize } }];
}

/** The fields that may keep a point, by its reason. @type {Partial<Record<import('./explain.js').Reason, ((spot: Case) => Mend[])[]>>} */
const FIELDS = {
  steep: [slopesNear, climbsNear], headroom: [heightsNear], ledge: [climbsNear, keepLedges], uneven: [climbsNear, keepLedges],
  radius: [climbsNear, slopesNear, heightsNear, radii, finerCells, keepLedges], region: [keepRegion],
};

/**
 * The order of changes: steps mend a ledge itself; switching a filter off changes every ledge of the level.
 * @param {Mend} mend @param {Finding} finding
 */
function rankOf({ fields }, { reason, figures }) {
  if ('filterLedges' in fields) return 2;
  return 'agentMaxClimb' in fields && (reason === 'ledge' || reason === 'uneven' || figures?.blocker === 'ledge') ? 0 : 1;
}

/**
 * The changes that make a point walkable: those of its cause first, then from the one that changes least of its tile; of each field the
 * smallest change. Pauses after every stage of a trial.
 * @param {import('walkmesh').Walkmesh} walkmesh @param {Case} spot @returns {Generator<void, Mend[], void>}
 */
export function* findMends(walkmesh, spot) {
  /** @type {{ mend: Mend, rank: number, changed: number }[]} */
  const found = [];
  for (const valuesOf of FIELDS[spot.finding.reason] ?? []) {
    for (const mend of valuesOf(spot).slice(0, MOST_TRIALS)) {
      const { isWalkable, changed } = yield* tryFields(walkmesh, spot.level, spot.record, spot.point, mend.fields);
      if (!isWalkable) continue;
      found.push({ mend, rank: rankOf(mend, spot.finding), changed });
      break;
    }
  }
  return found.sort((a, b) => a.rank - b.rank || a.changed - b.changed).map(({ mend }) => mend);
}
