/**
 * Random use of the package for a given time, in Node and in pages. A cycle consists of chores; each frees its objects in some
 * order, cancels in some way, or leaves them to the garbage collector. After each cycle and a garbage collection, the module must
 * have as many bytes in use as before the first cycle, and freed objects must not be referenced.
 */
import { BAKES } from './bakes.js';
import { CHANGES } from './changes.js';
import { USES } from './uses.js';
import { World } from './world.js';

export const CHORES = { ...BAKES, ...CHANGES, ...USES };
const CHORES_A_CYCLE = 6;
/** Bytes that workers may retain for later requests. */
const MOST_WORKER_BYTES = 4e6;
/** The number of objects that an engine may retain. */
const MOST_RETAINED = 3;

/**
 * @typedef {object} Weighing the memory between two cycles
 * @property {number} bytes in use in the module
 * @property {number} wasmBytes of its memory
 * @property {number} workerBytes in use in the workers of the pool
 * @property {number} workerWasmBytes of their memories
 */

export class Soak {
  #world;
  /** Chores that have not run in this round. @type {string[]} */
  #due = [];
  /** @type {Weighing | undefined} */
  #first;
  /** Memory leaked on purpose. @type {unknown[]} */
  #leaked = [];
  /** The number of runs of each chore. @type {Record<string, number>} */
  counts = Object.fromEntries(Object.keys(CHORES).map((name) => [name, 0]));
  /** The chores of the current cycle. @type {string[]} */
  names = [];

  /**
   * @param {{ seed: number, makeCache: () => Promise<any>, workers?: number, only?: string, leak?: { heap?: number, module?: number } }} options
   * only: runs chores whose names contain this; leak: bytes leaked per cycle, to test that leaks are found
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

  /** Runs some chores; each one runs once before any runs again. */
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

  /** True if the module has as many bytes in use as before the first cycle. If not, garbage collection may be late. */
  isAsAtFirst() {
    const { walkmesh } = this.#world;
    walkmesh.trimMemory();
    return walkmesh.memory().bytes === (this.#first?.bytes ?? walkmesh.memory().bytes);
  }

  /**
   * Measures the memory between cycles; call it after a garbage collection. Throws if a cycle leaked.
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
