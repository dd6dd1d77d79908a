/** The levels of the crowd scenarios: floors and boxes, small, so that only the behaviour of the crowd matters. */

/**
 * Bake settings of every scene: for these agents, in one tile, with cells so small that walls of the mesh lie close to those of
 * the level.
 */
export const SCENE_CONFIG = Object.freeze({ cellSize: 0.1, cellHeight: 0.1, agentRadius: 0.3, agentHeight: 1.8, agentMaxClimb: 0.3 });

const WALL_HEIGHT = 3;

/**
 * @typedef {object} Scene
 * @property {{ minX: number, maxX: number, minZ: number, maxZ: number }[]} floors rectangles at y = 0, which may not touch
 * @property {{ minX: number, maxX: number, minZ: number, maxZ: number }[]} walls boxes on the floor, 3 high, nowhere walkable
 * @property {{ start: number[], end: number[] }[]} jumps off-mesh connections, both ways
 */

/** @param {number} minX @param {number} maxX @param {number} minZ @param {number} maxZ */
export const rectangle = (minX, maxX, minZ, maxZ) => ({ minX, maxX, minZ, maxZ });

/** @param {Partial<Scene>} scene @returns {import('../../js/input/geometry.js').Geometry} */
export function geometryOf({ floors = [], walls = [], jumps = [] }) {
  const positions = floors.flatMap(({ minX, maxX, minZ, maxZ }) =>
    [minX, 0, minZ, minX, 0, maxZ, maxX, 0, maxZ, maxX, 0, minZ]);
  const indices = floors.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((corner) => 4 * i + corner));
  return {
    positions: new Float32Array(positions), indices: new Uint32Array(indices),
    solids: walls.map(({ minX, maxX, minZ, maxZ }) => ({
      kind: 'box', centre: [(minX + maxX) / 2, WALL_HEIGHT / 2, (minZ + maxZ) / 2], area: 0,
      halfAxes: [(maxX - minX) / 2, 0, 0, 0, WALL_HEIGHT / 2, 0, 0, 0, (maxZ - minZ) / 2],
    })),
    offMeshConnections: jumps.map(({ start, end }) => ({ start, end, radius: 0.5, bidirectional: true })),
  };
}
