// Edits of the level tool, with the mouse and the keys: obstacles, area volumes, connections and doors, against the library's own
// answers and against bakes of the same level with the same obstacles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { wantedObstacles, toVolume } from '../../web-demo/src/edit/items.js';
import { boundsOf } from '../../web-demo/src/edit/shapes.js';
import { withTool } from './tool.js';

const walkmesh = await load();

/** Small: pixels are what takes time without a graphics card. */
const SIZE = { width: 1210, height: 540 };
/** Without lights, which are drawn for a while after each edit. */
const DARK = { layers: { rebuilt: { visible: false, opacity: 1 } } };

/** Every tile of the page's mesh, and what of obstacles and level it is made of. */
const TILES = `app.bakes.current.navMesh.tiles().map(({ x, z, bytes }) => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return [x + ' ' + z, btoa(text)];
})`;

/** @param {[string, string][]} tiles */
const sorted = (tiles) => Object.fromEntries(tiles.sort(([a], [b]) => (a < b ? -1 : 1)));

/** The tiles of the mesh, once all are built. @param {import('./tool.js').Tool} tool */
async function readTiles(tool) {
  await settle(tool);
  return sorted(await tool.read(TILES));
}

/** Until obstacles are in the mesh. @param {import('./tool.js').Tool} tool */
async function settle(tool) {
  await tool.page.waitForFunction('window.walkmeshTool.bakes.current.dynamic.dirtyTiles === 0');
  await tool.rest();
}

/** What a bake of the page's level with the obstacles of its document gives. @param {import('./tool.js').Tool} tool */
async function bakeLikewise(tool) {
  const { document, positions, indices } = await tool.read(
    '{ document: app.store.state.document, positions: [...app.levels.current.positions], indices: [...app.levels.current.indices] }');
  const level = { positions: new Float32Array(positions), indices: new Uint32Array(indices), volumes: document.volumes.map(toVolume) };
  const { navMesh, dynamic } = walkmesh.bakeDynamic(level, document.config);
  for (const { obstacle } of wantedObstacles(document)) dynamic.addObstacle(obstacle);
  dynamic.update();
  const tiles = sorted(navMesh.tiles().map(({ x, z, bytes }) => [`${x} ${z}`, Buffer.from(bytes).toString('base64')]));
  const { polygons } = navMesh.totals;
  navMesh.free();
  return { tiles, polygons };
}

/** Whether the page's mesh is below a point. @param {import('./tool.js').Tool} tool @param {number[]} point */
async function isOn(tool, [x, y, z]) {
  const nearest = await tool.read(`app.bakes.current.navMesh.nearestPoint(${JSON.stringify([x, y, z])}, { halfExtents: [0.05, 1, 0.05] })`);
  return Boolean(nearest?.polygon) && Math.hypot(nearest.point[0] - x, nearest.point[2] - z) < 0.05;
}

const DOCUMENT = 'app.store.state.document';
const selected = (/** @type {import('./tool.js').Tool} */ tool) => tool.read('app.edits.selected');

/** Free spots of the plaza that nothing hides. */
const SPOTS = { cylinder: [16, 0, 27], box: [20, 0, 29], rotatedBox: [12, 0, 24], capsule: [25, 0, 27], sphere: [14, 0, 20] };
const NAMES = { cylinder: 'Cylinder', box: 'Box', rotatedBox: 'Turned box', capsule: 'Capsule', sphere: 'Sphere', prism: 'Polygon' };
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

  // The way back, and there again, to the last byte.
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
  await page.getByRole('button', { name: 'Turned box' }).click();
  await tool.click(SPOTS.rotatedBox);
  const placed = await selected(tool);
  const empty = await tool.read('app.bakes.current.navMesh.totals.polygons');
  await page.getByRole('button', { name: 'Select and move' }).click();
  await tool.click([20, 0, 29]);
  assert.equal(await tool.read('app.edits.selection'), null, 'a click on the ground deselects');
  const [x, , z] = SPOTS.rotatedBox;
  await tool.drag([x, 1, z], [x + 4, 1, z + 3]);
  const moved = await selected(tool);
  // On the ground it stays; where the pointer goes it follows.
  assert.ok(Math.hypot(moved.shape.centre[0] - x - 4, moved.shape.centre[2] - z - 3) < 0.6, `it is at ${moved.shape.centre}`);
  assert.ok(Math.abs(moved.shape.centre[1] - placed.shape.centre[1]) < 0.02);
  await settle(tool);
  assert.ok(await isOn(tool, [x, 0, z]) && !await isOn(tool, [moved.shape.centre[0], 0, moved.shape.centre[2]]));
  assert.equal(await tool.read('app.store.undoLabel'), 'move obstacle');

  // Close enough for handles.
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

  // Typed.
  await page.getByLabel('Turned by').fill('90');
  await page.getByLabel('Turned by').press('Enter');
  assert.ok(Math.abs((await selected(tool)).shape.yaw - Math.PI / 2) < 1e-3);
  await page.getByLabel('Middle x').fill('15');
  await page.getByLabel('Middle x').press('Enter');
  assert.equal((await selected(tool)).shape.centre[0], 15);

  await page.getByRole('button', { name: 'Duplicate' }).click();
  assert.equal(await tool.read(`${DOCUMENT}.obstacles.length`), 2);
  assert.equal((await selected(tool)).id, 2);
  await page.keyboard.press('Delete');
  assert.equal(await tool.read(`${DOCUMENT}.obstacles.length`), 1);
  await settle(tool);
  assert.deepEqual(await readTiles(tool), (await bakeLikewise(tool)).tiles);
  await page.getByRole('button', { name: /^Turned box 1/ }).click();
  await page.keyboard.press('Delete');
  await settle(tool);
  assert.notEqual(await tool.read('app.bakes.current.navMesh.totals.polygons'), empty);
}));

test('tiles that are rebuilt light up for a moment, and then nothing is drawn any more', () => withTool({ size: SIZE }, async (page, tool) => {
  await page.keyboard.press('o');
  const corner = await tool.place([10, 0, 26]);
  const look = () => page.screenshot({ clip: { x: Math.round(corner.x) - 4, y: Math.round(corner.y) - 4, width: 8, height: 8 } });
  const dark = await look();
  await tool.click(SPOTS.sphere);
  await page.waitForFunction('window.walkmeshTool.edits.lights.count > 0');
  const lit = await look();
  assert.notDeepEqual(lit, dark, 'light');
  const { tiles, milliseconds } = await tool.read('app.store.state.session.edits.last');
  assert.ok(tiles > 0 && milliseconds > 0);
  assert.match(await page.locator('[data-part=update]').innerText(), new RegExp(`^Rebuilt ${tiles} tile`));
  await page.waitForFunction('window.walkmeshTool.edits.lights.count === 0');
  await tool.rest();
  assert.deepEqual(await look(), dark, 'as before');
  const drawn = await tool.read('app.viewport.drawn');
  await page.evaluate('new Promise((done) => setTimeout(done, 300))');
  assert.equal(await tool.read('app.viewport.drawn'), drawn);
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
  await page.getByText('not in the mesh').waitFor();
  assert.match(await page.getByText('not in the mesh').getAttribute('title') ?? '', /level/);
  const moving = () => tool.read('app.bakes.current.dynamic.movingObstacles().count');
  assert.equal(await moving(), 0);
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForFunction('window.walkmeshTool.bakes.current.dynamic.movingObstacles().count === 1');
  // At the other end it rests long enough to have a hole.
  await page.waitForFunction(`(({ dynamic, navMesh }) => {
    const { point } = navMesh.nearestPoint([19, 0, 27]);
    return dynamic.movingObstacles().count === 0 && dynamic.dirtyTiles === 0 && Math.hypot(point[0] - 19, point[2] - 27) > 0.5;
  })(window.walkmeshTool.bakes.current)`);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Back to the start' }).click();
  await page.waitForFunction('window.walkmeshTool.bakes.current.dynamic.movingObstacles().count === 0');
  await settle(tool);
  assert.ok(!await isOn(tool, [16, 0, 27]) && await isOn(tool, [19, 0, 27]));
  await page.getByRole('button', { name: 'Delete Box 7' }).click();
  assert.deepEqual(await readTiles(tool), (await bakeLikewise(tool)).tiles);
}));

test('a connection is drawn from point to point and switched: paths take it, and take it no more', () => withTool({ size: SIZE }, async (page, tool) => {
  // Nothing leads up to the canopy.
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
  await flip('Switched on');
  await page.waitForFunction(`!window.walkmeshTool.store.state.document.connections[0].enabled`);
  assert.equal(await status(), alone);
  await flip('Switched on');
  await flip('Both ways');
  await page.waitForFunction(`!window.walkmeshTool.store.state.document.connections[0].bidirectional`);
  await tool.rest();
  assert.equal(await status(), 'complete');
  assert.notEqual(await back(), 'complete', 'one way');
  // Its end is dragged off the canopy.
  const head = await tool.handle('edit end');
  const foot = await tool.place(canopy);
  const to = await tool.place([14, 0, 24]);
  await tool.dragOnPage(head, { x: to.x + head.x - foot.x, y: to.y + head.y - foot.y });
  assert.ok(Math.hypot((await selected(tool)).end[0] - 14, (await selected(tool)).end[2] - 24) < 0.5);
  assert.equal(await status(), alone);
  await page.keyboard.press('Control+z');
  await tool.rest();
  assert.equal(await status(), 'complete');
  // It is in the next mesh, too.
  await page.keyboard.press('b');
  await page.waitForFunction('window.walkmeshTool.store.state.session.bake.state === "running"');
  await tool.ready();
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
  await page.keyboard.press('Enter');
  const { shape } = await selected(tool);
  corners.forEach(([x, , z], i) => assert.ok(Math.hypot(shape.vertices[3 * i] - x, shape.vertices[3 * i + 2] - z) < 0.05));
  await page.waitForFunction('window.walkmeshTool.store.state.session.bake.state === "running"');
  await tool.ready();
  assert.ok(await tool.read('app.edits.lights.count > 0'), 'the tiles under it are lit');
  assert.ok((await tool.read('app.bakes.current.navMesh.polygons().filter(({ area }) => area === 1).length')) > 0);
  assert.deepEqual(await readTiles(tool), (await bakeLikewise(tool)).tiles);
  const wet = await path();
  assert.ok(wet.cost > before.cost * 1.1, `${wet.cost} after ${before.cost}`);
  // The table: dearer, then cheaper, then not at all.
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
  await page.getByRole('button', { name: 'Select and move' }).click();
  await tool.click([13, 0, 26.5]);
  await page.keyboard.press('Delete');
  await page.waitForFunction('window.walkmeshTool.store.state.session.bake.state === "running"');
  await tool.ready();
  assert.equal((await path()).cost, before.cost);
}));

/** From above, so that no wall hides a corridor. */
const FROM_ABOVE = { camera: { position: [20.8, 62, 20.9], target: [20.8, 0, 20.8] } };
const CELL = 2.6;

test('a door fits itself into an opening, and is shut and opened', () => withTool({ scene: 'maze', view: { ...FROM_ABOVE, ...DARK }, size: SIZE }, async (page, tool) => {
  const [from, to] = [[1.3, 0, 1.3], [40.3, 0, 40.3]];
  const find = () => tool.read(`(({ status, points }) => ({ status, points: [...points] }))(app.bakes.current.navMesh.findPath(${JSON.stringify(from)}, ${JSON.stringify(to)}))`);
  const { status, points } = await find();
  assert.equal(status, 'complete');
  // A cell of a straight corridor about half way: the way goes on along one axis, and there are walls on both sides.
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
  await page.locator('wa-switch', { hasText: 'Door 1 is open' }).click();
  await tool.rest();
  assert.notEqual((await find()).status, 'complete', 'shut');
  // By a double click in the view, and by the space bar.
  const at = await tool.place([spot[0], 1, spot[2]]);
  await page.waitForFunction((since) => performance.now() - since > 700, await page.evaluate('performance.now()'));
  await page.mouse.dblclick(at.x, at.y);
  await tool.rest();
  assert.equal((await find()).status, 'complete');
  await page.keyboard.press('Space');
  await tool.rest();
  assert.notEqual((await find()).status, 'complete');
  // Shut, in the next mesh too.
  await page.keyboard.press('b');
  await page.waitForFunction('window.walkmeshTool.store.state.session.bake.state === "running"');
  await tool.ready();
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

test('where the mesh is a single tile the tool says what obstacles need, and a button sets it', () => withTool({
  size: SIZE, view: { ...DARK, tool: 'obstacles' },
}, async (page, tool) => {
  const button = page.getByRole('button', { name: /Bake in tiles of \d+ cells/ });
  assert.equal(await button.count(), 0);
  await tool.read(`app.store.edit('one tile', (draft) => { draft.config.tileSize = 0; })`);
  await button.click();
  await page.waitForFunction('window.walkmeshTool.store.state.document.config.tileSize > 0');
  await button.waitFor({ state: 'detached' });
  await page.waitForFunction('window.walkmeshTool.store.state.session.bake.state === "done" && window.walkmeshTool.bakes.current.dynamic');
  await tool.click(SPOTS.cylinder);
  await settle(tool);
  assert.ok(!await isOn(tool, SPOTS.cylinder));
}));
