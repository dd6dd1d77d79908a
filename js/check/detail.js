/** Detail mesh: the triangles of a polygon lie inside it, face up, and cover it once. */
import { STRIDE, doubleAreaOf, lengthOf, middleOf, turnOf, perimeterOf } from './findings.js';

/** @typedef {import('./findings.js').CheckedTile} CheckedTile */
/** @typedef {import('./findings.js').Findings} Findings */

/** Vertices that triangles of a polygon can refer to. */
const MOST_POINTS = 256;

/** The detail mesh of one polygon after another. */
export class PolygonDetail {
  /** The vertices that its triangles refer to, x, y, z: those of the polygon, then those of its detail. */
  points = new Float64Array(3 * MOST_POINTS);
  /** The number of these vertices. */
  count = 0;
  /** The distance of each outside the polygon; NaN: not computed yet. */
  #outside = new Float64Array(MOST_POINTS);
  /** Edges of the triangles, in their direction. @type {Set<number>} */
  edges = new Set();
  #size = 0;
  firstTriangle = 0;
  triangleCount = 0;

  /** @param {CheckedTile} checked @param {number} p */
  begin({ tile, corners }, p) {
    const { points } = this, size = tile.sizes[p];
    this.firstTriangle = tile.details[3 * p + 1];
    this.triangleCount = tile.details[3 * p + 2];
    let named = 0;
    for (let at = 4 * this.firstTriangle; at < 4 * (this.firstTriangle + this.triangleCount); at += 4) {
      for (let k = 0; k < 3; k++) named = Math.max(named, tile.detailTriangles[at + k] + 1 || 0);
    }
    const first = 3 * tile.details[3 * p];
    const inTile = Math.max(0, Math.floor((tile.detailVertices.length - first) / 3));
    const count = Math.max(0, Math.min(inTile, named - size));
    for (let at = 0; at < 3 * size; at++) points[at] = corners[STRIDE * p + at];
    for (let at = 0; at < 3 * count; at++) points[3 * size + at] = tile.detailVertices[first + at];
    this.#size = size;
    this.count = size + count;
    this.#outside.fill(NaN, 0, this.count);
    this.edges.clear();
  }

  /** The distance of a vertex outside the polygon on x and z; 0 inside. @param {number} index */
  outside(index) {
    const { points } = this, outside = this.#outside;
    if (Number.isNaN(outside[index])) {
      let most = -Infinity;
      for (let k = 0, a = 3 * this.#size - 3; k < this.#size; k++) {
        const b = 3 * k;
        most = Math.max(most, -turnOf(points, a, b, points, 3 * index) / (lengthOf(points[b] - points[a], points[b + 2] - points[a + 2]) || 1));
        a = b;
      }
      outside[index] = most;
    }
    return outside[index];
  }

  /** The corners of its triangles, which exist, as numbers of points. @param {import('./findings.js').TileArrays} tile @returns {[number, number, number][]} */
  triangles({ detailTriangles }) {
    return Array.from({ length: this.triangleCount }, (_, k) => /** @type {[number, number, number]} */ ([0, 1, 2].map((corner) => (
      detailTriangles[4 * (this.firstTriangle + k) + corner])))).filter((corners) => corners.every((corner) => corner < this.count));
  }

  /** Twice the area of the polygon, and its perimeter. */
  measure() {
    return { doubleArea: doubleAreaOf(this.points, 0, this.#size), perimeter: perimeterOf(this.points, 0, this.#size) };
  }
}

/**
 * Checks one triangle; adds its edges.
 * @param {CheckedTile} checked @param {number} p @param {number} t its number in the tile @param {PolygonDetail} detail
 * @param {number} inside slack @param {Findings} findings @returns {number} twice its area
 */
function checkTriangle(checked, p, t, detail, inside, findings) {
  const { ref, tile: { detailTriangles, boundsMin, boundsMax } } = checked;
  const { points, edges, count } = detail;
  const [a, b, c] = [detailTriangles[4 * t], detailTriangles[4 * t + 1], detailTriangles[4 * t + 2]];
  const name = t - detail.firstTriangle;
  if (!(a < count && b < count && c < count)) {
    findings.add('detail', `triangle ${name} refers to a missing vertex`, ref + p, middleOf(checked, p));
    return 0;
  }
  const pointAt = (/** @type {number} */ index) => points.subarray(3 * index, 3 * index + 3);
  for (let k = 0, at = a, next = b; k < 3; k++) {
    const edge = MOST_POINTS * at + next;
    if (edges.has(edge)) findings.add('detail', `triangle ${name} lies on the same side of an edge as another triangle`, ref + p, pointAt(at));
    edges.add(edge);
    at = next;
    next = k === 0 ? c : a;
  }
  for (let at = 4 * t; at < 4 * t + 3; at++) {
    const index = detailTriangles[at], outside = detail.outside(index), y = points[3 * index + 1];
    if (!(outside <= inside)) findings.add('detail', `a vertex lies ${outside} units outside its polygon`, ref + p, pointAt(index));
    if (!(y >= boundsMin[1] - inside && y <= boundsMax[1] + inside)) {
      findings.add('bounds', `a vertex of the detail mesh at height ${y} lies above or below its tile`, ref + p, pointAt(index));
    }
  }
  const area = turnOf(points, 3 * a, 3 * b, points, 3 * c);
  const between = (/** @type {number} */ from, /** @type {number} */ to) => lengthOf(points[3 * to] - points[3 * from], points[3 * to + 2] - points[3 * from + 2]);
  if (area < 0 && area < -2 * inside * Math.max(between(a, b), between(b, c), between(c, a))) findings.add('detail', `triangle ${name} faces down`, ref + p, pointAt(a));
  return area;
}

/**
 * @param {CheckedTile} checked
 * @param {{ inside: number, cover: number }} slack inside: how far detail may lie outside the polygon; cover: width along the outline that may be uncovered, world units
 * @param {Findings} findings
 */
export function checkDetail(checked, slack, findings) {
  const detail = new PolygonDetail();
  for (let p = 0; p < checked.tile.groundCount; p++) {
    detail.begin(checked, p);
    let sum = 0;
    for (let k = 0; k < detail.triangleCount; k++) sum += checkTriangle(checked, p, detail.firstTriangle + k, detail, slack.inside, findings);
    const { doubleArea, perimeter } = detail.measure();
    const missing = doubleArea / 2 - sum / 2;
    if (Math.abs(missing) <= slack.cover * perimeter) continue;
    findings.add('detail', missing > 0 ? `${missing} square units have no detail mesh` : `${-missing} square units are covered twice`,
      checked.ref + p, middleOf(checked, p));
  }
}
