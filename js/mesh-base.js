/**
 * What every part of a navigation mesh's interface rests on. NavMesh is put together from classes by topic, each in a
 * file: points.js, paths.js, local.js, reach.js,
 * overlap.js, random.js, batches.js, tiles.js, connections.js, mesh.js; this is the first.
 */
import { Filter, writeFilter } from './filter.js';
import { NAV_MESH } from './kinds.js';
import { Owned, addressOf, requireMaker } from './owned.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./filter.js').FilterOptions} FilterOptions */
/** @typedef {import('./filter.js').PolygonCosts} PolygonCosts */

export class NavMeshBase extends Owned {
  /** @internal @param {Session} session @param {number} address */
  constructor(session, address) {
    const { wasm } = requireMaker(session, NAV_MESH);
    super(session, NAV_MESH, address, (mesh) => wasm.mesh_destroy(mesh));
  }

  /** The address of a question's filter; 0: the default. @internal @param {FilterOptions | Filter | undefined} filter */
  filterAddress(filter) {
    if (filter === undefined) return 0;
    return filter instanceof Filter ? filter.addressFor(this) : writeFilter(this.session, filter);
  }

  /**
   * A filter kept in the module's memory: cheap to pass to many questions, and with costs of single polygons. The
   * caller frees it; freeing the mesh frees it too.
   * @param {FilterOptions & { polygonCosts?: PolygonCosts }} [options]
   * @returns {Filter}
   */
  createFilter(options = {}) {
    addressOf(this, NAV_MESH);
    return new Filter(this, options);
  }
}
