/** A layer drawn from the tiles of the navigation mesh, one after the other; after a change only those that are others. */
import { Group } from 'three';
import { readTile } from 'walkmesh';
import { FrameTask } from './frame-task.js';
import { lineMaterial, setMaterialOpacity, triangleMaterial } from './materials.js';
import { makeLines, makePart, makeTriangles } from './primitives.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./layers.js').Layer} Layer */
/** @typedef {import('./layers.js').LayerKind} LayerKind */
/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {ReturnType<typeof readTile>} TileArrays */

/**
 * What there is to draw of a tile.
 * @typedef {{ triangles?: { positions: Float32Array, values: Uint16Array }, lines?: Float32Array, count: number }} TileView
 */

/**
 * @typedef {object} TileDrawer
 * @property {import('./palette.js').Palette} palette
 * @property {number} [width] of lines, pixels
 * @property {number} [lift] world units
 * @property {(navMesh: NavMesh) => void} [begin] before tiles of a changed mesh are drawn. Then all are drawn anew
 * @property {(tile: TileArrays, ref: number) => TileView} draw
 * @property {() => void} [end] the mesh is going to be freed, or nothing is drawn any more
 * @property {(count: number) => string} note
 */

/** @implements {Layer} */
export class TileLayer {
  object = new Group();
  #app;
  #drawer;
  #materials;
  #task;
  /** @type {Map<number, { group: Group, count: number }>} by reference */
  #tiles = new Map();
  /** @type {number[]} */
  #waiting = [];
  /** @type {NavMesh | null} */
  #navMesh = null;
  #version = NaN;

  /** @param {App} app @param {TileDrawer} drawer */
  constructor(app, drawer) {
    this.#app = app;
    this.#drawer = drawer;
    const { palette, width, lift = 0.06 } = drawer;
    this.#materials = { triangles: triangleMaterial(palette, { lift }), lines: lineMaterial(palette, { width, lift }) };
    this.#task = new FrameTask(app, (milliseconds) => this.#draw(milliseconds));
    app.events.on('mesh-ending', () => this.#clear());
  }

  update() {
    const navMesh = this.#app.bakes.current?.navMesh ?? null;
    if (navMesh !== this.#navMesh) this.#clear();
    this.#navMesh = navMesh;
    if (!navMesh || navMesh.version === this.#version) return;
    this.#version = navMesh.version;
    this.#drawer.begin?.(navMesh);
    const present = new Set(navMesh.tileRefs());
    for (const ref of [...this.#tiles.keys()]) if (!present.has(ref)) this.#drop(ref);
    this.#waiting = [...present].filter((ref) => this.#drawer.begin || !this.#tiles.has(ref)).reverse();
    this.#task.request();
  }

  get isComplete() {
    return this.#task.isDone;
  }

  hide() {
    this.#clear();
  }

  /** @param {number} opacity */
  setOpacity(opacity) {
    for (const material of Object.values(this.#materials)) setMaterialOpacity(material, opacity);
  }

  get count() {
    let sum = 0;
    for (const { count } of this.#tiles.values()) sum += count;
    return sum;
  }

  note() {
    return this.#navMesh ? this.#drawer.note(this.count) : '';
  }

  /** @param {number} milliseconds */
  #draw(milliseconds) {
    const end = performance.now() + milliseconds;
    while (this.#navMesh && this.#waiting.length > 0) {
      const ref = /** @type {number} */ (this.#waiting.pop());
      const { triangles, lines, count } = this.#drawer.draw(readTile(this.#navMesh.tileBytes(ref)), ref);
      this.#drop(ref);
      const group = new Group();
      if (triangles?.values.length) group.add(makePart(makeTriangles(triangles), this.#materials.triangles, 1.5));
      if (lines?.length) group.add(makePart(makeLines(lines), this.#materials.lines, 2.5));
      this.object.add(group);
      this.#tiles.set(ref, { group, count });
      if (performance.now() >= end) break;
    }
    return this.#waiting.length === 0;
  }

  /** @param {number} ref */
  #drop(ref) {
    const tile = this.#tiles.get(ref);
    if (!tile) return;
    this.#tiles.delete(ref);
    tile.group.removeFromParent();
    for (const part of tile.group.children) /** @type {import('three').Mesh} */ (part).geometry.dispose();
  }

  #clear() {
    this.#task.stop();
    this.#waiting = [];
    for (const ref of [...this.#tiles.keys()]) this.#drop(ref);
    this.#drawer.end?.();
    this.#navMesh = null;
    this.#version = NaN;
  }
}
