// What wasm/pack.js and wasm/module.js do to a module: the same functions, in another order and with other local variables.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indicesInOrder, readModule, writeModule } from '../../wasm/module.js';
import { packModule } from '../../wasm/pack.js';

const I32 = 0x7f, F32 = 0x7d;
const section = (id, ...bytes) => [id, bytes.length, ...bytes];
const body = (...bytes) => [bytes.length, ...bytes];

/** first(a) = second(a) - 1; second(a) = a * 3, through a local variable that a float and two unused ones stand before. */
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
  assert.deepEqual(readModule(packed).functions.map(({ locals }) => locals), [[...new Array(23).fill(I32), F32], []],
    'the bigger function comes first; its float is number 24, after the parameter and integers, most of them unused');
  assert.deepEqual(packModule(MODULE), packed, 'the same each time');
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
