/** Walkmesh.createLinkGenerator: makes the air of a level for a mesh that exists. */
import { wantsLinks } from '../../input/link-config.js';
import { requireLevelOf } from '../../mesh/level-check.js';
import { NavError } from '../../runtime/errors.js';
import { nameSet } from '../../runtime/option-names.js';
import { throwIfAborted } from '../../runtime/time-slices.js';
import { chain } from '../../runtime/maybe-promise.js';
import { checkOptions, withBuilders } from '../bake-in-background.js';
import { makeTileLog } from '../bake-tile.js';
import { openCache, produceAir } from '../cached-tiles.js';
import { LinkGenerator } from './link-generator.js';
import { requireConfig, requireOwnMesh, requireSameGrid } from '../rebake.js';
import { runTiles } from '../run-tiles.js';

/** @typedef {import('../bake-in-background.js').BackgroundOptions} BackgroundOptions */
/** @typedef {import('../../runtime/instance.js').Owner} Owner */
/** @typedef {import('../../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../../input/link-config.js').LinkConfig} LinkConfig */
/** @typedef {import('../../mesh/mesh.js').NavMesh} NavMesh */

/**
 * @typedef {object} LinkLevelOptions
 * @property {LinkConfig} [links] which links are made; default: those of the mesh's configuration
 * @property {(progress: import('../bake-in-background.js').TiledProgress) => void} [onProgress] called after each tile
 * @property {import('../../caches/tile-cache.js').TileCache} [cache] of a bake with links: tiles in it have their air already
 */
/** @typedef {BackgroundOptions & LinkLevelOptions} LinkGeneratorOptions */

const NAMES = nameSet(/** @satisfies {import('../../runtime/option-names.js').Names<LinkGeneratorOptions>} */ (
  { workers: 1, signal: 1, sliceMilliseconds: 1, limits: 1, onProgress: 1, cache: 1, links: 1 }));

/**
 * As Walkmesh.createLinkGenerator.
 * @param {Owner} owner @param {NavMesh} navMesh @param {Geometry} geometry @param {LinkGeneratorOptions} given
 * @returns {Promise<LinkGenerator>}
 */
export async function createLinkGenerator(owner, navMesh, geometry, given) {
  const options = checkOptions(given, NAMES);
  requireOwnMesh(owner, navMesh);
  const stored = requireConfig(navMesh);
  const config = { ...stored, links: options.links ?? stored.links };
  if (!wantsLinks(config)) {
    throw new NavError('configuration', 'links has no kind: must have drop, jump, climb or vault', { field: 'links', value: config.links });
  }
  requireLevelOf(navMesh, geometry, 'geometry');
  const cache = openCache(options.cache);
  const work = async (/** @type {import('../bake-in-background.js').TileWork} */ { builders, ...bounds }) => {
    const generator = new LinkGenerator(navMesh, config, geometry?.volumes);
    try {
      const report = await runTiles(builders, { begin: (facts) => requireSameGrid(navMesh, facts), addBakedTile: () => {} }, {
        ...bounds,
        onProgress: options.onProgress,
        produce: (builder, x, z) => chain(produceAir(builder, x, z, cache), (bytes) => {
          generator.setAir({ x, z, bytes });
          return { bytes: null, log: makeTileLog(x, z, 'kept') };
        }),
      });
      throwIfAborted(bounds.signal);
      return { generator, report };
    } catch (error) {
      generator.free();
      throw error;
    }
  };
  return (await withBuilders(owner, geometry, config, options, Infinity, work)).generator;
}
