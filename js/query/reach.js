/** What can be reached: floods by cost, islands, searches in slices; and who goes there: corridors, crowds. */
import { outError, readFloats, readReferences, readWords, requireOut } from '../runtime/answers.js';
import { NO_OPTIONS, requireAmount, requireCount, requireOptions, requireReference, writePoint, writePoints } from '../runtime/arguments.js';
import { PathCorridor } from './corridor.js';
import { Crowd } from '../crowd/crowd.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { Islands } from './islands.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { FILTER_OPTION, LocalQueries } from './local.js';
import { nameSet } from '../runtime/names.js';
import { addressOf } from '../runtime/owned.js';
import { Search } from './search.js';
import { WmFlood, WmFloodOptions } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/arguments.js').Points} Points */
/** @typedef {import('../crowd/options.js').CrowdOptions} CrowdOptions */
/** @typedef {import('../mesh/filter.js').Filter} Filter */
/** @typedef {import('../mesh/filter.js').FilterOptions} FilterOptions */
/** @typedef {import('./local.js').FilterOption} FilterOption */
/** @template T @typedef {import('../runtime/names.js').Names<T>} Names */

const COUNT_LIMIT = 0xffffffff;
const NO_SHAPE = { room: 0, count: 0 };
/** Inputs of a flood, in words: the position, and the fields of its WmFloodOptions. */
const POSITION_AT = 0;
const [FILTER_AT, MAX_COST_AT, RADIUS_AT, SHAPE_AT, SHAPE_COUNT_AT, MAX_POLYGONS_AT] = [WmFloodOptions.filter, WmFloodOptions.maxCost,
  WmFloodOptions.radius, WmFloodOptions.shape, WmFloodOptions.shapeCount, WmFloodOptions.maxPolygons].map((word) => 3 + word);

/**
 * In an answer that was filled in anew the arrays may be longer than the count.
 * @typedef {object} Flood
 * @property {number} count
 * @property {Float64Array} polygons references by ascending cost, the start first
 * @property {Uint32Array} parents place in `polygons` of the one before; of the start: 0
 * @property {Float32Array} costs from the start to the middle of the edge each was entered by
 * @property {boolean} isCut whether there are more than maxPolygons
 */

/**
 * @typedef {object} FloodOptions
 * @property {Filter | FilterOptions} [filter]
 * @property {number} [maxCost] polygons that cost more are left out; default Infinity
 * @property {number} [radius] only through edges that touch this circle around the point; default Infinity
 * @property {Points} [shape] vertices, at least 3: only through edges that touch this convex outline; their y is of no account
 * @property {number} [maxPolygons] default 0: no limit
 */

const FLOOD_NAMES = nameSet(/** @satisfies {Names<FloodOptions>} */ (
  { filter: 1, maxCost: 1, radius: 1, shape: 1, maxPolygons: 1 }));

/**
 * The way to a polygon of a flood.
 * @param {Flood} flood @param {number} index place in its `polygons`
 * @returns {Float64Array} references from the start to that polygon
 */
export function floodPath(flood, index) {
  requireCount(index, 'index', flood.count - 1);
  let length = 1;
  for (let i = index; i !== 0 && length <= flood.count; i = flood.parents[i]) length++;
  const path = new Float64Array(length);
  for (let i = index, at = length - 1; at >= 0; i = flood.parents[i], at--) path[at] = flood.polygons[i];
  return path;
}

export class ReachQueries extends LocalQueries {
  /**
   * All polygons that can be reached, cheapest first (Dijkstra over middles of edges).
   * @param {number} polygon reference of the one the point is in
   * @param {Point} point with a shape, the middle of the shape's vertices counts instead
   * @param {FloodOptions} [options]
   * @param {Flood} [out] an earlier answer, to be filled in anew
   * @returns {Flood}
   */
  flood(polygon, point, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    const { filter, maxCost = Infinity, radius = Infinity, shape, maxPolygons = 0 } = requireOptions(options, FLOOD_NAMES);
    requireReference(polygon, 'polygon');
    requireCount(maxPolygons, 'maxPolygons', COUNT_LIMIT);
    const { room, count } = shape === undefined ? NO_SHAPE : writePoints(session, shape, 'shape');
    session.refresh();
    writePoint(session, POSITION_AT, point, 'point');
    const filterAddress = this.filterAddress(filter);
    const { f32, u32, inputs } = session;
    u32[inputs + FILTER_AT] = filterAddress;
    f32[inputs + MAX_COST_AT] = requireAmount(maxCost, 'maxCost');
    f32[inputs + RADIUS_AT] = requireAmount(radius, 'radius');
    u32[inputs + SHAPE_AT] = room;
    u32[inputs + SHAPE_COUNT_AT] = count;
    u32[inputs + MAX_POLYGONS_AT] = maxPolygons;
    session.check(session.wasm.query_flood(address, polygon));
    return this.#readFlood(out);
  }

  /** @param {Flood | undefined} out @returns {Flood} */
  #readFlood(out) {
    const { session } = this;
    const { u32, answer } = session;
    const count = u32[answer + WmFlood.count];
    const given = requireOut(out);
    const polygons = readReferences(session, u32[answer + WmFlood.polygons], count, given?.polygons);
    const parents = readWords(session, u32[answer + WmFlood.parents], count, given?.parents);
    const costs = readFloats(session, u32[answer + WmFlood.costs], count, given?.costs);
    const isCut = (u32[answer + WmFlood.cut] & 255) !== 0;
    if (!given) return { count, polygons, parents, costs, isCut };
    try {
      given.count = count;
      given.polygons = polygons;
      given.parents = parents;
      given.costs = costs;
      given.isCut = isCut;
    } catch (error) {
      throw outError(error, out);
    }
    return given;
  }

  /** The way to a polygon of a flood, references from its start on. @param {Flood} flood @param {number} index place in its `polygons` */
  floodPath(flood, index) {
    if (!(flood?.polygons instanceof Float64Array && flood.parents instanceof Uint32Array)) {
      throw invalidArgument('flood', `must be an answer of flood, not ${describe(flood)}`, flood);
    }
    return floodPath(flood, index);
  }

  /**
   * The connected components of what a filter lets pass. The caller frees them; freeing the mesh frees them too.
   * @param {FilterOption} [options]
   * @returns {Islands}
   */
  islands(options = NO_OPTIONS) {
    addressOf(this, NAV_MESH);
    return new Islands(this, requireOptions(options, FILTER_OPTION).filter);
  }

  /**
   * A corridor for an agent, of one polygon at first. The caller frees it; freeing the mesh frees it too.
   * @param {number} polygon reference; 0: empty @param {Point} point
   * @returns {PathCorridor}
   */
  createCorridor(polygon, point) {
    addressOf(this, NAV_MESH);
    return new PathCorridor(this, polygon, point);
  }

  /**
   * A search that goes in slices. The caller frees it; freeing the mesh frees it too.
   * @returns {Search}
   */
  createSearch() {
    addressOf(this, NAV_MESH);
    return new Search(this);
  }

  /**
   * A crowd of agents that walk on this mesh. The caller frees it; freeing the mesh frees it too.
   * @param {CrowdOptions} [options]
   * @returns {Crowd}
   */
  createCrowd(options = NO_OPTIONS) {
    addressOf(this, NAV_MESH);
    return new Crowd(this, options);
  }
}
