/** Long ways over the tile graph of the mesh, which is built once for each filter. */
import { time } from '../timing.js';

/** @typedef {import('../../state/document.js').Point} Point */
/** @typedef {import('walkmesh').FilterOptions} FilterOptions */
/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('walkmesh').LongPath & { microseconds: number, promise: number[] }} LongWay microseconds: of findPath; promise: x, y, z of points from the end of the leg to the destination */

/** The graph of each mesh, which frees it, too. @type {WeakMap<NavMesh, { key: string, graph: import('walkmesh').TileGraph }>} */
const graphs = new WeakMap();

/** @param {NavMesh} navMesh @param {FilterOptions} filter */
function graphOf(navMesh, filter) {
  const key = JSON.stringify(filter), found = graphs.get(navMesh);
  if (found?.key === key) return found.graph;
  found?.graph.free();
  graphs.delete(navMesh);
  const graph = navMesh.createTileGraph({ filter });
  graphs.set(navMesh, { key, graph });
  return graph;
}

/** @param {import('walkmesh').LongPath} path @param {Point} end */
function promiseOf({ status, leg, leadsToEnd, legWaypoints, waypoints }, end) {
  if (status !== 'complete' || leadsToEnd) return [];
  return [...leg ? leg.points.subarray(3 * leg.count - 3, 3 * leg.count) : [], ...waypoints.subarray(3 * legWaypoints), ...end];
}

/**
 * @param {NavMesh} navMesh @param {{ start: Point, end: Point }} places @param {number} legTiles the leg leads through at most this number of tiles @param {FilterOptions} filter
 * @returns {LongWay}
 */
export function findLongWay(navMesh, { start, end }, legTiles, filter) {
  const graph = graphOf(navMesh, filter);
  graph.update(); // not measured: it builds the graph, or follows changes
  const { result, microseconds } = time(() => graph.findPath(start, end, { legTiles }));
  return { ...result, microseconds, promise: promiseOf(result, end) };
}
