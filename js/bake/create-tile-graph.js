/** Walkmesh.createTileGraph: builds the tile graph of a mesh in a worker. */
import { requireOptions, requireSignal } from '../runtime/arguments.js';
import { NavError } from '../runtime/errors.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { addressOf } from '../runtime/handle.js';
import { nameSet } from '../runtime/option-names.js';
import { nextTurn, throwIfAborted, untilAborted } from '../runtime/time-slices.js';
import { WorkerPool, readWorkerCount } from '../workers/pool.js';
import { readFilterWords } from '../query/graph-bytes.js';
import { requireOwnMesh } from './rebake.js';

/** @typedef {import('../runtime/instance.js').Owner} Owner */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../query/graph-bytes.js').GraphInput} GraphInput */
/** @typedef {import('../query/tile-graph.js').TileGraph} TileGraph */
/** @typedef {import('../query/tile-graph.js').TileGraphOptions} TileGraphOptions */

/**
 * @typedef {object} TileGraphWork
 * @property {number | 'auto' | WorkerPool} [workers] 0: in this thread, in one step; else one worker, of the pool if it is one. Default
 *   'auto'. In this thread, too, if no worker can be started, except with a pool
 * @property {AbortSignal} [signal] aborting it ends the work with a NavError `cancelled`, whose `cause` is the reason; a worker of a pool
 *   finishes the graph first
 */
/** @typedef {Omit<TileGraphOptions, 'keepRemoved'> & TileGraphWork} TileGraphWorkOptions */

const NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<TileGraphWorkOptions>} */ (
  { filter: 1, spacing: 1, workers: 1, signal: 1 }));

/** @param {NavMesh} navMesh @param {Pick<TileGraphOptions, 'filter' | 'spacing'>} options */
function buildHere(navMesh, options) {
  const graph = navMesh.createTileGraph({ ...options, keepRemoved: true });
  try {
    graph.update();
    return graph;
  } catch (error) {
    graph.free();
    throw error;
  }
}

/** Checks the options, and makes what a worker needs. @param {NavMesh} navMesh @param {Pick<TileGraphOptions, 'filter' | 'spacing'>} options @returns {GraphInput} */
function makeInput(navMesh, { filter, spacing = 0 }) {
  navMesh.createTileGraph({ filter, spacing }).free(); // checks everything, and builds nothing yet
  return { filter: readFilterWords(navMesh.session, navMesh.filterAddress(filter)), spacing, mesh: navMesh.save() };
}

/** Loads the graph that a worker built, for the mesh, which may have changed meanwhile. @param {NavMesh} navMesh @param {Uint8Array} bytes @param {AbortSignal} [signal] */
async function loadGraph(navMesh, bytes, signal) {
  addressOf(navMesh, NAV_MESH);
  const graph = navMesh.loadTileGraph(bytes);
  try {
    await nextTurn();
    throwIfAborted(signal);
    graph.update();
    return graph;
  } catch (error) {
    graph.free();
    throw error;
  }
}

/**
 * As Walkmesh.createTileGraph.
 * @param {Owner} owner @param {NavMesh} navMesh @param {TileGraphWorkOptions} given
 * @returns {Promise<TileGraph>}
 */
export async function createTileGraph(owner, navMesh, given) {
  const { workers = 'auto', signal, filter, spacing } = requireOptions(given, NAMES);
  requireSignal(signal);
  requireOwnMesh(owner, navMesh);
  const shared = workers instanceof WorkerPool && WorkerPool.isOwn(workers) ? workers : undefined;
  const count = shared ? 1 : readWorkerCount(workers, 0);
  throwIfAborted(signal);
  if (count === 0) return buildHere(navMesh, { filter, spacing });
  const input = makeInput(navMesh, { filter, spacing });
  const pool = shared ?? new WorkerPool(owner.module, { workers: 1, memoryLimit: owner.memoryLimit });
  let hasStarted = false;
  const ask = async () => {
    const thread = await pool.thread(0);
    await thread.ask({ type: 'memory' });
    hasStarted = true;
    throwIfAborted(signal);
    return (await thread.ask({ type: 'graph', ...input }, undefined, [input.mesh.buffer])).bytes;
  };
  try {
    return await loadGraph(navMesh, await untilAborted(ask(), signal), signal);
  } catch (error) {
    if (shared || hasStarted || !(error instanceof NavError && error.code === 'worker')) throw error;
    return buildHere(navMesh, { filter, spacing });
  } finally {
    if (!shared) pool[Symbol.dispose]();
  }
}
