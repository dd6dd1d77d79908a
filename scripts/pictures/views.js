/**
 * Takes pictures of all views of the level tool, to look at them: on a city, a closed interior and a terrain, at three widths, in both
 * themes; and a contact sheet for each level and theme.
 *
 *   node scripts/pictures/views.js --out DIR [--interior FILE] [--levels city,terrain] [--views voxels] [--sizes 390]
 *
 * DIR lies outside the repository. FILE: a closed level to use instead of the one of interior.js. The level tool must be built
 * (`npm run build:demo`). Each level is opened and baked once.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultDocument, defaultView } from '../../web-demo/src/state/document.js';
import { VIEWS } from '../../web-demo/src/layers/views.js';
import { writeHash } from '../../web-demo/src/state/url.js';
import { ROOT, openBrowser, withPage } from '../../tests/browser/harness.js';
import { Tool } from '../../tests/browser/tool.js';
import { makeInterior } from './interior.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ level: string, theme: string, view: string, size: string, path: string }} Taken */

const DIST = join(ROOT, 'web-demo', 'dist');
/** Timeout of a level: pages draw in software, which is slow. */
const MILLISECONDS = 1_800_000;
const SIZES = [{ id: '1440', width: 1440, height: 900 }, { id: '1024', width: 1024, height: 768 }, { id: '390', width: 390, height: 844 }];
const THEMES = /** @type {const} */ (['light', 'dark']);
const LEVELS = ['city', 'interior', 'terrain'];
/** Width of a picture on a contact sheet by size, pixels; a row has each view once. */
const THUMBNAILS = { 1440: 480, 1024: 400, 390: 200 };

const { values: options } = parseArgs({ options: Object.fromEntries(['out', 'interior', 'levels', 'views', 'sizes'].map((name) => [name, { type: /** @type {const} */ ('string') }])) });
const isWanted = (/** @type {string | undefined} */ list, /** @type {string} */ name) => list === undefined || list.split(',').includes(name);
const views = VIEWS.filter(({ id }) => isWanted(options.views, id));
const sizes = SIZES.filter(({ id }) => isWanted(options.sizes, id));

/** Waits until everything is drawn and nothing is drawn again. @param {Page} page @param {Tool} tool */
async function untilStill(page, tool) {
  await page.waitForFunction('window.walkmeshTool.stages.isComplete && window.walkmeshTool.layers.isComplete', undefined, { timeout: MILLISECONDS / 4 });
  await tool.still();
}

/** Opens a level file that isn't bundled, and waits for its bake. @param {Page} page @param {Tool} tool @param {string} text */
async function openInterior(page, tool, text) {
  await page.evaluate((obj) => /** @type {any} */ (window).walkmeshTool.levels.openFiles([new File([obj], 'interior.obj')]), text);
  await page.waitForFunction('walkmeshTool.levels.current.name === "interior.obj" && walkmeshTool.bakes.current && walkmeshTool.store.state.session.bake.state === "done"',
    undefined, { timeout: MILLISECONDS / 4 });
  await tool.ready();
}

/** @param {Page} page @param {string} level @param {string} out @returns {Promise<Taken[]>} */
async function takeViews(page, level, out) {
  const tool = new Tool(page);
  /** @type {Taken[]} */
  const taken = [];
  for (const { id: view } of views) {
    await page.evaluate((wanted) => [...document.querySelectorAll('.views button')].find((button) => button.textContent === wanted)?.dispatchEvent(new MouseEvent('click')),
      VIEWS.find(({ id }) => id === view)?.label);
    for (const { id: size, width, height } of sizes) {
      await page.setViewportSize({ width, height });
      await tool.rest();
      await page.evaluate(() => {
        const { levels, comparison } = /** @type {any} */ (window).walkmeshTool;
        comparison.dismiss();
        levels.frame();
      });
      for (const theme of THEMES) {
        await page.evaluate((name) => { /** @type {any} */ (window).walkmeshTool.store.setView({ theme: name }); }, theme);
        await untilStill(page, tool);
        const path = join(out, `${level}-${view}-${size}-${theme}.png`);
        await page.screenshot({ path, animations: 'disabled' });
        taken.push({ level, theme, view, size, path });
        process.stderr.write(`${path}\n`);
      }
    }
  }
  return taken;
}

/** @param {string} level @param {string} out @returns {Promise<Taken[]>} */
async function takeLevel(level, out) {
  const base = defaultDocument();
  const scene = level === 'interior' ? 'plaza' : level;
  const hash = await writeHash({ ...base, level: { kind: 'scene', name: scene } }, { ...defaultView(), picture: 'fine' });
  const context = { viewport: { width: sizes[0].width, height: sizes[0].height } };
  return withPage({ mounts: { '': DIST }, path: `/#${hash}`, milliseconds: MILLISECONDS, context }, async (page) => {
    page.setDefaultTimeout(MILLISECONDS / 4);
    const tool = new Tool(page);
    await tool.ready();
    if (level === 'interior') await openInterior(page, tool, options.interior ? readFileSync(options.interior, 'utf8') : makeInterior());
    return takeViews(page, level, out);
  });
}

/** A page of thumbnails, as a picture. @param {import('playwright-core').Browser} browser @param {string} name @param {Taken[]} taken @param {string} out */
async function writeSheet(browser, name, taken, out) {
  const rows = views.map(({ id, label }) => `<h2>${label}</h2><div>${taken.filter(({ view }) => view === id).map(({ size, path }) => (
    `<figure><img width="${THUMBNAILS[/** @type {'390'} */ (size)]}" src="data:image/png;base64,${readFileSync(path).toString('base64')}"><figcaption>${size} px</figcaption></figure>`)).join('')}</div>`);
  const page = await browser.newPage({ viewport: { width: 1160, height: 800 } });
  await page.setContent(`<style>body { margin: 12px; font: 13px sans-serif; } h2 { margin: 12px 0 4px; font-size: 14px; } div { display: flex; gap: 12px; align-items: start; }
    figure { margin: 0; } img { border: 1px solid #888; }</style><h1>${name}</h1>${rows.join('')}`, { waitUntil: 'load' });
  const path = join(out, `sheet-${name}.png`);
  await page.screenshot({ path, fullPage: true });
  await page.close();
  process.stderr.write(`${path}\n`);
}

if (!options.out) throw new Error('say where the pictures go: --out DIR');
const out = resolve(options.out);
if (!relative(ROOT, out).startsWith('..')) throw new Error(`${out} lies in the repository: choose a folder outside`);
mkdirSync(out, { recursive: true });
const browser = await openBrowser();
for (const level of LEVELS.filter((name) => isWanted(options.levels, name))) {
  const taken = await takeLevel(level, out);
  for (const theme of THEMES) await writeSheet(browser, `${level}-${theme}`, taken.filter((picture) => picture.theme === theme), out);
}
await browser.close(); // An open browser keeps the process alive.
