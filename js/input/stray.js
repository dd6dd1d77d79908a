/** Triangles that lie far from all others: they make a level huge. Looked for once a bake finds its level too large. */
import { toTriangles } from './geometry.js';

/** At most this many triangles, and this share of all, are strays. */
const [MOST_STRAYS, MOST_SHARE] = [16, 0.01];
/** The farthest triangle is this many times as far from the middle as those that remain. */
const TIMES_FARTHER = 8;

const short = (/** @type {number} */ number) => Number(number.toPrecision(4)).toLocaleString('en', { useGrouping: false });

/** @param {Float64Array} numbers */
const median = (numbers) => Float64Array.from(numbers).sort()[numbers.length >> 1];

/**
 * A sentence that names the triangles without which a level would be much smaller; undefined: there are none.
 * @param {import('./geometry.js').Geometry} geometry that is valid @returns {string | undefined}
 */
export function describeStrays(geometry) {
  const { positions, stride, indices, upAxis } = toTriangles(geometry);
  const count = indices.length / 3, second = upAxis === 'z' ? 1 : 2;
  const at = (/** @type {number} */ corner, /** @type {number} */ axis) => positions[stride * indices[corner] + axis];
  const middles = [0, second].map((axis) => median(Float64Array.from({ length: count }, (_, i) => (at(3 * i, axis) + at(3 * i + 1, axis) + at(3 * i + 2, axis)) / 3)));
  const distance = (/** @type {number} */ corner) => Math.max(Math.abs(at(corner, 0) - middles[0]), Math.abs(at(corner, second) - middles[1]));
  const farthest = Float64Array.from({ length: count }, (_, i) => Math.max(distance(3 * i), distance(3 * i + 1), distance(3 * i + 2)));
  const order = Array.from(farthest.keys()).sort((a, b) => farthest[b] - farthest[a]).slice(0, MOST_STRAYS + 1);
  const most = Math.max(1, Math.min(MOST_STRAYS, Math.floor(MOST_SHARE * count)));
  const strays = order.findIndex((triangle, i) => i > 0 && farthest[order[0]] > TIMES_FARTHER * farthest[triangle]);
  if (count < 3 || strays < 1 || strays > most) return undefined;
  const [triangle] = order, corner = [0, 1, 2].map((k) => 3 * triangle + k).sort((a, b) => distance(b) - distance(a))[0];
  const place = Array.from(positions.subarray(stride * indices[corner], stride * indices[corner] + 3), short).join(', ');
  const what = `triangle ${triangle} ${strays > 1 ? `and ${strays - 1} more make` : 'makes'} the level huge`;
  return `${what}: vertex ${indices[corner]} is at (${place}), and all others lie within ${
    short(farthest[order[strays]])} of (${middles.map(short).join(', ')}) on x and ${second === 1 ? 'y' : 'z'}. Remove it, or set bounds`;
}
