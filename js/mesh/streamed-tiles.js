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
 * @property {(geometry: Geometry) => { opened: Promise<void>, commit: () => void, cancel: () => Promise<void> }} open prepares another level. After
 *   commit, tiles are of that level. If it can't be baked, `opened` and its tiles are rejected
 */

/**
 * A rebake that runs, until commit or cancel is called.
 * @typedef {object} StreamedRebake
 * @property {Promise<void>} [opened] of the source, if there is one
 * @property {() => void} commit later tiles are of the new level
 * @property {() => Promise<void>} cancel
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
   * Begins a rebake. Until it ends, streamers insert no tiles.
   * @param {Geometry} geometry
   * @returns {StreamedRebake}
   */
  begin(geometry) {
    let wake = () => {};
    this.rebaking = new Promise((resolve) => { wake = () => resolve(undefined); });
    const end = () => {
      this.rebaking = undefined;
      wake();
    };
    /** @type {ReturnType<LevelSource['open']> | undefined} */
    let next;
    try {
      next = this.source?.open(geometry);
    } catch (error) {
      end();
      throw error;
    }
    return {
      opened: next?.opened,
      commit: () => {
        next?.commit();
        for (const owner of this.owners) {
          owner.requestAgain();
          owner.noteTiles();
        }
        end();
      },
      cancel: async () => {
        end();
        await next?.cancel();
      },
    };
  }
}
