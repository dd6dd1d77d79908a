/**
 * The second pass of a bake with links, in its workers. Each worker makes the links of the tiles that it baked: it holds these tiles and
 * their air (held-tiles.js). Tiles within reach that other workers baked, or that come from a cache, are sent to it, with their air. As
 * each worker bakes tiles that follow each other (tile-order.js), these are few. The links are put into the mesh in the order of the grid,
 * so that it equals that of a bake in one thread.
 */
import { WmSegmentLink } from '../../runtime/layout.js';
import { SEGMENT_LINK_KINDS } from '../../runtime/link-kinds.js';
import { throwIfAborted } from '../../runtime/time-slices.js';
import { putLinkSet } from '../../mesh/segment-links.js';
import { LinkGenerator } from './link-generator.js';

/** @typedef {import('../bake-tile.js').BakedTile} BakedTile */
/** @typedef {import('../../input/geometry.js').Geometry} Geometry */
/** @typedef {import('./link-generator.js').LinkReport} LinkReport */
/** @typedef {import('./link-generator.js').TileAir} TileAir */
/** @typedef {import('../../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../tile-builders.js').TileBuilder} TileBuilder */
/** @typedef {import('../tile-builders.js').TileHolder} TileHolder */
/** @typedef {import('../../workers/messages.js').LinkedTile} LinkedTile */
/** @typedef {import('../../workers/messages.js').SentTile} SentTile */
/** @typedef {{ x: number, z: number }} Place */

/**
 * @typedef {object} Sharing
 * @property {import('../../runtime/time-slices.js').TimeSlices} slices of this thread
 * @property {import('../bake-limits.js').Limits} limits
 * @property {AbortSignal} [signal]
 * @property {() => boolean} isOver true once the bake was aborted
 * @property {(linked: number, tiles: number, tile: number) => void} [onLinked] called after the links of each tile with the number of such
 *   tiles, and of all, and its index
 */

/** Tiles that are sent in one message. */
const SENT_PER_MESSAGE = 32;
/** Tiles whose links are made between two messages: small tiles take a tenth of a millisecond, as long as a message. */
const LINKED_PER_MESSAGE = 16;
const [LINK_BYTES, KIND_BYTE] = [4 * WmSegmentLink.words, 4 * WmSegmentLink.kind];

/** @param {Place} place @param {number} columns */
const toIndex = ({ x, z }, columns) => z * columns + x;

export class SharedLinks {
  #holders;
  /** The holder that makes the links of each tile, by place. @type {{ x: number, z: number, holder: TileBuilder, air?: Uint8Array }[]} */
  #tiles = [];
  /** @type {LinkGenerator | undefined} */
  #generator;
  /** @type {LinkReport | null} */
  report = null;

  /** @param {readonly TileHolder[]} holders the builders of the bake */
  constructor(holders) {
    this.#holders = holders;
  }

  /**
   * Notes a tile, and its air if no worker holds it.
   * @param {TileBuilder} holder @param {BakedTile} tile
   */
  note = (holder, { air, log: { x, z, origin } }) => {
    this.#tiles.push({ x, z, holder, air: origin === 'cache' ? air : undefined });
  };

  /**
   * Makes all links. If it fails or is aborted, the caller frees the mesh.
   * @param {NavMesh} navMesh with all tiles, and the configuration of its bake @param {Geometry} geometry @param {Sharing} sharing
   */
  async make(navMesh, geometry, sharing) {
    const config = /** @type {import('../../input/config.js').Config} */ (navMesh.config);
    this.#generator = new LinkGenerator(navMesh, config, geometry.volumes);
    const { tileCountX } = navMesh.parameters;
    this.#tiles.sort((a, b) => toIndex(a, tileCountX) - toIndex(b, tileCountX));
    await Promise.all(this.#holders.map((holder) => this.#supply(holder, navMesh, sharing)));
    const made = await this.#linkTiles(sharing);
    this.report = { count: 0, counts: { drop: 0, jump: 0, climb: 0, vault: 0 }, milliseconds: 0, airBytes: 0 };
    for (let i = 0; i < made.length && !sharing.isOver(); i++) {
      const { x, z } = this.#tiles[i], { bytes, milliseconds, airBytes } = made[i];
      if (bytes.length > 0) putLinkSet(navMesh, x, z, bytes, false);
      for (let at = KIND_BYTE; at < bytes.length; at += LINK_BYTES) this.report.counts[SEGMENT_LINK_KINDS[bytes[at]]]++;
      this.report.count += bytes.length / LINK_BYTES;
      this.report.milliseconds += milliseconds;
      this.report.airBytes += airBytes;
      await sharing.slices.restIfOver();
    }
  }

  /** The tiles that a holder reads and did not bake. @param {TileHolder} holder */
  #missingIn(holder) {
    const generator = /** @type {LinkGenerator} */ (this.#generator);
    /** The first and the last column in each row. @type {Map<number, [number, number]>} */
    const rows = new Map();
    for (const tile of this.#tiles) {
      if (tile.holder !== holder) continue;
      const [firstX, firstZ, lastX, lastZ] = generator.reachOf(tile.x, tile.z);
      for (let z = firstZ; z <= lastZ; z++) {
        const [first, last] = rows.get(z) ?? [firstX, lastX];
        rows.set(z, [Math.min(first, firstX), Math.max(last, lastX)]);
      }
    }
    return this.#tiles.filter((tile) => {
      const [first, last] = rows.get(tile.z) ?? [0, -1];
      return tile.x >= first && tile.x <= last && (tile.holder !== holder || tile.air);
    });
  }

  /** Sends a holder the tiles that it reads and did not bake. @param {TileHolder} holder @param {NavMesh} navMesh @param {Sharing} sharing */
  async #supply(holder, navMesh, { slices, isOver }) {
    const missing = this.#missingIn(holder);
    await Promise.all([undefined, ...this.#holders].map(async (owner) => {
      const tiles = missing.filter((tile) => (tile.air ? undefined : tile.holder) === owner);
      for (let i = 0; i < tiles.length; i += SENT_PER_MESSAGE) {
        const part = tiles.slice(i, i + SENT_PER_MESSAGE);
        const airs = owner ? await owner.copyAir(part.map(({ x, z }) => ({ x, z }))) : part.map(({ air }) => /** @type {Uint8Array} */ (air));
        if (isOver()) return;
        await holder.giveTiles(part.map(({ x, z }, k) => {
          const ref = navMesh.tileAt(x, z);
          return { x, z, bytes: ref ? navMesh.tileBytes(ref) : null, air: airs[k] };
        }));
        if (isOver()) return;
        await slices.restIfOver();
      }
    }));
  }

  /** Has the links of each tile made by its holder. @param {Sharing} sharing @returns {Promise<LinkedTile[]>} in the order of the tiles */
  async #linkTiles({ limits, signal, isOver, onLinked }) {
    const tiles = this.#tiles;
    /** @type {LinkedTile[]} */
    const made = [];
    let linked = 0;
    await Promise.all(this.#holders.map(async (holder) => {
      const own = tiles.flatMap((tile, i) => (tile.holder === holder ? [i] : []));
      await Promise.all(Array.from({ length: holder.depth }, async () => {
        while (own.length > 0) {
          const indices = own.splice(0, LINKED_PER_MESSAGE);
          const answers = await holder.linkTiles(indices.map((i) => ({ x: tiles[i].x, z: tiles[i].z })));
          if (isOver()) return;
          answers.forEach((answer, k) => {
            throwIfAborted(signal);
            limits.checkTime();
            made[indices[k]] = answer;
            onLinked?.(++linked, tiles.length, indices[k]);
          });
        }
      }));
    }));
    return made;
  }

  /**
   * The generator, which the caller now owns, with the air of all tiles.
   * @param {readonly TileAir[]} air @param {Pick<Sharing, 'slices' | 'limits'>} bounds
   */
  async takeGenerator(air, { slices, limits }) {
    const generator = /** @type {LinkGenerator} */ (this.#generator);
    for (const tile of air) {
      limits.checkTime();
      generator.setAir(tile);
      await slices.restIfOver();
    }
    return generator;
  }

  /** Frees the generator. */
  free() {
    this.#generator?.free();
  }
}
