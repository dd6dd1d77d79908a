/** Gaps and steps that no configuration passes: the shortest free line between the reached ground and that of the end. */
import { MeshGraph, between } from './mesh-graph.js';
import { NearPoints, across, distanceOf, frontierOf } from './reach.js';
import { changeText, gapText, ledgeText } from './words.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('./causes.js').Cause} Cause */
/** @typedef {import('./causes.js').Change} Change */
/** @typedef {import('./causes.js').MeshTrials} MeshTrials */
/** @typedef {import('./level-trials.js').LevelTrials} LevelTrials */
/** @typedef {import('./mesh-graph.js').Vector} Vector */
/** @typedef {{ start: Vector, end: Vector, distance: number }} Crossing */

/** Longest crossing on x and z, world units, and most crossings that are looked at, from one point and in all. */
const [LONGEST, MOST_FROM, MOST] = [8, 12, 400];
/** Distance between samples of a border, world units. */
const APART = 0.5;
/** A gap narrower than this is none: the ground is cut by a step. */
const NARROW = 0.05;

/** Points along the borders of some ground. @param {MeshGraph} graph @param {Set<PolygonRef>} polygons @returns {Vector[]} */
function borderPoints(graph, polygons) {
  return frontierOf(graph, polygons).flatMap(({ ends: [a, b] }) => {
    const count = Math.max(1, Math.ceil(across(a, b) / APART));
    return Array.from({ length: count + 1 }, (_, k) => between(a, b, k / count));
  });
}

/** Pairs of border points, the nearest first. @param {readonly Vector[]} from @param {readonly Vector[]} to @returns {Crossing[]} */
function crossingsBetween(from, to) {
  const index = new NearPoints(to, LONGEST, APART / 2);
  const byDistance = (/** @type {Crossing} */ a, /** @type {Crossing} */ b) => a.distance - b.distance;
  const crossingsOf = (/** @type {Vector} */ start) => index.around(start).map((end) => ({ start, end, distance: distanceOf(start, end) }))
    .filter(({ end }) => across(start, end) <= LONGEST).sort(byDistance).slice(0, MOST_FROM);
  return from.flatMap(crossingsOf).sort(byDistance);
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

/** @param {LevelTrials} trials @param {Crossing} crossing @param {MeshTrials} mesh @param {number | null} before @returns {Cause} */
function describe(trials, crossing, mesh, before) {
  const { start, end } = crossing;
  const { config: { agentMaxClimb, cellHeight } } = trials;
  const height = (/** @type {Vector} */ at) => trials.index.ground(at[0], at[1], at[2], agentMaxClimb + 2 * cellHeight) ?? at[1];
  const rise = height(end) - height(start);
  const width = Math.max(across(start, end) - groundUpTo(trials, start, end) - groundUpTo(trials, end, start), 0);
  const isStep = width < NARROW && Math.abs(rise) > agentMaxClimb;
  const figure = isStep ? Math.abs(rise) : width;
  /** @type {Change[]} */
  const changes = [{ kind: 'connect', start, end, length: figure }];
  const length = mesh.lengthWith(changes);
  const text = isStep ? ledgeText(rise) : gapText(width, rise);
  return {
    kind: isStep ? 'step' : 'gap', text: `${text} ${changeText(changes, length !== null)}`, point: start, figure, changes, isVerified: length !== null,
    saves: length !== null && before !== null ? before - length : null,
  };
}

/**
 * The nearest free crossing between two grounds; null: there is none.
 * @param {MeshGraph} graph @param {LevelTrials} trials @param {MeshTrials} mesh @param {Set<PolygonRef>} reached @param {Set<PolygonRef>} goal @returns {Cause | null}
 */
export function gapCause(graph, trials, mesh, reached, goal) {
  const crossings = crossingsBetween(borderPoints(graph, reached), borderPoints(graph, goal)).slice(0, MOST);
  const crossing = crossings.find((each) => isFree(trials, each));
  return crossing ? describe(trials, crossing, mesh, null) : null;
}
