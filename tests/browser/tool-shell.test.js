// The level tool as a whole: it opens, bakes, and draws only after changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withTool } from './tool.js';

test('the tool opens, bakes its level, and then draws nothing more', () => withTool({}, async (page, tool) => {
  assert.ok(await tool.read('app.bakes.current.navMesh.totals.polygons > 0'));
  await page.mouse.move(5, 5);
  await tool.still();
  assert.ok(await tool.read('app.viewport.drawn > 0'));
  await tool.assertStill();
}));

test('panels open and close, by the mouse and by keys; on a tablet one is open at a time', () => withTool({}, async (page) => {
  const [left, right] = ['Level and bake', 'Layers and tool'].map((name) => page.getByRole('complementary', { name }));
  await page.getByRole('button', { name: 'Left panel' }).click();
  await left.waitFor({ state: 'hidden' });
  assert.ok(await right.isVisible());
  await page.keyboard.press('[');
  await left.waitFor();
  await page.setViewportSize({ width: 1024, height: 768 });
  await left.waitFor({ state: 'hidden' });
  await page.keyboard.press('[');
  await left.waitFor();
  await right.waitFor({ state: 'hidden' });
}));

// three.js then deletes buffers of the lost context, which causes a warning of the browser.
test('report and problems crowd each other in a narrow window: the one that was opened last has the height', () => withTool({
  size: { width: 900, height: 700 }, view: { panels: { left: true, right: false } },
}, async (page, tool) => {
  const title = (/** @type {string} */ name) => page.getByRole('heading', { name }).getByRole('button');
  const isOpen = async (/** @type {string} */ name) => await title(name).getAttribute('aria-expanded') === 'true';
  const heightOf = async (/** @type {string} */ id) => (await page.locator(`.section.of-${id} .content`).boundingBox())?.height ?? 0;
  for (const [width, name, id] of /** @type {const} */ ([[900, /^Report/, 'report'], [1100, /^Problems/, 'problems'], [900, /^Report/, 'report']])) {
    await page.setViewportSize({ width, height: 700 });
    await title(/** @type {any} */ (name)).click();
    await tool.rest();
    const needed = await page.locator(`.section.of-${id} .content`).evaluate((content) => content.scrollHeight);
    assert.ok(await heightOf(id) >= Math.min(needed - 1, 250), `${id} has ${await heightOf(id)} of ${needed} px at ${width} px`);
    assert.equal(await isOpen('Configuration'), false);
  }
  await title(/** @type {any} */ (/^Report/)).click();
  assert.equal(await isOpen('Configuration'), true, 'when the report is closed the configuration is back');
  // A wide window has room for all of them: if not, the panel scrolls.
  await page.setViewportSize({ width: 1280, height: 640 });
  await title(/** @type {any} */ (/^Report/)).click();
  await tool.rest();
  assert.ok(await heightOf('config') >= 150 && await heightOf('report') >= 150, `${await heightOf('config')} and ${await heightOf('report')} px`);
}));

test('what the graphics processor lost is drawn again when it comes back', () => withTool({ allow: /object does not belong to this context/ }, async (page, tool) => {
  await page.waitForFunction('walkmeshTool.bakes.previewed === 0 && walkmeshTool.layers.get("navMesh").isComplete');
  await tool.still();
  const before = await tool.read('app.viewport.canvas.toDataURL()');
  await page.evaluate(async () => {
    const { viewport } = /** @type {any} */ (window).walkmeshTool;
    const event = (/** @type {string} */ name) => new Promise((done) => viewport.canvas.addEventListener(name, done, { once: true }));
    const loss = viewport.renderer.getContext().getExtension('WEBGL_lose_context');
    const lost = event('webglcontextlost');
    loss.loseContext();
    await lost;
    viewport.invalidate();
    await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
    const restored = event('webglcontextrestored');
    loss.restoreContext();
    await restored;
  });
  await page.waitForFunction((wanted) => /** @type {any} */ (window).walkmeshTool.viewport.canvas.toDataURL() === wanted, before);
  const drawn = await tool.drawn();
  await page.locator('canvas').focus();
  await page.keyboard.press('f');
  assert.ok(await tool.drawn() > drawn);
}));
