/** Reachable polygons: floods by cost, and islands. */
import { outError, readFloats, readReferences, readWords, requireOut } from '../runtime/results.js';
import { NO_OPTIONS, copyToScratch, requireAmount, requireCount, requireOptions, requirePoints, requireReference, writePoint } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { Islands } from './islands.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { LocalQueries } from './local-queries.js';
import { COUNT_LIMIT, FILTER_OPTION } from './query-options.js';
import { nameSet } from '../runtime/option-names.js';
import { addressOf } from '../runtime/handle.js';
import { WmFlood, WmFloodOptions } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../runtime/arguments.js').PolygonRefs} PolygonRefs */
/** @typedef {import('../runtime/arguments.js').PointArgument} PointArgument */
/** @typedef {import('../runtime/arguments.js').Points} Points */
/** @typedef {import('./filter.js').Filter} Filter */
/** @typedef {import('./filter.js').FilterOptions} FilterOptions */
/** @typedef {import('./query-options.js').FilterOption} FilterOption */
/** @template T @typedef {import('../runtime/option-names.js').Names<T>} Names */

const NO_SHAPE = new Float32Array(0);
/** Words of the inputs of a flood: the position, and the fields of its WmFloodOptions. */
const POSITION_AT = 0;
const [FILTER_AT, MAX_COST_AT, RADIUS_AT, SHAPE_AT, SHAPE_COUNT_AT, MAX_POLYGONS_AT] = [WmFloodOptions.filter, WmFloodOptions.maxCost,
  WmFloodOptions.radius, WmFloodOptions.shape, WmFloodOptions.shapeCount, WmFloodOptions.maxPolygons].map((word) => 3 + word);

/**
 * In an overwritten result the arrays may be longer than the count.
 * @typedef {object} Flood
 * @property {number} count
 * @property {PolygonRefs} polygons references by ascending cost, the start first
 * @property {Uint32Array} parents index in `polygons` of the previous polygon; of the start 0
 * @property {Float32Array} costs from the start to the midpoint of the edge each was entered by
 * @property {boolean} isCut true if there are more than maxPolygons
 */

/**
 * @typedef {object} FloodOptions
 * @property {Filter | FilterOptions} [filter]
 * @property {number} [maxCost] the largest cost; default Infinity
 * @property {number} [radius] enters only edges that touch this circle around the point; default Infinity
 * @property {Points} [shape] at least 3 vertices: enters only edges that touch this convex outline; their y is ignored
 * @property {number} [maxPolygons] default 0: no limit
 */

const FLOOD_NAMES = nameSet(/** @satisfies {Names<FloodOptions>} */ (
  { filter: 1, maxCost: 1, radius: 1, shape: 1, maxPolygons: 1 }));

/**
 * The corridor to a polygon of a flood.
 * @param {Flood} flood @param {number} index in its `polygons`
 * @returns {PolygonRefs} references from the start to that polygon
 */
export function floodPath(flood, index) {
  const { count, parents, polygons } = flood ?? {};
  if (!(typeof count === 'number' && polygons instanceof Float64Array && parents instanceof Uint32Array)) {
    throw invalidArgument('flood', `must be a result of flood, not ${describe(flood)}`, flood);
  }
  requireCount(index, 'index', count - 1);
  let length = 1;
  for (let i = index; i !== 0 && length <= count; i = parents[i]) length++;
  const path = new Float64Array(length);
  for (let i = index, at = length - 1; at >= 0; i = parents[i], at--) path[at] = polygons[i];
  return path;
}

export class FloodQueries extends LocalQueries {
  /**
   * All polygons that can be reached, cheapest first (Dijkstra over midpoints of edges).
   * @param {PolygonRef} polygon reference of the polygon of the point
   * @param {PointArgument} point ignored with a shape, whose mean of vertices is used instead
   * @param {FloodOptions} [options]
   * @param {Flood} [out] an earlier result, to be overwritten
   * @returns {Flood}
   */
  flood(polygon, point, options = NO_OPTIONS, out = undefined) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    const { filter, maxCost = Infinity, radius = Infinity, shape, maxPolygons = 0 } = requireOptions(options, FLOOD_NAMES);
    requireReference(polygon, 'polygon');
    requireCount(maxPolygons, 'maxPolygons', COUNT_LIMIT);
    requireAmount(maxCost, 'maxCost');
    requireAmount(radius, 'radius');
    const outline = shape === undefined ? NO_SHAPE : requirePoints(shape, 'shape');
    session.refresh();
    writePoint(session, POSITION_AT, point, 'point');
    const filterAddress = this.filterAddress(filter);
    session.requireNoCallSince(calls);
    const scratch = copyToScratch(session, outline);
    const { f32, u32, inputs } = session;
    u32[inputs + FILTER_AT] = filterAddress;
    f32[inputs + MAX_COST_AT] = maxCost;
    f32[inputs + RADIUS_AT] = radius;
    u32[inputs + SHAPE_AT] = shape === undefined ? 0 : scratch;
    u32[inputs + SHAPE_COUNT_AT] = outline.length / 3;
    u32[inputs + MAX_POLYGONS_AT] = maxPolygons;
    session.check(session.wasm.query_flood(address, polygon));
    return this.#readFlood(out);
  }

  /** @param {Flood | undefined} out @returns {Flood} */
  #readFlood(out) {
    const { session } = this;
    const { u32, answer, calls } = session;
    const count = u32[answer + WmFlood.count];
    const given = requireOut(out);
    const polygons = readReferences(session, u32[answer + WmFlood.polygons], count, given?.polygons);
    const parents = readWords(session, u32[answer + WmFlood.parents], count, given?.parents);
    const costs = readFloats(session, u32[answer + WmFlood.costs], count, given?.costs);
    const isCut = (u32[answer + WmFlood.cut] & 255) !== 0;
    session.requireNoCallSince(calls);
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

  /** The corridor from the start of a flood to one of its polygons, references. @param {Flood} flood @param {number} index in its `polygons` */
  floodPath(flood, index) {
    return floodPath(flood, index);
  }

  /**
   * The connected components of the polygons that pass a filter. The caller frees them; freeing the mesh frees them too.
   * @param {FilterOption} [options]
   * @returns {Islands}
   */
  islands(options = NO_OPTIONS) {
    addressOf(this, NAV_MESH);
    return new Islands(this, requireOptions(options, FILTER_OPTION).filter);
  }
}
