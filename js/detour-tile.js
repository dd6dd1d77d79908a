/**
 * Reads the polygons out of a tile in Detour's format, for drawing. Only for bytes that the module wrote or has
 * checked.
 */

/** Byte offsets in the header; the tile's sections follow it without gaps. */
const HEADER = { polygonCount: 24, vertexCount: 28, size: 100 };
const VERTEX_BYTES = 12;
const POLYGON_BYTES = 32;
const POLYGON = { vertices: 4, flags: 28, vertexCount: 30, areaAndType: 31 };
const OFF_MESH_TYPE = 1;

/**
 * @typedef {object} TilePolygon
 * @property {Float32Array} vertices x, y, z of each corner, world units
 * @property {number} area 0 to 63
 * @property {number} flags
 * @property {boolean} isOffMesh a connection with two ends, not a surface
 */

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
