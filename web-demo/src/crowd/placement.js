/** Positions for new agents: in a circle or anywhere on the main ground, apart from each other where there is room. */
import { Random } from 'walkmesh';

/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('walkmesh').FilterOptions} FilterOptions */
/** @typedef {import('walkmesh').NavMesh} NavMesh */

/** Attempts before an agent is placed too close to another. */
const TRIES = 12;

/** A grid of occupied positions; a cell is as wide as the distance between agents. */
class Taken {
  #apart;
  /** @type {Map<string, Point[]>} */
  #squares = new Map();

  /** @param {number} apart */
  constructor(apart) {
    this.#apart = apart;
  }

  /** @param {number} value */
  #square(value) {
    return Math.floor(value / this.#apart);
  }

  /** @param {Point} point */
  add(point) {
    const key = `${this.#square(point[0])} ${this.#square(point[2])}`;
    const square = this.#squares.get(key);
    if (square) square.push(point);
    else this.#squares.set(key, [point]);
  }

  /** @param {Point} point */
  isFree([x, y, z]) {
    for (let i = this.#square(x) - 1; i <= this.#square(x) + 1; i++) {
      for (let k = this.#square(z) - 1; k <= this.#square(z) + 1; k++) {
        for (const other of this.#squares.get(`${i} ${k}`) ?? []) {
          if (Math.hypot(other[0] - x, other[1] - y, other[2] - z) < this.#apart) return false;
        }
      }
    }
    return true;
  }
}

/**
 * Draws random positions until enough of them are apart.
 * @param {number} count @param {number} apart @param {ArrayLike<number>} others [n][3] positions of existing agents
 * @param {() => Point | null} draw null: no position exists
 * @returns {Float32Array} [count][3], fewer if `draw` returns null
 */
function spread(count, apart, others, draw) {
  const taken = new Taken(Math.max(apart, 1e-3));
  for (let i = 0; i + 2 < others.length; i += 3) taken.add([others[i], others[i + 1], others[i + 2]]);
  const points = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    let point = draw();
    for (let tries = 1; point && tries < TRIES && !taken.isFree(point); tries++) point = draw();
    if (!point) return points.slice(0, 3 * i);
    taken.add(point);
    points.set(point, 3 * i);
  }
  return points;
}

/**
 * Positions around a point. @param {NavMesh} navMesh @param {Point} centre @param {number} radius
 * @param {{ count: number, apart: number, random: Random, filter: FilterOptions, others?: ArrayLike<number> }} options
 * @returns {Float32Array} empty if the point is not on the mesh
 */
export function placeAround(navMesh, centre, radius, { count, apart, random, filter, others = [] }) {
  const start = navMesh.nearestPoint(centre, { filter });
  if (!start) return new Float32Array(0);
  const options = { random, filter };
  return spread(count, apart, others, () => navMesh.randomPointAround(start.polygon, start.point, radius, options)?.point ?? null);
}

/**
 * Positions anywhere on the island of a polygon, or on the largest one. @param {NavMesh} navMesh
 * @param {{ count: number, apart: number, random: Random, filter: FilterOptions, polygon?: number, others?: ArrayLike<number> }} options polygon: of
 *   the main ground, 0: unknown
 */
export function placeAnywhere(navMesh, { count, apart, random, filter, polygon = 0, others = [] }) {
  const islands = navMesh.islands({ filter });
  try {
    if (islands.count === 0) return new Float32Array(0);
    const options = { random, filter, islands, island: (polygon === 0 ? 0 : islands.of(polygon)) || 1 };
    return spread(count, apart, others, () => navMesh.randomPoint(options)?.point ?? null);
  } finally {
    islands.free();
  }
}
