// Baking in the tool: progress, tiles that appear, cancelling, tuning, errors at their field, presets, the report, and a responsive page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withTool } from './tool.js';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page @param {string} label */
const field = (page, label) => page.getByRole('spinbutton', { name: label, exact: true });

/** Types a value. @param {Page} page @param {string} label @param {number} value */
async function type(page, label, value) {
  await field(page, label).fill(String(value));
  await page.keyboard.press('Enter');
}

/** @param {Page} page @param {string} state */
const waitForState = (page, state) => page.waitForFunction((wanted) => /** @type {any} */ (window).walkmeshTool.store.state.session.bake.state === wanted, state);

/** Waits until there is a mesh with these values in its configuration. @param {Page} page @param {object} config */
const waitForMesh = (page, config) => page.waitForFunction((wanted) => {
  const { bakes, store } = /** @type {any} */ (window).walkmeshTool;
  return store.state.session.bake.state === 'done' && Object.entries(wanted).every(([name, value]) => bakes.current.config[name] === value);
}, config);

/** Counts the view's pixels with about the colour of tiles that are being baked: blue, not teal. @param {Page} page */
const countBlue = (page) => page.evaluate(() => {
  const { canvas } = /** @type {any} */ (window).walkmeshTool.viewport;
  const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
  const context = /** @type {CanvasRenderingContext2D} */ (copy.getContext('2d'));
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, copy.width, copy.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i + 2] > data[i + 1] + 15 && data[i + 2] > data[i] + 60) count++;
  return count;
});

/**
 * From now on workers get only this many tiles to bake: the bake then stands still until it is cancelled.
 * @param {Page} page @param {number} tiles
 */
const holdBakes = (page, tiles) => page.evaluate((most) => {
  const { postMessage } = Worker.prototype;
  let left = most;
  Worker.prototype.postMessage = function hold(/** @type {any[]} */ ...message) {
    if (message[0].type !== 'tile' || left-- > 0) postMessage.apply(this, /** @type {any} */ (message));
  };
}, tiles);

test('a bake shows its tiles as they come, counts them, and is cancelled by key and button; the mesh that stood stays', () => withTool({}, async (page, tool) => {
  const before = await tool.read('app.bakes.current.navMesh.totals.polygons');
  await tool.drawn();
  assert.equal(await countBlue(page), 0);
  await holdBakes(page, 40);
  await type(page, 'Cell size', 0.1);
  await page.waitForFunction('walkmeshTool.bakes.previewed > 30 && walkmeshTool.store.state.session.bake.done > 0');
  await tool.drawn();
  assert.ok(await countBlue(page) > 200, 'tiles are seen');
  await page.getByRole('banner').getByText(/^[1-9]\d* of 81 tiles$/).waitFor();
  assert.ok(await tool.read('app.store.state.session.bake.done <= 40'));
  await page.keyboard.press('Escape');
  await waitForState(page, 'cancelled');
  await tool.drawn();
  assert.equal(await countBlue(page), 0);
  assert.equal(await tool.read('app.bakes.current.navMesh.totals.polygons'), before);
  await page.getByRole('banner').getByText('Changed since the bake').waitFor();
  await page.getByRole('button', { name: 'Bake', exact: true }).click();
  await waitForState(page, 'running');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await waitForState(page, 'cancelled');
  assert.equal(await tool.read('app.bakes.current.navMesh.totals.polygons'), before);
}));

test('a double click on Bake cancels the bake that its first click began', () => withTool({}, async (page, tool) => {
  await holdBakes(page, 4);
  const { x, y, width, height } = /** @type {any} */ (await page.getByRole('button', { name: 'Bake', exact: true }).boundingBox());
  const at = [x + width / 2, y + height / 2];
  await page.mouse.click(at[0], at[1]);
  await waitForState(page, 'running');
  await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor();
  // The second click of a double click: it meets the button that has replaced Bake.
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await tool.rest();
  assert.equal(await tool.read('app.store.state.session.bake.state'), 'running');
  await page.mouse.click(at[0], at[1]);
  await waitForState(page, 'cancelled');
  await page.getByRole('banner').getByText('Cancelled: the mesh before stays').waitFor();
}));

test('tuning bakes again; what is out of range is told at its field; fields go back to what they were', () => withTool({}, async (page, tool) => {
  await type(page, 'Agent radius', 1);
  await type(page, 'Agent radius', 1.2);
  await waitForMesh(page, { agentRadius: 1.2 });
  const narrow = await tool.read('app.bakes.current.report.counts.walkableSpans');
  await type(page, 'Agent radius', -1);
  await waitForState(page, 'failed');
  await page.locator('.field.wrong').filter({ hasText: 'Agent radius' }).getByText('Agent radius is -1 m. It must be 0 or more.').waitFor();
  assert.equal(await field(page, 'Agent radius').getAttribute('aria-invalid'), 'true');
  assert.equal(await tool.read('app.bakes.current.config.agentRadius'), 1.2, 'the mesh stays');
  // Problems are searched with the values of the mesh, not with the wrong ones.
  await page.evaluate("walkmeshTool.events.emit('tiles', { tiles: [] })");
  await tool.until('app.problems.isComplete');
  await page.getByRole('button', { name: 'Reset agent radius' }).click();
  await waitForMesh(page, { agentRadius: 0.4 });
  assert.ok(await tool.read('app.bakes.current.report.counts.walkableSpans') > narrow);
  await page.locator('.field.wrong').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  assert.equal(await field(page, 'Agent radius').inputValue(), '-1');
  await page.keyboard.press('Control+Shift+z');
  // With the switch off nothing is baked automatically.
  await page.getByText('Auto-bake').click();
  await type(page, 'Max step height', 0.5);
  await page.getByText('Changed since the bake').waitFor();
  assert.equal(await tool.read('app.bakes.current.config.agentMaxClimb'), 0.9, 'not baked again');
  await page.locator('canvas').focus();
  await page.keyboard.press('b');
  await waitForMesh(page, { agentMaxClimb: 0.5 });
}));

test('all fields can be reached, presets and the suggestion follow the level, and a single tile is baked', () => withTool({}, async (page, tool) => {
  const panel = page.getByRole('complementary', { name: 'Level and bake' });
  for (const group of ['Regions', 'Contours and polygons', 'Height detail', 'Filters']) await panel.getByRole('button', { name: group }).click();
  const fields = await panel.locator('.config-field').count();
  assert.equal(fields, 21);
  await page.getByRole('combobox', { name: 'Partition' }).selectOption('monotone');
  await page.getByText('Remove ledges').click();
  await waitForMesh(page, { partition: 'monotone', filterLedges: false });
  await page.getByRole('button', { name: 'Small creature' }).click();
  await page.waitForFunction('walkmeshTool.store.state.document.config.agentRadius === 0.15');
  assert.match(await page.locator('.suggestion').innerText(), /^Cell size 0\.06: half the agent radius/);
  assert.equal(await page.getByRole('button', { name: 'Small creature' }).getAttribute('aria-pressed'), 'true');
  await type(page, 'Agent radius', 2);
  await page.getByRole('button', { name: 'Suggest settings' }).click();
  await waitForMesh(page, { cellSize: 1 });
  await page.getByRole('button', { name: 'Human' }).click();
  await type(page, 'Tile size', 0);
  await waitForMesh(page, { tileSize: 0, agentRadius: 0.4 });
  assert.deepEqual(await tool.read('[app.bakes.current.dynamic, app.bakes.current.report.tiles.x]'), [null, 1]);
  await page.getByText('Limit bake bounds').click();
  const from = page.getByRole('spinbutton', { name: 'Min x' });
  const middle = await tool.read('(app.levels.current.bounds.min.x + app.levels.current.bounds.max.x) / 2');
  await from.fill(String(middle));
  await page.keyboard.press('Enter');
  await page.waitForFunction((x) => /** @type {any} */ (window).walkmeshTool.bakes.current.report.voxels.boundsMin[0] === x, middle);
}));

test('the report says what the bake says, warnings included', () => withTool({ config: { agentMaxClimb: 0.1 }, size: { width: 1440, height: 900 } }, async (page, tool) => {
  const report = await tool.read('app.bakes.current.report');
  await page.getByRole('button', { name: /^Report/ }).click();
  const text = await page.locator('.report').innerText();
  assert.ok(report.warnings.length > 0);
  for (const warning of report.warnings) assert.ok(text.toLowerCase().includes(warning.toLowerCase()), warning);
  const facts = await page.locator('.report dl').innerText();
  assert.match(facts, new RegExp(`Polygons\\s+${report.counts.polygons.toLocaleString('en')}`));
  assert.match(facts, new RegExp(`Cells\\s+${report.voxels.width} × ${report.voxels.depth}`));
  const widths = await page.locator('.bars i').evaluateAll((bars) => bars.map((bar) => parseFloat(/** @type {HTMLElement} */ (bar).style.width)));
  assert.equal(widths.length, 10);
  assert.equal(Math.max(...widths), 100);
  assert.match(await page.getByRole('button', { name: /^Report/ }).innerText(), /1 warning|\d warnings/);
}));
