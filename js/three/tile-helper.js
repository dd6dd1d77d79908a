/** What draws a navigation mesh tile by tile: after a change of the mesh only the tiles that changed. */
import { describe, invalidArgument } from '../runtime/errors.js';
import { Helper, requireNavMesh } from './helper.js';

/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */

/**
 * @typedef {object} TileUpdate
 * @property {number} [milliseconds] after which the rest is left to the next update; default: none is. At least one tile is looked at
 */

/** @template Drawn what is kept of a tile that is drawn */
export class TileHelper extends Helper {
  #version = NaN;
  /** Tiles of that version that have not been looked at. @type {number[]} */
  #waiting = [];
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

  /** Whether the mesh is drawn as it is now. */
  get isComplete() {
    this.check();
    return this.#waiting.length === 0 && this.navMesh.version === this.#version;
  }

  /**
   * Draws what has changed since the last time, or as much of it as there is time for: then `isComplete` is false, and the next
   * update goes on.
   * @param {TileUpdate} [options]
   * @returns {number} tiles drawn, recoloured or taken away
   */
  update({ milliseconds = Infinity } = {}) {
    this.check();
    if (!(typeof milliseconds === 'number' && milliseconds >= 0)) {
      throw invalidArgument('milliseconds', `is ${describe(milliseconds)}: must be a number, not negative`, milliseconds);
    }
    const end = performance.now() + milliseconds;
    let changes = this.navMesh.version === this.#version ? 0 : this.#begin();
    while (this.#waiting.length > 0) {
      if (this.drawTile(/** @type {number} */ (this.#waiting.pop()))) changes++;
      if (performance.now() >= end) break;
    }
    return changes;
  }

  /** Notes the tiles of another version of the mesh; those that are not drawn come first. @returns {number} tiles taken away */
  #begin() {
    const present = new Set(this.navMesh.tileRefs());
    let gone = 0;
    for (const ref of this.tiles.keys()) {
      if (present.has(ref)) continue;
      this.tiles.delete(ref);
      this.removeTile(ref);
      gone++;
    }
    /** @type {number[][]} */
    const [drawn, others] = [[], []];
    for (const ref of present) (this.tiles.has(ref) ? drawn : others).push(ref);
    this.#waiting = [...drawn.reverse(), ...others.reverse()];
    this.#version = this.navMesh.version;
    return gone;
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
