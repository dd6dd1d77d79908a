/**
 * The surface of a navigation mesh as faces over shared vertices, for export files: with height detail (triangles that
 * follow the ground) or as the polygons of path searches.
 */
import { readTile } from 'walkmesh';

/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('walkmesh').TileArrays} TileArrays */

/**
 * @typedef {object} Surface
 * @property {Float32Array} positions x, y, z of each vertex
 * @property {Map<number, Uint32Array[]>} faces by area, lowest first: vertex indices of each face, counter-clockwise seen from above
 * @property {Uint32Array} connections two vertices for each off-mesh connection that is baked in
 */

/** Vertices of the whole mesh; only vertices used by faces are copied. */
class Vertices {
  /** @type {number[]} */
  positions = [];

  /** The new index of a vertex; the first call copies the vertex. @param {Float32Array} from @param {Map<number, number>} copied @param {number} vertex */
  copyVertex(from, copied, vertex) {
    let number = copied.get(vertex);
    if (number === undefined) {
      number = this.positions.length / 3;
      this.positions.push(from[3 * vertex], from[3 * vertex + 1], from[3 * vertex + 2]);
      copied.set(vertex, number);
    }
    return number;
  }
}

/**
 * Faces of one tile.
 * @param {TileArrays} tile @param {boolean} detail @param {Vertices} vertices @param {(area: number, face: Uint32Array) => void} add
 * @param {(start: number, end: number) => void} connect
 */
function addTile(tile, detail, vertices, add, connect) {
  const { sizes, polygons, areas, details, detailVertices, detailTriangles } = tile;
  const [own, finer] = [new Map(), new Map()];
  const corner = (/** @type {number} */ polygon, /** @type {number} */ c) => vertices.copyVertex(tile.vertices, own, polygons[6 * polygon + c]);
  for (let p = 0; p < tile.polygonCount; p++) {
    if (p >= tile.groundCount) {
      connect(corner(p, 0), corner(p, 1));
      continue;
    }
    if (!detail) {
      add(areas[p], Uint32Array.from({ length: sizes[p] }, (_, c) => corner(p, c)));
      continue;
    }
    const [firstVertex, firstTriangle, count] = details.subarray(3 * p, 3 * p + 3);
    for (let t = firstTriangle; t < firstTriangle + count; t++) {
      add(areas[p], Uint32Array.from({ length: 3 }, (_, c) => {
        const number = detailTriangles[4 * t + c];
        return number < sizes[p] ? corner(p, number) : vertices.copyVertex(detailVertices, finer, firstVertex + number - sizes[p]);
      }));
    }
  }
}

/**
 * @param {NavMesh} navMesh @param {{ detail?: boolean }} [options] detail: with height detail; default true
 * @returns {Surface}
 */
export function surfaceOf(navMesh, { detail = true } = {}) {
  const vertices = new Vertices();
  /** @type {Map<number, Uint32Array[]>} */
  const faces = new Map();
  /** @type {number[]} */
  const connections = [];
  const add = (/** @type {number} */ area, /** @type {Uint32Array} */ face) => {
    const list = faces.get(area);
    if (list) list.push(face);
    else faces.set(area, [face]);
  };
  for (const { bytes } of navMesh.tiles()) {
    addTile(readTile(bytes), detail, vertices, add, (start, end) => connections.push(start, end));
  }
  return {
    positions: Float32Array.from(vertices.positions), connections: Uint32Array.from(connections),
    faces: new Map([...faces].sort(([a], [b]) => a - b)),
  };
}

/** The name of an area in files. @param {number} area */
export const areaLabel = (area) => (area === 0 ? 'ground' : `area ${area}`);
