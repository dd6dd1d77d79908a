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

/** Waits for the first bake. @returns {Promise<{ mesh: number, drawn: number }>} milliseconds since the page was opened */
export async function observeTool() {
  const frame = () => new Promise((done) => { requestAnimationFrame(done); });
  const page = /** @type {any} */ (window);
  while (page.walkmeshTool?.store.state.session.bake.state !== 'done') await new Promise((done) => { setTimeout(done, 10); });
  const app = page.walkmeshTool;
  const mesh = performance.now();
  while (!(app.layers.isComplete && app.bakes.previewed === 0 && app.viewport.isCurrent)) await frame();
  return { mesh, drawn: performance.now() };
}

/** @param {Off[]} off @returns {Promise<Bake>} */
export async function bakeInTool(off) {
  const app = /** @type {any} */ (window).walkmeshTool;
  const frame = () => new Promise((done) => { requestAnimationFrame(done); });
  const rest = () => new Promise((done) => { setTimeout(done, 300); });
  const saved = { refresh: app.panels.refresh, invalidate: app.viewport.invalidate };
  await rest();
  if (off.includes('panels')) app.panels.refresh = () => {};
  if (off.includes('view')) app.viewport.invalidate = () => {};
  /** @type {number[]} */
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: 'longtask' });
  const before = app.viewport.drawn;
  const start = performance.now();
  let mesh, drawn, hash;
  if (off.includes('tool')) {
    const { positions, indices } = app.levels.current;
    const { navMesh } = await app.walkmesh.bakeDynamicAsync({ positions, indices }, app.store.state.document.config, { workers: app.bakes.pool });
    mesh = drawn = performance.now() - start;
    hash = app.walkmesh.hash(navMesh.save());
    navMesh.free();
  } else {
    await app.bakes.bake();
    mesh = performance.now() - start;
    while (!off.includes('view') && !(app.layers.isComplete && app.bakes.previewed === 0 && app.viewport.isCurrent)) await frame();
    drawn = performance.now() - start;
    hash = '';
  }
  const frames = app.viewport.drawn - before;
  await rest();
  observer.disconnect();
  Object.assign(app.panels, { refresh: saved.refresh });
  Object.assign(app.viewport, { invalidate: saved.invalidate });
  if (off.includes('view')) app.viewport.invalidate();
  hash ||= app.walkmesh.hash(app.bakes.current.navMesh.save());
  return { mesh, drawn, frames, tasks: tasks.length, longest: Math.max(0, ...tasks), hash };
}
