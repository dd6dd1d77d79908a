// Causes and actions of the level tool on a level with stairs of 0.48 m under a roof: what is offered at a spot, what counts as too steep, the
// suggested step height, settings in the palette, messages of undo, of exports and of opened meshes. One page, since each bake takes time.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { defaultToolConfig } from '../../web-demo/src/state/document.js';
import { makeBoxes, toObj } from '../js/rooms.js';
import { makeFolder } from '../js/support.js';
import { withTool } from './tool.js';

const folder = makeFolder({ after });

/** A floor with a flight of four steps of 0.48 m, and a roof above a part of the floor. */
const LEVEL = makeBoxes([
  [[0, -0.5, 0], [16, 0, 12]], ...[1, 2, 3, 4].map((i) => /** @type {[number[], number[]]} */ ([[2 + 0.8 * i, 0, 2], [12, 0.48 * i, 6]])), [[1, 2.6, 7], [15, 3, 11.5]],
]);
/** The middle of the third step's free part, where the radius reaches the ledge and the next riser. */
const STEP = [2 + 0.8 * 2 + 0.5, 0.96, 4];

/** @param {import('playwright-core').Page} page @param {string[]} files */
const openFiles = async (page, files) => {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open file' }).click();
  await (await chooser).setFiles(files);
};

test('causes and actions', (context) => withTool({
  view: { theme: 'light', panels: { left: true, right: true } }, config: { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 48 },
  size: { width: 1440, height: 800 }, milliseconds: 120_000,
}, async (page, tool) => {
  const file = join(folder, 'flight.obj');
  writeFileSync(file, toObj(LEVEL));
  await openFiles(page, [file]);
  await tool.until("app.levels.current?.name === 'flight.obj'");
  await tool.ready();
  const label = page.getByRole('group', { name: 'Answer at the point' });
  const mends = page.locator('.pin-label').getByRole('group', { name: 'Make it walkable' });
  const notice = (/** @type {string | RegExp} */ text) => page.locator('.notice').getByText(text);
  const look = (/** @type {number[]} */ point) => page.evaluate((at) => {
    const { store, tools } = /** @type {any} */ (window).walkmeshTool;
    store.setView({ tool: 'inspect' });
    tools.get('inspect').inspector.look(at);
  }, point);
  const config = (/** @type {string} */ name) => tool.read(`app.store.state.document.config.${name}`);

  await context.test('a cut-off island says what cuts it off, in Problems and at the pin, and its action joins it', async () => {
    const camera = await tool.read('[app.viewport.camera.position.toArray(), app.viewport.controls.target.toArray()]');
    await page.evaluate("walkmeshTool.panels.openSection('problems')");
    await tool.until('app.problems.list.length === 2 && app.problems.list.every(({ note }) => note)');
    const list = page.getByRole('list', { name: 'Problems' });
    // The roof, which is larger, comes after it: no setting joins it.
    await list.getByRole('button', { name: /^Unreachable island/ }).first().click();
    await list.getByText('Cut off by a step of 0.48 m: max step height 0.4 m.').waitFor();
    await list.getByRole('button', { name: 'Allow steps of 0.5 m' }).waitFor();
    await label.getByText('Cut off by a step of 0.48 m').waitFor();
    // The camera and the pin are at the obstacle: the upper end of the stairs.
    const [x, y] = await tool.read("app.tools.get('inspect').inspector.current.point");
    assert.ok(x > 5.2 && x < 6.4 && Math.abs(y - 1.92) < 0.15, `${x} ${y}`);
    await page.locator('.pin-label').getByRole('group', { name: 'Join it' }).getByRole('button').click();
    await tool.until("app.bakes.current.config.agentMaxClimb === 0.5 && app.store.state.session.bake.state === 'done'");
    assert.equal(await tool.read('app.bakes.current.navMesh.findPath([1, 0, 4], [11, 1.92, 4]).status'), 'complete');
    await page.evaluate('walkmeshTool.store.undo()');
    await tool.until("app.bakes.current.config.agentMaxClimb === 0.4 && app.store.state.session.bake.state === 'done'");
    await page.evaluate(([position, target]) => {
      const { viewport, panels } = /** @type {any} */ (window).walkmeshTool;
      panels.openSection('config');
      viewport.camera.position.fromArray(position);
      viewport.controls.target.fromArray(target);
      viewport.controls.update();
    }, camera);
    await tool.ready();
  });

  await context.test('the path tool says why there is no path, and its change opens the way; undo takes it back', async () => {
    await page.evaluate(() => {
      const { store } = /** @type {any} */ (window).walkmeshTool;
      store.setView({ tool: 'path' });
      store.edit('move markers', (/** @type {any} */ { places, level }) => { places.path = { ...places.path, level: level.name, start: [1, 0, 4], end: [11, 1.92, 4] }; });
      store.commit();
    });
    const why = page.getByRole('list', { name: 'Why' });
    await why.getByText('A step of 0.48 m is too high: max step height is 0.4.').waitFor();
    // The lines have a key, and don't stay with other tools.
    await page.getByRole('list', { name: 'Lines in the view' }).getByText('Where the search ended').waitFor();
    const lines = "app.viewport.overlay.getObjectByName('where the search ended')";
    const isDrawn = () => tool.read(`${lines}.visible && ${lines}.parent.visible`);
    assert.equal(await isDrawn(), true);
    await page.evaluate("walkmeshTool.store.setView({ tool: 'volumes' })");
    assert.equal(await isDrawn(), false);
    // Nor do they come back with an answer that was asked for just before the tool was left.
    await page.evaluate(() => {
      const { store } = /** @type {any} */ (window).walkmeshTool;
      store.setView({ tool: 'path' });
      store.edit('move markers', (/** @type {any} */ { places }) => { places.path = { ...places.path, start: [1.1, 0, 4] }; });
      store.commit();
      store.setView({ tool: 'volumes' });
    });
    assert.equal(await tool.read(`${lines}.visible`), false);
    await tool.until(`${lines}.visible`);
    assert.equal(await isDrawn(), false);
    await page.evaluate("walkmeshTool.store.setView({ tool: 'path' })");
    await why.getByRole('button', { name: 'Allow steps of 0.5 m' }).click();
    await tool.until("app.bakes.current.config.agentMaxClimb === 0.5 && app.store.state.session.bake.state === 'done'");
    await tool.until("app.tools.get('path').result?.path.status === 'complete'");
    assert.equal(await why.count(), 0);
    await page.evaluate('walkmeshTool.store.undo()');
    await tool.until("app.bakes.current.config.agentMaxClimb === 0.4 && app.store.state.session.bake.state === 'done'");
    await page.evaluate("walkmeshTool.store.setView({ tool: 'inspect' })");
  });

  await context.test('an obstacle in the way is named by the path tool, by Problems and at the pin, and its button removes it', async () => {
    await page.evaluate(() => {
      const { store } = /** @type {any} */ (window).walkmeshTool;
      store.edit('add obstacles', (/** @type {any} */ draft) => {
        draft.obstacles.push({ id: 1, area: 0, moving: null, shape: { kind: 'box', min: [1, -0.5, 1], max: [1.5, 1, 1.5] } },
          { id: 2, area: 0, moving: null, shape: { kind: 'box', min: [13.5, -0.5, -0.5], max: [14.5, 2.2, 12.5] } });
        draft.places.path = { ...draft.places.path, level: draft.level.name, start: [1, 0, 4], end: [15.4, 0, 4] };
      });
      store.commit();
      store.setView({ tool: 'path' });
    });
    const why = page.getByRole('list', { name: 'Why' });
    await why.getByText('Box 2 is in the way.').waitFor();
    await page.evaluate("walkmeshTool.panels.openSection('problems')");
    await tool.until("app.problems.list.some(({ note }) => note === 'obstacle')");
    const list = page.getByRole('list', { name: 'Problems' });
    await list.getByRole('button', { name: /obstacle/ }).click();
    await list.getByText('Cut off by an obstacle: Box 2 is in the way.').waitFor();
    await label.getByText('by an obstacle: Box 2 is in the way.').waitFor();
    assert.equal(await list.getByRole('button', { name: /Add a connection|Remove up to/ }).count(), 0);
    await page.locator('.pin-label').getByRole('button', { name: 'Select it' }).click();
    assert.deepEqual(await tool.read('app.edits.selection'), { kind: 'obstacle', id: 2 });
    await page.evaluate("walkmeshTool.store.setView({ tool: 'path' })");
    await why.getByRole('button', { name: 'Remove Box 2' }).click();
    await tool.until("app.tools.get('path').result?.path.status === 'complete'");
    assert.deepEqual(await tool.read('app.store.state.document.obstacles.map(({ id }) => id)'), [1]);
    await page.evaluate("walkmeshTool.store.undo(); walkmeshTool.store.undo(); walkmeshTool.panels.openSection('config'); walkmeshTool.store.setView({ tool: 'inspect' })");
    await tool.until("app.store.state.document.obstacles.length === 0 && app.store.state.session.bake.state === 'done'");
    await tool.ready();
  });

  await context.test('a path much longer than the straight line is explained: an obstacle that it goes around', async () => {
    await page.evaluate(() => {
      const { store } = /** @type {any} */ (window).walkmeshTool;
      store.edit('add an obstacle', (/** @type {any} */ draft) => {
        draft.obstacles.push({ id: 1, area: 0, moving: null, shape: { kind: 'box', min: [13.7, -0.5, -0.5], max: [14.1, 2.2, 10] } });
        draft.places.path = { ...draft.places.path, level: draft.level.name, start: [13, 0, 2], end: [15, 0, 2] };
      });
      store.commit();
      store.setView({ tool: 'path' });
    });
    const why = page.getByRole('list', { name: 'Why so long' });
    await why.getByText('Box 1 is in the way.').waitFor();
    await why.getByRole('button', { name: 'Remove Box 1' }).click();
    await why.waitFor({ state: 'detached' });
    await page.evaluate("walkmeshTool.store.undo(); walkmeshTool.store.undo(); walkmeshTool.store.setView({ tool: 'inspect' })");
    await tool.until("app.store.state.document.obstacles.length === 0 && app.store.state.session.bake.state === 'done'");
    await tool.ready();
  });

  await context.test('a step refused by the radius of a ledge beside it offers higher steps first, and they make it walkable', async () => {
    await look(STEP);
    await label.getByText(/^Not walkable Too close to a ledge: 0\.48\sm drop .* away, agent radius 0\.4\sm, max step height 0\.4\sm\./).waitFor();
    assert.equal(await mends.getByRole('button').first().innerText(), 'Allow steps of 0.5 m');
    await mends.getByRole('button').first().click();
    await label.getByText('Walkable', { exact: true }).waitFor();
    assert.equal(await config('agentMaxClimb'), 0.5);
  });

  await context.test('undo says what was undone, with a button that redoes it', async () => {
    await page.locator('.view canvas').focus();
    await page.keyboard.press('Control+z');
    await notice('Undone: steps of 0.5 m allowed').waitFor();
    assert.equal(await config('agentMaxClimb'), 0.4);
    await page.locator('.notice').getByRole('button', { name: 'Redo' }).click();
    await notice('Redone: steps of 0.5 m allowed').waitFor();
    assert.equal(await config('agentMaxClimb'), 0.5);
    await page.locator('.view canvas').focus();
    await page.keyboard.press('Control+z');
    await tool.ready();
    // A click of the path tool is no step: undo takes back what was done before it.
    await page.evaluate("walkmeshTool.store.setView({ tool: 'path' })");
    await tool.rest();
    await tool.read("app.store.edit('add note', (draft) => { draft.extra.note = 1; })");
    const { width, height } = /** @type {{ width: number, height: number }} */ (await page.locator('.view canvas').boundingBox());
    const placesOf = () => tool.read('app.tools.get("path").places');
    const places = await placesOf();
    await page.locator('.view canvas').click({ position: { x: width / 2, y: height / 2 } });
    await tool.rest();
    const moved = await placesOf();
    assert.notDeepEqual(moved, places);
    await page.keyboard.press('Control+z');
    await notice('Undone: note added').waitFor();
    assert.deepEqual(await placesOf(), moved);
  });

  await context.test('ceilings and undersides are neither counted nor drawn as too steep', async () => {
    await page.evaluate("walkmeshTool.layers.set('removed-steep', { visible: true }); walkmeshTool.layers.set('removed-facesDown', { visible: true })");
    await tool.still();
    const [steep, down] = await tool.read("['removed-steep', 'removed-facesDown'].map((id) => app.layers.get(id).count)");
    // The roof's underside has 70 by 22 cells; the sides of all boxes have about 1,000.
    assert.ok(down > 1300, `${down} face down`);
    assert.ok(steep < 1400, `${steep} are too steep`);
    await page.getByRole('button', { name: 'Why not', exact: true }).click();
    await tool.rest();
    assert.equal(await tool.read("app.layers.setting('removed-facesDown').visible"), false, 'hidden by default');
    assert.equal(await tool.read("app.layers.setting('removed-steep').visible"), true);
    await look([8, 2.6, 9]);
    await label.getByText(/Faces down: a ceiling or an underside\./).waitFor();
    await page.getByRole('button', { name: 'Result', exact: true }).click();
  });

  await context.test('"Suggest settings" finds risers of 0.48 m', async () => {
    await page.getByRole('button', { name: 'Suggest settings' }).click();
    await page.locator('.suggestion').getByText(/^Max step height 0\.5: the level's stairs have risers of 0\.48 m\./).waitFor();
    assert.equal(await config('agentMaxClimb'), 0.5);
    await tool.ready();
    await look(STEP);
    await label.getByText('Walkable', { exact: true }).waitFor();
  });

  await context.test('the command palette finds settings by label and unit, and focuses them', async () => {
    for (const [text, option, name] of [['max slope', /^Max slope/, 'Max slope'], ['edge tol', /^Edge tolerance/, 'Edge tolerance'], ['height tolerance cell heights', /^Height tolerance/, 'Height tolerance']]) {
      await page.locator('.view canvas').focus();
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Commands' });
      await palette.getByRole('combobox').fill(/** @type {string} */ (text));
      await palette.getByRole('option', { name: option }).first().waitFor();
      await page.keyboard.press('Enter');
      await page.waitForFunction((wanted) => document.activeElement instanceof HTMLInputElement && document.activeElement.labels?.[0]?.textContent === wanted, name);
      const [field, content] = [await page.locator(':focus').boundingBox(), await page.locator('.of-config .content').boundingBox()];
      assert.deepEqual(await page.evaluate(() => [document.documentElement, document.body].map(({ scrollTop }) => scrollTop)), [0, 0], 'only the panel scrolls');
      assert.ok(field && content && field.y >= content.y && field.y + field.height <= content.y + content.height, `${name} is scrolled into view`);
    }
    const count = await tool.read('app.panels.settings.length');
    assert.equal(count, 38, 'all fields, those of links, Auto-bake and the bounds');
  });

  await context.test('an export says its name and size, and undo after opening a mesh that equals the document leaves the edit before it', async () => {
    await page.locator('.view canvas').focus();
    await page.evaluate("walkmeshTool.store.edit('change max slope', (draft) => { draft.config.agentMaxSlope = 44; })");
    await tool.ready();
    await page.waitForFunction('walkmeshTool.bakes.current.config.agentMaxSlope === 44');
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+e')]);
    const bytes = readFileSync(await download.path());
    await notice('Exported flight.walkmesh').waitFor();
    await notice(`${Number((bytes.length / 1e3).toPrecision(3))} kB.`).waitFor();
    const mesh = join(folder, 'flight.walkmesh');
    writeFileSync(mesh, bytes);
    await openFiles(page, [mesh]);
    await notice('Opened flight.walkmesh').waitFor();
    await page.locator('.view canvas').focus();
    await page.keyboard.press('Control+z');
    await notice('Undone: flight.walkmesh opened').waitFor();
    assert.equal(await config('agentMaxSlope'), 44, 'the edit before it stays');
  });

  await context.test("the pin's answer is seen beside the tools, not behind them", async () => {
    // From near above, the ground fills the view; the point lies at the right edge of the tools.
    const point = await page.evaluate(() => {
      const { viewport, picking } = /** @type {any} */ (window).walkmeshTool;
      viewport.camera.position.set(8, 7, 6.01);
      viewport.controls.target.set(8, 0, 6);
      viewport.controls.update();
      viewport.drawNow();
      const { right, top } = /** @type {Element} */ (document.querySelector('.rail')).getBoundingClientRect();
      return picking.level({ clientX: right + 2, clientY: top + 200 })?.point;
    });
    assert.ok(point, 'there is ground beside the tools');
    await look(point);
    await tool.drawn();
    await label.waitFor();
    const [answer, rail] = [await label.boundingBox(), await page.locator('.rail').boundingBox()];
    assert.ok(answer && rail && answer.x >= rail.x + rail.width, `${JSON.stringify(answer)} beside ${JSON.stringify(rail)}`);
  });

  await context.test('a setting that was made for a level and stays for the next one is named, with the default in reach', async () => {
    await page.evaluate((config) => /** @type {any} */ (window).walkmeshTool.store.edit('settings', (/** @type {any} */ draft) => { draft.config = { ...config, agentMaxClimb: 0.6 }; }), defaultToolConfig());
    await page.getByRole('combobox', { name: 'Level' }).selectOption({ label: 'Stairs' });
    await notice('Max step height 0.6 m is kept').waitFor();
    await tool.until("app.levels.current.name === 'Stairs'");
    await tool.ready();
    await page.locator('.notice').getByRole('button', { name: "Use this level's default" }).click();
    assert.equal(await config('agentMaxClimb'), 0.4);
    await page.getByRole('combobox', { name: 'Level' }).selectOption({ label: 'Plaza' });
    await tool.until("app.levels.current.name === 'Plaza'");
    assert.equal(await page.locator('.notice').getByText('kept').count(), 0, 'nothing is left of it');
    await page.evaluate(() => /** @type {any} */ (window).walkmeshTool.store.edit('settings', (/** @type {any} */ draft) => { Object.assign(draft.config, { agentMaxClimb: 0.6, agentMaxSlope: 50 }); }));
    await page.getByRole('combobox', { name: 'Level' }).selectOption({ label: 'Stairs' });
    await notice('Max step height 0.6 m and max slope 50° are kept').waitFor();
    await page.locator('.notice').getByRole('button', { name: "Use this level's defaults" }).click();
    assert.deepEqual([await config('agentMaxClimb'), await config('agentMaxSlope')], [0.4, 45]);
  });
}));
