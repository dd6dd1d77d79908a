/**
 * Warnings of a bake that worked, but whose level or configuration is probably wrong: one line each, with the fields and their
 * values. The input's warnings come first; others need the counts of the tiles.
 */

import { describeFacing, isFacingSure } from '../input/facing.js';

/** @typedef {import('./bake-report.js').LargestTile} LargestTile */
/** @typedef {import('./bake-steps.js').Voxels} Voxels */
/** @typedef {import('../input/config.js').FullConfig} FullConfig */
/** @typedef {import('./stages.js').StageCounts} StageCounts */

/**
 * The state of a bake. Before the first tile it has no counts.
 * @typedef {object} BakeFacts
 * @property {FullConfig} config
 * @property {Readonly<Voxels>} voxels
 * @property {number} warningBits WM_WARNING_... of src/bake/bake.h, and the result of findFacing from bit FACING_SHIFT on
 * @property {number} zeroAreaTriangles their number
 * @property {Readonly<StageCounts>} [counts] summed over tiles
 * @property {{ x: number, z: number, largest: LargestTile | null }} [tiles]
 * @property {number} [maxRegions] of any tile
 */

/** WM_WARNING_..., but for the one of triangles with zero area, whose number is known. */
const [MOSTLY_FACES_DOWN, NOTHING_WALKABLE, RADIUS_OVER_LEVEL, CELL_OVER_RADIUS, CLIMB_BELOW_CELL] = [1, 2, 4, 8, 16];
export const FACING_SHIFT = 16;

/** Limits of a tile (WM_POLYGON_LIMIT, WM_REGION_LIMIT, vertices of 16 bits) and of a mesh. */
const LIMITS = { vertices: 65533, polygons: 32767, regions: 32767 };
const TILE_LIMIT = 1 << 20;
/** From this fraction of a limit on, a warning. */
const NEAR = 0.8;
/** If erosion by the agent radius leaves less than this fraction of the surface, a warning. */
const LITTLE_LEFT = 0.2;
/** The largest rounding error of positions, cells. */
const PRECISION_IN_CELLS = 0.01;
/** Agent heights are rounded up to cells; below this number of cells, a warning. */
const MIN_HEIGHT_IN_CELLS = 3;

/** A length within this fraction of a whole number of cells is meant to be that number. */
const NEARLY_WHOLE = 1e-5;

const short = (/** @type {number} */ number) => Number(number.toPrecision(3));
const percent = (/** @type {number} */ fraction) => `${Math.max(1, Math.round(100 * fraction))} %`;

/**
 * Warnings about lengths that were meant as a number of cells, and are one cell more or less: float32 has no 0.3, and 0.9 / 0.3 is below 3.
 * @param {FullConfig} config @param {Readonly<Voxels>} voxels @returns {(string | false)[]}
 */
function describeLostCells(config, { walkableHeight, walkableRadius, walkableClimb, maxEdgeCells }) {
  const told = (/** @type {'agentHeight' | 'agentRadius' | 'agentMaxClimb' | 'maxEdgeLength'} */ name, /** @type {'cellSize' | 'cellHeight'} */ unit, /** @type {number} */ cells) => {
    const quotient = config[name] / config[unit], whole = Math.round(quotient);
    const isMissed = Math.abs(cells - whole) === 1 && Math.abs(quotient - whole) <= NEARLY_WHOLE * whole;
    const better = whole * config[unit] * (cells < whole ? 1 + NEARLY_WHOLE : 1 - NEARLY_WHOLE);
    return isMissed && `${name} (${config[name]}) is ${cells} cells of ${unit} (${config[unit]}), not ${whole} (float32). Write ${Number(better.toPrecision(6))}`;
  };
  return [
    told('agentMaxClimb', 'cellHeight', walkableClimb), told('agentRadius', 'cellSize', walkableRadius),
    told('agentHeight', 'cellHeight', walkableHeight), told('maxEdgeLength', 'cellSize', maxEdgeCells),
  ];
}

/**
 * Warnings about the level and the configuration.
 * @param {BakeFacts} facts @returns {(string | false)[]}
 */
function describeInput({ config, voxels, warningBits, zeroAreaTriangles }) {
  const { agentHeight, agentMaxClimb, agentMaxSlope, agentRadius, cellHeight, cellSize, tileSize } = config;
  const farthest = Math.max(...voxels.boundsMin.map(Math.abs), ...voxels.boundsMax.map(Math.abs));
  const precision = 2 ** (Math.floor(Math.log2(farthest)) - 23); // of float32
  const has = (/** @type {number} */ bit) => (warningBits & bit) !== 0;
  const facing = warningBits >>> FACING_SHIFT;
  return [
    isFacingSure(facing) && describeFacing(facing),
    has(MOSTLY_FACES_DOWN) && !isFacingSure(facing) && 'most triangles face down: flip their winding if more of the level should be walkable',
    has(NOTHING_WALKABLE) && `nothing is walkable: every triangle is steeper than agentMaxSlope (${agentMaxSlope} degrees)`,
    has(RADIUS_OVER_LEVEL) && `nothing is walkable: the level is narrower than twice agentRadius (${agentRadius})`,
    has(CELL_OVER_RADIUS) && `cellSize (${cellSize}) exceeds agentRadius (${agentRadius}): the clearance to walls rounds up to one cell`,
    has(CLIMB_BELOW_CELL) && `agentMaxClimb (${agentMaxClimb}) is below cellHeight (${cellHeight}): agents can't climb any step or`
      + ' slope. Lower cellHeight',
    zeroAreaTriangles > 0 && `ignored ${zeroAreaTriangles} ${zeroAreaTriangles === 1 ? 'triangle' : 'triangles'} with zero area: this is harmless`,
    agentHeight < MIN_HEIGHT_IN_CELLS * cellHeight && `agentHeight (${agentHeight}) is below ${MIN_HEIGHT_IN_CELLS} times`
      + ` cellHeight (${cellHeight}): the needed headroom rounds up to ${short(voxels.walkableHeight * cellHeight)}`,
    precision > PRECISION_IN_CELLS * Math.min(cellSize, cellHeight) && `the level reaches ${short(farthest)} from the origin, where`
      + ` positions are rounded to ${short(precision)}. Move it nearer`,
    tileSize > 0 && 2 * voxels.borderSize > tileSize && `tileSize (${tileSize} cells) is less than the borders on both sides`
      + ` of a tile (${2 * voxels.borderSize}): most cells are baked twice or more. Raise tileSize`,
    ...describeLostCells(config, voxels),
  ];
}

/**
 * If little or nothing is walkable, names the first stage that removed it.
 * @param {FullConfig} config @param {StageCounts} counts @returns {string | false}
 */
function describeLoss({ agentHeight, agentMaxClimb, agentRadius, minRegionSize }, counts) {
  const { solidSpans, openSpans, walkableSpans, polygons } = counts;
  if (solidSpans === 0) return 'nothing is walkable: no triangle or solid lies within bounds';
  if (openSpans === 0) {
    return `nothing is walkable: headroom is below agentHeight (${agentHeight}), steps are above agentMaxClimb`
      + ` (${agentMaxClimb}), or all areas are 0`;
  }
  const passages = `passages narrower than ${short(2 * agentRadius)} are closed`;
  if (walkableSpans === 0) return `nothing is walkable: agentRadius (${agentRadius}) removes the whole surface; ${passages}`;
  if (polygons === 0) {
    return `nothing is walkable: regions smaller than minRegionSize (${minRegionSize} cells on a side) were`
      + ' removed, or volumes cover the surface';
  }
  const fraction = walkableSpans / openSpans;
  return fraction < LITTLE_LEFT && `agentRadius (${agentRadius}) leaves ${percent(fraction)} of the walkable surface: ${passages}`;
}

/**
 * Warnings about limits that are nearly reached.
 * @param {NonNullable<BakeFacts['tiles']>} tiles @param {number} regions @returns {(string | false)[]}
 */
function describeLimits({ x, z, largest }, regions) {
  const { vertices = 0, polygons = 0 } = largest ?? {};
  const near = Object.entries({ vertices, polygons, regions }).map(([name, count]) => {
    const limit = LIMITS[/** @type {keyof LIMITS} */ (name)];
    return count > NEAR * limit && `a tile has ${count} of at most ${limit} ${name}: set tileSize, or lower it`;
  });
  return [...near, x * z > NEAR * TILE_LIMIT && `the mesh has ${x * z} of at most ${TILE_LIMIT} tiles: raise tileSize`];
}

/** @param {BakeFacts} facts @returns {string[]} */
export function describeWarnings(facts) {
  const { config, counts, tiles, warningBits, maxRegions = 0 } = facts;
  const warnings = describeInput(facts);
  // These two already explain why nothing is walkable.
  if (counts && !(warningBits & (NOTHING_WALKABLE | RADIUS_OVER_LEVEL))) warnings.push(describeLoss(config, counts));
  const facing = warningBits >>> FACING_SHIFT;
  if (counts?.polygons === 0 && facing !== 0 && !isFacingSure(facing)) warnings.push(describeFacing(facing));
  if (tiles) warnings.push(...describeLimits(tiles, maxRegions));
  return warnings.filter((warning) => warning !== false);
}
