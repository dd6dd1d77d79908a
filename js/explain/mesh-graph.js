/** The polygons of a mesh as a graph for explanations: links whether or not they pass a filter, one-way connections, portal edges without a link. */
import { readTile } from '../mesh/detour-tile.js';
import { readLinks } from '../mesh/links.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../mesh/links.js').Links} Links */
/** @typedef {[number, number, number]} Vector */

/** @typedef {{ edge: number, ends: [Vector, Vector], point: Vector, side: number | null }} Border an edge, or a part of one, that no link crosses; side: of the tile if it is a portal edge */
/** @typedef {{ to: PolygonRef, point: Vector, ends: [Vector, Vector] }} Step a link */

/**
 * @typedef {object} GraphTile
 * @property {number} ref
 * @property {number} x @property {number} z of its tile place
 * @property {number} groundCount
 * @property {Uint16Array} flags [polygons]
 * @property {Uint8Array} areas [polygons]
 * @property {import('../mesh/detour-tile.js').TileArrays | null} arrays null: a connection made at run time, or a set of segment links
 * @property {Links} links
 * @property {Uint32Array} first [polygons + 1] links of each polygon
 */

/** Bits of a reference below its tile. */
const POLYGON_BITS = 20;
const PORTAL = 0x8000;
/** Column and row of the tile across each side, by half its number. */
const ACROSS = [[1, 0], [0, 1], [-1, 0], [0, -1]];

export const tileOf = (/** @type {number} */ ref) => Math.floor(ref / 2 ** POLYGON_BITS);
export const polygonOf = (/** @type {number} */ ref) => ref % 2 ** POLYGON_BITS;

/** @param {ArrayLike<number>} numbers @param {number} at @returns {Vector} */
const vectorAt = (numbers, at) => [numbers[at], numbers[at + 1], numbers[at + 2]];
/** @param {Vector} a @param {Vector} b @param {number} [t] @returns {Vector} */
export const between = (a, b, t = 0.5) => [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];

/** The place across a side of a tile. @param {{ x: number, z: number }} tile @param {number} side 0 x+, 2 z+, 4 x-, 6 z- */
export const placeAcross = ({ x, z }, side) => ({ x: x + ACROSS[side >> 1][0], z: z + ACROSS[side >> 1][1] });
/** @param {{ x: number, z: number }} place */
export const placeKey = ({ x, z }) => `${x} ${z}`;

export class MeshGraph {
  #navMesh;
  /** @type {Map<number, GraphTile>} */
  #tiles = new Map();
  /** @type {Set<number>} */
  #ground;
  /** @type {Map<PolygonRef, PolygonRef[]> | undefined} */
  #oneWay;
  /** @type {Map<PolygonRef, PolygonRef[]> | undefined} */
  #entries;
  /** Number of links of each set of segment links. @type {Map<number, number>} */
  #sets = new Map();

  /** @param {NavMesh} navMesh */
  constructor(navMesh) {
    this.#navMesh = navMesh;
    this.#ground = new Set(navMesh.tileRefs().map(tileOf));
    for (const ref of navMesh.segmentLinks().refs) this.#sets.set(tileOf(ref), (this.#sets.get(tileOf(ref)) ?? 0) + 1);
  }

  /** The tile of a polygon, a connection made at run time, or a set of segment links. @param {PolygonRef} ref @returns {GraphTile} */
  tile(ref) {
    const key = tileOf(ref);
    let tile = this.#tiles.get(key);
    if (!tile) this.#tiles.set(key, tile = this.#readTile(ref));
    return tile;
  }

  /** @param {PolygonRef} any @returns {GraphTile} */
  #readTile(any) {
    const navMesh = this.#navMesh, ref = any - polygonOf(any);
    const links = readLinks(navMesh, ref);
    const arrays = this.#ground.has(tileOf(ref)) ? readTile(navMesh.tileBytes(ref)) : null;
    const count = arrays?.polygonCount ?? this.#sets.get(tileOf(ref)) ?? 1;
    const refs = Array.from({ length: arrays ? 0 : count }, (_, p) => ref + p);
    const first = new Uint32Array(count + 1);
    for (let i = 0; i < links.count; i++) first[links.from[i] - ref + 1]++;
    for (let p = 0; p < count; p++) first[p + 1] += first[p];
    return {
      ref, x: arrays?.x ?? 0, z: arrays?.z ?? 0, groundCount: arrays?.groundCount ?? 0, arrays, links, first,
      flags: arrays?.flags ?? Uint16Array.from(refs, (link) => navMesh.polygonFlags(link)), areas: arrays?.areas ?? Uint8Array.from(refs, (link) => navMesh.polygonArea(link)),
    };
  }

  /** Every tile, every connection made at run time, and every set of segment links. @returns {Generator<GraphTile, void, void>} */
  * tiles() {
    for (const ref of this.#navMesh.tileRefs()) yield this.tile(ref);
    for (const ref of this.#navMesh.connections()) yield this.tile(ref);
    for (const tile of this.#sets.keys()) yield this.tile(tile * 2 ** POLYGON_BITS);
  }

  /** The places that have a tile. @returns {Set<string>} */
  places() {
    return new Set(this.#navMesh.tileRefs().map((ref) => placeKey(this.tile(ref))));
  }

  /** @param {PolygonRef} ref */
  flags(ref) {
    return this.tile(ref).flags[polygonOf(ref)];
  }

  /** @param {PolygonRef} ref */
  area(ref) {
    return this.tile(ref).areas[polygonOf(ref)];
  }

  /** True for an off-mesh connection or a segment link. @param {PolygonRef} ref */
  isConnection(ref) {
    return polygonOf(ref) >= this.tile(ref).groundCount;
  }

  /** True for a segment link. @param {PolygonRef} ref */
  isSegmentLink(ref) {
    return this.#sets.has(tileOf(ref));
  }

  /** The mean of a ground polygon's vertices, or of the ends of a connection or segment link. @param {PolygonRef} ref @returns {Vector} */
  middle(ref) {
    const { arrays } = this.tile(ref);
    if (this.isSegmentLink(ref)) {
      const { start, end } = this.#navMesh.segmentLink(ref);
      return between(between(...start), between(...end));
    }
    if (!arrays || this.isConnection(ref)) {
      const { startOnMesh, endOnMesh } = this.#navMesh.connection(ref);
      return between(startOnMesh, endOnMesh);
    }
    const corners = this.corners(ref);
    return /** @type {Vector} */ ([0, 1, 2].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length));
  }

  /** The corners of a ground polygon. @param {PolygonRef} ref @returns {Vector[]} */
  corners(ref) {
    const arrays = /** @type {import('../mesh/detour-tile.js').TileArrays} */ (this.tile(ref).arrays), polygon = polygonOf(ref);
    return Array.from({ length: arrays.sizes[polygon] }, (_, k) => vectorAt(arrays.vertices, 3 * arrays.polygons[6 * polygon + k]));
  }

  /**
   * The ground nearest to a point, whatever its flags; null: none is within the half extents.
   * @param {Vector} point @param {ArrayLike<number>} halfExtents @returns {{ polygon: PolygonRef, point: Vector } | null}
   */
  nearestGround(point, halfExtents) {
    let nearest = null, least = Infinity;
    for (const { ref, groundCount } of this.tiles()) {
      for (let p = 0; p < groundCount; p++) {
        const corners = this.corners(ref + p);
        if (![0, 2].every((axis) => corners.some((corner) => corner[axis] >= point[axis] - halfExtents[axis]) && corners.some((corner) => corner[axis] <= point[axis] + halfExtents[axis]))) continue;
        const closest = vectorAt(this.#navMesh.closestPoint(ref + p, point).point, 0);
        const distance = Math.hypot(...closest.map((value, axis) => value - point[axis]));
        if (distance >= least || closest.some((value, axis) => Math.abs(value - point[axis]) > halfExtents[axis])) continue;
        nearest = { polygon: ref + p, point: closest };
        least = distance;
      }
    }
    return nearest;
  }

  /** The links of a polygon. @param {PolygonRef} ref @returns {Step[]} */
  steps(ref) {
    const { links, first } = this.tile(ref), polygon = polygonOf(ref);
    return Array.from({ length: first[polygon + 1] - first[polygon] }, (_, k) => {
      const at = first[polygon] + k;
      const ends = /** @type {[Vector, Vector]} */ ([vectorAt(links.openings, 6 * at), vectorAt(links.openings, 6 * at + 3)]);
      return { to: links.to[at], ends, point: between(...ends) };
    });
  }

  /** The polygons that the links of a polygon lead to. @param {PolygonRef} ref */
  targets(ref) {
    const { links, first } = this.tile(ref), polygon = polygonOf(ref);
    return /** @type {Float64Array} */ (links.to).subarray(first[polygon], first[polygon + 1]);
  }

  /** True if a link leads from a polygon to another. @param {PolygonRef} from @param {PolygonRef} to */
  leads(from, to) {
    return this.targets(from).includes(to);
  }

  /** The one-way connections and segment links that end at a polygon. @param {PolygonRef} ref */
  endingAt(ref) {
    this.#oneWay ??= this.#findOneWay();
    return this.#oneWay.get(ref) ?? [];
  }

  #findOneWay() {
    /** @type {Map<PolygonRef, PolygonRef[]>} */
    const found = new Map();
    for (const { ref, groundCount, flags } of this.tiles()) {
      for (let p = groundCount; p < flags.length; p++) {
        for (const to of this.targets(ref + p)) if (!this.leads(to, ref + p)) found.set(to, [...(found.get(to) ?? []), ref + p]);
      }
    }
    return found;
  }

  /** The ground polygons that lead onto a segment link. @param {PolygonRef} link @returns {PolygonRef[]} */
  leadingOnto(link) {
    this.#entries ??= this.#findEntries();
    return this.#entries.get(link) ?? [];
  }

  #findEntries() {
    /** @type {Map<PolygonRef, PolygonRef[]>} */
    const found = new Map();
    for (const { ref, groundCount } of this.tiles()) {
      for (let p = 0; p < groundCount; p++) {
        for (const to of this.targets(ref + p)) if (this.isSegmentLink(to)) found.set(to, [...(found.get(to) ?? []), ref + p]);
      }
    }
    return found;
  }

  /** The edges of a ground polygon that no link crosses, in full. @param {PolygonRef} ref @returns {Border[]} */
  borders(ref) {
    const { arrays, links, first } = this.tile(ref), polygon = polygonOf(ref);
    if (!arrays || this.isConnection(ref)) return [];
    const crossed = new Set(links.edges.subarray(first[polygon], first[polygon + 1]));
    const corners = this.corners(ref);
    return corners.flatMap((corner, edge) => {
      if (crossed.has(edge)) return [];
      const code = arrays.neighbours[6 * polygon + edge];
      const ends = /** @type {[Vector, Vector]} */ ([corner, corners[(edge + 1) % corners.length]]);
      return [{ edge, ends, point: between(...ends), side: code >= PORTAL ? code - PORTAL : null }];
    });
  }
}
