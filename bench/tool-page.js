/** Bakes in the level tool's page (tool.js): these functions run there. */

/** Parts of the page that a bake can do without; tool: all of it. @typedef {'panels' | 'view' | 'tool'} Off */

/**
 * @typedef {object} Bake
 * @property {number} mesh milliseconds until the mesh exists
 * @property {number} drawn milliseconds until it is drawn
 * @property {number} frames drawings of the scene
 * @property {number} tasks tasks of the main thread above 50 ms
 * @property {number} longest milliseconds of the longest of them, 0: none
 * @property {string} hash of the mesh
 */

const frame = () => new Promise((done) => { requestAnimationFrame(done); });
const wait = (/** @type {number} */ milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });
const findTool = () => /** @type {any} */ (window).walkmeshTool;

/** Waits until the mesh is drawn and the canvas is up to date. */
async function untilDrawn() {
  const { layers, bakes, viewport } = findTool();
  while (!(layers.isComplete && bakes.previewed === 0 && viewport.isCurrent)) await frame();
}

/** Waits for the first bake. @returns {Promise<{ mesh: number, drawn: number }>} milliseconds since the page was opened */
export async function observeTool() {
  while (findTool()?.store.state.session.bake.state !== 'done') await wait(10);
  const mesh = performance.now();
  await untilDrawn();
  return { mesh, drawn: performance.now() };
}

/** A bake by the library, with the workers of the tool. @returns {Promise<{ mesh: number, drawn: number, hash: string }>} */
async function bakeAlone() {
  const { walkmesh, bakes, levels, store } = findTool();
  const { positions, indices } = levels.current;
  const start = performance.now();
  const { navMesh } = await walkmesh.bakeDynamicAsync({ positions, indices }, store.state.document.config, { workers: bakes.pool });
  const mesh = performance.now() - start;
  const hash = walkmesh.hash(navMesh.save());
  navMesh.free();
  return { mesh, drawn: mesh, hash };
}

/** A bake of the tool. @param {boolean} isViewOff @returns {Promise<{ mesh: number, drawn: number, hash: string }>} */
async function bakeWhole(isViewOff) {
  const { walkmesh, bakes } = findTool();
  const start = performance.now();
  await bakes.bake();
  const mesh = performance.now() - start;
  if (!isViewOff) await untilDrawn();
  const drawn = performance.now() - start;
  return { mesh, drawn, hash: walkmesh.hash(bakes.current.navMesh.save()) };
}

/** @param {Off[]} off @returns {Promise<Bake>} */
export async function bakeInTool(off) {
  const { panels, viewport } = findTool();
  const { refresh } = panels, { invalidate } = viewport;
  await wait(300);
  if (off.includes('panels')) panels.refresh = () => {};
  if (off.includes('view')) viewport.invalidate = () => {};
  /** @type {number[]} */
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: 'longtask' });
  const before = viewport.drawn;
  const times = off.includes('tool') ? await bakeAlone() : await bakeWhole(off.includes('view'));
  const frames = viewport.drawn - before;
  await wait(300);
  observer.disconnect();
  Object.assign(panels, { refresh });
  Object.assign(viewport, { invalidate });
  if (off.includes('view')) viewport.invalidate();
  return { ...times, frames, tasks: tasks.length, longest: Math.max(0, ...tasks) };
}
