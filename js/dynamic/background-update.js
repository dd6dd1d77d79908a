/**
 * An update that does not block: dirty tiles go out to workers, come back, and are put in in the order in which they went;
 * until none is dirty. Without workers they are built in this thread, in slices.
 */
import { NavError } from '../runtime/errors.js';
import { throwIfAborted, untilAborted } from '../runtime/slices.js';

/** @typedef {import('../runtime/slices.js').Slices} Slices */
/** @typedef {import('./worker-builders.js').DynamicBuilders} DynamicBuilders */
/** @typedef {import('./worker-builders.js').Job} Job */

/**
 * What an update asks of its dynamic mesh; each throws where that was freed.
 * @typedef {object} Target
 * @property {() => boolean} isDirty whether tiles are left to build
 * @property {() => boolean} step builds a tile here; false: none was dirty
 * @property {() => Job | undefined} take
 * @property {(job: Job) => Uint8Array} readKept
 * @property {(job: Job, bytes: Uint8Array | null) => void} finish
 * @property {(job: Job) => void} giveUp also where it was freed
 * @property {() => void} settle after some tiles, before anybody else asks the mesh
 */

/** A tile that is out, and what has come of it. @typedef {{ job: Job, bytes?: Uint8Array | null, error?: unknown, isBack: boolean }} Out */

/** @param {unknown} error @param {Job} job */
function nameTile(error, { x, z }) {
  if (!(error instanceof NavError) || error.code === 'state') return error;
  const { code, field, value, cause } = error;
  return new NavError(code, `tile ${x}, ${z}: ${error.message}`, { field, value, cause });
}

/** Builds here. @param {Target} target @param {Slices} slices @param {AbortSignal} [signal] */
export async function updateHere(target, slices, signal) {
  try {
    while (target.step()) {
      throwIfAborted(signal);
      if (!slices.areOver) continue;
      target.settle();
      await slices.rest();
    }
  } finally {
    target.settle();
  }
}

export class BackgroundUpdate {
  #target;
  #lanes;
  #slices;
  #signal;
  /** In the order in which they went out. @type {Out[]} */
  #out = [];
  #tell = () => {};

  /** @param {Target} target @param {DynamicBuilders} lanes @param {Slices} slices @param {AbortSignal} [signal] */
  constructor(target, lanes, slices, signal) {
    this.#target = target;
    this.#lanes = lanes;
    this.#slices = slices;
    this.#signal = signal;
  }

  async run() {
    try {
      for (;;) {
        this.#sendOut();
        const [first] = this.#out;
        if (!first) {
          if (!this.#target.isDirty()) return;
          await untilAborted(this.#lanes.untilRoom(), this.#signal);
          continue;
        }
        if (!first.isBack) await untilAborted(new Promise((resolve) => { this.#tell = () => resolve(undefined); }), this.#signal);
        this.#takeIn();
        const rest = this.#slices.restIfOver();
        if (rest) await rest;
      }
    } finally {
      this.recall();
    }
  }

  /** What is out is built elsewhere: here, or in another update. What still comes back is forgotten. */
  recall() {
    for (const { job } of this.#out.splice(0)) this.#target.giveUp(job);
    this.#tell();
  }

  #sendOut() {
    // No more than twice what is built at a time waits for a tile that is slow.
    while (this.#lanes.hasRoom && this.#out.length < 2 * this.#lanes.room) {
      const job = this.#target.take();
      if (!job) return;
      /** @type {Out} */
      const out = { job, isBack: false };
      this.#out.push(out);
      this.#lanes.build(job, () => this.#target.readKept(job))
        .then((bytes) => { out.bytes = bytes; }, (error) => { out.error = error ?? new NavError('worker', 'a worker failed'); })
        .then(() => {
          out.isBack = true;
          this.#tell();
        });
    }
  }

  /** Puts in what is back, in order, until a rest is due. */
  #takeIn() {
    try {
      while (this.#out[0]?.isBack) {
        const { job, bytes = null, error } = this.#out[0];
        if (error) throw nameTile(error, job);
        this.#out.shift();
        this.#target.finish(job, bytes);
        if (this.#slices.areOver || this.#signal?.aborted) return;
      }
    } finally {
      this.#target.settle();
    }
  }
}
