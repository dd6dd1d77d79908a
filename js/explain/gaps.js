/** Gaps and steps that no configuration passes: the shortest free line between the reached ground and that of the end. */
import { between } from './mesh-graph.js';
import { NearPoints } from './near-points.js';
import { across, distanceOf, frontierOf, nearestOn } from './reach.js';
import { changeText, gapText, ledgeText } from './words.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('./causes.js').Cause} Cause */
/** @typedef {import('./causes.js').Change} Change */
/** @typedef {import('./causes.js').MeshTrials} MeshTrials */
/** @typedef {import('./level-trials.js').LevelTrials} LevelTrials */
/** @typedef {import('./mesh-graph.js').MeshGraph} MeshGraph */
/** @typedef {import('./mesh-graph.js').Vector} Vector */
/** @typedef {{ start: Vector, end: Vector, distance: number }} Crossing */

/** Longest crossing on x and z, world units; most crossings that are looked at, from one point and in all. */
export const LONGEST = 8;
const [MOST_FROM, MOST] = [12, 400];
/** Distance between samples of a border, world units. */
const APART = 0.5;
/** Distance between crossings that count as different, world units. */
const SPREAD = 2;
/** A gap narrower than this is none: the ground is cut by a step. */
const NARROW = 0.05;

/** @typedef {[Vector, Vector]} Edge */

/** Points along edges. @param {readonly Edge[]} edges @returns {Vector[]} */
const pointsOf = (edges) => edges.flatMap(([a, b]) => {
  const count = Math.max(1, Math.ceil(across(a, b) / APART));
  return Array.from({ length: count + 1 }, (_, k) => between(a, b, k / count));
});

/** The nearest point of edges to a point, of those near a first guess. @param {readonly Edge[]} edges @param {Vector} guess @param {Vector} to @returns {Vector} */
function nearestTo(edges, guess, to) {
  const near = edges.map((edge) => nearestOn(edge, guess)).map((point, i) => ({ point, edge: edges[i] })).filter(({ point }) => distanceOf(point, guess) <= 2 * APART);
  return near.map(({ edge }) => nearestOn(edge, to)).reduce((best, point) => (distanceOf(point, to) < distanceOf(best, to) ? point : best), guess);
}

/** A crossing with its ends moved along the borders until it is shortest. @param {Crossing} crossing @param {readonly Edge[]} from @param {readonly Edge[]} to @returns {Crossing} */
function shorten({ start, end }, from, to) {
  for (let round = 0; round < 3; round++) {
    end = nearestTo(to, end, start);
    start = nearestTo(from, start, end);
  }
  return { start, end, distance: distanceOf(start, end) };
}

/** Pairs of border points, the nearest first. @param {readonly Vector[]} from @param {readonly Vector[]} to @param {number} [longest] @param {number} [most] from one point @returns {Crossing[]} */
function crossingsBetween(from, to, longest = LONGEST, most = MOST_FROM) {
  const near = new NearPoints(to, APART / 2);
  return from.flatMap((start) => near.nearest(start, longest, most).map(({ point, distance }) => ({ start, end: point, distance })))
    .sort((a, b) => a.distance - b.distance);
}

/** The height above the ground at which nothing may be in the way. @param {LevelTrials} trials */
const liftOf = ({ config: { agentHeight, agentMaxClimb, cellHeight } }) => Math.min(agentMaxClimb + 2 * cellHeight, 0.9 * agentHeight);

/** True if nothing is between two points for an agent that goes out at the height of the upper one, and then down. @param {LevelTrials} trials @param {Crossing} crossing */
function isFree(trials, { start, end }) {
  const { index, config: { agentHeight } } = trials;
  const [upper, lower] = start[1] >= end[1] ? [start, end] : [end, start];
  const length = across(start, end), lift = liftOf(trials);
  const [dx, dz] = length > 1e-6 ? [(lower[0] - upper[0]) / length, (lower[2] - upper[2]) / length] : [1, 0];
  const isClear = [lift, 0.9 * agentHeight].every((up) => index.cast([upper[0], upper[1] + up, upper[2]], dx, dz, length) === Infinity);
  return isClear && index.heights(lower[0], lower[2]).every((height) => height <= lower[1] + lift || height > upper[1] + lift);
}

/** How far the ground goes on from a point towards another one, world units on x and z. @param {LevelTrials} trials @param {Vector} a @param {Vector} b */
function groundUpTo({ index, config: { agentMaxClimb, cellHeight, cellSize } }, a, b) {
  const length = across(a, b), slack = agentMaxClimb + 2 * cellHeight;
  let [height, end] = [a[1], 0];
  for (let step = cellSize; step > cellSize / 100; step /= 4) {
    for (; end + step < length; end += step) {
      const at = between(a, b, (end + step) / length), ground = index.ground(at[0], height, at[2], slack);
      if (ground === null) break;
      height = ground;
    }
  }
  return end;
}

/** Directions to both sides of a crossing in which a gap is measured, degrees: borders of the mesh are a little askew. */
const [WIDEST, TURN] = [20, 2];

/** The width of a gap: the shortest line from the end of the ground to the ground of the other side. @param {LevelTrials} trials @param {Crossing} crossing */
function widthOf(trials, { start, end }) {
  const { index, config: { agentMaxClimb, cellHeight, cellSize } } = trials;
  const length = across(start, end), begin = groundUpTo(trials, start, end);
  const most = Math.max(length - begin - groundUpTo(trials, end, start), 0);
  if (most < NARROW) return most;
  const [x, , z] = between(start, end, begin / length), forward = Math.atan2(end[2] - start[2], end[0] - start[0]);
  let least = most;
  for (let turn = -WIDEST; turn <= WIDEST; turn += TURN) {
    const [dx, dz] = [Math.cos(forward + turn * Math.PI / 180), Math.sin(forward + turn * Math.PI / 180)];
    let at = NARROW;
    while (at < least && index.ground(x + at * dx, end[1], z + at * dz, agentMaxClimb + 2 * cellHeight) === null) at += cellSize / 32;
    least = Math.min(least, at);
  }
  return least;
}

/** A gap or a step, with a connection over it. @typedef {Pick<Cause, 'kind' | 'text' | 'point' | 'figure' | 'changes'> & { crossing: Crossing }} Gap */

/** @param {LevelTrials} trials @param {Crossing} crossing @returns {Gap} */
function describe(trials, crossing) {
  const { start, end } = crossing;
  const { config: { agentMaxClimb, cellHeight } } = trials;
  const height = (/** @type {Vector} */ at) => trials.index.ground(at[0], at[1], at[2], agentMaxClimb + 2 * cellHeight) ?? at[1];
  const rise = height(end) - height(start);
  const width = widthOf(trials, crossing);
  const isStep = width < NARROW && Math.abs(rise) > agentMaxClimb;
  const figure = isStep ? Math.abs(rise) : width;
  /** @type {Change[]} */
  const changes = [{ kind: 'connect', start, end, length: distanceOf(start, end) }];
  return { kind: isStep ? 'step' : 'gap', text: isStep ? ledgeText(rise) : gapText(width, rise), point: start, figure, changes, crossing };
}

/**
 * The nearest free crossing between two grounds, with a change that isn't tried; null: there is none.
 * @param {MeshGraph} graph @param {LevelTrials} trials @param {Set<PolygonRef>} reached @param {Set<PolygonRef>} goal @returns {Gap | null}
 */
export function findGap(graph, trials, reached, goal) {
  const [from, to] = [reached, goal].map((polygons) => frontierOf(graph, polygons).map(({ ends }) => ends));
  const crossing = crossingsBetween(pointsOf(from), pointsOf(to)).slice(0, MOST).find((each) => isFree(trials, each));
  if (!crossing) return null;
  const shorter = shorten(crossing, from, to);
  return describe(trials, isFree(trials, shorter) ? shorter : crossing);
}

/**
 * The nearest free crossing between two grounds as a cause; null: there is none.
 * @param {MeshGraph} graph @param {LevelTrials} trials @param {MeshTrials} mesh @param {Set<PolygonRef>} reached @param {Set<PolygonRef>} goal @returns {Cause | null}
 */
export function gapCause(graph, trials, mesh, reached, goal) {
  const gap = findGap(graph, trials, reached, goal);
  if (!gap) return null;
  const { crossing: _, ...cause } = gap, isVerified = mesh.lengthWith(cause.changes) !== null;
  return { ...cause, text: `${cause.text} ${changeText(cause.changes, isVerified)}`, isVerified, saves: null };
}

/**
 * The shortest crossings between two grounds, free or not, some way from each other.
 * @param {MeshGraph} graph @param {Set<PolygonRef>} reached @param {Set<PolygonRef>} goal @param {number} longest world units on x and z @param {number} count @returns {Crossing[]}
 */
export function shortestCrossings(graph, reached, goal, longest, count) {
  const [from, to] = [reached, goal].map((polygons) => frontierOf(graph, polygons).map(({ ends }) => ends));
  /** @type {Crossing[]} */
  const found = [];
  for (const crossing of crossingsBetween(pointsOf(from), pointsOf(to), longest, count === 1 ? 1 : MOST_FROM)) {
    if (found.length === count) break;
    if (found.every(({ start, end }) => distanceOf(start, crossing.start) > SPREAD && distanceOf(end, crossing.end) > SPREAD)) found.push(crossing);
  }
  return found.map((crossing) => shorten(crossing, from, to));
}
