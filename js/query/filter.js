/// <reference lib="esnext.disposable" preserve="true" />
/** Filters stored in the module's memory: flags that polygons must or must not have, area costs, polygon costs. */
import { AREA_COUNT, requireCount, requireNumbers, requireOptions, requireReferences, requireSame, writeReferences } from '../runtime/arguments.js';
import { invalidArgument } from '../runtime/errors.js';
import { AREA_COSTS_AT, requireCost, writeAreaCosts } from './filter-options.js';
import { FILTER, NAV_MESH } from '../runtime/handle-kinds.js';
import { nameSet } from '../runtime/option-names.js';
import { readFloats, readReferences } from '../runtime/results.js';
import { HandleOwner, addressOf, lookUp, requireMaker } from '../runtime/handle.js';
import { lengthOf } from '../runtime/typed-arrays.js';
import { WmFilter } from '../runtime/layout.js';

/** @typedef {import('./filter-options.js').FilterOptions} FilterOptions */
/** @typedef {import('./mesh-base.js').NavMeshBase} NavMeshBase */
/** @typedef {import('../runtime/arguments.js').PolygonRefs} PolygonRefs */

/**
 * Cost factors of single polygons, for danger, crowding, mud: the cost of a world unit is multiplied by them.
 * @typedef {object} PolygonCosts
 * @property {ArrayLike<number>} polygons references
 * @property {ArrayLike<number>} factors one per polygon, finite, 0 or more
 */

const FILTER_NAMES = nameSet({ includeFlags: 1, excludeFlags: 1, areaCosts: 1, polygonCosts: 1 });
const COSTS_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<PolygonCosts>} */ ({ polygons: 1, factors: 1 }));

/** The number of words of a WmFilter; the index of its polygon costs. */
const { words: FILTER_WORDS, costs: POLYGON_COSTS_AT } = WmFilter;

/** The first word of a filter; refreshes the views. @param {Filter} filter */
function wordOf(filter) {
  const address = addressOf(filter, FILTER);
  filter.session.refresh();
  return address >>> 2;
}

/** @param {unknown} polygons @param {unknown} factors */
function readPolygonCosts(polygons, factors) {
  if (typeof polygons !== 'object' || typeof factors !== 'object' || !polygons || !factors) throw notPolygonCosts(polygons, factors);
  const references = requireReferences(polygons, 'polygonCosts.polygons'), numbers = requireNumbers(factors, 'polygonCosts.factors');
  if (lengthOf(references) !== numbers.length) throw notPolygonCosts(polygons, factors);
  numbers.forEach((factor, i) => { requireCost(factor, 'polygonCosts.factors', i); });
  return { polygons: references, factors: numbers };
}

/** @param {unknown} polygons @param {unknown} factors */
const notPolygonCosts = (polygons, factors) => invalidArgument('polygonCosts', 'must be two arrays of the same length', { polygons, factors });

/** A filter stored in the module's memory: cheap to pass, and can have polygon costs. Made by createFilter. */
export class Filter extends HandleOwner {
  #mesh;
  /** The address of its polygon costs, once it has some; freed with the handle. */
  #costs;

  /** Use NavMesh.createFilter. @internal @param {NavMeshBase} mesh @param {FilterOptions & { polygonCosts?: PolygonCosts }} options */
  constructor(mesh, options) {
    const session = requireMaker(mesh?.session, FILTER);
    const { wasm, handle: sessionHandle } = session;
    lookUp(mesh, NAV_MESH);
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
      const { calls } = session;
      const { includeFlags = 0xffff, excludeFlags = 0, areaCosts, polygonCosts } = requireOptions(options, FILTER_NAMES);
      if (areaCosts !== undefined) writeAreaCosts(session, calls, address >>> 2, areaCosts);
      this.includeFlags = includeFlags;
      this.excludeFlags = excludeFlags;
      if (polygonCosts !== undefined) this.setPolygonCosts(polygonCosts);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** The address for a query of a mesh. @internal @param {NavMeshBase} mesh */
  addressFor(mesh) {
    if (!(#mesh in this)) throw invalidArgument('filter', 'must be a Filter itself, not a proxy or an heir of one', this);
    const address = lookUp(this, FILTER);
    requireSame(mesh, this.#mesh, 'filter');
    return address;
  }

  /** True if it was made for the mesh. @internal @param {NavMeshBase} mesh */
  isFor(mesh) {
    return #mesh in this && mesh === this.#mesh;
  }

  /** Polygons must have at least one of these flags. @type {number} */
  get includeFlags() {
    const at = wordOf(this);
    return this.session.u32[at] & 0xffff;
  }

  set includeFlags(flags) {
    const at = wordOf(this);
    const { u32 } = this.session;
    u32[at] = (u32[at] & 0xffff0000) | requireCount(flags, 'filter.includeFlags', 0xffff);
  }

  /** Polygons must have none of these flags. @type {number} */
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
   * Sets the cost of a world unit in an area. With costs below 1, searches search more polygons.
   * @param {number} area 0 to 63
   * @param {number} cost finite, 0 or more
   */
  setAreaCost(area, cost) {
    const at = wordOf(this) + requireCount(area, 'area', AREA_COUNT - 1);
    this.session.f32[at + AREA_COSTS_AT] = requireCost(cost, 'cost');
  }

  /** The cost of a world unit in an area. @param {number} area 0 to 63 @returns {number} */
  areaCost(area) {
    const at = wordOf(this) + requireCount(area, 'area', AREA_COUNT - 1);
    return this.session.f32[at + AREA_COSTS_AT];
  }

  /** Sets cost factors of single polygons, all or none; those of other polygons stay. @param {PolygonCosts} costs */
  setPolygonCosts(costs) {
    const at = wordOf(this);
    const { session } = this;
    const { wasm, calls } = session;
    const given = requireOptions(costs, COSTS_NAMES);
    const { polygons, factors } = readPolygonCosts(given.polygons, given.factors);
    session.requireNoCallSince(calls);
    const count = factors.length;
    if (!this.#costs.address) {
      session.check(wasm.costs_create(lookUp(this.#mesh, NAV_MESH)));
      this.#costs.address = session.u32[session.answer];
      session.u32[at + POLYGON_COSTS_AT] = this.#costs.address;
    }
    const scratch = session.reserve(12 * count);
    writeReferences(session, scratch, polygons, count, 'polygonCosts.polygons');
    session.f32.set(factors, (scratch >>> 2) + 2 * count);
    session.check(wasm.costs_set(this.#costs.address, scratch, scratch + 8 * count, count));
  }

  /**
   * The cost factors of single polygons that aren't 1, without those of removed tiles: a copy.
   * @returns {{ polygons: PolygonRefs, factors: Float32Array }}
   */
  polygonCosts() {
    addressOf(this, FILTER);
    const { session } = this, { wasm } = session, mesh = lookUp(this.#mesh, NAV_MESH), { address } = this.#costs;
    if (!address) return { polygons: new Float64Array(0), factors: new Float32Array(0) };
    wasm.costs_list(mesh, address, 0, 0, 0);
    session.refresh();
    const count = session.u32[session.answer], scratch = session.reserve(12 * count);
    wasm.costs_list(mesh, address, count, scratch, scratch + 8 * count);
    return { polygons: readReferences(session, scratch, count, undefined), factors: readFloats(session, scratch + 8 * count, count, undefined) };
  }

  /**
   * For JSON.stringify: options for createFilter. References of polygon costs are those of this mesh. Of a freed filter `[filter]`.
   * @override @returns {FilterOptions & { polygonCosts?: { polygons: number[], factors: number[] } }}
   */
  toJSON() {
    if (this instanceof Filter && this.isFreed) return /** @type {any} */ (super.toJSON());
    addressOf(this, FILTER);
    const { includeFlags, excludeFlags } = this;
    const { polygons, factors } = this.polygonCosts();
    /** @type {Record<number, number>} */
    const areaCosts = {};
    for (let area = 0; area < AREA_COUNT; area++) if (this.areaCost(area) !== 1) areaCosts[area] = this.areaCost(area);
    return { includeFlags, excludeFlags, areaCosts, ...(polygons.length > 0 && { polygonCosts: { polygons: Array.from(polygons), factors: Array.from(factors) } }) };
  }

  /** Removes all polygon costs. */
  clearPolygonCosts() {
    if (addressOf(this, FILTER) && this.#costs.address) this.session.wasm.costs_clear(this.#costs.address);
  }
}
