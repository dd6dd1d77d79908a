// The inspector of the level tool: it shows the results of the mesh and of the bake stages for a clicked point.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { explain } from '../../web-demo/src/stages/explain.js';
import { REMOVALS, removalsOf } from '../../web-demo/src/stages/removal.js';
import { recordTileNow } from '../../web-demo/src/stages/record.js';
import { colorDistance, lookFromAbove, takePicture } from './tool-from-above.js';
import { withTool } from './tool.js';

const walkmesh = await load();

const VOLUME = { id: 1, shape: { kind: 'box', min: [30, -1, 20], max: [36, 2, 24] }, area: 0 };
const OPTIONS = {
  view: { theme: 'light', panels: { left: false, right: true } }, config: { tileSize: 48, minRegionSize: 10 }, document: { volumes: [VOLUME] },
  size: { width: 900, height: 640 }, scale: 1,
};

/** The contents of the panel once the stages have answered. */
async function readPanel(page) {
  await page.waitForFunction('window.walkmeshTool.tools.active.inspector.current?.explanation');
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const panel = page.getByRole('complementary', { name: 'Layers and tool' });
  return {
    verdict: (await panel.getByRole('status').first().innerText()).replaceAll(/\s+/g, ' '),
    facts: Object.fromEntries(await panel.locator('.facts').evaluate((list) => (
      [...list.querySelectorAll('dt')].map((name) => [name.textContent, (name.nextElementSibling?.textContent ?? '').trim().replaceAll(/\s+/g, ' ')])))),
    steps: await panel.getByRole('list', { name: 'Bake stages' }).locator('li').allInnerTexts().catch(() => []),
    explanation: await page.evaluate('window.walkmeshTool.tools.active.inspector.current.explanation'),
  };
}

/**
 * Finds a point for each reason of removal, among others of its kind, so that a click hits it: on the highest surface of its
 * cell, or below another surface, with the height at which to clip the picture.
 */
function findSpots(records, volumes) {
  const spots = new Map();
  for (const record of records) {
    const codes = removalsOf(record, volumes);
    const { frame: { width, depth, border, origin, cellSize, cellHeight }, solid } = record;
    const isThere = (cell, code, high) => {
      for (let i = solid.first[cell]; i < solid.first[cell + 1]; i++) if (codes[i] === code && Math.abs(solid.high[i] - high) < 3) return true;
      return false;
    };
    for (let z = border + 1; z < depth - border - 1; z++) {
      for (let x = border + 1; x < width - border - 1; x++) {
        const cell = x + z * width;
        for (let i = solid.first[cell]; i < solid.first[cell + 1]; i++) {
          const isTop = i + 1 === solid.first[cell + 1];
          const [code, high] = [codes[i], solid.high[i]];
          if (!isTop && (REMOVALS[code] !== 'headroom' || solid.low[i + 1] - high < 3)) continue;
          const around = [cell - 1, cell + 1, cell - width, cell + width].filter((other) => isThere(other, code, high)).length;
          if (around <= (spots.get(REMOVALS[code])?.around ?? 1)) continue;
          const y = origin[1] + (high - 0.5) * cellHeight;
          const point = [origin[0] + (x - border + 0.5) * cellSize, y, origin[2] + (z - border + 0.5) * cellSize];
          spots.set(REMOVALS[code], { around, point, clip: isTop ? null : y + 1.5 * cellHeight });
        }
      }
    }
  }
  return spots;
}

test('inspect: spots that every filter removed are told why, as the stages say', () => withTool(OPTIONS, async (page, tool) => {
  await lookFromAbove(page);
  const { positions, indices, config } = await tool.read(
    '({ positions: [...app.levels.current.positions], indices: [...app.levels.current.indices], config: app.store.state.document.config })');
  const volumes = [{ ...VOLUME.shape, area: 0, origin: 'volume', label: 'the area volume “Box 1”' }];
  const level = { positions: Float32Array.from(positions), indices: Uint32Array.from(indices), volumes };
  const baker = walkmesh.createBaker({ ...level, volumes: [{ ...VOLUME.shape, area: 0 }] }, config);
  const { tileCountX, tileCountZ, tileWorldSize, boundsMin } = baker.voxels;
  const records = Array.from({ length: tileCountX * tileCountZ }, (_, tile) => recordTileNow(baker, tile % tileCountX, Math.floor(tile / tileCountX)));
  baker.free();
  const seen = new Set();
  for (const [removal, { point, clip }] of findSpots(records, volumes)) {
    await page.evaluate((height) => /** @type {any} */ (window).walkmeshTool.store.setView({ clip: height }), clip);
    // The answer to the last click may cover the next spot.
    await page.keyboard.press('Escape');
    await tool.click(point);
    const { verdict, facts, steps, explanation } = await readPanel(page);
    const hit = await tool.read('app.tools.active.inspector.current.point');
    assert.ok(Math.hypot(hit[0] - point[0], hit[2] - point[2]) < 0.2, `${removal}: hit ${hit}, not ${point}`);
    const [x, z] = [0, 2].map((axis) => Math.floor((hit[axis] - boundsMin[axis]) / tileWorldSize));
    const wanted = explain(level, records[x + z * tileCountX], hit);
    assert.equal(explanation.reason, wanted.reason, removal);
    seen.add(wanted.reason);
    if (!wanted.onMesh) assert.ok(verdict.includes(wanted.text), `${verdict}: ${wanted.text}`);
    assert.match(verdict, wanted.onMesh ? /^Walkable/ : /^Not walkable/);
    assert.ok(facts.Tile.startsWith(`${x}, ${z}`));
    assert.equal(facts.Region, wanted.region === 0 ? 'None' : String(wanted.region));
    assert.equal(steps.length, wanted.steps.length);
    wanted.steps.forEach(({ stage }, i) => assert.ok(steps[i].startsWith(stage)));
    if (!wanted.onMesh) assert.ok(steps.some((step) => step.endsWith('Removed')));
  }
  for (const reason of ['walkable', 'ledge', 'headroom', 'radius', 'volume', 'region']) assert.ok(seen.has(reason), `${reason}: ${[...seen]}`);
}));

test('inspect: a walkable spot tells its polygon, which is lit and can be copied; it follows the mesh, the keyboard and undo', () => withTool(OPTIONS, async (page, tool) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await lookFromAbove(page);
  const point = [12, 0, 28];
  const before = await takePicture(page);
  await tool.click(point);
  const { verdict, facts } = await readPanel(page);
  assert.equal(verdict.trim(), 'Walkable');
  const wanted = await tool.read(`((point, navMesh, islands) => {
    const { polygon } = navMesh.nearestPoint(point);
    const found = { polygon, area: navMesh.polygonArea(polygon), wall: navMesh.distanceToWall(polygon, point, 50).distance, island: islands.of(polygon),
      islands: islands.count, height: navMesh.height(polygon, point) };
    islands.free();
    return found;
  })(${JSON.stringify(point)}, app.bakes.current.navMesh, app.bakes.current.navMesh.islands())`);
  assert.equal(await page.getByLabel('Polygon reference').innerText(), String(wanted.polygon));
  assert.equal(facts['Mesh height'], `${wanted.height.toFixed(2)} m`);
  assert.ok(Math.abs(parseFloat(facts['Distance to mesh edge']) - wanted.wall) < 0.1, facts['Distance to mesh edge']);
  assert.match(facts.Island, new RegExp(`^${wanted.island} of ${wanted.islands} `));
  assert.equal(facts.Area, 'Ground (0)');
  assert.equal(facts.Headroom, 'Unlimited');
  // The longest reference: labels wrap, numbers don't.
  const broken = await page.locator('.of-tool .facts').evaluate((/** @type {HTMLElement} */ list) => {
    const reference = /** @type {Text} */ ([...(list.querySelector('code')?.childNodes ?? [])].find((node) => node instanceof Text && node.data !== ''));
    const { data } = reference;
    reference.data = String(Number.MAX_SAFE_INTEGER);
    const found = [];
    for (const texts = document.createTreeWalker(list, NodeFilter.SHOW_TEXT); texts.nextNode();) {
      const text = /** @type {Text} */ (texts.currentNode);
      for (const { 0: number, index } of text.data.matchAll(/\d[\d.,]*/g)) {
        const range = new Range();
        range.setStart(text, index);
        range.setEnd(text, index + number.length);
        if (range.getClientRects().length > 1) found.push(number);
      }
    }
    if (list.scrollWidth > list.clientWidth) found.push('cut off');
    reference.data = data;
    return found;
  });
  assert.deepEqual(broken, []);

  await page.getByRole('button', { name: 'Copy reference' }).click();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), String(wanted.polygon));

  // The polygon is highlighted: the picture is bluer at the centres of its triangles.
  const lit = await takePicture(page);
  const triangles = await tool.read('((helper) => [...helper.children[0].geometry.getAttribute("position").array.slice(0, 3 * helper.children[0].geometry.drawRange.count)])'
    + '(app.viewport.overlay.getObjectsByProperty("type", "PolygonsHelper").find((helper) => helper.count > 0))');
  let checked = 0;
  for (let i = 0; i < triangles.length; i += 9) {
    const [x, z] = [0, 2].map((axis) => (triangles[i + axis] + triangles[i + 3 + axis] + triangles[i + 6 + axis]) / 3);
    if (Math.hypot(x - point[0], z - point[2]) < 3) continue; // The pin covers this pixel.
    const [px, py] = lit.toPixel(x, z).map(Math.floor);
    assert.ok(colorDistance(lit.pixels[py * lit.width + px], before.pixels[py * before.width + px]) > 40, `${x}, ${z}`);
    checked++;
  }
  assert.ok(checked > 0);

  // A typed point, and then the level around it changes: an obstacle is added, and removed by undo.
  const field = page.getByLabel('Point x', { exact: true });
  await field.fill('18');
  await field.press('Enter');
  await page.waitForFunction('window.walkmeshTool.tools.active.inspector.current.point[0] === 18 && window.walkmeshTool.tools.active.inspector.current.explanation');
  assert.equal((await readPanel(page)).verdict.trim(), 'Walkable');
  await page.evaluate(() => /** @type {any} */ (window).walkmeshTool.store.edit('add obstacle', (/** @type {any} */ draft) => {
    draft.obstacles.push({ id: 3, shape: { kind: 'cylinder', base: [18, -0.2, 28], radius: 1.5, height: 2 }, area: 0 });
  }));
  await page.waitForFunction('window.walkmeshTool.tools.active.inspector.current.explanation?.reason === "obstacle" && !window.walkmeshTool.tools.active.inspector.current.facts');
  const blocked = await readPanel(page);
  assert.match(blocked.verdict, /^Not walkable Blocked by the obstacle “Cylinder 3”\./);
  assert.ok(parseFloat(blocked.facts['Distance to mesh']) > 1.5);
  await page.evaluate('window.walkmeshTool.store.undo()');
  await page.waitForFunction('window.walkmeshTool.tools.active.inspector.current.explanation?.reason === "walkable" && window.walkmeshTool.tools.active.inspector.current.facts');

  // Escape clears the selection.
  await page.locator('canvas').focus();
  await page.keyboard.press('Escape');
  await page.getByText("Click anywhere to see whether it's walkable, and why not.", { exact: true }).waitFor();
  await tool.still(); // Tiles that were rebuilt for the obstacle are highlighted for a moment.
  const cleared = await takePicture(page);
  const [px, py] = cleared.toPixel(18, 28).map(Math.floor);
  assert.ok(colorDistance(cleared.pixels[py * cleared.width + px], before.pixels[py * before.width + px]) < 30);
}));

test('inspect: a cause acts: its button at the pin changes the configuration as one undo step, bakes, and the spot is walkable', () => withTool({
  ...OPTIONS, config: { tileSize: 48, minRegionSize: 0 }, document: {} }, async (page, tool) => {
  await lookFromAbove(page);
  const label = page.getByRole('group', { name: 'Answer at the point' });
  const mends = page.locator('.pin-label').getByRole('group', { name: 'Make it walkable' });
  // A point beside a wall, at the distance of one cell, found by the tool itself.
  const found = await page.evaluate(async () => {
    const app = /** @type {any} */ (window).walkmeshTool;
    const { min, max } = app.levels.current.bounds;
    for (let x = min.x + 2; x < max.x - 2; x += 0.7) {
      for (let z = min.z + 2; z < max.z - 2; z += 0.7) {
        const y = app.picking.below([x, max.y + 1, z], 1000);
        if (y === null) continue;
        const answer = await app.stages.explain([x, y, z]);
        if (answer?.reason === 'radius' && answer.mends.length > 0 && 'agentRadius' in answer.mends[0].fields && !answer.onMesh) return { point: [x, y, z], fields: answer.mends[0].fields };
      }
    }
    return null;
  });
  assert.ok(found);
  await tool.click(found.point);
  await label.getByText('Not walkable').waitFor();
  const box = await label.boundingBox(), pin = await tool.place(found.point);
  assert.ok(box && Math.abs(box.x + box.width / 2 - pin.x) < 300 && Math.abs(box.y - pin.y) < 250, `${JSON.stringify(box)}, pin ${JSON.stringify(pin)}`);
  const steps = await tool.read('app.store.undoLabel');
  await mends.getByRole('button', { name: `Allow radius ${found.fields.agentRadius} m` }).click();
  assert.equal(await tool.read('app.store.state.document.config.agentRadius'), found.fields.agentRadius);
  assert.equal(await tool.read('app.store.undoLabel'), `allow an agent radius of ${found.fields.agentRadius} m`);
  await label.getByText('Walkable', { exact: true }).waitFor();
  assert.equal(await tool.read('app.bakes.current.config.agentRadius'), found.fields.agentRadius);
  assert.equal(await mends.count(), 0);
  await page.evaluate('window.walkmeshTool.store.undo()');
  await label.getByText('Not walkable').waitFor();
  assert.equal(await tool.read('app.store.undoLabel'), steps);
  assert.equal(await tool.read('app.store.state.document.config.agentRadius'), 0.6);
  // Esc clears the answer.
  await page.locator('canvas').focus();
  await page.keyboard.press('Escape');
  await tool.rest();
  assert.equal(await label.count(), 0);
}));

test('inspect: the panel shows lengths measured on the triangles: a floor at 0 as 0, not as the top of its voxel', () => withTool({
  ...OPTIONS, document: {} }, async (page, tool) => {
  await lookFromAbove(page);
  await tool.click([12, 0, 28]);
  const { facts, explanation } = await readPanel(page);
  assert.equal(facts['Ground height'], '0.00 m');
  assert.notEqual(facts['Mesh height'], facts['Ground height'], 'the mesh of this level lies on the tops of voxels');
  assert.ok(explanation.wall === null || explanation.wall > 0);
}));

test('inspect: a spot in an obstacle names it, and a button selects it', () => withTool({
  ...OPTIONS, document: { obstacles: [{ id: 7, area: 0, shape: { kind: 'box', min: [10, -0.5, 26], max: [14, 2, 30] } }] } }, async (page, tool) => {
  await lookFromAbove(page);
  await tool.click([12, 0, 28]);
  const label = page.getByRole('group', { name: 'Answer at the point' });
  await label.getByText('Blocked by the obstacle “Box 7”.').waitFor();
  await page.locator('.pin-label').getByRole('button', { name: 'Select it' }).click();
  await tool.rest();
  assert.deepEqual(await tool.read('app.edits.selection'), { kind: 'obstacle', id: 7 });
  assert.equal(await tool.read('app.store.state.view.tool'), 'obstacles');
}));
