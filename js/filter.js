/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Which polygons may be used, and how dear they are: plain objects, written anew for each question, and filters kept in
 * the module's memory.
 */
import { AREA_COUNT, isRecord, requireAmount, requireByArea, requireCount, requireOptions, requireReferences, requireSame, writeReferences } from './arguments.js';
import { describe, invalidArgument } from './errors.js';
import { FILTER, NAV_MESH } from './kinds.js';
import { Owned, addressOf, requireMaker } from './owned.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./mesh-base.js').NavMeshBase} NavMeshBase */

/**
 * A filter as a plain object. One that is frozen, with areaCosts frozen too, is written once as long as it is used again
 * and again.
 * @typedef {object} FilterOptions
 * @property {number} [includeFlags] at least one of these is needed; default 0xffff
 * @property {number} [excludeFlags] none of these may be set; default 0
 * @property {ArrayLike<number> | Readonly<Record<number, number>>} [areaCosts] the cost of a world unit by area, finite, not
 *   negative: 64 numbers, or those of some areas, as { 3: 20 }; default 1 each
 */

/**
 * Factors for single polygons, for danger, crowding, mud: what a world unit costs is multiplied by them.
 * @typedef {object} PolygonCosts
 * @property {ArrayLike<number>} polygons references
 * @property {ArrayLike<number>} factors as many, finite, not negative
 */

/** Words of a WmFilter. */
const [AREA_COSTS_AT, POLYGON_COSTS_AT, FILTER_WORDS] = [1, 65, 66];

/** @param {unknown} cost @param {string} field */
function requireCost(cost, field) {
  const number = Math.fround(requireAmount(cost, field));
  if (number === Infinity) throw invalidArgument(field, `is ${cost}: must be finite`, cost);
  return number;
}

/** @param {Session} session @param {number} at word of a filter @param {FilterOptions['areaCosts']} areaCosts */
function writeAreaCosts(session, at, areaCosts) {
  const costs = requireByArea(areaCosts, 'filter.areaCosts', 1);
  const { f32 } = session;
  for (let i = 0; i < AREA_COUNT; i++) f32[at + AREA_COSTS_AT + i] = requireCost(costs[i], 'filter.areaCosts');
}

/**
 * Writes the filter of one question.
 * @param {Session} session @param {FilterOptions} filter
 * @returns {number} its address
 */
export function writeFilter(session, filter) {
  const at = session.filter;
  if (filter === session.frozenFilter) return 4 * at;
  if (!isRecord(filter)) {
    throw invalidArgument('filter', `must be a filter, not ${describe(filter)}`, filter);
  }
  const { includeFlags = 0xffff, excludeFlags = 0, areaCosts } = filter;
  if ('polygonCosts' in filter) {
    throw invalidArgument('filter.polygonCosts', 'needs a filter made by createFilter', filter.polygonCosts);
  }
  requireCount(includeFlags, 'filter.includeFlags', 0xffff);
  requireCount(excludeFlags, 'filter.excludeFlags', 0xffff);
  session.frozenFilter = undefined;
  session.u32[at] = includeFlags | (excludeFlags << 16);
  if (areaCosts !== undefined) {
    session.hasFilterCosts = true;
    writeAreaCosts(session, at, areaCosts);
    if (Object.isFrozen(filter) && Object.isFrozen(areaCosts)) session.frozenFilter = filter;
  } else if (session.hasFilterCosts) {
    session.f32.fill(1, at + AREA_COSTS_AT, at + AREA_COSTS_AT + AREA_COUNT);
    session.hasFilterCosts = false;
  }
  return 4 * at;
}

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
      const { includeFlags = 0xffff, excludeFlags = 0, areaCosts, polygonCosts } = requireOptions(options);
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

  /** @param {number} area 0 to 63 @param {number} cost of a world unit, finite, not negative */
  setAreaCost(area, cost) {
    const at = wordOf(this) + requireCount(area, 'area', AREA_COUNT - 1);
    this.session.f32[at + AREA_COSTS_AT] = requireCost(cost, 'cost');
  }

  /** @param {number} area 0 to 63 */
  areaCost(area) {
    const at = wordOf(this) + requireCount(area, 'area', AREA_COUNT - 1);
    return this.session.f32[at + AREA_COSTS_AT];
  }

  /** Gives single polygons a factor each, all or none; others keep theirs. @param {PolygonCosts} costs */
  setPolygonCosts(costs) {
    const at = wordOf(this);
    const { polygons, factors } = requireOptions(costs);
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
