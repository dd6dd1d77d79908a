/** Height detail: the triangles of a polygon lie in it, face up, and cover it once. */
import { doubleAreaOf, middleOf, outlineOf, turnOf } from './findings.js';

/** @typedef {import('./findings.js').CheckedTile} CheckedTile */
/** @typedef {import('./findings.js').Findings} Findings */

/** How far a point lies outside a convex outline on x and z. @param {number[][]} outline @param {number[]} point */
function beyond(outline, point) {
  return Math.max(...outline.map((a, k) => {
    const b = outline[(k + 1) % outline.length];
    return -turnOf(a, b, point) / (Math.hypot(b[0] - a[0], b[2] - a[2]) || 1);
  }));
}

/** @param {CheckedTile} checked @param {{ inside: number, cover: number }} slack how far detail may lie outside; how much of the way around may be uncovered, world units @param {Findings} findings */
export function checkDetail({ ref, tile }, slack, findings) {
  for (let p = 0; p < tile.groundCount; p++) {
    const outline = outlineOf(tile, p);
    const middle = middleOf(outline);
    const [firstVertex, firstTriangle, triangles] = tile.details.subarray(3 * p, 3 * p + 3);
    const corner = (/** @type {number} */ index) => {
      if (index < outline.length) return outline[index];
      const at = 3 * (firstVertex + index - outline.length);
      return at + 2 < tile.detailVertices.length ? Array.from(tile.detailVertices.subarray(at, at + 3)) : undefined;
    };
    let sum = 0;
    /** @type {Set<number>} of triangles, in their direction */
    const edges = new Set();
    for (let t = firstTriangle; t < firstTriangle + triangles; t++) {
      const corners = Array.from(tile.detailTriangles.subarray(4 * t, 4 * t + 3), corner);
      if (corners.length < 3 || corners.includes(undefined)) {
        findings.add('detail', `triangle ${t - firstTriangle} names a vertex that is not there`, ref + p, middle);
        continue;
      }
      const known = /** @type {number[][]} */ (corners);
      const names = tile.detailTriangles.subarray(4 * t, 4 * t + 3);
      names.forEach((name, k) => {
        const edge = 256 * name + names[(k + 1) % 3];
        if (edges.has(edge)) findings.add('detail', `triangle ${t - firstTriangle} lies on the side of an edge where another lies`, ref + p, known[k]);
        edges.add(edge);
      });
      for (const point of known) {
        const outside = beyond(outline, point);
        if (!(outside <= slack.inside)) findings.add('detail', `a vertex lies ${outside} units outside its polygon`, ref + p, point);
        if (!(point[1] >= tile.boundsMin[1] - slack.inside && point[1] <= tile.boundsMax[1] + slack.inside)) {
          findings.add('bounds', `a vertex of height detail at ${point[1]} lies above or below its tile`, ref + p, point);
        }
      }
      const area = turnOf(known[0], known[1], known[2]);
      const longest = Math.max(...known.map((a, k) => Math.hypot(a[0] - known[(k + 1) % 3][0], a[2] - known[(k + 1) % 3][2])));
      if (area < -2 * slack.inside * longest) findings.add('detail', `triangle ${t - firstTriangle} faces down`, ref + p, known[0]);
      sum += area;
    }
    const around = outline.reduce((total, [x, , z], k) => {
      const [nextX, , nextZ] = outline[(k + 1) % outline.length];
      return total + Math.hypot(nextX - x, nextZ - z);
    }, 0);
    const missing = doubleAreaOf(outline) / 2 - sum / 2;
    if (!(Math.abs(missing) <= slack.cover * around)) {
      findings.add('detail', missing > 0 ? `${missing} square units have no height detail` : `${-missing} square units have it twice`, ref + p, middle);
    }
  }
}
