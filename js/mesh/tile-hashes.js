/**
 * Hashes of the inputs of a mesh's tiles (Baker.hashTile), by which a rebake finds the changed tiles. A hash is valid while its
 * tile is in the mesh: after a replacement or removal the place has no hash, until a dynamic mesh builds the tile again
 * unchanged.
 */
import { decodeBase64 } from '../runtime/encodings.js';

/** @typedef {import('./tiles.js').TileEdits} TileEdits */

const HASH_BYTES = 16;

/** Stored for a tile without a hash. */
const UNKNOWN = '0'.repeat(2 * HASH_BYTES);

/** Not the reference of any tile: the place has another tile now. */
export const ANOTHER = -1;

/** @param {Uint8Array} bytes */
function encodeBase64(bytes) {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Hashes of tiles that a source has baked, by the buffer of their bytes, which holds nothing else. @type {WeakMap<ArrayBufferLike, string>} */
const ofBuffers = new WeakMap();

/** Stores the hash of a tile that will be added later. @param {Uint8Array} bytes of a tile, or of a kept tile @param {string | undefined} hash */
export function rememberHash(bytes, hash) {
  if (hash) ofBuffers.set(bytes.buffer, hash);
}

export class TileHashes {
  /** By `x,z`: the hash, and the tile's reference, 0 if it has no polygons. @type {Map<string, { hash: string, ref: number }>} */
  #places = new Map();

  /** @param {number} x @param {number} z @param {string} hash @param {number} ref of the tile; 0: it has no polygons */
  set(x, z, hash, ref) {
    this.#places.set(`${x},${z}`, { hash, ref });
  }

  /** The hash of the tile at a place, or undefined. @param {TileEdits} navMesh @param {number} x @param {number} z */
  get(navMesh, x, z) {
    const known = this.#places.get(`${x},${z}`);
    return known && known.ref === navMesh.tileAt(x, z) ? known.hash : undefined;
  }

  /** The hash of a place, also if its tile is absent, or obstacles have changed it; undefined: none. @param {number} x @param {number} z */
  find(x, z) {
    return this.#places.get(`${x},${z}`)?.hash;
  }

  /** Sets the hash of a tile that was added, if a source remembers it. @param {number} x @param {number} z @param {Uint8Array} bytes @param {number} ref */
  setRemembered(x, z, bytes, ref) {
    const hash = ofBuffers.get(bytes.buffer);
    if (hash) this.set(x, z, hash, ref);
    else this.delete(x, z);
  }

  /** Forgets the hash of a place. @param {number} x @param {number} z */
  delete(x, z) {
    this.#places.delete(`${x},${z}`);
  }

  /**
   * Changes the hash of a place, whose tile is valid as before, if `ref` is not given.
   * @param {number} x @param {number} z @param {string | undefined} hash undefined: it has none
   * @param {number} [ref] default: the reference that it had, else that of no tile
   */
  change(x, z, hash, ref = this.#places.get(`${x},${z}`)?.ref ?? ANOTHER) {
    if (hash) this.set(x, z, hash, ref);
    else this.delete(x, z);
  }

  /** Makes the hash of a place valid again, for its unchanged tile. @param {number} x @param {number} z @param {number} ref */
  restore(x, z, ref) {
    const known = this.#places.get(`${x},${z}`);
    if (known) known.ref = ref;
  }

  get isEmpty() {
    return this.#places.size === 0;
  }

  /**
   * All hashes as text, for files: 16 bytes per tile, row by row, zeros for none, in base64.
   * @param {TileEdits} navMesh @param {number} countX tiles on x @param {number} countZ
   * @param {boolean} [withAnother] true: also hashes of places that have another tile now
   */
  toText(navMesh, countX, countZ, withAnother = false) {
    const bytes = new Uint8Array(HASH_BYTES * countX * countZ);
    for (let tile = 0; tile < countX * countZ; tile++) {
      const [x, z] = [tile % countX, Math.floor(tile / countX)];
      const hash = (withAnother ? this.#places.get(`${x},${z}`)?.hash : this.get(navMesh, x, z)) ?? UNKNOWN;
      for (let i = 0; i < HASH_BYTES; i++) bytes[HASH_BYTES * tile + i] = Number.parseInt(hash.slice(2 * i, 2 * i + 2), 16);
    }
    return encodeBase64(bytes);
  }

  /**
   * The inverse of toText, for a loaded mesh. Invalid texts count as empty.
   * @param {unknown} text @param {TileEdits} navMesh @param {number} countX @param {number} countZ
   * @param {unknown} [another] the text of toText(..., true)
   */
  static fromText(text, navMesh, countX, countZ, another = undefined) {
    const hashes = new TileHashes();
    hashes.#read(another, countX, countZ, () => ANOTHER);
    hashes.#read(text, countX, countZ, (x, z) => navMesh.tileAt(x, z));
    return hashes;
  }

  /** @param {unknown} text @param {number} countX @param {number} countZ @param {(x: number, z: number) => number} findTile */
  #read(text, countX, countZ, findTile) {
    const bytes = typeof text === 'string' ? tryDecode(text) : undefined;
    if (bytes?.length !== HASH_BYTES * countX * countZ) return;
    for (let tile = 0; tile < countX * countZ; tile++) {
      const hash = Array.from(bytes.subarray(HASH_BYTES * tile, HASH_BYTES * (tile + 1)),
        (byte) => byte.toString(16).padStart(2, '0')).join('');
      const [x, z] = [tile % countX, Math.floor(tile / countX)];
      if (hash !== UNKNOWN) this.set(x, z, hash, findTile(x, z));
    }
  }
}

/** @param {string} text */
function tryDecode(text) {
  try {
    return decodeBase64(text);
  } catch {
    return undefined;
  }
}
