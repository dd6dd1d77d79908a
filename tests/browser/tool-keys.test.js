// Keys and small gestures of the level tool: tool keys wherever the focus is, the command palette, frames, drags on labels, undo.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takePicture } from './tool-from-above.js';
import { withTool } from './tool.js';

test('tool keys work wherever the focus is, except in text fields, and the help lists them', () => withTool({ view: { tool: 'crowd' } }, async (page, tool) => {
  const [count, mode, isPaused] = ['simulation.count', 'mode', 'simulation.isPaused'].map((name) => () => tool.read(`app.tools.get('crowd').${name}`));
  await page.getByRole('button', { name: 'Add 100 anywhere' }).click();
  const agents = await count();
  assert.ok(agents > 50);
  await page.keyboard.press('Space');
  assert.equal(await count(), agents, 'Space does not press the button again');
  assert.equal(await isPaused(), true);
  for (const [key, name] of [['2', 'select'], ['3', 'send'], ['1', 'add']]) {
    await page.getByRole('banner').getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press(key);
    assert.equal(await mode(), name, key);
  }
  // A text field has its keys; a button that was reached by Tab, too.
  const field = page.getByRole('spinbutton', { name: 'Agent radius', exact: true }).first();
  await field.focus();
  await page.keyboard.press('3');
  assert.equal(await mode(), 'add');
  await field.fill('0.6');
  await page.getByRole('button', { name: 'Add 100 anywhere' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Space');
  await tool.rest();
  assert.ok(await count() > agents, 'Space presses a button that the Tab key reached');
  await page.locator('.view canvas').focus();
  await page.keyboard.press('?');
  const help = page.locator('wa-dialog.help-dialog');
  for (const text of ['Crowd tool', 'Pause or continue', 'Path tool', 'Swap markers', 'Edit tools', 'Rotate']) await help.getByText(text, { exact: true }).first().waitFor();
}));

test('the command palette finds commands by words and runs them', () => withTool({}, async (page, tool) => {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Commands' });
  await palette.getByRole('combobox').fill('level stairs');
  await palette.getByRole('option', { name: 'Open level: Stairs' }).waitFor();
  await page.keyboard.press('Enter');
  await tool.until("app.levels.current.name === 'Stairs'");
  await tool.ready();
  await page.keyboard.press('Control+k');
  await palette.getByRole('combobox').fill('path');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await tool.until("app.store.state.view.tool === 'path'");
  await page.keyboard.press('Control+k');
  await palette.getByRole('combobox').fill('path');
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'detached' });
  // Both keys within one frame: the palette isn't drawn yet.
  await page.evaluate(() => {
    for (const init of [{ key: 'k', code: 'KeyK', ctrlKey: true }, { key: 'Escape', code: 'Escape' }]) {
      (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
    }
  });
  await tool.rest();
  await tool.still();
  assert.equal(await palette.count(), 0);
}));

test('F frames the selection, keys look from above and from the side, and fly keys move while the right button is held', () => withTool({
  document: { level: { kind: 'scene', name: 'plaza' }, obstacles: [{ id: 1, shape: { kind: 'box', min: [8, -1, 28], max: [10, 2, 30] }, area: 0 }] }, view: { tool: 'obstacles' },
}, async (page, tool) => {
  const camera = () => tool.read('({ target: app.viewport.controls.target.toArray(), position: app.viewport.camera.position.toArray() })');
  await page.evaluate("walkmeshTool.edits.select({ kind: 'obstacle', id: 1 })");
  await page.keyboard.press('f');
  const { target } = await camera();
  assert.ok(Math.hypot(target[0] - 9, target[2] - 29) < 2, `${target}`);
  await page.keyboard.press('t');
  const above = await camera();
  assert.ok(Math.hypot(above.position[0] - above.target[0], above.position[2] - above.target[2]) < 0.05 * (above.position[1] - above.target[1]));
  await page.keyboard.press('u');
  const side = await camera();
  assert.ok(Math.abs(side.position[1] - side.target[1]) < 0.1 * (side.position[0] - side.target[0]));
  await page.keyboard.press('Home');
  const before = await camera();
  const { x, y } = await tool.place([20, 0, 20]);
  await page.mouse.move(x, y);
  await page.mouse.down({ button: 'right' });
  await page.keyboard.down('w');
  await page.waitForFunction((z) => /** @type {any} */ (window).walkmeshTool.viewport.controls.target.z !== z, before.target[2]);
  await page.keyboard.up('w');
  await page.mouse.up({ button: 'right' });
  const after = await camera();
  const forward = before.target.map((/** @type {number} */ value, /** @type {number} */ axis) => value - before.position[axis]);
  assert.ok(after.target.reduce((/** @type {number} */ sum, /** @type {number} */ value, /** @type {number} */ axis) => sum + (value - before.target[axis]) * forward[axis], 0) > 0, 'forward');
  assert.equal(await tool.read('app.store.state.view.tool'), 'obstacles', 'w chose no tool meanwhile');
}));

test('T zooms in on the selection after Home has framed the level', () => withTool({
  document: { level: { kind: 'scene', name: 'plaza' }, obstacles: [{ id: 1, shape: { kind: 'box', min: [8, -1, 28], max: [10, 2, 30] }, area: 0 }] }, view: { tool: 'obstacles' },
}, async (page, tool) => {
  const height = () => tool.read('app.viewport.camera.position.y - app.viewport.controls.target.y');
  await page.locator('canvas').first().focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('t');
  const whole = await height();
  await page.evaluate("walkmeshTool.edits.select({ kind: 'obstacle', id: 1 })");
  await page.keyboard.press('Home');
  await page.keyboard.press('t');
  assert.ok(Math.abs(await height() - whole) < 1e-6 * whole);
  await page.keyboard.press('f');
  await page.keyboard.press('t');
  assert.ok(await height() < 0.8 * whole, `${await height()} of ${whole}`);
}));

test('after Enter in a number, undo and the keys of tools go to its text; a comma is dropped', () => withTool({}, async (page, tool) => {
  const field = page.getByRole('spinbutton', { name: 'Agent radius', exact: true });
  const radius = () => tool.read('app.store.state.document.config.agentRadius');
  const first = await radius();
  await field.fill('0.3');
  await page.keyboard.press('Enter');
  await tool.rest();
  assert.equal(await radius(), 0.3);
  await page.keyboard.press('Control+z');
  await page.locator('.notice').getByText('Undone: agent radius changed').waitFor();
  assert.equal(await radius(), first);
  assert.equal(await field.inputValue(), String(first));
  await page.keyboard.press('Control+Shift+z');
  await tool.rest();
  assert.equal(await radius(), 0.3);
  await page.keyboard.press('l');
  await tool.rest();
  assert.equal(await tool.read('app.store.state.view.tool'), 'segmentLinks');
  // Digits are typed into it, and then it has all keys again.
  assert.ok(await field.evaluate((input) => input === document.activeElement));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('0,35');
  await page.keyboard.press('p');
  await page.keyboard.press('Enter');
  await tool.rest();
  assert.equal(await radius(), 0.35);
  // A comma before three digits stands for thousands, which are told.
  await page.keyboard.press('Control+a');
  await page.keyboard.type('1,000');
  await page.keyboard.press('Enter');
  await page.locator('.notice').getByText('1,000 is read as 1000').waitFor();
  assert.deepEqual([await radius(), await field.inputValue()], [1000, '1000']);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('0,350');
  await page.keyboard.press('Enter');
  await tool.rest();
  assert.equal(await radius(), 0.35);
  assert.equal(await tool.read('app.store.state.view.tool'), 'segmentLinks');
}));

test('a click on an axis of the gizmo looks along it', () => withTool({ view: { axes: true, panels: { left: false, right: false } } }, async (page, tool) => {
  const canvas = await page.locator('.view canvas').boundingBox();
  const isAbove = () => tool.read('app.viewport.camera.position.clone().sub(app.viewport.controls.target).normalize().y > 0.99');
  // The y axis points up on the screen. A further click could meet another axis.
  for (let dy = 20; dy < 60 && !await isAbove(); dy += 8) {
    await page.mouse.click(canvas.x + canvas.width - 64, canvas.y + dy);
    for (let i = 0; i < 20 && !await isAbove(); i++) await page.waitForTimeout(100);
  }
  assert.ok(await isAbove());
}));

/** Relative luminance of a colour, as WCAG defines it. @param {number} hex */
function luminance(hex) {
  const [r, g, b] = [16, 8, 0].map((shift) => (hex >> shift & 255) / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test('the ends of negative axes vanish in the dark theme', () => withTool({
  view: { axes: true, picture: 'fine', panels: { left: false, right: false } }, size: { width: 620, height: 560 }, scale: 1,
}, async (page, tool) => {
  for (const theme of ['dark', 'light']) {
    const ends = await page.evaluate((name) => {
      const { store, viewport: { camera, canvas, controls } } = /** @type {any} */ (window).walkmeshTool;
      store.setView({ theme: name });
      controls.target.set(0, 900, 0); // away from the level
      camera.position.set(10, 908, 6);
      controls.update();
      const turn = camera.quaternion.clone().invert();
      return [[-1, 0, 0], [0, -1, 0], [0, 0, -1]].map((axis) => {
        const { x, y } = camera.position.clone().fromArray(axis).applyQuaternion(turn);
        return [canvas.width - 64 + 32 * x, 64 - 32 * y].map(Math.round);
      });
    }, theme);
    await tool.drawn();
    const { pixels, width } = await takePicture(page);
    for (const [x, y] of ends) {
      const [a, b] = [pixels[x + y * width], pixels[1 + width]].map(luminance).sort((first, second) => second - first);
      assert.ok((a + 0.05) / (b + 0.05) > 3, `${theme}: ${((a + 0.05) / (b + 0.05)).toFixed(1)} at ${x}, ${y}`);
    }
  }
}));

test('a drag on the label of a number changes it in one undo step', () => withTool({ view: { autoBake: true } }, async (page, tool) => {
  const label = page.locator('label', { hasText: 'Agent radius' });
  const { x, y } = await label.boundingBox();
  await page.mouse.move(x + 10, y + 8);
  await page.mouse.down();
  for (const by of [10, 20, 40]) await page.mouse.move(x + 10 + by, y + 8);
  await page.mouse.up();
  await tool.rest();
  const radius = await tool.read('app.store.state.document.config.agentRadius');
  assert.ok(Math.abs(radius - 1.1) < 1e-6, `${radius}`);
  await page.keyboard.press('Control+z');
  await tool.rest();
  assert.equal(await tool.read('app.store.state.document.config.agentRadius'), 0.6);
}));

test('undo of a delete selects the item again', () => withTool({
  document: { level: { kind: 'scene', name: 'plaza' }, obstacles: [{ id: 1, shape: { kind: 'box', min: [8, -1, 28], max: [10, 2, 30] }, area: 0 }] }, view: { tool: 'obstacles' },
}, async (page, tool) => {
  await page.evaluate("walkmeshTool.edits.select({ kind: 'obstacle', id: 1 })");
  await page.keyboard.press('Delete');
  await tool.rest();
  assert.equal(await tool.read('app.edits.selection'), null);
  await page.keyboard.press('Control+z');
  await tool.rest();
  assert.deepEqual(await tool.read('app.edits.selection'), { kind: 'obstacle', id: 1 });
}));

test('a link before everything else skips to the view', () => withTool({}, async (page) => {
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the 3D view');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate('document.activeElement.localName'), 'canvas');
}));

test('several items are selected, moved on a grid and deleted together, each in one undo step', () => withTool({
  document: { level: { kind: 'scene', name: 'plaza' }, obstacles: [
    { id: 1, shape: { kind: 'box', min: [11, -0.2, 25], max: [13, 2, 27] }, area: 0 }, { id: 2, shape: { kind: 'box', min: [23, -0.2, 23], max: [25, 2, 25] }, area: 0 },
  ] }, view: { tool: 'obstacles', snap: 1 },
}, async (page, tool) => {
  await tool.click([12, 2, 26]);
  await page.keyboard.down('Control');
  await tool.click([24, 2, 24]);
  await page.keyboard.up('Control');
  assert.equal(await tool.read('app.edits.allSelected().length'), 2);
  await tool.drag([12, 1, 26], [15.3, 1, 27.2]);
  const corners = () => tool.read('app.store.state.document.obstacles.map(({ shape }) => [shape.min[0], shape.min[2]])');
  const [[x, z], other] = await corners();
  assert.ok(Number.isInteger(x) && Number.isInteger(z) && x > 11, `on the grid: ${[x, z]}`);
  assert.deepEqual(other, [23 + x - 11, 23 + z - 25], 'the other one moved with it');
  await page.keyboard.press('Delete');
  await tool.rest();
  assert.equal((await corners()).length, 0);
  await page.keyboard.press('Control+z');
  await tool.rest();
  assert.equal(await tool.read('app.edits.allSelected().length'), 2, 'selected again');
  await page.keyboard.press('Control+z');
  await tool.rest();
  assert.deepEqual(await corners(), [[11, 25], [23, 23]]);
}));
