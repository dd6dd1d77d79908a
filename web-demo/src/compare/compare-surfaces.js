/**
 * What one surface has that another lacks. Both are sampled on the same grid; a sample that the other surface lacks at about the same
 * height counts, unless the difference is thinner than two samples: outlines are simplified anew by every bake.
 */

/** @typedef {{ area: number, positions: Float32Array }} Part area: square world units on x and z; positions: x, y, z of triangles, to draw */
/** @typedef {{ x: number, z: number, step: number, width: number, depth: number }} Grid of samples */

/** Samples on a side of a block; blocks are compared one by one. */
const BLOCK = 128;
/** Most samples of the whole grid; a larger level gets a coarser one. */
const MOST = 4e6;
/** Offset of the samples in their cells: not in the middle, where edges of tiles may lie. */
const INSIDE = 0.47;
/** Height of the drawing above the surface, world units. */
const LIFT = 0.06;
/** Longest drawn stretch of samples: a longer one could leave a curved surface. */
const LONGEST = 16;
/** Slope of the steepest ground that is drawn as a slope, height per length. */
const STEEPEST = 2;

/** @param {Float32Array[]} triangles @param {number} step @returns {Grid} */
function gridOf(triangles, step) {
  let [minX, minZ, maxX, maxZ] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const list of triangles) {
    for (let i = 0; i < list.length; i += 3) {
      minX = Math.min(minX, list[i]);
      maxX = Math.max(maxX, list[i]);
      minZ = Math.min(minZ, list[i + 2]);
      maxZ = Math.max(maxZ, list[i + 2]);
    }
  }
  if (minX > maxX) return { x: 0, z: 0, step, width: 0, depth: 0 };
  const size = Math.max(step, Math.sqrt((maxX - minX) * (maxZ - minZ) / MOST));
  return { x: minX - size, z: minZ - size, step: size, width: Math.ceil((maxX - minX) / size) + 2, depth: Math.ceil((maxZ - minZ) / size) + 2 };
}

/**
 * Sorts triangles by the blocks they touch, with a margin of a sample around each. @param {Float32Array[]} triangles @param {Grid} grid
 * @returns {Map<number, number[]>} for each block the corners of its triangles
 */
function sortByBlock(triangles, { x, z, step, width }) {
  const size = BLOCK * step;
  const columns = Math.ceil(width / BLOCK);
  /** @type {Map<number, number[]>} */
  const blocks = new Map();
  for (const list of triangles) {
    for (let i = 0; i < list.length; i += 9) {
      const [fromX, toX] = [Math.min(list[i], list[i + 3], list[i + 6]) - step, Math.max(list[i], list[i + 3], list[i + 6]) + step].map((value) => Math.floor((value - x) / size));
      const [fromZ, toZ] = [Math.min(list[i + 2], list[i + 5], list[i + 8]) - step, Math.max(list[i + 2], list[i + 5], list[i + 8]) + step].map((value) => Math.floor((value - z) / size));
      for (let bz = fromZ; bz <= toZ; bz++) {
        for (let bx = fromX; bx <= toX; bx++) {
          const key = bx + bz * columns;
          const block = blocks.get(key) ?? [];
          if (block.length === 0) blocks.set(key, block);
          for (let k = 0; k < 9; k++) block.push(list[i + k]);
        }
      }
    }
  }
  return blocks;
}

/** Samples on a side of a block with one row and column around it. */
const SIDE = BLOCK + 2;

/** Heights at the samples of a block: a list for each sample, in arrays that are reused for all blocks. */
class Samples {
  #head = new Int32Array(SIDE * SIDE);
  #next = new Int32Array(SIDE * SIDE);
  #heights = new Float64Array(SIDE * SIDE);
  #count = 0;

  reset() {
    this.#head.fill(-1);
    this.#count = 0;
  }

  /** @param {number} at @param {number} height */
  add(at, height) {
    // Triangles share their edges.
    if (this.has(at, height, 1e-3)) return;
    if (this.#count === this.#next.length) this.#grow();
    this.#next[this.#count] = this.#head[at];
    this.#heights[this.#count] = height;
    this.#head[at] = this.#count++;
  }

  #grow() {
    const [next, heights] = [new Int32Array(2 * this.#count), new Float64Array(2 * this.#count)];
    next.set(this.#next);
    heights.set(this.#heights);
    [this.#next, this.#heights] = [next, heights];
  }

  /** @param {number} at @param {number} height @param {number} tolerance */
  has(at, height, tolerance) {
    for (let i = this.#head[at]; i >= 0; i = this.#next[i]) if (Math.abs(this.#heights[i] - height) <= tolerance) return true;
    return false;
  }

  /** The height at a sample that is nearest to another one; Infinity: it has none. @param {number} at @param {number} height */
  nearest(at, height) {
    let nearest = Infinity;
    for (let i = this.#head[at]; i >= 0; i = this.#next[i]) if (Math.abs(this.#heights[i] - height) < Math.abs(nearest - height)) nearest = this.#heights[i];
    return nearest;
  }

  /** @param {number} at @param {(height: number) => void} visit */
  visit(at, visit) {
    for (let i = this.#head[at]; i >= 0; i = this.#next[i]) visit(this.#heights[i]);
  }
}

/**
 * Samples a surface in a block. @param {Samples} samples are replaced @param {number[]} corners of triangles @param {Grid} grid
 * @param {number} fromX first sample of the block @param {number} fromZ
 */
function sample(samples, corners, { x, z, step }, fromX, fromZ) {
  samples.reset();
  // From here on in samples: the one at the corner of the margin is 0, 0.
  const [originX, originZ] = [x + (fromX - 1 + INSIDE) * step, z + (fromZ - 1 + INSIDE) * step];
  for (let i = 0; i < corners.length; i += 9) {
    const ax = (corners[i] - originX) / step, az = (corners[i + 2] - originZ) / step, ay = corners[i + 1];
    const bx = (corners[i + 3] - originX) / step - ax, bz = (corners[i + 5] - originZ) / step - az, by = corners[i + 4] - ay;
    const cx = (corners[i + 6] - originX) / step - ax, cz = (corners[i + 8] - originZ) / step - az, cy = corners[i + 7] - ay;
    const area = bx * cz - cx * bz;
    if (Math.abs(area) < 1e-9) continue;
    const [x0, x1] = [Math.max(0, Math.ceil(ax + Math.min(0, bx, cx))), Math.min(SIDE - 1, Math.floor(ax + Math.max(0, bx, cx)))];
    const [z0, z1] = [Math.max(0, Math.ceil(az + Math.min(0, bz, cz))), Math.min(SIDE - 1, Math.floor(az + Math.max(0, bz, cz)))];
    for (let iz = z0; iz <= z1; iz++) {
      for (let ix = x0; ix <= x1; ix++) {
        const v = ((ix - ax) * cz - cx * (iz - az)) / area;
        const w = (bx * (iz - az) - (ix - ax) * bz) / area;
        if (v >= 0 && w >= 0 && v + w <= 1) samples.add(ix + iz * SIDE, ay + v * by + w * cy);
      }
    }
  }
}

/** Samples of one surface that the other lacks. @param {Samples} lacks are replaced @param {Samples} own @param {Samples} other @param {number} tolerance */
function findLacking(lacks, own, other, tolerance) {
  lacks.reset();
  for (let at = 0; at < SIDE * SIDE; at++) own.visit(at, (height) => { if (!other.has(at, height, tolerance)) lacks.add(at, height); });
}

/** True if a sample lies in a square of two by two. @param {Samples} lacks @param {number} at @param {number} height @param {number} tolerance */
function isThick(lacks, at, height, tolerance) {
  const has = (/** @type {number} */ dx, /** @type {number} */ dz) => lacks.has(at + dx + dz * SIDE, height, tolerance);
  for (const dx of [-1, 1]) for (const dz of [-1, 1]) if (has(dx, 0) && has(0, dz) && has(dx, dz)) return true;
  return false;
}

/** A growing list of the triangles of a part. */
class Drawing {
  /** @type {number[]} */
  values = [];
  samples = 0;

  /** Adds a rectangle. @param {number} x @param {number} z @param {number} toX @param {number} toZ @param {number[]} heights at x, z; toX, z; x, toZ; toX, toZ */
  add(x, z, toX, toZ, [y, yAtX, yAtZ, yAtBoth]) {
    this.values.push(x, y, z, x, yAtZ, toZ, toX, yAtBoth, toZ, x, y, z, toX, yAtBoth, toZ, toX, yAtX, z);
  }
}

/**
 * Samples of a row that are drawn as one rectangle: the height of the first and of the last, and the rise from one sample to the next along x
 * and z.
 * @typedef {{ from: number, to: number, y: number, toY: number, riseX: number, riseZ: number }} Stretch
 */

/**
 * The rise from one sample to the next, from those beside it; 0 where they are steeper than ground.
 * @param {Samples} lacks @param {number} at @param {number} height @param {number} offset to the next sample @param {number} most
 */
function riseAt(lacks, at, height, offset, most) {
  const rises = [offset, -offset].map((by) => Math.sign(by) * (lacks.nearest(at + by, height) - height)).filter((rise) => Math.abs(rise) <= most);
  return rises.reduce((sum, rise) => sum + rise, 0) / Math.max(rises.length, 1);
}

/**
 * Adds a sample to the stretch that ends before it on the same plane, or begins another one.
 * @param {Stretch[]} open @param {Stretch} sample @param {number} most difference of heights
 */
function extend(open, sample, most) {
  const before = open.find(({ from, to, y, riseX, riseZ }) => to === sample.from - 1 && sample.from - from < LONGEST
    && Math.abs(y + riseX * (sample.from - from) - sample.y) < most && Math.abs(riseZ - sample.riseZ) < most);
  if (before) Object.assign(before, { to: sample.to, toY: sample.y });
  else open.push(sample);
}

/**
 * Adds the thick samples of a block to a drawing, as stretches along x that lie on the surface.
 * @param {Drawing} drawing @param {Samples} lacks @param {Grid} grid @param {number} fromX @param {number} fromZ @param {number} tolerance
 */
function draw(drawing, lacks, { x, z, step }, fromX, fromZ, tolerance) {
  const addStretch = (/** @type {Stretch} */ { from, to, y, toY, riseX, riseZ }, /** @type {number} */ iz) => {
    const heights = [y - (riseX + riseZ) / 2, toY + (riseX - riseZ) / 2, y + (riseZ - riseX) / 2, toY + (riseX + riseZ) / 2].map((height) => height + LIFT);
    drawing.add(x + (fromX + from - 1) * step, z + (fromZ + iz - 1) * step, x + (fromX + to) * step, z + (fromZ + iz) * step, heights);
  };
  for (let iz = 1; iz <= BLOCK; iz++) {
    /** @type {Stretch[]} */
    const open = [];
    for (let ix = 1; ix <= BLOCK; ix++) {
      const at = ix + iz * SIDE;
      lacks.visit(at, (height) => {
        if (!isThick(lacks, at, height, tolerance)) return;
        drawing.samples++;
        const [riseX, riseZ] = [1, SIDE].map((offset) => riseAt(lacks, at, height, offset, STEEPEST * step));
        extend(open, { from: ix, to: ix, y: height, toY: height, riseX, riseZ }, step / 4);
      });
    }
    for (const stretch of open) addStretch(stretch, iz);
  }
}

/**
 * Compares two surfaces, block by block, with a pause after each.
 * @param {Float32Array[]} before triangles @param {Float32Array[]} after @param {{ step: number, tolerance: number }} options step: between
 *   samples, world units; tolerance: largest difference in height of the same ground
 * @returns {Generator<void, { gained: Part, lost: Part }, void>}
 */
export function* compareSurfaces(before, after, { step, tolerance }) {
  const grid = gridOf([...before, ...after], step);
  const columns = Math.ceil(grid.width / BLOCK);
  const [old, now] = [sortByBlock(before, grid), sortByBlock(after, grid)];
  const [gained, lost] = [new Drawing(), new Drawing()];
  const [was, is, lacks] = [new Samples(), new Samples(), new Samples()];
  for (const block of new Set([...old.keys(), ...now.keys()])) {
    const [fromX, fromZ] = [block % columns * BLOCK, Math.floor(block / columns) * BLOCK];
    sample(was, old.get(block) ?? [], grid, fromX, fromZ);
    sample(is, now.get(block) ?? [], grid, fromX, fromZ);
    findLacking(lacks, is, was, tolerance);
    draw(gained, lacks, grid, fromX, fromZ, tolerance);
    findLacking(lacks, was, is, tolerance);
    draw(lost, lacks, grid, fromX, fromZ, tolerance);
    yield;
  }
  const partOf = (/** @type {Drawing} */ { samples, values }) => ({ area: samples * grid.step ** 2, positions: Float32Array.from(values) });
  return { gained: partOf(gained), lost: partOf(lost) };
}
