/** Draws a navigation mesh: its surface by area, the edges of polygons, walls, and the sides of tiles. */
import { Color, DoubleSide, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial } from 'three';
import { readTile } from '../index.js';
import { RENDER_ORDER, readOptions } from './helper.js';
import { Bytes, COLORS, areaColor } from './palette.js';
import { RangeGeometry } from './geometry/range-geometry.js';
import { drawTile } from './tile-drawing.js';
import { TileHelper } from './tile-helper.js';

/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('three').ColorRepresentation} ColorRepresentation */

/**
 * @typedef {object} NavMeshHelperOptions
 * @property {(area: number, flags: number) => ColorRepresentation} [color] of a polygon; default: a colour for each area
 * @property {number} [opacity] of the surface, 0 to 1; default 0.55
 * @property {number} [lift] height above its position at which the mesh is drawn, world units; default 0.05
 * @property {number} [wallHeight] height of the veil above walls, world units; default 0.35
 * @property {boolean} [empty] true: draws nothing before the first update(), which can limit its time; default false
 */

/** Darkening of triangles that don't face straight up. */
const SLOPE_SHADE = 0.55;

/** A tile that is drawn. @typedef {{ state: Uint8Array, surface: Float32Array, polygons: Uint32Array }} DrawnTile */

/** The corners of a line's strip: the line's first or second end (0 or 3), at its foot or top. @type {readonly (readonly [number, boolean])[]} */
const VEIL_CORNERS = [[0, false], [3, false], [3, true], [0, false], [3, true], [0, true]];

/**
 * Upright strips above lines, their colour fading towards the top: six vertices per line.
 * @param {number[]} lines @param {number} height
 */
function raiseVeil(lines, height) {
  const positions = new Float32Array(3 * lines.length);
  const colors = new Uint8Array(4 * lines.length);
  const [foot, top] = [new Bytes(COLORS.wall, 0.75), new Bytes(COLORS.wall, 0)];
  for (let vertex = 0; vertex < lines.length; vertex++) {
    const [end, isTop] = VEIL_CORNERS[vertex % 6];
    const from = vertex - vertex % 6 + end;
    positions[3 * vertex] = lines[from];
    positions[3 * vertex + 1] = lines[from + 1] + (isTop ? height : 0);
    positions[3 * vertex + 2] = lines[from + 2];
    (isTop ? top : foot).fill(colors, vertex, 1);
  }
  return { positions, colors };
}

/** @param {Uint8Array} a @param {Uint8Array} b */
const areEqual = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/**
 * Draws a navigation mesh. Four draw calls for any number of tiles. Call update() after a change of the mesh: it redraws only
 * tiles that changed, and updates only colours if only areas or flags changed. Without a change it costs next to nothing.
 *
 * Its parts can be hidden: `helper.edges.visible = false`.
 * @extends {TileHelper<DrawnTile>}
 */
export class NavMeshHelper extends TileHelper {
  type = 'NavMeshHelper';
  #options;
  #ranges;
  /** @type {Map<number, { rgb: number[] }>} by area and flags */
  #colors = new Map();

  /**
   * @param {NavMesh} navMesh don't update the helper after freeing it
   * @param {NavMeshHelperOptions} [options]
   */
  constructor(navMesh, options) {
    super(navMesh);
    this.#options = readOptions(options, {
      color: /** @type {NonNullable<NavMeshHelperOptions['color']>} */ ((area) => areaColor(area)), opacity: 0.55, lift: 0.05,
      wallHeight: 0.35, empty: false,
    });
    const makeRange = () => this.own(new RangeGeometry());
    this.#ranges = { surface: makeRange(), edges: makeRange(), walls: makeRange(), veil: makeRange(), borders: makeRange() };
    // In one pass: three.js would draw the back of all triangles first, and then the front.
    const shared = { vertexColors: true, transparent: true, depthWrite: false, toneMapped: false, forceSinglePass: true };
    const surface = this.own(new MeshBasicMaterial({
      ...shared, opacity: this.#options.opacity, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -2,
    }));
    const lines = this.own(new LineBasicMaterial(shared));
    const veil = this.own(new MeshBasicMaterial({ ...shared, side: DoubleSide }));
    const ranges = this.#ranges;
    /** The surface, one colour per area. @type {Mesh<import('three').BufferGeometry, MeshBasicMaterial>} */
    this.surface = this.addPart(new Mesh(ranges.surface.geometry, surface), RENDER_ORDER.surface);
    /** Edges between polygons. @type {LineSegments<import('three').BufferGeometry, LineBasicMaterial>} */
    this.edges = this.addPart(new LineSegments(ranges.edges.geometry, lines), RENDER_ORDER.edges);
    /** Walls: the outer edges of the mesh. @type {LineSegments<import('three').BufferGeometry, LineBasicMaterial>} */
    this.walls = this.addPart(new LineSegments(ranges.walls.geometry, lines), RENDER_ORDER.edges + 0.2);
    /** A veil above the walls. @type {Mesh<import('three').BufferGeometry, MeshBasicMaterial>} */
    this.veil = this.addPart(new Mesh(ranges.veil.geometry, veil), RENDER_ORDER.edges + 0.3);
    /** Edges between polygons of two tiles. @type {LineSegments<import('three').BufferGeometry, LineBasicMaterial>} */
    this.borders = this.addPart(new LineSegments(ranges.borders.geometry, lines), RENDER_ORDER.edges + 0.1);
    if (!this.#options.empty) this.update();
  }

  /** @internal @override @param {number} ref */
  drawTile(ref) {
    const state = this.navMesh.saveTileState(ref);
    const drawn = this.tiles.get(ref);
    if (drawn && areEqual(drawn.state, state)) return false;
    if (drawn) this.#recolor(ref, { ...drawn, state });
    else this.#draw(ref, state);
    return true;
  }

  /** @internal @override @param {number} ref */
  removeTile(ref) {
    for (const range of Object.values(this.#ranges)) range.delete(ref);
  }

  /** @param {number} ref @param {Uint8Array} state */
  #draw(ref, state) {
    const { lift, wallHeight } = this.#options;
    const tile = readTile(this.navMesh.tileBytes(ref));
    const drawing = drawTile(tile, lift);
    const drawn = { state, surface: drawing.surface, polygons: drawing.surfacePolygons };
    this.tiles.set(ref, drawn);
    this.#ranges.surface.set(ref, drawing.surface, this.#colorsOf(drawn, tile));
    const veil = raiseVeil(drawing.walls, wallHeight);
    this.#ranges.veil.set(ref, veil.positions, veil.colors);
    this.#drawLines('edges', ref, drawing.edges, new Bytes(COLORS.edge, 0.28));
    this.#drawLines('walls', ref, drawing.walls, new Bytes(COLORS.wall, 0.95));
    this.#drawLines('borders', ref, drawing.portals, new Bytes(COLORS.border, 0.85));
  }

  /** @param {'edges' | 'walls' | 'borders'} part @param {number} ref @param {number[]} lines @param {Bytes} color */
  #drawLines(part, ref, lines, color) {
    const colors = new Uint8Array(4 * lines.length / 3);
    color.fill(colors, 0, lines.length / 3);
    this.#ranges[part].set(ref, lines, colors);
  }

  /** @param {number} ref @param {DrawnTile} drawn */
  #recolor(ref, drawn) {
    this.tiles.set(ref, drawn);
    this.#ranges.surface.setColors(ref, this.#colorsOf(drawn, readTile(this.navMesh.tileBytes(ref))));
  }

  /** @param {DrawnTile} drawn @param {{ areas: Uint8Array, flags: Uint16Array }} tile */
  #colorsOf({ surface, polygons }, { areas, flags }) {
    const colors = new Uint8Array(12 * polygons.length);
    for (let t = 0; t < polygons.length; t++) {
      const rgb = this.#colorOf(areas[polygons[t]], flags[polygons[t]]);
      const shade = 1 - SLOPE_SHADE * (1 - steepness(surface, 9 * t));
      for (let k = 12 * t; k < 12 * t + 12; k += 4) {
        for (let i = 0; i < 3; i++) colors[k + i] = rgb[i] * shade;
        colors[k + 3] = 255;
      }
    }
    return colors;
  }

  /** @param {number} area @param {number} flags */
  #colorOf(area, flags) {
    const key = area * 65536 + flags;
    let known = this.#colors.get(key);
    if (!known) {
      const { r, g, b } = new Color(this.#options.color(area, flags));
      this.#colors.set(key, known = { rgb: [255 * r, 255 * g, 255 * b] });
    }
    return known.rgb;
  }
}

/** Upward component of a triangle's normal: 1 level, 0 upright. @param {Float32Array} p @param {number} i its first number */
function steepness(p, i) {
  const [ax, ay, az] = [p[i + 3] - p[i], p[i + 4] - p[i + 1], p[i + 5] - p[i + 2]];
  const [bx, by, bz] = [p[i + 6] - p[i], p[i + 7] - p[i + 1], p[i + 8] - p[i + 2]];
  const [nx, ny, nz] = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
  const length = Math.hypot(nx, ny, nz);
  return length > 0 ? Math.abs(ny) / length : 1;
}
