/// <reference lib="esnext.disposable" preserve="true" />
/** Which polygons may be used, and how dear they are: filters kept in the module's memory. */
import { AREA_COUNT, requireCount, requireOptions, requireReferences, requireSame, writeReferences } from '../runtime/arguments.js';
import { invalidArgument } from '../runtime/errors.js';
import { AREA_COSTS_AT, requireCost, writeAreaCosts } from './filter-options.js';
import { FILTER, NAV_MESH } from '../runtime/handle-kinds.js';
import { nameSet } from '../runtime/names.js';
import { Owned, addressOf, requireMaker } from '../runtime/owned.js';
import { WmFilter } from '../runtime/layout.js';

/** @typedef {import('./filter-options.js').FilterOptions} FilterOptions */
/** @typedef {import('./mesh-base.js').NavMeshBase} NavMeshBase */

/**
 * Factors for single polygons, for danger, crowding, mud: what a world unit costs is multiplied by them.
 * @typedef {object} PolygonCosts
 * @property {ArrayLike<number>} polygons references
 * @property {ArrayLike<number>} factors as many, finite, not negative
 */

const FILTER_NAMES = nameSet({ includeFlags: 1, excludeFlags: 1, areaCosts: 1, polygonCosts: 1 });
const COSTS_NAMES = nameSet(/** @satisfies {import('../runtime/names.js').Names<PolygonCosts>} */ ({ polygons: 1, factors: 1 }));

/** Words of a WmFilter, and the last of them. */
const { words: FILTER_WORDS, costs: POLYGON_COSTS_AT } = WmFilter;

/** The first word of a filter, with good views. @param {Filter} filter */
function wordOf(filter) {
  const address = addressOf(filter, FILTER);
  filter.session.refresh();
  return address >>> 2;
}

/** A filter in the module's memory: cheap to pass, and with costs of single polygons. Make it with createFilter. */
export class Filter extends Owned {
  #mesh;
  /** Costs of single polygons, once there are any; the handle's free takes them along. */
  #costs;

  /** Use NavMesh.createFilter. @internal @param {NavMeshBase} mesh @param {FilterOptions & { polygonCosts?: PolygonCosts }} options */
  constructor(mesh, options) {
    const session = requireMaker(mesh?.session, FILTER);
    const { wasm, handle: sessionHandle } = session;
    addressOf(mesh, NAV_MESH);
    const costs = { address: 0 };
    const address = session.checkAddress(wasm.memory_allocate(sessionHandle, 4 * FILTER_WORDS));
    super(session, FILTER, address, (filter) => {
      if (costs.address) wasm.costs_destroy(costs.address);
      wasm.memory_free(sessionHandle, filter);
    }, mesh.handle);
    this.#mesh = mesh;
    this.#costs = costs;
    session.refresh();
    session.u32.fill(0, address >>> 2, (address >>> 2) + FILTER_WORDS);
    session.f32.fill(1, (address >>> 2) + AREA_COSTS_AT, (address >>> 2) + AREA_COSTS_AT + AREA_COUNT);
    try {
      const { includeFlags = 0xffff, excludeFlags = 0, areaCosts, polygonCosts } = requireOptions(options, FILTER_NAMES);
      this.includeFlags = includeFlags;
      this.excludeFlags = excludeFlags;
      if (areaCosts !== undefined) writeAreaCosts(session, address >>> 2, areaCosts);
      if (polygonCosts !== undefined) this.setPolygonCosts(polygonCosts);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** The address for a question to a mesh. @internal @param {NavMeshBase} mesh */
  addressFor(mesh) {
    const address = addressOf(this, FILTER);
    requireSame(mesh, this.#mesh, 'filter');
    return address;
  }

  /** Whether it was made for a mesh. @internal @param {NavMeshBase} mesh */
  isFor(mesh) {
    return mesh === this.#mesh;
  }

  /** At least one of these is needed. @type {number} */
  get includeFlags() {
    const at = wordOf(this);
    return this.session.u32[at] & 0xffff;
  }

  set includeFlags(flags) {
    const at = wordOf(this);
    const { u32 } = this.session;
    u32[at] = (u32[at] & 0xffff0000) | requireCount(flags, 'filter.includeFlags', 0xffff);
  }

  /** None of these may be set. @type {number} */
  get excludeFlags() {
    const at = wordOf(this);
    return this.session.u32[at] >>> 16;
  }

  set excludeFlags(flags) {
    const at = wordOf(this);
    const { u32 } = this.session;
    u32[at] = (u32[at] & 0xffff) | (requireCount(flags, 'filter.excludeFlags', 0xffff) << 16);
  }

  /**
   * Says what a world unit through polygons of an area costs, from the next question on. Where costs are below 1, searches
   * take up more polygons.
   * @param {number} area 0 to 63
   * @param {number} cost finite, not negative
   */
  setAreaCost(area, cost) {
    const at = wordOf(this) + requireCount(area, 'area', AREA_COUNT - 1);
    this.session.f32[at + AREA_COSTS_AT] = requireCost(cost, 'cost');
  }

  /** What a world unit through polygons of an area costs. @param {number} area 0 to 63 @returns {number} */
  areaCost(area) {
    const at = wordOf(this) + requireCount(area, 'area', AREA_COUNT - 1);
    return this.session.f32[at + AREA_COSTS_AT];
  }

  /** Gives single polygons a factor each, all or none; others keep theirs. @param {PolygonCosts} costs */
  setPolygonCosts(costs) {
    const at = wordOf(this);
    const { polygons, factors } = requireOptions(costs, COSTS_NAMES);
    const { session } = this;
    const { wasm } = session;
    const count = polygons?.length;
    if (typeof polygons !== 'object' || typeof factors !== 'object' || !Number.isInteger(count) || factors?.length !== count) {
      throw invalidArgument('polygonCosts', 'must be two arrays of the same length', { polygons, factors });
    }
    requireReferences(polygons, 'polygonCosts.polygons');
    if (!this.#costs.address) {
      session.check(wasm.costs_create(addressOf(this.#mesh, NAV_MESH)));
      this.#costs.address = session.u32[session.answer];
      session.u32[at + POLYGON_COSTS_AT] = this.#costs.address;
    }
    const room = session.room(12 * count);
    writeReferences(session, room, polygons, count, 'polygonCosts.polygons');
    for (let i = 0; i < count; i++) {
      session.f32[(room >>> 2) + 2 * count + i] = requireCost(factors[i], 'polygonCosts.factors');
    }
    session.check(wasm.costs_set(this.#costs.address, room, room + 8 * count, count));
  }

  /** All factors of single polygons are 1 again. */
  clearPolygonCosts() {
    if (addressOf(this, FILTER) && this.#costs.address) this.session.wasm.costs_clear(this.#costs.address);
  }
}
