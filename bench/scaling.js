/**
 * Time and memory against the number of triangles, cells and tiles: each number grows by a factor of four from line to line while
 * the others stay constant, or grow with it if they must. Linear growth shows the same time and memory per item on every line;
 * the exponent is the growth of the time since the previous line (1: linear). The level is a piece of the 1 km terrain
 * (big-terrain.js), boxes included; larger levels consist of that piece and its mirror images, so that the content stays the
 * same.
 */
import { makeBigTerrain, repeatMirrored } from '../tests/scenes/big-terrain.js';
import { fineConfig } from './levels.js';
import { growthExponent } from './statistics.js';
import { bakeBySteps, fastest, makeSession } from './step-bake.js';
import { megabytes, timeText } from './tables.js';

/** Parameters of the 1 km terrain: units per square of the grid, boxes per square unit. */
const SQUARE = 1000 / 512;
const BOXES = 2000 / 1e6;
const CELL = 0.3;
const TILE_SIZE = 64;
const MILLISECONDS_A_SIZE = 600;

/** A piece with the same density of boxes as the terrain: 4 x 4 tiles. */
const PIECE = 4 * TILE_SIZE * CELL;
let piece;
/** A level of `times` x `times` pieces. @param {number} times */
const makePieces = (times) => {
  piece ??= makeBigTerrain({ side: PIECE, squares: Math.round(PIECE / SQUARE), boxes: Math.round(PIECE * PIECE * BOXES) });
  return repeatMirrored(piece, PIECE, times);
};

/**
 * The series: the growing number, its sizes, and the level of each.
 * @type {{ what: string, title: string, sizes: number[], make: (size: number) => { geometry: any, config: any },
 *   count: (bake: import('./step-bake.js').StepBake, level: any) => number, last?: string }[]}
 */
const SERIES = [
  {
    what: 'triangles', title: 'Triangles: the same 96 x 96 units in ever finer triangles, one tile', sizes: [32, 64, 128, 256, 512],
    make: (squares) => ({ geometry: makeBigTerrain({ side: 96, squares, boxes: 0 }), config: fineConfig(CELL) }),
    count: (_, { geometry }) => geometry.indices.length / 3,
  },
  {
    what: 'cells', title: 'Cells: ever more of the same terrain, one tile', sizes: [1, 2, 4, 8],
    make: (times) => ({ geometry: makePieces(times), config: fineConfig(CELL) }),
    count: (_, { size }) => Math.round((size * PIECE) / CELL) ** 2,
  },
  {
    what: 'tiles', title: 'Tiles: ever more of the same terrain, tiles of 64', sizes: [1, 2, 4, 8],
    make: (times) => ({ geometry: makePieces(times), config: { ...fineConfig(CELL), tileSize: TILE_SIZE } }),
    count: ({ tiles }) => tiles,
  },
];

/** @param {any} series @param {number} size @param {number} runs */
async function measureSize(series, size, runs) {
  const { geometry, config } = series.make(size);
  const session = await makeSession();
  const bakes = [bakeBySteps(session, geometry, config)];
  const begin = performance.now();
  while (bakes.length < runs || (bakes.length < 12 && runs > 1 && performance.now() - begin < MILLISECONDS_A_SIZE)) {
    bakes.push(bakeBySteps(session, geometry, config));
  }
  const bake = fastest(bakes);
  return { count: series.count(bake, { geometry, size }), triangles: geometry.indices.length / 3, milliseconds: bake.total,
    stages: bake.stages, peakBytes: bake.peakBytes };
}

/**
 * @param {import('./bakes.js').BenchOptions & { scaling?: boolean }} [options] scaling: all sizes; default: without the largest
 * @returns {Promise<{ what: string, title: string, lines: Awaited<ReturnType<typeof measureSize>>[] }[]>}
 */
export async function measureScaling({ smallest, scaling, runs = 3, onProgress = () => {} } = {}) {
  const figures = [];
  for (const series of SERIES) {
    const sizes = smallest ? series.sizes.slice(0, 2) : series.sizes.slice(0, scaling ? undefined : -1);
    const lines = [];
    for (const size of sizes) {
      onProgress(`scaling: ${series.what}, ${size}`);
      lines.push(await measureSize(series, size, smallest ? 1 : runs));
    }
    figures.push({ what: series.what, title: series.title, lines });
  }
  onProgress('');
  return figures;
}

/** @param {Awaited<ReturnType<typeof measureScaling>>} figures @returns {import('./tables.js').Table[]} */
export function scalingTables(figures) {
  return figures.map(({ what, title, lines }) => {
    const unit = what.slice(0, -1);
    const besides = what === 'triangles' ? [] : ['triangles'];
    const header = [what, ...besides, 'ms', `ns a ${unit}`, 'exponent', 'MB, most in use', `bytes a ${unit}`];
    const rows = lines.map(({ count, triangles, milliseconds, peakBytes }, i) => [String(count), ...besides.map(() => String(triangles)), timeText(milliseconds),
      ((milliseconds * 1e6) / count).toFixed(0),
      i === 0 ? '-' : growthExponent(lines[i - 1].count, lines[i - 1].milliseconds, count, milliseconds).toFixed(2),
      megabytes(peakBytes), (peakBytes / count).toFixed(0)]);
    return { title, rows: [header, ...rows] };
  });
}
