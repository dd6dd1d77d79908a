/**
 * Where the tiles of a bake come from: lanes, each of which bakes one tile after another. This thread is one lane, cut into
 * slices; each worker is one as well.
 *
 * A source is begun with the level and the configuration, then its lanes bake whatever tiles they are asked for, at the
 * same time; end() frees what the bake took, after success, failure and abort alike.
 */
import { bakeTileByStages } from './bake-report.js';
import { prepareBake } from './bake-steps.js';
import { Baker } from './bake.js';
import { NavError } from '../runtime/errors.js';
import { sendGeometry } from '../workers/send-geometry.js';

/** @typedef {import('./bake-report.js').BakedTile} BakedTile */
/** @typedef {import('./config.js').Config} Config */
/** @typedef {import('./geometry.js').Geometry} Geometry */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('../runtime/slices.js').Slices} Slices */
/** @typedef {import('./stages.js').StageName} StageName */
/** @typedef {import('../workers/messages.js').BakerFacts} BakerFacts */
/** @typedef {import('../workers/messages.js').MemoryUse} MemoryUse */
/** @typedef {import('../workers/pool.js').WorkerPool} WorkerPool */
/** @typedef {import('../workers/thread.js').WorkerThread} WorkerThread */

/**
 * @typedef {object} Lane
 * @property {number} depth how many tiles it should be asked for at a time, so that it never waits
 * @property {() => Promise<BakerFacts>} begin resolves when it can bake; what it knows is the same in all lanes
 * @property {(x: number, z: number) => import('../runtime/maybe-promise.js').Soon<string>} hashTile what a tile is made from, as Baker.hashTile
 * @property {(x: number, z: number, onStage?: (stage: StageName) => void, keeps?: boolean) => Promise<BakedTile>} bakeTile
 */

/**
 * @typedef {object} TileSource
 * @property {readonly Lane[]} lanes
 * @property {() => void} cancel drops what waits to be done
 * @property {() => Promise<MemoryUse>} end frees everything; the greatest use of any lane
 */

/** This thread, in slices. @implements {TileSource} */
export class LocalTiles {
  #session;
  #geometry;
  #config;
  #slices;
  /** @type {Baker | undefined} */
  #baker;
  /** What the baker is made by, unless that is done. @type {ReturnType<typeof prepareBake> | undefined} */
  #preparing;

  /** @param {Session} session @param {Geometry} geometry @param {Config} config @param {Slices} slices */
  constructor(session, geometry, config, slices) {
    this.#session = session;
    this.#geometry = geometry;
    this.#config = config;
    this.#slices = slices;
    session.memory(true);
    /** @type {readonly Lane[]} */
    this.lanes = [{
      depth: 1,
      begin: async () => {
        const { config: full, voxels, warningBits } = this.#baker = await this.#makeBaker();
        await this.#slices.restIfOver();
        return { config: full, voxels, warningBits };
      },
      hashTile: (x, z) => /** @type {Baker} */ (this.#baker).hashTile(x, z),
      bakeTile: (x, z, onStage, keeps) => this.#bakeTile(x, z, onStage, keeps),
    }];
  }

  /** Takes the level in; end() frees what that took so far. */
  async #makeBaker() {
    const steps = this.#preparing = prepareBake(this.#session, this.#geometry, this.#config);
    for (;;) {
      const { done, value } = steps.next();
      if (done && !value) throw new NavError('cancelled', 'the bake has ended');
      if (value) return this.#baker = new Baker(this.#session, this.#geometry, this.#config, value);
      await this.#slices.restIfOver();
    }
  }

  /** @param {number} x @param {number} z @param {(stage: StageName) => void} [onStage] @param {boolean} [keeps] */
  async #bakeTile(x, z, onStage, keeps) {
    const stages = bakeTileByStages(/** @type {Baker} */ (this.#baker), x, z, keeps);
    for (;;) {
      const { done, value } = stages.next();
      if (done) return value;
      onStage?.(value);
      const rest = this.#slices.restIfOver();
      if (rest) await rest;
    }
  }

  cancel() {}

  async end() {
    this.#preparing?.return(/** @type {any} */ (undefined));
    this.#baker?.[Symbol.dispose]();
    return this.#session.memory();
  }
}

/** Numbers of bakes, for workers that may bake several levels at a time. */
let lastBake = 0;

/** How long workers may take to stop, after an abort, before they are ended. */
const PATIENCE_MILLISECONDS = 50;

/** The workers of a pool, or some of them. @implements {TileSource} */
export class WorkerTiles {
  #bake = ++lastBake;
  #isCancelled = false;
  #isOver = false;
  /** Whether any worker has begun. */
  hasBegun = false;
  /** @type {WorkerThread[]} */
  #threads = [];

  #pool;
  #ownsPool;

  /**
   * @param {WorkerPool} pool @param {number} count @param {Geometry} geometry @param {Config} config @param {Slices} slices
   * @param {boolean} [ownsPool] whether nobody else uses the pool: it is freed where the bake is cancelled
   */
  constructor(pool, count, geometry, config, slices, ownsPool = false) {
    this.#pool = pool;
    this.#ownsPool = ownsPool;
    const send = sendGeometry(geometry, slices);
    /** @type {readonly Lane[]} */
    this.lanes = Array.from({ length: Math.min(count, pool.size) }, (_, index) => this.#makeLane(pool, index, send, config));
  }

  /**
   * @param {WorkerPool} pool @param {number} index @param {ReturnType<typeof sendGeometry>} send @param {Config} config
   * @returns {Lane}
   */
  #makeLane(pool, index, send, config) {
    const bake = this.#bake;
    /** @type {WorkerThread | undefined} */
    let thread;
    return {
      depth: 2,
      begin: async () => {
        thread = await pool.thread(index);
        this.#checkOver();
        this.#threads.push(thread);
        const geometry = await send(thread, bake, () => this.#checkOver());
        const facts = await thread.ask({ type: 'begin', bake, geometry, config });
        this.hasBegun = true;
        return facts;
      },
      hashTile: (x, z) => /** @type {WorkerThread} */ (thread).ask({ type: 'hash', bake, x, z }),
      bakeTile: (x, z, onStage, keeps = false) => /** @type {WorkerThread} */ (thread).ask(
        { type: 'tile', bake, x, z, tellStages: onStage !== undefined, keeps }, onStage),
    };
  }

  /** A lane may still be on its way to a worker when the bake ends. */
  #checkOver() {
    if (this.#isOver) throw new NavError('cancelled', 'the bake has ended');
  }

  cancel() {
    this.#isCancelled = true;
    if (this.#ownsPool) this.#pool[Symbol.dispose]();
    for (const thread of this.#threads) thread.tell({ type: 'cancel', bake: this.#bake });
  }

  async end() {
    this.#isOver = true;
    const all = await Promise.all(this.#threads.map((thread) => this.#endThread(thread)));
    const most = (/** @type {keyof MemoryUse} */ name) => Math.max(0, ...all.map((memory) => memory?.[name] ?? 0));
    return { bytes: most('bytes'), peakBytes: most('peakBytes'), wasmBytes: most('wasmBytes') };
  }

  /** @param {WorkerThread} thread @returns {Promise<MemoryUse | undefined>} */
  async #endThread(thread) {
    const end = thread.ask({ type: 'end', bake: this.#bake }).catch(() => undefined);
    if (!this.#isCancelled) return end;
    let timer;
    const impatience = new Promise((resolve) => { timer = setTimeout(resolve, PATIENCE_MILLISECONDS, 'late'); });
    const first = await Promise.race([end, impatience]);
    clearTimeout(timer);
    if (first === 'late') thread.closeIfOnlyFor(this.#bake);
    return first === 'late' ? undefined : first;
  }
}
