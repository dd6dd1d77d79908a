/**
 * Arranges a linked module so that gzip finds more in it, without changing what it does:
 * * alignments, which are hints, are the same for each instruction;
 * * functions stand where the 32 kB before them, which gzip can refer to, have most in common with them;
 * * local variables are numbered so that a function repeats what stands before it, as far as swaps of two can reach.
 *
 *     node wasm/pack.js FILE...    writes the files anew
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { ALIGNMENT, LOCAL, encodeFunction, indicesInOrder, pushNumber, readModule, walk, writeModule } from './module.js';

/** @import { Func, Module } from './module.js' */

/** How far back gzip refers, less what the function itself needs. */
const WINDOW = 30_000;
/** Bytes that functions are compared by. */
const GRAM = 6;
/** What more functions have than this says nothing about their order. */
const COMMON = 40;
/**
 * The numbers that integers begin at, and floats and vectors after them, where there are fewer parameters and integers: so
 * they are the same in many functions. Numbers that are left out are variables that nothing uses, which engines drop.
 */
const FIRST_INTEGER = 5, FIRST_FLOAT = 24;
const I32 = 0x7f;
/** Rounds of swaps of a function. */
const ROUNDS = 2;

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

/** Numbers of one byte are those that can change places. @param {Func} func */
const canBeNumbered = ({ params, locals }) => params + locals.length <= 128 - FIRST_FLOAT;

/** Where the code names its local variables, by their numbers. @param {Uint8Array} code @returns {number[][]} */
function placesOfLocals(code) {
  /** @type {number[][]} */
  const places = [];
  walk(code, (kind, from) => {
    if (kind === LOCAL) (places[code[from]] ??= []).push(from);
  });
  return places;
}

/** Numbers variables by type, integers first, and within a type by how often they are named. @param {Func} func */
function numberByUse(func) {
  const { params, locals, code } = func;
  const places = placesOfLocals(code);
  const uses = (/** @type {number} */ local) => places[params + local]?.length ?? 0;
  const order = locals.map((_, i) => i).sort((a, b) => locals[b] - locals[a] || uses(b) - uses(a) || a - b);
  const integers = locals.filter((type) => type === I32).length;
  const firstInteger = Math.max(params, FIRST_INTEGER);
  const firstFloat = integers < locals.length ? Math.max(firstInteger + integers, FIRST_FLOAT) : firstInteger + integers;
  order.forEach((old, i) => places[params + old]?.forEach((at) => {
    code[at] = i < integers ? firstInteger + i : firstFloat + i - integers;
  }));
  const floats = order.slice(integers).map((old) => locals[old]);
  func.locals = [...new Array(locals.length > 0 ? firstFloat - params : 0).fill(I32), ...floats];
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

/** An order in which each function has much in common with those before. @param {Module} module @returns {number[]} */
function orderAlike({ functions }) {
  const bodies = functions.map((func) => encodeFunction(func));
  const sets = bodies.map(gramsOf);
  /** @type {Map<number, number>} */
  const owners = new Map();
  for (const set of sets) for (const gram of set) owners.set(gram, (owners.get(gram) ?? 0) + 1);
  const isTelling = (/** @type {number} */ gram) => Number(owners.get(gram)) > 1 && Number(owners.get(gram)) <= COMMON;
  const grams = sets.map((set) => [...set].filter(isTelling));

  /** @type {Map<number, number>} */
  const inWindow = new Map();
  const count = (/** @type {number} */ func, /** @type {number} */ by) =>
    grams[func].forEach((gram) => inWindow.set(gram, (inWindow.get(gram) ?? 0) + by));
  const share = (/** @type {number} */ func) =>
    (grams[func].reduce((sum, gram) => sum + (inWindow.get(gram) ? 1 : 0), 0) + 0.5) / (grams[func].length + 10);

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

/**
 * Numbers the local variables of a function by swapping pairs as long as that makes it smaller after what stands before.
 * @param {Func} func @param {Uint8Array} before @param {number[]} newIndices
 */
function numberAlike(func, before, newIndices) {
  const { params, locals } = func;
  const encoded = Uint8Array.from(encodeFunction(func, newIndices));
  const head = encodeFunction({ ...func, code: new Uint8Array(0) }).length;
  const copies = [func.code, encoded.subarray(head)].map((code) => ({ code, places: placesOfLocals(code) }));
  const measure = () => deflateRawSync(encoded, { level: 9, dictionary: before }).length;
  const swap = (/** @type {number} */ a, /** @type {number} */ b) => {
    for (const { code, places } of copies) {
      [places[a], places[b]] = [places[b], places[a]];
      for (const local of [a, b]) for (const at of places[local] ?? []) code[at] = local;
    }
  };
  let best = measure();
  for (let round = 0, changed = true; changed && round < ROUNDS; round++) {
    changed = false;
    for (let a = 0; a < locals.length; a++) {
      for (let b = a + 1; b < locals.length && locals[b] === locals[a]; b++) {
        if (![a, b].some((local) => copies[0].places[params + local])) continue;
        swap(params + a, params + b);
        const size = measure();
        if (size < best) [best, changed] = [size, true];
        else swap(params + a, params + b);
      }
    }
  }
}

/** @param {Uint8Array} bytes @returns {Uint8Array} */
export function packModule(bytes) {
  const module = readModule(bytes);
  for (const func of module.functions) {
    alignAlike(func);
    if (canBeNumbered(func)) numberByUse(func);
  }
  const order = orderAlike(module);
  const newIndices = indicesInOrder(module, order);
  /** @type {number[]} */
  let before = [];
  for (const i of order) {
    const func = module.functions[i];
    if (before.length > 0 && canBeNumbered(func)) numberAlike(func, Uint8Array.from(before), newIndices);
    const encoded = encodeFunction(func, newIndices);
    pushNumber(before, encoded.length);
    before = before.concat(encoded).slice(-WINDOW);
  }
  return writeModule(module, order);
}

for (const path of process.argv.slice(2)) writeFileSync(path, packModule(readFileSync(path)));
