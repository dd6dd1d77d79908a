/** Where streamed tiles go: into a mesh, or into a dynamic mesh as what is kept of them. */
import { NavError } from '../runtime/errors.js';

/** @typedef {import('../dynamic/dynamic-nav-mesh.js').DynamicNavMesh} DynamicNavMesh */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('./tile-streamer.js').KeptTile} KeptTile */

/**
 * The grid that tiles lie on (counts 0: without end), and what is done with them.
 * @typedef {object} TileSink
 * @property {ReturnType<typeof gridOf>} grid
 * @property {() => { x: number, z: number }[]} places that have tiles already
 * @property {(x: number, z: number, layers: readonly (Uint8Array | KeptTile)[]) => void} add all layers of a place, or none
 * @property {(x: number, z: number) => boolean} remove whether there was anything
 * @property {() => void} settle after some tiles came or went
 */

/** @param {NavMesh} navMesh */
function gridOf({ parameters: { origin, tileWidth, tileDepth, tileCountX, tileCountZ } }) {
  return { originX: origin[0], originZ: origin[2], width: tileWidth, depth: tileDepth, countX: tileCountX, countZ: tileCountZ };
}

/** Where a tile in Detour's format says it is; nothing where it is cut: the mesh says so. @param {Uint8Array} bytes */
function placeOf(bytes) {
  if (bytes.length < 20) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return { x: view.getInt32(8, true), z: view.getInt32(12, true), layer: view.getInt32(16, true) };
}

/** @param {number} x @param {number} z @param {string} what */
const notTaken = (x, z, what) => new NavError('invalid-argument', `for ${x}, ${z} the source gave ${what}`, { field: 'source' });

/** @implements {TileSink} */
export class MeshSink {
  #navMesh;
  /** Layers of the places that have tiles. @type {Map<string, number[]>} */
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
        if (!(bytes instanceof Uint8Array)) throw notTaken(x, z, 'what is kept of a tile, which only a DynamicNavMesh takes');
        const place = placeOf(bytes);
        if (place && (place.x !== x || place.z !== z)) {
          throw new NavError('corrupt', `the source gave the tile of ${place.x}, ${place.z} for ${x}, ${z}`, { field: 'source' });
        }
        added.push(this.#navMesh.addTile(bytes));
        if (place) numbers.push(place.layer);
      }
      if (numbers.length > 0) this.#layers.set(`${x},${z}`, numbers);
    } catch (error) {
      for (const tile of added) this.#navMesh.removeTile(tile);
      throw error;
    }
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

  settle() {
    this.#navMesh.updateSwitches();
  }
}

/** @implements {TileSink} */
export class DynamicSink {
  #dynamic;

  /** @param {DynamicNavMesh} dynamic */
  constructor(dynamic) {
    this.#dynamic = dynamic;
    this.grid = gridOf(dynamic.navMesh);
  }

  places() {
    const places = [];
    for (let z = 0; z < this.grid.countZ; z++) {
      for (let x = 0; x < this.grid.countX; x++) if (this.#dynamic.keptTile(x, z)) places.push({ x, z });
    }
    return places;
  }

  /**
   * Its update builds it, with the obstacles that have waited for it, unless it came ready.
   * @param {number} x @param {number} z @param {readonly (Uint8Array | KeptTile)[]} layers
   */
  add(x, z, layers) {
    if (layers.length > 1) throw notTaken(x, z, `${layers.length} layers: a DynamicNavMesh has all floors of a place in one tile`);
    for (const given of layers) {
      if (given instanceof Uint8Array) this.#dynamic.keepTile(x, z, given);
      else this.#dynamic.keepTile(x, z, given.kept, given.tile);
    }
  }

  /** @param {number} x @param {number} z */
  remove(x, z) {
    const was = this.#dynamic.keptTile(x, z) !== null;
    this.#dynamic.dropTile(x, z);
    return was;
  }

  settle() {
    this.#dynamic.navMesh.updateSwitches();
  }
}
