/** The levels of the crowd scenarios: floors and boxes, small, so that only the behaviour of the crowd matters. */
import { shuffle } from './random.js';

/**
 * Bake settings of every scene: for these agents, in one tile, with cells so small that walls of the mesh lie close to those of
 * the level.
 */
export const SCENE_CONFIG = Object.freeze({ cellSize: 0.1, cellHeight: 0.1, agentRadius: 0.3, agentHeight: 1.8, agentMaxClimb: 0.3 });

const WALL_HEIGHT = 3;

/**
 * @typedef {object} Scene
 * @property {{ minX: number, maxX: number, minZ: number, maxZ: number, y?: number }[]} floors rectangles, at y = 0 by default; those that
 *   touch are one floor
 * @property {{ minX: number, maxX: number, minZ: number, maxZ: number }[]} walls boxes on the floor, 3 high, nowhere walkable
 * @property {{ start: number[], end: number[], bidirectional?: boolean }[]} jumps off-mesh connections, both ways by default
 * @property {import('../../js/mesh/segment-links.js').SegmentLinkOptions[]} links segment links, added after the bake
 */

/** @param {number} minX @param {number} maxX @param {number} minZ @param {number} maxZ */
export const rectangle = (minX, maxX, minZ, maxZ) => ({ minX, maxX, minZ, maxZ });

/** @param {Partial<Scene>} scene @returns {import('../../js/input/geometry.js').Geometry} */
export function geometryOf({ floors = [], walls = [], jumps = [] }) {
  const positions = floors.flatMap(({ minX, maxX, minZ, maxZ, y = 0 }) =>
    [minX, y, minZ, minX, y, maxZ, maxX, y, maxZ, maxX, y, minZ]);
  const indices = floors.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((corner) => 4 * i + corner));
  return {
    positions: new Float32Array(positions), indices: new Uint32Array(indices),
    solids: walls.map(({ minX, maxX, minZ, maxZ }) => ({
      kind: 'box', centre: [(minX + maxX) / 2, WALL_HEIGHT / 2, (minZ + maxZ) / 2], area: 0,
      halfAxes: [(maxX - minX) / 2, 0, 0, 0, WALL_HEIGHT / 2, 0, 0, 0, (maxZ - minZ) / 2],
    })),
    offMeshConnections: jumps.map(({ start, end, bidirectional = true }) => ({ start, end, radius: 0.5, bidirectional })),
  };
}

/**
 * A maze of square rooms in a square grid, joined by straight lanes: a spanning tree of them, so that every room is reached, and
 * further ones. The settings are those of the level: lengths in metres.
 * @param {{ rooms: number, room: number, gap: number, lane: number, dropped: number, random: () => number }} settings rooms: in a
 *   row; room: their width; gap: the length of the lanes; lane: the width of the lanes; dropped: the part of the lanes beyond
 *   the tree that is left out
 * @returns {Scene}
 */
export function laneMaze({ rooms, room, gap, lane, dropped, random }) {
  const pitch = room + gap;
  const [columns, rows] = [(/** @type {number} */ i) => pitch * Math.floor(i / rooms), (/** @type {number} */ i) => pitch * (i % rooms)];
  const all = Array.from({ length: rooms * rooms }, (_, i) => i);
  const doors = all.flatMap((i) => [
    ...(i + rooms < all.length ? [{ from: i, to: i + rooms, alongX: true }] : []), ...((i + 1) % rooms > 0 ? [{ from: i, to: i + 1, alongX: false }] : [])]);
  const lanes = chooseLanes(doors, all.length, dropped, random).map(({ from, alongX }) => {
    const side = 0.5 + random() * (room - lane - 1);
    const [x, z] = [columns(from), rows(from)];
    return alongX ? rectangle(x + room, x + pitch, z + side, z + side + lane) : rectangle(x + side, x + side + lane, z + room, z + pitch);
  });
  const floors = all.map((i) => rectangle(columns(i), columns(i) + room, rows(i), rows(i) + room));
  return { floors: [...floors, ...lanes], walls: [], jumps: [], links: [] };
}

/**
 * A random spanning tree, and some of the other edges.
 * @template {{ from: number, to: number }} Edge
 * @param {Edge[]} edges @param {number} count of nodes @param {number} dropped @param {() => number} random @returns {Edge[]}
 */
function chooseLanes(edges, count, dropped, random) {
  const joined = Array.from({ length: count }, (_, i) => i);
  const rootOf = (/** @type {number} */ i) => {
    while (joined[i] !== i) i = joined[i];
    return i;
  };
  return shuffle(edges.length, random).map((i) => edges[i]).filter(({ from, to }) => {
    const [a, b] = [rootOf(from), rootOf(to)];
    joined[a] = b;
    return a !== b || random() >= dropped;
  });
}
