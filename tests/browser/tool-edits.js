/** Helpers for the tests of the tool's edits: the mesh of the page, and a bake of the same level with the same obstacles. */
import { load } from '../../js/index.js';
import { toVolume, wantedObstacles } from '../../web-demo/src/edit/items.js';

const walkmesh = await load();

/** A small page, since drawing takes most of the time without a graphics card. */
export const SIZE = { width: 1210, height: 540 };
/** Without the highlights that are drawn for some time after each edit. */
export const DARK = { layers: { rebuilt: { visible: false, opacity: 1 } } };

/** Every tile of the page's mesh: its tile place and its bytes. */
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

/** Waits until obstacles are in the mesh. @param {import('./tool.js').Tool} tool */
export async function settle(tool) {
  await tool.page.waitForFunction('window.walkmeshTool.bakes.current.dynamic.dirtyTiles === 0');
  await tool.rest();
}

/** Bakes the page's level with the obstacles of its document. @param {import('./tool.js').Tool} tool */
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

/** True if the page's mesh is below a point. @param {import('./tool.js').Tool} tool @param {number[]} point */
export async function isOn(tool, [x, y, z]) {
  const nearest = await tool.read(`app.bakes.current.navMesh.nearestPoint(${JSON.stringify([x, y, z])}, { halfExtents: [0.05, 1, 0.05] })`);
  return Boolean(nearest?.polygon) && Math.hypot(nearest.point[0] - x, nearest.point[2] - z) < 0.05;
}

export const DOCUMENT = 'app.store.state.document';
export const selected = (/** @type {import('./tool.js').Tool} */ tool) => tool.read('app.edits.selected');

/**
 * Runs an action that starts a bake, and waits for the new mesh.
 * @param {import('./tool.js').Tool} tool @param {() => Promise<any>} act @returns {Promise<number>} the largest number of highlighted tiles
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
