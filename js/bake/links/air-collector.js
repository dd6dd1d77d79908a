/** AirCollector: the air of tiles that are baked in this thread. */
import { writeLinks } from '../../input/link-config.js';
import { BAKER } from '../../runtime/handle-kinds.js';
import { addressOf } from '../../runtime/handle.js';

/** @typedef {import('../baker.js').Baker} Baker */
/** @typedef {import('../../runtime/session.js').Session} Session */

/**
 * Collects the air of tiles that are baked in this thread. It stays in the module, uncompressed as far as the module's limit allows.
 * Call free() after the last use.
 */
export class AirCollector {
  #session;
  #address = 0;

  /**
   * @param {Baker | { session: Session, config: Baker['config'] }} baker of a configuration with links, which outlives all other calls
   * @param {number} [bake] address of its bake handle in C
   */
  constructor(baker, bake = addressOf(/** @type {Baker} */ (baker), BAKER)) {
    const { session, config } = baker;
    this.#session = session;
    writeLinks(session, bake, config.links);
    session.check(session.wasm.link_generator_create(bake));
    this.#address = session.u32[session.answer];
  }

  /** Takes the air of the current tile of a baker, before stage `compact`. @param {Baker} baker @param {number} x @param {number} z */
  collect(baker, x, z) {
    this.#session.check(this.#session.wasm.link_generator_give_air(this.#address, addressOf(baker, BAKER), x, z));
  }

  /** The address in C. */
  get address() {
    return this.#address;
  }

  free() {
    if (this.#address) this.#session.wasm.link_generator_destroy(this.#address);
    this.#address = 0;
  }
}
