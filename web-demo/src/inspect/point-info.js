/** Facts of the navigation mesh about a point. */
import { readTile } from 'walkmesh';

/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('../state/document.js').Point} Point */

/**
 * @typedef {object} PointInfo
 * @property {number} polygon reference
 * @property {number} index in its tile
 * @property {{ x: number, z: number, layer: number }} tile
 * @property {number} area
 * @property {number} flags
 * @property {number | null} height of the mesh at the point
 * @property {number} island 1 is the main ground; 0: none
 * @property {number} islands number of islands
 * @property {number} islandArea square metres
 * @property {{ distance: number, found: boolean, point: Point }} wall the nearest wall; found: within the search distance
 */

/** Bits of a reference that hold the polygon's index in its tile. */
const POLYGON_BITS = 20;

/** Search distance for walls, world units. */
const WALL_REACH = 50;

/**
 * The polygon below or above a point at about the same height.
 * @param {NavMesh} navMesh @param {Point} point @returns {number} 0: none
 */
export function polygonAt(navMesh, point) {
  const { cellHeight, agentMaxClimb, cellSize } = navMesh.parameters;
  const climb = Math.max(agentMaxClimb, 0) + 2 * Math.max(cellHeight, 0.05);
  const side = Math.max(cellSize, 0.01);
  const nearest = navMesh.nearestPoint(point, { halfExtents: [side, climb, side], heightPreference: 'closest' });
  return nearest?.isOver ? nearest.polygon : 0;
}

/**
 * The nearest point of the mesh and its distance.
 * @param {NavMesh} navMesh @param {Point} point @returns {{ point: Point, distance: number } | null}
 */
export function nearestWalkable(navMesh, point) {
  for (const reach of [1, 4, 16, 64]) {
    const nearest = navMesh.nearestPoint(point, { halfExtents: [reach, reach, reach], radius: reach, heightPreference: 'closest' });
    if (nearest) return { point: nearest.point, distance: Math.hypot(...nearest.point.map((value, axis) => value - point[axis])) };
  }
  return null;
}

/**
 * @param {NavMesh} navMesh @param {import('../ground/island-list.js').Numbers} islands up to date @param {number} polygon @param {Point} point
 * @returns {PointInfo}
 */
export function pointInfoOf(navMesh, islands, polygon, point) {
  const index = polygon % 2 ** POLYGON_BITS;
  const { x, z, layer } = readTile(navMesh.tileBytes(polygon));
  const island = islands.of(polygon);
  const wall = navMesh.distanceToWall(polygon, point, WALL_REACH);
  return {
    polygon, index, tile: { x, z, layer }, area: navMesh.polygonArea(polygon), flags: navMesh.polygonFlags(polygon),
    height: navMesh.height(polygon, point), island, islands: islands.count, islandArea: island > 0 ? islands.area(island) : 0,
    wall: { distance: wall.distance, found: wall.found, point: wall.point },
  };
}
