/**
 * Worst-case inputs (hurt-levels.js), each at sizes that double: the time of the stages that they are aimed at, and its exponent
 * from the first size to the last. Linear time has exponent 1, n log n has 1.1, quadratic has 2. Times are the fastest of several
 * bakes of ours; recast-navigation isn't measured, since some of the inputs take it minutes.
 */
import * as levels from './hurt-levels.js';
import { growthExponent } from './statistics.js';
import { bakeBySteps, fastest, makeSession } from './step-bake.js';
import { timeText } from './tables.js';

/** The largest exponent of n log n between the measured sizes, noise included. */
export const MOST = 1.25;
const MILLISECONDS_A_SIZE = 300;
/** Bakes that take longer than this aren't repeated. */
const LONG = 1500;

/**
 * aims: stages to show; sizes: counts of the items in the name; last: the last stage to run.
 * @typedef {{ name: string, aims: string[], sizes: number[], make: (size: number) => levels.HurtLevel, units?: (size: number) => number,
 *   last?: string }} HurtCase
 * @type {HurtCase[]}
 */
export const CASES = [
  { name: 'holes in one region, in rows', aims: ['contours', 'polygonMesh'], sizes: [2500, 5000, 10000], make: (n) => levels.holes(n) },
  { name: 'holes in one region, strewn', aims: ['contours', 'polygonMesh'], sizes: [2500, 5000, 10000], make: (n) => levels.holes(n, true) },
  { name: 'corners of a comb, short enough for Recast', aims: ['contours'], sizes: [2500, 5000, 10000], make: (n) => levels.comb(n / 4, 5),
    last: 'contours' },
  { name: 'corners of a comb', aims: ['contours'], sizes: [12500, 25000, 50000], make: (n) => levels.comb(n / 4, 5), last: 'contours' },
  { name: 'corners of a ragged comb', aims: ['contours'], sizes: [12500, 25000, 50000], make: (n) => levels.comb(n / 4, 30, { ragged: true }),
    last: 'contours' },
  { name: 'corners of a comb, polygons of 3', aims: ['polygonMesh'], sizes: [8000, 16000, 32000],
    make: (n) => levels.comb(n / 4, 5, { maxVerticesPerPolygon: 3 }) },
  { name: 'corners of a ragged comb, polygons of 6', aims: ['polygonMesh', 'tile'], sizes: [10000, 20000, 40000],
    make: (n) => levels.comb(n / 4, 30, { ragged: true }) },
  { name: 'sides of a comb with long teeth', aims: ['regions', 'contours'], sizes: [50000, 100000, 200000],
    make: (n) => levels.comb(n / 400, 200) },
  { name: 'sides of a comb with long teeth, watershed', aims: ['distance', 'regions'], sizes: [50000, 100000, 200000],
    make: (n) => levels.comb(n / 400, 200, { partition: 'watershed' }) },
  { name: 'cells of a spiral', aims: ['regions', 'contours'], sizes: [50000, 100000, 200000],
    make: (n) => levels.spiral(Math.round(Math.sqrt(2 * n))) },
  { name: 'regions: islands', aims: ['regions', 'contours'], sizes: [5000, 10000, 20000], make: levels.islands, last: 'contours' },
  { name: 'regions: islands, to the tile', aims: ['polygonMesh', 'detailMesh', 'tile'], sizes: [4000, 8000, 16000], make: levels.islands },
  { name: 'regions: basins that all merge', aims: ['regions', 'contours'], sizes: [5000, 10000, 20000], make: (n) => levels.basins(n), last: 'contours' },
  { name: 'regions: basins in three rows', aims: ['regions'], sizes: [5000, 10000, 20000], make: (n) => levels.basins(n, 3), last: 'regions' },
  { name: 'regions: strips that all merge', aims: ['regions', 'contours'], sizes: [2500, 5000, 10000], make: levels.strips },
  { name: 'storeys', aims: ['rasterize', 'compact', 'regions', 'detailMesh'], sizes: [100, 200, 400], make: levels.storeys },
  { name: 'storeys, partition layers', aims: ['regions'], sizes: [100, 200, 400],
    make: (n) => ({ ...levels.storeys(n), config: { ...levels.storeys(n).config, partition: 'layers' } }) },
  { name: 'cells under two huge triangles', aims: ['rasterize', 'detailMesh'], sizes: [500000, 1000000, 2000000],
    make: (n) => levels.hugeTriangles(Math.round(Math.sqrt(n))) },
  { name: 'needles through one cell', aims: ['rasterize'], sizes: [25000, 50000, 100000], make: levels.needles, last: 'rasterize' },
  { name: 'spans of one column', aims: ['rasterize', 'compact', 'regions'], sizes: [8000, 16000, 32000], make: levels.column, last: 'regions' },
  { name: 'detail: cells of one polygon', aims: ['detailMesh'], sizes: [62500, 125000, 250000, 500000],
    make: (n) => levels.bumps(Math.round(Math.sqrt(n) / 4) * 4) },
  { name: 'triangles sorted into 1,024 tiles', aims: ['input'], sizes: [125000, 250000, 500000], make: levels.strewn, last: 'input' },
];

/** @param {HurtCase} test @param {number} size @param {boolean} once */
async function measureSize({ make, last }, size, once) {
  const { geometry, config } = make(size);
  const session = await makeSession();
  const bakes = [bakeBySteps(session, geometry, config, last)];
  const begin = performance.now();
  while (!once && bakes[0].total < LONG && (bakes.length < 2 || (bakes.length < 8 && performance.now() - begin < MILLISECONDS_A_SIZE))) {
    bakes.push(bakeBySteps(session, geometry, config, last));
  }
  return { size, ...fastest(bakes) };
}

/**
 * @param {import('./bakes.js').BenchOptions} [options]
 * @returns {Promise<{ name: string, aims: string[], sizes: Awaited<ReturnType<typeof measureSize>>[] }[]>}
 */
export async function measureHurt({ smallest, onProgress = () => {} } = {}) {
  const figures = [];
  for (const test of CASES) {
    const measured = [];
    for (const size of smallest ? test.sizes.slice(0, 2).map((n) => n / 20) : test.sizes) {
      onProgress(`hurt: ${test.name}, ${size}`);
      measured.push(await measureSize(test, size, smallest ?? false));
    }
    figures.push({ name: test.name, aims: test.aims, sizes: measured });
  }
  onProgress('');
  return figures;
}

/**
 * The stages, their times at each size, and the exponent over the measured sizes.
 * @param {Awaited<ReturnType<typeof measureHurt>>[number]} figure
 */
export function growthOf({ aims, sizes }) {
  return [...aims, 'all stages'].map((stage) => {
    const times = sizes.map((one) => (stage === 'all stages' && !one.error ? one.total : one.stages[stage]));
    const ran = sizes.map(({ size }, i) => ({ size, time: times[i] })).filter(({ time }) => time > 0);
    const [first, last] = [ran[0], ran[ran.length - 1]];
    return { stage, times, exponent: growthExponent(first?.size, first?.time, last?.size, last?.time) };
  });
}

/** @param {Awaited<ReturnType<typeof measureHurt>>} figures @returns {import('./tables.js').Table[]} */
export function hurtTables(figures) {
  const rows = figures.flatMap((figure) => growthOf(figure).map(({ stage, times, exponent }, i) => {
    const sizes = figure.sizes.map(({ size }) => size);
    const label = i === 0 ? `${figure.name} (${sizes[0]} to ${sizes[sizes.length - 1]})` : '';
    return [label, stage, times.map((time) => (time === undefined ? '-' : timeText(time))).join(', '), Number.isFinite(exponent) ? exponent.toFixed(2) : '-'];
  }));
  const errors = figures.flatMap(({ name, sizes }) => sizes.filter(({ error }) => error).map(({ size, error }) => `${name}, ${size}: ${error}`));
  return [{ title: 'Inputs made to hurt, sizes that double', rows: [['input', 'stage', 'ms at each size', 'exponent'], ...rows], notes: errors }];
}
