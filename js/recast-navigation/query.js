/**
 * NavMeshQuery of recast-navigation. Wrong arguments don't throw: the result has `success` false and a status. References are
 * numbers up to 2^53 here.
 */
import { Random } from '../query/random.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { rawOf, requireNumber, requireObject } from './arguments.js';
import { NumberArray } from './arrays.js';
import { Detour, runQuery } from './status.js';
import { toVector, zero } from './vectors.js';

/** @typedef {import('./nav-mesh.js').NavMesh} NavMesh */
/** @typedef {import('./vectors.js').Vector3} Vector3 */
/** @typedef {{ filter?: QueryFilter }} FilterOption */
/** @typedef {{ filter?: QueryFilter, halfExtents?: Vector3 }} NearOptions halfExtents: default 1, 1, 1 */

/**
 * @typedef {object} NavMeshQueryParams
 * @property {number} [maxNodes] polygons that a search may visit; default 0: no limit
 * @property {QueryFilter} [defaultQueryFilter]
 */

/** The parameter of a ray that hits nothing: the largest float32. */
const NO_HIT = 3.4028234663852886e+38;

const random = { seed: 1, generator: new Random(1) };

export const getRandomSeed = () => random.seed;

/** @param {number} seed */
export function setRandomSeed(seed) {
  random.generator = new Random(Math.abs(Math.trunc(requireNumber(seed, 'seed'))));
  random.seed = seed;
}

export class QueryFilter {
  includeFlags = 0xffff;
  excludeFlags = 0;
  /** @type {Float32Array | undefined} */
  #costs;

  /** @param {number} i area @returns {number} */
  getAreaCost(i) {
    return this.#costs?.[requireNumber(i, 'i')] ?? 1;
  }

  /** @param {number} i area, 0 to 63 @param {number} cost */
  setAreaCost(i, cost) {
    this.#costs ??= new Float32Array(64).fill(1);
    this.#costs[requireNumber(i, 'i')] = requireNumber(cost, 'cost');
  }

  /** True for a filter of this class: not for a proxy of one. @internal @param {unknown} value */
  static isOne(value) {
    return typeof value === 'object' && value !== null && #costs in value;
  }

  /** Converted to the filter options of Walkmesh. @internal @returns {import('../index.js').FilterOptions} */
  get options() {
    const [includeFlags, excludeFlags] = [requireNumber(this.includeFlags, 'includeFlags'), requireNumber(this.excludeFlags, 'excludeFlags')];
    return this.#costs ? { includeFlags, excludeFlags, areaCosts: this.#costs } : { includeFlags, excludeFlags };
  }
}

export class NavMeshQuery {
  #maxNodes;

  /** @param {NavMesh} navMesh @param {NavMeshQueryParams} [params] */
  constructor(navMesh, params = {}) {
    const { maxNodes = 0, defaultQueryFilter = new QueryFilter() } = requireObject(params, 'params');
    /** Walkmesh's own mesh, which runs the queries. */
    this.raw = rawOf(navMesh);
    this.#maxNodes = maxNodes;
    this.defaultFilter = defaultQueryFilter;
    this.defaultQueryHalfExtents = { x: 1, y: 1, z: 1 };
  }

  /** @param {FilterOption} options */
  #filter(options) {
    const { filter = this.defaultFilter } = requireObject(options, 'options');
    if (QueryFilter.isOne(filter)) return filter.options;
    throw invalidArgument('options.filter', `must be a QueryFilter, not ${describe(filter)}`, filter);
  }

  /** @param {Vector3} position @param {NearOptions} options */
  #nearest(position, options) {
    const { halfExtents = this.defaultQueryHalfExtents } = requireObject(options, 'options');
    return this.raw.nearestPoint(position, { halfExtents, filter: this.#filter(options) });
  }

  /**
   * The polygon nearest to a position; if there is none, nearestRef is 0.
   * @param {Vector3} position @param {NearOptions} [options]
   */
  findNearestPoly(position, options = {}) {
    return runQuery({ nearestRef: 0, nearestPoint: zero(), isOverPoly: false }, () => {
      const found = this.#nearest(position, options);
      return { nearestRef: found?.polygon ?? 0, nearestPoint: found ? toVector(found.point) : zero(), isOverPoly: found?.isOver ?? false };
    });
  }

  /** The point of the mesh nearest to a position. @param {Vector3} position @param {NearOptions} [options] */
  findClosestPoint(position, options = {}) {
    const nothing = { polyRef: 0, point: zero(), isPointOverPoly: false };
    return runQuery(nothing, () => {
      const found = this.#nearest(position, options);
      if (!found) return { ...nothing, success: false, status: Detour.DT_FAILURE | Detour.DT_INVALID_PARAM };
      return { polyRef: found.polygon, point: toVector(found.point), isPointOverPoly: found.isOver };
    });
  }

  /** @param {number} polyRef @param {Vector3} position */
  closestPointOnPoly(polyRef, position) {
    return runQuery({ closestPoint: zero(), isPointOverPoly: false }, () => {
      const { point, isOver } = this.raw.closestPoint(polyRef, position);
      return { closestPoint: toVector(point), isPointOverPoly: isOver };
    });
  }

  /**
   * Polygons that can be reached within a circle, cheapest first.
   * @param {number} startRef @param {Vector3} centerPos @param {number} radius
   * @param {FilterOption & { maxPolys?: number }} [options] maxPolys: default 256
   */
  findPolysAroundCircle(startRef, centerPos, radius, options = {}) {
    const nothing = { resultRefs: [], resultParents: [], resultCost: [], resultCount: 0 };
    return runQuery(/** @type {{ resultRefs: number[], resultParents: number[], resultCost: number[], resultCount: number }} */ (nothing), () => {
      const { maxPolys: maxPolygons = 256 } = requireObject(options, 'options');
      const { polygons, parents, costs, count } =
        this.raw.flood(startRef, centerPos, { radius, maxPolygons, filter: this.#filter(options) });
      const resultRefs = Array.from(polygons.subarray(0, count));
      return {
        resultRefs, resultParents: resultRefs.map((_, i) => (i === 0 ? 0 : polygons[parents[i]])),
        resultCost: Array.from(costs.subarray(0, count)), resultCount: count,
      };
    });
  }

  /**
   * Polygons whose bounds overlap a box, each once.
   * @param {Vector3} center @param {Vector3} halfExtents
   * @param {FilterOption & { maxPolys?: number }} [options] maxPolys: default 256
   */
  queryPolygons(center, halfExtents, options = {}) {
    return runQuery({ polyRefs: /** @type {number[]} */ ([]) }, () => {
      const { maxPolys: maxPolygons = 256 } = requireObject(options, 'options');
      const { polygons, count } = this.raw.polygonsInBox(center, halfExtents, { maxPolygons, filter: this.#filter(options) });
      return { polyRefs: Array.from(polygons.subarray(0, count)) };
    });
  }

  /** @param {FilterOption} [options] */
  findRandomPoint(options = {}) {
    const nothing = { randomPolyRef: 0, randomPoint: zero() };
    return runQuery(nothing, () => {
      const found = this.raw.randomPoint({ filter: this.#filter(options), random: random.generator });
      if (!found) return { ...nothing, success: false, status: Detour.DT_FAILURE };
      return { randomPolyRef: found.polygon, randomPoint: toVector(found.point) };
    });
  }

  /**
   * A reachable point within the circle: not only on polygons that overlap it, as in recast-navigation.
   * @param {Vector3} position @param {number} radius
   * @param {NearOptions & { startRef?: number }} [options] startRef: default the polygon nearest to the position
   */
  findRandomPointAroundCircle(position, radius, options = {}) {
    const nothing = { randomPolyRef: 0, randomPoint: zero() };
    return runQuery(nothing, () => {
      const { startRef = this.#nearest(position, options)?.polygon ?? 0 } = requireObject(options, 'options');
      const found = this.raw.randomPointAround(startRef, position, radius,
        { filter: this.#filter(options), random: random.generator });
      if (!found) return { ...nothing, success: false, status: Detour.DT_FAILURE };
      return { randomPolyRef: found.polygon, randomPoint: toVector(found.point) };
    });
  }

  /**
   * @param {number} startRef @param {Vector3} startPosition @param {Vector3} endPosition
   * @param {FilterOption & { maxVisitedSize?: number }} [options] maxVisitedSize: ignored, nothing is cut
   */
  moveAlongSurface(startRef, startPosition, endPosition, options = {}) {
    return runQuery({ resultPosition: zero(), visited: /** @type {number[]} */ ([]) }, () => {
      const { point, polygons, count } = this.raw.moveAlongSurface(startRef, startPosition, endPosition,
        { filter: this.#filter(options), onSurface: false });
      return { resultPosition: toVector(point), visited: Array.from(polygons.subarray(0, count)) };
    });
  }

  /** @param {number} polyRef @param {Vector3} position */
  getPolyHeight(polyRef, position) {
    return runQuery({ height: 0 }, () => {
      const height = this.raw.height(polyRef, position);
      return height === null ? { height: 0, success: false, status: Detour.DT_FAILURE | Detour.DT_INVALID_PARAM } : { height };
    });
  }

  /**
   * The points of a path, by string pulling. If the end can't be reached, the path leads to the nearest reachable point and is a
   * success, as in recast-navigation.
   * @param {Vector3} start @param {Vector3} end
   * @param {NearOptions & { maxPathPolys?: number, maxStraightPathPoints?: number }} [options] default: no limits
   * @returns {{ success: boolean, error?: { name: string, status?: number }, path: Vector3[] }}
   */
  computePath(start, end, options = {}) {
    const { filter, maxPathPolys, maxStraightPathPoints } = requireObject(options, 'options');
    const [first, last] = [start, end].map((position) => this.findNearestPoly(position, options).nearestRef);
    const { success, status, polys } = this.findPath(first, last, start, end, { filter, maxPathPolys });
    if (!success || polys.size === 0) return { success: false, error: { name: 'findPath unsuccessful', status }, path: [] };
    const reached = polys.get(polys.size - 1);
    const target = reached === last ? end : this.closestPointOnPoly(reached, end).closestPoint;
    const line = this.findStraightPath(start, target, polys, { maxStraightPathPoints });
    if (!line.success) return { success: false, error: { name: 'findStraightPath unsuccessful', status: line.status }, path: [] };
    const points = line.straightPath.getHeapView();
    return { success: true, path: Array.from({ length: line.straightPathCount }, (_, i) => toVector(points, 3 * i)) };
  }

  /**
   * The corridor of a path.
   * @param {number} startRef @param {number} endRef @param {Vector3} startPosition @param {Vector3} endPosition
   * @param {FilterOption & { maxPathPolys?: number }} [options] maxPathPolys: default no limit
   */
  findPath(startRef, endRef, startPosition, endPosition, options = {}) {
    return runQuery({ polys: new NumberArray(new Float64Array(0)) }, () => {
      const { maxPathPolys = Infinity } = requireObject(options, 'options');
      const corridor = this.raw.findCorridor(startRef, startPosition, endRef, endPosition,
        { filter: this.#filter(options), maxNodes: this.#maxNodes });
      const polys = corridor.polygons.slice(0, Math.min(corridor.count, requireNumber(maxPathPolys, 'maxPathPolys')));
      const partial = corridor.status === 'complete' ? 0 : Detour.DT_PARTIAL_RESULT;
      const cut = polys.length < corridor.count ? Detour.DT_BUFFER_TOO_SMALL : 0;
      return { polys: new NumberArray(polys), status: Detour.DT_SUCCESS | partial | cut };
    });
  }

  /**
   * Pulls a string through the polygons of a corridor.
   * @param {Vector3} start @param {Vector3} end
   * @param {ArrayLike<number> | NumberArray<Float64Array>} path references
   * @param {{ maxStraightPathPoints?: number, straightPathOptions?: number }} [options] arrays are as long as needed
   */
  findStraightPath(start, end, path, options = {}) {
    const nothing = {
      straightPath: new NumberArray(new Float32Array(0)), straightPathFlags: new NumberArray(new Uint8Array(0)),
      straightPathRefs: new NumberArray(new Float64Array(0)), straightPathCount: 0,
    };
    return runQuery(nothing, () => {
      const { maxStraightPathPoints = 0, straightPathOptions = 0 } = requireObject(options, 'options');
      requireNumber(straightPathOptions, 'straightPathOptions');
      const corridor = NumberArray.isOne(path) ? path.getHeapView() : path;
      const crossings = /** @type {const} */ (['none', 'areas', 'all', 'all'])[straightPathOptions & 3];
      const { points, offMesh, pointPolygons, count, isCut } =
        this.raw.straighten(start, end, corridor, { crossings, maxPoints: maxStraightPathPoints });
      const flags = Uint8Array.from({ length: count }, (_, i) => (offMesh[i] ? Detour.DT_STRAIGHTPATH_OFFMESH_CONNECTION : 0));
      if (count > 0) flags[0] |= Detour.DT_STRAIGHTPATH_START;
      if (!isCut && count > 0) flags[count - 1] |= Detour.DT_STRAIGHTPATH_END;
      return {
        straightPath: new NumberArray(points.slice(0, 3 * count)), straightPathFlags: new NumberArray(flags),
        straightPathRefs: new NumberArray(pointPolygons.slice(0, count)), straightPathCount: count,
        status: Detour.DT_SUCCESS | (isCut ? Detour.DT_BUFFER_TOO_SMALL : 0),
      };
    });
  }

  /**
   * A ray along the surface. t above 1: it hits nothing.
   * @param {number} startRef @param {Vector3} startPosition @param {Vector3} endPosition
   * @param {FilterOption & { raycastOptions?: number, prevRef?: number }} [options] the last two are ignored
   */
  raycast(startRef, startPosition, endPosition, options = {}) {
    const nothing = { t: 0, hitNormal: zero(), hitEdgeIndex: 0, path: /** @type {number[]} */ ([]), maxPath: 0, pathCost: 0 };
    return runQuery(nothing, () => {
      const { hit, t, normal, edge, polygons, count, cost } =
        this.raw.raycast(startRef, startPosition, endPosition, { filter: this.#filter(options) });
      return {
        t: hit ? t : NO_HIT, hitNormal: toVector(normal), hitEdgeIndex: edge,
        path: Array.from(polygons.subarray(0, count)), maxPath: count, pathCost: cost,
      };
    });
  }

  /** Does nothing: a query owns no memory; the mesh stays. */
  destroy() {}
}
