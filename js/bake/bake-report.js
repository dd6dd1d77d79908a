/** The report of a bake: the logs of its tiles, added up in any order, and its warnings. */
import { toBounds } from '../input/config.js';
import { makeZeros } from './bake-tile.js';
import { STAGES, STAGE_COUNTS } from './stages.js';
import { describeWarnings } from './warnings.js';

/** @typedef {import('./baker.js').Baker} Baker */
/** @typedef {import('./bake-steps.js').Voxels} Voxels */
/** @typedef {import('./bake-tile.js').TileLog} TileLog */
/** @typedef {import('../input/config.js').Bounds} Bounds */
/** @typedef {import('../input/config.js').FullConfig} FullConfig */
/** @typedef {import('./stages.js').StageCounts} StageCounts */
/** @typedef {import('./stages.js').StageName} StageName */

/**
 * @typedef {object} BakeReport
 * @property {Record<StageName, number>} stages milliseconds, summed over tiles; the three filters run within rasterize, row by
 *   row, so that their own times are close to 0
 * @property {number} milliseconds from the call to its return
 * @property {{ x: number, z: number, built: number, withPolygons: number, cached: number, kept: number,
 *   largest: LargestTile | null }} tiles x, z: the size of the grid; built: tiles with polygons that were baked; cached: tiles from
 *   a cache; withPolygons: tiles with polygons among both; kept: tiles that a rebake left unchanged (no other
 *   number of this report includes them); largest: the tile with the most vertices, null if none has polygons
 * @property {StageCounts} counts summed over tiles, including those from a cache; maxDistance is the maximum
 * @property {{ peakBytes: number, wasmBytes: number, stages: Record<StageName, number> }} memory bytes: the peak in use, the size
 *   of the module's memory, and the peak in use during each stage of any tile
 * @property {import('./links/link-generator.js').LinkReport | null} links links that were generated; null if the configuration has none
 * @property {string[]} warnings one readable line each: likely mistakes in the level or the configuration
 * @property {FullConfig & { bounds: Bounds }} config the value in force of every field, and the bounds
 * @property {Readonly<Voxels>} voxels
 */

/** @typedef {{ x: number, z: number, vertices: number, polygons: number, bytes: number }} LargestTile */

/**
 * Raises each number to the other's, if that is greater.
 * @template {string} T @param {Record<T, number>} max @param {Record<T, number>} others @param {readonly T[]} names
 */
function raiseToMax(max, others, names) {
  for (const name of names) max[name] = Math.max(max[name], others[name]);
}

/** The sum of TileLogs. */
export class BakeLog {
  #stages = makeZeros(STAGES);
  #stageBytes = makeZeros(STAGES);
  #counts = makeZeros(STAGE_COUNTS);
  #built = 0;
  #withPolygons = 0;
  #maxRegions = 0;
  #origins = { baked: 0, cache: 0, kept: 0 };
  /** @type {LargestTile | null} */
  #largest = null;

  /** @param {TileLog} log */
  add({ x, z, origin, built, stages, stageBytes, counts }) {
    this.#origins[origin]++;
    if (origin === 'kept') return;
    if (origin === 'baked') {
      for (const stage of STAGES) this.#stages[stage] += stages[stage];
      raiseToMax(this.#stageBytes, stageBytes, STAGES);
    }
    const { maxDistance } = this.#counts;
    for (const name of STAGE_COUNTS) this.#counts[name] += counts[name];
    this.#counts.maxDistance = Math.max(maxDistance, counts.maxDistance);
    this.#maxRegions = Math.max(this.#maxRegions, counts.regions);
    if (!built) return;
    this.#withPolygons++;
    if (origin === 'baked') this.#built++;
    const { vertices, polygons, tileBytes: bytes } = counts;
    const largest = this.#largest;
    // Of equal tiles the first of the grid, in any order of arrival.
    if (!largest || vertices > largest.vertices || (vertices === largest.vertices && (z - largest.z || x - largest.x) < 0)) {
      this.#largest = { x, z, vertices, polygons, bytes };
    }
  }

  /**
   * @param {import('../workers/messages.js').BakerFacts} baker
   * @param {{ milliseconds: number, peakBytes: number, wasmBytes: number }} totals
   * @returns {BakeReport}
   */
  report({ config, voxels, warningBits, zeroAreaTriangles }, { milliseconds, peakBytes, wasmBytes }) {
    const tiles = { x: voxels.tileCountX, z: voxels.tileCountZ, built: this.#built, withPolygons: this.#withPolygons, cached: this.#origins.cache, kept: this.#origins.kept,
      largest: this.#largest };
    const counts = this.#counts;
    return {
      stages: this.#stages, milliseconds, tiles, counts, memory: { peakBytes, wasmBytes, stages: this.#stageBytes }, links: null,
      warnings: describeWarnings({ config, voxels, warningBits, zeroAreaTriangles, counts: tiles.kept > 0 ? undefined : counts, tiles,
        maxRegions: this.#maxRegions }), config: { ...config, bounds: toBounds(voxels) }, voxels,
    };
  }
}
