// Loading: bundled levels, dropped and picked files, unsupported files, and the state after a reload.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Document, WebIO } from '@gltf-transform/core';
import { readHash } from '../../web-demo/src/state/url.js';
import { makeFolder } from '../js/support.js';
import { ROOT } from './harness.js';
import { withTool } from './tool.js';

/** Requests that a reload interrupts aren't errors. */
const RELOAD = /ERR_ABORTED/;

const folder = makeFolder({ after });

/** Writes a file. @param {string} name @param {string | Uint8Array} contents @returns {string} its path */
function write(name, contents) {
  const path = join(folder, name);
  writeFileSync(path, contents);
  return path;
}

/** A square floor as a glTF document. @param {number} side @param {object} [walkmesh] its mark */
function makeFloor(side, walkmesh) {
  const document = new Document();
  const buffer = document.createBuffer().setURI('floor.bin');
  const positions = document.createAccessor().setType('VEC3').setBuffer(buffer)
    .setArray(Float32Array.of(0, 0, 0, 0, 0, side, side, 0, side, side, 0, 0));
  const indices = document.createAccessor().setType('SCALAR').setBuffer(buffer).setArray(Uint16Array.of(0, 1, 2, 0, 2, 3));
  const primitive = document.createPrimitive().setAttribute('POSITION', positions).setIndices(indices);
  document.createScene().addChild(document.createNode().setExtras(walkmesh ? { walkmesh } : {}).setMesh(document.createMesh().addPrimitive(primitive)));
  return document;
}

/** Drops files on the page, as if dragged from the desktop. @param {import('playwright-core').Page} page @param {string[]} files paths */
async function drop(page, files) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of /** @type {const} */ (['dragEnter', 'dragOver'])) await session.send('Input.dispatchDragEvent', { type, x: 700, y: 400, data });
  await page.getByText('Drop a level here').waitFor();
  await session.send('Input.dispatchDragEvent', { type: 'drop', x: 700, y: 400, data });
  await page.getByText('Drop a level here').waitFor({ state: 'hidden' });
  await session.detach();
}

/** Waits until a level of this name is open and baked. @param {import('playwright-core').Page} page @param {string} name */
const waitForLevel = (page, name) => page.waitForFunction((wanted) => {
  const { store, levels, bakes } = /** @type {any} */ (window).walkmeshTool ?? {};
  return levels?.current?.name === wanted && bakes.current && store.state.session.bake.state === 'done';
}, name);

/**
 * Waits until the address, which changes a little later, names the level.
 * @param {import('playwright-core').Page} page @param {string} name
 */
async function waitForAddress(page, name) {
  for (let hash = '', named; named !== name;) {
    hash = /** @type {string} */ (await (await page.waitForFunction((last) => location.hash !== last && location.hash, hash)).jsonValue());
    named = (await readHash(hash.slice(1)))?.document.level.name;
  }
}

/** @param {import('playwright-core').Page} page */
const notices = (page) => page.locator('.notice').allInnerTexts();

test('levels: bundled ones are chosen by name; the camera frames them; undo brings the one before back', () => withTool({}, async (page, tool) => {
  await page.getByRole('combobox', { name: 'Level' }).selectOption({ label: 'Stairs' });
  await waitForLevel(page, 'Stairs');
  // All vertices of the level are inside the view.
  const outside = await tool.read(`(() => {
    const { camera } = app.viewport, { positions } = app.levels.current;
    camera.updateMatrixWorld();
    const point = camera.position.clone();
    return Array.from({ length: positions.length / 3 }, (_, i) => point.fromArray(positions, 3 * i).project(camera).toArray())
      .filter(([x, y]) => Math.abs(x) > 1 || Math.abs(y) > 1).length;
  })()`);
  assert.equal(outside, 0);
  const triangles = await tool.read('app.levels.current.triangles');
  assert.match(await page.locator('.panel.left').innerText(), new RegExp(`${triangles.toLocaleString('en')}`));
  await page.getByRole('banner').getByRole('button', { name: 'Undo' }).click();
  await waitForLevel(page, 'Plaza');
  await page.getByRole('banner').getByRole('button', { name: 'Redo' }).click();
  await waitForLevel(page, 'Stairs');
}));

test('levels: OBJ, GLB and glTF are dropped or picked, and are there again after a reload', () => withTool({ allow: RELOAD }, async (page, tool) => {
  await drop(page, [join(ROOT, 'tests/scenes/stairs.obj'), write('stairs.mtl', '# colours')]);
  await waitForLevel(page, 'stairs.obj');
  const io = new WebIO();
  await drop(page, [write('floor 1.glb', await io.writeBinary(makeFloor(20, { area: 5 })))]);
  await waitForLevel(page, 'floor 1.glb');
  assert.deepEqual(await tool.read('[app.levels.current.triangles, [...app.levels.current.positions].slice(3, 6)]'), [2, [0, 0, 20]]);
  assert.deepEqual(await tool.read('[...new Set(app.bakes.current.navMesh.polygons().map(({ area }) => area))]'), [5], 'areas of its marks');
  const { json, resources } = await io.writeJSON(makeFloor(12));
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open file' }).click();
  await (await chooser).setFiles([write('floor.bin', resources['floor.bin']), write('floor.gltf', JSON.stringify(json))]);
  await waitForLevel(page, 'floor.gltf');
  assert.deepEqual(await tool.read('app.bakes.current.report.voxels.boundsMax'), [12, 0, 12]);
  await waitForAddress(page, 'floor.gltf');
  await page.reload();
  await waitForLevel(page, 'floor.gltf');
  assert.deepEqual(await notices(page), []);
  // In another browser the page asks for the file by its name.
  await page.evaluate(() => new Promise((resolve) => { indexedDB.deleteDatabase('walkmesh-level-tool').onsuccess = resolve; }));
  await page.reload();
  await page.locator('.notice').getByText('Open floor.gltf to continue').waitFor();
  await drop(page, [join(folder, 'floor.bin'), join(folder, 'floor.gltf')]);
  await waitForLevel(page, 'floor.gltf');
}));

/** Three million triangles, and one with an invalid vertex. */
async function makeBroken() {
  const document = makeFloor(9);
  const [positions, indices] = document.getRoot().listAccessors();
  const vertices = new Float32Array(3 * 3000);
  vertices[17] = NaN;
  positions.setArray(vertices);
  indices.setArray(Uint32Array.from({ length: 3 * 3_000_000 }, (_, i) => i % 3000));
  return new WebIO().writeBinary(document);
}

test('levels: what cannot be opened is told in the page, and the tool goes on with the level it had', () => withTool({}, async (page, tool) => {
  const io = new WebIO();
  const floor = await io.writeBinary(makeFloor(9));
  const { json } = await io.writeJSON(makeFloor(9));
  mkdirSync(join(folder, 'castle'), { recursive: true });
  const cases = [
    [[write('picture.glb', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13))], /picture\.glb is not a glTF file: it is a PNG picture/],
    [[write('points.obj', 'v 0 0 0\nv 1 0 0\nv 0 0 1\n')], /points\.obj has no triangles/],
    [[write('broken.glb', await makeBroken())], /broken\.glb has (the|a) node .*: vertex 5 is at \(.+\): must be finite/],
    [[write('nothing.obj', '')], /nothing\.obj is empty/],
    [[join(folder, 'castle')], /castle is a folder\. Drop the files inside it/],
    [[write('words.gltf', 'just some words')], /words\.gltf is not a glTF file: it is neither GLB nor JSON/],
    [[write('alone.gltf', JSON.stringify(json))], /^alone\.gltf needs the file floor\.bin: open both together$/],
    [[write('half.glb', floor.subarray(0, floor.length - 20))], /half\.glb is truncated: it has \d+ of \d+ bytes/],
    [[write('notes.txt', 'hello')], /notes\.txt isn't a supported level\. Use OBJ, GLB, or glTF \+ \.bin\./],
    [[write('one.obj', 'v'), write('two.obj', 'v')], /2 levels \(one\.obj, two\.obj\)|2 levels \(two\.obj, one\.obj\)/],
  ];
  for (const [files, message] of cases) {
    await page.evaluate('walkmeshTool.notices.clear()');
    await drop(page, files);
    await page.locator('.notice.error').getByText(message).waitFor();
    assert.equal((await notices(page)).length, 1);
    assert.equal(await tool.read('app.levels.current.name'), 'Plaza');
  }
  await page.getByRole('button', { name: 'Close message' }).click();
  assert.deepEqual(await notices(page), []);
  assert.ok(await tool.read('app.bakes.current.navMesh.totals.polygons > 0'));
  await drop(page, [write('good.glb', floor)]);
  await waitForLevel(page, 'good.glb');
}));

test('levels: half a million triangles come without holding the page up, and can be cancelled on their way', () => withTool({}, async (page, tool) => {
  // The first level is held back until it is cancelled, however slow the test is; frames are counted while the second one loads.
  await page.evaluate(() => {
    const held = /** @type {any} */ (window).held = { isOn: true, frames: 0 };
    const { store } = /** @type {any} */ (window).walkmeshTool;
    const { set } = /** @type {Required<PropertyDescriptor>} */ (Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage'));
    Object.defineProperty(Worker.prototype, 'onmessage', {
      /** @this {Worker} @param {(event: MessageEvent) => void} listener */
      set(listener) {
        set.call(this, (/** @type {MessageEvent} */ event) => { if (!held.isOn || 'progress' in event.data) listener(event); });
      },
    });
    requestAnimationFrame(function count() {
      if (store.state.session.loading) held.frames++;
      requestAnimationFrame(count);
    });
  });
  await page.getByRole('combobox', { name: 'Level' }).selectOption({ label: 'Terrain, one kilometre' });
  await page.getByRole('button', { name: 'Cancel loading' }).click();
  await page.waitForFunction(() => /** @type {any} */ (window).walkmeshTool.store.state.document.level.name === 'plaza');
  assert.equal(await tool.read('app.levels.current.name'), 'Plaza');
  await page.evaluate('Object.assign(held, { isOn: false, frames: 0 })');
  await page.evaluate('walkmeshTool.store.setView({ autoBake: false })');
  await page.getByRole('combobox', { name: 'Level' }).selectOption({ label: 'Terrain, one kilometre' });
  await page.waitForFunction(() => /** @type {any} */ (window).walkmeshTool.levels.current.name === 'Terrain, one kilometre');
  assert.equal(await tool.read('app.levels.current.triangles'), 548_288);
  assert.ok(await page.evaluate('held.frames') > 4, 'the page has frames while the level is made');
}));
