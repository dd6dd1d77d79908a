/** The mutants that `npm run mutate` makes of C code. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../scripts/setup.js';
import { EQUIVALENT, isEquivalent } from '../../scripts/mutate/equivalent.js';
import { apply, draw, listMutants, makeRandom, show } from '../../scripts/mutate/mutants.js';

/** The lines of the mutants of a function's body. @param {string} body */
function mutate(body) {
  const source = `static int f(int a[3], int b) {\n${body}\n}\n`;
  return listMutants('f.c', source).map((mutant) => {
    assert.equal(mutant.line, source.slice(0, mutant.start).split('\n').length);
    const changed = apply(source, mutant);
    assert.equal(changed.split('\n').length, source.split('\n').length, 'lines stay where they are');
    return changed.split('\n').slice(1, -2).join('\n');
  });
}

test('mutants: comparisons, signs, constants, conditions, errors, statements', () => {
  assert.deepEqual(mutate('return a[b] < 0x10u;'), ['return a[b] <= 0x10u;', 'return a[b] >= 0x10u;', 'return a[b] < 0x11u;', 'return a[b] < 0xfu;']);
  assert.deepEqual(mutate('if (b) return -b;'), ['if (!(b)) return -b;']);
  assert.deepEqual(mutate('b += a[b] - b;'), ['(void)0;', 'b -= a[b] - b;', 'b += a[b] + b;']);
  assert.deepEqual(mutate('if (is_good && true) {\n}'), ['if (!(is_good && true)) {\n}', 'if (is_good || true) {\n}', 'if (is_good && false) {\n}']);
  assert.deepEqual(mutate('return wm_fail(context, WM_ERROR_CORRUPT, "file", "1 < 2");'), ['return WM_OK;']);
  assert.deepEqual(mutate('for (;;) call(a,\n  b);'), ['for (;;) (void)0\n;']);
  assert.deepEqual(mutate('const int c = b;'), []);
});

test('mutants: nothing in comments, strings, preprocessor lines and assertions, no lengths of arrays', () => {
  for (const line of ['/* a < 1 */', '// a = 1;', 'char *s = "a + \\" 1";', '#define ONE 1', '#define MANY \\\n  1', 'WM_ASSERT(b == 1);',
    '_Static_assert(sizeof(int) == 4, "");', 'float x[3], *y[2];', "char c = '1';", 'float z = 1.5f;']) assert.deepEqual(mutate(line), [], line);
});

test('mutants: a seed says which are drawn, each line once', () => {
  const path = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('sort.c'))[0];
  const mutants = listMutants(path, readFileSync(join(ROOT, 'src', path), 'utf8'));
  const order = (/** @type {number} */ seed) => [...draw(mutants, seed)].map(({ start, text }) => `${start} ${text}`);
  assert.deepEqual(order(7), order(7));
  assert.notDeepEqual(order(7), order(8));
  assert.equal(order(7).length, new Set(mutants.map(({ line }) => line)).size);
  const random = makeRandom(1);
  for (let i = 0; i < 1000; i++) {
    const value = random();
    assert.ok(value >= 0 && value < 1);
  }
});

test('mutants: those that no test can kill are still in the sources', () => {
  const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  for (const { file, before, after, why } of EQUIVALENT) {
    const found = paths.filter((path) => path.endsWith(`/${file}`)).flatMap((path) => {
      const source = readFileSync(join(ROOT, 'src', path), 'utf8');
      return listMutants(path, source).filter((mutant) => isEquivalent(path, ...show(source, mutant)) && show(source, mutant)[0] === before
        && show(source, mutant)[1] === after);
    });
    assert.ok(found.length > 0 && why.length > 0, `${file}: ${before} -> ${after}`);
  }
});
