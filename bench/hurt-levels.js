/**
 * Worst-case levels: each exercises one stage with an input for which careless code takes quadratic time. A cell is one unit wide
 * and half a unit high, the agent has no radius, and no filter runs, so that the stage gets exactly the drawn cells.
 */
import { Random } from '../tests/js/live/random.js';

/** @typedef {{ geometry: { positions: Float32Array, indices: Uint32Array }, config: any }} HurtLevel */

const CONFIG = {
  cellSize: 1, cellHeight: 0.5, agentRadius: 0, agentHeight: 2, agentMaxClimb: 0.9, agentMaxSlope: 60, minRegionSize: 0, mergeRegionSize: 0,
  maxEdgeLength: 0, maxEdgeError: 1.3, detailSampleDistance: 0, filterLedges: false, filterLowHangingObstacles: false, filterLowHeight: false,
};
/** Distance of a rectangle from the borders of its cells, so that it touches no other cell. */
const INSET = 0.1;

/** Collects triangles in typed arrays that grow, since there may be a million. */
class Soup {
  #positions = new Float32Array(1 << 16);
  #indices = new Uint32Array(1 << 16);
  #vertices = 0;
  #corners = 0;

  /** @param {number[]} points x, y, z of each corner, counter-clockwise seen from the front; stored as a fan @returns {void} */
  add(points) {
    const count = points.length / 3;
    if (3 * (this.#vertices + count) > this.#positions.length) this.#positions = grow(this.#positions);
    if (this.#corners + 3 * count > this.#indices.length) this.#indices = grow(this.#indices);
    this.#positions.set(points, 3 * this.#vertices);
    for (let i = 2; i < count; i++) {
      this.#indices[this.#corners++] = this.#vertices;
      this.#indices[this.#corners++] = this.#vertices + i - 1;
      this.#indices[this.#corners++] = this.#vertices + i;
    }
    this.#vertices += count;
  }

  /** Adds a rectangle of cells, from x0 to before x1, at a height. */
  addCells(x0, z0, x1, z1, y = 0) {
    const [left, near, right, far] = [x0 + INSET, z0 + INSET, x1 - INSET, z1 - INSET];
    this.add([left, y, near, left, y, far, right, y, far, right, y, near]);
  }

  finish() {
    return { positions: this.#positions.slice(0, 3 * this.#vertices), indices: this.#indices.slice(0, this.#corners) };
  }
}

/** @template {Float32Array | Uint32Array} T @param {T} array @returns {T} */
function grow(array) {
  const larger = /** @type {T} */ (new /** @type {any} */ (array.constructor)(2 * array.length));
  larger.set(array);
  return larger;
}

/** @param {Soup} soup @param {number} width @param {number} depth cells @param {object} [config] @param {number} [top] @returns {HurtLevel} */
const finish = (soup, width, depth, config = {}, top = 10) => ({
  geometry: soup.finish(), config: { ...CONFIG, bounds: { min: [0, -1, 0], max: [width, top, depth] }, ...config },
});

/** A floor with `count` holes of one cell, 4 cells apart: in rows, or scattered. One region with the partition `layers`. */
export function holes(count, strewn = false) {
  const side = Math.round(Math.sqrt(count));
  const size = 4 * side + 1;
  const random = new Random(5);
  const soup = new Soup();
  for (let row = 0; row < side; row++) {
    const z = 4 * row + 1;
    const places = Array.from({ length: side }, (_, i) => [4 * i + 1 + (strewn ? random.integer(0, 2) : 0), z + (strewn ? random.integer(0, 1) : 0)]);
    soup.addCells(0, z - 1, size, z);
    for (let line = z; line < z + 3; line++) {
      let from = 0;
      for (const [x] of places.filter(([, at]) => at === line)) {
        soup.addCells(from, line, x, line + 1);
        from = x + 1;
      }
      soup.addCells(from, line, size, line + 1);
    }
  }
  soup.addCells(0, size - 1, size, size);
  return finish(soup, size, size, { partition: 'layers', maxEdgeError: 0.5 });
}

/** A comb: a strip with teeth one cell wide and `length` long; ragged combs have teeth of random length. Four vertices per tooth. */
export function comb(teeth, length, { ragged = false, ...config } = {}) {
  const random = new Random(6);
  const [width, depth] = [2 * teeth + 1, length + 3];
  const soup = new Soup();
  soup.addCells(0, 0, width, 3);
  for (let i = 0; i < teeth; i++) soup.addCells(2 * i + 1, 2, 2 * i + 2, ragged ? random.integer(4, depth) : depth);
  return finish(soup, width, depth, { partition: 'layers', maxEdgeError: 0.5, ...config });
}

/**
 * A corridor one cell wide that winds inwards, with a gap of one cell. Its outline has some 2 vertices per turn, and edges as
 * long as the field.
 */
export function spiral(side) {
  const soup = new Soup();
  for (let low = 0, high = side; high - low > 4; low += 2, high -= 2) {
    soup.addCells(low, low, high, low + 1);
    soup.addCells(high - 1, low, high, high);
    soup.addCells(low, high - 1, high, high);
    soup.addCells(low, low + 2, low + 1, high);
    soup.addCells(low, low + 2, low + 3, low + 3);
  }
  return finish(soup, side, side, { partition: 'layers' });
}

/** `count` islands of 3 x 3 cells, one cell apart. Each is a region. */
export function islands(count) {
  const side = Math.round(Math.sqrt(count));
  const soup = new Soup();
  for (let i = 0; i < side * side; i++) {
    const [x, z] = [4 * (i % side), 4 * Math.floor(i / side)];
    soup.addCells(x, z, x + 3, z + 3);
  }
  return finish(soup, 4 * side, 4 * side);
}

/** A floor with a pillar every 6 cells: a basin between any four, all of which can merge with their neighbours. */
export function basins(count, rows = Math.round(Math.sqrt(count))) {
  const width = 6 * Math.round(count / rows) + 6;
  const depth = 6 * rows + 6;
  const soup = new Soup();
  for (let z = 0; z < depth; z += 6) {
    soup.addCells(0, z + 1, width, z + 6);
    for (let x = 0; x < width; x += 6) soup.addCells(x + 1, z, x + 6, z + 1);
  }
  return finish(soup, width, depth, { mergeRegionSize: 10000 });
}

/** `count` adjacent strips of a level floor with ragged ends, each a region that merges with its neighbours. */
export function strips(count) {
  const soup = new Soup();
  const depth = 40;
  const random = new Random(8);
  for (let i = 0; i < count; i++) soup.addCells(3 * i, random.integer(0, 8), 3 * i + 3, depth - random.integer(0, 8));
  return finish(soup, 3 * count, depth, { partition: 'monotone', mergeRegionSize: 10000 });
}

/** `count` floors of 40 x 40 cells, one above the other. */
export function storeys(count) {
  const soup = new Soup();
  for (let i = 0; i < count; i++) soup.addCells(0, 0, 40, 40, 4 * i);
  return finish(soup, 40, 40, {}, 4 * count + 4);
}

/** Two triangles over side x side cells, rotated so that no edge lies along a row. */
export function hugeTriangles(side) {
  const soup = new Soup();
  soup.add([0, 0, 0, 0, side / 4, side, side, side / 4 + side / 9, side, side, side / 9, 0]);
  return finish(soup, side, side, {}, side);
}

/** `count` needles from the centre of the field outwards: all of them overlap the central cell. */
export function needles(count) {
  const random = new Random(9);
  const soup = new Soup();
  const [middle, radius] = [40, 30];
  for (let i = 0; i < count; i++) {
    const angle = random.between(0, 2 * Math.PI);
    const at = (turn) => [middle + radius * Math.cos(angle + turn), random.between(0, 2), middle + radius * Math.sin(angle + turn)];
    soup.add([middle, 1, middle, ...at(0.001), ...at(0)]);
  }
  return finish(soup, 80, 80);
}

/** `count` small triangles above each other in random order: a column of `count` spans. */
export function column(count) {
  const random = new Random(10);
  const heights = Float64Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const k = random.integer(0, i);
    [heights[i], heights[k]] = [heights[k], heights[i]];
  }
  const soup = new Soup();
  for (const y of heights) soup.add([1.2, y, 1.2, 1.2, y, 1.8, 1.8, y, 1.8]);
  return finish(soup, 3, 3, { agentHeight: 0.5, agentMaxClimb: 0, partition: 'monotone' }, count + 1);
}

/** One polygon over side x side cells of bumpy ground, sampled at every second cell. */
export function bumps(side) {
  const soup = new Soup();
  const step = 4;
  const height = (x, z) => 3 + Math.sin(x / 5) + Math.sin(z / 6.1) + 0.5 * Math.sin((x + z) / 2.3);
  for (let z = 0; z < side; z += step) {
    for (let x = 0; x < side; x += step) {
      const corner = (i, k) => [x + i * step, height(x + i * step, z + k * step), z + k * step];
      soup.add([...corner(0, 0), ...corner(0, 1), ...corner(1, 1)]);
      soup.add([...corner(0, 0), ...corner(1, 1), ...corner(1, 0)]);
    }
  }
  return finish(soup, side, side, { cellHeight: 0.1, partition: 'layers', agentMaxSlope: 85, agentMaxClimb: 2, agentHeight: 3,
    maxEdgeError: 20, detailSampleDistance: 2, detailMaxError: 1 });
}

/** `count` triangles scattered over 1,024 tiles, large and small. */
export function strewn(count) {
  const random = new Random(11);
  const soup = new Soup();
  const side = 2048;
  for (let i = 0; i < count; i++) {
    const reach = 0.5 + 40 * random.real() ** 20;
    const [x, z] = [random.between(0, side - reach), random.between(0, side - reach)];
    soup.add([x, 0, z, x, 0, z + reach, x + reach, 0, z + reach]);
  }
  return finish(soup, side, side, { tileSize: 64 });
}
