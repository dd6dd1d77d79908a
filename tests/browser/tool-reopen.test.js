// A level that changes while it is worked on: its file is opened again under the same name or another one, and messages of the file before go.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
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

/** A yard with a fence across at an x, which can be vaulted. @param {number} x */
const makeYard = (x) => toObj(makeBoxes([[[0, -0.5, 0], [30, 0, 20]], [[x, 0, 0], [x + 0.15, 0.9, 12]], [[4, 0, 14], [12, 3, 14.2]]]));
const VAULTS = { links: { drop: { isOn: false }, jump: { isOn: false }, climb: { isOn: false }, vault: { isOn: true } } };

/** Waits until links and problems of the mesh are known. @param {Tool} tool */
const settled = (tool) => tool.until("!app.links.isPending && !app.links.isStale && app.problems.isComplete && app.store.state.session.bake.state === 'done'");

/** Forbids the vault at z 3 and pins the one at z 11, by the buttons of the panel. @param {Page} page @param {Tool} tool */
async function markVaults(page, tool) {
  await page.keyboard.press('l');
  for (const [z, button] of [[3, 'Forbid here'], [11, 'Pin']]) {
    await page.evaluate((at) => {
      const { bakes, tools } = /** @type {any} */ (window).walkmeshTool;
      const { navMesh } = bakes.current;
      const distance = (/** @type {any} */ { start: [a, b] }) => Math.abs((a[2] + b[2]) / 2 - at);
      const links = Array.from(navMesh.segmentLinks().refs, (ref) => navMesh.segmentLink(ref)).sort((a, b) => distance(a) - distance(b));
      tools.get('segmentLinks').select(links[0]);
    }, z);
    await page.getByRole('button', { name: String(button), exact: true }).click();
    await tool.rest();
  }
}

const listsOf = (/** @type {Tool} */ tool) => tool.read('[app.store.state.document.forbiddenLinks.length, app.store.state.document.pinnedLinks.length, app.store.state.document.obstacles.length]');

test('a level changes under its name: forbidden and pinned links no longer match it, and nothing says so; the camera goes back', () => withTool({
  ...OPTIONS, document: VAULTS,
}, async (page, tool) => {
  await open(page, tool, 'yard.obj', makeYard(14));
  await settled(tool);
  await markVaults(page, tool);
  await settled(tool);
  const problems = page.getByRole('list', { name: 'Problems' });
  assert.equal(await tool.read("app.problems.list.filter(({ kind }) => kind === 'link').length"), 0, 'they match');
  const camera = { position: [10, 12, 25], target: [12, 0, 8] };
  await page.evaluate(({ position, target }) => {
    const { viewport } = /** @type {any} */ (window).walkmeshTool;
    viewport.camera.position.fromArray(position);
    viewport.controls.target.fromArray(target);
    viewport.controls.update();
    viewport.controls.dispatchEvent({ type: 'end' });
  }, camera);
  const where = () => tool.read('[...app.viewport.camera.position.toArray(), ...app.viewport.controls.target.toArray()].map((value) => Number(value.toFixed(1)))');
  const before = await where();
  await open(page, tool, 'yard.obj', makeYard(17));
  const notice = page.locator('.notice').filter({ hasText: 'yard.obj has changed' });
  await notice.getByText('1 forbidden link matches no link, 1 pinned link no longer fits.').waitFor();
  assert.deepEqual(await where(), before, 'the camera stays');
  await notice.getByRole('button', { name: 'Show' }).click();
  await problems.getByText('Forbidden vault matches no link').waitFor();
  await problems.getByRole('button', { name: 'Remove the mark' }).click();
  await settled(tool);
  await problems.getByText('Forbidden vault matches no link').waitFor({ state: 'hidden' });
  await problems.getByText('Pinned vault leads over open ground').click();
  await problems.getByRole('button', { name: 'Unpin' }).click();
  await settled(tool);
  assert.deepEqual(await listsOf(tool), [0, 0, 0]);
  assert.equal(await tool.read("app.problems.list.filter(({ kind }) => kind === 'link').length"), 0);
  // A change elsewhere: everything fits.
  await page.evaluate("walkmeshTool.edits.add('obstacle', { shape: { kind: 'cylinder', base: [2, -0.3, 2], radius: 0.6, height: 2 }, area: 0 })");
  await settled(tool);
  await open(page, tool, 'yard.obj', `${makeYard(17)}# again\n`);
  await notice.getByText('Everything that is placed still fits.').waitFor();
}));

test('a new version of a level has another name: everything that was placed is gone, and can not be carried over', () => withTool({ ...OPTIONS, document: VAULTS }, async (page, tool) => {
  await open(page, tool, 'yard.obj', makeYard(14));
  await settled(tool);
  await markVaults(page, tool);
  await page.evaluate("walkmeshTool.edits.add('obstacle', { shape: { kind: 'cylinder', base: [2, -0.3, 2], radius: 0.6, height: 2 }, area: 0 })");
  await settled(tool);
  const { places, ...placed } = await tool.read('app.store.state.document');
  await open(page, tool, 'yard_v2.obj', makeYard(17));
  assert.deepEqual(await listsOf(tool), [0, 0, 0]);
  const notice = page.locator('.notice').filter({ hasText: 'Opened yard_v2.obj' });
  await notice.getByRole('button', { name: 'Reopen yard.obj' }).waitFor();
  await notice.getByRole('button', { name: 'Keep them in yard_v2.obj' }).click();
  await settled(tool);
  const kept = await tool.read('app.store.state.document');
  assert.equal(kept.level.name, 'yard_v2.obj');
  for (const list of ['obstacles', 'forbiddenLinks', 'pinnedLinks']) assert.deepEqual(kept[list], placed[list], list);
  assert.deepEqual(kept.places, places);
  await page.locator('.notice').filter({ hasText: '1 obstacle, 1 forbidden link and 1 pinned link were kept' }).getByText('1 forbidden link matches no link, 1 pinned link no longer fits.').waitFor();
  await page.getByRole('banner').getByRole('button', { name: 'Undo' }).click();
  await tool.rest();
  assert.deepEqual(await listsOf(tool), [0, 0, 0]);
  assert.equal(await tool.read('app.levels.current.name'), 'yard_v2.obj');
}));

test('objects that are kept in another level and taken back at once are not said to fit', () => withTool(OPTIONS, async (page, tool) => {
  await open(page, tool, 'yard.obj', makeYard(14));
  await page.evaluate('walkmeshTool.levels.changeImport({ scale: 2 })');
  await tool.until('app.levels.current.bounds.max.x > 50');
  await settled(tool);
  await page.evaluate("walkmeshTool.edits.add('obstacle', { shape: { kind: 'cylinder', base: [2, -0.3, 2], radius: 0.6, height: 2 }, area: 0 })");
  await settled(tool);
  await open(page, tool, 'yard_v2.obj', makeYard(17));
  await settled(tool);
  // In one task, so that no bake and no list of problems comes between.
  await page.evaluate(() => {
    const { notices, store } = /** @type {any} */ (window).walkmeshTool;
    const { actions } = notices.all.find((/** @type {any} */ { title }) => title === 'Opened yard_v2.obj');
    actions[0].run();
    store.undo();
  });
  // The camera that was kept with them isn't that of what the level becomes next.
  const centre = () => tool.read('app.viewport.controls.target.toArray().map((value) => Math.round(value))');
  const before = await centre();
  await page.evaluate('walkmeshTool.levels.changeImport({ scale: 10 })');
  await tool.until('app.levels.current.bounds.max.x > 250');
  assert.ok(Math.max(...(await centre()).map((/** @type {number} */ value, /** @type {number} */ i) => Math.abs(value - before[i]))) > 100, 'a level 10 times as large is framed');
  await page.evaluate('walkmeshTool.store.undo()');
  await tool.until('app.levels.current.bounds.max.x < 250');
  await settled(tool);
  await tool.rest();
  await settled(tool);
  await page.evaluate("walkmeshTool.events.emit('cause', null)");
  assert.deepEqual(await listsOf(tool), [0, 0, 0]);
  assert.ok(!(await notices(page)).some((text) => text.includes('was kept')), 'nothing was kept');
}));

test('all vaults along a fence are forbidden by one button and one step of undo', () => withTool({ ...OPTIONS, document: VAULTS, config: { ...OPTIONS.config, cellSize: 0.1, tileSize: 32 } }, async (page, tool) => {
  await open(page, tool, 'yard.obj', makeYard(14));
  await settled(tool);
  await page.keyboard.press('l');
  await page.evaluate(() => {
    const { bakes, tools } = /** @type {any} */ (window).walkmeshTool, { navMesh } = bakes.current;
    tools.get('segmentLinks').select(navMesh.segmentLink(navMesh.segmentLinks().refs[0]));
  });
  const enabled = () => tool.read('Array.from(app.bakes.current.navMesh.segmentLinks().refs, (ref) => app.bakes.current.navMesh.segmentLink(ref).enabled)');
  const count = (await enabled()).length;
  assert.ok(count >= 3, `${count}`);
  await page.getByText(/^Vault over (0\.9|1) m/).first().waitFor();
  await page.getByRole('button', { name: `Forbid all ${count} vaults along here` }).click();
  await tool.rest();
  assert.ok((await enabled()).every((isOn) => !isOn));
  assert.equal((await listsOf(tool))[0], count);
  await page.getByRole('button', { name: `Allow all ${count} vaults along here` }).click();
  await tool.rest();
  assert.ok((await enabled()).every(Boolean));
  await page.evaluate('walkmeshTool.store.undo(); walkmeshTool.store.undo()');
  await tool.rest();
  assert.deepEqual([await tool.read('app.store.undoLabel') === `forbid ${count} vaults`, (await listsOf(tool))[0]], [false, 0]);
}));

test('an obstacle whose ground has gone with a change of the level is told, and listed', () => withTool(OPTIONS, async (page, tool) => {
  await open(page, tool, 'yard.obj', makeYard(14));
  await page.evaluate("walkmeshTool.edits.add('obstacle', { shape: { kind: 'cylinder', base: [14, 0.8, 4], radius: 0.6, height: 2 }, area: 0 }); walkmeshTool.panels.openSection('problems')");
  await settled(tool);
  assert.ok(!(await tool.read('app.problems.list')).some((/** @type {any} */ { key }) => key.startsWith('floating')));
  // The floor is 5 m lower.
  await open(page, tool, 'yard.obj', makeYard(14).replaceAll(/^v (\S+) (\S+)/gm, (_, x, y) => `v ${x} ${Number(y) - 5}`));
  await page.locator('.notice').filter({ hasText: 'yard.obj has changed' }).getByText('1 object touches no ground.').waitFor();
  await page.getByRole('list', { name: 'Problems' }).getByText('touches no ground').first().waitFor();
}));

test('a path around a fence says that a vault would lead over it, with a button', () => withTool({ ...OPTIONS }, async (page, tool) => {
  await open(page, tool, 'yard.obj', makeYard(14));
  await settled(tool);
  await page.evaluate(() => {
    const { store, tools } = /** @type {any} */ (window).walkmeshTool;
    store.setView({ tool: 'path' });
    tools.get('path').setPlace('start', [13, 0, 2]);
    tools.get('path').setPlace('end', [15.5, 0, 2]);
  });
  const why = page.getByRole('list', { name: 'Why so long' });
  await why.getByText(/^A vault over .* would lead there/).waitFor();
  await why.getByRole('button', { name: 'Allow this vault' }).click();
  await tool.until("app.tools.get('path').result?.path.length < 5");
}));

test('a mesh of the level before its change asks between two equal names', () => withTool(OPTIONS, async (page, tool) => {
  await open(page, tool, 'yard.obj', makeYard(14));
  const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+e')]);
  const bytes = new Uint8Array(readFileSync(await saved.path()));
  await open(page, tool, 'yard.obj', makeYard(17));
  const dialog = page.locator('wa-dialog.question');
  const ask = async () => {
    await choose(page, { 'yard.walkmesh': bytes });
    await dialog.getByText('yard.walkmesh was made from the old yard.obj; the new one is open.').waitFor();
  };
  await ask();
  const labels = (await dialog.locator('.answers wa-button').allInnerTexts()).map((text) => text.trim());
  assert.deepEqual(labels, ['Open the old yard.obj with it', 'Open it in the new yard.obj', 'Show its surface as the level', 'Cancel']);
  await dialog.getByRole('button', { name: 'Open the old yard.obj with it' }).click();
  await page.getByText('Opened yard.walkmesh').waitFor();
  assert.ok(await tool.read("app.levels.current.positions.includes(14)"), 'the fence is where it was');
  await page.getByRole('banner').getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('banner').getByRole('button', { name: 'Undo' }).click();
  await tool.until('app.levels.current.positions.includes(17)');
}));

test('a mirrored level of blocks opens without a word, and the import strip lies on the tools and the views', () => withTool({ ...OPTIONS, size: { width: 1440, height: 900 } }, async (page, tool) => {
  const yard = makeBoxes([[[0, -2, 0], [30, 0, 20]], [[4, 0, 3], [12, 2.8, 3.2]], [[14, 0, 0], [14.2, 1, 12]], [[4, 0, 9], [12, 2.8, 9.2]], [[20, 0, 5], [22, 1, 9]]]);
  const { indices } = yard;
  for (let i = 0; i < indices.length; i += 3) [indices[i + 1], indices[i + 2]] = [indices[i + 2], indices[i + 1]];
  await open(page, tool, 'mirrored.obj', toObj(yard));
  const strip = page.getByRole('region', { name: 'Import' });
  await strip.getByText('The ground faces down: its winding is flipped.').waitFor();
  for (const size of [{ width: 1440, height: 900 }, { width: 1210, height: 700 }, { width: 720, height: 450 }]) {
    await page.setViewportSize(size);
    await tool.rest();
    const [box, rail, view] = await Promise.all([strip, page.getByRole('navigation', { name: 'Tools' }), page.locator('main.stage')].map((part) => part.boundingBox()));
    assert.ok(box && rail && view);
    assert.ok(box.x >= rail.x + rail.width && box.x + box.width <= view.x + view.width, JSON.stringify({ size, box, rail, view }));
  }
  await strip.getByRole('button', { name: 'Apply: Flip winding' }).click();
  await tool.until("app.store.state.document.level.import?.flip && app.store.state.session.bake.state === 'done' && !app.levels.isLoading");
  await strip.waitFor({ state: 'hidden' });
  assert.ok(await tool.read("app.bakes.current.navMesh.nearestPoint([17, 0, 16], { halfExtents: [1, 0.5, 1] })"), 'the ground is on top');
}));
