/**
 * Numbers the local variables of functions so that gzip finds more repetitions. Each web (webs.js) gets the number with which the
 * function takes the fewest bits after the bytes before it (matches.js), among the numbers that no web live at the same time has.
 */
import { Repetitions } from './matches.js';
import { LOCAL, encodeFunction, walk } from './module.js';
import { findWebs } from './webs.js';

/** @import { Costs } from './matches.js' */
/** @import { Func } from './module.js' */
/** @import { Web } from './webs.js' */

const I32 = 0x7f, I64 = 0x7e, F32 = 0x7d, F64 = 0x7c, V128 = 0x7b;
/**
 * Types in the order of their numbers, and how many numbers each has in a function that uses it (integers: including parameters).
 * Functions with the same numbers per type look alike. Engines drop unused variables.
 */
const ROOM = /** @type {const} */ ([[I32, 24], [F32, 16], [V128, 16], [I64, 6], [F64, 6]]);
const FIRST_INTEGER = 5;
/** Numbers above take two bytes. */
const MOST_NUMBERS = 128;
/** The number of a web that has none yet. */
const UNKNOWN = 255;

/**
 * Numbers variables by type, and within a type by how often they are used.
 * @param {Func} func
 * @returns {boolean} false if it has no variables or too many
 */
function numberByUse(func) {
  const { params, locals, code } = func;
  /** @type {number[][]} */
  const places = [];
  walk(code, (kind, from, _, local) => {
    if (kind === LOCAL) (places[local] ??= []).push(from);
  });
  const uses = (/** @type {number} */ i) => places[params + i]?.length ?? 0;
  /** @type {number[]} */
  const types = [];
  /** @type {[number[], number][]} */
  const moves = [];
  for (const [type, room] of ROOM) {
    const ours = locals.map((_, i) => i).filter((i) => locals[i] === type).sort((a, b) => uses(b) - uses(a) || a - b);
    if (ours.length === 0 && type !== I32) continue;
    const first = type === I32 ? Math.max(params, FIRST_INTEGER) : params + types.length;
    const end = Math.max(type === I32 ? room : first + room, first + ours.length);
    ours.forEach((i, k) => moves.push([places[params + i] ?? [], first + k]));
    while (params + types.length < end) types.push(type);
  }
  if (locals.length === 0 || places.length > MOST_NUMBERS || params + types.length > MOST_NUMBERS) return false;
  for (const [from, number] of moves) for (const place of from) code[place] = number;
  func.locals = types;
  return true;
}

/** A function whose variables can be renumbered. */
export class Numbering {
  /** The number of changes of a web's number. */
  #changes = 1;
  /** For each web and number: #changes when that number was tried and saved nothing. All webs of a chain lead to the same trial. */
  #inVain;

  /** @param {Func} func @returns {Numbering | null} null if it has no variables or too many */
  static of(func) {
    return numberByUse(func) ? new Numbering(func) : null;
  }

  /** @param {Func} func */
  constructor(func) {
    this.func = func;
    this.webs = findWebs(func);
    this.#inVain = new Int32Array(this.webs.length * MOST_NUMBERS);
    const types = [...func.paramTypes, ...func.locals];
    /** Numbers of variables per type. @type {Map<number, number[]>} */
    this.numbers = new Map(ROOM.map(([type]) => [type, [...types.keys()].filter((number) => types[number] === type)]));
  }

  /**
   * Chooses the numbers.
   * @param {Uint8Array} before bytes before the function
   * @param {number[]} newIndices new indices of functions
   * @param {Costs} costs
   * @param {number} rounds at most this often, other numbers are tried for all webs
   */
  improve(before, newIndices, costs, rounds) {
    const { func, webs } = this;
    const encoded = Uint8Array.from(encodeFunction(func, newIndices));
    const repetitions = new Repetitions(before, encoded, costs);
    const head = encodeFunction({ ...func, code: new Uint8Array(0) }).length;
    const old = placesOfLocals(func.code), shifted = placesOfLocals(encoded.subarray(head));
    const placeOf = new Map(old.map((place, i) => [place, head + shifted[i]]));
    for (const web of webs) web.encoded = web.places.map((place) => Number(placeOf.get(place)));

    const given = webs.map(({ number }) => number), bits = repetitions.settle();
    if (!this.#numberAnew(repetitions) || repetitions.settle() > bits) {
      webs.forEach((web, i) => write(repetitions, web, web.number = given[i]));
      repetitions.settle();
    }
    for (let round = 0; round < rounds && this.#tryOthers(repetitions);) round++;
    for (const { places, number } of webs) for (const place of places) func.code[place] = number;
  }

  /** Numbers webs one after the other, the most used first. False if a web has no free number. @param {Repetitions} repetitions */
  #numberAnew(repetitions) {
    const done = new Set(this.webs.filter(({ isFixed }) => isFixed));
    const left = this.webs.filter((web) => !done.has(web)).sort((a, b) => b.places.length - a.places.length);
    for (const web of left) write(repetitions, web, UNKNOWN);
    for (const web of left) {
      repetitions.settle();
      const taken = new Set([...web.neighbours].filter((other) => done.has(other)).map(({ number }) => number));
      let best = Infinity, found = -1;
      for (const number of this.numbers.get(web.type) ?? []) {
        if (taken.has(number) || (web.isZero && number < this.func.params)) continue;
        write(repetitions, web, number);
        const bits = repetitions.estimate(web.encoded);
        if (bits < best) [best, found] = [bits, number];
      }
      if (found < 0) return false;
      write(repetitions, web, web.number = found);
      done.add(web);
    }
    return true;
  }

  /** Tries other numbers for all webs. @param {Repetitions} repetitions @returns {boolean} true if some number changed */
  #tryOthers(repetitions) {
    let best = repetitions.settle(), isBetter = false;
    for (const web of this.webs) {
      for (const number of this.numbers.get(web.type) ?? []) {
        if (this.#inVain[web.index * MOST_NUMBERS + number] === this.#changes) continue;
        const old = web.number;
        const chain = this.#chain(web, number);
        if (!chain) continue;
        const swap = () => {
          for (const one of chain) write(repetitions, one, one.number = one.number === old ? number : old);
        };
        swap();
        if (repetitions.estimate(placesOf(chain)) < best) {
          const bits = repetitions.settle();
          if (bits < best) {
            [best, isBetter] = [bits, true];
            this.#changes++;
            continue;
          }
          swap();
          repetitions.settle();
        } else swap();
        for (const one of chain) this.#inVain[one.index * MOST_NUMBERS + (one.number === old ? number : old)] = this.#changes;
      }
    }
    return isBetter;
  }

  /**
   * Lists the webs that must swap between two numbers if this web changes to the other; null if one of them can't.
   * @param {Web} web @param {number} number the other number
   */
  #chain(web, number) {
    const old = web.number;
    if (old === number) return null;
    const chain = new Set([web]);
    for (const one of chain) {
      const next = one.number === old ? number : old;
      if (one.isFixed || (one.isZero && next < this.func.params)) return null;
      for (const other of one.neighbours) if (other.number === next) chain.add(other);
    }
    return chain;
  }
}

/** @param {Repetitions} repetitions @param {Web} web @param {number} number */
function write(repetitions, web, number) {
  for (const place of web.encoded) repetitions.write(place, number);
}

/** Positions of all webs in the encoded function, sorted. @param {Set<Web>} webs @returns {ArrayLike<number>} */
function placesOf(webs) {
  const lists = Array.from(webs, ({ encoded }) => encoded);
  return lists.length === 1 ? lists[0] : Int32Array.from(lists.flat()).sort();
}

/** @param {Uint8Array} code @returns {number[]} */
function placesOfLocals(code) {
  /** @type {number[]} */
  const places = [];
  walk(code, (kind, from) => { if (kind === LOCAL) places.push(from); });
  return places;
}
