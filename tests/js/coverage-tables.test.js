// The tables of fuzzing and of allocation failures match the sources, and nothing public is missing.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findFuzzed, findSwept, readTable, TABLES } from '../fuzz/coverage.js';
import { ROOT } from './support.js';

const rowsOf = (parts) => parts.flatMap(({ rows }) => rows);
const read = (...path) => readFileSync(join(ROOT, ...path), 'utf8');
const fuzzed = findFuzzed();
const swept = findSwept();

test('the tables are those of the sources', () => {
  for (const [i, { file, write }] of TABLES.entries()) {
    assert.equal(readTable(file), write([fuzzed, swept][i]), `${file} is out of date: node tests/fuzz/coverage.js`);
  }
});

test('every public function is reached by a harness', () => {
  assert.ok(rowsOf(fuzzed).length > 400);
  assert.deepEqual(rowsOf(fuzzed).filter(({ by }) => !by.length).map(({ name }) => name), []);
});

test('every function that wasm/ calls is called by a harness by name', () => {
  const called = new Set(readdirSync(join(ROOT, 'wasm')).filter((name) => name.endsWith('.c') && name !== 'core_absent.c')
    .flatMap((name) => read('wasm', name).match(/\bwm_\w+/g) ?? []));
  const concerned = rowsOf(fuzzed).filter(({ name }) => called.has(name));
  assert.ok(concerned.length > 150);
  assert.deepEqual(concerned.filter(({ way }) => way).map(({ name }) => name), []);
});

test('every public function that may allocate is run by a test without memory', () => {
  assert.ok(rowsOf(swept).length > 150);
  assert.deepEqual(rowsOf(swept).filter(({ by }) => !by.length).map(({ name }) => name), []);
});

test('every harness is replayed, has seeds, and is in the list of README', () => {
  const names = readdirSync(join(ROOT, 'tests', 'fuzz')).filter((name) => /^fuzz_.*\.c$/.test(name)).map((name) => name.slice(5, -2));
  // `fuzz_replay_test` and `fuzz_random` run this list.
  const replayed = [...read('tests', 'fuzz', 'harness_list.c').matchAll(/\{"(\w+)", fuzz_\1\}/g)].map(([, name]) => name);
  assert.deepEqual(replayed.sort(), names.sort());
  for (const name of names) {
    const seeds = readdirSync(join(ROOT, 'tests', 'fuzz', 'corpus', name));
    // Limits the replay to seconds: 4 with sanitizers, for about 72 files each.
    assert.ok(seeds.length >= 3 && seeds.length <= 100, `${name} has ${seeds.length} seeds`);
    assert.ok(read('tests', 'fuzz', 'README.md').includes(`| \`fuzz_${name}.c\` |`), `${name} is described`);
  }
});

test('a function that no harness calls, or that no test runs without memory, is found', () => {
  const [{ rows }] = fuzzed;
  const text = TABLES[0].write([{ header: 'x.h', rows: [...rows, { name: 'wm_new', by: [], way: '' }] }]);
  assert.match(text, /\| `wm_new` \| {2}\| {2}\|/);
  assert.notEqual(text, readTable(TABLES[0].file));
});
