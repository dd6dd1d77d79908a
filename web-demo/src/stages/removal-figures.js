/** The figures behind a removal: drop, headroom, distance, size. */
import { CODES_OF, REMOVALS, middleOf, removalsOf } from './removal.js';
import { neighbourOf } from './record.js';

/** @typedef {import('./record.js').TileRecord} TileRecord */
/** @typedef {import('./volumes.js').NamedVolume} NamedVolume */

/** Height of a missing ceiling, cell heights. */
const SKY = 65535;

/** The ceiling above a solid span, cell heights. @param {TileRecord} record @param {number} cell @param {number} span */
export const ceilingOf = ({ solid }, cell, span) => (span + 1 < solid.first[cell + 1] ? solid.low[span + 1] : SKY);

/**
 * Headroom above a solid span, world units; Infinity: no ceiling.
 * @param {TileRecord} record @param {number} cell @param {number} span
 */
export function headroomOf(record, cell, span) {
  const ceiling = ceilingOf(record, cell, span);
  return ceiling === SKY ? Infinity : (ceiling - record.solid.high[span]) * record.frame.cellHeight;
}

/** Directions of neighbours in the order of the stages: x and z. */
const DIRECTIONS = [[-1, 0], [0, 1], [1, 0], [0, -1]];

/**
 * The reason the ledge filter removes a span.
 * @param {TileRecord} record @param {number} cell @param {number} span @param {number} [climb] max step height, cells
 * @returns {{ drop: number, beside: { x: number, z: number, high: number } | null, isVoid: boolean, isEdge: boolean, spread: number }}
 *   drop: the deepest step down to a neighbour, world units; beside: that neighbour, in cells from this one; isVoid: a neighbour has no ground at all; isEdge: the grid ends there; spread: difference between the highest and the lowest
 *   neighbour within the step height
 */
export function ledgeAt({ frame: { width, depth, cellHeight }, solid, voxels }, cell, span, climb = voxels.walkableClimb) {
  const { walkableHeight } = voxels;
  const [floor, ceiling] = [solid.high[span], span + 1 < solid.first[cell + 1] ? solid.low[span + 1] : SKY];
  let [drop, low, high, isVoid, isEdge] = [0, floor, floor, false, false];
  /** @type {{ x: number, z: number, high: number } | null} */
  let beside = null;
  for (const [dx, dz] of DIRECTIONS) {
    const [x, z] = [cell % width + dx, Math.floor(cell / width) + dz];
    if (x < 0 || z < 0 || x >= width || z >= depth) {
      isEdge = true;
      continue;
    }
    const [first, end] = [solid.first[x + z * width], solid.first[x + z * width + 1]];
    if (Math.min(ceiling, first < end ? solid.low[first] : SKY) - floor >= walkableHeight) isVoid = true;
    for (let i = first; i < end; i++) {
      const other = solid.high[i];
      const room = Math.min(ceiling, i + 1 < end ? solid.low[i + 1] : SKY) - Math.max(floor, other);
      if (room < walkableHeight) continue;
      if (floor - other > drop) [drop, beside] = [floor - other, { x: dx, z: dz, high: other }];
      if (Math.abs(other - floor) <= climb) [low, high] = [Math.min(low, other), Math.max(high, other)];
    }
  }
  return { drop: drop * cellHeight, beside, isVoid, isEdge, spread: (high - low) * cellHeight };
}

/** @typedef {'wall' | 'ledge' | 'steep' | 'headroom' | 'volume' | 'edge'} Blocker what erosion keeps the radius from */

/**
 * The blocker in a cell beside ground at a height; null: the cell is walkable there.
 * @param {TileRecord} record @param {number} cell @param {number} floor cell heights @param {number} steps from the ground to the cell
 * @param {Uint8Array} removals @returns {Blocker | null}
 */
function blockerIn(record, cell, floor, steps, removals) {
  const { solid, open, voxels: { walkableClimb, walkableHeight } } = record;
  const reach = Math.max(walkableClimb, 1) * Math.max(steps, 1);
  for (let i = open.first[cell]; i < open.first[cell + 1]; i++) {
    if (Math.abs(open.floor[i] - floor) <= reach) return removals[open.solid[i]] === CODES_OF.volume ? 'volume' : null;
  }
  for (let span = solid.first[cell]; span < solid.first[cell + 1]; span++) {
    if (Math.abs(solid.high[span] - floor) > reach) {
      if (solid.low[span] < floor + walkableHeight && solid.high[span] > floor + walkableClimb) return 'wall';
      continue;
    }
    if (removals[span] === CODES_OF.ledge) return 'ledge';
    if (removals[span] === CODES_OF.headroom) return 'headroom';
    return 'steep';
  }
  return solid.first[cell] === solid.first[cell + 1] ? 'edge' : 'ledge';
}

/**
 * The drop in a cell that erosion keeps its distance from: beside a ledge there, or down to the cell's own ground.
 * @param {TileRecord} record @param {readonly NamedVolume[]} volumes @param {number} cell of the blocker @param {number} floor cell heights @returns {{ floor: number, beside: { x: number, z: number, high: number } } | null}
 *   floor: at the ledge, beside: the lower ground, in cells from the blocker's; null: no ground is below
 */
export function dropIn(record, volumes, cell, floor) {
  const { solid, voxels: { walkableClimb, walkableHeight } } = record;
  const removals = removalsOf(record, volumes);
  /** @type {ReturnType<typeof dropIn>} */
  let below = null;
  for (let span = solid.first[cell]; span < solid.first[cell + 1]; span++) {
    const high = solid.high[span];
    if (removals[span] === CODES_OF.ledge && Math.abs(high - floor) <= walkableHeight) {
      const { drop, beside } = ledgeAt(record, cell, span);
      if (beside && drop > walkableClimb * record.frame.cellHeight + 1e-6) return { floor: high, beside };
    }
    if (high < floor) below = { floor, beside: { x: 0, z: 0, high } };
  }
  return below;
}

/**
 * Solid spans around a cell with their tops at most the agent's height above or below a floor.
 * @param {TileRecord} record @param {readonly NamedVolume[]} volumes @param {number} cell @param {number} floor cell heights @param {number} reach cells
 * @returns {{ cell: number, span: number, removal: import('./removal.js').Removal }[]}
 */
export function spansAround(record, volumes, cell, floor, reach) {
  const { frame: { width, depth }, solid, voxels: { walkableHeight } } = record;
  const removals = removalsOf(record, volumes);
  const [x, z] = [cell % width, Math.floor(cell / width)];
  const found = [];
  for (let row = Math.max(z - reach, 0); row <= Math.min(z + reach, depth - 1); row++) {
    for (let other = row * width + Math.max(x - reach, 0); other <= row * width + Math.min(x + reach, width - 1); other++) {
      for (let span = solid.first[other]; span < solid.first[other + 1]; span++) {
        if (Math.abs(solid.high[span] - floor) <= walkableHeight) found.push({ cell: other, span, removal: REMOVALS[removals[span]] });
      }
    }
  }
  return found;
}

/**
 * The largest radius at which erosion keeps a cell, with a blocked cell at an offset. Erosion starts at the cells beside a blocked one,
 * and counts 2 for a straight step, 3 for a diagonal one.
 * @param {number} dx cells @param {number} dz @returns {number} cells
 */
function radiusBeside(dx, dz) {
  const [far, near] = [Math.max(Math.abs(dx), Math.abs(dz)), Math.min(Math.abs(dx), Math.abs(dz))];
  const [long, short] = [Math.max(far - 1, near), Math.min(far - 1, near)];
  return Math.floor((2 * long + short) / 2);
}

/**
 * The nearest and the farthest point of a cell, seen from a point.
 * @param {{ x: number, z: number }} middle of the cell @param {number} cellSize @param {readonly number[]} point
 */
function rangeTo({ x, z }, cellSize, point) {
  const [dx, dz] = [Math.abs(point[0] - x), Math.abs(point[2] - z)];
  const half = cellSize / 2;
  return { near: Math.hypot(Math.max(dx - half, 0), Math.max(dz - half, 0)), far: Math.hypot(dx + half, dz + half) };
}

/**
 * The nearest blocker that erosion keeps its distance from.
 * @param {TileRecord} record @param {number} cell @param {number} open span @param {readonly NamedVolume[]} volumes
 * @param {readonly number[]} point world units
 * @returns {{ near: number, far: number, blocker: Blocker, cell: number, radiusCells: number }} range of the distance, world units; cell: of
 *   the blocker, -1: outside; radiusCells: the largest radius that keeps the cell
 */
export function blockerNear(record, cell, open, volumes, point) {
  const { frame: { width, depth, cellSize }, voxels: { walkableRadius } } = record;
  const removals = removalsOf(record, volumes);
  const floor = record.open.floor[open];
  const [x, z] = [cell % width, Math.floor(cell / width)];
  const middle = middleOf(record, cell);
  const reach = walkableRadius + 2;
  /** @type {ReturnType<typeof blockerNear>} */
  let best = { near: Infinity, far: Infinity, blocker: 'edge', cell: -1, radiusCells: Infinity };
  for (let dz = -reach; dz <= reach; dz++) {
    for (let dx = -reach; dx <= reach; dx++) {
      const range = rangeTo({ x: middle.x + dx * cellSize, z: middle.z + dz * cellSize }, cellSize, point);
      const radiusCells = Math.min(best.radiusCells, radiusBeside(dx, dz));
      const isNearer = range.near < best.near || (range.near === best.near && range.far < best.far);
      if ((!isNearer && radiusCells === best.radiusCells) || (dx === 0 && dz === 0)) continue;
      const [cx, cz] = [x + dx, z + dz];
      const isInside = cx >= 0 && cz >= 0 && cx < width && cz < depth;
      const blocker = isInside ? blockerIn(record, cx + cz * width, floor, Math.max(Math.abs(dx), Math.abs(dz)), removals) : 'edge';
      if (blocker) best = isNearer ? { ...range, blocker, cell: isInside ? cx + cz * width : -1, radiusCells } : { ...best, radiusCells };
    }
  }
  return best;
}

/**
 * The size of the surface without a region around a span.
 * @param {TileRecord} record @param {number} cell @param {number} open @returns {number} cells
 */
export function lostRegionCells(record, cell, open) {
  const { open: { marked, regions }, frame: { width } } = record;
  const seen = new Set([open]);
  /** @type {[number, number][]} */
  const queue = [[cell, open]];
  for (const [at, span] of queue) {
    for (let direction = 0; direction < 4; direction++) {
      const next = neighbourOf(record, at, span, direction);
      if (next < 0 || seen.has(next) || marked[next] === 0 || regions[next] !== 0) continue;
      seen.add(next);
      queue.push([at + [-1, width, 1, -width][direction], next]);
    }
  }
  return seen.size;
}
