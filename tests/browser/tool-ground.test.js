// The main ground in the level tool: the rooms of a closed level, or where play starts; and one numbering of islands for everything.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { YARD, makeClosedYard } from '../js/closed-yard.js';
import { toObj } from '../js/rooms.js';
import { withTool } from './tool.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./tool.js').Tool} Tool */

const CONFIG = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 48, minRegionSize: 2 };
const OPTIONS = { config: CONFIG, size: { width: 1280, height: 800 }, milliseconds: 180_000, allow: /ERR_ABORTED/ };

/** Waits for the bake, the problems and the comparison. @param {Tool} tool */
async function settle(tool) {
  await tool.until("app.levels.current?.name === 'yard.obj' && app.bakes.current && app.store.state.session.bake.state === 'done' && !app.bakes.isStale");
  await tool.ready();
  await tool.until('app.problems.isComplete');
}

/** Opens the closed level. @param {Page} page @param {Tool} tool */
async function openYard(page, tool) {
  await page.evaluate((text) => /** @type {any} */ (window).walkmeshTool.levels.openFiles([new File([text], 'yard.obj')]), toObj(makeClosedYard()));
  await settle(tool);
  await page.evaluate("walkmeshTool.panels.openSection('problems')");
  assert.equal(await tool.read('app.levels.current.isClosed'), true);
}

/** @param {Page} page @param {readonly number[]} point */
const look = (page, point) => page.evaluate((at) => {
  const { store, tools } = /** @type {any} */ (window).walkmeshTool;
  store.setView({ tool: 'inspect' });
  tools.get('inspect').inspector.look([...at]);
}, point);

/** The names of the spots on the main ground. @param {Tool} tool @returns {Promise<string[]>} */
const mainSpots = (tool) => tool.read(`Object.entries(${JSON.stringify(YARD)})
  .filter(([, point]) => app.islands.finish().of(app.bakes.current.navMesh.nearestPoint(point)?.polygon ?? 0) === 1).map(([name]) => name)`);

/** @param {Page} page @param {object} fields */
const change = (page, fields) => page.evaluate((patch) => {
  const { store } = /** @type {any} */ (window).walkmeshTool;
  store.edit('change', (/** @type {any} */ { config }) => { Object.assign(config, patch); });
  store.commit();
}, fields);

test('rooms of a closed level are hatched as unreachable: the yard around them, which is larger, counts as the main ground', () => withTool(OPTIONS, async (page, tool) => {
  await openYard(page, tool);
  assert.deepEqual(await mainSpots(tool), ['room']);
  const legend = page.getByRole('list', { name: 'Colours' });
  await legend.getByText('Unreachable from the largest ground indoors').waitFor();
  // The layer hatches the other three: their area, drawn.
  const hatched = await tool.read(`(({ object }) => {
    let sum = 0;
    object.traverse(({ geometry }) => {
      if (!geometry) return;
      const { array: p } = geometry.getAttribute('position');
      const { array: values } = geometry.getAttribute('value');
      for (let i = 0; i < p.length; i += 9) if (values[i / 3] === 1) sum += Math.abs((p[i + 3] - p[i]) * (p[i + 8] - p[i + 2]) - (p[i + 6] - p[i]) * (p[i + 5] - p[i + 2])) / 2;
    });
    return sum;
  })(app.layers.get('cutOff'))`);
  const others = await tool.read('[2, 3, 4].reduce((sum, island) => sum + app.islands.area(island), 0)');
  assert.ok(Math.abs(hatched - others) < 1 && others > 600, `${hatched} of ${others} m²`);
  await page.getByText('Islands are cut off from the largest ground indoors.').waitFor();
  const pin = page.locator('.pin-label');
  await look(page, YARD.yard);
  await pin.getByRole('button', { name: 'Play starts here' }).waitFor();
  await look(page, YARD.room);
  await pin.getByText('Walkable').waitFor();
  assert.equal(await pin.getByRole('button', { name: 'Play starts here' }).count(), 0, 'the main ground needs no choice');
  await page.getByText('Here: the largest ground indoors').waitFor();
}));

test('the main ground can not be chosen: "Play starts here" makes it so, with a flag, for undo, a reload, later bakes and until its mesh is lost', () => withTool(OPTIONS, async (page, tool) => {
  await openYard(page, tool);
  const flag = "app.viewport.overlay.getObjectByName('play start')";
  assert.equal(await tool.read(`${flag} ?? null`), null);
  const point = [26, 0.5, 10];
  await look(page, point);
  await page.locator('.pin-label').getByRole('button', { name: 'Play starts here' }).click();
  const legend = page.getByRole('list', { name: 'Colours' });
  const chosen = legend.getByText('Unreachable from the ground where play starts');
  await chosen.waitFor();
  assert.deepEqual(await mainSpots(tool), ['terrace']);
  assert.deepEqual(await tool.read(`[${flag}.visible, ${flag}.position.toArray()]`), [true, point]);
  await page.getByText('Islands are cut off from the ground where play starts.').waitFor();
  // Undo and redo.
  await page.evaluate('walkmeshTool.store.undo()');
  await legend.getByText('Unreachable from the largest ground indoors').waitFor();
  assert.equal(await tool.read(`${flag}.visible`), false);
  await page.evaluate('walkmeshTool.store.redo()');
  await chosen.waitFor();
  // A reload.
  await tool.until('!app.projects.isStoring');
  assert.equal(await tool.read('app.projects.isDirty'), true, 'it is work to save');
  await page.reload();
  await settle(tool);
  assert.deepEqual([await mainSpots(tool), await tool.read(`${flag}.position.toArray()`)], [['terrace'], point]);
  // A bake that joins the terrace to the yard: the start is followed by its place.
  await change(page, { agentMaxClimb: 0.5 });
  await settle(tool);
  assert.deepEqual(await mainSpots(tool), ['yard', 'terrace']);
  // A bake that removes the terrace.
  await change(page, { agentMaxClimb: 0.4, agentRadius: 4.2 });
  await settle(tool);
  await page.getByText("Play start isn't on the mesh").first().waitFor();
  await page.getByText('The largest ground indoors is the main ground instead.').waitFor();
  assert.deepEqual(await mainSpots(tool), ['room']);
  const list = page.getByRole('list', { name: 'Problems' });
  await page.evaluate("walkmeshTool.panels.openSection('problems')");
  await list.getByRole('button', { name: "Play start isn't on the mesh" }).waitFor();
  await change(page, { agentRadius: 0.4 });
  await settle(tool);
  assert.deepEqual(await mainSpots(tool), ['terrace'], 'the start is found again');
  // It can be removed.
  await look(page, YARD.room);
  await page.getByRole('button', { name: 'Remove play start' }).click();
  await tool.ready();
  assert.deepEqual([await mainSpots(tool), await tool.read(`${flag}.visible`)], [['room'], false]);
}));

test('a change that joins rooms says nothing of it: before and after counts what it joins, to the main ground and elsewhere', () => withTool(OPTIONS, async (page, tool) => {
  await openYard(page, tool);
  await change(page, { agentMaxClimb: 0.5 });
  await settle(tool);
  const card = page.getByRole('group', { name: 'Before and after' });
  await card.getByText('Joins 1 island to the main ground, and 2 islands to each other').waitFor();
  assert.deepEqual(await mainSpots(tool), ['room', 'chamber']);
}));

test('every part numbers the islands anew: there is one numbering for each mesh', () => withTool({ ...OPTIONS, view: { layers: { islands: { visible: true, opacity: 1 } } } }, async (page, tool) => {
  await openYard(page, tool);
  await page.evaluate(() => {
    const { bakes } = /** @type {any} */ (window).walkmeshTool;
    let prototype = Object.getPrototypeOf(bakes.current.navMesh);
    while (!Object.hasOwn(prototype, 'islands')) prototype = Object.getPrototypeOf(prototype);
    const { islands } = prototype;
    Object.assign(window, { numberings: 0 });
    prototype.islands = function count(/** @type {any[]} */ ...values) {
      /** @type {any} */ (window).numberings++;
      return islands.apply(this, values);
    };
  });
  await look(page, YARD.chamber);
  await change(page, { agentMaxClimb: 0.5 });
  await settle(tool);
  await page.getByRole('group', { name: 'Before and after' }).waitFor();
  await page.getByText('No problems found.').or(page.getByRole('list', { name: 'Problems' })).first().waitFor();
  await page.evaluate("walkmeshTool.store.setView({ tool: 'path' })");
  await tool.ready();
  assert.equal(await tool.read('window.numberings'), 1);
}));
