/**
 * Rearranges a linked module so that gzip finds more repetitions in it. The module does the same as before:
 * * each kind of load and store gets one alignment, which is only a hint to engines;
 * * a function follows functions that it has much in common with, because gzip refers at most 32 kB back;
 * * local variables are numbered so that a function repeats the bytes before it (numbering.js).
 *
 *     node wasm/pack/pack.js FILE [ROUNDS]    overwrites the file
 *
 * README.md describes the savings and the verification.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { learnCosts } from './matches.js';
import { ALIGNMENT, LOCAL, encodeFunction, indicesInOrder, pushNumber, readModule, walk, writeModule } from './module.js';
import { Numbering } from './numbering.js';
import { verifyFunctions } from './verify.js';

/** @import { Func, Module } from './module.js' */

/** Rounds that try other numbers for variables. The first takes 4 s in the full module and saves 2.5 %, four more save 0.3 %. */
const ROUNDS = 5;
/** The approximate distance that gzip refers back, bytes. */
const REACH = 32_500;
/** A function is compared with this many bytes before it: fewer than gzip allows, because nearer references take fewer bits. */
const WINDOW = 20_000;
/** Functions are compared by their runs of this many bytes. */
const GRAM = 6;
/** A run that more functions contain than this doesn't influence their order. */
const COMMON = 25;

/** The maximum alignments, as logarithms, of the loads and stores 0x28 to 0x3e. The two lists below have those of vectors. */
const ALIGNMENTS = [2, 3, 2, 3, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 2, 3, 2, 3, 0, 1, 0, 1, 2];
const WHOLE_VECTORS = [4, 3, 3, 3, 3, 3, 3, 0, 1, 2, 3, 4];
const PARTS_OF_VECTORS = [0, 1, 2, 3, 0, 1, 2, 3, 2, 3];

/** Sets all alignments. Vectors get at most that of a float, which most of them have. @param {Func} func */
function alignAlike({ code }) {
  walk(code, (kind, from) => {
    if (kind !== ALIGNMENT) return;
    const op = code[from - 1];
    code[from] = ALIGNMENTS[op - 0x28] ?? Math.min(2, WHOLE_VECTORS[op] ?? PARTS_OF_VECTORS[op - 84]);
  });
}

/** A function's bytes as if it had one variable, because the numbers of variables are chosen later. @param {Func} func */
function withoutNumbers(func) {
  const code = func.code.slice();
  walk(code, (kind, from, to) => {
    if (kind === LOCAL && to === from + 1) code[from] = 0;
  });
  return encodeFunction({ ...func, code });
}

/** Hashes of all runs of GRAM bytes. @param {ArrayLike<number>} bytes */
function gramsOf(bytes) {
  /** @type {Set<number>} */
  const grams = new Set();
  for (let i = 0; i + GRAM <= bytes.length; i++) {
    let hash = 0;
    for (let k = i; k < i + GRAM; k++) hash = (Math.imul(hash, 0x01000193) ^ bytes[k]) | 0;
    grams.add(hash);
  }
  return grams;
}

/**
 * Lists each function's runs that some but not too many other functions share, as numbers from 0.
 * @param {number[][]} bodies @returns {{ grams: Int32Array[], count: number }}
 */
function tellingGrams(bodies) {
  const sets = bodies.map(gramsOf);
  /** @type {Map<number, number>} */
  const owners = new Map();
  for (const set of sets) for (const gram of set) owners.set(gram, (owners.get(gram) ?? 0) + 1);
  const telling = [...owners].filter(([, count]) => count > 1 && count <= COMMON).map(([gram], i) => /** @type {const} */ ([gram, i]));
  const numbers = new Map(telling);
  const grams = sets.map((set) => Int32Array.from([...set].flatMap((gram) => numbers.get(gram) ?? [])));
  return { grams, count: numbers.size };
}

/** Orders functions so that each has much in common with those before it. @param {number[][]} bodies @returns {number[]} */
function orderAlike(bodies) {
  const { grams, count: gramCount } = tellingGrams(bodies);
  /** @type {number[][]} */
  const owners = Array.from({ length: gramCount }, () => []);
  for (const [func, own] of grams.entries()) for (const gram of own) owners[gram].push(func);
  const inWindow = new Int32Array(gramCount);
  /** The number of each function's runs that the window has. */
  const shared = new Int32Array(bodies.length);
  const count = (/** @type {number} */ func, /** @type {number} */ by) => {
    for (const gram of grams[func]) {
      const wasThere = inWindow[gram] > 0;
      inWindow[gram] += by;
      if (wasThere !== inWindow[gram] > 0) for (const owner of owners[gram]) shared[owner] += by;
    }
  };

  /** @type {number[]} */
  const order = [];
  const left = new Set(bodies.keys());
  let next = bodies.reduce((best, body, i) => (body.length > bodies[best].length ? i : best), 0);
  for (let size = 0, first = 0; ;) {
    left.delete(next);
    order.push(next);
    count(next, 1);
    size += bodies[next].length;
    for (; size > WINDOW; first++) {
      size -= bodies[order[first]].length;
      count(order[first], -1);
    }
    if (left.size === 0) return order;
    let best = -1;
    for (const func of left) {
      const value = (shared[func] + 0.5) / (grams[func].length + 10);
      if (value > best) [best, next] = [value, func];
    }
  }
}

/** @param {ArrayLike<number>[]} parts */
function join(...parts) {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** @param {Uint8Array} bytes @param {number} [rounds] @returns {Uint8Array} */
export function packModule(bytes, rounds = ROUNDS) {
  const module = readModule(bytes);
  const { functions } = module;
  functions.forEach(alignAlike);
  const numberings = functions.map((func) => Numbering.of(func));
  const order = orderAlike(functions.map(withoutNumbers));
  const newIndices = indicesInOrder(module, order);
  const costs = learnCosts(Uint8Array.from(order.flatMap((i) => encodeFunction(functions[i], newIndices))));
  let before = new Uint8Array(0);
  for (const i of order) {
    /** @type {number[]} */
    const length = [];
    pushNumber(length, encodeFunction(functions[i], newIndices).length);
    before = join(before, length);
    numberings[i]?.improve(before, newIndices, costs, rounds);
    before = join(before, encodeFunction(functions[i], newIndices)).subarray(-REACH);
  }
  const packed = writeModule(module, order);
  verifyFunctions(readModule(bytes).functions, readModule(packed).functions, order, newIndices);
  return packed;
}

const [path, rounds] = process.argv.slice(2);
if (path) writeFileSync(path, packModule(readFileSync(path), rounds ? Number(rounds) : ROUNDS));
