/**
 * Distance of the ground from its edge, across tiles. A tile's own distance field ends at its border, a few cells beyond the tile: here
 * the tile lies within its neighbours. The way to the nearest point of the edge is passed from cell to cell: Danielsson, "Euclidean
 * distance mapping", 1980.
 */

/** @typedef {import('./record.js').TileRecord} TileRecord */
/** The walkable spans of a tile's own cells. @typedef {{ side: number, depth: number, first: Uint32Array, floor: Uint16Array }} Ground */
/** A tile and its eight neighbours in rows, null beyond the level. @typedef {(Ground | null)[]} Around */

/** The largest distance that is told apart: this many agent radii, within these cells. */
const [RADII, LEAST, MOST] = [10, 16, 64];

/** The largest distance that is told apart, cells. @param {{ cellSize: number, agentRadius: number, tileSize: number }} config */
export function reachOf({ cellSize, agentRadius, tileSize }) {
  const cells = Math.min(MOST, Math.max(LEAST, Math.ceil(RADII * agentRadius / cellSize)));
  return tileSize > 0 ? Math.min(cells, tileSize) : cells;
}

/** @param {TileRecord} record @returns {Ground} */
export function groundOf({ frame: { width, depth, border }, open }) {
  const [side, rows] = [width - 2 * border, depth - 2 * border];
  const first = new Uint32Array(side * rows + 1);
  /** @type {number[]} */
  const floor = [];
  for (let i = 0; i < side * rows; i++) {
    const cell = i % side + border + (Math.floor(i / side) + border) * width;
    for (let span = open.first[cell]; span < open.first[cell + 1]; span++) if (open.marked[span] !== 0) floor.push(open.floor[span]);
    first[i + 1] = floor.length;
  }
  return { side, depth: rows, first, floor: Uint16Array.from(floor) };
}

/** The cells of the middle tile and `margin` cells around it, as one. @param {Around} around @param {number} margin @returns {Ground} */
function joinGround(around, margin) {
  const middle = /** @type {Ground} */ (around[4]);
  const [side, depth] = [middle.side + 2 * margin, middle.depth + 2 * margin];
  const first = new Uint32Array(side * depth + 1);
  /** @type {number[]} */
  const floor = [];
  for (let i = 0; i < side * depth; i++) {
    const [x, z] = [i % side - margin, Math.floor(i / side) - margin];
    const [column, row] = [Math.floor(x / middle.side), Math.floor(z / middle.depth)];
    const tile = around[4 + column + 3 * row];
    if (tile) {
      const cell = x - column * middle.side + (z - row * middle.depth) * tile.side;
      for (let span = tile.first[cell]; span < tile.first[cell + 1]; span++) floor.push(tile.floor[span]);
    }
    first[i + 1] = floor.length;
  }
  return { side, depth, first, floor: Uint16Array.from(floor) };
}

/** The nearest span of a neighbouring cell that is at most a step away, or -1. @param {Ground} ground @param {number} cell @param {number} floor @param {number} step */
function spanBeside({ first, floor: floors }, cell, floor, step) {
  let [found, least] = [-1, step];
  for (let span = first[cell]; span < first[cell + 1]; span++) {
    const difference = Math.abs(floors[span] - floor);
    if (difference <= least) [found, least] = [span, difference];
  }
  return found;
}

/** The spans beside each span: x-, z-, x+, z+; -1: none. @param {Ground} ground @param {number} step cell heights @returns {Int32Array} [spans][4] */
function linksOf(ground, step) {
  const { side, depth, first, floor } = ground;
  const links = new Int32Array(4 * floor.length).fill(-1);
  for (let cell = 0; cell < side * depth; cell++) {
    const [x, z] = [cell % side, Math.floor(cell / side)];
    for (let span = first[cell]; span < first[cell + 1]; span++) {
      if (x > 0) links[4 * span] = spanBeside(ground, cell - 1, floor[span], step);
      if (z > 0) links[4 * span + 1] = spanBeside(ground, cell - side, floor[span], step);
      if (x < side - 1) links[4 * span + 2] = spanBeside(ground, cell + 1, floor[span], step);
      if (z < depth - 1) links[4 * span + 3] = spanBeside(ground, cell + side, floor[span], step);
    }
  }
  return links;
}

/** Farther than any edge. */
const FAR = 1e4;

/** The way of each span to the edge. @typedef {{ links: Int32Array, ways: Int16Array, lengths: Float32Array }} Ways ways: x and z, cells */

/** Sets the spans that lack a neighbour to 0. Beyond the ground's own cells, it may go on. @param {Ground} ground @param {Ways} ways */
function beginAtEdges({ side, depth, first }, { links, lengths }) {
  for (let cell = 0; cell < side * depth; cell++) {
    const [x, z] = [cell % side, Math.floor(cell / side)];
    const inside = [x > 0, z > 0, x < side - 1, z < depth - 1];
    for (let span = first[cell]; span < first[cell + 1]; span++) {
      for (let direction = 0; direction < 4; direction++) if (links[4 * span + direction] < 0 && inside[direction]) lengths[span] = 0;
    }
  }
}

/** Takes the way over a neighbour if it is shorter. @param {Ways} ways @param {number} span @param {number} direction */
function relax({ links, ways, lengths }, span, direction) {
  const other = links[4 * span + direction];
  if (other < 0 || lengths[other] === FAR) return;
  const dx = ways[2 * other] + (direction === 0 ? 1 : direction === 2 ? -1 : 0);
  const dz = ways[2 * other + 1] + (direction === 1 ? 1 : direction === 3 ? -1 : 0);
  const length = Math.hypot(dx, dz);
  if (length >= lengths[span]) return;
  lengths[span] = length;
  ways[2 * span] = dx;
  ways[2 * span + 1] = dz;
}

/** The distance of each span from the nearest one that lacks a neighbour, cells. @param {Ground} ground @param {number} step cell heights */
function distancesOf(ground, step) {
  const { side, depth, first, floor: { length } } = ground;
  const ways = { links: linksOf(ground, step), ways: new Int16Array(2 * length), lengths: new Float32Array(length).fill(FAR) };
  beginAtEdges(ground, ways);
  const sweepRow = (/** @type {number} */ z, /** @type {number} */ across) => {
    const [begin, end] = [first[z * side], first[(z + 1) * side]];
    for (let span = begin; span < end; span++) relax(ways, span, across);
    for (let span = begin; span < end; span++) relax(ways, span, 0);
    for (let span = end - 1; span >= begin; span--) relax(ways, span, 2);
  };
  for (let z = 0; z < depth; z++) sweepRow(z, 1);
  for (let z = depth - 1; z >= 0; z--) sweepRow(z, 3);
  return ways.lengths;
}

/**
 * The distance of each walkable span of the middle tile from the edge of the ground, half cells, up to the reach.
 * @param {Around} around @param {TileRecord} record of the middle tile @returns {Uint16Array} in the order of groundOf
 */
export function clearanceOf(around, { config, frame: { cellHeight } }) {
  const middle = /** @type {Ground} */ (around[4]);
  const reach = reachOf(config);
  const margin = config.tileSize > 0 ? Math.min(reach, middle.side, middle.depth) : 1;
  const joined = joinGround(around, margin);
  const distances = distancesOf(joined, Math.floor(config.agentMaxClimb / cellHeight));
  const result = new Uint16Array(middle.floor.length);
  for (let cell = 0, at = 0; cell < middle.side * middle.depth; cell++) {
    const from = joined.first[cell % middle.side + margin + (Math.floor(cell / middle.side) + margin) * joined.side];
    for (let k = middle.first[cell]; k < middle.first[cell + 1]; k++) result[at++] = Math.min(2 * reach, Math.round(2 * distances[from + k - middle.first[cell]]));
  }
  return result;
}
