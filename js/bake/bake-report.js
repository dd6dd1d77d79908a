/**
 * What a bake tells of itself. bakeTile bakes a tile and notes times, memory and counts in a TileLog, a plain object that
 * may come from a worker; a BakeLog adds them up, in any order, and makes the report.
 */
import { hashesTiles } from './bake-steps.js';
import { STAGES, STAGE_COUNTS } from './stages.js';
import { describeWarnings } from './warnings.js';

/** @typedef {import('./bake.js').Baker} Baker */
/** @typedef {import('./bake.js').Voxels} Voxels */
/** @typedef {import('./config.js').Config} Config */
/** @typedef {import('./stages.js').StageCounts} StageCounts */
/** @typedef {import('./stages.js').StageName} StageName */

/**
 * @typedef {object} BakeReport
 * @property {Record<StageName, number>} stages milliseconds, summed over tiles; the three filters run within rasterize, row by
 *   row, and their own times are next to nothing
 * @property {number} milliseconds from the call to its return
 * @property {{ x: number, z: number, built: number, cached: number, kept: number, largest: LargestTile | null }} tiles the
 *   grid, how many tiles have polygons, how many came from a cache, how many a rebake left as they were (nothing else of this
 *   report counts those), and the one with the most vertices; null where none has polygons
 * @property {StageCounts} counts summed over tiles, those from a cache too; maxDistance is the largest
 * @property {{ peakBytes: number, wasmBytes: number, stages: Record<StageName, number> }} memory bytes: the most in use at
 *   once, the size of the module's memory, and the most in use at once during each stage, of any tile
 * @property {string[]} warnings what may not be as meant, in plain words
 * @property {Readonly<Required<Omit<Config, 'bounds'>>>} config every field with the value in force
 * @property {Readonly<Voxels>} voxels
 */

/** @typedef {{ x: number, z: number, vertices: number, polygons: number, bytes: number }} LargestTile */

/**
 * What the bake of one tile took.
 * @typedef {object} TileLog
 * @property {number} x
 * @property {number} z
 * @property {'baked' | 'cache' | 'kept'} origin kept: it is as it was before, and nothing else is known of it
 * @property {boolean} built whether it has polygons
 * @property {Record<StageName, number>} stages milliseconds
 * @property {Record<StageName, number>} stageBytes most in use at once
 * @property {StageCounts} counts
 */

/** @template {string} T @param {readonly T[]} names @returns {Record<T, number>} */
const makeZeros = (names) => /** @type {Record<T, number>} */ (Object.fromEntries(names.map((name) => [name, 0])));

/** Keeps the greater of each. @template {string} T @param {Record<T, number>} most @param {Record<T, number>} others @param {readonly T[]} names */
function keepGreatest(most, others, names) {
  for (const name of names) most[name] = Math.max(most[name], others[name]);
}

/**
 * A tile's bytes in Detour's format, null where it has no polygons, what it took, in a grid of tiles the hash of what it was
 * made from (Baker.hashTile), and where that was wanted what it takes to build it again (Baker.keepTile).
 * @typedef {{ bytes: Uint8Array | null, log: TileLog, hash?: string, kept?: Uint8Array }} BakedTile
 */

const NO_STAGES = Object.freeze(makeZeros(STAGES));
const NO_COUNTS = Object.freeze(makeZeros(STAGE_COUNTS));

/** What the stages make that are counted. @type {Partial<Record<StageName, readonly (keyof StageCounts)[]>>} */
const COUNTED = {
  rasterize: ['solidSpans'], compact: ['openSpans'], erode: ['walkableSpans'], distance: ['maxDistance'], regions: ['regions'],
  contours: ['contours', 'contourVertices', 'rawContourVertices'], polygonMesh: ['vertices', 'polygons'],
  detailMesh: ['detailVertices', 'detailTriangles'], tile: ['tileBytes'],
};

/** Of a tile that took nothing yet. @param {number} x @param {number} z @param {TileLog['origin']} origin @returns {TileLog} */
export const makeTileLog = (x, z, origin) => ({
  x, z, origin, built: false, stages: NO_STAGES, stageBytes: NO_STAGES, counts: NO_COUNTS,
});

/**
 * Bakes a tile from its first stage to its last, a stage at a time: so that whoever asks may rest in between.
 * @param {Baker} baker @param {number} x @param {number} z @param {boolean} [keeps] whether to keep it
 * @returns {Generator<StageName, BakedTile, void>} yields each stage after it has run
 */
export function* bakeTileByStages(baker, x, z, keeps = false) {
  const log = { ...makeTileLog(x, z, 'baked'), stages: { ...NO_STAGES }, stageBytes: { ...NO_STAGES }, counts: { ...NO_COUNTS } };
  const hash = baker.config.tileSize > 0 && hashesTiles(baker) ? baker.hashTile(x, z) : undefined;
  baker.beginTile(x, z);
  let kept;
  while (baker.nextStage !== 'done') {
    if (keeps && baker.nextStage === 'compact') kept = baker.keepTile();
    const { stage, milliseconds, peakBytes } = baker.step();
    log.stages[stage] = milliseconds;
    log.stageBytes[stage] = peakBytes;
    // Right after each stage, before an array makes room for later ones.
    const counted = COUNTED[stage];
    if (counted) {
      const counts = baker.counts();
      for (const name of counted) log.counts[name] = counts[name];
    }
    yield stage;
  }
  const bytes = baker.takeTile();
  log.built = bytes !== null;
  return { bytes, log, hash, kept };
}

/**
 * Bakes a tile without a rest.
 * @param {Baker} baker @param {number} x @param {number} z @param {(stage: StageName) => void} [onStage] after each
 * @param {boolean} [keeps]
 * @returns {BakedTile}
 */
export function bakeTile(baker, x, z, onStage, keeps) {
  const stages = bakeTileByStages(baker, x, z, keeps);
  for (;;) {
    const { done, value } = stages.next();
    if (done) return value;
    onStage?.(value);
  }
}

/** The sum of TileLogs. */
export class BakeLog {
  #stages = makeZeros(STAGES);
  #stageBytes = makeZeros(STAGES);
  #counts = makeZeros(STAGE_COUNTS);
  #built = 0;
  #mostRegions = 0;
  #origins = { baked: 0, cache: 0, kept: 0 };
  /** @type {LargestTile | null} */
  #largest = null;

  /** @param {TileLog} log */
  add({ x, z, origin, built, stages, stageBytes, counts }) {
    this.#origins[origin]++;
    if (origin === 'kept') return;
    if (origin === 'baked') {
      for (const stage of STAGES) this.#stages[stage] += stages[stage];
      keepGreatest(this.#stageBytes, stageBytes, STAGES);
    }
    const { maxDistance } = this.#counts;
    for (const name of STAGE_COUNTS) this.#counts[name] += counts[name];
    this.#counts.maxDistance = Math.max(maxDistance, counts.maxDistance);
    this.#mostRegions = Math.max(this.#mostRegions, counts.regions);
    if (!built) return;
    this.#built++;
    const { vertices, polygons, tileBytes: bytes } = counts;
    const least = this.#largest;
    // Among equals the first of the grid, whatever the order of arrival.
    if (!least || vertices > least.vertices || (vertices === least.vertices && (z - least.z || x - least.x) < 0)) {
      this.#largest = { x, z, vertices, polygons, bytes };
    }
  }

  /**
   * @param {Pick<Baker, 'config' | 'voxels' | 'warningBits'>} baker
   * @param {{ milliseconds: number, peakBytes: number, wasmBytes: number }} totals
   * @returns {BakeReport}
   */
  report({ config, voxels, warningBits }, { milliseconds, peakBytes, wasmBytes }) {
    const tiles = { x: voxels.tileCountX, z: voxels.tileCountZ, built: this.#built, cached: this.#origins.cache, kept: this.#origins.kept,
      largest: this.#largest };
    const counts = this.#counts;
    return {
      stages: this.#stages, milliseconds, tiles, counts, memory: { peakBytes, wasmBytes, stages: this.#stageBytes },
      warnings: describeWarnings({ config, voxels, warningBits, counts: tiles.kept > 0 ? undefined : counts, tiles,
        mostRegions: this.#mostRegions }), config, voxels,
    };
  }
}
