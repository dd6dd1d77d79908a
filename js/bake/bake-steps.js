/// <reference lib="esnext.disposable" preserve="true" />
/** A bake, tile by tile and stage by stage: what every way to bake rests on. */
import { requireBoolean, requireOptions } from '../runtime/arguments.js';
import { readConfig, writeConfig } from './config.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { writeGeometry } from './geometry.js';
import { BAKER } from '../runtime/handle-kinds.js';
import { nameSet } from '../runtime/names.js';
import { Owned, addressOf, requireMaker } from '../runtime/owned.js';
import { WmBakeStages, WmBaker, WmVoxelConfig } from '../runtime/layout.js';

/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('./config.js').Config} Config */
/** @typedef {import('./geometry.js').Geometry} Geometry */
/** @typedef {import('./stages.js').StageName} StageName */

/** In the order of WmStage in src/bake/bake.h. @type {readonly StageName[]} */
export const STAGES = Object.freeze(['rasterize', 'filterLowHanging', 'filterLedges', 'filterLowHeight', 'compact',
  'erode', 'markAreas', 'distance', 'regions', 'contours', 'polygonMesh', 'detailMesh', 'tile']);

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
/** Words of a WmBaker from its voxels on, whose address bake_start returns: bounds (6 floats), warnings, the next stage, the finished tile. */
const [BOUNDS_AT, WARNINGS_AT, NEXT_STAGE_AT, TILE_AT] = [WmBaker.boundsMin, WmBaker.warnings, WmBaker.nextStage, WmBaker.stages + WmBakeStages.tile]
  .map((word) => word - WmBaker.voxels);
/** Words of its fields that have longer names in C. */
const VOXEL_WORDS = /** @type {Record<string, number>} */ ({ ...WmVoxelConfig, detailSampleDistance: WmVoxelConfig.detailSampleDistanceWorld, detailMaxError: WmVoxelConfig.detailMaxErrorWorld });
const REAL_VOXEL_NAMES = ['detailSampleDistance', 'detailMaxError', 'tileWorldSize'];

const TILE_NAMES = nameSet({ keepStages: 1 });

/** @param {number} x @param {number} z */
export function requirePlace(x, z) {
  if (Number.isInteger(x) && Number.isInteger(z)) return;
  const [name, value] = Number.isInteger(x) ? ['z', z] : ['x', x];
  throw invalidArgument(name, `is ${describe(value)}: must be a whole number`, value);
}

/** Triangles or vertices that C passes in one go: half a millisecond. */
const PORTION = 1 << 15;

/** @typedef {{ address: number, triangleCount: number, state: number }} Prepared a bake in the module that nobody owns yet */

/**
 * Takes a level in, in steps of a millisecond or so: so that whoever asks may rest in between. Where it is not gone through
 * to its end, what it took is freed.
 * @param {Session} session @param {Geometry} geometry @param {Config} config
 * @returns {Generator<void, Prepared, void>}
 */
export function* prepareBake(session, geometry, config) {
  const { wasm } = session;
  const address = session.checkAddress(wasm.bake_create(session.handle));
  let isDone = false;
  try {
    writeConfig(session, address, config);
    const triangleCount = yield* writeGeometry(session, address, geometry);
    for (;;) {
      session.guard(() => session.check(wasm.bake_start(address, PORTION)));
      const state = session.u32[session.answer];
      isDone = state !== 0;
      if (isDone) return { address, triangleCount, state };
      yield;
    }
  } finally {
    if (!isDone) wasm.bake_destroy(address);
  }
}

/** The result of a generator, without rests. @template T @param {Generator<unknown, T, void>} steps @returns {T} */
function finish(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

export class BakeSteps extends Owned {
  #stateAddress;
  #ranOutOfMemory = false;

  /**
   * Use createBaker.
   * @internal @param {Session} session @param {Geometry} geometry @param {Config} config
   * @param {Prepared} [prepared] what prepareBake made of them; default: that is done here
   */
  constructor(session, geometry, config, prepared = finish(prepareBake(requireMaker(session, BAKER), geometry, config))) {
    const { wasm } = session;
    const { address, triangleCount, state } = prepared;
    super(session, BAKER, address, (bake) => wasm.bake_destroy(bake));
    this.#stateAddress = state;
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

  /** Where C keeps what it knows of this bake. @internal */
  get state() {
    addressOf(this, BAKER);
    return this.#stateAddress;
  }

  #readInfo() {
    const view = new DataView(this.session.wasm.memory.buffer, this.#stateAddress);
    const readFloat = (/** @type {number} */ i) => view.getFloat32(4 * i, true);
    const bounds = [0, 1, 2, 3, 4, 5].map((i) => readFloat(BOUNDS_AT + i));
    const warningBits = view.getUint32(4 * WARNINGS_AT, true);
    const read = (/** @type {string} */ name) => (
      REAL_VOXEL_NAMES.includes(name) ? readFloat(VOXEL_WORDS[name]) : view.getInt32(4 * VOXEL_WORDS[name], true));
    const voxels = /** @type {Voxels} */ (/** @type {unknown} */ ({
      boundsMin: bounds.slice(0, 3), boundsMax: bounds.slice(3),
      ...Object.fromEntries(VOXEL_NAMES.map((name) => [name, read(name)])),
    }));
    return { voxels: Object.freeze(voxels), warningBits };
  }

  /**
   * Starts a tile, dropping what stood of another.
   * @param {number} [x] 0 to voxels.tileCountX - 1
   * @param {number} [z]
   * @param {{ keepStages?: boolean }} [options] keepStages: make and keep every array, until the next tile;
   *   without it each goes after the last stage that reads it, and `heightfield`, `compact` (of which clearances go) and raw
   *   contours never stand
   */
  beginTile(x = 0, z = 0, options = {}) {
    const address = addressOf(this, BAKER);
    const keepStages = requireBoolean(requireOptions(options, TILE_NAMES).keepStages ?? false, 'keepStages');
    requirePlace(x, z);
    this.session.check(this.session.wasm.bake_begin_tile(address, x, z, keepStages ? 1 : 0));
  }

  /** The stage that the next step runs, or `done`. @returns {StageName | 'done'} */
  get nextStage() {
    addressOf(this, BAKER);
    this.session.refresh();
    return STAGES[this.session.u32[this.#stateAddress / 4 + NEXT_STAGE_AT]] ?? 'done';
  }

  /** Runs the next stage. On failure the tile is dropped; another can be begun. @internal @returns {StageName} */
  runStage() {
    const address = addressOf(this, BAKER);
    const { nextStage: stage, session } = this;
    if (stage === 'done') throw new NavError('state', 'no tile is begun, or all its stages have run');
    if (session.guard(() => session.wasm.bake_step(address))) {
      const error = session.lastError();
      this.#ranOutOfMemory ||= error.code === 'out-of-memory';
      throw error;
    }
    return stage;
  }

  /** Takes the finished tile's bytes (Detour's format), or null where it has no polygons. */
  takeTile() {
    addressOf(this, BAKER);
    const { session } = this;
    const { wasm, handle } = session;
    const words = new Uint32Array(wasm.memory.buffer, this.#stateAddress + 4 * TILE_AT, 2);
    const [tile, count] = words;
    if (!count) return null;
    const bytes = session.view(tile, count).slice();
    wasm.memory_free(handle, tile);
    words.fill(0);
    return bytes;
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

/** Whether the module can hash what a tile is made from: walkmesh-core.wasm cannot. @param {BakeSteps} baker */
export const hashesTiles = (baker) => 'bake_hash_tile' in baker.session.wasm;
