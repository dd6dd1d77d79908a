/** The places where a search ended: the borders of the ground that it reached, in groups. */
import { between } from './mesh-graph.js';
import { NearPoints } from './near-points.js';
import { across, distanceOf, nearestOn } from './reach.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('./mesh-graph.js').Vector} Vector */
/** @typedef {import('./reach.js').FrontierEdge} FrontierEdge */

/**
 * A place where the search ended.
 * @typedef {object} Place
 * @property {Vector} point the one of its edges nearest to the goal
 * @property {number} distance from there to the goal: the ground that leads to the end, or the end itself, world units
 * @property {PolygonRef[]} polygons reached ones that have these edges
 * @property {Float32Array} edges [n][2][3] both ends of each
 */

/** Most places, and the distance on x and z up to which edges belong to a place, world units. */
const [MOST_PLACES, TOGETHER] = [24, 2];
/** Of the ground that leads to the end, one point is kept in each cube of this side, world units. */
const APART = 1;

/** The shortest line from a place to the borders of the goal, moved along both until it is shortest. @param {Vector} point of the place @param {number} distance @param {readonly FrontierEdge[]} edges of the place @param {readonly [Vector, Vector][]} borders */
function shortestLine(point, distance, edges, borders) {
  let best = { point, distance };
  for (let round = 0; round < 2; round++) {
    const from = best.point;
    for (const border of borders) {
      const goal = nearestOn(border, from);
      if (distanceOf(from, goal) > 1.5 * best.distance) continue;
      for (const { ends } of edges) {
        const nearer = nearestOn(ends, goal), length = distanceOf(nearer, goal);
        if (length < best.distance) best = { point: nearer, distance: length };
      }
    }
  }
  return best;
}

/**
 * Groups edges into places, the nearest to the goal first.
 * @param {readonly FrontierEdge[]} edges @param {readonly Vector[]} goals points of ground that leads to the end @param {readonly [Vector, Vector][]} borders of that ground
 * @param {Vector} end @returns {Place[]}
 */
export function placesOf(edges, goals, borders, end) {
  const near = new NearPoints(goals.length > 0 ? [...goals, ...borders.map(([a, b]) => between(a, b))] : [end], APART);
  const rated = edges.map((edge) => ({ edge, .../** @type {{ point: Vector, distance: number }} */ (near.nearestTo(edge.ends, edge.point)) })).sort((a, b) => a.distance - b.distance);
  /** @type {{ point: Vector, distance: number, edges: FrontierEdge[] }[]} */
  const places = [];
  for (const { edge, point, distance } of rated) {
    const place = places.find((other) => across(other.point, nearestOn(edge.ends, other.point)) <= TOGETHER && Math.abs(other.point[1] - point[1]) <= TOGETHER);
    if (place) place.edges.push(edge);
    else if (places.length < MOST_PLACES) places.push({ point, distance, edges: [edge] });
  }
  return places.map(({ point, distance, edges: list }) => ({
    ...shortestLine(point, distance, list, borders), polygons: [...new Set(list.map(({ polygon }) => polygon))],
    edges: Float32Array.from(list.flatMap(({ ends }) => ends.flat())),
  })).sort((a, b) => a.distance - b.distance);
}
