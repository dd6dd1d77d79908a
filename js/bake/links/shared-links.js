/**
 * The second pass of a bake with links, in its workers. Each worker makes the links of the tiles that it baked: it holds these tiles and
 * their air (held-tiles.js). Tiles within reach that other workers baked, or that come from a cache, are sent to it, with their air. As
 * each worker bakes tiles that follow each other (tile-order.js), these are few. The links are put into the mesh in the order of the grid,
 * so that it equals that of a bake in one thread.
 */
import { LinkGenerator } from './link-generator.js';
import { giveTiles, linkShares, listWithinReach, putLinkedTile, readTileAt } from './link-shares.js';

/** @typedef {import('../bake-tile.js').BakedTile} BakedTile */
/** @typedef {import('../../input/geometry.js').Geometry} Geometry */
/** @typedef {import('./link-generator.js').LinkReport} LinkReport */
/** @typedef {import('./link-generator.js').TileAir} TileAir */
/** @typedef {import('../../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../tile-builders.js').TileBuilder} TileBuilder */
/** @typedef {import('../tile-builders.js').TileHolder} TileHolder */
/** @typedef {import('./link-shares.js').Place} Place */
/** @typedef {import('./link-shares.js').Sharing} Sharing */

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
    const shares = this.#holders.map((linker) => ({ linker, indices: this.#tiles.flatMap(({ holder }, i) => (holder === linker ? [i] : [])) }));
    const made = await linkShares(shares, this.#tiles, false, sharing);
    this.report = { count: 0, counts: { drop: 0, jump: 0, climb: 0, vault: 0 }, milliseconds: 0, airBytes: 0 };
    for (let i = 0; i < made.length && !sharing.isOver(); i++) {
      putLinkedTile(navMesh, this.#tiles[i], made[i], this.report);
      this.report.airBytes += made[i].airBytes;
      await sharing.slices.restIfOver();
    }
  }

  /** Sends a holder the tiles that it reads and did not bake. @param {TileHolder} holder @param {NavMesh} navMesh @param {Sharing} sharing */
  async #supply(holder, navMesh, sharing) {
    const generator = /** @type {LinkGenerator} */ (this.#generator);
    const own = this.#tiles.filter((tile) => tile.holder === holder);
    const missing = listWithinReach(this.#tiles, own, (x, z) => generator.reachOf(x, z)).filter((tile) => tile.holder !== holder || tile.air);
    await Promise.all([undefined, ...this.#holders].map((owner) => (
      giveTiles(holder, missing.filter((tile) => (tile.air ? undefined : tile.holder) === owner), async (tiles) => {
        const airs = owner ? await owner.copyAir(tiles.map(({ x, z }) => ({ x, z }))) : tiles.map(({ air }) => /** @type {Uint8Array} */ (air));
        return sharing.isOver() ? [] : tiles.map(({ x, z }, i) => ({ x, z, bytes: readTileAt(navMesh, { x, z }), air: airs[i] }));
      }, sharing))));
  }

  /**
   * The generator, which the caller now owns, with the air of all tiles.
   * @param {readonly TileAir[]} air @param {Pick<import('../bake-in-background.js').TileWork, 'slices' | 'limits'>} bounds
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
