/**
 * The time of each stage of a bake, relative to the time of its memory traffic alone: the bytes that a stage must touch, which
 * are its inputs, read once, and its outputs, written once (the arrays of src/bake/fields.h), divided by the speed at which this
 * machine copies a large block inside WebAssembly. Scratch memory doesn't count, so a stage that sorts, searches or follows links
 * can't reach a factor of 1.
 */
import { instantiate } from '../js/loader.js';
import { Baker } from '../js/bake/baker.js';
import { Session } from '../js/runtime/session.js';
import { Walkmesh } from './contestants.js';
import { measureCopyBandwidth } from './copy-bandwidth.js';
import { chooseLevels, makeLevel } from './levels.js';
import { summariseRuns } from './report.js';
import { measureRounds } from './rounds.js';
import { geometricMean } from './statistics.js';
import { timeText } from './tables.js';

const MILLISECONDS_A_LEVEL = 2500;

/** Bytes per element of the arrays of src/bake/fields.h. Links are 16 bytes for eight spans, and lists if they are irregular. */
const OPEN = { floor: 2, clearance: 1, area: 1, links: 2 };
/** An open span between the filters and the compact heightfield: floor, clearance, area. */
const ROW_SPAN = 4;
const [CELL_FIRST, DISTANCE, REGION, CONTOUR_VERTEX] = [4, 2, 2, 16];
const [POSITION, TRIANGLE, AREA] = [12, 12, 1];
const sum = (/** @type {Record<string, number>} */ sizes) => Object.values(sizes).reduce((total, size) => total + size, 0);

/**
 * The bytes that each stage must touch.
 * @param {Sizes} sizes
 * @returns {Record<string, number>} bytes by row of the tables
 *
 * @typedef {import('../js/bake/stages.js').StageCounts & { triangles: number, positions: number, cells: number, maxVertices: number }} Sizes
 */
export function bytesOfStages(sizes) {
  const { cells, openSpans, contourVertices } = sizes;
  const first = CELL_FIRST * cells;
  const mesh = 6 * sizes.vertices + (4 * sizes.maxVertices + 3) * sizes.polygons;
  const detail = 12 * sizes.detailVertices + 4 * sizes.detailTriangles + 16 * sizes.polygons;
  return {
    'rasterize, filters': POSITION * sizes.positions + (TRIANGLE + 2 * AREA) * sizes.triangles + first + ROW_SPAN * openSpans,
    compact: 2 * first + (ROW_SPAN + sum(OPEN)) * openSpans,
    erode: (OPEN.links + 2 * OPEN.area) * openSpans,
    distance: (OPEN.links + OPEN.area + DISTANCE) * openSpans,
    regions: (OPEN.links + OPEN.area + DISTANCE + REGION) * openSpans,
    contours: (OPEN.links + OPEN.floor + OPEN.area + REGION) * openSpans + CONTOUR_VERTEX * contourVertices,
    'polygon mesh': CONTOUR_VERTEX * contourVertices + mesh,
    'detail mesh': first + (OPEN.floor + REGION) * openSpans + mesh + detail,
    'tile data': mesh + detail + sizes.tileBytes,
  };
}

/** The sizes of all arrays of a bake. @param {any} geometry @param {any} config @returns {Promise<Sizes>} */
async function readSizes(geometry, config) {
  const { wasm } = await instantiate({});
  const baker = new Baker(new Session(wasm), geometry, config);
  baker.beginTile(0, 0);
  const sizes = /** @type {any} */ ({ triangles: baker.triangleCount, positions: geometry.positions.length / 3,
    cells: baker.voxels.width * baker.voxels.depth, maxVertices: baker.config.maxVerticesPerPolygon });
  while (baker.nextStage !== 'done') {
    baker.step();
    for (const [name, count] of Object.entries(baker.counts())) sizes[name] = Math.max(sizes[name] ?? 0, count);
  }
  baker.free();
  return sizes;
}

/** @param {import('./levels.js').Level} level @param {number} bandwidth @param {import('./bakes.js').BenchOptions} options */
async function measureLevel({ name, config, read }, bandwidth, { runs, smallest, onProgress = () => {} }) {
  const geometry = read();
  const contestant = new Walkmesh(true);
  await contestant.renew();
  const results = measureRounds([contestant], (one) => one.bake(geometry, config), {
    runs, milliseconds: MILLISECONDS_A_LEVEL, warmUp: smallest ? 0 : 3, onRound: () => onProgress(`${name}: traffic`),
  });
  const sizes = await readSizes(geometry, config);
  const bytes = bytesOfStages(sizes);
  const rows = summariseRuns(results).map(({ name: stage, figures }) => {
    const measured = figures[contestant.name].median;
    const touched = stage === 'total' ? sum(bytes) : bytes[stage];
    return { name: stage, milliseconds: measured, bytes: touched ?? 0, floor: ((touched ?? 0) / bandwidth) * 1000 };
  });
  return { level: name, cellSize: config.cellSize, sizes, rows };
}

/**
 * @param {import('./bakes.js').BenchOptions} [options]
 * @returns {Promise<{ bandwidth: { large: number, cached: number }, levels: Awaited<ReturnType<typeof measureLevel>>[] }>}
 */
export async function measureTraffic(options = {}) {
  const { smallest, scenes, onProgress = () => {} } = options;
  onProgress('copy bandwidth');
  const bandwidth = measureCopyBandwidth({ smallest });
  const chosen = smallest ? [makeLevel({ name: 'plaza', cellSize: 0.3 })] : chooseLevels(scenes).filter(({ missing }) => !missing);
  const levels = [];
  for (const level of chosen) levels.push(await measureLevel(level, bandwidth.large, { ...options, runs: smallest ? 1 : options.runs }));
  onProgress('');
  return { bandwidth, levels };
}

/** @param {Awaited<ReturnType<typeof measureTraffic>>} figures @returns {import('./tables.js').Table[]} */
export function trafficTables({ bandwidth, levels }) {
  const gigabytes = (/** @type {number} */ value) => (value / 1e9).toFixed(1);
  const perLevel = levels.map(({ level, cellSize, rows, sizes }) => {
    const total = rows.at(-1)?.milliseconds ?? NaN;
    const lines = rows.map(({ name, milliseconds, bytes, floor }) => [name, `${((100 * milliseconds) / total).toFixed(0)} %`,
      timeText(milliseconds), (bytes / 1e6).toFixed(2), floor.toFixed(2), floor > 0 ? (milliseconds / floor).toFixed(1) : '-']);
    const { triangles, cells, solidSpans, openSpans, polygons, detailTriangles } = sizes;
    return {
      title: `Where the time goes: ${level}, cell ${cellSize}`,
      rows: [['stage', 'share', 'ms', 'MB to touch', 'ms by traffic alone', 'factor'], ...lines],
      notes: [`${triangles} triangles, ${cells} cells, ${solidSpans} solid and ${openSpans} open spans, ${polygons} polygons, ${detailTriangles} detail triangles.`],
    };
  });
  const names = levels[0].rows.map(({ name }) => name).filter((name) => name !== 'release');
  const factors = (/** @type {string} */ name) => levels.map(({ rows }) => rows.find((row) => row.name === name))
    .map((row) => (row ? row.milliseconds / row.floor : NaN)).filter((value) => value > 0 && Number.isFinite(value));
  const shares = (/** @type {string} */ name) => levels.map(({ rows }) => (
    (100 * (rows.find((row) => row.name === name)?.milliseconds ?? 0)) / (rows.at(-1)?.milliseconds ?? NaN)));
  const overview = {
    title: 'Where the time goes, over these levels',
    rows: [['stage', 'share, mean', 'factor over traffic, geometric mean'], ...names.map((name) => [name,
      `${(shares(name).reduce((all, value) => all + value, 0) / levels.length).toFixed(0)} %`, geometricMean(factors(name)).toFixed(1)])],
    notes: [`Copying inside WebAssembly moves ${gigabytes(bandwidth.large)} GB a second in blocks of 64 MB, `
      + `${gigabytes(bandwidth.cached)} in blocks of 256 kB, which caches hold.`],
  };
  return [...perLevel, overview];
}
