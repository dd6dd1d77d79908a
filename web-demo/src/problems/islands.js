/** The islands of a mesh that nobody reaches: all but the largest, with a place to look at and whether the bake can remove them. */

/** @typedef {import('walkmesh').TileArrays} TileArrays */
/** @typedef {import('../state/document.js').Point} Point */

/**
 * @typedef {object} Island
 * @property {number} number 1 is the largest
 * @property {number} area square world units
 * @property {Point} point of its largest polygon
 * @property {boolean} isInOneTile true if it lies in the inside of one tile: the bake can remove it as too small
 */

/** Twice the area of a polygon on x and z, and its middle. @param {TileArrays} tile @param {number} polygon */
function measure({ sizes, polygons, vertices }, polygon) {
  const corners = Array.from({ length: sizes[polygon] }, (_, k) => vertices.subarray(3 * polygons[6 * polygon + k], 3 * polygons[6 * polygon + k] + 3));
  let area = 0;
  corners.forEach((a, k) => {
    const b = corners[(k + 1) % corners.length];
    area += a[0] * b[2] - b[0] * a[2];
  });
  const middle = /** @type {Point} */ ([0, 1, 2].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length));
  return { area: Math.abs(area), middle, corners };
}

/** Collects the islands tile by tile. */
export class IslandList {
  /** @type {Map<number, { tile: number, isInOneTile: boolean, largest: number, point: Point }>} */
  #entries = new Map();

  /** @param {TileArrays} tile @param {number} ref of the tile @param {import('walkmesh').Islands} islands @param {number} cellSize */
  add(tile, ref, islands, cellSize) {
    const { boundsMin, boundsMax } = tile;
    for (let polygon = 0; polygon < tile.groundCount; polygon++) {
      const number = islands.of(ref + polygon);
      if (number < 2) continue;
      const { area, middle, corners } = measure(tile, polygon);
      const entry = this.#entries.get(number) ?? { tile: ref, isInOneTile: true, largest: 0, point: middle };
      this.#entries.set(number, entry);
      const isAtBorder = corners.some((corner) => [0, 2].some((axis) => (
        corner[axis] < boundsMin[axis] + cellSize || corner[axis] > boundsMax[axis] - cellSize)));
      entry.isInOneTile &&= entry.tile === ref && !isAtBorder;
      if (area > entry.largest) Object.assign(entry, { largest: area, point: middle });
    }
  }

  /** The islands from the largest to the smallest. @param {import('walkmesh').Islands} islands @returns {Island[]} */
  list(islands) {
    return [...this.#entries].map(([number, { point, isInOneTile }]) => ({ number, area: islands.area(number), point, isInOneTile }))
      .sort((a, b) => b.area - a.area || a.number - b.number);
  }
}
