/** Levels of two rooms, 10 by 10 each, with a wall between them, for the tests of doors and narrow passages. */

/** The triangles of a closed box. */
const BOX = [4, 6, 5, 4, 7, 6, 0, 1, 2, 0, 2, 3, 0, 4, 5, 0, 5, 1, 1, 5, 6, 1, 6, 2, 2, 6, 7, 2, 7, 3, 3, 7, 4, 3, 4, 0];

/** @param {number[]} min @param {number[]} max */
export const boxCorners = ([x, y, z], [X, Y, Z]) => [x, y, z, X, y, z, X, y, Z, x, y, Z, x, Y, z, X, Y, z, X, Y, Z, x, Y, Z];

/** @param {[number[], number[]][]} boxes lowest and highest corner of each */
export const makeBoxes = (boxes) => ({
  positions: Float32Array.from(boxes.flatMap(([min, max]) => boxCorners(min, max))),
  indices: Uint32Array.from(boxes.flatMap((_, i) => BOX.map((corner) => 8 * i + corner))),
});

/**
 * Two rooms from x 0 to 10 and 10.4 to 20.4, and openings in the wall between them.
 * @param {[number, number][]} openings z of their sides, in order
 */
export function makeRooms(openings) {
  const ends = [0, ...openings.flat(), 10];
  const walls = Array.from({ length: ends.length / 2 }, (_, i) => [[10, 0, ends[2 * i]], [10.4, 3, ends[2 * i + 1]]]);
  return makeBoxes(/** @type {any} */ ([[[0, -0.5, 0], [20.4, 0, 10]], ...walls]));
}

/** The text of an OBJ file. @param {{ positions: ArrayLike<number>, indices: ArrayLike<number> }} level */
export function toObj({ positions, indices }) {
  const rows = (/** @type {ArrayLike<number>} */ list, /** @type {string} */ letter, /** @type {number} */ add) => (
    Array.from({ length: list.length / 3 }, (_, i) => `${letter} ${[0, 1, 2].map((k) => list[3 * i + k] + add).join(' ')}\n`).join(''));
  return rows(positions, 'v', 0) + rows(indices, 'f', 1);
}
