/**
 * Walkmesh.bake: every tile, one after another, in this thread. A Baker (baker.js) runs the stages of a tile; without blocking:
 * bake-in-background.js.
 */
import { requireListener, requireOptions } from '../runtime/arguments.js';
import { NavMeshBuilder } from '../mesh/mesh.js';
import { nameSet } from '../runtime/option-names.js';
import { Limits } from './bake-limits.js';
import { BakeLog } from './bake-report.js';
import { bakeTile } from './bake-tile.js';
import { Baker } from './baker.js';
import { listConnections, warnOfConnections } from './connection-warnings.js';

/** @typedef {import('./bake-report.js').BakeReport} BakeReport */
/** @typedef {import('./bake-tile.js').BakedTile} BakedTile */
/** @typedef {import('../input/config.js').Config} Config */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('./stages.js').StageName} StageName */

/** @typedef {{ tile: number, tiles: number, stage: StageName }} BakeProgress */

/**
 * @typedef {object} BakeOptions
 * @property {(progress: BakeProgress) => void} [onProgress] called after each stage; an exception in it ends the bake
 * @property {import('./bake-limits.js').BakeLimits} [limits] of cells, tiles and time, for levels from untrusted sources
 */

const BAKE_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<BakeOptions>} */ ({ onProgress: 1, limits: 1 }));

/**
 * Bakes every tile of a level and passes each to a consumer.
 * @param {Session} session @param {Geometry} geometry @param {Config} config @param {BakeOptions} options
 * @param {{ begin: (baker: Baker) => void, addBakedTile: (tile: BakedTile) => void }} consumer begin is called once, before the
 *   first tile
 * @param {boolean} [keeps] true: tiles come with their compressed spans
 * @returns {BakeReport}
 */
export function bakeTiles(session, geometry, config, options, consumer, keeps = false) {
  const { onProgress, limits: given } = requireOptions(options, BAKE_NAMES);
  requireListener(onProgress, 'onProgress');
  const limits = new Limits(given);
  const start = performance.now();
  session.memory(true);
  const baker = new Baker(session, geometry, config);
  try {
    limits.checkGrid(baker.voxels);
    const log = new BakeLog();
    const { tileCountX, tileCountZ } = baker.voxels;
    const tiles = tileCountX * tileCountZ;
    consumer.begin(baker);
    for (let tile = 0; tile < tiles; tile++) {
      const baked = bakeTile(baker, tile % tileCountX, Math.floor(tile / tileCountX),
        (stage) => {
          limits.checkTime();
          onProgress?.({ tile, tiles, stage });
        }, keeps);
      log.add(baked.log);
      consumer.addBakedTile(baked);
    }
    return log.report(baker, { milliseconds: performance.now() - start, ...session.memory() });
  } finally {
    baker.free();
  }
}

/**
 * As Walkmesh.bake.
 * @param {Session} session @param {Geometry} geometry @param {Config} config @param {BakeOptions} options
 * @returns {{ navMesh: NavMesh, report: BakeReport }}
 */
export function bake(session, geometry, config, options) {
  const builder = new NavMeshBuilder(session);
  const connections = listConnections(geometry);
  try {
    const report = bakeTiles(session, geometry, config, options, builder);
    const navMesh = builder.take();
    report.warnings.push(...warnOfConnections(navMesh, connections));
    return { navMesh, report };
  } finally {
    builder.free();
  }
}
