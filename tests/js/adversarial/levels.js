/**
 * Degenerate levels, each small enough for a test unless a larger size is requested; bench/hurt-levels.js has more.
 * Units are metres, for the default agent unless a level says otherwise.
 */
import { makeRandom } from '../random.js';

/** @typedef {{ geometry: { positions: Float32Array, indices: Uint32Array }, config: import('../../../js/index.js').Config }} Level */

/** Appends triangles to a level. */
class Soup {
  /** @type {number[]} */
  positions = [];
  /** @type {number[]} */
  indices = [];

  /** A fan, counter-clockwise seen from its front. @param {number[][]} points */
  fan(...points) {
    const first = this.positions.length / 3;
    for (const point of points) this.positions.push(...point);
    for (let i = 2; i < points.length; i++) this.indices.push(first, first + i - 1, first + i);
  }

  /** A level rectangle that faces up. @param {number} x @param {number} z @param {number} width @param {number} depth @param {number} y */
  floor(x, z, width, depth, y) {
    this.fan([x, y, z], [x, y, z + depth], [x + width, y, z + depth], [x + width, y, z]);
  }

  /** A box without a bottom. @param {number} x @param {number} y @param {number} z @param {number} width @param {number} height @param {number} depth */
  box(x, y, z, width, height, depth) {
    const [right, top, far] = [x + width, y + height, z + depth];
    this.floor(x, z, width, depth, top);
    this.fan([x, y, far], [right, y, far], [right, top, far], [x, top, far]);
    this.fan([right, y, z], [x, y, z], [x, top, z], [right, top, z]);
    this.fan([right, y, far], [right, y, z], [right, top, z], [right, top, far]);
    this.fan([x, y, z], [x, y, far], [x, top, far], [x, top, z]);
    this.fan([x, y, z], [right, y, z], [right, y, far], [x, y, far]);
  }

  /** @param {import('../../../js/index.js').Config} [config] @returns {Level} */
  finish(config = {}) {
    return { geometry: { positions: Float32Array.from(this.positions), indices: Uint32Array.from(this.indices) }, config };
  }
}

/** Everything twice and thrice in one plane, cut in different ways. @param {number} length metres */
export function coplanar(length = 20) {
  const soup = new Soup();
  soup.floor(0, 0, length, 20, 0);
  soup.floor(0, 0, length, 20, 0);
  for (let i = 0; i < length; i++) soup.floor(i, 0, 1, 20, 0);
  for (let x = 2; x + 2 < length; x += 3) soup.box(x, 0, 5, 2, 0, 9);
  return soup.finish();
}

/** Slivers that fan out over a square, from a corner and across each other. @param {number} count of each kind */
export function needles(count = 10000) {
  const soup = new Soup();
  const random = makeRandom(7);
  for (let i = 0; i < count; i++) {
    const [a, b] = [random.between(0, 20), random.between(0, 20)];
    soup.fan([0, 0, 0], [a, 0, 20], [a + 1e-4, 0, 20]);
    soup.fan([20, 0.1, b], [0, 0.1, b + 1e-5], [0, 0.1, b + 2e-5]);
  }
  return soup.finish();
}

/** Boards one cell wide and one cell apart, which touch only at their corners. */
export function checkerboard(agentRadius = 0, rows = 48) {
  const soup = new Soup();
  for (let z = 0; z < rows; z++) for (let x = z % 2; x < 48; x += 2) soup.floor(0.3 * x + 0.03, 0.3 * z + 0.03, 0.24, 0.24, 0);
  return soup.finish({ cellSize: 0.3, agentRadius, minRegionSize: 0, mergeRegionSize: 0, filterLedges: false, bounds: { min: [0, -1, 0], max: [14.4, 3, 0.3 * rows] } });
}

/** A floor with a pillar in every other cell, in both directions. */
export function pillars(rows = 25) {
  const soup = new Soup();
  soup.floor(0, 0, 15, 0.6 * rows, 0);
  for (let z = 0; z < rows; z++) for (let x = 0; x < 25; x++) soup.box(0.6 * x + 0.05, 0, 0.6 * z + 0.05, 0.2, 3, 0.2);
  return soup.finish({ cellSize: 0.3, agentRadius: 0, minRegionSize: 0 });
}

/** Steps one cell wide and as high as an agent can climb, up and down again, and round a corner. */
export function oneCellStairs(steps = 40) {
  const soup = new Soup();
  for (let i = 0; i < steps; i++) {
    const height = 0.2 * (i % 40 < 20 ? i % 40 : 40 - i % 40) + 0.01;
    soup.box(0.3 * i, 0, 0, 0.3, height, 6);
    soup.box(0.3 * steps, 0, 6 + 0.3 * i, 6, height, 0.3);
  }
  soup.floor(0.3 * steps - 1, 0, 7, 6, 0.02);
  return soup.finish({ cellSize: 0.3, cellHeight: 0.2, agentMaxClimb: 0.4, agentRadius: 0.3 });
}

/** Ramps that wind around a core: floors above floors that form one surface. */
export function helix(turns = 6) {
  const soup = new Soup();
  const steps = 24 * turns;
  const at = (/** @type {number} */ i, /** @type {number} */ radius) => {
    const angle = 2 * Math.PI * i / 24;
    return [10 + radius * Math.cos(angle), 3.2 * i / 24, 10 + radius * Math.sin(angle)];
  };
  for (let i = 0; i < steps; i++) soup.fan(at(i, 3), at(i + 1, 3), at(i + 1, 8), at(i, 8));
  return soup.finish({ cellSize: 0.3, agentRadius: 0.4 });
}

/** A Menger sponge of cubes of half a metre, with a given depth: holes within holes, on all sides. */
export function sponge(depth = 3) {
  const soup = new Soup();
  const side = 3 ** depth;
  const isSolid = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => {
    for (let size = 1; size < side; size *= 3) {
      const ones = [x, y, z].filter((value) => Math.floor(value / size) % 3 === 1).length;
      if (ones >= 2) return false;
    }
    return true;
  };
  for (let x = 0; x < side; x++) {
    for (let y = 0; y < side; y++) for (let z = 0; z < side; z++) if (isSolid(x, y, z)) soup.box(x / 2, y / 2, z / 2, 0.5, 0.5, 0.5);
  }
  return soup.finish({ cellSize: 0.1, cellHeight: 0.1, agentRadius: 0.1, agentHeight: 0.45, agentMaxClimb: 0.2, minRegionSize: 2 });
}

/**
 * Floor with random heights of a given roughness.
 * @param {number} seed @param {number} roughness metres @param {number} [side] half metres
 */
export function heightfield(seed, roughness, side = 40) {
  const soup = new Soup();
  const random = makeRandom(seed);
  const heights = Array.from({ length: (side + 1) ** 2 }, () => random.between(0, roughness));
  const point = (/** @type {number} */ x, /** @type {number} */ z) => [0.5 * x, heights[x + z * (side + 1)], 0.5 * z];
  for (let z = 0; z < side; z++) {
    for (let x = 0; x < side; x++) soup.fan(point(x, z), point(x, z + 1), point(x + 1, z + 1), point(x + 1, z));
  }
  return soup.finish({ cellSize: 0.2, agentRadius: 0.2 });
}

/**
 * Moves or scales a level, and its configuration with it. @param {Level} level @param {{ scale?: number, shift?: number[] }} change
 */
export function place({ geometry, config }, { scale = 1, shift = [0, 0, 0] }) {
  const positions = geometry.positions.map((value, i) => value * scale + shift[i % 3]);
  const lengths = { cellSize: 0.3, cellHeight: 0.2, agentHeight: 2, agentRadius: 0.6, agentMaxClimb: 0.9, maxEdgeLength: 12 };
  const scaled = Object.fromEntries(Object.entries({ ...lengths, ...config })
    .map(([name, value]) => [name, name in lengths ? Number(value) * scale : value]));
  return { geometry: { positions, indices: geometry.indices }, config: scaled };
}
