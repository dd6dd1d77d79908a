// Layouts of C structs for JavaScript: wasm/layout.js, js/runtime/layout.js.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as layout from '../../js/runtime/layout.js';
import { makeLayout, readLayouts, readNames } from '../../wasm/layout.js';

const DUMP = `
*** Dumping AST Record Layout
         0 | struct Inner
         0 |   uint8_t small
         2 |   uint16_t[2] pair
           | [sizeof=8, align=4]

*** Dumping AST Record Layout
         0 | struct Outer
         0 |   const float * first_one
         4 |   struct Inner inner
         4 |     uint8_t small
         6 |     uint16_t[2] pair
     12:0-7 |   uint32_t bits
        16 |   _Bool last
           | [sizeof=20, align=4]
`;

test('layouts are read from what the compiler prints: members of the struct itself, nested ones as one', () => {
  const structs = readLayouts(DUMP);
  assert.deepEqual([...structs.keys()], ['Inner', 'Outer']);
  assert.deepEqual(structs.get('Outer'), {
    name: 'Outer', bytes: 20,
    members: [{ name: 'first_one', byte: 0, type: 'const float *' }, { name: 'inner', byte: 4, type: 'struct Inner' },
      { name: 'bits', byte: 12, type: 'uint32_t', bits: '0-7' }, { name: 'last', byte: 16, type: '_Bool' }],
  });
});

test('js/runtime/layout.js has every struct of wasm/layout.c, as the compiler lays it out now', () => {
  const root = new URL('../../', import.meta.url);
  assert.deepEqual(Object.keys(layout).sort(), readNames(readFileSync(new URL('wasm/layout.c', root), 'utf8')).sort());
  assert.equal(readFileSync(new URL('js/runtime/layout.js', root), 'utf8'), makeLayout());
});
