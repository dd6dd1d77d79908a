// What the level tool says of the whole level: before and after a bake, the list of problems, doors in passages, orders of a crowd.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeBoxes, makeRooms, toObj } from '../js/rooms.js';
import { makeFolder } from '../js/support.js';
import { withTool } from './tool.js';

const folder = makeFolder({ after });
const VIEW = { theme: 'light', panels: { left: true, right: true }, camera: { position: [10.2, 24, 13], target: [10.2, 0, 5] } };
const CONFIG = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.6, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 48, minRegionSize: 2 };
const OPTIONS = { view: VIEW, config: CONFIG, size: { width: 1280, height: 800 }, milliseconds: 120_000 };

/** Opens a level from a file. @param {import('playwright-core').Page} page @param {import('./tool.js').Tool} tool @param {any} level @param {string} name */
async function open(page, tool, level, name) {
  const file = join(folder, name);
  writeFileSync(file, toObj(level));
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open file' }).click();
  await (await chooser).setFiles([file]);
  await tool.until(`app.levels.current?.name === '${name}' && app.bakes.current && app.store.state.session.bake.state === 'done'`);
  await tool.ready();
  await tool.until('app.problems.isComplete');
  await page.evaluate("window.walkmeshTool.panels.openSection('problems')");
  await page.evaluate((camera) => {
    const { viewport } = window.walkmeshTool;
    viewport.camera.position.fromArray(camera.position);
    viewport.controls.target.fromArray(camera.target);
    viewport.controls.update();
  }, VIEW.camera);
  await tool.drawn();
}

/** Changes the configuration and waits for the bake. */
async function change(page, tool, label, fields) {
  await page.evaluate(([step, patch]) => {
    const { store } = window.walkmeshTool;
    store.edit(step, ({ config }) => { Object.assign(config, patch); });
    store.commit();
  }, [label, fields]);
  await tool.until(`Object.entries(${JSON.stringify(fields)}).every(([name, value]) => app.bakes.current.config[name] === value) && app.store.state.session.bake.state === 'done'`);
  await tool.ready();
}

test('before and after stays for good: it goes when it is dismissed, with another view, and with an undo', () => withTool(OPTIONS, async (page, tool) => {
  await open(page, tool, makeRooms([[4, 5.1]]), 'rooms.obj');
  const card = page.getByRole('group', { name: 'Before and after' });
  assert.equal(await card.count(), 0, 'the first bake of a level has nothing before it');
  await change(page, tool, 'allow a radius of 0.2 m', { agentRadius: 0.2 });
  await card.waitFor();
  const shown = await tool.read('app.comparison.current');
  assert.ok(shown.gained > 10 && shown.lost < 0.5, JSON.stringify(shown));
  assert.equal(shown.counts.polygons[1], await tool.read('app.bakes.current.navMesh.totals.polygons'));
  // The passage joins the rooms.
  const { islands: [islandsBefore, islands] } = shown.counts;
  assert.equal(islandsBefore - islands, 1);
  const text = await card.innerText();
  assert.ok(text.includes(`+${shown.gained.toLocaleString('en', { maximumFractionDigits: 1 })} m² added`) && text.includes(`${islandsBefore} → ${islands} island`) && text.includes('after “allow a radius of 0.2 m”'), text);
  const groups = await tool.read("app.viewport.scene.getObjectByName('before and after').children.map(({ visible, geometry }) => visible && geometry.getAttribute('position').count)");
  assert.ok(groups[0] > 30, `${groups}`);
  const isGone = async (/** @type {string} */ why) => {
    await tool.drawn();
    assert.equal(await card.count(), 0, why);
    assert.equal(await tool.read("app.viewport.scene.getObjectByName('before and after').visible"), false, why);
  };
  // Undo goes back to the settings before: there is nothing new to see.
  await page.evaluate('walkmeshTool.store.undo()');
  await tool.until("app.bakes.current.config.agentRadius === 0.6 && app.store.state.session.bake.state === 'done'");
  await tool.still();
  await isGone('a bake with the settings before');
  // A third radius is compared with the last mesh.
  await change(page, tool, 'allow a radius of 0.3 m', { agentRadius: 0.3 });
  await card.getByText('allow a radius of 0.3 m').waitFor();
  const less = await tool.read('app.comparison.current');
  assert.ok(less.gained > 5 && less.gained < shown.gained, JSON.stringify([shown, less]));
  // A larger radius removes, in the other colour.
  await change(page, tool, 'radius of 0.5 m', { agentRadius: 0.5 });
  await card.getByText('radius of 0.5 m').waitFor();
  const lost = await tool.read('app.comparison.current');
  assert.ok(lost.lost > 2 && lost.gained < 0.5, JSON.stringify(lost));
  await page.evaluate("walkmeshTool.layers.set('navMesh', { opacity: 0.5 })");
  await tool.drawn();
  assert.equal(await card.count(), 1, 'single layers change beside it');
  await page.getByRole('group', { name: 'Views' }).getByRole('button', { name: 'Graph', exact: true }).click();
  await isGone('another view');
  await page.getByRole('group', { name: 'Views' }).getByRole('button', { name: 'Result', exact: true }).click();
  await change(page, tool, 'radius of 0.25 m', { agentRadius: 0.25 });
  await card.getByText('radius of 0.25 m').waitFor();
  await page.getByRole('button', { name: 'Dismiss before and after' }).click();
  await isGone('dismissed');
  // A change back to the settings before, other than by undo, is a change as any other.
  await change(page, tool, 'radius of 0.5 m again', { agentRadius: 0.5 });
  await card.getByText('radius of 0.5 m again').waitFor();
  // Another level has nothing before it.
  await open(page, tool, makeRooms([[2, 8]]), 'open.obj');
  assert.equal(await card.count(), 0);
  await tool.still();
  await tool.assertStill();
}));

test('problems: the list names a passage too narrow, flies there, and its cause at the pin opens it', () => withTool(OPTIONS, async (page, tool) => {
  await open(page, tool, makeRooms([[4, 5.1]]), 'rooms.obj');
  const list = page.getByRole('list', { name: 'Problems' });
  await list.getByText('Passage too narrow: 1.1 m wide').waitFor();
  await page.getByRole('button', { name: /^Problems · \d/ }).waitFor();
  const before = await tool.read('app.viewport.controls.target.toArray()');
  await page.locator('canvas').focus();
  await page.keyboard.press('F8');
  await tool.drawn();
  const target = await tool.read('app.viewport.controls.target.toArray()');
  assert.ok(Math.hypot(...target.map((value, i) => value - before[i])) > 0.1, `${target}`);
  // The passage is in the middle third of the view.
  const [{ x, y }, box] = [await tool.place([10.2, 0, 4.55]), await page.locator('.view canvas').boundingBox()];
  assert.ok(Math.abs((x - box.x) / box.width - 0.5) < 1 / 6 && Math.abs((y - box.y) / box.height - 0.5) < 1 / 6, JSON.stringify([x, y, box]));
  // The action stays in the list when another tool is chosen.
  const row = list.getByRole('button', { name: /^Allow radius 0\.[24] m$/ });
  await row.waitFor();
  await page.keyboard.press('p');
  await tool.rest();
  assert.equal(await row.count(), 1);
  await list.getByText('Passage too narrow: 1.1 m wide').click();
  const mends = page.locator('.pin-label').getByRole('group', { name: 'Make it walkable' });
  await mends.getByRole('button', { name: /^Allow radius 0\.[24] m$/ }).click();
  await tool.until("app.bakes.current.config.agentRadius < 0.6 && app.store.state.session.bake.state === 'done' && app.problems.isComplete");
  await page.getByText('No problems found.').waitFor();
  assert.equal(await tool.read("app.bakes.current.navMesh.findPath([3, 0, 5], [17, 0, 5]).status"), 'complete');
}));

test('problems: a place in a closed room is shown by looking inside, until another place is shown', () => withTool(OPTIONS, async (page, tool) => {
  const { positions, indices } = makeRooms([[4, 5.1]]), walls = makeBoxes([[[0, 0, 0], [20.4, 3, 0.3]], [[0, 0, 9.7], [20.4, 3, 10]], [[0, 0, 0], [0.3, 3, 10]], [[20.1, 0, 0], [20.4, 3, 10]], [[0, 3, 0], [20.4, 3.2, 10]]]);
  const count = positions.length / 3;
  await open(page, tool, { positions: [...positions, ...walls.positions], indices: [...indices, ...Array.from(walls.indices, (index) => index + count)] }, 'house.obj');
  await tool.until("app.problems.list.some(({ title }) => /narrow/i.test(title))");
  const clip = () => tool.read('app.store.state.view.clip');
  const show = (/** @type {string} */ find) => tool.read(`app.problems.show(${find})`);
  assert.equal(await clip(), null);
  await show("app.problems.list.find(({ title }) => /narrow/i.test(title))");
  await tool.rest();
  assert.ok(Math.abs(await clip() - 1.9) < 0.15, `${await clip()}`);
  await page.locator('.notice').getByRole('button', { name: 'Show all' }).waitFor();
  // The roof needs no look inside.
  await show("{ key: 'roof', point: [5, 3.2, 5] }");
  await tool.rest();
  assert.equal(await clip(), null);
}));

test('problems: islands, dead connections and doors that close nothing are stepped through and mended', () => withTool({
  ...OPTIONS, config: { ...CONFIG, agentRadius: 0.4 }, view: { ...VIEW, tool: 'doors' } }, async (page, tool) => {
  const level = makeBoxes([[[0, -0.5, 0], [20.4, 0, 10]], [[10, 0, 0], [10.4, 3, 4]], [[10, 0, 5.6], [10.4, 3, 10]], [[14, 0, 2], [17, 1.7, 5]], [[13, 0, 6], [18, 12, 6.3]]]);
  await open(page, tool, level, 'house.obj');
  await page.evaluate(() => {
    window.walkmeshTool.store.edit('place', (document) => {
      document.connections.push({ id: 1, start: [5, 0, 5], end: [5, 0, 12], radius: 0.6, bidirectional: true, enabled: true, area: 0 });
      document.doors.push({ id: 1, name: 'Gate', open: true, shape: { kind: 'box', min: [9.8, 3, 6], max: [10.6, 4.5, 8] } });
    });
  });
  const list = page.getByRole('list', { name: 'Problems' });
  await list.getByText('Gate closes nothing').waitFor();
  const titles = (await list.getByRole('button').allInnerTexts()).map((text) => text.split('\n')[0]);
  assert.deepEqual(titles.map((title) => title.replace(/[\d.]+ m²/, '# m²')), ["Connection 1 is dead: its end isn't on the mesh", 'Gate closes nothing', 'Unreachable island: # m²']);
  await page.locator('canvas').focus();
  await page.keyboard.press('F8');
  await page.keyboard.press('F8');
  await tool.rest();
  assert.deepEqual(await tool.read('app.edits.selection'), { kind: 'door', id: 1 });
  assert.equal(await tool.read('app.store.state.view.tool'), 'doors');
  await list.getByRole('button', { name: 'Fit into passage' }).click();
  await list.getByText('Gate closes nothing').waitFor({ state: 'detached' });
  const { min, max } = await tool.read('app.store.state.document.doors[0].shape');
  assert.ok(Math.abs(min[2] - 3.9) < 0.06 && Math.abs(max[2] - 5.7) < 0.06, `${min} ${max}`);
  await tool.until('app.problems.isComplete');
  await page.getByRole('button', { name: 'Next problem' }).click();
  await tool.rest();
  const now = await tool.read('[app.problems.shown, ...app.problems.list.map(({ key }) => key)]');
  assert.deepEqual(await tool.read('app.edits.selection'), { kind: 'connection', id: 1 }, `${now}`);
  await list.getByRole('button', { name: 'Move onto the mesh' }).click();
  await list.getByText('Connection 1 is dead').waitFor({ state: 'detached' });
  assert.ok(await tool.read('(() => { const { navMesh } = app.bakes.current; return navMesh.connection(app.edits.live.connectionRef(1)).endTied; })()'));
  await page.locator('canvas').focus();
  await page.keyboard.press('Shift+F8');
  await tool.drawn();
  const point = await tool.read("app.tools.get('inspect').inspector.current.point");
  assert.ok(Math.abs(point[0] - 15.5) < 1.5 && Math.abs(point[1] - 1.7) < 0.3, `${point}`);
  // The wall beside it would hide it: the camera looks from another side.
  const at = await tool.place(point);
  const seen = await tool.read(`app.picking.level({ clientX: ${at.x}, clientY: ${at.y - 3} }).point`);
  assert.ok(Math.hypot(...point.map((/** @type {number} */ value, /** @type {number} */ axis) => value - seen[axis])) < 1.5, `${point} is hidden by ${seen}`);
  // A climb joins it, as the path tool says, or a connection at the place that the panel found.
  await page.locator('.pin-label').getByText('Cut off by a drop: 1.7 m above the ground beside it. A climb would lead there, or a connection.').waitFor();
  await list.getByRole('button', { name: 'Allow this climb' }).waitFor();
  await list.getByRole('button', { name: 'Add a connection here' }).click();
  await list.getByText('Unreachable island').waitFor({ state: 'detached' });
  assert.equal(await tool.read('app.bakes.current.navMesh.findPath([12, 0, 8], [15.5, 1.7, 3.5]).status'), 'complete');
}));

test('doors: a click on the top of a wall fits the door into the passage beside it; in the open the tool says that there is none', () => withTool({
  ...OPTIONS, view: { ...VIEW, tool: 'doors' } }, async (page, tool) => {
  await open(page, tool, makeRooms([[4, 5.6]]), 'wall.obj');
  await tool.click([10.2, 3, 3.3]);
  const { min, max } = await tool.read('app.store.state.document.doors[0].shape');
  assert.ok(Math.abs(min[2] - 3.9) < 0.06 && Math.abs(max[2] - 5.7) < 0.06 && min[1] < 0, `${min} ${max}`);
  await tool.still();
  const panel = page.getByRole('complementary', { name: 'Layers and tool' });
  await panel.getByText(/^Closes \d+ polygons?\.$/).waitFor();
  await page.getByRole('group', { name: 'Open', exact: true }).locator('wa-switch', { hasText: 'Door 1' }).click();
  await tool.rest();
  assert.equal(await tool.read('app.bakes.current.navMesh.findPath([3, 0, 5], [17, 0, 5]).status'), 'unreachable');
  await tool.click([5.5, 0, 5]);
  await page.getByText('No passage here').waitFor();
  await tool.still();
  await panel.getByText('This door can be walked around.').waitFor();
  // The room behind the closed door: no setting and no connection is asked for.
  const list = page.getByRole('list', { name: 'Problems' });
  await list.getByRole('button', { name: /^Unreachable island/ }).click();
  await list.getByText('A closed door cuts it off.').waitFor();
}));

test('crowd: orders in the panel: agents wander, patrol between clicked points, and rally', () => withTool({
  ...OPTIONS, view: { ...VIEW, tool: 'crowd' } }, async (page, tool) => {
  await open(page, tool, makeRooms([[3, 7]]), 'hall.obj');
  const look = (expression) => tool.read(`(({ simulation }) => { const { crowd } = simulation; return ${expression}; })(app.tools.get('crowd'))`);
  const run = (steps) => look(`{ done: (() => { for (let i = 0; i < ${steps}; i++) simulation.advance(1 / 60); return true; })() }`);
  for (const at of [[6, 0, 3], [7, 0, 7], [6, 0, 7]]) await tool.click(at);
  await page.getByRole('button', { name: 'Send' }).click();
  const order = page.getByRole('group', { name: 'Order' });
  await order.getByRole('button', { name: 'Wander' }).click();
  await tool.rest();
  assert.equal(await look('simulation.routines.count'), 3);
  assert.ok(await look("[...crowd.agents].every((agent) => crowd.info(agent).hasTarget)"));
  await order.getByRole('button', { name: 'Patrol' }).click();
  await tool.click([6, 0, 2]);
  assert.equal(await look("simulation.routines.of(crowd.agents[0]).kind"), 'wander', 'one point is no patrol');
  await tool.click([16, 0, 8]);
  assert.deepEqual(await look('[...crowd.agents].map((agent) => simulation.routines.of(agent).points.length)'), [2, 2, 2]);
  await page.getByRole('button', { name: 'New route (2 points now)' }).waitFor();
  let [near, far] = [false, false];
  for (let round = 0; round < 40 && !(near && far); round++) {
    await run(30);
    const [x, , z] = await look('crowd.position(crowd.agents[0])');
    near ||= Math.hypot(x - 6, z - 2) < 1.5;
    far ||= Math.hypot(x - 16, z - 8) < 1.5;
  }
  assert.ok(near && far, 'it walks to both points');
  await order.getByRole('button', { name: 'Rally' }).click();
  await tool.click([16, 0, 3]);
  await tool.rest();
  assert.equal(await look('simulation.routines.count'), 0);
  await run(900);
  const places = await look('[...crowd.positions]');
  for (let i = 0; i < 9; i += 3) assert.ok(Math.hypot(places[i] - 16, places[i + 2] - 3) < 2, `${places}`);
}));
