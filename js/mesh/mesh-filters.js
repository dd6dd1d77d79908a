/** Filters kept in the module's memory, for all questions that follow. */
import { Filter } from './filter.js';
import { PathFinding } from '../query/find-path.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { addressOf } from '../runtime/owned.js';

/** @typedef {import('./filter.js').FilterOptions} FilterOptions */
/** @typedef {import('./filter.js').PolygonCosts} PolygonCosts */

export class MeshFilters extends PathFinding {
  /** The address of a question's filter; 0: the default. @internal @override @param {FilterOptions | Filter | undefined} filter */
  filterAddress(filter) {
    return filter instanceof Filter ? filter.addressFor(this) : super.filterAddress(filter);
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
