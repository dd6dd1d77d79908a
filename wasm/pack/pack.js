/**
 * Arranges a linked module so that gzip finds more in it, without changing what it does:
 * * alignments, which are hints, are the same for each instruction;
 * * functions stand where the 32 kB before them, which gzip can refer to, have most in common with them;
 * * local variables are numbered so that a function repeats what stands before it (wasm/numbering.js).
 *
 *     node wasm/pack.js FILE [ROUNDS]    writes the file anew
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { learnCosts } from './matches.js';
import { ALIGNMENT, LOCAL, encodeFunction, indicesInOrder, pushNumber, readModule, walk, writeModule } from './module.js';
import { Numbering } from './numbering.js';
import { verifyFunctions } from './verify.js';

/** @import { Func, Module } from './module.js' */

/** Of trying other numbers for variables: takes 8 seconds a round in the whole module, and the last four 0.5 % off. */
const ROUNDS = 5;
/** How far back gzip refers, about. */
const REACH = 32_500;
/** How far back functions are compared with those before: nearer ones take fewer bits to refer to. */
const WINDOW = 20_000;
/** Bytes that functions are compared by. */
const GRAM = 6;
/** What more functions have than this says nothing about their order. */
const COMMON = 25;

/** The greatest alignment, as a logarithm, of the loads and stores 0x28 to 0x3e, and of those of vectors. */
const ALIGNMENTS = [2, 3, 2, 3, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 2, 3, 2, 3, 0, 1, 0, 1, 2];
const WHOLE_VECTORS = [4, 3, 3, 3, 3, 3, 3, 0, 1, 2, 3, 4];
const PARTS_OF_VECTORS = [0, 1, 2, 3, 0, 1, 2, 3, 2, 3];

/** Vectors mostly lie where floats may. @param {Func} func */
function alignAlike({ code }) {
  walk(code, (kind, from) => {
    if (kind !== ALIGNMENT) return;
    const op = code[from - 1];
    code[from] = ALIGNMENTS[op - 0x28] ?? Math.min(2, WHOLE_VECTORS[op] ?? PARTS_OF_VECTORS[op - 84]);
  });
}

/** The bytes of a function as if it had one variable: how those are numbered is still to be found. @param {Func} func */
function withoutNumbers(func) {
  const code = func.code.slice();
  walk(code, (kind, from, to) => {
    if (kind === LOCAL && to === from + 1) code[from] = 0;
  });
  return encodeFunction({ ...func, code });
}

/** Hashes of the runs of GRAM bytes. @param {ArrayLike<number>} bytes */
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
 * Of each function's runs those that tell which others are like it, as numbers from 0 on.
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

/** An order in which each function has much in common with those before. @param {number[][]} bodies @returns {number[]} */
function orderAlike(bodies) {
  const { grams, count: gramCount } = tellingGrams(bodies);
  const inWindow = new Int32Array(gramCount);
  const count = (/** @type {number} */ func, /** @type {number} */ by) => {
    for (const gram of grams[func]) inWindow[gram] += by;
  };
  const share = (/** @type {number} */ func) => {
    let sum = 0;
    for (const gram of grams[func]) if (inWindow[gram] > 0) sum++;
    return (sum + 0.5) / (grams[func].length + 10);
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
      const value = share(func);
      if (value > best) [best, next] = [value, func];
    }
  }
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
  /** @type {number[]} */
  let before = [];
  for (const i of order) {
    pushNumber(before, encodeFunction(functions[i], newIndices).length);
    numberings[i]?.improve(Uint8Array.from(before), newIndices, costs, rounds);
    before = before.concat(encodeFunction(functions[i], newIndices)).slice(-REACH);
  }
  const packed = writeModule(module, order);
  verifyFunctions(readModule(bytes).functions, readModule(packed).functions, order, newIndices);
  return packed;
}

const [path, rounds] = process.argv.slice(2);
if (path) writeFileSync(path, packModule(readFileSync(path), rounds ? Number(rounds) : ROUNDS));
