/** Draws chosen polygons of a navigation mesh in chosen colours: corridors, floods, results of other queries. */
import { BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, Mesh, MeshBasicMaterial, Sphere, Vector3 } from 'three';
import { requireCount, requireOptions } from '../runtime/arguments.js';
import { readTile } from '../index.js';
import { nameSet } from '../runtime/option-names.js';
import { Helper, RENDER_ORDER, readNumbers, readOptions, requireNavMesh } from './helper.js';
import { COLORS } from './palette.js';
import { drawTile } from './tile-drawing.js';

/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('three').ColorRepresentation} ColorRepresentation */

/**
 * @typedef {object} PolygonsHelperOptions
 * @property {ColorRepresentation} [color] of polygons without a colour of their own
 * @property {number} [opacity] 0 to 1; default 0.5
 * @property {number} [lift] height above its position at which the surface is drawn, world units; default 0.07: over a NavMeshHelper
 */

/**
 * @typedef {object} PolygonsUpdate
 * @property {number} [count] polygons; default: all references
 * @property {ArrayLike<number>} [colors] [count][3] red, green and blue, linear, 0 to 1; default: the helper's colour
 */

const UPDATE_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<PolygonsUpdate>} */ ({ count: 1, colors: 1 }));

/** The most polygons that are drawn. */
const MOST_POLYGONS = 2 ** 24;
/** Bits of a reference that hold the polygon's number in its tile. */
const POLYGON_BITS = 20;

/** The surface of a tile. @typedef {{ surface: Float32Array, starts: Uint32Array }} Surface starts: first number of each polygon, and the end */

/** The surface of references that aren't ground polygons: connections, removed tiles. @type {Surface} */
const NO_SURFACE = { surface: new Float32Array(0), starts: new Uint32Array(1) };

/** Draws polygons in one call, for any number of them. Call update() with others at any time: buffers are reused. */
export class PolygonsHelper extends Helper {
  type = 'PolygonsHelper';
  #navMesh;
  #options;
  #color;
  #version = NaN;
  /** References of the tiles of that version of the mesh. @type {Set<number>} */
  #present = new Set();
  /** @type {Map<number, Surface>} by reference of the tile */
  #surfaces = new Map();
  #geometry = this.own(new BufferGeometry());
  #positions = new Float32Array(0);
  #colors = new Float32Array(0);
  #count = 0;

  /** @param {NavMesh} navMesh don't update the helper after freeing it @param {PolygonsHelperOptions} [options] */
  constructor(navMesh, options) {
    super();
    this.#navMesh = requireNavMesh(navMesh);
    this.#options = readOptions(options, { color: /** @type {ColorRepresentation} */ (COLORS.path), opacity: 0.5, lift: 0.07 });
    this.#color = new Color(this.#options.color);
    this.#geometry.boundingSphere = new Sphere(new Vector3(), Infinity); // else three.js would compute it, for sorting
    const { opacity } = this.#options;
    const material = this.own(new MeshBasicMaterial({
      vertexColors: true, transparent: true, opacity, depthWrite: false, toneMapped: false, side: DoubleSide,
      polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -4,
    }));
    /** The drawn object: its material's opacity may be changed. @type {Mesh<BufferGeometry, MeshBasicMaterial>} */
    this.surface = this.addPart(new Mesh(this.#geometry, material), RENDER_ORDER.surface + 0.5);
    this.update([]);
  }

  /** The number of polygons that are drawn. */
  get count() {
    return this.#count;
  }

  /**
   * Draws these polygons, and no others. Skips polygons that were removed from the mesh, and off-mesh connections, which have no
   * surface.
   * @param {ArrayLike<number>} polygons references @param {PolygonsUpdate} [update]
   */
  update(polygons, update = {}) {
    this.check();
    const { count: given, colors: ofEach } = requireOptions(update, UPDATE_NAMES);
    const least = given === undefined ? 0 : requireCount(given, 'count', MOST_POLYGONS);
    const refs = readNumbers(polygons, 'polygons', least);
    const count = given ?? refs.length;
    const colors = ofEach === undefined ? undefined : readNumbers(ofEach, 'colors', 3 * count);
    this.#draw(refs, count, colors);
  }

  /** @param {ArrayLike<number>} polygons @param {number} count @param {ArrayLike<number> | undefined} colors */
  #draw(polygons, count, colors) {
    this.#forgetOldTiles();
    let numbers = 0;
    for (let i = 0; i < count; i++) {
      const { length } = this.#surfaceOf(polygons[i]);
      numbers += length;
    }
    this.#reserve(numbers);
    this.#count = 0;
    let at = 0;
    for (let i = 0; i < count; i++) {
      const surface = this.#surfaceOf(polygons[i]);
      if (surface.length === 0) continue;
      this.#positions.set(surface, at);
      this.#paint(at, at + surface.length, colors, i);
      at += surface.length;
      this.#count++;
    }
    this.#geometry.setDrawRange(0, at / 3);
    this.surface.visible = at > 0;
    for (const name of ['position', 'color']) {
      const attribute = /** @type {BufferAttribute} */ (this.#geometry.getAttribute(name));
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, at);
      attribute.needsUpdate = at > 0;
    }
  }

  /** @param {number} from @param {number} to numbers @param {ArrayLike<number> | undefined} colors @param {number} index */
  #paint(from, to, colors, index) {
    const r = colors ? colors[3 * index] : this.#color.r;
    const g = colors ? colors[3 * index + 1] : this.#color.g;
    const b = colors ? colors[3 * index + 2] : this.#color.b;
    for (let i = from; i < to; i += 3) {
      this.#colors[i] = r;
      this.#colors[i + 1] = g;
      this.#colors[i + 2] = b;
    }
  }

  /** @param {number} numbers */
  #reserve(numbers) {
    if (this.#positions.length >= numbers && this.#geometry.getAttribute('position')) return;
    const room = Math.max(9 * 64, numbers + (numbers >> 1));
    this.#geometry.dispose(); // frees the buffers that are too small
    this.#positions = new Float32Array(room - room % 9);
    this.#colors = new Float32Array(room - room % 9);
    this.#geometry.setAttribute('position', new BufferAttribute(this.#positions, 3).setUsage(DynamicDrawUsage));
    this.#geometry.setAttribute('color', new BufferAttribute(this.#colors, 3).setUsage(DynamicDrawUsage));
  }

  /** The triangles of a polygon, nine numbers each; empty if it has none. @param {number} polygon */
  #surfaceOf(polygon) {
    const index = polygon % 2 ** POLYGON_BITS;
    const { surface, starts } = this.#tileOf(polygon - index);
    return index + 1 < starts.length ? surface.subarray(starts[index], starts[index + 1]) : surface.subarray(0, 0);
  }

  /** @param {number} ref of a tile @returns {Surface} */
  #tileOf(ref) {
    const known = this.#surfaces.get(ref);
    if (known) return known;
    if (!this.#present.has(ref)) return NO_SURFACE;
    const surface = this.#readTile(ref);
    this.#surfaces.set(ref, surface);
    return surface;
  }

  /** @param {number} ref of a tile @returns {Surface} */
  #readTile(ref) {
    const tile = readTile(this.#navMesh.tileBytes(ref));
    const { surface, surfacePolygons } = drawTile(tile, this.#options.lift);
    const starts = new Uint32Array(tile.groundCount + 1);
    for (const polygon of surfacePolygons) starts[polygon + 1] += 9;
    for (let polygon = 0; polygon < tile.groundCount; polygon++) starts[polygon + 1] += starts[polygon];
    return { surface, starts };
  }

  /** Reads the list of tiles, and drops surfaces of removed tiles. */
  #forgetOldTiles() {
    const { version } = this.#navMesh;
    if (version === this.#version) return;
    this.#version = version;
    this.#present = new Set(this.#navMesh.tileRefs());
    for (const ref of this.#surfaces.keys()) if (!this.#present.has(ref)) this.#surfaces.delete(ref);
  }
}
