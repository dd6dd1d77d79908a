/**
 * Helpers for the tests of the level tool: the built page (web-demo/dist), opened and ready, and mouse input.
 *
 *   test('...', () => withTool({ scene: 'plaza' }, async (page, tool) => {
 *     await tool.click([2, 0, 3]);
 *     ...
 *   }));
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeHash } from '../../web-demo/src/state/url.js';
import { defaultDocument, defaultView, libraryConfig } from '../../web-demo/src/state/document.js';
import { ROOT, withPage } from './harness.js';

export const DIST = join(ROOT, 'web-demo', 'dist');

/** True if all visible objects are drawn and the preview tiles of a finished bake are gone; stage layers may still be pending. */
const IS_DRAWN = '(app.layers.isComplete && app.bakes.previewed === 0)';

/** Converts a point of the world to page coordinates. */
const PLACE = `((point) => {
  const { viewport } = window.walkmeshTool;
  viewport.camera.updateMatrixWorld();
  const at = viewport.camera.position.clone().fromArray(point).project(viewport.camera);
  const box = viewport.canvas.getBoundingClientRect();
  return { x: box.left + (at.x + 1) / 2 * box.width, y: box.top + (1 - at.y) / 2 * box.height };
})`;

export class Tool {
  /** @param {import('playwright-core').Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Waits until an expression is true; evaluates it in every frame. @param {string} expression on `app` */
  async until(expression) {
    await this.page.waitForFunction(`((app) => app && (${expression}))(window.walkmeshTool)`);
  }

  /** Waits until the level is baked and the mesh is drawn. */
  async ready() {
    await this.until(`app.store.state.session.bake.state === 'done' && ${IS_DRAWN}`);
    await this.drawn();
  }

  /** Waits two frames, in which pending work is done and drawing begins. */
  rest() {
    return this.frames(2);
  }

  /** Waits for frames of the page: the same number on a busy machine as on an idle one. @param {number} count */
  async frames(count) {
    await this.page.evaluate((many) => new Promise((done) => {
      let left = many;
      const next = () => (left-- > 0 ? requestAnimationFrame(next) : done(undefined));
      next();
    }), count);
  }

  /** Waits until the canvas is up to date. @returns {Promise<number>} the number of drawn frames */
  async drawn() {
    await this.rest();
    await this.until('app.viewport.isCurrent');
    return this.read('app.viewport.drawn');
  }

  /** Waits until nothing is pending: edits are in the mesh, all layers are drawn, highlights are over, and no frame is drawn any more. */
  async still() {
    await this.until(`app.store.state.session.bake.state !== 'running' && ${IS_DRAWN} && app.stages.isComplete
      && app.edits.rebuiltTiles.count === 0 && !(app.bakes.current?.dynamic?.dirtyTiles > 0)`);
    let before;
    do {
      before = await this.drawn();
      await this.frames(4);
    } while (await this.drawn() !== before);
  }

  /** Asserts that no frame is drawn without a change: not in a third of a second, nor in some frames on slow machines. */
  async assertStill() {
    const before = await this.read('app.viewport.drawn');
    await this.frames(20);
    assert.equal(await this.drawn(), before, 'it is drawn again, though nothing has changed');
  }

  /** Converts a point of the world to page coordinates. @param {number[]} point @returns {Promise<{ x: number, y: number }>} */
  place(point) {
    return this.page.evaluate(`${PLACE}(${JSON.stringify(point)})`);
  }

  /** @param {number[]} point of the world */
  async click(point) {
    const { x, y } = await this.place(point);
    await this.page.mouse.click(x, y);
    await this.rest();
  }

  /** @param {number[]} from points of the world @param {number[]} to */
  async drag(from, to) {
    const [start, end] = [await this.place(from), await this.place(to)];
    await this.dragOnPage(start, end);
  }

  /** @param {{ x: number, y: number }} start @param {{ x: number, y: number }} end */
  async dragOnPage(start, end) {
    const { mouse } = this.page;
    await mouse.move(start.x, start.y);
    await mouse.down();
    for (let i = 1; i <= 4; i++) await mouse.move(start.x + (end.x - start.x) * i / 4, start.y + (end.y - start.y) * i / 4);
    await mouse.up();
    await this.rest();
  }

  /** The page coordinates of a handle's head. @param {string} id @returns {Promise<{ x: number, y: number }>} */
  handle(id) {
    return this.page.evaluate((name) => {
      const { handles, viewport } = /** @type {any} */ (window).walkmeshTool;
      viewport.drawNow();
      return handles.locate(handles.get(name));
    }, id);
  }

  /** Reads a part of the page's state. @param {string} expression on `app` @returns {Promise<any>} */
  read(expression) {
    return this.page.evaluate(`((app) => (${expression}))(window.walkmeshTool)`);
  }
}

/**
 * Opens the tool and waits until its level is baked.
 * @param {object} options the state in the address, and the options of withPage
 * @param {string} [options.scene] default 'plaza', the smallest
 * @param {Record<string, unknown>} [options.document] @param {Record<string, unknown>} [options.view] without the axis gizmo, whose colours count as others
 * @param {Record<string, unknown>} [options.config] fields that differ from the defaults of the library
 * @param {{ width: number, height: number }} [options.size] default 1200 x 640: both panels, and the smallest view beside them
 * @param {number} [options.scale] canvas pixels per page pixel, default 0.5, since drawing is in software
 * @param {(page: import('playwright-core').Page, tool: Tool) => Promise<any>} body
 */
export async function withTool({ scene = 'plaza', document = {}, view = {}, config = {},
  size = { width: 1200, height: 640 }, scale = 0.5, ...rest }, body) {
  if (!existsSync(join(DIST, 'index.html'))) throw new Error('the level tool is not built: npm run build:demo');
  const base = defaultDocument();
  const hash = await writeHash(
    { ...base, level: { kind: 'scene', name: scene }, ...document, config: { ...libraryConfig(), ...config } }, { ...defaultView(), axes: false, ...view });
  return withPage({ mounts: { '': DIST }, path: `/#${hash}`, context: { viewport: size, deviceScaleFactor: scale }, ...rest }, async (page) => {
    const tool = new Tool(page);
    await tool.ready();
    return body(page, tool);
  });
}
