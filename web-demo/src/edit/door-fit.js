/** Fits a door into an opening: between the two sides that are nearest to each other across a point. */
import { Raycaster, Vector3 } from 'three';
import { tidy } from './shapes.js';

/** Widest opening, and the width of a door outside any opening, world units. */
const [WIDEST, USUAL] = [8, 2];
/** Number of directions tried over half a turn. */
const DIRECTIONS = 36;
/** Overlap of a door with the sides of its opening. */
const INTO = 0.1;

/**
 * @param {import('three').Mesh} level @param {readonly number[]} spot on the ground
 * @param {{ cellSize: number, agentHeight: number, agentMaxClimb: number }} config
 * @returns {any} a box, or a rotatedBox if the opening is rotated
 */
export function fitDoor(level, [x, y, z], { cellSize, agentHeight, agentMaxClimb }) {
  const caster = new Raycaster();
  caster.far = WIDEST;
  Object.assign(caster, { firstHitOnly: true });
  // Above the step height.
  const eye = new Vector3(x, y + Math.max(agentMaxClimb, 0.5 * agentHeight), z);
  const reach = (/** @type {number} */ angle) => {
    caster.set(eye, new Vector3(Math.cos(angle), 0, -Math.sin(angle)));
    return caster.intersectObject(level, false)[0]?.distance ?? Infinity;
  };
  let best = { width: Infinity, angle: 0, ahead: 0, behind: 0 };
  for (let i = 0; i < DIRECTIONS; i++) {
    const angle = i * Math.PI / DIRECTIONS;
    const [ahead, behind] = [reach(angle), reach(angle + Math.PI)];
    // On a tie the first direction wins, so that doors along the axes stay boxes.
    if (ahead + behind < best.width - 1e-3) best = { width: ahead + behind, angle, ahead, behind };
  }
  const hasSides = best.width <= WIDEST;
  const { angle, ahead, behind } = hasSides ? best : { angle: 0, ahead: USUAL / 2, behind: USUAL / 2 };
  const shift = (ahead - behind) / 2;
  const [middleX, middleZ] = [x + shift * Math.cos(angle), z - shift * Math.sin(angle)];
  const half = [(ahead + behind) / 2 + (hasSides ? INTO : 0), 0, Math.max(0.3, 1.5 * cellSize)];
  const [low, high] = [y - 0.3, y + agentHeight];
  if (i90(angle) !== null) {
    const [halfX, halfZ] = i90(angle) === 0 ? [half[0], half[2]] : [half[2], half[0]];
    return tidy({ kind: 'box', min: [middleX - halfX, low, middleZ - halfZ], max: [middleX + halfX, high, middleZ + halfZ] });
  }
  return tidy({ kind: 'rotatedBox', centre: [middleX, (low + high) / 2, middleZ], halfExtents: [half[0], (high - low) / 2, half[2]], yaw: angle });
}

/** 0: along x; 1: along z; null: neither. @param {number} angle */
function i90(angle) {
  if (Math.abs(angle) < 1e-6) return 0;
  return Math.abs(angle - Math.PI / 2) < 1e-6 ? 1 : null;
}
