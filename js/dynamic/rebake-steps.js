/**
 * A rebake in steps, for games that run on several machines in lockstep: the caller says how many tiles are baked in each step, so that
 * all machines replace the tiles in the same step, however fast they are. Does the work of bake/rebake.js, or of rebake-dynamic.js, in this thread.
 */
import { NO_OPTIONS, requireCount, requireOptions } from '../runtime/arguments.js';
import { BakeLog } from '../bake/bake-report.js';
import { bakeTile, keepAirByStages, makeTileLog } from '../bake/bake-tile.js';
import { Baker } from '../bake/baker.js';
import { listConnections, warnOfConnections } from '../bake/connection-warnings.js';
import { Relinking, beginAlone, findOutside, isLoaded, requireOwnMesh, requireRebakeable, requireSameGrid } from '../bake/rebake.js';
import { changeTiles } from '../bake/tile-changes.js';
import { wantsLinks } from '../input/wants-links.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { addressOf } from '../runtime/handle.js';
import { FreeOnce } from '../runtime/free-once.js';
import { errorInTile } from '../runtime/errors.js';
import { nameSet } from '../runtime/option-names.js';
import { LevelInput } from './bake-dynamic.js';
import { readTileConfig, warnOfReadyConnections } from './rebake-dynamic.js';

/** @typedef {import('../bake/bake-report.js').BakeReport} BakeReport */
/** @typedef {import('../bake/bake-tile.js').BakedTile} BakedTile */
/** @typedef {import('../bake/tile-changes.js').ChangedTile} ChangedTile */
/** @typedef {import('../bake/links/link-generator.js').LinkGenerator} LinkGenerator */
/** @typedef {import('./dynamic-nav-mesh.js').DynamicNavMesh} DynamicNavMesh */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../runtime/instance.js').Owner} Owner */

/**
 * @typedef {object} RebakeStepsOptions
 * @property {LinkGenerator} [linkGenerator] as of rebake: for meshes with generated links, without a dynamic mesh
 */

/**
 * @typedef {object} RebakeBudget
 * @property {number} [tiles] at most this many tiles are baked, or get their links made again; 32 tiles that turn out to be unchanged count as
 *   one. Default: all that are left
 */

/**
 * @typedef {object} RebakeStep
 * @property {boolean} done true once the tiles are replaced
 * @property {ChangedTile[]} changed as of rebake; empty until it is done
 */

/** @template T @typedef {import('../runtime/option-names.js').Names<T>} Names */
const NAMES = nameSet(/** @satisfies {Names<RebakeStepsOptions>} */ ({ linkGenerator: 1 }));
const UPDATE_NAMES = nameSet(/** @satisfies {Names<RebakeBudget>} */ ({ tiles: 1 }));

/** Units of the budget: of a tile that is baked or linked, and of one that is compared or copied. */
const [MADE, COMPARED] = [32, 1];

/**
 * The part of the work that differs between meshes with and without a dynamic mesh. The level was copied before.
 * @typedef {object} Work
 * @property {ReturnType<typeof readTileConfig>} config of the tiles
 * @property {boolean} keeps true: tiles come with their kept tiles
 * @property {(x: number, z: number) => boolean} isLoaded false: the tile isn't baked, since a streamer will add it
 * @property {(x: number, z: number) => string | undefined} findHash of the inputs of the present tile
 * @property {(fresh: BakedTile[], baker: Baker) => Generator<number, void, void>} prepare
 * @property {(fresh: BakedTile[]) => ChangedTile[]} commit puts the tiles into the mesh
 * @property {(report: BakeReport, connections: ReturnType<typeof listConnections>) => void} complete adds links and warnings
 * @property {() => void} free
 */

/** @param {Owner} owner @param {NavMesh} navMesh @param {Geometry} geometry @param {RebakeStepsOptions} options @returns {Work} */
function openMesh(owner, navMesh, geometry, { linkGenerator }) {
  const config = requireRebakeable(owner, navMesh, linkGenerator);
  const relinking = wantsLinks(config) ? new Relinking(navMesh, config, geometry, linkGenerator) : undefined;
  return {
    config, keeps: false,
    isLoaded: (x, z) => isLoaded(navMesh, x, z),
    findHash: (x, z) => navMesh.tileHashes.get(navMesh, x, z),
    * prepare(fresh, baker) {
      if (!relinking) return;
      for (const { x, z } of relinking.takeAir(fresh)) {
        relinking.addAir({ x, z, bytes: finish(keepAirByStages(baker, x, z)) });
        yield MADE;
      }
      for (const linked of relinking.prepareBySteps(fresh)) yield linked > 0 ? MADE : COMPARED;
    },
    commit(fresh) {
      relinking?.checkVersion();
      return changeTiles(navMesh, fresh, () => relinking?.run());
    },
    complete(report, connections) {
      report.links = relinking?.report ?? null;
      report.warnings.push(...warnOfConnections(navMesh, connections));
    },
    free() { relinking?.free(); },
  };
}

/** @param {Owner} owner @param {DynamicNavMesh} dynamic @param {Geometry} geometry @returns {Work} */
function openDynamic(owner, dynamic, geometry) {
  const { navMesh } = dynamic;
  requireOwnMesh(owner, navMesh);
  const config = readTileConfig(dynamic);
  const input = new LevelInput(owner.session, geometry);
  return {
    config, keeps: true,
    isLoaded: (x, z) => dynamic.hasKeptTile(x, z) || navMesh.streamed.isLoaded(x, z),
    findHash: (x, z) => navMesh.tileHashes.find(x, z),
    * prepare() {},
    commit: (fresh) => dynamic.replaceTiles(fresh, input),
    complete(report, connections) { report.warnings.push(...warnOfReadyConnections(dynamic, connections)); },
    free() { input.free(); },
  };
}

/** Runs a generator to its end. @template T @param {Generator<unknown, T, void>} steps @returns {T} */
function finish(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Bakes the tiles whose inputs changed.
 * @param {Work} work @param {Baker} baker @param {BakeLog} log
 * @returns {Generator<number, BakedTile[], void>} yields the units of each tile
 */
function* bakeChanged({ keeps, isLoaded: isThere, findHash }, baker, log) {
  const { tileCountX, tileCountZ } = baker.voxels;
  /** @type {BakedTile[]} */
  const fresh = [];
  for (let tile = 0; tile < tileCountX * tileCountZ; tile++) {
    const x = tile % tileCountX, z = Math.floor(tile / tileCountX);
    const known = isThere(x, z) ? findHash(x, z) : '';
    if (known === '' || (known && baker.hashTile(x, z) === known)) {
      log.add(makeTileLog(x, z, 'kept'));
      if (known) yield COMPARED;
      continue;
    }
    try {
      const baked = bakeTile(baker, x, z, undefined, { keeps });
      log.add(baked.log);
      fresh.push(baked);
    } catch (error) {
      throw errorInTile(error, x, z);
    }
    yield MADE;
  }
  return fresh;
}

/**
 * Copies the level, and begins.
 * @param {Owner} owner @param {NavMesh} navMesh @param {DynamicNavMesh | undefined} dynamic @param {Geometry} geometry
 * @param {RebakeStepsOptions} options
 */
function open(owner, navMesh, dynamic, geometry, options) {
  const given = requireOptions(options, dynamic ? [] : NAMES);
  const work = dynamic ? openDynamic(owner, dynamic, geometry) : openMesh(owner, navMesh, geometry, given);
  /** @type {Baker | undefined} */
  let baker;
  try {
    baker = new Baker(owner.session, geometry, work.config);
    requireSameGrid(navMesh, baker);
    const connections = listConnections(geometry), warnings = finish(findOutside(geometry, work.config));
    return { navMesh, work, baker, connections, warnings, streamed: beginAlone(navMesh, geometry) };
  } catch (error) {
    work.free();
    baker?.free();
    throw error;
  }
}

/** A rebake in steps: update until it is done, or free. Made by Walkmesh.createRebake. */
export class Rebake extends FreeOnce {
  #parts;
  #steps;
  #log = new BakeLog();
  #milliseconds = 0;
  /** Units that the last update has used beyond its budget. */
  #debt = 0;
  /** @type {BakeReport | null} */
  #report = null;
  /** @type {RebakeStep} */
  #last = { done: false, changed: [] };

  /**
   * @internal @param {Owner} owner @param {NavMesh} navMesh @param {DynamicNavMesh | undefined} dynamic @param {Geometry} geometry
   * @param {RebakeStepsOptions} options
   */
  constructor(owner, navMesh, dynamic, geometry, options) {
    super('rebake', () => this.#end());
    this.#parts = open(owner, navMesh, dynamic, geometry, options);
    this.#steps = this.#run();
  }

  #end() {
    const { work, baker, streamed } = this.#parts;
    this.#steps.return(undefined);
    work.free();
    baker.free();
    if (!this.#last.done) streamed.cancel().catch(() => {});
  }

  /** @returns {Generator<number, void, void>} yields the units of each step */
  * #run() {
    const { navMesh, work, baker, connections, warnings, streamed } = this.#parts;
    const fresh = yield* bakeChanged(work, baker, this.#log);
    yield* work.prepare(fresh, baker);
    const changed = work.commit(fresh.filter(({ log: { x, z } }) => work.isLoaded(x, z)));
    this.#report = this.#log.report(baker, { milliseconds: 0, ...navMesh.session.memory() });
    this.#report.warnings.push(...warnings);
    work.complete(this.#report, connections);
    this.#last = { done: true, changed };
    streamed.commit();
  }

  /**
   * Goes on within the budget. The mesh stays as it is until all tiles are baked; then they are replaced together. An error ends the rebake, and
   * leaves the mesh unchanged.
   * @param {RebakeBudget} [options]
   * @returns {RebakeStep}
   */
  update(options = NO_OPTIONS) {
    if (this.#last.done) return this.#last;
    this.checkUsable();
    const { tiles = Infinity } = requireOptions(options, UPDATE_NAMES);
    let left = tiles === Infinity ? Infinity : MADE * requireCount(tiles, 'tiles', Number.MAX_SAFE_INTEGER / MADE);
    const start = performance.now();
    try {
      addressOf(this.#parts.navMesh, NAV_MESH);
      for (left -= this.#debt; left > 0;) {
        const { done, value } = this.#steps.next();
        if (done) break;
        left -= value;
      }
    } catch (error) {
      this.free();
      throw error;
    }
    this.#debt = Math.max(0, -left);
    this.#milliseconds += performance.now() - start;
    if (this.#report) {
      this.#report.milliseconds = this.#milliseconds;
      this.free();
    }
    return this.#last;
  }

  /** The report, once it is done; null before. */
  get report() {
    return this.#report;
  }
}
