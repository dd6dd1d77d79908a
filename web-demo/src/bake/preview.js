/** Draws the tiles of a running bake in batches, until the mesh itself is drawn. */
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Group, Mesh, MeshBasicMaterial } from 'three';
import { readTile } from 'walkmesh';
import { shiftDepth } from '../layers/depth-shift.js';
import { SELECTED } from '../view/colors.js';
import { listTriangles } from './tile-triangles.js';
import { totalsOf } from './totals.js';

/** @typedef {import('../app.js').App} App */

/** Milliseconds of reading tiles per task. */
const BUDGET = 8;
/** Milliseconds between two drawings of tiles, at least: tiles are drawn in batches. The view's pace may ask for more (pace.js). */
const PAUSE = 250;
/** Triangles per geometry; a geometry grows until it is full. */
const PIECE = 1 << 14;

/** Milliseconds after which the preview disappears even if the mesh isn't drawn yet. */
const PATIENCE = 5000;

export class Preview {
  object = new Group();
  /** Number of tiles drawn. */
  drawn = 0;
  #app;
  /** @type {Uint8Array[]} */
  #waiting = [];
  /** Shared by all previews, so that its shaders are compiled once. */
  static #material = new MeshBasicMaterial({
    color: SELECTED, transparent: true, opacity: 0.5, side: DoubleSide, forceSinglePass: true, depthWrite: false, toneMapped: false,
    polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -4,
  });

  static {
    shiftDepth(Preview.#material);
  }

  /** The geometry that still grows. @type {{ attribute: BufferAttribute, geometry: BufferGeometry, count: number } | null} */
  #piece = null;
  #endPace;
  #begunAt = performance.now();
  /** Share of the bake's tiles that are done. */
  #share = 0;
  #endFrames = () => {};
  #endBy = Infinity;
  isDisposed = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.object.name = 'tiles being baked';
    app.viewport.scene.add(this.object);
    this.#endPace = app.viewport.pace.begin(() => this.#timeLeft());
  }

  /** @param {number} done tiles @param {number} tiles of the bake */
  progress(done, tiles) {
    this.#share = done / tiles;
  }

  /** Milliseconds that the bake probably still takes. */
  #timeLeft() {
    return this.#share > 0 ? (performance.now() - this.#begunAt) * (1 / this.#share - 1) : Infinity;
  }

  /** @param {Uint8Array} bytes of a tile */
  add(bytes) {
    if (this.isDisposed) return;
    this.#waiting.push(bytes);
    this.#timer ??= setTimeout(() => this.#drawWaiting(), PAUSE);
  }

  /** Draws the tiles that wait, a few milliseconds per task, and then the view. */
  #drawWaiting() {
    const end = performance.now() + BUDGET;
    while (this.#waiting.length > 0 && performance.now() < end) this.#draw(/** @type {Uint8Array} */ (this.#waiting.shift()));
    this.#timer = this.#waiting.length > 0 ? setTimeout(() => this.#drawWaiting(), 0) : undefined;
    if (this.#waiting.length === 0) this.#app.viewport.invalidate();
  }

  /** Removes the preview once the mesh itself is drawn. */
  end() {
    if (this.isDisposed) return;
    clearTimeout(this.#timer);
    this.#waiting.length = 0;
    this.#endBy = performance.now() + PATIENCE;
    // Before the view is drawn: else the frame that draws the whole mesh draws the preview, too, and the next one draws all again.
    this.#endFrames = this.#app.frames.addFirst(() => {
      if (this.#isMeshDrawn()) this.dispose();
      return !this.isDisposed;
    });
  }

  /** True if the mesh layer has drawn all tiles, or is hidden. */
  #isMeshDrawn() {
    const { layers, bakes } = this.#app;
    if (!bakes.current || !layers.setting('navMesh').visible || performance.now() > this.#endBy) return true;
    const helper = /** @type {any} */ (layers.get('navMesh')?.object.children.at(-1));
    return helper?.tileCount >= totalsOf(bakes.current.navMesh).tiles;
  }

  /** @param {Uint8Array} bytes */
  #draw(bytes) {
    this.drawn++;
    const triangles = listTriangles(readTile(bytes));
    for (let at = 0; at < triangles.length;) {
      const piece = this.#piece ??= this.#addPiece();
      const count = Math.min(9 * PIECE - piece.count, triangles.length - at);
      /** @type {Float32Array} */ (piece.attribute.array).set(triangles.subarray(at, at + count), piece.count);
      piece.attribute.addUpdateRange(piece.count, count);
      piece.attribute.needsUpdate = true;
      piece.count += count;
      piece.geometry.setDrawRange(0, piece.count / 3);
      at += count;
      if (piece.count === 9 * PIECE) this.#piece = null;
    }
  }

  #addPiece() {
    const attribute = new BufferAttribute(new Float32Array(9 * PIECE), 3).setUsage(DynamicDrawUsage);
    attribute.onUpload(() => attribute.clearUpdateRanges());
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', attribute);
    const mesh = new Mesh(geometry, Preview.#material);
    mesh.frustumCulled = false;
    mesh.renderOrder = 8;
    this.object.add(mesh);
    return { attribute, geometry, count: 0 };
  }

  dispose() {
    if (this.isDisposed) return;
    this.isDisposed = true;
    clearTimeout(this.#timer);
    this.#endFrames();
    this.#endPace();
    for (const mesh of this.object.children) /** @type {Mesh} */ (mesh).geometry.dispose();
    this.object.removeFromParent();
    this.#app.viewport.invalidate();
  }
}
