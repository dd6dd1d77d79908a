/** A layer that shows a stage of the bake: views of tiles from the stage worker, drawn tile by tile. */
import { Group } from 'three';
import { percent } from './drawing.js';
import { boxMaterial, lineMaterial, setMaterialOpacity, setPalette, triangleMaterial, underMaterial } from './materials.js';
import { isShell } from './shell.js';
import { makeBoxes, makeLines, makePart, makeTriangles } from './primitives.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./layers.js').Layer} Layer */
/** @typedef {import('./layers.js').LayerKind} LayerKind */
/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('../stages/views.js').View} View */
/** @typedef {import('../stages/server.js').ReadyAnswer} ReadyAnswer */
/** @typedef {import('three').ShaderMaterial} ShaderMaterial */

/**
 * How to draw one kind of array of a view.
 * @typedef {object} Drawing
 * @property {'boxes' | 'plates' | 'triangles' | 'lines'} as
 * @property {(app: App) => Palette} palette
 * @property {number} [width] of lines, pixels
 * @property {number} [lift] cell heights; triangles and lines
 * @property {number} [order] plates: those of a higher order cover those of a lower one on the same floor
 */

/**
 * @typedef {Omit<LayerKind, 'create'> & {
 *   view: string, drawings: Drawing[], noun: string, scaled?: boolean, followsAreas?: boolean, followsShell?: boolean,
 * }} StageLayerOptions noun: counted things, plural; scaled: the largest value maps to the end of the palette;
 * followsAreas: the palette depends on the document's areas; followsShell: on the shell, which hides ceilings
 */

/** Render order: stages before the mesh (1 and 2), their lines after it. */
const ORDERS = { boxes: 0, plates: 0.2, triangles: 0.4, lines: 2.4 };
/** Render order of a plate layer above the plate layer before it. */
const PLATE_STEP = 0.01;

/** @type {Record<Drawing['as'], (view: View) => import('three').BufferGeometry | null>} */
const GEOMETRIES = {
  boxes: ({ boxes }) => (boxes?.length ? makeBoxes(boxes) : null),
  plates: ({ boxes }) => (boxes?.length ? makeBoxes(boxes, { isPlate: true }) : null),
  triangles: ({ triangles }) => (triangles?.values.length ? makeTriangles(triangles) : null),
  lines: ({ lines }) => (lines?.length ? makeLines(lines) : null),
};

/** @param {App} app @param {Drawing} drawing */
function makeMaterial(app, { as, palette, width, order = 1 }) {
  const colors = palette(app);
  if (as === 'boxes') return boxMaterial(colors);
  if (as === 'plates') return boxMaterial(colors, { plate: order });
  return as === 'lines' ? lineMaterial(colors, { width }) : triangleMaterial(colors);
}

/** The drawing of a tile. @typedef {{ group: Group, count: number, ceilings: number, max: number }} DrawnTile */

/** @implements {Layer} */
export class StageLayer {
  object = new Group();
  views;
  #app;
  #options;
  #materials;
  /** Of the plates below the plates, which fill the gaps between those of different heights. */
  #unders;
  /** @type {Map<string, DrawnTile>} */
  #tiles = new Map();
  /** @type {ReadyAnswer | null} */
  #grid = null;

  /** @param {App} app @param {StageLayerOptions} options */
  constructor(app, options) {
    this.#app = app;
    this.#options = options;
    this.views = [options.view];
    this.#materials = options.drawings.map((drawing) => makeMaterial(app, drawing));
    this.#unders = options.drawings.map(({ as }, i) => (as === 'plates' ? underMaterial(this.#materials[i]) : this.#materials[i]));
    if (options.followsAreas || options.followsShell) this.#followPalette();
  }

  #followPalette() {
    const { followsAreas, followsShell, drawings } = this.#options;
    const update = () => {
      drawings.forEach(({ palette }, i) => setPalette(this.#materials[i], palette(this.#app)));
      this.#app.viewport.invalidate();
    };
    this.#app.store.subscribe(({ document: now, view }, { document: before, view: viewBefore }) => {
      if ((followsAreas && now.areas !== before.areas) || (followsShell && view.shell !== viewBefore.shell)) update();
    });
    if (followsShell) this.#app.events.on('level', update);
  }

  update() {
    this.#app.stages.show(this);
  }

  hide() {
    this.#app.stages.hide(this);
    this.#clear();
  }

  /** @param {number} opacity */
  setOpacity(opacity) {
    for (const material of this.#materials) setMaterialOpacity(material, opacity);
    for (const under of this.#unders) if (!this.#materials.includes(under)) under.visible = opacity === 1;
  }

  /** The number of drawn spans, contours, polygons or triangles; ceilings that the shell hides don't count. */
  get count() {
    let sum = 0;
    const isWithout = this.#options.followsShell && isShell(this.#app);
    for (const { count, ceilings } of this.#tiles.values()) sum += isWithout ? count - ceilings : count;
    return sum;
  }

  /** The largest value of the drawn tiles, at least 1. */
  get max() {
    let max = 1;
    for (const tile of this.#tiles.values()) max = Math.max(max, tile.max);
    return max;
  }

  note() {
    const { failure } = this.#app.stages;
    if (failure) return failure;
    const { tiles, drawn, isCut } = this.#app.stages.progress;
    const what = `${this.count.toLocaleString('en')} ${this.#options.noun}`;
    if (isCut) return `${what}, nearest ${drawn} of ${tiles} tiles`;
    return this.share < 1 ? `${percent(this.share)} · ${what}` : what;
  }

  /** The part of the tiles that are drawn. */
  get share() {
    return this.#app.stages.shareOf(this);
  }

  /** Which tiles are drawn, if the level has too many for all. */
  get limit() {
    const { tiles, drawn, isCut } = this.#app.stages.progress;
    return isCut ? `nearest ${drawn.toLocaleString('en')} of ${tiles.toLocaleString('en')} tiles` : '';
  }

  // ---- Viewer of the stages ---------------------------------------------------------------------------

  /** @param {ReadyAnswer} grid */
  begin(grid) {
    this.#grid = grid;
    this.#clear();
    const lift = grid.cellHeight;
    this.#options.drawings.forEach(({ as, lift: cells = 0 }, i) => {
      if (as === 'triangles' || as === 'lines') this.#materials[i].uniforms.lift.value = cells * lift;
    });
  }

  /** @param {{ x: number, z: number }} tile @param {Record<string, View>} views */
  draw(tile, views) {
    const key = `${tile.x} ${tile.z}`;
    this.#drop(key);
    const view = views[this.#options.view];
    const group = this.#options.scaled || view.count > 0 ? this.#makeGroup(tile, view) : new Group();
    this.#tiles.set(key, { group, count: view.count, ceilings: view.ceilings ?? 0, max: view.max ?? 0 });
    this.object.add(group);
    if (this.#options.scaled) this.#scale();
  }

  /** @param {{ x: number, z: number }} tile */
  erase({ x, z }) {
    this.#drop(`${x} ${z}`);
    this.#app.viewport.invalidate();
  }

  /** @param {{ x: number, z: number }} tile @param {View} view */
  #makeGroup(tile, view) {
    const { cellSize, cellHeight, voxels: { boundsMin: [x, y, z], tileWorldSize } } = /** @type {ReadyAnswer} */ (this.#grid);
    const group = new Group();
    this.#options.drawings.forEach(({ as, order = 0 }, i) => {
      const geometry = GEOMETRIES[as](view);
      if (!geometry) return;
      const parts = [makePart(geometry, this.#materials[i], ORDERS[as] + PLATE_STEP * order)];
      if (as === 'plates') parts.push(makePart(geometry, this.#unders[i], ORDERS[as] + PLATE_STEP * (order + 0.5)));
      for (const part of parts) {
        if (as === 'boxes' || as === 'plates') {
          part.position.set(x + tile.x * tileWorldSize, y, z + tile.z * tileWorldSize);
          part.scale.set(cellSize, cellHeight, cellSize);
        }
        group.add(part);
      }
    });
    return group;
  }

  /** Maps the largest value to the end of the palette. */
  #scale() {
    const { max } = this;
    for (const { uniforms } of this.#materials) uniforms.valueScale.value = (uniforms.paletteSize.value - 1) / max;
  }

  /** @param {string} key */
  #drop(key) {
    const tile = this.#tiles.get(key);
    if (!tile) return;
    this.#tiles.delete(key);
    tile.group.removeFromParent();
    for (const part of tile.group.children) /** @type {import('three').Mesh} */ (part).geometry.dispose();
  }

  #clear() {
    for (const key of [...this.#tiles.keys()]) this.#drop(key);
  }
}

/** @param {StageLayerOptions} options @returns {LayerKind} */
export function stageLayer(options) {
  return { ...options, create: (app) => new StageLayer(app, options) };
}
