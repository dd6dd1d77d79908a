/**
 * Finds which way a level faces: one that lies on a side, is upside down or mirrored bakes to nothing, or to walls.
 *
 * The area vectors of its triangles (half the cross product of two edges) are summed. Closed parts, as houses and crates, add
 * nothing, so the sum is that of open sheets, as the ground: it points up. If it says nothing, as in levels with ceilings, lines
 * through the level decide: the highest and the lowest triangle on a line both face up if the line meets ground under the open sky,
 * and both down if it is turned over. If the level is closed all around, these say nothing either, and the finding is a guess: the axis
 * along which most of its area faces, or that it is flipped. Flipped rooms without an opening upwards look like solids: they are not found.
 * A level of many closed parts, all turned inside out, is flipped.
 */
import { areTurned } from './closed-parts.js';

/** @typedef {import('./up-axis.js').UpAxis} UpAxis */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {{ positions: ArrayLike<number>, stride: number, indices: Uint32Array, upAxis: UpAxis }} Triangles as they were given */

/** The directions of positions, in the order of their numbers. */
const DIRECTIONS = ['+x', '-x', '+y', '-y', '+z', '-z'];
/** Bits of a finding: a direction and 1, a guess, a level with z up. 0: it faces up, or there is no finding. */
const [DIRECTION, GUESS, Z_UP] = [7, 8, 16];
/** Bits of a finding without a direction, from this one on: the percentage of the ground that is turned over. */
const PERCENTAGE_SHIFT = 5;
/** Of larger levels, at most this many triangles are examined: about a quarter of a millisecond. */
const MAX_TRIANGLES = 1 << 13;
/** Words of a WmFacingSums (src/bake/input/facing.h), as f64: the net sum, areas by direction, lower and upper bounds. */
const SUMS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];
/** The same for positions with z up. */
const Z_UP_SUMS = [0, 2, 1, 3, 4, 8, 7, 5, 6, 9, 11, 10, 12, 14, 13];
/** The sum is this many times as long along its axis as along the others, and at least this fraction of the bounds' side. */
const [NET_RATIO, NET_FRACTION] = [4, 0.5];
/** The area that faces the direction is at least this many times the area that faces up: walls of right levels reach 0.7. */
const FACING_RATIO = 1.2;
/** A level stands right if its sum is this many times as long upwards as along the other axes, and this fraction of the bounds' side. */
const [UP_RATIO, UP_FRACTION] = [2, 0.1];
/** A guess has this many times the area along its axis as along each other one. */
const GUESS_RATIO = 2;
/** The most frequent open lines are this fraction of all lines, and this many times as frequent as along the other axes. */
const [OPEN_FRACTION, OPEN_RATIO] = [0.1, 2];
/**
 * Turned ground is looked for only if this fraction of the flat area faces down, or more, and if the sum upwards is below this fraction of the
 * bounds: else all of the ground faces up.
 */
const [DOWN_FRACTION, WHOLE_FRACTION] = [0.02, 0.98];
/** The least fraction of turned ground that is reported. In levels of games, up to 2 % of the lines meet only ceilings, and no floor. */
const TURNED_FRACTION = 0.05;
/** In a flipped level of solids, this fraction of the lines is closed, with a floor below and a ceiling above. */
const CLOSED_FRACTION = 0.95;

/** @typedef {{ net: ArrayLike<number>, facing: ArrayLike<number>, sizes: ArrayLike<number> }} FacingSums areas are doubled; sizes: of the bounds */

/**
 * Lines through a level, as src/bake/input/facing.h says.
 * @typedef {object} FacingLines
 * @property {() => { open: number[], rooms: number }} find open: open lines along each axis less turned ones, as fractions; rooms: those upwards
 * @property {() => { air: number, solid: number }} measure lengths of the gaps on lines upwards
 * @property {() => boolean} areTurned true if its closed parts are turned inside out
 */

/** The step through all triangles: no multiple of 2 and 3, so that each side of boxes is met equally often. @param {number} count */
export function chooseStep(count) {
  let step = Math.ceil(count / MAX_TRIANGLES);
  while (step > 1 && (step % 2 === 0 || step % 3 === 0)) step++;
  return step;
}

/**
 * Sums over the triangles that were copied into a bake's input; areas are doubled. Not in JavaScript: in a fresh process, which
 * interprets it, this loop would take longer than any stage.
 * @param {Session} session @param {number} bake @param {Triangles} triangles @param {number} minCosine of slopes that face a direction
 * @returns {FacingSums}
 */
function measure(session, bake, { indices, upAxis }, minCosine) {
  const step = chooseStep(indices.length / 3);
  session.wasm.bake_sum_facing(bake, step, minCosine);
  session.refresh();
  const sums = session.f64.slice(session.answer / 2, session.answer / 2 + SUMS.length);
  // Levels with z up were turned as x, y, z to x, z, -y.
  const numbers = (upAxis === 'y' ? SUMS : Z_UP_SUMS).map((place) => sums[place]);
  if (upAxis === 'z') numbers[1] = -numbers[1];
  const areas = numbers.slice(0, 9).map((area) => step * area);
  return { net: areas.slice(0, 3), facing: areas.slice(3), sizes: [9, 10, 11].map((axis) => numbers[axis + 3] - numbers[axis]) };
}

/**
 * Lines through the triangles that were copied into a bake's input. Not in JavaScript, for the same reason.
 * @param {Session} session @param {number} bake @param {Triangles} triangles @returns {FacingLines}
 */
function traceInput(session, bake, triangles) {
  const { upAxis } = triangles;
  const answer = (/** @type {number} */ count) => {
    session.refresh();
    return [...session.f64.subarray(session.answer / 2, session.answer / 2 + count)];
  };
  return {
    find() {
      session.check(session.wasm.bake_find_facing_lines(bake));
      const [x, y, z, , rooms] = answer(6);
      return { open: upAxis === 'y' ? [x, y, z] : [x, -z, y], rooms };
    },
    measure() {
      session.check(session.wasm.bake_measure_facing_gaps(bake));
      const [air, solid] = answer(2);
      return { air, solid };
    },
    areTurned: () => areTurned(triangles),
  };
}

/** The two other axes. @param {number} axis */
const othersOf = (axis) => [(axis + 1) % 3, (axis + 2) % 3];

/**
 * Finds the direction that a level faces, if it isn't up. The level is in the input of a bake; it may be invalid.
 * @param {Session} session @param {number} bake @param {Triangles} triangles as they were given
 * @param {number} maxSlope degrees, agentMaxSlope
 * @returns {number} a finding, for describeFacing; 0: it faces up, or no direction is likely
 */
export function findFacing(session, bake, triangles, maxSlope) {
  if (!('bake_sum_facing' in session.wasm)) return 0; // walkmesh-core.wasm
  const { upAxis } = triangles, sums = measure(session, bake, triangles, minCosineOf(maxSlope));
  return judgeFacing(sums, traceInput(session, bake, triangles), upAxis) || findTurnedGround(session, bake, sums, triangles);
}

/** A finding: how much of the ground is turned over in a level that faces up. Large levels are not examined: that would take up to 2 % of a bake. @param {Session} session @param {number} bake @param {FacingSums} sums @param {Triangles} triangles */
function findTurnedGround(session, bake, { net, facing, sizes }, { upAxis, indices }) {
  const axis = upAxis === 'y' ? 1 : 2, [b, c] = othersOf(axis);
  const mayBe = indices.length <= 3 * MAX_TRIANGLES && facing[2 * axis + 1] > DOWN_FRACTION * facing[2 * axis] && net[axis] < 2 * WHOLE_FRACTION * sizes[b] * sizes[c];
  if (!mayBe) return 0;
  session.check(session.wasm.bake_find_turned_ground(bake));
  session.refresh();
  const share = session.f64[session.answer / 2];
  return share < TURNED_FRACTION ? 0 : Math.round(100 * share) << PERCENTAGE_SHIFT;
}

/** The cosine of the steepest slope that faces a direction. @param {number} maxSlope degrees */
export const minCosineOf = (maxSlope) => Math.cos((maxSlope * Math.PI) / 180);

/** The direction that sums find, as findOpenDirection returns it. @param {FacingSums} sums @param {number} up direction */
function findNetDirection({ net, facing, sizes }, up) {
  for (let axis = 0; axis < 3; axis++) {
    const [b, c] = othersOf(axis);
    const direction = 2 * axis + (net[axis] < 0 ? 1 : 0);
    const length = Math.abs(net[axis]);
    const isNet = length > NET_RATIO * Math.max(Math.abs(net[b]), Math.abs(net[c])) && length > 2 * NET_FRACTION * sizes[b] * sizes[c];
    if (isNet && (direction === up || facing[direction] > FACING_RATIO * facing[up])) return direction;
  }
  return -1;
}

/** True if the sum is likely that of ground, though ceilings hide much of it: saves the lines through the level. @param {FacingSums} sums @param {number} upAxis */
function isNetUp({ net, sizes }, upAxis) {
  const [b, c] = othersOf(upAxis);
  return net[upAxis] > UP_RATIO * Math.max(Math.abs(net[b]), Math.abs(net[c])) && net[upAxis] > 2 * UP_FRACTION * sizes[b] * sizes[c];
}

/** The axis that the level probably has up, if it isn't upAxis; else -1. @param {FacingSums} sums @param {number} upAxis */
function guessAxis({ facing }, upAxis) {
  const along = [0, 1, 2].map((axis) => facing[2 * axis] + facing[2 * axis + 1]);
  return [0, 1, 2].findIndex((axis) => {
    const [b, c] = othersOf(axis);
    return axis !== upAxis && along[axis] > GUESS_RATIO * Math.max(along[b], along[c]);
  });
}

/** The direction that open ground faces; -1: none is likely. @param {number[]} open of FacingLines */
function findOpenDirection(open) {
  return open.reduce((found, share, axis) => {
    const other = Math.max(...othersOf(axis).map((another) => Math.abs(open[another])));
    const isOpen = found < 0 && Math.abs(share) >= OPEN_FRACTION && Math.abs(share) > OPEN_RATIO * other;
    return isOpen ? 2 * axis + (share < 0 ? 1 : 0) : found;
  }, -1);
}

/** True if a level of solids with rooms in them is flipped: from outside it looks like rooms, but it holds more solids than air. @param {FacingLines} lines */
function isInsideOut(lines) {
  const { air, solid } = lines.measure();
  return solid > air;
}

/**
 * The direction that a level faces, as findFacing returns it.
 * @param {FacingSums} sums of positions as they were given @param {FacingLines} lines @param {UpAxis} upAxis
 */
export function judgeFacing(sums, lines, upAxis) {
  const axis = upAxis === 'y' ? 1 : 2, up = 2 * axis;
  const flag = axis === 2 ? Z_UP : 0;
  let direction = findNetDirection(sums, up), rooms = 0;
  if (direction < 0 && isNetUp(sums, axis)) direction = up;
  if (direction < 0) {
    const found = lines.find();
    direction = findOpenDirection(found.open);
    rooms = found.rooms;
  }
  if (direction >= 0 && direction !== up) return (direction + 1) | flag;
  const guess = guessAxis(sums, axis);
  if (guess >= 0) return (2 * guess + 1) | GUESS | flag;
  if (direction >= 0 || rooms < CLOSED_FRACTION) return 0;
  if (isInsideOut(lines)) return (up + 2) | GUESS | flag;
  return lines.areTurned() ? (up + 2) | flag : 0;
}

/** True if a finding is more than a guess. @param {number} found of findFacing */
export const isFacingSure = (found) => found !== 0 && (found & GUESS) === 0;

/** True if a level faces another direction as a whole. @param {number} found of findFacing */
export const isTurned = (found) => (found & DIRECTION) !== 0;

/** Remedies of a level that faces down. */
const MIRRORED = 'if it is mirrored, swap two indices of each triangle; if it is upside down, turn x, y, z to x, -y, -z';
/** Turns from the x axis to the up axis, which keep the winding. @type {Readonly<Record<UpAxis, Readonly<Record<string, string>>>>} */
const TURNS = { y: { '+x': '-y, x, z', '-x': 'y, -x, z' }, z: { '+x': '-y, -z, x', '-x': 'y, -z, -x' } };

/** The direction of a finding, such as '+z'. @param {number} found not 0 */
export const directionOf = (found) => DIRECTIONS[(found & DIRECTION) - 1];

/** A message: the way that a level faces, and how to mend that. @param {number} found not 0 */
export function describeFacing(found) {
  if (!isTurned(found)) {
    return `about ${found >> PERCENTAGE_SHIFT} % of the ground faces down (flipped winding) and has no mesh: swap two indices of each of its triangles`;
  }
  const up = (found & Z_UP) !== 0 ? 'z' : 'y';
  const direction = directionOf(found);
  const [sign, axis] = direction;
  if (axis === up) return `most triangles face down (flipped winding): ${MIRRORED}`;
  const faces = `the level faces ${direction}, not +${up}: is ${axis} up?`;
  if (axis !== 'x') return `${faces} Set upAxis: '${axis}'${sign === '-' ? `, and ${MIRRORED}` : ''}`;
  const turn = `Turn x, y, z to ${TURNS[up][direction]}`;
  if (sign === '+') return `${faces} ${turn}`;
  return `${faces} ${turn}; if it is mirrored, to ${TURNS[up]['+x']}, and swap two indices of each triangle`;
}
