/**
 * Configurations that keep a removed point: for each cause, the smallest change of one field. The values are those that pass the
 * bake's rounding to cells, not those of the triangles.
 */
import { ledgeAt } from './removal-figures.js';

/** @typedef {import('./record.js').TileRecord} TileRecord */
/** @typedef {import('./locate-point.js').LocatedPoint} LocatedPoint */
/** @typedef {import('./explain.js').Finding} Finding */

/**
 * @typedef {object} Mend a change of the configuration
 * @property {string} label of its button
 * @property {string} step of undo
 * @property {Partial<import('walkmesh').Config>} fields
 */

/** Steeper surfaces are walls, degrees. */
const WALL = 85;

/** @param {number} value */
const metres = (value) => `${Number(value.toFixed(2))} m`;

/** The quotient as the bake computes it. @param {number} value @param {number} unit */
const quotient = (value, unit) => Math.fround(Math.fround(value) / Math.fround(unit));

/** The largest hundredth whose rounded-up cells are at most a count. @param {number} cells @param {number} unit */
function atMost(cells, unit) {
  const value = Math.round(100 * cells * unit) / 100;
  return Math.ceil(quotient(value, unit)) <= cells ? value : Math.round(100 * value - 1) / 100;
}

/** The smallest hundredth whose rounded-down cells are at least a count. @param {number} cells @param {number} unit */
function atLeast(cells, unit) {
  const value = Math.round(100 * cells * unit) / 100;
  return Math.floor(quotient(value, unit)) >= cells ? value : Math.round(100 * value + 1) / 100;
}

/** @param {Finding} finding @returns {Mend[]} */
function mendSteep({ figures }) {
  const angle = Number(figures?.angle);
  if (!(angle <= WALL)) return [];
  const agentMaxSlope = Math.ceil(angle + 0.01);
  return [{ label: `Allow ${agentMaxSlope}°`, step: `allow slopes of ${agentMaxSlope}°`, fields: { agentMaxSlope } }];
}

/** @param {Finding} finding @param {TileRecord} record @returns {Mend[]} */
function mendHeadroom({ figures }, { config, frame: { cellHeight } }) {
  const agentHeight = atMost(Number(figures?.cells), cellHeight);
  if (!(agentHeight > 0) || agentHeight < config.agentMaxClimb) return [];
  return [{ label: `Allow height ${metres(agentHeight)}`, step: `allow an agent height of ${metres(agentHeight)}`, fields: { agentHeight } }];
}

/** The lowest max step height at which the ledge filter keeps a span; null: none. @param {TileRecord} record @param {LocatedPoint} located */
function climbFor(record, { cell, span }) {
  const { voxels, config: { agentHeight }, frame: { cellHeight } } = record;
  for (let cells = voxels.walkableClimb + 1; cells * cellHeight <= agentHeight; cells++) {
    const { drop, isVoid, isEdge, spread } = ledgeAt(record, cell, span, cells);
    if (isVoid || isEdge) return null;
    const value = atLeast(cells, cellHeight);
    if (drop <= cells * cellHeight + 1e-6 && spread <= cells * cellHeight + 1e-6) return value <= agentHeight ? value : null;
  }
  return null;
}

/** @param {Finding} _ @param {TileRecord} record @param {LocatedPoint} located @returns {Mend[]} */
function mendLedge(_, record, located) {
  const agentMaxClimb = climbFor(record, located);
  return [
    ...(agentMaxClimb === null ? [] : [{ label: `Allow steps of ${metres(agentMaxClimb)}`, step: `allow steps of ${metres(agentMaxClimb)}`, fields: { agentMaxClimb } }]),
    { label: 'Keep ledges', step: 'keep ledges', fields: { filterLedges: false } },
  ];
}

/** @param {Finding} finding @param {TileRecord} record @returns {Mend[]} */
function mendRadius({ figures }, { frame: { cellSize } }) {
  const cells = Number(figures?.radiusCells);
  if (!(cells >= 1)) return [];
  const agentRadius = atMost(cells, cellSize);
  return [{ label: `Allow radius ${metres(agentRadius)}`, step: `allow an agent radius of ${metres(agentRadius)}`, fields: { agentRadius } }];
}

/** @param {Finding} finding @returns {Mend[]} */
function mendRegion({ figures }) {
  const minRegionSize = Math.floor(Math.sqrt(Number(figures?.cells)));
  return [{ label: 'Keep small islands', step: 'keep small islands', fields: { minRegionSize } }];
}

/** @type {Partial<Record<import('./explain.js').Reason, (finding: Finding, record: TileRecord, located: LocatedPoint) => Mend[]>>} */
const MENDS = { steep: mendSteep, headroom: mendHeadroom, ledge: mendLedge, uneven: mendLedge, radius: mendRadius, region: mendRegion };

/** @param {Finding} finding @param {TileRecord} record @param {LocatedPoint} located @returns {Mend[]} */
export const mendsOf = (finding, record, located) => MENDS[finding.reason]?.(finding, record, located) ?? [];
