import { load } from 'walkmesh';
import { level } from './level.js';

const walkmesh = await load();
const { navMesh } = walkmesh.bake(level, { cellSize: 0.2 });
const path = navMesh.findPath([2, 0, 2], [18, 0, 2]);

const { navMesh: tiled } = await walkmesh.bakeTiled(level, { cellSize: 0.2, tileSize: 32 }, { workers: 2 });
const { tiles } = tiled.totals;
const tiledPath = tiled.findPath([2, 0, 2], [18, 0, 2]);

navMesh.free();
tiled.free();

// A custom worker that uses the package works, too.
const worker = new Worker(new URL('./own-worker.js', import.meta.url), { type: 'module' });
worker.onmessage = ({ data: ownStatus }) => {
  window.outcome = {
    status: path.status, points: path.count, tiles, tiledStatus: tiledPath.status, ownStatus,
  };
};
worker.postMessage(level);
