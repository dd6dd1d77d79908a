/** Baking a single tile without blocking: in a worker, or in this thread with rests between stages. */
import { bakeInBackground, checkOptions } from './bake-tiled.js';
import { NavError } from '../runtime/errors.js';
import { nameSet } from '../runtime/names.js';

/** @typedef {import('./bake.js').BakeProgress} BakeProgress */
/** @typedef {import('./bake-tiled.js').BackgroundOptions} BackgroundOptions */
/** @typedef {import('./bake-tiled.js').Baked} Baked */
/** @typedef {import('./bake-tiled.js').Owner} Owner */
/** @typedef {import('./bake-tiled.js').FinishedTile} FinishedTile */
/** @typedef {import('./config.js').Config} Config */
/** @typedef {import('./geometry.js').Geometry} Geometry */

/**
 * @typedef {BackgroundOptions & { onTile?: (tile: FinishedTile) => void, onProgress?: (progress: BakeProgress) => void }}
 *   BakeAsyncOptions onProgress is called after each stage, onTile with the tile when it is baked, before the mesh is there; what
 *   they throw ends the bake
 */

const ASYNC_NAMES = nameSet(/** @satisfies {import('../runtime/names.js').Names<BakeAsyncOptions>} */ (
  { workers: 1, signal: 1, sliceMilliseconds: 1, limits: 1, onTile: 1, onProgress: 1 }));

/**
 * As Walkmesh.bakeAsync.
 * @param {Owner} owner @param {Geometry} geometry @param {Config} config @param {BakeAsyncOptions} options
 * @returns {Promise<Baked>}
 */
export async function bakeAsync(owner, geometry, config, options) {
  checkOptions(options, ASYNC_NAMES);
  if (config?.tileSize) {
    throw new NavError('configuration', `tileSize is ${config.tileSize}: bakeAsync bakes a single tile, bakeTiled many`,
      { field: 'tileSize', value: config.tileSize });
  }
  const { onTile, onProgress } = options;
  return bakeInBackground(owner, geometry, config, options,
    { mostLanes: 1, run: { onTile, onStage: onProgress && ((stage) => onProgress({ tile: 0, tiles: 1, stage })) } });
}
