/** Fits a door into an opening: between the two sides that are nearest to each other across a point. */
import { Raycaster, Vector3 } from 'three';
import { tidy } from './shapes.js';

/** Widest opening, and the width of a door outside any opening, world units. */
const [WIDEST, USUAL] = [8, 2];
/** Number of directions tried over half a turn, and within which of a given direction. */
const [DIRECTIONS, NEAR_BY] = [36, Math.PI / 4];
/** Overlap of a door with the sides of its opening. */
const INTO = 0.1;

/** The angle between two lines, radians: 0 to a quarter turn. @param {number} a @param {number} b */
function betweenLines(a, b) {
  const turn = Math.abs(a - b) % Math.PI;
  return Math.min(turn, Math.PI - turn);
}

/** @typedef {{ width: number, angle: number, ahead: number, behind: number }} Sides */
/** @typedef {(x: number, z: number, angle: number) => number} Reach distance to the level in a direction; Infinity: none */

/**
 * The nearest two sides across a point. @param {Reach} reach @param {number} x @param {number} z @param {number | null} near angle that the
 * sides must have about; null: any
 * @returns {Sides}
 */
function sidesAt(reach, x, z, near) {
  let best = { width: Infinity, angle: 0, ahead: 0, behind: 0 };
  for (let i = 0; i < DIRECTIONS; i++) {
    const angle = i * Math.PI / DIRECTIONS;
    if (near !== null && betweenLines(angle, near) > NEAR_BY) continue;
    const [ahead, behind] = [reach(x, z, angle), reach(x, z, angle + Math.PI)];
    // On a tie the first direction wins, so that doors along the axes stay boxes.
    if (ahead + behind < best.width - 1e-3) best = { width: ahead + behind, angle, ahead, behind };
  }
  return best;
}

/** Distance between two places along a passage, their number before and behind it, and how much wider the narrowest part may be. */
const [ALONG, COUNT, WIDER] = [0.1, 12, 0.02];

/**
 * The middle of the narrowest part of a passage: that of the wall, not of its edge.
 * @param {Reach} reach @param {number} x @param {number} z @param {number} angle from side to side
 * @returns {{ x: number, z: number, sides: Sides }}
 */
function narrowestAlong(reach, x, z, angle) {
  const places = Array.from({ length: 2 * COUNT + 1 }, (_, i) => {
    const far = (i - COUNT) * ALONG;
    const [px, pz] = [x - far * Math.sin(angle), z - far * Math.cos(angle)];
    return { x: px, z: pz, sides: sidesAt(reach, px, pz, angle) };
  });
  const least = Math.min(...places.map(({ sides }) => sides.width));
  const isNarrow = (/** @type {number} */ i) => places[i] !== undefined && places[i].sides.width <= least + WIDER;
  if (least === Infinity) return places[COUNT];
  const nearest = places.map((_, i) => i).filter(isNarrow).sort((a, b) => Math.abs(a - COUNT) - Math.abs(b - COUNT))[0];
  let [first, last] = [nearest, nearest];
  while (isNarrow(first - 1)) first--;
  while (isNarrow(last + 1)) last++;
  // A corridor is narrow all along: the door stays at the click.
  return first === 0 && last === 2 * COUNT ? places[COUNT] : places[Math.round((first + last) / 2)];
}

/**
 * @param {import('three').Mesh} level @param {readonly number[]} spot on the ground
 * @param {{ cellSize: number, agentHeight: number, agentMaxClimb: number, agentRadius: number }} config
 * @param {{ angle: number, width: number } | null} [passage] a passage of the mesh at the spot: the door stands across it
 * @returns {any} a box, or a rotatedBox if the opening is rotated
 */
export function fitDoor(level, [x, y, z], { cellSize, agentHeight, agentMaxClimb, agentRadius }, passage = null) {
  const caster = new Raycaster();
  caster.far = WIDEST;
  Object.assign(caster, { firstHitOnly: true });
  // Above the step height.
  const eye = y + Math.max(agentMaxClimb, 0.5 * agentHeight);
  const reach = (/** @type {number} */ px, /** @type {number} */ pz, /** @type {number} */ angle) => {
    caster.set(new Vector3(px, eye, pz), new Vector3(Math.cos(angle), 0, -Math.sin(angle)));
    return caster.intersectObject(level, false)[0]?.distance ?? Infinity;
  };
  const here = sidesAt(reach, x, z, passage?.angle ?? null);
  // The mesh's angle is coarse: that of the walls, if there are any, leads along the passage.
  const place = passage ? narrowestAlong(reach, x, z, here.width < Infinity ? here.angle : passage.angle) : { x, z, sides: here };
  // Without walls of the level, such as between two drops, the door spans the mesh and the radius on both sides.
  const usual = passage ? passage.width + 2 * agentRadius : USUAL;
  const hasSides = place.sides.width <= (passage ? usual + 4 * cellSize + 1 : WIDEST);
  const { angle, ahead, behind } = hasSides ? place.sides : { angle: passage?.angle ?? 0, ahead: usual / 2, behind: usual / 2 };
  const [fromX, fromZ] = hasSides ? [place.x, place.z] : [x, z];
  const shift = (ahead - behind) / 2;
  const middle = [fromX + shift * Math.cos(angle), fromZ - shift * Math.sin(angle)];
  const half = [(ahead + behind) / 2 + (hasSides ? INTO : 0), Math.max(0.3, 1.5 * cellSize)];
  return makeDoor(middle, half, [y - 0.3, y + agentHeight], angle);
}

/** @param {number[]} middle x and z @param {number[]} half width and depth @param {number[]} heights @param {number} angle */
function makeDoor([x, z], half, [low, high], angle) {
  const turns = i90(angle);
  if (turns === null) return tidy({ kind: 'rotatedBox', centre: [x, (low + high) / 2, z], halfExtents: [half[0], (high - low) / 2, half[1]], yaw: angle });
  const [halfX, halfZ] = turns === 0 ? half : [half[1], half[0]];
  return tidy({ kind: 'box', min: [x - halfX, low, z - halfZ], max: [x + halfX, high, z + halfZ] });
}

/** 0: along x; 1: along z; null: neither. @param {number} angle */
function i90(angle) {
  if (Math.abs(angle) < 1e-6) return 0;
  return Math.abs(angle - Math.PI / 2) < 1e-6 ? 1 : null;
}
