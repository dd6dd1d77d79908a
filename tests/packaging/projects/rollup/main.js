import { load } from 'walkmesh/inline'; // the module's bytes are part of the bundle
import { level } from './level.js';

const walkmesh = await load();
const { navMesh } = walkmesh.bake(level, { cellSize: 0.2 });
const path = navMesh.findPath([2, 0, 2], [18, 0, 2]);

const workers = walkmesh.createWorkerPool({ workers: 2, worker: new URL('bake-worker.js', import.meta.url) });
const { navMesh: tiled } = await walkmesh.bakeTiled(level, { cellSize: 0.2, tileSize: 32 }, { workers });
const tiledPath = tiled.findPath([2, 0, 2], [18, 0, 2]);

window.outcome = {
  status: path.status, points: path.count, tiles: tiled.totals.tiles, tiledStatus: tiledPath.status,
};
navMesh.free();
tiled.free();
workers.free();
