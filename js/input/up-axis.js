/**
 * The up axis of a level's positions. Everything else in Walkmesh has y up: positions of levels with z up are turned when they are
 * copied into the module, (x, y, z) to (x, z, -y). That is a rotation, so triangles keep their winding.
 */

/** @typedef {'y' | 'z'} UpAxis */

/** @type {readonly UpAxis[]} */
export const UP_AXES = Object.freeze(['y', 'z']);

/**
 * Turns vertices with z up to y up, in place.
 * @param {Float32Array} positions @param {number} stride numbers from one vertex to the next
 */
export function turnToYUp(positions, stride) {
  for (let i = 0; i + 2 < positions.length; i += stride) {
    const y = positions[i + 1];
    positions[i + 1] = positions[i + 2];
    positions[i + 2] = 0 - y; // never -0, which would change hashes
  }
}

/**
 * Bounds with y up as bounds of positions with an up axis.
 * @param {Readonly<Record<'min' | 'max', ArrayLike<number>>>} bounds @param {UpAxis} upAxis
 */
export function toBoundsOfPositions({ min, max }, upAxis) {
  if (upAxis === 'y') return { min, max };
  return { min: [min[0], -max[2], min[1]], max: [max[0], -min[2], max[1]] };
}
