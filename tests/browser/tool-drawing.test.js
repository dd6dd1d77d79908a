// The look of the level tool's views: while they are drawn, in a closed level, and from far away. All tests share one page, since opening it takes most of the time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeInterior } from '../../scripts/pictures/interior.js';
import { GROUND, LINKS, NOT_WALKABLE, REMOVED } from '../../web-demo/src/layers/colors.js';
import { colorDistance, settled, takePicture } from './tool-from-above.js';
import { withTool } from './tool.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./tool.js').Tool} Tool */

const view = (/** @type {Page} */ page, /** @type {string} */ name) => page.getByRole('group', { name: 'Views' }).getByRole('button', { name, exact: true }).click();

/** Opens a level from text and waits for its bake. @param {Page} page @param {string} name @param {string} text of an OBJ file */
async function open(page, name, text) {
  await page.evaluate(([file, obj]) => /** @type {any} */ (window).walkmeshTool.levels.openFiles([new File([obj], file)]), [name, text]);
  await page.waitForFunction((file) => {
    const { levels, bakes, store } = /** @type {any} */ (window).walkmeshTool;
    return levels.current?.name === file && bakes.current && store.state.session.bake.state === 'done';
  }, name);
}

/** Looks at the middle of the level. @param {Page} page @param {number} distance */
const lookFrom = (page, distance) => page.evaluate((metres) => {
  const { viewport, levels } = /** @type {any} */ (window).walkmeshTool;
  const { min, max } = levels.current.bounds;
  viewport.controls.target.copy(min).add(max).multiplyScalar(0.5);
  viewport.camera.position.copy(viewport.controls.target).add({ x: 0.4 * metres, y: 0.75 * metres, z: 0.53 * metres });
  viewport.controls.update();
}, distance);

/** Lets the stage worker answer this many further requests for tiles; the others wait until the next call. @param {Page} page @param {number} tiles */
const letThrough = (page, tiles) => page.evaluate((count) => {
  const held = /** @type {any} */ (window).held ??= { left: 0, waiting: [] };
  if (!held.post) {
    held.post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function hold(/** @type {any[]} */ ...message) {
      if (message[0].kind !== 'tile' || held.left-- > 0) held.post.apply(this, message);
      else held.waiting.push(() => held.post.apply(this, message));
    };
  }
  held.left = count;
  for (const send of held.waiting.splice(0, count)) {
    held.left--;
    send();
  }
}, tiles);

/** @param {Page} page @param {Tool} tool */
async function tryProgress(page, tool) {
  await page.getByRole('button', { name: 'More layers' }).click();
  const [note, status, legend] = [page.locator('.drawing-note'), page.locator('.drawing-status'), page.locator('.drawing')];
  await letThrough(page, 0);
  await view(page, 'Clearance');
  await page.evaluate(() => {
    const said = Object.assign(window, { said: /** @type {string[]} */ ([]) }).said;
    const region = /** @type {Element} */ (document.querySelector('.drawing-status'));
    new MutationObserver(() => { said.push(region.textContent ?? ''); }).observe(region, { childList: true, characterData: true, subtree: true });
  });
  await legend.getByText('Distance field: 0 %').waitFor();
  await page.evaluate('new Promise((done) => { setTimeout(done, 500); })'); // less time isn't shown
  await letThrough(page, 4);
  await tool.until('app.stages.progress.drawn === 4');
  await page.evaluate('walkmeshTool.panels.refresh()');
  const tiles = await tool.read('app.stages.progress.tiles');
  const percent = `${Math.floor(400 / tiles)} %`;
  await note.getByText(`Clearance: ${percent}`, { exact: true }).waitFor();
  await legend.getByText(`Distance field: ${percent}`, { exact: true }).waitFor();
  assert.match(await page.locator('.layer', { hasText: 'Distance field' }).locator('.note').innerText(), new RegExp(`^${percent} · `));
  assert.equal(await note.getAttribute('aria-hidden'), 'true');
  await letThrough(page, 1e6);
  await tool.until('app.stages.isComplete && app.layers.isComplete');
  await note.waitFor({ state: 'detached' });
  await legend.waitFor({ state: 'detached' });
  assert.equal(await status.innerText(), '');
  assert.deepEqual((await page.evaluate('window.said')).filter(Boolean), ['Drawing Clearance'], 'a screen reader hears it once');
  await page.getByRole('button', { name: 'More layers' }).click();
}

/** Pixels of the picture that have a colour. @param {{ pixels: Uint32Array }} picture @param {number} color */
const countOf = ({ pixels }, color) => pixels.reduce((sum, pixel) => sum + (colorDistance(pixel, color) < 12 ? 1 : 0), 0);

/** @param {Page} page @param {Tool} tool */
async function tryClosed(page, tool) {
  await open(page, 'interior.obj', makeInterior());
  assert.equal(await tool.read('app.levels.current.isClosed'), true);
  const lookAt = async (/** @type {string} */ name, /** @type {boolean | null} */ shell) => {
    await page.evaluate((value) => { /** @type {any} */ (window).walkmeshTool.store.setView({ shell: value }); }, shell);
    await view(page, name);
    await lookFrom(page, 60);
    await settled(page);
    return takePicture(page);
  };
  const [open_, box] = [await lookAt('Voxels', null), await lookAt('Voxels', false)];
  assert.ok(countOf(open_, GROUND) > 5000, `${countOf(open_, GROUND)} pixels of floors are seen`);
  assert.ok(countOf(box, GROUND) < 0.1 * countOf(open_, GROUND) && countOf(box, NOT_WALKABLE) > 5000, 'without the shell the ceilings are drawn');
  const why = await lookAt('Why not', null);
  const covered = await lookAt('Why not', false);
  await page.evaluate('walkmeshTool.store.setView({ shell: null })');
  const steep = [why, covered].map((picture) => countOf(picture, REMOVED.steep));
  assert.ok(Math.max(...steep) < 0.02 * countOf(open_, GROUND), `${steep} pixels of ceilings and tops of walls are too steep`);
  // Beside the steps between two floors, the upper one ends above the lower one.
  const edges = await lookAt('Result', null);
  await page.getByRole('list', { name: 'Colours' }).getByText('Drop: the wider, the deeper').waitFor();
  await page.evaluate("walkmeshTool.layers.set('drops', { visible: false })");
  await settled(page);
  const without = await takePicture(page);
  const rims = edges.pixels.reduce((sum, pixel, i) => sum + (colorDistance(pixel, without.pixels[i]) > 20 ? 1 : 0), 0);
  assert.ok(rims > 10, `${rims} pixels of rims`);
}

/** Sizes of what is drawn in the view, in pixels of the page: the level, and the free part. @param {Page} page */
const sizesOf = (page) => page.evaluate(() => {
  const { viewport: { camera, canvas }, levels } = /** @type {any} */ (window).walkmeshTool;
  camera.updateMatrixWorld();
  const { left, right, width, top, height } = canvas.getBoundingClientRect();
  const [xs, ys] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  const { positions } = levels.current;
  for (let i = 0; i < positions.length; i += 3) {
    const { x, y } = camera.position.clone().fromArray(positions, i).project(camera);
    xs.push(left + (x + 1) / 2 * width);
    ys.push(top + (1 - y) / 2 * height);
  }
  const rail = /** @type {Element} */ (document.querySelector('.rail')).getBoundingClientRect();
  const isFoot = rail.width > rail.height;
  // Below a canvas that goes on behind the rail, Chromium without a graphics card leaves out as much of its top: a pale band.
  const free = { left: isFoot ? left : rail.right, right, top, bottom: top + height, isApart: !isFoot || rail.top >= top + height };
  return { free, seen: { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) } };
});

/** @param {Page} page @param {Tool} tool */
async function tryFraming(page, tool) {
  for (const [width, height] of [[390, 844], [1000, 560]]) {
    await page.setViewportSize({ width, height });
    await tool.rest();
    await page.locator('canvas').focus();
    await page.keyboard.press('Home');
    const { free, seen } = await sizesOf(page);
    const text = JSON.stringify({ free, seen });
    assert.ok(free.isApart, `the rail covers the foot of the canvas: ${text}`);
    for (const side of /** @type {const} */ (['left', 'top'])) assert.ok(seen[side] > free[side], `${side} of ${text}`);
    for (const side of /** @type {const} */ (['right', 'bottom'])) assert.ok(seen[side] < free[side], `${side} of ${text}`);
    const shares = [(seen.right - seen.left) / (free.right - free.left), (seen.bottom - seen.top) / (free.bottom - free.top)];
    assert.ok(Math.max(...shares) > 0.88, `${shares.map((share) => share.toFixed(2))} of ${text}`);
  }
}

/** A square of 30 m with a house of 4 m on it, as an OBJ file. */
const HOUSES = `${[[0, 30, 0, 0], [6, 14, 6, 4]].flatMap(([low, high, , y]) => [[low, y, low], [low, y, high], [high, y, high], [high, y, low]])
  .map((point) => `v ${point.join(' ')}`).join('\n')}
v 6 0 6
v 6 0 14
v 14 0 14
v 14 0 6
f 1 2 3 4
f 5 6 7 8
f 9 10 6 5
f 10 11 7 6
f 11 12 8 7
f 12 9 5 8
`;

/** @param {Page} page @param {Tool} tool */
async function tryRoof(page, tool) {
  await open(page, 'houses.obj', HOUSES);
  await view(page, 'Result');
  await settled(page);
  const legend = page.getByRole('list', { name: 'Colours' });
  await legend.getByText('Unreachable from the largest ground').waitFor();
  await lookFrom(page, 45);
  const hatched = await takePicture(page);
  await page.evaluate("walkmeshTool.layers.set('cutOff', { visible: false })");
  await settled(page);
  const plain = await takePicture(page);
  // The roof is a part of the picture that the hatch changes; the street keeps its colour.
  const changed = hatched.pixels.reduce((sum, pixel, i) => sum + (colorDistance(pixel, plain.pixels[i]) > 30 ? 1 : 0), 0);
  const teal = (/** @type {{ pixels: Uint32Array }} */ { pixels }) => pixels.reduce((sum, pixel) => sum + ((pixel >> 8 & 255) - (pixel >> 16) > 50 ? 1 : 0), 0);
  assert.ok(changed > 500 && changed < 0.3 * teal(plain), `${changed} of ${teal(plain)} pixels are hatched`);
  assert.ok(Math.abs(teal(plain) - teal(hatched) - changed) < 0.3 * changed, 'the roof is no longer teal');
  await page.evaluate("walkmeshTool.layers.set('cutOff', { visible: true })");
  // On phones the legend is closed: a key says what the colours mean, of hatched ground where there is any.
  const note = page.locator('.view-key').getByText('Unreachable from the largest ground');
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  assert.equal(await note.isVisible(), false, 'wide windows have the legend');
  await page.setViewportSize({ width: 390, height: 844 });
  await note.waitFor();
  await page.evaluate("walkmeshTool.layers.set('navMesh', { visible: false })");
  await note.waitFor({ state: 'hidden' });
  await page.evaluate("walkmeshTool.layers.set('navMesh', { visible: true })");
  await page.setViewportSize({ width, height });
}

/** @param {Page} page @param {Tool} tool */
async function tryLinks(page, tool) {
  await view(page, 'Graph');
  await lookFrom(page, 40);
  await settled(page);
  const orange = async () => {
    await tool.drawn();
    return countOf(await takePicture(page), LINKS.crossing);
  };
  const near = await orange();
  await lookFrom(page, 400);
  const far = await orange();
  assert.ok(near > 300 && far < 0.1 * near, `${near} pixels of links from near, ${far} from far`);
  const legend = await page.getByRole('list', { name: 'Colours' }).innerText();
  assert.match(legend, /Link within a tile/);
  assert.doesNotMatch(legend, /Connection/, 'the level has none');
}

/** A slope as an OBJ file: waves, so that cells rise in all directions. */
function makeWaves() {
  const side = 21;
  const height = (/** @type {number} */ x, /** @type {number} */ z) => 3 * Math.sin(0.16 * x + 0.05 * z) + 2 * Math.cos(0.13 * z);
  const vertices = Array.from({ length: side * side }, (_, i) => [2 * (i % side), 2 * Math.floor(i / side)]).map(([x, z]) => `v ${x} ${height(x, z).toFixed(3)} ${z}`);
  const faces = Array.from({ length: side * side }, (_, i) => i + 1).filter((i) => i % side !== 0 && i + side <= side * side)
    .flatMap((i) => [`f ${i} ${i + side} ${i + 1}`, `f ${i + 1} ${i + side} ${i + side + 1}`]);
  return `${vertices.join('\n')}\n${faces.join('\n')}\n`;
}

/** The mean difference of brightness between a pixel and the next one, in the middle of the picture. @param {{ pixels: Uint32Array, width: number, height: number }} picture */
function roughnessOf({ pixels, width, height }) {
  const bright = (/** @type {number} */ x, /** @type {number} */ y) => { const p = pixels[y * width + x]; return 0.3 * (p >> 16) + 0.59 * (p >> 8 & 255) + 0.11 * (p & 255); };
  let [sum, count] = [0, 0];
  for (let y = Math.round(0.45 * height); y < 0.55 * height; y++) {
    for (let x = Math.round(0.45 * width); x < 0.55 * width; x++, count++) sum += Math.abs(bright(x, y) - bright(x + 1, y)) + Math.abs(bright(x, y) - bright(x, y + 1));
  }
  return sum / count / 2;
}

/** @param {Page} page @param {Tool} tool */
async function tryFar(page, tool) {
  await open(page, 'waves.obj', makeWaves());
  const roughness = /** @type {Record<string, number>} */ ({});
  for (const name of ['Voxels', 'Clearance', 'Regions']) {
    await view(page, name);
    await lookFrom(page, 150);
    await page.evaluate("walkmeshTool.layers.set('contours', { visible: false })");
    await settled(page);
    await tool.drawn();
    roughness[name] = roughnessOf(await takePicture(page));
  }
  for (const [name, value] of Object.entries(roughness)) assert.ok(value < ROUGHEST, `${name}: ${JSON.stringify(roughness)}`);
}

/** @param {Page} page */
async function tryOutlines(page) {
  await view(page, 'Regions');
  const sizeOf = async (/** @type {boolean} */ hasRegions) => {
    const pictures = [];
    for (const hasContours of [true, false]) {
      await page.evaluate(([regions, contours]) => {
        const { layers } = /** @type {any} */ (window).walkmeshTool;
        layers.set('regions', { visible: regions });
        layers.set('contours', { visible: contours });
      }, [hasRegions, hasContours]);
      await lookFrom(page, 25);
      await settled(page);
      pictures.push(await takePicture(page));
    }
    return pictures[0].pixels.reduce((sum, pixel, i) => sum + (colorDistance(pixel, pictures[1].pixels[i]) > 24 ? 1 : 0), 0);
  };
  const [seen, whole] = [await sizeOf(true), await sizeOf(false)];
  assert.ok(whole > 2000 && seen > 0.93 * whole, `${seen} of ${whole} pixels of outlines are seen`);
}

/** Steps of brightness; with the moire, it was 12 and more. */
const ROUGHEST = 5;

test('views of the level tool', (t) => withTool({
  view: { theme: 'light', picture: 'fine', panels: { left: false, right: true } }, size: { width: 1000, height: 560 }, scale: 1, milliseconds: 180_000,
}, async (page, tool) => {
  await t.test('layers that are still being filled look finished: corner, legend and row say how much is drawn', () => tryProgress(page, tool));
  await t.test('voxels of a closed level are a closed box, and its ceilings are too steep: the shell hides them', () => tryClosed(page, tool));
  await t.test('an unreachable roof has the colour of the street: it is hatched, and the legend says so', () => tryRoof(page, tool));
  await t.test('Links is a net without a reading: from far there are no lines, and the legend names what is there', () => tryLinks(page, tool));
  await t.test('opening a level wastes a third of the width, parts lie behind the tools, and on phones a band at the top is pale', () => tryFraming(page, tool));
  await t.test('terrain seen from far away has a moire in Voxels, Clearance and Regions', () => tryFar(page, tool));
  await t.test('outlines of regions break into dots on slopes', () => tryOutlines(page));
}));
