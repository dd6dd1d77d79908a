/**
 * What the tests of the level tool share: the built page (web-demo/dist), opened and ready, and a hand for its mouse.
 *
 *   test('...', () => withTool({ scene: 'plaza' }, async (page, tool) => {
 *     await tool.click([2, 0, 3]);
 *     ...
 *   }));
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeHash } from '../../web-demo/src/state/url.js';
import { defaultDocument, defaultView } from '../../web-demo/src/state/document.js';
import { ROOT, withPage } from './harness.js';

export const DIST = join(ROOT, 'web-demo', 'dist');

/** A point of the world -> where it is on the page. */
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

  /** Until the level is baked and everything that is due is drawn. */
  async ready() {
    await this.page.waitForFunction('window.walkmeshTool?.store.state.session.bake.state === "done"');
    await this.drawn();
  }

  /** Two frames, in which what is due is done, and begins to be drawn. */
  async rest() {
    await this.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  }

  /** Until the canvas shows all that it is to show. @returns {Promise<number>} how often it was drawn */
  async drawn() {
    await this.rest();
    await this.page.waitForFunction('window.walkmeshTool.viewport.isCurrent');
    return this.read('app.viewport.drawn');
  }

  /** Until nothing has been drawn for a while: lights have gone out. */
  async still() {
    await this.page.waitForFunction(() => new Promise((done) => {
      const { viewport } = /** @type {any} */ (window).walkmeshTool;
      const before = viewport.drawn;
      setTimeout(() => done(viewport.drawn === before && viewport.isCurrent), 400);
    }));
  }

  /** Where a point of the world is on the page. @param {number[]} point @returns {Promise<{ x: number, y: number }>} */
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

  /** Where the head of a handle is on the page. @param {string} id @returns {Promise<{ x: number, y: number }>} */
  handle(id) {
    return this.page.evaluate((name) => {
      const { handles, viewport } = /** @type {any} */ (window).walkmeshTool;
      viewport.drawNow();
      return handles.locate(handles.get(name));
    }, id);
  }

  /** Something of the page's state. @param {string} expression on `app` @returns {Promise<any>} */
  read(expression) {
    return this.page.evaluate(`((app) => (${expression}))(window.walkmeshTool)`);
  }
}

/**
 * Opens the tool and waits until its level is baked.
 * @param {object} options what the address asks for, and those of withPage
 * @param {string} [options.scene] default 'plaza', the smallest
 * @param {Record<string, unknown>} [options.document] @param {Record<string, unknown>} [options.view]
 * @param {Record<string, unknown>} [options.config] fields that differ
 * @param {{ width: number, height: number }} [options.size] default 1200 x 640: both panels, and as few pixels as that leaves
 * @param {(page: import('playwright-core').Page, tool: Tool) => Promise<any>} body
 */
export async function withTool({ scene = 'plaza', document = {}, view = {}, config = {}, size = { width: 1200, height: 640 }, ...rest }, body) {
  if (!existsSync(join(DIST, 'index.html'))) throw new Error('the level tool is not built: npm run build:demo');
  const base = defaultDocument();
  const hash = await writeHash(
    { ...base, level: { kind: 'scene', name: scene }, ...document, config: { ...base.config, ...config } }, { ...defaultView(), ...view });
  const prepare = (/** @type {import('playwright-core').Page} */ page) => page.setViewportSize(size);
  return withPage({ mounts: { '': DIST }, path: `/#${hash}`, prepare, ...rest }, async (page) => {
    const tool = new Tool(page);
    await tool.ready();
    return body(page, tool);
  });
}
