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

/** Longest crossing on x and z, world units; most crossings that are looked at, from one point and in all: along a long wall there are many. */
export const LONGEST = 8;
const [MOST_FROM, MOST] = [16, 20000];
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

/** The borders of two grounds. @param {MeshGraph} graph @param {Set<PolygonRef>} reached @param {Set<PolygonRef>} goal @returns {Edge[][]} */
const bordersOf = (graph, reached, goal) => [reached, goal].map((polygons) => frontierOf(graph, polygons).map(({ ends }) => ends));

/** Pairs of border points, the nearest first. @param {readonly Vector[]} from @param {readonly Vector[]} to @param {number} [longest] @param {number} [most] from one point @returns {Crossing[]} */
function crossingsBetween(from, to, longest = LONGEST, most = MOST_FROM) {
  const near = new NearPoints(to, APART / 2);
  return from.flatMap((start) => near.nearest(start, longest, most).map(({ point, distance }) => ({ start, end: point, distance })))
    .sort((a, b) => a.distance - b.distance).slice(0, MOST);
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
  const [from, to] = bordersOf(graph, reached, goal);
  const crossing = crossingsBetween(pointsOf(from), pointsOf(to)).find((each) => isFree(trials, each));
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
 * The shortest crossing between two grounds, whatever stands in its way; null: none is so short.
 * @param {MeshGraph} graph @param {Set<PolygonRef>} reached @param {Set<PolygonRef>} goal @param {number} longest world units on x and z @returns {Crossing | null}
 */
export function shortestCrossing(graph, reached, goal, longest) {
  const [from, to] = bordersOf(graph, reached, goal), [shortest] = crossingsBetween(pointsOf(from), pointsOf(to), longest, 1);
  return shortest ? shorten(shortest, from, to) : null;
}

/**
 * Tells whether a crossing is free, leads over a fence (anything lower than the agent), or through a wall.
 * @param {LevelTrials} trials @param {Crossing} crossing @returns {'free' | 'fence' | 'wall'}
 */
function obstructionOf(trials, crossing) {
  if (isFree(trials, crossing)) return 'free';
  const { start, end } = crossing, length = across(start, end), top = Math.max(start[1], end[1]) + trials.config.agentHeight;
  const isLow = length > 1e-6 && trials.index.cast([start[0], top, start[2]], (end[0] - start[0]) / length, (end[2] - start[2]) / length, length) === Infinity;
  return isLow ? 'fence' : 'wall';
}

/** Sine of the angle by which a straight crossing is off the right angle to both borders, at most: links leave borders at right angles. */
const STRAIGHT = 0.2;

/** @param {Crossing} crossing @param {readonly Edge[]} from @param {readonly Edge[]} to */
function isStraight({ start, end }, from, to) {
  const length = across(start, end);
  return [[from, start], [to, end]].every(([edges, point]) => /** @type {Edge[]} */ (edges).some(([a, b]) => {
    const side = across(a, b), isOn = distanceOf(nearestOn([a, b], /** @type {Vector} */ (point)), /** @type {Vector} */ (point)) < 1e-3;
    return isOn && Math.abs((b[0] - a[0]) * (end[0] - start[0]) + (b[2] - a[2]) * (end[2] - start[2])) <= STRAIGHT * side * length;
  }));
}

/**
 * The shortest crossings between two grounds, some way from each other: free ones, ones over fences, and straight ones of both; through walls
 * only if there are no others.
 * @param {MeshGraph} graph @param {Set<PolygonRef>} reached @param {Set<PolygonRef>} goal @param {number} longest world units on x and z
 * @param {number} count most of each @param {LevelTrials} trials @returns {Crossing[]}
 */
export function shortestCrossings(graph, reached, goal, longest, count, trials) {
  const [from, to] = bordersOf(graph, reached, goal);
  const [free, fences, walls, straight] = Array.from({ length: 4 }, () => /** @type {Crossing[]} */ ([]));
  const addTo = (/** @type {Crossing[]} */ list, /** @type {Crossing} */ crossing) => {
    const isNew = list.length < count && list.every(({ start, end }) => distanceOf(start, crossing.start) > SPREAD && distanceOf(end, crossing.end) > SPREAD);
    if (isNew) list.push(crossing);
  };
  for (const crossing of crossingsBetween(pointsOf(from), pointsOf(to), longest)) {
    const obstruction = obstructionOf(trials, crossing);
    addTo({ free, fence: fences, wall: walls }[obstruction], crossing);
    if (obstruction !== 'wall' && straight.length < count && isStraight(crossing, from, to)) addTo(straight, crossing);
    if ([free, fences, straight].every(({ length }) => length === count)) break;
  }
  const shortened = (free.length + fences.length > 0 ? [...free, ...fences] : walls).map((crossing) => shorten(crossing, from, to));
  return [...shortened, ...straight].sort((a, b) => a.distance - b.distance);
}
