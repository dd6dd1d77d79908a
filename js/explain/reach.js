/** The polygons that lead to a point, and the borders of the ground that a search reached, grouped into places. */
import { between } from './mesh-graph.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('./mesh-graph.js').MeshGraph} MeshGraph */
/** @typedef {import('./mesh-graph.js').Vector} Vector */
/** @typedef {{ polygon: PolygonRef, ends: [Vector, Vector], point: Vector, refused: PolygonRef }} FrontierEdge refused: the polygon behind it; 0: no link leads on */

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
/** Ground of the end within this distance counts as near a border, world units. */
const NEAR = 4;

/** @param {readonly number[]} a @param {readonly number[]} b */
export const distanceOf = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
/** @param {readonly number[]} a @param {readonly number[]} b */
export const across = (a, b) => Math.hypot(a[0] - b[0], a[2] - b[2]);

/** The polygons from which a polygon can be reached. @param {MeshGraph} graph @param {PolygonRef} end @param {(flags: number) => boolean} passes @returns {Set<PolygonRef>} */
export function leadingTo(graph, end, passes) {
  const found = new Set([end]);
  for (const polygon of found) {
    const before = [...graph.targets(polygon).filter((to) => graph.leads(to, polygon)), ...graph.endingAt(polygon), ...graph.leadingOnto(polygon)];
    for (const other of before) if (!found.has(other) && passes(graph.flags(other))) found.add(other);
  }
  return found;
}

/** The polygons that can be reached from a polygon. @param {MeshGraph} graph @param {PolygonRef} start @param {(flags: number) => boolean} passes @returns {Set<PolygonRef>} */
export function leadingFrom(graph, start, passes) {
  const found = new Set([start]);
  for (const polygon of found) {
    for (const to of graph.targets(polygon)) if (!found.has(to) && passes(graph.flags(to))) found.add(to);
  }
  return found;
}

/** The edges of polygons that lead to no other of them. @param {MeshGraph} graph @param {Set<PolygonRef>} polygons @returns {FrontierEdge[]} */
export function frontierOf(graph, polygons) {
  /** @type {FrontierEdge[]} */
  const edges = [];
  for (const polygon of polygons) {
    for (const { ends, point } of graph.borders(polygon)) edges.push({ polygon, ends, point, refused: 0 });
    for (const { to, ends, point } of graph.steps(polygon)) if (!polygons.has(to)) edges.push({ polygon, ends, point, refused: to });
  }
  return edges;
}

/** The point of a segment nearest to a point on x and z. @param {[Vector, Vector]} segment @param {readonly number[]} point @returns {Vector} */
export function nearestOn([a, b], point) {
  const [dx, dz] = [b[0] - a[0], b[2] - a[2]];
  const squared = dx * dx + dz * dz;
  const t = squared > 0 ? Math.min(Math.max(((point[0] - a[0]) * dx + (point[2] - a[2]) * dz) / squared, 0), 1) : 0;
  return between(a, b, t);
}

/** Points by squares on x and z, at most one in each part of a square. */
export class NearPoints {
  /** @type {Map<string, Vector[]>} */
  #squares = new Map();
  #side;

  /** @param {Iterable<Vector>} points @param {number} side of a square, world units @param {number} apart side of a part */
  constructor(points, side, apart) {
    this.#side = side;
    const known = new Set();
    for (const point of points) {
      const part = point.map((value) => Math.floor(value / apart)).join(' ');
      if (known.has(part)) continue;
      known.add(part);
      const key = this.#keyOf(point, 0, 0);
      this.#squares.set(key, [...(this.#squares.get(key) ?? []), point]);
    }
  }

  /** @param {readonly number[]} point @param {number} dx @param {number} dz squares */
  #keyOf(point, dx, dz) {
    return `${Math.floor(point[0] / this.#side) + dx} ${Math.floor(point[2] / this.#side) + dz}`;
  }

  /** The points in the square of a point and those around it. @param {readonly number[]} point @returns {Vector[]} */
  around(point) {
    return [-1, 0, 1].flatMap((dx) => [-1, 0, 1].flatMap((dz) => this.#squares.get(this.#keyOf(point, dx, dz)) ?? []));
  }
}

/** Sides of the squares in which ground of the end is looked for, world units; beyond the last one the end itself counts. */
const SIDES = [NEAR, 4 * NEAR, 16 * NEAR, 64 * NEAR];

/** The nearest of some points to an edge, of those found in the smallest squares. @param {readonly NearPoints[]} indices by ascending side @param {FrontierEdge} edge @param {readonly number[]} end */
function nearestGoal(indices, edge, end) {
  const near = indices.map((index) => index.around(edge.point)).find((points) => points.length > 0) ?? [end];
  return near.map((goal) => nearestOn(edge.ends, goal)).map((point, i) => ({ point, distance: distanceOf(point, near[i]) })).reduce((a, b) => (b.distance < a.distance ? b : a));
}

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
 * @param {readonly number[]} end @returns {Place[]}
 */
export function placesOf(edges, goals, borders, end) {
  const points = [...goals, ...borders.map(([a, b]) => between(a, b))];
  const indices = SIDES.map((side) => new NearPoints(points, side, side / 4));
  const rated = edges.map((edge) => ({ edge, ...nearestGoal(indices, edge, end) })).sort((a, b) => a.distance - b.distance);
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
