// Saving in the level tool: exported files, links, undo, keys, help.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { NodeIO } from '@gltf-transform/core';
import { load } from 'walkmesh';
import { parseObj } from 'walkmesh/level';
import { parseConfiguration } from '../../web-demo/src/save/configuration.js';
import { withTool } from './tool.js';

const walkmesh = await load();

const folder = mkdtempSync(join(tmpdir(), 'walkmesh-keep-'));
after(() => rmSync(folder, { recursive: true }));

/**
 * Drops files on the page, as if dragged from the desktop.
 * @param {import('playwright-core').Page} page @param {Record<string, Uint8Array | string>} files
 */
async function drop(page, files) {
  const paths = Object.entries(files).map(([name, contents]) => {
    writeFileSync(join(folder, name), contents);
    return join(folder, name);
  });
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop'])) {
    await session.send('Input.dispatchDragEvent', { type, x: 700, y: 400, data });
  }
  await session.detach();
}

/** Waits until the mesh follows the document, tiles included. @param {import('playwright-core').Page} page */
const isSettled = (page) => page.waitForFunction(() => {
  const { bakes, store } = /** @type {any} */ (window).walkmeshTool;
  return store.state.session.bake.state === 'done' && bakes.current && !(bakes.current.dynamic?.dirtyTiles > 0);
});

/** Hashes of the tiles' bytes by place, in the page. @param {import('playwright-core').Page} page */
const tilesOf = (page) => page.evaluate(() => {
  const { bakes, walkmesh: instance } = /** @type {any} */ (window).walkmeshTool;
  return bakes.current.navMesh.tiles().map(({ x, z, bytes }) => `${x} ${z} ${instance.hash(bytes)}`).sort();
});

/**
 * Chooses an item of the file menu and returns the downloaded file.
 * @param {import('playwright-core').Page} page @param {string} label
 */
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
  const detour = await exportFile(page, 'Detour tile set');
  assert.equal(detour.name, 'plaza.bin');
  assert.deepEqual(detour.bytes, navMesh.exportDetour());
  const dynamic = await exportFile(page, 'Dynamic mesh');
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
  assert.deepEqual(parseConfiguration(new TextDecoder().decode(config.bytes), config.name, {}).config, await tool.read('app.store.state.document.config'));
  const picture = await exportFile(page, 'Screenshot');
  assert.deepEqual([...picture.bytes.slice(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  const size = new DataView(picture.bytes.buffer);
  assert.deepEqual([size.getUint32(16), size.getUint32(20)], await tool.read('[app.viewport.canvas.width, app.viewport.canvas.height]'));
  for (const made of [navMesh, loaded.navMesh]) made.free();
}));

test('an export says what the program that loads it must do: costs of areas, and doors', () => withTool({
  document: {
    level: { kind: 'scene', name: 'plaza' }, volumes: [{ id: 1, shape: { kind: 'box', min: [2, -1, 2], max: [9, 2, 9] }, area: 3 }],
    doors: [{ id: 1, name: 'gate', shape: { kind: 'box', min: [2, -1, 14], max: [6, 2, 16] }, open: false }],
  },
}, async (page) => {
  await exportFile(page, 'Navigation mesh');
  await page.locator('.notice').getByText('Paths need the costs of its areas: areaCosts { 3: 4 }. Doors need restoreSwitches(). Bake code shows both.').waitFor();
  await exportFile(page, 'Surface as OBJ');
  await page.locator('.notice').getByText('Without 1 door: it has the surface only.').waitFor();
}));

test('the code, a link that opens the same state in another page, undo and redo, and the help', () => withTool({ config: { cellSize: 0.25 } }, async (page, tool) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const clipboard = () => page.evaluate('navigator.clipboard.readText()');

  await page.getByRole('button', { name: 'Bake code' }).click();
  await page.getByRole('dialog', { name: 'Bake code' }).waitFor();
  const dialog = page.locator('wa-dialog.code-dialog'); // The contents are slotted into the dialog.
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('JavaScript copied').waitFor();
  assert.match(await clipboard(), /cellSize: 0\.25, tileSize: 48,/);
  await dialog.getByRole('tab', { name: 'Command line' }).click();
  assert.match(await dialog.getByLabel('Command line').last().innerText(), /^npx walkmesh bake plaza\.obj -o plaza\.walkmesh --cell-size 0\.25 --tile-size 48$/m);
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download level' }).click()]);
  assert.equal(download.suggestedFilename(), 'plaza.obj');
  const level = parseObj(new Uint8Array(readFileSync(await download.path())));
  const [positions, indices] = await tool.read('[Array.from(app.levels.current.positions), Array.from(app.levels.current.indices)]');
  assert.deepEqual([[...level.positions], [...level.indices]], [positions, indices]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  // Edits, undo and redo, with keys and with buttons: the mesh's bytes follow.
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
  await page.getByRole('banner').getByRole('button', { name: 'Redo' }).click();
  await isBaked(0.4);
  assert.deepEqual(await bytesOf(tool, 'app.bakes.current.navMesh.save()'), after);

  // The link contains the edits and the view.
  await page.evaluate(`window.walkmeshTool.store.setView({ theme: 'light', wireframe: true, layers: { regions: { visible: true, opacity: 1 } } })`);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Link copied').waitFor();
  const other = await page.context().newPage();
  await other.goto(await clipboard());
  await other.waitForFunction('window.walkmeshTool?.store.state.session.bake.state === "done"');
  const read = (/** @type {any} */ from) => from.evaluate('[window.walkmeshTool.store.state.document, window.walkmeshTool.store.state.view.theme]');
  assert.deepEqual(await read(other), await read(page));
  assert.ok(await other.evaluate("document.documentElement.classList.contains('wa-light')"));
  await other.waitForFunction('window.walkmeshTool.stages.isComplete && window.walkmeshTool.stages.progress.drawn > 0'); // a stage is shown from the start
  await other.close();

  // The help lists every key with an action; Escape closes it.
  await page.locator('canvas').first().focus();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Shortcuts' });
  await help.waitFor();
  const text = await page.locator('wa-dialog.help-dialog').innerText();
  for (const label of await tool.read('app.shortcuts.all.map(({ label }) => label)')) assert.ok(text.includes(label), label);
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'hidden' });
  const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+e')]);
  assert.equal(saved.suggestedFilename(), 'plaza.walkmesh');
}));

test('a mesh is opened again as it was, with all that is placed in it', () => withTool({
  config: { agentRadius: 0.5 },
  document: {
    level: { kind: 'scene', name: 'plaza' },
    obstacles: [
      { id: 1, shape: { kind: 'cylinder', base: [18, -0.5, 30], radius: 1.5, height: 2 }, area: 0 },
      { id: 2, shape: { kind: 'rotatedBox', centre: [30, 0.5, 20], halfExtents: [2, 1, 0.75], yaw: 0.5 }, area: 3 },
    ],
    connections: [{ id: 1, start: [4, 0, 4], end: [36, 0, 36], radius: 1, bidirectional: false, enabled: false, area: 6 }],
    doors: [{ id: 1, name: 'gate', shape: { kind: 'box', min: [2, -1, 14], max: [6, 2, 16] }, open: false }],
  },
}, async (page, tool) => {
  await isSettled(page);
  const before = { tiles: await tilesOf(page), document: await tool.read('app.store.state.document') };
  const dynamic = await exportFile(page, 'Dynamic mesh');
  const detour = await exportFile(page, 'Detour tile set');

  // After a reset, the file restores the document, and it can be edited.
  await page.evaluate(`window.walkmeshTool.store.edit('clear', (draft) => {
    Object.assign(draft, { obstacles: [], connections: [], doors: [] });
    draft.config.agentRadius = 0.75;
  })`);
  await page.waitForFunction('Math.abs(window.walkmeshTool.bakes.current.navMesh.parameters.agentRadius - 0.75) < 1e-6');
  await isSettled(page);
  assert.notDeepEqual(await tilesOf(page), before.tiles);
  await drop(page, { 'again.walkmesh': dynamic.bytes });
  await page.getByText('Opened again.walkmesh').waitFor();
  await isSettled(page);
  assert.deepEqual(await tool.read('app.store.state.document'), before.document);
  assert.deepEqual(await tilesOf(page), before.tiles);
  assert.equal(await tool.read('app.bakes.current.dynamic.obstacleCount'), 3, 'two, and the ground in the door');
  assert.equal(await tool.read('app.bakes.current.navMesh.connections().length'), 1);
  await tool.rest();
  assert.equal(await tool.read('app.store.state.session.bake.report'), null, 'it is not baked again');

  // Detour's file contains the mesh only: queries work, obstacles are off.
  await drop(page, { 'server.bin': detour.bytes });
  await page.getByText(/Obstacles are unavailable: Detour files have no data to rebuild tiles/).waitFor();
  assert.equal(await tool.read('app.bakes.current.dynamic'), null);
  assert.equal(await tool.read('app.bakes.current.navMesh.totals.polygons'), walkmesh.loadNavMesh(detour.bytes).totals.polygons);
  assert.equal(await tool.read(`app.bakes.current.navMesh.findPath([4, 0, 36], [36, 0, 36]).status`), 'complete');

  // One step of undo, and the former document is baked.
  await page.getByRole('banner').getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Bake', exact: true }).click();
  await page.waitForFunction('window.walkmeshTool.bakes.current.dynamic');
  await isSettled(page);
  assert.deepEqual(await tilesOf(page), before.tiles);
}));

test('a mesh of another level is shown by its surface, a configuration is opened, and what is none of these is told', () => withTool({}, async (page, tool) => {
  const { navMesh } = walkmesh.bake({ positions: [500, 3, 500, 500, 3, 520, 530, 3, 520, 530, 3, 500], indices: [0, 1, 2, 0, 2, 3] }, { cellSize: 0.25 });
  const saved = navMesh.save();
  await drop(page, { 'elsewhere.walkmesh': saved });
  await page.getByRole('button', { name: 'Show its surface as the level' }).click();
  await page.getByText('Opened elsewhere.walkmesh').waitFor();
  await page.getByText(/its surface replaces the level/).waitFor();
  assert.deepEqual(await bytesOf(tool, 'app.bakes.current.navMesh.save()'), saved, 'not baked again');
  assert.equal(await tool.read('app.levels.current.triangles'), navMesh.totals.detailTriangles);
  assert.equal(await tool.read('app.store.state.document.config.cellSize'), 0.25);
  // The surface is visible and can be picked.
  const hit = await tool.place([515, 3, 510]);
  const point = await page.evaluate(({ x, y }) => /** @type {any} */ (window).walkmeshTool.picking.level({ clientX: x, clientY: y })?.point, hit);
  assert.ok(Math.hypot(point[0] - 515, point[2] - 510) < 0.5, String(point));
  navMesh.free();

  await page.getByRole('banner').getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('banner').getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction('window.walkmeshTool.levels.current.triangles === 320');
  await isSettled(page);
  await drop(page, { 'tuned.json': '{ "cellSize": 0.5, "tileSize": 32 }' });
  await page.waitForFunction('Math.abs(window.walkmeshTool.bakes.current.navMesh.parameters.cellSize - 0.5) < 1e-6');
  assert.equal(await tool.read('app.store.state.document.config.tileSize'), 32);

  const polygons = await tool.read('app.bakes.current.navMesh.totals.polygons');
  for (const [name, contents, message] of /** @type {const} */ ([
    ['misspelt.json', '{ "cellsize": 0.5 }', /misspelt\.json has an unknown field: cellsize\. Did you mean cellSize\?/],
    ['two.json', '{ "cellSize": 0.5, "cell_height": 1, "navigation": true }', /two\.json has unknown fields: cell_height, navigation\. Did you mean cellHeight\?/],
    ['text.json', 'cell size', /text\.json isn't JSON/],
    ['picture.walkmesh', 'PNG', /picture\.walkmesh isn't a navigation mesh/],
    ['cut.walkmesh', saved.slice(0, 300), /cut\.walkmesh can't be opened/],
    ['empty.bin', '', /empty\.bin is empty/],
  ])) {
    await drop(page, { [name]: contents });
    await page.getByRole('alert').getByText(message).waitFor();
  }
  assert.equal(await tool.read('app.bakes.current.navMesh.totals.polygons'), polygons, 'the tool goes on with what it had');
}));
