// What hides what in the level tool's view: lines and walls, plates on one floor, shadows of what is clipped, closed levels.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colorDistance, lookFromAbove, showOnly, takePicture } from './tool-from-above.js';
import { withTool } from './tool.js';

/** Small, since a small picture is drawn faster. */
const SMALL = { view: { theme: 'light', picture: 'fine', panels: { left: false, right: false } }, config: { minRegionSize: 10 }, size: { width: 620, height: 560 }, scale: 1 };
const PORTAL = 0xffb454;

/** @param {{ pixels: Uint32Array }} picture @param {number} color */
const countOf = ({ pixels }, color) => pixels.reduce((sum, pixel) => sum + (colorDistance(pixel, color) < 20 ? 1 : 0), 0);

/** Looks straight up or down at the middle of the level. @param {any} page @param {number} height */
const lookFrom = (page, height) => page.evaluate((/** @type {number} */ y) => {
  const { viewport } = /** @type {any} */ (window).walkmeshTool;
  viewport.controls.enabled = false;
  viewport.camera.up.set(0, 0, -1);
  viewport.camera.position.set(20, y, 20);
  viewport.camera.lookAt(20, 0, 20);
  viewport.invalidate();
}, height);

test('outlines of polygons do not draw through what is in front of them', () => withTool(SMALL, async (page) => {
  await showOnly(page, { input: 1, polygonMesh: 1 });
  await lookFrom(page, 100);
  assert.ok(countOf(await takePicture(page), PORTAL) > 100, 'from above the tile borders are seen');
  await lookFrom(page, -100);
  assert.equal(countOf(await takePicture(page), PORTAL), 0, 'from below the ground hides them');
}));

test('layers on one floor do not flicker: the later one covers the earlier one, from far away, too', () => withTool(SMALL, async (page) => {
  await lookFromAbove(page);
  await showOnly(page, { distance: 1 });
  const alone = await takePicture(page);
  for (const other of ['areas', 'heightfieldLayers', 'solid']) {
    await showOnly(page, { distance: 1, [other]: 1 });
    const { pixels } = await takePicture(page);
    const differing = pixels.reduce((sum, pixel, i) => sum + (colorDistance(alone.pixels[i], 0xe9edf0) > 8 && colorDistance(pixel, alone.pixels[i]) > 8 ? 1 : 0), 0);
    // Blended pixels along the edges may differ.
    assert.ok(differing <= 0.04 * pixels.length, `${differing} pixels change with ${other}`);
  }
}));

test('a roof that is clipped away does not shade the inside', () => withTool(SMALL, async (page, tool) => {
  await lookFromAbove(page);
  await showOnly(page, { input: 1 });
  const brightness = async () => {
    const picture = await takePicture(page);
    return (/** @type {number} */ x, /** @type {number} */ z) => {
      const [i, j] = picture.toPixel(x, z).map(Math.round);
      return picture.pixels[i + j * picture.width] >> 8 & 255;
    };
  };
  // The canopy, 2.8 m above the ground, shades the ground beside it and below it.
  const shaded = await brightness();
  assert.ok(shaded(11.3, 11.6) < shaded(20, 24) - 20, `${shaded(11.3, 11.6)} in the shadow, ${shaded(20, 24)} beside it`);
  await page.evaluate('walkmeshTool.store.setView({ clip: 2 })');
  await tool.drawn();
  const at = await brightness();
  const ground = at(20, 24);
  const below = [[12.5, 12.5], [13, 13], [14, 14], [11.3, 11.6]].map(([x, z]) => at(x, z));
  assert.ok(below.every((value) => Math.abs(value - ground) < 12), `${below} below the canopy, ${ground} beside it`);
}));

test('tile borders fade where tiles are small on the screen', () => withTool(SMALL, async (page) => {
  const countOrange = async (/** @type {number} */ height) => {
    await lookFrom(page, height);
    const { pixels } = await takePicture(page);
    return pixels.reduce((sum, pixel) => sum + ((pixel >> 16) > 200 && (pixel & 255) < 140 ? 1 : 0), 0);
  };
  await showOnly(page, { navMesh: 1 });
  assert.ok(await countOrange(50) > 100);
  assert.equal(await countOrange(600), 0);
}));

test('tile borders and the veil above walls take half of a drawing from far away, where nobody sees them: they are left out', () => withTool(SMALL, async (page, tool) => {
  await showOnly(page, { navMesh: 1 });
  const draw = async (/** @type {number} */ height) => {
    await lookFrom(page, height);
    return page.evaluate(() => {
      const { renderer, scene, camera } = /** @type {any} */ (window).walkmeshTool.viewport;
      renderer.render(scene, camera);
      const { lines, triangles } = renderer.info.render;
      return { lines, triangles };
    });
  };
  const [near, far, again] = [await draw(50), await draw(600), await draw(50)];
  const { borders, veil } = await tool.read("(({ borders, veil }) => ({ borders: borders.geometry.drawRange.count / 2, veil: veil.geometry.drawRange.count / 3 }))(app.layers.get('navMesh').object.children.at(-1))");
  assert.ok(borders > 10 && veil > 10);
  assert.deepEqual([near.lines - far.lines, near.triangles - far.triangles], [borders, veil]);
  assert.deepEqual(again, near);
}));

test('agents far away are dots, so that they do not vanish', () => withTool({ view: { tool: 'crowd' } }, async (page, tool) => {
  await page.getByRole('button', { name: 'Add 100 anywhere' }).click();
  const isSeen = () => tool.read("app.viewport.overlay.getObjectByName('far agents').visible");
  await page.evaluate('walkmeshTool.viewport.camera.position.set(20, 20, 30)');
  const look = () => page.evaluate("walkmeshTool.viewport.controls.dispatchEvent({ type: 'change' })");
  await look();
  assert.equal(await isSeen(), false);
  await page.evaluate('walkmeshTool.viewport.camera.position.set(20, 400, 30)');
  await look();
  assert.equal(await isSeen(), true);
}));

/** A closed room, seen from inside: its faces point inwards. */
const ROOM = `v 0 0 0
v 20 0 0
v 20 0 20
v 0 0 20
v 0 5 0
v 20 5 0
v 20 5 20
v 0 5 20
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
`;

test('a closed level opens as a shell, its mesh is seen, and the height to look inside is one click away', () => withTool({ ...SMALL, view: { ...SMALL.view, panels: { left: false, right: true } }, size: { width: 1000, height: 560 } }, async (page, tool) => {
  assert.equal(await tool.read('app.levels.current.isClosed'), false, 'the plaza is open');
  await page.evaluate((text) => /** @type {any} */ (window).walkmeshTool.levels.openFiles([new File([text], 'room.obj')]), ROOM);
  await page.waitForFunction('walkmeshTool.levels.current.name === "room.obj" && walkmeshTool.store.state.session.bake.state === "done"');
  await tool.still();
  assert.equal(await tool.read('app.levels.current.isClosed'), true);
  // From the first position the floor is seen through the ceiling, and a click hits the floor.
  const hit = await tool.read(`(() => {
    const { x, y, width, height } = app.viewport.canvas.getBoundingClientRect();
    return app.picking.level({ clientX: x + width / 2, clientY: y + height / 2 }).point;
  })()`);
  assert.ok(Math.abs(hit[1]) < 0.01, `${hit}`);
  await page.locator('wa-switch', { hasText: 'Look inside' }).click();
  assert.equal(await tool.read('app.store.state.view.clip'), 3);
  await page.getByRole('button', { name: 'More layers' }).click();
  await page.locator('wa-switch', { hasText: 'Shell' }).click();
  assert.equal(await tool.read('app.store.state.view.shell'), false);
  await page.evaluate('walkmeshTool.store.setView({ clip: null })');
  await tool.rest();
  assert.ok(await tool.read(`(() => {
    const { x, y, width, height } = app.viewport.canvas.getBoundingClientRect();
    return app.picking.level({ clientX: x + width / 2, clientY: y + height / 2 }).point[1];
  })()`) > 4.9, 'without the shell the ceiling hides the floor');
}));

/** A floor with six thresholds across it, 0.3 m high, as an OBJ file. */
function makeThresholds() {
  const profile = [[0, 0], ...Array.from({ length: 6 }, (_, i) => [[1.5 * i + 1.5, 0], [1.5 * i + 1.5, 0.3], [1.5 * i + 1.7, 0.3], [1.5 * i + 1.7, 0]]).flat(), [11, 0]];
  const vertices = profile.map(([z, y]) => `v 0 ${y} ${z}\nv 6 ${y} ${z}`);
  const faces = profile.slice(1).map((_, i) => `f ${2 * i + 1} ${2 * i + 3} ${2 * i + 4} ${2 * i + 2}`);
  return `${vertices.join('\n')}\n${faces.join('\n')}\n`;
}

/** Pixels that differ between two pictures. @param {{ pixels: Uint32Array }} a @param {{ pixels: Uint32Array }} b */
const differing = (a, b) => a.pixels.reduce((sum, pixel, i) => sum + (colorDistance(pixel, b.pixels[i]) > 16 ? 1 : 0), 0);

test('thresholds and the edges of steps cover stripes of the mesh', () => withTool(SMALL, async (page, tool) => {
  await page.evaluate((text) => {
    const { store, levels } = /** @type {any} */ (window).walkmeshTool;
    store.edit('cells', (/** @type {any} */ draft) => {
      Object.assign(draft.config, { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, minRegionSize: 2, detailSampleDistance: 0 });
    });
    store.commit();
    levels.openFiles([new File([text], 'thresholds.obj')]);
  }, makeThresholds());
  await tool.until("app.levels.current.name === 'thresholds.obj' && app.bakes.current && app.store.state.session.bake.state === 'done'");
  await tool.still();
  await page.evaluate(() => {
    const { viewport } = /** @type {any} */ (window).walkmeshTool;
    viewport.controls.enabled = false;
    viewport.camera.position.set(3, 12, -2);
    viewport.camera.lookAt(3, 0, 5);
  });
  const sizeOf = async (/** @type {Record<string, number>} */ level) => {
    await showOnly(page, { ...level, navMesh: 1 });
    const picture = await takePicture(page);
    await showOnly(page, level);
    return differing(picture, await takePicture(page));
  };
  const [seen, whole] = [await sizeOf({ input: 1 }), await sizeOf({})];
  assert.ok(whole > 5000 && seen > 0.97 * whole, `${seen} of ${whole} pixels are seen`);
}));

test('a shadow looks like a meaning of its own: only the mesh is drawn with shadows', () => withTool(SMALL, async (page, tool) => {
  await lookFromAbove(page);
  // Beside the canopy and in the sun; there is no blocking volume to draw.
  const shade = async (/** @type {Record<string, number>} */ layers) => {
    await showOnly(page, layers);
    await tool.drawn();
    const { pixels, width, toPixel } = await takePicture(page);
    const [shaded, lit] = [[11.3, 11.6], [20, 24]].map(([x, z]) => toPixel(x, z).map(Math.round)).map(([i, j]) => pixels[i + j * width] >> 8 & 255);
    return lit - shaded;
  };
  assert.ok(await shade({ input: 1 }) > 20);
  assert.ok(Math.abs(await shade({ input: 1, 'removed-volume': 1 })) < 8);
}));
