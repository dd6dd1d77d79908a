/**
 * Distances to walls by brute force, from the bytes of a mesh of one tile: every edge of a polygon without a neighbour. Shares no
 * code with the queries. Edges are sorted into squares only to skip far ones.
 */

/** Byte offsets in a tile of Detour's format. */
const TILE = { polygonCount: 24, vertexCount: 28, header: 100, vertexBytes: 12, polygonBytes: 32 };
const POLYGON = { vertices: 4, neighbours: 16, vertexCount: 30, areaAndType: 31 };
/** Walls whose height differs by more from that of the point belong to another storey. */
const STOREY = 1.2;
/** Side of a square, world units. */
const SQUARE = 4;
/** Cells of the eroded mesh: their side, and how many of them a level has at most on a side. */
const [FINE_CELL, FINE_CELLS] = [0.05, 1600];
/** Steps from a point to the centre of the disc that must fit. */
const STEPS = 8;

/** The edges without a neighbour: x, y, z of both ends. @param {Uint8Array} bytes of a tile */
export function readWalls(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const firstPolygon = TILE.header + TILE.vertexBytes * view.getInt32(TILE.vertexCount, true);
  const walls = [];
  for (let p = 0; p < view.getInt32(TILE.polygonCount, true); p++) {
    const at = firstPolygon + TILE.polygonBytes * p, count = view.getUint8(at + POLYGON.vertexCount);
    if (view.getUint8(at + POLYGON.areaAndType) >> 6 !== 0) continue;
    for (let k = 0; k < count; k++) {
      if (view.getUint16(at + POLYGON.neighbours + 2 * k, true) !== 0) continue;
      walls.push([k, (k + 1) % count].flatMap((corner) => {
        const vertex = TILE.header + TILE.vertexBytes * view.getUint16(at + POLYGON.vertices + 2 * corner, true);
        return [0, 1, 2].map((axis) => view.getFloat32(vertex + 4 * axis, true));
      }));
    }
  }
  return walls;
}

/**
 * A mesh of one tile, eroded by a distance: its own polygons as a level, baked with the distance as radius and cells so small that a path
 * on it is the shortest one that keeps the distance, up to a cell.
 * @param {any} walkmesh @param {Uint8Array} bytes of the tile @param {number} distance
 */
export function erode(walkmesh, bytes, distance) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vertexCount = view.getInt32(TILE.vertexCount, true), firstPolygon = TILE.header + TILE.vertexBytes * vertexCount;
  const positions = Float32Array.from({ length: 3 * vertexCount }, (_, i) => view.getFloat32(TILE.header + 4 * i, true)), indices = [];
  for (let p = 0; p < view.getInt32(TILE.polygonCount, true); p++) {
    const at = firstPolygon + TILE.polygonBytes * p;
    if (view.getUint8(at + POLYGON.areaAndType) >> 6 !== 0) continue;
    const corner = (/** @type {number} */ k) => view.getUint16(at + POLYGON.vertices + 2 * k, true);
    for (let k = 2; k < view.getUint8(at + POLYGON.vertexCount); k++) indices.push(corner(0), corner(k - 1), corner(k));
  }
  const widths = [0, 2].map((axis) => {
    const values = positions.filter((_, i) => i % 3 === axis);
    return values.reduce((a, b) => Math.max(a, b), -Infinity) - values.reduce((a, b) => Math.min(a, b), Infinity);
  });
  const cellSize = Math.max(FINE_CELL, ...widths.map((width) => width / FINE_CELLS));
  return walkmesh.bake({ positions, indices: Uint32Array.from(indices) }, {
    cellSize, cellHeight: 0.1, agentRadius: distance, agentHeight: 0.6, agentMaxClimb: 0.5, agentMaxSlope: 80, minRegionSize: 0, maxEdgeLength: 0, maxEdgeError: 0.7,
  }).navMesh;
}

export class WallOracle {
  /** @type {Map<string, number[][]>} */
  #squares = new Map();
  #reach;

  /** @param {number[][]} walls as readWalls returns them @param {number} reach farther walls don't matter */
  constructor(walls, reach) {
    this.#reach = reach;
    for (const wall of walls) {
      const [x1, , z1, x2, , z2] = wall;
      const range = (/** @type {number} */ a, /** @type {number} */ b) => [Math.floor((Math.min(a, b) - reach) / SQUARE), Math.floor((Math.max(a, b) + reach) / SQUARE)];
      const [[left, right], [near, far]] = [range(x1, x2), range(z1, z2)];
      for (let x = left; x <= right; x++) {
        for (let z = near; z <= far; z++) {
          const key = `${x} ${z}`;
          this.#squares.set(key, [...(this.#squares.get(key) ?? []), wall]);
        }
      }
    }
  }

  /** The nearest point of a wall on the storey of a point, and its distance on x and z, at most `reach`. @param {number} x @param {number} y @param {number} z */
  nearest(x, y, z) {
    const found = { distance: this.#reach, x: NaN, z: NaN };
    for (const [x1, y1, z1, x2, y2, z2] of this.#squares.get(`${Math.floor(x / SQUARE)} ${Math.floor(z / SQUARE)}`) ?? []) {
      const [along, across] = [x2 - x1, z2 - z1], squared = along * along + across * across;
      const t = squared > 0 ? Math.min(1, Math.max(0, ((x - x1) * along + (z - z1) * across) / squared)) : 0;
      if (Math.abs(y1 + (y2 - y1) * t - y) > STOREY) continue;
      const distance = Math.hypot(x1 + along * t - x, z1 + across * t - z);
      if (distance < found.distance) Object.assign(found, { distance, x: x1 + along * t, z: z1 + across * t });
    }
    return found;
  }

  /**
   * True if a disc of a radius fits between the walls where a point is nearer than that to one: the disc that touches the nearest wall
   * on the point's side. The passage is then at least twice the radius wide.
   * @param {number} x @param {number} y @param {number} z @param {number} radius
   */
  hasRoom(x, y, z, radius) {
    const wall = this.nearest(x, y, z);
    if (!(wall.distance > 1e-3)) return false;
    const [towards, across] = [(x - wall.x) / wall.distance, (z - wall.z) / wall.distance];
    for (let step = 1; step <= STEPS; step++) {
      const off = wall.distance + ((radius - wall.distance) * step) / STEPS;
      if (this.nearest(wall.x + towards * off, y, wall.z + across * off).distance < 0.97 * off) return false;
    }
    return true;
  }
}
