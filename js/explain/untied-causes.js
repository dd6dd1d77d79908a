/** Connections that would open a way, but lead nowhere: an end is tied to no polygon. Tried with that end on the mesh. */
import { triedCause } from './mesh-causes.js';
import { distanceOf } from './reach.js';
import { untiedText } from './words.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('./causes.js').Cause} Cause */
/** @typedef {import('./causes.js').MeshTrials} MeshTrials */
/** @typedef {import('./mesh-graph.js').MeshGraph} MeshGraph */
/** @typedef {import('./mesh-graph.js').Vector} Vector */

/** How far from the mesh an end may be, world units. @type {Vector} */
const REACH = [2, 4, 2];

/** The connections of a mesh, made at run time or baked. @param {MeshGraph} graph @returns {PolygonRef[]} */
const connectionsOf = (graph) => [...graph.tiles()].flatMap(({ ref, groundCount, flags }) => (
  Array.from({ length: flags.length - groundCount }, (_, i) => ref + groundCount + i).filter((each) => !graph.isSegmentLink(each))));

/**
 * @param {NavMesh} navMesh @param {MeshGraph} graph @param {MeshTrials} trials @param {ReadonlySet<PolygonRef>} reached from the start
 * @param {ReadonlySet<PolygonRef>} goal that leads to the end @returns {Cause[]} those that open a way, each alone
 */
export function untiedCauses(navMesh, graph, trials, reached, goal) {
  return connectionsOf(graph).flatMap((connection) => {
    const { start, end, startTied, endTied, radius, climb, bidirectional, enabled } = navMesh.connection(connection);
    if (!enabled || (startTied && endTied)) return [];
    const [from, to] = [start, end].map((point) => navMesh.nearestPoint(point, { halfExtents: REACH, filter: { includeFlags: 0xffff } }));
    if (!from || !to) return [];
    const isInWay = (reached.has(from.polygon) && goal.has(to.polygon)) || (bidirectional && reached.has(to.polygon) && goal.has(from.polygon));
    if (!isInWay) return [];
    // The end is only tied if the start is.
    const isEnd = startTied, [given, nearest] = isEnd ? [end, to] : [start, from];
    const onMesh = (/** @type {{ point: ArrayLike<number> }} */ { point }) => /** @type {Vector} */ (Array.from(point));
    const change = { kind: /** @type {const} */ ('move'), connection, start: startTied ? start : onMesh(from), end: onMesh(to) };
    const distance = distanceOf(given, onMesh(nearest)), length = trials.lengthWith([change]);
    if (length === null) return [];
    return [triedCause({ kind: 'untied', text: untiedText(start, isEnd, distance, radius, climb), point: given, figure: distance, changes: [change] }, length, null)];
  });
}
