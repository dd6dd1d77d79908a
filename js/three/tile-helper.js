/** The base class of helpers that draw a navigation mesh tile by tile: after a change they redraw only the tiles that changed. */
import { describe, invalidArgument } from '../runtime/errors.js';
import { requireOptions } from '../runtime/arguments.js';
import { nameSet } from '../runtime/option-names.js';
import { Helper, requireNavMesh } from './helper.js';

/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */

/**
 * @typedef {object} TileUpdate
 * @property {number} [milliseconds] budget; the rest is left to the next update; default: no limit. At least one tile is processed
 */

const UPDATE_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<TileUpdate>} */ ({ milliseconds: 1 }));

/** @template Drawn the state of a tile that is drawn */
export class TileHelper extends Helper {
  #version = NaN;
  /** Tiles of that version of the mesh that are left to process. @type {number[]} */
  #waiting = [];
  /** @internal @type {Map<number, Drawn>} by reference */
  tiles = new Map();

  /** @param {NavMesh} navMesh don't update the helper after freeing it */
  constructor(navMesh) {
    super();
    /** @internal */
    this.navMesh = requireNavMesh(navMesh);
  }

  /** The number of tiles that are drawn. */
  get tileCount() {
    return this.tiles.size;
  }

  /** True if the present mesh is drawn completely. */
  get isComplete() {
    this.check();
    return this.#waiting.length === 0 && this.navMesh.version === this.#version;
  }

  /**
   * Draws the changes since the last call, within the budget: if `isComplete` is false afterwards, the next update continues.
   * @param {TileUpdate} [options]
   * @returns {number} tiles drawn, recoloured or removed
   */
  update(options = {}) {
    this.check();
    const { milliseconds = Infinity } = requireOptions(options, UPDATE_NAMES);
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

  /** Lists the tiles of another version of the mesh; tiles that aren't drawn come first. @returns {number} tiles removed */
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

  /** Draws a tile if its drawing is out of date. @internal @param {number} _ref @returns {boolean} true if it did */
  drawTile(_ref) {
    throw new Error('a helper says how its tiles are drawn');
  }

  /** Removes the drawing of a tile. @internal @param {number} _ref */
  removeTile(_ref) {
    throw new Error('a helper says how its tiles are taken away');
  }
}
