/** A mesh as the sink of streamed tiles; dynamic/tile-sink.js has the sink of kept tiles. */
import { NavError } from '../runtime/errors.js';

/** @typedef {import('./mesh.js').NavMesh} NavMesh */
/** @typedef {import('../streaming/tile-streamer.js').KeptTile} KeptTile */

/**
 * The grid of the tiles (counts 0: unlimited), and the functions that add and remove them.
 * @typedef {object} TileSink
 * @property {ReturnType<typeof gridOf>} grid
 * @property {() => { x: number, z: number }[]} places tile places that have tiles already
 * @property {(x: number, z: number, layers: readonly (Uint8Array | KeptTile)[]) => void} add adds all layers of a tile place, or none
 * @property {(x: number, z: number) => boolean} remove true if there was a tile
 * @property {(x: number, z: number) => boolean} adopt true if a place has tiles that this sink did not add: it removes them, too
 * @property {NavMesh} navMesh that receives the tiles
 * @property {() => void} refresh brings the mesh up to date after tiles were added or removed
 */

/** Byte offsets in the header of a Detour tile (docs/formats.md), and the bytes up to the end of these fields. */
const TILE_HEADER = { x: 8, z: 12, layer: 16, bytes: 20 };

/** @param {NavMesh} navMesh */
export function gridOf({ parameters: { origin, tileWidth, tileDepth, tileCountX, tileCountZ } }) {
  return { originX: origin[0], originZ: origin[2], width: tileWidth, depth: tileDepth, countX: tileCountX, countZ: tileCountZ };
}

/**
 * The tile place and layer in the header of a Detour tile; undefined if the bytes are too short: the mesh rejects them.
 * @param {Uint8Array} bytes
 */
function placeOf(bytes) {
  if (bytes.length < TILE_HEADER.bytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return {
    x: view.getInt32(TILE_HEADER.x, true), z: view.getInt32(TILE_HEADER.z, true), layer: view.getInt32(TILE_HEADER.layer, true),
  };
}

/** The error for bytes that a target can't accept. @param {number} x @param {number} z @param {string} given @param {string} rule */
export const wrongTile = (x, z, given, rule) =>
  new NavError('invalid-argument', `the source returned ${given} for tile ${x}, ${z}: ${rule}`, { field: 'source' });

/** @implements {TileSink} */
export class MeshSink {
  #navMesh;

  get navMesh() {
    return this.#navMesh;
  }

  /** Layers of the tile places that have tiles. @type {Map<string, number[]>} */
  #layers = new Map();

  /** @param {NavMesh} navMesh */
  constructor(navMesh) {
    this.#navMesh = navMesh;
    this.grid = gridOf(navMesh);
  }

  places() {
    const places = [];
    for (const { x, z, layer } of this.#navMesh.tiles()) {
      const key = `${x},${z}`, layers = this.#layers.get(key);
      if (layers) layers.push(layer);
      else places.push({ x, z });
      this.#layers.set(key, layers ?? [layer]);
    }
    return places;
  }

  /** @param {number} x @param {number} z @param {readonly (Uint8Array | KeptTile)[]} layers */
  add(x, z, layers) {
    /** @type {number[]} */
    const added = [];
    /** @type {number[]} */
    const numbers = [];
    try {
      for (const bytes of layers) {
        if (!(bytes instanceof Uint8Array)) throw wrongTile(x, z, 'a kept tile', 'only a DynamicNavMesh accepts kept tiles');
        const place = placeOf(bytes);
        if (place && (place.x !== x || place.z !== z)) {
          throw new NavError('corrupt', `the source returned tile ${place.x}, ${place.z} for tile ${x}, ${z}`, { field: 'source' });
        }
        added.push(this.#navMesh.addTile(bytes));
        if (place) numbers.push(place.layer);
      }
      if (added.length === 1 && numbers[0] === 0) this.#navMesh.tileHashes.setRemembered(x, z, /** @type {Uint8Array} */ (layers[0]), added[0]);
      if (numbers.length > 0) this.#layers.set(`${x},${z}`, numbers);
    } catch (error) {
      for (const tile of added) this.#navMesh.removeTile(tile);
      throw error;
    }
  }

  /** Layers of a bake are 0; those of others are found by their bytes. @param {number} x @param {number} z */
  adopt(x, z) {
    const key = `${x},${z}`;
    if (this.#navMesh.tileAt(x, z) === 0 || this.#layers.has(key)) return false;
    this.#layers.set(key, this.#navMesh.tiles().filter((tile) => tile.x === x && tile.z === z).map(({ layer }) => layer));
    return true;
  }

  /** @param {number} x @param {number} z */
  remove(x, z) {
    const key = `${x},${z}`, layers = this.#layers.get(key) ?? [];
    for (const layer of layers) {
      const tile = this.#navMesh.tileAt(x, z, layer);
      if (tile !== 0) this.#navMesh.removeTile(tile);
    }
    return this.#layers.delete(key);
  }

  refresh() {
    this.#navMesh.updateSwitches();
  }
}
