/** Random points of the mesh, uniform by area; a seed gives the same points on every machine. */
import { readNearest } from '../runtime/results.js';
import { NO_OPTIONS, requireAmount, requireCount, requireOptions, requireReference, writePoint } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { Islands } from './islands.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { nameSet } from '../runtime/option-names.js';
import { OverlapQueries } from './overlap.js';
import { addressOf } from '../runtime/handle.js';
import { WmRandom, WmRandomOptions } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../runtime/results.js').NearestPoint} NearestPoint */
/** @typedef {import('../runtime/arguments.js').PointArgument} PointArgument */
/** @typedef {import('./filter.js').Filter} Filter */
/** @typedef {import('./filter.js').FilterOptions} FilterOptions */
/** @typedef {import('./query-options.js').FilterOption} FilterOption */
/** @typedef {import('../runtime/session.js').Session} Session */

/** Words of the inputs of a random point: the generator, and the fields of its WmRandomOptions. */
const RANDOM_AT = 0;
const [FILTER_AT, ISLANDS_AT, ISLAND_AT, AREA_AT] = [WmRandomOptions.filter, WmRandomOptions.islands, WmRandomOptions.island,
  WmRandomOptions.area].map((word) => WmRandom.words + word);

/** The state of a Random: two numbers of 32 bits. @typedef {[low: number, high: number]} RandomState */

const WORD_MAX = 2 ** 32 - 1;

/** A generator of random points. A seed gives the same points on every machine. */
export class Random {
  /** Low and high word, in an array, so that a draw makes no garbage. */
  #state;

  /** A generator at the start of a seed's sequence. It owns no memory of the module, so that it need not be freed. @param {number} [seed] a whole number, 0 to 2^53 - 1; default 1 */
  constructor(seed = 1) {
    requireCount(seed, 'seed', Number.MAX_SAFE_INTEGER);
    this.#state = Uint32Array.of(seed >>> 0, Math.floor(seed / 2 ** 32));
  }

  /**
   * A generator that goes on where another one was: `Random.from(random.state)`.
   * @param {RandomState} state @returns {Random}
   */
  static from(state) {
    const { 0: low, 1: high } = Object(state), random = new Random();
    random.#state[0] = requireCount(low, 'state[0]', WORD_MAX);
    random.#state[1] = requireCount(high, 'state[1]', WORD_MAX);
    return random;
  }

  /** The place in the sequence, for saved games: two numbers, also as JSON. @returns {RandomState} */
  get state() {
    return /** @type {RandomState} */ (/** @type {unknown} */ ([...this.#state]));
  }

  /** Writes the state into the inputs. @internal @param {Session} session */
  copyStateIn(session) {
    if (!(#state in this)) throw invalidArgument('random', 'must be a Random itself, not a proxy or an heir of one', this);
    session.u32[session.inputs + RANDOM_AT] = this.#state[0];
    session.u32[session.inputs + RANDOM_AT + 1] = this.#state[1];
  }

  /** Reads the state from the inputs after a call. @internal @param {Session} session */
  copyStateOut(session) {
    this.#state[0] = session.u32[session.inputs + RANDOM_AT];
    this.#state[1] = session.u32[session.inputs + RANDOM_AT + 1];
  }
}

/**
 * @typedef {object} RandomOptions
 * @property {Filter | FilterOptions} [filter]
 * @property {Random} [random] default: a generator of this mesh with seed 1
 * @property {number} [area] 0 to 63: only polygons of this area; default: all
 * @property {Islands} [islands] for `island`; they must be up to date, and have the same filter
 * @property {number} [island] 1 to islands.count: only polygons of this island; default: all
 */

export const RANDOM_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<RandomOptions>} */ (
  { filter: 1, random: 1, area: 1, islands: 1, island: 1 }));
const AROUND_NAMES = nameSet({ filter: 1, random: 1 });

export class RandomQueries extends OverlapQueries {
  /** The default generator. */
  #random = new Random(1);

  /** The generator of a query. @internal @param {Random | undefined} random */
  generatorFor(random) {
    if (random === undefined) return this.#random;
    if (random instanceof Random) return random;
    throw invalidArgument('random', `must be a Random, not ${describe(random)}`, random);
  }

  /** Writes a WmRandomOptions into the inputs. @internal @param {RandomOptions} options with checked names */
  writeRandomOptions(options) {
    const { filter, area, islands, island = 0 } = options;
    const { session } = this;
    const { u32, inputs } = session;
    u32[inputs + FILTER_AT] = this.filterAddress(filter);
    if (islands !== undefined && !(islands instanceof Islands)) {
      throw invalidArgument('islands', `must be an Islands object, not ${describe(islands)}`, islands);
    }
    if (island !== 0 && islands === undefined) throw invalidArgument('island', 'needs the option islands', island);
    u32[inputs + ISLANDS_AT] = islands === undefined ? 0 : islands.addressFor(this);
    u32[inputs + ISLAND_AT] = islands === undefined ? 0 : requireCount(island, 'island', session.wasm.islands_count(u32[inputs + ISLANDS_AT]) >>> 0);
    u32[inputs + AREA_AT] = area === undefined ? 0xffffffff : requireCount(area, 'area', 63);
  }

  /**
   * A random point of the surface, uniform by area on x and z; null if no polygon passes the filter.
   * @param {RandomOptions} [options]
   * @param {NearestPoint | null} [out] an earlier result, to be overwritten
   * @returns {NearestPoint | null}
   */
  randomPoint(options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    session.refresh();
    const random = this.generatorFor(requireOptions(options, RANDOM_NAMES).random);
    this.writeRandomOptions(options);
    session.requireNoCallSince(calls);
    random.copyStateIn(session);
    session.check(session.wasm.query_random_point(address));
    random.copyStateOut(session);
    return readNearest(session, session.answer, out);
  }

  /**
   * A random point in a circle that can be reached from a polygon through edges that touch the circle; null if there is none.
   * @param {PolygonRef} polygon reference of the polygon of the centre
   * @param {PointArgument} centre @param {number} radius
   * @param {FilterOption & { random?: Random }} [options]
   * @param {NearestPoint | null} [out] an earlier result, to be overwritten
   * @returns {NearestPoint | null}
   */
  randomPointAround(polygon, centre, radius, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    session.refresh();
    requireReference(polygon, 'polygon');
    requireAmount(radius, 'radius');
    const random = this.generatorFor(requireOptions(options, AROUND_NAMES).random);
    writePoint(session, 2, centre, 'centre');
    const filterAddress = this.filterAddress(options.filter);
    session.requireNoCallSince(calls);
    random.copyStateIn(session);
    session.check(session.wasm.query_random_point_around(address, polygon, radius, filterAddress));
    random.copyStateOut(session);
    return readNearest(session, session.answer, out);
  }
}
