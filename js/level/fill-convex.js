/**
 * Finds the closed convex parts of a level, such as crates, pillars and walls, so that a bake can fill them: a closed mesh is hollow, and
 * where an agent fits inside there is ground.
 *
 * A part is what edges connect: vertices at one place are one, since meshes with sharp edges repeat them, and those with a seam, such as
 * spheres and cylinders, compute the places along it twice, with other rounding. Where more than two triangles
 * meet at an edge, as of two boxes on one another, those follow each other that are near each other in the list: parts are written
 * one after another.
 */
import { toTriangles, withParts } from '../input/geometry.js';
import { NavError, invalidArgument } from '../runtime/errors.js';
import { PointTree } from './point-tree.js';

/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../input/geometry.js').Solid} Solid */
/** @typedef {{ first: number[], second: number[] }} Edge the triangles that run along it, by direction, in ascending order */

const DEFAULT_AREA = 63;
/** How far a vertex may lie outside of a face, as a part of the size of its mesh: rounding of float32. */
const FLATNESS = 1e-4;
/** How far apart vertices at one place may lie on each axis, as a part of the largest coordinate: a unit in the last place of float32. */
const ROUNDING = 2 ** -23;
/** The size of a place, in these: the larger it is, the fewer vertices are looked for in two. */
const PLACE_SIZE = 4;

/**
 * Adds a solid for each closed convex part of a level's triangles, so that bakes fill it. The triangles stay. Parts that are open or not
 * convex, such as houses, stay as they are.
 *
 * O(triangles); of a convex part of n triangles at most about n to the power of 1.5.
 * @param {Geometry} level as bake() takes it
 * @returns {Geometry & { solids: readonly Solid[] }} the same arrays, and `solids` with those of the level first; the area of a solid is the lowest of its triangles
 */
export function fillConvex(level) {
  const { positions, stride, vertexCount, indices, areas, upAxis } = toTriangles(level), given = level.solids ?? [];
  if (!Array.isArray(given)) throw invalidArgument('solids', 'must be an array', given);
  const wrong = indices.findIndex((index) => index >= vertexCount);
  if (wrong >= 0) throw new NavError('geometry', `indices[${wrong}] is ${indices[wrong]}: the level has ${vertexCount} vertices`, { field: 'indices' });
  const vertices = weld(positions, stride, upAxis === 'z');
  const solids = listParts(vertices.ids, indices).flatMap((part) => describePart(part, vertices, indices, areas) ?? []);
  return withParts(level, { solids: [...given, ...solids] });
}

/**
 * Gives vertices at one place one number.
 * @param {Float32Array} positions @param {number} stride @param {boolean} isZUp
 * @returns {{ ids: Uint32Array, points: number[][] }} points: y up
 */
function weld(positions, stride, isZUp) {
  const ids = new Uint32Array(Math.floor((positions.length + stride - 3) / stride));
  const places = new Places(ROUNDING * positions.reduce((largest, coordinate) => Math.max(largest, Math.abs(coordinate)), 0));
  for (let vertex = 0; vertex < ids.length; vertex++) {
    const [x, y, z] = positions.subarray(stride * vertex, stride * vertex + 3);
    ids[vertex] = places.numberOf(isZUp ? [x, z, -y] : [x, y, z]);
  }
  return { ids, points: places.points };
}

/** Cubes of space, each with the number of the first point in it. */
class Places {
  /** @type {Map<string, number>} */
  #known = new Map();
  #reach;
  /** @type {number[][]} */
  points = [];

  /** @param {number} reach how far a point looks for another one, on each axis */
  constructor(reach) {
    this.#reach = reach;
  }

  /** The number of the first point at the place of one. @param {number[]} point */
  numberOf(point) {
    const size = PLACE_SIZE * this.#reach, own = point.map((value) => Math.round(value / size)).join();
    const number = this.#known.get(own) ?? this.#findBeside(point, size);
    if (number !== undefined) return number;
    this.#known.set(own, this.points.length);
    return this.points.push(point) - 1;
  }

  /** @param {number[]} point @param {number} size of cubes */
  #findBeside(point, size) {
    const [low, high] = [-this.#reach, this.#reach].map((reach) => point.map((value) => Math.round((value + reach) / size)));
    for (let corner = 0; corner < 8; corner++) {
      // Bit k of the corner: the side of the point on axis k.
      if (low.some((value, axis) => corner >> axis & 1 && value === high[axis])) continue;
      const number = this.#known.get(low.map((value, axis) => (corner >> axis & 1 ? high[axis] : value)).join());
      if (number !== undefined) return number;
    }
    return undefined;
  }
}

/** The closed parts, each a list of triangles. @param {Uint32Array} ids of vertices @param {ArrayLike<number>} indices @returns {number[][]} */
function listParts(ids, indices) {
  /** @type {Map<number, Edge>} */
  const edges = new Map();
  const count = Math.floor(indices.length / 3), isThin = new Uint8Array(count);
  for (let triangle = 0; triangle < count; triangle++) {
    const corners = [0, 1, 2].map((k) => ids[indices[3 * triangle + k]]);
    if (new Set(corners).size < 3) isThin[triangle] = 1;
    else corners.forEach((from, k) => addEdge(edges, from, corners[(k + 1) % 3], ids.length, triangle));
  }
  const parts = new Parts(count);
  for (const { first, second } of edges.values()) {
    for (let i = 0; i < Math.max(first.length, second.length); i++) {
      if (i < first.length && i < second.length) parts.join(first[i], second[i]);
      else parts.open(first[i] ?? second[i]);
    }
  }
  return parts.listClosed(isThin);
}

/** @param {Map<number, Edge>} edges @param {number} from @param {number} to @param {number} count of vertices @param {number} triangle */
function addEdge(edges, from, to, count, triangle) {
  const key = Math.min(from, to) * count + Math.max(from, to);
  let edge = edges.get(key);
  if (!edge) edges.set(key, edge = { first: [], second: [] });
  (from < to ? edge.first : edge.second).push(triangle);
}

/** Triangles that edges join. */
class Parts {
  #parents;
  #isOpen;

  /** @param {number} count of triangles */
  constructor(count) {
    this.#parents = Uint32Array.from({ length: count }, (_, i) => i);
    this.#isOpen = new Uint8Array(count);
  }

  /** The triangle that stands for a part. @param {number} triangle */
  #find(triangle) {
    const parents = this.#parents;
    let at = triangle;
    while (parents[at] !== at) at = parents[at] = parents[parents[at]];
    return at;
  }

  /** @param {number} a @param {number} b */
  join(a, b) {
    const [one, other] = [this.#find(a), this.#find(b)];
    this.#parents[other] = one;
    this.#isOpen[one] |= this.#isOpen[other];
  }

  /** Marks the part of a triangle that lacks a neighbour. @param {number} triangle */
  open(triangle) {
    this.#isOpen[this.#find(triangle)] = 1;
  }

  /** @param {Uint8Array} isThin triangles without an area, which belong to no part */
  listClosed(isThin) {
    /** @type {Map<number, number[]>} */
    const parts = new Map();
    for (let triangle = 0; triangle < isThin.length; triangle++) {
      const part = this.#find(triangle);
      if (isThin[triangle] || this.#isOpen[part]) continue;
      const list = parts.get(part);
      if (list) list.push(triangle);
      else parts.set(part, [triangle]);
    }
    return [...parts.values()];
  }
}

/** @param {number[]} a @param {number[]} b */
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** @param {number[]} a @param {number[]} b */
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {number[]} a @param {number[]} b */
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/**
 * A part as a solid; undefined if it isn't convex, has no volume, or its faces look inwards, as those of a room.
 * @param {number[]} part triangles @param {{ ids: Uint32Array, points: number[][] }} vertices @param {ArrayLike<number>} indices
 * @param {ArrayLike<number> | undefined} areas @returns {Solid | undefined}
 */
function describePart(part, { ids, points }, indices, areas) {
  const corners = part.flatMap((triangle) => [0, 1, 2].map((k) => ids[indices[3 * triangle + k]])), used = [...new Set(corners)];
  const places = used.map((id) => points[id]);
  const size = Math.max(...[0, 1, 2].map((axis) => {
    let low = Infinity, high = -Infinity;
    for (const place of places) [low, high] = [Math.min(low, place[axis]), Math.max(high, place[axis])];
    return high - low;
  }));
  const tree = new PointTree(places);
  let volume = 0;
  for (let i = 0; i < corners.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => points[corners[i + k]]), normal = cross(minus(b, a), minus(c, a)), length = Math.hypot(...normal);
    volume += dot(minus(a, places[0]), normal);
    if (tree.hasBeyond(normal, dot(a, normal) + FLATNESS * size * length)) return undefined;
  }
  if (!(volume > 0)) return undefined;
  const numbers = new Map(used.map((id, i) => [id, i]));
  const area = part.reduce((lowest, triangle) => Math.min(lowest, areas?.[triangle] ?? DEFAULT_AREA), DEFAULT_AREA);
  return { kind: 'convex', positions: places.flat(), indices: corners.map((id) => /** @type {number} */ (numbers.get(id))), area };
}
