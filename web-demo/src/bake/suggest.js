/** Configurations for somebody who walks, and for a level of some size. */

/** @typedef {import('../state/document.js').Document['config']} Config */
/** @typedef {Pick<Config, 'agentRadius' | 'agentHeight' | 'agentMaxClimb' | 'agentMaxSlope'>} Agent */
/** @typedef {{ min: readonly number[], max: readonly number[] }} Bounds */

/** @type {readonly { id: string, label: string, icon: string, agent: Agent }[]} */
export const PRESETS = [
  { id: 'human', label: 'Human', icon: 'person-standing', agent: { agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.45, agentMaxSlope: 45 } },
  { id: 'creature', label: 'Small creature', icon: 'bug', agent: { agentRadius: 0.15, agentHeight: 0.5, agentMaxClimb: 0.25, agentMaxSlope: 55 } },
  { id: 'vehicle', label: 'Vehicle', icon: 'car', agent: { agentRadius: 1.6, agentHeight: 2.4, agentMaxClimb: 0.4, agentMaxSlope: 25 } },
];

/** The preset whose agent this is. @param {Agent} config */
export const findPreset = (config) => PRESETS.find(({ agent }) => Object.entries(agent).every(([name, value]) => config[/** @type {keyof Agent} */ (name)] === value));

/** Cells of a level at most: some seconds of work for two workers. */
const MOST_CELLS = 12e6;
/** Above this many a level is not baked without being asked. */
export const TOO_MANY_CELLS = 40e6;
/** Cells of a level on its height at most. */
const MOST_HEIGHTS = 60_000;
/** From this many agents' heights on, a level is likely to be in another unit. */
const HUGE = 5000;

/** A length that reads well, not above the given one: 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten. @param {number} value */
export function roundDown(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  const digit = [8, 6, 5, 4, 3, 2.5, 2, 1.5].find((candidate) => candidate * power <= value * (1 + 1e-9)) ?? 1;
  return Number((digit * power).toPrecision(2));
}

/** The same, not below. @param {number} value */
function roundUp(value) {
  const down = roundDown(value);
  if (down >= value) return down;
  return roundDown(down * 1.5) > down && roundDown(down * 1.5) >= value ? roundDown(down * 1.5) : roundDown(down * 2.01);
}

/** Sides on x and z. @param {Bounds} bounds */
const sidesOf = ({ min, max }) => [0, 2].map((axis) => Math.max(max[axis] - min[axis], 1e-3));

/** How many cells a level has. @param {Bounds} bounds @param {Pick<Config, 'cellSize'>} config */
export function countCells(bounds, { cellSize }) {
  const [x, z] = sidesOf(bounds);
  return x / cellSize * (z / cellSize);
}

/** Cells on a side of a tile: few tiles in small levels, none too large to be built again quickly. @param {number} cells of the longer side */
function chooseTile(cells) {
  if (cells <= 256) return 32;
  return cells <= 1500 ? 48 : 64;
}

/**
 * Cell size, cell height and tile size for an agent in a level, and a sentence or two about why.
 * @param {Bounds} bounds of the level @param {Agent} agent
 * @returns {{ config: Pick<Config, 'cellSize' | 'cellHeight' | 'tileSize'>, text: string }}
 */
export function suggest(bounds, { agentRadius, agentHeight, agentMaxClimb }) {
  const [x, z] = sidesOf(bounds);
  const wanted = agentRadius > 0 ? roundDown(agentRadius / 2) : roundDown(Math.max(x, z) / 1000);
  const least = Math.sqrt(x * z / MOST_CELLS);
  const cellSize = wanted >= least ? wanted : roundUp(least);
  const tallest = bounds.max[1] - bounds.min[1];
  const fine = Math.min(cellSize / 2, agentMaxClimb > 0 ? agentMaxClimb / 2 : Infinity, agentHeight / 4);
  const cellHeight = Math.max(roundDown(fine), tallest > 0 ? roundUp(tallest / MOST_HEIGHTS) : 0);
  const [columns, rows] = [x, z].map((side) => Math.ceil(side / cellSize));
  const tileSize = chooseTile(Math.max(columns, rows));
  const tiles = Math.ceil(columns / tileSize) * Math.ceil(rows / tileSize);
  const why = cellSize === wanted ? (agentRadius > 0 ? `half the agent's radius, rounded` : 'a thousandth of the level')
    : `half the radius would be ${wanted}, and make ${Math.round(x * z / wanted ** 2 / 1e6).toLocaleString('en')} million cells`;
  const sentences = [
    `Cell size ${cellSize}: ${why}. That makes ${columns.toLocaleString('en')} × ${rows.toLocaleString('en')} cells.`,
    `Cell height ${cellHeight}, so that a step of ${agentMaxClimb} is told from a higher one.`,
    `Tiles of ${tileSize} cells: ${tiles.toLocaleString('en')} for workers to share.`,
  ];
  if (cellSize > agentRadius && agentRadius > 0) sentences.push('Cells are coarser than the agent: narrow passages close. Bake a part of the level for more.');
  if (Math.max(x, z) > HUGE * agentHeight) {
    sentences.push(`The level is ${Math.round(Math.max(x, z)).toLocaleString('en')} units wide: if its unit is the centimetre, make the agent 100 times as large.`);
  }
  return { config: { cellSize, cellHeight, tileSize }, text: sentences.join(' ') };
}
