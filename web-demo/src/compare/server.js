/**
 * The working side of the comparison: holds the tiles of the mesh before and of the mesh now, and compares their surfaces. Tiles with equal
 * bytes are skipped. It has no worker around it, so that tests can talk to it.
 */
import { readTile } from 'walkmesh';
import { listTriangles } from '../bake/tile-triangles.js';
import { compareSurfaces } from './compare-surfaces.js';

/**
 * `begin`: another mesh follows; the present one becomes the one before if it is `whole`. `clear`: another level follows.
 * @typedef {{ kind: 'clear' } | { kind: 'begin', whole: boolean } | { kind: 'tiles', added: { ref: number, bytes: Uint8Array }[], removed: number[] }
 *   | { kind: 'compare', request: number, step: number, tolerance: number }} Message
 */
/** @typedef {{ request: number, gained: import('./compare-surfaces.js').Part, lost: import('./compare-surfaces.js').Part }} Answer */
/** @typedef {Map<number, Uint8Array>} Tiles by reference */

/** @param {Uint8Array} a @param {Uint8Array} b */
function isEqual(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** @param {Tiles} tiles @returns {Map<string, Uint8Array>} by place */
const byPlace = (tiles) => new Map([...tiles.values()].map((bytes) => {
  const { x, z, layer } = readTile(bytes);
  return [`${x} ${z} ${layer}`, bytes];
}));

export class CompareServer {
  /** @type {Tiles | null} */
  #before = null;
  /** @type {Tiles} */
  #now = new Map();
  #post;
  #rest;
  #request = 0;

  /** @param {(answer: Answer, buffers: ArrayBuffer[]) => void} post @param {() => Promise<unknown>} rest lets messages arrive */
  constructor(post, rest) {
    this.#post = post;
    this.#rest = rest;
  }

  /** @param {Message} message */
  receive(message) {
    this.#request++;
    if (message.kind === 'clear') [this.#before, this.#now] = [null, new Map()];
    else if (message.kind === 'begin') {
      if (message.whole) this.#before = this.#now;
      this.#now = new Map();
    } else if (message.kind === 'tiles') {
      for (const ref of message.removed) this.#now.delete(ref);
      for (const { ref, bytes } of message.added) this.#now.set(ref, bytes);
    } else void this.#compare(message);
  }

  /** @param {Extract<Message, { kind: 'compare' }>} message */
  async #compare({ request, step, tolerance }) {
    const own = this.#request;
    if (!this.#before) return;
    const [before, now] = [byPlace(this.#before), byPlace(this.#now)];
    for (const [place, bytes] of now) {
      const old = before.get(place);
      if (!old || !isEqual(old, bytes)) continue;
      before.delete(place);
      now.delete(place);
    }
    const surfaces = [before, now].map((tiles) => [...tiles.values()].map((bytes) => listTriangles(readTile(bytes))));
    const steps = compareSurfaces(surfaces[0], surfaces[1], { step, tolerance });
    for (;;) {
      const { done, value } = steps.next();
      if (done) {
        this.#post({ request, ...value }, [value.gained, value.lost].map(({ positions }) => /** @type {ArrayBuffer} */ (positions.buffer)));
        return;
      }
      await this.#rest();
      if (own !== this.#request) return;
    }
  }
}
