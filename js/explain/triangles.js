/** The triangles of a level: rays, heights, slopes, and the part near a rectangle. */

/** @typedef {{ positions: ArrayLike<number>, indices: ArrayLike<number> }} Triangles */
/** @typedef {readonly number[]} Point */

/** Smallest area of a triangle seen from above, square world units: smaller ones count as vertical. */
const FLAT = 1e-9;
/** Side of a square of the index, world units. */
const SQUARE = 4;
/** Surfaces less than this above the ground are the ground itself, world units. */
const SAME = 0.01;

/** Triangles by squares on x and z. */
export class TriangleIndex {
  #level;
  /** @type {Map<string, number[]>} */
  #squares = new Map();

  /** @param {Triangles} level */
  constructor(level) {
    this.#level = level;
    const { positions, indices } = level;
    for (let i = 0; i < indices.length; i += 3) {
      const [x, z] = [0, 2].map((axis) => [0, 1, 2].map((k) => positions[3 * indices[i + k] + axis]));
      const [x0, x1, z0, z1] = [Math.min(...x), Math.max(...x), Math.min(...z), Math.max(...z)].map((value) => Math.floor(value / SQUARE));
      for (let column = x0; column <= x1; column++) for (let row = z0; row <= z1; row++) this.#add(`${column} ${row}`, i);
    }
  }

  /** @param {string} key @param {number} triangle */
  #add(key, triangle) {
    const list = this.#squares.get(key);
    if (list) list.push(triangle);
    else this.#squares.set(key, [triangle]);
  }

  /** @param {number} first index of its first corner @returns {[Point, Point, Point]} */
  corners(first) {
    const { positions, indices } = this.#level;
    const corner = (/** @type {number} */ k) => { const at = 3 * indices[first + k]; return [positions[at], positions[at + 1], positions[at + 2]]; };
    return [corner(0), corner(1), corner(2)];
  }

  /** Triangles of the squares that a rectangle touches. @param {number} x0 @param {number} z0 @param {number} x1 @param {number} z1 @returns {Set<number>} */
  near(x0, z0, x1, z1) {
    /** @type {Set<number>} */
    const found = new Set();
    for (let column = Math.floor(x0 / SQUARE); column <= Math.floor(x1 / SQUARE); column++) {
      for (let row = Math.floor(z0 / SQUARE); row <= Math.floor(z1 / SQUARE); row++) for (const i of this.#squares.get(`${column} ${row}`) ?? []) found.add(i);
    }
    return found;
  }

  /** The heights of all surfaces on a vertical line, ascending. @param {number} x @param {number} z @returns {number[]} */
  heights(x, z) {
    return this.#surfaces(x, z).map(({ height }) => height).sort((a, b) => a - b);
  }

  /** @param {number} x @param {number} z */
  #surfaces(x, z) {
    /** @type {{ height: number, slope: number }[]} */
    const found = [];
    for (const i of this.#squares.get(`${Math.floor(x / SQUARE)} ${Math.floor(z / SQUARE)}`) ?? []) {
      const corners = this.corners(i), height = heightOn(corners, x, z);
      if (height !== null) found.push({ height, slope: slopeOf(corners) });
    }
    return found;
  }

  /** The surface that faces up nearest to a height; null: none within the slack. @param {number} x @param {number} y @param {number} z @param {number} slack */
  #floor(x, y, z, slack) {
    let best = null;
    for (const surface of this.#surfaces(x, z)) {
      const distance = Math.abs(surface.height - y);
      if (surface.slope < 90 && distance <= slack && (best === null || distance < Math.abs(best.height - y))) best = surface;
    }
    return best;
  }

  /** The height of the ground nearest to y; null: none within the slack. @param {number} x @param {number} y @param {number} z @param {number} slack */
  ground(x, y, z, slack) {
    return this.#floor(x, y, z, slack)?.height ?? null;
  }

  /** The room above a ground; Infinity: nothing is above. @param {number} x @param {number} z @param {number} ground */
  headroom(x, z, ground) {
    return (this.heights(x, z).find((height) => height > ground + SAME) ?? Infinity) - ground;
  }

  /** The distance along a horizontal ray to the first triangle; Infinity: none within reach. @param {Point} from @param {number} dx @param {number} dz of length 1 @param {number} reach */
  cast([x, y, z], dx, dz, reach) {
    let best = Infinity;
    for (const i of this.near(Math.min(x, x + reach * dx), Math.min(z, z + reach * dz), Math.max(x, x + reach * dx), Math.max(z, z + reach * dz))) {
      best = Math.min(best, rayToTriangle([x, y, z], [dx, 0, dz], this.corners(i)));
    }
    return best <= reach ? best : Infinity;
  }

  /** Casts horizontal rays from near a point: distances to the first triangle; Infinity: none within reach. @param {number} x @param {number} z @param {number} reach @returns {(from: Point, dx: number, dz: number) => number} */
  caster(x, z, reach) {
    const near = [...this.near(x - reach, z - reach, x + reach, z + reach)].map((i) => this.corners(i));
    return (from, dx, dz) => {
      const distance = near.reduce((best, corners) => Math.min(best, rayToTriangle(from, [dx, 0, dz], corners)), Infinity);
      return distance <= reach ? distance : Infinity;
    };
  }

  /** The slope of the ground nearest to y, degrees; null: none within the slack. @param {number} x @param {number} y @param {number} z @param {number} slack */
  slope(x, y, z, slack) {
    return this.#floor(x, y, z, slack)?.slope ?? null;
  }
}

/** The height of a triangle on a vertical line; null: beside it, or vertical. @param {readonly Point[]} corners @param {number} x @param {number} z */
function heightOn([a, b, c], x, z) {
  const area = (b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2]);
  if (Math.abs(area) < FLAT) return null;
  const v = ((x - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (z - a[2])) / area;
  const w = ((b[0] - a[0]) * (z - a[2]) - (x - a[0]) * (b[2] - a[2])) / area;
  const slack = 1e-6;
  return v < -slack || w < -slack || v + w > 1 + slack ? null : a[1] + v * (b[1] - a[1]) + w * (c[1] - a[1]);
}

/** @param {Point} a @param {Point} b @returns {Point} */
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** @param {Point} a @param {Point} b */
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {Point} a @param {Point} b @returns {Point} */
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** The angle between a triangle's normal and up, degrees: 0 faces up, 90 is a wall. @param {readonly Point[]} corners */
export function slopeOf([a, b, c]) {
  const normal = cross(minus(b, a), minus(c, a));
  const length = Math.hypot(...normal);
  return length > 0 ? Math.acos(Math.min(Math.max(normal[1] / length, -1), 1)) * 180 / Math.PI : 0;
}

/**
 * The distance along a ray to a triangle, from either side; Infinity: it misses.
 * Source: T. Moeller, B. Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997.
 * @param {Point} from @param {Point} direction @param {readonly Point[]} corners
 */
function rayToTriangle(from, direction, [a, b, c]) {
  const [ab, ac] = [minus(b, a), minus(c, a)];
  const p = cross(direction, ac), determinant = dot(ab, p);
  if (Math.abs(determinant) < FLAT) return Infinity;
  const s = minus(from, a), u = dot(s, p) / determinant;
  const q = cross(s, ab), v = dot(direction, q) / determinant;
  const t = dot(ac, q) / determinant;
  return u < 0 || v < 0 || u + v > 1 || t < 0 ? Infinity : t;
}
