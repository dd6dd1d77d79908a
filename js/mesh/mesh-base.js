/**
 * What every part of a navigation mesh's interface rests on. NavMesh is put together from classes by topic, each in a
 * file: nearest.js, find-path.js (all that the core entry has), mesh-filters.js, points.js, paths.js, local.js, reach.js,
 * overlap.js, random.js, batches.js, tiles.js, connections.js, mesh.js; this is the first.
 */
import { NavError } from '../runtime/errors.js';
import { writeFilter } from './filter-options.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { Owned, requireMaker } from '../runtime/owned.js';

/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('./filter.js').Filter} Filter */
/** @typedef {import('./filter.js').FilterOptions} FilterOptions */
/** @typedef {import('../query/islands.js').Islands} Islands */

export class NavMeshBase extends Owned {
  /** @internal @param {Session} session @param {number} address */
  constructor(session, address) {
    const { wasm } = requireMaker(session, NAV_MESH);
    super(session, NAV_MESH, address, (mesh) => wasm.mesh_destroy(mesh));
  }

  /** The address of a question's filter; 0: the default. @internal @param {FilterOptions | Filter | undefined} filter */
  filterAddress(filter) {
    return filter === undefined ? 0 : writeFilter(this.session, /** @type {FilterOptions} */ (filter));
  }

  /** The address of islands for a path. @internal @param {Islands | true} _islands @returns {number} */
  islandsAddress(_islands) {
    throw new NavError('unsupported', 'islands are not in the core entry: use walkmesh', { field: 'islands' });
  }
}
