/**
 * Readable diagnostics of a bake that worked, but perhaps not as meant: a line each, with the fields they are about and
 * their values. What the input alone tells comes first; what the arrays of the tiles tell needs their counts.
 */

/** @typedef {import('./bake-report.js').LargestTile} LargestTile */
/** @typedef {import('./bake.js').Voxels} Voxels */
/** @typedef {Required<Omit<import('./config.js').Config, 'bounds'>>} FullConfig */
/** @typedef {import('./stages.js').StageCounts} StageCounts */

/**
 * What is known of a bake. Without counts: before the first tile.
 * @typedef {object} BakeFacts
 * @property {Readonly<FullConfig>} config
 * @property {Readonly<Voxels>} voxels
 * @property {number} warningBits WM_WARNING_... of src/bake/bake.h
 * @property {Readonly<StageCounts>} [counts] summed over tiles
 * @property {{ x: number, z: number, largest: LargestTile | null }} [tiles]
 * @property {number} [mostRegions] of any tile
 */

/** WM_WARNING_... */
const [MOSTLY_FACES_DOWN, NOTHING_WALKABLE, RADIUS_OVER_LEVEL, CELL_OVER_RADIUS, CLIMB_BELOW_CELL, DEGENERATE_TRIANGLES] =
  [1, 2, 4, 8, 16, 32];

/** What a tile holds at most (WM_POLYGON_LIMIT, WM_REGION_LIMIT, vertices of 16 bits), and a mesh. */
const LIMITS = { vertices: 65533, polygons: 32767, regions: 32767 };
const TILE_LIMIT = 1 << 20;
/** From this share of a limit on it is near. */
const NEAR = 0.8;
/** Less than this share of the surface left by the radius, and corridors are closed rather than narrowed. */
const LITTLE_LEFT = 0.2;
/** How exact positions must be, in cells, for voxels to be where they are meant. */
const PRECISION_IN_CELLS = 0.01;
/** Heights of agents are rounded up to cells: below this many that is a large part of them. */
const LEAST_HEIGHT_IN_CELLS = 3;

const short = (/** @type {number} */ number) => Number(number.toPrecision(3));
const percent = (/** @type {number} */ share) => `${Math.max(1, Math.round(100 * share))} %`;

/**
 * Those that the input and the configuration tell.
 * @param {BakeFacts} facts @returns {(string | false)[]}
 */
function describeInput({ config, voxels, warningBits }) {
  const { agentHeight, agentMaxClimb, agentMaxSlope, agentRadius, cellHeight, cellSize, tileSize } = config;
  const farthest = Math.max(...voxels.boundsMin.map(Math.abs), ...voxels.boundsMax.map(Math.abs));
  const precision = 2 ** (Math.floor(Math.log2(farthest)) - 23); // of float32
  const has = (/** @type {number} */ bit) => (warningBits & bit) !== 0;
  return [
    has(MOSTLY_FACES_DOWN) && 'most triangles face down: more of the level would be walkable with the winding flipped',
    has(NOTHING_WALKABLE) && `every triangle is steeper than agentMaxSlope (${agentMaxSlope} degrees): nothing is walkable`,
    has(RADIUS_OVER_LEVEL) && `agentRadius (${agentRadius}) is wider than the level: nothing remains to walk on`,
    has(CELL_OVER_RADIUS) && `cellSize (${cellSize}) is coarser than agentRadius (${agentRadius}): walls are kept away from by a`
      + ' whole cell',
    has(CLIMB_BELOW_CELL) && `agentMaxClimb (${agentMaxClimb}) is below cellHeight (${cellHeight}): any step or slope across`
      + ' cells blocks',
    has(DEGENERATE_TRIANGLES) && 'some triangles have no area; they were left out of what is walkable',
    agentHeight < LEAST_HEIGHT_IN_CELLS * cellHeight && `agentHeight (${agentHeight}) is below ${LEAST_HEIGHT_IN_CELLS} times`
      + ` cellHeight (${cellHeight}): the headroom asked for is rounded up to ${short(voxels.walkableHeight * cellHeight)}`,
    precision > PRECISION_IN_CELLS * Math.min(cellSize, cellHeight) && `the level reaches ${short(farthest)} from the origin, where`
      + ` float32 is exact to ${short(precision)} only: move it nearer`,
    tileSize > 0 && 2 * voxels.borderSize > tileSize && `tileSize (${tileSize} cells) is less than the borders baked around each`
      + ` tile (${2 * voxels.borderSize}): most of the work is done twice or more; raise it`,
  ];
}

/**
 * Why little or nothing is left: the first stage that took it.
 * @param {FullConfig} config @param {StageCounts} counts @returns {string | false}
 */
function describeLoss({ agentHeight, agentMaxClimb, agentRadius, minRegionSize }, counts) {
  const { solidSpans, openSpans, walkableSpans, polygons } = counts;
  if (solidSpans === 0) return 'no triangle lies within bounds: nothing is walkable';
  if (openSpans === 0) {
    return `nowhere is there room to stand: headroom below agentHeight (${agentHeight}), steps above agentMaxClimb`
      + ` (${agentMaxClimb}), or areas of 0`;
  }
  const corridors = `every corridor narrower than ${short(2 * agentRadius)} is closed`;
  if (walkableSpans === 0) return `agentRadius (${agentRadius}) leaves nothing of the walkable surface: ${corridors}`;
  if (polygons === 0) {
    return `nothing is left of the walkable surface: regions smaller than minRegionSize (${minRegionSize} cells on a side) were`
      + ' dropped, or volumes cover it';
  }
  const share = walkableSpans / openSpans;
  return share < LITTLE_LEFT && `agentRadius (${agentRadius}) leaves ${percent(share)} of the walkable surface: ${corridors}`;
}

/**
 * Limits that are near.
 * @param {NonNullable<BakeFacts['tiles']>} tiles @param {number} regions @returns {(string | false)[]}
 */
function describeLimits({ x, z, largest }, regions) {
  const { vertices = 0, polygons = 0 } = largest ?? {};
  const near = Object.entries({ vertices, polygons, regions }).map(([name, count]) => {
    const limit = LIMITS[/** @type {keyof LIMITS} */ (name)];
    return count > NEAR * limit && `a tile has ${count} ${name} of at most ${limit}: set tileSize, or a smaller one`;
  });
  return [...near, x * z > NEAR * TILE_LIMIT && `there are ${x * z} tiles of at most ${TILE_LIMIT}: raise tileSize`];
}

/** @param {BakeFacts} facts @returns {string[]} */
export function describeWarnings(facts) {
  const { config, counts, tiles, warningBits, mostRegions = 0 } = facts;
  const warnings = describeInput(facts);
  // What the input told already is not told again.
  if (counts && !(warningBits & (NOTHING_WALKABLE | RADIUS_OVER_LEVEL))) warnings.push(describeLoss(config, counts));
  if (tiles) warnings.push(...describeLimits(tiles, mostRegions));
  return warnings.filter((warning) => warning !== false);
}
