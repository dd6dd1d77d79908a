/** Solids that are in the way, such as the walls of a room: those that carry no ground of the start or of the end are left out in trials. */
import { solidTriangles } from '../input/solid-triangles.js';
import { obstacleCause } from './obstacle-causes.js';
import { TriangleIndex } from './triangles.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('./causes.js').Cause} Cause */
/** @typedef {import('./level-trials.js').LevelTrials} LevelTrials */
/** @typedef {import('./mesh-graph.js').MeshGraph} MeshGraph */
/** @typedef {import('./mesh-graph.js').Vector} Vector */
/** @typedef {import('./obstacle-causes.js').Obstacle} Obstacle */
/** A solid with its surface and the box around it. @typedef {{ index: TriangleIndex, min: Vector, max: Vector }} Shape */

/** @param {import('../input/geometry.js').Solid} solid @returns {Shape} */
function shapeOf(solid) {
  const triangles = solidTriangles(/** @type {any} */ ({ solids: [solid] })), { positions } = triangles;
  /** @type {Vector} */
  const min = [Infinity, Infinity, Infinity], max = /** @type {Vector} */ ([-Infinity, -Infinity, -Infinity]);
  positions.forEach((value, i) => {
    min[i % 3] = Math.min(min[i % 3], value);
    max[i % 3] = Math.max(max[i % 3], value);
  });
  return { index: new TriangleIndex(triangles), min, max };
}

/** True if a point of the mesh lies on a solid. @param {Shape} shape @param {readonly number[]} point @param {number} slack world units */
const carries = ({ index, min, max }, [x, y, z], slack) => (
  x >= min[0] && x <= max[0] && z >= min[2] && z <= max[2] && y >= min[1] - slack && y <= max[1] + slack && index.ground(x, y, z, slack) !== null);

/**
 * The solids that are in the way, with the obstacles that are, too, as one cause; empty: the way stays closed without them.
 * @param {LevelTrials} level @param {NavMesh} navMesh @param {MeshGraph} graph @param {ReadonlySet<PolygonRef>} ground that the start reaches, or that leads to the end
 * @param {(length: number | null) => boolean} isWorth @returns {Cause[]}
 */
export function solidCauses(level, navMesh, graph, ground, isWorth) {
  const { geometry: { volumes = [], solids = [] }, config: { agentMaxClimb, cellHeight } } = level;
  const slack = agentMaxClimb + 2 * cellHeight;
  const points = [...ground].filter((polygon) => !graph.isConnection(polygon)).flatMap((polygon) => [graph.middle(polygon), ...graph.corners(polygon)]);
  /** A large polygon may have no corner on a small solid. @param {Shape} shape */
  const isGround = (shape) => {
    if (points.some((point) => carries(shape, point, slack))) return true;
    const { min, max } = shape, halfExtents = /** @type {Vector} */ (min.map((low, axis) => (max[axis] - low) / 2 + (axis === 1 ? slack : 0)));
    const nearest = navMesh.nearestPoint(/** @type {Vector} */ (min.map((low, axis) => (low + max[axis]) / 2)), { halfExtents, filter: { includeFlags: 0xffff } });
    return nearest !== null && ground.has(nearest.polygon) && carries(shape, nearest.point, slack);
  };
  /** @type {Obstacle[]} */
  const inWay = Array.from(solids, shapeOf).flatMap((shape, i) => (isGround(shape) ? [] : [{
    volume: { kind: /** @type {const} */ ('box'), min: shape.min, max: shape.max, area: 0 }, index: volumes.length + i, change: { kind: /** @type {const} */ ('remove'), solid: i },
  }]));
  const cause = inWay.length > 0 ? obstacleCause(level, null, isWorth, {}, [...level.obstacles, ...inWay]) : null;
  return cause ? [cause] : [];
}
