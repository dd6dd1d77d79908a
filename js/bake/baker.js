/// <reference lib="esnext.disposable" preserve="true" />
/** The Baker: runs the stages of a bake one at a time, measures them, and reads their arrays. */
import { requireTilePlace } from '../runtime/arguments.js';
import { defaultConfig } from '../input/config.js';
import { findFacing } from '../input/facing.js';
import { explainGeometryError } from '../input/geometry.js';
import { writeLinks } from '../input/link-config.js';
import { describeStrays } from '../input/stray.js';
import { wantsLinks } from '../input/wants-links.js';
import { BakeSteps, finish, hashesTiles, prepareBake } from './bake-steps.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { hexOfWords } from '../runtime/encodings.js';
import { BAKER } from '../runtime/handle-kinds.js';
import { addressOf, requireMaker } from '../runtime/handle.js';
import { packStage } from './stage-arrays.js';
import { readCounts } from './stage-memory.js';
import { readStageArray } from './read-stage-array.js';
import { STAGE_ARRAYS } from './stages.js';
import { FACING_SHIFT, describeWarnings } from './warnings.js';

/** @typedef {import('./bake-steps.js').Prepared} Prepared */
/** @typedef {import('../input/config.js').Config} Config */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('./stages.js').StageName} StageName */
/** @typedef {import('./stages.js').StageArray} StageArray */
/** @typedef {import('./read-stage-array.js').StageArrays} StageArrays */
/** @typedef {import('./stages.js').StageCounts} StageCounts */

/**
 * facing: the result of findFacing; links: the value in force of every field, if the bake generates links
 * @typedef {Prepared & { facing: number, links?: Readonly<import('../input/link-config.js').LinkConfig> }} PreparedBaker
 */

/**
 * As prepareBake; errors in the level name the number at fault, or the way that the level faces.
 * @param {Session} session @param {Geometry} geometry @param {Config} config
 * @returns {Generator<void, PreparedBaker, void>}
 */
export function* prepareBaker(session, geometry, config) {
  const maxSlope = config?.agentMaxSlope ?? defaultConfig().agentMaxSlope;
  /** @type {PreparedBaker['links']} */
  let links;
  try {
    const prepared = yield* prepareBake(session, geometry, config, (bake) => {
      const inForce = config.links === undefined ? undefined : writeLinks(session, bake, config.links);
      if (wantsLinks({ links: inForce })) links = inForce;
    });
    if (links) session.wasm.bake_want_air(prepared.address);
    return { ...prepared, links, facing: findFacing(session, prepared.address, prepared.triangles, maxSlope) };
  } catch (error) {
    throw explainSize(explainGeometryError(session, error, geometry, maxSlope), geometry);
  }
}

/** The error about a level that is too large; if single triangles make it so, they are named. @param {unknown} error @param {Geometry} geometry */
function explainSize(error, geometry) {
  if (!(error instanceof NavError) || error.field !== 'cellSize' || !error.message.includes('too small for the extents')) return error;
  const strays = describeStrays(geometry);
  return strays ? new NavError('configuration', strays, { field: 'positions' }) : error;
}

/** A bake in steps: createBaker, beginTile, step until nextStage is `done`, takeTile, the next tile; free. */
export class Baker extends BakeSteps {
  /** The last computed hash. @type {{ x: number, z: number, hash: string } | undefined} */
  #hashed;

  /**
   * Use createBaker.
   * @internal @param {Session} session @param {Geometry} geometry @param {Config} config
   * @param {PreparedBaker} [prepared] the result of prepareBaker; default: calls it
   */
  constructor(session, geometry, config, prepared = finish(prepareBaker(requireMaker(session, BAKER), geometry, config))) {
    super(session, geometry, config, prepared);
    this.warningBits |= prepared.facing << FACING_SHIFT;
    if (prepared.links) this.config = Object.freeze({ ...this.config, links: prepared.links });
  }

  /** Likely mistakes in the level and the configuration that are known before the first tile, one readable line each. @returns {string[]} */
  get warnings() {
    addressOf(this, BAKER);
    const { config, voxels, warningBits, zeroAreaTriangles } = this;
    return describeWarnings({ config, voxels, warningBits, zeroAreaTriangles });
  }

  /**
   * The hash of a tile's inputs, 32 hexadecimal digits: its column and row, the configuration, and the triangles, solids, volumes
   * and connections that touch it. Equal hashes mean equal bytes. The current tile is unchanged. Costs a few hundredths of the
   * tile's bake.
   * @param {number} [x] 0 to voxels.tileCountX - 1
   * @param {number} [z]
   */
  hashTile(x = 0, z = 0) {
    const address = addressOf(this, BAKER);
    requireTilePlace(x, z);
    if (!hashesTiles(this)) throw new NavError('unsupported', 'this WebAssembly module cannot hash tiles: load walkmesh.wasm');
    if (this.#hashed?.x === x && this.#hashed.z === z) return this.#hashed.hash;
    const { session } = this;
    session.check(session.wasm.bake_hash_tile(address, x, z));
    const { u32, answer } = session;
    const hash = hexOfWords(u32, [answer + 1, answer, answer + 3, answer + 2]);
    this.#hashed = { x, z, hash };
    return hash;
  }

  /**
   * Runs the next stage. A failure drops the tile; beginTile starts another.
   * @returns {{ stage: StageName, milliseconds: number, peakBytes: number }} peakBytes: peak bytes in use
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

  /** The compressed spans of the current tile, for a later rebuild. Call it before stage `compact`. @internal @returns {Uint8Array} */
  keepTile() {
    const address = addressOf(this, BAKER);
    return this.#copyBytes(this.session.wasm.bake_keep_tile(address));
  }

  /** The compressed air of the current tile, if the configuration has links. Call it before stage `compact`. @internal @returns {Uint8Array} */
  keepAir() {
    const address = addressOf(this, BAKER);
    return this.#copyBytes(this.session.wasm.bake_keep_air(address));
  }

  /** Copies the bytes that an export returned, and frees them. @param {number} status */
  #copyBytes(status) {
    const { session } = this;
    session.check(status);
    const kept = session.u32[session.answer];
    const bytes = session.copyReturnedBytes();
    session.wasm.memory_free(session.handle, kept);
    return bytes;
  }

  /** Sizes of the current arrays; 0 for an array that does not exist. @returns {StageCounts} */
  counts() {
    addressOf(this, BAKER);
    return readCounts(this.session, this.state);
  }

  /** The heightfield layers of the compact heightfield; null if it does not exist now. @returns {Uint8Array<ArrayBuffer> | null} */
  #packHeightfieldLayers() {
    const { session } = this;
    session.check(session.guard(() => session.wasm.bake_heightfield_layers(addressOf(this, BAKER))));
    const packed = session.u32[session.answer];
    if (packed === 0) return null;
    const bytes = session.copyReturnedBytes();
    session.wasm.memory_free(session.handle, packed);
    return bytes;
  }

  /** Cells of a tile on x and z, including its border. */
  #gridSize() {
    const { tileSize } = this.config;
    const { width, depth, borderSize } = this.voxels;
    const side = tileSize + 2 * borderSize;
    return tileSize ? { width: side, cells: side * side } : { width, cells: width * depth };
  }

  /**
   * A copy of an array as packed bytes, in the layout of tests/golden/README.md; null if it does not exist now. `areas` are the
   * current areas of the compact heightfield; `heightfieldLayers` are built from them on each call.
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
   * An array as typed arrays; null if it does not exist now.
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
