/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The navigation mesh at run time: files, and questions about points and paths.
 */
import { shortestFloat } from './config.js';
import { readTilePolygons } from './detour-tile.js';
import { NavError, describe, invalidArgument } from './errors.js';
import { Handle } from './session.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./bake.js').Baker} Baker */

/** In the order of WmFormat in src/mesh/formats.h. */
const FORMATS = /** @type {const} */ (['unknown', 'walkmesh', 'detourTile', 'detourSet']);
/** In the order of WmPathState in src/query/query.h. */
const PATH_STATUSES = /** @type {const} */ (['unreachable', 'complete', 'partial', 'unreachable']);
/** In the order of WmPathReason. */
const PATH_REASONS = /** @type {const} */ ([null, 'start-not-found', 'end-not-found', 'end-excluded',
  'not-connected', 'node-limit', 'broken-corridor']);
/** In the order of WmCrossings. */
const CROSSINGS = ['none', 'areas', 'all'];

const DEFAULT_HALF_EXTENTS = Object.freeze([2, 4, 2]);
const AREA_COUNT = 64;
/** WM_POINT_OFF_MESH. */
const POINT_OFF_MESH = 4;

/**
 * Which polygons may be used, and how dear they are.
 * @typedef {object} Filter
 * @property {number} [includeFlags] at least one of these is needed; default 0xffff
 * @property {number} [excludeFlags] none of these may be set; default 0
 * @property {ArrayLike<number>} [areaCosts] 64 numbers: the cost of a world unit by area; default 1 each
 */

/**
 * @typedef {object} NearestPoint
 * @property {number} polygon reference
 * @property {[number, number, number]} point on the surface
 * @property {boolean} isOver whether it lies straight above or below the point asked for
 */

/** @typedef {'complete' | 'partial' | 'unreachable'} PathStatus */
/** @typedef {NonNullable<typeof PATH_REASONS[number]>} PathReason */

/**
 * @typedef {object} Path
 * @property {PathStatus} status `complete`: reaches the end; `partial`: the search was stopped (maxNodes);
 *   `unreachable`: there is no way. The points then lead to the nearest place found; there are none where the start
 *   or the end is not on the mesh
 * @property {PathReason | null} reason why it is not complete
 * @property {Float32Array} points x, y, z of each, a string pulled tight
 * @property {Uint8Array} offMesh 1 for each point where an off-mesh connection begins; the next is its other end
 * @property {Float64Array} pointPolygons the polygon entered at each point; 0 at the end
 * @property {Float64Array} corridor references of the polygons from start to end
 * @property {number} length of the line through the points, world units
 * @property {number} cost of the corridor, costs of areas included
 * @property {number} remaining straight distance from the last point to where the end came to lie; 0 where complete
 * @property {boolean} isCut whether maxPoints ended the points early
 * @property {number} searched polygons the search took up
 * @property {NearestPoint | null} start where the start came to lie on the mesh
 * @property {NearestPoint | null} end
 */

/**
 * @typedef {object} NearestOptions
 * @property {ArrayLike<number>} [halfExtents] how far from the point the mesh may lie; default 2, 4, 2
 * @property {Filter} [filter]
 */

/**
 * @typedef {object} PathOptions
 * @property {ArrayLike<number>} [halfExtents] how far start and end may lie from the mesh; default 2, 4, 2
 * @property {Filter} [filter]
 * @property {'none' | 'areas' | 'all'} [crossings] extra points where the path crosses into another area, or into
 *   any polygon; default `none`
 * @property {number} [maxNodes] polygons to search; default 0: no limit
 * @property {number} [maxPoints] default 0: no limit
 */

/** @param {number} low @param {number} high */
const joinReference = (low, high) => low + high * 2 ** 32;

/** @param {unknown} value @param {string} field @param {number} high */
function requireCount(value, field, high) {
  if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > high) {
    throw invalidArgument(field, `is ${describe(value)}: must be a whole number from 0 to ${high}`, value);
  }
  return Number(value);
}

export class NavMesh {
  #session;
  #handle;
  /** Whether questions use another filter than the default at the moment. */
  #isFiltered = false;

  /** Use bake, or loadNavMesh. @param {Session} session @param {number} address */
  constructor(session, address) {
    this.#session = session;
    const { wasm } = session;
    this.#handle = new Handle(this, 'navigation mesh', address, (mesh) => wasm.mesh_destroy(mesh));
  }

  /** @param {Session} session @param {Uint8Array} bytes @returns {NavMesh} */
  static load(session, bytes) {
    const { wasm, handle } = session;
    const address = session.copyIn(bytes);
    try {
      session.check(session.guard(() => wasm.mesh_read(handle, address, bytes.length)));
      return new NavMesh(session, session.results[0]);
    } finally {
      wasm.memory_free(handle, address);
    }
  }

  // ---- What it holds ---------------------------------------------------------------------------------------

  /** Sizes of the whole mesh, and the bounds of its tiles. */
  get totals() {
    this.#session.wasm.mesh_totals(this.#handle.address);
    const [tiles, polygons, offMeshConnections, vertices, detailTriangles, links, bytes, ...bounds] = this.#session.results;
    return {
      tiles, polygons, offMeshConnections, vertices, detailTriangles, links, bytes,
      boundsMin: bounds.slice(0, 3), boundsMax: bounds.slice(3, 6),
    };
  }

  /** Where tiles lie, and what they were made for; 0 where a file did not tell. */
  get parameters() {
    this.#session.wasm.mesh_parameters(this.#handle.address);
    const [x, y, z, tileWidth, tileDepth, tileCountX, tileCountZ, cellSize, cellHeight, agentHeight, agentRadius,
      agentMaxClimb] = this.#session.results;
    return {
      origin: [x, y, z], tileWidth, tileDepth, tileCountX, tileCountZ, cellSize, cellHeight, agentHeight, agentRadius,
      agentMaxClimb,
    };
  }

  /** The configuration it was baked with, or null where a file did not tell. @returns {import('./config.js').Config | null} */
  get config() {
    this.#session.wasm.mesh_configuration(this.#handle.address);
    const [, count] = this.#session.results;
    if (!count) return null;
    try {
      return JSON.parse(new TextDecoder().decode(this.#session.copyReturnedBytes()));
    } catch {
      return null;
    }
  }

  /** Every tile that there is. @returns {{ ref: number, x: number, z: number, layer: number, polygons: number, bytes: Uint8Array }[]} */
  tiles() {
    const { wasm } = this.#session;
    const address = this.#handle.address;
    const tiles = [];
    for (let slot = 0, count = wasm.mesh_slot_count(address); slot < count; slot++) {
      if (!wasm.mesh_tile(address, slot)) continue;
      const { results } = this.#session;
      const [x, z, layer] = results.subarray(5, 8).map((word) => word | 0);
      tiles.push({
        ref: joinReference(results[2], results[3]), x, z, layer, polygons: results[9],
        bytes: this.#session.copyReturnedBytes(),
      });
    }
    return tiles;
  }

  /** Every polygon with its corners, area and flags: for drawing. @returns {import('./detour-tile.js').TilePolygon[]} */
  polygons() {
    return this.tiles().flatMap((tile) => readTilePolygons(tile.bytes));
  }

  /** The surface as loose triangles, nine numbers each: for drawing and picking. @returns {Float32Array} */
  triangles() {
    const { wasm, handle } = this.#session;
    const address = this.#handle.address;
    /** @type {Uint8Array[]} */
    const pieces = [];
    for (let slot = 0, count = wasm.mesh_slot_count(address); slot < count; slot++) {
      this.#session.check(wasm.mesh_tile_triangles(address, slot));
      const [positions] = this.#session.results;
      if (!positions) continue;
      pieces.push(this.#session.copyReturnedBytes());
      wasm.memory_free(handle, positions);
    }
    const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    pieces.reduce((offset, piece) => {
      all.set(piece, offset);
      return offset + piece.length;
    }, 0);
    return new Float32Array(all.buffer);
  }

  // ---- Files -----------------------------------------------------------------------------------------------

  /** @param {typeof FORMATS[number]} format */
  #write(format) {
    const { wasm, handle } = this.#session;
    this.#session.check(wasm.mesh_write(this.#handle.address, FORMATS.indexOf(format)));
    const [address] = this.#session.results;
    const bytes = this.#session.copyReturnedBytes();
    wasm.memory_free(handle, address);
    return bytes;
  }

  /** The mesh as a .walkmesh file: versioned, with a checksum, and with its configuration. */
  save() {
    return this.#write('walkmesh');
  }

  /**
   * The mesh in Detour's format, for game servers and other packages: by default a set (MSET); `tile` writes the
   * bytes of its only tile (DNAV).
   * @param {'set' | 'tile'} [format]
   */
  exportDetour(format = 'set') {
    if (format !== 'set' && format !== 'tile') {
      throw invalidArgument('format', `is ${describe(format)}: must be set or tile`, format);
    }
    return this.#write(format === 'tile' ? 'detourTile' : 'detourSet');
  }

  // ---- Questions -------------------------------------------------------------------------------------------

  /** Sets the filter of the next question. @param {Filter | undefined} filter */
  #useFilter(filter) {
    if (filter === undefined && !this.#isFiltered) return;
    const { includeFlags = 0xffff, excludeFlags = 0, areaCosts } = filter ?? {};
    requireCount(includeFlags, 'filter.includeFlags', 0xffff);
    requireCount(excludeFlags, 'filter.excludeFlags', 0xffff);
    if (areaCosts) this.#writePoint(areaCosts, 0, 'filter.areaCosts', AREA_COUNT);
    this.#session.wasm.query_set_filter(this.#handle.address, includeFlags, excludeFlags, areaCosts ? 1 : 0);
    this.#isFiltered = filter !== undefined;
  }

  /** @param {ArrayLike<number>} numbers @param {number} first parameter @param {string} field @param {number} [count] */
  #writePoint(numbers, first, field, count = 3) {
    if (typeof numbers !== 'object' || numbers?.length !== count) {
      throw invalidArgument(field, `must be ${count} numbers, not ${describe(numbers)}`, numbers);
    }
    const { parameters } = this.#session;
    for (let i = 0; i < count; i++) {
      if (typeof numbers[i] !== 'number') {
        throw invalidArgument(field, `must be ${count} numbers, not ${describe(numbers)}`, numbers);
      }
      parameters[first + i] = numbers[i];
    }
  }

  /** A nearest point out of six results. @param {number} first @returns {NearestPoint | null} */
  #readNearest(first) {
    const { results } = this.#session;
    const polygon = joinReference(results[first], results[first + 1]);
    if (polygon === 0) return null;
    return {
      polygon, point: [results[first + 2], results[first + 3], results[first + 4]], isOver: results[first + 5] !== 0,
    };
  }

  /**
   * The point of the mesh nearest to a point, or null where there is none within half extents.
   * @param {ArrayLike<number>} point
   * @param {NearestOptions} [options]
   * @returns {NearestPoint | null}
   */
  nearestPoint(point, { halfExtents = DEFAULT_HALF_EXTENTS, filter } = {}) {
    const address = this.#handle.address;
    this.#useFilter(filter);
    this.#writePoint(point, 0, 'point');
    this.#writePoint(halfExtents, 3, 'halfExtents');
    this.#session.check(this.#session.wasm.query_find_nearest(address));
    return this.#readNearest(0);
  }

  /**
   * A path between two points of the world: both are moved onto the mesh, a corridor of polygons is searched, and a
   * string is pulled tight through it. Never throws because there is no way: see status and reason.
   * @param {ArrayLike<number>} start
   * @param {ArrayLike<number>} end
   * @param {PathOptions} [options]
   * @returns {Path}
   */
  findPath(start, end, options = {}) {
    const { halfExtents = DEFAULT_HALF_EXTENTS, filter, crossings = 'none', maxNodes = 0, maxPoints = 0 } = options;
    const address = this.#handle.address;
    const crossingsIndex = CROSSINGS.indexOf(crossings);
    if (crossingsIndex < 0) {
      throw invalidArgument('crossings', `is ${describe(crossings)}: must be ${CROSSINGS.join(', ')}`, crossings);
    }
    requireCount(maxNodes, 'maxNodes', 0xffffffff);
    requireCount(maxPoints, 'maxPoints', 0xffffffff);
    this.#useFilter(filter);
    this.#writePoint(start, 0, 'start');
    this.#writePoint(end, 3, 'end');
    this.#writePoint(halfExtents, 6, 'halfExtents');
    this.#session.check(this.#session.wasm.query_find_path(address, crossingsIndex, maxNodes, maxPoints));
    return this.#readPath();
  }

  /** @returns {Path} */
  #readPath() {
    const { results } = this.#session;
    const [state, reason, cost, length, remaining, cut, polygonCount, polygons, pointCount, points, flags, pointPolygons] = results;
    const { buffer } = this.#session.wasm.memory;
    return {
      status: PATH_STATUSES[state], reason: PATH_REASONS[reason],
      points: pointCount ? new Float32Array(buffer, points, 3 * pointCount).slice() : new Float32Array(0),
      offMesh: pointCount
        ? new Uint8Array(buffer, flags, pointCount).map((bits) => (bits & POINT_OFF_MESH ? 1 : 0)) : new Uint8Array(0),
      pointPolygons: this.#readReferences(pointPolygons, pointCount),
      corridor: this.#readReferences(polygons, polygonCount),
      length, cost, remaining, isCut: cut !== 0, searched: results[24], start: this.#readNearest(12),
      end: this.#readNearest(18),
    };
  }

  /** @param {number} address @param {number} count */
  #readReferences(address, count) {
    const references = new Float64Array(count);
    if (count === 0) return references;
    const words = new Uint32Array(this.#session.wasm.memory.buffer, address, 2 * count);
    for (let i = 0; i < count; i++) references[i] = joinReference(words[2 * i], words[2 * i + 1]);
    return references;
  }

  // ---- The end ---------------------------------------------------------------------------------------------

  /** Frees the mesh's memory; using it afterwards throws. */
  free() {
    this.#handle.free();
  }

  [Symbol.dispose]() {
    if (!this.#handle.isFreed) this.free();
  }
}

/** A mesh that is being put together from a bake. */
export class NavMeshBuilder {
  #session;
  #address = 0;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  /** @param {Baker} baker */
  begin({ config, voxels }) {
    const session = this.#session;
    const [minX, minY, minZ] = voxels.boundsMin;
    const single = config.tileSize === 0;
    const side = (/** @type {number} */ axis) =>
      (single ? Math.max(voxels.boundsMax[axis] - voxels.boundsMin[axis], config.cellSize) : voxels.tileWorldSize);
    session.parameters.set([minX, minY, minZ, side(0), side(2), voxels.tileCountX, voxels.tileCountZ, config.cellSize,
      config.cellHeight, config.agentHeight, config.agentRadius, config.agentMaxClimb]);
    session.check(session.wasm.mesh_create(session.handle));
    this.#address = session.results[0];
    const bounds = { min: voxels.boundsMin.map(shortestFloat), max: voxels.boundsMax.map(shortestFloat) };
    const text = new TextEncoder().encode(JSON.stringify({ ...config, bounds }));
    this.#lend(text, (address) => session.wasm.mesh_set_configuration(this.#address, address, text.length));
  }

  /** @param {Uint8Array} bytes in Detour's format */
  addTile(bytes) {
    this.#lend(bytes, (address) => this.#session.guard(
      () => this.#session.wasm.mesh_add_tile(this.#address, address, bytes.length)));
  }

  /** Copies bytes in for one call. @param {Uint8Array} bytes @param {(address: number) => number} call */
  #lend(bytes, call) {
    const { wasm, handle } = this.#session;
    const address = this.#session.copyIn(bytes);
    try {
      this.#session.check(call(address));
    } finally {
      wasm.memory_free(handle, address);
    }
  }

  /** The finished mesh, which now belongs to the caller. */
  take() {
    if (!this.#address) throw new NavError('state', 'no bake has begun');
    const navMesh = new NavMesh(this.#session, this.#address);
    this.#address = 0;
    return navMesh;
  }

  /** Drops what was not taken. */
  free() {
    if (this.#address) this.#session.wasm.mesh_destroy(this.#address);
    this.#address = 0;
  }
}

/** What a file's first bytes say. @param {Session} session @param {Uint8Array} bytes */
export function detectFormat(session, bytes) {
  const head = bytes.subarray(0, 64);
  const address = session.copyIn(head);
  const format = FORMATS[session.wasm.format_detect(address, head.length)] ?? 'unknown';
  session.wasm.memory_free(session.handle, address);
  return format;
}
