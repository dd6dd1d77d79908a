// The level tool as a whole: it opens, bakes, and draws only when there is something to draw.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withTool } from './tool.js';

test('the tool opens, bakes its level, and then draws nothing more', () => withTool({}, async (page, tool) => {
  assert.ok(await tool.read('app.bakes.current.navMesh.totals.polygons > 0'));
  await page.mouse.move(5, 5);
  await tool.rest();
  const before = await tool.read('app.viewport.drawn');
  assert.ok(before > 0);
  await page.evaluate('new Promise((done) => setTimeout(done, 500))');
  assert.equal(await tool.read('app.viewport.drawn'), before);
}));

test('panels open and close, by the mouse and by keys; on a tablet one is open at a time', () => withTool({}, async (page) => {
  const [left, right] = ['Level and bake', 'Layers and tool'].map((name) => page.getByRole('complementary', { name }));
  await page.getByRole('button', { name: 'Left panel' }).click();
  assert.deepEqual([await left.isVisible(), await right.isVisible()], [false, true]);
  await page.keyboard.press('[');
  assert.ok(await left.isVisible());
  await page.setViewportSize({ width: 1024, height: 768 });
  await left.waitFor({ state: 'hidden' });
  await page.keyboard.press('[');
  assert.deepEqual([await left.isVisible(), await right.isVisible()], [true, false]);
}));
