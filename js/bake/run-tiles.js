/**
 * Has every tile of a bake made by builders, and adds the tiles to the mesh in the order of the grid, in any order of arrival:
 * the mesh equals that of Walkmesh.bake to the last bit.
 */
import { errorInTile } from '../runtime/errors.js';
import { isPromise } from '../runtime/maybe-promise.js';
import { throwIfAborted, untilAborted } from '../runtime/time-slices.js';
import { BakeLog } from './bake-report.js';
import { inBlocks, inGridOrder } from './tile-order.js';

/** @typedef {import('./bake-report.js').BakeReport} BakeReport */
/** @typedef {import('./bake-tile.js').BakedTile} BakedTile */
/** @typedef {Pick<import('../mesh/mesh.js').NavMeshBuilder, 'begin' | 'addBakedTile'>} TileConsumer begin is called once, before the first tile */
/** @template T @typedef {import('../runtime/maybe-promise.js').MaybePromise<T>} MaybePromise */
/** @typedef {import('../runtime/time-slices.js').TimeSlices} TimeSlices */
/** @typedef {import('./stages.js').StageName} StageName */
/** @typedef {import('./tile-builders.js').TileBuilder} TileBuilder */
/** @typedef {import('./tile-builders.js').TileBuilders} TileBuilders */
/** @typedef {import('../workers/messages.js').BakerFacts} BakerFacts */

/**
 * @typedef {object} RunOptions
 * @property {TimeSlices} slices of this thread
 * @property {AbortSignal} [signal]
 * @property {import('./bake-limits.js').Limits} [limits]
 * @property {(tile: FinishedTile) => void} [onTile] called with each new tile
 * @property {(progress: { tile: number, tiles: number, done: number }) => void} [onProgress] called after each tile
 * @property {(stage: StageName) => void} [onStage] called after each stage
 * @property {(builder: TileBuilder, x: number, z: number) => MaybePromise<BakedTile>} [produce] makes a tile; default: builder.bakeTile
 * @property {Set<string>} [warned] keys of warnings that were printed; undefined: prints none
 * @property {() => string | undefined} [describeStrays] as of askUnits
 * @property {boolean} [isInBlocks] true: each builder gets tiles that follow each other; default: all take the next tile of the grid
 * @property {(builder: TileBuilder, tile: BakedTile) => void} [onMade] called with each tile
 * @property {(isOver: () => boolean) => Promise<void> | undefined} [afterTiles] more work for the builders, which end afterwards; once
 *   isOver returns true, the run was aborted
 */

/**
 * A tile of a bake that is still running.
 * @typedef {object} FinishedTile
 * @property {number} x column of the grid
 * @property {number} z row of the grid
 * @property {Uint8Array | null} bytes in Detour's format, for readTile: a copy; null if the tile has no polygons
 */

class TileRun {
  #builders;
  #consumer;
  #options;
  #log = new BakeLog();
  /** @type {BakerFacts | undefined} */
  #facts;
  #tiles = 0;
  /** @type {import('./tile-order.js').NextTile} */
  #takeTile = () => undefined;
  #nextToAdd = 0;
  #done = 0;
  #isAdding = false;
  #isOver = false;
  /** Ends the run. @type {(error: unknown) => void} */
  #fail = () => {};
  /** Finished tiles that wait for earlier ones of the grid, by index. @type {Map<number, BakedTile>} */
  #early = new Map();

  /** @param {TileBuilders} builders @param {TileConsumer} consumer @param {RunOptions} options */
  constructor(builders, consumer, options) {
    this.#builders = builders;
    this.#consumer = consumer;
    this.#options = options;
  }

  async run() {
    const failed = new Promise((_, reject) => { this.#fail = reject; });
    const all = this.#makeAll();
    try {
      await untilAborted(Promise.race([all, failed]), this.#options.signal);
    } finally {
      this.#isOver = true;
    }
  }

  async #makeAll() {
    await Promise.all(this.#builders.list.map((builder, index) => this.#runBuilder(builder, index)));
    if (!this.#isOver) await this.#options.afterTiles?.(() => this.#isOver);
  }

  /** @param {{ milliseconds: number, peakBytes: number, wasmBytes: number }} totals */
  report(totals) {
    return this.#log.report(/** @type {BakerFacts} */ (this.#facts), totals);
  }

  /** @param {TileBuilder} builder @param {number} index of it */
  async #runBuilder(builder, index) {
    const facts = await builder.begin();
    if (this.#isOver) return;
    if (!this.#facts) {
      this.#options.limits?.checkGrid(facts, this.#options.warned, this.#options.describeStrays);
      this.#facts = facts;
      this.#tiles = facts.voxels.tileCountX * facts.voxels.tileCountZ;
      this.#takeTile = this.#options.isInBlocks ? inBlocks(this.#tiles, this.#builders.list.length) : inGridOrder(this.#tiles);
      this.#consumer.begin(facts);
    }
    await Promise.all(Array.from({ length: builder.depth }, () => this.#makeTiles(builder, index)));
  }

  /** @param {TileBuilder} builder @param {number} index of it */
  async #makeTiles(builder, index) {
    while (!this.#isOver) {
      const tile = this.#takeTile(index);
      if (tile === undefined) return;
      const made = this.#inTile(tile, (x, z) => this.#produce(builder, x, z));
      const baked = isPromise(made) ? await made : made;
      if (this.#isOver) return;
      this.#log.add(baked.log);
      this.#options.onMade?.(builder, baked);
      this.#early.set(tile, baked);
      this.#done++;
      this.#callListeners(tile, baked);
      const adding = this.#addTiles();
      if (adding) await adding;
    }
  }

  /** An exception in a listener ends the bake. @param {number} tile @param {BakedTile} baked */
  #callListeners(tile, { bytes, log: { x, z, origin } }) {
    const { onTile, onProgress } = this.#options;
    if (onTile && origin !== 'kept') onTile({ x, z, bytes: bytes && bytes.slice() });
    onProgress?.({ tile, tiles: this.#tiles, done: this.#done });
  }

  /** @param {TileBuilder} builder @param {number} x @param {number} z @returns {MaybePromise<BakedTile>} */
  #produce(builder, x, z) {
    const { onStage, produce } = this.#options;
    if (produce) return produce(builder, x, z);
    return builder.bakeTile(x, z, onStage && ((stage) => this.#callOnStage(stage, onStage)));
  }

  /** Exceptions in the listener end the run; they must not reach the builder. @param {StageName} stage @param {(stage: StageName) => void} onStage */
  #callOnStage(stage, onStage) {
    if (this.#isOver) return;
    try {
      onStage(stage);
    } catch (error) {
      this.#isOver = true;
      this.#fail(error);
    }
  }

  /**
   * Works on a tile; errors name it.
   * @template T @param {number} tile @param {(x: number, z: number) => MaybePromise<T>} work @returns {MaybePromise<T>}
   */
  #inTile(tile, work) {
    const { tileCountX } = /** @type {BakerFacts} */ (this.#facts).voxels;
    const [x, z] = [tile % tileCountX, Math.floor(tile / tileCountX)];
    const fail = (/** @type {unknown} */ error) => { throw this.#tiles > 1 ? errorInTile(error, x, z) : error; };
    try {
      const result = work(x, z);
      return isPromise(result) ? result.then(undefined, fail) : result;
    } catch (error) {
      return fail(error);
    }
  }

  /** Adds the tiles that are next in the grid. If a rest is due, adds the remaining ones after it. @returns {Promise<void> | undefined} */
  #addTiles() {
    while (!this.#isAdding && !this.#isOver && this.#early.has(this.#nextToAdd)) {
      const tile = this.#nextToAdd++;
      const baked = /** @type {BakedTile} */ (this.#early.get(tile));
      this.#early.delete(tile);
      this.#inTile(tile, () => this.#consumer.addBakedTile(baked));
      const rest = this.#options.slices.restIfOver();
      if (rest) return this.#addTilesAfter(rest);
    }
    return undefined;
  }

  /** @param {Promise<void>} rest */
  async #addTilesAfter(rest) {
    this.#isAdding = true;
    try {
      await rest;
    } finally {
      this.#isAdding = false;
    }
    await this.#addTiles();
  }
}

/**
 * Makes all tiles. On failure and abort, frees everything before the promise is rejected.
 * @param {TileBuilders} builders @param {TileConsumer} consumer @param {RunOptions} options
 * @returns {Promise<BakeReport>} rejected with the first error
 */
export async function runTiles(builders, consumer, options) {
  const start = performance.now();
  throwIfAborted(options.signal);
  const run = new TileRun(builders, consumer, options);
  try {
    await run.run();
    // If all ran in one slice, the timer of the limit had no turn.
    options.limits?.checkTime();
  } catch (error) {
    builders.cancel();
    await builders.end();
    throw error;
  }
  const { peakBytes, wasmBytes } = await builders.end();
  return run.report({ milliseconds: performance.now() - start, peakBytes, wasmBytes });
}

/**
 * Shares work on some tiles among builders that have begun.
 * @param {TileBuilders} builders @param {readonly { x: number, z: number }[]} places
 * @param {(builder: TileBuilder, x: number, z: number) => MaybePromise<void>} work
 */
export async function shareTiles(builders, places, work) {
  let next = 0;
  await Promise.all(builders.list.map(async (builder) => {
    while (next < places.length) {
      const { x, z } = places[next++];
      const working = work(builder, x, z);
      if (isPromise(working)) await working;
    }
  }));
}
