/**
 * Random levels and configurations. A case depends only on its seed: makeCase(seed) is the same on
 * every machine (the last bits of Math.sin and Math.cos, which may differ, are rounded away here).
 *
 * Levels are small, so that thousands can be baked: 6 to 24 units wide, some 20 to 120 cells. They combine
 * features that have caused defects in navigation meshes: storeys, vertices exactly on grid lines, slivers, holes
 * in holes, ledges, climbs higher than half the clearance (one-way links), borders of tiles, marked areas.
 */

import { Random } from './random.js';
import * as shapes from './shapes.js';
import { DEFAULTS, boundsOf } from './voxels.js';

/**
 * @param {number} seed
 * @returns {{seed: number, level: object, config: object, kinds: string[]}}
 * level: positions, indices, areas; config: complete, with the public API's names, plus volumes,
 *          connections and areaFlags
 */
export function makeCase(seed) {
  const random = new Random(seed);
  const config = makeConfig(random);
  const size = random.between(6, 24) * Math.min(1, config.cellSize / 0.15);
  const { level, kinds } = makeLevel(random, config, size);
  const bounds = boundsOf(level.positions);
  if (random.chance(0.15)) setBounds(random, config, bounds);
  const inside = config.bounds ?? bounds;
  if (random.chance(0.4)) config.volumes = makeVolumes(random, inside);
  if (random.chance(0.2)) config.connections = makeConnections(random, inside);
  return { seed, level, config, kinds };
}

// ---- Configuration -----------------------------------------------------------------------------------------

function makeConfig(random) {
  const cellSize = random.chance(0.5) ? random.pick([0.125, 0.2, 0.25, 0.3, 0.5]) : round(random.between(0.12, 0.6));
  const cellHeight = random.chance(0.5) ? random.pick([0.05, 0.1, 0.2, 0.25]) : round(random.between(0.04, 0.4));
  const agentHeight = round(random.chance(0.7) ? random.between(1, 2.5) : random.between(cellHeight, 1));
  const climbShare = random.chance(0.3) ? random.between(0.5, 1) : random.between(0, 0.5);
  const config = {
    ...DEFAULTS,
    cellSize,
    cellHeight,
    agentHeight,
    agentMaxClimb: round(Math.min(agentHeight * climbShare, agentHeight)),
    agentRadius: round(random.pick([0, 0, 0.3, 0.6, cellSize, random.between(0, 1)])),
    agentMaxSlope: random.pick([45, 45, 60, 30, 85, round(random.between(5, 89))]),
    partition: random.pick(['watershed', 'watershed', 'monotone', 'layers']),
    minRegionSize: random.pick([0, 2, 8, round(random.between(0, 12))]),
    mergeRegionSize: random.pick([0, 10, 20, round(random.between(0, 40))]),
    maxEdgeLength: random.pick([0, 12, round(random.between(cellSize, 10))]),
    maxEdgeError: random.pick([1.3, 0.8, 0, round(random.between(0.1, 4))]),
    maxVerticesPerPolygon: random.integer(3, 6),
    detailSampleDistance: random.pick([6, 3, 1, 0.9, round(random.between(0.9, 16))]),
    detailMaxError: random.pick([1, 0.5, 0, round(random.between(0, 3))]),
    filterLowHangingObstacles: !random.chance(0.1),
    filterLedges: !random.chance(0.15),
    filterLowHeight: !random.chance(0.1),
    medianFilter: random.chance(0.15),
    tileSize: random.chance(0.35) ? random.integer(8, 48) : 0,
  };
  if (random.chance(0.5)) {
    config.areaFlags = Uint16Array.from({ length: 64 }, () => random.integer(0, 65535));
  }
  return config;
}

function setBounds(random, config, { minimum, maximum }) {
  const low = minimum.map((value, axis) => value + (maximum[axis] - value) * random.between(-0.1, 0.3));
  const high = maximum.map((value, axis) => value - (value - minimum[axis]) * random.between(-0.1, 0.3));
  low[1] = Math.min(low[1], minimum[1] + 0.5);
  if (high[1] - low[1] < 1) high[1] = low[1] + 1;
  config.bounds = { minimum: low.map(Math.fround), maximum: high.map(Math.fround) };
}

export function makeVolumes(random, { minimum, maximum }) {
  const point = () => minimum.map((value, axis) => Math.fround(random.between(value, maximum[axis] + 0.01)));
  return Array.from({ length: random.integer(1, 4) }, () => {
    const area = random.chance(0.25) ? 0 : random.integer(1, 63);
    const [a, b] = [point(), point()];
    const [low, high] = [Math.min(a[1], b[1]) - 0.5, Math.max(a[1], b[1]) + 1];
    switch (random.integer(0, 2)) {
      case 0:
        return {
          kind: 'box', area,
          minimum: [Math.min(a[0], b[0]), low, Math.min(a[2], b[2])].map(Math.fround),
          maximum: [Math.max(a[0], b[0]), high, Math.max(a[2], b[2])].map(Math.fround),
        };
      case 1:
        return {
          kind: 'cylinder', area, centre: [a[0], Math.fround(low), a[2]],
          radius: Math.fround(random.between(0.2, 4)), height: Math.fround(high - low),
        };
      default:
        return { kind: 'prism', area, vertices: makeOutline(random, a), minimumY: Math.fround(low), maximumY: Math.fround(high) };
    }
  });
}

/** A star-shaped outline, convex or not, around a point. */
function makeOutline(random, [x, y, z]) {
  const count = random.integer(3, 9);
  const vertices = [];
  for (let i = 0; i < count; i++) {
    const angle = ((i + random.real() * 0.8) / count) * 2 * Math.PI;
    const radius = random.between(0.3, 4);
    vertices.push(x + round(radius * Math.cos(angle)), y, z + round(radius * Math.sin(angle)));
  }
  return Float32Array.from(vertices);
}

function makeConnections(random, { minimum, maximum }) {
  const point = () => minimum.map((value, axis) => {
    const margin = random.chance(0.2) ? 2 : 0;
    return Math.fround(random.between(value - margin, maximum[axis] + margin));
  });
  return Array.from({ length: random.integer(1, 4) }, () => ({
    start: point(),
    end: point(),
    radius: Math.fround(random.between(0.1, 2)),
    bidirectional: random.chance(0.5),
    area: random.integer(0, 62),
    flags: random.integer(0, 65535),
    userId: random.integer(0, 1000000),
  }));
}

// ---- Levels ----------------------------------------------------------------------------------------------------

const MAKERS = {
  ground(soup, random, size) {
    const tilt = random.chance(0.3) ? random.between(0, size / 2) : 0;
    shapes.addGround(soup, 0, 0, size, size, 0, tilt);
  },
  terrain(soup, random, size) {
    const columns = random.integer(3, 24);
    const steepness = random.between(0, 2.5);
    const heights = Float32Array.from({ length: (columns + 1) ** 2 }, () => random.between(0, steepness));
    shapes.addHeightGrid(soup, 0, 0, columns, columns, size / columns, (x, z) => heights[x + z * (columns + 1)]);
  },
  boxes(soup, random, size) {
    for (let i = random.integer(1, 14); i > 0; i--) {
      const yaw = random.chance(0.5) ? 0 : round(random.between(0, 3));
      const bottom = random.chance(0.7) ? 0 : random.between(0, 4);
      shapes.addBox(soup, random.between(0, size), random.between(0, size), random.between(0.1, size / 5),
        random.between(0.1, size / 5), bottom, bottom + random.between(0.05, 3), yaw);
    }
  },
  ramps(soup, random, size) {
    for (let i = random.integer(1, 5); i > 0; i--) {
      const [x, z] = [random.between(0, size * 0.7), random.between(0, size * 0.7)];
      shapes.addGround(soup, x, z, x + random.between(0.5, size / 2), z + random.between(0.5, size / 3),
        random.between(0, 2), random.between(0, 4));
    }
  },
  stairs(soup, random, size) {
    const steps = random.integer(2, 14);
    const run = random.between(0.2, 0.8);
    shapes.addStairs(soup, random.between(0, size / 2), random.between(0, size / 2), random.between(0.6, 4), steps,
      run, random.between(0.05, 0.6), random.chance(0.8) ? 0 : random.between(0, 2));
  },
  triangles(soup, random, size) {
    const spread = random.between(0.3, size);
    for (let i = random.integer(5, 120); i > 0; i--) {
      const centre = [random.between(0, size), random.between(0, 3), random.between(0, size)];
      const corner = () => centre.map((value, axis) => value + random.between(-0.5, 0.5) * (axis === 1 ? 1 : spread));
      shapes.addTriangle(soup, corner(), corner(), corner());
    }
  },
  pillars(soup, random, size) {
    const spacing = random.between(1, 3);
    const half = random.between(0.1, 0.45);
    for (let z = spacing / 2; z < size; z += spacing) {
      for (let x = spacing / 2; x < size; x += spacing) shapes.addBox(soup, x, z, half, half, 0, random.between(0.2, 3));
    }
  },
  spiral(soup, random, size) {
    const outer = random.between(1.5, size / 2);
    shapes.addSpiral(soup, size / 2, size / 2, outer * random.between(0.1, 0.6), outer, random.integer(1, 4),
      random.between(0.6, 3.5));
  },
  storeys(soup, random, size) {
    const rise = random.between(0.4, 3);
    for (let i = random.integer(2, 6); i > 0; i--) {
      const [x, z] = [random.between(0, size / 3), random.between(0, size / 3)];
      shapes.addGround(soup, x, z, x + random.between(1, size * 0.7), z + random.between(1, size * 0.7), i * rise);
    }
  },
  frames(soup, random, size) {
    for (let i = random.integer(1, 3); i > 0; i--) {
      const y = random.between(0, 2);
      const hole = [size * 0.2, size * random.between(0.2, 0.4), size * random.between(0.5, 0.9), size * 0.7];
      shapes.addFrame(soup, 0, 0, size, size, hole, y);
    }
  },
  pits(soup, random, size) {
    // A floor of squares, some of them missing or lowered: many holes in one outline.
    const columns = random.integer(6, 20);
    const side = size / columns;
    for (let i = 0; i < columns * columns; i++) {
      if (random.chance(0.2)) continue;
      const [x, z] = [(i % columns) * side, Math.floor(i / columns) * side];
      shapes.addGround(soup, x, z, x + side, z + side, random.chance(0.06) ? random.between(-2, 2) : 0);
    }
  },
  walls(soup, random, size) {
    for (let i = random.integer(2, 10); i > 0; i--) {
      const [x, z] = [random.between(0, size), random.between(0, size)];
      const [u, v] = [random.between(-4, 4), random.between(-4, 4)];
      const top = random.between(0.2, 3);
      shapes.addQuad(soup, [x, 0, z], [x + u, 0, z + v], [x + u, top, z + v], [x, top, z]);
    }
  },
  slivers(soup, random, size) {
    for (let i = random.integer(3, 30); i > 0; i--) {
      const a = [random.between(0, size), random.between(0, 1), random.between(0, size)];
      const b = [a[0] + random.between(-size / 2, size / 2), a[1], a[2] + random.between(-0.05, 0.05)];
      shapes.addTriangle(soup, a, b, random.chance(0.2) ? a : [b[0], b[1], b[2] + random.between(0, 0.2)]);
    }
  },
};

/** Kinds with a walkable surface; every level has one. */
const FLOORS = ['ground', 'ground', 'terrain', 'storeys', 'pits', 'frames', 'triangles'];

function makeLevel(random, config, size) {
  const soup = shapes.emptySoup();
  const others = Object.keys(MAKERS).filter((kind) => kind !== 'ground');
  const kinds = [random.pick(FLOORS)];
  for (let i = random.integer(0, 4); i > 0; i--) kinds.push(random.pick(others));
  for (const kind of kinds) MAKERS[kind](soup, random, size);
  placeVertices(soup, random, config, kinds);
  const level = {
    positions: Float32Array.from(soup.positions),
    indices: Uint32Array.from(soup.indices),
  };
  if (random.chance(0.3)) {
    level.areas = Uint8Array.from({ length: soup.indices.length / 3 }, () =>
      random.chance(0.6) ? 63 : random.integer(0, 63));
  }
  return { level, kinds };
}

/** Leaves vertices unchanged, moves them onto grid lines, or moves the whole level far from the origin. */
function placeVertices(soup, random, config, kinds) {
  const snap = random.chance(0.35);
  const offset = random.chance(0.15) ? [random.between(-900, 900), random.between(-50, 50), random.between(-900, 900)] : [0, 0, 0];
  if (snap) kinds.push('snapped');
  if (offset[0] !== 0) kinds.push('moved');
  const steps = [config.cellSize, config.cellHeight, config.cellSize];
  soup.positions = soup.positions.map((value, i) => {
    const step = steps[i % 3];
    const placed = snap ? Math.fround(Math.round(value / step) * Math.fround(step)) : round(value);
    return placed + offset[i % 3];
  });
}

/** Rounds to four decimals, which removes differences between machines in the last bits. */
function round(value) {
  return Math.round(value * 10000) / 10000;
}
