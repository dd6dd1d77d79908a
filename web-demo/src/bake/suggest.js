/** Suggests configurations for an agent, the size of a level and its stairs. */
import { atLeast } from './round-to-cells.js';

/** @typedef {import('../state/document.js').Document['config']} Config */
/** @typedef {Pick<Config, 'agentRadius' | 'agentHeight' | 'agentMaxClimb' | 'agentMaxSlope'>} Agent */
/** @typedef {{ min: readonly number[], max: readonly number[] }} Bounds */

/** @type {readonly { id: string, label: string, icon: string, agent: Agent }[]} */
export const PRESETS = [
  { id: 'human', label: 'Human', icon: 'person-standing', agent: { agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, agentMaxSlope: 45 } },
  { id: 'creature', label: 'Small creature', icon: 'bug', agent: { agentRadius: 0.15, agentHeight: 0.5, agentMaxClimb: 0.25, agentMaxSlope: 55 } },
  { id: 'vehicle', label: 'Vehicle', icon: 'car', agent: { agentRadius: 1.6, agentHeight: 2.4, agentMaxClimb: 0.4, agentMaxSlope: 25 } },
];

/** Finds the preset of an agent. @param {Agent} config */
export const findPreset = (config) => PRESETS.find(({ agent }) => Object.entries(agent).every(([name, value]) => config[/** @type {keyof Agent} */ (name)] === value));

/** Most cells of a suggestion: a few seconds of work for two workers. */
const MAX_CELLS = 12e6;
/** A level with more cells than this is not baked until the user asks. */
export const TOO_MANY_CELLS = 40e6;
/** Most cells on the vertical axis. */
const MAX_HEIGHTS = 60_000;
/** A level this many agent heights wide is probably in another unit. */
const HUGE = 5000;

/** Rounds down to a readable length: 1, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 times a power of ten. @param {number} value */
export function roundDown(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  const digit = [8, 6, 5, 4, 3, 2.5, 2, 1.5].find((candidate) => candidate * power <= value * (1 + 1e-9)) ?? 1;
  return Number((digit * power).toPrecision(2));
}

/** Rounds up to a readable length. @param {number} value */
export function roundUp(value) {
  const down = roundDown(value);
  if (down >= value) return down;
  return roundDown(down * 1.5) > down && roundDown(down * 1.5) >= value ? roundDown(down * 1.5) : roundDown(down * 2.01);
}

/** Sizes on x and z. @param {Bounds} bounds */
const sidesOf = ({ min, max }) => [0, 2].map((axis) => Math.max(max[axis] - min[axis], 1e-3));

/** Number of cells of a level. @param {Bounds} bounds @param {Pick<Config, 'cellSize'>} config */
export function countCells(bounds, { cellSize }) {
  const [x, z] = sidesOf(bounds);
  return x / cellSize * (z / cellSize);
}

/** Tile size in cells: few tiles in small levels, and tiles small enough to rebuild quickly. @param {number} cells along the longer side */
function chooseTile(cells) {
  if (cells <= 256) return 32;
  return cells <= 1500 ? 48 : 64;
}

/** Risers above this share of the agent's height are no steps for it. */
const HIGHEST_STEP = 1 / 3;

/**
 * The max step height that climbs the level's stairs, and the height of their risers; null: the agent climbs them, or there are none.
 * @param {readonly import('../level/find-risers.js').Riser[]} risers from the lowest to the highest @param {Agent} agent
 * @param {number} cellHeight @returns {{ agentMaxClimb: number, riser: number } | null}
 */
export function suggestClimb(risers, { agentHeight, agentMaxClimb }, cellHeight) {
  const riser = risers.filter(({ height }) => height <= HIGHEST_STEP * agentHeight).at(-1)?.height ?? 0;
  const cells = Math.ceil(riser / cellHeight - 1e-3);
  return cells > Math.floor(agentMaxClimb / cellHeight + 1e-3) ? { agentMaxClimb: atLeast(cells, cellHeight), riser } : null;
}

/**
 * Suggests cell size, cell height and tile size for an agent in a level, and explains the choice in a few sentences.
 * @param {Bounds} bounds of the level @param {Agent} agent
 * @returns {{ config: Pick<Config, 'cellSize' | 'cellHeight' | 'tileSize'>, text: string }}
 */
export function suggest(bounds, { agentRadius, agentHeight, agentMaxClimb }) {
  const [x, z] = sidesOf(bounds);
  const wanted = agentRadius > 0 ? roundDown(agentRadius / 2) : roundDown(Math.max(x, z) / 1000);
  const minCellSize = Math.sqrt(x * z / MAX_CELLS);
  const cellSize = wanted >= minCellSize ? wanted : roundUp(minCellSize);
  const tallest = bounds.max[1] - bounds.min[1];
  const fine = Math.min(cellSize / 2, agentMaxClimb > 0 ? agentMaxClimb / 2 : Infinity, agentHeight / 4);
  const cellHeight = Math.max(roundDown(fine), tallest > 0 ? roundUp(tallest / MAX_HEIGHTS) : 0);
  const [columns, rows] = [x, z].map((side) => Math.ceil(side / cellSize));
  const tileSize = chooseTile(Math.max(columns, rows));
  const tiles = Math.ceil(columns / tileSize) * Math.ceil(rows / tileSize);
  const why = cellSize === wanted ? (agentRadius > 0 ? `half the agent radius, rounded` : 'a thousandth of the level')
    : `half the radius (${wanted}) would need ${Math.round(x * z / wanted ** 2 / 1e6).toLocaleString('en')} million cells`;
  const sentences = [
    `Cell size ${cellSize}: ${why}. The level has ${columns.toLocaleString('en')} × ${rows.toLocaleString('en')} cells.`,
    `Cell height ${cellHeight}: fine enough for a step height of ${agentMaxClimb}.`,
    `Tile size ${tileSize}: ${tiles.toLocaleString('en')} tiles for the workers.`,
  ];
  if (cellSize > agentRadius && agentRadius > 0) sentences.push('Cells are larger than the agent radius: narrow passages close. Bake part of the level for finer cells.');
  if (Math.max(x, z) > HUGE * agentHeight) {
    sentences.push(`The level is ${Math.round(Math.max(x, z)).toLocaleString('en')} units wide. If it is in centimetres, set its unit under Import.`);
  }
  return { config: { cellSize, cellHeight, tileSize }, text: sentences.join(' ') };
}
