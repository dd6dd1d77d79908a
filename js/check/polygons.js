/** Polygons of a tile by themselves: corners, shape, neighbours, bounds, and that none lies on another. */
import { cornerOf, doubleAreaOf, middleOf, outlineOf, turnOf } from './findings.js';

/** @typedef {import('./findings.js').CheckedTile} CheckedTile */
/** @typedef {import('./findings.js').Findings} Findings */

/** Neighbours from here on are other tiles'. */
export const EXTERNAL = 0x8000;

/** How far corner k stands inside the line of its neighbours; 0 and less: convex there. @param {number[][]} outline @param {number} k */
function dentAt(outline, k) {
  const [before, at, after] = [-1, 0, 1].map((step) => outline[(k + step + outline.length) % outline.length]);
  return -turnOf(before, at, after) / (Math.hypot(after[0] - before[0], after[2] - before[2]) || 1);
}

/**
 * Corners, shape, bounds. @param {CheckedTile} checked @param {number} tolerance how far corners may be off, world units
 * @param {number} cell size: a level is as many whole cells as it is wide, rounded, so that the last may reach half a cell beyond it
 * @param {Findings} findings @returns {boolean} whether all corners are in range, so that the rest can be looked at
 */
export function checkShapes({ ref, tile }, tolerance, cell, findings) {
  const vertexCount = tile.vertices.length / 3;
  let isInRange = true;
  for (let p = 0; p < tile.groundCount; p++) {
    const corners = Array.from({ length: tile.sizes[p] }, (_, k) => cornerOf(tile, p, k));
    const outside = corners.find((corner) => corner >= vertexCount);
    if (outside !== undefined || corners.length < 3 || corners.length > 6) {
      isInRange = false;
      findings.add('polygon', outside === undefined ? `has ${corners.length} corners` : `names vertex ${outside} of ${vertexCount}`, ref + p, tile.boundsMin);
      continue;
    }
    const outline = outlineOf(tile, p);
    const middle = middleOf(outline);
    if (new Set(corners).size < corners.length) findings.add('polygon', 'has a vertex twice', ref + p, middle);
    // Outlines one cell wide that are simplified leave polygons whose corners lie on a line: harmless, and Recast's, too.
    const area = doubleAreaOf(outline) / 2;
    const longest = Math.max(...outline.map(([x, , z]) => Math.hypot(x - outline[0][0], z - outline[0][2])));
    if (!(area >= -tolerance * longest)) findings.add('polygon', `turns the wrong way (${area} square units)`, ref + p, middle);
    outline.forEach((corner, k) => {
      const dent = dentAt(outline, k);
      if (dent > tolerance) findings.add('polygon', `is not convex: corner ${k} stands ${dent} units inside`, ref + p, corner);
      for (const axis of [0, 1, 2]) {
        const beyond = Math.max(tile.boundsMin[axis] - corner[axis], corner[axis] - tile.boundsMax[axis]);
        if (!(beyond <= tolerance + (axis === 1 ? 0 : cell / 2))) findings.add('bounds', `corner ${k} lies ${beyond} units outside its tile on ${'xyz'[axis]}`, ref + p, corner);
      }
    });
  }
  return isInRange;
}

/** Neighbours within a tile know each other, by the same two corners. @param {CheckedTile} checked @param {Findings} findings */
export function checkNeighbours({ ref, tile }, findings) {
  const edge = (/** @type {number} */ p, /** @type {number} */ k) => [cornerOf(tile, p, k), cornerOf(tile, p, (k + 1) % tile.sizes[p])];
  for (let p = 0; p < tile.groundCount; p++) {
    for (let k = 0; k < tile.sizes[p]; k++) {
      const neighbour = tile.neighbours[6 * p + k] - 1;
      if (neighbour < 0 || neighbour + 1 >= EXTERNAL) continue;
      const [from, to] = edge(p, k);
      const point = tile.vertices.subarray(3 * from, 3 * from + 3);
      if (neighbour >= tile.groundCount || neighbour === p) {
        findings.add('neighbour', `edge ${k} has polygon ${neighbour} of ${tile.groundCount} for a neighbour`, ref + p, point);
        continue;
      }
      const knows = Array.from({ length: tile.sizes[neighbour] }, (_, other) => other).some((other) => {
        const [start, end] = edge(neighbour, other);
        return tile.neighbours[6 * neighbour + other] === p + 1 && start === to && end === from;
      });
      if (!knows) findings.add('neighbour', `edge ${k}: its neighbour ${neighbour} does not have this edge, or not for this neighbour`, ref + p, point);
    }
  }
}

/** The part of a convex outline left of the line from a to b (seen from above). @param {number[][]} outline @param {number[]} a @param {number[]} b */
function clip(outline, a, b) {
  /** @type {number[][]} */
  const result = [];
  outline.forEach((point, k) => {
    const next = outline[(k + 1) % outline.length];
    const [here, there] = [turnOf(a, b, point), turnOf(a, b, next)];
    if (here >= 0) result.push(point);
    if (here >= 0 !== there >= 0) {
      const share = here / (here - there);
      result.push(point.map((value, axis) => value + share * (next[axis] - value)));
    }
  });
  return result;
}

/** What two convex outlines have in common on x and z, at the heights of the first. @param {number[][]} a @param {number[][]} b */
function intersect(a, b) {
  return b.reduce((/** @type {number[][]} */ rest, point, k) => (rest.length < 3 ? [] : clip(rest, point, b[(k + 1) % b.length])), a);
}

/** The plane through the corners of an outline, as its height at a place: by the triangle of its fan that is nearest. @param {number[][]} outline @param {number[]} point */
function heightAt(outline, point) {
  let [best, least] = [outline[0][1], Infinity];
  for (let k = 2; k < outline.length; k++) {
    const [a, b, c] = [outline[0], outline[k - 1], outline[k]];
    const area = turnOf(a, b, c);
    if (area <= 0) continue;
    const shares = [turnOf(b, c, point), turnOf(c, a, point), turnOf(a, b, point)].map((part) => part / area);
    const outside = -Math.min(...shares, 0);
    if (outside < least) [best, least] = [shares[0] * a[1] + shares[1] * b[1] + shares[2] * c[1], outside];
  }
  return best;
}

/**
 * No polygon lies on another of its tile at one height. Contours are simplified, so that polygons on two sides of a thin wall may
 * overlap by as much as each may stray.
 * @param {CheckedTile} checked @param {{ width: number, height: number }} slack how wide an overlap may be; how far apart polygons
 *   are two floors @param {Findings} findings
 */
export function checkOverlaps({ ref, tile }, slack, findings) {
  const boxes = Array.from({ length: tile.groundCount }, (_, p) => {
    const outline = outlineOf(tile, p);
    const [xs, zs] = [0, 2].map((axis) => outline.map((point) => point[axis]));
    return { p, outline, low: Math.min(...xs), high: Math.max(...xs), near: Math.min(...zs), far: Math.max(...zs) };
  }).sort((a, b) => a.low - b.low);
  for (let i = 0; i < boxes.length; i++) {
    const a = boxes[i];
    for (let j = i + 1; j < boxes.length && boxes[j].low < a.high - slack.width; j++) {
      const b = boxes[j];
      if (Math.min(a.far, b.far) - Math.max(a.near, b.near) <= slack.width) continue;
      const common = intersect(a.outline, b.outline);
      const width = widthOf(common);
      if (width <= slack.width) continue;
      const middle = middleOf(common);
      const apart = Math.abs(heightAt(a.outline, middle) - heightAt(b.outline, middle));
      if (apart < slack.height) findings.add('overlap', `overlaps polygon ${ref + b.p}: ${width} units wide, ${apart} apart in height`, ref + a.p, middle);
    }
  }
}

/** How wide an outline is: twice its area by half its way around. @param {number[][]} outline */
function widthOf(outline) {
  if (outline.length < 3) return 0;
  const around = outline.reduce((sum, [x, , z], k) => {
    const [nextX, , nextZ] = outline[(k + 1) % outline.length];
    return sum + Math.hypot(nextX - x, nextZ - z);
  }, 0);
  return around > 0 ? 2 * doubleAreaOf(outline) / around : 0;
}
