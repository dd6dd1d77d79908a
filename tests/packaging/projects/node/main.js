import { load } from 'walkmesh';
import { level } from './level.js';

const walkmesh = await load();
const { navMesh } = walkmesh.bake(level, { cellSize: 0.2 });
const path = navMesh.findPath([2, 0, 2], [18, 0, 2]);

const { navMesh: tiled } = await walkmesh.bakeTiled(level, { cellSize: 0.2, tileSize: 32 }, { workers: 2 });
const tiledPath = tiled.findPath([2, 0, 2], [18, 0, 2]);

console.log(JSON.stringify({
  status: path.status, points: path.count, tiles: tiled.totals.tiles, tiledStatus: tiledPath.status,
}));
navMesh.free();
tiled.free();
