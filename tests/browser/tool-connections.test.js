// The layer of off-mesh connections, seen from above: a drawn connection appears where the mesh has it, in the colour of its state.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONNECTIONS } from '../../web-demo/src/layers/colors.js';
import { colorDistance, lookFromAbove, settled, takePicture } from './tool-from-above.js';
import { withTool } from './tool.js';

/** Colours of the legend. */
const { enabled: OPEN, disabled: OFF, untied: UNTIED } = CONNECTIONS;
/** Start and end, on open ground. */
const [FROM, TO] = [[12, 0, 24], [20, 0, 29]];
const HIDDEN = { visible: false, opacity: 1 };

/** Number of pixels of each colour of the layer. */
function countColors({ pixels }) {
  const counts = new Map([OPEN, OFF, UNTIED].map((color) => [color, 0]));
  for (const pixel of pixels) for (const color of counts.keys()) if (colorDistance(pixel, color) < 40) counts.set(color, counts.get(color) + 1);
  return Object.fromEntries(Object.entries({ OPEN, OFF, UNTIED }).map(([name, color]) => [name, counts.get(color)]));
}

/** True if a pixel at a point, or next to it, has the colour. */
function isAt({ pixels, width, toPixel }, color, x, z) {
  const [px, py] = toPixel(x, z).map(Math.floor);
  for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) if (colorDistance(pixels[(py + dy) * width + px + dx], color) < 40) return true;
  return false;
}

/** The fraction of a line's, or a circle's, points that have the colour. */
function shareOf(picture, color, placeOf, count = 60) {
  let seen = 0;
  for (let i = 0; i < count; i++) if (isAt(picture, color, ...placeOf((i + 0.5) / count))) seen++;
  return seen / count;
}

/** Asserts that a picture shows a connection in a colour: its arc, the rings of its ends, and that colour nowhere else. */
function assertConnection(picture, color, { startOnMesh, endOnMesh, radius }) {
  const [[ax, , az], [bx, , bz]] = [startOnMesh, endOnMesh];
  const length = Math.hypot(bx - ax, bz - az);
  const arc = shareOf(picture, color, (t) => [ax + t * (bx - ax), az + t * (bz - az)]);
  assert.ok(arc > 0.9, `of the arc ${arc} is seen`);
  for (const [x, z] of [[ax, az], [bx, bz]]) {
    const ring = shareOf(picture, color, (t) => [x + radius * Math.cos(2 * Math.PI * t), z + radius * Math.sin(2 * Math.PI * t)]);
    assert.ok(ring > 0.8, `of the ring at ${x}, ${z} ${ring} is seen`);
  }
  picture.pixels.forEach((pixel, i) => {
    if (colorDistance(pixel, color) >= 40) return;
    const [ox, oz] = picture.toPixel(0, 0);
    const [x, z] = [(i % picture.width + 0.5 - ox) / 10, (Math.floor(i / picture.width) + 0.5 - oz) / 10];
    const t = Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (z - az) * (bz - az)) / length ** 2));
    const distance = Math.hypot(x - ax - t * (bx - ax), z - az - t * (bz - az));
    const reach = t * length < radius || (1 - t) * length < radius ? radius + 0.3 : 0.5;
    assert.ok(distance < reach, `${x}, ${z} is ${distance} m from the arc`);
  });
}

test('layers: a connection drawn with the mouse is seen where the mesh has it, open, switched off and untied', () => withTool({
  view: { theme: 'light', panels: { left: false, right: true }, layers: { navMesh: HIDDEN, input: HIDDEN, edits: HIDDEN, rebuilt: HIDDEN } },
  size: { width: 1000, height: 620 }, scale: 1,
}, async (page, tool) => {
  await lookFromAbove(page);
  const layer = page.getByRole('switch', { name: 'Off-mesh connections', exact: true });
  const look = async () => {
    // Without the handles of the selection.
    await page.locator('.rail').getByRole('button', { name: 'Inspect' }).click();
    await settled(page);
    return takePicture(page);
  };
  const change = async (/** @type {() => Promise<any>} */ act) => {
    await page.locator('.rail').getByRole('button', { name: 'Connections' }).click();
    if (await tool.read('app.edits.selection === null')) await page.getByRole('button', { name: /^Connection 1/ }).click();
    await act();
  };
  const none = { OPEN: 0, OFF: 0, UNTIED: 0 };
  await page.getByRole('button', { name: 'More layers' }).click();
  await page.locator('wa-switch').filter({ hasText: /^\s*Off-mesh connections\s*$/ }).click();
  await settled(page);
  assert.deepEqual(countColors(await look()), none, 'there is no connection yet');

  await page.keyboard.press('j');
  await tool.click(FROM);
  await tool.click(TO);
  const connections = () => tool.read('app.bakes.current.navMesh.connections().map((ref) => app.bakes.current.navMesh.connection(ref))');
  const [drawn, ...others] = await connections();
  assert.deepEqual([others.length, drawn.startTied, drawn.endTied, drawn.bidirectional], [0, true, true, true]);
  [FROM, TO].forEach(([x, , z], i) => {
    const [atX, , atZ] = i === 0 ? drawn.startOnMesh : drawn.endOnMesh;
    assert.ok(Math.hypot(atX - x, atZ - z) < 0.1, `${[atX, atZ]} for ${[x, z]}`);
  });
  const open = await look();
  assertConnection(open, OPEN, drawn);
  assert.deepEqual(countColors(open), { ...none, OPEN: countColors(open).OPEN });

  // The layer is toggled with the mouse and the keyboard.
  await page.locator('wa-switch').filter({ hasText: /^\s*Off-mesh connections\s*$/ }).click();
  await settled(page);
  assert.deepEqual(countColors(await takePicture(page)), none, 'the layer is off');
  await layer.press('Space');
  await settled(page);
  assert.deepEqual(await takePicture(page).then(({ pixels }) => pixels), open.pixels, 'and on again');

  await change(() => page.locator('wa-switch', { hasText: 'Enabled' }).click());
  const off = await look();
  assertConnection(off, OFF, drawn);
  assert.equal(countColors(off).OPEN, 0);
  await page.keyboard.press('Control+z');
  assert.deepEqual((await look()).pixels, open.pixels, 'switched on again');

  // High above the mesh an end isn't tied to a polygon.
  await change(async () => {
    await page.getByLabel('End y').fill('20');
    await page.getByLabel('End y').press('Enter');
  });
  assert.equal((await connections())[0].endTied, false);
  const untied = countColors(await look());
  assert.ok(untied.UNTIED > 50 && untied.OPEN > 20, `the arc and one ring are red, the other ring is not: ${JSON.stringify(untied)}`);
  await page.keyboard.press('Control+z');
  await change(() => page.keyboard.press('Delete'));
  assert.deepEqual(countColors(await look()), none);
}));
