/** Where the cells of a bake's stages lie in the world. */
import { describe, invalidArgument } from '../runtime/errors.js';

/** @typedef {import('./bake.js').Baker} Baker */

/**
 * @typedef {object} StageFrame
 * @property {[number, number, number]} origin of the tile, without its border, world units
 * @property {number} cellSize world units
 * @property {number} cellHeight world units
 * @property {number} width cells on x, the border included
 * @property {number} depth cells on z, the border included
 * @property {number} border cells on each side, which belong to neighbours
 */

/** @param {Baker} baker */
export function requireBaker(baker) {
  if (typeof baker?.read === 'function' && baker.voxels) return baker;
  throw invalidArgument('baker', `must be a Baker, not ${describe(baker)}`, baker);
}

/**
 * Where the cells of a tile's stages lie: cell x, z of an array begins at origin + (x - border, z - border) * cellSize.
 * @param {Baker} baker @param {number} x of the tile that stands in it @param {number} z
 * @returns {StageFrame}
 */
export function frameOf(baker, x, z) {
  for (const [name, value] of Object.entries({ x, z })) {
    if (!Number.isInteger(value)) throw invalidArgument(name, `is ${describe(value)}: must be a whole number`, value);
  }
  const { config: { cellSize, cellHeight, tileSize }, voxels } = baker;
  const [minX, minY, minZ] = voxels.boundsMin;
  const border = voxels.borderSize;
  const side = tileSize + 2 * border;
  return {
    origin: [minX + x * voxels.tileWorldSize, minY, minZ + z * voxels.tileWorldSize], cellSize, cellHeight,
    width: tileSize ? side : voxels.width, depth: tileSize ? side : voxels.depth, border,
  };
}
