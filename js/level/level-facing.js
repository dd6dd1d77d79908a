/** Finds which way a level faces, before it is baked: the same finding as in the warnings of a bake. */
import { describeFacing, directionOf, findFacing, isFacingSure } from '../input/facing.js';
import { toTriangles } from '../input/geometry.js';

/**
 * @typedef {object} LevelFacing
 * @property {'+x' | '-x' | '+y' | '-y' | '+z' | '-z'} direction that most of its ground faces
 * @property {boolean} isSure false: a guess, as for levels that are closed all around
 * @property {string} message the direction, and what to do
 */

/** Steepest slope that counts as facing a direction, degrees: the default of agentMaxSlope. */
const MAX_SLOPE = 45;

/**
 * Finds the direction that the ground of a level faces if it isn't up: the level lies on a side, is upside down, or mirrored.
 * Examines at most 16,384 triangles.
 * @param {{ positions: ArrayLike<number>, indices: ArrayLike<number>, upAxis?: import('../input/up-axis.js').UpAxis }} level triangles as bake() takes them
 * @returns {LevelFacing | null} null: it faces up, or no direction is likely
 */
export function levelFacing(level) {
  const found = findFacing(toTriangles(/** @type {any} */ (level)), MAX_SLOPE);
  if (found === 0) return null;
  return { direction: /** @type {LevelFacing['direction']} */ (directionOf(found)), isSure: isFacingSure(found), message: describeFacing(found) };
}
