/** The islands of a mesh, with a place to look at, and whether the bake can remove them. All but the main ground are cut off. */

/** @typedef {import('walkmesh').TileArrays} TileArrays */
/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {Pick<import('walkmesh').Islands, 'count' | 'of' | 'area'>} Numbers of islands: those of the library, or of ground/islands.js */

/**
 * @typedef {object} Island
 * @property {number} number 1 is the main ground
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

  /** @param {TileArrays} tile @param {number} ref of the tile @param {Pick<Numbers, 'of'>} islands @param {number} cellSize */
  add(tile, ref, islands, cellSize) {
    const { boundsMin, boundsMax } = tile;
    for (let polygon = 0; polygon < tile.groundCount; polygon++) {
      const number = islands.of(ref + polygon);
      if (number === 0) continue;
      const { area, middle, corners } = measure(tile, polygon);
      const entry = this.#entries.get(number) ?? { tile: ref, isInOneTile: true, largest: 0, point: middle };
      this.#entries.set(number, entry);
      const isAtBorder = corners.some((corner) => [0, 2].some((axis) => (
        corner[axis] < boundsMin[axis] + cellSize || corner[axis] > boundsMax[axis] - cellSize)));
      entry.isInOneTile &&= entry.tile === ref && !isAtBorder;
      if (area > entry.largest) Object.assign(entry, { largest: area, point: middle });
    }
  }

  /** The islands that are cut off, from the largest to the smallest. @param {Pick<Numbers, 'area'>} islands @returns {Island[]} */
  list(islands) {
    return [...this.#entries].filter(([number]) => number > 1).map(([number, { point, isInOneTile }]) => ({ number, area: islands.area(number), point, isInOneTile }))
      .sort((a, b) => b.area - a.area || a.number - b.number);
  }

  /** A point of each island by number, of some with the lowest numbers. @param {number} most @returns {Map<number, Point>} */
  points(most) {
    return new Map([...this.#entries].filter(([number]) => number <= most).map(([number, { point }]) => [number, point]));
  }
}
