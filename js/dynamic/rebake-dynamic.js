/**
 * Rebakes a level that has a dynamic mesh: tiles whose inputs changed are baked, and replace the kept tiles together at the end.
 * Obstacles stay. Tiles without obstacles are in the mesh then; others, and links, follow with the updates of the dynamic mesh.
 */
import { checkOptions, withBuilders } from '../bake/bake-in-background.js';
import { makeTileLog } from '../bake/bake-tile.js';
import { listConnections, warnOfConnections } from '../bake/connection-warnings.js';
import { listPlaces } from '../bake/links/link-generator.js';
import { requireConfig, requireOwnMesh, requireSameGrid, runAlone, warnOfBounds } from '../bake/rebake.js';
import { runTiles } from '../bake/run-tiles.js';
import { wantsLinks } from '../input/wants-links.js';
import { chain } from '../runtime/maybe-promise.js';
import { nameSet } from '../runtime/option-names.js';
import { throwIfAborted } from '../runtime/time-slices.js';
import { NavMesh } from '../mesh/mesh.js';
import { LevelInput } from './bake-dynamic.js';
import { DynamicNavMesh } from './dynamic-nav-mesh.js';

/** @typedef {import('./bake-dynamic.js').BakeDynamicAsyncOptions} BakeDynamicAsyncOptions */
/** @typedef {import('../bake/bake-in-background.js').TileWork} TileWork */
/** @typedef {import('../bake/bake-tile.js').BakedTile} BakedTile */
/** @typedef {import('../bake/rebake.js').Rebaked} Rebaked */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../runtime/instance.js').Owner} Owner */

const NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<BakeDynamicAsyncOptions>} */ (
  { workers: 1, signal: 1, sliceMilliseconds: 1, limits: 1, onTile: 1, onProgress: 1 }));

/** The dynamic mesh that changes a mesh; undefined: none. @param {unknown} navMesh @returns {DynamicNavMesh | undefined} */
export function findDynamic(navMesh) {
  const dynamic = navMesh instanceof NavMesh ? navMesh.changedBy : undefined;
  return dynamic instanceof DynamicNavMesh && !dynamic.isFreed ? dynamic : undefined;
}

/**
 * The configuration of the tiles: they need air also while no link is generated, if links can be on again.
 * @param {DynamicNavMesh} dynamic
 */
export function readTileConfig({ navMesh, linkBytes }) {
  const config = requireConfig(navMesh);
  return wantsLinks(config) || linkBytes === 0 ? config : { ...config, links: { drop: { maxHeight: 1 } } };
}

/**
 * As warnOfConnections. Those of tiles below obstacles are left out: they are in the mesh after an update.
 * @param {DynamicNavMesh} dynamic @param {ReturnType<typeof listConnections>} connections
 */
export function warnOfReadyConnections(dynamic, connections) {
  const { navMesh } = dynamic;
  const isReady = (/** @type {number[]} */ point) => {
    const { x, z } = navMesh.tilePlace(/** @type {[number, number, number]} */ (point));
    return dynamic.isAsBaked(x, z) || !dynamic.hasKeptTile(x, z);
  };
  return warnOfConnections(navMesh, connections.filter(({ start, end }) => isReady(start) && isReady(end)));
}

/**
 * @param {DynamicNavMesh} dynamic @param {Geometry} geometry @param {BakeDynamicAsyncOptions} options @param {LevelInput} input
 * @param {TileWork} work @returns {Promise<Rebaked>}
 */
async function rebakeFrom(dynamic, geometry, { onTile, onProgress }, input, { builders, slices, signal, limits }) {
  const { navMesh } = dynamic, config = requireConfig(navMesh);
  const connections = listConnections(geometry);
  /** @type {BakedTile[]} */
  const fresh = [];
  const isLoaded = (/** @type {number} */ x, /** @type {number} */ z) => dynamic.hasKeptTile(x, z) || navMesh.streamed.isLoaded(x, z);
  const report = await runTiles(builders, { begin: (facts) => requireSameGrid(navMesh, facts), addBakedTile: () => {} }, {
    slices, signal, limits, onTile, onProgress,
    produce: (builder, x, z) => {
      if (!isLoaded(x, z)) return { bytes: null, log: makeTileLog(x, z, 'kept') };
      const known = navMesh.tileHashes.find(x, z);
      return chain(known && builder.hashTile(x, z), (hash) => {
        if (known && known === hash) return { bytes: null, log: makeTileLog(x, z, 'kept') };
        return chain(builder.bakeTile(x, z, undefined, true), (baked) => {
          fresh.push(baked);
          return baked;
        });
      });
    },
  });
  report.warnings.push(...await warnOfBounds(geometry, config, slices));
  throwIfAborted(signal);
  const changed = dynamic.replaceTiles(fresh.filter(({ log: { x, z } }) => isLoaded(x, z)), input);
  for (const { x, z } of listPlaces(navMesh)) if (!dynamic.hasKeptTile(x, z)) navMesh.tileHashes.delete(x, z); // of the former level
  report.warnings.push(...warnOfReadyConnections(dynamic, connections));
  return { report, changed };
}

/**
 * As Walkmesh.rebake, of a mesh that a dynamic mesh changes.
 * @param {Owner} owner @param {DynamicNavMesh} dynamic @param {Geometry} geometry @param {BakeDynamicAsyncOptions} given
 * @returns {Promise<Rebaked>}
 */
export async function rebakeDynamic(owner, dynamic, geometry, given) {
  const options = checkOptions(given, NAMES);
  const { navMesh } = dynamic;
  requireOwnMesh(owner, navMesh);
  const config = readTileConfig(dynamic);
  const input = new LevelInput(owner.session, geometry);
  try {
    return await runAlone(navMesh, geometry, () => withBuilders(owner, geometry, config, options, Infinity,
      (work) => rebakeFrom(dynamic, geometry, options, input, work)));
  } finally {
    input.free();
  }
}
