/**
 * The workers of a pool as builders of one dynamic mesh: each has a helper (worker-mesh.js), which is sent what is kept of a tile
 * once, and keeps it for the next time. They stay between updates, until the dynamic mesh or the pool is freed.
 */
import { NavError } from '../runtime/errors.js';
import { WmTileJob } from '../runtime/layout.js';

/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('../workers/pool.js').WorkerPool} WorkerPool */
/** @typedef {import('../workers/thread.js').WorkerThread} WorkerThread */

/** A tile that is out. @typedef {{ x: number, z: number, ticket: number, keptNumber: number, obstacles: Uint8Array }} Job */

/**
 * @typedef {object} Lane
 * @property {WorkerThread | undefined} thread that has the helper
 * @property {Map<string, number>} kept numbers of what it has of tiles, used longest ago first
 * @property {number} count jobs that it has in hand
 */

/** So many a worker, so that it never waits. */
const DEPTH = 2;
/** Tiles that a helper keeps: a few kB each. */
const MOST_KEPT = 1024;

/** Words of a WmTileJob. */
const { ticket: TICKET_AT, keptNumber: KEPT_AT, obstacles: OBSTACLES_AT } = WmTileJob;

let lastDynamic = 0;

export class DynamicBuilders {
  #id = ++lastDynamic;
  /** @type {Lane[]} */
  #lanes;
  #isReleased = false;
  /** Who waits until a job has ended. @type {(() => void)[]} */
  #waiting = [];

  /** @param {WorkerPool} pool */
  constructor(pool) {
    this.pool = pool;
    this.#lanes = Array.from({ length: pool.size }, () => ({ thread: undefined, kept: new Map(), count: 0 }));
  }

  /** How many jobs may be out at the same time. */
  get room() {
    return DEPTH * this.#lanes.length;
  }

  /** Whether a worker may be given another. */
  get hasRoom() {
    return this.#lanes.some(({ thread, count }) => thread && count < DEPTH);
  }

  /** Until a worker may be given another: jobs that nobody waits for any more take room until they end. */
  async untilRoom() {
    while (!this.hasRoom) {
      if (this.#lanes.every(({ count }) => count === 0)) throw new NavError('worker', 'all workers of the pool failed');
      await new Promise((resolve) => { this.#waiting.push(() => resolve(undefined)); });
    }
  }

  /** Gives helpers to workers that have none: all at first, later those that were started anew. @param {() => Uint8Array} write */
  async open(write) {
    /** @type {Uint8Array | undefined} */
    let bytes;
    await Promise.all(this.#lanes.map(async (lane, index) => {
      const thread = await this.pool.thread(index);
      if (lane.thread === thread || this.#isReleased) return;
      lane.kept.clear();
      await thread.ask({ type: 'dynamic', dynamic: this.#id, helper: bytes ??= write() });
      // Released meanwhile: nobody else knows of this helper.
      if (this.#isReleased) this.#free(thread);
      else lane.thread = thread;
    }));
  }

  /**
   * Has a tile built, by one of the workers that have least to do, if that can be by one that knows it. For when there is room.
   * @param {Job} job @param {() => Uint8Array} readKept @returns {Promise<Uint8Array | null>}
   */
  async build({ x, z, keptNumber, obstacles }, readKept) {
    const place = `${x},${z}`;
    const alive = this.#lanes.filter(({ thread }) => thread);
    const least = Math.min(...alive.map(({ count }) => count));
    const free = alive.filter(({ count }) => count === least);
    const lane = free.find(({ kept }) => kept.get(place) === keptNumber) ?? free[0];
    const isKnown = lane.kept.get(place) === keptNumber;
    lane.kept.delete(place);
    lane.kept.set(place, keptNumber);
    const thread = /** @type {WorkerThread} */ (lane.thread);
    lane.count++;
    try {
      const { bytes } = await thread.ask({
        type: 'build', dynamic: this.#id, x, z, obstacles, kept: isKnown ? undefined : readKept(), drop: this.#findOldest(lane),
      });
      return bytes;
    } catch (error) {
      // The helper has gone, or is of no use any more.
      if (lane.thread === thread) lane.thread = undefined;
      throw error;
    } finally {
      lane.count--;
      for (const tell of this.#waiting.splice(0)) tell();
    }
  }

  /** A place of which a helper keeps what it need not. @param {Lane} lane @returns {[number, number] | undefined} */
  #findOldest({ kept }) {
    if (kept.size <= MOST_KEPT) return undefined;
    const [oldest] = kept.keys();
    kept.delete(oldest);
    const [x, z] = oldest.split(',').map(Number);
    return [x, z];
  }

  /** Lets the workers free what they have. */
  release() {
    this.#isReleased = true;
    for (const { thread } of this.#lanes) if (thread) this.#free(thread);
  }

  /** @param {WorkerThread} thread */
  #free(thread) {
    thread.ask({ type: 'release', dynamic: this.#id }).catch(() => {});
  }
}

/** Hands a dirty tile out; undefined: there is none. @param {Session} session @param {number} dynamic @returns {Job | undefined} */
export function takeJob(session, dynamic) {
  session.check(session.wasm.dynamic_take_job(dynamic));
  const { u32, answer } = session;
  const [x, z] = [u32[answer] | 0, u32[answer + 1] | 0];
  if (x < 0) return undefined;
  const [address, count] = u32.subarray(answer + OBSTACLES_AT, answer + OBSTACLES_AT + 2);
  const obstacles = session.view(address, count).slice();
  const job = { x, z, ticket: u32[answer + TICKET_AT], keptNumber: u32[answer + KEPT_AT], obstacles };
  session.wasm.memory_free(session.handle, address);
  return job;
}
