/**
 * Random use of the package for as long as one likes, in Node and in pages: cycles of chores, each of which frees what it made in
 * some order, gives up in some way, or leaves it to the garbage collector. After each cycle, once garbage was collected, the module
 * must have as many bytes in use as before the first, and nobody may hold what was freed.
 */
import { BAKES } from './bakes.js';
import { CHANGES } from './changes.js';
import { USES } from './uses.js';
import { World } from './world.js';

export const CHORES = { ...BAKES, ...CHANGES, ...USES };
const CHORES_A_CYCLE = 6;
/** Workers keep some memory for what they are asked next. */
const MOST_WORKER_BYTES = 4e6;
/** Objects that an engine may hold on to. */
const MOST_RETAINED = 3;

/**
 * @typedef {object} Weighing what is there between two cycles
 * @property {number} bytes in use in the module
 * @property {number} wasmBytes of its memory
 * @property {number} workerBytes in use in the workers of the pool
 * @property {number} workerWasmBytes of their memories
 */

export class Soak {
  #world;
  /** Chores that have not had their turn yet. @type {string[]} */
  #due = [];
  /** @type {Weighing | undefined} */
  #first;
  /** What leaks on purpose. @type {unknown[]} */
  #leaked = [];
  /** How often each chore was done. @type {Record<string, number>} */
  counts = Object.fromEntries(Object.keys(CHORES).map((name) => [name, 0]));
  /** Of the cycle in hand. @type {string[]} */
  names = [];

  /**
   * @param {{ seed: number, makeCache: () => Promise<any>, workers?: number, only?: string, leak?: { heap?: number, module?: number } }} options
   *   only: chores whose names have this in them; leak: bytes a cycle, to see that they are found
   */
  constructor({ seed, makeCache, workers = 2, only = '', leak = {} }) {
    this.#world = new World({ seed, makeCache, workers });
    this.chores = Object.keys(CHORES).filter((name) => name.includes(only));
    this.leak = leak;
  }

  /** @param {boolean} [simd] */
  async open(simd = true) {
    await this.#world.open(simd);
  }

  /** Some chores; every one has its turn before any has another. */
  async cycle() {
    this.names = [];
    for (let i = 0; i < CHORES_A_CYCLE; i++) {
      if (this.#due.length === 0) this.#due = this.#world.shuffle(this.chores);
      const name = /** @type {string} */ (this.#due.pop());
      this.names.push(name);
      this.counts[name]++;
      this.#world.chore = name;
      await /** @type {any} */ (CHORES)[name](this.#world);
    }
    const { heap, module } = this.leak;
    if (heap) this.#leaked.push(new Array(heap / 8).fill(0.5 + this.#leaked.length));
    if (module) this.#leaked.push(this.#world.walkmesh.bake({ positions: Float32Array.of(0, 0, 0, 0, 0, 9, 9, 0, 9), indices: [0, 1, 2] }));
  }

  /** Whether the module has as many bytes in use as before the first cycle: where it has not, garbage may be late. */
  isAsAtFirst() {
    const { walkmesh } = this.#world;
    walkmesh.trimMemory();
    return walkmesh.memory().bytes === (this.#first?.bytes ?? walkmesh.memory().bytes);
  }

  /**
   * Weighs what is there; call it after garbage was collected. Throws where a cycle has left something behind.
   * @returns {Promise<Weighing>}
   */
  async weigh() {
    const { walkmesh, pool } = this.#world;
    walkmesh.trimMemory();
    const { bytes, wasmBytes } = walkmesh.memory();
    const workers = await pool.memory();
    const sum = (/** @type {'bytes' | 'wasmBytes'} */ name) => workers.reduce((/** @type {number} */ total, /** @type {any} */ row) => total + row[name], 0);
    const weighing = { bytes, wasmBytes, workerBytes: sum('bytes'), workerWasmBytes: sum('wasmBytes') };
    this.#first ??= weighing;
    const retained = this.#world.takeRetained();
    const wrong = [];
    if (bytes !== this.#first.bytes) wrong.push(`${this.#first.bytes} bytes were in use and ${bytes} are`);
    if (weighing.workerBytes > MOST_WORKER_BYTES) wrong.push(`${weighing.workerBytes} bytes are in use in idle workers`);
    if (retained.length > MOST_RETAINED) wrong.push(`${retained.length} objects are held, of: ${[...new Set(retained)].join('; ')}`);
    if (wrong.length > 0) throw new Error(`a cycle left something behind: ${wrong.join(', ')} (after: ${this.names.join('; ')})`);
    return weighing;
  }

  free() {
    this.#world.pool.free();
  }
}
