/**
 * Limits of a bake, for levels and configurations from untrusted sources. Cells and tiles are checked before anything is baked,
 * time after each stage; workers are ended in the middle of one.
 */
import { requireOptions } from '../runtime/arguments.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { nameSet } from '../runtime/option-names.js';

/**
 * The largest bake that is allowed; default: no limit. A larger one throws a NavError `limit`, whose field names the limit
 * (`limits.cells`). `memoryLimit` of load() and of worker pools limits memory.
 * @typedef {object} BakeLimits
 * @property {number} [cells] of the whole level on x and z: the area of its bounds over cellSize squared
 * @property {number} [tiles] of the grid
 * @property {number} [milliseconds] from the call on. Workers end in the middle of a stage; this thread ends after the current
 *   stage
 */

const NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<BakeLimits>} */ ({ cells: 1, tiles: 1, milliseconds: 1 }));

/** A bake of more tiles takes minutes: its level may be in other units than the agent. */
const MANY_TILES = 20000;

/**
 * Asks whether a level of more than 20,000 tiles is in centimetres. Returns the question; undefined if there are fewer tiles, or `limits.tiles` was set.
 * @param {number} tiles @param {number} agentRadius @param {BakeLimits | undefined} limits
 * @param {() => string | undefined} [describeStrays] names triangles that make the level huge @returns {string | undefined}
 */
export function askUnits(tiles, agentRadius, limits, describeStrays) {
  if (tiles <= MANY_TILES || limits?.tiles !== undefined) return undefined;
  const strays = describeStrays?.();
  if (strays) return `${strays}. The level has ${tiles} tiles, which take minutes or hours`;
  return `is the level in centimetres? It has ${tiles} tiles, which take minutes or hours. Scale it to the units of agentRadius (${agentRadius}), raise tileSize or`
    + ` cellSize, or set bounds. If all of them are meant, set limits.tiles to ${tiles}, and this question is not asked`;
}

/** The longest delay of a timer, milliseconds. */
const MAX_DELAY = 2 ** 31 - 1;

/** @param {string} name @param {number} limit @param {string} message */
const exceeded = (name, limit, message) => new NavError('limit', message, { field: `limits.${name}`, value: limit });

/** The limits of one bake. Its time starts with the constructor. */
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

  /**
   * Throws if the grid is larger than allowed, and asks with console.warn if it is large enough to be a mistake.
   * @param {{ voxels: import('./bake-steps.js').Voxels, config: { agentRadius: number } }} facts
   * @param {Set<string>} [warned] keys of warnings that were printed; undefined: asks nothing
   * @param {() => string | undefined} [describeStrays] as of askUnits
   */
  checkGrid({ voxels: { width, depth, tileCountX, tileCountZ }, config: { agentRadius } }, warned, describeStrays) {
    const { cells = Infinity, tiles = Infinity } = this.#limits;
    if (width * depth > cells) {
      throw exceeded('cells', cells, `the level has ${width} by ${depth} cells: limits.cells is ${cells}. Raise cellSize or set bounds`);
    }
    if (tileCountX * tileCountZ > tiles) {
      throw exceeded('tiles', tiles, `the level has ${tileCountX} by ${tileCountZ} tiles: limits.tiles is ${tiles}. Raise tileSize or cellSize`);
    }
    const question = warned && askUnits(tileCountX * tileCountZ, agentRadius, this.#limits, describeStrays);
    if (!question || warned.has(question)) return;
    warned.add(question);
    console.warn(`walkmesh: ${question}`);
  }

  /** The error for an exceeded time limit. */
  get timeError() {
    return exceeded('milliseconds', this.milliseconds, `the bake took longer than limits.milliseconds (${this.milliseconds})`);
  }

  /** Throws if the time is over. */
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
 * Runs a bake within its limits. Its signal is aborted when the time is over or the caller's signal is aborted.
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
  const timer = setTimeout(() => controller.abort(timeError), Math.min(limits.milliseconds, MAX_DELAY));
  try {
    return await work({ limits, signal: controller.signal });
  } catch (error) {
    throw error instanceof NavError && error.cause === timeError ? timeError : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
