// The query tools, with the mouse and the keyboard: their texts and drawings are compared with the library's results.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withTool } from './tool.js';

/** Calls the library in the page. @param {import('./tool.js').Tool} tool @param {string} question on navMesh and the tool's points */
const ask = (tool, id, question) => tool.read(`(() => {
  const navMesh = app.bakes.current.navMesh, { places, result, settings } = app.tools.get('${id}');
  return ${question};
})()`);

/** The numbers in fields and outputs. @param {import('playwright-core').Page} page @param {string} name */
const shown = async (page, name) => (await page.getByLabel(name, { exact: true }).textContent()).trim();

/** Number of the view's pixels close to a colour: [red, green, blue]. @param {import('./tool.js').Tool} tool */
const pixelsLike = (tool, color, slack = 40) => tool.page.evaluate(([rgb, most]) => {
  const { viewport } = window.walkmeshTool;
  viewport.drawNow();
  const gl = viewport.renderer.getContext();
  const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
  const pixels = new Uint8Array(4 * width * height);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  let count = 0;
  for (let i = 0; i < pixels.length; i += 4) count += rgb.every((part, k) => Math.abs(pixels[i + k] - part) <= most) ? 1 : 0;
  return count;
}, [color, slack]);

const YELLOW = [250, 204, 21];
const near = (a, b, slack = 0.02) => a.length === b.length && a.every((part, i) => Math.abs(part - b[i]) <= slack);

test('path: dragged, clicked, typed and nudged, it is what findPath answers', () => withTool({ view: { theme: 'dark' }, scale: 1, milliseconds: 120_000 }, async (page, tool) => {
  assert.equal(await pixelsLike(tool, YELLOW), 0, 'nothing is drawn before the tool is chosen');
  await page.getByRole('button', { name: 'Path' }).click();
  await tool.rest();
  const same = async () => {
    const [own, told] = await ask(tool, 'path', `(({ status, cost, length, points, count }) => [[status, cost, length, [...points.subarray(0, 3 * count)]],
      (({ path }) => [path.status, path.cost, path.length, [...path.points.subarray(0, 3 * path.count)]])(result)])(navMesh.findPath(places.start, places.end))`);
    assert.deepEqual(told, own);
    const [status, cost, length] = own;
    assert.equal(await shown(page, 'Length'), `${length.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} m`);
    assert.equal(await shown(page, 'Cost'), cost.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
    return { status, length };
  };
  const first = await same();
  assert.equal(first.status, 'complete');
  const drawn = await pixelsLike(tool, YELLOW);
  assert.ok(drawn > 300, `${drawn} pixels are yellow`);
  await tool.drawn();
  const picture = await page.locator('canvas').screenshot();

  // Dragged by its head, the marker stays on the ground.
  const [from, undoable] = [await tool.handle('path-end'), await tool.read('app.store.undoLabel')];
  assert.equal(undoable, undefined);
  await tool.dragOnPage(from, { x: from.x + 90, y: from.y - 60 });
  const dragged = await same();
  assert.notEqual(dragged.length, first.length);
  await tool.drawn();
  assert.ok(!(await page.locator('canvas').screenshot()).equals(picture), 'another picture');

  // The first click sets the start, the second the end, with Shift the start. None of them is a step of undo.
  const spots = await ask(tool, 'path', `[navMesh.nearestPoint([8, 0, 22]).point, navMesh.nearestPoint([22, 0, 30]).point]`);
  await tool.click(spots[1]);
  await tool.click(spots[0]);
  const places = await ask(tool, 'path', 'places');
  assert.ok(near(places.end, spots[0], 0.3) && near(places.start, spots[1], 0.3), JSON.stringify([places, spots]));
  await same();
  await page.keyboard.down('Shift');
  await tool.click(spots[0]);
  await page.keyboard.up('Shift');
  assert.ok(near(await ask(tool, 'path', 'places.start'), spots[0], 0.3));
  assert.equal(await tool.read('app.store.undoLabel'), undefined);

  // Typed values.
  await page.getByLabel('End x').fill(String(spots[0][0]));
  await page.getByLabel('End x').press('Enter');
  await page.getByLabel('End z').fill(String(spots[0][2]));
  await page.getByLabel('End z').press('Enter');
  await tool.rest();
  assert.ok(near(await ask(tool, 'path', '[places.end[0], places.end[2]]'), [spots[0][0], spots[0][2]], 0.011));
  await same();

  // Arrow keys move by a cell, relative to the view; X swaps the ends.
  const before = await ask(tool, 'path', 'places');
  await page.locator('canvas').focus();
  await page.keyboard.press('ArrowUp');
  await tool.rest();
  const [moved, cellSize] = [await ask(tool, 'path', 'places.end'), await tool.read('app.store.state.document.config.cellSize')];
  assert.ok(Math.abs(Math.hypot(moved[0] - before.end[0], moved[2] - before.end[2]) - cellSize) < 0.011);
  await page.keyboard.press('x');
  await tool.rest();
  assert.deepEqual(await ask(tool, 'path', '[places.start, places.end]'), [moved, before.start]);
  await same();

  // Off the mesh the text says so.
  await page.getByLabel('Start y').fill('900');
  await page.getByLabel('Start y').press('Enter');
  await page.getByText("Start isn't on the mesh").waitFor();
}));

test('path: any angle, limits and costs change what is asked; it stays beside tools that edit', () => withTool({ view: { tool: 'path' }, scale: 1, milliseconds: 120_000 }, async (page, tool) => {
  await page.getByText('Any angle').click();
  await page.getByLabel('Search limit').fill('3');
  await page.getByLabel('Search limit').press('Enter');
  await page.getByText('The search hit its limit of 3 polygons').waitFor();
  const [cost, own] = await ask(tool, 'path', '[result.path.cost, navMesh.findPath(places.start, places.end, { anyAngle: true, maxNodes: 3 }).cost]');
  assert.equal(cost, own);
  await page.getByLabel('Search limit').fill('0');
  await page.getByLabel('Search limit').press('Enter');
  await page.getByLabel('Other ways').fill('2');
  await page.getByLabel('Other ways').press('Enter');
  await page.getByText('Other way 1').waitFor();
  const [ways, lengths] = await ask(tool, 'path', '[result.others, navMesh.findPaths(places.start, places.end, { anyAngle: true, count: 3 }).slice(1)].map((ways) => ways.map(({ length }) => length))');
  assert.deepEqual(ways, lengths);
  await page.getByLabel('Other ways').fill('0');
  await page.getByLabel('Other ways').press('Enter');
  await page.locator('wa-switch', { hasText: 'Long way' }).click();
  await page.getByLabel('Leg', { exact: true }).fill('2');
  await page.getByLabel('Leg', { exact: true }).press('Enter');
  await tool.rest();
  const [bound, leg, ownBound, ownLeg] = await ask(tool, 'path', `(() => {
    const graph = navMesh.createTileGraph(), own = graph.findPath(places.start, places.end, { legTiles: 2 });
    graph.free();
    return [result.long.cost, result.long.leg.length, own.cost, own.leg.length];
  })()`);
  assert.deepEqual([bound, leg], [ownBound, ownLeg]);
  assert.match(await page.getByLabel('Costs at most').textContent(), /^[\d.,]+$/);
  await page.locator('wa-switch', { hasText: 'Long way' }).click();
  await page.locator('wa-details.costs [part=header]').click();
  await page.getByLabel('Ground cost').fill('3');
  await page.getByLabel('Ground cost').press('Enter');
  await tool.rest();
  const [dear, cheap] = await ask(tool, 'path', '[result.path.cost, navMesh.findPath(places.start, places.end, { anyAngle: true }).cost]');
  assert.ok(Math.abs(dear - 3 * cheap) < 1e-3 * dear, `${dear} is three times ${cheap}`);
  const yellow = await pixelsLike(tool, YELLOW);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Inspect' }).click();
  await tool.rest();
  assert.ok(await pixelsLike(tool, YELLOW) > yellow / 2, 'the path is still there');
  await page.getByRole('button', { name: 'Raycast' }).click();
  await tool.rest();
  assert.ok(await pixelsLike(tool, YELLOW) < yellow / 2, 'one question at a time');
}));

test('raycast, nearest point, distance to wall: moved by mouse and keys, they are what the library answers', () => withTool({ view: { tool: 'raycast' }, milliseconds: 120_000 }, async (page, tool) => {
  const [free, own] = await ask(tool, 'raycast', `(() => {
    const start = navMesh.nearestPoint(places.start), { t, point, hit } = navMesh.raycast(start.polygon, start.point, places.end);
    return [result, { t, point, hit }];
  })()`);
  assert.deepEqual([free.ray.t, free.ray.point, free.ray.hit], [own.t, own.point, own.hit]);
  // A ray past the edge of the mesh always ends at a wall.
  await page.getByLabel('End x').fill('500');
  await page.getByLabel('End x').press('Enter');
  await page.getByText('Stopped').waitFor();
  const point = await ask(tool, 'raycast', 'result.ray.point');
  assert.equal(await shown(page, 'Hit point'), point.map((part) => part.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })).join(', '));

  await page.locator('canvas').focus();
  await page.keyboard.press('n');
  await page.getByText('The mesh is 1.00 m away').waitFor();
  await page.getByLabel('Height offset').fill('30');
  await page.getByLabel('Height offset').press('Enter');
  await page.getByText('No walkable polygon in the search box').waitFor();
  await page.getByLabel('Box half size y').fill('40');
  await page.getByLabel('Box half size y').press('Enter');
  await tool.rest();
  assert.deepEqual(...await ask(tool, 'nearest', `[result.nearest, navMesh.nearestPoint(result.queryPoint, { halfExtents: [2, 40, 2] })]`));

  await page.locator('canvas').focus();
  await page.keyboard.press('w');
  await tool.rest();
  const before = await ask(tool, 'wall', 'result.wall.distance');
  const from = await tool.handle('wall-point');
  await tool.dragOnPage(from, { x: from.x - 40, y: from.y + 50 });
  const [wall, again] = await ask(tool, 'wall', `(() => {
    const start = navMesh.nearestPoint(places.point);
    return [result.wall, navMesh.distanceToWall(start.polygon, start.point, 20)];
  })()`);
  assert.deepEqual(wall, again);
  assert.notEqual(wall.distance, before);
  assert.equal(await shown(page, 'Distance'), `${wall.distance.toFixed(2)} m`);
}));

test('flood and random points: as far as the limit, in its colours; as many as asked for', () => withTool({ view: { tool: 'flood' }, scale: 1, milliseconds: 120_000 }, async (page, tool) => {
  const count = await ask(tool, 'flood', 'result.flood.count');
  const slider = page.getByRole('slider', { name: 'Cost limit' });
  await slider.focus();
  for (let i = 0; i < 30; i++) await slider.press('ArrowLeft');
  await tool.rest();
  const [limit, fewer, own] = await ask(tool, 'flood', `[settings.maxCost, result.flood.count,
    navMesh.flood(result.start.polygon, result.start.point, { maxCost: settings.maxCost }).count]`);
  assert.equal(limit, 10);
  assert.equal(fewer, own);
  assert.ok(fewer < count, `${fewer} of ${count}`);
  // The path to the pointer.
  const spot = await ask(tool, 'flood', 'navMesh.closestPoint(result.flood.polygons[result.flood.count - 1], places.point).point');
  const { x, y } = await tool.place(spot);
  await page.mouse.move(x, y);
  await tool.rest();
  await page.getByLabel('Cost at pointer').waitFor();
  await page.locator('canvas').focus();
  await page.keyboard.press('d');
  await tool.rest();
  const dots = await pixelsLike(tool, YELLOW);
  await page.getByLabel('Points', { exact: true }).fill('60');
  await page.getByLabel('Points', { exact: true }).press('Enter');
  await tool.rest();
  const less = await pixelsLike(tool, YELLOW);
  assert.ok(dots > 4 * less && less > 60, `${dots}, ${less} pixels`);
  const points = await ask(tool, 'random', '[...result.points]');
  assert.equal(points.length, 180);
  await page.getByRole('button', { name: 'New seed' }).click();
  await tool.rest();
  assert.notDeepEqual(await ask(tool, 'random', '[...result.points]'), points);
  await page.getByLabel('Area', { exact: true }).selectOption('around');
  await tool.rest();
  const [centre, around, radius] = await ask(tool, 'random', '[result.start.point, [...result.points], settings.radius]');
  for (let i = 0; i < around.length; i += 3) assert.ok(Math.hypot(around[i] - centre[0], around[i + 2] - centre[2]) <= radius + 0.01);
}));
