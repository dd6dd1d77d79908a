/** What the tests of the tool's edits share: the mesh of the page, and a bake of the same level with the same obstacles. */
import { load } from '../../js/index.js';
import { toVolume, wantedObstacles } from '../../web-demo/src/edit/items.js';

const walkmesh = await load();

/** Small: pixels are what takes time without a graphics card. */
export const SIZE = { width: 1210, height: 540 };
/** Without lights, which are drawn for a while after each edit. */
export const DARK = { layers: { rebuilt: { visible: false, opacity: 1 } } };

/** Every tile of the page's mesh, and what of obstacles and level it is made of. */
const TILES = `app.bakes.current.navMesh.tiles().map(({ x, z, bytes }) => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return [x + ' ' + z, btoa(text)];
})`;

/** @param {[string, string][]} tiles */
const sorted = (tiles) => Object.fromEntries(tiles.sort(([a], [b]) => (a < b ? -1 : 1)));

/** The tiles of the mesh, once all are built. @param {import('./tool.js').Tool} tool */
export async function readTiles(tool) {
  await settle(tool);
  return sorted(await tool.read(TILES));
}

/** Until obstacles are in the mesh. @param {import('./tool.js').Tool} tool */
export async function settle(tool) {
  await tool.page.waitForFunction('window.walkmeshTool.bakes.current.dynamic.dirtyTiles === 0');
  await tool.rest();
}

/** What a bake of the page's level with the obstacles of its document gives. @param {import('./tool.js').Tool} tool */
export async function bakeLikewise(tool) {
  const { document, positions, indices } = await tool.read(
    '{ document: app.store.state.document, positions: [...app.levels.current.positions], indices: [...app.levels.current.indices] }');
  const level = { positions: new Float32Array(positions), indices: new Uint32Array(indices), volumes: document.volumes.map(toVolume) };
  const { navMesh, dynamic } = walkmesh.bakeDynamic(level, document.config);
  for (const { obstacle } of wantedObstacles(document)) dynamic.addObstacle(obstacle);
  dynamic.update();
  const tiles = sorted(navMesh.tiles().map(({ x, z, bytes }) => [`${x} ${z}`, Buffer.from(bytes).toString('base64')]));
  const { polygons } = navMesh.totals;
  navMesh.free();
  return { tiles, polygons };
}

/** Whether the page's mesh is below a point. @param {import('./tool.js').Tool} tool @param {number[]} point */
export async function isOn(tool, [x, y, z]) {
  const nearest = await tool.read(`app.bakes.current.navMesh.nearestPoint(${JSON.stringify([x, y, z])}, { halfExtents: [0.05, 1, 0.05] })`);
  return Boolean(nearest?.polygon) && Math.hypot(nearest.point[0] - x, nearest.point[2] - z) < 0.05;
}

export const DOCUMENT = 'app.store.state.document';
export const selected = (/** @type {import('./tool.js').Tool} */ tool) => tool.read('app.edits.selected');

/**
 * Does something after which the level is baked anew, and waits for the other mesh.
 * @param {import('./tool.js').Tool} tool @param {() => Promise<any>} act @returns {Promise<number>} how many tiles were lit, at most
 */
export async function rebake(tool, act) {
  await tool.page.evaluate(() => {
    const { bakes, edits } = /** @type {any} */ (window).walkmeshTool;
    const watch = Object.assign(/** @type {any} */ (window), { watched: { mesh: bakes.current, lit: 0 } }).watched;
    const look = () => {
      watch.lit = Math.max(watch.lit, edits.rebuiltTiles.count);
      if (watch === /** @type {any} */ (window).watched) requestAnimationFrame(look);
    };
    look();
  });
  await act();
  await tool.page.waitForFunction('window.walkmeshTool.bakes.current !== window.watched.mesh');
  await tool.ready();
  return tool.page.evaluate('(({ lit }) => { delete window.watched; return lit; })(window.watched)');
}
