/** The position of a tile's cells in the world. */
import { requireTilePlace } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { isOfKind } from '../runtime/foreign.js';
import { BAKER } from '../runtime/handle-kinds.js';

/** @typedef {import('./baker.js').Baker} Baker */

/**
 * @typedef {object} StageFrame
 * @property {[number, number, number]} origin of the tile without its border, world units
 * @property {number} cellSize world units
 * @property {number} cellHeight world units
 * @property {number} width cells on x, including the border
 * @property {number} depth cells on z, including the border
 * @property {number} border cells on each side that belong to neighbours
 */

/** @param {Baker} baker */
export function requireBaker(baker) {
  if (isOfKind(baker, BAKER)) return baker;
  throw invalidArgument('baker', `must be a Baker, not ${describe(baker)}`, baker);
}

/**
 * The position of the cells in a tile's arrays: cell x, z begins at origin + (x - border, z - border) * cellSize.
 * @param {Baker} baker @param {number} x of the current tile @param {number} z
 * @returns {StageFrame}
 */
export function frameOf(baker, x, z) {
  requireTilePlace(x, z);
  requireBaker(baker);
  const { config: { cellSize, cellHeight, tileSize }, voxels } = baker;
  const [minX, minY, minZ] = voxels.boundsMin;
  const border = voxels.borderSize;
  const side = tileSize + 2 * border;
  return {
    origin: [minX + x * voxels.tileWorldSize, minY, minZ + z * voxels.tileWorldSize], cellSize, cellHeight,
    width: tileSize ? side : voxels.width, depth: tileSize ? side : voxels.depth, border,
  };
}
