/** What the navigation mesh knows of a spot. */
import { readTile } from 'walkmesh';

/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('../state/document.js').Point} Point */

/**
 * @typedef {object} Facts
 * @property {number} polygon reference
 * @property {number} index of it in its tile
 * @property {{ x: number, z: number, layer: number }} tile
 * @property {number} area
 * @property {number} flags
 * @property {number | null} height of the mesh there
 * @property {number} island 1 is the largest; 0: none
 * @property {number} islands how many there are
 * @property {number} islandArea square metres
 * @property {{ distance: number, found: boolean, point: Point }} wall the nearest one; found: within the distance that was looked at
 */

/** Bits of a reference that are the polygon's place in its tile. */
const POLYGON_BITS = 20;

/** How far walls are looked for, world units. */
const WALL_REACH = 50;

/**
 * The polygon under or over a spot, whose height is about right.
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
 * The nearest spot of the mesh, and how far it is.
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
 * @param {NavMesh} navMesh @param {import('walkmesh').Islands} islands up to date @param {number} polygon @param {Point} point
 * @returns {Facts}
 */
export function factsOf(navMesh, islands, polygon, point) {
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
