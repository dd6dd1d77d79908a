/**
 * Compares the mesh with the voxels of its level: polygons lie over walkable surface, and that surface has polygons. The level is
 * baked again, up to its regions.
 */
import { frameOf } from '../bake/stage-frame.js';
import { PolygonDetail } from './detail.js';
import { STRIDE } from './findings.js';

/** @typedef {import('../bake/baker.js').Baker} Baker */
/** @typedef {import('./findings.js').CheckedTile} CheckedTile */
/** @typedef {import('./findings.js').Findings} Findings */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */

/** The open spans of a tile by cell. */
class Ground {
  /** @param {Baker} baker with a tile at the stage of regions @param {number} x @param {number} z */
  constructor(baker, x, z) {
    const { cells, floor } = /** @type {import('../bake/read-stage-array.js').StageArrays['compact']} */ (baker.read('compact'));
    this.frame = frameOf(baker, x, z);
    this.cells = cells;
    this.floor = floor;
    this.areas = /** @type {Uint8Array} */ (baker.read('areas'));
    this.regions = /** @type {Uint16Array} */ (baker.read('regions'));
  }

  /**
   * True if a cell has a span near a height that passes. The spans of a cell are in order of height, and there may be hundreds.
   * @param {number} x @param {number} z @param {number} height cell heights @param {number} slack @param {(span: number) => boolean} passes
   */
  has(x, z, height, slack, passes) {
    const { cells, floor } = this;
    const { width, depth } = this.frame;
    if (x < 0 || z < 0 || x >= width || z >= depth) return false;
    const cell = 2 * (x + z * width), end = cells[cell] + cells[cell + 1];
    let first = cells[cell];
    for (let count = end - first; count > 4;) {
      const half = count >> 1;
      if (floor[first + half] < height - slack) first += half;
      count -= half;
    }
    for (let span = first; span < end && floor[span] <= height + slack; span++) {
      if (floor[span] >= height - slack && passes(span)) return true;
    }
    return false;
  }

  /**
   * True if any cell within a distance has such a span.
   * @param {number} x @param {number} z @param {number} reach cells @param {number} height @param {number} slack @param {(span: number) => boolean} passes
   */
  hasAround(x, z, reach, height, slack, passes) {
    const radius = Math.floor(reach);
    for (let dz = -radius; dz <= radius; dz++) {
      for (let dx = -radius; dx <= radius; dx++) {
        if (dx * dx + dz * dz <= reach * reach && this.has(x + dx, z + dz, height, slack, passes)) return true;
      }
    }
    return false;
  }

  /**
   * The centres of spans that have spans of regions all around.
   * @param {number} radius cells @param {number} slack cell heights a cell @param {number} top of the spans, world units
   */
  inner(radius, slack, top) {
    const { cells, floor, regions } = this;
    const { width, depth, border, origin, cellSize, cellHeight } = this.frame;
    const isInner = new Uint8Array(regions.length);
    const points = [];
    for (let z = border; z < depth - border; z++) {
      for (let x = border; x < width - border; x++) {
        const cell = 2 * (x + z * width), first = cells[cell], end = first + cells[cell + 1];
        if (first === end) continue;
        this.#markInner(x, z, radius, radius * slack, isInner);
        for (let span = first; span < end; span++) {
          const y = origin[1] + floor[span] * cellHeight;
          if (isInner[span] && y <= top + cellHeight) points.push(origin[0] + (x - border + 0.5) * cellSize, y, origin[2] + (z - border + 0.5) * cellSize);
        }
      }
    }
    return Float32Array.from(points);
  }

  /**
   * Marks the spans of a cell that have spans of regions near their height in all cells around. Each of these cells is compared with
   * all spans of the cell, with an index into its own spans that only increases.
   * @param {number} x @param {number} z @param {number} radius cells @param {number} slack cell heights @param {Uint8Array} isInner of spans: written for those of the cell
   */
  #markInner(x, z, radius, slack, isInner) {
    const { cells, floor, regions } = this;
    const { width, depth } = this.frame;
    if (x < radius || z < radius || x + radius >= width || z + radius >= depth) return;
    const cell = 2 * (x + z * width), first = cells[cell], end = first + cells[cell + 1];
    for (let span = first; span < end; span++) isInner[span] = regions[span] === 0 ? 0 : 1;
    for (let nearZ = z - radius; nearZ <= z + radius; nearZ++) {
      for (let nearX = x - radius; nearX <= x + radius; nearX++) {
        const near = 2 * (nearX + nearZ * width), nearEnd = cells[near] + cells[near + 1];
        let at = cells[near];
        for (let span = first; span < end; span++) {
          if (isInner[span] === 0) continue;
          const low = floor[span] - slack, high = floor[span] + slack;
          while (at < nearEnd && floor[at] < low) at++;
          let found = at;
          while (found < nearEnd && floor[found] <= high && regions[found] === 0) found++;
          if (found >= nearEnd || floor[found] > high) isInner[span] = 0;
        }
      }
    }
  }
}

/**
 * @param {NavMesh} navMesh @param {CheckedTile[]} tiles @param {Baker} baker of the mesh's level
 * @param {{ strayCells: number, ground: number, height: number, usualHeight: number, top: number }} slack how far contours may deviate from area
 *   borders, cells; height differences of mesh and surface, world units: under polygons, and the largest and usual of surface; the top of what was baked
 * @param {Findings} findings
 * @returns {{ polygons: number, spans: number }} polygons and spans that were checked
 */
export function checkGround(navMesh, tiles, baker, slack, findings) {
  const { strayCells, height, usualHeight, top } = slack;
  const { tileCountX, tileCountZ, walkableClimb } = baker.voxels;
  const looked = { polygons: 0, spans: 0 };
  for (let z = 0; z < tileCountZ; z++) {
    for (let x = 0; x < tileCountX; x++) {
      baker.beginTile(x, z, { keepStages: true });
      while (baker.nextStage !== 'contours' && baker.nextStage !== 'done') baker.step();
      if (baker.nextStage === 'done' || !baker.read('regions')) continue;
      const ground = new Ground(baker, x, z);
      const radius = Math.ceil(strayCells) + 1;
      const here = tiles.filter(({ tile }) => tile.x === x && tile.z === z);
      for (const checked of here) looked.polygons += checkOver(checked, ground, slack, findings);
      looked.spans += checkCover(navMesh, here, ground.inner(radius, Math.max(1, walkableClimb), top), [usualHeight, height], findings);
    }
  }
  return looked;
}

/** How far a mesh may lie outside walkable cells, cells: contours deviate, and run along the sides of cells. */
const REACH_OF_CELL = 0.75;

/**
 * Visits the cells whose centres lie in a triangle, with its height there.
 * @param {import('../bake/stage-frame.js').StageFrame} frame @param {readonly ArrayLike<number>[]} corners x, y, z of each
 * @param {(x: number, z: number, height: number) => void} visit column, row, height in cell heights
 */
function eachCell({ origin, cellSize, cellHeight, border, width, depth }, corners, visit) {
  // Columns and rows of points; cells have whole numbers at their centres.
  const [a, b, c] = corners.map((at) => ({
    x: (at[0] - origin[0]) / cellSize + border - 0.5, z: (at[2] - origin[2]) / cellSize + border - 0.5, y: (at[1] - origin[1]) / cellHeight }));
  const area = (b.x - a.x) * (c.z - a.z) - (c.x - a.x) * (b.z - a.z);
  if (area === 0) return;
  const lastX = Math.min(Math.max(a.x, b.x, c.x), width - 1), lastZ = Math.min(Math.max(a.z, b.z, c.z), depth - 1);
  for (let z = Math.max(0, Math.ceil(Math.min(a.z, b.z, c.z))); z <= lastZ; z++) {
    for (let x = Math.max(0, Math.ceil(Math.min(a.x, b.x, c.x))); x <= lastX; x++) {
      const v = ((x - a.x) * (c.z - a.z) - (c.x - a.x) * (z - a.z)) / area, w = ((b.x - a.x) * (z - a.z) - (x - a.x) * (b.z - a.z)) / area;
      if (v >= 0 && w >= 0 && v + w <= 1) visit(x, z, a.y + v * (b.y - a.y) + w * (c.y - a.y));
    }
  }
}

/**
 * Checks that polygons lie over walkable surface, cell by cell: a wall may cross a polygon beside its centre. The detail of a long
 * polygon on a winding ramp may be far from the surface; that surface is of the polygon's region then, and that of a crate on it isn't.
 * @param {CheckedTile} checked @param {Ground} ground @param {{ strayCells: number, ground: number, usualHeight: number }} slack
 * @param {Findings} findings
 */
function checkOver(checked, ground, slack, findings) {
  const { ref, tile } = checked;
  const { frame, areas, regions } = ground;
  const { origin, cellSize, cellHeight, border } = frame;
  const reach = slack.strayCells + REACH_OF_CELL, near = slack.ground / cellHeight, far = slack.usualHeight / cellHeight;
  const detail = new PolygonDetail();
  /** @type {[x: number, z: number, height: number][]} */
  let missing = [];
  /** Of the spans under the polygon. @type {Set<number>} */
  const own = new Set();
  const isWalkable = (/** @type {number} */ span) => areas[span] !== 0 && (own.add(regions[span]), true);
  const isOfPolygon = (/** @type {number} */ span) => regions[span] !== 0 && own.has(regions[span]);
  const visit = (/** @type {number} */ x, /** @type {number} */ z, /** @type {number} */ height) => {
    if (!ground.has(x, z, height, near, isWalkable) && !ground.hasAround(x, z, reach, height, near, isWalkable)) missing.push([x, z, height]);
  };
  for (let p = 0; p < tile.groundCount; p++) {
    missing = [];
    own.clear();
    detail.begin(checked, p);
    for (const corners of detail.triangles(tile)) eachCell(frame, corners.map((at) => detail.points.subarray(3 * at, 3 * at + 3)), visit);
    missing = missing.filter(([x, z, height]) => !ground.hasAround(x, z, reach, height, far, isOfPolygon));
    if (missing.length === 0) continue;
    const [x, z, height] = missing[missing.length >> 1];
    findings.add('ground', `lies over unwalkable surface: ${missing.length} of its cells have no walkable ground within ${Number(reach.toFixed(2))} cells`, ref + p,
      [origin[0] + (x - border + 0.5) * cellSize, origin[1] + height * cellHeight, origin[2] + (z - border + 0.5) * cellSize]);
  }
  return tile.groundCount;
}

/**
 * Checks that surface away from borders has polygons.
 * @param {NavMesh} navMesh @param {readonly CheckedTile[]} tiles where the points lie @param {Float32Array} points
 * @param {readonly [number, number]} heights how far up and down to search, shortest first: nearly all points succeed with the first, and in a
 *   level of many floors a search of all of them costs much @param {Findings} findings
 */
function checkCover(navMesh, tiles, points, heights, findings) {
  let missing = points;
  for (const height of heights) {
    if (missing.length === 0) break;
    const { polygons } = navMesh.nearestPoints(missing, { halfExtents: [1e-3, height, 1e-3], heightPreference: 'closest', filter: { includeFlags: 0xffff } });
    missing = missing.filter((_, i) => polygons[Math.floor(i / 3)] === 0);
  }
  const closed = missing.length > 0 ? new Closed(tiles) : null;
  for (let at = 0; at < missing.length; at += 3) {
    const point = missing.subarray(at, at + 3);
    if (!closed?.near(point).some((polygon) => covers(navMesh, polygon, point, heights[1]))) findings.add('cover', 'walkable surface without a polygon', 0, point);
  }
  return points.length / 3;
}

/** A polygon that no filter passes, and its bounds on x and z. @typedef {{ ref: number, low: [number, number], high: [number, number] }} ClosedPolygon */

/** Strips along x, in which closed polygons are found. */
const STRIPS = 256;

/** The polygons without flags, such as under closed doors: no query finds them. */
class Closed {
  #low = Infinity;
  #width = 0;
  /** @type {ClosedPolygon[][]} */
  #strips = Array.from({ length: STRIPS }, () => []);

  /** @param {readonly CheckedTile[]} tiles */
  constructor(tiles) {
    const polygons = tiles.flatMap(({ ref, tile, corners }) => Array.from({ length: tile.groundCount }, (_, p) => p).filter((p) => tile.flags[p] === 0).map((p) => {
      const [xs, zs] = [0, 2].map((axis) => Array.from({ length: tile.sizes[p] }, (_, k) => corners[STRIDE * p + 3 * k + axis]));
      return { ref: ref + p, low: /** @type {[number, number]} */ ([Math.min(...xs), Math.min(...zs)]), high: /** @type {[number, number]} */ ([Math.max(...xs), Math.max(...zs)]) };
    }));
    const high = polygons.reduce((most, polygon) => Math.max(most, polygon.high[0]), -Infinity);
    this.#low = polygons.reduce((least, polygon) => Math.min(least, polygon.low[0]), Infinity);
    this.#width = (high - this.#low) / STRIPS;
    for (const polygon of polygons) {
      for (let strip = this.#stripOf(polygon.low[0]); strip <= this.#stripOf(polygon.high[0]); strip++) this.#strips[strip].push(polygon);
    }
  }

  /** @param {number} x */
  #stripOf(x) {
    return Math.min(Math.max(Math.floor((x - this.#low) / this.#width), 0), STRIPS - 1);
  }

  /** Those that may cover a point. @param {Float32Array} point */
  near(point) {
    return this.#width > 0 ? this.#strips[this.#stripOf(point[0])] : [];
  }
}

/** True if a polygon lies over or under a point, within a height. @param {NavMesh} navMesh @param {ClosedPolygon} polygon @param {Float32Array} point @param {number} height */
function covers(navMesh, { ref, low, high }, point, height) {
  if (!(point[0] >= low[0] && point[0] <= high[0] && point[2] >= low[1] && point[2] <= high[1])) return false;
  const surface = navMesh.height(ref, point);
  return surface !== null && Math.abs(surface - point[1]) <= height;
}
