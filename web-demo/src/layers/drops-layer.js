/**
 * Rims of drops in closed levels. Seen from above as a shell, the wall below a rim is culled or hidden, and a drop of a storey looks like
 * a step: a line marks it, the wider the deeper.
 */
import { DoubleSide, Ray, Vector3 } from 'three';
import { DROP } from './colors.js';
import { makePalette } from './palette.js';
import { TileLayer } from './tile-layer.js';

/** @typedef {import('./tile-layer.js').TileArrays} TileArrays */
/** The depth below a point beside an edge, world units; 0: there is a wall or no ground. @typedef {(point: Vector3, outwards: Vector3) => number} DepthBeside */

/** Cells of a piece of an edge: each piece has its depth. */
const PIECE = 4;
/** Pixels of a line: at no depth, and for each metre, up to the deepest. */
const [WIDTH, WIDTH_PER_METRE, DEEPEST] = [1, 0.4, 6];

/** The width of the line above a drop, pixels. @param {number} depth world units */
export const widthOfDrop = (depth) => WIDTH + WIDTH_PER_METRE * Math.min(depth, DEEPEST);

/**
 * Looks for drops in the triangles of a level.
 * @param {import('three-mesh-bvh').MeshBVH} tree @param {{ cellSize: number, agentRadius: number, agentMaxClimb: number }} config @returns {DepthBeside}
 */
export function makeDepthBeside(tree, { cellSize, agentRadius, agentMaxClimb }) {
  // The mesh ends the agent's radius before a rim, give or take its outline's tolerance.
  const reach = agentRadius + 2.5 * cellSize;
  const ray = new Ray();
  const distance = (/** @type {Vector3} */ from, /** @type {Vector3} */ direction) => {
    ray.origin.copy(from);
    ray.direction.copy(direction);
    return tree.raycastFirst(ray, DoubleSide)?.distance ?? Infinity;
  };
  const down = new Vector3(0, -1, 0);
  const over = agentMaxClimb + cellSize / 2;
  return (point, outwards) => {
    const from = point.clone();
    from.y += over;
    if (distance(from, outwards) < reach) return 0;
    const depth = distance(from.addScaledVector(outwards, reach), down) - over;
    return Number.isFinite(depth) && depth > agentMaxClimb + cellSize ? depth : 0;
  };
}

/**
 * The rims of a tile: pieces of the mesh's outer edges with a drop beside them.
 * @param {TileArrays} tile @param {number} piece length, world units @param {DepthBeside} depthBeside @returns {Float32Array} [n][8]
 */
export function rimsOf({ groundCount, sizes, polygons, neighbours, vertices }, piece, depthBeside) {
  /** @type {number[]} */
  const lines = [];
  const [a, b, middle, outwards] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  for (let p = 0; p < groundCount; p++) {
    for (let k = 0; k < sizes[p]; k++) {
      if (neighbours[6 * p + k] !== 0) continue;
      const [from, to, next] = [0, 1, 2].map((i) => 3 * polygons[6 * p + (k + i) % sizes[p]]);
      a.fromArray(vertices, from);
      b.fromArray(vertices, to);
      outwards.set(b.z - a.z, 0, a.x - b.x).normalize();
      // Away from the polygon's next corner, on whichever side that lies.
      if (outwards.dot(middle.fromArray(vertices, next).sub(a)) > 0) outwards.negate();
      const count = Math.max(1, Math.round(a.distanceTo(b) / piece));
      for (let i = 0; i < count; i++) {
        const depth = depthBeside(middle.lerpVectors(a, b, (i + 0.5) / count), outwards);
        if (depth > 0) lines.push(...a.clone().lerp(b, i / count).toArray(), ...a.clone().lerp(b, (i + 1) / count).toArray(), 1, widthOfDrop(depth));
      }
    }
  }
  return Float32Array.from(lines);
}

/** @type {import('./layers.js').LayerKind} */
export const dropsLayer = {
  id: 'drops', group: 'Level', label: 'Drops', hint: 'Edges of the mesh above a drop, in closed levels; wider lines are deeper.', visible: true,
  within: 'navMesh',
  create(app) {
    /** @type {DepthBeside} */
    let depthBeside;
    let piece = 1;
    const layer = new TileLayer(app, {
      palette: makePalette([null, DROP]), width: 1, lift: 0.1,
      begin() {
        const { current } = app.levels;
        const { config } = app.store.state.document;
        piece = PIECE * config.cellSize;
        if (current) depthBeside = makeDepthBeside(/** @type {any} */ (current.mesh.geometry).boundsTree, config);
      },
      isEmpty: () => !app.levels.current?.isClosed,
      draw(tile) {
        const lines = rimsOf(tile, piece, depthBeside);
        return { lines, count: lines.length / 8 };
      },
      note: (count) => `${count.toLocaleString('en')} edge${count === 1 ? '' : 's'}`,
    });
    return Object.assign(layer, { legend: () => (layer.count > 0 ? [{ color: DROP, label: 'Drop: the wider, the deeper', isLine: true }] : []) });
  },
};
