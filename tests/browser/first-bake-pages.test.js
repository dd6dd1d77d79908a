// The benchmark of first bakes in pages works. Speed is ignored.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstBakePagesTable, measureFirstBakePages } from '../../bench/first-bake-pages.js';
import { renderTable } from '../../bench/tables.js';
import { CHROMIUM_ONLY } from './harness.js';

test('first bakes in pages: both packages bake and find a path, cold and on a later visit', CHROMIUM_ONLY, async () => {
  const figures = await measureFirstBakePages({ smallest: true });
  assert.deepEqual(figures.map(({ level, when }) => [level, when]), [['plaza', 'cold'], ['plaza', 'later']]);
  for (const { ours, theirs } of figures) {
    for (const contestant of [ours, theirs]) for (const part of ['load', 'bake', 'path', 'load and bake']) assert.ok(contestant[part].median > 0, part);
  }
  assert.match(renderTable(firstBakePagesTable(figures)), /plaza, cold: load and bake .* x\n/);
});
