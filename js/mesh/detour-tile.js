/**
 * Reads tiles in Detour's format, for drawing: bytes that the module wrote or checked. Of other bytes readTile checks that all sections
 * lie in them, not what the sections hold.
 */
import { copyBytes } from '../runtime/bytes.js';
import { NavError } from '../runtime/errors.js';

/** Byte offsets in the header. The tile's sections follow it without gaps. */
const HEADER = {
  x: 8, z: 12, layer: 16, polygonCount: 24, vertexCount: 28, linkCount: 32, detailCount: 36, detailVertexCount: 40,
  detailTriangleCount: 44, nodeCount: 48, boundsMin: 72, boundsMax: 84, cellsPerUnit: 96, size: 100,
};
const VERTEX_BYTES = 12;
const POLYGON_BYTES = 32;
const POLYGON = { vertices: 4, neighbours: 16, flags: 28, vertexCount: 30, areaAndType: 31 };
const [LINK_BYTES, DETAIL_BYTES] = [12, 12];
const DETAIL = { firstVertex: 0, firstTriangle: 4, triangleCount: 9 };
const NODE = { bytes: 16, high: 6, item: 12 };
const OFF_MESH_TYPE = 1;

/**
 * @typedef {object} TilePolygon
 * @property {Float32Array} vertices x, y, z of each, world units
 * @property {number} area 0 to 63
 * @property {number} flags
 * @property {boolean} isOffMesh true for an off-mesh connection, with two vertices
 */

/** The numbers of polygons and ground polygons of a tile, from its header. @param {Uint8Array} bytes */
export function readTileCounts(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER.size);
  return { polygonCount: view.getInt32(HEADER.polygonCount, true), groundCount: view.getInt32(HEADER.detailCount, true) };
}

/** @param {Uint8Array} bytes @returns {TilePolygon[]} */
export function readTilePolygons(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const polygonCount = view.getInt32(HEADER.polygonCount, true);
  const firstPolygon = HEADER.size + VERTEX_BYTES * view.getInt32(HEADER.vertexCount, true);
  return Array.from({ length: polygonCount }, (_, p) => {
    const polygon = firstPolygon + POLYGON_BYTES * p;
    const count = view.getUint8(polygon + POLYGON.vertexCount);
    const vertices = new Float32Array(3 * count);
    for (let i = 0; i < count; i++) {
      const vertex = HEADER.size + VERTEX_BYTES * view.getUint16(polygon + POLYGON.vertices + 2 * i, true);
      for (let axis = 0; axis < 3; axis++) vertices[3 * i + axis] = view.getFloat32(vertex + 4 * axis, true);
    }
    const areaAndType = view.getUint8(polygon + POLYGON.areaAndType);
    return {
      vertices, area: areaAndType & 63, flags: view.getUint16(polygon + POLYGON.flags, true),
      isOffMesh: areaAndType >> 6 === OFF_MESH_TYPE,
    };
  });
}

/**
 * A tile as typed arrays. Polygons below groundCount are ground polygons, the others off-mesh connections with two vertices.
 * @typedef {object} TileArrays
 * @property {number} x column of the grid
 * @property {number} z row of the grid
 * @property {number} layer tile layer
 * @property {Float32Array} boundsMin x, y, z, world units
 * @property {Float32Array} boundsMax
 * @property {number} polygonCount
 * @property {number} groundCount
 * @property {Float32Array} vertices [n][3] world units
 * @property {Uint8Array} sizes [polygonCount] vertices of each
 * @property {Uint16Array} polygons [polygonCount][6] vertices; edge k goes from vertex k to vertex k + 1
 * @property {Uint16Array} neighbours [polygonCount][6] across each edge: 0 a wall; below 32768 the polygon's index + 1;
 *   else in another tile, 32768 + side (0 x+, 2 z+, 4 x-, 6 z-)
 * @property {Uint8Array} areas [polygonCount] 0 to 63
 * @property {Uint16Array} flags [polygonCount]
 * @property {Uint32Array} details [groundCount][3] first detail vertex, first detail triangle, triangles
 * @property {Float32Array} detailVertices [n][3] world units
 * @property {Uint8Array} detailTriangles [n][4] three vertices: indices below the polygon's size are vertices of the
 *   polygon, the others detail vertices; bits 0, 2, 4: edge 0, 1, 2 lies on the polygon's outline
 * @property {number} nodeCount of the bounding-volume tree; 0 if the tile has none
 * @property {Float32Array} nodeBounds [nodeCount][6] minimum x, y, z and maximum x, y, z, world units, rounded to
 *   cells; vertices of polygons may lie a cell height below
 * @property {Int32Array} nodeItems [nodeCount] a leaf's polygon; else minus the number of nodes of its subtree, whose first child is
 *   the next node
 */

/**
 * The bounding-volume tree. n polygons have 2 n - 1 nodes; the section has space for one more.
 * @param {DataView} view @param {number} start @param {number} groundCount
 */
function readTree(view, start, groundCount) {
  const nodeCount = view.getInt32(HEADER.nodeCount, true) > 0 ? Math.max(2 * groundCount - 1, 0) : 0;
  const cellSize = 1 / view.getFloat32(HEADER.cellsPerUnit, true);
  const nodeBounds = new Float32Array(6 * nodeCount);
  const nodeItems = new Int32Array(nodeCount);
  for (let i = 0; i < nodeCount; i++) {
    const node = start + NODE.bytes * i;
    for (let axis = 0; axis < 3; axis++) {
      const origin = view.getFloat32(HEADER.boundsMin + 4 * axis, true);
      nodeBounds[6 * i + axis] = origin + view.getUint16(node + 2 * axis, true) * cellSize;
      // Both ends are rounded down.
      nodeBounds[6 * i + 3 + axis] = origin + (view.getUint16(node + NODE.high + 2 * axis, true) + 1) * cellSize;
    }
    nodeItems[i] = view.getInt32(node + NODE.item, true);
  }
  return { nodeCount, nodeBounds, nodeItems };
}

/** "DNAV" as a number, and the version of the format. */
const [MAGIC, VERSION] = [0x444e4156, 7];

/** The bytes of all sections up to the tree, by the counts in the header. */
const SECTIONS = /** @type {const} */ ([['vertexCount', VERTEX_BYTES], ['polygonCount', POLYGON_BYTES], ['linkCount', LINK_BYTES], ['detailCount', DETAIL_BYTES],
  ['detailVertexCount', VERTEX_BYTES], ['detailTriangleCount', 4], ['nodeCount', NODE.bytes]]);

/** Throws unless the header is one of a tile, and its sections lie in the bytes. @param {DataView} view */
function requireSections(view) {
  const fail = (/** @type {string} */ problem) => new NavError('corrupt', `the bytes ${problem}`, { field: 'bytes' });
  if (view.byteLength < HEADER.size) throw fail(`are no tile: there are ${view.byteLength}, and its header has ${HEADER.size}`);
  if (view.getUint32(0, true) !== MAGIC) throw fail('are no tile: one begins with DNAV');
  if (view.getUint32(4, true) !== VERSION) throw fail(`are a tile of version ${view.getUint32(4, true)}: must be ${VERSION}`);
  let end = HEADER.size;
  for (const [name, size] of SECTIONS) {
    const count = view.getInt32(HEADER[name], true);
    if (count < 0) throw fail(`are a damaged tile: its ${name} is ${count}`);
    end += size * count;
  }
  if (end > view.byteLength) throw fail(`are a damaged tile: its sections need ${end} bytes, and there are ${view.byteLength}`);
  const [polygons, ground, nodes] = [HEADER.polygonCount, HEADER.detailCount, HEADER.nodeCount].map((at) => view.getInt32(at, true));
  if (ground > polygons) throw fail(`are a damaged tile: it has ${polygons} polygons, and ${ground} on the ground`);
  if (nodes > 0 && nodes < 2 * ground - 1) throw fail(`are a damaged tile: its tree has ${nodes} nodes for ${ground} polygons`);
}

/** @param {import('../runtime/bytes.js').Bytes} bytes of a tile in Detour's format, from tiles(), tileBytes or takeTile @returns {TileArrays} */
export function readTile(bytes) {
  const copy = copyBytes(bytes); // aligned
  const view = new DataView(copy.buffer);
  requireSections(view);
  const count = (/** @type {number} */ at) => view.getInt32(at, true);
  const [polygonCount, groundCount] = [count(HEADER.polygonCount), count(HEADER.detailCount)];
  const [vertexCount, detailVertexCount] = [count(HEADER.vertexCount), count(HEADER.detailVertexCount)];
  const polygonsAt = HEADER.size + VERTEX_BYTES * vertexCount;
  const detailsAt = polygonsAt + POLYGON_BYTES * polygonCount + LINK_BYTES * count(HEADER.linkCount);
  const detailVerticesAt = detailsAt + DETAIL_BYTES * groundCount;
  const detailTrianglesAt = detailVerticesAt + VERTEX_BYTES * detailVertexCount;
  const tile = {
    x: count(HEADER.x), z: count(HEADER.z), layer: count(HEADER.layer),
    boundsMin: new Float32Array(copy.buffer, HEADER.boundsMin, 3), boundsMax: new Float32Array(copy.buffer, HEADER.boundsMax, 3),
    polygonCount, groundCount, vertices: new Float32Array(copy.buffer, HEADER.size, 3 * vertexCount),
    sizes: new Uint8Array(polygonCount), polygons: new Uint16Array(6 * polygonCount),
    neighbours: new Uint16Array(6 * polygonCount), areas: new Uint8Array(polygonCount), flags: new Uint16Array(polygonCount),
    details: new Uint32Array(3 * groundCount),
    detailVertices: new Float32Array(copy.buffer, detailVerticesAt, 3 * detailVertexCount),
    detailTriangles: copy.subarray(detailTrianglesAt, detailTrianglesAt + 4 * count(HEADER.detailTriangleCount)),
    ...readTree(view, detailTrianglesAt + 4 * count(HEADER.detailTriangleCount), groundCount),
  };
  for (let p = 0; p < polygonCount; p++) {
    const polygon = polygonsAt + POLYGON_BYTES * p;
    tile.sizes[p] = copy[polygon + POLYGON.vertexCount];
    tile.areas[p] = copy[polygon + POLYGON.areaAndType] & 63;
    tile.flags[p] = view.getUint16(polygon + POLYGON.flags, true);
    for (let k = 0; k < 6; k++) {
      tile.polygons[6 * p + k] = view.getUint16(polygon + POLYGON.vertices + 2 * k, true);
      tile.neighbours[6 * p + k] = view.getUint16(polygon + POLYGON.neighbours + 2 * k, true);
    }
  }
  for (let p = 0; p < groundCount; p++) {
    const detail = detailsAt + DETAIL_BYTES * p;
    tile.details[3 * p] = view.getUint32(detail + DETAIL.firstVertex, true);
    tile.details[3 * p + 1] = view.getUint32(detail + DETAIL.firstTriangle, true);
    tile.details[3 * p + 2] = copy[detail + DETAIL.triangleCount];
  }
  return tile;
}
