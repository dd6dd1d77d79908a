// Area volumes, connections and doors in the level tool, with the mouse and the keys, compared with the library's own results.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundsOf } from '../../web-demo/src/edit/shapes.js';
import { DARK, DOCUMENT, SIZE, bakeLikewise, readTiles, rebake, selected, settle } from './tool-edits.js';
import { withTool } from './tool.js';

test('a connection is drawn from point to point and switched: paths take it, and take it no more', () => withTool({ size: SIZE }, async (page, tool) => {
  // No path leads up to the canopy.
  const [ground, canopy] = [[14, 0, 20], [14, 2.8, 14]];
  const status = () => tool.read(`app.bakes.current.navMesh.findPath(${JSON.stringify(ground)}, ${JSON.stringify(canopy)}).status`);
  const back = () => tool.read(`app.bakes.current.navMesh.findPath(${JSON.stringify(canopy)}, ${JSON.stringify(ground)}).status`);
  const alone = await status();
  assert.notEqual(alone, 'complete');
  await page.keyboard.press('j');
  await tool.click([11, 0, 18]);
  await tool.click(canopy);
  const { id, start, end } = await selected(tool);
  assert.ok(Math.hypot(start[0] - 11, start[2] - 18) < 0.1 && Math.hypot(end[0] - canopy[0], end[2] - canopy[2]) < 0.1);
  assert.deepEqual([await status(), await back()], ['complete', 'complete']);
  const flip = (/** @type {string} */ name) => page.locator('wa-switch', { hasText: name }).click();
  await flip('Enabled');
  await page.waitForFunction(`!window.walkmeshTool.store.state.document.connections[0].enabled`);
  assert.equal(await status(), alone);
  await flip('Enabled');
  await flip('Bidirectional');
  await page.waitForFunction(`!window.walkmeshTool.store.state.document.connections[0].bidirectional`);
  await tool.rest();
  assert.equal(await status(), 'complete');
  assert.notEqual(await back(), 'complete', 'one way');
  // The end is dragged off the canopy.
  const head = await tool.handle('edit end');
  const foot = await tool.place(canopy);
  const to = await tool.place([14, 0, 24]);
  await tool.dragOnPage(head, { x: to.x + head.x - foot.x, y: to.y + head.y - foot.y });
  assert.ok(Math.hypot((await selected(tool)).end[0] - 14, (await selected(tool)).end[2] - 24) < 0.5);
  assert.equal(await status(), alone);
  await page.keyboard.press('Control+z');
  await tool.rest();
  assert.equal(await status(), 'complete');
  // The connection is in the next mesh, too.
  await rebake(tool, () => page.keyboard.press('b'));
  assert.equal(await status(), 'complete');
  assert.equal(await tool.read(`app.edits.live.connectionRef(${id}) > 0`), true);
  await page.keyboard.press('Escape');
  assert.equal(await tool.read('app.edits.selection'), null);
  const { start: from, end: until } = await tool.read(`${DOCUMENT}.connections[0]`);
  const length = Math.hypot(...[0, 1, 2].map((axis) => until[axis] - from[axis]));
  await tool.click([(from[0] + until[0]) / 2, (from[1] + until[1]) / 2 + 0.1 + 0.25 * length, (from[2] + until[2]) / 2]);
  assert.deepEqual(await tool.read('app.edits.selection'), { kind: 'connection', id: 1 }, 'its arc is picked');
  await page.keyboard.press('Delete');
  await tool.rest();
  assert.equal(await status(), alone);
}));

test('an area volume is drawn corner by corner, baked in, and changes what paths cost', () => withTool({ size: SIZE }, async (page, tool) => {
  const path = () => tool.read(`(() => {
    const areaCosts = Object.fromEntries(app.store.state.document.areas.map(({ id, cost }) => [id, cost]));
    const { status, cost } = app.bakes.current.navMesh.findPath([8, 0, 29], [18, 0, 20], { filter: { areaCosts } });
    return { status, cost };
  })()`);
  const before = await path();
  await page.keyboard.press('v');
  const corners = [[10, 0, 22], [18, 0, 28], [16, 0, 30], [8.5, 0, 24.5]];
  for (const corner of corners) await tool.click(corner);
  const lit = await rebake(tool, () => page.keyboard.press('Enter'));
  assert.ok(lit > 0, 'the tiles under it are lit');
  const { shape } = await selected(tool);
  corners.forEach(([x, , z], i) => assert.ok(Math.hypot(shape.vertices[3 * i] - x, shape.vertices[3 * i + 2] - z) < 0.05));
  assert.ok((await tool.read('app.bakes.current.navMesh.polygons().filter(({ area }) => area === 1).length')) > 0);
  assert.deepEqual(await readTiles(tool), (await bakeLikewise(tool)).tiles);
  const wet = await path();
  assert.ok(wet.cost > before.cost * 1.1, `${wet.cost} after ${before.cost}`);
  // The area table: a higher cost, a lower cost, then excluded.
  const cost = page.getByLabel('Cost of Water');
  await cost.fill('1');
  await cost.press('Enter');
  await tool.rest();
  assert.ok((await path()).cost < wet.cost);
  const polygon = await tool.read('app.bakes.current.navMesh.nearestPoint([13, 0, 26.5]).polygon');
  assert.equal(await tool.read(`app.bakes.current.navMesh.polygonArea(${polygon})`), 1);
  await page.getByLabel('Water is walkable').uncheck();
  await tool.rest();
  assert.equal(await tool.read(`app.bakes.current.navMesh.polygonFlags(${polygon})`), 0, 'nobody passes');
  await page.getByLabel('Water is walkable').check();
  await tool.rest();
  assert.notEqual(await tool.read(`app.bakes.current.navMesh.polygonFlags(${polygon})`), 0);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await tool.click([13, 0, 26.5]);
  await rebake(tool, () => page.keyboard.press('Delete'));
  assert.equal((await path()).cost, before.cost);
}));

test('the area type of the next shape is chosen: the selected one keeps its own', () => withTool({ size: SIZE }, async (page, tool) => {
  const areas = (/** @type {string} */ list) => tool.read(`app.store.state.document.${list}.map(({ area }) => area)`);
  for (const [key, list, item] of [['v', 'volumes', 'Box'], ['o', 'obstacles', 'Box']]) {
    await page.keyboard.press(key);
    await page.getByRole('button', { name: item, exact: true }).click();
    await page.getByRole('combobox', { name: 'Place as' }).selectOption({ label: 'Water' });
    await tool.click([10, 0, 22]);
    assert.deepEqual(await areas(list), [1]);
    // Another tool and back: it is still selected.
    await page.keyboard.press('p');
    await page.keyboard.press(key);
    await page.getByRole('heading', { name: `${item} 1` }).waitFor();
    await page.getByRole('combobox', { name: 'Place as' }).selectOption({ index: 0 });
    await tool.rest();
    assert.deepEqual(await areas(list), [1], 'it is of the next one');
    await tool.click([13, 0, 28]);
    assert.deepEqual(await areas(list), [1, 0]);
    await page.getByRole('heading', { name: `${item} 2` }).waitFor();
    await page.getByRole('combobox', { name: 'Area type' }).selectOption({ label: 'Grass' });
    await tool.rest();
    assert.deepEqual(await areas(list), [1, await tool.read("app.store.state.document.areas.find(({ name }) => name === 'Grass').id")]);
    await page.keyboard.press('Escape');
    await page.evaluate(`walkmeshTool.store.edit('clear', (draft) => { draft.${list} = []; })`);
  }
}));

/** Seen from above, so that no wall hides a corridor. */
const FROM_ABOVE = { camera: { position: [20.8, 62, 20.9], target: [20.8, 0, 20.8] } };
const CELL = 2.6;

test('a door fits itself into an opening, and is shut and opened', () => withTool({ scene: 'maze', view: { ...FROM_ABOVE, ...DARK }, size: SIZE }, async (page, tool) => {
  const [from, to] = [[1.3, 0, 1.3], [40.3, 0, 40.3]];
  const find = () => tool.read(`(({ status, points }) => ({ status, points: [...points] }))(app.bakes.current.navMesh.findPath(${JSON.stringify(from)}, ${JSON.stringify(to)}))`);
  const { status, points } = await find();
  assert.equal(status, 'complete');
  // A cell of a straight corridor about half way: the path continues along one axis, with walls on both sides.
  const cells = [];
  for (let i = 3; i < points.length; i += 3) {
    const steps = 40;
    for (let k = 0; k < steps; k++) {
      const cell = [0, 2].map((axis) => Math.floor((points[i - 3 + axis] + (points[i + axis] - points[i - 3 + axis]) * k / steps) / CELL)).join();
      if (cells.at(-1) !== cell) cells.push(cell);
    }
  }
  const places = cells.map((cell) => cell.split(',').map(Number));
  let spot;
  let along = 0;
  for (let i = Math.floor(places.length / 2); i < places.length - 1 && !spot; i++) {
    const [[ax, az], [bx, bz]] = [places[i - 1], places[i + 1]];
    if (Math.abs(ax - bx) + Math.abs(az - bz) !== 2 || (ax !== bx && az !== bz)) continue;
    const middle = places[i].map((value) => (value + 0.5) * CELL);
    along = ax === bx ? 2 : 0;
    const aside = [1, -1].map((sign) => (along === 2 ? [middle[0] + 2 * sign, 0, middle[1]] : [middle[0], 0, middle[1] + 2 * sign]));
    const isCorridor = await tool.read(`(() => {
      const { navMesh } = app.bakes.current;
      const at = navMesh.nearestPoint([${middle[0]}, 0, ${middle[1]}]);
      return ${JSON.stringify(aside)}.every((end) => navMesh.raycast(at.polygon, at.point, end).t < 0.5);
    })()`);
    if (isCorridor) spot = [middle[0], 0, middle[1]];
  }
  assert.ok(spot, 'a corridor');
  await page.keyboard.press('g');
  await tool.click([spot[0] + (along === 2 ? 0.3 : 0), 0, spot[2] + (along === 0 ? 0.3 : 0)]);
  const door = await selected(tool);
  const { min, max } = boundsOf(door.shape);
  const across = along === 2 ? 0 : 2;
  assert.ok(max[across] - min[across] > 2.3 && max[across] - min[across] < 2.8, `as wide as the corridor: ${max[across] - min[across]}`);
  assert.ok(Math.abs((min[across] + max[across]) / 2 - spot[across]) < 0.1, 'between its walls');
  assert.ok(max[along] - min[along] < 1.2, 'thin');
  await settle(tool);
  assert.equal((await find()).status, 'complete', 'open');
  await page.getByRole('group', { name: 'Open', exact: true }).locator('wa-switch', { hasText: 'Door 1' }).click();
  await tool.rest();
  assert.notEqual((await find()).status, 'complete', 'shut');
  // By a double click in the view, and with the space bar.
  const at = await tool.place([spot[0], 1, spot[2]]);
  await page.waitForFunction((since) => performance.now() - since > 700, await page.evaluate('performance.now()'));
  await page.mouse.dblclick(at.x, at.y);
  await tool.rest();
  assert.equal((await find()).status, 'complete');
  await page.keyboard.press('Space');
  await tool.rest();
  assert.notEqual((await find()).status, 'complete');
  // The door is closed in the next mesh, too.
  await rebake(tool, () => page.keyboard.press('b'));
  await settle(tool);
  assert.notEqual((await find()).status, 'complete');
  await page.keyboard.press('Control+z');
  await tool.rest();
  assert.equal((await find()).status, 'complete');
  await page.keyboard.press('Delete');
  await settle(tool);
  assert.equal(await tool.read(`${DOCUMENT}.doors.length`), 0);
  assert.equal((await find()).status, 'complete');
}));
