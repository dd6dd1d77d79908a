/**
 * Baking only what has changed: the tiles of a mesh whose hash (Baker.hashTile) is that of before stay, the others are
 * baked and replaced, all at once and at the end.
 */
import { openCache, makeTile } from '../caches/tile-cache.js';
import { TILED_NAMES, checkOptions, withTiles } from './bake-tiled.js';
import { makeTileLog } from './bake-report.js';
import { listConnections, warnOfConnections } from './connection-warnings.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { toTriangles } from './geometry.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { NavMesh } from '../mesh/mesh.js';
import { addressOf } from '../runtime/owned.js';
import { throwIfAborted } from '../runtime/slices.js';
import { whenThere } from '../runtime/maybe-promise.js';
import { changeTiles } from './tile-changes.js';
import { runTiles } from './tile-run.js';

/** @typedef {import('./bake-report.js').BakeReport} BakeReport */
/** @typedef {import('./bake-report.js').BakedTile} BakedTile */
/** @typedef {import('./bake-tiled.js').BakeTiledOptions} RebakeOptions */
/** @typedef {import('./bake-tiled.js').Owner} Owner */
/** @typedef {import('./geometry.js').Geometry} Geometry */
/** @typedef {import('../runtime/slices.js').Slices} Slices */
/** @typedef {import('./tile-changes.js').ChangedTile} ChangedTile */
/** @typedef {import('./bake-tiled.js').TileWork} TileWork */
/** @typedef {import('../workers/messages.js').BakerFacts} BakerFacts */

/** @typedef {{ report: BakeReport, changed: ChangedTile[] }} Rebaked changed: tiles whose bytes are others now, in rows of the grid */

/** Meshes that are being rebaked. @type {WeakSet<NavMesh>} */
const busy = new WeakSet();

/** The configuration of a mesh's first bake, its bounds included. @param {NavMesh} navMesh */
function requireConfig(navMesh) {
  const { config } = navMesh;
  if (config?.bounds) return /** @type {typeof config & { bounds: import('./config.js').Bounds }} */ (config);
  throw new NavError('state', 'the navigation mesh does not know how it was baked (a file of Detour, perhaps): bake it anew',
    { field: 'navMesh' });
}

/** Throws unless tiles of this bake fit the places of the mesh. @param {NavMesh} navMesh @param {Pick<BakerFacts, 'config' | 'voxels'>} facts */
function requireSameGrid(navMesh, { config, voxels }) {
  const { origin, tileCountX, tileCountZ, tileWidth } = navMesh.parameters;
  const fits = voxels.boundsMin.every((value, axis) => value === origin[axis]) && tileCountX === voxels.tileCountX
    && tileCountZ === voxels.tileCountZ && (config.tileSize === 0 || tileWidth === voxels.tileWorldSize);
  if (!fits) throw new NavError('state', 'the grid of the navigation mesh is not that of its configuration: bake it anew');
}

/**
 * Whether any vertex lies outside the bounds, where nothing is baked.
 * @param {Geometry} geometry @param {import('./config.js').Bounds} bounds @param {Slices} slices
 */
async function leavesBounds(geometry, { min, max }, slices) {
  const { positions, stride } = toTriangles(geometry);
  const [low, high] = [min, max].map((corner) => Float32Array.from(/** @type {number[]} */ (corner)));
  for (let i = 0; i + 2 < positions.length; i += stride) {
    for (let axis = 0; axis < 3; axis++) {
      if (positions[i + axis] < low[axis] || positions[i + axis] > high[axis]) return true;
    }
    if (i % (stride << 16) === 0) await slices.restIfOver();
  }
  return false;
}

/**
 * @param {NavMesh} navMesh @param {Geometry} geometry @param {RebakeOptions} options @param {TileWork} work
 * @returns {Promise<Rebaked>}
 */
async function rebakeFrom(navMesh, geometry, { onTile, onProgress, cache: cacheOption }, { source, slices, signal, limits }) {
  const cache = openCache(cacheOption);
  const { bounds } = requireConfig(navMesh);
  const connections = listConnections(geometry);
  /** @type {BakedTile[]} */
  const fresh = [];
  const report = await runTiles(source, { begin: (facts) => requireSameGrid(navMesh, facts), addBakedTile: () => {} }, {
    slices, signal, limits, onTile, onProgress,
    produce: (lane, x, z) => {
      const known = navMesh.tileHashes.get(navMesh, x, z);
      return whenThere(known && lane.hashTile(x, z), (hash) => {
        if (known && known === hash) return { bytes: null, log: makeTileLog(x, z, 'kept') };
        return whenThere(makeTile(lane, x, z, cache), (baked) => {
          fresh.push(baked);
          return baked;
        });
      });
    },
  });
  report.warnings.push(...await cache?.finish() ?? []);
  if (await leavesBounds(geometry, bounds, slices)) {
    report.warnings.push('some of the level lies outside the bounds of the navigation mesh, which a rebake keeps, and was left'
      + ' out: give the first bake bounds with room for what is to come');
  }
  throwIfAborted(signal);
  const changed = changeTiles(navMesh, fresh);
  report.warnings.push(...warnOfConnections(navMesh, connections));
  return { report, changed };
}

/**
 * As Walkmesh.rebake.
 * @param {Owner} owner @param {NavMesh} navMesh @param {Geometry} geometry @param {RebakeOptions} options
 * @returns {Promise<Rebaked>}
 */
export async function rebake(owner, navMesh, geometry, options) {
  checkOptions(options, TILED_NAMES);
  if (!(navMesh instanceof NavMesh)) throw invalidArgument('navMesh', `must be a NavMesh, not ${describe(navMesh)}`, navMesh);
  addressOf(navMesh, NAV_MESH);
  if (navMesh.session !== owner.session) throw invalidArgument('navMesh', 'belongs to another instance of the module', navMesh);
  openCache(options.cache);
  if (navMesh.changedBy && !navMesh.changedBy.isFreed) {
    throw new NavError('state', 'the navigation mesh is changed by its dynamic mesh, which does not know the new level: bake it anew,'
      + ' or free the dynamic mesh first', { field: 'navMesh' });
  }
  const config = requireConfig(navMesh);
  if (busy.has(navMesh)) throw new NavError('state', 'the navigation mesh is being rebaked: wait for that to end');
  busy.add(navMesh);
  try {
    return await withTiles(owner, geometry, config, options, Infinity,
      (work) => rebakeFrom(navMesh, geometry, options, work));
  } finally {
    busy.delete(navMesh);
  }
}
