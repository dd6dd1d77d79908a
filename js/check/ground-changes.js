/** Samples of ground that changed, and the changes that they make together. */

/** @typedef {import('../mesh/detour-tile.js').TileArrays} TileArrays */
/** @typedef {[number, number, number]} Vector */

/**
 * Ground that changed, in one piece.
 * @typedef {object} GroundChange
 * @property {'lost' | 'gained' | 'marked'} kind only the first mesh has it; only the second; it has another area or other flags
 * @property {number} area square world units, to a cell
 * @property {Vector} point on it, near its middle
 * @property {Vector} min
 * @property {Vector} max
 */

/** @typedef {{ kind: GroundChange['kind'], column: number, row: number, y: number, isListed: boolean }} Sample */

/** Samples of one change lie at most this many steps above the one beside them: slopes of 63 degrees. */
const STEEPEST = 2;

/** The triangles of a polygon's height detail, nine numbers each. @param {TileArrays} tile @param {number} polygon */
export function listTriangles({ sizes, polygons, vertices, details, detailVertices, detailTriangles }, polygon) {
  const [firstVertex, first, count] = details.subarray(3 * polygon, 3 * polygon + 3);
  const triangles = new Float32Array(9 * count);
  for (let corner = 0; corner < 3 * count; corner++) {
    const number = detailTriangles[4 * (first + Math.floor(corner / 3)) + corner % 3], isOwn = number < sizes[polygon];
    const at = 3 * (isOwn ? polygons[6 * polygon + number] : firstVertex + number - sizes[polygon]);
    triangles.set((isOwn ? vertices : detailVertices).subarray(at, at + 3), 3 * corner);
  }
  return triangles;
}

/**
 * Calls a function with each middle of a cell of a grid that lies in a triangle, row by row.
 * @param {Float32Array} triangle @param {number} step of the grid @param {(x: number, y: number, z: number) => void} take
 */
export function sampleTriangle([ax, ay, az, bx, by, bz, cx, cy, cz], step, take) {
  const doubled = (bx - ax) * (cz - az) - (cx - ax) * (bz - az);
  if (doubled === 0) return;
  const edges = [[ax, az, bx, bz], [bx, bz, cx, cz], [cx, cz, ax, az]];
  for (let row = Math.ceil(Math.min(az, bz, cz) / step - 0.5); (row + 0.5) * step < Math.max(az, bz, cz); row++) {
    const z = (row + 0.5) * step;
    let low = Infinity, high = -Infinity;
    for (const [sx, sz, ex, ez] of edges) {
      if ((sz <= z) === (ez <= z)) continue;
      const x = sx + (ex - sx) * (z - sz) / (ez - sz);
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
    for (let column = Math.ceil(low / step - 0.5); (column + 0.5) * step < high; column++) {
      const x = (column + 0.5) * step;
      const b = ((x - ax) * (cz - az) - (cx - ax) * (z - az)) / doubled, c = ((bx - ax) * (z - az) - (x - ax) * (bz - az)) / doubled;
      take(x, ay + b * (by - ay) + c * (cy - ay), z);
    }
  }
}

export class GroundChanges {
  /** By column and row. @type {Map<string, Sample[]>} */
  #cells = new Map();

  /** @param {number} step of the grid, world units */
  constructor(step) {
    this.step = step;
  }

  /** @param {GroundChange['kind']} kind @param {number} x @param {number} y @param {number} z */
  add(kind, x, y, z) {
    const column = Math.floor(x / this.step), row = Math.floor(z / this.step), place = `${column},${row}`;
    const sample = { kind, column, row, y, isListed: false }, beside = this.#cells.get(place);
    if (beside) beside.push(sample);
    else this.#cells.set(place, [sample]);
  }

  /** The changes, the largest first. @returns {GroundChange[]} */
  list() {
    const pieces = [];
    for (const samples of this.#cells.values()) {
      for (const sample of samples) if (!sample.isListed) pieces.push(this.#describe(this.#collect(sample)));
    }
    return pieces.sort((a, b) => b.area - a.area);
  }

  /** The samples of the piece that one belongs to. @param {Sample} first */
  #collect(first) {
    const piece = [first];
    first.isListed = true;
    for (const { kind, column, row, y } of piece) {
      for (const [x, z] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        for (const sample of this.#cells.get(`${column + x},${row + z}`) ?? []) {
          if (sample.isListed || sample.kind !== kind || Math.abs(sample.y - y) > STEEPEST * this.step) continue;
          sample.isListed = true;
          piece.push(sample);
        }
      }
    }
    return piece;
  }

  /** @param {Sample[]} piece @returns {GroundChange} */
  #describe(piece) {
    const { step } = this, points = piece.map(({ column, row, y }) => /** @type {Vector} */ ([(column + 0.5) * step, y, (row + 0.5) * step]));
    const min = /** @type {Vector} */ ([...points[0]]), max = /** @type {Vector} */ ([...points[0]]), middle = [0, 0, 0];
    for (const point of points) {
      for (let axis = 0; axis < 3; axis++) {
        min[axis] = Math.min(min[axis], point[axis]);
        max[axis] = Math.max(max[axis], point[axis]);
        middle[axis] += point[axis] / points.length;
      }
    }
    const far = (/** @type {Vector} */ [x, y, z]) => Math.hypot(x - middle[0], y - middle[1], z - middle[2]);
    const point = points.reduce((nearest, one) => (far(one) < far(nearest) ? one : nearest));
    return { kind: piece[0].kind, area: piece.length * step * step, point, min, max };
  }
}
