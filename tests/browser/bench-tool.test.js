// The benchmark of the level tool's page works: once, in its smallest form. Speed is ignored.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureTool, toolTables } from '../../bench/tool.js';
import { CHROMIUM_ONLY } from './harness.js';

test('bench: bakes in the level tool and in Node make the same mesh, and all ways are measured', CHROMIUM_ONLY, async () => {
  const figures = await measureTool({ smallest: true });
  const [{ level, workers, opened, node, ways }] = figures;
  assert.equal(level, 'Plaza');
  assert.ok(workers >= 1 && node.median > 0 && opened.drawn >= opened.mesh && opened.mesh > 0);
  assert.deepEqual(Object.keys(ways), ['whole', 'without panels', 'without the view', 'the library alone']);
  for (const [way, { mesh, drawn }] of Object.entries(ways)) assert.ok(mesh.median > 0 && drawn.median >= mesh.median, way);
  assert.ok(ways.whole.frames.median > 0, 'the whole page draws');
  assert.equal(ways['without the view'].frames.median, 0);
  const [{ rows }] = toolTables(figures);
  assert.deepEqual(rows.map((row) => row.length), Array(6).fill(6));
});
