/**
 * HeldTiles: the tiles that a worker holds, to make links: those that it baked, and those that are sent to it, each with its air. They are
 * in a mesh of their own, which has the grid of the page's mesh.
 */
import { errorInTile } from '../../runtime/errors.js';
import { MeshBuilder } from '../../mesh/mesh-builder.js';
import { WmMeshParameters, WmRefusedLink, WmSegmentLink } from '../../runtime/layout.js';
import { SEGMENT_LINK_KINDS } from '../../runtime/link-kinds.js';
import { AirCollector } from './air-collector.js';
import { createLinkLevel } from './link-level.js';

/** @typedef {import('../baker.js').Baker} Baker */
/** @typedef {import('../../runtime/session.js').Session} Session */
/** @typedef {import('../../workers/messages.js').LinkedTile} LinkedTile */
/** @typedef {import('../../workers/messages.js').LinkerMessage} LinkerMessage */
/** @typedef {import('../../workers/messages.js').SentTile} SentTile */

const LINK_BYTES = 4 * WmSegmentLink.words, REFUSED_BYTES = 4 * WmRefusedLink.words;

/** A mesh without tiles for a bake. @param {Baker} baker @returns {number} its address */
function createMeshOf(baker) {
  const builder = new MeshBuilder(baker.session);
  try {
    builder.begin(baker);
    return builder.takeAddress();
  } finally {
    builder.free();
  }
}

/** A mesh without tiles. @param {Session} session @param {Uint32Array} grid a WmMeshParameters @returns {number} its address */
function createMeshWith(session, grid) {
  session.refresh();
  session.u32.set(grid.subarray(0, WmMeshParameters.words), session.inputs);
  session.check(session.wasm.mesh_create(session.handle));
  return session.u32[session.answer];
}

export class HeldTiles {
  #session;
  #air;
  /** True if errors name the tile. */
  #isGrid;
  /** The bake handle, unless it is that of a baker. */
  #level;
  #mesh = 0;
  /** Bytes of the air of all tiles, uncompressed, when the air of one was stored last. */
  #allAirBytes = 0;
  /** The same of each tile. @type {Map<string, number>} */
  #airBytes = new Map();

  /**
   * @param {AirCollector} air of no tile yet @param {{ session: Session, isGrid: boolean, level?: number }} facts level: a bake handle, which
   *   it destroys
   * @param {() => number} createMesh
   */
  constructor(air, { session, isGrid, level = 0 }, createMesh) {
    this.#session = session;
    this.#isGrid = isGrid;
    this.#air = air;
    this.#level = level;
    try {
      this.#mesh = createMesh();
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** Makes the object for tiles that a bake makes in this worker. @param {Baker} baker its configuration has links; it is freed after this object */
  static ofBaker(baker) {
    const { session, voxels } = baker;
    return new HeldTiles(new AirCollector(baker), { session, isGrid: voxels.tileCountX * voxels.tileCountZ > 1 }, () => createMeshOf(baker));
  }

  /** Makes the object for tiles that the page sends. @param {Session} session @param {Pick<LinkerMessage, 'config' | 'volumes' | 'grid'>} message */
  static ofGrid(session, { config, volumes, grid }) {
    const level = createLinkLevel(session, config, volumes);
    let air;
    try {
      air = new AirCollector({ session, config: /** @type {Baker['config']} */ (config) }, level);
    } catch (error) {
      session.wasm.bake_destroy(level);
      throw error;
    }
    const isGrid = grid[WmMeshParameters.tileCountX] * grid[WmMeshParameters.tileCountZ] > 1;
    return new HeldTiles(air, { session, isGrid, level }, () => createMeshWith(session, grid));
  }

  /** Measures the air of a tile that was just stored. @param {number} x @param {number} z */
  #measureAir(x, z) {
    const bytes = this.#session.wasm.link_generator_air_bytes(this.#air.address) >>> 0;
    this.#airBytes.set(`${x},${z}`, bytes - this.#allAirBytes);
    this.#allAirBytes = bytes;
  }

  /** Takes the air of the current tile of a baker, before stage `compact`. @param {Baker} baker @param {number} x @param {number} z */
  collect(baker, x, z) {
    this.#air.collect(baker, x, z);
    this.#measureAir(x, z);
  }

  /** Adds a tile whose air it has. @param {Uint8Array} bytes in Detour's format */
  addTile(bytes) {
    const { wasm } = this.#session;
    this.#session.withCopy(bytes, (copy) => wasm.mesh_add_tile(this.#mesh, copy, bytes.length));
  }

  /** Does work on a tile, with errors that name it. @template R @param {number} x @param {number} z @param {() => R} work */
  #inTile(x, z, work) {
    try {
      return work();
    } catch (error) {
      throw this.#isGrid ? errorInTile(error, x, z) : error;
    }
  }

  /** Adds a tile that was baked elsewhere. @param {SentTile} tile */
  receive({ x, z, bytes, air }) {
    const { wasm } = this.#session;
    this.#inTile(x, z, () => {
      this.#session.withCopy(air, (copy) => wasm.link_generator_set_air(this.#air.address, x, z, copy, air.length));
      this.#measureAir(x, z);
      if (bytes) this.addTile(bytes);
    });
  }

  /** A copy of the air of a tile, compressed. @param {number} x @param {number} z @returns {Uint8Array} */
  copyAir(x, z) {
    const session = this.#session, { wasm } = session;
    return this.#inTile(x, z, () => {
      session.check(wasm.link_generator_copy_air(this.#air.address, x, z));
      session.refresh();
      const address = session.u32[session.answer];
      const bytes = session.copyReturnedBytes();
      wasm.memory_free(session.handle, address);
      return bytes;
    });
  }

  /**
   * Makes the links that start in a tile. All tiles within reach are here.
   * @param {number} x @param {number} z @param {boolean} wantsRefused @returns {LinkedTile}
   */
  link(x, z, wantsRefused) {
    const session = this.#session, { wasm } = session;
    const start = performance.now();
    this.#inTile(x, z, () => session.check(session.guard(() => wasm.link_generator_run(this.#air.address, this.#mesh, x, z, wantsRefused ? 1 : 0))));
    session.refresh();
    const [refusedAt, refusedCount] = session.u32.subarray(session.answer + SEGMENT_LINK_KINDS.length, session.answer + SEGMENT_LINK_KINDS.length + 2);
    const refused = refusedAt ? session.view(refusedAt, REFUSED_BYTES * refusedCount).slice() : undefined;
    if (refusedAt) wasm.memory_free(session.handle, refusedAt);
    wasm.mesh_links_at(this.#mesh, x, z, 0);
    session.refresh();
    const [at, count] = session.u32.subarray(session.answer, session.answer + 2);
    const bytes = session.view(at, LINK_BYTES * count).slice();
    return { bytes, refused, milliseconds: performance.now() - start, airBytes: this.#airBytes.get(`${x},${z}`) ?? 0 };
  }

  free() {
    if (this.#mesh) this.#session.wasm.mesh_destroy(this.#mesh);
    this.#mesh = 0;
    this.#air.free();
    if (this.#level) this.#session.wasm.bake_destroy(this.#level);
    this.#level = 0;
  }
}
