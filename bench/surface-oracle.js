/** The surface of a level by brute force: vertical rays through its triangles, sorted into squares only to skip far ones. */

/** Squares on a side, at most. */
const SIDE_LIMIT = 512;

/** @typedef {{ positions: Float32Array, indices: Uint32Array }} Triangles */

/** The corners of a triangle and twice its area seen from above, above 0 if it faces up. @param {Triangles} level @param {number} triangle */
function readTriangle({ positions, indices }, triangle) {
  const corners = [0, 1, 2].map((k) => [...positions.subarray(3 * indices[3 * triangle + k], 3 * indices[3 * triangle + k] + 3)]);
  const [a, b, c] = corners;
  return { corners, area: (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]) };
}

/** The lowest and highest coordinates of positions on x and z. @param {Float32Array} positions */
function findBounds(positions) {
  const [low, high] = [[Infinity, Infinity], [-Infinity, -Infinity]];
  for (let i = 0; i < positions.length; i++) {
    if (i % 3 === 1) continue;
    const axis = (i % 3) / 2;
    low[axis] = Math.min(low[axis], positions[i]);
    high[axis] = Math.max(high[axis], positions[i]);
  }
  return { low, high };
}

export class SurfaceOracle {
  /** @param {Triangles} level */
  constructor(level) {
    const { low, high } = findBounds(level.positions);
    const count = level.indices.length / 3;
    this.low = low;
    this.side = Math.min(SIDE_LIMIT, Math.ceil(Math.sqrt(count)));
    this.step = [0, 1].map((axis) => (high[axis] - low[axis]) / this.side || 1);
    /** @type {ReturnType<typeof readTriangle>[][]} */
    this.squares = Array.from({ length: this.side ** 2 }, () => []);
    for (let i = 0; i < count; i++) this.#add(readTriangle(level, i));
  }

  /** The row or column of a coordinate. @param {number} value @param {number} axis */
  #lineOf(value, axis) {
    return Math.max(0, Math.min(this.side - 1, Math.floor((value - this.low[axis]) / this.step[axis])));
  }

  /** @param {ReturnType<typeof readTriangle>} triangle */
  #add(triangle) {
    if (!(triangle.area > 0)) return;
    const range = (axis, pick) => this.#lineOf(pick(...triangle.corners.map((corner) => corner[2 * axis])), axis);
    for (let row = range(1, Math.min); row <= range(1, Math.max); row++) {
      for (let column = range(0, Math.min); column <= range(0, Math.max); column++) this.squares[row * this.side + column].push(triangle);
    }
  }

  /**
   * How far a point is above the nearest triangle that faces up, over or under it; NaN without any.
   * @param {ArrayLike<number>} point
   */
  above({ 0: x, 1: y, 2: z }) {
    let nearest = NaN;
    for (const { corners: [a, b, c], area } of this.squares[this.#lineOf(z, 1) * this.side + this.#lineOf(x, 0)]) {
      const share = (p, q) => ((q[2] - p[2]) * (x - p[0]) - (q[0] - p[0]) * (z - p[2])) / area;
      const [ofA, ofB, ofC] = [share(b, c), share(c, a), share(a, b)];
      if (Math.min(ofA, ofB, ofC) < -1e-9) continue;
      const above = y - (ofA * a[1] + ofB * b[1] + ofC * c[1]);
      if (!(Math.abs(above) >= Math.abs(nearest))) nearest = above;
    }
    return nearest;
  }
}
