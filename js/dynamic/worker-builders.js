/**
 * The workers of a pool as builders of one dynamic mesh. Each has a worker mesh (worker-mesh.js), which is sent a kept tile once
 * and stores it for later builds. The builders stay between updates, until the dynamic mesh or the pool is freed.
 */
import { NavError } from '../runtime/errors.js';
import { JOBS_PER_WORKER } from '../workers/pool.js';
import { WmTileJob } from '../runtime/layout.js';

/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('../workers/pool.js').WorkerPool} WorkerPool */
/** @typedef {import('../workers/thread.js').WorkerThread} WorkerThread */

/**
 * A tile job: a dirty tile that is built in another instance, and the volumes of its obstacles (see wm_saved_volumes_write).
 * @typedef {{ x: number, z: number, ticket: number, keptNumber: number, obstacles: Uint8Array, hasObstacles: boolean }} Job
 */

/**
 * @typedef {object} Builder
 * @property {WorkerThread | undefined} thread that has the worker mesh
 * @property {number} level number of the level of its worker mesh
 * @property {Map<string, number>} kept numbers of the kept tiles it has, by tile place, the least recently used first
 * @property {number} count jobs that it is building or has queued
 */

/** Kept tiles that a worker mesh stores: a few kB each. */
const MAX_KEPT = 1024;

/** Words of a WmTileJob. */
const { x: X_AT, z: Z_AT, ticket: TICKET_AT, keptNumber: KEPT_AT, obstacles: OBSTACLES_AT, obstacleBytes: OBSTACLE_BYTES_AT } = WmTileJob;

let lastDynamic = 0;

export class DynamicBuilders {
  #id = ++lastDynamic;
  /** @type {Builder[]} */
  #builders;
  #isReleased = false;
  #level = 0;
  /** The bytes of worker meshes of this level, once it has changed. @type {Uint8Array | undefined} */
  #workerMesh;
  /** Called when a job has ended. @type {(() => void)[]} */
  #waiting = [];

  /** @param {WorkerPool} pool */
  constructor(pool) {
    this.pool = pool;
    this.#builders = Array.from({ length: pool.size }, () => ({ thread: undefined, level: 0, kept: new Map(), count: 0 }));
  }

  /** The number of jobs that can be sent together. */
  get capacity() {
    return JOBS_PER_WORKER * this.#builders.length;
  }

  /** True if a worker can be sent another job. */
  get hasCapacity() {
    return this.#builders.some(({ thread, count }) => thread && count < JOBS_PER_WORKER);
  }

  /** Waits until a worker can be sent another job: cancelled jobs count until they end. */
  async untilCapacity() {
    while (!this.hasCapacity) {
      if (this.#builders.every(({ count }) => count === 0)) throw new NavError('worker', 'all workers of the pool failed');
      await new Promise((resolve) => { this.#waiting.push(() => resolve(undefined)); });
    }
  }

  /** The level has changed: each worker gets another worker mesh with its next tile. @param {Uint8Array} workerMesh */
  changeLevel(workerMesh) {
    this.#level++;
    this.#workerMesh = workerMesh;
  }

  /**
   * Creates worker meshes in workers that have none: at first in all, later in those that were restarted.
   * @param {() => Uint8Array} write
   */
  async open(write) {
    await Promise.all(this.#builders.map(async (builder, index) => {
      const thread = await this.pool.thread(index);
      if (builder.thread === thread || this.#isReleased) return;
      await this.#sendMesh(builder, thread, this.#workerMesh ??= write());
      // Released meanwhile: nothing else refers to this worker mesh.
      if (this.#isReleased) this.#free(thread);
      else builder.thread = thread;
    }));
  }

  /** Sends a worker a worker mesh, in place of the one that it has. @param {Builder} builder @param {WorkerThread} thread @param {Uint8Array} helper */
  #sendMesh(builder, thread, helper) {
    builder.level = this.#level;
    builder.kept.clear();
    return thread.ask({ type: 'dynamic', dynamic: this.#id, helper });
  }

  /**
   * Builds a tile in one of the workers with the fewest jobs, preferably one that has its kept tile. Requires hasCapacity.
   * @param {Job} job @param {() => Uint8Array} readKept @returns {Promise<Uint8Array | null>}
   */
  async build({ x, z, keptNumber, obstacles }, readKept) {
    const place = `${x},${z}`;
    const alive = this.#builders.filter(({ thread }) => thread);
    const least = Math.min(...alive.map(({ count }) => count));
    const free = alive.filter(({ count }) => count === least);
    const builder = free.find(({ kept }) => kept.get(place) === keptNumber) ?? free[0];
    const thread = /** @type {WorkerThread} */ (builder.thread);
    // Messages are handled in order. If this one fails, the job fails, too: the worker has no worker mesh then.
    if (builder.level !== this.#level) this.#sendMesh(builder, thread, /** @type {Uint8Array} */ (this.#workerMesh)).catch(() => {});
    const isKnown = builder.kept.get(place) === keptNumber;
    builder.kept.delete(place);
    builder.kept.set(place, keptNumber);
    builder.count++;
    try {
      const { bytes } = await thread.ask({
        type: 'build', dynamic: this.#id, x, z, obstacles, kept: isKnown ? undefined : readKept(), drop: this.#findOldest(builder),
      });
      return bytes;
    } catch (error) {
      // The worker mesh was lost, or can't be used any more.
      if (builder.thread === thread) builder.thread = undefined;
      throw error;
    } finally {
      builder.count--;
      for (const wake of this.#waiting.splice(0)) wake();
    }
  }

  /**
   * Returns the tile place whose kept tile the worker mesh must drop, if it has too many.
   * @param {Builder} builder @returns {[number, number] | undefined}
   */
  #findOldest({ kept }) {
    if (kept.size <= MAX_KEPT) return undefined;
    const [oldest] = kept.keys();
    kept.delete(oldest);
    const [x, z] = oldest.split(',').map(Number);
    return [x, z];
  }

  /** Frees the worker meshes. */
  release() {
    this.#isReleased = true;
    for (const { thread } of this.#builders) if (thread) this.#free(thread);
  }

  /** @param {WorkerThread} thread */
  #free(thread) {
    thread.ask({ type: 'release', dynamic: this.#id }).catch(() => {});
  }
}

/**
 * The number of volumes in bytes of wm_saved_volumes_write, which begin with it as a u32; throws if they are too short for it.
 * @param {Uint8Array} bytes
 */
export function countVolumes(bytes) {
  const { length } = bytes;
  if (length < 4) throw new NavError('corrupt', `the obstacles of a tile job have ${length} bytes: must be 4 or more`, { field: 'obstacles' });
  return new DataView(bytes.buffer, bytes.byteOffset, length).getUint32(0, true);
}

/**
 * Takes a tile job from the queue; undefined: no tile is dirty.
 * @param {Session} session @param {number} dynamic @returns {Job | undefined}
 */
export function takeJob(session, dynamic) {
  session.check(session.wasm.dynamic_take_job(dynamic));
  const { u32, answer } = session;
  const x = u32[answer + X_AT] | 0, z = u32[answer + Z_AT] | 0;
  if (x < 0) return undefined;
  const ticket = u32[answer + TICKET_AT], keptNumber = u32[answer + KEPT_AT], address = u32[answer + OBSTACLES_AT];
  const obstacles = session.view(address, u32[answer + OBSTACLE_BYTES_AT]).slice();
  session.wasm.memory_free(session.handle, address);
  return { x, z, ticket, keptNumber, obstacles, hasObstacles: countVolumes(obstacles) > 0 };
}
