// What `npm test` says at its end of tests that failed: read from the reports of real runs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { endOfOutput, failuresInCtest, failuresInTap } from '../../scripts/failures.js';

/** The TAP report of a test file. @param {string} source @returns {string} */
function reportOf(source) {
  const folder = mkdtempSync(join(tmpdir(), 'walkmesh-failures-'));
  try {
    writeFileSync(join(folder, 'some.test.mjs'), source);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    return spawnSync(process.execPath, ['--test-reporter=tap', join(folder, 'some.test.mjs')], { encoding: 'utf8', env }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('failures: each failed test with its place and message, also inside of a group; what passed is not named', () => {
  const found = failuresInTap(reportOf(`
    import { describe, test } from 'node:test';
    import assert from 'node:assert/strict';
    test('is well', () => {});
    test('is wrong', () => { throw new Error('the door is open'); });
    describe('a group', () => {
      test('is well inside', () => {});
      test('differs inside', () => { assert.deepEqual({ a: 1 }, { a: 2 }); });
    });
    test('is left out', { skip: 'no need' }, () => {});
  `));
  assert.equal(found.length, 2, found.join('\n'));
  const [wrong, differs] = found.map((one) => one.split('\n'));
  assert.equal(wrong[0], 'is wrong');
  assert.match(wrong[1], /^ {4}.*some\.test\.mjs:5:5$/);
  assert.match(wrong[2], /the door is open/);
  assert.equal(differs[0], 'differs inside');
  assert.match(differs[1], /some\.test\.mjs:8:7$/);
  assert.match(differs.join('\n'), /strictly deep-equal[^]*[+-] +a: 2/);
});

test('failures: a long message is cut', () => {
  const [found] = failuresInTap(reportOf(`
    import { test } from 'node:test';
    test('says much', () => { throw new Error(Array.from({ length: 100 }, (_, i) => 'line ' + i).join('\\n')); });
  `));
  assert.match(found, /line 5/);
  assert.ok(found.split('\n').length < 20);
});

test('failures: the tests that CTest lists, and why', () => {
  const output = [
    '99% tests passed, 2 tests failed out of 113', '', 'The following tests FAILED:',
    '\t  3 - base (Failed)', '\t 17 - crowd_progress (Timeout)', 'Errors while running CTest', '',
  ].join('\n');
  assert.deepEqual(failuresInCtest(output), ['base (Failed)', 'crowd_progress (Timeout)']);
});

test('failures: without a report, the end of what was said', () => {
  const said = endOfOutput(Array.from({ length: 50 }, (_, i) => `line ${i}`).join('\n'));
  assert.match(said, /line 49$/);
  assert.ok(!said.includes('line 30'));
});
