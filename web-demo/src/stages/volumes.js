/** Area volumes at a point, tested at the centre of its cell as in the bake. */

/** @typedef {import('walkmesh').AreaVolume} AreaVolume */
/** item: of the document. @typedef {AreaVolume & { origin?: 'volume' | 'obstacle', label?: string, item?: import('../edit/items.js').Selection }} NamedVolume its source and name, for messages */

/** The form of a bake. @param {NamedVolume} volume @returns {AreaVolume} */
export const withoutName = ({ origin, label, item, ...volume }) => volume;

/** True for obstacles and area volumes that close ground: those with another area are walked through. @param {NamedVolume} volume */
export const closesGround = ({ item, area = 0 }) => item !== undefined && area === 0;

/** @param {ArrayLike<number>} vertices x, y, z of each @param {number} x @param {number} z */
function isInOutline(vertices, x, z) {
  let isInside = false;
  const count = vertices.length / 3;
  for (let i = 0, j = count - 1; i < count; j = i++) {
    const [xi, zi, xj, zj] = [vertices[3 * i], vertices[3 * i + 2], vertices[3 * j], vertices[3 * j + 2]];
    if (zi > z !== zj > z && x < (xj - xi) * (z - zi) / (zj - zi) + xi) isInside = !isInside;
  }
  return isInside;
}

/** Lowest and highest height of a sphere at a position, or null. */
function ballHeights(/** @type {any} */ [cx, cy, cz], /** @type {number} */ radius, /** @type {number} */ x, /** @type {number} */ z) {
  const rest = radius * radius - (x - cx) ** 2 - (z - cz) ** 2;
  return rest < 0 ? null : [cy - Math.sqrt(rest), cy + Math.sqrt(rest)];
}

/**
 * Heights of a capsule at a position, approximated by 32 spheres along its axis, which is exact enough for messages.
 * @param {any} start @param {any} end @param {number} radius @param {number} x @param {number} z
 */
function capsuleHeights(start, end, radius, x, z) {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i <= 32; i++) {
    const heights = ballHeights([0, 1, 2].map((axis) => start[axis] + (end[axis] - start[axis]) * i / 32), radius, x, z);
    if (heights) [low, high] = [Math.min(low, heights[0]), Math.max(high, heights[1])];
  }
  return low > high ? null : [low, high];
}

/**
 * Lowest and highest height of a volume at a position, or null outside the volume.
 * @type {Record<string, (v: any, x: number, z: number) => number[] | null>}
 */
const HEIGHTS = {
  box: ({ min, max }, x, z) => (x >= min[0] && x <= max[0] && z >= min[2] && z <= max[2] ? [min[1], max[1]] : null),
  rotatedBox({ centre, halfExtents, yaw }, x, z) {
    const [dx, dz, cos, sin] = [x - centre[0], z - centre[2], Math.cos(yaw), Math.sin(yaw)];
    const isInside = Math.abs(cos * dx - sin * dz) <= halfExtents[0] && Math.abs(sin * dx + cos * dz) <= halfExtents[2];
    return isInside ? [centre[1] - halfExtents[1], centre[1] + halfExtents[1]] : null;
  },
  cylinder: ({ base, radius, height }, x, z) => ((x - base[0]) ** 2 + (z - base[2]) ** 2 < radius * radius ? [base[1], base[1] + height] : null),
  prism: ({ vertices, minY, maxY }, x, z) => (isInOutline(vertices, x, z) ? [minY, maxY] : null),
  sphere: ({ centre, radius }, x, z) => ballHeights(centre, radius, x, z),
  capsule: ({ start, end, radius }, x, z) => capsuleHeights(start, end, radius, x, z),
};

/**
 * The last volume of area `area` that contains a point of the ground; area 0 blocks it.
 * @param {readonly NamedVolume[]} volumes
 * @param {{ x: number, z: number, floor: number, agentHeight: number, slack: number }} spot world units; slack: tolerance of the
 * heights
 * @param {number} [area]
 * @returns {NamedVolume | null}
 */
export function volumeAt(volumes, { x, z, floor, agentHeight, slack }, area = 0) {
  for (const volume of [...volumes].reverse()) {
    const heights = volume.area === area ? HEIGHTS[volume.kind]?.(volume, x, z) : null;
    if (!heights) continue;
    // The agent's head must also stay outside a volume that it walks around.
    const below = volume.beforeErosion && area === 0 ? agentHeight : 0;
    if (floor >= heights[0] - below - slack && floor <= heights[1] + slack) return volume;
  }
  return null;
}
