/** Lines through a level in JavaScript, as src/bake/input/facing.h says: walkmesh/level works without the module. */

import { areTurned } from '../input/closed-parts.js';

/** @typedef {{ positions: ArrayLike<number>, stride: number, indices: ArrayLike<number> }} Triangles */

/** Lines on each side of the bounds; each lies at an irregular place in its cell, so that few meet edges. */
const SIDE = 16;
/** Levels of which the lines meet more triangles are not judged: the list of them would need too much memory. */
const MOST_HITS = 1 << 18;
/** Irregular places in the unit square: multiples of the plastic number's inverse and its square, modulo 1. */
const [FIRST, SECOND] = [0.7548776662466927, 0.5698402909980532];
const place = (/** @type {number} */ value) => value - Math.floor(value);

/** Lower and upper bounds of the vertices that triangles use. @param {Triangles} triangles */
function boundsOf({ positions, stride, indices }) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < indices.length; i++) {
    const at = stride * indices[i];
    for (let axis = 0; axis < 3; axis++) {
      const value = positions[at + axis];
      if (value < low[axis]) low[axis] = value;
      if (value > high[axis]) high[axis] = value;
    }
  }
  return { low, high };
}

/** The lines along an axis. @param {ReturnType<typeof boundsOf>} bounds @param {number} axis */
function placeLines({ low, high }, axis) {
  const [b, c] = [(axis + 1) % 3, (axis + 2) % 3];
  const sizes = [(high[b] - low[b]) / SIDE, (high[c] - low[c]) / SIDE];
  const first = new Float64Array(SIDE * SIDE), second = new Float64Array(SIDE * SIDE);
  for (let line = 0; line < SIDE * SIDE; line++) {
    const column = line % SIDE, row = (line - column) / SIDE;
    first[line] = low[b] + (column + place(column * FIRST + row * SECOND + 0.37)) * sizes[0];
    second[line] = low[c] + (row + place(column * SECOND + row * FIRST + 0.71)) * sizes[1];
  }
  return { axis, b, c, low: [low[b], low[c]], sizes, first, second };
}

/** The cell of a value, from 0 on. @param {number} value @param {number} low @param {number} size */
const cellOf = (value, low, size) => Math.min(SIDE - 1, Math.max(0, Math.floor((value - low) / size)));

/**
 * Calls `hit` for each triangle on each line, with the height along the axis, and 1 if it faces along the axis, else -1.
 * @param {Triangles} triangles @param {ReturnType<typeof placeLines>} lines @param {(line: number, height: number, sign: number) => void} hit
 */
function traceLines({ positions, stride, indices }, { axis, b, c, low, sizes, first, second }, hit) {
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const p = stride * indices[i], q = stride * indices[i + 1], r = stride * indices[i + 2];
    const x = positions[p + b], y = positions[p + c];
    const ux = positions[q + b] - x, uy = positions[q + c] - y, vx = positions[r + b] - x, vy = positions[r + c] - y;
    const area = ux * vy - uy * vx;
    if (!(Math.abs(area) > 0)) continue;
    const left = cellOf(Math.min(x, x + ux, x + vx), low[0], sizes[0]), right = cellOf(Math.max(x, x + ux, x + vx), low[0], sizes[0]);
    const end = cellOf(Math.max(y, y + uy, y + vy), low[1], sizes[1]);
    for (let row = cellOf(Math.min(y, y + uy, y + vy), low[1], sizes[1]); row <= end; row++) {
      for (let line = row * SIDE + left; line <= row * SIDE + right; line++) {
        const dx = first[line] - x, dy = second[line] - y;
        const u = (dx * vy - dy * vx) / area, v = (ux * dy - uy * dx) / area;
        if (!(u >= 0 && v >= 0 && u + v < 1)) continue;
        const height = positions[p + axis];
        hit(line, height + u * (positions[q + axis] - height) + v * (positions[r + axis] - height), area > 0 ? 1 : -1);
      }
    }
  }
}

/** Counts lines by their lowest and highest triangle. @param {Triangles} triangles @param {ReturnType<typeof placeLines>} lines */
function countLines(triangles, lines) {
  const low = new Float64Array(SIDE * SIDE).fill(Infinity), high = new Float64Array(SIDE * SIDE).fill(-Infinity);
  const lowest = new Int8Array(SIDE * SIDE), highest = new Int8Array(SIDE * SIDE);
  traceLines(triangles, lines, (line, height, sign) => {
    if (height < low[line]) {
      low[line] = height;
      lowest[line] = sign;
    }
    if (height > high[line]) {
      high[line] = height;
      highest[line] = sign;
    }
  });
  let met = 0, open = 0, rooms = 0;
  for (let line = 0; line < SIDE * SIDE; line++) {
    if (lowest[line] === 0) continue;
    met++;
    open += lowest[line] === highest[line] ? lowest[line] : 0;
    rooms += lowest[line] === 1 && highest[line] === -1 ? 1 : 0;
  }
  return met === 0 ? { open: 0, rooms: 0 } : { open: open / met, rooms: rooms / met };
}

/**
 * Lengths of lines between triangles that face each other (air), and of those between triangles that face away from each other (solid).
 * Both are 0 for more than MOST_HITS triangles on the lines.
 * @param {Triangles} triangles @param {ReturnType<typeof placeLines>} lines
 */
function measureGaps(triangles, lines) {
  const hits = Array.from({ length: SIDE * SIDE }, () => /** @type {[number, number][]} */ ([]));
  let count = 0;
  traceLines(triangles, lines, (line, height, sign) => {
    if (count++ < MOST_HITS) hits[line].push([height, sign]);
  });
  if (count > MOST_HITS) return { air: 0, solid: 0 };
  let air = 0, solid = 0;
  for (const list of hits) {
    list.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    for (let i = 1; i < list.length; i++) {
      const [[below, facing], [above, next]] = [list[i - 1], list[i]];
      if (facing > next) air += above - below;
      else if (facing < next) solid += above - below;
    }
  }
  return { air, solid };
}

/** @param {Triangles} triangles @param {number} upAxis 1 or 2 @returns {import('../input/facing.js').FacingLines} */
export function traceTriangles(triangles, upAxis) {
  const bounds = boundsOf(triangles);
  return {
    find() {
      const counts = [0, 1, 2].map((axis) => countLines(triangles, placeLines(bounds, axis)));
      return { open: counts.map(({ open }) => open), rooms: counts[upAxis].rooms };
    },
    measure: () => measureGaps(triangles, placeLines(bounds, upAxis)),
    areTurned: () => areTurned(triangles),
  };
}
