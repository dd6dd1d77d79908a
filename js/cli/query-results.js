/**
 * Runs a file of queries, and makes a file of results per kind, in the format of tests/golden/README.md: with Detour's statuses
 * and references. Used by `walkmesh query` and by the golden tests.
 *
 *   queries  u32 count; each u32 start polygon, f32[3] start, u32 end polygon, f32[3] end, f32[3] near
 */
import { NavError } from '../runtime/errors.js';

/** @typedef {import('../index.js').NavMesh} NavMesh */
/** @typedef {import('../index.js').Filter} Filter */
/** @typedef {{ start: number, from: Float32Array, end: number, to: Float32Array, near: Float32Array }} Query */

/** Detour's statuses. */
const [SUCCESS, BUFFER_TOO_SMALL, PARTIAL, FAILURE] = [2 ** 30, 16, 64, 2 ** 31 + 8];
/** Detour's flags of points. */
const [POINT_START, POINT_END, POINT_OFF_MESH] = [1, 2, 4];
/** The t of a ray that reaches its end. */
const FLT_MAX = 3.4028234663852886e38;

const QUERY_BYTES = 44;
const FILTER = { includeFlags: 0xffff, excludeFlags: 0x10 };
const LIMITS = { corridor: 2048, visited: 16, circle: 256, neighbourhood: 16 };
const MOVE_LENGTH = 3;
const WALL_DISTANCE = 100;
const CIRCLE_RADIUS = 10;
const NEIGHBOURHOOD_RADIUS = 7.2;

/** Words of 32 bits, one after the other. */
class WordWriter {
  #view = new DataView(new ArrayBuffer(1 << 16));
  #at = 0;

  /** Reserves another word and returns its offset. */
  #next() {
    if (this.#at === this.#view.byteLength) {
      const larger = new Uint8Array(2 * this.#at);
      larger.set(new Uint8Array(this.#view.buffer));
      this.#view = new DataView(larger.buffer);
    }
    this.#at += 4;
    return this.#at - 4;
  }

  /** @param {...number} words */
  words(...words) {
    for (const word of words) {
      const at = this.#next();
      this.#view.setUint32(at, word, true);
    }
  }

  /** @param {...number} numbers */
  floats(...numbers) {
    for (const number of numbers) {
      const at = this.#next();
      this.#view.setFloat32(at, number, true);
    }
  }

  take() {
    return new Uint8Array(this.#view.buffer, 0, this.#at);
  }
}

/** Converts between Detour's references of a single tile, (1 << b) | polygon with 2^b >= the polygons, and ours. */
class References {
  #tile;
  #salt = 1;

  /** @param {NavMesh} navMesh */
  constructor(navMesh) {
    const tiles = navMesh.tiles();
    if (tiles.length !== 1) {
      throw new NavError('limit', `the navigation mesh has ${tiles.length} tiles: must be 1`);
    }
    this.#tile = tiles[0].ref;
    while (this.#salt < tiles[0].polygons) this.#salt *= 2;
  }

  /** @param {number} theirs */
  toOurs(theirs) {
    return theirs === 0 ? 0 : this.#tile + (theirs & (this.#salt - 1));
  }

  /** @param {number} ours */
  toTheirs(ours) {
    return ours === 0 ? 0 : this.#salt + (ours - this.#tile);
  }
}

/** @param {Uint8Array} bytes @param {References} references @returns {Query[]} */
function readQueries(bytes, references) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length >= 4 ? view.getUint32(0, true) : -1;
  if (bytes.length !== 4 + QUERY_BYTES * count) {
    throw new NavError('corrupt', `the file of queries has ${bytes.length} bytes: must be 4 and ${QUERY_BYTES} per query`);
  }
  return Array.from({ length: count }, (_, i) => {
    const at = 4 + QUERY_BYTES * i;
    const point = (/** @type {number} */ word) =>
      Float32Array.from({ length: 3 }, (_unused, axis) => view.getFloat32(at + 4 * (word + axis), true));
    return {
      start: references.toOurs(view.getUint32(at, true)), from: point(1),
      end: references.toOurs(view.getUint32(at + 16, true)), to: point(5), near: point(8),
    };
  });
}

/** The target of a move: 3 units from the start towards the end on x and z, in float32. @param {Query} query */
function moveTarget({ from, to }) {
  const { fround } = Math;
  const [x, z] = [fround(to[0] - from[0]), fround(to[2] - from[2])];
  const squared = fround(fround(x * x) + fround(z * z));
  const scale = squared > 0 ? fround(MOVE_LENGTH / fround(Math.sqrt(squared))) : 0;
  return [fround(from[0] + fround(x * scale)), from[1], fround(from[2] + fround(z * scale))];
}

/** The status of a result that may be cut. @param {boolean} isCut */
const successOf = (isCut) => (isCut ? SUCCESS + BUFFER_TOO_SMALL : SUCCESS);

/**
 * The number of zero words behind the status of a failed query, by kind.
 * @type {Record<string, number>}
 */
const EMPTY_WORDS = { findNearestPoly: 5, findPath: 1, findStraightPath: 1, raycast: 5, moveAlongSurface: 4,
  findDistanceToWall: 7, findPolysAroundCircle: 1, findLocalNeighbourhood: 1, getPolyHeight: 1 };

/**
 * The nine kinds. Each runs one query and writes the result.
 * @type {Record<string, (navMesh: NavMesh, query: Query, filter: Filter, references: References, writer: WordWriter) => void>}
 */
const KINDS = {
  findNearestPoly(navMesh, { near }, filter, references, writer) {
    const nearest = navMesh.nearestPoint(near, { halfExtents: [2, 4, 2], filter });
    writer.words(SUCCESS, references.toTheirs(nearest?.polygon ?? 0));
    writer.floats(...(nearest?.point ?? [0, 0, 0]));
    writer.words(nearest?.isOver ? 1 : 0);
  },

  findPath(navMesh, { start, from, end, to }, filter, references, writer) {
    const { status, polygons } = navMesh.findCorridor(start, from, end, to, { filter });
    const isCut = polygons.length > LIMITS.corridor;
    const kept = polygons.subarray(0, LIMITS.corridor);
    writer.words(successOf(isCut) + (status === 'complete' ? 0 : PARTIAL), kept.length);
    for (const polygon of kept) writer.words(references.toTheirs(polygon));
  },

  findStraightPath(navMesh, { start, from, end, to }, filter, references, writer) {
    const corridor = navMesh.findCorridor(start, from, end, to, { filter });
    const { count, points, offMesh, pointPolygons, reason } = navMesh.straighten(from, to, corridor);
    writer.words(SUCCESS + (reason === 'broken-corridor' ? PARTIAL : 0), count);
    for (let i = 0; i < count; i++) {
      writer.floats(...points.subarray(3 * i, 3 * i + 3));
      const endFlags = i === count - 1 ? POINT_END : (i === 0 ? POINT_START : 0);
      writer.words(offMesh[i] ? POINT_OFF_MESH : endFlags, references.toTheirs(pointPolygons[i]));
    }
  },

  raycast(navMesh, { start, from, to }, filter, references, writer) {
    const { hit, t, normal, polygons } = navMesh.raycast(start, from, to, { filter });
    writer.words(SUCCESS);
    writer.floats(hit ? t : FLT_MAX, ...normal);
    writer.words(polygons.length);
    for (const polygon of polygons) writer.words(references.toTheirs(polygon));
  },

  moveAlongSurface(navMesh, query, filter, references, writer) {
    const { start, from } = query;
    const { point, polygons } = navMesh.moveAlongSurface(start, from, moveTarget(query), { filter, onSurface: false });
    const kept = polygons.subarray(0, LIMITS.visited);
    writer.words(successOf(kept.length < polygons.length));
    writer.floats(...point);
    writer.words(kept.length);
    for (const polygon of kept) writer.words(references.toTheirs(polygon));
  },

  findDistanceToWall(navMesh, { start, from }, filter, _references, writer) {
    const { distance, point, normal } = navMesh.distanceToWall(start, from, WALL_DISTANCE, { filter });
    writer.words(SUCCESS);
    writer.floats(distance, ...point, ...normal);
  },

  findPolysAroundCircle(navMesh, { start, from }, filter, references, writer) {
    const options = { filter, radius: CIRCLE_RADIUS, maxPolygons: LIMITS.circle };
    const { count, polygons, parents, costs, isCut } = navMesh.flood(start, from, options);
    writer.words(successOf(isCut), count);
    for (let i = 0; i < count; i++) {
      writer.words(references.toTheirs(polygons[i]), i > 0 ? references.toTheirs(polygons[parents[i]]) : 0);
      writer.floats(costs[i]);
    }
  },

  findLocalNeighbourhood(navMesh, { start, from }, filter, references, writer) {
    const options = { filter, maxPolygons: LIMITS.neighbourhood };
    const { count, polygons, parents, isCut } = navMesh.localNeighbourhood(start, from, NEIGHBOURHOOD_RADIUS, options);
    writer.words(successOf(isCut), count);
    for (let i = 0; i < count; i++) {
      writer.words(references.toTheirs(polygons[i]), i > 0 ? references.toTheirs(polygons[parents[i]]) : 0);
    }
  },

  getPolyHeight(navMesh, { start, from }, _filter, _references, writer) {
    const height = navMesh.height(start, from);
    writer.words(height === null ? FAILURE : SUCCESS);
    writer.floats(height ?? 0);
  },
};

/** The names of the nine kinds and of their files. */
export const QUERY_KINDS = Object.freeze(Object.keys(KINDS));

/**
 * Runs all queries on a mesh of one tile.
 * @param {NavMesh} navMesh
 * @param {Uint8Array} queries
 * @returns {Record<string, Uint8Array>} results by kind
 */
export function runQueries(navMesh, queries) {
  const references = new References(navMesh);
  const list = readQueries(queries, references);
  const filter = navMesh.createFilter(FILTER);
  try {
    return Object.fromEntries(QUERY_KINDS.map((kind) => {
      const writer = new WordWriter();
      for (const query of list) {
        try {
          KINDS[kind](navMesh, query, filter, references, writer);
        } catch (error) {
          if (!(error instanceof NavError) || !['invalid-argument', 'stale-reference'].includes(error.code)) throw error;
          writer.words(FAILURE, ...Array.from({ length: EMPTY_WORDS[kind] }, () => 0));
        }
      }
      return [kind, writer.take()];
    }));
  } finally {
    filter.free();
  }
}
