// What the level tool keeps: files out, links, undo, keys, help.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { NodeIO } from '@gltf-transform/core';
import { load } from 'walkmesh';
import { parseObj } from 'walkmesh/level';
import { parseConfiguration } from '../../web-demo/src/keep/configuration.js';
import { withTool } from './tool.js';

const walkmesh = await load();

/** Chooses from the menu of files, and reads what comes. @param {import('playwright-core').Page} page @param {string} label */
async function exportFile(page, label) {
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: new RegExp(`^${label}`) }).click()]);
  const path = await download.path();
  return { name: download.suggestedFilename(), bytes: new Uint8Array(readFileSync(path)) };
}

/** The mesh's bytes, in the page. @param {any} tool @param {string} expression */
const bytesOf = async (tool, expression) => Uint8Array.from(await tool.read(`Array.from(${expression})`));

test('every file of the menu is what the mesh is', () => withTool({}, async (page, tool) => {
  const mesh = 'app.bakes.current.navMesh';
  const saved = await exportFile(page, 'Navigation mesh');
  assert.equal(saved.name, 'plaza.walkmesh');
  assert.deepEqual(saved.bytes, await bytesOf(tool, `${mesh}.save()`));
  const navMesh = walkmesh.loadNavMesh(saved.bytes);
  const detour = await exportFile(page, 'Detour set');
  assert.equal(detour.name, 'plaza.bin');
  assert.deepEqual(detour.bytes, navMesh.exportDetour());
  const dynamic = await exportFile(page, 'Mesh that changes');
  assert.equal(dynamic.name, 'plaza-dynamic.walkmesh');
  const loaded = walkmesh.loadDynamic(dynamic.bytes);
  assert.equal(loaded.navMesh.totals.polygons, navMesh.totals.polygons);
  const obj = await exportFile(page, 'Surface as OBJ');
  assert.equal(obj.name, 'plaza-mesh.obj');
  assert.equal(parseObj(obj.bytes).indices.length / 3, navMesh.totals.detailTriangles);
  const glb = await exportFile(page, 'Surface as GLB');
  assert.equal(glb.name, 'plaza-mesh.glb');
  const [primitive] = (await new NodeIO().readBinary(glb.bytes)).getRoot().listMeshes()[0].listPrimitives();
  assert.equal(primitive.getIndices().getCount() / 3, navMesh.totals.detailTriangles);
  const config = await exportFile(page, 'Configuration');
  assert.equal(config.name, 'plaza.config.json');
  assert.deepEqual(parseConfiguration(new TextDecoder().decode(config.bytes), config.name, {}), await tool.read('app.store.state.document.config'));
  const picture = await exportFile(page, 'Picture of the view');
  assert.deepEqual([...picture.bytes.slice(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  const size = new DataView(picture.bytes.buffer);
  assert.deepEqual([size.getUint32(16), size.getUint32(20)], await tool.read('[app.viewport.canvas.width, app.viewport.canvas.height]'));
  for (const made of [navMesh, loaded.navMesh]) made.free();
}));

test('the code, a link that opens the same state in another page, undo and redo, and the help', () => withTool({ config: { cellSize: 0.25 } }, async (page, tool) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const clipboard = () => page.evaluate('navigator.clipboard.readText()');

  await page.getByRole('button', { name: 'Code that reproduces this bake' }).click();
  await page.getByRole('dialog', { name: 'Code that reproduces this bake' }).waitFor();
  const dialog = page.locator('wa-dialog.code-dialog'); // what is in it is slotted into the dialog
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('JavaScript copied').waitFor();
  assert.match(await clipboard(), /cellSize: 0\.25, tileSize: 48,/);
  await dialog.getByRole('tab', { name: 'Command line' }).click();
  assert.match(await dialog.getByLabel('Command line').last().innerText(), /^npx walkmesh bake plaza\.obj -o plaza\.walkmesh --cell-size 0\.25 --tile-size 48$/m);
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download the level' }).click()]);
  assert.equal(download.suggestedFilename(), 'plaza.obj');
  const level = parseObj(new Uint8Array(readFileSync(await download.path())));
  const [positions, indices] = await tool.read('[Array.from(app.levels.current.positions), Array.from(app.levels.current.indices)]');
  assert.deepEqual([[...level.positions], [...level.indices]], [positions, indices]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  // Edited, undone, redone, by keys and by buttons: the mesh's bytes go back and forth with it.
  const before = await bytesOf(tool, 'app.bakes.current.navMesh.save()');
  await page.evaluate(`window.walkmeshTool.store.edit('change cell size', (draft) => { draft.config.cellSize = 0.4; })`);
  const isBaked = (/** @type {number} */ cellSize) => page.waitForFunction((wanted) => {
    const { bakes, store } = /** @type {any} */ (window).walkmeshTool;
    return store.state.session.bake.state === 'done' && Math.abs(bakes.current.navMesh.parameters.cellSize - wanted) < 1e-6;
  }, cellSize);
  await isBaked(0.4);
  const after = await bytesOf(tool, 'app.bakes.current.navMesh.save()');
  await page.keyboard.press('Control+z');
  await isBaked(0.25);
  assert.deepEqual(await bytesOf(tool, 'app.bakes.current.navMesh.save()'), before);
  await page.getByRole('button', { name: 'Redo' }).click();
  await isBaked(0.4);
  assert.deepEqual(await bytesOf(tool, 'app.bakes.current.navMesh.save()'), after);

  // The link: what was edited, and how it is looked at.
  await page.evaluate(`window.walkmeshTool.store.setView({ theme: 'light', wireframe: true })`);
  await page.getByRole('button', { name: 'Copy a link to this state' }).click();
  await page.getByText('Link copied').waitFor();
  const other = await page.context().newPage();
  await other.goto(await clipboard());
  await other.waitForFunction('window.walkmeshTool?.store.state.session.bake.state === "done"');
  const read = (/** @type {any} */ from) => from.evaluate('[window.walkmeshTool.store.state.document, window.walkmeshTool.store.state.view.theme]');
  assert.deepEqual(await read(other), await read(page));
  assert.ok(await other.evaluate("document.documentElement.classList.contains('wa-light')"));
  await other.close();

  // The help lists every key that does something; Escape closes it.
  await page.locator('canvas').first().focus();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys and mouse' });
  await help.waitFor();
  const text = await page.locator('wa-dialog.help-dialog').innerText();
  for (const label of await tool.read('app.shortcuts.all.map(({ label }) => label)')) assert.ok(text.includes(label), label);
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'hidden' });
  const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')]);
  assert.equal(saved.suggestedFilename(), 'plaza.walkmesh');
}));
