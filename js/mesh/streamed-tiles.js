/**
 * The streamers of a mesh, and the source that bakes its tiles. A rebake asks them which places are loaded. While it runs, streamers
 * insert no tiles. When it has ended, they request their unfinished tiles again, since the level has changed.
 */

/** @typedef {import('../input/geometry.js').Geometry} Geometry */

/**
 * The functions of a streamer that a rebake calls.
 * @typedef {object} PlaceOwner
 * @property {(x: number, z: number) => boolean} isLoaded true if the place was added, also without a tile
 * @property {() => void} requestAgain drops tiles that are requested or have arrived
 * @property {() => void} noteTiles notes which tiles loaded places have now
 */

/**
 * A source that bakes tiles of a level.
 * @typedef {object} LevelSource
 * @property {(geometry: Geometry) => Promise<{ commit: () => void, cancel: () => Promise<void> }>} open prepares another level: commit makes
 *   it the one of later tiles
 */

export class StreamedTiles {
  /** The streamers that are not freed. @type {Set<PlaceOwner>} */
  owners = new Set();
  /** The source that was made with the mesh, until it is freed. @type {LevelSource | undefined} */
  source = undefined;
  /** Resolves when the running rebake has ended; undefined: none runs. @type {Promise<void> | undefined} */
  rebaking = undefined;

  /** True if a place without a tile may get one later. */
  get isStreamed() {
    return this.owners.size > 0 || this.source !== undefined;
  }

  /** @param {number} x @param {number} z */
  isLoaded(x, z) {
    for (const owner of this.owners) if (owner.isLoaded(x, z)) return true;
    return false;
  }

  /**
   * Runs a rebake while streamers insert no tile; if it succeeds, later tiles are of the new level.
   * @template T @param {Geometry} geometry @param {() => Promise<T>} work @returns {Promise<T>}
   */
  async rebake(geometry, work) {
    let end = () => {};
    this.rebaking = new Promise((resolve) => { end = () => resolve(undefined); });
    try {
      const next = await this.source?.open(geometry);
      const result = await work().catch(async (error) => {
        await next?.cancel();
        throw error;
      });
      next?.commit();
      for (const owner of this.owners) {
        owner.requestAgain();
        owner.noteTiles();
      }
      return result;
    } finally {
      this.rebaking = undefined;
      end();
    }
  }
}
