/**
 * Builders of the tiles of a bake, each of which bakes one tile after another: this thread, cut into slices, or each worker of a
 * pool. (A dynamic mesh, whose tiles are built again, has builders of its own: js/dynamic.)
 *
 * begin() gives a builder the level and the configuration; then it bakes any tile it is asked for, in parallel with the others;
 * end() frees the memory of all, after success, failure and abort.
 */
import { NavError } from '../runtime/errors.js';
import { JOBS_PER_WORKER } from '../workers/pool.js';
import { sendGeometry } from '../workers/send-geometry.js';
import { AirCollector } from './links/air-collector.js';
import { bakeTileByStages, keepAirByStages } from './bake-tile.js';
import { Baker, prepareBaker } from './baker.js';

/** @typedef {import('./bake-tile.js').BakedTile} BakedTile */
/** @typedef {import('../input/config.js').Config} Config */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('../runtime/time-slices.js').TimeSlices} TimeSlices */
/** @typedef {import('./stages.js').StageName} StageName */
/** @typedef {import('../workers/messages.js').BakerFacts} BakerFacts */
/** @typedef {import('../workers/messages.js').LinkedTile} LinkedTile */
/** @typedef {import('../workers/messages.js').MemoryUse} MemoryUse */
/** @typedef {import('../workers/messages.js').SentTile} SentTile */
/** @typedef {import('../workers/pool.js').WorkerPool} WorkerPool */
/** @typedef {import('../workers/thread.js').WorkerThread} WorkerThread */

/**
 * @typedef {object} TileBuilder
 * @property {number} depth tiles to ask for at a time, so that it never waits
 * @property {() => Promise<BakerFacts>} begin resolves when it can bake; all builders of a bake return the same
 * @property {(x: number, z: number) => import('../runtime/maybe-promise.js').MaybePromise<string>} hashTile as Baker.hashTile
 * @property {(x: number, z: number, onStage?: (stage: StageName) => void, keeps?: boolean) => Promise<BakedTile>} bakeTile
 * @property {(x: number, z: number) => Promise<Uint8Array>} keepAir the air of a tile, of bakes with links
 */

/**
 * A worker that makes links.
 * @typedef {object} TileLinker
 * @property {number} depth as of a TileBuilder
 * @property {(grid: Uint32Array) => Promise<void>} beginLinks in place of begin, if it bakes no tile; grid: a WmMeshParameters
 * @property {(tiles: readonly SentTile[]) => Promise<void>} giveTiles gives it tiles that it did not bake
 * @property {(places: readonly { x: number, z: number }[], wantsRefused: boolean) => Promise<LinkedTile[]>} linkTiles makes the links of
 *   tiles; all tiles within their reach are there
 */

/**
 * A tile builder that makes links, and may hold the tiles that it baked.
 * @typedef {TileBuilder & TileLinker & { copyAir: (places: readonly { x: number, z: number }[]) => Promise<Uint8Array[]> }} TileHolder
 *   copyAir: the air of tiles that it holds
 */

/** @typedef {{ isStored: boolean, isKept: boolean }} AirUses isStored: in a cache; isKept: in a generator of this thread */

/**
 * @typedef {object} TileBuilders
 * @property {readonly TileBuilder[]} list
 * @property {(uses: AirUses) => readonly TileHolder[] | undefined} holdTiles makes them hold what they bake, to make links; call it before
 *   begin. Tiles come without their air, unless it is used otherwise. Returns the list; undefined: this thread makes the links
 * @property {readonly TileLinker[]} [linkers] the same builders; undefined: this thread makes the links
 * @property {AirCollector} [collectedAir] the air of all tiles, if this thread bakes them. The caller of holdTiles must free it
 * @property {() => void} cancel drops the tiles that are not begun
 * @property {() => Promise<MemoryUse>} end frees everything; returns the maximum over the builders
 */

/** This thread, in slices. @implements {TileBuilders} */
export class LocalBuilders {
  #session;
  #geometry;
  #config;
  #slices;
  /** @type {Baker | undefined} */
  #baker;
  #holdsAir = false;
  /** @type {AirCollector | undefined} */
  collectedAir;
  /** Copies the level for the baker. @type {ReturnType<typeof prepareBaker> | undefined} */
  #preparing;

  /** @param {Session} session @param {Geometry} geometry @param {Config} config @param {TimeSlices} slices */
  constructor(session, geometry, config, slices) {
    this.#session = session;
    this.#geometry = geometry;
    this.#config = config;
    this.#slices = slices;
    session.memory(true);
    /** @type {readonly TileBuilder[]} */
    this.list = [{
      depth: 1,
      begin: async () => {
        const { config: full, voxels, warningBits, zeroAreaTriangles } = this.#baker = await this.#makeBaker();
        if (this.#holdsAir && full.links) this.collectedAir = new AirCollector(this.#baker);
        await this.#slices.restIfOver();
        return { config: full, voxels, warningBits, zeroAreaTriangles };
      },
      hashTile: (x, z) => /** @type {Baker} */ (this.#baker).hashTile(x, z),
      bakeTile: (x, z, onStage, keeps) => this.#run(bakeTileByStages(/** @type {Baker} */ (this.#baker), x, z, { keeps, taker: this.collectedAir }), onStage),
      keepAir: (x, z) => this.#run(keepAirByStages(/** @type {Baker} */ (this.#baker), x, z)),
    }];
  }

  /** @param {AirUses} uses */
  holdTiles({ isStored }) {
    this.#holdsAir = !isStored;
    return undefined;
  }

  /** Copies the level into the module. end() frees the memory of a copy that is not finished. */
  async #makeBaker() {
    const steps = this.#preparing = prepareBaker(this.#session, this.#geometry, this.#config);
    for (;;) {
      const { done, value } = steps.next();
      if (done && !value) throw new NavError('cancelled', 'the bake has ended');
      if (value) return this.#baker = new Baker(this.#session, this.#geometry, this.#config, value);
      await this.#slices.restIfOver();
    }
  }

  /** Runs stages in slices. @template T @param {Generator<StageName, T, void>} stages @param {(stage: StageName) => void} [onStage] @returns {Promise<T>} */
  async #run(stages, onStage) {
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

/** Numbers of bakes: a worker may bake several levels at a time. */
let lastBake = 0;

/** After an abort, workers that haven't stopped by then are terminated. */
const PATIENCE_MILLISECONDS = 50;

/** @template T @param {T[]} answers @param {number} count */
function checkCount(answers, count) {
  if (answers.length === count) return answers;
  throw new NavError('worker', `a worker answered for ${answers.length} tiles: must be ${count}. Is its script walkmesh/worker of this version?`);
}

/** The workers of a pool, or some of them. @implements {TileBuilders} */
export class WorkerBuilders {
  #bake = ++lastBake;
  #isCancelled = false;
  #isOver = false;
  #holdsTiles = false;
  #returnsAir = false;
  /** True once a worker has begun. */
  hasBegun = false;
  /** @type {WorkerThread[]} */
  #threads = [];

  #pool;
  #ownsPool;

  /**
   * @param {WorkerPool} pool @param {number} count @param {Geometry} geometry @param {Config} config @param {TimeSlices} slices
   * @param {boolean} [ownsPool] true: only this bake uses the pool; cancelling frees it
   */
  constructor(pool, count, geometry, config, slices, ownsPool = false) {
    this.#pool = pool;
    this.#ownsPool = ownsPool;
    const send = sendGeometry(geometry, slices);
    /** @type {readonly TileHolder[]} */
    this.list = Array.from({ length: Math.min(count, pool.size) }, (_, index) => this.#makeBuilder(pool, index, send, geometry, config));
    this.linkers = this.list;
  }

  /** @param {WorkerPool} pool @param {number} index */
  async #take(pool, index) {
    const thread = await pool.thread(index);
    this.#checkOver();
    this.#threads.push(thread);
    return thread;
  }

  /**
   * @param {WorkerPool} pool @param {number} index @param {ReturnType<typeof sendGeometry>} send @param {Geometry} geometry
   * @param {Config} config @returns {TileHolder}
   */
  #makeBuilder(pool, index, send, geometry, config) {
    const bake = this.#bake;
    /** @type {WorkerThread | undefined} */
    let thread;
    const ask = (/** @type {import('../workers/messages.js').Request} */ request, /** @type {((stage: any) => void) | undefined} */ onStage = undefined) => (
      /** @type {WorkerThread} */ (thread).ask(request, onStage));
    return {
      depth: JOBS_PER_WORKER,
      begin: async () => {
        thread = await this.#take(pool, index);
        const sent = await send(thread, bake, () => this.#checkOver());
        const facts = await thread.ask({ type: 'begin', bake, geometry: sent, config, holdsTiles: this.#holdsTiles });
        this.hasBegun = true;
        return facts;
      },
      beginLinks: async (grid) => {
        thread = await this.#take(pool, index);
        await ask({ type: 'linker', bake, config, volumes: geometry.volumes, grid });
      },
      hashTile: (x, z) => ask({ type: 'hash', bake, x, z }),
      bakeTile: (x, z, onStage, keeps = false) => ask(
        { type: 'tile', bake, x, z, tellStages: onStage !== undefined, keeps, returnsAir: this.#returnsAir }, onStage),
      keepAir: async (x, z) => (await ask({ type: 'air', bake, x, z })).bytes,
      copyAir: async (places) => checkCount((await ask({ type: 'airs', bake, places })).airs, places.length),
      giveTiles: (tiles) => ask({ type: 'give', bake, tiles }),
      linkTiles: async (places, wantsRefused) => checkCount((await ask({ type: 'links', bake, places, refused: wantsRefused })).tiles, places.length),
    };
  }

  /** @param {AirUses} uses */
  holdTiles({ isStored, isKept }) {
    this.#holdsTiles = true;
    this.#returnsAir = isStored || isKept;
    return this.list;
  }

  /** A builder may still be waiting for its worker when the bake ends. */
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
    const max = (/** @type {keyof MemoryUse} */ name) => Math.max(0, ...all.map((memory) => memory?.[name] ?? 0));
    return { bytes: max('bytes'), peakBytes: max('peakBytes'), wasmBytes: max('wasmBytes') };
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
