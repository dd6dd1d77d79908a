// Obstacles in the level tool, with the mouse and the keys, compared with bakes of the same level with the same obstacles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundsOf } from '../../web-demo/src/edit/shapes.js';
import { DARK, DOCUMENT, SIZE, bakeLikewise, isOn, readTiles, selected, settle } from './tool-edits.js';
import { withTool } from './tool.js';

/** Visible free points of the plaza. */
const SPOTS = { cylinder: [16, 0, 27], box: [20, 0, 29], rotatedBox: [12, 0, 24], capsule: [25, 0, 27], sphere: [14, 0, 20] };
const NAMES = { cylinder: 'Cylinder', box: 'Box', rotatedBox: 'Rotated box', capsule: 'Capsule', sphere: 'Sphere', prism: 'Polygon' };
const CORNERS = [[27, 0, 23], [29, 0, 26], [28, 0, 30], [25.5, 0, 31], [26.5, 0, 27]];

test('obstacles of all shapes are placed by clicks, and the mesh is that of a bake with them', () => withTool({ size: SIZE, view: DARK }, async (page, tool) => {
  const before = await readTiles(tool);
  await page.keyboard.press('o');
  const choose = (/** @type {string} */ name) => page.getByRole('group', { name: 'Place' }).getByRole('button', { name, exact: true }).click();
  for (const [kind, spot] of Object.entries(SPOTS)) {
    assert.ok(await isOn(tool, spot), `${kind}: the spot is free`);
    await choose(NAMES[/** @type {keyof typeof NAMES} */ (kind)]);
    await tool.click(spot);
    const item = await selected(tool);
    assert.equal(item.shape.kind, kind);
    const { min, max } = boundsOf(item.shape);
    assert.ok(Math.abs((min[0] + max[0]) / 2 - spot[0]) < 0.1 && Math.abs((min[2] + max[2]) / 2 - spot[2]) < 0.1, `${kind} is where it was put`);
    await settle(tool);
    assert.ok(!await isOn(tool, spot), `${kind}: the spot is taken`);
  }
  await choose('Polygon');
  for (const corner of CORNERS) await tool.click(corner);
  assert.equal((await tool.read(`${DOCUMENT}.obstacles`)).length, 5, 'not closed yet');
  await tool.click(CORNERS[0]);
  assert.equal((await selected(tool)).shape.vertices.length, 15);
  assert.ok(!await isOn(tool, [27.8, 0, 27]) || !await isOn(tool, [28, 0, 28]));
  const tiles = await readTiles(tool);
  const likewise = await bakeLikewise(tool);
  assert.deepEqual(tiles, likewise.tiles);
  assert.equal(await tool.read('app.bakes.current.navMesh.totals.polygons'), likewise.polygons);
  assert.notDeepEqual(tiles, before);

  // Undo, and redo, to the last byte.
  for (let i = 0; i < 6; i++) await page.keyboard.press('Control+z');
  assert.deepEqual(await readTiles(tool), before);
  for (let i = 0; i < 6; i++) await page.keyboard.press('Control+Shift+z');
  assert.deepEqual(await readTiles(tool), tiles);

  // Deleted from the list.
  for (const name of ['Delete Cylinder 1', 'Delete Polygon 6']) await page.getByRole('button', { name }).click();
  assert.deepEqual(await readTiles(tool), (await bakeLikewise(tool)).tiles);
}));

test('an obstacle is selected, moved, sized, turned, nudged, copied and deleted', () => withTool({ size: SIZE, view: DARK }, async (page, tool) => {
  await page.keyboard.press('o');
  await page.getByRole('button', { name: 'Rotated box' }).click();
  await tool.click(SPOTS.rotatedBox);
  const placed = await selected(tool);
  const empty = await tool.read('app.bakes.current.navMesh.totals.polygons');
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await tool.click([20, 0, 29]);
  assert.equal(await tool.read('app.edits.selection'), null, 'a click on the ground deselects');
  const [x, , z] = SPOTS.rotatedBox;
  await tool.drag([x, 1, z], [x + 4, 1, z + 3]);
  const moved = await selected(tool);
  // The obstacle stays on the ground and follows the pointer.
  assert.ok(Math.hypot(moved.shape.centre[0] - x - 4, moved.shape.centre[2] - z - 3) < 0.6, `it is at ${moved.shape.centre}`);
  assert.ok(Math.abs(moved.shape.centre[1] - placed.shape.centre[1]) < 0.02);
  await settle(tool);
  assert.ok(await isOn(tool, [x, 0, z]) && !await isOn(tool, [moved.shape.centre[0], 0, moved.shape.centre[2]]));
  assert.equal(await tool.read('app.store.undoLabel'), 'move obstacle');

  // Close enough to show handles.
  await page.evaluate(([cx, cz]) => {
    const { viewport } = /** @type {any} */ (window).walkmeshTool;
    viewport.camera.position.set(cx + 5, 9, cz + 9);
    viewport.controls.target.set(cx, 0, cz);
    viewport.controls.update();
  }, [moved.shape.centre[0], moved.shape.centre[2]]);
  await tool.rest();
  const dragHandle = async (/** @type {string} */ id, /** @type {number} */ dx, /** @type {number} */ dy) => {
    const from = await tool.handle(`edit ${id}`);
    await tool.dragOnPage(from, { x: from.x + dx, y: from.y + dy });
    return (await selected(tool)).shape;
  };
  const wider = await dragHandle('+x', 60, 0);
  assert.ok(wider.halfExtents[0] > moved.shape.halfExtents[0] + 0.2, 'wider');
  assert.equal(wider.halfExtents[2], moved.shape.halfExtents[2]);
  const higher = await dragHandle('top', 0, -60);
  assert.ok(higher.halfExtents[1] > wider.halfExtents[1] + 0.2, 'higher');
  assert.ok(Math.abs(higher.centre[1] - higher.halfExtents[1] - (wider.centre[1] - wider.halfExtents[1])) < 2e-3, 'its bottom stays');
  const turned = await dragHandle('turn', -70, -70);
  assert.ok(Math.abs(turned.yaw - higher.yaw) > 0.1, 'turned');
  assert.deepEqual(turned.halfExtents, higher.halfExtents);

  const before = (await selected(tool)).shape.centre;
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  const nudged = (await selected(tool)).shape.centre;
  assert.ok(Math.abs(Math.hypot(nudged[0] - before[0], nudged[2] - before[2]) - 0.6) < 1e-6, 'two cells');
  await page.keyboard.press('PageUp');
  assert.ok(Math.abs((await selected(tool)).shape.centre[1] - before[1] - 0.2) < 1e-6);

  // Typed values.
  await page.getByLabel('Rotation').fill('90');
  await page.getByLabel('Rotation').press('Enter');
  assert.ok(Math.abs((await selected(tool)).shape.yaw - Math.PI / 2) < 1e-3);
  await page.getByLabel('Centre x').fill('15');
  await page.getByLabel('Centre x').press('Enter');
  assert.equal((await selected(tool)).shape.centre[0], 15);

  await page.getByRole('button', { name: 'Duplicate' }).click();
  assert.equal(await tool.read(`${DOCUMENT}.obstacles.length`), 2);
  assert.equal((await selected(tool)).id, 2);
  await page.keyboard.press('Delete');
  assert.equal(await tool.read(`${DOCUMENT}.obstacles.length`), 1);
  await settle(tool);
  assert.deepEqual(await readTiles(tool), (await bakeLikewise(tool)).tiles);
  await page.getByRole('button', { name: /^Rotated box 1/ }).click();
  await page.keyboard.press('Delete');
  await settle(tool);
  assert.notEqual(await tool.read('app.bakes.current.navMesh.totals.polygons'), empty);
}));

test('tiles that are rebuilt light up for a moment, and then nothing is drawn any more', () => withTool({ size: SIZE }, async (page, tool) => {
  await page.keyboard.press('o');
  // Counts the pixels of the outlines in every highlighted frame: screenshots may come too late.
  await page.evaluate(() => {
    const { edits, viewport } = /** @type {any} */ (window).walkmeshTool;
    const gl = viewport.renderer.getContext();
    const look = () => {
      viewport.drawNow();
      const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
      gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      let count = 0;
      for (let i = 0; i < pixels.length; i += 4) if (pixels[i] > 180 && pixels[i + 1] < 140 && pixels[i + 2] > 150) count++;
      return count;
    };
    const light = { look, before: look(), most: 0 };
    Object.assign(window, { light });
    edits.live.followers.add(() => {
      if (edits.rebuiltTiles.count > 0) light.most = Math.max(light.most, look());
      return false;
    });
  });
  await tool.click(SPOTS.sphere);
  await page.waitForFunction('window.light.most > 0');
  await page.waitForFunction('(({ tiles, waiting }) => tiles > 0 && waiting === 0)(window.walkmeshTool.store.state.session.edits.last)');
  await tool.rest();
  const { tiles, milliseconds } = await tool.read('app.store.state.session.edits.last');
  assert.ok(tiles > 0 && milliseconds > 0);
  assert.match(await page.locator('[data-part=update]').innerText(), new RegExp(`^Rebuilt ${tiles} tile`));
  await tool.still();
  const { before, most, now } = await page.evaluate('({ before: light.before, most: light.most, now: light.look() })');
  assert.ok(most > before + 15, `lit: ${most} after ${before}`);
  assert.equal(now, before, 'as before');
  await tool.assertStill();
}));

test('what moves is avoided while it moves and has a hole where it rests; obstacles come out of the address', () => withTool({
  size: SIZE, document: { obstacles: [
    { id: 3, shape: { kind: 'cylinder', base: [16, -0.3, 27], radius: 0.9, height: 2.3 }, area: 0, moving: { path: 'line', to: [19, -0.3, 27], speed: 30, rest: 1.5 } },
    { id: 7, shape: { kind: 'box', min: [900, 0, 0], max: [901, 1, 1] }, area: 0 },
  ] },
}, async (page, tool) => {
  await settle(tool);
  assert.ok(!await isOn(tool, [16, 0, 27]) && await isOn(tool, [19, 0, 27]));
  await page.keyboard.press('o');
  await page.getByText('not added').waitFor();
  assert.match(await page.getByText('not added').getAttribute('title') ?? '', /level/);
  const moving = () => tool.read('app.bakes.current.dynamic.movingObstacles().count');
  assert.equal(await moving(), 0);
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForFunction('window.walkmeshTool.bakes.current.dynamic.movingObstacles().count === 1');
  // At the other end it rests long enough to carve a hole.
  await page.waitForFunction(`(({ dynamic, navMesh }) => {
    const { point } = navMesh.nearestPoint([19, 0, 27]);
    return dynamic.movingObstacles().count === 0 && dynamic.dirtyTiles === 0 && Math.hypot(point[0] - 19, point[2] - 27) > 0.5;
  })(window.walkmeshTool.bakes.current)`);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Rewind' }).click();
  await page.waitForFunction('window.walkmeshTool.bakes.current.dynamic.movingObstacles().count === 0');
  await settle(tool);
  assert.ok(!await isOn(tool, [16, 0, 27]) && await isOn(tool, [19, 0, 27]));
  await page.getByRole('button', { name: 'Delete Box 7' }).click();
  assert.deepEqual(await readTiles(tool), (await bakeLikewise(tool)).tiles);
}));

test('where the mesh is a single tile the tool says what obstacles need, and a button sets it', () => withTool({
  size: SIZE, view: { ...DARK, tool: 'obstacles' },
}, async (page, tool) => {
  const button = page.getByRole('button', { name: /Bake with tile size \d+/ });
  assert.equal(await button.count(), 0);
  await tool.read(`app.store.edit('one tile', (draft) => { draft.config.tileSize = 0; })`);
  // The mesh before was in tiles, too, and its bake is done.
  await page.evaluate('void (window.meshBefore = window.walkmeshTool.bakes.current.navMesh)');
  await button.click();
  await page.waitForFunction('window.walkmeshTool.store.state.document.config.tileSize > 0');
  await button.waitFor({ state: 'detached' });
  await page.waitForFunction('window.walkmeshTool.store.state.session.bake.state === "done" && window.walkmeshTool.bakes.current.dynamic && window.walkmeshTool.bakes.current.navMesh !== window.meshBefore');
  await tool.click(SPOTS.cylinder);
  await settle(tool);
  assert.ok(!await isOn(tool, SPOTS.cylinder));
}));
