/** Lays the lines of contours onto the ground: a straight line between two corners would sink into hills. */

/** @typedef {import('./record.js').TileRecord} TileRecord */
/** A point in cells and cell heights, without the border. @typedef {[number, number, number]} CellPoint */

/** Differences of heights that lines ignore, cell heights. */
const TOLERANCE = 0.5;

/**
 * The highest floor at a point that continues a line of the given height, or that height.
 * @param {TileRecord} record @param {number} x @param {number} z @param {number} y
 */
function groundAt({ frame: { width, depth, border, cellHeight }, config: { agentHeight }, open: { first, floor } }, x, z, y) {
  let highest = -Infinity;
  // A point on the side or the corner of cells touches up to four of them.
  for (const [dx, dz] of [[-0.01, -0.01], [0.01, -0.01], [-0.01, 0.01], [0.01, 0.01]]) {
    const [column, row] = [Math.floor(x + dx) + border, Math.floor(z + dz) + border];
    if (column < 0 || row < 0 || column >= width || row >= depth) continue;
    for (let span = first[column + row * width]; span < first[column + row * width + 1]; span++) {
      if (Math.abs(floor[span] - y) <= agentHeight / cellHeight) highest = Math.max(highest, floor[span]);
    }
  }
  return highest === -Infinity ? y : highest;
}

/** Leaves out the points that a line between others has, within the tolerance. @param {CellPoint[]} points @returns {CellPoint[]} */
function simplify(points) {
  const kept = [points[0]];
  const visit = (/** @type {number} */ begin, /** @type {number} */ end) => {
    let [worst, at] = [TOLERANCE, -1];
    for (let i = begin + 1; i < end; i++) {
      const line = points[begin][1] + (points[end][1] - points[begin][1]) * (i - begin) / (end - begin);
      if (Math.abs(points[i][1] - line) > worst) [worst, at] = [Math.abs(points[i][1] - line), i];
    }
    if (at > 0) visit(begin, at);
    kept.push(points[at > 0 ? at : end]);
    if (at > 0) visit(at, end);
  };
  visit(0, points.length - 1);
  return kept.filter((point, i) => i === 0 || point !== kept[i - 1]);
}

/**
 * The line between two points, on the ground: a point a cell, without those that are not needed.
 * @param {TileRecord} record @param {CellPoint} a @param {CellPoint} b @returns {CellPoint[]}
 */
export function drapeLine(record, a, b) {
  const steps = Math.max(1, Math.ceil(Math.hypot(b[0] - a[0], b[2] - a[2])));
  /** @type {CellPoint[]} */
  const points = [a];
  for (let i = 1; i < steps; i++) {
    const [x, z] = [a[0] + (b[0] - a[0]) * i / steps, a[2] + (b[2] - a[2]) * i / steps];
    points.push([x, groundAt(record, x, z, points[i - 1][1]), z]);
  }
  return simplify([...points, b]);
}
