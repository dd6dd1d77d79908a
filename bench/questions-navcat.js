/**
 * The queries of the query benchmark for navcat (`--all`): on its own bake of the level, around the same points. Result objects
 * are reused if its API accepts them.
 */
import { navcatOptions } from './contestants.js';

/**
 * @param {any} level @param {any} config @param {import('./questions.js').Places} places
 * @returns {Promise<Record<string, (i: number) => unknown> | null>} queries by name; null if it isn't installed
 */
export async function askNavcat(level, config, places) {
  const [api, blocks] = await Promise.all([import('navcat'), import('navcat/blocks')]).catch(() => []);
  if (!api) return null;
  const { navMesh } = blocks.generateSoloNavMesh({ positions: level.positions, indices: level.indices }, navcatOptions(config, level.positions));
  const filter = api.ANY_QUERY_FILTER;
  const box = /** @type {[number, number, number]} */ ([2, 4, 2]);
  const refOf = (point) => api.findNearestPoly(api.createFindNearestPolyResult(), navMesh, point, box, filter).nodeRef;
  const lists = (list) => list.map(({ point }) => Array.from(point));
  const [starts, ends] = [lists(places.starts), lists(places.ends)];
  const [startRefs, endRefs] = [starts.map(refOf), ends.map(refOf)];
  const { rayEnds, moveEnds, above } = places;
  const nearest = api.createFindNearestPolyResult();
  const closest = api.createGetClosestPointOnPolyResult();
  const boxes = starts.map(([x, y, z]) => [x - box[0], y - box[1], z - box[2], x + box[0], y + box[1], z + box[2]]);
  return {
    'nearest polygon': (i) => api.findNearestPoly(nearest, navMesh, above[i], box, filter),
    'path in one call': (i) => api.findPath(navMesh, starts[i], ends[i], box, filter),
    corridor: (i) => api.findNodePath(navMesh, startRefs[i], endRefs[i], starts[i], ends[i], filter),
    'raycast, 3 m': (i) => api.raycast(navMesh, startRefs[i], starts[i], rayEnds[i], filter),
    'move along surface, 0.1 m': (i) => api.moveAlongSurface(navMesh, startRefs[i], starts[i], moveEnds[i], filter),
    'random point': () => api.findRandomPoint(navMesh, filter, Math.random),
    'polygons in a box': (i) => api.queryPolygons(navMesh, boxes[i], filter),
    'closest point': (i) => api.getClosestPointOnPoly(closest, navMesh, startRefs[i], above[i]),
  };
}
