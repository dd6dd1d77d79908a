import { load } from 'walkmesh';
import wasm from 'walkmesh/walkmesh.wasm'; // esbuild's file loader copies the file and returns its address
import { level } from './level.js';

const walkmesh = await load({ wasm: new URL(wasm, import.meta.url) });
const { navMesh } = walkmesh.bake(level, { cellSize: 0.2 });
const path = navMesh.findPath([2, 0, 2], [18, 0, 2]);

// The worker is beside this file: build.js names it worker.js.
const { navMesh: tiled } = await walkmesh.bakeTiled(level, { cellSize: 0.2, tileSize: 32 }, { workers: 2 });
const tiledPath = tiled.findPath([2, 0, 2], [18, 0, 2]);

window.outcome = {
  status: path.status, points: path.count, tiles: tiled.totals.tiles, tiledStatus: tiledPath.status,
};
navMesh.free();
tiled.free();
