/**
 * A layer drawn from the tiles of the navigation mesh, one by one; a change redraws only the changed tiles. Neighbouring tiles
 * share a draw call, because thousands of draw calls slow down a frame.
 */
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
 * Data to draw for a tile.
 * @typedef {{ triangles?: { positions: Float32Array, values: Uint16Array }, lines?: Float32Array, count: number }} TileView
 */

/**
 * @typedef {object} TileDrawer
 * @property {import('./palette.js').Palette} palette
 * @property {number} [width] of lines, pixels
 * @property {number} [lift] world units
 * @property {(navMesh: NavMesh, milliseconds: number) => boolean | void} [begin] called before a changed mesh is drawn; false: it has worked for
 *   some milliseconds, and must be called again. If present, every change redraws all tiles
 * @property {boolean} [followsMainGround] true: another main ground redraws all tiles
 * @property {boolean} [isThinning] true: lines are thinner where they are short on the screen
 * @property {number} [hatch] colour of stripes over triangles, which are drawn over the mesh
 * @property {(ref: number) => boolean} [isEmpty] true: the tile has nothing to draw, and need not be read
 * @property {(tile: TileArrays, ref: number) => TileView} draw
 * @property {(count: number) => string} note
 */

/** Tiles per side of a block that shares a draw call. */
const BLOCK = 8;

/** Stored data of a tile. @typedef {TileView & { block: string }} StoredTile */
/** Tiles that share draw calls. @typedef {{ refs: Set<number>, group: Group }} Block */

/** Concatenates arrays. @template {Float32Array | Uint16Array} T @param {T[]} parts @returns {T} */
function join(parts) {
  const all = new /** @type {any} */ (parts[0].constructor)(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** @implements {Layer} */
export class TileLayer {
  object = new Group();
  #app;
  #drawer;
  #materials;
  #task;
  /** @type {Map<number, StoredTile>} by reference */
  #tiles = new Map();
  /** @type {Map<string, Block>} */
  #blocks = new Map();
  /** Blocks whose tiles differ from the drawn ones. @type {Set<string>} */
  #changed = new Set();
  /** @type {number[]} */
  #waiting = [];
  /** @type {NavMesh | null} */
  #navMesh = null;
  #version = NaN;
  #isBegun = false;

  /** @param {App} app @param {TileDrawer} drawer */
  constructor(app, drawer) {
    this.#app = app;
    this.#drawer = drawer;
    const { palette, width, lift = 0.06, hatch, isThinning } = drawer;
    this.#materials = { triangles: triangleMaterial(palette, { lift, hatch, isOnMesh: hatch !== undefined }), lines: lineMaterial(palette, { width, lift, isThinning }) };
    this.#task = new FrameTask(app, (milliseconds) => this.#draw(milliseconds));
    app.events.on('mesh-ending', () => this.#clear());
    if (drawer.followsMainGround) app.events.on('main-ground', () => this.#drawAgain());
  }

  update() {
    const navMesh = this.#app.bakes.current?.navMesh ?? null;
    if (navMesh !== this.#navMesh) this.#clear();
    this.#navMesh = navMesh;
    if (!navMesh || navMesh.version === this.#version) return;
    this.#version = navMesh.version;
    this.#isBegun = false;
    this.#task.request();
  }

  #drawAgain() {
    if (!this.#navMesh) return;
    this.#version = NaN;
    this.update();
  }

  /** Lists the tiles to draw, and removes those that are gone. @param {NavMesh} navMesh @param {number} milliseconds @returns {boolean} false: not ready */
  #begin(navMesh, milliseconds) {
    if (this.#drawer.begin?.(navMesh, milliseconds) === false) return false;
    this.#isBegun = true;
    const present = new Set(navMesh.tileRefs());
    for (const ref of [...this.#tiles.keys()]) if (!present.has(ref)) this.#drop(ref);
    this.#waiting = [...present].filter((ref) => this.#drawer.begin || !this.#tiles.has(ref)).reverse();
    return true;
  }

  get isComplete() {
    return this.#task.isDone;
  }

  get share() {
    return this.#task.isDone ? 1 : this.#tiles.size / (this.#tiles.size + this.#waiting.length + 1);
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
    if (this.#navMesh && !this.#isBegun && !this.#begin(this.#navMesh, milliseconds)) return false;
    while (this.#navMesh && this.#waiting.length > 0) {
      this.#readTile(this.#navMesh, /** @type {number} */ (this.#waiting.pop()));
      if (performance.now() >= end) return false;
    }
    for (const key of this.#changed) {
      this.#drawBlock(key);
      if (performance.now() >= end) break;
    }
    return this.#changed.size === 0;
  }

  /** @param {NavMesh} navMesh @param {number} ref */
  #readTile(navMesh, ref) {
    if (this.#drawer.isEmpty?.(ref)) {
      this.#drop(ref);
      this.#tiles.set(ref, { count: 0, block: '' });
      return;
    }
    const tile = readTile(navMesh.tileBytes(ref));
    const block = `${Math.floor(tile.x / BLOCK)} ${Math.floor(tile.z / BLOCK)}`;
    this.#tiles.set(ref, { ...this.#drawer.draw(tile, ref), block });
    if (!this.#blocks.has(block)) this.#blocks.set(block, { refs: new Set(), group: new Group() });
    this.#blocks.get(block)?.refs.add(ref);
    this.#changed.add(block);
  }

  /** @param {string} key */
  #drawBlock(key) {
    this.#changed.delete(key);
    const block = this.#blocks.get(key);
    if (!block) return;
    for (const part of block.group.children) /** @type {import('three').Mesh} */ (part).geometry.dispose();
    block.group.clear();
    const views = [...block.refs].map((ref) => /** @type {StoredTile} */ (this.#tiles.get(ref)));
    const triangles = views.flatMap((view) => (view.triangles?.values.length ? [view.triangles] : []));
    const lines = views.flatMap((view) => (view.lines?.length ? [view.lines] : []));
    if (triangles.length > 0) {
      const all = { positions: join(triangles.map(({ positions }) => positions)), values: join(triangles.map(({ values }) => values)) };
      block.group.add(makePart(makeTriangles(all), this.#materials.triangles, 1.5));
    }
    if (lines.length > 0) block.group.add(makePart(makeLines(join(lines)), this.#materials.lines, 2.5));
    this.object.add(block.group);
  }

  /** @param {number} ref */
  #drop(ref) {
    const tile = this.#tiles.get(ref);
    if (!tile) return;
    this.#tiles.delete(ref);
    this.#blocks.get(tile.block)?.refs.delete(ref);
    this.#changed.add(tile.block);
  }

  #clear() {
    this.#task.stop();
    this.#waiting = [];
    this.#tiles.clear();
    for (const key of [...this.#blocks.keys()]) {
      this.#blocks.get(key)?.refs.clear();
      this.#drawBlock(key);
      this.#blocks.get(key)?.group.removeFromParent();
    }
    this.#blocks.clear();
    this.#changed.clear();
    this.#navMesh = null;
    this.#version = NaN;
  }
}
