/** Makes the links of a mesh that exists in the workers of a pool, for LinkGenerator.generateAsync. */
import { untilAborted } from '../../runtime/time-slices.js';
import { WorkerBuilders } from '../tile-builders.js';
import { linkInWorkers } from './link-shares.js';

/** @typedef {import('../../input/config.js').Config} Config */
/** @typedef {import('../../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../../workers/messages.js').LinkedTile} LinkedTile */
/** @typedef {import('../../workers/pool.js').WorkerPool} WorkerPool */
/** @typedef {import('./link-shares.js').Sharing} Sharing */

/**
 * @param {WorkerPool} pool
 * @param {{ config: Config, volumes: Geometry['volumes'], grid: Uint32Array }} level config: with bounds and links; grid: a WmMeshParameters
 * @param {readonly import('./link-shares.js').Place[]} places all of the mesh, row by row
 * @param {Omit<Parameters<typeof linkInWorkers>[2], 'tiles'>} source @param {boolean} wantsRefused
 * @param {Pick<Sharing, 'slices' | 'signal' | 'onLinked'>} bounds
 * @returns {Promise<LinkedTile[]>} in the order of the places
 */
export async function generateInWorkers(pool, { config, volumes, grid }, places, source, wantsRefused, bounds) {
  const builders = new WorkerBuilders(pool, places.length, { positions: [], indices: [], volumes }, config, bounds.slices);
  let isOver = false;
  const work = async () => {
    await Promise.all(builders.list.map((linker) => linker.beginLinks(grid)));
    return linkInWorkers(builders.list, places, { ...source, tiles: places }, wantsRefused, { ...bounds, isOver: () => isOver });
  };
  try {
    return await untilAborted(work(), bounds.signal);
  } catch (error) {
    builders.cancel();
    throw error;
  } finally {
    isOver = true;
    await builders.end();
  }
}
