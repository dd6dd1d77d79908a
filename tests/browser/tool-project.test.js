// Nothing that was made by hand is lost: projects, autosave, meshes of other levels, import settings, Detour with connections.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { load } from 'walkmesh';
import { ROOT } from './harness.js';
import { withTool } from './tool.js';

const walkmesh = await load();
const folder = mkdtempSync(join(tmpdir(), 'walkmesh-project-'));
after(() => rmSync(folder, { recursive: true }));

/** Requests that a reload interrupts aren't errors. */
const RELOAD = /ERR_ABORTED/;

/** Drops files on the page. @param {import('playwright-core').Page} page @param {Record<string, Uint8Array | string>} files */
async function drop(page, files) {
  const paths = Object.entries(files).map(([name, contents]) => {
    writeFileSync(join(folder, name), contents);
    return join(folder, name);
  });
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop'])) await session.send('Input.dispatchDragEvent', { type, x: 700, y: 400, data });
  await session.detach();
}

/** Chooses an item of a menu, and returns the downloaded file. @param {import('playwright-core').Page} page @param {string} menu @param {string} item */
async function download(page, menu, item) {
  await page.getByRole('button', { name: menu }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: new RegExp(`^${item}`) }).click()]);
  return { name: file.suggestedFilename(), bytes: new Uint8Array(readFileSync(await file.path())) };
}

/** Waits until a level is open and baked, and all changes are stored. @param {import('./tool.js').Tool} tool @param {string} name */
const waitForLevel = (tool, name) => tool.until(`app.levels.current?.name === ${JSON.stringify(name)} && app.bakes.current
  && app.store.state.session.bake.state === 'done' && !(app.bakes.current.dynamic?.dirtyTiles > 0)`);

const documentOf = (/** @type {import('./tool.js').Tool} */ tool) => tool.read('app.store.state.document');
const stairs = readFileSync(join(ROOT, 'tests/scenes/stairs.obj'));

/** One of each object, for the stairs and the plaza. */
const WORK = {
  volumes: [{ id: 1, shape: { kind: 'box', min: [2, -1, 2], max: [9, 2, 9] }, area: 3 }],
  obstacles: [{ id: 1, shape: { kind: 'cylinder', base: [12, -0.5, 12], radius: 1, height: 2 }, area: 0 }],
  connections: [{ id: 1, start: [4, 0, 4], end: [12, 0, 4], radius: 1, bidirectional: false, enabled: true, area: 6 }],
  doors: [{ id: 1, name: 'gate', shape: { kind: 'box', min: [2, -1, 14], max: [6, 2, 16] }, open: false }],
};

/** Puts the objects into the document, and names an area. @param {import('./tool.js').Tool} tool */
async function addWork(tool) {
  await tool.page.evaluate((work) => {
    const { store } = /** @type {any} */ (window).walkmeshTool;
    store.edit('place', (/** @type {any} */ draft) => {
      Object.assign(draft, work);
      draft.areas = draft.areas.map((/** @type {any} */ area) => (area.id === 3 ? { ...area, name: 'Swamp' } : area));
      draft.config.agentHeight = 1.7;
    });
  }, WORK);
  await tool.until(`app.store.state.session.bake.state === 'done' && Math.abs(app.bakes.current.navMesh.parameters.agentHeight - 1.7) < 1e-6
    && !app.bakes.isStale && !(app.bakes.current.dynamic?.dirtyTiles > 0)`);
}

test('painted areas and everything else come back from a project: after a reload, on another machine, and in a newer form', () => withTool({ allow: RELOAD, milliseconds: 180_000 }, async (page, tool) => {
  await drop(page, { 'castle.obj': stairs });
  await waitForLevel(tool, 'castle.obj');
  await addWork(tool);
  const document = await documentOf(tool);
  assert.ok(await tool.read('app.projects.isDirty'));
  await page.locator('.project-menu .unsaved').waitFor();
  const plain = await download(page, 'Project', 'Save project');
  assert.equal(plain.name, 'castle.walkmesh-project');
  assert.ok(!await tool.read('app.projects.isDirty'));
  const whole = await download(page, 'Project', 'Save with level');
  assert.ok(whole.bytes.length > stairs.length && plain.bytes.length < whole.bytes.length);

  // Another machine: without the level, the tool asks for it by name and looks at its hash.
  const { page: second, tool: other } = await openAnother(page, tool);
  await drop(second, { [plain.name]: plain.bytes });
  await second.locator('.notice').getByText('Open castle.obj to continue').waitFor();
  assert.deepEqual(await documentOf(other), document);
  await drop(second, { 'castle.obj': `${stairs}\n# changed\n` });
  await second.getByText('castle.obj has changed').waitFor();
  await second.getByRole('button', { name: 'Cancel' }).last().click();
  await drop(second, { 'renamed.obj': stairs });
  await waitForLevel(other, 'castle.obj');
  assert.deepEqual(await documentOf(other), document);

  // With the level, in a newer form: what is unknown is named and saved again.
  await second.evaluate(() => { /** @type {any} */ (window).walkmeshTool.levels.openScene('plaza'); });
  await waitForLevel(other, 'Plaza');
  const text = new TextDecoder().decode(plain.bytes);
  const newer = text.replace('"config": {', '"config": {\n      "agentSwims": true,');
  assert.notEqual(newer, text);
  await drop(second, { 'newer.walkmesh-project': newer });
  await waitForLevel(other, 'castle.obj');
  await second.locator('.notice').getByText(/This version doesn't know config\.agentSwims\. It is saved with the project again\./).waitFor();
  const again = await download(second, 'Project', 'Save project');
  assert.equal(JSON.parse(new TextDecoder().decode(again.bytes)).document.config.agentSwims, true);
  await second.close();

  // Bad files change nothing.
  for (const [name, contents, message] of /** @type {const} */ ([
    ['cut.walkmesh-project', whole.bytes.slice(0, -7), /cut\.walkmesh-project is truncated: its level has [\d,]+ of [\d,]+ bytes/],
    ['flipped.walkmesh-project', whole.bytes.map((byte, i) => (i === whole.bytes.length - 9 ? byte ^ 1 : byte)), /the contents of castle\.obj don't match their hash/],
    ['later.walkmesh-project', text.replace('"version": 1', '"version": 9'), /saved by a newer level tool \(version 9; this page reads 1\)/],
    ['wrong.walkmesh-project', text.replace('"agentHeight": 1.7', '"agentHeight": "tall"'), /has config\.agentHeight "tall": must be a number/],
  ])) {
    await drop(page, { [name]: contents });
    await page.getByRole('alert').getByText(message).waitFor();
    assert.deepEqual(await documentOf(tool), document);
  }

  // With the level: a page that never had it.
  const third = await openAnother(page, tool);
  await third.page.evaluate(() => new Promise((resolve) => { indexedDB.deleteDatabase('walkmesh-level-tool').onsuccess = resolve; }));
  await drop(third.page, { [whole.name]: whole.bytes });
  await waitForLevel(third.tool, 'castle.obj');
  assert.deepEqual(await documentOf(third.tool), document);
  await third.page.getByRole('banner').getByRole('button', { name: 'Undo' }).first().click();
  await waitForLevel(third.tool, 'Plaza');
  await third.page.close();
}));

/** Opens the tool in a browser of its own: another machine. @param {import('playwright-core').Page} page @param {import('./tool.js').Tool} tool */
async function openAnother(page, tool) {
  const context = await /** @type {any} */ (page.context().browser()).newContext({ viewport: { width: 1200, height: 640 }, deviceScaleFactor: 0.5 });
  const other = await context.newPage();
  const made = new /** @type {any} */ (tool.constructor)(other);
  await other.goto(page.url().split('#')[0]);
  await other.waitForFunction('window.walkmeshTool');
  await other.evaluate(() => { /** @type {any} */ (window).walkmeshTool.levels.openScene('plaza'); });
  await waitForLevel(made, 'Plaza');
  return { page: other, tool: made };
}

test('work is there again after a reload, and is offered after the page was closed', () => withTool({ allow: RELOAD, milliseconds: 180_000 }, async (page, tool) => {
  await addWork(tool);
  const document = await documentOf(tool);
  await tool.until('!app.projects.isStoring');
  const address = page.url();
  await page.reload();
  await waitForLevel(tool, 'Plaza');
  assert.deepEqual(await documentOf(tool), document);
  assert.ok(await tool.read('app.projects.isDirty'));
  assert.deepEqual(await page.locator('.notice').allInnerTexts(), []);

  // A page that is opened while this one is open offers nothing; after its end it does.
  const home = address.split('#')[0];
  const second = await page.context().newPage();
  await second.goto(home);
  await second.waitForFunction('window.walkmeshTool?.store.state.session.bake.state === "done"');
  assert.deepEqual(await second.locator('.notice').allInnerTexts(), []);
  await page.goto('about:blank');
  await second.reload();
  await second.locator('.notice').getByText('Restore unsaved work?').waitFor();
  await second.locator('.notice').getByText(/plaza, just now: 1 obstacle, 1 area volume, 1 connection and 1 door/).waitFor();
  await second.getByRole('button', { name: 'Restore' }).click();
  const restored = new /** @type {any} */ (tool.constructor)(second);
  await waitForLevel(restored, 'Plaza');
  assert.deepEqual(await documentOf(restored), document);
  // Discarded work is gone.
  await restored.until('!app.projects.isStoring');
  await second.close();
  for (const answer of ['Discard', null]) {
    const next = await page.context().newPage();
    await next.goto(home);
    await next.waitForFunction('window.walkmeshTool?.store.state.session.bake.state === "done"');
    assert.equal(await next.locator('.notice').getByText('Restore unsaved work?').count(), answer ? 1 : 0);
    if (answer) {
      await next.getByRole('button', { name: answer }).click();
      await next.waitForTimeout(500); // it is deleted a moment later
    }
    await next.close();
  }
}));

test('the page asks before it closes while work is stored nowhere', () => withTool({}, async (page, tool) => {
  const asks = () => page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  assert.ok(!await asks());
  await page.evaluate(() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...args) { // as in a browser without room
      if (this.name === 'work') throw new DOMException('full', 'QuotaExceededError');
      return put.apply(this, /** @type {any} */ (args));
    };
  });
  await addWork(tool);
  await page.locator('.notice').getByText("Can't store your work in this browser").waitFor();
  assert.ok(await asks());
  await download(page, 'Project', 'Save project');
  assert.ok(!await asks());
}));

test('painted areas survive the export of a dynamic mesh, and the legend names them', () => withTool({}, async (page, tool) => {
  await addWork(tool);
  const document = await documentOf(tool);
  const { bytes } = await download(page, 'Export', 'Dynamic mesh');
  await page.evaluate(`walkmeshTool.store.edit('clear', (draft) => {
    Object.assign(draft, { volumes: [], obstacles: [], connections: [], doors: [] });
    draft.areas = draft.areas.filter(({ id }) => id !== 3);
  })`);
  await tool.until("app.bakes.isStale === false && app.store.state.session.bake.state === 'done' && app.store.state.document.volumes.length === 0");
  await page.getByRole('button', { name: 'More layers' }).click();
  const legend = () => page.locator('.layer', { hasText: 'Navigation mesh' }).locator('.legend').innerText();
  assert.doesNotMatch(await legend(), /Swamp/);
  await drop(page, { 'again.walkmesh': bytes });
  await page.getByText('Opened again.walkmesh').waitFor();
  await tool.ready();
  assert.deepEqual(await documentOf(tool), document);
  assert.match(await legend(), /Swamp/);
  // The next bake has the area, too.
  await page.getByRole('button', { name: 'Bake', exact: true }).click();
  await tool.until("app.bakes.current.report && app.store.state.session.bake.state === 'done'");
  assert.ok(await tool.read('app.bakes.current.navMesh.polygons().some(({ area }) => area === 3)'));
}));

test('a mesh of another level asks what to do, and its bounds are not taken over', () => withTool({}, async (page, tool) => {
  const { bytes } = await download(page, 'Export', 'Dynamic mesh');
  await page.evaluate("walkmeshTool.levels.openScene('city')");
  await waitForLevel(tool, 'City');
  const city = await documentOf(tool);
  const open = async (/** @type {string} */ answer) => {
    await drop(page, { 'small.walkmesh': bytes });
    await page.getByText('small.walkmesh was made from Plaza, not from City.').waitFor();
    await page.getByRole('button', { name: answer }).last().click();
  };
  await open('Cancel');
  await tool.rest();
  assert.deepEqual(await documentOf(tool), city);
  await open('Open it in City');
  await page.getByText('Opened small.walkmesh').waitFor();
  assert.equal(await tool.read('app.store.state.document.config.bounds'), undefined);
  assert.equal(await tool.read('app.levels.current.name'), 'City');
  await page.evaluate('walkmeshTool.notices.clear()');
  await open('Open Plaza with it');
  await page.getByText('Opened small.walkmesh').waitFor();
  assert.deepEqual(await tool.read('[app.levels.current.name, app.store.state.document.config.bounds ?? null, app.bakes.current.report]'), ['Plaza', null, null]);
  await page.evaluate('walkmeshTool.notices.clear()');
  await drop(page, { 'small.walkmesh': bytes });
  await page.getByText('Opened small.walkmesh').waitFor();

  // A file without a hash, in a corner of the level: its bounds tell.
  const { navMesh } = walkmesh.bake({ positions: [2, 0, 2, 2, 0, 9, 9, 0, 9, 9, 0, 2], indices: [0, 1, 2, 0, 2, 3] }, { cellSize: 0.25 });
  await drop(page, { 'corner.walkmesh': navMesh.save() });
  await page.getByText('corner.walkmesh was made from another level, not from Plaza.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).last().click();
  navMesh.free();
}));

test('the level list names the second file that is opened, and removed objects are told', () => withTool({}, async (page, tool) => {
  const list = page.getByRole('combobox', { name: 'Level' });
  const shown = () => list.evaluate((/** @type {any} */ select) => select.selectedOptions[0]?.textContent);
  assert.equal(await shown(), 'Plaza');
  await drop(page, { 'first.obj': stairs });
  await waitForLevel(tool, 'first.obj');
  assert.equal(await shown(), 'first.obj');
  await addWork(tool);
  await drop(page, { 'second.obj': `${stairs}# other\n` });
  await waitForLevel(tool, 'second.obj');
  assert.equal(await shown(), 'second.obj');
  await page.locator('.notice').getByText('1 obstacle, 1 area volume, 1 connection and 1 door of first.obj were removed.').waitFor();
  await page.locator('.notice').getByRole('button', { name: 'Reopen first.obj' }).click();
  await waitForLevel(tool, 'first.obj');
  assert.equal(await shown(), 'first.obj');
  assert.equal(await tool.read('app.store.state.document.volumes.length'), 1);
  await list.selectOption({ label: 'Stairs' });
  await waitForLevel(tool, 'Stairs');
  assert.equal(await shown(), 'Stairs');
}));

/** The stairs in centimetres with z up, and a small level. */
const centimetres = new TextDecoder().decode(stairs).replaceAll(/^v (\S+) (\S+) (\S+)/gm, (_, x, y, z) => `v ${100 * x} ${-100 * z} ${100 * y}`);

test('a level in centimetres with z up is found out, and one click mends it; its cell size does not stay for the next level', () => withTool({}, async (page, tool) => {
  await drop(page, { 'stairs.obj': stairs });
  await waitForLevel(tool, 'stairs.obj');
  const right = await tool.read('[app.bakes.current.navMesh.totals.polygons, app.levels.current.hash, app.store.state.document.config]');
  assert.equal(await page.getByRole('region', { name: 'Import' }).count(), 0);
  await drop(page, { 'export.obj': centimetres });
  await tool.until("app.levels.current?.name === 'export.obj'");
  const strip = page.getByRole('region', { name: 'Import' });
  await strip.getByText(/The ground faces \+z: z is up\. It is [\d.,]+ m wide and [\d.,]+ m high: centimetres, most likely\./).waitFor();
  await strip.getByRole('button', { name: 'Apply: Z up, Centimetres' }).click();
  await tool.until("app.store.state.document.level.import?.upAxis === 'z' && app.store.state.session.bake.state === 'done' && app.levels.current.bounds.max.x < 100");
  await strip.waitFor({ state: 'hidden' });
  assert.deepEqual(await tool.read('[app.bakes.current.navMesh.totals.polygons, app.store.state.document.config]'), [right[0], right[2]]);
  // One step of undo, by hand, and another level.
  await page.getByRole('button', { name: 'Import: unit, up axis, scale' }).click();
  assert.equal(await strip.getByRole('combobox', { name: 'Unit' }).inputValue(), 'cm');
  await page.getByRole('banner').getByRole('button', { name: 'Undo' }).first().click();
  await tool.until('app.levels.current.bounds.max.x > 1000');
  await drop(page, { 'stairs.obj': stairs });
  await waitForLevel(tool, 'stairs.obj');
  assert.deepEqual(await tool.read('[app.bakes.current.navMesh.totals.polygons, app.store.state.document.config]'), [right[0], right[2]]);
}));

test('connections are written into Detour files; where they can not be, the export says so first', () => withTool({}, async (page, tool) => {
  await addWork(tool);
  const { bytes } = await download(page, 'Export', 'Detour tile set');
  await page.locator('.notice').getByText(/^[\d.]+ kB\. With 1 connection\. 1 door can't be opened or closed in it\.$/).waitFor();
  const mesh = walkmesh.loadNavMesh(bytes);
  assert.equal(mesh.totals.offMeshConnections, 1);
  const ground = await tool.read('app.bakes.current.navMesh.totals.polygons - app.bakes.current.navMesh.totals.offMeshConnections');
  assert.equal(mesh.totals.polygons - 1, ground);
  // Doors are closed in it as in the page.
  const flags = (/** @type {any[]} */ polygons) => polygons.filter((polygon) => polygon.flags === 0).length;
  assert.equal(flags(mesh.polygons()), await tool.read('app.bakes.current.navMesh.polygons().filter(({ flags }) => flags === 0).length'));
  assert.ok(flags(mesh.polygons()) > 0);
  mesh.free();
  const { bytes: dynamic } = await download(page, 'Export', 'Dynamic mesh');
  await drop(page, { 'opened.walkmesh': dynamic });
  await page.getByText('Opened opened.walkmesh').waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: /^Detour tile set/ }).click();
  await page.getByText('Export without 1 connection?').waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export without them' }).click()]);
  assert.equal(walkmesh.loadNavMesh(new Uint8Array(readFileSync(await file.path()))).totals.offMeshConnections, 0);
}));

test('a face that names a missing vertex is told by its line and index', () => withTool({}, async (page) => {
  await drop(page, { 'face.obj': 'v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 99\n' });
  await page.getByRole('alert').getByText('face.obj has no triangles that can be read: line 4 names vertex 99, and 3 vertices precede it').waitFor();
}));
