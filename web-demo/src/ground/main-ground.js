/**
 * The main ground: the island that the others are cut off from. It is the island where play starts, if a start is chosen. Else, in a closed
 * level, it is the island with the largest area under ceilings, since the yard around the rooms is often larger; in other levels the largest.
 */
import { DoubleSide, Ray, Vector3 } from 'three';
import { Random } from 'walkmesh';

/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('../state/document.js').Point} Point */

/**
 * @typedef {object} MainGround
 * @property {number} island its number in the library: 1 is the largest; 0: the mesh is empty
 * @property {number} polygon on it; 0: unknown
 * @property {'start' | 'indoors' | 'largest'} why it is the main one
 * @property {boolean} isStartLost true: a start is chosen, but there is no mesh at it
 */

/** Points of an island that are looked at. */
const SAMPLES = 64;
/** A ceiling is a triangle whose normal points down by at least this. */
const DOWN = -0.1;

/**
 * Tells whether a ceiling is above a point of the mesh.
 * @param {import('three-mesh-bvh').MeshBVH} tree of the level @param {number} lift above the ground, within the agent's headroom, world units
 * @returns {(point: ArrayLike<number>) => boolean}
 */
export function makeCeilingTest(tree, lift) {
  const ray = new Ray(new Vector3(), new Vector3(0, 1, 0));
  return (point) => {
    ray.origin.set(point[0], point[1] + lift, point[2]);
    const face = tree.raycastFirst(ray, DoubleSide)?.face;
    return Boolean(face && face.normal.y < DOWN);
  };
}

/**
 * The island with the largest area under ceilings, and a polygon of it; null: no island has a ceiling. Pauses after each island.
 * @param {NavMesh} navMesh @param {import('walkmesh').Islands} islands @param {(point: ArrayLike<number>) => boolean} isUnderCeiling
 * @returns {Generator<void, { island: number, polygon: number } | null, void>}
 */
export function* findIndoors(navMesh, islands, isUnderCeiling) {
  const random = new Random(7);
  let [best, most] = [/** @type {{ island: number, polygon: number } | null} */ (null), 0];
  // From the largest on: the rest is smaller than what was found.
  for (let island = 1; island <= islands.count && islands.area(island) > most; island++) {
    const { count, points, polygons } = navMesh.randomPoints(SAMPLES, { random, islands, island });
    let [inside, polygon] = [0, 0];
    for (let i = 0; i < count; i++) {
      if (!isUnderCeiling(points.subarray(3 * i, 3 * i + 3))) continue;
      inside++;
      polygon = polygons[i];
    }
    const area = count > 0 ? inside / count * islands.area(island) : 0;
    if (area > most) [best, most] = [{ island, polygon }, area];
    yield;
  }
  return best;
}

/** The polygon where play starts: a change of the bake may move the mesh by a radius and a cell. @param {NavMesh} navMesh @param {Point} start */
function polygonNear(navMesh, start) {
  const { agentRadius, agentMaxClimb, cellSize, cellHeight } = navMesh.parameters;
  const [wide, high] = [Math.max(agentRadius, 0) + 2 * Math.max(cellSize, 0.01), Math.max(agentMaxClimb, 0) + 2 * Math.max(cellHeight, 0.05)];
  return navMesh.nearestPoint(start, { halfExtents: [wide, high, wide], heightPreference: 'closest' })?.polygon ?? 0;
}

/**
 * @param {NavMesh} navMesh @param {import('walkmesh').Islands} islands
 * @param {{ start: Point | null, isUnderCeiling: ((point: ArrayLike<number>) => boolean) | null }} level isUnderCeiling null: the level isn't closed
 * @returns {Generator<void, MainGround, void>}
 */
export function* findMainGround(navMesh, islands, { start, isUnderCeiling }) {
  const polygon = start ? polygonNear(navMesh, start) : 0;
  const island = polygon === 0 ? 0 : islands.of(polygon);
  if (island > 0) return { island, polygon, why: 'start', isStartLost: false };
  const indoors = isUnderCeiling && (yield* findIndoors(navMesh, islands, isUnderCeiling));
  const isStartLost = start !== null;
  return indoors ? { ...indoors, why: 'indoors', isStartLost } : { island: Math.min(islands.count, 1), polygon: 0, why: 'largest', isStartLost };
}

/** The main ground in words. @type {Record<MainGround['why'], string>} */
export const MAIN_WORDS = { start: 'the ground where play starts', indoors: 'the largest ground indoors', largest: 'the largest ground' };
