/** The fewest of some obstacles that must go so that a way opens, found by trials with some of them left out. */
import { NO_OPTIONS, requireAmount, requireOptions } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { nameSet } from '../runtime/option-names.js';

/** Most sets of obstacles that are compared: each is another way. */
const MOST_SETS = 4;

/**
 * @template T
 * @typedef {object} ObstaclesInWay
 * @property {readonly T[]} obstacles without them there is a way, in the order in which they were given; empty: they aren't the cause
 * @property {boolean} areFewest false if the trials ran out: perhaps not all of them must go, or, without any trial, some must
 */

/** Stores the answers to the trials of a search, by the indices of the obstacles that were left out. */
class Trials {
  /** @type {Map<string, boolean>} */
  #known = new Map();
  #opens;
  #left;
  hasRunOut = false;

  /** @param {(removed: readonly number[]) => boolean} opens @param {number} most trials */
  constructor(opens, most) {
    this.#opens = opens;
    this.#left = most;
  }

  /** Pauses after a trial; without any left, the answer is no. @param {readonly number[]} removed @returns {Generator<void, boolean, void>} */
  * opens(removed) {
    const ascending = [...removed].sort((a, b) => a - b), key = ascending.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#left-- <= 0) {
      this.hasRunOut = true;
      return false;
    }
    const isOpen = this.#opens(ascending);
    this.#known.set(key, isOpen);
    yield;
    return isOpen;
  }
}

/**
 * Finds the fewest candidates that must go besides removed obstacles: if one of them stays, there is no way. Takes about 2 k log2(n) trials to
 * find k of n. If the trials run out, it returns more candidates than must go, but the way is open without them in any case.
 * @param {Trials} trials @param {readonly number[]} removed @param {readonly number[]} candidates which open the way if they are removed as well
 * @returns {Generator<void, readonly number[], void>}
 */
function* fewest(trials, removed, candidates) {
  if (candidates.length === 1 || trials.hasRunOut) return candidates;
  const half = candidates.length >> 1, halves = [candidates.slice(0, half), candidates.slice(half)];
  for (const part of halves) if (yield* trials.opens([...removed, ...part])) return yield* fewest(trials, removed, part);
  const first = yield* fewest(trials, [...removed, ...halves[1]], halves[0]);
  return [...first, ...yield* fewest(trials, [...removed, ...first], halves[1])];
}

/**
 * Finds the smallest of up to four sets of obstacles: each set opens a way on its own, and no two sets have an obstacle in common.
 * @param {Trials} trials @param {readonly number[]} all which open the way together @param {readonly number[]} likely some of them, which may be enough
 * @returns {Generator<void, readonly number[], void>}
 */
function* smallestSet(trials, all, likely) {
  const isLikely = likely.length > 0 && likely.length < all.length && (yield* trials.opens(likely));
  let best = yield* fewest(trials, [], isLikely ? likely : all), others = all.filter((each) => !best.includes(each));
  for (let sets = 1; sets < MOST_SETS && best.length > 1 && others.length > 0 && (yield* trials.opens(others)); sets++) {
    const next = yield* fewest(trials, [], others);
    if (next.length < best.length) best = next;
    others = others.filter((each) => !next.includes(each));
  }
  return best;
}

/**
 * @template T
 * @typedef {object} ObstacleSearchOptions
 * @property {number} [mostTrials] 2 k log2(n) find k of n obstacles; default: no limit
 * @property {() => readonly T[]} [likely] those that are looked at first, such as those beside the way; called after the trial without any obstacle
 */

const NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<ObstacleSearchOptions<unknown>>} */ ({ mostTrials: 1, likely: 1 }));

/** @param {unknown} value @param {string} field */
function requireFunction(value, field) {
  if (typeof value !== 'function') throw invalidArgument(field, `must be a function, not ${describe(value)}`, value);
}

/** @template T @param {readonly T[]} value @param {string} field @returns {readonly T[]} */
function requireList(value, field) {
  if (!Array.isArray(value)) throw invalidArgument(field, `must be an array, not ${describe(value)}`, value);
  return value;
}

/** A promise, such as that of an async function, would count as a way. @param {unknown} answer */
function requireAnswer(answer) {
  if (typeof answer !== 'boolean') throw invalidArgument('opens', `must return true or false, not ${describe(answer)}`, answer);
  return answer;
}

/**
 * @template T @param {readonly T[]} obstacles @param {(removed: readonly T[]) => boolean} opens @param {number} mostTrials @param {() => readonly T[]} likely
 * @returns {Generator<void, ObstaclesInWay<T>, void>}
 */
function* search(obstacles, opens, mostTrials, likely) {
  const trials = new Trials((removed) => requireAnswer(opens(removed.map((i) => obstacles[i]))), mostTrials);
  const all = [...obstacles.keys()];
  // The way is closed without them, too, or open with all of them.
  if (all.length === 0 || !(yield* trials.opens(all)) || (yield* trials.opens([]))) return { obstacles: [], areFewest: !trials.hasRunOut };
  const places = new Map(obstacles.map((obstacle, i) => [obstacle, i]));
  const found = yield* smallestSet(trials, all, requireList(likely(), 'likely').flatMap((obstacle) => places.get(obstacle) ?? []));
  return { obstacles: [...found].sort((a, b) => a - b).map((i) => obstacles[i]), areFewest: !trials.hasRunOut };
}

/**
 * Finds the fewest obstacles that must go so that a way opens: where several ways open, those of the one that needs the fewest, of up to four
 * that have no obstacle in common. The search is a generator that pauses after each trial, so that a page may draw between trials.
 * @template T
 * @param {readonly T[]} obstacles each of them once
 * @param {(removed: readonly T[]) => boolean} opens a trial: true if there is a way without these; not an async function
 * @param {ObstacleSearchOptions<T>} [options]
 * @returns {Generator<void, ObstaclesInWay<T>, void>}
 */
export function findObstaclesInWay(obstacles, opens, options = NO_OPTIONS) {
  requireList(obstacles, 'obstacles');
  requireFunction(opens, 'opens');
  const { mostTrials = Infinity, likely = () => [] } = requireOptions(options, NAMES);
  requireAmount(mostTrials, 'mostTrials');
  requireFunction(likely, 'likely');
  return search([...obstacles], opens, mostTrials, likely);
}
