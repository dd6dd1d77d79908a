/** Single polygons of a tile: vertices, shape, neighbours, bounds. */
import { STRIDE, cornerOf, doubleAreaOf, lengthOf, middleOf, pointOf, turnOf, writeMiddle } from './findings.js';

/** @typedef {import('./findings.js').CheckedTile} CheckedTile */
/** @typedef {import('./findings.js').Findings} Findings */

/** Neighbour codes from this one on are portal edges to other tiles. */
export const EXTERNAL = 0x8000;

/**
 * The distance of vertex k inside the line of its neighbours; 0 and less: convex there.
 * @param {Float64Array} corners @param {number} first @param {number} size @param {number} k
 */
function dentAt(corners, first, size, k) {
  const [before, at, after] = [first + 3 * ((k + size - 1) % size), first + 3 * k, first + 3 * ((k + 1) % size)];
  return -turnOf(corners, before, at, corners, after) / (lengthOf(corners[after] - corners[before], corners[after + 2] - corners[before + 2]) || 1);
}

/**
 * Reads the vertices of polygons, and checks shape and bounds. @param {CheckedTile} checked @param {number} tolerance error of the
 * vertices, world units @param {number} cell size: a level has a whole number of cells, rounded, so that the last may extend half a cell
 * beyond it @param {Findings} findings @returns {boolean} true if all vertices are in range, so that later checks can use them
 */
export function checkShapes(checked, tolerance, cell, findings) {
  let isInRange = true;
  for (let p = 0; p < checked.tile.groundCount; p++) {
    if (!readCorners(checked, p, findings)) {
      isInRange = false;
      continue;
    }
    checkOutline(checked, p, tolerance, findings);
    checkBounds(checked, p, tolerance, cell, findings);
  }
  return isInRange;
}

/** @param {CheckedTile} checked @param {number} p @param {Findings} findings @returns {boolean} true if they are in range */
function readCorners({ ref, tile, corners, middles }, p, findings) {
  const size = tile.sizes[p], vertexCount = tile.vertices.length / 3;
  if (size < 3 || size > 6) {
    findings.add('polygon', `has ${size} vertices`, ref + p, tile.boundsMin);
    return false;
  }
  for (let k = 0; k < size; k++) {
    const corner = cornerOf(tile, p, k);
    if (corner < vertexCount) continue;
    findings.add('polygon', `refers to vertex ${corner} of ${vertexCount}`, ref + p, tile.boundsMin);
    return false;
  }
  for (let k = 0; k < size; k++) {
    const from = 3 * cornerOf(tile, p, k), to = STRIDE * p + 3 * k;
    for (let axis = 0; axis < 3; axis++) corners[to + axis] = tile.vertices[from + axis];
  }
  writeMiddle(corners, STRIDE * p, size, middles, 3 * p);
  return true;
}

/** @param {CheckedTile} checked @param {number} p */
function hasCornerTwice({ tile }, p) {
  for (let k = 1; k < tile.sizes[p]; k++) {
    for (let before = 0; before < k; before++) {
      if (cornerOf(tile, p, before) === cornerOf(tile, p, k)) return true;
    }
  }
  return false;
}

/**
 * Checks that each vertex occurs once, and the outline is convex and counter-clockwise.
 * @param {CheckedTile} checked @param {number} p @param {number} tolerance @param {Findings} findings
 */
function checkOutline(checked, p, tolerance, findings) {
  const { ref, tile, corners } = checked;
  const size = tile.sizes[p], first = STRIDE * p;
  if (hasCornerTwice(checked, p)) findings.add('polygon', 'has a vertex twice', ref + p, middleOf(checked, p));
  // Simplified outlines one cell wide can give polygons with collinear vertices: harmless, and Recast has them, too.
  const area = doubleAreaOf(corners, first, size) / 2;
  let longest = 0;
  for (let at = first + 3; at < first + 3 * size; at += 3) {
    longest = Math.max(longest, lengthOf(corners[at] - corners[first], corners[at + 2] - corners[first + 2]));
  }
  if (!(area >= -tolerance * longest)) findings.add('polygon', `is clockwise (${area} square units)`, ref + p, middleOf(checked, p));
  for (let k = 0; k < size; k++) {
    const dent = dentAt(corners, first, size, k);
    if (dent > tolerance) findings.add('polygon', `is not convex: vertex ${k} lies ${dent} units inside`, ref + p, pointOf(checked, p, k));
  }
}

/** @param {CheckedTile} checked @param {number} p @param {number} tolerance @param {number} cell @param {Findings} findings */
function checkBounds(checked, p, tolerance, cell, findings) {
  const { tile: { boundsMin, boundsMax, sizes }, corners } = checked;
  for (let k = 0; k < sizes[p]; k++) {
    for (let axis = 0; axis < 3; axis++) {
      const value = corners[STRIDE * p + 3 * k + axis];
      const beyond = Math.max(boundsMin[axis] - value, value - boundsMax[axis]);
      if (beyond <= tolerance + (axis === 1 ? 0 : cell / 2)) continue;
      findings.add('bounds', `vertex ${k} lies ${beyond} units outside its tile on ${'xyz'[axis]}`, checked.ref + p, pointOf(checked, p, k));
    }
  }
}

/**
 * Checks that neighbours within a tile name each other, for the same two vertices.
 * @param {CheckedTile} checked @param {Findings} findings
 */
export function checkNeighbours(checked, findings) {
  const { ref, tile } = checked;
  for (let p = 0; p < tile.groundCount; p++) {
    for (let k = 0; k < tile.sizes[p]; k++) {
      const neighbour = tile.neighbours[6 * p + k] - 1;
      if (neighbour < 0 || neighbour + 1 >= EXTERNAL) continue;
      if (neighbour >= tile.groundCount || neighbour === p) {
        findings.add('neighbour', `edge ${k} refers to polygon ${neighbour} of ${tile.groundCount}`, ref + p, pointOf(checked, p, k));
      } else if (!knows(tile, neighbour, p, k)) {
        findings.add('neighbour', `edge ${k}: neighbour ${neighbour} doesn't have this edge, or names another neighbour for it`, ref + p, pointOf(checked, p, k));
      }
    }
  }
}

/**
 * True if a neighbour has edge k of p, in the opposite direction.
 * @param {CheckedTile['tile']} tile @param {number} neighbour @param {number} p @param {number} k
 */
function knows(tile, neighbour, p, k) {
  const from = cornerOf(tile, p, k), to = cornerOf(tile, p, (k + 1) % tile.sizes[p]);
  const size = tile.sizes[neighbour];
  for (let other = 0; other < size; other++) {
    if (tile.neighbours[6 * neighbour + other] === p + 1 && cornerOf(tile, neighbour, other) === to
      && cornerOf(tile, neighbour, (other + 1) % size) === from) return true;
  }
  return false;
}
