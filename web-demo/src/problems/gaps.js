/**
 * Passages that the agent radius closes: places where the mesh ends, goes on a little farther, and the level is open in between, but
 * narrower than an agent.
 */

/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('walkmesh').TileArrays} TileArrays */
/** @typedef {import('../state/document.js').Point} Point */

/**
 * @typedef {object} Gap
 * @property {Point} from end of the mesh
 * @property {Point} to where it goes on
 * @property {Point} middle between the walls on both sides
 * @property {number} width between these walls, world units
 */

/**
 * What the search needs to know of the level.
 * @typedef {object} Probe
 * @property {(from: Point, direction: readonly number[], reach: number) => number} cast distance to the level; Infinity: none within reach
 */

/** @typedef {{ agentRadius: number, agentHeight: number, agentMaxClimb: number, cellSize: number, cellHeight: number }} Sizes */

/** Deepest passage beside the radius on both sides, world units: thick walls. */
const DEEP = 1;
/** Distance between samples of an edge, and between two gaps that count as one, world units. */
const [APART, SAME] = [0.5, 1.5];
/** Code of an edge without a neighbour. */
const WALL = 0;

/**
 * Points on the walls of a tile's mesh, with the direction away from the mesh.
 * @param {TileArrays} tile @returns {Generator<{ polygon: number, point: Point, out: [number, number] }>} polygon: its index in the tile
 */
export function* wallPoints({ groundCount, sizes, polygons, neighbours, vertices }) {
  for (let p = 0; p < groundCount; p++) {
    const size = sizes[p];
    const corner = (/** @type {number} */ k) => vertices.subarray(3 * polygons[6 * p + k % size], 3 * polygons[6 * p + k % size] + 3);
    for (let k = 0; k < size; k++) {
      if (neighbours[6 * p + k] !== WALL) continue;
      const [a, b, other] = [corner(k), corner(k + 1), corner(k + 2)];
      const [dx, dz] = [b[0] - a[0], b[2] - a[2]];
      const length = Math.hypot(dx, dz);
      if (length === 0) continue;
      // Away from the polygon: its next corner lies on the other side.
      const sign = Math.sign(dz * (other[0] - a[0]) - dx * (other[2] - a[2])) || 1;
      /** @type {[number, number]} */
      const out = [-sign * dz / length, sign * dx / length];
      const count = Math.max(1, Math.round(length / APART));
      for (let i = 0; i < count; i++) {
        const t = (i + 0.5) / count;
        yield { polygon: p, point: [a[0] + t * dx, a[1] + t * (b[1] - a[1]), a[2] + t * dz], out };
      }
    }
  }
}

/**
 * Where the mesh goes on beyond a wall. @param {NavMesh} navMesh @param {Point} point @param {[number, number]} out @param {number} reach @param {Sizes} sizes
 * @returns {{ point: Point, distance: number } | null}
 */
function beyond(navMesh, [x, y, z], [dx, dz], reach, { cellSize, agentMaxClimb, cellHeight }) {
  const halfExtents = [cellSize / 2, agentMaxClimb + 2 * cellHeight, cellSize / 2];
  for (let distance = 1.5 * cellSize; distance <= reach; distance += cellSize / 2) {
    const nearest = navMesh.nearestPoint([x + distance * dx, y, z + distance * dz], { halfExtents: /** @type {Point} */ (halfExtents) });
    if (nearest?.isOver) return { point: nearest.point, distance };
  }
  return null;
}

/**
 * The passage beyond a point of a wall, if the level is open there and too narrow for the agent.
 * @param {NavMesh} navMesh @param {Probe} probe @param {{ point: Point, out: [number, number] }} wall @param {Sizes} sizes @returns {Gap | null}
 */
export function gapBeyond(navMesh, { cast }, { point, out: [dx, dz] }, sizes) {
  const { agentRadius, agentMaxClimb, agentHeight, cellSize, cellHeight } = sizes;
  const reach = 2 * agentRadius + DEEP + 2 * cellSize;
  // Above steps, below the head.
  const lift = Math.min(agentMaxClimb + 2 * cellHeight, 0.9 * agentHeight);
  const eye = /** @type {(at: Point) => Point} */ (([x, y, z]) => [x, y + lift, z]);
  const free = cast(eye(point), [dx, 0, dz], reach);
  const next = beyond(navMesh, point, [dx, dz], Math.min(free, reach), sizes);
  if (!next) return null;
  const half = next.distance / 2;
  const centre = /** @type {Point} */ ([point[0] + half * dx, (point[1] + next.point[1]) / 2, point[2] + half * dz]);
  const ground = cast(eye(centre), [0, -1, 0], lift + agentMaxClimb + 2 * cellHeight);
  const widest = 2 * (agentRadius + 2 * cellSize);
  const [left, right] = [1, -1].map((sign) => cast(eye(centre), [-sign * dz, 0, sign * dx], widest));
  const width = left + right;
  if (ground === Infinity || !(width <= widest) || width < 2 * cellSize) return null;
  const shift = (left - right) / 2;
  const middle = /** @type {Point} */ ([centre[0] - shift * dz, eye(centre)[1] - ground, centre[2] + shift * dx]);
  return { from: point, to: next.point, middle, width };
}

/** Adds a gap unless it is there already; the narrowest place of each counts. @param {Gap[]} gaps @param {Gap} gap */
export function addGap(gaps, gap) {
  const at = gaps.findIndex(({ middle }) => Math.hypot(...middle.map((value, axis) => value - gap.middle[axis])) < SAME);
  if (at < 0) gaps.push(gap);
  else if (gap.width < gaps[at].width) gaps[at] = gap;
}

/** Length of a way around that makes a gap unimportant, world units. */
const SHORT = 6;

/** How much a gap matters: `cut` without it there is no way; `detour` a long one; `none`. @param {NavMesh} navMesh @param {Gap} gap @returns {'cut' | 'detour' | 'none'} */
export function importanceOf(navMesh, { from, to }) {
  const path = navMesh.findPath(from, to);
  if (path.status !== 'complete') return 'cut';
  return path.length > SHORT + 4 * Math.hypot(...from.map((value, axis) => value - to[axis])) ? 'detour' : 'none';
}
