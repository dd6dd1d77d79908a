/**
 * Runs the tiles of a bake through the lanes of a source, and puts them into the mesh in the order of the grid, whatever
 * the order of their arrival: so the mesh is the same as that of a plain bake, to the last bit.
 */
import { BakeLog } from './bake-report.js';
import { NavError } from '../runtime/errors.js';
import { throwIfAborted, untilAborted } from '../runtime/slices.js';
import { comesLater } from '../runtime/maybe-promise.js';

/** @typedef {import('./bake-report.js').BakeReport} BakeReport */
/** @typedef {import('./bake-report.js').BakedTile} BakedTile */
/** @typedef {Pick<import('../mesh/mesh.js').NavMeshBuilder, 'begin' | 'addBakedTile'>} TileConsumer given what a baker knows, then every tile */
/** @typedef {import('../runtime/slices.js').Slices} Slices */
/** @template T @typedef {import('../runtime/maybe-promise.js').Soon<T>} Soon */
/** @typedef {import('./stages.js').StageName} StageName */
/** @typedef {import('./tile-sources.js').Lane} Lane */
/** @typedef {import('./tile-sources.js').TileSource} TileSource */
/** @typedef {import('../workers/messages.js').BakerFacts} BakerFacts */

/**
 * @typedef {object} RunOptions
 * @property {Slices} slices of this thread
 * @property {AbortSignal} [signal]
 * @property {import('./limits.js').Limits} [limits]
 * @property {(tile: FinishedTile) => void} [onTile] with each tile that was made
 * @property {(progress: { tile: number, tiles: number, done: number }) => void} [onProgress] after each tile
 * @property {(stage: StageName) => void} [onStage] after each stage
 * @property {(lane: Lane, x: number, z: number) => Soon<BakedTile>} [produce] makes a tile; default: the lane bakes it
 */

/**
 * A tile of a bake that is still going on.
 * @typedef {object} FinishedTile
 * @property {number} x its place in the grid
 * @property {number} z
 * @property {Uint8Array | null} bytes in Detour's format, for readTile: a copy; null where the tile has no polygons
 */

/** Not what went wrong with a tile, but with the whole bake. @type {readonly string[]} */
const NOT_OF_A_TILE = ['cancelled', 'state'];

/** @param {unknown} error @param {number} x @param {number} z */
function nameTile(error, x, z) {
  if (!(error instanceof NavError) || NOT_OF_A_TILE.includes(error.code)) return error;
  const { code, field, value, cause } = error;
  return new NavError(code, `tile ${x}, ${z}: ${error.message}`, { field, value, cause });
}

class TileRun {
  #source;
  #builder;
  #options;
  #log = new BakeLog();
  /** @type {BakerFacts | undefined} */
  #facts;
  #tiles = 0;
  #nextToBake = 0;
  #nextToAdd = 0;
  #done = 0;
  #isAdding = false;
  #isOver = false;
  /** Ends the run. @type {(error: unknown) => void} */
  #fail = () => {};
  /** Those that came before their turn. @type {Map<number, BakedTile>} */
  #early = new Map();

  /** @param {TileSource} source @param {TileConsumer} builder @param {RunOptions} options */
  constructor(source, builder, options) {
    this.#source = source;
    this.#builder = builder;
    this.#options = options;
  }

  async run() {
    const failed = new Promise((_, reject) => { this.#fail = reject; });
    const lanes = Promise.all(this.#source.lanes.map((lane) => this.#runLane(lane)));
    try {
      await untilAborted(Promise.race([lanes, failed]), this.#options.signal);
    } finally {
      this.#isOver = true;
    }
  }

  /** @param {{ milliseconds: number, peakBytes: number, wasmBytes: number }} totals */
  report(totals) {
    return this.#log.report(/** @type {BakerFacts} */ (this.#facts), totals);
  }

  /** @param {Lane} lane */
  async #runLane(lane) {
    const facts = await lane.begin();
    if (this.#isOver) return;
    if (!this.#facts) {
      this.#options.limits?.checkGrid(facts.voxels);
      this.#facts = facts;
      this.#tiles = facts.voxels.tileCountX * facts.voxels.tileCountZ;
      this.#builder.begin(facts);
    }
    await Promise.all(Array.from({ length: lane.depth }, () => this.#bakeTiles(lane)));
  }

  /** @param {Lane} lane */
  async #bakeTiles(lane) {
    while (!this.#isOver && this.#nextToBake < this.#tiles) {
      const tile = this.#nextToBake++;
      const made = this.#at(tile, (x, z) => this.#produce(lane, x, z));
      const baked = comesLater(made) ? await made : made;
      if (this.#isOver) return;
      this.#log.add(baked.log);
      this.#early.set(tile, baked);
      this.#done++;
      this.#tell(tile, baked);
      const adding = this.#addTiles();
      if (adding) await adding;
    }
  }

  /** Tells listeners of a tile; what they throw ends the bake. @param {number} tile @param {BakedTile} baked */
  #tell(tile, { bytes, log: { x, z, origin } }) {
    const { onTile, onProgress } = this.#options;
    if (onTile && origin !== 'kept') onTile({ x, z, bytes: bytes && bytes.slice() });
    onProgress?.({ tile, tiles: this.#tiles, done: this.#done });
  }

  /** @param {Lane} lane @param {number} x @param {number} z @returns {Soon<BakedTile>} */
  #produce(lane, x, z) {
    const { onStage, produce } = this.#options;
    if (produce) return produce(lane, x, z);
    return lane.bakeTile(x, z, onStage && ((stage) => this.#tellStage(stage, onStage)));
  }

  /** What listeners throw may not get to where stages come from. @param {StageName} stage @param {(stage: StageName) => void} onStage */
  #tellStage(stage, onStage) {
    if (this.#isOver) return;
    try {
      onStage(stage);
    } catch (error) {
      this.#isOver = true;
      this.#fail(error);
    }
  }

  /**
   * Does what belongs to a tile, whose place failures then name.
   * @template T @param {number} tile @param {(x: number, z: number) => Soon<T>} work @returns {Soon<T>}
   */
  #at(tile, work) {
    const { tileCountX } = /** @type {BakerFacts} */ (this.#facts).voxels;
    const [x, z] = [tile % tileCountX, Math.floor(tile / tileCountX)];
    const fail = (/** @type {unknown} */ error) => { throw this.#tiles > 1 ? nameTile(error, x, z) : error; };
    try {
      const result = work(x, z);
      return comesLater(result) ? result.then(undefined, fail) : result;
    } catch (error) {
      return fail(error);
    }
  }

  /** Adds those whose turn has come; where a rest is due, the others after it. @returns {Promise<void> | undefined} */
  #addTiles() {
    while (!this.#isAdding && !this.#isOver && this.#early.has(this.#nextToAdd)) {
      const tile = this.#nextToAdd++;
      const baked = /** @type {BakedTile} */ (this.#early.get(tile));
      this.#early.delete(tile);
      this.#at(tile, () => this.#builder.addBakedTile(baked));
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
 * Bakes all tiles. On failure and abort everything that was begun is freed before the promise is rejected.
 * @param {TileSource} source @param {TileConsumer} builder @param {RunOptions} options
 * @returns {Promise<BakeReport>} rejected with what went wrong first
 */
export async function runTiles(source, builder, options) {
  const start = performance.now();
  throwIfAborted(options.signal);
  const run = new TileRun(source, builder, options);
  try {
    await run.run();
    // The timer of the limit does not come through where all was done in one slice.
    options.limits?.checkTime();
  } catch (error) {
    source.cancel();
    await source.end();
    throw error;
  }
  const { peakBytes, wasmBytes } = await source.end();
  return run.report({ milliseconds: performance.now() - start, peakBytes, wasmBytes });
}
