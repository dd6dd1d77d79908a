/** What draws a navigation mesh tile by tile: after a change of the mesh only the tiles that changed. */
import { Helper, requireNavMesh } from './helper.js';

/** @typedef {import('../mesh.js').NavMesh} NavMesh */

/** @template Drawn what is kept of a tile that is drawn */
export class TileHelper extends Helper {
  #version = NaN;
  /** @internal @type {Map<number, Drawn>} by reference */
  tiles = new Map();

  /** @param {NavMesh} navMesh the helper must not be updated after it was freed */
  constructor(navMesh) {
    super();
    /** @internal */
    this.navMesh = requireNavMesh(navMesh);
  }

  /** How many tiles are drawn. */
  get tileCount() {
    return this.tiles.size;
  }

  /**
   * Draws what has changed since the last time.
   * @returns {number} tiles drawn, recoloured or taken away
   */
  update() {
    this.check();
    const { version } = this.navMesh;
    if (version === this.#version) return 0;
    const present = new Set(this.navMesh.tileRefs());
    let changes = 0;
    for (const ref of this.tiles.keys()) {
      if (present.has(ref)) continue;
      this.tiles.delete(ref);
      this.removeTile(ref);
      changes++;
    }
    for (const ref of present) if (this.drawTile(ref)) changes++;
    this.#version = version;
    return changes;
  }

  /** Draws a tile unless it is drawn as it is now. @internal @param {number} _ref @returns {boolean} whether it did */
  drawTile(_ref) {
    throw new Error('a helper says how its tiles are drawn');
  }

  /** Takes a tile away that was drawn. @internal @param {number} _ref */
  removeTile(_ref) {
    throw new Error('a helper says how its tiles are taken away');
  }
}
