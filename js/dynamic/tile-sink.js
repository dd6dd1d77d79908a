/** A dynamic mesh as the sink of streamed kept tiles. */
import { ANOTHER } from '../mesh/tile-hashes.js';
import { gridOf, wrongTile } from '../mesh/tile-sink.js';

/** @typedef {import('../mesh/tile-sink.js').TileSink} TileSink */
/** @typedef {import('../streaming/tile-streamer.js').KeptTile} KeptTile */
/** @typedef {import('./dynamic-nav-mesh.js').DynamicNavMesh} DynamicNavMesh */

/** @implements {TileSink} */
export class DynamicSink {
  #dynamic;

  get navMesh() {
    return this.#dynamic.navMesh;
  }

  /** @param {DynamicNavMesh} dynamic */
  constructor(dynamic) {
    this.#dynamic = dynamic;
    this.grid = gridOf(dynamic.navMesh);
  }

  places() {
    const places = [];
    for (let z = 0; z < this.grid.countZ; z++) {
      for (let x = 0; x < this.grid.countX; x++) if (this.#dynamic.hasKeptTile(x, z)) places.push({ x, z });
    }
    return places;
  }

  /**
   * The update of the dynamic mesh builds it with the present obstacles, unless it was added ready.
   * @param {number} x @param {number} z @param {readonly (Uint8Array | KeptTile)[]} layers
   */
  add(x, z, layers) {
    if (layers.length > 1) throw wrongTile(x, z, `${layers.length} layers`, 'a DynamicNavMesh has all layers of a tile place in one tile');
    for (const given of layers) {
      const { kept, tile } = given instanceof Uint8Array ? { kept: given, tile: undefined } : given;
      this.#dynamic.navMesh.tileHashes.setRemembered(x, z, kept, ANOTHER);
      this.#dynamic.keepTile(x, z, kept, tile);
    }
  }

  /** A kept tile that another stored is replaced. */
  adopt() {
    return false;
  }

  /** @param {number} x @param {number} z */
  remove(x, z) {
    const was = this.#dynamic.hasKeptTile(x, z);
    this.#dynamic.dropTile(x, z);
    return was;
  }

  refresh() {
    this.#dynamic.navMesh.updateSwitches();
  }
}
