/** The worker mesh: the part of a dynamic mesh that a worker has. Stores the kept tiles it was sent, and builds tiles. */
import { NavError } from '../runtime/errors.js';

/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('../workers/messages.js').BuildMessage} BuildMessage */

export class WorkerMesh {
  #session;
  #dynamic;
  #mesh;

  /** @param {Session} session @param {Uint8Array} bytes of dynamic_write_helper */
  constructor(session, bytes) {
    this.#session = session;
    session.withCopy(bytes, (address) => session.wasm.dynamic_load(session.handle, address, bytes.length));
    [this.#dynamic, this.#mesh] = session.u32.subarray(session.answer, session.answer + 2);
  }

  /** Builds a tile; null: it has no polygons. @param {BuildMessage} job @returns {Uint8Array | null} */
  build({ x, z, obstacles, kept, drop }) {
    if (this.#dynamic === 0) throw new NavError('state', 'the worker no longer has this dynamic mesh');
    const session = this.#session, { wasm } = session, dynamic = this.#dynamic;
    if (drop) session.check(wasm.dynamic_drop_tile(dynamic, drop[0], drop[1]));
    if (kept) session.withCopy(kept, (copy) => wasm.dynamic_keep_tile(dynamic, x, z, copy, kept.length, 1));
    session.withCopy(obstacles, (copy) => wasm.dynamic_do_job(dynamic, x, z, copy, obstacles.length));
    const address = session.u32[session.answer];
    if (address === 0) return null;
    const bytes = session.copyReturnedBytes();
    wasm.memory_free(session.handle, address);
    return bytes;
  }

  free() {
    const { wasm } = this.#session;
    if (this.#dynamic === 0) return;
    wasm.dynamic_destroy(this.#dynamic);
    wasm.mesh_destroy(this.#mesh);
    this.#dynamic = 0;
  }
}
