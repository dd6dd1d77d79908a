/** The polygons that lead to a point, the borders of the ground that a search reached, and distances. */
import { between } from './mesh-graph.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('./mesh-graph.js').MeshGraph} MeshGraph */
/** @typedef {import('./mesh-graph.js').Vector} Vector */
/** @typedef {{ polygon: PolygonRef, ends: [Vector, Vector], point: Vector, refused: PolygonRef }} FrontierEdge refused: the polygon behind it; 0: no link leads on */

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
