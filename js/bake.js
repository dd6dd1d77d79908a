/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Baking: a Baker walks through tiles and stages step by step, so that times are measured here and arrays can be
 * looked at in between; bakeTiles drives one to the end.
 */
import { requireBoolean, requireOptions } from './arguments.js';
import { BakeLog, bakeTile } from './bake-report.js';
import { readConfig, writeConfig } from './config.js';
import { NavError, describe, invalidArgument } from './errors.js';
import { writeGeometry } from './geometry.js';
import { BAKER } from './kinds.js';
import { Owned, addressOf, requireMaker } from './owned.js';
import { countWalkable, packStage, readCounts, readNextStage, takeTile } from './stage-memory.js';
import { STAGES, STAGE_ARRAYS, readStageArray } from './stages.js';
import { describeWarnings } from './warnings.js';

/** @typedef {import('./bake-report.js').BakeReport} BakeReport */
/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./config.js').Config} Config */
/** @typedef {import('./geometry.js').Geometry} Geometry */
/** @typedef {import('./stages.js').StageName} StageName */
/** @typedef {import('./stages.js').StageArray} StageArray */
/** @typedef {import('./stages.js').StageArrays} StageArrays */
/** @typedef {import('./stages.js').StageCounts} StageCounts */

/**
 * What the configuration comes to for this level. Lengths in cells or cell heights unless named otherwise.
 * @typedef {object} Voxels
 * @property {[number, number, number]} boundsMin world units
 * @property {[number, number, number]} boundsMax world units
 * @property {number} width cells of the whole level on x
 * @property {number} depth cells of the whole level on z
 * @property {number} walkableHeight
 * @property {number} walkableClimb
 * @property {number} walkableRadius
 * @property {number} maxEdgeCells
 * @property {number} minRegionCells an area
 * @property {number} mergeRegionCells an area
 * @property {number} detailSampleDistance world units
 * @property {number} detailMaxError world units
 * @property {number} borderSize cells around each tile
 * @property {number} tileCountX
 * @property {number} tileCountZ
 * @property {number} tileWorldSize world units
 */

/** The fields of WmVoxelConfig in src/bake/config.h, and which of them are float32; the others are integers. */
const VOXEL_NAMES = /** @type {const} */ (['width', 'depth', 'walkableHeight', 'walkableClimb', 'walkableRadius',
  'maxEdgeCells', 'minRegionCells', 'mergeRegionCells', 'detailSampleDistance', 'detailMaxError', 'borderSize',
  'tileCountX', 'tileCountZ', 'tileWorldSize']);
/** Words that follow the WmVoxelConfig in what bake_start returns: bounds (6 floats) and warnings. */
const [BOUNDS_AT, WARNINGS_AT] = [VOXEL_NAMES.length, VOXEL_NAMES.length + 6];
const REAL_VOXEL_NAMES = ['detailSampleDistance', 'detailMaxError', 'tileWorldSize'];

/** @param {number} x @param {number} z */
function requirePlace(x, z) {
  for (const [name, value] of Object.entries({ x, z })) {
    if (!Number.isInteger(value)) throw invalidArgument(name, `is ${describe(value)}: must be a whole number`, value);
  }
}

/** A bake that goes step by step: createBaker, beginTile, step until nextStage is `done`, takeTile, the next tile; free. */
export class Baker extends Owned {
  #stateAddress;
  #walkableSpans = 0;
  #ranOutOfMemory = false;

  /** Use createBaker. @internal @param {Session} session @param {Geometry} geometry @param {Config} config */
  constructor(session, geometry, config) {
    const { wasm } = requireMaker(session, BAKER);
    const address = session.checkAddress(wasm.bake_create(session.handle));
    super(session, BAKER, address, (bake) => wasm.bake_destroy(bake));
    let triangleCount;
    try {
      writeConfig(session, address, config);
      triangleCount = writeGeometry(session, address, geometry);
      session.guard(() => session.check(wasm.bake_start(address)));
    } catch (error) {
      super.free();
      throw error;
    }
    this.#stateAddress = session.u32[session.answer];
    /** Triangles of the level. @readonly */
    this.triangleCount = triangleCount;
    /** Every field with the value in force, as the shortest decimals that stand for its float32. */
    this.config = readConfig(session, address);
    const { voxels, warningBits } = this.#readInfo();
    /** @type {Readonly<Voxels>} */
    this.voxels = voxels;
    /** @internal WM_WARNING_... of src/bake/bake.h. */
    this.warningBits = warningBits;
  }

  #readInfo() {
    const view = new DataView(this.session.wasm.memory.buffer, this.#stateAddress);
    const readFloat = (/** @type {number} */ i) => view.getFloat32(4 * i, true);
    const bounds = [0, 1, 2, 3, 4, 5].map((i) => readFloat(BOUNDS_AT + i));
    const warningBits = view.getUint32(4 * WARNINGS_AT, true);
    const read = (/** @type {string} */ name, /** @type {number} */ i) => (
      REAL_VOXEL_NAMES.includes(name) ? readFloat(i) : view.getInt32(4 * i, true));
    const voxels = /** @type {Voxels} */ (/** @type {unknown} */ ({
      boundsMin: bounds.slice(0, 3), boundsMax: bounds.slice(3),
      ...Object.fromEntries(VOXEL_NAMES.map((name, i) => [name, read(name, i)])),
    }));
    return { voxels: Object.freeze(voxels), warningBits };
  }

  /** What may not be as meant, in plain words, as far as it is known before any tile is baked. @returns {string[]} */
  get warnings() {
    addressOf(this, BAKER);
    const { config, voxels, warningBits } = this;
    return describeWarnings({ config, voxels, warningBits });
  }

  /**
   * Starts a tile, dropping what stood of another.
   * @param {number} [x] 0 to voxels.tileCountX - 1
   * @param {number} [z]
   * @param {{ keepStages?: boolean }} [options] keepStages: keep every array, raw contours too, until the next tile
   */
  beginTile(x = 0, z = 0, options = {}) {
    const address = addressOf(this, BAKER);
    const keepStages = requireBoolean(requireOptions(options).keepStages ?? false, 'keepStages');
    requirePlace(x, z);
    this.session.check(this.session.wasm.bake_begin_tile(address, x, z, keepStages ? 1 : 0));
    this.#walkableSpans = 0;
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
    const { session } = this;
    session.check(session.wasm.bake_hash_tile(address, x, z));
    const [a, b, c, d] = session.u32.subarray(session.answer, session.answer + 4);
    return [b, a, d, c].map((word) => word.toString(16).padStart(8, '0')).join('');
  }

  /** The stage that the next step runs, or `done`. @returns {StageName | 'done'} */
  get nextStage() {
    addressOf(this, BAKER);
    return STAGES[readNextStage(this.session, this.#stateAddress)] ?? 'done';
  }

  /**
   * Runs the next stage. On failure the tile is dropped; another can be begun.
   * @returns {{ stage: StageName, milliseconds: number, peakBytes: number }} peakBytes: the most in use at once
   */
  step() {
    const address = addressOf(this, BAKER);
    const stage = this.nextStage;
    if (stage === 'done') throw new NavError('state', 'no tile is begun, or all its stages have run');
    const { session } = this;
    const before = session.memory(true).peakBytes;
    const start = performance.now();
    const status = session.guard(() => session.wasm.bake_step(address));
    const milliseconds = performance.now() - start;
    const { peakBytes } = session.memory();
    session.raisePeak(before);
    if (status) {
      const error = session.lastError();
      this.#ranOutOfMemory ||= error.code === 'out-of-memory';
      throw error;
    }
    if (stage === 'erode') this.#walkableSpans = countWalkable(session, this.#stateAddress);
    return { stage, milliseconds, peakBytes };
  }

  /** Sizes of what stands now; 0 where an array does not stand. @returns {StageCounts} */
  counts() {
    addressOf(this, BAKER);
    return { ...readCounts(this.session, this.#stateAddress), walkableSpans: this.#walkableSpans };
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
   * `areas` are those of the compact heightfield as they are now.
   * @param {StageArray} name
   */
  stage(name) {
    addressOf(this, BAKER);
    if (!STAGE_ARRAYS.includes(name)) throw invalidArgument('name', `is ${describe(name)}: must be ${STAGE_ARRAYS.join(', ')}`, name);
    return packStage(this.session, this.#stateAddress, name,
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

  /** Takes the finished tile's bytes (Detour's format), or null where it has no polygons. */
  takeTile() {
    addressOf(this, BAKER);
    return takeTile(this.session, this.#stateAddress);
  }

  /** Frees its memory; using it afterwards throws. */
  free() {
    super.free();
    if (this.#ranOutOfMemory) this.session.trim();
  }

  [Symbol.dispose]() {
    if (!super.isFreed) this.free();
  }
}

/** @typedef {{ tile: number, tiles: number, stage: StageName }} BakeProgress */

/**
 * @typedef {object} BakeOptions
 * @property {(progress: BakeProgress) => void} [onProgress] called after each stage; what it throws ends the bake
 */

/**
 * Bakes every tile of a level.
 * @param {Session} session @param {Geometry} geometry @param {Config} config @param {BakeOptions} options
 * @param {{ begin: (baker: Baker) => void, addTile: (bytes: Uint8Array) => void }} consumer given the baker once,
 *   then every tile that has polygons
 * @returns {BakeReport}
 */
export function bakeTiles(session, geometry, config, options, consumer) {
  const { onProgress } = requireOptions(options);
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw invalidArgument('onProgress', `must be a function, not ${describe(onProgress)}`, onProgress);
  }
  const start = performance.now();
  session.memory(true);
  const baker = new Baker(session, geometry, config);
  try {
    const log = new BakeLog();
    const { tileCountX, tileCountZ } = baker.voxels;
    const tiles = tileCountX * tileCountZ;
    consumer.begin(baker);
    for (let tile = 0; tile < tiles; tile++) {
      const done = bakeTile(baker, tile % tileCountX, Math.floor(tile / tileCountX),
        (stage) => onProgress?.({ tile, tiles, stage }));
      log.add(done.log);
      if (done.bytes) consumer.addTile(done.bytes);
    }
    return log.report(baker, { milliseconds: performance.now() - start, ...session.memory() });
  } finally {
    baker.free();
  }
}
