/**
 * Points in a tree of boxes, for those nearest to a place or an edge.
 *
 * Source: J. H. Friedman, J. L. Bentley, R. A. Finkel, "An algorithm for finding best matches in logarithmic expected time", 1977.
 */
import { distanceOf, nearestOn } from './reach.js';

/** @typedef {import('./mesh-graph.js').Vector} Vector */

/** Most points of a leaf. */
const LEAF = 8;
/** Numbers of a box: the least corner, the greatest corner. */
const BOX = 6;

/** Thinned: at most one of the points in each cube. @param {Iterable<Vector>} points @param {number} side of a cube, world units @returns {Vector[]} */
function thin(points, side) {
  /** @type {Map<string, Vector>} */
  const kept = new Map();
  for (const point of points) {
    const cube = `${Math.floor(point[0] / side)} ${Math.floor(point[1] / side)} ${Math.floor(point[2] / side)}`;
    if (!kept.has(cube)) kept.set(cube, point);
  }
  return [...kept.values()];
}

export class NearPoints {
  /** By leaves from left to right. @type {Vector[]} */
  #points;
  /** Boxes of nodes; the children of node i are 2 i + 1 and 2 i + 2, and a node of n points gives its left child the first n / 2. @type {Float64Array} */
  #boxes;

  /** @param {Iterable<Vector>} points @param {number} apart side of the cubes of which each keeps one point, world units */
  constructor(points, apart) {
    this.#points = thin(points, apart);
    const depth = Math.ceil(Math.log2(Math.max(this.#points.length / LEAF, 1)));
    this.#boxes = new Float64Array(BOX * (2 ** (depth + 1) - 1));
    this.#build(0, 0, this.#points.length);
  }

  /** @param {number} node @param {number} first @param {number} end points of the node */
  #build(node, first, end) {
    const part = this.#points.slice(first, end), at = BOX * node;
    for (let axis = 0; axis < 3; axis++) {
      let [low, high] = [Infinity, -Infinity];
      for (const point of part) [low, high] = [Math.min(low, point[axis]), Math.max(high, point[axis])];
      this.#boxes[at + axis] = low;
      this.#boxes[at + 3 + axis] = high;
    }
    if (part.length <= LEAF) return;
    const widths = [0, 1, 2].map((axis) => this.#boxes[at + 3 + axis] - this.#boxes[at + axis]), widest = widths.indexOf(Math.max(...widths));
    part.sort((a, b) => a[widest] - b[widest]).forEach((point, i) => { this.#points[first + i] = point; });
    const middle = first + (part.length >> 1);
    this.#build(2 * node + 1, first, middle);
    this.#build(2 * node + 2, middle, end);
  }

  /** How far a point is from the box of a node along an axis. @param {number} node @param {readonly number[]} point @param {number} axis */
  #gap(node, point, axis) {
    const at = BOX * node + axis;
    return Math.max(this.#boxes[at] - point[axis], point[axis] - this.#boxes[at + 3], 0);
  }

  /** @param {number} node @param {readonly number[]} point */
  #distance(node, point) {
    return Math.hypot(this.#gap(node, point, 0), this.#gap(node, point, 1), this.#gap(node, point, 2));
  }

  /**
   * Visits the leaves, nearer ones first, as long as their boxes are near enough.
   * @param {readonly number[]} place @param {(node: number, distance: number) => boolean} isNear of the box of a node @param {(point: Vector) => void} visit
   */
  #visit(place, isNear, visit) {
    const descend = (/** @type {number} */ node, /** @type {number} */ first, /** @type {number} */ end) => {
      if (!isNear(node, this.#distance(node, place))) return;
      if (end - first <= LEAF) {
        for (let i = first; i < end; i++) visit(this.#points[i]);
        return;
      }
      const left = 2 * node + 1, middle = first + ((end - first) >> 1);
      const isLeftFirst = this.#distance(left, place) <= this.#distance(left + 1, place);
      if (isLeftFirst) descend(left, first, middle);
      descend(left + 1, middle, end);
      if (!isLeftFirst) descend(left, first, middle);
    };
    descend(0, 0, this.#points.length);
  }

  /** The shortest line from an edge to one of the points; null: there are no points. @param {[Vector, Vector]} ends @param {Vector} middle of the edge @returns {{ point: Vector, distance: number } | null} point: of the edge */
  nearestTo(ends, middle) {
    let [nearest, least] = [/** @type {Vector | null} */ (null), Infinity];
    const half = distanceOf(ends[0], ends[1]) / 2;
    this.#visit(middle, (_, distance) => distance - half < least, (goal) => {
      const point = nearestOn(ends, goal), distance = distanceOf(point, goal);
      if (distance < least) [nearest, least] = [point, distance];
    });
    return nearest && { point: nearest, distance: least };
  }

  /** The nearest points to one, the nearest first. @param {Vector} point @param {number} longest distance on x and z, world units @param {number} count @returns {{ point: Vector, distance: number }[]} */
  nearest(point, longest, count) {
    /** @type {{ point: Vector, distance: number }[]} */
    const found = [];
    const least = () => (found.length < count ? Infinity : found[count - 1].distance);
    const isNear = (/** @type {number} */ node, /** @type {number} */ distance) => distance < least() && Math.hypot(this.#gap(node, point, 0), this.#gap(node, point, 2)) <= longest;
    this.#visit(point, isNear, (other) => {
      const distance = distanceOf(point, other);
      if (distance >= least() || Math.hypot(point[0] - other[0], point[2] - other[2]) > longest) return;
      let at = found.length;
      while (at > 0 && found[at - 1].distance > distance) at--;
      found.splice(at, 0, { point: other, distance });
      if (found.length > count) found.pop();
    });
    return found;
  }
}
