/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Islands: the connected components of the polygons that pass a filter. They tell without a search that a point is unreachable.
 */
import { requireCount, requireReference, requireSame } from '../runtime/arguments.js';
import { invalidArgument } from '../runtime/errors.js';
import { ISLANDS, NAV_MESH } from '../runtime/handle-kinds.js';
import { HandleOwner, addressOf, lookUp, requireMaker } from '../runtime/handle.js';
import { readNearest } from '../runtime/results.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../runtime/results.js').NearestPoint} NearestPoint */
/** @typedef {import('./mesh-base.js').NavMeshBase} NavMeshBase */
/** @typedef {import('./filter.js').Filter} Filter */
/** @typedef {import('./filter.js').FilterOptions} FilterOptions */

/**
 * The connected components of the polygons that pass a filter; one-way links connect both ways. There is no path between two
 * islands; within one there is, unless it would need a one-way connection in reverse. Labels are of the last update. Made by
 * NavMesh.islands.
 */
export class Islands extends HandleOwner {
  #mesh;
  #filter;

  /** @internal @param {NavMeshBase} mesh @param {Filter | FilterOptions | undefined} filter */
  constructor(mesh, filter) {
    const session = requireMaker(mesh?.session, ISLANDS);
    const { wasm } = session;
    session.check(wasm.islands_create(lookUp(mesh, NAV_MESH)));
    super(session, ISLANDS, session.u32[session.answer], (islands) => wasm.islands_destroy(islands), mesh.handle);
    this.#mesh = mesh;
    this.#filter = filter;
    try {
      this.#update(this.handle.address);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** The address for a query of a mesh. @internal @param {NavMeshBase} mesh */
  addressFor(mesh) {
    if (!(#mesh in this)) throw invalidArgument('islands', 'must be Islands themselves, not a proxy or an heir of them', this);
    const address = lookUp(this, ISLANDS);
    requireSame(mesh, this.#mesh, 'islands');
    return address;
  }

  /** Computes the islands again if the mesh or the flags of the filter have changed; else does nothing. */
  update() {
    const address = addressOf(this, ISLANDS);
    this.#update(address);
  }

  /** @param {number} address */
  #update(address) {
    const { session } = this, { calls } = session;
    session.refresh();
    const filterAddress = this.#mesh.filterAddress(this.#filter);
    session.requireNoCallSince(calls);
    session.check(session.wasm.islands_update(address, filterAddress));
  }

  /** The number of islands. @type {number} */
  get count() {
    const address = addressOf(this, ISLANDS);
    return this.session.wasm.islands_count(address) >>> 0;
  }

  /**
   * The island of a polygon: 1 to the count, the largest by area first; 0 if it does not pass the filter, or is not in
   * the mesh.
   * @param {PolygonRef} polygon reference
   */
  of(polygon) {
    const address = addressOf(this, ISLANDS);
    return this.session.wasm.islands_of(address, requireReference(polygon, 'polygon')) >>> 0;
  }

  /** The area of an island on x and z, square world units. @param {number} island 1 to the count */
  area(island) {
    const address = addressOf(this, ISLANDS);
    return this.session.wasm.islands_area(address, requireCount(island, 'island', this.count));
  }

  /**
   * A point on an island, such as to show it or to put an agent there: the middle of its largest polygon. Null if the island has no ground (a
   * connection between no grounds), or if the polygon's tile was removed since the last update.
   * @param {number} island 1 to the count @param {NearestPoint | null} [out] an earlier result, to be overwritten @returns {NearestPoint | null}
   */
  point(island, out = undefined) {
    const address = addressOf(this, ISLANDS);
    const number = requireCount(island, 'island', this.count);
    const { session } = this;
    session.wasm.islands_point(addressOf(this.#mesh, NAV_MESH), address, number);
    session.refresh();
    return readNearest(session, session.answer, out);
  }

  /** True if two polygons are on the same island. @param {PolygonRef} a reference @param {PolygonRef} b reference */
  areConnected(a, b) {
    addressOf(this, ISLANDS);
    const island = this.of(a);
    return island !== 0 && island === this.of(b);
  }
}
