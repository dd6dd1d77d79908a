/**
 * Checks that no polygon lies on another of its tile at one height. Contours are simplified, so that polygons on both sides of a thin
 * wall may overlap by twice the simplification error.
 */
import { STRIDE, doubleAreaOf, turnOf, perimeterOf, writeMiddle } from './findings.js';

/** @typedef {import('./findings.js').CheckedTile} CheckedTile */
/** @typedef {import('./findings.js').Findings} Findings */

/** Vertices of the intersection of two polygons: each of at most six lines can double six, if an outline crosses itself. */
const MOST_CORNERS = 6 * 2 ** 6;

/** Bounds of polygons on x and z, and the polygons in order of their minimum x. @param {CheckedTile} checked */
function readBoxes({ tile: { groundCount, sizes }, corners }) {
  const boxes = new Float64Array(4 * groundCount);
  for (let p = 0; p < groundCount; p++) {
    let [low, high, near, far] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let k = 0, at = STRIDE * p; k < sizes[p]; k++, at += 3) {
      low = Math.min(low, corners[at]);
      high = Math.max(high, corners[at]);
      near = Math.min(near, corners[at + 2]);
      far = Math.max(far, corners[at + 2]);
    }
    boxes[4 * p] = low;
    boxes[4 * p + 1] = high;
    boxes[4 * p + 2] = near;
    boxes[4 * p + 3] = far;
  }
  const order = Uint32Array.from({ length: groundCount }, (_, p) => p).sort((a, b) => boxes[4 * a] - boxes[4 * b] || a - b);
  return { boxes, order };
}

/** The intersection of two polygons of one tile on x and z. */
class Overlap {
  #corners;
  #sizes;
  /** The outline, at the heights of the first polygon, and space for the next one. */
  #points = new Float64Array(3 * MOST_CORNERS);
  #next = new Float64Array(3 * MOST_CORNERS);
  #count = 0;
  /** The mean of its vertices. */
  middle = new Float64Array(3);

  /** @param {CheckedTile} checked */
  constructor({ tile, corners }) {
    this.#corners = corners;
    this.#sizes = tile.sizes;
  }

  /**
   * True if b lies beyond an edge of a, or on it: then the intersection is empty, regardless of the shape of b.
   * @param {number} a @param {number} b
   */
  #isBeside(a, b) {
    const corners = this.#corners;
    const [firstA, lastA, firstB, endB] = [STRIDE * a, STRIDE * a + 3 * this.#sizes[a] - 3, STRIDE * b, STRIDE * b + 3 * this.#sizes[b]];
    for (let from = lastA, to = firstA; to <= lastA; from = to, to += 3) {
      let at = firstB;
      while (at < endB && turnOf(corners, from, to, corners, at) <= 0) at += 3;
      if (at === endB) return true;
    }
    return false;
  }

  /**
   * Clips to the part left of an edge (seen from above).
   * @param {number} a index of its start in `corners` @param {number} b of its end
   */
  #clip(a, b) {
    const corners = this.#corners, points = this.#points, next = this.#next;
    let count = 0;
    for (let k = 0; k < this.#count; k++) {
      const at = 3 * k, after = k + 1 < this.#count ? at + 3 : 0;
      const here = turnOf(corners, a, b, points, at), there = turnOf(corners, a, b, points, after);
      if (here >= 0) {
        for (let axis = 0; axis < 3; axis++) next[3 * count + axis] = points[at + axis];
        count++;
      }
      if (here >= 0 !== there >= 0) {
        const share = here / (here - there);
        for (let axis = 0; axis < 3; axis++) next[3 * count + axis] = points[at + axis] + share * (points[after + axis] - points[at + axis]);
        count++;
      }
    }
    this.#points = next;
    this.#next = points;
    this.#count = count;
  }

  /** Its width: twice its area divided by half the length of its outline. @param {number} a @param {number} b */
  widthOf(a, b) {
    if (this.#isBeside(b, a)) return 0;
    const first = STRIDE * b, last = first + 3 * this.#sizes[b] - 3;
    this.#count = this.#sizes[a];
    this.#points.set(this.#corners.subarray(STRIDE * a, STRIDE * a + 3 * this.#count));
    for (let at = first; at <= last && this.#count >= 3; at += 3) this.#clip(at, at < last ? at + 3 : first);
    if (this.#count < 3) return 0;
    const perimeter = perimeterOf(this.#points, 0, this.#count);
    writeMiddle(this.#points, 0, this.#count, this.middle);
    return perimeter > 0 ? 2 * doubleAreaOf(this.#points, 0, this.#count) / perimeter : 0;
  }

  /** The height of a polygon at the mean: by the nearest triangle of its fan. @param {number} p */
  heightOf(p) {
    const corners = this.#corners, point = this.middle, a = STRIDE * p;
    let [best, least] = [corners[a + 1], Infinity];
    for (let c = a + 6; c < a + 3 * this.#sizes[p]; c += 3) {
      const b = c - 3;
      const area = turnOf(corners, a, b, corners, c);
      if (area <= 0) continue;
      const [atA, atB, atC] = [turnOf(corners, b, c, point, 0) / area, turnOf(corners, c, a, point, 0) / area, turnOf(corners, a, b, point, 0) / area];
      const outside = -Math.min(atA, atB, atC, 0);
      if (outside < least) [best, least] = [atA * corners[a + 1] + atB * corners[b + 1] + atC * corners[c + 1], outside];
    }
    return best;
  }
}

/**
 * @param {CheckedTile} checked @param {{ width: number, height: number }} slack largest width of an overlap; height difference from
 *   which polygons count as two floors @param {Findings} findings
 */
export function checkOverlaps(checked, slack, findings) {
  const { boxes, order } = readBoxes(checked);
  const overlap = new Overlap(checked);
  for (let i = 0; i < order.length; i++) {
    const a = order[i];
    const [, high, near, far] = boxes.subarray(4 * a, 4 * a + 4);
    for (let j = i + 1; j < order.length && boxes[4 * order[j]] < high - slack.width; j++) {
      const b = order[j];
      if (Math.min(far, boxes[4 * b + 3]) - Math.max(near, boxes[4 * b + 2]) <= slack.width) continue;
      const width = overlap.widthOf(a, b);
      if (width <= slack.width) continue;
      const apart = Math.abs(overlap.heightOf(a) - overlap.heightOf(b));
      if (apart < slack.height) findings.add('overlap', `overlaps polygon ${checked.ref + b}: ${width} units wide, ${apart} apart in height`, checked.ref + a, overlap.middle);
    }
  }
}
