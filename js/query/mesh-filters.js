/** Makes filters that are stored in the module's memory, and passes them to queries. */
import { Filter } from './filter.js';
import { PathFinding } from './find-path.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { addressOf } from '../runtime/handle.js';

/** @typedef {import('./filter.js').FilterOptions} FilterOptions */
/** @typedef {import('./filter.js').PolygonCosts} PolygonCosts */

export class MeshFilters extends PathFinding {
  /** The address of a query's filter; 0: the default. @internal @override @param {FilterOptions | Filter | undefined} filter */
  filterAddress(filter) {
    return filter instanceof Filter ? filter.addressFor(this) : super.filterAddress(filter);
  }

  /**
   * A filter stored in the module's memory: cheap to pass to many queries, and can have polygon costs. The caller frees it;
   * freeing the mesh frees it too.
   * @param {FilterOptions & { polygonCosts?: PolygonCosts }} [options]
   * @returns {Filter}
   */
  createFilter(options = {}) {
    addressOf(this, NAV_MESH);
    return new Filter(this, options);
  }
}
