// `npm start`, as a newcomer runs it; everything is built by now.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { ROOT } from './support.js';

test('npm start bakes the level, finds a path across it and writes both', async () => {
  const files = ['city.walkmesh', 'city.svg'].map((name) => join(ROOT, 'out', name));
  for (const file of files) rmSync(file, { force: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.js'], { cwd: ROOT, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /Path across the city in .*complete/);
  const navMesh = (await load()).loadNavMesh(readFileSync(files[0]));
  assert.ok(navMesh.totals.polygons > 100);
  assert.match(readFileSync(files[1], 'utf8'), /^<svg[^]*<\/svg>\s*$/);
  navMesh.free();
});
