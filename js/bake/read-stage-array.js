/** Typed arrays from the packed bytes of a bake's arrays (layouts: tests/golden/README.md). */

/** @typedef {import('./stages.js').StageArray} StageArray */

/** Reads packed little-endian arrays one after another. */
class Reader {
  #bytes;
  #offset = 0;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  /** @param {number} byteCount @returns {ArrayBuffer} */
  #take(byteCount) {
    const start = this.#offset;
    this.#offset += byteCount;
    return /** @type {ArrayBuffer} */ (this.#bytes.slice(start, start + byteCount).buffer);
  }

  /** @param {number} count */
  u8(count) { return new Uint8Array(this.#take(count)); }

  /** @param {number} count */
  u16(count) { return new Uint16Array(this.#take(2 * count)); }

  /** @param {number} count */
  u32(count) { return new Uint32Array(this.#take(4 * count)); }

  /** @param {number} count */
  i32(count) { return new Int32Array(this.#take(4 * count)); }

  /** @param {number} count */
  f32(count) { return new Float32Array(this.#take(4 * count)); }
}

/** @typedef {ReturnType<typeof readHeightfield>} HeightfieldArrays */

/**
 * @param {Uint8Array} bytes @param {number} cells width * depth
 * @returns cellFirst [cells + 1]: the spans of a cell are cellFirst[cell] to cellFirst[cell + 1] - 1, from
 *   bottom to top; spans [n * 3]: minimum, maximum (cell heights), area
 */
function readHeightfield(bytes, cells) {
  const words = new Uint32Array(bytes.slice().buffer);
  const cellFirst = new Uint32Array(cells + 1);
  const spans = new Uint32Array(words.length - cells);
  let next = 0;
  for (let cell = 0, count = 0; cell < cells; cell++) {
    const end = next + 1 + 3 * words[next];
    spans.set(words.subarray(next + 1, end), 3 * count);
    count += words[next];
    cellFirst[cell + 1] = count;
    next = end;
  }
  return { cellFirst, spans };
}

/**
 * @param {Uint8Array} bytes
 * @returns {{ region: number, area: number, vertices: Int32Array, rawVertices: Int32Array }[]} vertices are x, y,
 *   z (cells, cell heights, cells) and the region across
 */
function readContours(bytes) {
  const reader = new Reader(bytes);
  return Array.from({ length: reader.u32(1)[0] }, () => {
    const [region] = reader.u16(1);
    const [area] = reader.u8(1);
    const vertices = reader.i32(4 * reader.u32(1)[0]);
    return { region, area, vertices, rawVertices: reader.i32(4 * reader.u32(1)[0]) };
  });
}

/**
 * @param {Uint8Array} bytes
 * @returns vertices [n][3] cells, cell heights, cells; polygons [n][2 * maxVertices]: vertices, then neighbours,
 *   65535 for none
 */
function readPolygonMesh(bytes) {
  const reader = new Reader(bytes);
  const [vertexCount, polygonCount, maxVertices] = reader.u32(3);
  return {
    vertexCount, polygonCount, maxVertices, vertices: reader.u16(3 * vertexCount),
    polygons: reader.u16(2 * maxVertices * polygonCount), regions: reader.u16(polygonCount),
    areas: reader.u8(polygonCount),
  };
}

/**
 * @param {Uint8Array} bytes
 * @returns submeshes [polygons][4]: first vertex, vertices, first triangle, triangles; vertices [n][3] in world
 *   units; triangles [n][4]: three vertices of the submesh, flags
 */
function readDetailMesh(bytes) {
  const reader = new Reader(bytes);
  const [submeshCount, vertexCount, triangleCount] = reader.u32(3);
  return {
    submeshCount, vertexCount, triangleCount, submeshes: reader.u32(4 * submeshCount),
    vertices: reader.f32(3 * vertexCount), triangles: reader.u8(4 * triangleCount),
  };
}

/**
 * @param {Uint8Array} bytes @param {number} cells
 * @returns cells [n][2]: first span, spans; floor and clearance [n] in cell heights; links [n]: 6 bits per side,
 *   63 for none; areas [n]
 */
function readCompact(bytes, cells) {
  const spanCount = (bytes.length - 8 * cells) / 9;
  const view = new DataView(bytes.buffer, bytes.byteOffset + 8 * cells);
  const result = {
    cells: new Reader(bytes).u32(2 * cells), floor: new Uint16Array(spanCount), clearance: new Uint16Array(spanCount),
    links: new Uint32Array(spanCount), areas: new Uint8Array(spanCount),
  };
  for (let span = 0; span < spanCount; span++) {
    result.floor[span] = view.getUint16(9 * span, true);
    result.clearance[span] = view.getUint16(9 * span + 2, true);
    result.links[span] = view.getUint32(9 * span + 4, true);
    result.areas[span] = bytes[8 * cells + 9 * span + 8];
  }
  return result;
}

/**
 * A heightfield layer: an image of the surface of a tile, without its border, with at most one span a cell. Cell x, z has index
 * x + z * width.
 * @typedef {object} HeightfieldLayer
 * @property {Float32Array} boundsMin [3] world units; y is the lowest floor of the layer
 * @property {Float32Array} boundsMax [3] y is the highest floor
 * @property {number} heightMin the lowest floor, cell heights
 * @property {number} heightMax the highest floor
 * @property {number} usedMinX the cells that aren't empty lie from usedMinX, usedMinZ to usedMaxX, usedMaxZ
 * @property {number} usedMaxX
 * @property {number} usedMinZ
 * @property {number} usedMaxZ
 * @property {Uint8Array} heights cell heights above heightMin; 255 = empty
 * @property {Uint8Array} areas 0 = empty
 * @property {Uint8Array} connections bits 0 to 3: linked to the cell at -x, +z, +x, -z of the layer; bits 4 to 7: across that
 *   side to another layer or tile
 */

/**
 * @param {Uint8Array} bytes
 * @returns {{ width: number, depth: number, layers: HeightfieldLayer[] }}
 */
function readHeightfieldLayers(bytes) {
  const reader = new Reader(bytes);
  const [layerCount, width, depth] = reader.u32(3);
  const layers = Array.from({ length: layerCount }, () => {
    const [boundsMin, boundsMax] = [reader.f32(3), reader.f32(3)];
    const [heightMin, heightMax, usedMinX, usedMaxX, usedMinZ, usedMaxZ] = reader.i32(6);
    const [heights, areas, connections] = [reader.u8(width * depth), reader.u8(width * depth), reader.u8(width * depth)];
    return {
      boundsMin, boundsMax, heightMin, heightMax, usedMinX, usedMaxX, usedMinZ, usedMaxZ, heights, areas, connections,
    };
  });
  return { width, depth, layers };
}

/**
 * The typed arrays of each array.
 * @typedef {{
 *   triangleAreas: Uint8Array, heightfield: HeightfieldArrays, compact: ReturnType<typeof readCompact>,
 *   areas: Uint8Array, distance: Uint16Array, regions: Uint16Array, contours: ReturnType<typeof readContours>,
 *   polygonMesh: ReturnType<typeof readPolygonMesh>, detailMesh: ReturnType<typeof readDetailMesh>, tile: Uint8Array,
 *   heightfieldLayers: ReturnType<typeof readHeightfieldLayers>
 * }} StageArrays
 */

/**
 * @template {StageArray} T
 * @param {T} name @param {Uint8Array} bytes @param {number} cells width * depth of the field
 * @returns {StageArrays[T]}
 */
export function readStageArray(name, bytes, cells) {
  /** @type {Record<StageArray, () => unknown>} */
  const readers = {
    triangleAreas: () => bytes,
    heightfield: () => readHeightfield(bytes, cells),
    compact: () => readCompact(bytes, cells),
    areas: () => bytes,
    distance: () => new Reader(bytes).u16(bytes.length / 2),
    regions: () => new Reader(bytes).u16(bytes.length / 2),
    contours: () => readContours(bytes),
    polygonMesh: () => readPolygonMesh(bytes),
    detailMesh: () => readDetailMesh(bytes),
    tile: () => bytes,
    heightfieldLayers: () => readHeightfieldLayers(bytes),
  };
  return /** @type {StageArrays[T]} */ (readers[name]());
}
