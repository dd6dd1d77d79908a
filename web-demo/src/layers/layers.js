/**
 * The layers of the view. A hidden layer costs nothing; a visible layer is updated when its
 * content changes.
 */

/** @typedef {import('../app.js').App} App */

/**
 * @typedef {object} Layer
 * @property {import('three').Object3D} object
 * @property {() => Promise<void> | void} update updates it after a change of level, bake or configuration
 * @property {(opacity: number) => void} setOpacity
 * @property {() => void} [hide] called when it is hidden; update is called before it is shown again
 * @property {() => string | undefined} [note] short summary, such as "1,204 polygons"
 * @property {() => LegendItem[]} [legend] if it depends on the content
 * @property {boolean} [isComplete] false: still drawing, a part per frame
 * @property {number} [share] the part that is drawn, 0 to 1; absent: all
 */

/** isLine: drawn as a line on the ground; note: such as a count. @typedef {{ color: number | string, label: string, isLine?: boolean, note?: string }} LegendItem */

/**
 * @typedef {object} LayerKind
 * @property {string} id
 * @property {LayerGroup} group
 * @property {string} label
 * @property {string} hint
 * @property {boolean} [visible] initial visibility; default false
 * @property {string} [within] another layer: this one is hidden while that one is
 * @property {number} [opacity] default 1
 * @property {LegendItem[] | ((app: App) => LegendItem[])} [legend]
 * @property {number} [swatch] its colour, if it has only one
 * @property {{ colors: number[], from: (app: App) => string, to: (app: App) => string }} [ramp] colours from lowest to highest, and the labels of both ends
 * @property {(app: App) => Layer} create
 */

/** @typedef {'Level' | 'Voxels' | 'Made walkable' | 'Removed' | 'Regions' | 'Mesh' | 'Run time'} LayerGroup */
/** @type {readonly LayerGroup[]} */
export const LAYER_GROUPS = ['Mesh', 'Level', 'Voxels', 'Removed', 'Made walkable', 'Regions', 'Run time'];

export class Layers {
  #app;
  /** @type {LayerKind[]} */
  kinds = [];
  /** @type {Map<string, Layer>} */
  #made = new Map();
  /** Layers that need an update. @type {Set<string>} */
  #stale = new Set();

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /** @param {LayerKind} kind */
  register(kind) {
    this.kinds.push(kind);
    this.#stale.add(kind.id);
  }

  /** Starts to follow the state. */
  start() {
    this.#app.store.subscribe((state, previous) => {
      if (state.view.layers !== previous.view.layers) this.refresh();
    });
    for (const name of /** @type {const} */ (['level', 'mesh', 'tiles'])) this.#app.events.on(name, () => this.markStale());
    this.refresh();
  }

  /** @param {string} id @returns {{ visible: boolean, opacity: number }} */
  setting(id) {
    const kind = this.kinds.find((candidate) => candidate.id === id);
    const begin = { visible: kind?.visible ?? false, opacity: kind?.opacity ?? 1 };
    return Object.assign(begin, this.#app.store.state.view.layers[id]);
  }

  /** True if a layer is drawn. @param {LayerKind} kind */
  isShown({ id, within }) {
    return this.setting(id).visible && (within === undefined || this.setting(within).visible);
  }

  /** @param {string} id @param {{ visible?: boolean, opacity?: number }} patch */
  set(id, patch) {
    const { layers } = this.#app.store.state.view;
    this.#app.store.setView({ layers: { ...layers, [id]: { ...this.setting(id), ...patch } } });
  }

  /** The layer, if it was ever visible. @param {string} id */
  get(id) {
    return this.#made.get(id);
  }

  /** True if all visible layers are drawn; app.stages knows the progress of the stage worker. */
  get isComplete() {
    return this.kinds.every((kind) => !this.isShown(kind) || (!this.#stale.has(kind.id) && this.#made.get(kind.id)?.isComplete !== false));
  }

  /** The visible layers that are still being drawn, and the part of each that is, 0 to 1. */
  get pending() {
    return this.kinds.filter((kind) => this.isShown(kind))
      .map(({ id, label }) => ({ id, label, share: this.#made.get(id)?.share ?? 1 })).filter(({ share }) => share < 1);
  }

  /** Marks layers as changed. @param {string[]} [ids] default: all */
  markStale(ids = this.kinds.map(({ id }) => id)) {
    for (const id of ids) this.#stale.add(id);
    this.refresh();
  }

  /** Applies the settings to the drawn layers. */
  refresh() {
    for (const kind of this.kinds) this.#refreshOne(kind);
    this.#app.viewport.invalidate();
  }

  /** @param {LayerKind} kind */
  #refreshOne(kind) {
    const { opacity } = this.setting(kind.id);
    let layer = this.#made.get(kind.id);
    if (!this.isShown(kind)) {
      if (layer?.object.visible) {
        layer.object.visible = false;
        layer.hide?.();
        if (layer.hide) this.#stale.add(kind.id);
      }
      return;
    }
    if (!layer) {
      layer = kind.create(this.#app);
      this.#made.set(kind.id, layer);
      layer.object.name = `layer ${kind.id}`;
      this.#app.viewport.scene.add(layer.object);
    }
    layer.object.visible = true;
    layer.setOpacity(opacity);
    if (this.#stale.delete(kind.id)) this.#update(kind, layer);
  }

  /** @param {LayerKind} kind @param {Layer} layer */
  async #update(kind, layer) {
    try {
      await layer.update();
    } catch (error) {
      this.#app.notices.error(`Can't show the layer "${kind.label}"`, error);
    }
    this.#app.viewport.invalidate();
    this.#app.panels.refresh();
  }
}
