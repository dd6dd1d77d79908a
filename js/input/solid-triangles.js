/** The solids of a level as triangles, for measuring; bakes fill the shapes themselves. Faces are counter-clockwise seen from outside. */
import { readSolids } from './geometry.js';

/** @typedef {import('./geometry.js').Geometry} Geometry */
/** @typedef {readonly number[]} Vector */
/** A circle around an axis: its distance from the start of the axis, and its radius. @typedef {[along: number, radius: number]} Ring */

/** Sides of circles, and rings of half a sphere: radii are within half a percent. */
const [SIDES, RINGS] = [32, 8];

/** Positions, three numbers a vertex, and indices. */
class TriangleList {
  /** @type {number[]} */
  positions = [];
  /** @type {number[]} */
  indices = [];

  /** @param {ArrayLike<number>} positions @param {ArrayLike<number>} indices */
  add(positions, indices) {
    const first = this.positions.length / 3;
    for (let i = 0; i < positions.length; i++) this.positions.push(positions[i]);
    for (let i = 0; i < indices.length; i++) this.indices.push(first + indices[i]);
  }
}

/** @param {Vector} a @param {Vector} b @returns {[number, number, number]} */
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/** @param {Vector} vector */
const unit = (vector) => {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};

/** The corners of a box: bit 0 of the index is the first half axis, and so on. */
const BOX_INDICES = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]].flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);

/** @param {TriangleList} list @param {Vector} centre @param {Vector} halfAxes three vectors */
function addBox(list, centre, halfAxes) {
  const corners = Array.from({ length: 8 }, (_, corner) => [0, 1, 2].map((axis) => (
    [0, 1, 2].reduce((sum, k) => sum + (corner >> k & 1 ? 1 : -1) * halfAxes[3 * k + axis], centre[axis]))));
  const axes = [0, 3, 6].map((at) => halfAxes.slice(at, at + 3));
  const isMirrored = cross(axes[0], axes[1]).reduce((sum, value, axis) => sum + value * axes[2][axis], 0) < 0;
  list.add(corners.flat(), isMirrored ? [...BOX_INDICES].reverse() : BOX_INDICES);
}

/** Adds a surface of revolution. @param {TriangleList} list @param {Vector} start @param {Vector} direction of length 1 @param {readonly Ring[]} rings along the axis; the first and the last have radius 0 */
function addRevolution(list, start, direction, rings) {
  const side = unit(cross(direction, Math.abs(direction[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0])), other = cross(direction, side);
  const positions = rings.flatMap(([along, radius]) => Array.from({ length: SIDES }, (_, i) => {
    const [c, s] = [radius * Math.cos(2 * Math.PI * i / SIDES), radius * Math.sin(2 * Math.PI * i / SIDES)];
    return start.map((value, axis) => value + along * direction[axis] + c * side[axis] + s * other[axis]);
  })).flat();
  const indices = rings.slice(1).flatMap((_, ring) => Array.from({ length: SIDES }, (__, i) => {
    const [a, b] = [ring * SIDES + i, ring * SIDES + (i + 1) % SIDES];
    return [a, b, b + SIDES, a, b + SIDES, a + SIDES];
  })).flat();
  list.add(positions, indices);
}

/** @param {Vector} start @param {Vector} end @returns {{ length: number, direction: Vector }} */
function axisOf(start, end) {
  const way = end.map((value, axis) => value - start[axis]), length = Math.hypot(...way);
  return { length, direction: length > 0 ? unit(way) : [0, 1, 0] };
}

/** A quarter of a circle as rings around its axis, from the pole on. @param {number} radius @param {number} middle of the circle along the axis @param {-1 | 1} sign of the pole @returns {Ring[]} */
const cap = (radius, middle, sign) => Array.from({ length: RINGS + 1 }, (_, k) => (
  [middle + sign * radius * Math.cos(Math.PI / 2 * k / RINGS), radius * Math.sin(Math.PI / 2 * k / RINGS)]));

/** @type {Record<string, (list: TriangleList, solid: any) => void>} */
const ADD = {
  box: (list, { centre, halfAxes }) => addBox(list, centre, halfAxes),
  sphere: (list, { centre, radius }) => addRevolution(list, centre, [0, 1, 0], [...cap(radius, 0, -1), ...cap(radius, 0, 1).reverse()]),
  capsule(list, { start, end, radius }) {
    const { length, direction } = axisOf(start, end);
    addRevolution(list, start, direction, [...cap(radius, 0, -1), ...cap(radius, length, 1).reverse()]);
  },
  cylinder(list, { start, end, radius }) {
    const { length, direction } = axisOf(start, end);
    addRevolution(list, start, direction, [[0, 0], [0, radius], [length, radius], [length, 0]]);
  },
  convex: (list, { positions, indices }) => list.add(positions, indices),
};

/** The solids of a level as triangles, y up. @param {Geometry} geometry that a bake accepts @returns {{ positions: number[], indices: number[] }} */
export function solidTriangles(geometry) {
  const list = new TriangleList();
  for (const solid of readSolids(geometry)) ADD[solid.kind](list, solid);
  return list;
}
