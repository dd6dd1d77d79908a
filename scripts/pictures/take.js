/** Takes the pictures that scripts/pictures.js asks for; writes messages to standard error. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import UPNG from 'upng-js';
import { defaultDocument, defaultView, libraryConfig } from '../../web-demo/src/state/document.js';
import { writeHash } from '../../web-demo/src/state/url.js';
import { ROOT, openBrowser, withPage } from '../../tests/browser/harness.js';
import { Tool } from '../../tests/browser/tool.js';
import { BARE_STYLE, EXAMPLES, EXAMPLE_SIZE, SIZES, STAGES, STAGE_SIZE, STATES } from './states.js';

const DIST = join(ROOT, 'web-demo', 'dist');
/** Timeout: pages draw in software, which is slow. */
const MILLISECONDS = 240_000;
/** Colours of a picture: reduces it to a quarter of the bytes, with no visible difference. */
const MOST_COLORS = 160;
/** Below this width the page shows one panel at a time. */
const NARROW = 1200;

/** @param {import('playwright-core').Page} page @param {string} path @param {{ x: number, y: number, width: number, height: number }} [clip] */
async function save(page, path, clip) {
  const picture = UPNG.decode(await page.screenshot({ animations: 'disabled', clip }));
  const bytes = Buffer.from(UPNG.encode(UPNG.toRGBA8(picture), picture.width, picture.height, MOST_COLORS));
  mkdirSync(join(ROOT, path, '..'), { recursive: true });
  writeFileSync(join(ROOT, path), bytes);
  process.stderr.write(`${path}: ${(bytes.length / 1000).toFixed(0)} kB\n`);
}

/** Waits until all visible stages have arrived and no frame is drawn for some time. @param {import('playwright-core').Page} page */
async function untilStill(page) {
  await page.waitForFunction('window.walkmeshTool.stages.isComplete', undefined, { timeout: MILLISECONDS / 2 });
  const drawn = () => page.evaluate('window.walkmeshTool.viewport.drawn');
  for (let before = -1, now = await drawn(); before !== now; now = await drawn()) {
    before = now;
    await page.waitForTimeout(1500);
  }
}

/** @param {import('./states.js').ToolState} state @param {import('./states.js').Size} size */
async function takeState({ name, theme, scene, config = {}, document = {}, view = {}, layers = {}, isMoving = false, isLeft = false, prepare }, size) {
  const base = defaultDocument();
  const { width, height, id } = size;
  const hash = await writeHash(
    { ...base, ...document, level: { kind: 'scene', name: scene }, config: { ...base.config, ...config } },
    { ...defaultView(), picture: 'fine', theme, ...view, panels: width < NARROW ? { left: isLeft, right: !isLeft } : { left: true, right: true } });
  const resize = (/** @type {import('playwright-core').Page} */ page) => page.setViewportSize({ width, height });
  await withPage({ mounts: { '': DIST }, path: `/#${hash}`, milliseconds: MILLISECONDS, prepare: resize }, async (page) => {
    page.setDefaultTimeout(MILLISECONDS / 2);
    const tool = new Tool(page);
    await tool.ready();
    await page.evaluate((settings) => {
      for (const [id, setting] of Object.entries(settings)) /** @type {any} */ (window).walkmeshTool.layers.set(id, setting);
    }, layers);
    await untilStill(page);
    await prepare?.(page, tool, size);
    if (!isMoving) await untilStill(page);
    await save(page, join('docs', 'images', `${name}-${id}.png`));
  });
}

/** The view only. @param {(typeof STAGES)[number]} stage */
async function takeStage({ name, layers = {} }) {
  const base = defaultDocument();
  // The page about the pipeline uses the defaults of the library.
  const hash = await writeHash({ ...base, config: libraryConfig(), level: { kind: 'scene', name: 'plaza' } },
    { ...defaultView(), axes: false, picture: 'fine', theme: 'light', panels: { left: false, right: false }, layers: /** @type {any} */ (layers) });
  const resize = (/** @type {import('playwright-core').Page} */ page) => page.setViewportSize(STAGE_SIZE);
  await withPage({ mounts: { '': DIST }, path: `/#${hash}`, milliseconds: MILLISECONDS, prepare: resize }, async (page) => {
    page.setDefaultTimeout(MILLISECONDS / 2);
    await page.addStyleTag({ content: BARE_STYLE });
    await new Tool(page).ready();
    await untilStill(page);
    const { x, y, width, height } = /** @type {any} */ (await page.locator('canvas').first().boundingBox());
    await save(page, join('docs', 'images', `stage-${name}.png`), { x, y, width, height });
  });
}

/** @param {import('./states.js').Example} example */
async function takeExample({ name, prepare }) {
  const ready = async (/** @type {import('playwright-core').Page} */ page) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize(EXAMPLE_SIZE);
  };
  await withPage({ mounts: { '': DIST }, path: `/examples/${name}.html`, milliseconds: MILLISECONDS, prepare: ready }, async (page) => {
    await page.addStyleTag({ content: '.card { display: none; }' });
    await prepare(page);
    await save(page, join('web-demo', 'examples', 'pictures', `${name}.png`));
  });
}

const wanted = process.argv.slice(2);
const isWanted = (/** @type {{ name: string }} */ { name }) => wanted.length === 0 || wanted.includes(name);
/** Reports a failure and continues with the other pictures. @param {string} name @param {Promise<unknown>} taking */
async function attempt(name, taking) {
  try {
    await taking;
  } catch (error) {
    process.stderr.write(`${name}: ${/** @type {Error} */ (error).message}\n`);
    process.exitCode = 1;
  }
}

for (const state of STATES.filter(isWanted)) for (const size of SIZES) await attempt(`${state.name}-${size.id}`, takeState(state, size));
for (const stage of STAGES.filter(({ name }) => isWanted({ name: `stage-${name}` }) || isWanted({ name: 'stages' }))) {
  await attempt(`stage-${stage.name}`, takeStage(stage));
}
for (const example of EXAMPLES.filter(isWanted)) await attempt(example.name, takeExample(example));
await (await openBrowser()).close(); // An open browser keeps the process alive.
