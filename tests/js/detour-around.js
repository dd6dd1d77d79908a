/** A level with two ways between two rooms: a short one through a door, and a long one around. */
import { joinLevels, makeGround } from './support.js';

/** A rectangle of ground. @param {number} x0 @param {number} z0 @param {number} x1 @param {number} z1 */
function makeRectangle(x0, z0, x1, z1) {
  const ground = makeGround(1);
  ground.positions = Float32Array.of(x0, 0, z0, x0, 0, z1, x1, 0, z1, x1, 0, z0);
  return ground;
}

/** Two rooms, a short hall between them with a door of area 5, and a long one behind. */
export function makeDetour() {
  const parts = [[0, 0, 10, 30], [20, 0, 30, 30], [9, 3, 21, 7], [9, 22, 21, 28]];
  const level = parts.map(([x0, z0, x1, z1]) => makeRectangle(x0, z0, x1, z1)).reduce(joinLevels);
  return { ...level, volumes: [{ kind: 'box', min: [14, -1, 0], max: [16, 1, 10], area: 5 }] };
}

export const DETOUR_CONFIG = { cellSize: 0.25, agentRadius: 0.5, tileSize: 32 };
/** The door of the short hall. */
export const DETOUR_DOOR = { kind: 'box', min: [13.5, -1, 0], max: [16.5, 1, 10] };
export const DETOUR_ENDS = [[2, 0, 5], [28, 0, 5]];
