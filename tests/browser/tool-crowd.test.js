// The crowd of the level tool, with mouse and keyboard: agents are added, selected, sent, at rest, and on a mesh that is baked again.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeFolder } from '../js/support.js';
import { withTool } from './tool.js';

const folder = makeFolder({ after });

/** @param {import('./tool.js').Tool} tool @param {string} expression on simulation and its crowd */
const look = (tool, expression) => tool.read(`(({ simulation }) => { const { crowd } = simulation; return ${expression}; })(app.tools.get('crowd'))`);

/**
 * Waits until all agents rest and the last changes are drawn.
 * @param {import('playwright-core').Page} page @param {import('./tool.js').Tool} tool
 */
async function settle(page, tool) {
  await page.waitForFunction('!window.walkmeshTool.tools.get("crowd").simulation.isAwake');
  await tool.rest();
}

/** Runs steps without frames: drawing in software is slow. @param {import('./tool.js').Tool} tool @param {number} steps */
const run = (tool, steps) => look(tool, `{ isDone: (() => { for (let i = 0; i < ${steps} && simulation.isAwake; i++) simulation.advance(1 / 60); return true; })() }`);

const SMALL = { width: 780, height: 560 };
const OPEN = { panels: { left: false, right: true } };

test('crowd: added by clicks, selected by a click and a box, sent, at rest without frames', () => withTool({
  view: { tool: 'crowd', ...OPEN }, size: SMALL, milliseconds: 120_000 }, async (page, tool) => {
  const spots = [[8, 0, 22], [10, 0, 24], [22, 0, 30]];
  for (const spot of spots) await tool.click(spot);
  assert.equal(await look(tool, 'simulation.count'), 3);
  assert.equal(await page.getByLabel('Agents', { exact: true }).textContent(), '3');
  const places = await look(tool, '[...crowd.positions]');
  spots.forEach(([x, , z], i) => assert.ok(Math.hypot(places[3 * i] - x, places[3 * i + 2] - z) < 0.3, `${places} ${spots}`));
  await settle(page, tool);

  // While all agents rest no frame is drawn.
  await tool.still();
  await tool.assertStill();

  // A click selects one agent, a box two, a key all.
  await page.keyboard.press('2');
  const heads = await Promise.all([0, 1, 2].map((i) => tool.place([places[3 * i], places[3 * i + 1] + 0.9, places[3 * i + 2]])));
  await page.mouse.click(heads[2].x, heads[2].y);
  assert.deepEqual(await look(tool, '[...simulation.selected].map((agent) => crowd.indexOf(agent))'), [2]);
  const camera = await tool.read('app.viewport.camera.position.toArray()');
  const [left, right] = [Math.min(heads[0].x, heads[1].x) - 12, Math.max(heads[0].x, heads[1].x) + 12];
  const [top, bottom] = [Math.min(heads[0].y, heads[1].y) - 12, Math.max(heads[0].y, heads[1].y) + 12];
  await tool.dragOnPage({ x: left, y: top }, { x: right, y: bottom });
  assert.deepEqual((await look(tool, '[...simulation.selected].map((agent) => crowd.indexOf(agent))')).sort(), [0, 1]);
  assert.deepEqual(await tool.read('app.viewport.camera.position.toArray()'), camera, 'the camera has not moved');
  assert.equal(await page.getByLabel('Selected agents').textContent(), '2');

  // The selected agents walk to the clicked point, the other one stays.
  await page.keyboard.press('3');
  await tool.click([20, 0, 28]);
  assert.ok(await look(tool, 'simulation.isAwake'));
  await page.waitForFunction(([x, z]) => {
    const { simulation: { crowd } } = window.walkmeshTool.tools.get('crowd');
    return Math.hypot(crowd.positions[0] - x, crowd.positions[2] - z) > 0.5;
  }, [places[0], places[2]]);
  const [lit, corridors] = await look(tool, `[app.viewport.overlay.getObjectByName('corridors').count,
    new Set([...simulation.selected].flatMap((agent) => [...crowd.corridor(agent)])).size]`);
  assert.ok(lit > 0 && lit === corridors, `${lit} polygons are lit, the corridors have ${corridors}`);
  await run(tool, 1200);
  await settle(page, tool);
  const after = await look(tool, '[...crowd.positions]');
  for (const i of [0, 1]) assert.ok(Math.hypot(after[3 * i] - 20, after[3 * i + 2] - 28) < 1.2, `${after}`);
  assert.ok(Math.hypot(after[6] - places[6], after[8] - places[8]) < 0.5);
  assert.deepEqual((await look(tool, 'simulation.countStates()')).map(({ state }) => state), ['no-target', 'arrived', 'crowded']);
  await page.getByRole('list', { name: 'Agents by state' }).getByText('arrived').waitFor();

  // The keys Delete, Escape, A.
  await page.keyboard.press('Delete');
  assert.equal(await look(tool, 'simulation.count'), 1);
  await page.keyboard.press('a');
  assert.equal(await look(tool, 'simulation.selected.size'), 1);
  await page.keyboard.press('Escape');
  assert.equal(await look(tool, 'simulation.selected.size'), 0);
}));

test('crowd: undo takes back a setting instead of the agents that were added or deleted last', () => withTool({
  view: { tool: 'crowd', ...OPEN }, size: SMALL }, async (page, tool) => {
  const count = () => look(tool, 'simulation.count');
  await page.getByRole('combobox', { name: 'Agents per click' }).selectOption('10');
  await tool.click([8, 0, 22]);
  await tool.click([22, 0, 30]);
  assert.equal(await count(), 20);
  const places = await look(tool, '[...crowd.positions]');
  const last = async (/** @type {string} */ key, /** @type {string} */ words) => {
    await page.locator('canvas').first().focus();
    await page.keyboard.press(key);
    await page.locator('.notice').getByText(words, { exact: true }).waitFor();
  };
  await last('Control+z', 'Undone: 10 agents added');
  assert.equal(await count(), 10);
  await last('Control+Shift+z', 'Redone: 10 agents added');
  assert.equal(await count(), 20);
  const again = await look(tool, '[...crowd.positions]');
  assert.ok(places.every((/** @type {number} */ value, /** @type {number} */ i) => Math.abs(value - again[i]) < 1), `${places} ${again}`);
  // Deleted ones come back as they were, also after another bake.
  await look(tool, 'simulation.send([20, 0, 28])');
  await page.getByRole('button', { name: 'Delete all' }).click();
  assert.equal(await count(), 0);
  await page.getByRole('button', { name: 'Bake', exact: true }).click();
  await tool.ready();
  await last('Control+z', 'Undone: 20 agents deleted');
  assert.equal(await count(), 20);
  assert.deepEqual(await look(tool, 'simulation.targets()'), [[20, 0, 28]]);
  await page.keyboard.press('2');
  await tool.read("app.tools.get('crowd').select([app.tools.get('crowd').simulation.crowd.agents[0]], false)");
  await page.getByText('Order', { exact: true }).locator('xpath=following-sibling::dd[1]').getByText('Go', { exact: true }).waitFor();
  await last('Control+z', 'Undone: 10 agents added');
  await last('Control+z', 'Undone: 10 agents added');
  assert.equal(await count(), 0);
  await last('Control+z', 'Undone: agents per click changed');
}));

test('crowd: agents return by redo, also if another level was open in between', () => withTool({ view: { tool: 'crowd', ...OPEN }, size: SMALL }, async (page, tool) => {
  const count = () => look(tool, 'simulation.count');
  await page.getByRole('combobox', { name: 'Agents per click' }).selectOption('10');
  await tool.click([8, 0, 22]);
  assert.equal(await count(), 10);
  await page.evaluate("walkmeshTool.levels.openScene('stairs')");
  await tool.until("app.levels.current.name === 'Stairs'");
  await tool.ready();
  assert.equal(await count(), 0);
  await page.evaluate('walkmeshTool.store.undo()');
  await tool.until("app.levels.current.name === 'Plaza'");
  await tool.ready();
  assert.equal(await tool.read('app.store.undoLabel'), 'add 10 agents');
  await page.evaluate('walkmeshTool.store.undo()');
  assert.equal(await count(), 0);
  await page.evaluate('walkmeshTool.store.redo()');
  assert.equal(await count(), 10);
  await page.evaluate('walkmeshTool.store.undo()');
  assert.equal(await count(), 0);
}));

test('crowd: hundreds with a brush and anywhere; paused, stepped, changed, reset; kept by another bake', () => withTool({
  view: { tool: 'crowd', ...OPEN }, size: SMALL, milliseconds: 120_000 }, async (page, tool) => {
  await page.getByLabel('Agents per click').selectOption('10');
  await page.getByLabel('Brush radius').fill('3');
  await page.getByLabel('Brush radius').press('Enter');
  await tool.click([10, 0, 24]);
  assert.equal(await look(tool, 'simulation.count'), 10);
  const around = await look(tool, '[...crowd.positions]');
  for (let i = 0; i < 30; i += 3) assert.ok(Math.hypot(around[i] - 10, around[i + 2] - 24) < 3.3, `${around[i]} ${around[i + 2]}`);
  await page.getByRole('button', { name: 'Add 100 anywhere' }).click();
  assert.equal(await look(tool, 'simulation.count'), 110);

  await page.locator('canvas').focus();
  await page.keyboard.press(' ');
  assert.equal(await look(tool, 'simulation.isPaused'), true);
  const steps = await look(tool, 'simulation.steps');
  await page.keyboard.press('.');
  assert.equal(await look(tool, 'simulation.steps'), steps + 1);
  await page.getByRole('button', { name: 'Send' }).click();
  await tool.click([22, 0, 30]);
  assert.equal(await look(tool, 'simulation.steps'), steps + 1, 'paused: sent, but not on the way');
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.waitForFunction((from) => window.walkmeshTool.tools.get('crowd').simulation.steps > from + 8, steps);
  await page.getByLabel('Median step').getByText('ms').waitFor();

  // Parameters apply to all agents.
  await page.getByLabel('Speed', { exact: true }).fill('2');
  await page.getByLabel('Speed', { exact: true }).press('Enter');
  await tool.rest();
  assert.deepEqual(await look(tool, '[...new Set(Array.from(crowd.agents, (agent) => crowd.parameters(agent).maxSpeed))]'), [2]);

  // After another bake all agents keep their positions and continue to the same goal.
  await page.locator('canvas').focus();
  await page.keyboard.press(' ');
  const before = await look(tool, '({ places: [...crowd.positions], targets: simulation.targets() })');
  const version = await tool.read('app.bakes.current.report.milliseconds');
  await page.evaluate(() => { window.before = window.walkmeshTool.bakes.current.navMesh; });
  await page.keyboard.press('b');
  await page.waitForFunction('window.walkmeshTool.bakes.current.navMesh !== window.before && window.walkmeshTool.store.state.session.bake.state === "done"');
  assert.ok(version > 0);
  const again = await look(tool, '({ places: [...crowd.positions], targets: simulation.targets(), states: simulation.countStates() })');
  assert.deepEqual(again.targets, before.targets);
  again.places.forEach((part, i) => assert.ok(Math.abs(part - before.places[i]) < 0.05, `${i}: ${part} ${before.places[i]}`));
  await page.keyboard.press(' ');
  await page.waitForFunction((places) => {
    const { positions } = window.walkmeshTool.tools.get('crowd').simulation.crowd;
    return places.filter((part, i) => Math.abs(part - positions[i]) > 0.3).length > 30;
  }, before.places);

  // All agents are back at their starts.
  await page.getByRole('button', { name: 'Reset' }).click();
  await settle(page, tool);
  const reset = await look(tool, '[...crowd.positions]');
  for (let i = 0; i < 30; i += 3) assert.ok(Math.hypot(reset[i] - around[i], reset[i + 2] - around[i + 2]) < 0.8, `${i}`);
  await page.getByRole('button', { name: 'Delete all' }).click();
  assert.equal(await look(tool, 'simulation.count'), 0);
}));

test('crowd: obstacles come and go under hundreds, and nothing breaks', () => withTool({
  view: { tool: 'crowd', ...OPEN }, size: SMALL, milliseconds: 120_000 }, async (page, tool) => {
  await page.locator('canvas').focus();
  await page.keyboard.press(' ');
  for (let i = 0; i < 3; i++) await page.getByRole('button', { name: 'Add 100 anywhere' }).click();
  await page.locator('canvas').focus();
  await page.keyboard.press('3');
  await tool.click([22, 0, 30]);
  const { worst, median } = await page.evaluate(() => {
    const app = window.walkmeshTool, { dynamic } = app.bakes.current, { simulation } = app.tools.get('crowd');
    simulation.isPaused = false;
    const handles = [];
    for (let round = 0; round < 12; round++) {
      handles.push(dynamic.addObstacle({ kind: 'cylinder', base: [6 + 2 * round, 0, 24], radius: 1.5, height: 3 }));
      if (handles.length > 3) dynamic.removeObstacle(handles.shift());
      dynamic.update();
      app.events.emit('tiles', { tiles: [] });
      for (let i = 0; i < 10; i++) simulation.advance(1 / 60);
    }
    simulation.isPaused = true;
    return simulation.times.summary();
  });
  assert.ok(median > 0 && worst >= median);
  await tool.rest();
  assert.equal(await look(tool, 'simulation.count'), 300);
  const states = await look(tool, 'simulation.countStates()');
  const lost = states.find(({ state }) => state === 'off-mesh')?.count ?? 0;
  assert.ok(lost < 30, JSON.stringify(states));
}));

/** Two rooms, and a lane of 1.9 m between them. */
const LANE = [[0, 8, 0, 8], [20, 28, 0, 8], [8, 20, 3.05, 4.95]].map(([x, toX, z, toZ], i) => (
  `v ${x} 0 ${z}\nv ${x} 0 ${toZ}\nv ${toX} 0 ${toZ}\nv ${toX} 0 ${z}\nf ${[1, 2, 3, 4].map((corner) => 4 * i + corner).join(' ')}\n`)).join('');

test('crowd: in a lane the panel and the view say who waits for whom, who is blocked, and who passes', () => withTool({
  view: { tool: 'crowd', panels: { left: true, right: true } }, config: { cellSize: 0.15 }, milliseconds: 120_000 }, async (page, tool) => {
  const file = join(folder, 'lane.obj');
  writeFileSync(file, LANE);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open file' }).click();
  await (await chooser).setFiles([file]);
  await tool.until("app.levels.current?.name === 'lane.obj' && app.bakes.current && app.store.state.session.bake.state === 'done'");
  await tool.ready();
  const state = page.getByLabel('State', { exact: true }), legend = page.getByRole('list', { name: 'Agents by state' });
  /** Adds two agents, sends each to its target, and selects the second one. */
  const meet = (/** @type {number[][][]} */ ways) => page.evaluate((pairs) => {
    const crowdTool = window.walkmeshTool.tools.get('crowd'), { simulation } = crowdTool;
    crowdTool.removeAll();
    simulation.isPaused = true;
    const agents = pairs.map(([at, target]) => {
      const [agent] = simulation.add(at);
      simulation.selected = new Set([agent]);
      simulation.send(target);
      return agent;
    });
    crowdTool.select([agents[1]], false);
    return agents;
  }, ways);
  /** Steps until the state of an agent has a reason, the second one first, and selects that agent. */
  const stepTo = (/** @type {string} */ reason) => page.evaluate((wanted) => {
    const crowdTool = window.walkmeshTool.tools.get('crowd'), { simulation } = crowdTool;
    const agents = [...simulation.crowd.agents].reverse(), find = () => agents.find((agent) => simulation.crowd.reason(agent) === wanted);
    let steps = 0;
    while (find() === undefined && steps++ < 900) simulation.crowd.step(1 / 60);
    crowdTool.select([find() ?? agents[0]], false);
    return steps;
  }, reason);

  // Right of way.
  const [, second] = await meet([[[14, 0, 4], [26, 0, 6]], [[23, 0, 4], [2, 0, 4]]]);
  assert.ok(await stepTo('right-of-way') < 900);
  await legend.getByText('waiting for right of way').waitFor();
  const first = await look(tool, `crowd.info(${second}).waitsFor % 2 ** 32 + 1`);
  assert.equal(await state.textContent(), `waits for agent ${first} before a narrow passage`);
  assert.equal(await page.getByText('waits outside').count(), 1);
  await page.getByRole('button', { name: `Select agent ${first}` }).click();
  assert.equal(await state.textContent(), 'walking');
  assert.equal(await page.getByText('has the right of way').count(), 1);

  // Blocked, and passing, which the setting switches off.
  await meet([[[13.2, 0, 4], [26, 0, 4]], [[14.8, 0, 4], [2, 0, 4]]]);
  await page.getByLabel('Patience').fill('0');
  await page.getByLabel('Patience').press('Enter');
  await tool.rest();
  assert.equal(await look(tool, 'crowd.options.patience'), 0);
  assert.ok(await stepTo('blocked') < 900);
  assert.match(await state.textContent() ?? '', /^is blocked by agent \d+$/);
  await legend.getByText('blocked by other agents').waitFor();
  assert.ok(await stepTo('passing') >= 900, 'with patience 0 it never passes');
  await page.getByLabel('Patience').fill('2');
  await page.getByLabel('Patience').press('Enter');
  await tool.rest();
  assert.ok(await stepTo('passing') < 900);
  assert.equal(await state.textContent(), 'passes through others');
  await legend.getByText('passing through others').waitFor();
}));

/** A floor, and a walkway 3 above it with a ramp. */
const WALKWAY = [[[0, 0, 0], [0, 0, 30], [40, 0, 30], [40, 0, 0]], [[6, 3, 14], [6, 3, 15.6], [30, 3, 15.6], [30, 3, 14]], [[30, 3, 14], [30, 3, 15.6], [36, 0, 15.6], [36, 0, 14]]]
  .map((corners, i) => `${corners.map((corner) => `v ${corner.join(' ')}\n`).join('')}f ${[1, 2, 3, 4].map((corner) => 4 * i + corner).join(' ')}\n`).join('');

test('crowd: agents that stand below the walkway they were sent to are drawn, listed and counted as crowded, not as arrived', () => withTool({
  view: { tool: 'crowd', panels: { left: true, right: true } }, config: { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4 }, milliseconds: 120_000 }, async (page, tool) => {
  const file = join(folder, 'walkway.obj');
  writeFileSync(file, WALKWAY);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open file' }).click();
  await (await chooser).setFiles([file]);
  await tool.until("app.levels.current?.name === 'walkway.obj' && app.bakes.current && app.store.state.session.bake.state === 'done'");
  await tool.ready();
  const counts = await page.evaluate(() => {
    const crowdTool = window.walkmeshTool.tools.get('crowd'), { simulation } = crowdTool;
    simulation.add(Float32Array.from({ length: 240 }, (_, i) => [5 + Math.floor(i / 3) % 10, 0, 5 + Math.floor(i / 30)][i % 3]));
    simulation.send([7.5, 3, 14.8]);
    for (let i = 0; i < 9000 && simulation.isAwake; i++) simulation.advance(1 / 60);
    simulation.isPaused = true;
    crowdTool.select([], false);
    return simulation.countStates();
  });
  const count = (state) => counts.filter((each) => each.state === state).reduce((sum, each) => sum + each.count, 0);
  assert.ok(count('arrived') >= 1 && count('arrived') < 10 && count('crowded') > 20, JSON.stringify(counts));
  const legend = page.getByRole('list', { name: 'Agents by state' });
  const row = legend.getByRole('listitem').filter({ hasText: /^\s*crowded/ });
  assert.equal((await row.innerText()).replaceAll(/\s+/g, ' ').trim(), `crowded ${count('crowded')}`);
  const swatch = (text) => legend.getByRole('listitem').filter({ hasText: text }).locator('i').evaluate((element) => getComputedStyle(element).backgroundColor.match(/\d+/g).map(Number));
  const [green, other] = [await swatch(/^\s*arrived/), await swatch(/^\s*crowded/)];
  assert.ok(Math.hypot(...green.map((value, i) => value - other[i])) > 80, `${green} ${other}`);
  // The bodies below the walkway have the colour of the legend.
  const [same, below] = await page.evaluate((rgb) => {
    const app = window.walkmeshTool, { simulation: { crowd } } = app.tools.get('crowd');
    const bodies = app.viewport.overlay.getObjectByName('crowd').getObjectsByProperty('isInstancedMesh', true).find((mesh) => mesh.count === crowd.count && mesh.instanceColor);
    const toByte = (value) => Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));
    let [matching, low] = [0, 0];
    for (let i = 0; i < crowd.count; i++) {
      if (crowd.positions[3 * i + 1] > 1 || crowd.info(crowd.agents[i]).state !== 'crowded') continue;
      low++;
      if (rgb.every((value, k) => Math.abs(value - toByte(bodies.instanceColor.array[3 * i + k])) <= 2)) matching++;
    }
    return [matching, low];
  }, other);
  assert.ok(below > 5 && same === below, `${same} of ${below}`);
}));
