/**
 * A level with a place for each kind of link, for the tests of the level tool. Seen from above, x to the right, 20 deep: a platform of 1.8 m
 * from x = 0 to 6, floor to x = 20, a gap of 2 m, floor from x = 22 to 40 with a fence of 1 m at x = 30, a gap of 4.6 m, floor from x = 44.6
 * to 50. The gaps are 6 m deep.
 */

/** @type {[min: number[], max: number[]][]} */
const BOXES = [
  [[0, -1, 0], [20, 0, 20]], [[22, -1, 0], [40, 0, 20]], [[44.6, -1, 0], [50, 0, 20]], [[-1, -7, -1], [51, -6, 21]],
  [[0, 0, 0], [6, 1.8, 20]], [[30, 0, 0], [30.2, 1, 20]],
];
/** Corners of the faces of a box, by the bits of x, y and z, seen from outside anticlockwise. */
const FACES = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

export function makeLinksLevel() {
  const positions = [], indices = [];
  for (const [min, max] of BOXES) {
    const first = positions.length / 3;
    for (let corner = 0; corner < 8; corner++) positions.push(...[0, 1, 2].map((axis) => (corner >> axis & 1 ? max[axis] : min[axis])));
    for (const [a, b, c, d] of FACES) indices.push(...[a, b, c, a, c, d].map((corner) => first + corner));
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** The level as an OBJ file. */
export function linksLevelObj() {
  const { positions, indices } = makeLinksLevel();
  const rows = (/** @type {string} */ word, /** @type {ArrayLike<number>} */ numbers, /** @type {number} */ more) => (
    Array.from({ length: numbers.length / 3 }, (_, i) => `${word} ${[0, 1, 2].map((axis) => numbers[3 * i + axis] + more).join(' ')}`));
  return `${[...rows('v', positions, 0), ...rows('f', indices, 1)].join('\n')}\n`;
}
