// A level that changes while it is worked on: its file is opened again under the same name or another one, and messages of the file before go.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeBoxes, makeRooms, toObj } from '../js/rooms.js';
import { makeFolder } from '../js/support.js';
import { withTool } from './tool.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./tool.js').Tool} Tool */

const folder = makeFolder({ after });
const CONFIG = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 48 };
const OPTIONS = { config: CONFIG, size: { width: 1280, height: 800 }, milliseconds: 120_000 };

/** Opens files by the file picker. @param {Page} page @param {Record<string, string | Uint8Array>} files */
async function choose(page, files) {
  const paths = Object.entries(files).map(([name, contents]) => {
    writeFileSync(join(folder, name), contents);
    return join(folder, name);
  });
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open file' }).click();
  await (await chooser).setFiles(paths);
}

/** Opens a level and waits until it is baked. @param {Page} page @param {Tool} tool @param {string} name @param {string} contents */
async function open(page, tool, name, contents) {
  await page.evaluate('void (window.levelBefore = walkmeshTool.levels.current)');
  await choose(page, { [name]: contents });
  await tool.until(`app.levels.current !== levelBefore && app.levels.current.name === ${JSON.stringify(name)}`);
  await tool.ready();
}

/** @param {Page} page */
const notices = (page) => page.locator('.notice').allInnerTexts();

/** Positions times a factor. @param {ReturnType<typeof makeRooms>} level @param {number} factor */
const scaled = ({ positions, indices }, factor) => ({ positions: positions.map((value) => value * factor), indices });

test('messages about a file stay when another one is opened: the error, the size of the level, the settings that were kept', () => withTool(OPTIONS, async (page, tool) => {
  await choose(page, { 'broken.obj': 'v 0 0 0\n' });
  await page.locator('.notice.error').getByText("Can't open this file").waitFor();
  await open(page, tool, 'rooms.obj', toObj(makeRooms([[4, 5.1]])));
  assert.ok(!(await notices(page)).some((text) => text.includes("Can't open")), 'a level was opened');
  await choose(page, { 'broken.obj': 'v 0 0 0\n' });
  await page.locator('.notice.error').waitFor();
  await page.getByRole('combobox', { name: 'Level' }).selectOption({ label: 'Stairs' });
  await tool.until("app.levels.current.name === 'Stairs'");
  assert.equal(await page.locator('.notice.error').count(), 0, 'a bundled level was opened');
  // A setting of the user is kept for one level, not for the one after it.
  await page.evaluate("walkmeshTool.store.edit('change cell size', ({ config }) => { config.cellSize = 0.15; })");
  await page.getByRole('combobox', { name: 'Level' }).selectOption({ label: 'Plaza' });
  await page.locator('.notice').getByText('before you opened Plaza').waitFor();
  await page.getByRole('banner').getByRole('button', { name: 'Undo' }).click();
  await tool.until("app.levels.current.name === 'Stairs'");
  assert.ok(!(await notices(page)).some((text) => text.includes('before you opened')), 'undo left the level');
  // A level in centimetres: the import strip says so, and no message explains cells of that size.
  await page.evaluate('walkmeshTool.notices.clear()');
  await choose(page, { 'centimetres.obj': toObj(scaled(makeRooms([[4, 5.1]]), 100)) });
  await page.getByRole('region', { name: 'Import' }).getByText('centimetres, most likely').waitFor();
  assert.ok(!(await notices(page)).some((text) => text.includes('is large')), 'one of them is enough');
}));

test('before and after stays while objects are placed and with other tools, where its ground is not the present one', () => withTool(OPTIONS, async (page, tool) => {
  await open(page, tool, 'rooms.obj', toObj(makeRooms([[4, 5.1]])));
  const card = page.getByRole('group', { name: 'Before and after' });
  const bake = async (/** @type {number} */ radius) => {
    await page.evaluate((value) => /** @type {any} */ (window).walkmeshTool.store.edit('change agent radius', (/** @type {any} */ { config }) => { config.agentRadius = value; }), radius);
    await card.waitFor();
  };
  await bake(0.2);
  await page.evaluate("walkmeshTool.edits.add('obstacle', { shape: { kind: 'cylinder', base: [2, -0.3, 2], radius: 0.6, height: 2 }, area: 0 })");
  await card.waitFor({ state: 'hidden' });
  await bake(0.5);
  await page.keyboard.press('p');
  await card.waitFor({ state: 'hidden' });
  assert.equal(await tool.read("app.viewport.scene.getObjectByName('before and after').visible"), false);
}));
