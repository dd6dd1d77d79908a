// wasm/pack/: the packed module has the same functions, in another order and with other numbers of local variables.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indicesInOrder, readModule, writeModule } from '../../wasm/pack/module.js';
import { learnCosts, Repetitions } from '../../wasm/pack/matches.js';
import { packModule } from '../../wasm/pack/pack.js';
import { verifyFunctions } from '../../wasm/pack/verify.js';
import { findWebs } from '../../wasm/pack/webs.js';

const I32 = 0x7f, F32 = 0x7d;
const section = (id, ...bytes) => [id, bytes.length, ...bytes];
const body = (...bytes) => [bytes.length, ...bytes];

/** first(a) = second(a) - 1; second(a) = a * 3, through a local variable behind a float and two unused ones. */
const MODULE = Uint8Array.from([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  ...section(1, 1, 0x60, 1, I32, 1, I32),
  ...section(3, 2, 0, 0),
  ...section(7, 2, 1, 0x66, 0, 0, 1, 0x73, 0, 1), // f, s
  ...section(10, 2,
    ...body(0, 0x20, 0, 0x10, 1, 0x41, 1, 0x6b, 0x0b),
    ...body(2, 1, F32, 3, I32, 0x20, 0, 0x41, 3, 0x6c, 0x22, 4, 0x21, 3, 0x43, 0, 0, 0x80, 0x3f, 0x21, 1, 0x20, 3, 0x0b)),
]);

/** @param {Uint8Array} bytes */
const callBoth = (bytes) => {
  const { f, s } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
  return [f(5), s(5)];
};

test('pack: a module does what it did', () => {
  assert.deepEqual(callBoth(MODULE), [14, 15]);
  const packed = packModule(MODULE);
  assert.deepEqual(callBoth(packed), [14, 15]);
  const [first, second] = readModule(packed).functions;
  assert.deepEqual([first.locals, second.locals], [[...new Array(23).fill(I32), ...new Array(16).fill(F32)], []],
    'the bigger function comes first; its floats begin at number 24, after the parameter and integers, most of them unused');
  assert.deepEqual(packModule(MODULE), packed, 'the same each time');
});

/**
 * walk(a, b): c = 0; do { if (a & 1) c += b, else { d = c; c = d ^ a }; switch (a & 3) { case 0: c += 7 } } while (--a > 0);
 * then a, written again, doubles c; it uses more variables than it needs.
 */
const BRANCHES = Uint8Array.from([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  ...section(1, 1, 0x60, 2, I32, I32, 1, I32),
  ...section(3, 1, 0),
  ...section(7, 1, 1, 0x77, 0, 0),
  ...section(10, 1, ...body(1, 3, I32,
    0x03, 0x40, // loop
    0x20, 0, 0x41, 1, 0x71, 0x04, 0x40, 0x20, 2, 0x20, 1, 0x6a, 0x21, 2, // if: c += b
    0x05, 0x20, 2, 0x21, 3, 0x20, 3, 0x20, 0, 0x73, 0x21, 2, 0x0b, // else: d = c; c = d ^ a
    0x02, 0x40, 0x02, 0x40, 0x20, 0, 0x41, 3, 0x71, 0x0e, 1, 0, 1, 0x0b, // switch (a & 3)
    0x20, 2, 0x41, 7, 0x6a, 0x22, 3, 0x21, 2, 0x0b, // case 0: d = c + 7; c = d
    0x20, 0, 0x41, 1, 0x6b, 0x22, 4, 0x21, 0, 0x20, 4, 0x41, 0, 0x4a, 0x0d, 0, 0x0b, // e = a - 1; a = e; if (e > 0) again
    0x20, 2, 0x22, 0, 0x20, 0, 0x6a, 0x0b)), // a = c; a + a
]);

/** @param {Uint8Array} bytes */
const walkAll = (bytes) => {
  const { w } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
  return Array.from({ length: 200 }, (_, i) => w(i % 20 - 2, i * 7919 % 31));
};

test('pack: variables of branches and loops keep what they hold', () => {
  const packed = packModule(BRANCHES);
  assert.notDeepEqual(packed, BRANCHES);
  assert.deepEqual(walkAll(packed), walkAll(BRANCHES));
});

test('pack: webs of a variable are told apart, and those that live at once', () => {
  const [func] = readModule(BRANCHES).functions;
  const webs = findWebs(func);
  const ofNumber = (number) => webs.filter((web) => web.number === number);
  assert.deepEqual(ofNumber(0).map(({ isFixed }) => isFixed), [true, false], 'a, and a written at the end');
  assert.deepEqual(ofNumber(2).map(({ isZero }) => isZero), [true], 'c begins as 0');
  assert.equal(ofNumber(3).length, 2, 'd of either branch');
  const [c] = ofNumber(2), [a, end] = ofNumber(0);
  assert.ok(c.neighbours.has(a) && a.neighbours.has(c) && !c.neighbours.has(end));
  for (const { places, number } of webs) for (const place of places) assert.equal(func.code[place], number);
});

test('pack: what changed bytes take is estimated as what they take', () => {
  const before = Uint8Array.from({ length: 600 }, (_, i) => i * i % 23);
  const bytes = Uint8Array.from({ length: 300 }, (_, i) => (i + 4) * (i + 4) % 23);
  const repetitions = new Repetitions(before, bytes, learnCosts(before));
  const all = repetitions.settle();
  repetitions.write(150, 99);
  repetitions.write(151, 98);
  const changed = repetitions.estimate([150, 151]);
  assert.ok(changed > all);
  assert.ok(Math.abs(repetitions.settle() - changed) < 1e-6);
  repetitions.write(150, bytes[150]);
  repetitions.write(151, bytes[151]);
  assert.ok(Math.abs(repetitions.estimate([150, 151]) - all) < 1e-6);
});

test('pack: verification finds changed instructions and variables that got mixed up', () => {
  const original = readModule(BRANCHES).functions;
  const verify = (/** @type {(func: import('../../wasm/pack/module.js').Func) => void} */ change) => {
    const [func] = readModule(BRANCHES).functions;
    change(func);
    verifyFunctions(original, [func], [0], [0]);
  };
  verify(() => {});
  verify(({ locals }) => locals.push(F32));
  const swap = (/** @type {Uint8Array} */ code, /** @type {number} */ a, /** @type {number} */ b) => {
    const [func] = readModule(BRANCHES).functions;
    for (const { number, places } of findWebs(func)) {
      for (const place of places) code[place] = number === a ? b : number === b ? a : number;
    }
  };
  verify(({ code }) => swap(code, 3, 4));
  assert.throws(() => verify(({ code }) => swap(code, 1, 2)), /mixed up local variables of function 0/, 'parameters stay');
  const webs = findWebs(original[0]);
  for (const web of webs) {
    for (const number of [0, 1, 2, 3, 4]) {
      const isFree = !web.isFixed && ![...web.neighbours].some((other) => other.number === number);
      const move = () => verify(({ code }) => web.places.forEach((place) => { code[place] = number; }));
      if (number === web.number || (isFree && !(web.isZero && number < 2))) move();
      else assert.throws(move, /mixed up/, `web ${web.index} of variable ${web.number} in ${number}`);
    }
  }
  const subtraction = original[0].code.indexOf(0x6b);
  assert.throws(() => verify(({ code }) => { code[subtraction] = 0x6a; }), /changed the instructions of function 0/);
  assert.throws(() => verifyFunctions(original, [], [], [0]), /lost or added/);
});

test('pack: a module can be written as it was read, or with functions in another order', () => {
  const module = readModule(MODULE);
  assert.deepEqual(writeModule(module, [0, 1]), MODULE);
  assert.deepEqual(indicesInOrder({ ...module, imported: 2 }, [1, 0]), [0, 1, 3, 2]);
  assert.deepEqual(callBoth(writeModule(module, [1, 0])), [14, 15]);
});

test('pack: refuses what it does not know', () => {
  const throwing = MODULE.slice();
  throwing[throwing.indexOf(0x6b)] = 0x08;
  assert.throws(() => packModule(throwing), /instruction 8/);
  assert.throws(() => readModule(Uint8Array.from([...MODULE, ...section(8, 0)])), /start function/);
});
