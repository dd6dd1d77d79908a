/**
 * Finds the stairs of a level: the heights of their risers. Rays beside the edges of floors measure how far down the next floor lies, so
 * it doesn't matter how the sides of the steps are made: risers, closed boxes, or none. A single drop can be a crate or a kerb; risers of
 * stairs have another one of about their height next to them, one step higher or lower.
 */
import { DoubleSide, Ray, Vector3 } from 'three';

/** @typedef {{ height: number, count: number }} Riser height, world units; count: of edges with such a riser */
/** @typedef {{ x: number, z: number, low: number, high: number }} Drop */
/** @typedef {import('three-mesh-bvh').MeshBVH} MeshBVH */

/** Floors are at most this steep: the y of a unit normal. */
const FLAT = Math.cos(50 * Math.PI / 180);
/** Risers in world units: the lowest and the highest. */
const [LOWEST, HIGHEST] = [0.05, 1.2];
/** Distance of a ray from its edge, of its start from the edge's height, and free height above a step, world units. */
const [BESIDE, ABOVE, FREE] = [0.06, 0.02, 1];
/** Edges shorter than this are no steps, and the steepest edge of a step. */
const [SHORT, SLANT] = [0.15, 0.2];
/** Most triangles that are looked at, and most drops that are compared. */
const [MOST_TRIANGLES, MOST_DROPS] = [6000, 3000];
/** Steps of one flight: their distance, the difference of floors that are the same, and of their heights (a share). */
const [NEAR, SAME, ALIKE] = [3, 0.03, 0.2];
/** Fewest edges of a height, and the range of heights that count as one. */
const [FEWEST, CLUSTER] = [3, 0.02];

const DOWN = new Vector3(0, -1, 0), UP = new Vector3(0, 1, 0);

/**
 * The drop beside an edge of a floor; null: no floor below it within reach, or no room above.
 * @param {MeshBVH} tree @param {Vector3} a @param {Vector3} b @param {Vector3} c the third corner of the edge's triangle
 * @returns {Drop | null}
 */
function dropBeside(tree, a, b, c) {
  const along = b.clone().sub(a);
  const length = Math.hypot(along.x, along.z);
  if (length < SHORT || Math.abs(along.y) > SLANT * length) return null;
  const out = new Vector3(along.z / length, 0, -along.x / length);
  if (out.x * (c.x - a.x) + out.z * (c.z - a.z) > 0) out.negate();
  const middle = a.clone().add(b).multiplyScalar(0.5);
  const start = middle.clone().addScaledVector(out, BESIDE);
  start.y += ABOVE;
  const below = tree.raycastFirst(new Ray(start, DOWN), DoubleSide, 0, HIGHEST + ABOVE);
  const low = below?.point.y ?? -Infinity;
  if (!below?.face || below.face.normal.y < FLAT || middle.y - low < LOWEST) return null;
  return tree.raycastFirst(new Ray(start, UP), DoubleSide, 0, FREE) ? null : { x: start.x, z: start.z, low, high: middle.y };
}

/** @param {{ positions: Float32Array, indices: Uint32Array }} level @param {MeshBVH} tree @returns {Drop[]} */
function listDrops({ positions, indices }, tree) {
  const stride = Math.max(1, Math.ceil(indices.length / 3 / MOST_TRIANGLES));
  const corners = [new Vector3(), new Vector3(), new Vector3()];
  const normal = new Vector3(), side = new Vector3();
  /** @type {Drop[]} */
  const drops = [];
  for (let i = 0; i < indices.length && drops.length < MOST_DROPS; i += 3 * stride) {
    corners.forEach((corner, k) => corner.fromArray(positions, 3 * indices[i + k]));
    const [a, b, c] = corners;
    normal.subVectors(b, a).cross(side.subVectors(c, a));
    if (!(normal.y > FLAT * normal.length())) continue;
    for (let k = 0; k < 3; k++) {
      const drop = dropBeside(tree, corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]);
      if (drop) drops.push(drop);
    }
  }
  return drops;
}

/** True if a drop has another one of about its height next to it, one step higher or lower. @param {Drop} drop @param {readonly Drop[]} all */
function isInFlight({ x, z, low, high }, all) {
  const height = high - low;
  return all.some((other) => (Math.abs(other.low - high) < SAME || Math.abs(other.high - low) < SAME)
    && Math.abs(other.high - other.low - height) < ALIKE * height && Math.hypot(other.x - x, other.z - z) < NEAR);
}

/**
 * The risers of a level's stairs, from the lowest to the highest.
 * @param {{ positions: Float32Array, indices: Uint32Array }} level @param {MeshBVH} tree of its triangles @returns {Riser[]}
 */
export function findRisers(level, tree) {
  const drops = listDrops(level, tree);
  const heights = drops.filter((drop) => isInFlight(drop, drops)).map(({ low, high }) => high - low).sort((a, b) => a - b);
  /** @type {Riser[]} */
  const risers = [];
  for (const height of heights) {
    const last = risers.at(-1);
    if (last && height - last.height < CLUSTER) Object.assign(last, { count: last.count + 1, height: Math.max(last.height, height) });
    else risers.push({ height, count: 1 });
  }
  return risers.filter(({ count }) => count >= FEWEST);
}
