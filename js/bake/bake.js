/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Baking: a Baker walks through tiles and stages step by step, so that times are measured here and arrays can be
 * looked at in between; bakeTiles drives one to the end.
 */
import { requireOptions } from '../runtime/arguments.js';
import { BakeLog, bakeTile } from './bake-report.js';
import { BakeSteps, hashesTiles, requirePlace } from './bake-steps.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { hexOfWords } from '../runtime/hex.js';
import { BAKER } from '../runtime/handle-kinds.js';
import { Limits } from './limits.js';
import { nameSet } from '../runtime/names.js';
import { addressOf } from '../runtime/owned.js';
import { packStage, readCounts } from './stage-memory.js';
import { STAGE_ARRAYS, readStageArray } from './stages.js';
import { describeWarnings } from './warnings.js';

/** @typedef {import('./bake-report.js').BakeReport} BakeReport */
/** @typedef {import('./bake-steps.js').Voxels} Voxels */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('./config.js').Config} Config */
/** @typedef {import('./geometry.js').Geometry} Geometry */
/** @typedef {import('./stages.js').StageName} StageName */
/** @typedef {import('./stages.js').StageArray} StageArray */
/** @typedef {import('./stages.js').StageArrays} StageArrays */
/** @typedef {import('./stages.js').StageCounts} StageCounts */

/** A bake that goes step by step: createBaker, beginTile, step until nextStage is `done`, takeTile, the next tile; free. */
export class Baker extends BakeSteps {
  /** The last hash that was asked for. @type {{ x: number, z: number, hash: string } | undefined} */
  #hashed;

  /** What may not be as meant, in plain words, as far as it is known before any tile is baked. @returns {string[]} */
  get warnings() {
    addressOf(this, BAKER);
    const { config, voxels, warningBits } = this;
    return describeWarnings({ config, voxels, warningBits });
  }

  /**
   * What a tile is made from, as 32 hexadecimal digits: its place, the configuration, the triangles, solids, volumes and
   * connections that reach it. The same hash means the same bytes; the tile in hand stays as it is. A few
   * hundredths of the tile's bake.
   * @param {number} [x] 0 to voxels.tileCountX - 1
   * @param {number} [z]
   */
  hashTile(x = 0, z = 0) {
    const address = addressOf(this, BAKER);
    requirePlace(x, z);
    if (!hashesTiles(this)) throw new NavError('unsupported', 'this WebAssembly module has no hashes of tiles: load walkmesh.wasm');
    if (this.#hashed?.x === x && this.#hashed.z === z) return this.#hashed.hash;
    const { session } = this;
    session.check(session.wasm.bake_hash_tile(address, x, z));
    const { u32, answer } = session;
    const hash = hexOfWords(u32, [answer + 1, answer, answer + 3, answer + 2]);
    this.#hashed = { x, z, hash };
    return hash;
  }

  /**
   * Runs the next stage. On failure the tile is dropped; another can be begun.
   * @returns {{ stage: StageName, milliseconds: number, peakBytes: number }} peakBytes: the most in use at once
   */
  step() {
    addressOf(this, BAKER);
    const { session } = this;
    const before = session.memory(true).peakBytes;
    const start = performance.now();
    try {
      const stage = this.runStage();
      const milliseconds = performance.now() - start;
      const { peakBytes } = session.memory();
      return { stage, milliseconds, peakBytes };
    } finally {
      session.raisePeak(before);
    }
  }

  /** What it takes to build the tile in hand again, before stage `compact`. @internal @returns {Uint8Array} */
  keepTile() {
    const address = addressOf(this, BAKER);
    const { session } = this;
    session.check(session.wasm.bake_keep_tile(address));
    const kept = session.u32[session.answer];
    const bytes = session.copyReturnedBytes();
    session.wasm.memory_free(session.handle, kept);
    return bytes;
  }

  /** Sizes of what stands now; 0 where an array does not stand. @returns {StageCounts} */
  counts() {
    addressOf(this, BAKER);
    return readCounts(this.session, this.state);
  }

  /** Builds the heightfield layers of the compact heightfield; null while there is none. @returns {Uint8Array<ArrayBuffer> | null} */
  #packHeightfieldLayers() {
    const { session } = this;
    session.check(session.guard(() => session.wasm.bake_heightfield_layers(addressOf(this, BAKER))));
    const packed = session.u32[session.answer];
    if (packed === 0) return null;
    const bytes = session.copyReturnedBytes();
    session.wasm.memory_free(session.handle, packed);
    return bytes;
  }

  /** Cells of a tile on x and z, its border included. */
  #gridSize() {
    const { tileSize } = this.config;
    const { width, depth, borderSize } = this.voxels;
    const side = tileSize + 2 * borderSize;
    return tileSize ? { width: side, cells: side * side } : { width, cells: width * depth };
  }

  /**
   * An array as packed bytes, in the layout of tests/golden/README.md: a copy, or null where it does not stand.
   * `areas` are those of the compact heightfield as they are now, and `heightfieldLayers` are built from them on each call.
   * @param {StageArray} name
   */
  stage(name) {
    addressOf(this, BAKER);
    if (!STAGE_ARRAYS.includes(name)) throw invalidArgument('name', `is ${describe(name)}: must be ${STAGE_ARRAYS.join(', ')}`, name);
    if (name === 'heightfieldLayers') return this.#packHeightfieldLayers();
    return packStage(this.session, this.state, name,
      { ...this.#gridSize(), triangles: this.triangleCount, maxVertices: this.config.maxVerticesPerPolygon });
  }

  /**
   * An array as typed arrays, or null where it does not stand.
   * @template {StageArray} T
   * @param {T} name
   * @returns {StageArrays[T] | null}
   */
  read(name) {
    addressOf(this, BAKER);
    const bytes = this.stage(name);
    return bytes && readStageArray(name, bytes, this.#gridSize().cells);
  }
}

/** @typedef {{ tile: number, tiles: number, stage: StageName }} BakeProgress */

/**
 * @typedef {object} BakeOptions
 * @property {(progress: BakeProgress) => void} [onProgress] called after each stage; what it throws ends the bake
 * @property {import('./limits.js').BakeLimits} [limits] of cells, tiles and time, for levels that somebody else made
 */

const BAKE_NAMES = nameSet(/** @satisfies {import('../runtime/names.js').Names<BakeOptions>} */ ({ onProgress: 1, limits: 1 }));

/**
 * Bakes every tile of a level.
 * @param {Session} session @param {Geometry} geometry @param {Config} config @param {BakeOptions} options
 * @param {{ begin: (baker: Baker) => void, addBakedTile: (tile: import('./bake-report.js').BakedTile) => void }} consumer given the
 *   baker once, then every tile
 * @param {boolean} [keeps] whether tiles come with what it takes to build them again
 * @returns {BakeReport}
 */
export function bakeTiles(session, geometry, config, options, consumer, keeps = false) {
  const { onProgress, limits: given } = requireOptions(options, BAKE_NAMES);
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw invalidArgument('onProgress', `must be a function, not ${describe(onProgress)}`, onProgress);
  }
  const limits = new Limits(given);
  const start = performance.now();
  session.memory(true);
  const baker = new Baker(session, geometry, config);
  try {
    limits.checkGrid(baker.voxels);
    const log = new BakeLog();
    const { tileCountX, tileCountZ } = baker.voxels;
    const tiles = tileCountX * tileCountZ;
    consumer.begin(baker);
    for (let tile = 0; tile < tiles; tile++) {
      const done = bakeTile(baker, tile % tileCountX, Math.floor(tile / tileCountX),
        (stage) => {
          limits.checkTime();
          onProgress?.({ tile, tiles, stage });
        }, keeps);
      log.add(done.log);
      consumer.addBakedTile(done);
    }
    return log.report(baker, { milliseconds: performance.now() - start, ...session.memory() });
  } finally {
    baker.free();
  }
}
