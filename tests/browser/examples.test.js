// The built examples, in a nested folder of a server: each loads, responds to the mouse, and reports no error. Mouse and keyboard are
// Playwright's, so that other engines than Chromium load the examples only.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CHROMIUM_ONLY, ENGINE, ROOT, withPage } from './harness.js';

const EXAMPLES = join(ROOT, 'web-demo', 'examples');
const DIST = join(ROOT, 'web-demo', 'dist');
const DEEP = '/some/deep/folder';
/** Few pixels, since WebGL runs in software. */
const SIZE = { width: 840, height: 520 };
const CONTEXT = { viewport: SIZE, deviceScaleFactor: 0.5 };

const server = mkdtempSync(join(tmpdir(), 'walkmesh-examples-'));
mkdirSync(join(server, 'deep'));
symlinkSync(DIST, join(server, 'deep', 'folder'));
after(() => rmSync(server, { recursive: true }));

/** At most ten frames a second, for pages that draw in each: software rendering takes most of the time of these tests. */
const TEN_FRAMES = `{
  const next = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (draw) => setTimeout(() => next(draw), 90);
  window.cancelAnimationFrame = clearTimeout;
}`;

/** @param {string} name @param {(page: import('playwright-core').Page, server: any) => Promise<void>} body */
const withExample = (name, body) => withPage({
  mounts: { some: server }, path: `${DEEP}/examples/${name}`, context: CONTEXT, prepare: (page) => page.addInitScript(TEN_FRAMES),
}, async (page, started) => {
  await body(page, started);
  const elsewhere = started.requests.filter((path) => !path.startsWith(`${DEEP}/`) && path !== '/favicon.ico');
  assert.deepEqual(elsewhere, [], 'nothing is asked for outside of the folder');
});

/**
 * Waits until the status below the card's text matches.
 * @param {import('./engines/engines.js').EnginePage} page @param {RegExp} pattern
 */
const untilOutput = (page, { source, flags }) => page.waitForFunction(
  ([text, how]) => new RegExp(text, how).test(document.querySelector('output')?.textContent ?? ''), [source, flags]);

/** Waits until the status matches, and returns it. @param {import('playwright-core').Page} page @param {RegExp} pattern */
async function outputOf(page, pattern) {
  await untilOutput(page, pattern);
  return page.locator('output').innerText();
}

/**
 * Converts a point of a three.js example's world to page coordinates.
 * @param {import('playwright-core').Page} page @param {number[]} point
 */
const placeOf = (page, point) => page.evaluate((at) => {
  const { camera } = /** @type {any} */ (window);
  camera.updateMatrixWorld();
  const projected = camera.position.clone().fromArray(at).project(camera);
  return { x: (projected.x + 1) / 2 * innerWidth, y: (1 - projected.y) / 2 * innerHeight };
}, point);

/** @param {import('playwright-core').Page} page @param {number[]} point of the world */
async function clickPoint(page, point) {
  const { x, y } = await placeOf(page, point);
  await page.mouse.click(x, y);
}

const examples = readdirSync(EXAMPLES).filter((name) => /\.(html|mjs)$/.test(name) && !['index.html', 'source.html', 'headless.html'].includes(name));

test('examples are short', () => {
  assert.equal(examples.length, 6);
  for (const name of examples) {
    const lines = readFileSync(join(EXAMPLES, name), 'utf8').split('\n');
    assert.ok(lines.length < 150, `${name} has ${lines.length} lines`);
    for (const line of lines) assert.ok(line.length <= 160, `${name}: ${line}`);
  }
});

test('the start page leads to every example, its source and the level tool, with a picture each', CHROMIUM_ONLY, () => withExample('index.html', async (page) => {
  const links = await page.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  for (const name of examples) {
    assert.ok(links.includes(`./${name.replace('.mjs', '.html')}`), name);
    assert.ok(links.includes(`./source.html#${name}`), `source of ${name}`);
  }
  const pictures = await page.locator('img').evaluateAll((all) => all.map((image) => [image.complete, image.naturalWidth, image.naturalHeight]));
  assert.deepEqual(pictures, Array(6).fill([true, 640, 400]));
  await page.getByRole('navigation', { name: 'Crowd' }).getByRole('link', { name: 'Source' }).click();
  const untilSource = () => page.waitForFunction(() => (document.querySelector('pre')?.textContent ?? '') !== '');
  await untilSource();
  assert.equal(await page.locator('pre').textContent(), readFileSync(join(EXAMPLES, 'crowd.html'), 'utf8'));
  assert.ok(await page.locator('pre .keyword').count() > 10);
  await page.getByRole('link', { name: 'Open the example' }).click();
  await outputOf(page, /agents/);
  await page.goBack();
  // A page that is left while it loads its source reports an aborted request.
  await untilSource();
  await page.getByRole('link', { name: 'All examples' }).click();
  await page.getByRole('link', { name: 'Open the level tool' }).click();
  await page.waitForFunction('window.walkmeshTool?.store.state.session.bake.state === "done"');
}));

test('bake and path: dragging an end changes the path', CHROMIUM_ONLY, () => withExample('bake-and-path.html', async (page) => {
  const before = await outputOf(page, /^complete: [\d.]+ m/);
  // The lower left corner: the plan of 60 by 40 metres fills the space beside the card.
  const scale = Math.min((SIZE.width - 390 - 40) / 60, (SIZE.height - 40) / 40);
  const [left, top] = [390 + (SIZE.width - 390 - 60 * scale) / 2, (SIZE.height - 40 * scale) / 2];
  const at = (/** @type {number} */ x, /** @type {number} */ z) => /** @type {const} */ ([left + x * scale, top + z * scale]);
  await page.mouse.move(...at(2.5, 37));
  await page.mouse.down();
  await page.mouse.move(...at(30, 33), { steps: 3 });
  await page.mouse.up();
  const after = await outputOf(page, /^complete: [\d.]+ m/);
  assert.ok(parseFloat(after.split(' ')[1]) < parseFloat(before.split(' ')[1]) - 15, `${before} -> ${after}`);
  await page.getByRole('checkbox').uncheck();
  const longer = await outputOf(page, /^complete/);
  assert.ok(parseFloat(longer.split(' ')[1]) >= parseFloat(after.split(' ')[1]));
}));

test('crowd: agents walk, more come, and all go where one clicks', CHROMIUM_ONLY, () => withExample('crowd.html', async (page) => {
  await outputOf(page, /^300 agents/);
  const places = () => page.evaluate('[...window.crowd.positions]');
  const before = await places();
  await page.waitForFunction((old) => {
    const now = /** @type {any} */ (window).crowd.positions;
    return old.some((value, i) => i % 3 === 0 && Math.abs(now[i] - value) > 0.3);
  }, before);
  await page.getByRole('button', { name: 'Add 100' }).click();
  await outputOf(page, /^400 agents/);
  await clickPoint(page, [0, 0, 6]);
  await page.waitForFunction(() => {
    const { crowd } = /** @type {any} */ (window);
    return Array.from(crowd.agents).every((agent) => {
      const { target } = crowd.info(agent);
      return Math.hypot(target[0], target[2] - 6) < 1;
    });
  });
}));

test('obstacles: a click puts a crate there and the path goes around it, another takes it away', CHROMIUM_ONLY, () => withExample('obstacles.html', async (page) => {
  await outputOf(page, /^6 crates[^]*complete/);
  const read = async () => {
    // A frame builds tiles for 4 ms: the remaining tiles follow in the next frames.
    await page.waitForFunction('dynamic.dirtyTiles === 0');
    return page.evaluate(`({ crates: crates.children.length, obstacles: dynamic.obstacleCount,
      isOn: navMesh.nearestPoint([-20, 0, 12], { halfExtents: [0.1, 2, 0.1] }) !== null })`);
  };
  assert.deepEqual(await read(), { crates: 6, obstacles: 6, isOn: true });
  await clickPoint(page, [-20, 0, 12]);
  await outputOf(page, /^7 crates; \d+ tiles/);
  assert.deepEqual(await read(), { crates: 7, obstacles: 7, isOn: false });
  await clickPoint(page, [-20, 1.6, 12]);
  await outputOf(page, /^6 crates; \d+ tiles/);
  assert.deepEqual(await read(), { crates: 6, obstacles: 6, isOn: true });
  await page.getByRole('button', { name: 'Add 40 crates' }).click();
  await outputOf(page, /^46 crates/);
  await page.getByRole('button', { name: 'Clear' }).click();
  await outputOf(page, /^0 crates[^]*complete/);
  await page.waitForFunction('dynamic.dirtyTiles === 0');
}));

test('workers: a bake is cancelled, and another runs to its end with the page drawing meanwhile', CHROMIUM_ONLY, () => withExample('workers.html', async (page) => {
  await page.waitForFunction("document.querySelector('progress').value > 0");
  await page.getByRole('button', { name: 'Cancel' }).click();
  await outputOf(page, /^Cancelled/);
  await page.getByRole('button', { name: 'Bake' }).click();
  const text = await outputOf(page, /polygons in/);
  assert.ok(parseInt(text.replace(',', ''), 10) > 1000, text);
  assert.equal(await page.evaluate("document.querySelector('progress').value"), 1);
  // The picture: the tiles cover the plan, once the last ones are drawn.
  const shareOf = () => page.evaluate(() => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('canvas'));
    const { width, height } = canvas;
    // Of a copy: Chromium warns of a canvas that is read more than once.
    const copy = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(width, height).getContext('2d'));
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    let green = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 0 && data[i + 1] > data[i] + 20) green++;
    const side = Math.min(width - 390, height) - 40;
    return green / side ** 2;
  });
  let share = await shareOf();
  for (let i = 0; i < 20 && share <= 0.85; i++) {
    await page.waitForTimeout(100);
    share = await shareOf();
  }
  assert.ok(share > 0.85 && share < 1.01, `${share} of the plan is drawn`);
}));

test('three.js scene graph: pointing shows the way, up the stairs too, and a click walks it', CHROMIUM_ONLY, () => withExample('three-scene.html', async (page) => {
  const first = await outputOf(page, /^complete: 3\d\.\d m/);
  const { x, y } = await placeOf(page, [5, 0, 18]);
  await page.mouse.move(x, y);
  const near = await outputOf(page, /^complete: \d\.\d m/);
  assert.notEqual(near, first);
  await page.mouse.click(x, y);
  await page.waitForFunction(() => {
    const { place } = /** @type {any} */ (window);
    return Math.hypot(place.x - 5, place.z - 18) < 1;
  });
  await page.getByRole('checkbox', { name: 'Navigation mesh' }).uncheck();
}));

test('headless: the page shows the program and what it prints, which is what it prints now', CHROMIUM_ONLY, () => withExample('headless.html', async (page) => {
  const output = execFileSync(process.execPath, [join(EXAMPLES, 'headless.mjs')], { encoding: 'utf8' });
  assert.match(output, /unreachable, not-connected/);
  assert.match(output, /after 10 s [1-9]\d* of 20 agents/);
  await page.waitForFunction(() => document.querySelector('#output')?.textContent !== '');
  assert.equal(await page.locator('#output').textContent(), `$ node headless.mjs\n${output}`);
  assert.equal(await page.locator('#source').textContent(), readFileSync(join(EXAMPLES, 'headless.mjs'), 'utf8'));
}));

/** The first results of examples: the text of their status. @type {Record<string, RegExp>} */
const RESULTS = {
  'bake-and-path.html': /^complete: /, 'crowd.html': /^300 agents/, 'obstacles.html': /^6 crates[^]*complete/, 'three-scene.html': /^complete: /,
  'workers.html': /polygons in/,
};

if (ENGINE !== 'chromium') {
  test('examples: each loads and shows its result', async (context) => {
    for (const [name, pattern] of Object.entries(RESULTS)) {
      await context.test(name, () => withPage({ mounts: { some: server }, path: `${DEEP}/examples/${name}`, context: CONTEXT },
        (page) => untilOutput(page, pattern)));
    }
  });
}

test('the level tool works from a deep folder, too', () => withPage({
  mounts: { some: server }, path: `${DEEP}/index.html`, context: CONTEXT,
}, async (page, { requests }) => {
  assert.ok(existsSync(join(DIST, 'index.html')), 'the level tool is not built: npm run build:demo');
  await page.waitForFunction('window.walkmeshTool?.store.state.session.bake.state === "done"');
  assert.deepEqual(requests.filter((path) => !path.startsWith(`${DEEP}/`) && path !== '/favicon.ico'), []);
}));
