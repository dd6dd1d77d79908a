/** The triangles of a level, and whether an upright cylinder touches one: exact but for rounding. A grid only skips far triangles. */

/** @typedef {{ positions: ArrayLike<number>, indices: ArrayLike<number> }} Level */

/** The part of a polygon above (sign 1) or below (sign -1) a height. @param {number[][]} polygon @param {number} height @param {1 | -1} sign */
function clipAtHeight(polygon, height, sign) {
  const kept = [];
  for (let i = 0; i < polygon.length; i++) {
    const a = polygon[i], b = polygon[(i + 1) % polygon.length];
    const [da, db] = [sign * (a[1] - height), sign * (b[1] - height)];
    if (da >= 0) kept.push(a);
    if (da >= 0 !== db >= 0) {
      const t = da / (da - db);
      kept.push([a[0] + t * (b[0] - a[0]), height, a[2] + t * (b[2] - a[2])]);
    }
  }
  return kept;
}

/** The distance on x and z of a point from a segment. */
function distanceToSegment(x, z, a, b) {
  const [dx, dz] = [b[0] - a[0], b[2] - a[2]], squared = dx * dx + dz * dz;
  const t = squared > 0 ? Math.min(1, Math.max(0, ((x - a[0]) * dx + (z - a[2]) * dz) / squared)) : 0;
  return Math.hypot(a[0] + t * dx - x, a[2] + t * dz - z);
}

/** True if a convex polygon, seen from above, covers a point. */
function covers(polygon, x, z) {
  let [isLeft, isRight] = [false, false];
  for (let i = 0; i < polygon.length; i++) {
    const a = polygon[i], b = polygon[(i + 1) % polygon.length];
    const side = (b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0]);
    isLeft ||= side > 0;
    isRight ||= side < 0;
  }
  return isLeft !== isRight;
}

/** The distance on x and z of a point from a convex polygon; 0 inside it, Infinity from none. */
function distanceToPolygon(polygon, x, z) {
  if (polygon.length === 0) return Infinity;
  if (polygon.length > 2 && covers(polygon, x, z)) return 0;
  return Math.min(...polygon.map((corner, i) => distanceToSegment(x, z, corner, polygon[(i + 1) % polygon.length])));
}

/** Lists of items by squares of a grid on x and z. */
export class SquareGrid {
  /** @type {Map<number, number[]>} */
  #squares = new Map();

  /** @param {number} side */
  constructor(side) {
    this.side = side;
  }

  /** Calls back for each square that a rectangle touches. */
  #forSquares(minX, minZ, maxX, maxZ, visit) {
    const line = (value) => Math.floor(value / this.side);
    for (let row = line(minZ); row <= line(maxZ); row++) {
      for (let column = line(minX); column <= line(maxX); column++) visit(row * 2 ** 25 + column);
    }
  }

  /** @param {number} item @param {number} minX @param {number} minZ @param {number} maxX @param {number} maxZ */
  add(item, minX, minZ, maxX, maxZ) {
    this.#forSquares(minX, minZ, maxX, maxZ, (key) => {
      const items = this.#squares.get(key);
      if (items) items.push(item);
      else this.#squares.set(key, [item]);
    });
  }

  /** Items in the squares around a point, some of them more than once. @param {number} x @param {number} z @param {number} reach @returns {Iterable<number>} */
  near(x, z, reach) {
    const line = (value) => Math.floor(value / this.side);
    const key = line(z) * 2 ** 25 + line(x);
    if (line(x - reach) === line(x + reach) && line(z - reach) === line(z + reach)) return this.#squares.get(key) ?? [];
    const found = [];
    this.#forSquares(x - reach, z - reach, x + reach, z + reach, (square) => found.push(...this.#squares.get(square) ?? []));
    return found;
  }
}

export class TriangleGrid {
  /** @type {number[][][]} */
  #triangles;
  #grid;

  /** @param {Level} level @param {number} side of a square of the grid */
  constructor({ positions, indices }, side) {
    const corner = (i) => [0, 1, 2].map((axis) => positions[3 * indices[i] + axis]);
    this.#triangles = Array.from({ length: indices.length / 3 }, (_, t) => [corner(3 * t), corner(3 * t + 1), corner(3 * t + 2)]);
    this.#grid = new SquareGrid(side);
    this.#triangles.forEach((triangle, t) => {
      const range = (axis, pick) => pick(...triangle.map((point) => point[axis]));
      this.#grid.add(t, range(0, Math.min), range(2, Math.min), range(0, Math.max), range(2, Math.max));
    });
  }

  /**
   * The first triangle that reaches into an upright cylinder, and its distance from the axis; undefined if none does.
   * @param {{ x: number, z: number, low: number, high: number }} cylinder @param {number} radius
   */
  findTouching({ x, z, low, high }, radius) {
    for (const t of this.#grid.near(x, z, radius)) {
      const triangle = this.#triangles[t], [a, b, c] = triangle;
      if (Math.min(a[1], b[1], c[1]) >= high || Math.max(a[1], b[1], c[1]) <= low) continue;
      if (Math.min(a[0], b[0], c[0]) >= x + radius || Math.max(a[0], b[0], c[0]) <= x - radius) continue;
      if (Math.min(a[2], b[2], c[2]) >= z + radius || Math.max(a[2], b[2], c[2]) <= z - radius) continue;
      const distance = distanceToPolygon(clipAtHeight(clipAtHeight(triangle, low, 1), high, -1), x, z);
      if (distance < radius) return { triangle: t, distance };
    }
    return undefined;
  }
}
