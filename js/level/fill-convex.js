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
import { DEFAULT_AREA } from '../runtime/level-marks.js';
import { PointTree } from './point-tree.js';

/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../input/geometry.js').Solid} Solid */

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
  const solids = listParts(vertices, indices).flatMap((part) => describePart(part, vertices, indices, areas) ?? []);
  return withParts(level, { solids: [...given, ...solids] });
}

/**
 * Vertices whose places have numbers.
 * @typedef {object} Welded
 * @property {Uint32Array} ids of the place of each vertex
 * @property {Float32Array} points [places][3], y up
 * @property {number} count of places
 */

/**
 * Gives vertices at one place one number.
 * @param {Float32Array} positions @param {number} stride @param {boolean} isZUp @returns {Welded}
 */
function weld(positions, stride, isZUp) {
  const ids = new Uint32Array(Math.floor((positions.length + stride - 3) / stride));
  let largest = 0;
  for (let i = 0; i < positions.length; i++) largest = Math.max(largest, Math.abs(positions[i]));
  const places = new Places(ROUNDING * largest, ids.length);
  for (let vertex = 0, at = 0; vertex < ids.length; vertex++, at += stride) {
    const x = positions[at], y = positions[at + 1], z = positions[at + 2];
    ids[vertex] = isZUp ? places.numberOf(x, z, -y) : places.numberOf(x, y, z);
  }
  return { ids, points: places.points, count: places.count };
}

/** An odd number that a hash multiplies by: another one each time, so that no level is made to be slow. */
const randomFactor = () => (Math.random() * 2 ** 32) | 1;

/** Cubes of space, each with the number of the first point in it: a hash table with open addressing. */
class Places {
  #reach;
  #size;
  /** [a power of two] number + 1 of a point; 0: none */
  #slots;
  /** [count][3] the cube of each point */
  #cubes;
  #factors = [randomFactor(), randomFactor(), randomFactor()];
  points;
  count = 0;

  /** @param {number} reach how far a point looks for another one, on each axis @param {number} most points */
  constructor(reach, most) {
    this.#reach = reach;
    this.#size = PLACE_SIZE * reach;
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * most + 2)));
    this.#cubes = new Int32Array(3 * most);
    this.points = new Float32Array(3 * most);
  }

  /** The number of the first point at the place of one. @param {number} x @param {number} y @param {number} z */
  numberOf(x, y, z) {
    const size = this.#size, cube = [Math.round(x / size) | 0, Math.round(y / size) | 0, Math.round(z / size) | 0];
    const slot = this.#findSlot(cube[0], cube[1], cube[2]);
    if (this.#slots[slot] > 0) return this.#slots[slot] - 1;
    const beside = this.#findBeside(x, y, z);
    if (beside >= 0) return beside;
    this.#cubes.set(cube, 3 * this.count);
    this.points.set([x, y, z], 3 * this.count);
    this.#slots[slot] = ++this.count;
    return this.count - 1;
  }

  /** The slot of a cube, or the free one where it would be. @param {number} x @param {number} y @param {number} z */
  #findSlot(x, y, z) {
    const [a, b, c] = this.#factors, slots = this.#slots, cubes = this.#cubes, mask = slots.length - 1;
    let hash = Math.imul(x, a) ^ Math.imul(y, b) ^ Math.imul(z, c);
    hash = Math.imul(hash ^ hash >>> 15, a);
    for (let slot = (hash ^ hash >>> 13) & mask; ; slot = slot + 1 & mask) {
      const at = 3 * (slots[slot] - 1);
      if (at < 0 || (cubes[at] === x && cubes[at + 1] === y && cubes[at + 2] === z)) return slot;
    }
  }

  /** The number of a point in another cube within reach; -1: there is none. @param {number} x @param {number} y @param {number} z */
  #findBeside(x, y, z) {
    const size = this.#size, reach = this.#reach;
    const low = [x, y, z].map((value) => Math.round((value - reach) / size) | 0), high = [x, y, z].map((value) => Math.round((value + reach) / size) | 0);
    for (let corner = 0; corner < 8; corner++) {
      // Bit k of the corner: the side of the point on axis k.
      if (low.some((value, axis) => corner >> axis & 1 && value === high[axis])) continue;
      const [i, j, k] = low.map((value, axis) => (corner >> axis & 1 ? high[axis] : value));
      const number = this.#slots[this.#findSlot(i, j, k)] - 1;
      if (number >= 0) return number;
    }
    return -1;
  }
}

/**
 * The sides of triangles by edge, those of one edge after one another in the order of the list. A side is 3 * triangle + its first corner.
 * @param {Welded} vertices @param {ArrayLike<number>} indices @param {Uint8Array} isThin triangles that have none
 * @returns {{ sides: Float64Array, ends: Uint32Array }} sides: those of edges with the same lower vertex, to `ends` of it, each as
 *   higher vertex * number of sides + side
 */
function sortSides({ ids, count }, indices, isThin) {
  const all = 3 * isThin.length, ends = new Uint32Array(count + 1);
  const nextOf = (/** @type {number} */ side) => (side % 3 === 2 ? side - 2 : side + 1);
  for (let side = 0; side < all; side++) {
    if (!isThin[Math.floor(side / 3)]) ends[Math.min(ids[indices[side]], ids[indices[nextOf(side)]]) + 1]++;
  }
  for (let vertex = 0; vertex < count; vertex++) ends[vertex + 1] += ends[vertex];
  const sides = new Float64Array(ends[count]), starts = ends.slice();
  for (let side = 0; side < all; side++) {
    if (isThin[Math.floor(side / 3)]) continue;
    const from = ids[indices[side]], to = ids[indices[nextOf(side)]];
    sides[ends[Math.min(from, to)]++] = Math.max(from, to) * all + side;
  }
  for (let vertex = 0; vertex < count; vertex++) sides.subarray(starts[vertex], ends[vertex]).sort();
  return { sides, ends };
}

/** The closed parts, each a list of triangles. @param {Welded} vertices @param {ArrayLike<number>} indices @returns {number[][]} */
function listParts(vertices, indices) {
  const { ids } = vertices, count = Math.floor(indices.length / 3), isThin = new Uint8Array(count), all = 3 * count;
  for (let triangle = 0; triangle < count; triangle++) {
    const a = ids[indices[3 * triangle]], b = ids[indices[3 * triangle + 1]], c = ids[indices[3 * triangle + 2]];
    isThin[triangle] = a === b || b === c || c === a ? 1 : 0;
  }
  const parts = new Parts(count), { sides, ends } = sortSides(vertices, indices, isThin);
  /** Triangles that run along an edge, by direction. @type {[number[], number[]]} */
  const along = [[], []];
  for (let vertex = 0, i = 0; vertex < vertices.count; vertex++) {
    while (i < ends[vertex]) {
      const edge = Math.floor(sides[i] / all);
      for (const list of along) list.length = 0;
      for (; i < ends[vertex] && Math.floor(sides[i] / all) === edge; i++) {
        const side = sides[i] % all;
        along[ids[indices[side]] === vertex ? 0 : 1].push(Math.floor(side / 3));
      }
      const [first, second] = along;
      for (let k = 0; k < Math.max(first.length, second.length); k++) {
        if (k < first.length && k < second.length) parts.join(first[k], second[k]);
        else parts.open(first[k] ?? second[k]);
      }
    }
  }
  return parts.listClosed(isThin);
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
 * @param {number[]} part triangles @param {Welded} vertices @param {ArrayLike<number>} indices
 * @param {ArrayLike<number> | undefined} areas @returns {Solid | undefined}
 */
function describePart(part, { ids, points }, indices, areas) {
  const corners = part.flatMap((triangle) => [0, 1, 2].map((k) => ids[indices[3 * triangle + k]])), used = [...new Set(corners)];
  const placeOf = (/** @type {number} */ id) => [points[3 * id], points[3 * id + 1], points[3 * id + 2]];
  const places = used.map(placeOf);
  const size = Math.max(...[0, 1, 2].map((axis) => {
    let low = Infinity, high = -Infinity;
    for (const place of places) [low, high] = [Math.min(low, place[axis]), Math.max(high, place[axis])];
    return high - low;
  }));
  const tree = new PointTree(places);
  let volume = 0;
  for (let i = 0; i < corners.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => placeOf(corners[i + k])), normal = cross(minus(b, a), minus(c, a)), length = Math.hypot(...normal);
    volume += dot(minus(a, places[0]), normal);
    if (tree.hasBeyond(normal, dot(a, normal) + FLATNESS * size * length)) return undefined;
  }
  if (!(volume > 0)) return undefined;
  const numbers = new Map(used.map((id, i) => [id, i]));
  const area = part.reduce((lowest, triangle) => Math.min(lowest, areas?.[triangle] ?? DEFAULT_AREA), DEFAULT_AREA);
  return { kind: 'convex', positions: places.flat(), indices: corners.map((id) => /** @type {number} */ (numbers.get(id))), area };
}
