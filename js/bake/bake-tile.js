/**
 * Bakes one tile. Times, memory and counts of its stages go into a TileLog: a plain object, so that a worker can send it. A
 * BakeLog (bake-report.js) adds the logs up.
 */
import { hashesTiles } from './bake-steps.js';
import { STAGES, STAGE_COUNTS } from './stages.js';

/** @typedef {import('./baker.js').Baker} Baker */
/** Takes the air of the current tile of a baker: an AirCollector or HeldTiles. @typedef {{ collect: (baker: Baker, x: number, z: number) => void }} AirTaker */
/** @typedef {import('./stages.js').StageCounts} StageCounts */
/** @typedef {import('./stages.js').StageName} StageName */

/**
 * @typedef {object} TileLog
 * @property {number} x
 * @property {number} z
 * @property {'baked' | 'cache' | 'kept'} origin kept: a rebake left the tile unchanged; the other fields are empty
 * @property {boolean} built true if the tile has polygons
 * @property {Record<StageName, number>} stages milliseconds
 * @property {Record<StageName, number>} stageBytes peak bytes in use
 * @property {StageCounts} counts
 */

/**
 * A baked tile.
 * - bytes: in Detour's format; null if it has no polygons
 * - log: times, memory and counts
 * - hash: hash of the tile's inputs (Baker.hashTile), if the bake has a grid of tiles
 * - kept: its compressed spans (Baker.keepTile), if they were asked for
 * - air: its compressed air (Baker.keepAir), if the configuration has links
 * @typedef {{ bytes: Uint8Array | null, log: TileLog, hash?: string, kept?: Uint8Array, air?: Uint8Array }} BakedTile
 */

/**
 * @typedef {object} TileExtras what else is made of a tile
 * @property {boolean} [keeps] true: it comes with its compressed spans
 * @property {AirTaker} [taker] takes its air, of bakes with links
 * @property {boolean} [returnsAir] true: it comes with its compressed air, of bakes with links; default: if there is no taker
 */

/** @template {string} T @param {readonly T[]} names @returns {Record<T, number>} */
export const makeZeros = (names) => /** @type {Record<T, number>} */ (Object.fromEntries(names.map((name) => [name, 0])));

const NO_STAGES = Object.freeze(makeZeros(STAGES));
const NO_COUNTS = Object.freeze(makeZeros(STAGE_COUNTS));

/** The counts that each stage sets. @type {Partial<Record<StageName, readonly (keyof StageCounts)[]>>} */
const COUNTED = {
  rasterize: ['solidSpans'], compact: ['openSpans'], erode: ['walkableSpans'], distance: ['maxDistance'], regions: ['regions'],
  contours: ['contours', 'contourVertices', 'rawContourVertices'], polygonMesh: ['vertices', 'polygons'],
  detailMesh: ['detailVertices', 'detailTriangles'], tile: ['tileBytes'],
};

/** An empty log. @param {number} x @param {number} z @param {TileLog['origin']} origin @returns {TileLog} */
export const makeTileLog = (x, z, origin) => ({
  x, z, origin, built: false, stages: NO_STAGES, stageBytes: NO_STAGES, counts: NO_COUNTS,
});

/**
 * Bakes a tile one stage at a time, so that the caller can rest between stages.
 * @param {Baker} baker @param {number} x @param {number} z @param {TileExtras} [extras]
 * @returns {Generator<StageName, BakedTile, void>} yields each stage after it has run
 */
export function* bakeTileByStages(baker, x, z, { keeps = false, taker, returnsAir = taker === undefined } = {}) {
  const log = { ...makeTileLog(x, z, 'baked'), stages: { ...NO_STAGES }, stageBytes: { ...NO_STAGES }, counts: { ...NO_COUNTS } };
  const hash = baker.config.tileSize > 0 && hashesTiles(baker) ? baker.hashTile(x, z) : undefined;
  baker.beginTile(x, z);
  let kept, air;
  while (baker.nextStage !== 'done') {
    if (baker.nextStage === 'compact') {
      if (keeps) kept = baker.keepTile();
      if (baker.config.links && returnsAir) air = baker.keepAir();
      taker?.collect(baker, x, z);
    }
    const { stage, milliseconds, peakBytes } = baker.step();
    log.stages[stage] = milliseconds;
    log.stageBytes[stage] = peakBytes;
    // Immediately after each stage: later stages free arrays of earlier ones.
    const counted = COUNTED[stage];
    if (counted) {
      const counts = baker.counts();
      for (const name of counted) log.counts[name] = counts[name];
    }
    yield stage;
  }
  const bytes = baker.takeTile();
  log.built = bytes !== null;
  return { bytes, log, hash, kept, air };
}

/**
 * Bakes a tile without resting.
 * @param {Baker} baker @param {number} x @param {number} z @param {(stage: StageName) => void} [onStage] called after each stage
 * @param {TileExtras} [extras]
 * @returns {BakedTile}
 */
export function bakeTile(baker, x, z, onStage, extras) {
  const stages = bakeTileByStages(baker, x, z, extras);
  for (;;) {
    const { done, value } = stages.next();
    if (done) return value;
    onStage?.(value);
  }
}

/**
 * Makes the air of a tile, without baking it.
 * @param {Baker} baker of a configuration with links @param {number} x @param {number} z
 * @returns {Generator<StageName, Uint8Array, void>} yields each stage after it has run
 */
export function* keepAirByStages(baker, x, z) {
  baker.beginTile(x, z);
  while (baker.nextStage !== 'compact') yield baker.step().stage;
  return baker.keepAir();
}
