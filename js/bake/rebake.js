/**
 * Bakes the changed tiles of a level: tiles whose hash (Baker.hashTile) is unchanged stay in the mesh, the others are baked, and
 * replaced together at the end. If the mesh has generated links, those of the baked tiles and of the tiles within reach are made again.
 */
import { TILED_NAMES, checkOptions, withBuilders } from './bake-in-background.js';
import { makeTileLog } from './bake-tile.js';
import { openCache, produceAir, produceTile } from './cached-tiles.js';
import { warnOfConnections } from './connection-warnings.js';
import { noteLevel, warnOfLevel } from './level-warnings.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { toTriangles } from '../input/geometry.js';
import { wantsLinks } from '../input/link-config.js';
import { LinkGenerator, emptyReport, listPlaces, readGrid } from './links/link-generator.js';
import { linkInWorkers, putLinkedTile, readTileAt } from './links/link-shares.js';
import { toLinkReport } from './links/link-pass.js';
import { toBoundsOfPositions } from '../input/up-axis.js';
import { LINK_GENERATOR, NAV_MESH } from '../runtime/handle-kinds.js';
import { NavMesh } from '../mesh/mesh.js';
import { putLinkSet, readLinkSet } from '../mesh/segment-link-records.js';
import { nameSet } from '../runtime/option-names.js';
import { addressOf } from '../runtime/handle.js';
import { throwIfAborted } from '../runtime/time-slices.js';
import { chain } from '../runtime/maybe-promise.js';
import { changeTiles } from './tile-changes.js';
import { runTiles, shareTiles } from './run-tiles.js';

/** @typedef {import('./bake-report.js').BakeReport} BakeReport */
/** @typedef {import('./bake-tile.js').BakedTile} BakedTile */
/** @typedef {import('../runtime/instance.js').Owner} Owner */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../runtime/time-slices.js').TimeSlices} TimeSlices */
/** @typedef {import('./tile-changes.js').ChangedTile} ChangedTile */
/** @typedef {import('./bake-in-background.js').TileWork} TileWork */
/** @typedef {import('./cached-tiles.js').CheckedCache} CheckedCache */
/** @typedef {import('./tile-builders.js').TileBuilders} TileBuilders */
/** @typedef {import('../workers/messages.js').BakerFacts} BakerFacts */

/**
 * @typedef {import('./bake-in-background.js').BakeTiledOptions & { linkGenerator?: LinkGenerator }} RebakeOptions linkGenerator: of
 *   this mesh, if it has generated links. It is updated for the level, and saves the work of making the air of unchanged tiles again
 */

/**
 * @typedef {object} Rebaked
 * @property {BakeReport} report its links are those that were made again
 * @property {ChangedTile[]} changed the tiles whose bytes changed, row by row
 * @property {LinkGenerator} [linkGenerator] with keepLinkGenerator, unless one was given
 */

/** @typedef {{ x: number, z: number }} TilePlace */
/** The generated links of a tile place. @typedef {TilePlace & { bytes: Uint8Array }} LinkSet */
/** @typedef {import('./links/link-generator.js').LinkReport} LinkReport */
/** @typedef {import('./links/link-shares.js').Sharing} Sharing */
/** @typedef {import('../workers/messages.js').LinkedTile} LinkedTile */

const REBAKE_NAMES = nameSet({ linkGenerator: 1 }, TILED_NAMES);

/** Meshes with a running rebake. @type {WeakSet<NavMesh>} */
const busy = new WeakSet();

/**
 * Begins a rebake, unless another of the same mesh is running. Streamers of the mesh wait until it ends.
 * @param {NavMesh} navMesh @param {Geometry} geometry @returns {import('../mesh/streamed-tiles.js').StreamedRebake}
 */
export function beginAlone(navMesh, geometry) {
  if (busy.has(navMesh)) throw new NavError('state', 'another rebake of this navigation mesh is running: wait until it ends');
  const { opened, commit, cancel } = navMesh.streamed.begin(geometry);
  busy.add(navMesh);
  return {
    opened,
    commit() {
      busy.delete(navMesh);
      commit();
    },
    cancel() {
      busy.delete(navMesh);
      return cancel();
    },
  };
}

/**
 * Runs a rebake, unless another of the same mesh is running.
 * @template T @param {NavMesh} navMesh @param {Geometry} geometry @param {() => Promise<T>} work @returns {Promise<T>}
 */
export async function runAlone(navMesh, geometry, work) {
  const { opened, commit, cancel } = beginAlone(navMesh, geometry);
  const working = Promise.resolve(opened).then(work);
  await working.catch(cancel);
  const result = await working;
  commit();
  return result;
}

/** True if a rebake bakes a place: of a mesh that is streamed, only places that are loaded. @param {NavMesh} navMesh @param {number} x @param {number} z */
export function isLoaded(navMesh, x, z) {
  const { streamed } = navMesh;
  return !streamed.isStreamed || navMesh.tileAt(x, z) !== 0 || streamed.isLoaded(x, z);
}

/**
 * The warning of a level that has grown, in steps.
 * @param {Geometry} geometry @param {{ bounds: import('../input/config.js').Bounds }} config @returns {Generator<void, string[], void>}
 */
export function* findOutside(geometry, { bounds }) {
  return (yield* leavesBounds(geometry, bounds)) ? ['part of the level lies outside the bounds of the navigation mesh and was ignored: a rebake keeps'
    + ' the bounds of the first bake. Set larger `bounds` there'] : [];
}

/** As findOutside, in slices. @param {Geometry} geometry @param {{ bounds: import('../input/config.js').Bounds }} config @param {TimeSlices} slices */
export async function warnOfBounds(geometry, config, slices) {
  for (const steps = findOutside(geometry, config);;) {
    const { done, value } = steps.next();
    if (done) return value;
    await slices.restIfOver();
  }
}

/** Throws unless a mesh belongs to an instance. @param {Owner} owner @param {NavMesh} navMesh */
export function requireOwnMesh(owner, navMesh) {
  if (!(navMesh instanceof NavMesh)) throw invalidArgument('navMesh', `must be a NavMesh, not ${describe(navMesh)}`, navMesh);
  addressOf(navMesh, NAV_MESH);
  if (navMesh.session !== owner.session) throw invalidArgument('navMesh', 'belongs to another instance of the module', navMesh);
}

/** The configuration of a mesh's first bake, including its bounds. @param {NavMesh} navMesh */
export function requireConfig(navMesh) {
  const { config } = navMesh;
  if (config?.bounds) return /** @type {typeof config & { bounds: import('../input/config.js').Bounds }} */ (config);
  throw new NavError('state', 'the navigation mesh has no configuration (it may come from a Detour file): bake the level with bakeTiled',
    { field: 'navMesh' });
}

/** Throws unless the grid of this bake is that of the mesh. @param {NavMesh} navMesh @param {Pick<BakerFacts, 'config' | 'voxels'>} facts */
export function requireSameGrid(navMesh, { config, voxels }) {
  const { origin, tileCountX, tileCountZ, tileWidth } = navMesh.parameters;
  const fits = voxels.boundsMin.every((value, axis) => value === origin[axis]) && tileCountX === voxels.tileCountX
    && tileCountZ === voxels.tileCountZ && (config.tileSize === 0 || tileWidth === voxels.tileWorldSize);
  if (!fits) throw new NavError('state', 'the grid of the navigation mesh does not match its configuration: bake the level again');
}

/**
 * True if a vertex lies outside the bounds, where nothing is baked.
 * @param {Geometry} geometry @param {import('../input/config.js').Bounds} bounds @returns {Generator<void, boolean, void>}
 */
function* leavesBounds(geometry, bounds) {
  const { positions, stride, upAxis } = toTriangles(geometry);
  const { min, max } = toBoundsOfPositions(/** @type {Record<'min' | 'max', number[]>} */ (bounds), upAxis);
  const [low, high] = [min, max].map((corner) => Float32Array.from(corner));
  if (bounds.above) high[upAxis === 'z' ? 2 : 1] = Infinity;
  for (let i = 0; i + 2 < positions.length; i += stride) {
    for (let axis = 0; axis < 3; axis++) {
      if (positions[i + axis] < low[axis] || positions[i + axis] > high[axis]) return true;
    }
    if (i % (stride << 16) === 0) yield;
  }
  return false;
}

/** A mesh with the grid of another, without tiles. @param {NavMesh} navMesh */
function createSameGrid(navMesh) {
  const { session } = navMesh, grid = readGrid(navMesh);
  session.u32.set(grid, session.inputs);
  session.check(session.wasm.mesh_create(session.handle));
  return new NavMesh(session, session.u32[session.answer]);
}

/**
 * Makes links again after a rebake: of the tiles that were baked, and of those whose links reach them.
 */
export class Relinking {
  #navMesh;
  #generator;
  /** The generator of the caller, whose state changes at the end. @type {LinkGenerator | undefined} */
  #given;
  /** Places whose links are made again. @type {TilePlace[]} */
  #places = [];
  /** The links that were made before the new tiles are in the mesh, in the order of the places. @type {{ version: number, sets: Pick<LinkedTile, 'bytes' | 'milliseconds'>[] } | undefined} */
  #made;
  /** @type {LinkReport | null} */
  report = null;

  /**
   * @param {NavMesh} navMesh @param {import('../input/config.js').Config} config @param {Geometry} geometry
   * @param {LinkGenerator} [given]
   */
  constructor(navMesh, config, geometry, given) {
    this.#navMesh = navMesh;
    this.#given = given;
    this.#generator = new LinkGenerator(navMesh, config, geometry?.volumes);
  }

  /**
   * Takes the air of baked tiles, and that which the generator of the caller has of tiles within reach.
   * @param {readonly BakedTile[]} fresh @returns {TilePlace[]} places whose air is missing
   */
  takeAir(fresh) {
    const generator = this.#generator;
    const baked = fresh.map(({ air, log: { x, z } }) => ({ x, z, bytes: /** @type {Uint8Array} */ (air) }));
    this.#places = generator.affectedBy(baked);
    for (const air of baked) generator.setAir(air);
    const { tileCountX } = this.#navMesh.parameters, toIndex = (/** @type {TilePlace} */ { x, z }) => z * tileCountX + x;
    const indices = new Set(baked.map(toIndex));
    return generator.affectedBy(this.#places).filter((place) => {
      if (indices.has(toIndex(place))) return false;
      const known = this.#given?.airAt(place.x, place.z);
      if (known) generator.setAir(known);
      return !known;
    });
  }

  /** Adds air that was missing. @param {import('./links/link-generator.js').TileAir} air */
  addAir(air) {
    this.#generator.setAir(air);
  }

  /**
   * Collects the air that the links read.
   * @param {readonly BakedTile[]} fresh @param {TileBuilders} builders @param {CheckedCache | undefined} cache
   */
  async collectAir(fresh, builders, cache) {
    await shareTiles(builders, this.takeAir(fresh), (builder, x, z) => (
      chain(produceAir(builder, x, z, cache), (bytes) => this.addAir({ x, z, bytes }))));
  }

  /** True if a place has several tiles, which no bake makes. */
  get #hasLayers() {
    const navMesh = this.#navMesh;
    return navMesh.tileRefs().length !== listPlaces(navMesh).filter(({ x, z }) => navMesh.tileAt(x, z) !== 0).length;
  }

  /**
   * Makes the links in workers, each of which is sent the new tiles, and the old ones around them, so that run() only inserts them.
   * @param {readonly BakedTile[]} fresh @param {TileBuilders} builders @param {Sharing} sharing
   */
  async prepareInWorkers(fresh, { linkers }, sharing) {
    const navMesh = this.#navMesh, { version } = navMesh, generator = this.#generator, places = this.#places;
    if (!linkers || this.#hasLayers) return;
    const readTile = this.#tileReader(fresh);
    const sets = await linkInWorkers(linkers, places, {
      tiles: generator.affectedBy(places),
      reachOf: (x, z) => generator.reachOf(x, z),
      read: (place) => {
        const air = generator.airAt(place.x, place.z);
        return air && { x: place.x, z: place.z, bytes: readTile(place), air: air.bytes };
      },
    }, false, sharing);
    this.#made = { version, sets };
  }

  /**
   * Makes the links in a copy of the mesh around the new tiles, so that run() only inserts them. Does nothing if workers made them, the
   * copy finds no memory, or the mesh has tiles that no bake made.
   * @param {readonly BakedTile[]} fresh
   * @returns {Generator<number, void, void>} yields 0 after each tile of the copy, then the number of tiles whose links are made
   */
  *prepareBySteps(fresh) {
    const navMesh = this.#navMesh, { version } = navMesh;
    if (this.#made || this.#hasLayers) return;
    /** @type {NavMesh | undefined} */
    let copy;
    try {
      copy = createSameGrid(navMesh);
      const readTile = this.#tileReader(fresh);
      for (const place of this.#generator.affectedBy(this.#places)) {
        const bytes = readTile(place);
        if (bytes) copy.replaceTile(bytes);
        yield 0;
      }
      const steps = this.#generator.run(this.#places, false, copy);
      for (;;) {
        const { done, value } = steps.next();
        if (done) {
          const made = copy, milliseconds = value.milliseconds / this.#places.length;
          this.#made = { version, sets: this.#places.map(({ x, z }) => ({ bytes: readLinkSet(made, x, z), milliseconds })) };
          return;
        }
        yield value;
      }
    } catch (error) {
      if (!(error instanceof NavError && error.code === 'out-of-memory')) throw error;
    } finally {
      copy?.free();
    }
  }

  /**
   * As prepareBySteps, in slices.
   * @param {readonly BakedTile[]} fresh @param {Pick<TileWork, 'slices' | 'limits'>} bounds
   * @param {(linked: number) => void} onLinked called after each tile
   */
  async prepare(fresh, { slices, limits }, onLinked) {
    for (const linked of this.prepareBySteps(fresh)) {
      limits.checkTime();
      if (linked > 0) onLinked(linked);
      await slices.restIfOver();
    }
  }

  /** Reads the tile that will be at a place. @param {readonly BakedTile[]} fresh @returns {(place: TilePlace) => Uint8Array | null} */
  #tileReader(fresh) {
    const { tileCountX } = this.#navMesh.parameters;
    const baked = new Map(fresh.map(({ bytes, log: { x, z } }) => [z * tileCountX + x, bytes]));
    return (place) => {
      const bytes = baked.get(place.z * tileCountX + place.x);
      return bytes === undefined ? readTileAt(this.#navMesh, place) : bytes;
    };
  }

  /** Makes the links in the mesh, which has the new tiles, or inserts those that were made. @returns {LinkReport} */
  #generate() {
    const made = this.#made;
    if (made) {
      const report = toLinkReport(emptyReport(this.#generator.airBytes));
      this.#places.forEach((place, i) => putLinkedTile(this.#navMesh, place, made.sets[i], report));
      return report;
    }
    const steps = this.#generator.run(this.#places);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return toLinkReport(value);
    }
  }

  /** Call it before the new tiles are inserted: if the mesh was changed since the links were made, they are made again. */
  checkVersion() {
    if (this.#made?.version !== this.#navMesh.version) this.#made = undefined;
  }

  /** Makes the links, all or none, with the new tiles in the mesh, and updates the generator of the caller. */
  run() {
    const before = this.#places.map(({ x, z }) => ({ x, z, bytes: readLinkSet(this.#navMesh, x, z) }));
    try {
      this.report = this.#generate();
      this.#given?.adopt(this.#generator);
    } catch (error) {
      this.#navMesh.session.withoutLimits(() => {
        for (const { x, z, bytes } of before) putLinkSet(this.#navMesh, x, z, bytes);
      });
      throw error;
    }
  }

  /** The generator, which the caller now owns, or undefined: frees it. @param {boolean} isKept */
  finish(isKept) {
    if (isKept && !this.#given) return this.#generator;
    this.free();
    return undefined;
  }

  free() {
    this.#generator.free();
  }
}

/**
 * @param {NavMesh} navMesh @param {Geometry} geometry @param {RebakeOptions} options @param {TileWork} work
 * @returns {Promise<Rebaked>}
 */
async function rebakeFrom(navMesh, geometry, options, { builders, slices, signal, limits }) {
  const { onTile, onProgress, cache: cacheOption, linkGenerator: given, keepLinkGenerator = false } = options;
  const cache = openCache(cacheOption);
  const config = requireConfig(navMesh);
  const noted = noteLevel(geometry, config);
  const hasLinks = wantsLinks(config);
  const relinking = hasLinks ? new Relinking(navMesh, config, geometry, given) : undefined;
  try {
    /** @type {BakedTile[]} */
    const fresh = [];
    const tiles = listPlaces(navMesh).length;
    const onLinked = (/** @type {number} */ linked) => onProgress?.({ tile: linked - 1, tiles, done: tiles, linked });
    const report = await runTiles(builders, { begin: (facts) => requireSameGrid(navMesh, facts), addBakedTile: () => {} }, {
      slices, signal, limits, onTile, onProgress,
      produce: (builder, x, z) => {
        if (!isLoaded(navMesh, x, z)) return { bytes: null, log: makeTileLog(x, z, 'kept') };
        const known = navMesh.tileHashes.get(navMesh, x, z);
        return chain(known && builder.hashTile(x, z), (hash) => {
          if (known && known === hash) return { bytes: null, log: makeTileLog(x, z, 'kept') };
          return chain(produceTile(builder, x, z, cache, hasLinks), (baked) => {
            fresh.push(baked);
            return baked;
          });
        });
      },
      afterTiles: async (isOver) => {
        await relinking?.collectAir(fresh, builders, cache);
        if (!isOver()) await relinking?.prepareInWorkers(fresh, builders, { slices, limits, signal, isOver, onLinked });
      },
    });
    report.warnings.push(...await cache?.finish() ?? []);
    report.warnings.push(...await warnOfBounds(geometry, config, slices));
    await relinking?.prepare(fresh, { slices, limits }, onLinked);
    throwIfAborted(signal);
    relinking?.checkVersion();
    const changed = changeTiles(navMesh, fresh.filter(({ log: { x, z } }) => isLoaded(navMesh, x, z)), () => relinking?.run());
    report.warnings.push(...navMesh.streamed.isStreamed ? warnOfConnections(navMesh, noted.connections) : warnOfLevel(navMesh, noted, report.voxels));
    report.links = relinking?.report ?? null;
    const linkGenerator = relinking?.finish(keepLinkGenerator);
    return { report, changed, ...linkGenerator && { linkGenerator } };
  } catch (error) {
    relinking?.free();
    throw error;
  }
}

/** Throws unless the links of a mesh can be made again. @param {NavMesh} navMesh @param {import('../input/config.js').Config} config */
function requireLinkable(navMesh, config) {
  if (!navMesh.streamed.isStreamed || !wantsLinks(config)) return;
  throw new NavError('state', 'the navigation mesh has generated links, and a streamer adds its tiles: make it with createDynamicBakeSource, whose links follow',
    { field: 'navMesh' });
}

/**
 * Throws unless a mesh can be baked again. Returns its configuration.
 * @param {Owner} owner @param {NavMesh} navMesh @param {LinkGenerator | undefined} generator of the caller
 */
export function requireRebakeable(owner, navMesh, generator) {
  requireOwnMesh(owner, navMesh);
  requireGenerator(generator, navMesh);
  const config = requireConfig(navMesh);
  requireLinkable(navMesh, config);
  return config;
}

/** Checks the generator that a rebake updates. @param {LinkGenerator | undefined} generator @param {NavMesh} navMesh */
function requireGenerator(generator, navMesh) {
  if (generator === undefined) return;
  if (!(generator instanceof LinkGenerator)) throw invalidArgument('linkGenerator', `must be a LinkGenerator, not ${describe(generator)}`, generator);
  if (generator.navMesh !== navMesh) throw invalidArgument('linkGenerator', 'belongs to another navigation mesh', generator);
  addressOf(generator, LINK_GENERATOR);
  if (!wantsLinks(navMesh.config ?? undefined)) {
    throw new NavError('state', 'the navigation mesh has no generated links: call generate() first', { field: 'linkGenerator' });
  }
}

/**
 * As Walkmesh.rebake.
 * @param {Owner} owner @param {NavMesh} navMesh @param {Geometry} geometry @param {RebakeOptions} given
 * @returns {Promise<Rebaked>}
 */
export async function rebake(owner, navMesh, geometry, given) {
  const options = checkOptions(given, REBAKE_NAMES);
  const config = requireRebakeable(owner, navMesh, options.linkGenerator);
  openCache(options.cache);
  return runAlone(navMesh, geometry, () => withBuilders(owner, geometry, config, options, Infinity,
    (work) => rebakeFrom(navMesh, geometry, options, work)));
}
