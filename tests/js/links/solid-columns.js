/** The solid spans of a level, as the bake rasterizes them in one tile: what the oracle of recall moves bodies through. */

export class SolidColumns {
  #first;
  #spans;

  /**
   * @param {import('../../../js/index.js').Walkmesh} walkmesh @param {{ positions: Float32Array, indices: Uint32Array }} level
   * @param {any} config of the bake; its tiles don't matter
   */
  constructor(walkmesh, level, config) {
    const baker = walkmesh.createBaker(level, { ...config, tileSize: 0 });
    baker.beginTile(0, 0, { keepStages: true });
    baker.step();
    const heightfield = baker.read('heightfield');
    if (!heightfield) throw new Error('the bake has no heightfield');
    ({ width: this.width, depth: this.depth, boundsMin: [this.x, this.y, this.z] } = baker.voxels);
    [this.#first, this.#spans] = [heightfield.cellFirst, heightfield.spans];
    ({ cellSize: this.cellSize, cellHeight: this.cellHeight } = config);
    baker.free();
  }

  /** The first and last cell, exclusive, whose centres are within a distance on one axis, inside the grid. */
  #range(centre, radius, count) {
    const first = Math.ceil((centre - radius) / this.cellSize - 0.5), last = Math.floor((centre + radius) / this.cellSize - 0.5);
    return [Math.max(0, first), Math.min(count - 1, last)];
  }

  /**
   * Calls back with bottom and top, world units, of each solid span of the cells whose centres lie within a radius; ends as soon as the
   * callback returns true, and returns true then. Nothing is outside the grid.
   * @param {number} x @param {number} z @param {number} radius @param {(low: number, high: number) => boolean} visit
   */
  some(x, z, radius, visit) {
    const [dx, dz] = [x - this.x, z - this.z];
    const [firstX, lastX] = this.#range(dx, radius, this.width), [firstZ, lastZ] = this.#range(dz, radius, this.depth);
    for (let row = firstZ; row <= lastZ; row++) {
      for (let column = firstX; column <= lastX; column++) {
        const [ox, oz] = [(column + 0.5) * this.cellSize - dx, (row + 0.5) * this.cellSize - dz];
        if (ox * ox + oz * oz <= radius * radius && this.#someSpan(column + row * this.width, visit)) return true;
      }
    }
    return false;
  }

  /** As `some`, for the cell in which a point lies. @param {number} x @param {number} z @param {(low: number, high: number) => boolean} visit */
  someOfCell(x, z, visit) {
    const [column, row] = [Math.floor((x - this.x) / this.cellSize), Math.floor((z - this.z) / this.cellSize)];
    const isInside = column >= 0 && row >= 0 && column < this.width && row < this.depth;
    return isInside && this.#someSpan(column + row * this.width, visit);
  }

  #someSpan(cell, visit) {
    for (let span = this.#first[cell]; span < this.#first[cell + 1]; span++) {
      const low = this.y + this.#spans[3 * span] * this.cellHeight, high = this.y + this.#spans[3 * span + 1] * this.cellHeight;
      if (visit(low, high)) return true;
    }
    return false;
  }

  /** True if an upright cylinder overlaps a solid span of a cell whose centre is in it. @param {{ x: number, z: number, low: number, high: number }} cylinder @param {number} radius */
  blocks({ x, z, low, high }, radius) {
    return this.some(x, z, radius, (bottom, top) => bottom < high - 1e-6 && top > low + 1e-6);
  }
}
