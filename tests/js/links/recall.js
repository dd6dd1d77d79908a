/**
 * The oracle of recall: where could an agent drop, climb, jump or vault, found by trying every distance from points of the mesh's
 * border, with a cell of slack in every limit? Each such place needs a link near it, unless agents can step there. Reads the voxels of the bake, and the mesh; shares
 * no code with the generator.
 *
 * Slack: the body is a cell wider and, above, a cell higher; near its ends it's lifted by a cell less than the climb, and only within its
 * radius; it takes off a cell inside the border, and lands where the ground continues for a cell on all sides; the limits of distance,
 * height and depth are a cell less; what is vaulted over is a quarter of a cell higher than a step.
 */
import { makeRandom } from '../random.js';
import { jumpPeak } from './precision.js';
import { canStep } from './stepping.js';
import { LINK_KINDS, sweepBody } from './trajectories.js';

/** Points of a border, and landings, lie this many cells apart. */
const POINT_CELLS = 0.5;
/** Bodies are this many cells apart. */
const STEP_CELLS = 0.5;
/** A link counts if both segments pass within this many cells. */
const NEAR_CELLS = 2;
/** A gap narrower than this is none to jump over. */
const LEAST_GAP_CELLS = 2;
/** Drops and climbs, and vaults beside the obstacle's depth, lead this many cells farther than twice the agent's radius, less one of slack. */
const DROP_CELLS = 3;
/** An obstacle is higher than a step by this many cell heights: less depends on how the mesh's heights are rounded. */
const STEP_SLACK = 0.25;
/** A border point is one if the ground has ended this many cells outside. */
const OUTSIDE_CELLS = 0.05;
/** Heights that equal a limit keep it: most are multiples of the cell height. */
const ROUNDING = 1e-3;

/** @typedef {import('./trajectories.js').LinkKind} LinkKind */
/** @typedef {import('./trajectories.js').Link} Link */
/** @typedef {import('./trajectories.js').Point} Point */
/** @typedef {import('./precision.js').Agent} Agent */
/** @typedef {import('./precision.js').Limits} Limits */
/** @typedef {{ point: Point, normal: [number, number] }} BorderPoint */
/** @typedef {{ columns: import('./solid-columns.js').SolidColumns, ground: import('./ground.js').MeshGround, agent: Agent, limits: Limits }} World */

/** Points of the border of the mesh with the directions that lead away from it. @param {World} world @returns {BorderPoint[]} */
export function listBorderPoints({ ground, agent: { cellSize, agentMaxClimb } }) {
  return ground.edges.flatMap(({ a, b, normal }) => {
    const count = Math.max(1, Math.round(Math.hypot(b[0] - a[0], b[2] - a[2]) / (POINT_CELLS * cellSize)));
    const points = Array.from({ length: count }, (_, i) => {
      const share = (i + 0.5) / count, [x, y, z] = [0, 1, 2].map((axis) => a[axis] + share * (b[axis] - a[axis]));
      return { point: [x, ground.heightNear(x, y, z, 0.01 * cellSize), z], normal };
    });
    const away = OUTSIDE_CELLS * cellSize;
    return points.filter(({ point: [x, y, z] }) => Number.isFinite(y)
      && !(Math.abs(ground.heightNear(x + away * normal[0], y, z + away * normal[1]) - y) <= agentMaxClimb));
  });
}

/** True if there is ground a cell away on all four sides, seen along the normal. @param {World} world @param {Point} point @param {[number, number]} normal */
function isInside({ ground, agent: { cellSize, agentMaxClimb } }, [x, y, z], [nx, nz]) {
  return [[nx, nz], [-nx, -nz], [nz, -nx], [-nz, nx]]
    .every(([dx, dz]) => Math.abs(ground.heightNear(x + cellSize * dx, y, z + cellSize * dz) - y) <= agentMaxClimb);
}

/** True if the body, a cell larger than the agent's, passes. @param {World} world @param {import('./trajectories.js').Trajectory} trajectory */
function passes({ columns, agent: { cellSize, cellHeight, agentRadius, agentHeight, agentMaxClimb } }, trajectory) {
  const body = { height: agentHeight + cellHeight, climb: agentMaxClimb - cellHeight, stepZone: agentRadius, step: STEP_CELLS * cellSize };
  return sweepBody(trajectory, body).every((cylinder) => !columns.blocks(cylinder, agentRadius + cellSize));
}

/** The distance on the line from start to end without ground that continues the heights of both. @param {World} world @param {Point} start @param {Point} end */
function gapBetween({ ground, agent: { cellSize, agentMaxClimb } }, start, end) {
  const distance = Math.hypot(end[0] - start[0], end[2] - start[2]), count = Math.ceil(distance / (cellSize / 4));
  const [low, high] = [Math.min(start[1], end[1]) - agentMaxClimb, Math.max(start[1], end[1]) + agentMaxClimb];
  let open = 0;
  for (let i = 0; i < count; i++) {
    const share = (i + 0.5) / count, [x, z] = [0, 2].map((axis) => start[axis] + share * (end[axis] - start[axis]));
    if (!ground.heightsAt(x, z).some((height) => height >= low && height <= high)) open++;
  }
  return (open * distance) / count;
}

/** @type {Record<'drop' | 'climb' | 'jump' | 'vault', (world: World, start: Point, end: Point) => import('./trajectories.js').Trajectory | undefined>} */
const TRAJECTORIES = {
  drop({ limits: { drop }, agent: { cellHeight, agentMaxClimb } }, start, end) {
    const down = start[1] - end[1];
    return drop && down > agentMaxClimb + cellHeight && down <= drop.maxHeight - cellHeight + ROUNDING ? { kind: 'drop', start, end, peak: 0 } : undefined;
  },
  climb({ limits: { climb }, agent: { cellHeight, agentMaxClimb } }, start, end) {
    const up = start[1] - end[1];
    return climb && up > agentMaxClimb + cellHeight && up <= climb.maxHeight - cellHeight + ROUNDING ? { kind: 'climb', start: end, end: start, peak: 0 } : undefined;
  },
  jump(world, start, end) {
    const { limits: { jump }, agent: { cellHeight, cellSize } } = world, up = end[1] - start[1];
    if (!jump || up > jump.maxUp - cellHeight + ROUNDING || -up > jump.maxDown - cellHeight + ROUNDING) return undefined;
    if (!(gapBetween(world, start, end) >= LEAST_GAP_CELLS * cellSize)) return undefined;
    return { kind: 'jump', start, end, peak: Math.max(0, jumpPeak(jump) - Math.max(0, up)) };
  },
  vault(world, start, end) {
    const { limits: { vault }, agent: { cellHeight, cellSize } } = world;
    const obstacle = vault && findObstacle(world, start, end, Math.min(start[1], end[1]) + vault.maxHeight - cellHeight + ROUNDING);
    if (!vault || !obstacle || obstacle.depth > vault.maxDepth - cellSize) return undefined;
    return { kind: 'vault', start, end, peak: obstacle.top + cellHeight - Math.max(start[1], end[1]) };
  },
};

/**
 * What stands between two points, higher than a step and at most `limit` high: its top within the body's width, and its depth where the
 * centre passes. @param {World} world @param {Point} start @param {Point} end @param {number} limit
 */
function findObstacle({ columns, agent: { cellSize, cellHeight, agentRadius, agentMaxClimb } }, start, end, limit) {
  const distance = Math.hypot(end[0] - start[0], end[2] - start[2]), count = Math.ceil(distance / (cellSize / 4));
  const step = Math.max(start[1], end[1]) + agentMaxClimb;
  let [depth, top] = [0, -Infinity];
  for (let i = 0; i <= count; i++) {
    const [x, z] = [0, 2].map((axis) => start[axis] + (i / count) * (end[axis] - start[axis]));
    columns.some(x, z, agentRadius + cellSize, (_, high) => {
      if (high <= limit) top = Math.max(top, high);
      return false;
    });
    if (columns.someOfCell(x, z, (low, high) => high > step && low < limit)) depth += distance / count;
  }
  return depth > 0 && top > step + STEP_SLACK * cellHeight ? { depth, top } : undefined;
}

/** How far each kind leads from the border point, a cell less than allowed. @param {World} world @returns {Record<LinkKind, number>} */
function reachOf({ agent: { cellSize, agentRadius }, limits: { jump, vault } }) {
  const beside = 2 * agentRadius + DROP_CELLS * cellSize;
  return { drop: beside, climb: beside, jump: (jump?.maxDistance ?? 0) - 2 * cellSize, vault: beside + (vault?.maxDepth ?? 0) - cellSize };
}

/**
 * The landings of each kind from a border point: where a body with slack comes to.
 * @param {World} world @param {BorderPoint} border @returns {Record<LinkKind, Point[]>}
 */
export function findLandings(world, { point: [x, y, z], normal }) {
  const { ground, agent: { cellSize, agentMaxClimb }, limits } = world, [nx, nz] = normal, reach = reachOf(world);
  const landings = Object.fromEntries(LINK_KINDS.map((kind) => [kind, /** @type {Point[]} */ ([])]));
  const start = [x - cellSize * nx, y, z - cellSize * nz];
  start[1] = ground.heightNear(start[0], y, start[2]);
  const kinds = LINK_KINDS.filter((kind) => limits[kind]);
  const farthest = Math.max(...kinds.map((kind) => reach[kind]));
  for (let distance = cellSize; Math.abs(start[1] - y) <= agentMaxClimb && distance <= farthest; distance += POINT_CELLS * cellSize) {
    const [endX, endZ] = [x + distance * nx, z + distance * nz];
    for (const height of new Set(ground.heightsAt(endX, endZ))) {
      const end = [endX, height, endZ];
      for (const kind of kinds.filter((one) => distance <= reach[one])) {
        const trajectory = TRAJECTORIES[kind](world, start, end);
        if (trajectory && isInside(world, end, normal) && passes(world, trajectory)) landings[kind].push(end);
      }
    }
  }
  return /** @type {Record<LinkKind, Point[]>} */ (landings);
}

/** True if a segment passes near a point: within a distance on x and z, and at about its height. @param {[Point, Point]} segment @param {Point} point @param {number} distance @param {number} height */
function passesBy([a, b], [x, y, z], distance, height) {
  const [dx, dz] = [b[0] - a[0], b[2] - a[2]], squared = dx * dx + dz * dz;
  const t = squared > 0 ? Math.min(1, Math.max(0, ((x - a[0]) * dx + (z - a[2]) * dz) / squared)) : 0;
  return Math.hypot(a[0] + t * dx - x, a[2] + t * dz - z) <= distance && Math.abs(a[1] + t * (b[1] - a[1]) - y) <= height;
}

/**
 * The ground straight ahead that continues a landing, towards the border and away from it, half a cell apart: links that lead onto it
 * lead to the same place, however far they jump. @param {World} world @param {Point} landing @param {[number, number]} normal @param {number} reach
 */
function continueLanding({ ground, agent: { cellSize, agentMaxClimb } }, landing, [nx, nz], reach) {
  const points = [landing], step = POINT_CELLS * cellSize;
  for (const direction of [step, -step]) {
    let [x, y, z] = landing;
    for (let distance = 0; distance < reach; distance += step) {
      [x, z] = [x + direction * nx, z + direction * nz];
      const height = ground.heightNear(x, y, z);
      if (!(Math.abs(height - y) <= agentMaxClimb)) break;
      y = height;
      points.push([x, y, z]);
    }
  }
  return points;
}

/**
 * True if a link leads from near a border point to near one of its landings; climbs lead the other way.
 * @param {Link} link @param {Point} point @param {Point[]} landings @param {number} distance @param {number} height
 */
function leadsThere({ kind, start, end, bidirectional }, point, landings, distance, height) {
  const ways = kind === 'climb' ? [[end, start]] : [[start, end], ...(bidirectional ? [[end, start]] : [])];
  return ways.some(([near, far]) => passesBy(near, point, distance, height) && landings.some((landing) => passesBy(far, landing, distance, height)));
}

/**
 * The rule of thinning: both segments of `link` lie nowhere farther than `thinning` from those of `other`, which is at least as wide;
 * or `link` is a jump that leads down only, and `other` a drop. @param {Link} link @param {Link} other @param {number} thinning @param {number} height
 */
function isThinnedBy(link, other, thinning, height) {
  const width = ({ start: [a, b] }) => Math.hypot(b[0] - a[0], b[2] - a[2]);
  const isAlike = other.kind === link.kind && width(other) >= width(link) - ROUNDING;
  const isJumpDown = link.kind === 'jump' && !link.bidirectional && other.kind === 'drop';
  return (isAlike || isJumpDown) && [link.start, link.end].every((segment, i) => segment
    .every((point) => passesBy([other.start, other.end][i], point, thinning + ROUNDING, height)));
}

/** Draws `count` of the items, all if there are fewer. @template T @param {T[]} items @param {number} count @param {number} seed @returns {T[]} */
function sample(items, count, seed) {
  const random = makeRandom(seed), left = [...items];
  if (left.length <= count) return left;
  return Array.from({ length: count }, (_, i) => {
    const at = i + random.below(left.length - i);
    [left[i], left[at]] = [left[at], left[i]];
    return left[i];
  });
}

/**
 * @typedef {object} Recall
 * @property {number} points border points that were tried
 * @property {number} found of them, those with a landing
 * @property {number} matched of those, the ones with a link
 * @property {number} explained without thinning they have one, and it is thinned as the rule says
 * @property {number} walkable they have none, and agents can step to each landing
 * @property {{ point: Point, normal: [number, number], landings: Point[] }[]} missed
 */

/**
 * @param {readonly Link[]} links @param {readonly Link[]} unthinned the links of a generation without thinning
 * @param {World} world @param {{ points?: number, seed?: number }} [options] points: tries so many, drawn by the seed
 * @returns {Record<LinkKind, Recall>}
 */
export function measureRecall(links, unthinned, world, { points = Infinity, seed = 1 } = {}) {
  const { agent: { cellSize, cellHeight, agentRadius, agentMaxClimb }, limits } = world;
  const borders = sample(listBorderPoints(world), points, seed), reach = reachOf(world), height = agentMaxClimb + cellHeight;
  const result = Object.fromEntries(LINK_KINDS.map((kind) => [kind, { points: borders.length, found: 0, matched: 0, explained: 0, walkable: 0, missed: /** @type {any[]} */ ([]) }]));
  for (const border of borders) {
    const found = findLandings(world, border);
    for (const kind of LINK_KINDS.filter((one) => found[one].length > 0)) {
      const recall = result[kind], landings = found[kind].flatMap((landing) => continueLanding(world, landing, border.normal, reach[kind]));
      const leads = (/** @type {Link} */ link) => link.kind === kind && leadsThere(link, border.point, landings, NEAR_CELLS * cellSize, height);
      recall.found++;
      if (links.some(leads)) recall.matched++;
      else if (unthinned.some((link) => leads(link) && links.some((other) => isThinnedBy(link, other, limits.thinning ?? agentRadius, height)))) recall.explained++;
      else if (found[kind].every((landing) => canStep(world, border.point, landing))) recall.walkable++;
      else recall.missed.push({ ...border, landings: found[kind] });
    }
  }
  return /** @type {Record<LinkKind, Recall>} */ (result);
}
