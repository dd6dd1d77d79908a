/**
 * The first class of a navigation mesh. NavMesh inherits from a chain of classes, one per topic and file, each of which extends
 * the one before it. In query/: mesh-base.js, nearest.js, find-path.js (walkmesh/core ends here), mesh-filters.js,
 * polygon-points.js, paths.js, local-queries.js, flood-queries.js, overlap.js, random.js, batches.js; in mesh/: tiles.js,
 * connections.js, segment-links.js, mesh.js.
 */
import { NavError } from '../runtime/errors.js';
import { writeFilter } from './filter-options.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { HandleOwner, requireMaker } from '../runtime/handle.js';

/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('./filter.js').Filter} Filter */
/** @typedef {import('./filter.js').FilterOptions} FilterOptions */
/** @typedef {import('./islands.js').Islands} Islands */

export class NavMeshBase extends HandleOwner {
  /** @internal @param {Session} session @param {number} address */
  constructor(session, address) {
    const { wasm } = requireMaker(session, NAV_MESH);
    super(session, NAV_MESH, address, (mesh) => wasm.mesh_destroy(mesh));
  }

  /** The address of a query's filter; 0: the default. @internal @param {FilterOptions | Filter | undefined} filter */
  filterAddress(filter) {
    return filter === undefined ? 0 : writeFilter(this.session, /** @type {FilterOptions} */ (filter));
  }

  /** The address of the islands of a path query. @internal @param {Islands | true} _islands @returns {number} */
  islandsAddress(_islands) {
    throw new NavError('unsupported', 'walkmesh/core has no islands: import walkmesh', { field: 'islands' });
  }
}
