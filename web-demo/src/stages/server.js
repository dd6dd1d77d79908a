/**
 * The working side of the stage worker: holds a level, bakes its tiles stage by stage, and answers with views of tiles and
 * explanations of points. It handles one request at a time, pauses after every stage, and drops requests of an older
 * configuration. It has no worker around it, so that tests can talk to it.
 */
import { explainPath } from 'walkmesh';
import { explainOutside, explainWithMends } from './explain.js';
import { findJoin } from './joins.js';
import { linksBetween } from './links-between.js';
import { makeFacingBaker, recordTile } from './record.js';
import { tileOf } from './locate-point.js';
import { withoutName } from './volumes.js';
import { groundOf } from './clearance.js';
import { NEEDS_AROUND, VIEWS, buffersOf } from './views.js';

/** @typedef {import('walkmesh').Walkmesh} Walkmesh */
/** @typedef {import('./record.js').TileRecord} TileRecord */
/** @typedef {import('./views.js').View} View */
/** @typedef {import('./explain.js').Explanation} Explanation */
/** @typedef {import('./volumes.js').NamedVolume} NamedVolume */

/** @typedef {{ positions: Float32Array, indices: Uint32Array, areas?: ArrayLike<number> }} Triangles */
/** @typedef {{ kind: 'level', level: Triangles }} LevelMessage */
/** @typedef {{ kind: 'setup', generation: number, config: import('walkmesh').Config, volumes: NamedVolume[] }} SetupMessage */
/**
 * @typedef {{ kind: 'tile', request: number, generation: number, x: number, z: number, views: string[], known: string | null }}
 *   TileMessage known: the hash of the drawn tile
 */
/** @typedef {{ kind: 'explain', request: number, generation: number, point: number[] }} ExplainMessage */
/** @typedef {{ kind: 'join', request: number, generation: number, windows: import('./joins.js').Window[], link: import('../problems/borders.js').Link | null, links: import('walkmesh').LinkConfig }} JoinMessage */
/** @typedef {{ kind: 'path', request: number, generation: number, start: number[], end: number[], filter?: import('walkmesh').FilterOptions, links?: import('walkmesh').LinkConfig }} PathMessage */
/** @typedef {LevelMessage | SetupMessage | TileMessage | ExplainMessage | JoinMessage | PathMessage} Message */

/**
 * @typedef {{ kind: 'ready', generation: number, voxels: Readonly<import('walkmesh').Voxels>, cellSize: number, cellHeight:
 *   number }} ReadyAnswer
 */
/**
 * @typedef {{ kind: 'tile', request: number, generation: number, hash: string, views: Record<string, View> | null, failure:
 *   string | null }} TileAnswer views null: the drawn tile is up to date
 */
/** @typedef {{ kind: 'explain', request: number, explanation: Explanation }} ExplainAnswer */
/** @typedef {{ kind: 'join', request: number, join: import('./joins.js').Join | null, links: import('./links-between.js').LinkChange[] }} JoinAnswer links: of kinds that join the island where nothing else joins it to the main ground */
/** @typedef {import('walkmesh').Cause & { items: import('../edit/items.js').Selection[] }} LevelCause items that are in the way: those that its changes remove */
/** @typedef {{ kind: 'path', request: number, causes: LevelCause[] }} PathAnswer */
/** @typedef {{ kind: 'failed', request: number, generation: number, message: string }} FailedAnswer request 0: from the setup */
/** @typedef {{ kind: 'dropped', request: number }} DroppedAnswer a newer setup arrived */
/** @typedef {ReadyAnswer | TileAnswer | ExplainAnswer | JoinAnswer | PathAnswer | FailedAnswer | DroppedAnswer} Answer */

/** Most bytes of cached records, from which other layers of a tile are drawn immediately. */
const KEPT_BYTES = 160e6;

/** Tiles with more cells would need too much memory for the stages. */
const MAX_CELLS = 8e6;

/** Cached tile records by the hash of their input; the least recently used are dropped. */
class Records {
  /** @type {Map<string, TileRecord>} */
  #records = new Map();
  #bytes = 0;

  /** @param {string} key */
  get(key) {
    const record = this.#records.get(key);
    if (record) {
      this.#records.delete(key);
      this.#records.set(key, record);
    }
    return record;
  }

  /** @param {string} key @param {TileRecord} record */
  add(key, record) {
    this.#records.set(key, record);
    this.#bytes += record.bytes;
    for (const [old, { bytes }] of this.#records) {
      if (this.#bytes <= KEPT_BYTES || old === key) break;
      this.#records.delete(old);
      this.#bytes -= bytes;
    }
  }

  clear() {
    this.#records.clear();
    this.#bytes = 0;
  }
}

export class StageServer {
  #walkmesh;
  #post;
  #rest;
  /** @type {Triangles | null} */
  #level = null;
  /** @type {SetupMessage | null} */
  #setup = null;
  /** @type {import('walkmesh').Baker | null} */
  #baker = null;
  /** The level without the triangles that face down; undefined: not made yet. @type {import('walkmesh').Baker | null | undefined} */
  #facing;
  #records = new Records();
  /** Hashes of this setup's tiles, and the ground of those that a neighbour needed, by place. @type {Map<string, string>} */
  #hashes = new Map();
  /** @type {Map<string, import('./clearance.js').Ground>} */
  #grounds = new Map();
  /** @type {(TileMessage | ExplainMessage | JoinMessage | PathMessage)[]} */
  #queue = [];
  #isRunning = false;

  /**
   * @param {Walkmesh} walkmesh its own instance
   * @param {(answer: Answer, buffers?: ArrayBuffer[]) => void} post
   * @param {() => Promise<unknown>} rest lets messages arrive
   */
  constructor(walkmesh, post, rest) {
    this.#walkmesh = walkmesh;
    this.#post = post;
    this.#rest = rest;
  }

  /** @param {Message} message */
  receive(message) {
    if (message.kind === 'level') {
      this.#level = message.level;
      this.#records.clear();
      this.#begin(null);
    } else if (message.kind === 'setup') {
      this.#begin(message);
    } else {
      // Explanations come first: a user waits for each, while views come in dozens.
      if (message.kind === 'explain' || message.kind === 'path') this.#queue.unshift(message);
      else this.#queue.push(message);
      if (!this.#isRunning) void this.#run();
    }
  }

  /** Starts a new setup; requests of older setups are dropped at their turn. @param {SetupMessage | null} setup */
  #begin(setup) {
    this.#baker?.free();
    this.#facing?.free();
    this.#baker = null;
    this.#facing = undefined;
    this.#hashes.clear();
    this.#grounds.clear();
    this.#setup = setup;
    if (!setup || !this.#level) return;
    try {
      const volumes = setup.volumes.map(withoutName);
      this.#baker = this.#walkmesh.createBaker({ ...this.#level, volumes }, setup.config);
    } catch (error) {
      this.#post({ kind: 'failed', request: 0, generation: setup.generation, message: messageOf(error) });
      return;
    }
    const { voxels, config: { cellSize, cellHeight } } = this.#baker;
    this.#post({ kind: 'ready', generation: setup.generation, voxels, cellSize, cellHeight });
  }

  async #run() {
    this.#isRunning = true;
    for (let message = this.#next(); message; message = this.#next()) await this.#handle(message);
    this.#isRunning = false;
  }

  /** Takes the next message; joins come last. */
  #next() {
    const at = this.#queue.findIndex(({ kind }) => kind !== 'join');
    return this.#queue.splice(Math.max(at, 0), 1)[0];
  }

  /** @param {TileMessage | ExplainMessage | JoinMessage | PathMessage} message */
  async #handle(message) {
    const { request, generation } = message;
    try {
      const isDone = generation === this.#setup?.generation && this.#baker && await this.#answer(message, this.#baker);
      if (!isDone) this.#post({ kind: 'dropped', request });
    } catch (error) {
      this.#post({ kind: 'failed', request, generation, message: messageOf(error) });
    }
    await this.#rest();
  }

  /** @param {TileMessage | ExplainMessage | JoinMessage | PathMessage} message @param {import('walkmesh').Baker} baker @returns {Promise<boolean>} false: a newer setup arrived */
  #answer(message, baker) {
    if (message.kind === 'tile') return this.#answerTile(message, baker);
    if (message.kind === 'path') return this.#answerPath(message, baker);
    return message.kind === 'explain' ? this.#answerExplain(message, baker) : this.#answerJoin(message, baker);
  }

  /** Explains a path of the level as it is baked, without what is switched or connected at run time. @param {PathMessage} message @param {import('walkmesh').Baker} baker */
  async #answerPath({ request, start, end, filter, links }, baker) {
    if (!this.#level || !this.#setup) return false;
    const level = this.#level, walkmesh = this.#walkmesh, { voxels: { width, depth } } = baker;
    if (width * depth > MAX_CELLS) throw new Error('the level is too large to try its settings');
    const { volumes } = this.#setup, config = { ...this.#setup.config, links };
    const geometry = { ...level, volumes: volumes.map(withoutName) };
    const { navMesh } = walkmesh.bake(geometry, config);
    try {
      const { causes } = explainPath(navMesh, start, end, { ...filter && { filter }, level: { geometry, config } });
      const itemsOf = (/** @type {import('walkmesh').Cause} */ { changes }) => changes.flatMap((change) => (change.kind === 'remove' ? volumes[Number(change.volume)]?.item ?? [] : []));
      this.#post({ kind: 'path', request, causes: causes.map((cause) => ({ ...cause, items: itemsOf(cause) })) });
    } finally {
      navMesh.free();
    }
    return true;
  }

  /** Other requests are answered between the steps: a join takes dozens of bakes. @param {JoinMessage} message @param {import('walkmesh').Baker} baker */
  async #answerJoin({ request, windows, link, links }, baker) {
    if (!this.#level) return false;
    const level = { ...this.#level, volumes: this.#setup?.volumes };
    const steps = findJoin(this.#walkmesh, level, baker, windows);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) {
        const { value: join } = step;
        const isWhole = join !== null && windows[join.window].islands[join.to] === 1;
        this.#post({ kind: 'join', request, join, links: link === null || isWhole ? [] : linksBetween(this.#walkmesh, level, baker, link, links) });
        return true;
      }
      await this.#rest();
      while (!this.#isOld(baker) && this.#queue.some(({ kind }) => kind !== 'join')) await this.#handle(/** @type {TileMessage | ExplainMessage | PathMessage} */ (this.#next()));
      if (!this.#isOld(baker)) continue;
      steps.return(null);
      return false;
    }
  }

  /** @param {import('walkmesh').Baker} baker */
  #isOld(baker) {
    return baker !== this.#baker;
  }

  /**
   * @param {TileMessage} message @param {import('walkmesh').Baker} baker
   * @returns {Promise<boolean>} false: a newer setup arrived
   */
  async #answerTile({ request, generation, x, z, views, known }, baker) {
    const needsAround = views.some((name) => NEEDS_AROUND.has(name));
    const hash = needsAround ? placesAround(x, z).map(([column, row]) => this.#hash(baker, column, row)).join(' ') : this.#hash(baker, x, z);
    if (hash === known) {
      this.#post({ kind: 'tile', request, generation, hash, views: null, failure: null });
      return true;
    }
    const record = await this.#record(baker, x, z);
    if (!record) return false;
    const around = needsAround ? await this.#around(baker, x, z) : undefined;
    if (around === null) return false;
    const volumes = this.#setup?.volumes ?? [];
    const drawn = Object.fromEntries(views.map((name) => [name, VIEWS[name](record, volumes, around)]));
    const failure = record.failure ?? (views.includes('heightfieldLayers') ? record.heightfieldLayersFailure : null);
    this.#post({ kind: 'tile', request, generation, hash, views: drawn, failure }, Object.values(drawn).flatMap(buffersOf));
    return true;
  }

  /** @param {import('walkmesh').Baker} baker @param {number} x @param {number} z @returns {string} empty beyond the level */
  #hash(baker, x, z) {
    const key = `${x} ${z}`;
    const known = this.#hashes.get(key);
    if (known !== undefined) return known;
    const { tileCountX, tileCountZ } = baker.voxels;
    const hash = x < 0 || z < 0 || x >= tileCountX || z >= tileCountZ ? '' : baker.hashTile(x, z);
    this.#hashes.set(key, hash);
    return hash;
  }

  /**
   * The ground of a tile and its neighbours.
   * @param {import('walkmesh').Baker} baker @param {number} x @param {number} z
   * @returns {Promise<import('./clearance.js').Around | null>} null: a newer setup arrived
   */
  async #around(baker, x, z) {
    const around = [];
    for (const [column, row] of placesAround(x, z)) {
      const key = `${column} ${row}`;
      if (this.#hash(baker, column, row) !== '' && !this.#grounds.has(key)) {
        const record = await this.#record(baker, column, row);
        if (!record) return null;
        this.#grounds.set(key, groundOf(record));
      }
      around.push(this.#grounds.get(key) ?? null);
    }
    return around;
  }

  /** @param {ExplainMessage} message @param {import('walkmesh').Baker} baker */
  async #answerExplain({ request, point }, baker) {
    const { voxels, config } = baker;
    let explanation = explainOutside(voxels, config.cellSize, point);
    if (!explanation) {
      const { x, z } = tileOf(config.tileSize ? voxels : { ...voxels, tileWorldSize: 0 }, point);
      const record = await this.#record(baker, x, z);
      if (!record || !this.#level) return false;
      const level = { ...this.#level, volumes: this.#setup?.volumes };
      explanation = await this.#finish(explainWithMends(this.#walkmesh, level, record, point), baker);
      if (!explanation) return false;
    }
    this.#post({ kind: 'explain', request, explanation });
    return true;
  }

  /**
   * @param {import('walkmesh').Baker} baker @param {number} x @param {number} z
   * @returns {Promise<TileRecord | null>} null: a newer setup arrived
   */
  async #record(baker, x, z) {
    const hash = this.#hash(baker, x, z);
    const known = this.#records.get(hash);
    if (known) return known;
    const { config: { tileSize }, voxels } = baker;
    const cells = tileSize ? (tileSize + 2 * voxels.borderSize) ** 2 : voxels.width * voxels.depth;
    if (cells > MAX_CELLS) throw new Error(`a tile of ${(cells / 1e6).toFixed(0)} million cells is too large to show its stages. Set a tile size`);
    if (this.#facing === undefined && this.#level) this.#facing = makeFacingBaker(this.#walkmesh, this.#level, baker);
    const record = await this.#finish(recordTile(baker, x, z, { facing: this.#facing }), baker);
    if (record) this.#records.add(hash, record);
    return record;
  }

  /**
   * Runs steps to their end, with a rest after each, in which messages arrive.
   * @template T @param {Generator<void, T, void>} steps @param {import('walkmesh').Baker} baker
   * @returns {Promise<T | null>} null: a newer setup arrived
   */
  async #finish(steps, baker) {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      await this.#rest();
      if (!this.#isOld(baker)) continue;
      steps.return(/** @type {any} */ (undefined));
      return null;
    }
  }
}

/** A tile and its neighbours, in rows. @param {number} x @param {number} z */
const placesAround = (x, z) => Array.from({ length: 9 }, (_, i) => [x + i % 3 - 1, z + Math.floor(i / 3) - 1]);

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));
