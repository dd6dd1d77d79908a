// Nothing leaks: a short run of `npm run soak -- --leaks` (see leaks.js).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLeaks, judge } from './leaks.js';

test('leaks: neither bakes nor questions nor failures leave anything behind', async () => {
  const names = [];
  await findLeaks(['--bakes', '24', '--queries', '300', '--failures', '2000'], (finding) => {
    names.push(finding.name);
    assert.equal(judge(finding), undefined);
  });
  assert.ok(names.length > 40, names.join());
});

test('leaks: a leak is found, in the module and in JavaScript', async () => {
  const verdicts = [];
  await findLeaks(['--leak'], (finding) => verdicts.push(judge(finding)));
  assert.equal(verdicts.length, 1);
  assert.match(verdicts[0], /the module's memory grew by \d+ bytes, \d+ bytes more are in use, \d+ objects are retained, the heap grew/);
});
