/** Layers for the contents of navigation mesh tiles: bounds, portals, bounding volume trees, islands. */
import { regionColor } from 'walkmesh/three';
import { REGION_COLORS } from '../stages/views.js';
import { OUTLINES } from './colors.js';
import { islandPalette, makePalette } from './palette.js';
import { TileLayer } from './tile-layer.js';

/** @typedef {import('./layers.js').LayerKind} LayerKind */
/** @typedef {import('./tile-layer.js').TileArrays} TileArrays */

/** The 12 edges of a box as pairs of corners; bit k of a corner selects the higher end of axis k. */
const BOX_EDGES = [[0, 1], [0, 2], [0, 4], [1, 3], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 6], [5, 7], [6, 7]];

/** Appends the edges of a box. @param {number[]} lines @param {ArrayLike<number>} box min and max corner @param {number} value */
export function addBox(lines, box, value) {
  const corner = (/** @type {number} */ bits) => [0, 1, 2].map((axis) => box[axis + (bits >> axis & 1 ? 3 : 0)]);
  for (const [a, b] of BOX_EDGES) lines.push(...corner(a), ...corner(b), value, 0);
}

/** @type {LayerKind} */
export const tilesLayer = {
  id: 'tiles', group: 'Mesh', label: 'Tiles', hint: 'Bounds of the tiles that have polygons.',
  create: (app) => new TileLayer(app, {
    palette: makePalette([OUTLINES.border, 0xffd9a0]), width: 1.2, lift: 0.02,
    draw({ boundsMin, boundsMax, x, z }) {
      /** @type {number[]} */
      const lines = [];
      addBox(lines, [...boundsMin, ...boundsMax], (x + z) & 1);
      return { lines: Float32Array.from(lines), count: 1 };
    },
    note: (count) => `${count.toLocaleString('en')} tile${count === 1 ? '' : 's'}`,
  }),
};

/** Neighbour codes from this value on are portals; the low bits tell the side: x+, z+, x-, z-. */
const PORTAL = 0x8000;

/** @type {LayerKind} */
export const portalsLayer = {
  id: 'portals', group: 'Mesh', label: 'Portals', hint: 'Polygon edges on tile borders that link to the next tile.',
  create: (app) => new TileLayer(app, {
    palette: makePalette([OUTLINES.border]), width: 4, lift: 0.12,
    draw({ groundCount, sizes, polygons, neighbours, vertices }) {
      /** @type {number[]} */
      const lines = [];
      for (let p = 0; p < groundCount; p++) {
        for (let k = 0; k < sizes[p]; k++) {
          if (neighbours[6 * p + k] < PORTAL) continue;
          const [a, b] = [polygons[6 * p + k], polygons[6 * p + (k + 1) % sizes[p]]];
          lines.push(...vertices.subarray(3 * a, 3 * a + 3), ...vertices.subarray(3 * b, 3 * b + 3), 0, 0);
        }
      }
      return { lines: Float32Array.from(lines), count: lines.length / 8 };
    },
    note: (count) => `${count.toLocaleString('en')} edge${count === 1 ? '' : 's'}`,
  }),
};

/** Colours by depth in the tree: from the whole tile to single polygons. */
const DEPTHS = [0xff6b6b, 0xff9f45, 0xffd23f, 0xa4cf4e, 0x3ecf8e, 0x4ab8ff, 0x8f8bff, 0xd783ff];

/** Depth of each node. @param {Int32Array} items */
export function depthsOf(items) {
  const depths = new Uint8Array(items.length);
  /** Ends of the open subtrees. @type {number[]} */
  const ends = [];
  for (let node = 0; node < items.length; node++) {
    while (ends.length > 0 && node >= ends[ends.length - 1]) ends.pop();
    depths[node] = ends.length;
    if (items[node] < 0) ends.push(node - items[node]);
  }
  return depths;
}

/** @type {LayerKind} */
export const treeLayer = {
  id: 'tree', group: 'Mesh', label: 'Bounding volumes', hint: 'Boxes of the bounding volume tree, coloured by depth.', opacity: 0.7,
  legend: DEPTHS.map((color, depth) => ({ color: `#${color.toString(16).padStart(6, '0')}`, label: depth === 7 ? '7 …' : `${depth}` })),
  create: (app) => new TileLayer(app, {
    palette: makePalette(DEPTHS), width: 1, lift: 0,
    draw({ nodeCount, nodeBounds, nodeItems }) {
      const depths = depthsOf(nodeItems);
      /** @type {number[]} */
      const lines = [];
      for (let node = 0; node < nodeCount; node++) addBox(lines, nodeBounds.subarray(6 * node, 6 * node + 6), Math.min(depths[node], DEPTHS.length - 1));
      return { lines: Float32Array.from(lines), count: nodeCount };
    },
    note: (count) => `${count.toLocaleString('en')} boxes`,
  }),
};

/**
 * The surface of a tile with one value per polygon.
 * @param {TileArrays} tile @param {(polygon: number) => number} valueOf below 0: the polygon is left out
 */
export function surfaceOf({ groundCount, details, sizes, polygons, vertices, detailVertices, detailTriangles }, valueOf) {
  let count = 0;
  for (let p = 0; p < groundCount; p++) if (valueOf(p) >= 0) count += details[3 * p + 2];
  const [positions, values] = [new Float32Array(9 * count), new Uint16Array(3 * count)];
  for (let p = 0, t = 0; p < groundCount; p++) {
    const [firstVertex, first, size] = [details[3 * p], details[3 * p + 1], details[3 * p + 2]];
    const value = valueOf(p);
    if (value < 0) continue;
    values.fill(value, 3 * t, 3 * (t + size));
    for (let i = first; i < first + size; i++, t++) {
      for (let k = 0; k < 3; k++) {
        const corner = detailTriangles[4 * i + k];
        const isOwn = corner < sizes[p];
        const at = 3 * (isOwn ? polygons[6 * p + corner] : firstVertex + corner - sizes[p]);
        positions.set((isOwn ? vertices : detailVertices).subarray(at, at + 3), 9 * t + 3 * k);
      }
    }
  }
  return { positions, values };
}

/** Palette value of an island. @param {number} island 0: none */
const islandValue = (island) => (island === 0 ? 0 : 1 + (island - 1) % (REGION_COLORS - 1));

/** Islands in the legend. */
const LISTED = 6;

/** @type {LayerKind} */
export const islandsLayer = {
  id: 'islands', group: 'Mesh', label: 'Islands', hint: 'Parts of the mesh without a path between them, one colour each.',
  create(app) {
    const { islands } = app;
    const layer = new TileLayer(app, {
      palette: islandPalette(), lift: 0.09,
      followsMainGround: true,
      begin: (_, milliseconds) => islands.advance(milliseconds),
      draw: (tile, ref) => ({ triangles: surfaceOf(tile, (polygon) => islandValue(islands.of(ref + polygon))), count: tile.groundCount }),
      note: () => `${islands.count.toLocaleString('en')} island${islands.count === 1 ? '' : 's'}`,
    });
    return Object.assign(layer, {
      legend: () => Array.from({ length: Math.min(islands.count, LISTED) }, (_, i) => (
        { color: `#${regionColor(islandValue(i + 1)).getHexString()}`, label: `${islands.area(i + 1).toFixed(0)} m²${i === 0 ? ', main ground' : ''}` })),
    });
  },
};
