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

/**
 * The heights of a surface at the samples of a block and one row and column around it.
 * @param {number[]} corners of triangles @param {Grid} grid @param {number} fromX first sample @param {number} fromZ
 * @returns {Map<number, number[]>} heights by sample of the block, (BLOCK + 2) a row
 */
function sample(corners, { x, z, step }, fromX, fromZ) {
  /** @type {Map<number, number[]>} */
  const heights = new Map();
  const side = BLOCK + 2;
  for (let i = 0; i < corners.length; i += 9) {
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = corners.slice(i, i + 9);
    const area = (bx - ax) * (cz - az) - (cx - ax) * (bz - az);
    if (Math.abs(area) < 1e-12) continue;
    const first = (/** @type {number} */ value, /** @type {number} */ origin, /** @type {number} */ from) => Math.max(0, Math.ceil((value - origin) / step - INSIDE) - from);
    const last = (/** @type {number} */ value, /** @type {number} */ origin, /** @type {number} */ from) => Math.min(side - 1, Math.floor((value - origin) / step - INSIDE) - from);
    const [x0, x1] = [first(Math.min(ax, bx, cx), x, fromX - 1), last(Math.max(ax, bx, cx), x, fromX - 1)];
    const [z0, z1] = [first(Math.min(az, bz, cz), z, fromZ - 1), last(Math.max(az, bz, cz), z, fromZ - 1)];
    for (let iz = z0; iz <= z1; iz++) {
      const pz = z + (fromZ - 1 + iz + INSIDE) * step;
      for (let ix = x0; ix <= x1; ix++) {
        const px = x + (fromX - 1 + ix + INSIDE) * step;
        const v = ((px - ax) * (cz - az) - (cx - ax) * (pz - az)) / area;
        const w = ((bx - ax) * (pz - az) - (px - ax) * (bz - az)) / area;
        if (v < 0 || w < 0 || v + w > 1) continue;
        const at = ix + iz * side;
        const height = ay + v * (by - ay) + w * (cy - ay);
        const column = heights.get(at);
        if (!column) heights.set(at, [height]);
        else if (!column.includes(height)) column.push(height);
      }
    }
  }
  return heights;
}

/** @param {number[] | undefined} heights @param {number} height @param {number} tolerance */
const isNear = (heights, height, tolerance) => heights !== undefined && heights.some((other) => Math.abs(other - height) <= tolerance);

/**
 * Samples of one surface that the other lacks. @param {Map<number, number[]>} own @param {Map<number, number[]>} other @param {number} tolerance
 * @returns {Map<number, number[]>}
 */
function lacking(own, other, tolerance) {
  /** @type {Map<number, number[]>} */
  const lacks = new Map();
  for (const [at, heights] of own) {
    const others = other.get(at);
    const left = others ? heights.filter((height) => !isNear(others, height, tolerance)) : heights;
    if (left.length > 0) lacks.set(at, left);
  }
  return lacks;
}

/** True if a sample lies in a square of two by two. @param {Map<number, number[]>} lacks @param {number} at @param {number} height @param {number} tolerance */
function isThick(lacks, at, height, tolerance) {
  const side = BLOCK + 2;
  const has = (/** @type {number} */ dx, /** @type {number} */ dz) => isNear(lacks.get(at + dx + dz * side), height, tolerance);
  for (const dx of [-1, 1]) for (const dz of [-1, 1]) if (has(dx, 0) && has(0, dz) && has(dx, dz)) return true;
  return false;
}

/** A growing list of the triangles of a part. */
class Drawing {
  /** @type {number[]} */
  values = [];
  samples = 0;

  /** @param {number} x @param {number} z @param {number} toX @param {number} toZ @param {number} y at x @param {number} toY at toX */
  add(x, z, toX, toZ, y, toY) {
    this.values.push(x, y, z, x, y, toZ, toX, toY, toZ, x, y, z, toX, toY, toZ, toX, toY, z);
  }
}

/**
 * Adds the thick samples of a block to a drawing, as stretches along x.
 * @param {Drawing} drawing @param {Map<number, number[]>} lacks @param {Grid} grid @param {number} fromX @param {number} fromZ @param {number} tolerance
 */
function draw(drawing, lacks, { x, z, step }, fromX, fromZ, tolerance) {
  const side = BLOCK + 2;
  /** Stretches that the next sample may extend. @type {{ from: number, to: number, y: number, toY: number }[]} */
  let open = [];
  const close = (/** @type {number} */ iz) => {
    for (const { from, to, y, toY } of open) {
      drawing.add(x + (fromX + from - 1) * step, z + (fromZ + iz - 1) * step, x + (fromX + to) * step, z + (fromZ + iz) * step, y + LIFT, toY + LIFT);
    }
    open = [];
  };
  for (let iz = 1; iz <= BLOCK; iz++) {
    for (let ix = 1; ix <= BLOCK; ix++) {
      for (const height of lacks.get(ix + iz * side) ?? []) {
        if (!isThick(lacks, ix + iz * side, height, tolerance)) continue;
        drawing.samples++;
        const before = open.find(({ from, to, toY }) => to === ix - 1 && ix - from < LONGEST && Math.abs(toY - height) < step);
        if (before) Object.assign(before, { to: ix, toY: height });
        else open.push({ from: ix, to: ix, y: height, toY: height });
      }
    }
    close(iz);
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
  for (const block of new Set([...old.keys(), ...now.keys()])) {
    const [fromX, fromZ] = [block % columns * BLOCK, Math.floor(block / columns) * BLOCK];
    const collect = (/** @type {Map<number, number[]>} */ blocks) => sample(blocks.get(block) ?? [], grid, fromX, fromZ);
    const [was, is] = [collect(old), collect(now)];
    draw(gained, lacking(is, was, tolerance), grid, fromX, fromZ, tolerance);
    draw(lost, lacking(was, is, tolerance), grid, fromX, fromZ, tolerance);
    yield;
  }
  const partOf = (/** @type {Drawing} */ { samples, values }) => ({ area: samples * grid.step ** 2, positions: Float32Array.from(values) });
  return { gained: partOf(gained), lost: partOf(lost) };
}
