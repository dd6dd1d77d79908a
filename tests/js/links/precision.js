/**
 * The oracle of precision: is each link what it says, at nine positions across it? The body sweeps through the source triangles, both
 * ends lie on the mesh, and the limits of its kind hold. Judges plain data.
 */
import { LINK_KINDS, sweepBody, trajectoryAt } from './trajectories.js';

const ACROSS = Array.from({ length: 9 }, (_, i) => i / 8);
/** Bodies are at most this many cells apart. */
const STEP_CELLS = 0.25;
/** The ends are at most this many cells off the mesh. */
const END_CELLS = 0.25;
/** For rounding to float32. */
const ROUNDING = 1e-3;

/** @typedef {import('./trajectories.js').Link} Link */
/** @typedef {{ cellSize: number, cellHeight: number, agentRadius: number, agentHeight: number, agentMaxClimb: number }} Agent */
/**
 * @typedef {object} Limits as `links` of a bake; kinds without limits are off
 * @property {{ maxHeight: number }} [drop]
 * @property {{ maxDistance: number, maxUp: number, maxDown: number, peak?: number }} [jump]
 * @property {{ maxHeight: number }} [climb]
 * @property {{ maxHeight: number, maxDepth: number }} [vault]
 * @property {number} [thinning]
 */
/**
 * @typedef {object} Judged
 * @property {import('./triangle-grid.js').TriangleGrid} triangles of the level
 * @property {import('./ground.js').MeshGround} ground of the mesh
 * @property {Agent} agent
 * @property {Limits} limits
 */
/** @typedef {{ link: number, kind: string, across: number, what: string, value: number, place?: number[] }} Fault */

/** How far a jump rises above its take-off. @param {Required<Limits>['jump']} jump */
export const jumpPeak = ({ maxUp, maxDistance, peak }) => peak ?? Math.max(maxUp, maxDistance / 8);

const between = (value, low, high, slack) => value >= low - slack && value <= high + slack;

/** What breaks the limits of a kind: words and the value at fault. @param {import('./trajectories.js').Trajectory} trajectory @param {Limits} limits @param {Agent} agent */
function* brokenLimits({ kind, start, end, peak }, limits, { cellSize, cellHeight, agentMaxClimb, agentRadius }) {
  const rise = end[1] - start[1], distance = Math.hypot(end[0] - start[0], end[2] - start[2]);
  const { drop, jump, climb, vault } = limits;
  if (!(peak >= 0)) yield ['peak below both ends', peak];
  if (!limits[kind]) yield ['kind is off', 0];
  if (drop && kind === 'drop' && !between(-rise, agentMaxClimb, drop.maxHeight, cellHeight)) yield ['height of a drop', -rise];
  if (climb && kind === 'climb' && !between(rise, agentMaxClimb, climb.maxHeight, cellHeight)) yield ['height of a climb', rise];
  if (jump && kind === 'jump') {
    if (!(distance <= jump.maxDistance + ROUNDING)) yield ['distance of a jump', distance];
    if (!between(rise, -jump.maxDown, jump.maxUp, cellHeight)) yield ['height of a jump', rise];
    if (!(peak <= jumpPeak(jump) + ROUNDING)) yield ['peak of a jump', peak];
  }
  if (vault && kind === 'vault') {
    if (!(peak + Math.abs(rise) <= vault.maxHeight + 2 * cellHeight)) yield ['height of a vault', peak + Math.abs(rise)];
    if (!(distance <= vault.maxDepth + 2 * (agentRadius + 3 * cellSize))) yield ['depth of a vault', distance];
  }
}

/** How far a jump rises above its lowest take-off, of all positions; back, too, if it leads both ways. @param {Link} link */
function riseOf(link) {
  return Math.max(...ACROSS.map((across) => {
    const { start, end, peak } = trajectoryAt(link, across), up = end[1] - start[1];
    return peak + Math.max(0, link.bidirectional ? Math.abs(up) : up);
  }));
}

/** What is wrong with the ends. @param {import('./trajectories.js').Trajectory} trajectory @param {Judged} judged @param {boolean} isTip true for the ends of a segment */
function* looseEnds({ start, end }, { ground, agent: { cellSize, cellHeight } }, isTip) {
  for (const [name, [x, y, z]] of /** @type {const} */ ([['start', start], ['end', end]])) {
    const off = ground.heightNear(x, y, z, END_CELLS * cellSize) - y;
    if (Number.isNaN(off)) yield [`${name} off the mesh`, Infinity];
    else if (!(Math.abs(off) <= (isTip ? cellHeight : Math.max(cellSize, 2 * cellHeight)))) yield [`height of the ${name}`, off];
  }
}

/**
 * The first body that touches the level by more than a cell: on x and z, and vertically.
 * @param {import('./trajectories.js').Trajectory} trajectory @param {Judged} judged
 */
export function findTouch(trajectory, { triangles, agent: { cellSize, cellHeight, agentRadius, agentHeight, agentMaxClimb } }) {
  const body = { height: agentHeight, climb: agentMaxClimb, stepZone: agentRadius + cellSize + ROUNDING, step: STEP_CELLS * Math.min(cellSize, cellHeight) };
  for (const { x, z, low, high } of sweepBody(trajectory, body)) {
    const touching = triangles.findTouching({ x, z, low: low + cellHeight, high: high - cellHeight }, agentRadius - cellSize);
    if (touching) return { place: [x, low, z], penetration: agentRadius - touching.distance, triangle: touching.triangle };
  }
  return undefined;
}

/** "Left" as in portals: the end that comes first along the polygon's edge. @param {Link} link */
function* faultsOfForm({ kind, start, end, peak }) {
  const width = ([a, b]) => Math.hypot(b[0] - a[0], b[2] - a[2]);
  if (!LINK_KINDS.includes(kind)) yield ['kind', NaN];
  if (![...start, ...end].flat().every(Number.isFinite) || !Number.isFinite(peak)) yield ['number', NaN];
  if (!(width(start) > 0)) yield ['width', width(start)];
  if (!(Math.abs(width(start) - width(end)) <= ROUNDING)) yield ['segments of different lengths', width(start) - width(end)];
  const [forward, left] = [end, [start[0]]].map((segment) => [0, 2].map((axis) => middleOf(segment, axis) - middleOf(start, axis)));
  if (!(left[0] * forward[1] - left[1] * forward[0] < 0)) yield ['left and right are swapped', NaN];
}

const middleOf = (points, axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;

/** The faults of one link, at most one of each sort at a position. @param {Link} link @param {number} index @param {Judged} judged @returns {Fault[]} */
export function judgeLink(link, index, judged) {
  /** @type {Fault[]} */
  const faults = [];
  const add = (across, what, value, place) => faults.push({ link: index, kind: link.kind, across, what, value, ...(place && { place }) });
  for (const [what, value] of faultsOfForm(link)) add(0, what, value);
  if (faults.length > 0) return faults;
  const { limits: { jump }, agent: { cellHeight } } = judged;
  if (jump && link.kind === 'jump' && !(riseOf(link) <= jumpPeak(jump) + cellHeight)) add(0, 'rise of a jump', riseOf(link));
  for (const across of ACROSS) {
    const trajectory = trajectoryAt(link, across);
    for (const [what, value] of brokenLimits(trajectory, judged.limits, judged.agent)) add(across, String(what), value);
    for (const [what, value] of looseEnds(trajectory, judged, across === 0 || across === 1)) add(across, String(what), value);
    const touch = findTouch(trajectory, judged);
    if (touch) add(across, 'body touches the level', touch.penetration, touch.place);
  }
  return faults;
}

/** @param {readonly Link[]} links @param {Judged} judged @returns {Fault[]} */
export const judgeLinks = (links, judged) => links.flatMap((link, i) => judgeLink(link, i, judged));
