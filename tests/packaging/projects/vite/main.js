import { load } from 'walkmesh';
import { level } from './level.js';

// In a function: builds of Vite 5 and 6 refuse a top-level await.
async function main() {
  const walkmesh = await load();
  const { navMesh } = walkmesh.bake(level, { cellSize: 0.2 });
  const path = navMesh.findPath([2, 0, 2], [18, 0, 2]);

  const { navMesh: tiled } = await walkmesh.bakeTiled(level, { cellSize: 0.2, tileSize: 32 }, { workers: 2 });
  const { tiles } = tiled.totals;
  const tiledPath = tiled.findPath([2, 0, 2], [18, 0, 2]);

  // A pool of workers bakes a level that changes, and updates it: the obstacle closes the passage.
  const workers = walkmesh.createWorkerPool({ workers: 1 });
  const { navMesh: changing, dynamic } = await walkmesh.bakeDynamicAsync(level, { cellSize: 0.2, tileSize: 32 }, { workers });
  dynamic.addObstacle({ kind: 'box', min: [8, 0, 15], max: [12, 3, 20] });
  await dynamic.updateAsync({ workers });
  const closedPath = changing.findPath([2, 0, 2], [18, 0, 2]);

  for (const object of [navMesh, tiled, changing, workers]) object.free();

  // A custom worker that uses the package works, too.
  const worker = new Worker(new URL('./own-worker.js', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data: ownStatus }) => {
    window.outcome = {
      status: path.status, points: path.count, tiles, tiledStatus: tiledPath.status, closedStatus: closedPath.status, ownStatus,
    };
  };
  worker.postMessage(level);
}

main();
