/**
 * Limits of a bake that whoever runs it sets, for levels and configurations that somebody else made: cells and tiles are
 * counted before anything is baked, time is looked at between stages, or ends the workers.
 */
import { requireOptions } from '../runtime/arguments.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { nameSet } from '../runtime/names.js';

/**
 * What a bake may come to; without a number there is no such limit. More is a NavError `limit` that names it
 * (`limits.cells`). Memory is limited by `memoryLimit` of load() and of worker pools.
 * @typedef {object} BakeLimits
 * @property {number} [cells] of the whole level on x and z: bounds, or else extents, over cellSize squared
 * @property {number} [tiles] of the grid
 * @property {number} [milliseconds] from the call on. In workers the bake ends then, in the middle of a stage, too; in this thread
 *   with the stage it is at
 */

const NAMES = nameSet(/** @satisfies {import('../runtime/names.js').Names<BakeLimits>} */ ({ cells: 1, tiles: 1, milliseconds: 1 }));

/** Timers wait no longer than that. */
const LONGEST_WAIT = 2 ** 31 - 1;

/** @param {string} name @param {number} limit @param {string} message */
const exceeded = (name, limit, message) => new NavError('limit', message, { field: `limits.${name}`, value: limit });

/** The limits of one bake, which begins now. */
export class Limits {
  #limits;
  #start = performance.now();

  /** @param {BakeLimits | undefined} limits */
  constructor(limits) {
    this.#limits = limits === undefined ? {} : { ...requireLimits(limits) };
  }

  get milliseconds() {
    return this.#limits.milliseconds ?? Infinity;
  }

  /** Throws where the grid is larger than allowed. @param {import('./bake-steps.js').Voxels} voxels */
  checkGrid({ width, depth, tileCountX, tileCountZ }) {
    const { cells = Infinity, tiles = Infinity } = this.#limits;
    if (width * depth > cells) {
      throw exceeded('cells', cells, `the level has ${width} by ${depth} cells: limits.cells allows ${cells}; raise cellSize, or set bounds`);
    }
    if (tileCountX * tileCountZ > tiles) {
      throw exceeded('tiles', tiles, `the level has ${tileCountX} by ${tileCountZ} tiles: limits.tiles allows ${tiles}; raise tileSize or cellSize`);
    }
  }

  /** What is thrown when the time is over. */
  get timeError() {
    return exceeded('milliseconds', this.milliseconds, `the bake took more than the ${this.milliseconds} ms that limits.milliseconds allows`);
  }

  /** Throws where the time is over. */
  checkTime() {
    if (performance.now() - this.#start > this.milliseconds) throw this.timeError;
  }
}

/** @param {BakeLimits} limits */
function requireLimits(limits) {
  for (const [name, value] of Object.entries(requireOptions(limits, NAMES))) {
    if (value === undefined || (typeof value === 'number' && value > 0)) continue;
    throw invalidArgument(`limits.${name}`, `is ${describe(value)}: must be a number above 0`, value);
  }
  return limits;
}

/**
 * Bakes without blocking, no longer than its options allow: the work gets a signal that is aborted when time is over, or
 * the caller's is.
 * @template T
 * @param {{ limits?: BakeLimits, signal?: AbortSignal }} options
 * @param {(bounded: { limits: Limits, signal?: AbortSignal }) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withinLimits({ limits: given, signal }, work) {
  const limits = new Limits(given);
  if (limits.milliseconds === Infinity) return work({ limits, signal });
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort);
  const { timeError } = limits;
  const timer = setTimeout(() => controller.abort(timeError), Math.min(limits.milliseconds, LONGEST_WAIT));
  try {
    return await work({ limits, signal: controller.signal });
  } catch (error) {
    throw error instanceof NavError && error.cause === timeError ? timeError : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
