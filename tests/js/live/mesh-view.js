/**
 * A peer's mesh as plain objects: polygons with their vertices, and the links the peer made between them, read
 * through its public accessors. The oracles (query-oracle.js) run on it, and it translates references of both
 * sides.
 */

const NULL_LINK = 0xffffffff;
/** The side value of links inside a tile. */
export const INSIDE = 255;

/**
 * @typedef {object} ViewLink
 * @property {ViewPolygon} target
 * @property {number} edge 255: from a ground polygon onto an off-mesh connection
 * @property {number} side
 * @property {number} low
 * @property {number} high
 *
 * @typedef {object} ViewPolygon
 * @property {number} index among all polygons
 * @property {ViewTile} tile
 * @property {number} number in its tile
 * @property {number} peerRef
 * @property {number} ourRef
 * @property {boolean} isOffMesh
 * @property {number} flags
 * @property {number} area
 * @property {number[][]} vertices
 * @property {number[]} neighbours as in the tile's data: 0 a wall, 0x8000 | side, or number + 1
 * @property {ViewLink[]} links in the peer's order
 *
 * @typedef {{ x: number, z: number, layer: number, climb: number, radius: number, low: number[], high: number[],
 *   polygons: ViewPolygon[], hasFullPool: boolean }} ViewTile  hasFullPool: the peer has no capacity for another link
 */

export class MeshView {
  /**
   * @param {object} peerMesh NavMesh of recast-navigation
   * @param {object} ourMesh NavMesh of this package with the same tiles
   */
  constructor(peerMesh, ourMesh) {
    /** @type {ViewTile[]} */
    this.tiles = [];
    /** @type {ViewPolygon[]} */
    this.polygons = [];
    this.byPeerRef = new Map();
    this.byOurRef = new Map();
    const ourTiles = new Map(ourMesh.tiles().map((tile) => [placeOf(tile), tile]));
    const raw = [];
    for (let i = 0; i < peerMesh.getMaxTiles(); i++) {
      const tile = peerMesh.getTile(i);
      const header = tile.header();
      if (header === null || header.polyCount() === 0) continue;
      this.#readTile(tile, header, peerMesh.getPolyRefBase(tile) >>> 0, ourTiles);
      raw.push(tile);
    }
    this.tiles.forEach((tile, i) => this.#readLinks(tile, raw[i]));
  }

  #readTile(raw, header, base, ourTiles) {
    const place = { x: header.x(), z: header.y(), layer: header.layer() };
    const ours = ourTiles.get(placeOf(place));
    if (ours === undefined) throw new Error(`tile ${placeOf(place)} is missing here`);
    const bound = (name) => [0, 1, 2].map((axis) => header[name](axis));
    const tile = {
      ...place, climb: header.walkableClimb(), radius: header.walkableRadius(), low: bound('bmin'), high: bound('bmax'),
      polygons: [], hasFullPool: raw.linksFreeList() >>> 0 === NULL_LINK,
    };
    for (let number = 0; number < header.polyCount(); number++) {
      const polygon = this.#readPolygon(raw, raw.polys(number));
      Object.assign(polygon, { index: this.polygons.length, tile, number, peerRef: base + number, ourRef: ours.ref + number });
      tile.polygons.push(polygon);
      this.polygons.push(polygon);
      this.byPeerRef.set(polygon.peerRef, polygon);
      this.byOurRef.set(polygon.ourRef, polygon);
    }
    this.tiles.push(tile);
  }

  #readPolygon(raw, source) {
    const count = source.vertCount();
    const vertices = [];
    const neighbours = [];
    for (let i = 0; i < count; i++) {
      const first = source.verts(i) * 3;
      vertices.push([raw.verts(first), raw.verts(first + 1), raw.verts(first + 2)]);
      neighbours.push(source.neis(i));
    }
    return {
      isOffMesh: source.getType() === 1, flags: source.flags(), area: source.areaAndType() & 63, vertices, neighbours, links: [],
    };
  }

  #readLinks(tile, raw) {
    for (const polygon of tile.polygons) {
      for (let at = raw.polys(polygon.number).firstLink() >>> 0; at !== NULL_LINK;) {
        const link = raw.links(at);
        const target = this.byPeerRef.get(link.ref() >>> 0);
        if (target) {
          polygon.links.push({ target, edge: link.edge(), side: link.side(), low: link.bmin(), high: link.bmax() });
        }
        at = link.next() >>> 0;
      }
    }
  }

  get linkCount() {
    return this.polygons.reduce((sum, polygon) => sum + polygon.links.length, 0);
  }

  /** A list of references of the peer as ours. @param {Iterable<number>} refs */
  toOurRefs(refs) {
    return Array.from(refs, (ref) => this.byPeerRef.get(ref >>> 0)?.ourRef ?? 0);
  }
}

/** @param {{x: number, z: number, layer: number}} tile */
function placeOf({ x, z, layer }) {
  return `${x},${z},${layer}`;
}
