/** The pictures of the level tool and the examples, and the steps to each state. */

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('../../tests/browser/tool.js').Tool} Tool */
/** @typedef {{ id: string, width: number, height: number }} Size */

/**
 * @typedef {object} ToolState
 * @property {string} name of the picture, before its size
 * @property {'light' | 'dark'} theme
 * @property {string} scene
 * @property {Record<string, unknown>} [config] fields that differ from the defaults
 * @property {Record<string, unknown>} [document] @property {Record<string, unknown>} [view]
 * @property {Record<string, { visible: boolean, opacity?: number }>} [layers] layers to show or hide
 * @property {boolean} [isLeft] true if the left panel is open, on pages with room for one
 * @property {boolean} [isMoving] true if the picture is taken while objects move
 * @property {(page: Page, tool: Tool, size: Size) => Promise<unknown>} [prepare] mouse and key input, once the level is baked and drawn
 */

/** @typedef {{ name: string, prepare: (page: Page) => Promise<unknown> }} Example */

/** A laptop, and a tablet, which shows one panel at a time. @type {Size[]} */
export const SIZES = [
  { id: '1440', width: 1440, height: 900 },
  { id: '1024', width: 1024, height: 768 },
];

/** As the start page shows them, without the card above the view. */
export const EXAMPLE_SIZE = { width: 640, height: 400 };

const on = (/** @type {number} */ opacity = 1) => ({ visible: true, opacity });
const off = { visible: false, opacity: 1 };

/** @type {ToolState[]} */
export const STATES = [
  { name: 'overview', theme: 'dark', scene: 'city', isLeft: true },
  {
    name: 'voxels', theme: 'dark', scene: 'stairs', config: { cellSize: 0.3 },
    layers: { solid: on(), navMesh: off, input: off },
  },
  {
    name: 'filters', theme: 'light', scene: 'stairs',
    layers: {
      'removed-lowHanging': on(), 'removed-steep': on(), 'removed-ledge': on(), 'removed-headroom': on(), 'removed-radius': on(), 'removed-region': on(),
      navMesh: off,
    },
  },
  { name: 'regions', theme: 'dark', scene: 'caves', layers: { regions: on(), navMesh: off } },
  {
    name: 'contours', theme: 'light', scene: 'plaza', layers: { contours: on(), rawContours: on(), navMesh: off },
  },
  { name: 'path', theme: 'dark', scene: 'city', view: { tool: 'path' } },
  {
    name: 'links', theme: 'light', scene: 'stairs', isLeft: true, view: { tool: 'segmentLinks' },
    document: { links: Object.fromEntries(['drop', 'jump', 'climb', 'vault'].map((kind) => [kind, { isOn: true }])) },
    async prepare(page, tool) {
      await tool.until('app.links.state.state === "done" && !app.links.isPending');
      await page.evaluate(() => {
        const { viewport: { camera, controls } } = /** @type {any} */ (window).walkmeshTool;
        camera.position.lerp(controls.target, 0.4); // nearer
        controls.update();
      });
    },
  },
  { name: 'flood', theme: 'light', scene: 'maze', view: { tool: 'flood' }, layers: { navMesh: off } },
  {
    name: 'obstacles', theme: 'dark', scene: 'plaza', view: { tool: 'obstacles' }, isMoving: true,
    document: {
      obstacles: [
        { id: 1, shape: { kind: 'cylinder', base: [12, -0.1, 26], radius: 1.6, height: 2 }, area: 0 },
        { id: 2, shape: { kind: 'rotatedBox', centre: [27, 0.9, 12], halfExtents: [2.4, 1, 0.8], yaw: 0.5 }, area: 0 },
        { id: 3, shape: { kind: 'sphere', centre: [14, 0.5, 12], radius: 1.6 }, area: 0 },
        { id: 4, shape: { kind: 'capsule', start: [26, 0.8, 27], end: [31, 0.8, 30], radius: 0.8 }, area: 0 },
        { id: 5, shape: { kind: 'box', min: [4, -0.2, 16], max: [9, 1, 20] }, area: 3 },
      ],
      connections: [{ id: 1, start: [6, 0, 6], end: [16, 0, 34], radius: 1, bidirectional: true, enabled: true, area: 6 }],
    },
    async prepare(page, tool) {
      await tool.drag([12, 1, 26], [19, 1, 24]);
      await page.waitForTimeout(150);
    },
  },
  {
    name: 'crowd', theme: 'dark', scene: 'plaza', view: { tool: 'crowd' }, isMoving: true,
    async prepare(page, tool) {
      for (let i = 0; i < 3; i++) await page.getByRole('button', { name: 'Add 100 anywhere' }).click();
      await page.getByRole('button', { name: 'Send' }).click();
      await tool.click([20, 0, 28]);
      await page.waitForFunction('window.walkmeshTool.tools.get("crowd").simulation.steps > 90', undefined, { timeout: 120_000 });
    },
  },
  {
    name: 'report', theme: 'light', scene: 'terrain', isLeft: true,
    prepare: async (page) => {
      await page.locator('#title-config button').click(); // The report occupies this room; small pages start without it.
      const report = page.locator('#title-report button');
      if (await report.getAttribute('aria-expanded') === 'false') await report.click();
    },
  },
];

/** The view only: docs/pipeline.md shows each stage from the same camera position. */
export const STAGE_SIZE = { width: 960, height: 576 };

/** Style that hides the panels of the page and the rail. */
export const BARE_STYLE = '.rail, .notices, .bar, .status { visibility: hidden; } canvas:focus-visible { outline: none; }';

/** Shows the layers of a stage instead of the mesh. @param {string[]} ids @param {number} [input] opacity of the level */
const stage = (ids, input = 1) => ({ navMesh: off, input: input > 0 ? on(input) : off, ...Object.fromEntries(ids.map((id) => [id, on()])) });

/** One entry for each section of docs/pipeline.md that has a layer. @type {{ name: string, layers: ToolState['layers'] }[]} */
export const STAGES = [
  { name: 'triangles', layers: stage(['slope']) },
  { name: 'rasterize', layers: stage(['solid'], 0) },
  { name: 'filters', layers: stage(['removed-lowHanging', 'removed-steep', 'removed-ledge', 'removed-headroom']) },
  { name: 'compact', layers: stage(['areas']) },
  { name: 'erode', layers: stage(['removed-radius']) },
  { name: 'distance', layers: stage(['distance']) },
  { name: 'regions', layers: stage(['regions']) },
  { name: 'contours', layers: stage(['rawContours', 'contours']) },
  { name: 'polygon-mesh', layers: stage(['polygonMesh']) },
  { name: 'detail-mesh', layers: stage(['detailMesh']) },
  { name: 'tiles', layers: { ...stage(['tiles', 'portals']), navMesh: on(0.6) } },
];

/** Waits until the status line below the text matches. @param {Page} page @param {RegExp} pattern */
const untilSaid = (page, pattern) => page.waitForFunction(({ source, flags }) => (
  new RegExp(source, flags).test(document.querySelector('output, #output')?.textContent ?? '')), { source: pattern.source, flags: pattern.flags });

/** @type {Example[]} */
export const EXAMPLES = [
  { name: 'bake-and-path', prepare: (page) => untilSaid(page, /^complete/) },
  {
    name: 'crowd',
    async prepare(page) {
      await untilSaid(page, /^300 agents/);
      // Waits until the streams have met.
      await page.waitForFunction('Array.from(window.crowd.positions).filter((x, i) => i % 3 === 0 && Math.abs(x) < 8).length > 100', undefined, { timeout: 200_000 });
    },
  },
  { name: 'obstacles', prepare: (page) => untilSaid(page, /^6 crates/) },
  { name: 'workers', prepare: (page) => untilSaid(page, /polygons in/) },
  { name: 'three-scene', prepare: (page) => untilSaid(page, /^complete/) },
  {
    name: 'headless',
    async prepare(page) {
      await untilSaid(page, /^\$ node headless/);
      await page.addStyleTag({ content: '.page { padding: 16px; } header, h2 { display: none; } pre { margin: 0 0 12px; font-size: 11px; }' });
      await page.locator('#output').scrollIntoViewIfNeeded();
    },
  },
];
