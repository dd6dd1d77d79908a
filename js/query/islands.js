/// <reference lib="esnext.disposable" preserve="true" />
/** Islands: the connected components of what a filter lets pass, so that "unreachable" is answered at once. */
import { requireCount, requireReference, requireSame } from '../runtime/arguments.js';
import { ISLANDS, NAV_MESH } from '../runtime/handle-kinds.js';
import { Owned, addressOf, requireMaker } from '../runtime/owned.js';

/** @typedef {import('../mesh/mesh-base.js').NavMeshBase} NavMeshBase */
/** @typedef {import('../mesh/filter.js').Filter} Filter */
/** @typedef {import('../mesh/filter.js').FilterOptions} FilterOptions */

/**
 * Connected components of the polygons that a filter lets pass, ways of one direction counted as if they led both ways:
 * between islands there is no path at all; within one there is, but for connections that lead one way only. Labels are
 * those of the last update. Make them with NavMesh.islands.
 */
export class Islands extends Owned {
  #mesh;
  #filter;

  /** @internal @param {NavMeshBase} mesh @param {Filter | FilterOptions | undefined} filter */
  constructor(mesh, filter) {
    const session = requireMaker(mesh?.session, ISLANDS);
    const { wasm } = session;
    session.check(wasm.islands_create(addressOf(mesh, NAV_MESH)));
    super(session, ISLANDS, session.u32[session.answer], (islands) => wasm.islands_destroy(islands), mesh.handle);
    this.#mesh = mesh;
    this.#filter = filter;
    try {
      this.update();
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** The address for a question to a mesh. @internal @param {NavMeshBase} mesh */
  addressFor(mesh) {
    const address = addressOf(this, ISLANDS);
    requireSame(mesh, this.#mesh, 'islands');
    return address;
  }

  /** Labels anew where the mesh or the filter's flags have changed since; else does nothing. */
  update() {
    const address = addressOf(this, ISLANDS);
    const { session } = this;
    session.refresh();
    session.check(session.wasm.islands_update(address, this.#mesh.filterAddress(this.#filter)));
  }

  /** How many there are. @type {number} */
  get count() {
    const address = addressOf(this, ISLANDS);
    return this.session.wasm.islands_count(address) >>> 0;
  }

  /**
   * The island of a polygon: 1 to the count, the largest by area first; 0 for one that the filter refuses, or that is no
   * polygon of the mesh.
   * @param {number} polygon reference
   */
  of(polygon) {
    const address = addressOf(this, ISLANDS);
    return this.session.wasm.islands_of(address, requireReference(polygon, 'polygon')) >>> 0;
  }

  /** Area of an island on x and z. @param {number} island 1 to the count */
  area(island) {
    const address = addressOf(this, ISLANDS);
    return this.session.wasm.islands_area(address, requireCount(island, 'island', this.count));
  }

  /** Whether two polygons are on the same island. @param {number} a reference @param {number} b reference */
  areConnected(a, b) {
    addressOf(this, ISLANDS);
    const island = this.of(a);
    return island !== 0 && island === this.of(b);
  }
}
