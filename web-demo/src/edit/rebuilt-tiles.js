/** Outlines the tiles that edits rebuild: by obstacles immediately, by area volumes in a bake. */
import { Group } from 'three';
import { boundsOf } from './shapes.js';
import { TileOutlines } from './tile-outlines.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./items.js').Volume} Volume */

const SECONDS = 0.9;

export class RebuiltTiles {
  object = new Group();
  #app;
  /** @type {TileOutlines | null} */
  #helper = null;
  /** The volumes of the current mesh. @type {Volume[] | null} */
  #volumes = null;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  start() {
    const { events, edits } = this.#app;
    events.on('mesh-ending', () => this.#drop());
    events.on('mesh', (baked) => {
      this.#drop();
      const { dynamic } = baked ?? {};
      if (!dynamic) {
        this.#volumes = null;
        return;
      }
      this.#helper = new TileOutlines(dynamic, SECONDS);
      this.object.add(this.#helper);
      this.#highlightVolumes(/** @type {any} */ (baked).navMesh.parameters);
    });
    edits.live.followers.add((seconds) => this.#fade(seconds));
  }

  /** Number of highlighted tiles. */
  get count() {
    return this.#helper?.count ?? 0;
  }

  #drop() {
    this.#helper?.dispose();
    this.#helper = null;
  }

  /**
   * Highlights tiles under volumes that were added, removed or changed since the previous mesh.
   * @param {{ origin: number[], tileWidth: number, tileDepth: number, tileCountX: number, tileCountZ: number }} grid
   */
  #highlightVolumes({ origin, tileWidth, tileDepth, tileCountX, tileCountZ }) {
    const now = this.#app.store.state.document.volumes;
    const before = this.#volumes;
    this.#volumes = now;
    if (!before || before === now) return;
    const texts = (/** @type {Volume[]} */ volumes) => new Map(volumes.map((volume) => [JSON.stringify(volume), volume]));
    const [a, b] = [texts(before), texts(now)];
    const changed = [...a].filter(([text]) => !b.has(text)).concat([...b].filter(([text]) => !a.has(text)));
    for (const [, { shape }] of changed) {
      const { min, max } = boundsOf(shape);
      const place = (/** @type {number} */ value, /** @type {number} */ axis, /** @type {number} */ size, /** @type {number} */ count) => (
        Math.min(count - 1, Math.max(0, Math.floor((value - origin[axis]) / size))));
      for (let z = place(min[2], 2, tileDepth, tileCountZ); z <= place(max[2], 2, tileDepth, tileCountZ); z++) {
        for (let x = place(min[0], 0, tileWidth, tileCountX); x <= place(max[0], 0, tileWidth, tileCountX); x++) this.#helper?.light(x, z);
      }
    }
    this.#app.frames.wake();
  }

  /** @param {number} seconds @returns {boolean} true if a tile is still highlighted */
  #fade(seconds) {
    const helper = this.#helper;
    if (!helper) return false;
    // Hidden highlights end immediately, so that they don't appear when the layer is shown.
    if (!this.object.visible || !this.object.parent) {
      helper.update(SECONDS);
      return false;
    }
    const before = helper.count;
    helper.update(seconds);
    if (before > 0 || helper.count > 0) this.#app.viewport.invalidate();
    return helper.count > 0;
  }
}
