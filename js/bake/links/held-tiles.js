/**
 * HeldTiles: the tiles of a bake that a worker holds, to make their links: those that it baked, and those within reach, which are sent to
 * it (shared-links.js), each with its air. They are in a mesh of their own, which has the grid of the bake.
 */
import { errorInTile } from '../../runtime/errors.js';
import { MeshBuilder } from '../../mesh/mesh-builder.js';
import { WmSegmentLink } from '../../runtime/layout.js';
import { AirCollector } from './air-collector.js';

/** @typedef {import('../baker.js').Baker} Baker */
/** @typedef {import('../../workers/messages.js').LinkedTile} LinkedTile */
/** @typedef {import('../../workers/messages.js').SentTile} SentTile */

const LINK_BYTES = 4 * WmSegmentLink.words;

export class HeldTiles {
  #session;
  #air;
  /** True if errors name the tile. */
  #isGrid;
  #mesh = 0;
  /** Bytes of the air of all tiles, uncompressed, when the air of one was stored last. */
  #allAirBytes = 0;
  /** The same of each tile. @type {Map<string, number>} */
  #airBytes = new Map();

  /** @param {Baker} baker of a configuration with links, which outlives this object */
  constructor(baker) {
    const { session, voxels } = baker;
    this.#session = session;
    this.#isGrid = voxels.tileCountX * voxels.tileCountZ > 1;
    this.#air = new AirCollector(baker);
    const builder = new MeshBuilder(session);
    try {
      builder.begin(baker);
      this.#mesh = builder.takeAddress();
    } catch (error) {
      builder.free();
      this.free();
      throw error;
    }
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

  /** Makes the links that start in a tile. All tiles within reach are here. @param {number} x @param {number} z @returns {LinkedTile} */
  link(x, z) {
    const session = this.#session, { wasm } = session;
    const start = performance.now();
    this.#inTile(x, z, () => session.check(session.guard(() => wasm.link_generator_run(this.#air.address, this.#mesh, x, z, 0))));
    wasm.mesh_links_at(this.#mesh, x, z, 0);
    session.refresh();
    const [at, count] = session.u32.subarray(session.answer, session.answer + 2);
    const bytes = session.view(at, LINK_BYTES * count).slice();
    return { bytes, milliseconds: performance.now() - start, airBytes: this.#airBytes.get(`${x},${z}`) ?? 0 };
  }

  free() {
    if (this.#mesh) this.#session.wasm.mesh_destroy(this.#mesh);
    this.#mesh = 0;
    this.#air.free();
  }
}
