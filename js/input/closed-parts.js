/**
 * The closed parts of a level, such as crates and walls, and whether they are turned inside out. A part is a set of triangles that are
 * joined by corners at equal places; it counts as closed if its area vectors add up to nothing, so that its volume doesn't depend on the
 * origin. The volume is positive if its triangles face outwards.
 */

/** @typedef {{ positions: ArrayLike<number>, stride: number, indices: ArrayLike<number> }} Triangles */

/** Larger levels aren't judged: they would take more than some 50 milliseconds. */
const [MOST_TRIANGLES, MOST_VERTICES] = [1 << 16, 3 << 16];
/** The sum of a closed part's area vectors is at most this fraction of its area: rounding. */
const CLOSED = 1e-3;
/** The least volume of a part, as a fraction of its area to the power of 1.5: thinner parts are sheets with two sides. */
const THICK = 1e-5;
/** A level is turned if it has at least this many turned parts, and at most this fraction of others: one room looks like a turned block. */
const [TURNED_PARTS, OTHER_FRACTION] = [4, 0.05];

/** Numbers the places of the vertices: equal places have equal numbers. @param {Triangles} triangles @returns {Int32Array} of each vertex */
function numberPlaces({ positions, stride }) {
  const count = Math.floor(positions.length / stride);
  const numbers = new Int32Array(count);
  const size = 1 << Math.ceil(Math.log2(2 * count + 1));
  const table = new Int32Array(size).fill(-1);
  const floats = new Float32Array(3), bits = new Int32Array(floats.buffer);
  const isSame = (/** @type {number} */ a, /** @type {number} */ b) => [0, 1, 2].every((axis) => positions[stride * a + axis] === positions[stride * b + axis]);
  for (let vertex = 0; vertex < count; vertex++) {
    // -0 and 0 are the same place.
    for (let axis = 0; axis < 3; axis++) floats[axis] = positions[stride * vertex + axis] + 0;
    let slot = (Math.imul(bits[0], 0x9e3779b1) ^ Math.imul(bits[1], 0x85ebca6b) ^ Math.imul(bits[2], 0xc2b2ae35)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & (size - 1);
    while (table[slot] >= 0 && !isSame(table[slot], vertex)) slot = (slot + 1) & (size - 1);
    if (table[slot] < 0) table[slot] = vertex;
    numbers[vertex] = table[slot];
  }
  return numbers;
}

/** Finds the part of each place. @param {Int32Array} places @param {ArrayLike<number>} indices @returns {(vertex: number) => number} */
function joinParts(places, indices) {
  const parents = Int32Array.from(places, (_, i) => i);
  const find = (/** @type {number} */ vertex) => {
    let part = places[vertex];
    while (parents[part] !== part) part = parents[part] = parents[parents[part]];
    return part;
  };
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const first = find(indices[i]);
    parents[find(indices[i + 1])] = first;
    parents[find(indices[i + 2])] = first;
  }
  return find;
}

/**
 * Counts the closed parts by the sign of their volume. @param {Triangles} triangles valid ones
 * @returns {{ upright: number, turned: number }} both 0 for larger levels
 */
export function countClosedParts(triangles) {
  const { positions, stride, indices } = triangles;
  const counts = { upright: 0, turned: 0 };
  if (indices.length / 3 > MOST_TRIANGLES || positions.length / stride > MOST_VERTICES) return counts;
  const partOf = joinParts(numberPlaces(triangles), indices);
  /** Of each part: a corner, the sum of its area vectors, its area, and its volume; areas are doubled, the volume is six times as large. @type {Map<number, { origin: number, net: number[], area: number, volume: number }>} */
  const parts = new Map();
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const number = partOf(indices[i]);
    let part = parts.get(number);
    if (!part) parts.set(number, part = { origin: stride * indices[i], net: [0, 0, 0], area: 0, volume: 0 });
    const [a, b, c] = [0, 1, 2].map((corner) => [0, 1, 2].map((axis) => positions[stride * indices[i + corner] + axis] - positions[/** @type {any} */ (part).origin + axis]));
    const [u, v] = [b, c].map((corner) => corner.map((value, axis) => value - a[axis]));
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    for (let axis = 0; axis < 3; axis++) part.net[axis] += normal[axis];
    part.area += Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2);
    part.volume += a[0] * normal[0] + a[1] * normal[1] + a[2] * normal[2];
  }
  for (const { net, area, volume } of parts.values()) {
    const isClosed = Math.sqrt(net[0] ** 2 + net[1] ** 2 + net[2] ** 2) <= CLOSED * area && Math.abs(volume) > THICK * area ** 1.5;
    if (isClosed) counts[volume > 0 ? 'upright' : 'turned']++;
  }
  return counts;
}

/** True if the closed parts of a level are turned inside out, as in a mirrored level of crates and walls. @param {Triangles} triangles */
export function areTurned(triangles) {
  const { upright, turned } = countClosedParts(triangles);
  return turned >= TURNED_PARTS && upright <= OTHER_FRACTION * turned;
}
