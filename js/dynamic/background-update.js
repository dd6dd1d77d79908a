/**
 * An update that doesn't block: sends dirty tiles to workers and inserts the results in the order in which they were sent, until
 * no tile is dirty. This thread generates links meanwhile. Without workers it also builds the tiles, in slices.
 */
import { NavError, errorInTile } from '../runtime/errors.js';
import { throwIfAborted, untilAborted } from '../runtime/time-slices.js';

/** @typedef {import('../runtime/time-slices.js').TimeSlices} TimeSlices */
/** @typedef {import('./worker-builders.js').DynamicBuilders} DynamicBuilders */
/** @typedef {import('./worker-builders.js').Job} Job */

/**
 * The functions of a dynamic mesh that an update calls; each throws if the mesh was freed, unless it says otherwise.
 * @typedef {object} Target
 * @property {() => boolean} isDirty true if tiles are left to build
 * @property {() => boolean} step builds a tile in this thread, or generates links; false: nothing was dirty
 * @property {() => boolean} stepLinks generates the links of a tile place; false: all that are left wait for tiles
 * @property {() => Job | undefined} take
 * @property {(job: Job) => Uint8Array} readKept
 * @property {(job: Job, bytes: Uint8Array | null) => void} finish
 * @property {(job: Job) => void} cancel does nothing if the mesh was freed
 * @property {() => void} refresh brings the mesh up to date after some tiles, before other code queries it
 */

/** A tile job that was sent, and its result. @typedef {{ job: Job, bytes?: Uint8Array | null, error?: unknown, isBack: boolean }} SentJob */

/** Builds all dirty tiles in this thread. @param {Target} target @param {TimeSlices} slices @param {AbortSignal} [signal] */
export async function updateHere(target, slices, signal) {
  try {
    while (target.step()) {
      throwIfAborted(signal);
      if (!slices.areOver) continue;
      target.refresh();
      await slices.rest();
    }
  } finally {
    target.refresh();
  }
}

export class BackgroundUpdate {
  #target;
  #builders;
  #slices;
  #signal;
  /** In the order in which they were sent. @type {SentJob[]} */
  #jobs = [];
  #wake = () => {};

  /** @param {Target} target @param {DynamicBuilders} builders @param {TimeSlices} slices @param {AbortSignal} [signal] */
  constructor(target, builders, slices, signal) {
    this.#target = target;
    this.#builders = builders;
    this.#slices = slices;
    this.#signal = signal;
  }

  async run() {
    try {
      for (;;) {
        this.#sendJobs();
        const [first] = this.#jobs;
        if (!first?.isBack && this.#target.stepLinks()) {
          const rest = this.#slices.restIfOver();
          if (rest) await rest;
          continue;
        }
        if (!first) {
          if (!this.#target.isDirty()) return;
          await untilAborted(this.#builders.untilCapacity(), this.#signal);
          continue;
        }
        if (!first.isBack) await untilAborted(new Promise((resolve) => { this.#wake = () => resolve(undefined); }), this.#signal);
        this.#insertTiles();
        const rest = this.#slices.restIfOver();
        if (rest) await rest;
      }
    } finally {
      this.recall();
    }
  }

  /** Cancels all tile jobs: this thread or another update builds the tiles. Later results are ignored. */
  recall() {
    for (const { job } of this.#jobs.splice(0)) this.#target.cancel(job);
    this.#wake();
  }

  #sendJobs() {
    // At most twice as many jobs as can be built together wait for one slow tile.
    while (this.#builders.hasCapacity && this.#jobs.length < 2 * this.#builders.capacity) {
      const job = this.#target.take();
      if (!job) return;
      /** @type {SentJob} */
      const out = { job, isBack: false };
      this.#jobs.push(out);
      this.#builders.build(job, () => this.#target.readKept(job))
        .then((bytes) => { out.bytes = bytes; }, (error) => { out.error = error ?? new NavError('worker', 'a worker failed'); })
        .then(() => {
          out.isBack = true;
          this.#wake();
        });
    }
  }

  /** Inserts results in order, until the slice is over. */
  #insertTiles() {
    try {
      while (this.#jobs[0]?.isBack) {
        const { job, bytes = null, error } = this.#jobs[0];
        if (error) throw errorInTile(error, job.x, job.z);
        this.#jobs.shift();
        this.#target.finish(job, bytes);
        if (this.#slices.areOver || this.#signal?.aborted) return;
      }
    } finally {
      this.#target.refresh();
    }
  }
}
