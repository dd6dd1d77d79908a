/**
 * Bakes the changed tiles of a level: tiles whose hash (Baker.hashTile) is unchanged stay in the mesh, the others are baked, and
 * replaced together at the end.
 */
import { TILED_NAMES, checkOptions, withBuilders } from './bake-in-background.js';
import { makeTileLog } from './bake-tile.js';
import { openCache, produceTile } from './cached-tiles.js';
import { listConnections, warnOfConnections } from './connection-warnings.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { toTriangles } from '../input/geometry.js';
import { toBoundsOfPositions } from '../input/up-axis.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { NavMesh } from '../mesh/mesh.js';
import { addressOf } from '../runtime/handle.js';
import { throwIfAborted } from '../runtime/time-slices.js';
import { chain } from '../runtime/maybe-promise.js';
import { changeTiles } from './tile-changes.js';
import { runTiles } from './run-tiles.js';

/** @typedef {import('./bake-report.js').BakeReport} BakeReport */
/** @typedef {import('./bake-tile.js').BakedTile} BakedTile */
/** @typedef {import('./bake-in-background.js').BakeTiledOptions} RebakeOptions */
/** @typedef {import('./bake-in-background.js').Owner} Owner */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../runtime/time-slices.js').TimeSlices} TimeSlices */
/** @typedef {import('./tile-changes.js').ChangedTile} ChangedTile */
/** @typedef {import('./bake-in-background.js').TileWork} TileWork */
/** @typedef {import('../workers/messages.js').BakerFacts} BakerFacts */

/** @typedef {{ report: BakeReport, changed: ChangedTile[] }} Rebaked changed: the tiles whose bytes changed, row by row */

/** Meshes with a running rebake. @type {WeakSet<NavMesh>} */
const busy = new WeakSet();

/** The configuration of a mesh's first bake, including its bounds. @param {NavMesh} navMesh */
function requireConfig(navMesh) {
  const { config } = navMesh;
  if (config?.bounds) return /** @type {typeof config & { bounds: import('../input/config.js').Bounds }} */ (config);
  throw new NavError('state', 'the navigation mesh has no configuration (it may come from a Detour file): bake the level with bakeTiled',
    { field: 'navMesh' });
}

/** Throws unless the grid of this bake is that of the mesh. @param {NavMesh} navMesh @param {Pick<BakerFacts, 'config' | 'voxels'>} facts */
function requireSameGrid(navMesh, { config, voxels }) {
  const { origin, tileCountX, tileCountZ, tileWidth } = navMesh.parameters;
  const fits = voxels.boundsMin.every((value, axis) => value === origin[axis]) && tileCountX === voxels.tileCountX
    && tileCountZ === voxels.tileCountZ && (config.tileSize === 0 || tileWidth === voxels.tileWorldSize);
  if (!fits) throw new NavError('state', 'the grid of the navigation mesh does not match its configuration: bake the level again');
}

/**
 * True if a vertex lies outside the bounds, where nothing is baked.
 * @param {Geometry} geometry @param {import('../input/config.js').Bounds} bounds @param {TimeSlices} slices
 */
async function leavesBounds(geometry, bounds, slices) {
  const { positions, stride, upAxis } = toTriangles(geometry);
  const { min, max } = toBoundsOfPositions(/** @type {Record<'min' | 'max', number[]>} */ (bounds), upAxis);
  const [low, high] = [min, max].map((corner) => Float32Array.from(corner));
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
async function rebakeFrom(navMesh, geometry, { onTile, onProgress, cache: cacheOption }, { builders, slices, signal, limits }) {
  const cache = openCache(cacheOption);
  const { bounds } = requireConfig(navMesh);
  const connections = listConnections(geometry);
  /** @type {BakedTile[]} */
  const fresh = [];
  const report = await runTiles(builders, { begin: (facts) => requireSameGrid(navMesh, facts), addBakedTile: () => {} }, {
    slices, signal, limits, onTile, onProgress,
    produce: (builder, x, z) => {
      const known = navMesh.tileHashes.get(navMesh, x, z);
      return chain(known && builder.hashTile(x, z), (hash) => {
        if (known && known === hash) return { bytes: null, log: makeTileLog(x, z, 'kept') };
        return chain(produceTile(builder, x, z, cache), (baked) => {
          fresh.push(baked);
          return baked;
        });
      });
    },
  });
  report.warnings.push(...await cache?.finish() ?? []);
  if (await leavesBounds(geometry, bounds, slices)) {
    report.warnings.push('part of the level lies outside the bounds of the navigation mesh and was ignored: a rebake keeps'
      + ' the bounds of the first bake. Set larger `bounds` there');
  }
  throwIfAborted(signal);
  const changed = changeTiles(navMesh, fresh);
  report.warnings.push(...warnOfConnections(navMesh, connections));
  return { report, changed };
}

/**
 * As Walkmesh.rebake.
 * @param {Owner} owner @param {NavMesh} navMesh @param {Geometry} geometry @param {RebakeOptions} given
 * @returns {Promise<Rebaked>}
 */
export async function rebake(owner, navMesh, geometry, given) {
  const options = checkOptions(given, TILED_NAMES);
  if (!(navMesh instanceof NavMesh)) throw invalidArgument('navMesh', `must be a NavMesh, not ${describe(navMesh)}`, navMesh);
  addressOf(navMesh, NAV_MESH);
  if (navMesh.session !== owner.session) throw invalidArgument('navMesh', 'belongs to another instance of the module', navMesh);
  openCache(options.cache);
  if (navMesh.changedBy && !navMesh.changedBy.isFreed) {
    throw new NavError('state', 'the navigation mesh has a dynamic mesh, which would still have the old level: free the dynamic mesh first, or'
      + ' bake the level again with bakeDynamic', { field: 'navMesh' });
  }
  const config = requireConfig(navMesh);
  if (busy.has(navMesh)) throw new NavError('state', 'another rebake of this navigation mesh is running: wait until it ends');
  busy.add(navMesh);
  try {
    return await withBuilders(owner, geometry, config, options, Infinity,
      (work) => rebakeFrom(navMesh, geometry, options, work));
  } finally {
    busy.delete(navMesh);
  }
}
