/** Points in boxes within boxes, to tell fast whether one of them lies beyond a plane. */

/** Most points of a box that has none within it. */
const LEAF = 8;

export class PointTree {
  /** Number of points. */
  #count;
  /** Coordinates of the points, in the order of the boxes. */
  #sorted;
  /** Of each box: lowest x, y and z, highest ones. The boxes within box k are 2k + 1 and 2k + 2. */
  #bounds;

  /** @param {readonly (readonly number[])[]} points at least one; three numbers each */
  constructor(points) {
    this.#count = points.length;
    const depth = Math.ceil(Math.log2(Math.max(points.length / LEAF, 1)));
    this.#bounds = new Float64Array(6 * (2 ** (depth + 1) - 1));
    const order = Uint32Array.from(points, (_, i) => i);
    this.#split(points, order, 0);
    this.#sorted = new Float64Array(3 * points.length);
    order.forEach((point, i) => this.#sorted.set(points[point], 3 * i));
  }

  /** Makes the box around some of the points, and those within it. @param {readonly (readonly number[])[]} points @param {Uint32Array} order of them, to be sorted @param {number} box */
  #split(points, order, box) {
    const bounds = this.#bounds.subarray(6 * box, 6 * box + 6).fill(Infinity, 0, 3).fill(-Infinity, 3);
    for (const point of order) {
      for (let axis = 0; axis < 3; axis++) {
        const value = points[point][axis];
        bounds[axis] = Math.min(bounds[axis], value);
        bounds[axis + 3] = Math.max(bounds[axis + 3], value);
      }
    }
    if (order.length <= LEAF) return;
    const sides = [0, 1, 2].map((axis) => bounds[axis + 3] - bounds[axis]), widest = sides.indexOf(Math.max(...sides));
    order.sort((a, b) => points[a][widest] - points[b][widest]);
    const middle = order.length >> 1;
    this.#split(points, order.subarray(0, middle), 2 * box + 1);
    this.#split(points, order.subarray(middle), 2 * box + 2);
  }

  /** True if a point lies farther along a direction than a plane: x * nx + y * ny + z * nz > highest. @param {readonly number[]} normal @param {number} highest */
  hasBeyond([x, y, z], highest) {
    return this.#search(x, y, z, highest, 0, 0, this.#count);
  }

  /** @param {number} x of the normal @param {number} y @param {number} z @param {number} highest @param {number} box @param {number} first of its points @param {number} end @returns {boolean} */
  #search(x, y, z, highest, box, first, end) {
    const bounds = this.#bounds, at = 6 * box;
    // The farthest corner. Rounded products and sums are in the order of the exact ones: no point of the box has a larger sum.
    if (!(bounds[x > 0 ? at + 3 : at] * x + bounds[y > 0 ? at + 4 : at + 1] * y + bounds[z > 0 ? at + 5 : at + 2] * z > highest)) return false;
    if (end - first > LEAF) {
      const middle = first + ((end - first) >> 1);
      return this.#search(x, y, z, highest, 2 * box + 1, first, middle) || this.#search(x, y, z, highest, 2 * box + 2, middle, end);
    }
    const sorted = this.#sorted;
    for (let i = 3 * first; i < 3 * end; i += 3) if (sorted[i] * x + sorted[i + 1] * y + sorted[i + 2] * z > highest) return true;
    return false;
  }
}
