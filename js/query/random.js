/** Random points of the mesh, every place as likely as every other, the same from the same seed everywhere. */
import { readNearest } from '../runtime/answers.js';
import { NO_OPTIONS, requireAmount, requireCount, requireOptions, requireReference, writePoint } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { Islands } from './islands.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { nameSet } from '../runtime/names.js';
import { OverlapQueries } from './overlap.js';
import { addressOf } from '../runtime/owned.js';
import { WmRandom, WmRandomOptions } from '../runtime/layout.js';

/** @typedef {import('../runtime/answers.js').NearestPoint} NearestPoint */
/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../mesh/filter.js').Filter} Filter */
/** @typedef {import('../mesh/filter.js').FilterOptions} FilterOptions */
/** @typedef {import('./local.js').FilterOption} FilterOption */
/** @typedef {import('../runtime/session.js').Session} Session */

/** Inputs of a random point, in words: the generator, and the fields of its WmRandomOptions. */
const RANDOM_AT = 0;
const [FILTER_AT, ISLANDS_AT, ISLAND_AT, AREA_AT] = [WmRandomOptions.filter, WmRandomOptions.islands, WmRandomOptions.island,
  WmRandomOptions.area].map((word) => WmRandom.words + word);

/** A generator of random points: the same seed gives the same points everywhere. */
export class Random {
  /** Low and high word; in an array, so that drawing makes no garbage. */
  #state;

  /** A generator at the start of a seed's sequence. It lives outside the module, and need not be freed. @param {number} [seed] a whole number, 0 to 2^53 - 1; default 1 */
  constructor(seed = 1) {
    requireCount(seed, 'seed', Number.MAX_SAFE_INTEGER);
    this.#state = Uint32Array.of(seed >>> 0, Math.floor(seed / 2 ** 32));
  }

  /** Writes the state into the inputs. @internal @param {Session} session */
  lend(session) {
    session.u32[session.inputs + RANDOM_AT] = this.#state[0];
    session.u32[session.inputs + RANDOM_AT + 1] = this.#state[1];
  }

  /** Takes the state back after a call. @internal @param {Session} session */
  takeBack(session) {
    this.#state[0] = session.u32[session.inputs + RANDOM_AT];
    this.#state[1] = session.u32[session.inputs + RANDOM_AT + 1];
  }
}

/**
 * @typedef {object} RandomOptions
 * @property {Filter | FilterOptions} [filter]
 * @property {Random} [random] default: one of this mesh, seeded by 1
 * @property {number} [area] 0 to 63: only polygons of this area; default: any
 * @property {Islands} [islands] with an island: only there; they must be up to date, and for the same filter
 * @property {number} [island] 1 to their count
 */

export const RANDOM_NAMES = nameSet(/** @satisfies {import('../runtime/names.js').Names<RandomOptions>} */ (
  { filter: 1, random: 1, area: 1, islands: 1, island: 1 }));
const AROUND_NAMES = nameSet({ filter: 1, random: 1 });

export class RandomQueries extends OverlapQueries {
  /** For questions that bring no generator. */
  #random = new Random(1);

  /** The generator of a question. @internal @param {Random | undefined} random */
  generatorFor(random) {
    if (random === undefined) return this.#random;
    if (random instanceof Random) return random;
    throw invalidArgument('random', `must be a Random, not ${describe(random)}`, random);
  }

  /** Writes a WmRandomOptions into the inputs. @internal @param {RandomOptions} options with names that were checked */
  writeRandomOptions(options) {
    const { filter, area, islands, island = 0 } = options;
    const { session } = this;
    const { u32, inputs } = session;
    u32[inputs + FILTER_AT] = this.filterAddress(filter);
    if (islands !== undefined && !(islands instanceof Islands)) {
      throw invalidArgument('islands', `must be islands, not ${describe(islands)}`, islands);
    }
    if (island !== 0 && islands === undefined) throw invalidArgument('island', 'needs islands', island);
    u32[inputs + ISLANDS_AT] = islands === undefined ? 0 : islands.addressFor(this);
    u32[inputs + ISLAND_AT] = islands === undefined ? 0 : requireCount(island, 'island', islands.count);
    u32[inputs + AREA_AT] = area === undefined ? 0xffffffff : requireCount(area, 'area', 63);
  }

  /**
   * A point on the surface, every place as likely as every other by area on x and z; null where no polygon passes.
   * @param {RandomOptions} [options]
   * @param {NearestPoint | null} [out] an earlier answer, to be filled in anew
   * @returns {NearestPoint | null}
   */
  randomPoint(options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    session.refresh();
    const random = this.generatorFor(requireOptions(options, RANDOM_NAMES).random);
    this.writeRandomOptions(options);
    random.lend(session);
    session.check(session.wasm.query_random_point(address));
    random.takeBack(session);
    return readNearest(session, session.answer, out);
  }

  /**
   * A point in a circle that can be reached from a polygon through edges that touch the circle; null where there is none.
   * @param {number} polygon reference of the one the centre is in
   * @param {Point} centre @param {number} radius
   * @param {FilterOption & { random?: Random }} [options]
   * @param {NearestPoint | null} [out] an earlier answer, to be filled in anew
   * @returns {NearestPoint | null}
   */
  randomPointAround(polygon, centre, radius, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    session.refresh();
    requireReference(polygon, 'polygon');
    requireAmount(radius, 'radius');
    const random = this.generatorFor(requireOptions(options, AROUND_NAMES).random);
    writePoint(session, 2, centre, 'centre');
    const filterAddress = this.filterAddress(options.filter);
    random.lend(session);
    session.check(session.wasm.query_random_point_around(address, polygon, radius, filterAddress));
    random.takeBack(session);
    return readNearest(session, session.answer, out);
  }
}
