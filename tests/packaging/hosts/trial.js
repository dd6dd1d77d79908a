/** What every host runs, with `load` from an entry of the package: a bake, a bake in workers, a level that changes. */
import { level } from './level.js';

const CONFIG = { cellSize: 0.2, tileSize: 32 };

/** @param {(options?: object) => Promise<any>} load @param {object} [options] */
export async function trial(load, options) {
  const walkmesh = await load(options);
  const { navMesh } = walkmesh.bake(level, { cellSize: 0.2 });
  const path = navMesh.findPath([2, 0, 2], [18, 0, 2]);
  navMesh.free();
  return { bake: path.status, ...await runWorkers(walkmesh).catch((error) => ({ workers: `${error.code}: ${error.message}` })) };
}

/** The obstacle closes the only passage: `unreachable` is right. */
async function runWorkers(walkmesh) {
  const workers = walkmesh.createWorkerPool({ workers: 1 });
  try {
    const { navMesh: tiled } = await walkmesh.bakeTiled(level, CONFIG, { workers });
    const { navMesh: changing, dynamic } = await walkmesh.bakeDynamicAsync(level, CONFIG, { workers });
    dynamic.addObstacle({ kind: 'box', min: [8, 0, 15], max: [12, 3, 20] });
    await dynamic.updateAsync({ workers });
    const [tiledPath, closedPath] = [tiled, changing].map((mesh) => mesh.findPath([2, 0, 2], [18, 0, 2]));
    tiled.free();
    changing.free();
    return { workers: tiledPath.status, update: closedPath.status };
  } finally {
    workers.free();
  }
}
