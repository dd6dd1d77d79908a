/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The steps of a bake: copying the level into the module, then each tile, stage by stage. The Baker and walkmesh/core extend it.
 */
import { requireBoolean, requireOptions, requireTilePlace } from '../runtime/arguments.js';
import { readConfig, writeConfig } from '../input/config.js';
import { NavError } from '../runtime/errors.js';
import { writeGeometry } from '../input/geometry.js';
import { BAKER } from '../runtime/handle-kinds.js';
import { nameSet } from '../runtime/option-names.js';
import { HandleOwner, addressOf, requireMaker } from '../runtime/handle.js';
import { WmBakeStages, WmBaker, WmConfig, WmFacing, WmVoxelConfig } from '../runtime/layout.js';

/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('../input/config.js').Config} Config */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('./stages.js').StageName} StageName */

/** In the order of WmStage in src/bake/bake.h. @type {readonly StageName[]} */
export const STAGES = Object.freeze(['rasterize', 'filterLowHanging', 'filterLedges', 'filterLowHeight', 'compact',
  'erode', 'markAreas', 'distance', 'regions', 'contours', 'polygonMesh', 'detailMesh', 'tile']);

/**
 * The configuration in voxels, for this level. Lengths are in cells or cell heights, unless another unit is named.
 * @typedef {object} Voxels
 * @property {[number, number, number]} boundsMin world units
 * @property {[number, number, number]} boundsMax world units
 * @property {boolean} isOpenAbove true if what stands higher than boundsMax is baked, too: in bakes without bounds, whose level has nothing there
 *   before a rebake, or with `bounds.above`
 * @property {number} width cells of the whole level on x
 * @property {number} depth cells of the whole level on z
 * @property {number} walkableHeight
 * @property {number} walkableClimb
 * @property {number} walkableRadius
 * @property {number} maxEdgeCells
 * @property {number} minRegionCells number of cells
 * @property {number} mergeRegionCells number of cells
 * @property {number} detailSampleDistance world units
 * @property {number} detailMaxError world units
 * @property {number} borderSize cells around each tile
 * @property {number} tileCountX
 * @property {number} tileCountZ
 * @property {number} tileWorldSize world units
 */

/** The fields of WmVoxelConfig in src/bake/config.h. REAL_VOXEL_NAMES are float32, the others integers. */
const VOXEL_NAMES = /** @type {const} */ (['width', 'depth', 'walkableHeight', 'walkableClimb', 'walkableRadius',
  'maxEdgeCells', 'minRegionCells', 'mergeRegionCells', 'detailSampleDistance', 'detailMaxError', 'borderSize',
  'tileCountX', 'tileCountZ', 'tileWorldSize']);
/** Words of a WmBaker relative to its voxels, whose address bake_start returns: the configuration, bounds (6 floats), warnings, triangles with zero area, the next stage, the finished tile. */
const [CONFIG_AT, BOUNDS_AT, WARNINGS_AT, ZERO_AREA_AT, NEXT_STAGE_AT, TILE_AT] = [WmBaker.config, WmBaker.boundsMin, WmBaker.warnings, WmBaker.facing + WmFacing.degenerate, WmBaker.nextStage, WmBaker.stages + WmBakeStages.tile]
  .map((word) => word - WmBaker.voxels);
/** Words of its fields that have longer names in C. */
const VOXEL_WORDS = /** @type {Record<string, number>} */ ({ ...WmVoxelConfig, detailSampleDistance: WmVoxelConfig.detailSampleDistanceWorld, detailMaxError: WmVoxelConfig.detailMaxErrorWorld });
const REAL_VOXEL_NAMES = ['detailSampleDistance', 'detailMaxError', 'tileWorldSize'];

const TILE_NAMES = nameSet({ keepStages: 1 });

/** Triangles or vertices that C processes in one call: about 0.5 ms. */
const PORTION = 1 << 15;

/**
 * A bake in the module that has no owner yet.
 * @typedef {{ address: number, triangles: ReturnType<typeof import('../input/geometry.js').toTriangles>, state: number }} Prepared
 */

/**
 * Copies a level into the module in steps of about 1 ms, so that the caller can rest between them. Returning early (the
 * generator's `return`) frees the memory.
 * @param {Session} session @param {Geometry} geometry @param {Config} config
 * @param {(address: number) => void} [checkMore] called with the address once it has the configuration
 * @returns {Generator<void, Prepared, void>}
 */
export function* prepareBake(session, geometry, config, checkMore) {
  const { wasm } = session;
  const address = session.checkAddress(wasm.bake_create(session.handle));
  let isDone = false;
  try {
    writeConfig(session, address, config);
    checkMore?.(address);
    const triangles = yield* writeGeometry(session, address, geometry);
    for (;;) {
      session.guard(() => session.check(wasm.bake_start(address, PORTION)));
      const state = session.u32[session.answer];
      isDone = state !== 0;
      if (isDone) return { address, triangles, state };
      yield;
    }
  } finally {
    if (!isDone) wasm.bake_destroy(address);
  }
}

/** Runs a generator to its end, without rests. @template T @param {Generator<unknown, T, void>} steps @returns {T} */
export function finish(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

export class BakeSteps extends HandleOwner {
  #stateAddress;
  #ranOutOfMemory = false;

  /**
   * Use createBaker.
   * @internal @param {Session} session @param {Geometry} geometry @param {Config} config
   * @param {Prepared} [prepared] the result of prepareBake; default: calls it
   */
  constructor(session, geometry, config, prepared = finish(prepareBake(requireMaker(session, BAKER), geometry, config))) {
    const { wasm } = session;
    const { address, triangles, state } = prepared;
    super(session, BAKER, address, (bake) => wasm.bake_destroy(bake));
    this.#stateAddress = state;
    /** Number of triangles of the level. @readonly */
    this.triangleCount = triangles.indices.length / 3;
    /** The value in force of every field, as the shortest decimal of its float32. @type {import('../input/config.js').FullConfig} */
    this.config = readConfig(session, address);
    const { voxels, warningBits, zeroAreaTriangles } = this.#readInfo();
    /** @type {Readonly<Voxels>} */
    this.voxels = voxels;
    /** @internal WM_WARNING_... of src/bake/bake.h. */
    this.warningBits = warningBits;
    /** @internal Number of triangles of the level with zero area. */
    this.zeroAreaTriangles = zeroAreaTriangles;
  }

  /** Address of the state of this bake in C. @internal */
  get state() {
    addressOf(this, BAKER);
    return this.#stateAddress;
  }

  #readInfo() {
    const view = new DataView(this.session.wasm.memory.buffer);
    const byteOf = (/** @type {number} */ word) => this.#stateAddress + 4 * word;
    const readFloat = (/** @type {number} */ word) => view.getFloat32(byteOf(word), true);
    const bounds = [0, 1, 2, 3, 4, 5].map((i) => readFloat(BOUNDS_AT + i));
    const has = (/** @type {'hasBounds' | 'boundsAbove'} */ name) => view.getUint8(byteOf(CONFIG_AT + WmConfig[name])) !== 0;
    const warningBits = view.getUint32(byteOf(WARNINGS_AT), true), zeroAreaTriangles = view.getUint32(byteOf(ZERO_AREA_AT), true);
    const read = (/** @type {string} */ name) => (
      REAL_VOXEL_NAMES.includes(name) ? readFloat(VOXEL_WORDS[name]) : view.getInt32(byteOf(VOXEL_WORDS[name]), true));
    const voxels = /** @type {Voxels} */ (/** @type {unknown} */ ({
      boundsMin: bounds.slice(0, 3), boundsMax: bounds.slice(3), isOpenAbove: !has('hasBounds') || has('boundsAbove'),
      ...Object.fromEntries(VOXEL_NAMES.map((name) => [name, read(name)])),
    }));
    return { voxels: Object.freeze(voxels), warningBits, zeroAreaTriangles };
  }

  /**
   * Starts a tile. Drops the arrays of the last one.
   * @param {number} [x] 0 to voxels.tileCountX - 1
   * @param {number} [z]
   * @param {{ keepStages?: boolean }} [options] keepStages: makes every array, and keeps it until the next tile. Default false: an
   *   array is freed after the last stage that reads it, and `heightfield`, `compact` (its clearances) and raw contours are never
   *   available
   */
  beginTile(x = 0, z = 0, options = {}) {
    const address = addressOf(this, BAKER);
    const keepStages = requireBoolean(requireOptions(options, TILE_NAMES).keepStages ?? false, 'keepStages');
    requireTilePlace(x, z);
    this.session.check(this.session.wasm.bake_begin_tile(address, x, z, keepStages ? 1 : 0));
  }

  /** The stage that the next step will run, or `done`. @returns {StageName | 'done'} */
  get nextStage() {
    addressOf(this, BAKER);
    this.session.refresh();
    return STAGES[this.session.u32[this.#stateAddress / 4 + NEXT_STAGE_AT]] ?? 'done';
  }

  /** Runs the next stage. A failure drops the tile; beginTile starts another. @internal @returns {StageName} */
  runStage() {
    const address = addressOf(this, BAKER);
    const { nextStage: stage, session } = this;
    if (stage === 'done') throw new NavError('state', 'no stage is left to run: call beginTile first');
    if (session.guard(() => session.wasm.bake_step(address))) {
      const error = session.lastError();
      this.#ranOutOfMemory ||= error.code === 'out-of-memory';
      throw error;
    }
    return stage;
  }

  /** Takes the bytes of the finished tile (Detour's format); null if it has no polygons. */
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

  /** Frees its memory; does nothing if it is freed. Other calls throw afterwards. */
  free() {
    super.free();
    if (this.#ranOutOfMemory) this.session.trim();
    this.#ranOutOfMemory = false;
  }
}

/** True if the module can hash a tile's inputs; walkmesh-core.wasm can't. @param {BakeSteps} baker */
export const hashesTiles = (baker) => 'bake_hash_tile' in baker.session.wasm;
