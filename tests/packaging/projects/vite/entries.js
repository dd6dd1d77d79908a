import { load as loadCore } from 'walkmesh/core';
import { load as loadGame } from 'walkmesh/game';
import { load } from 'walkmesh/inline';
import { init } from 'walkmesh/recast-navigation';
import { level } from './level.js';

async function main() {
  const walkmesh = await load();
  const workers = walkmesh.createWorkerPool({ workers: 2 });
  const { navMesh: tiled } = await walkmesh.bakeTiled(level, { cellSize: 0.2, tileSize: 32 }, { workers });
  const tiledPath = tiled.findPath([2, 0, 2], [18, 0, 2]);

  const { positions, indices } = level; // the core entry has no solids
  const { navMesh } = (await loadCore()).bake({ positions, indices }, { cellSize: 0.2 });
  const path = navMesh.findPath([2, 0, 2], [8, 0, 2]);
  const opened = (await loadGame()).loadNavMesh(tiled.save());
  const sameAsTiled = opened.findPath([2, 0, 2], [18, 0, 2]).length === tiledPath.length;
  await init();

  const { tiles } = tiled.totals;
  for (const object of [navMesh, opened, tiled, workers]) object.free();
  window.outcome = { status: path.status, points: path.count, tiles, tiledStatus: sameAsTiled ? tiledPath.status : 'differs' };
}

main();
